"""Searches of one position side by side: they grow in step, and go back in step."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from functools import partial
from threading import Thread
from time import monotonic
from typing import Any

import conspirator as cn
from conspirator._budget import Budget
from conspirator._errors import ArgumentError, ConspiratorError
from conspirator._players import Player
from conspirator._result import Result
from conspirator.studio.lane import ENDS, MOST_NODES, Tell
from conspirator.studio.replay import MOST_STEPS, Replay

BEAT = 0.08
"""Seconds from one picture to the next, of the slowest of them."""
UNITS = ("expansions", "nodes", "seconds")
"""What is counted, in this order if a budget has several limits."""


class Side(Replay):
    """One of the searches: it grows when it is told to, and can show every earlier tree."""

    def __init__(self, name: str, position: cn.Position, player: Player, tell: Tell) -> None:
        if not player.keeps_tree:
            raise ArgumentError(f"{player} keeps no tree: it cannot be shown step by step")
        super().__init__(name, position, player, tell, 0)
        self._kept: Result | None = None
        """The search as far as it has grown, while an earlier tree is shown."""

    def _live(self) -> None:
        while (question := self._questions.get()) is not None:
            question()

    def reach(self, unit: str, target: float) -> None:
        """Grow until so much has been spent, or the search has ended; in the lane's thread."""
        try:
            if self.result is None:
                self.result = self._searched(1)
            left = target - getattr(self.result, unit)
            if left > 0 and self.result.status not in ENDS:
                left = left if unit == "seconds" else int(left)
                self.result = self.result.resume(budget=Budget(**{unit: left}))
            if self.result.status in ENDS or self.result.nodes >= MOST_NODES:
                self.running = False
        except ConspiratorError as error:
            self.failed, self.running = str(error), False
        except Exception as error:  # the user's own game
            self.failed, self.running = f"{type(error).__name__}: {error}", False
        self._grew = True

    def wake(self) -> None:
        """Go on where the search stands; in the lane's thread."""
        if self._kept is not None:
            self.result, self._kept = self._kept, None
        self._trace, self.said = [], {}
        self.running = self.result is None or self.result.status not in ENDS

    def seek(self, step: Any) -> None:
        """Show the tree after so many expansions; a search that ended earlier shows its last one."""
        if self._kept is None:
            if self.result is None:
                raise ArgumentError("nothing has been searched yet")
            self._kept = self.result
            self.steps = min(self._kept.expansions, MOST_STEPS)
        super().seek(step)

    @property
    def expansions(self) -> int:
        """How far the search has grown."""
        grown = self._kept or self.result
        return 0 if grown is None else grown.expansions


class Together:
    """Several searches that grow in step: all of them spend as much as the others before any goes on.

    Each takes its turns in its own thread, so that they share the cores of the machine; pictures are made
    when all have come as far.
    """

    def __init__(self, sides: Sequence[Side], budget: Budget) -> None:
        self.sides = list(sides)
        self.unit = next((unit for unit in UNITS if getattr(budget, unit) is not None), UNITS[0])
        limit = getattr(budget, self.unit)
        self._share: float = float("inf") if limit is None else float(limit)
        self._spent = self._limit = 0.0
        self._thread: Thread | None = None

    def go(self) -> None:
        """Begin, or go on with as much again."""
        if self._thread is not None and self._thread.is_alive():
            return
        self._limit = self._spent + self._share
        for side in self.sides:
            side.ask(side.wake).result()
        self._thread = Thread(target=self._run, name="sides", daemon=True)
        self._thread.start()

    def halt(self) -> None:
        """Stop all of them, at the end of this step."""
        for side in self.sides:
            side.halt()
        if self._thread is not None:
            self._thread.join()

    def seek(self, step: Any) -> dict[str, Any]:
        """Show every search after the same number of expansions."""
        self.halt()
        _all([side.ask(partial(side.seek, step)) for side in self.sides])
        return {"step": max(side.said["step"] for side in self.sides), "of": self.steps}

    @property
    def steps(self) -> int:
        """How many expansions there are to go through."""
        return min(MOST_STEPS, max((side.expansions for side in self.sides), default=0))

    def _run(self) -> None:
        stride = 0.01 if self.unit == "seconds" else 1.0
        while self._spent < self._limit and (active := [side for side in self.sides if side.running]):
            began = monotonic()
            target = min(self._limit, self._spent + stride)
            _all([side.ask(partial(side.reach, self.unit, target)) for side in active])
            taken = monotonic() - began
            self._spent = target
            if target >= self._limit:
                for side in active:
                    side.running = False
            _all([side.ask(side.show) for side in active])
            if self.unit != "seconds":
                stride = max(1.0, float(int(stride * min(2.0, max(0.5, BEAT / max(taken, 1e-4))))))
            else:
                stride = min(BEAT, 2 * stride)
        for side in self.sides:
            side.running = False


def _all(answers: list[Future[None]]) -> None:
    for answer in answers:
        answer.result()
