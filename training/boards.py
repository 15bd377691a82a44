"""Rules of the games for many positions at once, on whatever device the tensors are.

A batch of positions is one tensor whose first axis counts them, and a position is always seen by the player
to move. In Connect-Four and Othello it is two 64-bit sets, the stones of the player to move and those of the
other one; in Hex it is two boards of group numbers. `tests/test_training.py` compares these rules with those
of the package.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

import torch
from torch import Tensor

Symmetry = tuple[Tensor, Tensor]
"""Where each cell of a turned board comes from, and where each move's output does."""


class Sight(NamedTuple):
    """What can be seen of positions without looking ahead."""

    legal: Tensor
    """Which moves are legal: positions x moves. None are in a game that is over."""
    wins: Tensor
    """Which of them win the game at once, as far as that is easily seen."""
    over: Tensor
    """Whether the game is over."""
    result: Tensor
    """If so, its result for the player to move, from -1 to 1."""


class Rules(Protocol):
    """What training needs to know of a game."""

    name: str
    moves: int
    """Outputs of a policy."""
    board: tuple[int, int, int]
    """Planes, rows and columns of a network's input."""
    plies: int
    """No game is longer."""
    openings: tuple[float, ...]
    """How often a game begins with 0, 1, 2, ... random moves."""
    calm: int
    """After so many moves a player is more careful to play the best one."""
    resigns: bool
    """Whether a player may give up, which tells the result as well as the end would."""

    device: str

    def start(self, count: int) -> Tensor:
        """Return so many positions at the start."""

    def look(self, state: Tensor) -> Sight:
        """Return what can be seen of positions."""

    def play(self, state: Tensor, move: Tensor) -> Tensor:
        """Return the positions after a legal move in each, seen by the next player."""

    def planes(self, state: Tensor) -> Tensor:
        """Return what a network sees, as bytes: `game.planes` of the package."""

    def symmetries(self) -> list[Symmetry]:
        """Return the ways to turn the board; the first one changes nothing."""


def down(x: Tensor, by: int) -> Tensor:
    """Shift to lower bits; zeros come in from above."""
    return (x >> by) & ((1 << (64 - by)) - 1) if by else x


def count(x: Tensor) -> Tensor:
    """Count bits."""
    x = x - (down(x, 1) & 0x5555555555555555)
    x = (x & 0x3333333333333333) + (down(x, 2) & 0x3333333333333333)
    x = (x + down(x, 4)) & 0x0F0F0F0F0F0F0F0F
    return down(x * 0x0101010101010101, 56)


def signed(x: int) -> int:
    """Return 64 bits as the number that a tensor has for them."""
    return x - (1 << 64) if x >> 63 else x


class Bits:
    """What games of two 64-bit sets share. A position is (mover, other)."""

    cells: tuple[int, ...]
    """The bit of each cell of the planes, row by row."""

    def __init__(self, device: str = "cpu") -> None:
        self.device = device
        self.places = torch.tensor(self.cells, device=device)

    def spread(self, sets: Tensor) -> Tensor:
        """Return sets as zeros and ones, cell by cell."""
        return (sets[..., None] >> self.places) & 1


class ConnectFour(Bits):
    """Seven columns of seven bits; the top bit of each is always empty.

    6 13 20 27 34 41 48        always empty
    5 12 19 26 33 40 47        the top row
    ...
    0  7 14 21 28 35 42
    """

    name, moves, board, plies, calm, resigns = "connect-four", 7, (2, 6, 7), 42, 10, False
    openings = (0.2, *(0.04,) * 20)
    cells = tuple(7 * column + row for row in range(5, -1, -1) for column in range(7))
    bottom = 0x0408_1020_4081
    full = bottom * 0x3F

    def __init__(self, device: str = "cpu") -> None:
        super().__init__(device)
        self.columns = 7 * torch.arange(7, device=device)

    def start(self, count: int) -> Tensor:
        """Return so many empty boards."""
        return torch.zeros(count, 2, dtype=torch.int64, device=self.device)

    def landings(self, state: Tensor) -> Tensor:
        """Return where stones would land."""
        return ((state[:, 0] | state[:, 1]) + self.bottom) & self.full

    def _columns(self, cells: Tensor) -> Tensor:
        """Return in which columns there are cells."""
        return ((cells[:, None] >> self.columns) & 0x3F) != 0

    def look(self, state: Tensor) -> Sight:
        """Only who has just moved can have four in a row."""
        mover, other = state[:, 0], state[:, 1]
        lost = torch.zeros_like(mover, dtype=torch.bool)
        for step in (1, 6, 7, 8):
            pairs = other & down(other, step)
            lost = lost | ((pairs & down(pairs, 2 * step)) != 0)
        fourth = (mover << 1) & (mover << 2) & (mover << 3)
        for step in (6, 7, 8):
            one, two, three = mover << step, mover << 2 * step, mover << 3 * step
            back, twice, thrice = down(mover, step), down(mover, 2 * step), down(mover, 3 * step)
            fourth = fourth | (one & two & (three | back)) | (back & twice & (thrice | one))
        over = lost | ((mover | other) == self.full)
        landings = torch.where(over, 0, self.landings(state))
        wins = self._columns(landings & fourth)
        return Sight(self._columns(landings), wins, over, torch.where(lost, -1.0, 0.0))

    def play(self, state: Tensor, move: Tensor) -> Tensor:
        """Return the boards after a stone in a column."""
        column = torch.full_like(move, 0x3F) << (7 * move)
        stone = self.landings(state) & column
        return torch.stack([state[:, 1], state[:, 0] | stone], 1)

    def planes(self, state: Tensor) -> Tensor:
        """Return own stones and the other's; row 0 is the top."""
        return self.spread(state).to(torch.uint8).view(-1, *self.board)

    def symmetries(self) -> list[Symmetry]:
        """Return nothing, and left for right."""
        cells = torch.arange(42, device=self.device).view(6, 7)
        moves = torch.arange(7, device=self.device)
        return [(cells.flatten(), moves), (cells.flip(1).flatten(), moves.flip(0))]


