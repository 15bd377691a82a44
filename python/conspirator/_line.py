"""Lines of moves: as people write them, and played again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from conspirator._errors import ConspiratorError, PositionError
from conspirator._native import Position


def written(position: Position, move: Any) -> str:
    """Return a move as people write it: in chess `Nf3`, in your game by `move_name`, elsewhere its name.

    >>> import conspirator as cn
    >>> written(cn.games.Chess().start(), "g1f3"), written(cn.games.Hex().start(), "b3")
    ('Nf3', 'b3')
    """
    return position.describe(move) if has_other_names(position) else str(move)


def written_line(position: Position, moves: Sequence[Any]) -> list[str]:
    """Return moves that follow each other as people write them.

    >>> import conspirator as cn
    >>> written_line(cn.games.Chess().start(), ["e2e4", "g8f6"])
    ['e4', 'Nf6']
    """
    words = []
    for move in moves:
        words.append(written(position, move))
        position = position.play(move)
    return words


def has_other_names(position: Position) -> bool:
    """Tell whether people may write this game's moves in another way than the package; asking costs time."""
    return position.state is not None or getattr(position.game, "name", None) == "chess"


def replay(start: Position, moves: Sequence[Any], *, play_on: bool = False) -> list[Position]:
    """Return all positions of a game; an error that says which move cannot be made.

    With `play_on` nobody claims a draw before the end.

    >>> import conspirator as cn
    >>> [str(position.to_move) for position in replay(cn.games.Hex().start(), ["a1", "b2"])]
    ['max', 'min', 'max']
    """
    positions = [start]
    for number, move in enumerate(moves, 1):
        if play_on:
            positions[-1] = unclaimed(positions[-1])
        if positions[-1].outcome is not None:
            raise PositionError(f"the game is over before move {number}, {move}: leave out the rest")
        try:
            positions.append(positions[-1].play(move))
        except PositionError:
            raise PositionError(f"move {number}, {move}, is not legal there") from None
    return positions


def unclaimed(position: Position) -> Position:
    """Return a position in which nobody claims a draw; itself if the game is over for good.

    >>> import conspirator as cn
    >>> len(unclaimed(cn.games.Chess().position("8/8/4k3/8/8/3QK3/8/8 b - - 100 80")).moves()) > 0
    True
    """
    try:
        return position.play_on()
    except ConspiratorError:
        return position


__all__ = ["has_other_names", "replay", "unclaimed", "written", "written_line"]
