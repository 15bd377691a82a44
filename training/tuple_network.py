"""A network of n-tuples: a board's value is a sum of table entries, one for what stands on each tuple.

W. W. Bledsoe and I. Browning, "Pattern recognition and reading by machine" (1959); S. M. Lucas, "Learning
to play Othello with n-tuple systems" (2008). Cells count 0 if empty, 1 for a stone of the player to move
and 2 for the other's, and a tuple's content is a number to the base 3. Tuples that a symmetry of the board
maps to each other share a table, and there are other tables for other phases of the game.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from boards import Boards, Rules, count
from torch import Tensor

MAGIC = b"tuples01"


@dataclass(frozen=True)
class Shape:
    """Which tuples a game has."""

    tables: tuple[tuple[int, ...], ...]
    """One tuple of cells for each table."""
    lanes: tuple[tuple[int, tuple[int, ...]], ...]
    """All tuples: the table, and the cells."""
    same: tuple[tuple[int, ...], ...]
    """For each table a permutation of its cells that a symmetry makes, or the identity."""
    phases: int
    phase_of: tuple[int, ...]
    """The phase by the number of stones."""
    mobility: bool
    """Whether the numbers of moves count too."""
    spread: float
    """What a difference of 1 in value means: the logistic's scale, or 0 if values are differences."""


def _shape(
    tuples: list[list[int]], symmetries: list[list[int]], phase_of: list[int], mobility: bool, spread: float
) -> Shape:
    """Complete the tuples by the symmetries, which map cells to cells."""
    lanes: list[tuple[int, tuple[int, ...]]] = []
    same: list[tuple[int, ...]] = []
    for table, cells in enumerate(tuples):
        images = [tuple(symmetry[cell] for cell in cells) for symmetry in symmetries]
        seen: dict[frozenset[int], tuple[int, ...]] = {}
        for image in images:
            seen.setdefault(frozenset(image), image)
        lanes += [(table, image) for image in seen.values()]
        twins = [image for image in images if frozenset(image) == frozenset(cells) and image != tuple(cells)]
        same.append(tuple(twins[0].index(cell) for cell in cells) if twins else tuple(range(len(cells))))
    return Shape(
        tuple(map(tuple, tuples)),
        tuple(lanes),
        tuple(same),
        max(phase_of) + 1,
        tuple(phase_of),
        mobility,
        spread,
    )


