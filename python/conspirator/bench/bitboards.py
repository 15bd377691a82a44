"""Connect-Four on bitboards in plain Python, written once for all packages that are compared.

A board is 49 bits, seven to a column, lowest row first; the top bit of a column is always empty. The
evaluator is Rivest's (1988, Section 5.2), as in the native game.
"""

from __future__ import annotations

from struct import pack
from typing import Any

import conspirator as cn

BOTTOM = 0x0408_1020_4081
TOP = BOTTOM << 5
CELLS = BOTTOM * 0x3F
STEPS = (1, 7, 6, 8)
"""Up, right, down-right and up-right."""

STARTS = tuple(
    sum(
        1 << start
        for start in range(49)
        if all(start + step * i < 49 and CELLS >> (start + step * i) & 1 for i in range(4))
    )
    for step in STEPS
)
"""Where a segment of four can begin, by direction."""

BOTH = tuple((step, 2 * step, starts | starts << 64) for step, starts in zip(STEPS, STARTS, strict=True))
"""The same for two boards side by side in one number of 128 bits."""

LOW = (1 << 64) - 1
TOPS = tuple((column, 1 << 7 * column + 5) for column in range(7))
WORTH = (0, 1, 10, 50, 0)
"""What a segment is worth with so many stones of one colour only."""

State = tuple[int, int, bool]
"""Black's stones, Red's stones, whether Black is to move."""


def has_four(stones: int) -> bool:
    """Tell whether a player's stones contain four in a line."""
    pairs = stones & stones >> 1
    if pairs & pairs >> 2:
        return True
    pairs = stones & stones >> 7
    if pairs & pairs >> 14:
        return True
    pairs = stones & stones >> 6
    if pairs & pairs >> 12:
        return True
    pairs = stones & stones >> 8
    return pairs & pairs >> 16 != 0


def evaluate(black: int, red: int, black_to_move: bool) -> int:
    """Return Rivest's static value of a position that nobody has won.

    Both colours' segments are counted at once, bit-parallel: `low` and `high` are the two digits of the
    number of own stones in the segment that begins at a cell, where the other colour has none.
    """
    total = 528 if black_to_move else 496
    own, other = black | red << 64, red | black << 64
    for step, twice, starts in BOTH:
        taken = other | other >> step
        clean = starts & ~(taken | taken >> twice)
        odd, pair = own ^ own >> step, own & own >> step
        odd2 = odd >> twice
        low = (odd ^ odd2) & clean
        high = (pair ^ pair >> twice ^ odd & odd2) & clean
        threes = low & high
        ones, twos = low ^ threes, high ^ threes
        total += (ones & LOW).bit_count() - (ones >> 64).bit_count()
        total += 10 * ((twos & LOW).bit_count() - (twos >> 64).bit_count())
        if threes:
            total += 50 * ((threes & LOW).bit_count() - (threes >> 64).bit_count())
    return 2 if total < 2 else 1022 if total > 1022 else total


class PythonConnectFour(cn.Game):
    """The game for our searches."""

    value_range = (1, 1023)

    def start(self) -> Any:
        """Return the empty board."""
        return (0, 0, True)

    def moves(self, state: State) -> list[int]:
        """Return the columns that are not full."""
        taken = state[0] | state[1]
        return [column for column, top in TOPS if not taken & top]

    def play(self, state: State, column: int) -> State:
        """Drop a stone."""
        black, red, black_to_move = state
        taken = black | red
        cell = taken + (1 << 7 * column) & 0x3F << 7 * column & ~taken
        return (black | cell, red, False) if black_to_move else (black, red | cell, True)

    def outcome(self, state: State) -> int | None:
        """Tell whether the last stone made four, or the board is full."""
        black, red, black_to_move = state
        if has_four(red if black_to_move else black):
            return 1 if black_to_move else 1023
        return 512 if black | red == CELLS else None

    def evaluate(self, state: State) -> int:
        """Return Rivest's value."""
        return evaluate(*state)


class NumpyConnectFour(PythonConnectFour):
    """The same with all children of a position valued by one pass of NumPy.

    Every row, column and diagonal of four cells or more is a number in base 3, with a table of what its
    segments are worth. One matrix product turns bits into places in these tables; a bit that is
    always set carries where each table begins.
    """

    evaluate = cn.Game.evaluate  # type: ignore[assignment]  # back to "not written"

    def __init__(self) -> None:
        import numpy as np

        self._np = np
        lines = _lines()
        self._places = np.zeros((128, len(lines) + 1), dtype=np.float32)
        worth: list[float] = []
        for number, cells in enumerate(lines):
            self._places[63, number] = len(worth)
            for digit, cell in enumerate(cells):
                self._places[cell, number] = 3**digit
                self._places[64 + cell, number] = 2 * 3**digit
            worth += [_line_worth(code, len(cells)) for code in range(3 ** len(cells))]
        # the last line is the player to move
        self._places[63, -1], self._places[127, -1] = len(worth), 1
        self._worth = np.array([*worth, 528, 496], dtype=np.float32)
        self._sum = np.ones(len(lines) + 1, dtype=np.float32)

    def evaluate_many(self, states: list[State]) -> Any:
        """Return Rivest's values of all states."""
        np = self._np
        boards: list[int] = []
        for black, red, black_to_move in states:
            boards += (black | 1 << 63, red if black_to_move else red | 1 << 63)
        raw = np.frombuffer(pack(f"<{len(boards)}Q", *boards), np.uint8)
        bits = np.unpackbits(raw, bitorder="little").reshape(-1, 128).astype(np.float32)
        values = self._worth.take((bits @ self._places).astype(np.intp)) @ self._sum
        return [2.0 if v < 2 else 1022.0 if v > 1022 else v for v in values.tolist()]


def _lines() -> list[list[int]]:
    """Return the cells of every line of at least four."""
    lines = []
    for step in STEPS:
        for start in range(49):
            if CELLS >> start & 1 and not (start >= step and CELLS >> (start - step) & 1):
                cells = []
                while start < 49 and CELLS >> start & 1:
                    cells.append(start)
                    start += step
                if len(cells) >= 4:
                    lines.append(cells)
    return lines


def _line_worth(code: int, length: int) -> int:
    """Return what the segments of a line are worth; the digits of `code` are empty, Black, Red."""
    cells = [code // 3**digit % 3 for digit in range(length)]
    total = 0
    for start in range(length - 3):
        segment = cells[start : start + 4]
        if 2 not in segment:
            total += WORTH[segment.count(1)]
        if 1 not in segment:
            total -= WORTH[segment.count(2)]
    return total
