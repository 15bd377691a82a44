"""How late searches end: a budget in seconds holds for every search, game and evaluator."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from time import perf_counter, process_time
from typing import Any

import conspirator as cn

SECONDS = 0.05
"""What each search may take."""


@dataclass(frozen=True)
class Lateness:
    """By how many seconds the searches of one kind were late."""

    name: str
    """The game, the search and the evaluator."""
    runs: int
    typical: float
    """The median."""
    late: float
    """The 99th percentile: one search in a hundred is later."""
    worst: float
    worst_cpu: float
    """The most CPU time beyond the budget: a busy machine does not count."""


Case = tuple[str, cn.Position, str, dict[str, Any]]
"""What it is called, a position, a search, and its settings."""


def cases() -> Iterator[Case]:
    """Yield every search on every game, with every evaluator, and what is hard to interrupt."""
    positions = {name: cn.games.make(name).start() for name in cn.games.all_games()}
    for name, position in positions.items():
        for search in cn.searches():
            for evaluator in cn.games.make(name).evaluators:
                yield f"{name} {search} by {evaluator}", position, search, {"evaluator": evaluator}
    large = cn.games.Hex(size=19).start()
    middle = cn.games.Hex(size=13).start()
    wide = cn.games.UniformTree(width=65535).start()
    for search in cn.searches():
        yield f"hex 19 {search}", large, search, {}
        yield f"hex 13 {search} by knowledge", middle, search, {"evaluator": "knowledge"}
        yield f"uniform-tree 65535 {search}", wide, search, {}
    yield "chess uct playouts=1000", positions["chess"], "uct", {"playouts": 1000}


def punctuality(runs: int = 10, progress: Callable[[str], object] | None = None) -> list[Lateness]:
    """Return how late searches end, the worst first; what a game cannot have is left out."""
    found = []
    for name, position, search, settings in cases():
        if progress is not None:
            progress(name)
        try:
            times = sorted(_lateness(position, search, settings) for _ in range(runs))
        except cn.ArgumentError:  # no such search of this game
            continue
        wall = [late for late, _ in times]
        late = wall[min(len(wall) - 1, len(wall) * 99 // 100)]
        cpu = max(late for _, late in times)
        found.append(Lateness(name, runs, wall[len(wall) // 2], late, wall[-1], cpu))
    return sorted(found, key=lambda row: -row.worst_cpu)


def _lateness(position: cn.Position, search: str, settings: dict[str, Any]) -> tuple[float, float]:
    wall, cpu = perf_counter(), process_time()
    result = cn.search(position, search, seconds=SECONDS, **settings)
    wall, cpu = perf_counter() - wall, process_time() - cpu
    if result.limit != "seconds":  # it has ended by itself
        return 0.0, 0.0
    return max(wall - SECONDS, 0.0), max(cpu - SECONDS, 0.0)


__all__ = ["SECONDS", "Lateness", "punctuality"]
