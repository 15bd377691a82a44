"""Games written in Python: what our searches add to the cost of the user's own methods."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from time import perf_counter
from typing import Any

import conspirator as cn
from conspirator.bench.bitboards import NumpyConnectFour, PythonConnectFour
from conspirator.bench.measure import Row, best_rate

EXPANSIONS = 2_000
METHODS = ("moves", "play", "outcome", "evaluate", "evaluate_many")


def python_games(seconds: float = 1.0) -> list[Row]:
    """Return the rates on Connect-Four written in Python, with the share of time outside its methods.

    Where NumPy is not installed, there is no row for it.
    """
    rows = []
    games: dict[str, PythonConnectFour] = {"evaluate": PythonConnectFour()}
    if find_spec("numpy") is not None:
        games["evaluate_many with NumPy"] = NumpyConnectFour()
    for name, game in games.items():

        def grow(game: PythonConnectFour = game) -> float:
            return cn.search(game.start(), "best-first", expansions=EXPANSIONS).nodes

        outside = overhead(game)
        rate = best_rate(grow, seconds)
        note = f"{outside:.0%} of the time is spent outside the game's own methods"
        rows.append(Row(f"best-first on a Python game, {name}", rate, "nodes/s", note=note))
    return rows


def overhead(game: PythonConnectFour, expansions: int = EXPANSIONS) -> float:
    """Return the share of a search's time that is not spent in the game's methods.

    The search's calls are recorded, and then made again without it.
    """
    calls: list[tuple[Callable[..., Any], tuple[Any, ...]]] = []

    class Recorder(type(game)):  # type: ignore[misc]
        pass

    def record(name: str) -> None:
        method = getattr(game, name)
        if getattr(method, "_not_written", False):
            return

        def recorded(_: Any, *arguments: Any) -> Any:
            calls.append((method, arguments))
            return method(*arguments)

        setattr(Recorder, name, recorded)

    for name in METHODS:
        record(name)
    cn.search(Recorder().start(), "best-first", expansions=expansions)

    search = replay = float("inf")
    for _ in range(5):
        begun = perf_counter()
        cn.search(game.start(), "best-first", expansions=expansions)
        search = min(search, perf_counter() - begun)
        begun = perf_counter()
        for method, arguments in calls:
            method(*arguments)
        replay = min(replay, perf_counter() - begun)
    return max(0.0, 1 - replay / search)
