"""The table of a proof in a file: a solution that was stopped, or killed, goes on where it was.

A file is

    conspirator table 1     the format and its version, one line
    {"game": ..., ...}      what is solved and how, and the goals that have facts, as JSON, one line
    ...                     the facts of each goal, compressed with zlib: key, numbers, work, 8 bytes each
    32 bytes                SHA-256 of all that comes before

It is written beside the old one, which it replaces when it is whole: whenever the program is killed, there
is a whole file. What a table says is believed; what a certificate says is checked.
"""

from __future__ import annotations

import json
import os
import zlib
from pathlib import Path
from time import monotonic
from typing import Any

from conspirator import _native
from conspirator._errors import ArgumentError
from conspirator._files import read_sealed, write_sealed
from conspirator._native import Position

MAGIC = b"conspirator table 1\n"
SHORTEST, LONGEST = 0.25, 60.0
"""Seconds between two files: twice as long every time, and ten times what writing took."""


class DiskTable:
    """Facts about one position, by goal."""

    def __init__(self, path: str | os.PathLike[str], position: Position, search: str, evaluator: Any) -> None:
        game = position.game
        own = not hasattr(game, "_parameters")
        self.path = Path(path)
        self.about = {
            "game": type(game).__name__ if own else game.name,
            "options": {} if own else {name: str(value) for name, value in game._complete().items()},
            "position": str(position) if own else position.notation(),
            "search": search,
            "evaluator": None if evaluator is None else str(evaluator),
            "version": _native.__version__,
        }
        self.packed: dict[str, bytes] = self._read() if self.path.exists() else {}
        self.wait, self.last = SHORTEST, monotonic()

    def fill(self, core: _native.Search, goal: float) -> None:
        """Give a search what is known of its goal."""
        packed = self.packed.get(repr(goal))
        if packed is not None:
            core.learn(zlib.decompress(packed))

    def keep(self, core: _native.Search, goal: float, *, now: bool = False) -> None:
        """Write what a search knows, if it is time."""
        began = monotonic()
        if not now and began - self.last < self.wait:
            return
        self.packed[repr(goal)] = zlib.compress(core.facts(), 1)
        self._write()
        self.last = monotonic()
        self.wait = min(max(2 * self.wait, 10 * (self.last - began)), LONGEST)

    def _read(self) -> dict[str, bytes]:
        line, _, rest = read_sealed(self.path, MAGIC, "is no table").partition(b"\n")
        header = json.loads(line)
        if header["about"] != self.about:
            wrong = [name for name, value in self.about.items() if header["about"].get(name) != value]
            raise ArgumentError(f"{self.path} has the table of another {wrong[0]}: give another file")
        packed = {}
        for goal, size in header["goals"]:
            packed[goal], rest = rest[:size], rest[size:]
        return packed

    def _write(self) -> None:
        goals = [(goal, len(facts)) for goal, facts in self.packed.items()]
        line = json.dumps({"about": self.about, "goals": goals}).encode() + b"\n"
        write_sealed(self.path, b"".join([MAGIC, line, *self.packed.values()]))


__all__ = ["DiskTable"]
