"""What a search may spend: the one list of its units."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from pathlib import Path
from time import monotonic
from typing import Any

from conspirator._errors import ArgumentError

DEFAULT_SECONDS = 1.0
"""What a search may take if no budget is given."""
_CLOCKS = ("seconds", "cpu_seconds")
_COSTS = ("traversal_cost", "generation_cost")
_BESIDE = (*_COSTS, "until", "usual")
_COST = "cost="
_MOST = 2**63 - 1


@dataclass(frozen=True)
class Budget:
    """Limits for a search, in any combination; it ends inside the first one that it meets.

    Without any limit but memory a search takes one second.

    >>> Budget(nodes=1000)
    Budget(nodes=1000)
    >>> Budget(expansions=10).given()
    {'expansions': 10}
    """

    expansions: int | None = None
    """Leaves expanded, the root included."""
    nodes: int | None = None
    """Nodes generated, the root included."""
    move_calls: int | None = None
    """Calls of the game's play, as the search's paper counts them."""
    seconds: float | None = None
    """Time on the clock."""
    cpu_seconds: float | None = None
    """CPU time of the calling thread, so that other programs do not count."""
    memory: int | None = None
    """Bytes of tree, positions, tables and evaluators; None: three quarters of what is free."""
    artificial_time: int | None = None
    """Units of Utgoff and Cochran's artificial time: an expansion begins while any are left."""
    traversal_cost: int = 1
    """What looking at a node costs in artificial time."""
    generation_cost: int = 100
    """What generating a node costs in artificial time."""
    until: float | str | None = None
    """Stop earlier once the chosen move is a best one with this probability: 0.95, or 'confidence=0.95';
    'decided' is 1. With 'cost=0.00001' stop once more search is not worth its cost: so much of the range of
    outcomes for every expansion. A growing search with an error model can tell (see `cn.ErrorModel`).
    'proven' and None: as always."""
    usual: float | None = None
    """What a move of a game usually takes of the first limit of seconds, CPU seconds, nodes, expansions: less
    if the choice has stood for long, and up to the limit if it has just changed. None: the limit."""

    def __post_init__(self) -> None:
        for name, limit in tuple(vars(self).items()):
            if limit is not _DEFAULTS[name]:
                object.__setattr__(self, name, _read(name, limit))

    @classmethod
    def take(cls, settings: dict[str, Any], beside: Budget | None = None) -> Budget:
        """Return the budget among some settings, which are taken out of them, and else `beside`.

        >>> settings = {"nodes": 5, "table": True}
        >>> Budget.take(settings), settings
        (Budget(nodes=5), {'table': True})
        """
        limits = {name: settings.pop(name) for name in tuple(settings) if name in _DEFAULTS}
        if beside is None:
            return cls(**limits)
        return replace(beside, **limits) if limits else beside

    def given(self) -> dict[str, Any]:
        """Return the limits that are set, by name."""
        return {name: value for name, value in vars(self).items() if value != _DEFAULTS[name]}

    def or_else(self, **limits: Any) -> Budget:
        """Return the same budget, or one of these limits if it has none but memory.

        >>> Budget(memory=10**9).or_else(seconds=2.0)
        Budget(seconds=2.0, memory=1000000000)
        """
        return self if self.is_limited else replace(self, **limits)

    def within(self, seconds: float | None) -> Budget:
        """Return the same budget with no more than so many seconds; None: as it is.

        >>> Budget(seconds=5.0).within(2.0), Budget(nodes=9).within(None)
        (Budget(seconds=2.0), Budget(nodes=9))
        """
        if seconds is None:
            return self
        return replace(self, seconds=seconds if self.seconds is None else min(seconds, self.seconds))

    def paced(self, share: tuple[float, float] | None) -> Budget:
        """Return the same budget for a move that usually takes so many seconds, and at most so many.

        >>> Budget(seconds=2.0).paced((1.0, 3.0))
        Budget(seconds=2.0, usual=1.0)
        >>> Budget(seconds=0.5).paced((1.0, 3.0))  # there is more time than it wants
        Budget(seconds=0.5)
        """
        if share is None:
            return self
        limited = self.within(share[1])
        scarce = limited.seconds is not None and share[0] < limited.seconds
        return replace(limited, usual=share[0]) if scarce else limited

    def part(self, share: float) -> Budget:
        """Return a part of the budget; memory is the same for all.

        >>> Budget(nodes=10, seconds=2.0, memory=5).part(0.25)
        Budget(nodes=2, seconds=0.5, memory=5)
        """
        whole = [name for name in UNITS if name not in (*_CLOCKS, "memory")]
        limits = self.given()
        return replace(
            self,
            **{name: max(1, int(limits[name] * share)) for name in whole if name in limits},
            **{name: limits[name] * share for name in (*_CLOCKS, "usual") if name in limits},
        )

    @property
    def is_limited(self) -> bool:
        """Whether there is any limit but memory."""
        return any(limit is not None for name, limit in vars(self).items() if name in _LIMITS)

    @property
    def is_repeatable(self) -> bool:
        """Whether the same search gives the same answer on every machine."""
        return self.is_limited and all(getattr(self, name) is None for name in _CLOCKS)

    def arguments(self) -> dict[str, Any]:
        """Return what the core is told: nothing is left open."""
        limits = {name: limit for name, limit in vars(self).items() if limit is not None}
        limits.pop("usual", None)
        if not self.is_limited:
            limits["seconds"] = DEFAULT_SECONDS
        if limits.pop("until", None) is not None:
            limits |= self._goal()
        if self.memory is None:
            limits["memory"] = default_memory()
        if self.artificial_time is None:
            for name in _COSTS:
                del limits[name]
        return limits

    def _goal(self) -> dict[str, float]:
        if isinstance(self.until, str):
            return {"cost": float(self.until.removeprefix(_COST))}
        return {} if self.until is None else {"confidence": self.until}

    def __repr__(self) -> str:
        return f"Budget({', '.join(f'{name}={value!r}' for name, value in self.given().items())})"


