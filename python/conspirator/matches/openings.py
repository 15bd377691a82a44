"""Openings: where the games of a match begin."""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from conspirator._errors import ArgumentError
from conspirator._native import Position
from conspirator._open_spiel import OpenSpielGame
from conspirator._players import Player
from conspirator._search import search
from conspirator._solve_proof import middle
from conspirator.games import NativeGame

MOST_LINES = 20_000
"""Up to so many lines of moves, all are looked at; of more, a random sample."""
JUDGE = "alpha-beta:table=true,nodes=100k"
"""Who says whether an opening is balanced, unless told otherwise."""


@dataclass(frozen=True)
class Opening:
    """A position to begin with, in the game's notation, and the moves made from there.

    >>> import conspirator as cn
    >>> opening = Opening(None, ("4", "4"))
    >>> str(opening), opening.position(cn.games.ConnectFour()) == cn.games.ConnectFour().position("44")
    ('4 4', True)
    """

    notation: str | None = None
    """None: the usual start."""
    moves: tuple[str, ...] = ()

    def start(self, game: Any) -> Position:
        """Return the position before the moves."""
        return read_position(game, self.notation)

    def position(self, game: Any) -> Position:
        """Return the position after the moves."""
        return replay(self.start(game), self.moves)[-1]

    def __str__(self) -> str:
        words = ([self.notation] if self.notation else []) + list(self.moves)
        return " ".join(words) or "start"


def read_position(game: Any, notation: str | None) -> Position:
    """Return the position that a text means: in the game's notation, or a literal for a game in Python."""
    if notation is None:
        return game.start()  # type: ignore[no-any-return]
    if isinstance(game, (NativeGame, OpenSpielGame)):
        return game.position(notation)
    try:
        state = ast.literal_eval(notation)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        raise ArgumentError(
            f"the opening {notation!r} is not a Python literal, such as (21, 1) or 'abc'"
        ) from None
    return game.position(state)  # type: ignore[no-any-return]


def replay(start: Position, moves: Sequence[str]) -> list[Position]:
    """Return all positions of a line of moves that are given as text."""
    positions = [start]
    for word in moves:
        last = positions[-1]
        move = next((move for move in last.moves() if str(move) == word), word)
        positions.append(last.play(move))
    return positions


def after_plies(game: Any, plies: int, count: int | None, seed: int = 1) -> list[Opening]:
    """Return the different positions after so many moves, as openings; evenly chosen if there are too many.

    Where the game has many lines of this length, a random sample is taken.

    >>> import conspirator as cn
    >>> len(after_plies(cn.games.ConnectFour(), 2, None))
    49
    >>> [str(opening) for opening in after_plies(cn.games.ConnectFour(), 4, 3)]
    ['1 1 1 1', '2 4 4 6', '4 4 6 7']
    """
    start = game.start()
    if isinstance(plies, bool) or not isinstance(plies, int) or not 0 <= plies <= 100:
        raise ArgumentError(f"the opening's plies must be a whole number from 0 to 100, not {plies!r}")
    lines = _count_lines(start, plies)
    if lines is not None:
        found: dict[Any, Opening] = {}
        for position, moves in _lines(start, plies):
            found.setdefault(_identity(position), Opening(None, moves))
        every = list(found.values())
    elif count is None:
        raise ArgumentError(
            f"there are more than {MOST_LINES:,} lines of {plies} moves: say how many games to play, as in "
            "games=200"
        )
    else:
        every = _draw(start, plies, count, random.Random(f"openings {seed}"))
    if not every:
        raise ArgumentError(f"no game lasts longer than {plies} moves: use fewer plies")
    return evenly(every, count)


def from_file(game: Any, path: str | Path) -> list[Opening]:
    """Return the openings of a file: one position a line, in the game's notation; # begins a comment."""
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError) as error:
        raise ArgumentError(f"cannot read the openings {path}: {error}") from None
    words = [line.partition("#")[0].strip() for line in lines]
    return from_texts(game, [word for word in words if word], str(path))


def from_texts(game: Any, texts: Sequence[str], source: str = "the list of openings") -> list[Opening]:
    """Return openings from notations, each looked at."""
    openings = []
    for text in texts:
        opening = Opening(str(text))
        if opening.position(game).outcome is not None:
            raise ArgumentError(f"{source}: the game is over in the opening {text!r}")
        openings.append(opening)
    if not openings:
        raise ArgumentError(f"{source} has no openings")
    return openings


def balanced(game: Any, openings: Sequence[Opening], margin: float, judge: Player) -> list[Opening]:
    """Return the openings whose value, by a search, is within the margin of a draw.

    >>> import conspirator as cn
    >>> game = cn.games.ConnectFour()
    >>> few = balanced(game, after_plies(game, 1, None), 6, cn.Player("best-first", expansions=100))
    >>> [str(opening) for opening in few]
    ['1', '7']
    """
    kept = []
    for opening in openings:
        position = opening.position(game)
        value = judge.open().choose(position).value
        if value is None:  # one legal move
            value = search(position, "best-first", expansions=1).value
        if abs(value - middle(*position.value_range)) <= margin:
            kept.append(opening)
    if not kept:
        raise ArgumentError(f"no opening of {len(openings)} is within {margin:g} of a draw: allow more")
    return kept


def evenly(openings: list[Opening], count: int | None) -> list[Opening]:
    """Return so many of the openings, evenly chosen; all if there are not more."""
    if count is None or count >= len(openings):
        return openings
    return [openings[place * len(openings) // count] for place in range(count)]


def _lines(
    position: Position, plies: int, moves: tuple[str, ...] = ()
) -> Iterator[tuple[Position, tuple[str, ...]]]:
    if position.outcome is not None:
        return
    if plies == 0:
        yield position, moves
        return
    for move in position.moves():
        yield from _lines(position.play(move), plies - 1, (*moves, str(move)))


def _identity(position: Position) -> Any:
    """Return what is the same for the same position: its key, if it has one, is quick to compare."""
    key = position.key
    return position if key is None else (key, position.to_move)


def _count_lines(start: Position, plies: int) -> int | None:
    """Return how many lines there are; None if they are too many to look at."""
    count = 1
    for ply in range(1, plies + 1):  # step by step, so that it ends soon
        if count * max(1, len(start.moves()) - ply) > 50 * MOST_LINES:
            return None
        count = start.perft(ply)
        if count > MOST_LINES:
            return None
    return count


def _draw(start: Position, plies: int, count: int, lot: random.Random) -> list[Opening]:
    found: dict[Any, Opening] = {}
    for _ in range(20 * count):
        position, moves = start, list[str]()
        while len(moves) < plies and position.outcome is None:
            move = lot.choice(position.moves())
            moves.append(str(move))
            position = position.play(move)
        if position.outcome is None:
            found.setdefault(_identity(position), Opening(None, tuple(moves)))
        if len(found) == count:
            break
    return list(found.values())
