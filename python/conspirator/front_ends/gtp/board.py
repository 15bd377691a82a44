"""The game that is being played: where it stands, and the way back."""

from __future__ import annotations

from typing import Any

import conspirator as cn
from conspirator.front_ends.gtp.dialects import Dialect
from conspirator.front_ends.gtp.sides import is_enlarged, picture, turned

RESIGN = "resign"
"""What a player says who gives up."""
USUAL_SIZE = 11
"""Rows and columns of Hex if nobody says otherwise."""


class Board:
    """A game from its start, with the positions before each move."""

    def __init__(self, dialect: Dialect, options: dict[str, Any]) -> None:
        self._dialect = dialect
        self.options = options
        """The game's parameters."""
        self.restart()

    def restart(self, **options: Any) -> None:
        """Set up a new game, with other options if any are given."""
        merged = {**self.options, **options}
        self.game = cn.games.make(self._dialect.game, **merged)
        """The game."""
        self.options = merged
        self._begin(self.game.start())

    def set_up(self, notation: str) -> None:
        """Begin a new game from a position in the package's notation."""
        self._begin(self.game.position(notation))

    def become(self, other: Board) -> None:
        """Take over another board's game."""
        vars(self).update(vars(other))

    def _begin(self, position: cn.Position) -> None:
        self.position = position
        self.resigned: str | None = None
        """The player who has given up."""
        self._past: list[tuple[cn.Position, str | None]] = []

    def turn(self, player: str) -> cn.Position:
        """Return the position in which a player is to move, whoever moved last.

        Two moves of one colour in a row are a move, a pass and a move, where a pass is all there is.
        Elsewhere the same board is taken with the other side to move; an error if there is no such position.
        """
        if self.position.outcome is not None:
            raise cn.PositionError(f"the game is over: {self._dialect.score(self.position)}")
        if self.resigned is not None:
            raise cn.PositionError(f"the game is over: {self.score()}")
        if self.position.to_move == player:
            return self.position
        if self.position.moves() == ["pass"]:
            return self.position.play("pass")
        return turned(self._dialect.game, self.position, player, self._size)

    def play(self, player: str, move: str) -> None:
        """Make a player's move."""
        before = self.turn(player)
        if move == RESIGN:
            self._past.append((self.position, self.resigned))
            self.resigned = player
            return
        if move == "swap":
            after = self._swapped(before)
        elif move in before.moves():
            after = before.play(move)
        else:
            raise cn.PositionError(f"illegal move {move!r}")
        if self.is_enlarged and after.outcome is None:
            after = turned(self._dialect.game, after, after.to_move, self._size)
        self._past.append((self.position, self.resigned))
        self.position = after

    @property
    def _size(self) -> int:
        return int(self.options.get("size") or USUAL_SIZE)

    @property
    def is_enlarged(self) -> bool:
        """Whether one side has more stones of Hex than turns explain."""
        return self._dialect.game == "hex" and is_enlarged(self.position, self._size)

    def picture(self) -> str:
        """Return the board as text."""
        return picture(self.position, self._size) if self._dialect.game == "hex" else str(self.position)

    def ordinary(self, player: str | None = None) -> cn.Position:
        """Return the position, with a player to move, if the real board has it: turns explain the stones."""
        position = self.position if player is None else self.turn(player)
        if self._dialect.game == "hex" and is_enlarged(position, self._size):
            raise cn.PositionError(
                "one side has more stones than turns explain; genmove, lz-analyze and solve-state answer here"
            )
        return position

    def _swapped(self, before: cn.Position) -> cn.Position:
        """Let White take over the first stone; a rival may do so even where this program would not."""
        if "swap" in before.moves():
            return before.play("swap")
        exchanged = before.swapped() if len(self._past) == 1 else None
        if exchanged is None:
            raise cn.PositionError("only the second move of a game can be swap-pieces")
        return exchanged

    def undo(self) -> None:
        """Take the last move back."""
        if not self._past:
            raise cn.PositionError("cannot undo, there is no move to take back")
        self.position, self.resigned = self._past.pop()

    def score(self) -> str:
        """Return the result of a finished game."""
        if self.resigned is not None:
            return f"{self._dialect.letter('min' if self.resigned == 'max' else 'max')}+Resign"
        return self._dialect.score(self.position)
