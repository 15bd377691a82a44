"""Who makes the moves of one game: a search, an engine of another kind, or a bot."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter, thread_time
from typing import Any, Protocol

from conspirator._native import Position
from conspirator._players import Player


@dataclass(frozen=True)
class Answer:
    """A move, and what its player says about it."""

    move: Any
    """None: it gives up."""
    value: float | None = None
    """From Max's side."""
    seconds: float = 0.0
    expansions: int | None = None
    nodes: int | None = None
    proven: bool = False
    """Whether the value is that of the end, whatever the other does."""


class Opponent(Protocol):
    """Who makes the moves of one game."""

    def choose(self, position: Position) -> Answer:
        """Return the next move."""

    def begin(self, start: Position, moves: list[Any]) -> None:
        """Hear how the game begins."""

    def hear(self, position: Position, move: Any) -> None:
        """Hear the move that was made in a position, by whomever."""

    def close(self) -> None:
        """Leave."""


def open_opponent(player: Player, game: Any, seed: int | None) -> Opponent:
    """Return who makes a player's moves in one game."""
    if player.command is not None:
        from conspirator.matches.engines import open_engine

        return open_engine(player, game)
    return _Searcher(player, seed)


class _Searcher:
    """A search: nothing is kept from one move to the next but its clock."""

    def __init__(self, player: Player, seed: int | None) -> None:
        self._player = player
        self._more = {"seed": seed} if seed is not None and player.is_seeded else {}
        self._left = 0.0 if player.clock is None else player.clock.whole

    def begin(self, start: Position, moves: list[Any]) -> None:  # noqa: ARG002
        """Start the clock, if there is one."""
        self._left = 0.0 if self._player.clock is None else self._player.clock.whole

    def hear(self, position: Position, move: Any) -> None:
        """Nothing to do."""

    def close(self) -> None:
        """Nothing to do."""

    def choose(self, position: Position) -> Answer:
        """Search; Ctrl-C ends the game and not just the search."""
        moves = position.moves()
        if len(moves) == 1:  # nothing to think about
            return Answer(moves[0])
        begun, worked = perf_counter(), thread_time()
        clock, budget = self._player.clock, None
        if clock is not None:
            budget = clock.budget(self._left, position, self._player.budget)
        result = self._player.think(position, budget=budget, progress=None, **self._more)
        if clock is not None:
            took = {"seconds": perf_counter() - begun, "cpu_seconds": thread_time() - worked}
            took["nodes"] = result.nodes
            self._left = max(self._left - took[clock.unit], 0.0) + clock.increment
        if result.status == "interrupted":
            raise KeyboardInterrupt
        # a search that asks one question, `won`, has proven a bound and no value
        proven = result.status == "proven" and result.won is None
        spent = perf_counter() - begun
        return Answer(result.move, result.value, spent, result.expansions, result.nodes, proven)
