"""The checker: read a certificate, walk its strategy to every end of the game, and say what is proven.

docs/proofs.md has the format byte by byte. A file is read piece by piece; what is kept in memory is the set of
positions that the walk has been to.
"""

from __future__ import annotations

import hashlib
import os
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import repeat
from typing import Any, BinaryIO

from .cells import walk_cells
from .rejected import Rejected
from .rules import RULES

MAGIC = b"conspirator proof 1\n"
TRAILER = 8 + 8 + 32
PIECE = 1 << 16
LONGEST_HEADER = 1 << 24
LONGEST_LINE = 1 << 20
_END = object()


@dataclass(frozen=True)
class Checked:
    """What a certificate proves."""

    game: str
    options: dict[str, str]
    position: str
    at_least: float | None
    """Max gets at least this; None if nothing is claimed."""
    at_most: float | None
    """Max gets at most this; None if nothing is claimed."""
    positions: int
    """Positions that were walked, each once for each claim."""
    choices: int
    """Moves of the strategy that were read."""

    def __str__(self) -> str:
        claims = [
            f"Max gets {word} {value:g}"
            for word, value in (("at least", self.at_least), ("at most", self.at_most))
            if value is not None
        ]
        options = "".join(f" {name}={value}" for name, value in self.options.items() if len(value) < 50)
        place = f" at {self.position}" if self.position else ""
        return f"proven: {' and '.join(claims)} in {self.game}{options}{place} ({self.positions:,} positions)"


def check_file(path: str | os.PathLike[str], rules: Any = None, position: str | None = None) -> Checked:
    """Return what a certificate proves; raise `Rejected` if it does not prove what it says.

    A game that is not among RULES needs its `rules`, and the text of the `position` that the file must state.
    """
    with open(path, "rb") as file:
        size = os.fstat(file.fileno()).st_size
        digest = hashlib.sha256()
        header = read_header(file, digest)
        name, options, text, claims = parse(header)
        try:
            known = RULES[name](options) if rules is None else rules
            root = known.read(text)
        except KeyError:
            raise Rejected(f"{name} is a game that this checker needs the rules of") from None
        except (ValueError, IndexError, TypeError, AttributeError, RecursionError) as error:
            raise Rejected(f"its position cannot be read: {error}") from None
        if position is not None and position != text:
            raise Rejected("it is about another position")
        end = size - TRAILER
        choices = Choices(file, digest, end)
        positions = 0
        for word, value in claims:
            by_max = word == "at least"
            holds = value.__le__ if by_max else value.__ge__
            walker = walk_cells if getattr(known, "cells", False) else walk
            positions += walker(known, root, holds, by_max, choices.next)
        choices.finish()
        trailer = file.read(TRAILER + 1)
        counts = positions.to_bytes(8, "little") + choices.count.to_bytes(8, "little")
        digest.update(counts)
        if trailer != counts + digest.digest():
            raise Rejected("its counts or its checksum are wrong")
    bounds = dict(claims)
    return Checked(
        name, options, text, bounds.get("at least"), bounds.get("at most"), positions, choices.count
    )


# ------------------------------------------------------------ the file


def read_header(file: BinaryIO, digest: Any) -> list[str]:
    """Return the lines of the header, up to the empty one."""
    if file.read(len(MAGIC)) != MAGIC:
        raise Rejected("it does not begin like a certificate of version 1")
    digest.update(MAGIC)
    lines: list[str] = []
    while True:
        line = file.readline(LONGEST_HEADER)
        digest.update(line)
        if not line.endswith(b"\n"):
            raise Rejected("its header has no end")
        if line == b"\n":
            return lines
        try:
            lines.append(line[:-1].decode("ascii"))
        except UnicodeDecodeError:
            raise Rejected("its header is not plain text") from None


def parse(lines: list[str]) -> tuple[str, dict[str, str], str, list[tuple[str, float]]]:
    """Return game, options, position and claims, in that order, each in its one form."""
    rest = iter([*lines, ""])
    line = next(rest)
    if not line.startswith("game "):
        raise Rejected("its header names no game")
    name, options = line[5:], dict[str, str]()
    while (line := next(rest)).startswith("option "):
        option, _, value = line[7:].partition(" ")
        if options and option <= max(options):
            raise Rejected("its options are not in order")
        options[option] = value
    if line != "position" and not line.startswith("position "):
        raise Rejected("its header has no position")
    text, claims = line[9:], list[tuple[str, float]]()
    while line := next(rest):
        word, value = line[6:14].rstrip(), line[14:].strip()
        try:
            number = float(value)
        except ValueError:
            raise Rejected("a claim has no value") from None
        if line != f"claim {word} {number!r}" or word not in ("at least", "at most") or number != number:
            raise Rejected("a claim cannot be read")
        claims.append((word, number))
    if list(rest) or [word for word, _ in claims] not in (["at least"], ["at most"], ["at least", "at most"]):
        raise Rejected("its claims are not one of each kind, in order")
    return name, options, text, claims


