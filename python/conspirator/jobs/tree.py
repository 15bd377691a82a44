"""The job tree: a proof-number tree on the driver, whose leaves are jobs for workers.

A *job* is a position and a budget. A worker searches it, and either proves who wins or gives back its moves
with their proof and disproof numbers. Then the leaf gets these moves as children, which are jobs too.

While a leaf is out, it counts as solved, the way that looks easier: a *virtual* result. So the next job is
what is to be done if the others succeed. If nothing is left to do then, the leaf counts as solved the other
way. If there is nothing even so, the next job is the nearest leaf that nobody is at: it may be of use.

Wu and others, Job-Level Proof-Number Search (2013); Pawlewicz and Hayward, Scalable Parallel DFPN (2013).
Nothing here knows a game, a clock or a network.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

Name = Hashable
"""What a position is called: its key, or its path where equal positions are not the same problem."""
SOLVED = {True: (0.0, math.inf), False: (math.inf, 0.0)}
"""Proof and disproof number of what is won, and lost, for Max."""
UNKNOWN = (1.0, 1.0)


class Move(NamedTuple):
    """A move of an unsolved position, as a worker describes it."""

    place: int
    """Among the legal moves."""
    name: Name
    max_to_move: bool
    """In the position after it."""
    proof: float
    disproof: float


class Job(NamedTuple):
    """What a worker is given: the moves to the position, as places among the legal moves."""

    number: int
    name: Name
    path: tuple[int, ...]


@dataclass(eq=False, slots=True)
class JobNode:
    """A position of the tree."""

    name: Name
    max_to_move: bool
    numbers: tuple[float, float] = UNKNOWN
    virtual: tuple[float, float] = UNKNOWN
    """The same, if everybody who is out succeeds."""
    moves: list[tuple[int, JobNode]] | None = None
    parents: list[JobNode] = field(default_factory=list)
    out: bool = False
    spent: int = 0
    """The expansions of its own jobs."""


class JobTree:
    """Positions below a root, and who is to prove which of them.

    >>> tree = JobTree("root", max_to_move=True)
    >>> job = tree.next()
    >>> tree.unsolved(job, [Move(0, "a", False, 2, 1), Move(1, "b", False, 1, 1)], expansions=10)
    >>> first, second = tree.next(), tree.next()
    >>> first.name, second.name
    ('b', 'a')
    >>> tree.solved(second, True, expansions=5)
    >>> tree.won, tree.expansions, tree.next()
    (True, 15, None)
    """

    def __init__(self, root: Name, *, max_to_move: bool, focus: float = 1.0) -> None:
        self.root = JobNode(root, max_to_move)
        self.focus = focus
        """The share of a position's moves that count at a time, where games give their best moves first."""
        self.nodes: dict[Name, JobNode] = {root: self.root}
        self.expansions = 0
        self.given = 0
        self.answered = 0
        self.lost_jobs = 0

    # ------------------------------------------------------------ what is known

    @property
    def won(self) -> bool | None:
        """Whether Max gets the goal; None while that is open."""
        return _result(self.root.numbers)

    def standing(self) -> tuple[float, float, int, int]:
        """Return the root's proof and disproof number, how many of its moves are settled, and all of them."""
        moves = self.root.moves or []
        settled = sum(_result(child.numbers) is not None for _, child in moves)
        return (*self.root.numbers, settled, len(moves))

    def best(self) -> int:
        """Return the place of the best move so far."""
        side = 0 if self.root.max_to_move else 1
        moves = self.root.moves or []
        return min(moves, key=lambda move: move[1].numbers[side])[0] if moves else 0

    # ------------------------------------------------------------ giving out

    def next(self) -> Job | None:
        """Return what is to be done next, and count it as done; None if there is nothing."""
        if self.won is not None:
            return None
        way = self._most_proving() if _result(self.root.virtual) is None else self._nearest()
        if way is None:
            return None
        leaf, path = way
        leaf.out = True
        likely = leaf.numbers[0] <= leaf.numbers[1]
        for result in (likely, not likely):
            leaf.virtual = SOLVED[result]
            self._renew_above(leaf)
            if _result(self.root.virtual) is None:
                break
        self.given += 1
        return Job(self.given, leaf.name, tuple(path))

    def _most_proving(self) -> tuple[JobNode, list[int]]:
        """Follow the least virtual numbers."""
        node, path = self.root, list[int]()
        while node.moves is not None:
            side = 0 if node.max_to_move else 1
            place, node = min(self._counting(node, "virtual"), key=lambda move: move[1].virtual[side])
            path.append(place)
        return node, path

    def _nearest(self) -> tuple[JobNode, list[int]] | None:
        """Find a leaf that nobody is at: depth-first, the least real numbers first."""
        seen = {id(self.root)}
        ways: list[tuple[Iterator[tuple[int, JobNode]], int]] = []
        node: JobNode | None = self.root
        while node is not None:
            if node.moves is None:
                if not node.out:
                    return node, [place for _, place in ways]
            else:
                side = 0 if node.max_to_move else 1
                moves = sorted(self._counting(node, "numbers"), key=lambda move: move[1].numbers[side])
                ways.append((iter(moves), -1))
            node = None
            while ways and node is None:
                moves_left, _ = ways[-1]
                found = next(moves_left, None)
                if found is None:
                    ways.pop()
                elif id(found[1]) not in seen and _result(found[1].numbers) is None:
                    seen.add(id(found[1]))
                    ways[-1] = moves_left, found[0]
                    node = found[1]
        return None

    # ------------------------------------------------------------ coming back

    def solved(self, job: Job, won: bool, expansions: int) -> None:
        """A worker has proven who wins."""
        node = self._back(job, expansions)
        node.numbers = SOLVED[won]
        self._renew(node)

    def unsolved(self, job: Job, moves: list[Move], expansions: int) -> None:
        """A worker has spent its budget; these are the moves of the position."""
        node = self._back(job, expansions)
        if node.moves is None and _result(node.numbers) is None:
            node.moves = []
            for move in moves:
                child = self.nodes.get(move.name)
                if child is None:
                    child = JobNode(move.name, move.max_to_move, (move.proof, move.disproof))
                    child.virtual = child.numbers
                    self.nodes[move.name] = child
                elif child.moves is None and _result(child.numbers) is None:
                    result = _result((move.proof, move.disproof))
                    if result is not None:
                        child.numbers = SOLVED[result]
                        self._renew(child)
                child.parents.append(node)
                node.moves.append((move.place, child))
        self._renew(node)

    def lost(self, job: Job) -> None:
        """A worker has died: its job will be given out again."""
        self.lost_jobs += 1
        node = self.nodes[job.name]
        node.out = False
        self._renew(node)

    def _back(self, job: Job, expansions: int) -> JobNode:
        node = self.nodes[job.name]
        node.out = False
        node.spent += expansions
        self.expansions += expansions
        self.answered += 1
        return node

    # ------------------------------------------------------------ numbers

    def _counting(self, node: JobNode, kind: str) -> list[tuple[int, JobNode]]:
        """Return the moves that count: the first ones that are not known to fail, and a second best."""
        side = 0 if node.max_to_move else 1
        hopeful = [move for move in node.moves or () if getattr(move[1], kind)[side] != math.inf]
        if self.focus >= 1:
            return hopeful
        return hopeful[: math.ceil(self.focus * len(hopeful)) + 1]

    def _combined(self, node: JobNode, kind: str) -> tuple[float, float]:
        """Return the least of one number and the sum of the other over the moves that count."""
        side = 0 if node.max_to_move else 1
        counting = [getattr(child, kind) for _, child in self._counting(node, kind)]
        own = min((numbers[side] for numbers in counting), default=math.inf)
        other = 0 if own == math.inf else sum(numbers[1 - side] for numbers in counting)
        other = math.inf if own == 0 else other
        return (own, other) if side == 0 else (other, own)

    def _renew(self, node: JobNode) -> None:
        """Compute a node again, and what follows from it."""
        if _result(node.numbers) is None and node.moves is not None:
            node.numbers = self._combined(node, "numbers")
        if not node.out or _result(node.numbers) is not None:
            solved = node.moves is None or _result(node.numbers) is not None
            node.virtual = node.numbers if solved else self._combined(node, "virtual")
        self._renew_above(node)

    def _renew_above(self, node: JobNode) -> None:
        above = list(node.parents)
        while above:
            parent = above.pop()
            before = parent.numbers, parent.virtual
            if _result(parent.numbers) is None:
                parent.numbers = self._combined(parent, "numbers")
            solved = _result(parent.numbers) is not None
            parent.virtual = parent.numbers if solved else self._combined(parent, "virtual")
            if (parent.numbers, parent.virtual) != before:
                above += parent.parents

    # ------------------------------------------------------------ on disk

    def as_data(self) -> dict[str, Any]:
        """Return the tree as plain data; who is out is left out, since they will not come back."""
        places = {id(node): at for at, node in enumerate(self.nodes.values())}
        return {
            "focus": self.focus,
            "expansions": self.expansions,
            "answered": self.answered,
            "nodes": [
                [
                    node.name,
                    node.max_to_move,
                    *(None if number == math.inf else number for number in node.numbers),
                    node.spent,
                    node.moves and [[place, places[id(child)]] for place, child in node.moves],
                ]
                for node in self.nodes.values()
            ],
        }

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> JobTree:
        """Return the tree that `as_data` describes."""
        nodes = []
        for name, max_to_move, proof, disproof, spent, _ in data["nodes"]:
            numbers = (math.inf if proof is None else proof, math.inf if disproof is None else disproof)
            named = tuple(name) if isinstance(name, list) else name
            nodes.append(JobNode(named, max_to_move, numbers, numbers, spent=spent))
        tree = cls(nodes[0].name, max_to_move=nodes[0].max_to_move, focus=data["focus"])
        tree.root, tree.nodes = nodes[0], {node.name: node for node in nodes}
        tree.expansions, tree.answered = data["expansions"], data["answered"]
        tree.given = tree.answered
        for node, (*_, moves) in zip(nodes, data["nodes"], strict=True):
            if moves is not None:
                node.moves = [(place, nodes[at]) for place, at in moves]
                for _, child in node.moves:
                    child.parents.append(node)
        return tree


def _result(numbers: tuple[float, float]) -> bool | None:
    """Return who wins by a pair of numbers, if that is known."""
    return numbers[0] == 0 if 0 in numbers else None


__all__ = ["Job", "JobNode", "JobTree", "Move"]
