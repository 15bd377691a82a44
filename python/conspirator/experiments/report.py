"""A report: a paper's numbers beside ours, what was counted and how, and a figure."""

from __future__ import annotations

import math
import os
import platform
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from conspirator._errors import ArgumentError
from conspirator.figures.files import need_matplotlib, new_figure, save_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from conspirator.figures.drawing import Drawing


@dataclass(frozen=True)
class Mean:
    """The mean of a sample and its standard error.

    >>> print(Mean.of([1, 2, 3, 4]))
    2.500 ± 0.645
    """

    value: float
    error: float

    @classmethod
    def of(cls, sample: Sequence[float]) -> Mean:
        """Return the mean of two numbers or more; the error is the standard deviation over root n."""
        mean = math.fsum(sample) / len(sample)
        variance = math.fsum((x - mean) ** 2 for x in sample) / (len(sample) - 1)
        return cls(mean, math.sqrt(variance / len(sample)))

    def __str__(self) -> str:
        return f"{self.value:.3f} ± {self.error:.3f}"


FACTS = (
    "name", "title", "paper", "command", "version", "seeds", "reference", "agrees", "convention", "notes",
    "seconds", "machine", "stopped",
)  # fmt: skip
"""What a report has beside its table and its figure."""

Cell = str | int | float | Mean | None
"""One entry of a table; None where there is nothing to tell."""


@dataclass
class Report:
    """What `reproduce` returns: print it, look at `rows`, or save it as CSV, JSON and a figure.

    >>> import conspirator as cn
    >>> report = cn.reproduce("mcallester-example")
    >>> report.agrees, len(report.rows)
    (True, 17)
    """

    title: str
    """What it is, as a headline."""
    paper: str
    """Where the published numbers stand."""
    columns: list[str]
    """The names of the table's columns."""
    rows: list[list[Cell]]
    """The table, published numbers beside ours."""
    agrees: bool
    """Whether ours are the published ones; for a sample, whether they are within three standard errors."""
    draw: Callable[[Axes], None]
    """A function that draws the figure."""
    convention: list[str] = field(default_factory=list)
    """What was counted and how, where a paper leaves it open."""
    notes: list[str] = field(default_factory=list)
    """What a reader should know."""
    picture: Callable[[], Drawing] | None = None
    """A function that makes the figure, instead of `draw`, where it has several parts."""
    reference: str = "the paper"
    """What ours agree with, or not."""
    seeds: str = "nothing is random"
    """Which random games were used."""
    name: str = ""
    """The experiment's name, which the files are named after."""
    command: str = ""
    """The command that makes this report again."""
    version: str = ""
    """The version of this package that made it."""
    seconds: float = 0.0
    """How long it took."""
    machine: dict[str, Any] = field(default_factory=dict)
    """What it ran on: processors, Python, platform."""
    stopped: bool = False
    """Whether it was stopped early, with what there was by then."""
    files: list[Path] = field(default_factory=list)
    """Where it has been saved."""

    def figure(self) -> Drawing:
        """Return the figure, drawn with matplotlib (`pip install matplotlib`)."""
        if self.picture is not None:
            return self.picture()
        figure = new_figure(7.2, 4.6)
        axes = figure.add_subplot()
        axes.spines[["top", "right"]].set_visible(False)
        axes.set_title(self.title, loc="left", fontsize=11)
        self.draw(axes)
        return figure

    def to_csv(self) -> str:
        """Return the table as CSV; a mean takes two columns, itself and its standard error."""
        import csv
        from io import StringIO

        text = StringIO()
        writer = csv.writer(text, lineterminator="\n")
        wide = [any(isinstance(row[place], Mean) for row in self.rows) for place in range(len(self.columns))]
        header: list[str] = []
        for name, is_wide in zip(self.columns, wide, strict=True):
            header += [name, f"{name} standard error"] if is_wide else [name]
        writer.writerow(header)
        for row in self.rows:
            line: list[Cell] = []
            for cell, is_wide in zip(row, wide, strict=True):
                if isinstance(cell, Mean):
                    line += [cell.value, cell.error]
                else:
                    line += [cell, None] if is_wide else [cell]
            writer.writerow(line)
        return text.getvalue()

    def to_dict(self) -> dict[str, Any]:
        """Return everything but the figure as plain data."""

        def plain(cell: Cell) -> Any:
            return {"mean": cell.value, "standard_error": cell.error} if isinstance(cell, Mean) else cell

        rows = [{name: plain(c) for name, c in zip(self.columns, row, strict=True)} for row in self.rows]
        return {name: getattr(self, name) for name in FACTS} | {"columns": self.columns, "rows": rows}

    @classmethod
    def from_dict(cls, facts: Mapping[str, Any]) -> Report:
        """Return a report from what `to_dict` gave; it has no figure any more.

        >>> import conspirator as cn
        >>> report = cn.reproduce("mcallester-example")
        >>> Report.from_dict(report.to_dict()).rows == report.rows
        True
        """

        def cell(data: Any) -> Cell:
            return Mean(data["mean"], data["standard_error"]) if isinstance(data, dict) else data

        def draw(_axes: Axes) -> None:
            raise ArgumentError(f"{facts['name']} was read from a file, which has no figure")

        rows = [[cell(row[name]) for name in facts["columns"]] for row in facts["rows"]]
        return cls(columns=facts["columns"], rows=rows, draw=draw, **{name: facts[name] for name in FACTS})

    @property
    def verdict(self) -> str:
        """Whether it agrees, in words."""
        return f"{'agrees' if self.agrees else 'does NOT agree'} with {self.reference}"

    def to_json(self) -> str:
        """Return everything but the figure as one JSON object."""
        import json

        return json.dumps(self.to_dict(), indent=2, ensure_ascii=False, allow_nan=False)

    def save(self, folder: str | Path) -> list[Path]:
        """Write NAME.csv, NAME.json, NAME.svg and NAME.png into a folder; return their paths.

        The same report gives the same SVG, byte for byte.
        """
        need_matplotlib()
        folder = make_folder(folder)
        paths = {kind: folder / f"{self.name}.{kind}" for kind in ("csv", "svg", "png", "json")}
        paths["csv"].write_text(self.to_csv(), encoding="utf-8")
        figure = self.figure()
        for kind in ("svg", "png"):
            save_figure(figure, paths[kind])
        paths["json"].write_text(self.to_json() + "\n", encoding="utf-8")  # last: it says that all is there
        self.files = list(paths.values())
        return self.files

    def texts(self) -> list[list[str]]:
        """Return the rows as text, with as many decimals in a column as it needs."""
        columns = [say_column(row[place] for row in self.rows) for place in range(len(self.columns))]
        return [list(row) for row in zip(*columns, strict=True)]

    def _repr_html_(self) -> str:
        from conspirator._html import report

        return report(self)

    def __str__(self) -> str:
        table = [self.columns, *self.texts()]
        widths = [max(len(line[place]) for line in table) for place in range(len(self.columns))]
        lines = ["  ".join(map(str.rjust, line, widths)).rstrip() for line in table]
        return "\n".join([self.title, self.paper, "", *lines])


