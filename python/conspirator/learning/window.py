"""The last positions that games have taught: what a network learns from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from conspirator._planes import numpy
from conspirator.learning.lessons import ILLEGAL, Lessons
from conspirator.learning.view import View

if TYPE_CHECKING:
    from conspirator.learning.view import Floats


class Window:
    """At most so many positions; the oldest give way."""

    def __init__(self, view: View, most: int) -> None:
        np = numpy()
        self.view, self.most = view, most
        self.lessons = Lessons(
            np.zeros((0, *view.planes), dtype=np.float32),
            np.zeros((0, view.outputs), dtype=np.float32),
            np.zeros(0, dtype=np.float32),
            0,
        )

    def __len__(self) -> int:
        return self.lessons.positions

    def add(self, new: Lessons) -> None:
        """Remember what a few games have taught."""
        np = numpy()
        old = self.lessons
        planes, policies, values = (np.concatenate([old[at], new[at]])[-self.most :] for at in range(3))
        self.lessons = Lessons(planes, policies, values, old.games + new.games)

    def sample(self, count: int, random: Any) -> tuple[Floats, Floats, Floats]:
        """Return so many random positions, each turned in some way that the game's symmetries allow."""
        np = numpy()
        rows = random.integers(len(self), size=count)
        planes, policies = self.lessons.planes[rows].copy(), self.lessons.policies[rows].copy()
        turns = self.view.turns
        which = random.integers(len(turns) + 1, size=count)
        for number, turn in enumerate(turns, start=1):
            some = which == number
            planes[some] = turn.turn(planes[some])
            policies[some] = policies[some][:, turn.moves]
        values = self.lessons.values[rows]
        assert (policies != ILLEGAL).any(axis=1).all()
        return np.ascontiguousarray(planes), policies, values
