"""The line that shows how far a search has come, and vanishes at its end."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager, nullcontext, redirect_stdout
from types import TracebackType
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn

from conspirator._budget import Budget
from conspirator.cli.words import say_amount, say_short, say_value

_SHOWN_AFTER = 0.3
_SHORT_UNITS = {"expansions": "expansions", "nodes": "nodes", "move_calls": "move calls"}


def output_to_ourselves(on: str | None) -> AbstractContextManager[object]:
    """Send what Ray prints while a cluster works, that a worker has died, to the error stream."""
    return nullcontext() if on is None else redirect_stdout(sys.stderr)


class ProgressLine:
    """A progress function for `cn.search`, and the line that it keeps up to date on the error stream.

    Use it as a context manager; what `with` gives is the function, or None if nobody would see the line.
    """

    def __init__(self, budget: Budget, *, wanted: bool) -> None:
        console = Console(stderr=True)
        self._budget = budget.given()
        self._shown = wanted and console.is_terminal
        self._started = False
        self._bar = Progress(
            BarColumn(20),
            TextColumn("{task.description}", markup=False),
            console=console,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        self._task = self._bar.add_task("", total=1.0)

    def __enter__(self) -> ProgressLine | None:
        return self if self._shown else None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._started:  # rich would print an empty line for a bar that never was
            self._bar.stop()

    def __call__(self, facts: dict[str, Any]) -> bool:
        """Show the facts; stop the search if Ctrl-C comes at just this moment."""
        try:
            if facts["seconds"] >= _SHOWN_AFTER:
                self._bar.update(self._task, completed=self._fraction(facts), description=self._say(facts))
                self._started = True  # before it is: Ctrl-C may come in between
                self._bar.start()
        except KeyboardInterrupt:
            return False
        return True

    def _fraction(self, facts: dict[str, Any]) -> float:
        return max((facts.get(unit, 0) / limit for unit, limit in self._budget.items()), default=0.0)

    def _say(self, facts: dict[str, Any]) -> str:
        words = [f"{facts['seconds']:.1f}"]
        if "seconds" in self._budget:
            words[0] += f" of {say_amount(self._budget['seconds'], 'seconds')}"
        else:
            words[0] += " seconds"
        for unit, name in _SHORT_UNITS.items():
            if unit in self._budget:
                words.append(f"{say_short(facts[unit])} of {say_short(self._budget[unit])} {name}")
            elif unit != "move_calls":
                words.append(f"{say_short(facts[unit])} {name}")
        words.append(f"value {say_value(facts['value'])}")
        return "  ".join(words)


class SolveLine(ProgressLine):
    """The same for `cn.solve`: which question it is at, and how fast it goes."""

    def _say(self, facts: dict[str, Any]) -> str:
        seconds = f"{facts['seconds']:.1f}"
        if "seconds" in self._budget:
            seconds += f" of {say_amount(self._budget['seconds'], 'seconds')}"
        else:
            seconds += " seconds"
        expansions = say_short(facts["expansions"])
        if "expansions" in self._budget:
            expansions += f" of {say_short(self._budget['expansions'])}"
        low, high = map(say_value, facts["bounds"])
        question = "the value"
        if facts["goal"] is not None:
            question = f"question {facts['question']}: at least {say_value(facts['goal'])}?"
        standing = facts.get("standing")
        if standing is not None:
            proof, disproof, settled, moves = standing
            question += (
                f"  proof {say_short(proof)}, disproof {say_short(disproof)}, {settled} of {moves} moves"
            )
        if facts.get("jobs") is not None:
            done, out, hands = facts["jobs"]
            seconds += f", {say_short(done)} jobs done, {out} of {hands} workers busy"
        return "  ".join(
            [
                question,
                seconds,
                f"{expansions} expansions, {say_short(facts['expansions'] / facts['seconds'])} a second",
                f"value from {low} to {high}",
            ]
        )


class ProgressBar:
    """A bar on the error stream for work of many parts, if somebody sees it; it vanishes at the end."""

    def __init__(self, *, wanted: bool) -> None:
        console = Console(stderr=True)
        self._shown = wanted and console.is_terminal
        self._bar = Progress(
            BarColumn(20), TextColumn("{task.description}", markup=False), console=console, transient=True
        )
        self._task = self._bar.add_task("", total=1.0)

    def __enter__(self) -> ProgressBar | None:
        if self._shown:
            self._bar.start()
        return self if self._shown else None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._shown:
            self._bar.stop()

    def __call__(self, fraction: float, what: str) -> None:
        """Show how far it has come."""
        self._bar.update(self._task, completed=fraction, description=what)
