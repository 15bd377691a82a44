"""Mates in chess: how many moves away, and the line, with the longest defence.

An alpha-beta search to a fixed depth, without a table, sees exactly the mates within so many plies. So the
first depth at which it sees one is the length of the shortest, by proof. The line is found by searches of the
positions on it.

>>> import conspirator as cn
>>> from conspirator.mates import find_mate
>>> mate = find_mate(cn.games.Chess().position("6k1/8/8/8/8/8/R7/1R2K3 w - - 0 1"), 3)
>>> mate.moves, len(mate.line), mate.position.outcome
(2, 3, 20000.0)
"""

from __future__ import annotations

from dataclasses import dataclass
from time import monotonic
from typing import Any

from conspirator import _native, games
from conspirator._budget import Budget
from conspirator._errors import ArgumentError
from conspirator._line import unclaimed
from conspirator._native import Node, Position, Tree

WIN = 20_000.0
"""The value of a mate."""
MOST_PLIES = 512
"""No search looks further for a mate."""
_EVALUATOR = "material"
_MOST_NODES, _DEEPEST = 100_000, 400
"""How much of a tree is walked through for the mate that it has proven."""


@dataclass(frozen=True)
class Mate:
    """A forced mate: the loser cannot hold out longer, and if it is exact, nobody can be mated sooner."""

    start: Position
    plies: int
    """Moves of both players until the mate."""
    line: list[str]
    """They mate at the end of it; shorter only if the budget was spent before the line was found."""
    nodes: int
    exact: bool = True
    """Whether there is no shorter mate; else the length is the most that it can be."""

    @property
    def wins(self) -> bool:
        """Whether the player to move mates."""
        return self.plies % 2 == 1

    @property
    def moves(self) -> int:
        """Moves as players count them: 2 for a mate in two, -2 if the player to move is mated in two."""
        return (self.plies + 1) // 2 if self.wins else -(self.plies // 2)

    @property
    def position(self) -> Position:
        """The position at the end of the line."""
        position = self.start
        for move in self.line:
            position = position.play(move)
        return position


class _SpentError(Exception):
    """The budget is spent, or somebody has stopped the search."""


class MateSearch:
    """A search for a mate that another thread can stop.

    >>> import conspirator as cn
    >>> mate = MateSearch(cn.games.Chess().position("7k/8/6K1/8/8/8/8/R7 w - - 0 1"), 1).run()
    >>> mate.line
    ['a1a8']
    """

    def __init__(self, position: Position, plies: int, **limits: Any) -> None:
        if getattr(position.game, "name", None) != "chess":
            raise ArgumentError("mates are looked for in chess: give a position of cn.games.Chess()")
        self.start = by_the_rules(position)
        self.plies = min(plies, MOST_PLIES)
        self.nodes = 0
        self._limits = Budget(**limits)
        self._end = None if self._limits.seconds is None else monotonic() + self._limits.seconds
        self._core: _native.Search | None = None
        self._stopped = False

    def stop(self) -> None:
        """End the search within milliseconds."""
        self._stopped = True
        if self._core is not None:
            self._core.stop()

    def run(self) -> Mate | None:
        """Return the shortest mate, for either player; None if there is none, or the budget is too small."""
        try:
            if not self.start.moves():
                return None
            report = self._deepen(self.start, 1, self.plies)
        except _SpentError:
            return None
        if report["status"] != "proven" or abs(report["value"]) != WIN:
            return None
        plies, line = report["depth"], list[str]()
        try:
            self._follow(plies, report["best"], line)
        except _SpentError:
            line = line or [self.start.moves()[report["best"]]]
        return Mate(self.start, plies, line, self.nodes)

    def _follow(self, plies: int, first: int, line: list[str]) -> None:
        """Fill the line: the mating side moves nearer to the mate, the other one stays as far as it can."""
        position = self.start
        for left in range(plies, 0, -1):
            place = first
            if left % 2 == 0 and left > 1:
                # a move that is not mated a ply sooner holds out for the whole length
                place = self._deepen(position, left - 1, left - 1)["best"]
            elif line:
                place = self._deepen(position, left, left)["best"]
            line.append(position.moves()[place])
            position = position.play(line[-1])

    def _deepen(self, position: Position, first: int, last: int) -> dict[str, Any]:
        """Search from one depth to another; an error if the budget does not suffice."""
        parameters = {"first_depth": first, "depth": last}
        core = _native.Search(position, "alpha-beta", parameters, _EVALUATOR, False)
        self._core = core
        if self._stopped:
            raise _SpentError
        core.run(self._left().arguments())
        report = core.report()
        self.nodes += report["nodes"]
        if report["status"] == "interrupted" and not self._stopped:
            raise KeyboardInterrupt
        if report["status"] not in ("proven", "converged"):
            raise _SpentError
        return report

    def _left(self) -> Budget:
        limits: dict[str, Any] = {"seconds": 1e9}
        if self._end is not None:
            limits["seconds"] = self._end - monotonic()
        if self._limits.nodes is not None:
            limits["nodes"] = self._limits.nodes - self.nodes
        if min(limits.values()) <= 0:
            raise _SpentError
        return Budget(**limits)


