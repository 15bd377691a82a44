"""A game as it was played, written for other programs: SGF for Hex and Othello, PGN for chess, plain text."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

from conspirator import _native
from conspirator._errors import ArgumentError
from conspirator._native import Position
from conspirator._values import say_setting

_SGF_NUMBERS = {"othello": 2, "hex": 11}
_PGN_WIDTH = 79
_STONES = {"X": "B", "O": "W"}
_SIDES = {
    "connect-four": ("X", "O"),
    "hex": ("X", "O"),
    "othello": ("X", "O"),
    "amazons": ("W", "B"),
    "chess": ("White", "Black"),
}


@dataclass
class GameRecord:
    """Where a game began, its moves, who played, and how it ended.

    >>> import conspirator as cn
    >>> record = GameRecord("hex", cn.games.Hex(size=3).start(), ["b2", "a1"])
    >>> print(record.text())
    game: hex
    moves: b2 a1
    <BLANKLINE>
    """

    game: str
    """The game's name on the command line."""
    start: Position
    """Where it began."""
    moves: Sequence[Any]
    """What was played from there."""
    players: Mapping[str, str] = field(default_factory=dict)
    """The names of 'max' and 'min'."""
    winner: str | None = None
    """Who has won: 'max', 'min' or 'neither'; None: the game has not ended."""
    how: str = ""
    """How it was won, if not on the board: 'resign' or 'time'."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """The game's parameters, such as its size."""

    def save(self, path: Path) -> None:
        """Write the game in the format that the file's name ends with: .sgf, .pgn, else plain text."""
        writers: dict[str, Callable[[], str]] = {".sgf": self.sgf, ".pgn": self.pgn}
        text = writers.get(path.suffix.lower(), self.text)()
        try:
            path.write_text(text, encoding="utf-8")
        except OSError as error:
            raise ArgumentError(f"cannot write {path}: {error.strerror or error}") from None

    def text(self) -> str:
        """Return the game as lines of plain text, with moves as the package reads them."""
        notation = self.start.notation()
        begun = self.start.state is None and self.start != self.start.game.start()
        facts = {
            "game": " ".join([self.game, *(f"{k}={say_setting(v)}" for k, v in self.options.items())]),
            "position": str(notation) if begun else "",
            **{side_names(self.game)[side]: name for side, name in self.players.items()},
            "moves": " ".join(map(str, self.moves)),
            "result": self._result_in_words(),
        }
        return "".join(f"{name}: {value}\n" for name, value in facts.items() if value)

    def _result_in_words(self) -> str:
        if self.winner is None:
            return ""
        if self.winner == "neither":
            return "a draw"
        how = {"resign": " by resignation", "time": " on time"}.get(self.how, "")
        return f"{side_names(self.game)[self.winner]} wins{how}"

    def sgf(self) -> str:
        """Return the game in the Smart Game Format; Black is the player who begins.

        >>> import conspirator as cn
        >>> record = GameRecord("othello", cn.games.Othello().start(), ["f5"])
        >>> record.sgf().splitlines()[-1]
        ';B[fe])'
        """
        if self.game not in _SGF_NUMBERS:
            raise ArgumentError(f"SGF is for hex and othello here; save {self.game} as {self._usual()}")
        size = len(re.findall(r"^ *\d+ ", str(self.start), re.MULTILINE))
        tags = {
            "FF": "4",
            "GM": str(_SGF_NUMBERS[self.game]),
            "CA": "UTF-8",
            "AP": f"conspirator:{_native.__version__}",
            "SZ": str(size),
            "PB": self.players.get("max", ""),
            "PW": self.players.get("min", ""),
            "DT": date.today().isoformat(),
            "RE": self._sgf_result(),
        }
        head = "".join(f"{name}[{_escaped(value)}]" for name, value in tags.items() if value)
        lines = [f"(;{head}{self._sgf_setup()}"]
        position = self.start
        for move in self.moves:
            lines.append(f";{'B' if position.to_move == 'max' else 'W'}[{self._sgf_move(str(move))}]")
            position = position.play(move)
        return "\n".join(lines) + ")\n"

    def _sgf_setup(self) -> str:
        if self.start == self.start.game.start():
            return ""
        stones: dict[str, list[str]] = {"B": [], "W": []}
        for cell, stone in cells(str(self.start)).items():
            if stone in _STONES:
                stones[_STONES[stone]].append(self._sgf_move(cell))
        lists = (f"A{colour}{''.join(f'[{c}]' for c in found)}" for colour, found in stones.items() if found)
        return "".join(lists) + f"PL[{'B' if self.start.to_move == 'max' else 'W'}]"

    def _sgf_move(self, move: str) -> str:
        if self.game == "hex":
            return "swap-pieces" if move == "swap" else move
        return "" if move == "pass" else f"{move[0]}{chr(ord('a') + int(move[1:]) - 1)}"

    def _sgf_result(self) -> str:
        if self.winner in (None, "neither"):
            return "" if self.winner is None else "Draw"
        margin = {"resign": "R", "time": "T"}.get(self.how, "")
        end = self._end()
        if not self.how and self.game == "othello" and end.outcome is not None:
            margin = f"{abs(end.outcome):g}"
        return f"{'B' if self.winner == 'max' else 'W'}+{margin}"

    def pgn(self) -> str:
        """Return a game of chess in Portable Game Notation.

        >>> import conspirator as cn
        >>> print(GameRecord("chess", cn.games.Chess().start(), ["e2e4", "e7e5"]).pgn().splitlines()[-1])
        1. e4 e5 *
        """
        if self.game != "chess":
            raise ArgumentError(f"PGN is for chess; save {self.game} as {self._usual()}")
        results = {"max": "1-0", "min": "0-1", "neither": "1/2-1/2"}
        result = results.get(self.winner or "", "*")
        tags = {
            "Event": "?",
            "Site": "?",
            "Date": date.today().strftime("%Y.%m.%d"),
            "Round": "?",
            "White": self.players.get("max", "?"),
            "Black": self.players.get("min", "?"),
            "Result": result,
        }
        # moves after the board are those that could still be repeated: they are a part of the game
        board, _, earlier = str(self.start.notation()).partition(" moves ")
        position = self.start.game.position(board)
        if position != self.start.game.start():
            tags |= {"SetUp": "1", "FEN": board}
        if self.how == "time":
            tags["Termination"] = "time forfeit"
        number, words = int(board.split()[5]), list[str]()
        for place, move in enumerate([*earlier.split(), *self.moves]):
            if position.to_move == "max":
                words.append(f"{number}.")
            elif place == 0:
                words.append(f"{number}...")
            words.append(position.describe(move))
            number += position.to_move == "min"
            position = position.play(move)
        head = "".join(f'[{name} "{_quoted(value)}"]\n' for name, value in tags.items())
        body = textwrap.fill(
            " ".join([*words, result]), _PGN_WIDTH, break_on_hyphens=False, break_long_words=False
        )
        return f"{head}\n{body}\n"

    def _usual(self) -> str:
        suffix = {"chess": "NAME.pgn"}.get(self.game, "NAME.sgf" if self.game in _SGF_NUMBERS else "NAME.txt")
        return f"{suffix} instead"

    def _end(self) -> Position:
        position = self.start
        for move in self.moves:
            position = position.play(move)
        return position


