"""How sure a choice is: for every move the probability that it is a best one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conspirator._errors import ArgumentError
from conspirator.figures.axes import plain_axes
from conspirator.figures.files import literal, new_figure
from conspirator.figures.robustness import RUNG

if TYPE_CHECKING:
    from conspirator._result import Result
    from conspirator.figures.drawing import Drawing

MOST_MOVES = 20
"""So many moves are shown, the likeliest first."""


def draw_certainty(result: Result) -> Drawing:
    """Draw a bar for every move that may be a best one; the chosen one is dark."""
    likely = result.probabilities
    if likely is None:
        raise ArgumentError(f"nobody knows how sure this search is: {result._known.remedy()}")
    rows = sorted(likely.items(), key=lambda row: (row[0] != result.move, -row[1]))[:MOST_MOVES]
    figure = new_figure(7.2, 1.2 + 0.3 * len(rows))
    axes = plain_axes(figure.add_subplot())
    for place, (move, p) in enumerate(rows):
        axes.barh([place], [p], color="#2b6ca3" if move == result.move else RUNG)
        axes.annotate(f"{p:.0%}", (p, place), (5, 0), textcoords="offset points", va="center", fontsize=8)
    axes.set(xlabel="probability that the move is a best one", xlim=(0, 1.08))
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.set_yticks(range(len(rows)), [literal(str(move)) for move, _ in rows])
    return figure
