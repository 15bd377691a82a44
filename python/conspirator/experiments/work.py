"""How much of an experiment to do, on how many cores, and whom to tell."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import conspirator as cn

_Item = TypeVar("_Item")
_Answer = TypeVar("_Answer")


@dataclass(frozen=True)
class Work:
    """The settings of one run, as the experiments need them."""

    quick: bool = False
    """Whether a part of it is enough."""
    games: int = 0
    """Size of the sample, where there is one."""
    seconds: float | None = None
    """What stands for a unit of the paper's time, where something is bounded by time."""
    processes: int = 1
    """How many searches may run at once."""
    tell: Callable[[float, str], object] = lambda _fraction, _what: None
    """Called with the fraction that is done and with what is being done."""
    folder: Path | None = None
    """Where to keep what takes long, so that the same run can go on."""
    opponents: tuple[str, ...] = ()
    """Engines of others that play too, as texts."""
    hours: float = 0.0
    """CPU hours for all of it, where games are played until they are spent."""
    on: str | None = None
    """The cluster that plays, if not this machine."""
    only: tuple[str, ...] = ()
    """Which games to play, where there are several; none: all."""

    def over(
        self, function: Callable[[_Item], _Answer], items: Iterable[_Item], what: str = "games"
    ) -> list[_Answer]:
        """Return the function's answers in order, several computed at once.

        Threads are enough: a search of a native game lets the other threads run.
        """
        items = list(items)
        answers = []
        pool = ThreadPoolExecutor(self.processes)
        try:
            for answer in pool.map(function, items):
                answers.append(answer)
                self.tell(len(answers) / len(items), f"{len(answers):,} of {len(items):,} {what}")
        finally:
            pool.shutdown(cancel_futures=True)
        return answers


def grow(position: cn.Position, search: str, **arguments: Any) -> cn.Result:
    """Search without a limit unless one is given; Ctrl-C ends the whole experiment, not just the search."""
    if not arguments.keys() & {"expansions", "nodes"}:
        arguments["nodes"] = 10**15
    result = cn.search(position, search, **arguments)
    if result.status == "interrupted":
        raise KeyboardInterrupt
    return result
