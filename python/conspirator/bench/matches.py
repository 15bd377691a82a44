"""What a match costs beside its searches, and what a second process gains."""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Any

import conspirator as cn
from conspirator import _thinking
from conspirator._search import search
from conspirator.bench.measure import Row

ENOUGH = 0.5
"""Seconds for a row from which on games are as long as the bars are for."""
EXPANSIONS, FEW_EXPANSIONS = 20_000, 200
MOVE, SHORT_MOVE = 0.01, 0.0005
"""CPU seconds for a move."""


def matches(seconds: float = 1.0) -> list[Row]:
    """Measure games in a second by one process and by two, and the part of the time outside searches."""
    expansions = EXPANSIONS if seconds >= ENOUGH else FEW_EXPANSIONS
    pair = [f"A=best-first:expansions={expansions}", f"B=best-first:expansions={expansions // 2}"]
    games = _games(pair, 4 * seconds)
    what = f"match, {expansions:,} expansions a move"
    one, cost = _rate(pair, games, 1)
    rows = [Row(f"{what}, 1 process", one, "games/s", note=f"{games} games")]
    if (os.cpu_count() or 1) >= 2:
        two, cost_of_two = _rate(pair, games, 2)
        # what would be gained on two cores with no other work
        note = f"a game takes {cost_of_two / max(cost, 1e-9):.3f} times the CPU time"
        rows.append(Row(f"{what}, 2 processes", two, "games/s", two / one, "1 process", note))
    rows.append(overhead(seconds))
    return rows


def overhead(seconds: float = 1.0) -> Row:
    """Measure the part of a match's CPU time that is not a search's, with a store."""
    move = MOVE if seconds >= ENOUGH else SHORT_MOVE
    spent, moves, usual = 0.0, 0, search

    def timed(*arguments: Any, **settings: Any) -> cn.Result:
        nonlocal spent, moves
        begun = process_time()
        result = usual(*arguments, **settings)
        spent += process_time() - begun
        moves += 1
        return result

    pair = [f"A=best-first:cpu_seconds={move}", f"B=alpha-beta:cpu_seconds={move}"]
    games = max(2, 2 * round(4 * seconds / (40 * move) / 2))
    _thinking.__dict__["search"] = timed
    try:
        begun = process_time()
        _play(pair, games, 1, plies=2)
        whole = process_time() - begun
    finally:
        _thinking.__dict__["search"] = usual
    return Row(
        f"match, {1000 * move:g} ms a move, outside searches",
        moves / whole,
        "moves/s",
        1 - spent / whole,
        "all CPU time",
        f"{games} games into a file, {1e6 * (whole - spent) / moves:.0f} microseconds a move",
    )


def _games(pair: list[str], seconds: float) -> int:
    """Return how many games take so long."""
    begun = perf_counter()
    _play(pair, 2, 1)
    return max(4, 4 * round(2 * seconds / (perf_counter() - begun) / 4))


def _rate(pair: list[str], games: int, processes: int) -> tuple[float, float]:
    """Return games in a second, and CPU seconds for a game."""
    begun, used = perf_counter(), _used()
    _play(pair, games, processes)
    return games / (perf_counter() - begun), (_used() - used) / games


def _used() -> float:
    """Return the CPU time that this process and those it started have used."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def _play(pair: list[str], games: int, processes: int, plies: int = 4) -> None:
    with TemporaryDirectory() as folder:
        cn.match(pair, plies=plies, games=games, concurrency=processes, store=Path(folder) / "games.db")