class Choices:
    """The numbers of a compressed stream, one after another."""

    def __init__(self, file: BinaryIO, digest: Any, end: int) -> None:
        self.file, self.digest, self.end, self.count = file, digest, end, 0
        self.inflate = zlib.decompressobj()
        self.bytes = self.unpack()
        self.next = self.read().__next__

    def unpack(self) -> Iterator[int]:
        """Yield the bytes of the stream."""
        inflate, left = self.inflate, b""
        while not inflate.eof:
            piece = left or self.file.read(min(PIECE, self.end - self.file.tell()))
            if not left:
                self.digest.update(piece)
            try:
                unpacked = inflate.decompress(piece, PIECE)
            except zlib.error as error:
                raise Rejected(f"its choices cannot be unpacked: {error}") from None
            if not piece and not unpacked and not inflate.eof:
                raise Rejected("it ends too early")
            left = inflate.unconsumed_tail
            yield from unpacked

    def read(self) -> Iterator[int]:
        """Yield the numbers: seven bits a byte, the lowest first, as few bytes as it takes."""
        for byte in self.bytes:
            number, shift = byte & 0x7F, 7
            while byte & 0x80:
                byte = next(self.bytes, 0x80 if shift < 35 else 0)
                if shift >= 35 or byte == 0:
                    raise Rejected("a choice is not a number")
                number |= (byte & 0x7F) << shift
                shift += 7
            self.count += 1
            yield number
        while True:
            raise Rejected("a choice is missing")

    def finish(self) -> None:
        """See that nothing is left."""
        if next(self.bytes, None) is not None:
            raise Rejected("there are more choices than the strategy needs")
        if self.inflate.unused_data or self.file.tell() != self.end:
            raise Rejected("there is something behind the choices")


# ------------------------------------------------------------ the walk


def walk(
    rules: Any, root: Any, holds: Callable[[float], bool], by_max: bool, choose: Callable[[], int]
) -> int:
    """Walk a strategy to every end of the game; return how many positions there are.

    One move where the prover is to move, every move elsewhere. A position that was walked before is not walked
    again: what counts is how many moves there are below it, at the most. One that is still on the way would
    be met again and again: that is a draw, where the game has draws by repetition, and else no proof.
    """
    seen: dict[Any, int | None] = {}
    outcome, key_of, moves_of, play = rules.outcome, rules.key, rules.moves, rules.play
    max_to_move, longest = rules.max_to_move, LONGEST_LINE if rules.longest is None else rules.longest
    circles = rules.repeats and holds(rules.middle)
    ways, keys, heights, positions = [iter([root])], [None], [0], 0
    while ways:
        state = next(ways[-1], _END)
        if state is _END:
            ways.pop()
            key, height = keys.pop(), heights.pop() + 1
            if key is not None:
                seen[key] = height
            if heights and heights[-1] < height:
                heights[-1] = height
            continue
        value = outcome(state)
        if value is not None:
            if not holds(value):
                raise Rejected(f"a line of its strategy ends with {value:g}")
            continue
        key = key_of(state)
        if key is not None:
            if key in seen:
                height = seen[key] or 0
                if seen[key] is None and not circles:
                    raise Rejected("its strategy goes round in circles")
                if len(ways) - 1 + height > longest:
                    raise Rejected("a line of its strategy is too long")
                heights[-1] = max(heights[-1], height)
                continue
            seen[key] = None
        moves = moves_of(state)
        if not moves or len(ways) > longest:
            raise Rejected("a line of its strategy has no end")
        if len(moves) > 1 and max_to_move(state) == by_max:
            place = choose()
            if place >= len(moves):
                raise Rejected("a choice is no legal move")
            moves = moves[place : place + 1]
        positions += 1
        ways.append(map(play, repeat(state), moves))
        keys.append(key)
        heights.append(0)
    return positions
