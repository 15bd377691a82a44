"""Games of chess as PGN: read to their moves, and written again with remarks.

The text is kept as it is, piece by piece, so that comments and variations of others survive.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import fill
from typing import Any, NamedTuple

from conspirator import games
from conspirator._errors import ArgumentError, PositionError
from conspirator._native import Position

_PIECES = re.compile(
    r"""
      (?P<tag>^[ \t]*\[[ \t]*\w+[ \t]*"(?:[^"\\\n]|\\.)*"[ \t]*\])
    | (?P<escape>^%[^\n]*)
    | (?P<comment>\{[^}]*\}|;[^\n]*)
    | (?P<open>\()
    | (?P<close>\))
    | (?P<nag>\$\d+|[!?]{1,2}(?=\s|[\)\{;]|$))
    | (?P<result>(?:1-0|0-1|1/2-1/2|\*)(?=\s|[\)\{;]|$))
    | (?P<number>\d+(?:\.+|(?=\s)))
    | (?P<move>(?:[a-hKQRBNO][\w=\-]*|0-0(?:-0)?|--)[+\#]?)
    | (?P<space>\s+)
    | (?P<other>\S)
    """,
    re.VERBOSE | re.MULTILINE,
)
_TAG = re.compile(r'\[\s*(\w+)\s*"((?:[^"\\]|\\.)*)"\s*\]')
_STANDARD = ("", "standard", "chess", "normal", "from position")
_FISCHER = ("chess960", "chess 960", "fischerandom", "fischerrandom", "fischer random", "freestyle")
_SUFFIXES = {"!": "$1", "?": "$2", "!!": "$3", "??": "$4", "!?": "$5", "?!": "$6"}
_WIDTH = 80


class Piece(NamedTuple):
    """A piece of the text of a game."""

    kind: str
    text: str


class Remark(NamedTuple):
    """What is added to a move: the number of its mark in PGN, and a comment."""

    nag: int | None
    comment: str


@dataclass
class PgnGame:
    """One game of a file."""

    tags: dict[str, str] = field(default_factory=dict)
    pieces: list[Piece] = field(default_factory=list)

    @property
    def moves(self) -> list[str]:
        """The moves that were played, without variations."""
        return [piece.text for piece, depth in _with_depth(self.pieces) if piece.kind == "move" and not depth]

    def start(self, **options: Any) -> Position:
        """Return where the game began."""
        variant = self.tags.get("Variant", "")
        if variant.lower() in _FISCHER:
            options["chess960"] = True
        elif variant.lower() not in _STANDARD:
            raise PositionError(f"the game is {variant}: only chess and Chess960 are understood")
        return games.Chess(**options).position(self.tags.get("FEN", ""))

    def __str__(self) -> str:
        players = " - ".join(self.tags.get(side, "?") for side in ("White", "Black"))
        return f"{players}, {self.tags.get('Event', '?')}, {self.tags.get('Date', '?')}"

    def with_remarks(self, remarks: Mapping[int, Remark]) -> str:
        """Return the game as PGN with remarks on moves, which are counted from 1.

        >>> game = read_pgn("1. f3 e5 2. g4 Qh4# 0-1")[0]
        >>> print(game.with_remarks({3: Remark(4, "loses at once")}))
        1. f3 e5 2. g4 $4 {loses at once} 2... Qh4# 0-1
        """
        words, number, waiting = list[str](), 0, ""
        first = first_half(self.tags.get("FEN", ""))
        broken = False  # whether a remark stands between two moves: then the second needs its number
        for piece, depth in _with_depth(self.pieces):
            if waiting and piece.kind != "nag":
                words += waiting.split()
                waiting, broken = "", True
            played = piece.kind == "move" and not depth
            if played and broken and not words[-1].endswith("."):
                words.append(say_place(first + number))
            _add(words, piece)
            if played:
                number += 1
                broken = False
                nag, comment = remarks.get(number, Remark(None, ""))
                waiting = f"{{{comment}}}" if comment else ""
                if nag is not None and not self._is_marked(number):
                    words.append(f"${nag}")
        words += waiting.split()
        tags = [f'[{name} "{value}"]' for name, value in self.tags.items()]
        return "\n".join([*tags, *([""] if tags else []), *_filled(words)])

    def _is_marked(self, number: int) -> bool:
        """Return whether somebody has marked a move already."""
        count = 0
        for (piece, depth), after in zip(_with_depth(self.pieces), [*self.pieces[1:], None], strict=True):
            count += piece.kind == "move" and not depth
            if count == number:
                return after is not None and after.kind == "nag"
        return False


def say_place(half: int) -> str:
    """Return the number of a move, counted in half moves: twice the number, one more if Black makes it.

    >>> say_place(24), say_place(25)
    ('12.', '12...')
    """
    return f"{half // 2}{'...' if half % 2 else '.'}"


def numbered(moves: Sequence[str], half: int) -> str:
    """Return a line with its numbers.

    >>> numbered(["Qe7", "Nc3", "Nf6"], 7)
    '3... Qe7 4. Nc3 Nf6'
    """
    words = []
    for place, move in enumerate(moves, half):
        words += [say_place(place)] if place == half or place % 2 == 0 else []
        words.append(move)
    return " ".join(words)


def read_pgn(text: str) -> list[PgnGame]:
    """Read all games of a text.

    >>> [game.moves for game in read_pgn('[White "A"]\\n\\n1.e4 {good} (1.d4 d5) e5! 2. Nf3 *')]
    [['e4', 'e5', 'Nf3']]
    """
    found = [PgnGame()]
    ended = False
    for match in _PIECES.finditer(text.removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}")):
        kind, piece = str(match.lastgroup), match.group()
        if kind in ("space", "escape"):
            continue
        begins = kind == "tag" or (ended and kind != "comment")
        if begins and (ended or found[-1].pieces):
            found.append(PgnGame())
            ended = False
        if kind == "tag":
            name, value = _TAG.search(piece).groups()  # type: ignore[union-attr]
            found[-1].tags[name] = value
        elif kind == "other":
            line = text.count("\n", 0, match.start()) + 1
            raise PositionError(f"line {line}: {piece!r} is not understood in a game")
        else:
            found[-1].pieces.append(Piece(kind, piece))
            ended = kind == "result" and _depth(found[-1].pieces) == 0
    return [game for game in found if game.tags or game.pieces]


def read_pgn_file(path: Path) -> list[PgnGame]:
    """Read all games of a file."""
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except (OSError, ValueError) as error:
        raise ArgumentError(f"cannot read the game {path}: {error}") from None
    try:
        found = read_pgn(text)
    except PositionError as error:
        raise PositionError(f"{path}, {error}") from None
    if not any(game.moves for game in found):
        raise ArgumentError(f"{path} has no moves: they are written like 1. e4 e5 2. Nf3")
    return found


def _with_depth(pieces: list[Piece]) -> list[tuple[Piece, int]]:
    """Return the pieces with how many variations they stand in; a bracket stands inside."""
    depth, found = 0, list[tuple[Piece, int]]()
    for piece in pieces:
        depth += piece.kind == "open"
        found.append((piece, depth))
        depth -= piece.kind == "close" and depth > 0
    return found


def _depth(pieces: list[Piece]) -> int:
    return sum((piece.kind == "open") - (piece.kind == "close") for piece in pieces)


def first_half(board: str) -> int:
    """Return twice the number of the first move, and one more if Black makes it."""
    fields = board.split()
    number = int(fields[5]) if len(fields) > 5 and fields[5].isdecimal() else 1
    return 2 * number + (fields[1:2] == ["b"])


def _words_of(piece: Piece) -> list[str]:
    """Return what is written for a piece: a comment to the end of its line gets brackets, a mark a number."""
    if piece.text in _SUFFIXES:
        return [_SUFFIXES[piece.text]]
    if piece.kind == "comment" and piece.text.startswith(";"):
        return f"{{{piece.text[1:].strip().replace('}', ')')}}}".split()
    return piece.text.split()


def _add(words: list[str], piece: Piece) -> None:
    """Add a piece to the words; brackets stand close to what they enclose."""
    if piece.kind == "close" and words:
        words[-1] += ")"
        return
    more = _words_of(piece)
    if words and words[-1].endswith("(") and more:
        words[-1] += more.pop(0)
    words += more


def _filled(words: list[str]) -> list[str]:
    return fill(" ".join(words), _WIDTH, break_long_words=False, break_on_hyphens=False).splitlines()


__all__ = ["PgnGame", "Piece", "Remark", "numbered", "read_pgn", "read_pgn_file", "say_place"]
