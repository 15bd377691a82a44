"""The checker: read a certificate, walk its strategy to every end of the game, and say what is proven.

docs/proofs.md has the format byte by byte. A file is read piece by piece; what is kept in memory is the set
of positions that the walk has been to.
"""

from __future__ import annotations

import hashlib
import os
import re
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import repeat
from typing import Any, BinaryIO

from .cells import walk_cells
from .rejected import Rejected, demand
from .rules import RULES

MAGIC = b"conspirator proof 1\n"
TRAILER, PIECE, LONGEST_HEADER, LONGEST_LINE = 8 + 8 + 32, 1 << 16, 1 << 24, 1 << 20
HEADER = re.compile(
    r'game (\S.*)\n((?:option \S+ .+\n)*)position(?: (\S+(?: \S+)*|".*"))?\n'
    r"((?:claim at (?:least|most) \S+\n){1,2})\n"
)
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
        bounds = {"at least": self.at_least, "at most": self.at_most}.items()
        claims = " and ".join(f"Max gets {word} {value:g}" for word, value in bounds if value is not None)
        options = "".join(f" {name}={value}" for name, value in self.options.items() if len(value) < 50)
        place = f" at {self.position}" if self.position else ""
        return f"proven: {claims} in {self.game}{options}{place} ({self.positions:,} positions)"


def check_file(path: str | os.PathLike[str], rules: Any = None, position: str | None = None) -> Checked:
    """Return what a certificate proves; raise `Rejected` if it does not prove what it says.

    A game that is not among RULES needs its `rules`, and the text of the `position` that the file must state.
    """
    with open(path, "rb") as file:
        end = os.fstat(file.fileno()).st_size - TRAILER
        digest = hashlib.sha256()
        name, options, text, claims = read_header(file, digest)
        demand(position in (None, text), "it is about another position")
        if rules is None and name not in RULES:
            raise Rejected(f"{name} is a game that the checker needs the rules of: give the position")
        choices, positions = Choices(file, digest, end), 0
        try:
            known = RULES[name](options) if rules is None else rules
            root = known.read(text)
            walker = walk_cells if getattr(known, "cells", False) else walk
            for word, value in claims.items():
                by_max = word == "at least"
                holds = value.__le__ if by_max else value.__ge__
                positions += walker(known, root, holds, by_max, choices.next)
        except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError) as error:
            raise Rejected(f"its game or its position cannot be read: {error!r}") from None
        choices.finish()
        counts = positions.to_bytes(8, "little") + choices.count.to_bytes(8, "little")
        digest.update(counts)
        demand(file.read(TRAILER + 1) == counts + digest.digest(), "its counts or its checksum are wrong")
    bounds = claims.get("at least"), claims.get("at most")
    return Checked(name, options, text, *bounds, positions, choices.count)


# ------------------------------------------------------------ the file


def read_header(file: BinaryIO, digest: Any) -> tuple[str, dict[str, str], str, dict[str, float]]:
    """Return game, options, position and claims, each in its one form."""
    lines = [file.readline(LONGEST_HEADER)]
    demand(lines[0] == MAGIC, "it does not begin like a certificate of version 1")
    while lines[-1] not in (b"", b"\n"):
        lines.append(file.readline(LONGEST_HEADER))
    header = b"".join(lines)
    digest.update(header)
    found = HEADER.fullmatch(header[len(MAGIC) :].decode("latin-1"))
    if found is None or not header.isascii():
        raise Rejected("its header cannot be read")
    name, option_lines, text, claim_lines = found.groups()
    pairs = [line[7:].split(" ", 1) for line in option_lines.splitlines()]
    names = [option for option, _ in pairs]
    words = [line[6:].rsplit(" ", 1) for line in claim_lines.splitlines()]
    try:
        claims = {word: float(value) for word, value in words}
    except ValueError:
        raise Rejected("a claim has no value") from None
    demand(names == sorted(set(names)), "its options are not in order")
    demand(list(claims) == sorted(word for word, _ in words), "its claims are not in order")
    one_form = all(repr(claims[word]) == value != "nan" for word, value in words)
    demand(one_form, "the value of a claim is not in its one form")
    return name, dict(pairs), text or "", claims


class Choices:
    """The numbers of a compressed stream, one after another."""

    def __init__(self, file: BinaryIO, digest: Any, end: int) -> None:
        self.file, self.digest, self.end, self.count = file, digest, end, 0
        self.inflate = zlib.decompressobj()
        self.bytes = self.unpack()
        self.next = self.read().__next__

    def unpack(self) -> Iterator[int]:
        """Yield the bytes of the stream."""
        inflate = self.inflate
        while not inflate.eof:
            piece = inflate.unconsumed_tail
            if not piece:
                piece = self.file.read(max(0, min(PIECE, self.end - self.file.tell())))
                self.digest.update(piece)
            try:
                unpacked = inflate.decompress(piece, PIECE)
            except zlib.error as error:
                raise Rejected(f"its choices cannot be unpacked: {error}") from None
            demand(piece or unpacked or inflate.eof, "it ends too early")
            yield from unpacked

    def read(self) -> Iterator[int]:
        """Yield the numbers: seven bits a byte, the lowest first, as few bytes as it takes."""
        for byte in self.bytes:
            number, shift = byte & 0x7F, 0
            while byte & 0x80:
                byte, shift = next(self.bytes, 0), shift + 7
                demand(byte and shift <= 28, "a choice is not a number")
                number |= (byte & 0x7F) << shift
            self.count += 1
            yield number
        raise Rejected("a choice is missing")

    def finish(self) -> None:
        """See that nothing is left."""
        if next(self.bytes, None) is not None or self.inflate.unused_data or self.file.tell() != self.end:
            raise Rejected("there is more than the strategy needs")


# ------------------------------------------------------------ the walk


def walk(
    rules: Any, root: Any, holds: Callable[[float], bool], by_max: bool, choose: Callable[[], int]
) -> int:
    """Walk a strategy to every end of the game; return how many positions there are.

    One move where the prover is to move, every move elsewhere. A position that was walked before is not
    walked again: what counts is how many moves there are below it, at the most. One that is still on the way
    would be met again and again: that is a draw, where the game has draws by repetition, and else no proof.
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
            if heights:
                heights[-1] = max(heights[-1], height)
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
            moves = moves[place : place + 1] or claimed(rules, state, moves[place - len(moves) :], holds)
        positions += 1
        ways.append(map(play, repeat(state), moves))
        keys.append(key)
        heights.append(0)
    return positions


def claimed(rules: Any, state: Any, moves: list[Any], holds: Callable[[float], bool]) -> list[Any]:
    """See that the rules know enough after the first of these moves; return the moves to walk: none."""
    if not (moves and hasattr(rules, "settled") and holds(rules.settled(rules.play(state, moves[0])))):
        raise Rejected("a choice is no legal move, or claims more than can be seen")
    return []
