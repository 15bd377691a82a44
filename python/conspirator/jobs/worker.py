"""A worker: it searches the positions of jobs by `df-pn`, each within a budget of expansions.

What it has found it keeps for its next job, because that is often near the last one. What cost most goes back
to the driver: who wins in which positions. The driver gives it to the others.
"""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass, field
from hashlib import sha256
from time import thread_time
from typing import Any, NamedTuple

from conspirator import _native, games
from conspirator._native import Position
from conspirator._search import search
from conspirator.jobs.tree import SOLVED, UNKNOWN, Job, Move

FACT = struct.Struct("<QQQ")
"""Key; proof number times 2**32 plus disproof number; expansions."""
INFINITE = 2**32 - 1
KEPT = 1 << 16
"""Facts that a worker keeps from job to job."""
SHARED = 1 << 11
"""Facts that go with a job, either way."""
PATHS = frozenset({"chess"})
"""Games in which the way to a position matters: there equal boards are not the same problem."""


@dataclass(frozen=True)
class JobGoal:
    """The question of all jobs: does Max get at least the goal below this root?"""

    game: str
    options: dict[str, Any]
    root: str
    goal: float
    parameters: dict[str, Any] = field(default_factory=dict)
    evaluator: str | None = None

    def position(self, path: tuple[int, ...] = ()) -> Position:
        """Return the root, or the position after these moves, as places."""
        position = games.make(self.game, **self.options).position(self.root)
        for place in path:
            position = position.play(position.moves()[place])
        return position

    def name(self, position: Position, path: tuple[int, ...]) -> int | tuple[int, ...]:
        """Return what a position is called in the tree."""
        return path if position.key is None or self.game in PATHS else position.key

    @property
    def digest(self) -> str:
        """What tells this question from others."""
        return sha256(repr(self).encode()).hexdigest()


class Order(NamedTuple):
    """A job with all that a worker needs for it."""

    job: Job
    budget: int
    facts: bytes


class Answer(NamedTuple):
    """What a job came to."""

    won: bool | None
    moves: list[Move]
    facts: bytes
    expansions: int
    nodes: int
    seconds: float
    """CPU seconds."""


class Prover:
    """A worker for one question."""

    def __init__(self, goal: JobGoal) -> None:
        self.goal = goal
        self.kept = b""

    def prove(self, order: Order) -> Answer:
        """Search a position until it is solved or the budget is spent."""
        began = thread_time()
        goal, job = self.goal, order.job
        position = goal.position(job.path)
        asked = {**goal.parameters, "goal": goal.goal}
        core = _native.Search(position, "df-pn", asked, goal.evaluator, False)
        core.learn(self.kept + order.facts)  # what is proven comes last: it counts
        core.run({"expansions": order.budget})
        report, won = core.report(), core.report()["won"]
        children = [(place, position.play(move)) for place, move in enumerate(position.moves())]
        keys = [child.key for _, child in children if child.key is not None]
        least = max(order.budget // SHARED, 1)
        facts = heaviest(core.facts(least, keys), min(KEPT, max(order.budget, SHARED)))
        self.kept = facts
        moves = list[Move]()
        if won is None:
            won, moves = self._moves(position, children, facts, job.path)
        solved = b"".join(FACT.pack(*fact) for fact in FACT.iter_unpack(facts) if _solved(fact[1]))
        shared = heaviest(solved, SHARED)
        cost = report["expansions"], report["nodes"], thread_time() - began
        return Answer(won, moves, shared, *cost)

    def _moves(
        self, position: Position, children: list[tuple[int, Position]], facts: bytes, path: tuple[int, ...]
    ) -> tuple[bool | None, list[Move]]:
        """Return the moves that the evaluator looks at, with numbers from the table; or who wins."""
        goal = self.goal
        shared = {name: value for name, value in goal.parameters.items() if name in ("foresight", "ties")}
        family = search(
            position, "proof-number", evaluator=goal.evaluator, goal=goal.goal, expansions=1, **shared
        )
        if family.won is not None:
            return family.won, []
        known = {key: (pair >> 32, pair % 2**32) for key, pair, _ in FACT.iter_unpack(facts)}
        legal = {str(move): place for place, move in enumerate(position.moves())}
        moves = []
        for child in family.tree.root.children:
            place = legal[str(child.move)]
            after = children[place][1]
            numbers = child.numbers["pn"], child.numbers["dn"]
            if 0 not in numbers:
                pn, dn = known.get(after.key or 0, UNKNOWN) if after.key is not None else UNKNOWN
                numbers = _finite(pn), _finite(dn)
            if 0 in numbers:
                numbers = SOLVED[numbers[0] == 0]
            name = goal.name(after, (*path, place))
            moves.append(Move(place, name, after.to_move == "max", *numbers))
        return None, moves


def heaviest(facts: bytes, most: int) -> bytes:
    """Return the facts that cost most work."""
    if len(facts) <= most * FACT.size:
        return facts
    chosen = sorted(FACT.iter_unpack(facts), key=lambda fact: -fact[2])[:most]
    return b"".join(FACT.pack(*fact) for fact in chosen)


def _solved(pair: int) -> bool:
    return pair >> 32 == 0 or pair % 2**32 == 0


def _finite(number: float) -> float:
    return math.inf if number == INFINITE else number


__all__ = ["Answer", "JobGoal", "Order", "Prover"]
