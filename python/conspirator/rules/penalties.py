"""Penalties on the edges of a game tree: R. L. Rivest, "Game tree searching by min/max approximation", 1988.

A node is known by its x: the logarithm of its value, which must be positive. In logarithms the generalized
mean M_p needs no powers that could overflow, and every penalty is a constant for descending a level plus a
multiple of how much worse the move is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from math import exp, inf, isfinite, log
from operator import add
from typing import NamedTuple

from conspirator._errors import ArgumentError
from conspirator._native import Node

Penalty = Callable[[Node, tuple[Node, ...]], Sequence[float]]
"""A penalty of your own: the weights w of the edges from a node to its children, in their order."""

MARGIN = 1e-3
"""How far the ends of the logit lie outside the game's range, in parts of it: a won game stays finite."""


SPREADS = 12.0
"""How many times the spread of the root's moves a value without ends must change to change x by one."""


class Scale(NamedTuple):
    """How a value v becomes x: ln(v + shift), with two ends ln((v - low) / (high - v)), or v / unit."""

    shift: float = 0.0
    ends: tuple[float, float] | None = None
    unit: float | None = None

    @classmethod
    def of(cls, kind: str, shift: float | None, value_range: tuple[float, float]) -> Scale:
        """Return the scale "log" or "logit" for a game's range of values.

        Without a shift, that is the one that takes the least value to 1, unless all are positive.
        The logit treats both players alike. Where a game has no least or no greatest value, differences do:
        as generalized means with f = exp (equation 7).

        >>> Scale.of("log", None, (-10, 10)).shift, Scale.of("log", None, (1, 1023)).shift
        (11, 0.0)
        """
        low, high = value_range
        if kind == "logit":
            if not 0 < high - low < inf:
                return cls.linear([])
            margin = MARGIN * (high - low)
            return cls(ends=(low - margin, high + margin))
        if shift is None:
            shift = 1 - low if -inf < low <= 0 else 0.0
        return cls(shift)

    @classmethod
    def linear(cls, moves: Sequence[float]) -> Scale:
        """Return the scale for values without ends, given those of the root's moves."""
        finite = [v for v in moves if isfinite(v)]
        spread = max(finite, default=0.0) - min(finite, default=0.0)
        return cls(unit=SPREADS * spread if spread > 0 else 1.0)

    def x(self, v: float) -> float:
        """Return the x of a value; a lost game may be worth minus infinity, and so may its x."""
        if self.unit is not None:
            return v / self.unit
        if self.ends is not None:
            low, high = self.ends
            return log((v - low) / (high - v))
        positive = v + self.shift
        if positive == -inf:
            return -inf
        if positive <= 0:
            raise ArgumentError(
                f"min/max approximation takes logarithms of values, which must be positive, but a position "
                f"has the value {v:g}: give a shift of more than {0 - v:g}, which is added to all"
            )
        return log(positive)

    def value(self, x: float) -> float:
        """Return the value whose x this is."""
        if self.unit is not None:
            return x * self.unit
        if self.ends is None:
            return exp(x) - self.shift
        low, high = self.ends
        odds = exp(x)
        return (low + high * odds) / (1 + odds)


def generalized_mean(xs: Sequence[float], q: float) -> float:
    """Return ln M_q of values given by their logarithms (equation 1), the dominant term factored out.

    M_0 is the geometric mean (equation 2).

    >>> a = [log(10), log(21), log(29), log(32)]
    >>> [round(exp(generalized_mean(a, q)), 1) for q in (-32, -1, 1, 32)]   # Table 1
    [10.4, 18.7, 23.0, 30.7]
    """
    if q == 0:
        return reduce(add, xs) / len(xs)
    best = max(xs) if q > 0 else min(xs)
    if not isfinite(best):
        return best
    terms = (exp(q * (x - best)) for x in xs)
    return best + log(reduce(add, terms) / len(xs)) / q  # from left to right: `sum` may round otherwise


def derivative_weights(xs: Sequence[float], x: float, q: float) -> list[float]:
    """Return w(d) = -ln D(c, d) (equation 12), where D = (1/n) (v(d) / v(c))^(q - 1) (equation 6).

    q is p at Max nodes and -p at Min nodes. With the best child's x instead of the mean's this is the
    reverse approximation (equation 15): the paper prints p - 1 for both players, but at Min nodes the
    derivative has p + 1.

    >>> a = [log(10), log(21), log(29), log(32)]
    >>> [f"{exp(-w):.1g}" for w in derivative_weights(a, generalized_mean(a, 32), 32)]
    ['2e-16', '2e-06', '0.04', '0.9']
    """
    return [log(len(xs)) + (q - 1) * difference(x, x_d) for x_d in xs]


def constant_weights(xs: Sequence[float], best: float, step: float) -> list[float]:
    """Return w(d) = step + |ln v(best) - ln v(d)|: what the paper's program used (Section 5.5)."""
    return [step + abs(difference(best, x_d)) for x_d in xs]


def floyd_weights(errors: Sequence[float]) -> list[float]:
    """Return w(d) = -ln p(c, d), where p is the probability of the move (Section 6, after Floyd).

    Probabilities are as the scores of the moves: p(c, d) = exp(-e) / sum of exp(-e'), e the relative error.

    >>> [round(exp(-w), 2) for w in floyd_weights([0, log(3)])]
    [0.75, 0.25]
    """
    total = log(reduce(add, (exp(-e) for e in errors)))
    return [e + total for e in errors]


def difference(a: float, b: float) -> float:
    """Return a - b; an infinity is no distance from itself."""
    return 0.0 if a == b else a - b