class Othello(Bits):
    """Bit 8 * row + column; move 64 is a pass.

    A result is the hyperbolic tangent of the difference of discs divided by `SPREAD`, with the empty squares
    for the winner: it is more important to win than to win by much.
    """

    SPREAD = 16.0
    name, moves, board, plies, calm, resigns = "othello", 65, (2, 8, 8), 100, 12, False
    openings = (0.2, *(0.05,) * 16)
    cells = tuple(range(64))
    inner = 0x7E7E_7E7E_7E7E_7E7E

    def __init__(self, device: str = "cpu") -> None:
        super().__init__(device)
        steps = (1, 8, 7, 9)

        def rows(numbers: list[int]) -> Tensor:
            return torch.tensor(numbers, device=device)[:, None]

        # for eight directions: how far to shift up and down, what does not come in, and where lines run
        self.up, self.low = rows([*steps, 0, 0, 0, 0]), rows([0, 0, 0, 0, *steps])
        self.kept = rows([-1] * 4 + [(1 << (64 - step)) - 1 for step in steps])
        self.through = rows([-1 if step == 8 else self.inner for step in steps] * 2)

    def start(self, count: int) -> Tensor:
        """Return so many boards with four discs."""
        discs = [[1 << 28 | 1 << 35, 1 << 27 | 1 << 36]]
        return torch.tensor(discs, device=self.device).repeat(count, 1)

    def shifted(self, sets: Tensor) -> Tensor:
        """Return the sets one step further in each direction; at the sides they come out again."""
        return ((sets << self.up) >> self.low) & self.kept

    def _lines(self, start: Tensor, other: Tensor) -> tuple[Tensor, Tensor]:
        """Return the other's discs that follow on the start in each direction, and where they lead."""
        inside = other & self.through
        line = self.shifted(start) & inside
        for _ in range(5):
            line = line | (self.shifted(line) & inside)
        return line, self.shifted(line)

    def squares(self, mover: Tensor, other: Tensor) -> Tensor:
        """Return the squares that enclose a line."""
        found = self._lines(mover, other)[1]
        found = found[:4] | found[4:]
        found = found[:2] | found[2:]
        return (found[0] | found[1]) & ~(mover | other)

    def look(self, state: Tensor) -> Sight:
        """A game is over when neither player can move."""
        mover, other = state[:, 0], state[:, 1]
        both = self.squares(state.flatten(), state.flip(1).flatten()).view(-1, 2)
        squares, replies = both[:, 0], both[:, 1]
        over = (squares | replies) == 0
        legal = torch.cat([self.spread(squares) != 0, ((squares == 0) & ~over)[:, None]], 1)
        ahead = (count(mover) - count(other)).float()
        empty = 64.0 - (count(mover) + count(other)).float()
        result = torch.tanh((ahead + empty * torch.sign(ahead)) / self.SPREAD)
        return Sight(legal, torch.zeros_like(legal), over, result)

    def play(self, state: Tensor, move: Tensor) -> Tensor:
        """Return the boards after a move and what it turns over."""
        mover, other = state[:, 0], state[:, 1]
        disc = torch.where(move < 64, torch.ones_like(move) << move.clamp_max(63), 0)
        line, end = self._lines(disc, other)
        line = torch.where((end & mover) != 0, line, 0)
        line = line[:4] | line[4:]
        line = line[:2] | line[2:]
        turned = line[0] | line[1]
        return torch.stack([other & ~turned, mover | turned | disc], 1)

    def planes(self, state: Tensor) -> Tensor:
        """Return own discs and the other's; row 0 is rank 1."""
        return self.spread(state).to(torch.uint8).view(-1, *self.board)

    def symmetries(self) -> list[Symmetry]:
        """Return the four turns of the board and of its mirror image."""
        square = torch.arange(64, device=self.device).view(8, 8)
        turned = [board.rot90(k).flatten() for board in (square, square.flip(1)) for k in range(4)]
        last = torch.tensor([64], device=self.device)
        return [(cells, torch.cat([cells, last])) for cells in turned]


