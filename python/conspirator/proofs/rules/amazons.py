"""Amazons: move a queen, then shoot an arrow that burns a square; who cannot move loses.

A state is (own amazons, the other's, burnt squares, whether White is to move). Square = size * row + column,
a1 first. White is Max; the winner gets all squares of the board as points.
"""

from __future__ import annotations

from collections.abc import Iterator

State = tuple[int, int, int, bool]
Turn = tuple[int, int, int]


class Amazons:
    """The rules; a position is rows from the top joined by '/', w, b, x or a count, and w or b to move."""

    repeats, middle, longest = False, 0.0, None

    def __init__(self, options: dict[str, str]) -> None:
        if set(options) != {"size"} or options["size"] not in map(str, range(4, 11)):
            raise ValueError("amazons has one option, its size, from 4 to 10")
        self.size = n = int(options["size"])
        self.rays = [list(self.lines(row, column)) for row in range(n) for column in range(n)]

    def lines(self, row: int, column: int) -> Iterator[list[int]]:
        """Yield the squares in each direction from a square, as bits."""
        n = self.size
        for down, right in [(y, x) for y in (-1, 0, 1) for x in (-1, 0, 1) if x or y]:
            places = [(row + down * k, column + right * k) for k in range(1, n)]
            yield [1 << n * y + x for y, x in places if 0 <= y < n and 0 <= x < n]

    def read(self, text: str) -> State:
        """Return the state that a text describes."""
        board, _, mover = text.partition(" ")
        sets, n = {"w": 0, "b": 0, "x": 0}, self.size
        rows = board.replace("10", "." * 10).split("/")
        for row, line in enumerate(reversed(rows)):
            cells = "".join("." * int(letter) if letter.isdigit() else letter for letter in line)
            if len(cells) != n or len(rows) != n or set(cells) - set("wbx.") or mover not in ("w", "b"):
                raise ValueError(f"a board is {n} rows of {n} squares, and the player to move")
            for column, letter in enumerate(cells):
                if letter != ".":
                    sets[letter] |= 1 << n * row + column
        own, other = (sets["w"], sets["b"]) if mover == "w" else (sets["b"], sets["w"])
        return own, other, sets["x"], mover == "w"

    def max_to_move(self, state: State) -> bool:
        """Tell whether White is to move."""
        return state[3]

    def outcome(self, state: State) -> float | None:
        """Return the value if the player to move cannot."""
        taken = state[0] | state[1] | state[2]
        for square in bits(state[0]):
            if any(ray and not ray[0] & taken for ray in self.rays[square.bit_length() - 1]):
                return None
        return float(-(self.size**2) if state[3] else self.size**2)

    def reach(self, square: int, taken: int) -> list[int]:
        """Return the squares that a queen reaches, in order."""
        found = []
        for ray in self.rays[square.bit_length() - 1]:
            for to in ray:
                if to & taken:
                    break
                found.append(to)
        return sorted(found)

    def moves(self, state: State) -> list[Turn]:
        """Return the moves by amazon, square and arrow."""
        taken = state[0] | state[1] | state[2]
        return [
            (amazon, to, arrow)
            for amazon in bits(state[0])
            for to in self.reach(amazon, taken ^ amazon)
            for arrow in self.reach(to, taken ^ amazon)
        ]

    def play(self, state: State, move: Turn) -> State:
        """Return the state after a move."""
        own, other, burnt, white = state
        return other, own ^ move[0] | move[1], burnt | move[2], not white

    def key(self, state: State) -> State:
        """Return what tells a state apart."""
        return state


def bits(squares: int) -> Iterator[int]:
    """Yield the squares of a set, the lowest first."""
    while squares:
        yield squares & -squares
        squares &= squares - 1
