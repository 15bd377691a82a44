"""Timing, the same way for everybody."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter, process_time


@dataclass(frozen=True)
class Row:
    """One line of a benchmark's table."""

    name: str
    """What was measured."""
    rate: float
    """How much of it in a second."""
    unit: str
    """Of what."""
    ratio: float | None = None
    """Compared with the reference of the same table."""
    reference: str = ""
    """What that reference is."""
    note: str = ""
    """What a reader should know."""


clock = process_time if sys.platform == "linux" else perf_counter
"""CPU time, where it can be told in small steps: other programs do not count."""


def best_rate(work: Callable[[], float], seconds: float = 1.0, least: int = 3) -> float:
    """Return the best rate of `work`, which returns how much it did, over several runs.

    The best run is the one that was disturbed least: caches are shared even where time is not.
    """
    best = 0.0
    begun = perf_counter()
    runs = 0
    while runs < least or perf_counter() - begun < seconds:
        started = clock()
        amount = work()
        best = max(best, amount / (clock() - started))
        runs += 1
    return best
