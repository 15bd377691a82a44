"""Setting up a position by hand: pieces on cells, who is to move, and the notation of what stands there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import groupby, zip_longest
from typing import Any, cast

import conspirator as cn
from conspirator._errors import ArgumentError, ConspiratorError
from conspirator.figures.board import (
    BOARDS,
    CELL,
    CHESS,
    PLAYERS,
    Marks,
    Place,
    cells,
    disc,
    hex_centre,
    hex_radius,
    middle,
    native_name,
)
from conspirator.figures.svg import picture, tag, words
from conspirator.studio.choice import short_text, simple

EMPTY = "."
"""The sign of a cell on which nothing stands."""
LARGEST = 30
"""Rows and columns of a board at the most."""
CHESSMEN = {"k": "king", "q": "queen", "r": "rook", "b": "bishop", "n": "knight", "p": "pawn"}
COLOURS = {
    "hex": {"X": ("#111111", "#000000"), "O": ("#ffffff", "#555555")},
    "othello": {"X": ("#111111", "#000000"), "O": ("#fafafa", "#777777")},
    "connect-four": {"X": ("#d94a3d", "#8f2a21"), "O": ("#f4c430", "#a8841a")},
}
"""The stones of the games that have no other pieces: fill and edge."""


@dataclass(frozen=True)
class Arrangement:
    """What stands on a board; it need not be a position that can be played.

    >>> import conspirator as cn
    >>> put = Arrangement.of(cn.games.Hex(size=3).start()).put(1, 1, "X").put(0, 1, "O")
    >>> put.notation(), put.but(to_move="min").notation()
    ('b2 a2', 'white a2 b2')
    """

    game: Any
    rows: tuple[tuple[str, ...], ...]
    to_move: str
    castling: str = "-"
    """The rights to castle, of chess."""

    @classmethod
    def of(cls, position: cn.Position) -> Arrangement:
        """Return what stands on a board of ours."""
        name = native_name(position)
        if name not in BOARDS:
            raise ArgumentError("this game has no board to put pieces on: write the position as text")
        rows = tuple(tuple(row) for row in cells(position))
        castling = str(position.notation()).split()[2] if name == "chess" else "-"
        return cls(position.game, rows, position.to_move, castling)

    @property
    def name(self) -> str:
        """The name of the game."""
        return str(self.game.name)

    def but(self, **changes: Any) -> Arrangement:
        """Return another arrangement, with some things changed."""
        return replace(self, **changes)

    def cleared(self) -> Arrangement:
        """Return an empty board."""
        return self.but(rows=tuple((EMPTY,) * len(row) for row in self.rows), castling="-")

    def put(self, column: int, row: int, sign: str) -> Arrangement:
        """Return the board with a piece on a cell; the same piece a second time takes it away.

        In Connect-Four stones fall, and the uppermost one is taken away.
        """
        if not (0 <= row < len(self.rows) and 0 <= column < len(self.rows[row])):
            raise ArgumentError("there is no such cell on this board")
        if sign != EMPTY and sign not in pieces(self.name):
            raise ArgumentError(f"there is no piece {sign!r} in this game")
        if self.name == "connect-four":
            heap = [line[column] for line in self.rows if line[column] != EMPTY]
            if sign != EMPTY and len(heap) == len(self.rows):
                raise ArgumentError("this column is full")
            heap = heap[1:] if sign == EMPTY else [sign, *heap]
            filled = [EMPTY] * (len(self.rows) - len(heap)) + heap
            rows = [
                (*line[:column], new, *line[column + 1 :])
                for line, new in zip(self.rows, filled, strict=True)
            ]
            return self.but(rows=tuple(rows))
        line = self.rows[row]
        new = EMPTY if line[column] == sign else sign
        changed = (*line[:column], new, *line[column + 1 :])
        return self.but(rows=(*self.rows[:row], changed, *self.rows[row + 1 :]))

    def notation(self) -> str:
        """Return the position in the game's notation; what cannot be written is an error."""
        return WRITERS[self.name](self)

    def position(self) -> cn.Position:
        """Return the position; an arrangement that cannot be played is an error."""
        return cast(cn.Position, self.game.position(self.notation()))

    def __str__(self) -> str:
        """Return the board as positions print it, for the picture."""
        if self.name == "connect-four":
            return "\n".join(" ".join(row) for row in self.rows)
        return "\n".join(f"{n} {' '.join(row)}" for n, row in enumerate(self.rows, 1))

    def told(self) -> dict[str, Any]:
        """Return what the page shows: the board, its cells, and the notation or why there is none."""
        notation, problem = None, ""
        try:
            notation = str(self.position().notation())
        except ConspiratorError as error:
            problem = str(error)
        # the drawing asks for signs, the game and whose turn it is
        drawn = BOARDS[self.name](cast(cn.Position, _Drawn(self)), Marks())
        return {
            "svg": drawn.text,
            "rows": self.rows,
            "to_move": self.to_move,
            "castling": self.castling if self.name == "chess" else None,
            "sides": dict(zip(("max", "min"), PLAYERS[self.name], strict=True)),
            "pieces": pieces(self.name),
            "cells": spots(self),
            "notation": notation,
            "problem": problem,
        }


