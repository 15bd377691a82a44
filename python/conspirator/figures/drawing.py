"""A figure of matplotlib that a notebook shows, and that is written the same every time."""

from __future__ import annotations

from pathlib import Path

from matplotlib.figure import Figure

from conspirator.figures.files import save_figure, svg_of


class Drawing(Figure):
    """A matplotlib figure with `save`, for SVG, PNG and PDF; in a notebook it shows itself.

    >>> import conspirator as cn
    >>> result = cn.search(cn.games.ConnectFour().start(), expansions=20)
    >>> drawing = result.figure("ladder")
    >>> drawing.save("ladder.svg")                                  # doctest: +SKIP
    PosixPath('ladder.svg')
    """

    def save(self, path: str | Path) -> Path:
        """Write it into a file: SVG, PNG or PDF, by the name's ending; return the path."""
        return save_figure(self, path)

    def _repr_svg_(self) -> str:
        return svg_of(self, "figure")
