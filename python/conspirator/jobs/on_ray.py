"""Workers on many machines, by Ray: an optional extra.

A job is a task of Ray's. If its worker or its machine dies, the job comes back without an answer, and the
driver gives it out again. A process of the cluster keeps what it knows of a question from job to job.
"""

from __future__ import annotations

from typing import Any

from conspirator._cluster import join
from conspirator._errors import ConspiratorError
from conspirator.jobs.worker import Answer, JobGoal, Order, Prover

_provers: dict[str, Prover] = {}
"""In a process of the cluster: the worker for the last question."""


class RayProvers:
    """The processors of a Ray cluster."""

    def __init__(self, goal: JobGoal, on: str, concurrency: int | None) -> None:
        ray, self._began = join(on, concurrency, "a position is solved")
        self._ray = ray
        self.hands = concurrency or int(ray.cluster_resources().get("CPU", 1))
        self._goal = ray.put(goal)
        self._prove: Any = ray.remote(_prove).options(num_cpus=1, max_retries=0)
        self._orders: dict[Any, Order] = {}

    def submit(self, order: Order) -> None:
        """Give the order to the cluster."""
        self._orders[self._prove.remote(self._goal, order)] = order

    def wait(self, seconds: float) -> list[tuple[Order, Answer | None]]:
        """Return jobs that have ended, or whose worker has died."""
        done, _ = self._ray.wait(list(self._orders), num_returns=1, timeout=seconds)
        ended = list[tuple[Order, Answer | None]]()
        for one in done:
            order = self._orders.pop(one)
            try:
                ended.append((order, self._ray.get(one)))
            except self._ray.exceptions.RayTaskError as error:
                cause = getattr(error, "cause", error)
                raise cause if isinstance(cause, ConspiratorError) else error from None
            except self._ray.exceptions.RayError:
                ended.append((order, None))
        return ended

    def close(self) -> None:
        """Call off what is still out."""
        for one in self._orders:
            self._ray.cancel(one, force=True)
        self._orders.clear()

    def leave(self) -> None:
        """Leave the cluster, if it was we who came."""
        if self._began:
            self._ray.shutdown()


def _prove(goal: JobGoal, order: Order) -> Answer:
    prover = _provers.get(goal.digest)
    if prover is None:
        _provers.clear()
        prover = _provers[goal.digest] = Prover(goal)
    return prover.prove(order)


__all__ = ["RayProvers"]
