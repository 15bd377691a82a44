"""The ratings of a match: against the budget where players differ by it, else one below the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conspirator._budget import UNITS
from conspirator._players import settings_of
from conspirator.figures.axes import plain_axes
from conspirator.figures.files import literal, new_figure

if TYPE_CHECKING:
    from conspirator.figures.drawing import Drawing
    from conspirator.matches.standings import MatchResult


MOST_TICKS = 9
"""With more budgets than that the axis has powers of ten."""


def budgets(result: MatchResult) -> tuple[str, dict[str, list[tuple[float, int]]]] | None:
    """Return the unit of the budgets, and the players of each kind by budget, if they differ by it."""
    specs = [settings_of(text) for text in result.definition["players"]]
    units = [[unit for unit in UNITS if unit in settings and unit != "memory"] for _, settings in specs]
    for unit in UNITS:
        lines: dict[str, list[tuple[float, int]]] = {}
        for place, ((search, settings), mine) in enumerate(zip(specs, units, strict=True)):
            if mine == [unit]:
                rest = ", ".join(f"{key}={value}" for key, value in settings.items() if key != unit)
                lines.setdefault(f"{search} {rest}".strip(), []).append((float(settings[unit]), place))
        if any(len({budget for budget, _ in line}) > 1 for line in lines.values()):
            return unit, {name: sorted(line) for name, line in lines.items()}
    return None


def draw_ratings(result: MatchResult) -> Drawing:
    """Draw Elo with intervals of 95 percent."""
    found = budgets(result)
    return draw_players(result) if found is None else draw_curves(result, *found)


def draw_curves(result: MatchResult, unit: str, lines: dict[str, list[tuple[float, int]]]) -> Drawing:
    """Draw one curve for each kind of player."""
    figure = new_figure(7.0, 4.0)
    axes = plain_axes(figure.add_subplot())
    for name, line in lines.items():
        axes.errorbar(
            [budget for budget, _ in line],
            [result.ratings.elo[place] for _, place in line],
            [result.ratings.interval(place) for _, place in line],
            fmt="o-",
            markersize=4,
            capsize=3,
            label=literal(name),
        )
    axes.set(xscale="log", xlabel=f"{unit.replace('_', ' ')} a move", ylabel="Elo (bars: 95 %)")
    steps = sorted({budget for line in lines.values() for budget, _ in line})
    if len(steps) <= MOST_TICKS:
        axes.set_xticks(steps, [f"{step:,g}" for step in steps])
        axes.minorticks_off()
    axes.legend(frameon=False, fontsize=8)
    return figure


def draw_players(result: MatchResult) -> Drawing:
    """Draw one point for each player, the strongest at the top."""
    rows = result.rows()
    figure = new_figure(7.0, 1.0 + 0.35 * len(rows))
    axes = plain_axes(figure.add_subplot())
    places = list(range(len(rows)))
    axes.errorbar(
        [row.elo for row in rows],
        places,
        xerr=[row.interval for row in rows],
        fmt="o",
        markersize=4,
        capsize=3,
    )
    axes.set_yticks(places, [literal(row.name) for row in rows])
    axes.set(xlabel="Elo (bars: 95 %)", ylim=(len(rows) - 0.5, -0.5))
    return figure
