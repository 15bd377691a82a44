"""The job tree in a file: a proof that was stopped, or whose driver was killed, goes on where it was.

A file is

    conspirator jobs 1      the format and its version, one line
    {"game": ..., ...}      what is solved and how, as JSON, one line
    ...                     for each goal the tree and the facts that all share, as JSON, compressed with zlib
    32 bytes                SHA-256 of all that comes before

It replaces the old one when it is whole. Jobs that were out are given out again.
"""

from __future__ import annotations

import json
import zlib
from base64 import b64decode, b64encode
from pathlib import Path
from time import monotonic
from typing import Any

from conspirator import _native
from conspirator._errors import ArgumentError
from conspirator._files import read_sealed, write_sealed
from conspirator.jobs.driver import Driver
from conspirator.jobs.tree import JobTree
from conspirator.jobs.worker import JobGoal

MAGIC = b"conspirator jobs 1\n"
SHORTEST, LONGEST = 0.5, 60.0
"""Seconds between two files: twice as long every time, and ten times what writing took."""


class JobFile:
    """Trees of jobs about one position, by goal."""

    def __init__(self, path: Path, goal: JobGoal) -> None:
        self.path = path
        self.about = {
            "game": goal.game,
            "options": {name: str(value) for name, value in sorted(goal.options.items())},
            "position": goal.root,
            "parameters": {name: str(value) for name, value in sorted(goal.parameters.items())},
            "evaluator": goal.evaluator,
            "version": _native.__version__,
        }
        self.trees: dict[str, Any] = self._read() if path.exists() else {}
        self.wait, self.last = SHORTEST, monotonic()

    def fill(self, driver: Driver, goal: float) -> None:
        """Give a driver what is known of its goal."""
        known = self.trees.get(repr(goal))
        if known is not None:
            driver.tree = JobTree.from_data(known["tree"])
            driver.learn(b64decode(known["facts"]))
            driver.size = driver.job or known["size"]

    def keep(self, driver: Driver, goal: float, *, now: bool = False) -> None:
        """Write what a driver knows, if it is time."""
        began = monotonic()
        if not now and began - self.last < self.wait:
            return
        facts = b64encode(driver.packed).decode()
        self.trees[repr(goal)] = {"tree": driver.tree.as_data(), "facts": facts, "size": driver.size}
        content = MAGIC + json.dumps(self.about).encode() + b"\n"
        content += zlib.compress(json.dumps(self.trees).encode(), 1)
        write_sealed(self.path, content)
        self.last = monotonic()
        self.wait = min(max(2 * self.wait, 10 * (self.last - began)), LONGEST)

    def _read(self) -> dict[str, Any]:
        line, _, packed = read_sealed(self.path, MAGIC, "has no tree of jobs").partition(b"\n")
        about = json.loads(line)
        if about != self.about:
            wrong = [name for name, value in self.about.items() if about.get(name) != value]
            raise ArgumentError(f"{self.path} has the jobs of another {wrong[0]}: give another file")
        return dict(json.loads(zlib.decompress(packed)))


__all__ = ["JobFile"]
