"""Our searches against the raw rate of the same game: generate and value positions, and keep nothing."""

from __future__ import annotations

import conspirator as cn
from conspirator.bench.measure import Row, best_rate

SIZES = (1_000, 10_000, 100_000)
"""Expansions of the trees that are grown."""


def native(seconds: float = 1.0) -> list[Row]:
    """Return the rates on Connect-Four; every row takes about `seconds`."""
    start = cn.games.ConnectFour().start()
    raw = best_rate(lambda: start.survey(8)[0], seconds)
    rows = [Row("generate and evaluate", raw, "nodes/s", note="depth-first to 8 plies, nothing kept")]

    for size in SIZES:
        result = cn.search(start, "best-first", expansions=size)

        def grow(size: int = size) -> float:
            return cn.search(start, "best-first", expansions=size).nodes

        rate = best_rate(grow, seconds)
        note = f"{result.nodes:,} nodes, depth {result.depth}, {result.bytes_per_node:.0f} bytes a node"
        rows.append(Row(f"best-first, {size:,} expansions", rate, "nodes/s", rate / raw, "raw", note))

    for table in (False, True):
        result = cn.search(start, "alpha-beta", table=table, seconds=max(seconds, 0.2))
        rate = result.nodes / result.seconds
        calls = result.move_calls / result.seconds
        name = "alpha-beta with a table" if table else "alpha-beta"
        note = f"depth {result.depth}; {calls / 1e6:.1f} M move calls/s, {calls / raw:.0%} of raw"
        rows.append(Row(name, rate, "nodes/s", rate / raw, "raw", note))
    return rows