class Hex:
    """Two boards of groups, the mover's and the other's, with a row of edge cells around.

        . 1 1 1 .        a cell of the mover's board has the number of the stone's group, 0 without a stone;
        0 0 0 0 0        the mover's edges are at the top, group 1, and at the bottom, group 2;
        0 0 5 0 0        the other's are at the left and at the right.
        0 0 0 0 0
        . 2 2 2 .        The group of both edges is group 1: then the player has won.

    After each move the board is transposed and the colours change places, so that the player to move always
    joins top and bottom.
    """

    name, calm, resigns = "hex", 12, True
    openings = (0.1, 0.8, 0.0, 0.1)

    def __init__(self, size: int, device: str = "cpu") -> None:
        self.size, self.wide, self.device = size, size + 2, device
        self.moves, self.plies, self.board = size * size, size * size, (2, size + 2, size + 2)
        wide = self.wide
        self.steps = torch.tensor([-wide, 1 - wide, -1, 1, wide - 1, wide], device=device)

    def start(self, count: int) -> Tensor:
        """Return so many empty boards."""
        wide = self.wide
        state = torch.zeros(count, 2, wide, wide, dtype=torch.int16, device=self.device)
        state[:, 0, 0, 1:-1], state[:, 0, -1, 1:-1] = 1, 2
        state[:, 1, 1:-1, 0], state[:, 1, 1:-1, -1] = 1, 2
        return state

    def look(self, state: Tensor) -> Sight:
        """A move wins if it touches both edge groups; only who has just moved can have won."""
        size = self.size
        own, other = state[:, 0], state[:, 1]
        over = other[:, 1, -1] == 1
        empty = ((own | other)[:, 1:-1, 1:-1] == 0).flatten(1) & ~over[:, None]
        touches = []
        for edge in (1, 2):
            group, near = own == edge, None
            for row, column in ((0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)):
                part = group[:, row : row + size, column : column + size]
                near = part if near is None else near | part
            touches.append(near)
        wins = (touches[0] & touches[1]).flatten(1) & empty
        return Sight(empty, wins, over, torch.where(over, -1.0, 0.0))

    def play(self, state: Tensor, move: Tensor) -> Tensor:
        """Return the boards after a stone, which makes one group of those around it."""
        wide = self.wide
        own = state[:, 0].flatten(1)
        at = (move // self.size + 1) * wide + move % self.size + 1
        near = own.gather(1, at[:, None] + self.steps)
        group = torch.where(near > 0, near, (at[:, None] + 3).to(near.dtype)).amin(1, keepdim=True)
        joined = torch.zeros_like(own, dtype=torch.bool)
        for k in range(6):
            joined = joined | (own == torch.where(near[:, k : k + 1] > 0, near[:, k : k + 1], -1))
        own = torch.where(joined, group, own).scatter(1, at[:, None], group)
        return torch.stack([state[:, 1], own.view(-1, wide, wide)], 1).transpose(2, 3).contiguous()

    def planes(self, state: Tensor) -> Tensor:
        """Return own stones and the other's, with edges as rows of stones; corners are the mover's."""
        planes = (state > 0).to(torch.uint8)
        for row in (0, -1):
            for column in (0, -1):
                planes[:, 0, row, column] = 1
        return planes

    def symmetries(self) -> list[Symmetry]:
        """Return nothing, and half a turn."""
        cells = torch.arange(self.wide**2, device=self.device)
        moves = torch.arange(self.moves, device=self.device)
        return [(cells, moves), (cells.flip(0), moves.flip(0))]


def rules_of(name: str, size: int = 11, device: str = "cpu") -> Rules:
    """Return the rules of a game by its name; `size` is the board of Hex."""
    if name == "hex":
        return Hex(size, device)
    return ConnectFour(device) if name == "connect-four" else Othello(device)
