"""How sure a value is: the ladder of intervals, and the step functions of a node."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import inf, isfinite
from typing import TYPE_CHECKING, Any

from conspirator._errors import ArgumentError
from conspirator._native import Node, Tree
from conspirator.figures.files import literal, new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from conspirator._result import Result
    from conspirator.figures.drawing import Drawing

MOST_CONSPIRATORS = 8
"""How far the ladder goes if nothing is said."""


def draw_ladder(result: Result | Tree, *, most: int = MOST_CONSPIRATORS) -> Drawing:
    """Draw how far the root's value can go if at most 0, 1, 2, ... leaves are wrong."""
    rungs = [result.interval(n) for n in range(most + 1)]
    low, high = finite_range(end for rung in rungs for end in rung)
    figure = new_figure(7.2, 1.2 + 0.3 * len(rungs))
    axes = plain_axes(figure.add_subplot())
    for n, (least, greatest) in enumerate(rungs):
        left, right = max(low, least), min(high, greatest)
        axes.plot([left, right], [n, n], color="C0", linewidth=7, solid_capstyle="butt", alpha=0.5)
        axes.plot([left, right], [n, n], "|", color="C0", markersize=11)
        words = f"{least:g}" if least == greatest else f"{least:g} ... {greatest:g}"
        axes.annotate(words, (right, n), (8, 0), textcoords="offset points", va="center", fontsize=8)
    value = result.root.value if isinstance(result, Tree) else result.value
    axes.axvline(value, color="black", linewidth=0.8)
    axes.set(xlabel="value", ylabel="leaves that may be wrong", ylim=(most + 0.6, -0.6))
    axes.set_yticks(range(most + 1))
    axes.margins(x=0.2)
    return figure


def draw_numbers(node: Node) -> Drawing:
    """Draw how many leaves must change for a node to reach a value: up to the right, down to the left.

    These are the bounds sequences of conspiracy searches, or the proof and disproof functions of sibling
    conspiracy search.
    """
    up, down = staircases(node.numbers)
    names = ("p", "d") if "p" in node.numbers else ("upward", "downward")
    low, high = finite_range(x for x, _ in (*up, *down))
    figure = new_figure(7.2, 3.6)
    axes = plain_axes(figure.add_subplot())
    tallest = max([h for _, h in (*up, *down) if isfinite(h)], default=1.0) + 1
    for steps, end, name, style in ((up, high, names[0], "-"), (down, low, names[1], "--")):
        xs, hs = corners(steps, end, tallest, low, high)
        axes.plot(xs, hs, style, color="black", linewidth=1.3, label=name)
    line = " ".join(map(str, node.line)) or "the root"
    axes.set_title(literal(f"{line}: value {node.value:g}"), loc="left", fontsize=10)
    kind = "relative error" if "p" in node.numbers else "value"
    axes.set(xlabel=kind, ylabel="leaves that must change", ylim=(-0.15, tallest + 0.2))
    axes.legend(frameon=False, fontsize=8)
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


def plain_axes(axes: Axes) -> Axes:
    """Return axes without a frame on the right and at the top."""
    axes.spines[["top", "right"]].set_visible(False)
    return axes