def side_names(game: str) -> dict[str, str]:
    """Return what the two players of a game are called on its board.

    >>> side_names("connect-four"), side_names("random-tree")
    ({'max': 'X', 'min': 'O'}, {'max': 'Max', 'min': 'Min'})
    """
    first, second = _SIDES.get(game, ("Max", "Min"))
    return {"max": first, "min": second}


def cells(picture: str) -> dict[str, str]:
    """Return what stands on each cell of a picture whose rows have numbers.

    >>> cells("   a b\\n 1 . X\\n 2 O .")
    {'a1': '.', 'b1': 'X', 'a2': 'O', 'b2': '.'}
    """
    lines = picture.split("\n")
    return {cell: lines[line][at] for cell, (line, at) in places(picture).items()}


def places(picture: str) -> dict[str, tuple[int, int]]:
    """Return the line and the place in it of each cell of a picture whose rows have numbers.

    >>> places("   a b\\n 1 . X")["b1"]
    (1, 5)
    """
    found: dict[str, tuple[int, int]] = {}
    for number, line in enumerate(picture.split("\n")):
        row = re.match(r" *(\d+) +(?=[^\d\s]( +[^\d\s])* *$)", line)
        if row is None:
            continue
        for column, sign in enumerate(re.finditer(r"\S", line[row.end() :])):
            found[f"{chr(ord('a') + column)}{row[1]}"] = (number, row.end() + sign.start())
    return found


def _escaped(text: str) -> str:
    return re.sub(r"([\]\\])", r"\\\1", text)


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


__all__ = ["GameRecord", "cells", "places", "side_names"]
