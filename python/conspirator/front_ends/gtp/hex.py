"""Commands for Hex alone, in the words of Benzene and in the forms that HexGui draws.

Edges are called north, south, west and east here. A list of cells is a `plist`, pairs of a cell and a text
are `pspairs`, and a connection is one line:

    black c3 north full or [ c2 d1 ] [ ]
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

import conspirator as cn
from conspirator._sgf import read_sgf_file
from conspirator.front_ends.gtp.board import Board
from conspirator.front_ends.gtp.dialects import Dialect
from conspirator.hex import Knowledge, in_order, knowledge

EDGES = {"top": "north", "bottom": "south", "left": "west", "right": "east"}
"""The edges by the names that HexGui has for them."""
_ROWS = [str(row) for row in range(1, 20)]
_INWARDS = {name: edge for edge, name in EDGES.items()}

MENU = (
    "plist/All legal moves/all_legal_moves %c",
    "inferior/Moves to consider/vc-build %m",
    "inferior/Mustplay/vc-get-mustplay %m",
    "inferior/Inferior cells/compute-inferior %m",
    "vc/Full connections between cells/vc-between-cells-full %c %P",
    "vc/Semi connections between cells/vc-between-cells-semi %c %P",
    "plist/Fully connected to/vc-connected-to-full %c %P",
    "plist/Semi connected to/vc-connected-to-semi %c %P",
    "plist/Cells in all full connections/vc-intersection-full %c %P",
    "plist/Cells in all semi connections/vc-intersection-semi %c %P",
    "plist/Cells in any full connection/vc-union-full %c %P",
    "plist/Cells in any semi connection/vc-union-semi %c %P",
    "string/Resistances/eval-resist %c",
    "pspairs/Energies/eval-resist-cells %c",
    "string/Solve/dfpn-solve-state %m",
    "plist/Winning moves/dfpn-solver-find-winning %m",
    "param/Solver/param_dfpn",
)
"""What HexGui may offer: kind, name, command; %c is a colour, %m who is to move, %P the chosen cells."""

_KINDS = {"full": "or", "semi": "and"}


class HexCommands:
    """The commands, for the game on a board."""

    def __init__(self, board: Board, dialect: Dialect) -> None:
        self._board, self._dialect = board, dialect
        self._limit = 0.0
        self._threads = 1
        self._last: tuple[cn.Position, Knowledge] | None = None
        self.commands: dict[str, Callable[[list[str]], str]] = {
            "board_id": lambda _: f"{board.position.key or 0:016x}",
            "loadsgf": self._load,
            "play-game": self._play_all,
            "vc-build": partial(self._draw, everything=True),
            "vc-get-mustplay": self._mustplay,
            "compute-inferior": partial(self._draw, everything=False),
            "compute-fillin": self._fill,
            "eval-resist": self._resistances,
            "eval-resist-cells": self._energies,
            "param_dfpn": self._show_or_set_solver,
            "dfpn-solve-state": self._solve,
            "solve-state": self._solve,
            "dfpn-solver-find-winning": self._find_winning,
        }
        for kind in _KINDS:
            self.commands |= {
                f"vc-between-cells-{kind}": partial(self._between, kind=kind),
                f"vc-connected-to-{kind}": partial(self._connected, kind=kind),
                f"vc-intersection-{kind}": partial(self._common, kind=kind, every=True),
                f"vc-union-{kind}": partial(self._common, kind=kind, every=False),
            }

    # games

    def _load(self, words: list[str]) -> str:
        if len(words) not in (1, 2) or not all(word.isdecimal() for word in words[1:]):
            raise cn.ArgumentError("loadsgf needs a file, and perhaps how many moves to play")
        game = read_sgf_file(words[0])
        # stones that were set up are played in turns, Black first
        blacks, whites = (game.setup[colour] for colour in ("black", "white"))
        pairs = zip(blacks, [*whites, *[None] * len(blacks)], strict=False)
        steps = [
            (c, move) for pair in pairs for c, move in zip(("black", "white"), pair, strict=True) if move
        ]
        steps += [("white", move) for move in whites[len(blacks) :]]
        most = int(words[1]) if words[1:] else len(game.moves)
        self._replay([*steps, *game.moves[:most]], {} if game.size is None else {"size": game.size})
        return ""

    def _play_all(self, words: list[str]) -> str:
        colours = [self._dialect.first, self._dialect.second]
        self._replay([(colours[place % 2], word) for place, word in enumerate(words)], {})
        return ""

    def _replay(self, steps: Iterable[tuple[str, str]], options: Mapping[str, Any]) -> None:
        """Begin a new game with these moves; the old one stays if one of them is impossible."""
        trial = Board(self._dialect, {**self._board.options, **options})
        for colour, move in steps:
            trial.play(self._dialect.player(colour), self._dialect.read_move([move]))
        self._board.become(trial)

    # knowledge

    def _known(self, position: cn.Position | None = None) -> Knowledge:
        position = self._board.ordinary() if position is None else position
        if self._last is None or self._last[0] != position:
            self._last = position, knowledge(position)
        return self._last[1]

    def _turn(self, words: list[str]) -> cn.Position:
        """Return the position with the colour of a command to move, whom the question is about."""
        if len(words) != 1:
            raise cn.ArgumentError(f"this command needs a colour, not {len(words)} words")
        return self._board.ordinary(self._dialect.player(words[0]))

    def _draw(self, words: list[str], *, everything: bool) -> str:
        """Write inferior cells; `everything` also those that need no look for other reasons."""
        known = self._known(self._turn(words))
        marks = self._filled(known)
        for cell, why in known.inferior.items():
            # HexGui draws arrows to the cells behind it, which are not known: it points to itself
            letter = {"vulnerable": "v", "dominated": "d"}.get(why)
            if letter and cell not in marks:
                marks[cell] = f"i{letter}[{cell}]"
        if everything and known.winner is None:
            marks |= self._outside(known.moves, marks)
        return _pairs(marks)

    def _mustplay(self, words: list[str]) -> str:
        known = self._known(self._turn(words))
        marks = self._filled(known)
        if known.mustplay is not None:
            marks |= self._outside(known.mustplay, marks)
        return _pairs(marks)

    def _fill(self, words: list[str]) -> str:
        return _pairs(self._filled(self._known(self._turn(words))))

    def _filled(self, known: Knowledge) -> dict[str, str]:
        return {
            cell: f"f{'d' if known.inferior.get(cell) == 'dead' else 'c'}{self._dialect.letter(side).lower()}"
            for side, cells in known.filled.items()
            for cell in cells
        }

    def _outside(self, moves: Iterable[str], marked: Mapping[str, str]) -> dict[str, str]:
        inside = set(moves) | marked.keys()
        return {cell: "x" for cell in self._board.position.moves() if cell not in inside and cell != "swap"}

    def _between(self, words: list[str], kind: str) -> str:
        player, one, other = self._ends(words)
        colour, known = self._dialect.colours[player], self._known()
        return "\n".join(
            f"{colour} {_outwards(one)} {_outwards(other)} {kind} {_KINDS[kind]} "
            f"[{''.join(f' {cell}' for cell in in_order(found.carrier))} ] [ ]"
            for found in known.between(player, one, other, full=kind == "full")
        )

    def _common(self, words: list[str], kind: str, *, every: bool) -> str:
        player, one, other = self._ends(words)
        found = [c.carrier for c in self._known().between(player, one, other, full=kind == "full")]
        cells: frozenset[str] = frozenset()
        if found:
            cells = frozenset.intersection(*found) if every else frozenset.union(*found)
        return " ".join(in_order(cells))

    def _connected(self, words: list[str], kind: str) -> str:
        if len(words) != 2:
            raise cn.ArgumentError("say a colour and a cell, such as: black c3")
        player, end = self._dialect.player(words[0]), self._end(words[1])
        return " ".join(map(_outwards, self._known().connected(player, end, full=kind == "full")))

    def _ends(self, words: list[str]) -> tuple[str, str, str]:
        if len(words) != 3:
            raise cn.ArgumentError("say a colour and two cells, such as: black c3 north")
        return self._dialect.player(words[0]), self._end(words[1]), self._end(words[2])

    def _end(self, word: str) -> str:
        name = word.lower()
        if name in _INWARDS:
            return _INWARDS[name]
        size = int(self._board.options.get("size") or 11)
        column, row = ord(name[0]) - ord("a"), name[1:]
        if 0 <= column < size and row in _ROWS[:size]:
            return name
        raise cn.ArgumentError(f"{word!r} is no cell of this board, nor north, south, west or east")

    def _resistances(self, words: list[str]) -> str:
        self._dialect.player(words[0] if len(words) == 1 else "")
        black, white = (self._known().resistance.get(side, math.inf) for side in ("max", "min"))
        score = math.log(white / black) if 0 < black < math.inf and 0 < white < math.inf else 0.0
        return f"res {score:.3f} rew {white:.3f} reb {black:.3f}"

    def _energies(self, words: list[str]) -> str:
        self._dialect.player(words[0] if len(words) == 1 else "")
        return _pairs({cell: f"{energy:.3f}" for cell, energy in self._known().energies.items()})

    # the solver

    def _show_or_set_solver(self, words: list[str]) -> str:
        if not words:
            return f"[bool] use_guifx 0\n[string] timelimit {self._limit:g}\n[string] threads {self._threads}"
        if len(words) != 2 or words[0] not in ("use_guifx", "timelimit", "threads"):
            raise cn.ArgumentError("say: param_dfpn timelimit SECONDS, or threads N; 0 seconds are no limit")
        value = read_number(words[1])
        if words[0] == "timelimit":
            self._limit = value
        elif words[0] == "threads":
            if not 1 <= value <= 64 or value != int(value):
                raise cn.ArgumentError(f"threads must be a whole number from 1 to 64, not {words[1]!r}")
            self._threads = int(value)
        return ""

    def _winner(self, position: cn.Position) -> str | None:
        """Return which player wins a position, by proof; None if the time was too short."""
        seconds = {"seconds": self._limit} if self._limit else {"nodes": 10**15}
        result = cn.search(position, "df-pn", evaluator="knowledge", threads=self._threads, **seconds)
        if result.status == "interrupted":
            raise KeyboardInterrupt
        if result.status != "proven":
            return None
        return "max" if result.value == position.value_range[1] else "min"

    def _solve(self, words: list[str]) -> str:
        """Tell who wins; 'empty' is Benzene's word for nobody knows."""
        position = self._to_solve(words)
        winner = self._winner(position)
        return "empty" if winner is None else self._dialect.colours[winner]

    def _find_winning(self, words: list[str]) -> str:
        position = self._to_solve(words)
        winning = []
        for move in position.moves():
            after = position.play(move)
            outcome = after.outcome
            winner = ("max" if outcome > 0 else "min") if outcome is not None else self._winner(after)
            if winner == position.to_move:
                winning.append(self._dialect.write_move(move))
        return " ".join(winning)

    def _to_solve(self, words: list[str]) -> cn.Position:
        colour = words[0] if words else self._dialect.colours[self._board.position.to_move]
        if len(words) > 1:
            raise cn.ArgumentError("this command needs a colour and nothing else")
        return self._board.turn(self._dialect.player(colour))


def read_number(text: str) -> float:
    """Return a number from 0 up of the size that times have."""
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not 0 <= number <= 1e9:
        raise cn.ArgumentError(f"{text!r} is not a number from 0 up")
    return number


def _outwards(end: str) -> str:
    return EDGES.get(end, end)


def _pairs(marks: Mapping[str, str]) -> str:
    return " ".join(f"{cell} {marks[cell]}" for cell in in_order(marks))
