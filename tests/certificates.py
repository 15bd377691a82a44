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
                if not left or left[-1] >= 2 * len(moves):
                    return False
                place = left.pop()
                if place >= len(moves):
                    bound = following(at.play(moves[place - len(moves)]))
                    return bound is not None and (bound >= value if kind == "at least" else bound <= value)
                moves = [moves[place]]
            return all(visit(at.play(move)) for move in moves)

        if not visit(position):
            return None
        total += len(seen)
    return None if left else total


LINES = [
    {(column + step * across, row + step * up) for step in range(4)}
    for column in range(7)
    for row in range(6)
    for across, up in ((1, 0), (0, 1), (1, 1), (1, -1))
    if column + 3 * across < 7 and 0 <= row + 3 * up < 6
]


def following(position: cn.Position) -> float | None:
    """Return what following up shows in Connect-Four, with sets of cells: docs/proofs.md."""
    if not isinstance(position.game, cn.games.ConnectFour):
        return None
    board, mover = position.notation().split()
    cells = {(x, 5 - y): cell for y, line in enumerate(board.split("/")) for x, cell in enumerate(line)}
    own = {cell for cell, stone in cells.items() if stone == mover}
    empty = {cell for cell, stone in cells.items() if stone == "."}
    other = set(cells) - own - empty

    def wins(stones: set[tuple[int, int]]) -> bool:
        return any(line <= stones for line in LINES)

    height = {x: sum((x, y) not in empty for y in range(6)) for x in range(7)}
    odd = {(x, y) for x, y in empty if y % 2 == 0}
    lows = {(x, height[x]) for x in range(7) if height[x] % 2}
    threats = {cell for cell in empty if wins(other | {cell})}
    high = {(x, y) for x, y in odd for t in threats - odd - lows if t[0] == x and t[1] < y}
    win = 1.0 if mover == "X" else 1023.0
    if len(lows) % 2 == 0:
        if wins(own | (odd - high) | lows):
            return None
        return win if threats - odd - lows or wins(other | (empty - odd - lows)) else 512.0
    for column, below in ((x, y) for x, y in threats & odd if height[x] % 2):
        rest = {cell for cell in (odd - high) | lows if cell[0] != column}
        if not wins(own | rest | {(column, y) for y in range(height[column], below, 2)}):
            return win
    return None