def find_mate(position: Position, moves: int, *, plies: int | None = None, **limits: Any) -> Mate | None:
    """Return the shortest mate in at most so many moves, with its line; None if none was found.

    The mate may be the other player's: then `Mate.moves` is negative. `limits` are `seconds` and `nodes`;
    without them the search goes on until it knows. `plies` counts the moves of both instead.

    >>> import conspirator as cn
    >>> find_mate(cn.games.Chess().start(), 2) is None
    True
    """
    if moves < 1:
        raise ArgumentError(f"a mate takes one move at least, not {moves}")
    return MateSearch(position, 2 * moves if plies is None else plies, **limits).run()


def proven_mate(tree: Tree) -> Mate | None:
    """Return the mate that a tree has proven, with its longest line; None if it has proven none, or is large.

    Its length is the most that it can be: the tree need not have looked for the shortest.

    >>> import conspirator as cn
    >>> position = cn.games.Chess().position("6k1/8/8/8/8/8/R7/1R2K3 w - - 0 1")
    >>> mate = proven_mate(cn.search(position, "proof-number", nodes=5000).tree)
    >>> mate.moves <= 5, len(mate.line) == mate.plies, mate.position.outcome
    (True, True, 20000.0)
    """
    root = tree.root
    if not root.is_solved or abs(root.value) != WIN:
        return None
    walk = _Walk(root.value)
    try:
        plies, line = walk.longest(root, 0)
    except _SpentError:
        return None
    return Mate(root.position, plies, line, walk.nodes, exact=False)


class _Walk:
    """A walk through the proven part of a tree."""

    def __init__(self, value: float) -> None:
        self.value = value
        self.nodes = 0

    def longest(self, node: Node, depth: int) -> tuple[int, list[str]]:
        """Return the plies to the mate below a node, with the shortest way that is proven, and the line."""
        self.nodes += 1
        if self.nodes > _MOST_NODES or depth > _DEEPEST:
            raise _SpentError
        if node.is_terminal:
            return 0, []
        attacks = node.is_max == (self.value > 0)
        below = [child for child in node.children if child.is_solved and child.value == self.value]
        if not below or (not attacks and len(below) < len(node.children)):
            raise _SpentError  # known without having been looked at
        choose = min if attacks else max
        moves = node.position.moves()
        found = [(*self.longest(child, depth + 1), moves[child.legal_place]) for child in below]
        plies, line, move = choose(found, key=lambda way: way[0])
        return plies + 1, [move, *line]


def by_the_rules(position: Position) -> Position:
    """Return a position with the rules as they are: a third repetition is a draw, a second is none.

    >>> by_the_rules(games.Chess(repetitions=2).position("e4")).game
    Chess()
    """
    rules: dict[str, Any] = {"chess960": True} if position.game._complete()["chess960"] else {}
    exact = games.Chess(**rules).position(position.notation())
    return unclaimed(exact)


__all__ = ["Mate", "MateSearch", "find_mate", "proven_mate"]
