"""A game with its branches: every move that was tried stays, and none is played twice."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from conspirator._errors import ArgumentError
from conspirator._line import written
from conspirator._native import Position

MOST_STEPS = 20_000
"""Moves of one game with all its branches."""


@dataclass
class Step:
    """A move of the game; the first step is the start, and has none."""

    position: Position
    parent: int | None = None
    move: Any = None
    name: str = ""
    children: list[int] = field(default_factory=list)
    value: float | None = None
    """What its player thought of it, from Max's side."""


class Moves:
    """The moves of a game, the branches among them, and where we are.

    >>> import conspirator as cn
    >>> moves = Moves(cn.games.ConnectFour().start())
    >>> moves.play("4"), moves.back(), moves.play("3"), moves.back(), moves.play("4")
    (1, 0, 2, 0, 1)
    >>> moves.line()
    [0, 1]
    """

    def __init__(self, start: Position) -> None:
        self.steps = [Step(start)]
        self.current = 0

    @property
    def position(self) -> Position:
        """Where we are."""
        return self.steps[self.current].position

    def play(self, move: Any, value: float | None = None) -> int:
        """Make a move, in any of its notations; return its number."""
        here = self.position
        if here.outcome is not None:
            raise ArgumentError("the game is over: take back a move, or begin a new game")
        legal = here.moves()[here.place(self._found(here, move))]
        here_number = self.current
        for child in self.steps[here_number].children:
            if self.steps[child].move == legal:
                self.current = child
                break
        else:
            if len(self.steps) >= MOST_STEPS:
                raise ArgumentError("the game has too many branches: begin a new one")
            self.steps.append(Step(here.play(legal), here_number, legal, written(here, legal)))
            self.current = len(self.steps) - 1
            self.steps[here_number].children.append(self.current)
        if value is not None:
            self.steps[self.current].value = value
        return self.current

    @staticmethod
    def _found(here: Position, move: Any) -> Any:
        """Return the move that a text of the page means; moves of games in Python need not be texts."""
        if here.state is None:
            return move
        for legal in here.moves():
            if str(legal) == move or here.describe(legal) == move:
                return legal
        return move

    def back(self) -> int:
        """Go back one move; return where we are."""
        parent = self.steps[self.current].parent
        self.current = self.current if parent is None else parent
        return self.current

    def go(self, number: Any) -> None:
        """Go to a move."""
        if type(number) is not int or not 0 <= number < len(self.steps):
            raise ArgumentError(f"there is no move number {number!r}")
        self.current = number

    def line(self) -> list[int]:
        """Return the numbers of the moves that led here, the start first."""
        numbers = [self.current]
        while (parent := self.steps[numbers[-1]].parent) is not None:
            numbers.append(parent)
        return numbers[::-1]

    def told(self) -> list[dict[str, Any]]:
        """Return the moves as the page keeps them, and gives them back to a studio that was restarted."""
        return [
            {
                "parent": step.parent,
                "move": None if step.parent is None else str(step.move),
                "name": step.name,
                "value": step.value,
            }
            for step in self.steps
        ]

    def restore(self, told: Any, current: Any) -> None:
        """Play moves that the page has kept."""
        if not isinstance(told, list) or len(told) > MOST_STEPS:
            raise ArgumentError("these are no moves of a game")
        for entry in told[1:]:
            self.go(entry.get("parent") if isinstance(entry, dict) else None)
            self.play(entry.get("move"))
        self.go(current if type(current) is int and 0 <= current < len(self.steps) else 0)
