"""Which game to play next, where games cost time: the one that tells most.

A game between two players adds to the information that the ratings rest on. By how much follows from the
model of `ratings`: with v the variance of the difference of the two, and i = p (1 - p) the information of one
game whose result is expected to be p, the determinant of all information grows by the factor 1 + i v. To make
it as large as possible is the D-optimal design of experiments: V. V. Fedorov, "Theory of optimal experiments"
(1972). So the next game is between players whose difference is uncertain, and who are near each other: a
foregone result tells nothing.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import combinations

from conspirator.matches.plan import Task
from conspirator.matches.ratings import ELO, Ratings, rate
from conspirator.matches.standings import Standings
from conspirator.matches.store import Store

Pair = tuple[int, int]
"""Two players, the lower number first."""


def gain(rated: Ratings, one: int, other: int) -> float:
    """Return by what factor, less one, a game of two adds to the information.

    >>> from conspirator.matches.scores import Score
    >>> rated = rate(3, {(0, 1): Score(9, 1), (0, 2): Score(5, 5), (1, 2): Score(1, 9)})
    >>> gain(rated, 0, 2) > gain(rated, 0, 1)
    True
    """
    expected = 1 / (1 + 10 ** ((rated.elo[other] - rated.elo[one]) / 400))
    return expected * (1 - expected) * (rated.error(one, other) / ELO) ** 2


@dataclass
class Informative:
    """Gives out the games of a store, those that tell most first, until so many seconds are spent.

    Two games from one opening, with colours exchanged, always follow each other.
    """

    store: Store
    seconds: float
    """For all games together; no move counts for more than `most`."""
    most: float
    given: dict[int, Pair] = field(default_factory=dict)
    """The games that were given out, by number."""
    spent: float = -1.0
    """What was spent when it was last counted."""
    counted: int = -1
    """Games that had ended then."""

    def claim(self, standings: Standings) -> Task | None:
        """Return the next game, which is now claimed; None if the time is spent, or no games are left."""
        ended = len(standings.results)
        if self.counted < 0 or ended - self.counted > ended // 50:  # counting reads all games
            self.spent, self.counted = self.store.spent(self.most), ended
        if self.spent >= self.seconds:
            return None
        for pair in self.ranking(standings):
            if (task := self.store.claim(players=pair)) is not None:
                self.given[task.number] = pair
                return task
        return None

    def ranking(self, standings: Standings) -> list[Pair]:
        """Return all pairs, the one whose game tells most first."""
        begun = {number: (min(r[1:3]), max(r[1:3])) for number, r in standings.results.items()}
        begun |= self.given
        games = Counter(begun.values())
        flying = Counter(pair for number, pair in self.given.items() if number not in standings.results)
        rated = rate(len(standings.names), standings.pairs())
        every = combinations(range(len(standings.names)), 2)
        # a game that is being played will tell something too
        return sorted(
            every,
            key=lambda pair: (games[pair] % 2 == 0, -gain(rated, *pair) / (1 + flying[pair]), pair),
        )


__all__ = ["Informative", "gain"]
