"""Connect-Four: seven columns of six cells; four in a line win, a full board is a draw.

A state is (stones of the player to move, all stones, whether X is to move). Cell = 7 * column + row, the
bottom row first; the seventh bit of a column stays empty. X is Max. Values: X wins 1023, draw 512, O wins 1.
"""

from __future__ import annotations

from math import nan

State = tuple[int, int, bool]

BOTTOM = sum(1 << 7 * column for column in range(7))
FULL = BOTTOM * 0b111111
ODD, EVEN = BOTTOM * 0b010101, BOTTOM * 0b101010
"""Rows 1, 3, 5 and rows 2, 4, 6."""


class ConnectFour:
    """The rules; a position is six rows from the top, joined by '/', and the player to move, X or O."""

    repeats, middle, longest = False, 512.0, None

    def __init__(self, options: dict[str, str]) -> None:
        if options:
            raise ValueError("connect-four has no options")

    def read(self, text: str) -> State:
        """Return the state that a text describes."""
        board, _, mover = text.partition(" ")
        rows = board.split("/")
        if len(rows) != 6 or any(len(row) != 7 or set(row) - set("XO.") for row in rows) or mover not in "XO":
            raise ValueError("a board is six rows of seven cells, X, O or '.', and the player to move")
        stones = {"X": 0, "O": 0}
        for row, cells in enumerate(reversed(rows)):
            for column, cell in enumerate(cells):
                if cell != ".":
                    stones[cell] |= 1 << 7 * column + row
        taken = stones["X"] | stones["O"]
        if taken & (taken + BOTTOM):
            raise ValueError("a stone hangs in the air")
        return stones[mover], taken, mover == "X"

    def max_to_move(self, state: State) -> bool:
        """Tell whether X is to move."""
        return state[2]

    def outcome(self, state: State) -> float | None:
        """Return the value of a game that is over; the last stone was the other's."""
        mover, taken, x_moves = state
        other = mover ^ taken
        if four(other):
            return 1.0 if x_moves else 1023.0
        if four(mover):  # only a position that was set up so
            return 1023.0 if x_moves else 1.0
        return 512.0 if taken == FULL else None

    def moves(self, state: State) -> list[int]:
        """Return the cells that a stone falls to, by column."""
        open_cells = (state[1] + BOTTOM) & FULL
        return [cell for column in range(7) if (cell := open_cells & 0x3F << 7 * column)]

    def play(self, state: State, cell: int) -> State:
        """Return the state after a stone."""
        mover, taken, x_moves = state
        return mover ^ taken, taken | cell, not x_moves

    def settled(self, state: State) -> float:
        """Return what the player who is not to move gets at least by following up, or NaN.

        He answers every move in its column, and in columns of odd height, which are taken in pairs, by the
        lowest cell of the other one. With an odd number of stones one column of odd height is left alone.
        """
        mover, taken, x_moves = state
        other, empty, win = mover ^ taken, FULL ^ taken, 1.0 if x_moves else 1023.0
        lows = (taken + BOTTOM) & EVEN
        places = (1 << place & empty for place in range(48))
        threats = sum(cell for cell in places if cell and four(other | cell))
        even = threats & EVEN & ~lows
        free = empty & ODD & ~(even << 1 | even << 3)  # the mover gets nothing above an even threat
        if taken.bit_count() % 2 == 0:
            if four(mover | free | lows):
                return nan
            return win if even or four(other | empty & EVEN & ~lows) else 512.0
        for cells in (0x3F << 7 * column for column in range(7)):
            if lows & cells and (odd := threats & ODD & cells):
                below = ((odd & -odd) - 1) & cells & EVEN & empty
                if not four(mover | free & ~cells | lows & ~cells | below):
                    return win
        return nan

    def key(self, state: State) -> int:
        """Return what tells a state apart: the columns with the mover's stones, and who moves."""
        return (state[0] + state[1]) << 1 | state[2]


def four(stones: int) -> bool:
    """Tell whether there are four in a line: upright, falling, level, rising."""
    for step in (1, 6, 7, 8):
        pairs = stones & stones >> step
        if pairs & pairs >> 2 * step:
            return True
    return False
