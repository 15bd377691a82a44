"""Hex: Black (Max, +1) joins the first row with the last, White (Min, -1) the first column with the last.

Cell = size * row + column. A state is (Black's stones, White's stones, whether Black is to move). `linked`
and `free` are what the walk of a game of connection needs: see docs/proofs.md.
"""

from __future__ import annotations

State = tuple[int, int, bool]


class Hex:
    """The rules; a position is the stones in turn, 'a1 b2', after 'white' if White began."""

    cells = True

    def __init__(self, options: dict[str, str]) -> None:
        if set(options) != {"size"} or options["size"] not in map(str, range(1, 12)):
            raise ValueError("hex has one option, its size, from 1 to 11")
        self.size = n = int(options["size"])
        self.all = (1 << n * n) - 1
        self.column = sum(1 << n * row for row in range(n))

    def read(self, text: str) -> State:
        """Return the state that a text describes."""
        words, n = text.split(), self.size
        black = words[:1] != ["white"]
        stones = [0, 0]
        for word in words if black else words[1:]:
            column, row = ord(word[0]) - ord("a"), int(word[1:]) - 1
            cell = 1 << n * row + column
            named = word == f"{chr(ord('a') + column)}{row + 1}" and 0 <= column < n and 0 <= row < n
            if not named or (stones[0] | stones[1]) & cell:
                raise ValueError(f"no empty cell {word}")
            stones[not black] |= cell
            black = not black
        return stones[0], stones[1], black

    def side(self, state: State, by_max: bool) -> tuple[int, int, bool]:
        """Return one side's stones, the empty cells, and whether that side is to move."""
        black, white, black_moves = state
        own = black if by_max else white
        n, row = self.size, (1 << self.size) - 1
        if by_max:
            self.near, self.far, self.edges = row, row << n * (n - 1), ((2, 1), (5, 4))
            self.beside = (row << n & self.all, row << n * max(n - 2, 0)) if n > 1 else (0, 0)
        else:
            self.near, self.far, self.edges = self.column, self.column << n - 1, ((3, 4), (0, 1))
            self.beside = (self.column << 1, self.column << n - 2) if n > 1 else (0, 0)
        return own, self.all & ~(black | white), black_moves == by_max

    def step(self, cells: int, way: int) -> int:
        """Return the cells one step further: east, north-east, north, west, south-west, south."""
        n = self.size
        if way < 2:
            cells &= ~(self.column << n - 1)
            return cells << 1 if way == 0 else cells >> n - 1
        if 3 <= way < 5:
            cells &= ~self.column
            return cells >> 1 if way == 3 else cells << n - 1 & self.all
        return cells >> n if way == 2 else cells << n & self.all

    def bridged(self, edge: int, free: int) -> int:
        """Return the cells that have a bridge to an edge: the near one, 0, or the far one, 1."""
        one, two = self.edges[edge]
        return self.beside[edge] & self.step(free, (one + 3) % 6) & self.step(free, (two + 3) % 6)

    def edge_bridge(self, edge: int, cell: int) -> int:
        """Return the two cells of such a bridge."""
        return self.step(cell, self.edges[edge][0]) | self.step(cell, self.edges[edge][1])

    def flood(self, cells: int, own: int) -> int:
        """Return all stones that are joined with some of them."""
        n, inner, outer = self.size, ~(self.column << self.size - 1), ~self.column
        while True:
            east, west = cells & inner, cells & outer
            more = east << 1 | east >> n - 1 | west >> 1 | west << n - 1 | cells << n | cells >> n
            if (more := (more | cells) & own) == cells:
                return cells
            cells = more
