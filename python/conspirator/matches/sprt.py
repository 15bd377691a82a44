"""A sequential test: play until it is known which of two statements about the strength is true.

Wald's sequential probability ratio test, generalized to a result with several outcomes: the likelihood of
each statement, "the difference is elo0" and "the difference is elo1", is the greatest that any distribution
with that expected score has. The outcome is that of a pair of games from one opening with colours swapped,
one of five, because these two are not independent.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from conspirator._errors import ArgumentError

OUTCOMES = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Points per game of a pair of games."""
SMALL = 1e-3
"""Pairs that are added to an outcome that has not been seen, so that logarithms are finite."""


@dataclass(frozen=True)
class Sprt:
    """The two statements and how often either may be accepted wrongly.

    >>> test = Sprt(elo0=0, elo1=10)
    >>> test.verdict([1.0] * 300 + [0.5] * 300).accepted, test.verdict([0.5] * 20).accepted
    ('elo1', None)
    """

    elo0: float = 0.0
    elo1: float = 10.0
    alpha: float = 0.05
    """How often elo1 is accepted although elo0 is true."""
    beta: float = 0.05
    """How often elo0 is accepted although elo1 is true."""

    def __post_init__(self) -> None:
        if not self.elo0 < self.elo1:
            raise ArgumentError(f"elo0 of the test must be below elo1, not {self.elo0:g} and {self.elo1:g}")
        for name in ("alpha", "beta"):
            if not 0 < (chance := getattr(self, name)) < 0.5:
                raise ArgumentError(f"{name} of the test must be between 0 and 0.5, not {chance!r}")

    @property
    def bounds(self) -> tuple[float, float]:
        """The logarithms of the likelihood ratio at which elo0, or elo1, is accepted.

        >>> [round(bound, 3) for bound in Sprt(0, 5).bounds]
        [-2.944, 2.944]
        """
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def ratio(self, counts: Sequence[float], outcomes: Sequence[float]) -> float:
        """Return the logarithm of the ratio of the likelihoods of elo1 and elo0.

        `counts` says how often each of the `outcomes`, points per game from 0 to 1, was seen.

        >>> round(Sprt(0, 5).ratio([10, 0, 20], [0, 0.5, 1]), 3)
        0.141
        """
        pairs = math.fsum(counts)
        if not pairs:
            return 0.0
        chances = [max(count, SMALL) / pairs for count in counts]
        whole = math.fsum(chances)
        chances = [chance / whole for chance in chances]
        tilted = [_tilt(chances, outcomes, expected_score(elo)) for elo in (self.elo0, self.elo1)]
        logs = zip(counts, *tilted, strict=True)
        return math.fsum(count * math.log(under_1 / under_0) for count, under_0, under_1 in logs)

    def verdict(self, pairs: Iterable[float]) -> Verdict:
        """Look at pairs of games in their order, up to the one that decides; each is its points per game."""
        run = SprtRun(self)
        for points in pairs:
            run.add(points)
        return run.verdict


@dataclass(frozen=True)
class Verdict:
    """What a test says so far."""

    ratio: float
    """The logarithm of the likelihood ratio."""
    accepted: str | None
    """'elo0' or 'elo1'; None while it is open."""
    pairs: int
    """Pairs of games that were looked at."""


class SprtRun:
    """A test that is shown one pair of games after another; the one that decides is the last it looks at."""

    def __init__(self, test: Sprt) -> None:
        self._test = test
        self._counts = [0] * len(OUTCOMES)
        self.verdict = Verdict(0.0, None, 0)

    def add(self, points: float) -> None:
        """Look at a pair: its points per game, from 0 to 1."""
        if self.verdict.accepted is not None:
            return
        self._counts[OUTCOMES.index(points)] += 1
        ratio = self._test.ratio(self._counts, OUTCOMES)
        low, high = self._test.bounds
        accepted = "elo1" if ratio >= high else "elo0" if ratio <= low else None
        self.verdict = Verdict(ratio, accepted, self.verdict.pairs + 1)


def expected_score(elo: float) -> float:
    """Return the points per game of a player who is so much stronger.

    >>> expected_score(0), round(expected_score(400), 4)
    (0.5, 0.9091)
    """
    return 1 / (1 + 10 ** (-elo / 400))


def _tilt(chances: Sequence[float], outcomes: Sequence[float], mean: float) -> list[float]:
    """Return the most likely distribution with a given mean, if `chances` were seen.

    It is p / (1 + x (a - mean)) for outcome a, with the x that makes its mean right.
    """
    low, high, x = -1 / (max(outcomes) - mean), 1 / (mean - min(outcomes)), 0.0
    pairs = [(p, a - mean) for p, a in zip(chances, outcomes, strict=True)]
    for _ in range(100):
        slope = math.fsum(p * d / (1 + x * d) for p, d in pairs)
        if abs(slope) < 1e-14:
            break
        low, high = (x, high) if slope > 0 else (low, x)
        x += slope / math.fsum(p * (d / (1 + x * d)) ** 2 for p, d in pairs)  # Newton's step
        if not low < x < high:
            x = (low + high) / 2
    return [p / (1 + x * d) for p, d in pairs]
