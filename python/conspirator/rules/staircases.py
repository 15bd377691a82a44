"""Step functions of J. Pawlewicz and R. Hayward, "Sibling conspiracy number search", 2015, Section 2.

A proof function p is non-decreasing: p(v) leaves must change for a node to be worth v or more. It is kept
as its steps (x, h), both increasing: p(v) = h from just above x up to the next x, and 0 up to the first.
A disproof function d is the same seen from the other side: it is kept as a function of -v.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf

Staircase = tuple[tuple[float, float], ...]
"""Steps (x, h)."""

NOTHING: Staircase = ()
"""No leaf has to change, whatever the value: a proven result for this side."""

NEVER: Staircase = ((-inf, inf),)
"""No number of leaves is enough: a proven result for the other side."""


def height(f: Staircase, v: float) -> float:
    """Return f(v).

    >>> [height(((0, 1), (3, 2)), v) for v in (0, 1, 3, 4)]
    [0, 1, 1, 2]
    """
    return max((h for x, h in f if x < v), default=0)


def reach(f: Staircase, n: float) -> float:
    """Return the greatest v with f(v) <= n (equation 6), and f(v) finite."""
    return min((x for x, h in f if h > n or h == inf), default=inf)


def combine(fs: Sequence[Staircase], total: Callable[[list[float]], float]) -> Staircase:
    """Return the sum or the minimum of functions, value by value (equation 5).

    >>> combine([((0, 1),), ((2, 1),)], sum), combine([((0, 1),), ((2, 1),)], min)
    (((0, 1), (2, 2)), ((2, 1),))
    """
    steps: list[tuple[float, float]] = []
    for x in sorted({x for f in fs for x, _ in f}):
        h = total([max((h for at, h in f if at <= x), default=0) for f in fs])
        if h > (steps[-1][1] if steps else 0):
            steps.append((x, h))
    return tuple(steps)


def shift(f: Staircase, by: float) -> Staircase:
    """Return the function moved along the values; infinities stay where they are."""
    return tuple((x + by, h) for x, h in f)


def merge(f: Staircase, eta: float) -> Staircase:
    """Return the function with fewer steps (equation 7).

    From the highest step H down, every lower step h with h (1 + eta) >= H becomes H.

    >>> merge(((0, 1), (1, 100), (2, 101), (3, inf)), 0.01)
    ((0, 1), (1, 101), (3, inf))
    """
    merged: list[tuple[float, float]] = []
    for x, h in reversed(f):
        if merged and h * (1 + eta) >= merged[-1][1] < inf:
            merged[-1] = (x, merged[-1][1])
        else:
            merged.append((x, h))
    return tuple(reversed(merged))