UNITS = tuple(field.name for field in fields(Budget) if field.name not in _BESIDE)
"""The units of a budget."""
WRITTEN = (*UNITS, "until")
"""What a command may say of a budget."""
_LIMITS = frozenset(UNITS) - {"memory"}
_DEFAULTS: Mapping[str, Any] = {field.name: field.default for field in fields(Budget)}


def _read(name: str, limit: Any) -> float | str | None:
    if name == "until":
        return _likely(limit)
    if name in (*_CLOCKS, "usual"):
        return _positive_number(name, limit)
    return _whole_number(name, limit, least=0 if name in _COSTS else 1)


def _likely(until: Any) -> float | str | None:
    if until == "proven":
        return None
    if isinstance(until, str) and until.startswith(_COST):
        with suppress(ValueError):
            if 0 < float(until.removeprefix(_COST)) < float("inf"):
                return until
        raise ArgumentError(f"a cost is a positive part of the range of outcomes, not {until!r}")
    written = until.removeprefix("confidence=") if isinstance(until, str) else until
    try:
        number = 1.0 if until == "decided" else float("nan") if isinstance(until, bool) else float(written)
    except (TypeError, ValueError):
        number = float("nan")
    if not 0 < number <= 1:
        raise ArgumentError(
            f"until is 'proven', 'decided', a confidence such as 0.95, or cost=1e-5, not {until!r}"
        )
    return number


def _positive_number(name: str, limit: Any) -> float:
    try:
        number = float("nan") if isinstance(limit, (bool, str, bytes)) else float(limit)
    except (TypeError, ValueError, OverflowError):
        number = float("nan")
    if not 0 < number < float("inf"):
        raise ArgumentError(f"{name} must be a positive finite number, not {limit!r}")
    return number


def _whole_number(name: str, limit: Any, least: int = 1) -> int:
    number: int | None
    try:
        number = int(limit)
    except (TypeError, ValueError, OverflowError):
        number = None
    if isinstance(limit, (bool, str)) or number is None or number != limit or number < least:
        raise ArgumentError(f"{name} must be a whole number from {least} up, not {limit!r}")
    return min(number, _MOST)


def default_memory() -> int:
    """Return what a search may use if it is not told: three quarters of the memory that is free, in bytes."""
    return _default_memory(int(monotonic()))


@lru_cache(maxsize=1)
def _default_memory(second: int) -> int:  # noqa: ARG001
    """Ask the machine, once a second at most."""
    return max(min(_free_of_machine(), _free_of_group(), _free_of_process()) * 3 // 4, 1 << 20)


def _free_of_machine() -> int:
    try:
        for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    except (OSError, ValueError, IndexError):
        pass
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") * 2 // 3
    except (ValueError, OSError, AttributeError):
        return 4 << 30


def _free_of_group() -> int:
    """Return what the control group of this process leaves, as in a container; without one, no limit."""
    free = _MOST
    for limit, used in (
        ("memory.max", "memory.current"),
        ("memory/memory.limit_in_bytes", "memory/memory.usage_in_bytes"),
    ):
        for folder in _groups():
            try:
                most = int((folder / limit).read_text(encoding="ascii"))
                free = min(free, most - int((folder / used).read_text(encoding="ascii")))
            except (OSError, ValueError):  # none, or `max`
                continue
    return max(free, 0)


def _groups() -> list[Path]:
    """Return the folders of the control groups that this process is in, the outer ones too."""
    top = Path("/sys/fs/cgroup")
    try:
        lines = Path("/proc/self/cgroup").read_text(encoding="utf-8").splitlines()
    except OSError:
        return [top]
    own = next((line[3:].lstrip("/") for line in lines if line.startswith("0::")), "")
    folder = top / own
    return [folder, *(parent for parent in folder.parents if parent == top or top in parent.parents)]


def _free_of_process() -> int:
    """Return what the limit on the address space of this process leaves; without one, no limit."""
    try:
        import resource

        most, _ = resource.getrlimit(resource.RLIMIT_AS)
        if most == resource.RLIM_INFINITY:
            return _MOST
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
        return max(most - pages * resource.getpagesize(), 0)
    except (ImportError, OSError, ValueError, IndexError):
        return _MOST
