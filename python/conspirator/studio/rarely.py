"""Questions whose answers take as long as the tree is large: asked while there is time for them."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Generic, TypeVar

LONGEST = 0.008
"""Seconds that a question may take while the tree grows: pictures must not be late."""
PAUSE = 100
"""From one question to the next, in times of what the last one took."""
Answer = TypeVar("Answer")


class Rarely(Generic[Answer]):
    """One question, with its last answer.

    >>> question = Rarely[int]()
    >>> question.ask(lambda: 7, nodes=100, hurry=False), question.last
    (7, 7)
    """

    def __init__(self) -> None:
        self.last: Answer | None = None
        """What was answered last."""
        self._per_node, self._after = 0.0, 0.0

    def ask(self, question: Callable[[], Answer], nodes: int, *, hurry: bool) -> Answer | None:
        """Return an answer, or None if there is no time for it; without hurry there always is."""
        now = perf_counter()
        if hurry and (now < self._after or self._per_node * nodes > LONGEST):
            return None
        self.last = question()
        taken = perf_counter() - now
        self._per_node = taken / max(nodes, 1)
        self._after = now + PAUSE * taken
        return self.last
