"""Moves as people type them, and as they like to read them."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any

import conspirator as cn
from conspirator._line import has_other_names, written

_MOST_LISTED = 30


def find_move(position: cn.Position, text: str) -> Any:
    """Return the legal move that a text means, in upper or lower case; an error that lists what is legal.

    Chess is read in both notations; the moves of a Python game may be any objects.

    >>> chess, hexagons = cn.games.Chess().start(), cn.games.Hex(size=5).start()
    >>> find_move(chess, "nf3"), find_move(chess, "E2-E4"), find_move(hexagons, "B3")
    ('g1f3', 'e2e4', 'b3')
    """
    moves = position.moves()
    for move in moves:
        if str(move) == text:
            return move
    try:
        return moves[position.place(text)]
    except cn.PositionError:
        pass  # it may still be a move in other letters
    if position.state is not None:
        try:
            value = ast.literal_eval(text)
        except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
            value = None
        if value is not None and value in moves:
            return moves[moves.index(value)]
    wanted = _key(text)
    found = [move for move in moves if wanted and _key(str(move)) == wanted]
    if not found and wanted and has_other_names(position):
        found = [move for move in moves if _key(position.describe(move)) == wanted]
    if len(found) == 1:
        return found[0]
    if found:
        choices = " or ".join(written(position, move) for move in found)
        raise cn.PositionError(f"{text!r} could be {choices}; write one of them")
    raise cn.PositionError(f"{text!r} is not a legal move here; legal: {list_moves(position)}")


def list_moves(position: cn.Position, most: int = _MOST_LISTED) -> str:
    """Return the legal moves in one line, the first of them if there are very many.

    >>> list_moves(cn.games.ConnectFour().start())
    '1, 2, 3, 4, 5, 6, 7'
    >>> list_moves(cn.games.Hex(size=9).start(), most=2)
    'a1, b1 and 79 more (type: moves)'
    """
    moves = position.moves()
    words = [written(position, move) for move in moves[:most]]
    more = f" and {len(moves) - most} more (type: moves)" if len(moves) > most else ""
    return ", ".join(words) + more


def nearest(word: str, known: Sequence[str]) -> str | None:
    """Return the word that was probably meant.

    >>> nearest("hnit", ["hint", "undo"])
    'hint'
    """
    return next(iter(get_close_matches(word.lower(), known, 1, cutoff=0.7)), None)


def _key(text: str) -> str:
    """Return what remains of a move without case, separators and the signs for captures and checks."""
    castling = text.lower().replace("0-0", "o-o")
    return re.sub(r"(?<=[a-h1-8])x(?=[a-h])|(?<=[kqrbn])x(?=[a-h])|[^a-z0-9]", "", castling)
