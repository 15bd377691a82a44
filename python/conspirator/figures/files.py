"""Figures as files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from conspirator._errors import ArgumentError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

KINDS = (".svg", ".png", ".pdf")
"""How a figure can be written."""
DPI = 150
"""How fine its dots are, where it has any."""


def need_matplotlib() -> None:
    """Raise an error that says what to install, if it is missing."""
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise ArgumentError("figures need matplotlib: pip install 'conspirator[figures]'") from None


def check_path(path: str | Path) -> Path:
    """Return where a figure is to be written, or say what is wrong with it."""
    path = Path(path)
    if path.suffix not in KINDS:
        raise ArgumentError(f"a figure is written as {', '.join(KINDS)}, not as {path.name}")
    if not path.parent.is_dir():
        raise ArgumentError(f"there is no folder {path.parent} to write {path.name} to")
    return path


def save_figure(figure: Figure, path: str | Path) -> Path:
    """Write a figure into a file; the same figure gives the same SVG, byte for byte."""
    from matplotlib import rc_context

    path = check_path(path)
    try:
        with rc_context({"svg.hashsalt": path.stem, "svg.fonttype": "none"}):
            figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None, dpi=DPI)
    except OSError as error:
        raise ArgumentError(f"cannot write {path}: {error.strerror}") from None
    return path