class _Drawn:
    """An arrangement in place of a position, for those who draw boards."""

    def __init__(self, arrangement: Arrangement) -> None:
        self.game, self.to_move, self._text = arrangement.game, arrangement.to_move, str(arrangement)

    def __str__(self) -> str:
        return self._text

    def notation(self) -> str:
        """No last move is known."""
        return ""


def edited(position: cn.Position, message: dict[str, Any]) -> Arrangement:
    """Return what the page has on its board after what was done there.

    `rows` is what stood there, or None for the position; `put` is a column, a row and a piece.
    """
    now = Arrangement.of(position)
    if message.get("rows") is not None:
        now = now.but(rows=_read_rows(message["rows"], now))
    side = message.get("to_move")
    if side in ("max", "min"):
        now = now.but(to_move=side)
    if message.get("castling") is not None:
        now = now.but(castling=short_text(message["castling"], "the rights to castle")[:8] or "-")
    whole = message.get("board")
    if whole == "empty":
        now = now.cleared()
    elif whole == "start":
        now = Arrangement.of(now.game.start())
    given = simple(message.get("put"))
    if given:
        column, row = given.get("column"), given.get("row")
        if type(column) is not int or type(row) is not int:
            raise ArgumentError("a cell is a column and a row")
        now = now.put(column, row, short_text(given.get("piece"), "the piece"))
    return now


def _read_rows(given: Any, like: Arrangement) -> tuple[tuple[str, ...], ...]:
    allowed = {EMPTY, *pieces(like.name)}
    shape = [len(row) for row in like.rows]
    fits = (
        isinstance(given, list)
        and len(given) <= LARGEST
        and all(isinstance(row, list) and all(isinstance(sign, str) for sign in row) for row in given)
        and [len(row) for row in given] == shape
    )
    if not fits or not {sign for row in given for sign in row} <= allowed:
        raise ArgumentError("this is no board of the game")
    return tuple(tuple(row) for row in given)


def spots(arrangement: Arrangement) -> list[dict[str, Any]]:
    """Return the cells: where they are in the picture, their names, and what stands there."""
    rows, name = arrangement.rows, arrangement.name
    high = len(rows)
    found = []
    for y, row in enumerate(rows):
        for x, sign in enumerate(row):
            place = Place(x, y)
            at = hex_centre(place, high) if name == "hex" else middle(place)
            number = high - y if name in ("chess", "amazons", "connect-four") else y + 1
            radius = 0.86 * hex_radius(high) if name == "hex" else CELL / 2
            found.append(
                {"column": x, "row": y, "name": f"{chr(97 + x)}{number}", "piece": sign}
                | {"x": round(at[0], 2), "y": round(at[1], 2), "r": round(radius, 2)}
            )
    return found


