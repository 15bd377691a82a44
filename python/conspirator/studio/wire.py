"""Data as the page reads it: JSON that has no infinities, and frames of bytes."""

from __future__ import annotations

import json
import struct
from math import isfinite
from typing import Any


def plain(thing: Any) -> Any:
    """Return data that JSON can say; an infinity becomes a text, and what is no data too.

    >>> plain({"upper": [1.0, float("inf")], "move": (1, 2)})
    {'upper': [1.0, 'inf'], 'move': [1, 2]}
    """
    kind = type(thing)
    if kind is int or kind is str or thing is None or kind is bool:
        return thing
    if isinstance(thing, float):
        return thing if isfinite(thing) else "inf" if thing > 0 else "-inf" if thing < 0 else None
    if isinstance(thing, (int, str)):
        return thing
    if isinstance(thing, dict):
        return {str(key): plain(value) for key, value in thing.items()}
    if isinstance(thing, (list, tuple, set, frozenset)):
        return [plain(item) for item in thing]
    return str(thing)


def text_of(message: Any) -> str:
    """Return a message as JSON."""
    return json.dumps(plain(message), separators=(",", ":"), ensure_ascii=False)


class Passing(bytes):
    """A picture of which every later one knows all: if it was not sent in time, it need not be sent."""


def frame(head: dict[str, Any], blocks: bytes) -> bytes:
    """Return a head and blocks in one message: the length of the head, the head, padding, the blocks.

    >>> data = frame({"lane": "main"}, b"1234")
    >>> len(data) % 4, data[-4:]
    (0, b'1234')
    """
    words = text_of(head).encode()
    words += b" " * (-len(words) % 4)
    return struct.pack("<I", len(words)) + words + blocks
