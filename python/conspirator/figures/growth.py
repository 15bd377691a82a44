"""How a tree grew: the three columns of Figures 6 to 11 of Utgoff and Cochran, for any search on any game.

where the nodes are          the root's moves             how deep the nodes are
shares of the root's moves   best, least swing, chosen    shares of the depths
            |                         |                            |
expansions go down the page, one row each, or every so many of a long search
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any

from conspirator._budget import UNITS
from conspirator._errors import ArgumentError
from conspirator._native import Position
from conspirator._result import Result
from conspirator._rule import GrowthRule
from conspirator._search import search as run
from conspirator.figures.axes import whole_numbers
from conspirator.figures.files import literal, new_figure, save_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from conspirator.figures.drawing import Drawing

MOST_ROWS = 100
"""More rows than that cannot be read."""
MOST_MOVES = 20
"""Nor more columns."""
HIGHEST = 8.5
"""No tree's three columns are higher, in inches."""
LINE = 36
"""So many letters fit below a column."""


@dataclass(frozen=True)
class Row:
    """The tree after some expansions, and the move that the next one went to."""

    expansions: int
    """How many there were before."""
    shares: tuple[float, ...]
    """The part of all nodes below each of the root's moves."""
    depths: tuple[float, ...]
    """The part of all nodes at each depth, from 1."""
    best: frozenset[int]
    """The places of the moves of the best value."""
    least_swing: frozenset[int] | None
    """The places of the moves of the least swing; None if the search knows no swings."""
    chosen: int | None
    """The place of the move below which the next leaf was expanded; None after the last one."""

    def symbol(self, place: int) -> str:
        """Return the paper's symbol for a move: box, triangle up (best value), down (least swing), circle."""
        best, least = place in self.best, place in (self.least_swing or ())
        return "s" if best and least else "^" if best else "v" if least else "o"


@dataclass(frozen=True)
class Growth:
    """The growth of a search tree, as rows that can be drawn.

    >>> import conspirator as cn
    >>> game = cn.games.RandomTree(branching=5, depth=64, seed=1, kind="utgoff")
    >>> growth = Growth.of(game.start(), "best-first", expansions=30)
    >>> [row.chosen for row in growth.rows[:6]]
    [3, 3, 3, 3, 3, 3]
    """

    title: str
    """Which search it was."""
    moves: tuple[str, ...]
    """The root's moves."""
    expansions: int
    """How many leaves were expanded, the root included."""
    rows: tuple[Row, ...]
    """The tree after the root's expansion, and so on."""

    @classmethod
    def of(
        cls,
        position: Position,
        search: str | GrowthRule | type[GrowthRule] = "best-first",
        *,
        most_rows: int = MOST_ROWS,
        title: str | None = None,
        **arguments: Any,
    ) -> Growth:
        """Search a position, as `cn.search` does with these arguments, and watch its tree.

        The search is done twice: once to see how long it is, and once more with a stop at every row.
        """
        name = name_of(search)
        whole = run(position, search, **arguments | {"trace": True})
        if not whole.has_tree:
            raise ArgumentError(
                f"{name} keeps no tree to draw: choose a search that does, such as best-first"
            )
        trace = whole.trace
        counts = sampled(len(trace), most_rows)
        rows = [
            row_of(result, trace[count][0] if count < len(trace) else None)
            for count, result in zip(
                counts, pieces(position, search, counts, **without_budget(arguments)), strict=True
            )
        ]
        moves = tuple(str(child.move) for child in whole.tree.root.children)
        return cls(title or f"{name}, {len(trace):,} expansions", moves, len(trace), tuple(rows))

    def draw(self, axes: Sequence[Axes]) -> None:
        """Draw the three columns into three axes."""
        left, middle, right = axes
        heights = [row.expansions for row in self.rows]
        shown = self.shown()
        draw_shares(left, heights, [[row.shares[place] for place in shown] for row in self.rows])
        draw_shares(right, heights, [row.depths for row in self.rows])
        marks: dict[tuple[str, bool], list[tuple[int, int]]] = {}
        for row in self.rows:
            for x, place in enumerate(shown):
                kind = (row.symbol(place), place == row.chosen)
                marks.setdefault(kind, []).append((x, row.expansions))
        size = max(1.5, min(6.0, 320 / len(self.rows), 90 / len(shown)))
        for (symbol, filled), points in sorted(marks.items()):
            middle.plot(
                *zip(*points, strict=True),
                symbol,
                color="black",
                mfc="black" if filled else "white",
                ms=size,
                mew=0.5,
            )
        names = [literal(self.moves[place]) for place in shown]
        upright = sum(len(name) + 1 for name in names) > LINE
        middle.set_xticks(range(len(shown)), names, rotation=90 if upright else 0)
        middle.tick_params(axis="x", labelsize=7 if len(shown) <= 16 else 5.5)
        middle.set_xlim(-0.7, len(shown) - 0.3)
        middle.set_title(literal(self.title), fontsize=9)
        left.set_ylabel("expansions", fontsize=8)
        some = f"{len(shown)} of the root's {len(self.moves):,} moves"
        words = (
            "part of the nodes below each move",
            "the root's moves" if len(shown) == len(self.moves) else some,
            "part of the nodes at each depth",
        )
        for each, text in zip(axes, words, strict=True):
            each.set_xlabel(text, fontsize=8)
        for each in axes:
            each.set_ylim(heights[-1] + 1, heights[0] - 1)
            each.tick_params(axis="y", labelsize=7)
            if each is not middle:
                each.tick_params(axis="x", labelsize=7)
            whole_numbers(each.yaxis)
        for each in (middle, right):
            each.set_yticklabels([])

    def shown(self) -> list[int]:
        """Return the places of the moves that are drawn, in order.

        All if there is room for them; else those that were the best or were expanded, with the most nodes.
        """
        if len(self.moves) <= MOST_MOVES:
            return list(range(len(self.moves)))
        seen = {row.chosen for row in self.rows if row.chosen is not None}.union(
            *(row.best for row in self.rows)
        )
        return sorted(sorted(seen, key=lambda place: -self.rows[-1].shares[place])[:MOST_MOVES])

    def figure(self) -> Drawing:
        """Return the picture as a figure of its own."""
        return figure_of([self])

    def save(self, path: str | Path) -> Path:
        """Write the picture into a file: SVG, PNG or PDF, by its name's ending."""
        return save_figure(self.figure(), path)


