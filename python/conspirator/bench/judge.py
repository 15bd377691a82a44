"""How good the moves are: the part of them that keeps the result of perfect play, at equal time.

BitBully knows the result of every move. It judges positions in which a choice matters: not all moves lead to
the same result, and none ends the game at once.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from time import perf_counter
from typing import Any

import conspirator as cn
from conspirator.bench.measure import Row
from conspirator.bench.siblings import positions

STONES = (12, 14)
"""With fewer stones BitBully takes long for a position."""
COUNT, FEW = 300, 5
"""How many positions are judged, and how many with less than `ENOUGH` seconds for a row."""
ENOUGH = 0.5
TIMES = (0.0002, 0.001)
"""CPU seconds for a move."""
PLAYERS: dict[str, tuple[str, dict[str, Any]]] = {
    "minmax-approximation, published": ("minmax-approximation", {"variant": "published"}),
    "minmax-approximation, best": ("minmax-approximation", {}),
    "minmax-approximation, best, shared": ("minmax-approximation", {"transpositions": True}),
    "best-first": ("best-first", {}),
    "least-certainty, best": ("least-certainty", {}),
    "alpha-beta, lean": ("alpha-beta", {"ordering": "lean", "first_depth": 2}),
    "alpha-beta, table": ("alpha-beta", {"table": True, "first_depth": 2, "table_bytes": 4 << 20}),
}


@dataclass(frozen=True)
class Problem:
    """A position, and which moves keep its result."""

    position: cn.Position
    good: frozenset[str]


@cache
def problems(count: int) -> list[Problem]:
    """Return the first positions, of random ones with a fixed seed, in which a choice matters."""
    from bitbully import bitbully_core

    solver = bitbully_core.BitBullyCore()
    found: list[Problem] = []
    for line, position in positions(4 * count, *STONES):
        moves = position.moves()
        if any(position.play(move).outcome is not None for move in moves):
            continue
        board = bitbully_core.BoardCore()
        if not board.setBoard(line):
            raise cn.ConspiratorError(f"BitBully does not take the moves {line}")
        scores = solver.scoreMoves(board)  # above 0: the player to move wins; full columns are among them
        results = {move: sign(scores[int(move) - 1]) for move in moves}
        best = max(results.values())
        good = frozenset(move for move, result in results.items() if result == best)
        if len(good) < len(moves):
            found.append(Problem(position, good))
        if len(found) == count:
            break
    return found


def sign(score: int) -> int:
    """Return 1, 0 or -1."""
    return (score > 0) - (score < 0)


def judge(seconds: float = 1.0) -> list[Row]:
    """Return the part of moves that keep the result, for each search and time; as `ratio`."""
    posed = problems(COUNT if seconds >= ENOUGH else FEW)
    chance = sum(len(problem.good) / len(problem.position.moves()) for problem in posed) / len(posed)
    rows = []
    for time in TIMES:
        for name, (search, parameters) in PLAYERS.items():
            begun, kept = perf_counter(), 0
            for problem in posed:
                result = cn.search(problem.position, search, cpu_seconds=time, **parameters)
                kept += result.move in problem.good
            rate, share = len(posed) / (perf_counter() - begun), kept / len(posed)
            error = math.sqrt(share * (1 - share) / len(posed))
            note = f"{kept} of {len(posed)} positions, standard error {error:.3f}; by chance {chance:.2f}"
            reference = "moves that keep the result, by BitBully"
            rows.append(Row(f"{name}, {1000 * time:g} ms", rate, "positions/s", share, reference, note))
    return rows
