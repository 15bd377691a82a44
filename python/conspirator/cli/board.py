"""Pictures of positions, coloured where the game's stones are known, with the last move marked."""

from __future__ import annotations

import re
from typing import Any

from rich.text import Text

import conspirator as cn
from conspirator._record import places, side_names

_STONES = {"X": "bold yellow", "O": "bold red", ".": "dim"}
_STYLES = {
    "connect-four": _STONES,
    "hex": _STONES,
    "othello": _STONES,
    "amazons": {"W": "bold yellow", "B": "bold red", "x": "dim", ".": "dim"},
    "chess": {**dict.fromkeys("KQRBNP", "bold yellow"), **dict.fromkeys("kqrbnp", "bold red"), ".": "dim"},
}
MARK = "reverse"
"""How the cells of the last move look."""


def players(game: str) -> dict[str, str]:
    """Return what the two players of a game are called on its board.

    >>> players("connect-four"), players("random-tree")
    ({'max': 'X', 'min': 'O'}, {'max': 'Max', 'min': 'Min'})
    """
    return side_names(game)


def say_player(game: str, side: str) -> str:
    """Return a player's name with the side that values are counted from."""
    name = players(game)[side]
    return name if name == side.capitalize() else f"{name} ({side.capitalize()})"


def draw(
    game: str, picture: str, *, dimmed: bool = False, marked: frozenset[tuple[int, int]] = frozenset()
) -> Text:
    """Return the picture of a position as rich text; `marked` are lines and places in them."""
    lines = [line.rstrip() for line in picture.rstrip().splitlines()]
    styles = _STYLES.get(game, {})
    # letters beside the board are no stones: in chess there is a file b and a bishop b
    board = frozenset(places("\n".join(lines)).values())
    text = Text(no_wrap=True, style="dim" if dimmed else "")
    for number, line in enumerate(lines):
        text.append("\n" if number else "")
        for at, sign in enumerate(line):
            style = styles.get(sign, "") if not board or (number, at) in board else ""
            style = f"{style} not bold dim".strip() if dimmed and style else style
            text.append(sign, style=f"{style} {MARK}".strip() if (number, at) in marked else style)
    return text


def marks(before: cn.Position, move: Any, after: cn.Position) -> frozenset[tuple[int, int]]:
    """Return where a move shows on the picture after it: the cells that it names, or else what is new.

    >>> game = cn.games.Hex(size=3)
    >>> marks(game.start(), "b1", game.position("b1"))
    frozenset({(1, 6)})
    """
    old, new = ([line.rstrip() for line in str(p).rstrip().splitlines()] for p in (before, after))
    board = places("\n".join(new))
    if board and (named := [cell for cell in re.findall(r"[a-z]\d+", str(move)) if cell in board]):
        return frozenset(board[cell] for cell in named)
    if len(new) < 2 or list(map(len, old)) != list(map(len, new)):
        return frozenset()
    changed = {
        (number, at)
        for number, (one, other) in enumerate(zip(old, new, strict=True))
        for at in range(len(one))
        if one[at] != other[at] and other[at] not in " ."
    }
    return frozenset(changed)
