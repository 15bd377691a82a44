"""Games written in Python, as a user would write them: one for every way of doing it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal, NamedTuple

import conspirator as cn

BOTTOM = sum(1 << 7 * column for column in range(7))
CELLS = BOTTOM * 0b111111
SEGMENTS = [
    cells
    for start in range(49)
    for step in (1, 6, 7, 8)
    if not (cells := sum(1 << start + step * i for i in range(4))) & ~CELLS
]
WORTH = (0, 1, 10, 50)


class Board(NamedTuple):
    """Stones as bits, seven to a column, the lowest row first; the top bit of a column stays empty."""

    black: int
    red: int


def segments(board: Board) -> int:
    """Return the sum over the 69 segments that only one side has stones in."""
    total = 0
    for cells in SEGMENTS:
        black, red = board.black & cells, board.red & cells
        if not red:
            total += WORTH[black.bit_count()]
        elif not black:
            total -= WORTH[red.bit_count()]
    return total


def static_value(board: Board) -> float:
    """Return Rivest's static value (1988, Section 5.2) of a game that goes on."""
    tempo = 16 if board.black.bit_count() == board.red.bit_count() else -16
    return float(min(max(512 + tempo + segments(board), 2), 1022))


class BoardRules(cn.Game):
    """Connect-Four without an evaluation."""

    value_range = (1, 1023)

    def start(self) -> Any:
        return Board(0, 0)

    def moves(self, state: Board) -> list[int]:
        taken = state.black | state.red
        return [column + 1 for column in range(7) if not taken >> 7 * column + 5 & 1]

    def play(self, state: Board, move: int) -> Board:
        black, red = state
        cell = (black | red) + BOTTOM & 0b1111111 << 7 * (move - 1)
        black_moves = black.bit_count() == red.bit_count()
        return Board(black | cell, red) if black_moves else Board(black, red | cell)

    def outcome(self, state: Board) -> float | None:
        for stones, value in ((state.black, 1023), (state.red, 1)):
            for step in (1, 6, 7, 8):
                pairs = stones & stones >> step
                if pairs & pairs >> 2 * step:
                    return value
        return 512 if state.black | state.red == CELLS else None


class ConnectFour(BoardRules):
    """Connect-Four with Rivest's evaluator, one state at a time."""

    def evaluate(self, state: Board) -> float:
        return static_value(state)


class ConnectFourInBatches(BoardRules):
    """The same, a whole expansion at a time."""

    def evaluate_many(self, states: list[Board]) -> Sequence[float]:
        return [static_value(state) for state in states]


class Nim(cn.Game):
    """Take 1 to 3 matches; whoever takes the last one wins. Only results, no evaluation."""

    value_range = (-1, 1)

    def start(self) -> Any:
        return 21, 1

    def moves(self, state: tuple[int, int]) -> Iterator[int]:
        return (n for n in (1, 2, 3) if n <= state[0])

    def play(self, state: tuple[int, int], move: int) -> tuple[int, int]:
        matches, player = state
        return matches - move, -player

    def outcome(self, state: tuple[int, int]) -> float | None:
        matches, player = state
        return None if matches else -player


class Again(cn.Game):
    """Take 1 to 3 matches, a point each; whoever takes two moves again."""

    def start(self) -> Any:
        return 12, 0, "max"

    def moves(self, state: tuple[int, int, str]) -> list[str]:
        return ["one", "two", "three"][: state[0]]

    def play(self, state: tuple[int, int, str], move: str) -> tuple[int, int, str]:
        matches, score, mover = state
        count = ["one", "two", "three"].index(move) + 1
        score += count if mover == "max" else -count
        other = "min" if mover == "max" else "max"
        return matches - count, score, mover if count == 2 else other

    def outcome(self, state: tuple[int, int, str]) -> float | None:
        return None if state[0] else state[1]

    def evaluate(self, state: tuple[int, int, str]) -> float:
        return state[1]

    def to_move(self, state: tuple[int, int, str]) -> Literal["max", "min"]:
        return "max" if state[2] == "max" else "min"


class Ends(cn.Game):
    """Take a number from either end of a row; it counts for whoever takes it. No `outcome`."""

    def start(self) -> Any:
        return (3, 1, 4, 1, 5, 9, 2, 6), 0, 1

    def moves(self, state: tuple[tuple[int, ...], int, int]) -> tuple[str, ...]:
        return ("left", "right")[: len(state[0])]

    def play(self, state: tuple[tuple[int, ...], int, int], move: str) -> tuple[tuple[int, ...], int, int]:
        row, score, player = state
        taken, rest = (row[0], row[1:]) if move == "left" else (row[-1], row[:-1])
        return rest, score + player * taken, -player

    def evaluate(self, state: tuple[tuple[int, ...], int, int]) -> float:
        return state[1]

    def show(self, state: tuple[tuple[int, ...], int, int]) -> str:
        return f"{' '.join(map(str, state[0])) or 'nothing left'}, score {state[1]}"


ALL: tuple[type[cn.Game], ...] = (ConnectFour, ConnectFourInBatches, Nim, Again, Ends)
