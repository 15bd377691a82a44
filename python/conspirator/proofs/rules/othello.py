"""Othello: a disc that encloses others turns them over; who cannot move passes; the empty squares go to the
winner.

A state is (discs of the player to move, discs of the other, whether Black is to move, moves). Square = 8 *
row + column, a1 first. Black is Max; the value is Black's discs less White's.
"""

from __future__ import annotations

State = tuple[int, int, bool, int]

PASS = 64
ALL = (1 << 64) - 1
INNER = 0x7E7E7E7E7E7E7E7E
"""Squares that a line to the side can go on from."""
WAYS = ((1, INNER), (8, ALL), (7, INNER), (9, INNER))
"""Steps, and the squares of the other's discs that a line in that direction may cross."""


class Othello:
    """The rules; a position is 64 squares from a1, X for Black, O for White, '-', and the player to move."""

    repeats, middle, longest = False, 0.0, None

    def __init__(self, options: dict[str, str]) -> None:
        if options:
            raise ValueError("othello has no options")

    def read(self, text: str) -> State:
        """Return the state that a text describes."""
        board, _, mover = text.partition(" ")
        if len(board) != 64 or set(board) - set("XO-") or mover not in ("X", "O"):
            raise ValueError("a board is 64 squares, X, O or '-', and the player to move")
        discs = {name: sum(1 << at for at in range(64) if board[at] == name) for name in "XO"}
        own, other = discs[mover], discs["O" if mover == "X" else "X"]
        return own, other, mover == "X", squares(own, other)

    def max_to_move(self, state: State) -> bool:
        """Tell whether Black is to move."""
        return state[2]

    def outcome(self, state: State) -> float | None:
        """Return the value if neither side can move."""
        own, other, black, moves = state
        if moves or squares(other, own):
            return None
        mine, theirs = own.bit_count(), other.bit_count()
        empty = 64 - mine - theirs
        lead = mine - theirs + (empty if mine > theirs else -empty if mine < theirs else 0)
        return float(lead if black else -lead)

    def moves(self, state: State) -> list[int]:
        """Return the squares in order; a pass if there is none."""
        left, found = state[3], []
        while left:
            found.append((left & -left).bit_length() - 1)
            left &= left - 1
        return found or [PASS]

    def play(self, state: State, square: int) -> State:
        """Return the state after a disc, or a pass."""
        own, other, black, _ = state
        if square != PASS:
            disc = turned = 1 << square
            for step, across in WAYS:
                crossed = other & across
                for way in (step, -step):
                    line, at = 0, shift(disc, way)
                    while at & crossed:
                        line |= at
                        at = shift(at, way)
                    if at & own:
                        turned |= line
            own, other = own | turned, other & ~turned
        return other, own, not black, squares(other, own)

    def key(self, state: State) -> tuple[int, int, bool]:
        """Return what tells a state apart."""
        return state[:3]


def shift(discs: int, way: int) -> int:
    """Return discs moved by so many squares."""
    return discs << way & ALL if way > 0 else discs >> -way


def squares(own: int, other: int) -> int:
    """Return where a disc would enclose some of the other's."""
    found = 0
    for step, across in WAYS:
        crossed = other & across
        up, down = own << step & crossed, own >> step & crossed
        for _ in range(5):
            up |= up << step & crossed
            down |= down >> step & crossed
        found |= up << step | down >> step
    return found & ~(own | other) & ALL