def say_column(cells: Iterable[Cell]) -> list[str]:
    """Return the cells of a column as text.

    >>> say_column([1.45, 0.0, None, 1234])
    ['1.45', '0.00', '', '1,234']
    """
    cells = list(cells)
    digits = [len(f"{round(cell, 3):.3f}".rstrip("0").split(".")[1]) for cell in cells if type(cell) is float]

    def say(cell: Cell) -> str:
        if cell is None:
            return ""
        if isinstance(cell, float):
            return f"{cell:.{max(digits)}f}"
        return f"{cell:,}" if isinstance(cell, int) else str(cell)

    return [say(cell) for cell in cells]


def numbers(rows: list[list[Cell]], place: int) -> list[float]:
    """Return the numbers in a column, to be drawn."""
    return [cell for row in rows if isinstance(cell := row[place], (int, float))]


def yes(agrees: bool) -> str:
    """Return the word for the column that says whether a row agrees."""
    return "yes" if agrees else "NO"


def make_folder(folder: str | Path) -> Path:
    """Return a folder that is there; an error in one line if it cannot be."""
    folder = Path(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ArgumentError(f"cannot make the folder {folder}: {error.strerror}") from None
    return folder


def machine() -> dict[str, Any]:
    """Return what this runs on, without its name."""
    return {
        "processors": os.cpu_count(),
        "python": platform.python_version(),
        "platform": f"{platform.system()} {platform.machine()}",
    }


def draw_points(
    axes: Axes, places: Sequence[float], points: Sequence[tuple[float, float]], colour: str, label: str
) -> None:
    """Draw values with bars of two standard errors to each side, and a line through them."""
    values, errors = [value for value, _ in points], [2 * error for _, error in points]
    style: dict[str, Any] = {"fmt": "o-", "markersize": 4, "linewidth": 1, "capsize": 2}
    axes.errorbar(places, values, errors, color=colour, label=label, **style)
