"""The truth about Connect-Four positions, by the solver bitbully (`pip install bitbully`).

Where a game has a fast solver, `conspirator calibrate` takes its word:

    conspirator calibrate connect-four --plies 10-34 --truth examples/bitbully_truth.py:outcome --to m.json
"""

from functools import lru_cache
from typing import Any

from bitbully import bitbully_core

import conspirator as cn

WORST, DRAW, BEST = 1.0, 512.0, 1023.0


@lru_cache(maxsize=1)
def solver() -> Any:
    """Return the solver, which remembers what it has seen."""
    return bitbully_core.BitBullyCore()


def outcome(position: cn.Position) -> float:
    """Return the outcome of a position with best play, from Max's side."""
    rows = [line.split() for line in str(position).splitlines()[:6]]  # from the top
    cells = [[(".", "X", "O").index(cell) for cell in row] for row in rows]
    board = bitbully_core.BoardCore()
    if not board.setBoard(cells):
        raise ValueError(f"bitbully refuses this position: {position.notation}")
    score = solver().mtdf(board, 0)
    if score == 0:
        return DRAW
    return BEST if (score > 0) == (position.to_move == "max") else WORST
