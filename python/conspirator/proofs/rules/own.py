"""A game of the user's, by its own methods: `moves`, `play`, `outcome` or `evaluate`, `to_move`, `key`."""

from __future__ import annotations

from typing import Any


class OwnGame:
    """A state is (the user's state, whether Max is to move)."""

    def __init__(self, game: Any, state: Any, max_moves: bool) -> None:
        self.game, self.root = game, (state, max_moves)
        low, high = map(float, game.value_range)
        middle = low / 2 + high / 2
        self.middle = middle if abs(middle) < float("inf") else min(max(0.0, low), high)
        self.repeats, self.longest = self.written("key"), None

    def written(self, name: str) -> bool:
        """Tell whether the user wrote a method."""
        return not hasattr(getattr(self.game, name), "_not_written")

    def read(self, text: str) -> Any:  # noqa: ARG002 - the caller has compared the text
        """Return the state that the user gave."""
        return self.root

    def max_to_move(self, state: Any) -> bool:
        """Tell whether Max is to move."""
        return bool(state[1])

    def outcome(self, state: Any) -> float | None:
        """Return the value of a finished game: by `outcome`, or by `evaluate` where there are no moves."""
        if self.written("outcome"):
            value = self.game.outcome(state[0])
        else:
            value = None if list(self.game.moves(state[0])) else self.game.evaluate(state[0])
            value = value[0] if isinstance(value, tuple) else value
        return None if value is None else float(value)

    def moves(self, state: Any) -> list[Any]:
        """Return the moves in the game's order."""
        return list(self.game.moves(state[0]))

    def play(self, state: Any, move: Any) -> Any:
        """Return the state after a move, and whose turn it is."""
        after = self.game.play(state[0], move)
        return after, self.game.to_move(after) == "max" if self.written("to_move") else not state[1]

    def key(self, state: Any) -> Any:
        """Return what tells a state apart, if the user says so."""
        return (self.game.key(state[0]), state[1]) if self.repeats else None
