"""Certificates taken apart, changed and put together again, and a plain walk to compare the checkers with."""

from __future__ import annotations

import hashlib
import zlib
from pathlib import Path
from typing import NamedTuple

import conspirator as cn


class Parts(NamedTuple):
    """The parts of a certificate."""

    header: bytes
    choices: tuple[int, ...]
    positions: int
    choice_count: int


def take_apart(content: bytes) -> Parts:
    """Return the parts of a certificate whose choices are all below 128."""
    cut = content.index(b"\n\n") + 2
    body, counts = content[cut:-48], content[-48:-32]
    numbers = (int.from_bytes(counts[:8], "little"), int.from_bytes(counts[8:], "little"))
    return Parts(content[:cut], tuple(zlib.decompress(body)), *numbers)


def put_together(parts: Parts) -> bytes:
    """Return a certificate with a checksum that is right."""
    content = parts.header + zlib.compress(bytes(parts.choices), 9)
    content += (parts.positions % 2**64).to_bytes(8, "little") + (parts.choice_count % 2**64).to_bytes(
        8, "little"
    )
    return content + hashlib.sha256(content).digest()


def is_accepted(path: Path, content: bytes) -> bool:
    """Tell whether the checker accepts a file."""
    path.write_bytes(content)
    try:
        cn.verify(path)
    except cn.ArgumentError:
        return False
    return True


def walk(position: cn.Position, claims: list[tuple[str, float]], choices: tuple[int, ...]) -> int | None:
    """Return how many positions a strategy has, by the games of the core; None if it is no proof."""
    left = list(reversed(choices))
    total = 0
    for kind, value in claims:
        seen: set[object] = set()

        def visit(at: cn.Position, kind: str = kind, value: float = value, seen: set[object] = seen) -> bool:
            if at.outcome is not None:
                return at.outcome >= value if kind == "at least" else at.outcome <= value
            if at in seen:
                return True
            seen.add(at)
            moves = at.moves()
            if len(moves) > 1 and (at.to_move == "max") == (kind == "at least"):
                if not left or left[-1] >= len(moves):
                    return False
                moves = [moves[left.pop()]]
            return all(visit(at.play(move)) for move in moves)

        if not visit(position):
            return None
        total += len(seen)
    return None if left else total
