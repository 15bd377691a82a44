"""A position as the page draws it: a picture, where its cells are, and which cells each move names."""

from __future__ import annotations

import re
from typing import Any

from conspirator._line import written
from conspirator._native import Position
from conspirator.figures.board import (
    BOARDS,
    CELL,
    PLAYERS,
    Place,
    board,
    cells,
    has_board,
    hex_centre,
    hex_radius,
    middle,
    native_name,
    player_to_move,
)

UPWARDS = ("chess", "amazons")
"""Boards whose first row is at the bottom."""
MOST_MOVES = 3000
"""Moves that the page is told: more are played by typing them."""


def show(position: Position, last: Any = None) -> dict[str, Any]:
    """Return everything that the page needs to draw a position and to play there.

    >>> import conspirator as cn
    >>> shown = show(cn.games.Othello().start())
    >>> shown["moves"][0], shown["cells"]["d3"]["x"]
    ({'move': 'd3', 'name': 'd3', 'cells': ['d3']}, 146.0)
    """
    name = native_name(position)
    over = position.outcome
    moves = position.moves() if over is None else []
    low, high = position.value_range
    return {
        "svg": board(position, last=last).text if has_board(position) else None,
        "text": str(position),
        "cells": cell_places(position) if name in BOARDS else {},
        "moves": [_move(position, move, name) for move in moves[:MOST_MOVES]],
        "count": len(moves),
        "to_move": position.to_move,
        "mover": player_to_move(position),
        "sides": dict(zip(("max", "min"), PLAYERS.get(name, ("Max", "Min")), strict=True)),
        "outcome": over,
        "winner": winner_of(position),
        "notation": str(position.notation()),
        "range": (low, high),
    }


def winner_of(position: Position) -> str | None:
    """Return who has won a finished game: 'max', 'min' or 'neither'."""
    from conspirator.figures.colours import Scale

    if position.outcome is None:
        return None
    draw = Scale.of([], position.value_range).draw
    return "neither" if position.outcome == draw else "max" if position.outcome > draw else "min"


def _move(position: Position, move: Any, name: str | None) -> dict[str, Any]:
    text = str(move)
    return {"move": text, "name": written(position, move), "cells": cells_of(text, name)}


def cells_of(move: str, name: str | None) -> list[str]:
    """Return the cells that a move names, in the order in which they are clicked.

    >>> cells_of("e2e4", "chess"), cells_of("d1-d7-g7", "amazons"), cells_of("4", "connect-four")
    (['e2', 'e4'], ['d1', 'd7', 'g7'], ['4'])
    """
    if name == "connect-four":
        return [move]
    return re.findall(r"[a-z]\d+", move) if name in BOARDS else []


def cell_places(position: Position) -> dict[str, dict[str, float]]:
    """Return where the cells of a board are in its picture: the middle, and half of the width."""
    name = native_name(position)
    rows = cells(position)
    if name == "hex":
        size = len(rows)
        radius = hex_radius(size)
        return {
            f"{chr(97 + x)}{y + 1}": _spot(*hex_centre(Place(x, y), size), radius * 0.86)
            for y in range(size)
            for x in range(size)
        }
    if name == "connect-four":
        high = len(rows)
        return {
            str(x + 1): {
                **_spot(
                    *middle(Place(x, max([y for y in range(high) if rows[y][x] == "."] or [0]))), CELL / 2
                ),
                "tall": high * CELL,
            }
            for x in range(len(rows[0]))
        }
    high = len(rows)
    return {
        f"{chr(97 + x)}{high - y if name in UPWARDS else y + 1}": _spot(*middle(Place(x, y)), CELL / 2)
        for y in range(high)
        for x in range(len(rows[y]))
    }


def _spot(x: float, y: float, r: float) -> dict[str, float]:
    return {"x": round(x, 2), "y": round(y, 2), "r": round(r, 2)}


def picture(position: Position, last: Any = None) -> dict[str, Any]:
    """Return a position to look at only: its picture, or its text."""
    return {
        "svg": board(position, last=last).text if has_board(position) else None,
        "text": str(position),
        "mover": player_to_move(position),
        "outcome": position.outcome,
    }