def without_budget(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return a search's arguments without the limits of its budget, but for memory."""
    limits = {*UNITS, "trace"} - {"memory"}
    return {name: value for name, value in arguments.items() if name not in limits}


def sampled(expansions: int, most: int) -> list[int]:
    """Return after which expansions there is a row: all, or evenly so many; the first and the last always.

    >>> sampled(5, 10), sampled(10, 4)
    ([1, 2, 3, 4, 5], [1, 4, 7, 10])
    """
    step = max(1, -(-(expansions - 1) // max(1, most - 1)))
    return sorted({*range(1, expansions + 1, step), expansions})


def pieces(
    position: Position, search: str | GrowthRule | type[GrowthRule], counts: Sequence[int], **parameters: Any
) -> Iterator[Result]:
    """Search once, and yield the result after each of these numbers of expansions."""
    result = run(position, search, **parameters, expansions=counts[0])
    yield result
    for count in counts[1:]:
        result = result.resume(expansions=count - result.expansions)
        yield result


def name_of(search: str | GrowthRule | type[GrowthRule]) -> str:
    """Return what a search is called."""
    return search if isinstance(search, str) else getattr(search, "__name__", type(search).__name__)


def row_of(result: Result, chosen: int | None) -> Row:
    """Return what there is to see of a tree."""
    tree, root = result.tree, result.tree.root
    sizes, depths = tree.child_sizes(root), tree.depth_histogram()[1:]
    nodes = sum(sizes)
    values = [child.value for child in root.children]
    best = (max if root.is_max else min)(values)
    swings = [child.numbers.get("swing") for child in root.children]
    least = None if None in swings else min(swing for swing in swings if swing is not None)
    return Row(
        result.expansions,
        tuple(size / nodes for size in sizes),
        tuple(count / nodes for count in depths),
        places(values, best),
        None if least is None else places(swings, least),
        chosen,
    )


def places(values: Sequence[float | None], value: float) -> frozenset[int]:
    """Return where a value stands."""
    return frozenset(place for place, each in enumerate(values) if each == value)


def draw_shares(axes: Axes, heights: Sequence[int], shares: Sequence[Sequence[float]]) -> None:
    """Draw lines between parts that sum to 1: the height between two lines is one part."""
    count = max(len(row) for row in shares)
    borders = [list(accumulate([*row, *[0.0] * (count - len(row))])) for row in shares]
    for place in range(count - 1):
        axes.plot([row[place] for row in borders], heights, color="black", linewidth=0.6)
    axes.set_xlim(0, 1)


def figure_of(growths: Sequence[Growth]) -> Drawing:
    """Return several pictures as one figure, from top to bottom."""
    heights = [1 + len(growth.rows) for growth in growths]
    inches = [min(HIGHEST, max(1.8, 0.8 + 0.075 * height)) for height in heights]
    figure = new_figure(7.2, 0.25 + sum(inches))
    grid = figure.subplots(len(growths), 3, squeeze=False, height_ratios=inches)
    for growth, axes in zip(growths, grid, strict=True):
        growth.draw(list(axes))
    figure.supxlabel(SYMBOLS, fontsize=7)
    return figure


SYMBOLS = "triangle up: best value; down: least swing; square: both; circle: neither; filled: expanded next"
"""What the marks mean."""


__all__ = ["Growth", "Row", "figure_of"]
