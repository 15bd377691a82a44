"""Counting lines of moves: the rules alone, without any search, here and in OpenSpiel."""

from __future__ import annotations

from typing import Any

import conspirator as cn
from conspirator.bench.measure import Row, best_rate

GAMES: dict[str, tuple[cn.games.NativeGame, int, str, int, int]] = {
    "Othello": (cn.games.Othello(), 8, "othello", 6, 1),
    "Chess": (cn.games.Chess(), 4, "chess", 3, 1),
    "Connect-Four": (cn.games.ConnectFour(), 8, "connect_four", 6, 1),
    "Amazons 10x10": (cn.games.Amazons(), 2, "amazons", 1, 3),
    "Hex 11x11": (cn.games.Hex(), 3, "hex", 2, 1),
}
"""Our game and the moves that are counted; OpenSpiel's, the moves that are counted, and its steps in one."""


def perft(seconds: float = 1.0) -> list[Row]:
    """Return how many lines of moves are counted in a second, from the start of each game, on one thread.

    Both sides play every move, the last ones included: a count that only adds up the number of last moves is
    another measure, which is in the notes.
    """
    import pyspiel

    rows = []
    for name, (game, depth, theirs, their_depth, steps) in GAMES.items():
        start, state = game.start(), pyspiel.load_game(theirs).new_initial_state()
        if count(state, their_depth * steps) != start.perft(their_depth):
            raise cn.GameError(f"OpenSpiel counts other lines of {their_depth} moves in {name}")

        def ours(start: cn.Position = start, depth: int = depth) -> float:
            return start.perft(depth)

        def other(state: Any = state, plies: int = their_depth * steps, play: bool = True) -> float:
            return count(state, plies, play=play)

        mine, played = best_rate(ours, seconds), best_rate(other, seconds)
        counted = best_rate(lambda other=other: other(play=False), seconds / 4)  # type: ignore[misc]
        rows.append(Row(f"{name}, perft {depth}", mine, "lines/s"))
        note = f"perft {their_depth}; {counted / 1e6:.2g} M/s if last moves are counted and not played"
        times = "ours are this many times as many"
        rows.append(Row(f"OpenSpiel (Python), {name}", played, "lines/s", mine / played, times, note))
    return rows


def count(state: Any, plies: int, *, play: bool = True) -> int:
    """Return the number of lines of so many plies from a state of OpenSpiel's."""
    if state.is_terminal():
        return 0
    actions = state.legal_actions()
    if plies > 1:
        return sum(count(state.child(action), plies - 1, play=play) for action in actions)
    if play:
        for action in actions:
            state.child(action)
    return len(actions)
