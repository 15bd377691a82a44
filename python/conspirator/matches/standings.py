"""How a match stands: scores of all pairs, ratings, and the test that may stop it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from conspirator._errors import ArgumentError
from conspirator._players import name_of
from conspirator.matches.openings import Opening
from conspirator.matches.ratings import Ratings, likelihood_of_superiority, rate
from conspirator.matches.scores import Score, total
from conspirator.matches.sprt import Sprt, SprtRun, Verdict
from conspirator.matches.store import Record, Store

if TYPE_CHECKING:
    from conspirator.figures.drawing import Drawing

Result = tuple[int, int, int, float]
"""A game's number, Max's and Min's player, and Max's points."""


class Standings:
    """The results of the games so far.

    With a test, games count in their order: those after the pair that decides do not, whoever played them
    first. So the same match says the same with any number of processes.
    """

    def __init__(self, names: list[str], planned: int, sprt: Sprt | None = None) -> None:
        self.names = names
        self.planned = planned
        """How many games there are in all."""
        self.results: dict[int, Result] = {}
        """All games that have ended, by number."""
        self.sprt = sprt
        self._run = None if sprt is None else SprtRun(sprt)

    def update(self, results: Iterable[Result]) -> None:
        """Take in games that have ended; those that are known already do no harm."""
        self.results.update((result[0], result) for result in results)
        if self._run is None:
            return
        while self._run.verdict.accepted is None:
            first, second = (self.results.get(2 * self._run.verdict.pairs + k) for k in (0, 1))
            if first is None or second is None:
                break
            self._run.add((_points(first, 0) + _points(second, 0)) / 2)

    @property
    def verdict(self) -> Verdict | None:
        """What the test says, if there is one."""
        return None if self._run is None else self._run.verdict

    @property
    def is_decided(self) -> bool:
        """Whether no more games are needed."""
        decided = self._run is not None and self._run.verdict.accepted is not None
        return decided or len(self.results) >= self.planned

    @property
    def counted(self) -> list[Result]:
        """The games that count, in their order."""
        last = self.planned
        if self._run is not None and self._run.verdict.accepted is not None:
            last = 2 * self._run.verdict.pairs
        return [self.results[number] for number in sorted(self.results) if number < last]

    def pairs(self) -> dict[tuple[int, int], Score]:
        """Return the scores of all pairs that have met, from the side of the one with the lower number."""
        points: dict[tuple[int, int], list[int]] = {}
        for result in self.counted:
            pair = (min(result[1:3]), max(result[1:3]))
            points.setdefault(pair, [0, 0, 0])[round(2 * _points(result, pair[0]))] += 1
        return {pair: Score(wins, losses, draws) for pair, (losses, draws, wins) in points.items()}

    def rows(self) -> list[Row]:
        """Return one line for each player, the strongest first."""
        pairs = self.pairs()
        rated = rate(len(self.names), pairs)
        rows = []
        for place, name in enumerate(self.names):
            mine = [score if pair[0] == place else -score for pair, score in pairs.items() if place in pair]
            interval = rated.interval(place)
            rows.append(Row(place, name, rated.elo[place], interval, total(mine)))
        return sorted(rows, key=lambda row: (-row.elo, row.place))


@dataclass(frozen=True)
class Row:
    """A player in the table."""

    place: int
    """Among the players as they were given."""
    name: str
    elo: float
    interval: float
    """Half the width of the interval of 95 percent."""
    score: Score


class MatchResult(Standings):
    """A match that has been played, or part of it: its games, scores and ratings.

    >>> import conspirator as cn
    >>> result = cn.match(["A=best-first:nodes=300", "B=best-first:nodes=100"], plies=1)
    >>> print(result)
    player  Elo  95 %  games  wins  losses  draws  points
    A       +25    92     14     8       6      0   0.571
    B       -25    92     14     6       8      0   0.429
    """

    def __init__(
        self, definition: Mapping[str, Any], openings: list[Opening], records: list[Record], planned: int
    ) -> None:
        test = definition["sprt"]
        names = [name_of(text) for text in definition["players"]]
        super().__init__(names, planned, None if test is None else Sprt(**test))
        self.definition = dict(definition)
        """What the match is, as data."""
        self.openings = openings
        """Where games began."""
        self.records = records
        """All games, with moves and statistics of each move."""
        self.update((r.number, r.max_player, r.min_player, r.points) for r in records)

    @classmethod
    def read(cls, store: Store) -> MatchResult:
        """Return what is in a store."""
        return cls(store.definition, store.openings(), list(store.records()), store.count()[1])

    @property
    def games(self) -> int:
        """How many games count."""
        return len(self.counted)

    @cached_property
    def ratings(self) -> Ratings:
        """Elo ratings with their covariance; players are numbered as they were given."""
        return rate(len(self.names), self.pairs())

    @property
    def rating_note(self) -> str:
        """What must be known to read the ratings; empty if they speak for themselves."""
        if not self.ratings.bounded:
            return ""
        if any(score.wins + score.losses for score in self.pairs().values()):
            return (
                "Some won or lost all their games: their ratings are bounded by half a virtual win and loss."
            )
        return "No game was won: the ratings are equal, and half a virtual win and loss bound their errors."

    def score(self, player: str, opponent: str | None = None) -> Score:
        """Return a player's score, against all or against one."""
        place = self._place(player)
        other = None if opponent is None else self._place(opponent)
        return total(
            score if pair[0] == place else -score
            for pair, score in self.pairs().items()
            if place in pair and (other is None or other in pair)
        )

    def superiority(self, player: str, opponent: str) -> float:
        """Return the likelihood that a player is the stronger one, by the games between the two."""
        return likelihood_of_superiority(self.score(player, opponent))

    def _place(self, player: str) -> int:
        if player not in self.names:
            raise ArgumentError(f"no player is called {player!r}; there are {', '.join(self.names)}")
        return self.names.index(player)

    def figure(self) -> Drawing:
        """Draw the ratings, against the budget where players differ by it; a notebook shows it.

        >>> import conspirator as cn
        >>> result = cn.match([f"best-first:nodes={n}" for n in (100, 300)], plies=1)
        >>> result.figure().save("elo.svg")                         # doctest: +SKIP
        PosixPath('elo.svg')
        """
        from conspirator.figures.elo import draw_ratings

        return draw_ratings(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the table, the scores of all pairs and the test, as plain data."""
        verdict = self.verdict
        return {
            "definition": self.definition,
            "games": self.games,
            "planned": self.planned,
            "bounded": self.ratings.bounded,
            "players": [
                {"name": r.name, "elo": r.elo, "interval": r.interval, **vars(r.score)} for r in self.rows()
            ],
            "pairs": [
                {
                    "player": self.names[one],
                    "opponent": self.names[other],
                    **vars(score),
                    "superiority": likelihood_of_superiority(score),
                }
                for (one, other), score in self.pairs().items()
            ],
            "sprt": None if verdict is None else dict(vars(verdict)),
        }

    def _repr_html_(self) -> str:
        from conspirator._html import match

        return match(self)

    def lines(self) -> list[tuple[str, ...]]:
        """Return the table as text: a header, and one line for each player, the strongest first."""
        lines: list[tuple[str, ...]] = [
            ("player", "Elo", "95 %", "games", "wins", "losses", "draws", "points")
        ]
        for row in self.rows():
            s = row.score
            points = f"{s.points:.3f}" if s.games else ""
            counts = (str(n) for n in (s.games, s.wins, s.losses, s.draws))
            lines.append((row.name, f"{round(row.elo):+d}", f"{row.interval:.0f}", *counts, points))
        return lines

    def __str__(self) -> str:
        lines = self.lines()
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        texts = []
        for name, *numbers in lines:
            right = (text.rjust(width) for text, width in zip(numbers, widths[1:], strict=True))
            texts.append("  ".join([name.ljust(widths[0]), *right]))
        return "\n".join(texts)


def _points(result: Result, player: int) -> float:
    """Return a player's points in a game of two."""
    return result[3] if result[1] == player else 1 - result[3]
