"""Distributions of outcomes: how they follow from those of the children, and which move is best.

A node is described by S, a list: S[k] is the probability that the outcome is better for Max than the k-th of
all outcomes, from the worst. Thresholds never mix. E. B. Baum and W. D. Smith, "A Bayesian approach to
relevance in game playing", 1997, have independent siblings: rho = 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

Distribution = Sequence[float]


def join(family: Sequence[Distribution], is_max: bool, rho: float) -> list[float]:
    """Return the distribution of a node from those of its children, which depend on each other by `rho`.

    >>> join([[0.8, 0.5], [0.6, 0.4]], is_max=True, rho=0.0)
    [0.92, 0.7]
    """
    joined = []
    for k in range(len(family[0])):
        q = [1 - s[k] if is_max else s[k] for s in family]
        together = (1 - rho) * prod(q, start=1.0) + rho * min(q)
        joined.append(1 - together if is_max else together)
    return joined


def derivatives(family: Sequence[Distribution], is_max: bool, rho: float) -> list[list[float]]:
    """Return d node / d child for each child and threshold: what is left of a child's change at its parent.

    >>> derivatives([[0.8], [0.6]], is_max=False, rho=0.5)
    [[0.3], [0.9]]
    """
    found = [[0.0] * len(family[0]) for _ in family]
    for k in range(len(family[0])):
        q = [1 - s[k] if is_max else s[k] for s in family]
        before = 1.0
        for d, own in zip(found, q, strict=True):
            d[k] = before
            before *= own
        behind = 1 - rho
        for d, own in zip(reversed(found), reversed(q), strict=True):
            d[k] *= behind
            behind *= own
        found[q.index(min(q))][k] += rho
    return found


def best(family: Sequence[Distribution], is_max: bool, rho: float) -> list[float]:
    """Return for each child the probability that it is a best one for the player to move.

    >>> [round(p, 3) for p in best([[0.8, 0.5], [0.6, 0.4]], is_max=True, rho=0.0)]
    [0.76, 0.58]
    """
    # from the side of the player to move, with the certain ends
    sides = [[1.0, *(s if is_max else [1 - x for x in reversed(s)]), 0.0] for s in family]
    chances = []
    for i, s in enumerate(sides):
        others = [other for j, other in enumerate(sides) if j != i]
        chance = 0.0
        for k in range(len(s) - 1):
            alone = prod((1 - other[k + 1] for other in others), start=1.0)
            top = max(side[k + 1] for side in sides)  # the move is at k, and no other above
            chance += (1 - rho) * (s[k] - s[k + 1]) * alone + rho * max(0.0, s[k] - top)
        chances.append(chance)
    return chances


def gain(family: Sequence[Distribution], is_max: bool, rho: float, weights: Sequence[float]) -> float:
    """Return the most that more search can gain, if all becomes known before the choice: E[max] - max E.

    In parts of the range of outcomes; `weights` are those parts between two neighbours. A search with
    `until="cost=C"` stops when this is no more than C times its expansions: to learn as much again takes as
    many expansions again.

    >>> round(gain([[0.8, 0.5], [0.6, 0.4]], is_max=True, rho=0.0, weights=[0.5, 0.5]), 3)
    0.16
    """

    def expected(s: Distribution) -> float:
        mean = sum(weight * part for weight, part in zip(weights, s, strict=True))
        return mean if is_max else 1 - mean

    return max(0.0, expected(join(family, is_max, rho)) - max(map(expected, family)))
