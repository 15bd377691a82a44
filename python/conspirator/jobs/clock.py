"""Workers in virtual time: the same tree, driver and workers, with any number of workers in one process.

A job is done at once when it is given out, and comes back when its time is over on a clock that does not
wait. So one processor can tell how long a thousand would take, how much of their work would be of no use, and
what would go over the network.
"""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappop, heappush
from typing import NamedTuple, Protocol

from conspirator.jobs.driver import Driver
from conspirator.jobs.tree import JobTree
from conspirator.jobs.worker import Answer, Order


class Times(NamedTuple):
    """How long things take, in seconds."""

    job: Callable[[Order, Answer], float]
    """A job on a worker, with the way there and back."""
    driver: float
    """What the driver needs for a job: it has one at a time."""


class Proves(Protocol):
    """A worker, or something that answers like one."""

    def prove(self, order: Order, /) -> Answer:
        """Do a job."""


class VirtualPool:
    """Workers whose jobs take virtual time."""

    def __init__(self, provers: list[Proves], times: Times) -> None:
        self.hands = len(provers)
        self.now = 0.0
        self.busy = 0.0
        """The time of all workers together."""
        self._times = times
        self._idle = list(provers)
        self._out: list[tuple[float, int, Order, Answer, Proves]] = []

    def submit(self, order: Order) -> None:
        """Do the job; it comes back later."""
        self.now += self._times.driver / 2
        prover = self._idle.pop()
        answer = prover.prove(order)
        taken = self._times.job(order, answer)
        self.busy += taken
        heappush(self._out, (self.now + taken, order.job.number, order, answer, prover))

    def wait(self, _: float) -> list[tuple[Order, Answer | None]]:
        """Let time pass until the next job is back."""
        end, _number, order, answer, prover = heappop(self._out)
        self.now = max(self.now, end) + self._times.driver / 2
        self._idle.append(prover)
        return [(order, answer)]

    def close(self) -> None:
        """Forget who is out."""
        self._out.clear()


class Forecast(NamedTuple):
    """What so many workers would do."""

    workers: int
    seconds: float
    jobs: int
    expansions: int
    busy: float
    """The share of time in which a worker is at a job."""
    sent: int
    received: int
    """Bytes, to workers and from them."""
    won: bool | None


def forecast(tree: JobTree, provers: list[Proves], job: int, times: Times) -> Forecast:
    """Answer a tree's question by these workers in virtual time, with jobs of this size.

    >>> from conspirator.jobs import JobGoal, Prover, plant
    >>> goal = JobGoal("hex", {"size": 5}, "b2", 0.0, {}, "knowledge")
    >>> workers = [Prover(goal) for _ in range(4)]
    >>> forecast(plant(goal), workers, 20, Times(lambda order, answer: 1.0, 0.0)).won
    True
    """
    pool = VirtualPool(provers, times)
    driver = Driver(tree, pool, job=job)
    driver.run()
    share = pool.busy / (pool.hands * pool.now) if pool.now else 0.0
    traffic = driver.sent, driver.received
    return Forecast(
        pool.hands, pool.now, driver.tree.given, driver.expansions, share, *traffic, driver.tree.won
    )


__all__ = ["Forecast", "Proves", "Times", "VirtualPool", "forecast"]