def othello_shape() -> Shape:
    """Return edges, rows, diagonals and corners (M. Buro, "Experiments with Multi-ProbCut", 1997)."""
    turn = [8 * (cell % 8) + 7 - cell // 8 for cell in range(64)]
    mirror = [8 * (cell // 8) + 7 - cell % 8 for cell in range(64)]
    symmetries = [list(range(64))]
    for _ in range(3):
        symmetries.append([turn[cell] for cell in symmetries[-1]])
    symmetries += [[mirror[cell] for cell in symmetry] for symmetry in symmetries[:4]]
    tuples = [[*range(8), 9, 14]]
    tuples += [[8 * row + column for column in range(8)] for row in (1, 2, 3)]
    tuples += [[9 * k + start for k in range(8 - start)] for start in range(5)]
    tuples += [[0, 1, 2, 3, 4, 8, 9, 10, 11, 12], [0, 1, 2, 8, 9, 10, 16, 17, 18]]
    phase_of = [min(max((discs - 5) // 8, 0), 7) for discs in range(65)]
    return _shape(tuples, symmetries, phase_of, mobility=True, spread=0.0)


def connect_four_shape() -> Shape:
    """Return two rows by four columns, four rows by two, and diagonals with what is below them."""
    mirror = [7 * (6 - cell // 7) + cell % 7 for cell in range(49)]
    at = lambda column, row: 7 * column + row  # noqa: E731
    tuples: list[list[int]] = []
    for column in range(7):
        for row in range(6):
            if column <= 3 and row <= 4:
                tuples.append([at(column + c, row + r) for c in range(4) for r in range(2)])
            if column <= 5 and row <= 2:
                tuples.append([at(column + c, row + r) for c in range(2) for r in range(4)])
            if column <= 3 and row <= 2:
                rising = [at(column + c, row + c) for c in range(4)]
                tuples.append(rising + [cell - 1 for cell in rising if cell % 7])
            if column <= 3 and row >= 3:
                falling = [at(column + c, row - c) for c in range(4)]
                tuples.append(falling + [cell - 1 for cell in falling if cell % 7])
    distinct: dict[frozenset[frozenset[int]], list[int]] = {}
    for cells in tuples:
        both = frozenset({frozenset(cells), frozenset(mirror[cell] for cell in cells)})
        distinct.setdefault(both, cells)
    # who has the odd rows depends on who began
    phase_of = [stones % 2 + 2 * (stones >= 18) for stones in range(43)]
    return _shape([*distinct.values()], [list(range(49)), mirror], phase_of, mobility=False, spread=1.0)


SHAPES = {"connect-four": connect_four_shape, "othello": othello_shape}
MOBILITY = 40
"""Entries of each of the two tables by the number of moves."""


class TupleNetwork:
    """Tables of a game, on a device."""

    def __init__(self, rules: Rules, device: str) -> None:
        self.rules, self.device, self.shape = rules, device, SHAPES[rules.name]()
        shape = self.shape
        sizes = [3 ** len(cells) for cells in shape.tables]
        starts = np.concatenate([[0], np.cumsum(sizes)])
        # entries that a symmetry makes equal share a weight
        slots, total = [], 0
        for cells, same in zip(shape.tables, shape.same, strict=True):
            k = len(cells)
            digits = np.arange(3**k)[:, None] // 3 ** np.arange(k) % 3
            twin = (digits[:, list(same)] * 3 ** np.arange(k)).sum(1)
            least = np.minimum(np.arange(3**k), twin)
            kept, place = np.unique(least, return_inverse=True)
            slots.append(place + total)
            total += len(kept)
        self.entries = total
        extra = 2 * MOBILITY if shape.mobility else 0
        self.weights = torch.zeros(shape.phases, total + extra, device=device)
        self.slot = torch.tensor(np.concatenate(slots), device=device)
        matrix = torch.zeros(rules.cells, len(shape.lanes))
        for lane, (_, cells) in enumerate(shape.lanes):
            for place, cell in enumerate(cells):
                matrix[cell, lane] = 3**place
        self.matrix = matrix.to(device)
        self.starts = torch.tensor([int(starts[table]) for table, _ in shape.lanes], device=device)
        self.phase_of = torch.tensor(shape.phase_of, device=device)
        self.bits = torch.arange(rules.cells, device=device)
        if shape.mobility:
            more = torch.arange(total, total + extra, device=device)
            self.slot = torch.cat([self.slot, more])
        self.refresh()

    def refresh(self) -> None:
        """Write the weights where `values` reads them: one for each content."""
        self.full = self.weights[:, self.slot].contiguous()

    def contents(self, boards: Boards) -> tuple[Tensor, Tensor]:
        """Return what stands on the tuples of each board, as places in a phase's tables, and the phase."""
        mover, other = boards
        on = lambda x: ((x[:, None] >> self.bits) & 1).float()  # noqa: E731
        content = ((on(mover) + 2.0 * on(other)) @ self.matrix).long() + self.starts
        if self.shape.mobility:
            own, reply = self.rules.moves(mover, other), self.rules.moves(other, mover)
            ways = torch.stack([count(own), count(reply) + MOBILITY], 1)
            content = torch.cat([content, ways + (self.full.shape[1] - 2 * MOBILITY)], 1)
        return content, self.phase_of[count(mover | other)]

    def slots(self, boards: Boards) -> Tensor:
        """Return the places of the weights that make the value of each board."""
        content, phase = self.contents(boards)
        return self.slot[content] + (phase * self.weights.shape[1])[:, None]

    def values(self, boards: Boards, most: int = 1 << 20) -> Tensor:
        """Return what boards are worth to the player to move."""
        parts = []
        for mover, other in zip(boards[0].split(most), boards[1].split(most), strict=True):
            content, phase = self.contents((mover, other))
            places = content + (phase * self.full.shape[1])[:, None]
            parts.append(self.squash(self.full.view(-1)[places].sum(1)))
        return torch.cat(parts)

    def squash(self, sums: Tensor) -> Tensor:
        """Return the value of a sum: at most 1, or a difference of at most 64."""
        return torch.tanh(sums / 2) if self.shape.spread else sums.clamp(-64.0, 64.0)

    def export(self, target: Path) -> None:
        """Write what the package reads: a header in bytes and 16-bit numbers, then one byte for each weight.

        Magic; numbers of tables, lanes, phases, entries of a phase; whether moves are counted; the step of
        a weight; the phases by stones; for each table its cells' count and their permutation; for each lane
        its table and cells.
        """
        shape, weights = self.shape, self.weights.cpu()
        usual = weights[weights != 0].abs()  # a few that are greater are cut off
        step = float(usual.kthvalue(max(1, int(len(usual) * 0.9998))).values) / 127 if len(usual) else 1.0
        head = struct.pack("<HHHI", len(shape.tables), len(shape.lanes), shape.phases, self.entries)
        head += struct.pack("<BfB", shape.mobility, step, len(shape.phase_of)) + bytes(shape.phase_of)
        for same in shape.same:
            head += bytes([len(same), *same])
        for table, cells in shape.lanes:
            head += bytes([table, *cells])
        numbers = (weights / step).round().clamp(-127, 127).to(torch.int8).numpy()
        target.write_bytes(MAGIC + head + numbers.tobytes())
        print(f"{target}: {numbers.size} weights of {step:.4f}, {target.stat().st_size} bytes")
