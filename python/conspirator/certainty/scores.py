"""How good stated probabilities are: scores of a forecast.

`ece` is the expected calibration error: the mean distance between what was stated and how often it was right,
over ten classes of statements. A constant can be well calibrated, so AUC (does it tell right from wrong?) and
log loss stand beside it, and the ECE that chance alone would give to a perfect forecast of this size.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log
from random import Random

OPEN = 1e-3
"""Answers are open if they are stated with less than certainty by this much."""
_CLASSES = 10
_LEAST = 1e-3


@dataclass(frozen=True)
class Answer:
    """A move that was chosen, what was stated of it, and whether it was a best one."""

    stated: float
    right: bool


@dataclass(frozen=True)
class Scores:
    """The scores of a set of answers."""

    count: int
    right: float
    """Share of answers that were right."""
    ece: float
    floor: float
    """The mean ECE of a perfect forecast with the same statements: the noise of a set of this size."""
    auc: float | None
    log_loss: float
    open_auc: float | None
    """AUC for the answers that were not stated with certainty."""
    open_share: float
    open_loss: float | None
    """Log loss for the same answers."""


def scores(answers: Sequence[Answer], seed: int = 1) -> Scores:
    """Return the scores.

    >>> found = scores([Answer(0.9, True)] * 9 + [Answer(0.9, False)] + [Answer(0.2, False)] * 4)
    >>> round(found.right, 2), round(found.ece, 3), round(found.auc, 3)
    (0.64, 0.057, 0.9)
    """
    stated, right = [a.stated for a in answers], [a.right for a in answers]
    unsure = [a for a in answers if a.stated < 1 - OPEN]
    random = Random(seed)
    chance = [ece(stated, [random.random() < p for p in stated]) for _ in range(200)]
    return Scores(
        count=len(answers),
        right=sum(right) / len(right),
        ece=ece(stated, right),
        floor=sum(chance) / len(chance),
        auc=auc(stated, right),
        log_loss=_loss(stated, right),
        open_auc=auc([a.stated for a in unsure], [a.right for a in unsure]),
        open_share=len(unsure) / len(answers),
        open_loss=_loss([a.stated for a in unsure], [a.right for a in unsure]) if unsure else None,
    )


def _loss(stated: Sequence[float], right: Sequence[bool]) -> float:
    losses = [-log(min(max(p if ok else 1 - p, _LEAST), 1)) for p, ok in zip(stated, right, strict=True)]
    return sum(losses) / len(losses)


def fitted_loss(signal: Sequence[float], right: Sequence[bool]) -> float | None:
    """Return the log loss of a signal that is no probability, by the best curve for it; None: no curve.

    A logistic curve over the signal's rank is fitted on every second answer and used on the others, and the
    other way round.

    >>> fitted_loss([0, 1, 2, 3, 4] * 20, [False, False, False, True, True] * 20) < 0.6
    True
    """
    order = sorted(set(signal))
    rank = {value: place / max(len(order) - 1, 1) - 0.5 for place, value in enumerate(order)}
    points = [(rank[value], ok) for value, ok in zip(signal, right, strict=True)]
    halves = points[::2], points[1::2]
    if len(order) < 2 or any(len({ok for _, ok in half}) < 2 for half in halves):
        return None
    losses = []
    for learnt, told in (halves, halves[::-1]):
        base, slope = _logistic(learnt)
        stated = [1 / (1 + exp(-(base + slope * x))) for x, _ in told]
        losses.append(_loss(stated, [ok for _, ok in told]) * len(told))
    return sum(losses) / len(points)


def _logistic(points: Sequence[tuple[float, bool]]) -> tuple[float, float]:
    """Return the two numbers of a logistic curve, by Newton's method, with a little ridge."""
    base = slope = 0.0
    for _ in range(30):
        g0, g1, h00, h01, h11 = -base, -slope, 1.0, 0.0, 1.0
        for x, ok in points:
            p = 1 / (1 + exp(-max(-30.0, min(30.0, base + slope * x))))
            g0, g1 = g0 + ok - p, g1 + (ok - p) * x
            curve = p * (1 - p)
            h00, h01, h11 = h00 + curve, h01 + curve * x, h11 + curve * x * x
        size = h00 * h11 - h01 * h01
        base, slope = base + (h11 * g0 - h01 * g1) / size, slope + (h00 * g1 - h01 * g0) / size
    return base, slope


def ece(stated: Sequence[float], right: Sequence[bool]) -> float:
    """Return the expected calibration error over ten classes of equal width.

    >>> round(ece([0.95, 0.95, 0.05, 0.05], [True, True, False, False]), 3)
    0.05
    """
    classes: dict[int, list[tuple[float, bool]]] = {}
    for p, ok in zip(stated, right, strict=True):
        classes.setdefault(min(int(p * _CLASSES), _CLASSES - 1), []).append((p, ok))
    return sum(abs(sum(p - ok for p, ok in members)) for members in classes.values()) / len(stated)


def auc(stated: Sequence[float], right: Sequence[bool]) -> float | None:
    """Return the chance that a right answer was stated with more than a wrong one; None if all are alike.

    >>> auc([0.9, 0.6, 0.6, 0.1], [True, True, False, False])
    0.875
    """
    order = sorted(range(len(stated)), key=lambda i: stated[i])
    ranks = [0.0] * len(stated)
    start = 0
    while start < len(order):
        end = start
        while end < len(order) and stated[order[end]] == stated[order[start]]:
            end += 1
        for i in order[start:end]:
            ranks[i] = (start + end + 1) / 2
        start = end
    good = sum(right)
    bad = len(right) - good
    if not good or not bad:
        return None
    above = sum(rank for rank, ok in zip(ranks, right, strict=True) if ok) - good * (good + 1) / 2
    return above / (good * bad)
