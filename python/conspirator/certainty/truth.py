"""The truth about positions: by exact solving, or by a search that is much deeper than those to be judged."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import conspirator as cn
from conspirator._errors import ArgumentError
from conspirator._evaluator import AnyEvaluator
from conspirator._native import Position
from conspirator._players import default_player

MOST_OUTCOMES = 33
"""Games with more results than these are told apart by so many."""
_NODES_A_SECOND = 2_000_000


class Truth:
    """The outcome of a position with best play, from Max's side.

    >>> import conspirator as cn
    >>> truth = Truth(cn.games.ConnectFour())
    >>> truth(cn.games.ConnectFour().position("6325772336375326664517155542236277"))
    1023.0
    """

    def __init__(
        self, game: Any, evaluator: AnyEvaluator = None, seconds: float = 1.0, deep: int | None = None
    ) -> None:
        self.game, self.evaluator, self.seconds, self.deep = game, evaluator, seconds, deep
        self.unsettled = 0
        """How many positions could not be settled."""

    def described(self) -> str:
        """Say how the truth is found."""
        if self.deep is None:
            return f"exact, within {self.seconds:g} s for a position"
        return f"a search of {self.deep:,} nodes"

    def __call__(self, position: Position) -> float | None:
        """Return the outcome; None if it cannot be found within the limits."""
        if position.outcome is not None:
            return position.outcome
        outcome = self._deep(position) if self.deep is not None else self._exact(position)
        self.unsettled += outcome is None
        return outcome

    def _deep(self, position: Position) -> float:
        player = default_player(self.game)
        settings = player.parameters if self.evaluator is None else {}
        values = self.evaluator or player.evaluator
        return cn.search(position, player.search, evaluator=values, nodes=self.deep, **settings).value

    def _exact(self, position: Position) -> float | None:
        results = position.results
        if results is not None and len(results) == 2:
            solution = cn.solve(position, seconds=self.seconds)
            return solution.value
        nodes = int(self.seconds * _NODES_A_SECOND)
        name = "end-game" if results is not None and position.moves_left is not None else "alpha-beta"
        settings: dict[str, Any] = {"table": True} if name == "alpha-beta" else {}
        result = cn.search(position, name, nodes=nodes, **settings)
        return result.value if result.status == "proven" else None


def outcomes_of(game: Any, seen: Sequence[float]) -> tuple[float, ...]:
    """Return the outcomes that an error model tells apart: all of them, or some that lie equally thick.

    >>> import conspirator as cn
    >>> outcomes_of(cn.games.Hex(size=3), [])
    (-1.0, 1.0)
    >>> outcomes_of(None, [0, 1, 1, 0])
    (0.0, 1.0)
    """
    results = game.start().results if game is not None else None
    known = sorted({float(x) for x in (results or seen)})
    if len(known) > MOST_OUTCOMES:
        ordered = sorted(map(float, seen))
        places = [round(i * (len(ordered) - 1) / (MOST_OUTCOMES - 1)) for i in range(MOST_OUTCOMES)]
        known = sorted({ordered[place] for place in places})
    if len(known) < 2:
        raise ArgumentError("all sampled positions have the same outcome: choose others, by their plies")
    return tuple(known)