def pieces(game: str) -> dict[str, dict[str, str]]:
    """Return a game's pieces by their signs: what they are called, and how they look.

    >>> [piece["name"] for piece in pieces("amazons").values()]
    ['White queen', 'Black queen', 'burnt square']
    """
    centre = CELL / 2
    made: dict[str, tuple[str, str]] = {}
    if game == "chess":
        for white in (True, False):
            for letter, word in CHESSMEN.items():
                sign = letter.upper() if white else letter
                made[sign] = (f"{'White' if white else 'Black'} {word}", _man(letter, white=white))
    elif game == "amazons":
        made = {"W": ("White queen", _man("q", white=True)), "B": ("Black queen", _man("q", white=False))}
        burnt = tag("rect", x=4, y=4, width=CELL - 8, height=CELL - 8, rx=4, fill="#5b5f66")
        made["x"] = ("burnt square", burnt + words(centre, centre, "×", 22, fill="#c9ccd1"))
    else:
        for sign, side in zip("XO", PLAYERS[game], strict=True):
            made[sign] = (f"{side} stone", disc(centre, centre, 0.4 * CELL, *COLOURS[game][sign]))
    return {
        sign: {"name": name, "svg": picture(CELL, CELL, [drawn], name).text}
        for sign, (name, drawn) in made.items()
    }


def _man(letter: str, *, white: bool) -> str:
    fill, stroke = ("#ffffff", "#222222") if white else ("#1a1a1a", "#1a1a1a")
    style = {"fill": fill, "stroke": stroke, "stroke_width": 1.2, "paint_order": "stroke"}
    return words(CELL / 2, CELL / 2, CHESS[letter] + "\ufe0e", 0.8 * CELL, **style)


def _short(row: tuple[str, ...]) -> str:
    """Return a row with numbers for the empty cells."""
    runs = ((sign, len(list(run))) for sign, run in groupby(row))
    return "".join(str(count) if sign == EMPTY else sign * count for sign, count in runs)


def _chess(this: Arrangement) -> str:
    board = "/".join(_short(row) for row in this.rows)
    rights = this.castling
    if set(rights) <= set("KQkq"):  # as far as king and rook are at home
        home = {"K": (7, "K", 7, "R"), "Q": (7, "K", 0, "R"), "k": (0, "k", 7, "r"), "q": (0, "k", 0, "r")}
        rights = "".join(
            right
            for right, (row, king, column, rook) in home.items()
            if right in rights and this.rows[row][4] == king and this.rows[row][column] == rook
        )
    return f"{board} {'w' if this.to_move == 'max' else 'b'} {rights or '-'} - 0 1"


def _amazons(this: Arrangement) -> str:
    return "/".join(_short(row) for row in this.rows).lower() + (" w" if this.to_move == "max" else " b")


def _othello(this: Arrangement) -> str:
    board = "".join("".join(row) for row in this.rows).replace(EMPTY, "-")
    return f"{board} {'X' if this.to_move == 'max' else 'O'}"


def _connect_four(this: Arrangement) -> str:
    return "/".join("".join(row) for row in this.rows) + (" X" if this.to_move == "max" else " O")


def _hex(this: Arrangement) -> str:
    stones: dict[str, list[str]] = {"X": [], "O": []}
    for y, row in enumerate(this.rows):
        for x, sign in enumerate(row):
            if sign != EMPTY:
                stones[sign].append(f"{chr(97 + x)}{y + 1}")
    black, white = stones["X"], stones["O"]
    turn = len(black) - len(white)
    if turn not in ((0, -1) if this.to_move == "max" else (0, 1)):
        mover, other = PLAYERS["hex"] if this.to_move == "max" else PLAYERS["hex"][::-1]
        raise ArgumentError(
            f"{mover} is to move: {other} has as many stones as {mover}, or one more; here are "
            f"{len(black)} black ones and {len(white)} white ones"
        )
    white_begins = turn == (-1 if this.to_move == "max" else 0)
    first, second = (white, black) if white_begins else (black, white)
    moves = [cell for pair in zip_longest(first, second) for cell in pair if cell is not None]
    return " ".join(["white", *moves] if white_begins else moves)


WRITERS: dict[str, Callable[[Arrangement], str]] = {
    "chess": _chess,
    "amazons": _amazons,
    "othello": _othello,
    "connect-four": _connect_four,
    "hex": _hex,
}
"""How the notation of each game is written."""
