"""A player's thought: its search, and a solver beside it or before it.

The solver is df-pn on the same position, in a form that leaves no moves out. If it proves that the player to
move wins, its move is made at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from threading import Event, Thread
from typing import Any

import conspirator as cn

SOLVER = "df-pn"
_NO_LIMIT = 10**15
_WHOLE = ("expansions", "nodes", "move_calls", "artificial_time")


def think(
    position: cn.Position,
    search: str,
    budget: Mapping[str, Any],
    parameters: Mapping[str, Any],
    *,
    whole: cn.Position | None = None,
    threads: int = 1,
    share: float = 0.0,
) -> cn.Result:
    """Search within a budget; with two threads or more, one of them solves.

    The solver solves the `whole` form of the position, where the search looks at some of its moves only.
    With one thread the solver goes first and has a `share` of the budget, from 0 up to 1. Ctrl-C ends both.

    >>> position = cn.games.Hex(size=4).position("b3")
    >>> result = think(position, "best-first", {"seconds": 60}, {}, threads=2)
    >>> result.won is None or result.status == "proven"
    True
    """
    whole = whole or position
    if threads > 1:
        result = _beside(position, whole, search, budget, parameters, threads)
    elif share > 0:
        result = _before(position, whole, search, budget, parameters, share)
    else:
        result = cn.search(position, search, **budget, **parameters)
    if result.status == "interrupted":
        raise KeyboardInterrupt
    return result


def wins(result: cn.Result) -> bool:
    """Tell whether a solver has proven that the player to move wins."""
    low, high = result.position.value_range
    best = high if result.position.to_move == "max" else low
    return result.status == "proven" and result.value == best


def _beside(
    position: cn.Position,
    whole: cn.Position,
    search: str,
    budget: Mapping[str, Any],
    parameters: Mapping[str, Any],
    threads: int,
) -> cn.Result:
    over, proven = Event(), list[cn.Result]()

    def solve() -> None:
        result = cn.search(whole, SOLVER, nodes=_NO_LIMIT, progress=lambda _: not over.is_set())
        if wins(result):
            proven.append(result)

    known = cn.searches()[search]
    more = (
        {"threads": threads - 1}
        if threads > 2 and "threads" in known and parameters.get("table_bytes")
        else {}
    )
    thread = Thread(target=solve, daemon=True)
    thread.start()
    try:
        result = cn.search(
            position, search, progress=lambda _: not proven, **budget, **{**more, **parameters}
        )
    finally:
        over.set()
        thread.join()
    return proven[0] if proven else result


def _before(
    position: cn.Position,
    whole: cn.Position,
    search: str,
    budget: Mapping[str, Any],
    parameters: Mapping[str, Any],
    share: float,
) -> cn.Result:
    budget = budget if budget.keys() - {"memory"} else {**budget, "seconds": 1.0}
    solved = cn.search(whole, SOLVER, **_part(budget, share))
    if solved.status == "interrupted" or wins(solved) or share == 1:
        return solved
    return cn.search(position, search, **_part(budget, 1 - share), **parameters)


def _part(budget: Mapping[str, Any], share: float) -> dict[str, Any]:
    """Return a part of a budget; memory is the same for all.

    >>> _part({"nodes": 10, "seconds": 2.0, "memory": 5}, 0.25)
    {'nodes': 2, 'seconds': 0.5, 'memory': 5}
    """
    return {
        unit: amount
        if unit == "memory"
        else max(1, int(amount * share))
        if unit in _WHOLE
        else amount * share
        for unit, amount in budget.items()
    }
