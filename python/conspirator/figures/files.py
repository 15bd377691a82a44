"""Figures as files."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING

from conspirator._errors import ArgumentError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from conspirator.figures.drawing import Drawing

KINDS = (".svg", ".png", ".pdf")
"""How a figure can be written."""
DPI = 150
"""How fine its dots are, where it has any."""


def need_matplotlib() -> None:
    """Raise an error that says what to install, if it is missing."""
    try:
        import matplotlib.figure  # noqa: F401
    except ImportError:
        raise ArgumentError("figures need matplotlib: pip install matplotlib") from None


def check_path(path: str | Path) -> Path:
    """Return where a figure is to be written, or say what is wrong with it."""
    path = Path(path)
    if path.suffix not in KINDS:
        raise ArgumentError(f"a figure is written as {', '.join(KINDS)}, not as {path.name}")
    if not path.parent.is_dir():
        raise ArgumentError(f"there is no folder {path.parent} to write {path.name} to")
    return path


def new_figure(width: float, height: float) -> Drawing:
    """Return an empty figure of so many inches."""
    need_matplotlib()
    from conspirator.figures.drawing import Drawing

    return Drawing(figsize=(width, height), layout="constrained")


def svg_of(figure: Figure, name: str) -> str:
    """Return a figure as SVG; the same figure gives the same text, byte for byte."""
    from matplotlib import rc_context

    text = io.StringIO()
    with rc_context({"svg.hashsalt": name, "svg.fonttype": "none"}):
        figure.savefig(text, format="svg", metadata={"Date": None}, dpi=DPI)
    return text.getvalue()


def save_figure(figure: Figure, path: str | Path) -> Path:
    """Write a figure into a file; the same figure gives the same SVG, byte for byte."""
    path = check_path(path)
    try:
        if path.suffix == ".svg":
            path.write_text(svg_of(figure, path.stem), encoding="utf-8")
        else:
            figure.savefig(path, dpi=DPI)
    except OSError as error:
        raise ArgumentError(f"cannot write {path}: {error.strerror}") from None
    return path


def literal(text: object) -> str:
    """Return a text that matplotlib writes as it stands: a dollar sign begins no formula."""
    return str(text).replace("$", r"\$")
