"""The driver: it gives jobs out to a pool of workers, and takes answers into the tree."""

from __future__ import annotations

import math
from collections.abc import Callable
from time import monotonic
from typing import Any, Protocol

from conspirator._errors import ConspiratorError
from conspirator.jobs.tree import Job, JobTree
from conspirator.jobs.worker import FACT, SHARED, Answer, Order, heaviest

FIRST_JOB = 1000
"""Expansions of the first jobs, before it is known how fast the workers are."""
SECONDS = 3.0
"""How long a job takes, unless its size is given."""
LOSSES = 20
"""How often a job is given out again because its worker died."""


class Pool(Protocol):
    """Workers somewhere."""

    hands: int
    """How many jobs can be out at a time."""

    def submit(self, order: Order) -> None:
        """Give an order to some worker."""

    def wait(self, seconds: float, /) -> list[tuple[Order, Answer | None]]:
        """Return answers that have come; None if the worker has died."""

    def close(self) -> None:
        """Call off what is still out."""


class Driver:
    """Jobs of one question, until it is answered or something ends it.

    >>> import conspirator as cn
    >>> from conspirator.jobs import JobGoal, here, plant
    >>> goal = JobGoal("connect-four", {}, "5441565551", 513)
    >>> driver = Driver(plant(goal), here(goal), job=2000)
    >>> driver.run()
    >>> driver.tree.won
    True
    """

    def __init__(self, tree: JobTree, pool: Pool | None = None, *, job: int | None = None) -> None:
        self.tree = tree
        self.pool = pool
        self.job = job
        self.size = job or FIRST_JOB
        self.facts: dict[int, tuple[int, int]] = {}
        """Who wins in which positions, and what it cost to find out: from all workers, for all."""
        self.packed = b""
        self.out: dict[int, Order] = {}
        self.losses: dict[Any, int] = {}
        self.nodes = 0
        self.expansions = 0
        """Since the driver began."""
        self.seconds = 0.0
        """CPU seconds of the workers."""
        self.sent = self.received = 0
        """Bytes."""

    def run(
        self,
        goes_on: Callable[[], bool] = lambda: True,
        *,
        most: float = math.inf,
    ) -> None:
        """Give out jobs until the question is answered, `goes_on` says no, or `most` expansions are spent."""
        pool = self.pool
        while pool is not None and self.tree.won is None and goes_on():
            left = most - self.expansions
            while len(self.out) < pool.hands and left > 0:
                # those who are out spend what they were given
                left = most - self.expansions - sum(order.budget for order in self.out.values())
                job = self.tree.next() if left > 0 else None
                if job is None:
                    break
                self._give(pool, job, int(min(self.size, left)))
            if not self.out:
                return
            for order, answer in pool.wait(0.05):
                self._take(order, answer)

    def jobs(self) -> tuple[int, int, int]:
        """Return how many jobs are done, how many are out, and how many can be."""
        return self.tree.answered, len(self.out), 0 if self.pool is None else self.pool.hands

    def _give(self, pool: Pool, job: Job, budget: int) -> None:
        order = Order(job, budget, self.packed)
        self.out[job.number] = order
        self.sent += len(order.facts)
        pool.submit(order)

    def _take(self, order: Order, answer: Answer | None) -> None:
        job = order.job
        del self.out[job.number]
        if answer is None:
            self.tree.lost(job)
            self.losses[job.name] = self.losses.get(job.name, 0) + 1
            if self.losses[job.name] > LOSSES:
                raise ConspiratorError(
                    f"{LOSSES} workers have died at the same job: if they lack memory, lower table_bytes"
                )
            return
        self.expansions += answer.expansions
        self.nodes += answer.nodes
        self.seconds += answer.seconds
        self.received += len(answer.facts)
        if answer.won is None:
            self.tree.unsolved(job, answer.moves, answer.expansions)
        else:
            self.tree.solved(job, answer.won, answer.expansions)
        self.learn(answer.facts)
        if self.job is None and answer.won is None and answer.seconds > 0:
            fits = answer.expansions / answer.seconds * SECONDS
            self.size = int(
                min(max(fits, FIRST_JOB), 4 * self.size)
            )  # step by step: the first ones say little

    def learn(self, facts: bytes) -> None:
        """Take facts of a worker, and forget those that cost least if there are too many."""
        if not facts:
            return
        for key, pair, work in FACT.iter_unpack(facts):
            self.facts[key] = pair, max(work, self.facts.get(key, (0, 0))[1])
        packed = b"".join(FACT.pack(key, *fact) for key, fact in self.facts.items())
        if len(self.facts) > 2 * SHARED:
            packed = heaviest(packed, SHARED)
            self.facts = {key: (pair, work) for key, pair, work in FACT.iter_unpack(packed)}
        self.packed = heaviest(packed, SHARED)


class Deadline:
    """Whether there is time left.

    >>> Deadline(0.0)(), Deadline(60.0)()
    (False, True)
    """

    def __init__(self, seconds: float) -> None:
        self.end = monotonic() + seconds

    def __call__(self) -> bool:
        """Return whether it is still to come."""
        return self.left() > 0

    def left(self) -> float:
        """Return the seconds that are left; less than none, if it is over."""
        return self.end - monotonic()


__all__ = ["Deadline", "Driver", "Pool"]
