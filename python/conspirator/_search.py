"""Searching a position: the one function that everything else leads to."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from time import monotonic
from typing import Any

from conspirator import _native
from conspirator._errors import ArgumentError
from conspirator._native import Position
from conspirator._result import Result
from conspirator._rule import GrowthRule

Progress = Callable[[dict[str, Any]], object]
"""A function that is shown how far a search has come; it stops the search by returning False."""

DEFAULT_SECONDS = 1.0
"""What a search may take if no budget is given."""


def search(
    position: Position,
    rule: str | GrowthRule | type[GrowthRule] = "best-first",
    /,
    *,
    expansions: int | None = None,
    nodes: int | None = None,
    move_calls: int | None = None,
    seconds: float | None = None,
    cpu_seconds: float | None = None,
    memory: int | None = None,
    artificial_time: int | None = None,
    traversal_cost: int = 1,
    generation_cost: int = 100,
    trace: bool = False,
    progress: Progress | None = None,
    **parameters: Any,
) -> Result:
    """Search a position and return the best move found, its value, and how they were found.

    `rule` is the name of a search (see `searches`) or a growth rule of yours; `parameters` are the
    search's own. The other arguments are the budget, in any combination; the search ends inside the
    first limit that it meets, and always with an answer. Without any, it takes one second. `cpu_seconds` are
    those of the processor that the calling thread uses, so that other programs do not count. `memory`, in
    bytes, is three quarters of what the machine has free unless you say otherwise. `artificial_time` is
    Utgoff and Cochran's: `traversal_cost` units for every node looked at, `generation_cost` for every node
    generated; an expansion begins while any are left.

    Ctrl-C ends the search with the answer so far and the status 'interrupted'.

    >>> import conspirator as cn
    >>> result = cn.search(cn.games.ConnectFour().position("4453"), "best-first", expansions=1000)
    >>> result.expansions, result.status
    (1000, 'budget')
    """
    if not isinstance(position, Position):
        raise ArgumentError(
            f"the first argument must be a position, such as game.start(), not {type(position).__name__}"
        )
    if isinstance(rule, type) and issubclass(rule, GrowthRule):
        rule = rule(**parameters)
        parameters = {}
    if isinstance(rule, GrowthRule) and parameters:
        raise ArgumentError(f"a rule object has its parameters already: {', '.join(parameters)}")
    if not isinstance(rule, (str, GrowthRule)):
        raise ArgumentError(f"the second argument must be a search's name or a growth rule, not {rule!r}")
    if progress is not None and not callable(progress):
        raise ArgumentError(f"progress must be a function, not {progress!r}")
    budget = read_budget(
        expansions=expansions,
        nodes=nodes,
        move_calls=move_calls,
        seconds=seconds,
        cpu_seconds=cpu_seconds,
        memory=memory,
        artificial_time=artificial_time,
        traversal_cost=traversal_cost,
        generation_cost=generation_cost,
    )
    core = _native.Search(position, rule, parameters, bool(trace))
    core.run(**budget, progress=progress)
    return Result(position, core, (rule, parameters), progress)


class SearchInfo(dict[str, dict[str, Any]]):
    """A search's parameters by name: each has a `default`, a `type`, a one-line `meaning`, perhaps `choices`.

    >>> info = searches()["best-first"]
    >>> info["complete"]["default"], info.paper
    (True, 'Korf and Chickering 1996')
    """

    def __init__(self, info: dict[str, Any]) -> None:
        super().__init__(info["parameters"])
        self.summary: str = info["summary"]
        """What the search does, in one line."""
        self.paper: str = info["paper"]
        """Where it comes from."""

    def as_dict(self) -> dict[str, Any]:
        """Return everything as plain data: summary, paper, parameters."""
        return {"summary": self.summary, "paper": self.paper, "parameters": dict(self)}


def searches() -> dict[str, SearchInfo]:
    """Return every search by name: its parameters with defaults and meaning.

    >>> "conspiracy" in searches()
    True
    """
    return {name: SearchInfo(info) for name, info in _native.searches().items()}


_COSTS = ("traversal_cost", "generation_cost")


def read_budget(**limits: Any) -> dict[str, Any]:
    """Check the limits of a budget and fill in what is missing."""
    budget: dict[str, Any] = {}
    for name, limit in limits.items():
        if limit is None:
            continue
        if name in ("seconds", "cpu_seconds"):
            budget[name] = _positive_number(name, limit)
        elif name in _COSTS:
            if "artificial_time" in budget:
                budget[name] = _whole_number(name, limit, 0)
        else:
            budget[name] = _whole_number(name, limit, 1)
    if not budget.keys() - {"memory"}:
        budget["seconds"] = DEFAULT_SECONDS
    if "memory" not in budget:
        budget["memory"] = default_memory()
    return budget


def _positive_number(name: str, limit: Any) -> float:
    try:
        number = float("nan") if isinstance(limit, (bool, str, bytes)) else float(limit)
    except (TypeError, ValueError, OverflowError):
        number = float("nan")
    if not 0 < number < float("inf"):
        raise ArgumentError(f"{name} must be a positive finite number, not {limit!r}")
    return number


def _whole_number(name: str, limit: Any, least: int) -> int:
    number: int | None
    try:
        number = int(limit)
    except (TypeError, ValueError, OverflowError):
        number = None
    if isinstance(limit, (bool, str)) or number is None or number != limit or number < least:
        raise ArgumentError(f"{name} must be a whole number from {least} up, not {limit!r}")
    return min(number, 2**63 - 1)


def default_memory() -> int:
    """Return what a search may use if it is not told: three quarters of the memory that is free, in bytes."""
    return _default_memory(int(monotonic()))


@lru_cache(maxsize=1)
def _default_memory(second: int) -> int:  # noqa: ARG001
    """Ask the machine, once a second at most."""
    try:
        for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024 * 3 // 4
    except (OSError, ValueError, IndexError):
        pass
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
    except (ValueError, OSError, AttributeError):
        return 4 << 30


__all__ = ["Progress", "SearchInfo", "search", "searches"]
