"""How many games were won, lost and drawn."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Score:
    """How many games one side has won, lost and drawn."""

    wins: int = 0
    losses: int = 0
    draws: int = 0

    @classmethod
    def of(cls, points: float) -> Score:
        """Return the score of one game from its points: 1, 0.5 or 0."""
        return cls(points == 1, points == 0, points == 0.5)

    def __add__(self, other: Score) -> Score:
        return Score(self.wins + other.wins, self.losses + other.losses, self.draws + other.draws)

    def __neg__(self) -> Score:
        return Score(self.losses, self.wins, self.draws)

    def __str__(self) -> str:
        return f"{self.wins}-{self.losses}-{self.draws}"

    @property
    def games(self) -> int:
        """How many games there were."""
        return self.wins + self.losses + self.draws

    @property
    def points(self) -> float:
        """The part of the points that was won: a draw is half a win.

        >>> Score(2, 1, 1).points
        0.625
        """
        return (self.wins + self.draws / 2) / self.games

    @property
    def error(self) -> float:
        """The standard error of the points, as if all games were independent."""
        mean, wins, draws = self.points, self.wins / self.games, self.draws / self.games
        variance = max(0.0, wins + draws / 4 - mean**2)
        return float((variance / self.games) ** 0.5)


def total(scores: Iterable[Score]) -> Score:
    """Return the sum of scores.

    >>> print(total([Score(2, 0, 0), Score(0, 1, 1)]))
    2-1-1
    """
    return sum(scores, Score())
