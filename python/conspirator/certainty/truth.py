"""The truth about positions: by exact solving, by a solver of the user's, or by a search that is much deeper
than those to be judged."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import conspirator as cn
from conspirator._errors import ArgumentError
from conspirator._evaluator import AnyEvaluator
from conspirator._native import Position
from conspirator._players import default_player

MOST_OUTCOMES = 65
"""Games with more results than these are told apart by so many."""
MOST_DEEP = 9
"""Outcomes that are told apart where the truth is the value of a deep search."""
_NODES_A_SECOND = 2_000_000
Solver = Callable[[Position], float | None]
"""A function that knows the outcome of a position, from Max's side; None where it does not."""


class Truth:
    """The outcome of a position with best play, from Max's side.

    >>> import conspirator as cn
    >>> truth = Truth(cn.games.ConnectFour())
    >>> truth(cn.games.ConnectFour().position("6325772336375326664517155542236277"))
    1023.0
    """

    def __init__(
        self,
        game: Any,
        evaluator: AnyEvaluator = None,
        seconds: float = 1.0,
        deep: int | None = None,
        solver: Solver | None = None,
        exact: int | None = None,
    ) -> None:
        self.game, self.evaluator, self.seconds, self.deep = game, evaluator, seconds, deep
        self.solver = solver
        self.exact = exact
        """Where a deep search stands for the truth: positions with so few moves left are solved."""
        self.unsettled = 0
        """How many positions could not be settled."""

    def described(self) -> str:
        """Say how the truth is found."""
        if self.solver is not None:
            return f"exact, by {self.solver.__module__}.{getattr(self.solver, '__name__', 'solver')}"
        if self.deep is None:
            return f"exact, within {self.seconds:g} s for a position"
        longer = f"a search of {self.deep:,} nodes"
        return longer if self.exact is None else f"exact with at most {self.exact} moves left, else {longer}"

    def is_exact(self, position: Position) -> bool:
        """Tell whether a position is solved, and not just searched."""
        if self.deep is None or self.solver is not None:
            return True
        left = position.moves_left
        return self.exact is not None and left is not None and left <= self.exact

    def __call__(self, position: Position) -> float | None:
        """Return the outcome; None if it cannot be found within the limits."""
        if position.outcome is not None:
            return position.outcome
        if self.solver is not None:
            outcome = self.solver(position)
        elif self.deep is not None and not self.is_exact(position):
            outcome = self._deep(position, self.deep)
        else:
            outcome = self._exact(position)
        self.unsettled += outcome is None
        return outcome

    def moves(self, position: Position) -> Outcomes | None:
        """Return the outcomes of all moves; None if some are unknown.

        A deep search values the position, and then only those moves that somebody asks for.
        """
        if self.deep is not None and not self.is_exact(position):
            searched = Truth(self.game, self.evaluator, self.seconds, self.deep)
            return Outcomes(position, searched, {}, best=self._deep(position, self.deep))
        found: dict[Any, float] = {}
        for move in position.moves():
            outcome = self(position.play(move))
            if outcome is None:
                return None
            found[move] = outcome
        best = (max if position.to_move == "max" else min)(found.values())
        return Outcomes(position, self, found, best)

    def _deep(self, position: Position, nodes: int) -> float:
        player = default_player(self.game)
        if self.evaluator is None or isinstance(self.evaluator, str):
            value = player.think(position, budget=cn.Budget(nodes=nodes)).value
        else:  # the user's own: nobody knows better
            value = cn.search(position, player.search, evaluator=self.evaluator, nodes=nodes).value
        results = position.results
        if results is not None and len(results) == 2:  # who is ahead counts as the winner
            return float(min(results, key=lambda result: abs(result - value)))
        return value

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


@dataclass(frozen=True)
class Outcomes:
    """The true outcomes of the moves in a position, as far as they are known by now."""

    position: Position
    truth: Truth
    known: dict[Any, float]
    best: float
    """That of a best move."""
    apart: Sequence[float] = ()
    """The outcomes that count as different; none: all."""

    def is_best(self, move: Any) -> bool:
        """Tell whether no other move is better."""
        if move not in self.known:
            outcome = self.truth(self.position.play(move))
            self.known[move] = self.best if outcome is None else outcome
        mine, best = self.known[move], self.best
        if self.apart:
            mine, best = told_apart(mine, self.apart), told_apart(best, self.apart)
        return mine >= best if self.position.to_move == "max" else mine <= best


def outcomes_of(game: Any, seen: Sequence[float], *, deep: bool = False) -> tuple[float, ...]:
    """Return the outcomes that an error model tells apart: all of them, or some that lie equally thick.

    With `deep`, all of those seen are values of searches: where the game has more than two results, some of
    them.

    >>> import conspirator as cn
    >>> outcomes_of(cn.games.Hex(size=3), [])
    (-1.0, 1.0)
    >>> outcomes_of(None, [0, 1, 1, 0])
    (0.0, 1.0)
    >>> outcomes_of(cn.games.Chess(), range(0, 1000, 10), deep=True)[:3]
    (0.0, 120.0, 250.0)
    """
    results = game.start().results if game is not None else None
    most = MOST_DEEP if deep and len(results or ()) <= MOST_OUTCOMES else MOST_OUTCOMES
    values = deep and len(results or ()) != 2
    known = sorted({float(x) for x in (seen if values else results or seen)})
    if len(known) > most:
        ordered = sorted(map(float, seen))
        places = [round(i * (len(ordered) - 1) / (most - 1)) for i in range(most)]
        known = sorted({ordered[place] for place in places})
    if len(known) < 2:
        raise ArgumentError("all sampled positions have the same outcome: choose others, by their plies")
    return tuple(known)


def told_apart(outcome: float, outcomes: Sequence[float]) -> float:
    """Return the last of these outcomes that is not above the true one.

    >>> told_apart(35.0, (0.0, 30.0, 60.0)), told_apart(-5.0, (0.0, 30.0))
    (30.0, 0.0)
    """
    return outcomes[max(bisect_right(outcomes, outcome) - 1, 0)]
