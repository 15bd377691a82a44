"""How the root's value and its interval went while the tree grew."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from conspirator._native import Position
from conspirator._rule import GrowthRule
from conspirator.figures.axes import legend_above, plain_axes, whole_numbers
from conspirator.figures.files import literal, new_figure
from conspirator.figures.growth import name_of, pieces, sampled
from conspirator.figures.robustness import finite_range

if TYPE_CHECKING:
    from conspirator.figures.drawing import Drawing

LEAVES = (1, 2)
"""For how many wrong leaves the interval is drawn."""


@dataclass(frozen=True)
class Values:
    """The value and its intervals after some expansions each.

    >>> import conspirator as cn
    >>> position = cn.games.ConnectFour().position("4453")
    >>> values = Values.of(position, "conspiracy", expansions=20)
    >>> values.counts[-1], values.values[-1] == cn.search(position, "conspiracy", expansions=20).value
    (20, True)
    """

    title: str
    """Which search it was."""
    counts: list[int]
    """Expansions."""
    values: list[float]
    """The root's value after them."""
    intervals: dict[int, list[tuple[float, float]]]
    """By number of wrong leaves: (Vmin, Vmax) after them."""

    @classmethod
    def of(
        cls,
        position: Position,
        search: str | GrowthRule | type[GrowthRule] = "best-first",
        *,
        expansions: int,
        most_points: int = 60,
        **parameters: Any,
    ) -> Values:
        """Search a position, as `cn.search` does with these arguments, and watch the value."""
        counts = sampled(expansions, most_points)
        values, intervals = [], {n: list[tuple[float, float]]() for n in LEAVES}
        for result in pieces(position, search, counts, **parameters):
            values.append(result.value)
            for n in LEAVES:
                intervals[n].append(result.interval(n))
        return cls(name_of(search), counts, values, intervals)

    def figure(self) -> Drawing:
        """Draw the value as a line, and the intervals around it."""
        # at first anything can be: that would leave no room for the rest
        begin = len(self.counts) // 2
        ends = [end for rungs in self.intervals.values() for rung in rungs[begin:] for end in rung]
        low, high = finite_range([*self.values, *ends])
        figure = new_figure(7.2, 4.0)
        axes = plain_axes(figure.add_subplot())
        # a result holds until the next one: the last one is drawn as a short step
        first, last = self.counts[0], self.counts[-1]
        counts = [*self.counts, last + ((last - first) / 40 or 0.5)]
        for n in sorted(self.intervals, reverse=True):  # the narrow one lies upon the wide one
            rungs = [*self.intervals[n], self.intervals[n][-1]]
            axes.fill_between(
                counts,
                [min(high, max(low, least)) for least, _ in rungs],
                [max(low, min(high, greatest)) for _, greatest in rungs],
                color=COLOURS[n],
                linewidth=0,
                step="post",
                label=f"at most {n} {'leaf' if n == 1 else 'leaves'} wrong",
            )
        drawn = [min(max(value, low), high) for value in [*self.values, self.values[-1]]]
        axes.step(counts, drawn, where="post", color="black", linewidth=1.2, label="value")
        axes.set(xlabel="expansions", ylabel="value of the root", ylim=(low, high))
        axes.set_xlim(counts[0], counts[-1])
        whole_numbers(axes.xaxis)
        axes.set_title(literal(self.title), loc="left", fontsize=10)
        legend_above(axes)
        return figure


COLOURS = {1: "#86b5d9", 2: "#d3e3f1"}
"""The colours of intervals."""
