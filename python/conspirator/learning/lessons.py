"""What games against oneself teach: positions, better policies, results.

The method is Gumbel AlphaZero (I. Danihelka and others, "Policy improvement by planning with Gumbel", ICLR
2022): `puct` with sequential halving at the root chooses every move, and its improved policy is what the
network is to learn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Any, NamedTuple

from conspirator._errors import ArgumentError
from conspirator._evaluator import Evaluator
from conspirator._native import Position
from conspirator._planes import numpy
from conspirator._result import Result
from conspirator._search import search
from conspirator.learning.view import View

if TYPE_CHECKING:
    from conspirator.learning.view import Floats

ILLEGAL = -1.0
"""In a policy to learn: an output that no legal move has."""


@dataclass(frozen=True)
class Play:
    """How games against oneself are played."""

    expansions: int = 32
    """For a move."""
    considered: int = 16
    """Moves that the root begins with."""
    batch: int = 8
    longest: int = 500
    """Moves after which a game teaches only what its searches said."""
    result: float = 0.5
    """The result's share of a value's target; the rest is what the search said."""


class Lessons(NamedTuple):
    """Positions, policies to learn (ILLEGAL: no move), and values of the player to move from -1 to 1."""

    planes: Floats
    policies: Floats
    values: Floats
    games: int

    @property
    def positions(self) -> int:
        """How many positions there are."""
        return len(self.values)


def worth(position: Position) -> float:
    """Return the outcome of a game from Max's side, from -1 to 1.

    >>> import conspirator as cn
    >>> worth(cn.games.ConnectFour().position("1212121"))
    1.0
    """
    value = position.outcome
    assert value is not None
    low, high = position.value_range
    if not (isfinite(low) and isfinite(high)):
        return float((value > 0) - (value < 0))
    return 2.0 * (value - low) / (high - low) - 1.0


def improved(result: Result, position: Position) -> list[float]:
    """Return the policy that a search recommends, in the order of the moves."""
    moves = position.moves()
    if result.status == "proven" or not result.tree.root.children:
        return [float(move == result.move) for move in moves]
    found = {child.move: child.numbers.get("policy") for child in result.tree.root.children}
    policy = [max(0.0, float(found.get(move) or 0.0)) for move in moves]
    total = sum(policy)
    return [part / total for part in policy] if total > 0 else [float(move == result.move) for move in moves]


def play_game(view: View, evaluator: Evaluator, play: Play, seed: int) -> Lessons:
    """Play one game against oneself, and return what it teaches."""
    np = numpy()
    position = view.game.start()
    seen: list[Position] = []
    policies, sides, said = [], [], []
    while position.outcome is None and len(seen) < play.longest:
        result = search(
            position,
            "puct",
            evaluator=evaluator,
            expansions=play.expansions,
            root="gumbel",
            plan=play.expansions,
            considered=play.considered,
            batch=min(play.batch, play.expansions),
            seed=seed * 1000 + len(seen),
        )
        if result.status == "interrupted":  # the search has taken Ctrl-C for itself
            raise KeyboardInterrupt
        policy = np.full(view.outputs, ILLEGAL, dtype=np.float32)
        policy[view.places(position)] = improved(result, position)
        policies.append(policy)
        seen.append(position)
        side = 1.0 if position.to_move == "max" else -1.0
        sides.append(side)
        reward = result.tree.root.numbers.get("reward")
        said.append(0.0 if reward is None else 2.0 * float(reward) - 1.0)
        position = position.play(result.move)
    if not seen:
        raise ArgumentError("the game is over at its start: there is nothing to learn")
    spoken = np.asarray(said, dtype=np.float32)
    values = spoken
    if position.outcome is not None:
        results = worth(position) * np.asarray(sides, dtype=np.float32)
        values = play.result * results + (1.0 - play.result) * spoken
    return Lessons(view.encode(seen), np.stack(policies), values.astype(np.float32), 1)


def joined(parts: Sequence[Lessons]) -> Lessons:
    """Return the lessons of several games as one."""
    np: Any = numpy()
    planes, policies, values = (np.concatenate([part[at] for part in parts]) for at in range(3))
    return Lessons(planes, policies, values, sum(part.games for part in parts))
