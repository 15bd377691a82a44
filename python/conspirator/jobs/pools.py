"""Pools of workers without a cluster: in this process, one job after another."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from conspirator.jobs.worker import Answer, JobGoal, Order, Prover


class Here:
    """Workers in this process, who take turns: as many as there are hands, each with a memory of its own.

    `dies` says of an order whether its worker dies at it: then it comes back without an answer, and another
    worker takes the place.
    """

    def __init__(self, goal: JobGoal, hands: int = 1, dies: Callable[[Order], bool] | None = None) -> None:
        self.hands = hands
        self._goal = goal
        self._dies = dies
        self._idle = deque(Prover(goal) for _ in range(hands))
        self._orders: deque[Order] = deque()

    def submit(self, order: Order) -> None:
        """Put it behind the others."""
        self._orders.append(order)

    def wait(self, _: float) -> list[tuple[Order, Answer | None]]:
        """Do the first job."""
        order = self._orders.popleft()
        prover = self._idle.popleft()
        if self._dies is not None and self._dies(order):
            self._idle.append(Prover(self._goal))
            return [(order, None)]
        self._idle.append(prover)
        return [(order, prover.prove(order))]

    def close(self) -> None:
        """Forget what is still to do."""
        self._orders.clear()


__all__ = ["Here"]
