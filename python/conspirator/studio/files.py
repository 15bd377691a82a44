"""Games from files that the page opens: PGN for chess, SGF for Hex and Othello."""

from __future__ import annotations

from typing import Any, NamedTuple

import conspirator as cn
from conspirator._errors import ArgumentError, PositionError
from conspirator._pgn import read_pgn
from conspirator._sgf import read_sgf
from conspirator.studio.choice import short_text

MOST_FILE = 900_000
"""Characters of a file."""


class Opened(NamedTuple):
    """A game from a file."""

    game: str
    options: dict[str, Any]
    start: cn.Position
    moves: list[Any]


def open_game(name: Any, text: Any) -> Opened:
    """Return the first game of a file, by what is in it.

    >>> open_game("a.sgf", "(;FF[4]GM[11]SZ[5];B[c3];W[bb])").moves
    ['c3', 'b2']
    >>> open_game("a.pgn", "1. e4 e5 *").moves
    ['e4', 'e5']
    """
    short_text(name, "the name of the file")
    if not isinstance(text, str) or len(text) > MOST_FILE:
        raise ArgumentError(f"the file is too long: at most {MOST_FILE:,} characters")
    if text.lstrip("\ufeff \t\r\n").startswith("("):
        return _sgf(text)
    games = read_pgn(text)
    if not games:
        raise ArgumentError("there is no game in this file: PGN and SGF are understood")
    start = games[0].start()
    options = {"chess960": True} if start.game._parameters.get("chess960") else {}
    return Opened("chess", options, start, list(games[0].moves))


def _sgf(text: str) -> Opened:
    game = read_sgf(text)
    if "GM[2]" in text.replace(" ", ""):
        start = cn.games.Othello().start()
        moves = [move or "pass" for _, move in game.moves]
        _without_stones(game.setup)
        return Opened("othello", {}, start, moves)
    options = {"size": game.size or 11}
    _without_stones(game.setup)
    moves = ["swap" if move.startswith("swap") else move for _, move in game.moves]
    if "swap" in moves:
        options["swap"] = True
    return Opened("hex", options, cn.games.make("hex", **options).start(), moves)


def _without_stones(setup: dict[str, list[str]]) -> None:
    if any(setup.values()):
        raise PositionError("a game that begins with stones on the board is not opened here")
