"""The error model of random trees, which is exact: the distribution of a subtree's value follows from the
rules.

In McAllester's trees (1988, Section 8) the value of a child is its parent's and a random whole number. So the
outcome below a position is its static value and a sum that depends on the plies that are left alone, and
siblings are independent.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from conspirator.certainty.model import Dependence, ErrorModel, Table

WIDEST = 60
"""Trees whose values go further from 0 than this have no model: its table would be too large."""


def random_tree_model(options: Mapping[str, Any]) -> ErrorModel | None:
    """Return the model of a random tree with these options; None if there is none.

    >>> import conspirator as cn
    >>> model = cn.ErrorModel.of(cn.games.RandomTree(branching=2, depth=2, seed=1, spread=2))
    >>> model.outcomes
    (-2.0, -1.0, 0.0, 1.0, 2.0)
    """
    if options["kind"] != "mcallester" or not options["depth"]:
        return None
    steps = [max(options["spread_min"], options["spread"] - ply) for ply in range(1, options["depth"] + 1)]
    # without steps all outcomes are the same
    return _model(options["branching"], tuple(steps)) if 0 < sum(steps) <= WIDEST else None


@lru_cache(maxsize=8)
def _model(branching: int, steps: tuple[int, ...]) -> ErrorModel:
    reach = sum(steps)
    values = range(-reach, reach + 1)
    below = {0: 1.0}  # how likely the outcome lies so far above the static value, at the last ply
    rows = [below]
    for ply in range(len(steps) - 1, -1, -1):
        below = _above(below, steps[ply], branching, is_max=ply % 2 == 0)
        rows.append(below)
    cells = tuple(
        tuple(
            tuple(sum(p for far, p in row.items() if value + far >= outcome) for outcome in values[1:])
            for value in values
        )
        for row in rows
    )
    bounded = tuple(tuple(tuple(min(1.0, p) for p in s) for s in row) for row in cells)
    numbers = tuple(map(float, values))
    phases = tuple(map(float, range(len(steps) + 1)))
    # such trees are small, and what is known of them is exact: nothing is left out
    table = Table(numbers, phases, numbers, bounded, bounded, most_kept=len(numbers))
    independent = {"any": Dependence(0.0, 0.0)}
    return ErrorModel("random-tree", None, {"static": table}, independent, {"exact": True})


def _above(child: Mapping[int, float], step: int, branching: int, *, is_max: bool) -> dict[int, float]:
    """Return the distribution of the best of several children, each a step of up to so much away."""
    moved: dict[int, float] = {}
    for far, p in child.items():
        for away in range(-step, step + 1):
            moved[far + away] = moved.get(far + away, 0.0) + p / (2 * step + 1)
    best: dict[int, float] = {}
    before = total = 0.0
    for far in sorted(moved):
        total += moved[far]
        up_to = total**branching if is_max else 1 - max(0.0, 1 - total) ** branching
        best[far] = up_to - before
        before = up_to
    return best
