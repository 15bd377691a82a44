"""Rules of Connect-Four and Othello for many boards at once, on whatever device the tensors are.

A board is two 64-bit sets, the stones of the player to move and those of the other one; a batch of boards
is two tensors of them. `tests/test_training.py` compares these rules with those of the package.
"""

from __future__ import annotations

from typing import Protocol

import torch
from torch import Tensor

Boards = tuple[Tensor, Tensor]
"""Stones of the players to move, and of the others."""


def down(x: Tensor, by: int) -> Tensor:
    """Shift to lower bits; zeros come in from above."""
    return (x >> by) & ((1 << (64 - by)) - 1) if by else x


def shift(x: Tensor, by: int) -> Tensor:
    """Shift to higher bits, or to lower ones if `by` is negative."""
    return x << by if by >= 0 else down(x, -by)


def count(x: Tensor) -> Tensor:
    """Count bits."""
    x = x - (down(x, 1) & 0x5555555555555555)
    x = (x & 0x3333333333333333) + (down(x, 2) & 0x3333333333333333)
    x = (x + down(x, 4)) & 0x0F0F0F0F0F0F0F0F
    return down(x * 0x0101010101010101, 56)


class Rules(Protocol):
    """What training needs to know of a game."""

    name: str
    plies: int
    """No game has more moves."""
    cells: int
    """Bits of a board that are cells lie below this."""

    def start(self, games: int, device: str) -> Boards:
        """Return so many boards at the start."""

    def moves(self, mover: Tensor, other: Tensor) -> Tensor:
        """Return the cells that can be played to; none: a pass, or the end."""

    def play(self, mover: Tensor, other: Tensor, cell: Tensor) -> Boards:
        """Return the boards after a stone on a cell, a bit, from the next player's side; 0 is a pass."""

    def end(self, mover: Tensor, other: Tensor) -> tuple[Tensor, Tensor]:
        """Return which games are over, and their results for the player to move."""


class ConnectFour:
    """Seven columns of seven bits; the top bit of each is always empty. Results are -1, 0 and 1."""

    name, plies, cells = "connect-four", 42, 49
    bottom = 0x0408_1020_4081
    board = bottom * 0x3F

    def start(self, games: int, device: str) -> Boards:
        """Return so many empty boards."""
        empty = torch.zeros(games, dtype=torch.int64, device=device)
        return empty, empty.clone()

    def moves(self, mover: Tensor, other: Tensor) -> Tensor:
        """Return where stones would land."""
        return ((mover | other) + self.bottom) & self.board

    def play(self, mover: Tensor, other: Tensor, cell: Tensor) -> Boards:
        """Return the boards after a stone."""
        return other, mover | cell

    def end(self, mover: Tensor, other: Tensor) -> tuple[Tensor, Tensor]:
        """Return which games are over: only who has just moved can have won."""
        won = torch.zeros_like(mover, dtype=torch.bool)
        for step in (1, 6, 7, 8):
            pairs = other & down(other, step)
            won |= (pairs & down(pairs, 2 * step)) != 0
        return won | ((mover | other) == self.board), torch.where(won, -1.0, 0.0)


class Othello:
    """Bit 8 * row + column. Results are differences of discs, with the empty squares for the winner."""

    name, plies, cells = "othello", 60, 64
    inner = 0x7E7E_7E7E_7E7E_7E7E
    steps = (1, -1, 8, -8, 7, -7, 9, -9)

    def start(self, games: int, device: str) -> Boards:
        """Return so many boards with four discs."""
        ones = torch.ones(games, dtype=torch.int64, device=device)
        return ones * (1 << 28 | 1 << 35), ones * (1 << 27 | 1 << 36)

    def _line(self, start: Tensor, other: Tensor, step: int) -> Tensor:
        """Return the other's discs that follow on the start in one direction."""
        through = other if abs(step) == 8 else other & self.inner
        line = shift(start, step) & through
        for _ in range(5):
            line = line | (shift(line, step) & through)
        return line

    def moves(self, mover: Tensor, other: Tensor) -> Tensor:
        """Return the squares that enclose a line."""
        found = torch.zeros_like(mover)
        for step in self.steps:
            found |= shift(self._line(mover, other, step), step)
        return found & ~(mover | other)

    def play(self, mover: Tensor, other: Tensor, cell: Tensor) -> Boards:
        """Return the boards after a move and what it turns over."""
        turned = torch.zeros_like(mover)
        for step in self.steps:
            line = self._line(cell, other, step)
            turned |= torch.where((shift(line, step) & mover) != 0, line, 0)
        return other & ~turned, mover | turned | cell

    def end(self, mover: Tensor, other: Tensor) -> tuple[Tensor, Tensor]:
        """Return which games are over: neither player can move."""
        over = (self.moves(mover, other) | self.moves(other, mover)) == 0
        ahead = (count(mover) - count(other)).float()
        empty = 64.0 - (count(mover) + count(other)).float()
        return over, ahead + empty * torch.sign(ahead)


GAMES: dict[str, Rules] = {rules.name: rules for rules in (ConnectFour(), Othello())}
