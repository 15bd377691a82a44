"""Small pictures as SVG text, without matplotlib: what notebooks show of positions and searches."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from pathlib import Path

from conspirator._errors import ArgumentError

GREY = "#888888"
"""Legible on light and on dark pages."""
ACCENT = "#d0342c"
"""What marks a move."""


@dataclass(frozen=True)
class Picture:
    """A picture that shows itself in a notebook; `text` is its SVG, and `save` writes it into a file.

    >>> import conspirator as cn
    >>> from conspirator.figures import board
    >>> picture = board(cn.games.Othello().start())
    >>> picture.text[:4], picture.save("othello.svg")               # doctest: +SKIP
    ('<svg', PosixPath('othello.svg'))
    """

    text: str
    """The SVG."""

    def save(self, path: str | Path) -> Path:
        """Write it into a file whose name ends with .svg; return the path."""
        path = Path(path)
        if path.suffix != ".svg":
            raise ArgumentError(f"a board is written as .svg, not as {path.name}")
        try:
            path.write_text(self.text + "\n", encoding="utf-8")
        except OSError as error:
            raise ArgumentError(f"cannot write {path}: {error.strerror}") from None
        return path

    def _repr_svg_(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Picture: {len(self.text):,} characters of SVG>"


def picture(width: float, height: float, parts: Iterable[str], words: str) -> Picture:
    """Return a picture of some parts, which are SVG already; the words are for people who cannot see it."""
    size = f'width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}"'
    font = 'font-family="DejaVu Sans, Segoe UI, Helvetica, Arial, sans-serif"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} {font} role="img"><title>{escape(words)}</title>'
    return Picture("".join([head, *parts, "</svg>"]))


def tag(name: str, **attributes: object) -> str:
    """Return an element without content; an underscore in an attribute's name stands for a hyphen.

    >>> tag("circle", r=1.50, stroke_width=2)
    '<circle r="1.5" stroke-width="2"></circle>'
    """
    return f"<{name}{written(attributes)}></{name}>"


def words(x: float, y: float, text: object, size: float, **attributes: object) -> str:
    """Return a text whose middle is at a point.

    >>> words(1, 2, "<b>", 10)
    '<text x="1" y="2" font-size="10" text-anchor="middle" dominant-baseline="central">&lt;b&gt;</text>'
    """
    place = {"x": x, "y": y, "font_size": size, "text_anchor": "middle", "dominant_baseline": "central"}
    return f"<text{written(place | attributes)}>{escape(str(text))}</text>"


def written(attributes: dict[str, object]) -> str:
    """Return attributes as an element has them; numbers in few digits."""
    return "".join(
        f' {name.replace("_", "-")}="{round(value, 2):g}"'
        if isinstance(value, (int, float))
        else f' {name.replace("_", "-")}="{escape(str(value))}"'
        for name, value in attributes.items()
    )
