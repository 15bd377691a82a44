"""Matches on many machines, by Ray: an optional extra.

A game is a task of Ray's. If its worker or its machine dies, Ray plays the game again on another; the process
that began the match gives the games out and keeps the store.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from conspirator._cluster import join
from conspirator._errors import ConspiratorError
from conspirator.matches.plan import Task
from conspirator.matches.store import Record
from conspirator.matches.workers import Referee

RETRIES = 20
"""How often a game is begun again because its worker died."""
_GRACE = 1.0
"""How many seconds games have to end before they are called off."""


class RayWorkers:
    """The processors of a Ray cluster: one that is running, at an address, or one on this machine."""

    def __init__(self, referee: Referee, on: str, concurrency: int | None) -> None:
        ray, self._began = join(on, concurrency, "a match is played")
        self._ray = ray
        self.hand = concurrency or int(ray.cluster_resources().get("CPU", 1))
        with by_value(ray, [type(referee.game), *(player.search for player in referee.players)]):
            self._referee = ray.put(referee)
        self._play: Any = ray.remote(_play).options(num_cpus=1, max_retries=RETRIES)
        self._tasks: dict[Any, Task] = {}

    def submit(self, task: Task) -> None:
        """Give the game to the cluster."""
        self._tasks[self._play.remote(self._referee, task)] = task

    def wait(self, seconds: float) -> list[Record]:
        """Return games that have ended."""
        done, _ = self._ray.wait(list(self._tasks), num_returns=1, timeout=seconds)
        records = []
        for one in done:
            try:
                records.append(self._ray.get(one))
            except self._ray.exceptions.RayTaskError as error:
                cause = getattr(error, "cause", error)
                raise cause if isinstance(cause, ConspiratorError) else error from None
            except self._ray.exceptions.RayError as error:
                raise ConspiratorError(f"Ray could not play a game: {str(error).splitlines()[0]}") from None
            del self._tasks[one]
        return records

    def close(self) -> None:
        """Leave the cluster, if it was we who came."""
        if self._tasks:
            # Ray fails if a game is called off at the moment when it ends, so those about to end may do so
            games = list(self._tasks)
            _, running = self._ray.wait(games, num_returns=len(games), timeout=_GRACE)
            for one in running:
                self._ray.cancel(one, force=True)
        if self._began:
            self._ray.shutdown()


@contextmanager
def by_value(ray: Any, things: Iterable[Any]) -> Iterator[None]:
    """Send the user's classes as they are: other machines do not have the files."""
    classes = [cls for thing in things if isinstance(thing, type) for cls in thing.__mro__]
    names = {
        cls.__module__
        for cls in classes
        if cls.__module__.partition(".")[0] not in ("conspirator", "builtins")
    }
    modules = [sys.modules[name] for name in names if name in sys.modules]
    for module in modules:
        ray.cloudpickle.register_pickle_by_value(module)
    try:
        yield
    finally:
        for module in modules:
            ray.cloudpickle.unregister_pickle_by_value(module)


def _play(referee: Referee, task: Task) -> Record:
    try:
        return referee.play(task)
    finally:
        referee.close()
