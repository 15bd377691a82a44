"""A search that is shown again, expansion by expansion, in both directions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import conspirator as cn
from conspirator._budget import Budget
from conspirator._errors import ArgumentError
from conspirator._players import Player
from conspirator._result import Result
from conspirator.figures.colours import number
from conspirator.studio.explain import reason, say_line
from conspirator.studio.lane import Lane, Tell
from conspirator.studio.looks import Names, Path

MOST_STEPS = 200_000
"""Expansions that can be gone through one by one."""


class Replay(Lane):
    """The growth of a tree again: the same search with the same seed gives the same tree, step by step.

    Forwards it grows by the expansions between, backwards it begins again; that is quick, and needs no
    memory. What a step says is found in the tree before it.
    """

    def __init__(
        self,
        name: str,
        position: cn.Position,
        player: Player,
        tell: Tell,
        expansions: int,
        names: Mapping[Path, str] | None = None,
    ) -> None:
        super().__init__(name, position, player, tell)
        self.names = Names(position, names)
        self.steps = min(expansions, MOST_STEPS)
        """How many expansions there are to go through."""
        self._trace: list[list[int]] = []
        self.said: dict[str, Any] = {}
        """What the step that is shown says."""

    def seek(self, step: Any) -> None:
        """Show the tree after so many expansions, and say which leaf the last of them chose and why."""
        if type(step) is not int:
            raise ArgumentError("a step is a whole number")
        step = max(1, min(step, self.steps))
        leaf = self.leaf(step)
        why, line, value = reason(str(self.player.search), None, (), self.names), "the root", None
        if step > 1:
            before = self._grown(step - 1)
            value = before.value
            why = reason(str(self.player.search), before.tree, leaf, self.names, self._threshold())
            line = say_line(self.names, before.tree, leaf)
        after = self._grown(step)
        self.said = {
            "step": step,
            "of": self.steps,
            "leaf": leaf,
            "line": line,
            "why": why,
            "change": say_change(value, after.value),
        }
        for view in self.views.values():
            view.selected = leaf
        self.show()

    def leaf(self, step: int) -> Path:
        """Return the leaf that an expansion chose, the first of them being 1.

        The order is found by searching once more: to record it while people watch would slow the search down.
        """
        if not self._trace:
            self._trace = self._searched(self.steps, trace=True).trace
        return tuple(self._trace[step - 1])

    def _searched(self, expansions: int, *, trace: bool = False) -> Result:
        rule, parameters, evaluator, _ = self._settings()
        budget = Budget(expansions=expansions)
        return cn.search(self.position, rule, evaluator=evaluator, budget=budget, trace=trace, **parameters)

    def _grown(self, expansions: int) -> Result:
        if self.result is None or self.result.expansions > expansions:
            self.result = self._searched(expansions)
        elif self.result.expansions < expansions:
            self.result = self.result.resume(expansions=expansions - self.result.expansions)
        return self.result

    def _threshold(self) -> int:
        """Return for how many conspirators the rule looks, as far as it says so."""
        given = self.player.parameters
        for name, less in (("threshold", 0), ("ct", 1)):
            if isinstance(given.get(name), int):
                return max(1, int(given[name]) - less)
        return 1

    def state(self) -> dict[str, Any]:
        """Return the answer so far, and what the step says."""
        return {**super().state(), "replay": self.said}


def say_change(before: float | None, after: float) -> str:
    """Return what an expansion did to the value of the root.

    >>> say_change(3.0, 3.0), say_change(3.0, 5.0)
    ("The root's value stays 3.", "The root's value changes from 3 to 5.")
    """
    if before is None:
        return f"The root is worth {number(after)}."
    if before == after:
        return f"The root's value stays {number(after)}."
    return f"The root's value changes from {number(before)} to {number(after)}."
