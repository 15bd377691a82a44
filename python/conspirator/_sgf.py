"""Games in the Smart Game Format: the main line, stones that were set up, and the size of the board."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from conspirator._errors import ArgumentError

_TOKEN = re.compile(r"[();]|([A-Za-z]+)\s*((?:\[(?:\\.|[^\]\\])*\]\s*)+)", re.DOTALL)
_VALUE = re.compile(r"\[((?:\\.|[^\]\\])*)\]", re.DOTALL)
_LETTERS = re.compile(r"[a-z]{2}")


@dataclass
class Sgf:
    """One game."""

    size: int | None = None
    """Rows and columns, if it says so."""
    setup: dict[str, list[str]] = field(default_factory=lambda: {"black": [], "white": []})
    """Stones that were there before the first move."""
    moves: list[tuple[str, str]] = field(default_factory=list)
    """Colours and moves, the main line only."""


def read_sgf(text: str) -> Sgf:
    """Return the first game of a text.

    Cells are written as in Hex, `c7`; two letters, `cg`, mean the same.

    >>> read_sgf("(;FF[4]GM[11]SZ[5];B[c3];W[bb](;B[d3])(;B[e3]))").moves
    [('black', 'c3'), ('white', 'b2'), ('black', 'd3')]
    """
    game, begun = Sgf(), False
    for token in _TOKEN.finditer(text):
        if token[0] == "(":
            begun = True
        elif not begun:
            continue
        elif token[0] == ")":  # what comes after the first end is another variation
            return game
        elif token[1]:
            _take(game, token[1].upper(), [re.sub(r"\\(.)", r"\1", v) for v in _VALUE.findall(token[2])])
    raise ArgumentError(
        "this is no game in SGF: it has no end, or no beginning, such as (;GM[11]SZ[11];B[c7])"
    )


def read_sgf_file(path: str | Path) -> Sgf:
    """Return the first game of a file."""
    try:
        text = Path(path).read_text(encoding="utf-8", errors="replace")
    except (OSError, ValueError) as error:
        raise ArgumentError(f"cannot read the game {path}: {error}") from None
    return read_sgf(text)


def _take(game: Sgf, name: str, values: list[str]) -> None:
    colour = {"B": "black", "W": "white"}.get(name[-1:], "")
    if name == "SZ":
        size = re.match(r"\s*(\d{1,2})\b", values[0])
        if size is None:
            raise ArgumentError(f"the size {values[0]!r} of the game is not a number")
        game.size = int(size[1])
    elif name in ("AB", "AW"):
        game.setup[colour] += [_cell(value) for value in values]
    elif name in ("B", "W"):
        game.moves.append((colour, _cell(values[0])))


def _cell(text: str) -> str:
    word = text.strip().lower()
    return f"{word[0]}{ord(word[1]) - ord('a') + 1}" if _LETTERS.fullmatch(word) else word
