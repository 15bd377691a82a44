"""Our searches against the raw rate of the same game: generate and value positions, and keep nothing."""

from __future__ import annotations

from typing import Any

import conspirator as cn
from conspirator.bench.measure import Row, best_rate, clock

SIZES = (1_000, 10_000, 100_000)
"""Expansions of the trees that are grown."""
GROWN: dict[str, tuple[str, dict[str, Any], str]] = {
    "best-first": ("best-first", {}, ""),
    "minmax-approximation, published": (
        "minmax-approximation",
        {"variant": "published", "means": "constant"},
        "aim: 0.15",
    ),
    "minmax-approximation, best": ("minmax-approximation", {}, "moves that value leaves are not nodes"),
    "least-certainty, published": (
        "least-certainty",
        {"variant": "published", "ties": "leftmost"},
        "aim: 0.1",
    ),
    "least-certainty, best": ("least-certainty", {}, ""),
}
"""Searches that keep their tree: name, parameters, and what is to be said."""


def native(seconds: float = 1.0) -> list[Row]:
    """Return the rates on Connect-Four; every row takes about `seconds`."""
    start = cn.games.ConnectFour().start()
    raw = best_rate(lambda: start.survey(8)[0], seconds)
    rows = [Row("generate and evaluate", raw, "nodes/s", note="depth-first to 8 plies, nothing kept")]

    for name, (search, parameters, words) in GROWN.items():
        for size in SIZES:

            def grow(search: str = search, size: int = size, rest: dict[str, Any] = parameters) -> cn.Result:
                return cn.search(start, search, expansions=size, **rest)

            result = grow()
            rate = best_rate(lambda grow=grow: grow().nodes, seconds)  # type: ignore[misc]
            facts = f"{result.nodes:,} nodes, depth {result.depth}, {result.bytes_per_node:.0f} bytes a node"
            note = "; ".join(filter(None, (facts, words)))
            rows.append(Row(f"{name}, {size:,} expansions", rate, "nodes/s", rate / raw, "raw", note))

    for table in (False, True):
        begun = clock()
        result = cn.search(start, "alpha-beta", table=table, cpu_seconds=max(seconds, 0.2))
        spent = clock() - begun
        rate, calls = result.nodes / spent, result.move_calls / spent
        name = "alpha-beta with a table" if table else "alpha-beta"
        note = f"depth {result.depth}; {calls / 1e6:.1f} M move calls/s, {calls / raw:.0%} of raw"
        rows.append(Row(name, rate, "nodes/s", rate / raw, "raw", note))
    return rows
