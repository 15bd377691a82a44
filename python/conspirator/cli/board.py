"""Pictures of positions, coloured where the game's stones are known."""

from __future__ import annotations

from rich.text import Text

_STONES = {"X": "bold yellow", "O": "bold red", ".": "dim"}
_PLAYERS = {
    "connect-four": ("X", "O"),
    "hex": ("X", "O"),
    "othello": ("X", "O"),
    "amazons": ("W", "B"),
    "chess": ("White", "Black"),
}
_STYLES = {
    "connect-four": _STONES,
    "hex": _STONES,
    "othello": _STONES,
    "amazons": {"W": "bold yellow", "B": "bold red", "x": "dim", ".": "dim"},
    "chess": {**dict.fromkeys("KQRBNP", "bold yellow"), **dict.fromkeys("kqrnp", "bold red"), ".": "dim"},
}


def players(game: str) -> dict[str, str]:
    """Return what the two players of a game are called on its board.

    >>> players("connect-four"), players("random-tree")
    ({'max': 'X', 'min': 'O'}, {'max': 'Max', 'min': 'Min'})
    """
    first, second = _PLAYERS.get(game, ("Max", "Min"))
    return {"max": first, "min": second}


def say_player(game: str, side: str) -> str:
    """Return a player's name with the side that values are counted from."""
    name = players(game)[side]
    return name if name == side.capitalize() else f"{name} ({side.capitalize()})"


def draw(game: str, picture: str, *, dimmed: bool = False) -> Text:
    """Return the picture of a position as rich text."""
    lines = [line.rstrip() for line in picture.rstrip().splitlines()]
    styles = _STYLES.get(game, {})
    text = Text(no_wrap=True, style="dim" if dimmed else "")
    for character in "\n".join(lines):
        style = styles.get(character, "")
        text.append(character, style=f"{style} not bold dim".strip() if dimmed and style else style)
    return text
