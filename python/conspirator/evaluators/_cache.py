"""What a network has said before, by the keys of positions."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

ENTRY_BYTES = 400
"""What an entry takes beside its scores: a key, a value, a place in a table, about."""


class Cache:
    """Answers by key: the oldest ones go when there are too many, or too many bytes.

    >>> cache = Cache(most=2)
    >>> for key in (1, 2, 3):
    ...     cache.put(key, (0.5, None))
    >>> cache.get(1), cache.get(3), len(cache)
    (None, (0.5, None), 2)
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self.room: int | None = None
        """How many bytes there may be; None: as many as the entries take."""
        self.bytes = 0
        """Bytes in use, about."""
        self.found = 0
        """How often an answer was there."""
        self._entries: OrderedDict[int, tuple[float, Any]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, key: int | None) -> tuple[float, Any] | None:
        """Return what was said of the position with a key; None if nothing is known."""
        if key is None:
            return None
        entry = self._entries.get(key)
        self.found += entry is not None
        return entry

    def put(self, key: int | None, answer: tuple[float, Any]) -> None:
        """Remember what was said of the position with a key."""
        if key is None or not self.most:
            return
        old = self._entries.pop(key, None)
        self.bytes += self._size(answer) - (0 if old is None else self._size(old))
        self._entries[key] = answer
        self._fit()

    def shrink(self, room: int | None) -> None:
        """Keep no more than so many bytes from now on; None: as many as the entries take."""
        self.room = room
        self._fit()

    def clear(self) -> None:
        """Forget everything."""
        self._entries.clear()
        self.bytes = 0

    def _fit(self) -> None:
        while len(self._entries) > self.most or (self.room is not None and self.bytes > self.room):
            if not self._entries:
                return
            _, old = self._entries.popitem(last=False)
            self.bytes -= self._size(old)

    @staticmethod
    def _size(answer: tuple[float, Any]) -> int:
        scores = answer[1]
        return ENTRY_BYTES + (0 if scores is None else int(scores.nbytes))
