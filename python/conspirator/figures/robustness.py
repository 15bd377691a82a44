"""How sure a value is: the ladder of intervals, and the step functions of a node."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import inf, isfinite
from typing import TYPE_CHECKING, Any

from conspirator._errors import ArgumentError
from conspirator._native import Node, Tree
from conspirator.figures.axes import legend_above, plain_axes, whole_numbers
from conspirator.figures.colours import number
from conspirator.figures.files import literal, new_figure

if TYPE_CHECKING:
    from conspirator._result import Result
    from conspirator.figures.drawing import Drawing

MOST_CONSPIRATORS = 8
"""How far the ladder goes if nothing is said."""


def draw_ladder(result: Result | Tree, *, most: int = MOST_CONSPIRATORS) -> Drawing:
    """Draw how far the root's value can go if at most 0, 1, 2, ... leaves are wrong."""
    rungs = [result.interval(n) for n in range(most + 1)]
    value = result.root.value if isinstance(result, Tree) else result.value
    low, high = finite_range([value, *(end for rung in rungs for end in rung)])
    figure = new_figure(7.2, 1.2 + 0.3 * len(rungs))
    axes = plain_axes(figure.add_subplot())
    for n, (least, greatest) in enumerate(rungs):
        left, right = max(low, least), min(high, greatest)
        name = "interval" if n == most else None
        axes.plot([left, right], [n, n], color=RUNG, linewidth=7, solid_capstyle="butt", label=name)
        for end, place, mark in ((least, left, "<"), (greatest, right, ">")):
            # an arrow where it goes on for ever
            shape: dict[str, Any] = (
                {"marker": "|", "ms": 11} if isfinite(end) else {"marker": mark, "ms": 9, "mec": RUNG}
            )
            axes.plot([place], [n], **shape, color=RUNG, linestyle="none")
        words = number(least) if least == greatest else f"{number(least)} ... {number(greatest)}"
        axes.annotate(words, (1, n), (8, 0), **BESIDE, va="center", fontsize=8)
    if isfinite(value):
        axes.axvline(value, color="black", linewidth=0.8, label=f"value {number(value)}")
    axes.set(xlabel="value", ylabel="leaves that may be wrong", ylim=(most + 0.6, -0.6))
    axes.set_yticks(range(most + 1))
    room = (high - low) / 50
    axes.set_xlim(low - room, high + room)
    legend_above(axes)
    return figure


RUNG = "#86b5d9"
"""The colour of intervals."""
BESIDE: dict[str, Any] = {"xycoords": ("axes fraction", "data"), "textcoords": "offset points"}
"""To the right of the axes, where words hide nothing."""


def draw_numbers(node: Node) -> Drawing:
    """Draw how many leaves must change for a node to reach a value: up to the right, down to the left.

    These are the bounds sequences of conspiracy searches, or the proof and disproof functions of sibling
    conspiracy search.
    """
    up, down = staircases(node.numbers)
    names = ("p: to rise", "d: to fall") if "p" in node.numbers else ("to rise", "to fall")
    low, high = finite_range(x for x, _ in (*up, *down))
    figure = new_figure(7.2, 3.6)
    axes = plain_axes(figure.add_subplot())
    tallest = max([h for _, h in (*up, *down) if isfinite(h)], default=1.0) + 1
    for steps, end, name, style in ((up, high, names[0], "-"), (down, low, names[1], "--")):
        xs, hs = corners(steps, end, tallest, low, high)
        axes.plot(xs, hs, style, color="C0" if style == "-" else "C3", linewidth=1.5, label=name)
    line = " ".join(map(str, node.line)) or "the root"
    axes.set_title(literal(f"{line}: value {number(node.value)}"), loc="left", fontsize=10)
    kind = "relative error" if "p" in node.numbers else "value"
    axes.set(xlabel=kind, ylabel="leaves that must change", ylim=(-0.15, tallest + 0.2))
    whole_numbers(axes.yaxis)
    if any(h == inf and isfinite(x) for x, h in (*up, *down)):
        ticks = [tick for tick in axes.get_yticks() if 0 <= tick < tallest]
        axes.set_yticks([*ticks, tallest], [*(number(tick) for tick in ticks), "none suffice"])
    legend_above(axes)
    return figure


Steps = list[tuple[float, float]]
"""Points (x, h): beyond x, as seen from the node's value, h leaves are needed."""


def staircases(numbers: dict[str, Any]) -> tuple[Steps, Steps]:
    """Return the functions upwards and downwards, from a rule's numbers.

    >>> staircases({"upper": [5.0, 7.0], "upper_tail": 9.0, "lower": [5.0], "lower_tail": 5.0})
    ([(5.0, 1), (7.0, 2), (9.0, inf)], [(5.0, inf)])
    """
    if "p" in numbers and "d" in numbers:
        return list(numbers["p"]), list(numbers["d"])
    if "upper" in numbers and "lower" in numbers:
        return steps_of(numbers["upper"], numbers["upper_tail"]), steps_of(
            numbers["lower"], numbers["lower_tail"]
        )
    raise ArgumentError(
        "this node has no staircases: conspiracy, improved-conspiracy and sibling-conspiracy keep them; "
        "the figure 'ladder' needs none"
    )


def steps_of(sequence: Sequence[float], tail: float) -> Steps:
    """Return a bounds sequence as steps: entry n is how far n leaves reach; none goes beyond the tail."""
    steps: Steps = []
    for n, x in enumerate(sequence):
        if steps and steps[-1][0] == x:
            steps.pop()
        steps.append((x, n + 1))
    if steps and steps[-1][0] == tail:
        steps.pop()
    return [*steps, (tail, inf)]


def corners(
    steps: Steps, end: float, tallest: float, low: float, high: float
) -> tuple[list[float], list[float]]:
    """Return the line along a function's steps, from no leaf to the end of the values."""
    xs, hs, height = [], [], 0.0
    for x, h in steps:
        if not isfinite(x):
            break  # so many leaves reach any value
        x = min(max(x, low), high)
        xs += [x, x]
        hs += [height, min(h, tallest)]
        height = min(h, tallest)
    return [*xs, end], [*hs, height]


def finite_range(values: Iterable[float]) -> tuple[float, float]:
    """Return the range of the finite values, with room on both sides for what is beyond.

    >>> finite_range([0.0, 10.0, float("inf")])
    (-1.0, 11.0)
    """
    finite = [value for value in values if isfinite(value)] or [0.0]
    room = (max(finite) - min(finite)) / 10 or 1.0
    return min(finite) - room, max(finite) + room
