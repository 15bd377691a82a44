"""How good stated probabilities are: scores of a forecast.

`ece` is the expected calibration error: the mean distance between what was stated and how often it was right,
over ten classes of statements. A constant can be well calibrated, so AUC (does it tell right from wrong?) and
log loss stand beside it, and the ECE that chance alone would give to a perfect forecast of this size.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log
from random import Random

_CLASSES = 10
_LEAST = 1e-3


@dataclass(frozen=True)
class Answer:
    """A move that was chosen, what was stated of it, and whether it was a best one."""

    stated: float
    right: bool
    proven: bool = False


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


def scores(answers: Sequence[Answer], seed: int = 1) -> Scores:
    """Return the scores.

    >>> found = scores([Answer(0.9, True)] * 9 + [Answer(0.9, False)] + [Answer(0.2, False)] * 4)
    >>> round(found.right, 2), round(found.ece, 3), round(found.auc, 3)
    (0.64, 0.057, 0.9)
    """
    stated, right = [a.stated for a in answers], [a.right for a in answers]
    unsure = [a for a in answers if a.stated < 1 - _LEAST]
    random = Random(seed)
    chance = [ece(stated, [random.random() < p for p in stated]) for _ in range(200)]
    return Scores(
        count=len(answers),
        right=sum(right) / len(right),
        ece=ece(stated, right),
        floor=sum(chance) / len(chance),
        auc=auc(stated, right),
        log_loss=sum(
            -log(min(max(p if ok else 1 - p, _LEAST), 1)) for p, ok in zip(stated, right, strict=True)
        )
        / len(right),
        open_auc=auc([a.stated for a in unsure], [a.right for a in unsure]),
        open_share=len(unsure) / len(answers),
    )


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
