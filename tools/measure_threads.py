"""Expansions a second with one thread and with two, for the evidence in evidence/batches.

    python tools/measure_threads.py --seconds 5 > evidence/batches/threads.json

Runs with one thread and with two take turns, so that a busy machine is as busy for both, and another one
comes first each time, because a core that has rested is slow at first. The best run of each counts, because
it was disturbed least.
"""

from __future__ import annotations

import argparse
import json
import os
from typing import Any

import conspirator as cn

CASES: dict[str, tuple[cn.Position, str, dict[str, Any]]] = {
    "Hex 11x11, prior-penalty, network": (
        cn.games.Hex(size=11).position("f6 d5"),
        "prior-penalty",
        {"evaluator": "network"},
    ),
    "Hex 11x11, puct, network": (
        cn.games.Hex(size=11).position("f6 d5"),
        "puct",
        {"evaluator": "network"},
    ),
    "Hex 11x11, best-first, knowledge": (
        cn.games.Hex(size=11).position("f6 d5"),
        "best-first",
        {"evaluator": "knowledge(width=15)"},
    ),
    "Connect-Four, puct": (cn.games.ConnectFour().start(), "puct", {}),
    "Connect-Four, uct with 8 random games": (cn.games.ConnectFour().start(), "uct", {"playouts": 8}),
}


def rate(case: tuple[cn.Position, str, dict[str, Any]], seconds: float, work: dict[str, int]) -> float:
    """Return expansions a second."""
    position, search, settings = case
    result = cn.search(position, search, seconds=seconds, **settings, **work)
    return result.expansions / result.seconds


def main() -> None:
    """Measure, and print one JSON object."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--runs", type=int, default=5)
    given = parser.parse_args()
    ways: dict[str, dict[str, int]] = {
        "one thread": {},
        "threads=2": {"threads": 2},
        "batch=8, threads=2": {"batch": 8, "threads": 2},
        "batch=32, threads=2": {"batch": 32, "threads": 2},
    }
    found = {}
    for name, case in CASES.items():
        best = dict.fromkeys(ways, 0.0)
        for run in range(given.runs):
            for at in range(len(ways)):
                way = list(ways)[(run + at) % len(ways)]
                best[way] = max(best[way], rate(case, given.seconds, ways[way]))
        found[name] = {way: round(speed, 1) for way, speed in best.items()}
    facts = {
        "version": cn.__version__,
        "cores": os.cpu_count(),
        "load": os.getloadavg(),
        "seconds": given.seconds,
        "runs": given.runs,
        "expansions_per_second": found,
    }
    print(json.dumps(facts, indent=2))


if __name__ == "__main__":
    main()
