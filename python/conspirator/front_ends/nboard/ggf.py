"""Games of Othello in the Generic Game Format, as far as NBoard sends them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import conspirator as cn

_PROPERTY = re.compile(r"([A-Za-z]{1,2})\[([^\]]*)\]")
_CLOCK = re.compile(r"(?:(?P<hours>\d{1,3}):)?(?P<minutes>\d{1,4}):(?P<seconds>\d{1,2})")


@dataclass
class Record:
    """A game: its positions from the start on, and the clocks."""

    positions: list[cn.Position]
    """All positions, passes counted as moves; the last one is where the game stands."""
    clock: dict[str, float] = field(default_factory=dict)
    """The seconds that each player has left, where the game says so."""

    @property
    def position(self) -> cn.Position:
        """Where the game stands."""
        return self.positions[-1]

    def play(self, text: str, player: str | None = None) -> None:
        """Make a move, such as F5, or PA for a pass; passes may be left out."""
        move = {"pa": "pass", "ps": "pass"}.get(text.lower(), text.lower())
        new = []
        here = self.position
        if move != "pass" and here.moves() == ["pass"]:
            here = here.play("pass")
            new.append(here)
        if player not in (None, here.to_move):
            raise cn.PositionError(f"{text} is played out of turn")
        self.positions += [*new, here.play(move)]


def read_game(text: str) -> Record:
    """Return the game that a text in the Generic Game Format describes.

    >>> board = "-" * 27 + "O*------*O" + "-" * 27
    >>> record = read_game(f"(;GM[Othello]TI[05:00]BO[8 {board} *]B[F5//2]W[d6];)")
    >>> len(record.positions), record.clock
    (3, {'max': 298.0, 'min': 300.0})
    """
    properties = [(name.upper(), value) for name, value in _PROPERTY.findall(text)]
    named = dict(reversed(properties))
    if named.get("GM", "Othello").lower() != "othello":
        raise cn.PositionError(f"the game is {named['GM']!r}, not Othello")
    record = Record([_read_board(named.get("BO", ""))])
    start = _read_clock(named.get("TI", ""))
    if start is not None:
        record.clock = {"max": start, "min": start}
    for name, value in properties:
        if name in ("B", "W"):
            player = "max" if name == "B" else "min"
            move, *rest = (part.strip() for part in value.split("/"))
            record.play(move, player)
            if player in record.clock and len(rest) == 2:
                record.clock[player] -= _read_seconds(rest[1])
    return record


def _read_board(text: str) -> cn.Position:
    size, *rest = text.split() or [""]
    squares, player = "".join(rest)[:-1], "".join(rest)[-1:]
    if size != "8" or len(squares) != 64 or player not in ("*", "O", "o"):
        raise cn.PositionError("the game has no board of 8 x 8: BO[8, 64 squares, and * or O to move]")
    return cn.games.Othello().position(f"{squares} {'X' if player == '*' else 'O'}")


def _read_clock(text: str) -> float | None:
    match = _CLOCK.match(text)
    if match is None:
        return None
    return int(match["hours"] or 0) * 3600 + int(match["minutes"]) * 60.0 + int(match["seconds"])


def _read_seconds(text: str) -> float:
    """Return the time of a move; none where it is left out, or is no time."""
    try:
        seconds = float(text)
    except ValueError:
        return 0.0
    return seconds if 0 <= seconds < 1e6 else 0.0
