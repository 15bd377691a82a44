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
from typing import Any

import numpy as np
import torch
from boards import Othello, Rules, count
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
    """The value of a sum is the hyperbolic tangent of sum / spread."""


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
    return _shape(tuples, symmetries, phase_of, mobility=True, spread=Othello.SPREAD)


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
    return _shape([*distinct.values()], [list(range(49)), mirror], phase_of, mobility=False, spread=2.0)


SHAPES = {"connect-four": connect_four_shape, "othello": othello_shape}
MOBILITY = 40
"""Entries of each of the two tables by the number of moves."""


class TupleNetwork:
    """Tables of a game, on the device of its rules."""

    def __init__(self, rules: Rules) -> None:
        self.rules, self.shape = rules, SHAPES[rules.name]()
        shape, device = self.shape, rules.device
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
        matrix = torch.zeros(64, len(shape.lanes), dtype=torch.float64)
        for lane, (_, cells) in enumerate(shape.lanes):
            for place, cell in enumerate(cells):
                matrix[cell, lane] = 3**place
        self.matrix = matrix.to(device)
        self.starts = torch.tensor([int(starts[table]) for table, _ in shape.lanes], device=device)
        self.phase_of = torch.tensor(shape.phase_of, device=device)
        self.bits = torch.arange(64, device=device)
        if shape.mobility:
            more = torch.arange(total, total + extra, device=device)
            self.slot = torch.cat([self.slot, more])
        self.full = self.weights[:, self.slot].contiguous()

    def refresh(self) -> None:
        """Write the weights where `values` reads them: one for each content. They keep their place."""
        torch.index_select(self.weights, 1, self.slot, out=self.full)

    def contents(self, state: Tensor) -> tuple[Tensor, Tensor]:
        """Return what stands on the tuples of each board, as places in a phase's tables, and the phase."""
        mover, other = state[:, 0], state[:, 1]
        # whole numbers in doubles, which no setting of the device rounds
        on = lambda x: ((x[:, None] >> self.bits) & 1).double()  # noqa: E731
        content = ((on(mover) + 2.0 * on(other)) @ self.matrix).long() + self.starts
        if self.shape.mobility:
            assert isinstance(self.rules, Othello)
            own, reply = self.rules.squares(mover, other), self.rules.squares(other, mover)
            ways = torch.stack([count(own), count(reply) + MOBILITY], 1)
            content = torch.cat([content, ways + (self.full.shape[1] - 2 * MOBILITY)], 1)
        return content, self.phase_of[count(mover | other)]

    def slots(self, state: Tensor) -> Tensor:
        """Return the places of the weights that make the value of each board."""
        content, phase = self.contents(state)
        return self.slot[content] + (phase * self.weights.shape[1])[:, None]

    def values(self, state: Tensor, most: int = 1 << 20) -> Tensor:
        """Return what boards are worth to the player to move, from -1 to 1."""
        parts = []
        for some in state.split(most):
            content, phase = self.contents(some)
            places = content + (phase * self.full.shape[1])[:, None]
            parts.append(self.squash(self.full.view(-1)[places].sum(1)))
        return torch.cat(parts)

    def squash(self, sums: Tensor) -> Tensor:
        """Return the value of a sum."""
        return torch.tanh(sums / self.shape.spread)

    def load(self, source: Path) -> None:
        """Take over the weights of a file that `export` wrote."""
        data, size = bytearray(source.read_bytes()), self.weights.numel()
        step = struct.unpack_from("<f", data, len(MAGIC) + struct.calcsize("<HHHIB"))[0]
        numbers = torch.frombuffer(data, dtype=torch.int8, offset=len(data) - size)
        if data[: len(MAGIC)] != MAGIC or data[:-size] != self.head(step):
            raise SystemExit(f"{source} has not the shape of this game's network")
        self.weights.copy_(numbers.float().view_as(self.weights) * step)
        self.refresh()

    def head(self, step: float) -> bytes:
        """Return what stands before the weights in a file.

        Magic; numbers of tables, lanes, phases, entries of a phase; whether moves are counted; the step of
        a weight; the phases by stones; for each table its cells' count and their permutation; for each lane
        its table and cells.
        """
        shape = self.shape
        head = struct.pack("<HHHI", len(shape.tables), len(shape.lanes), shape.phases, self.entries)
        head += struct.pack("<BfB", shape.mobility, step, len(shape.phase_of)) + bytes(shape.phase_of)
        for same in shape.same:
            head += bytes([len(same), *same])
        for table, cells in shape.lanes:
            head += bytes([table, *cells])
        return MAGIC + head

    def export(self, target: Path) -> None:
        """Write what the package reads: the head, then one byte for each weight."""
        weights = self.weights.cpu()
        usual = weights[weights != 0].abs()  # a few that are greater are cut off
        step = float(usual.kthvalue(max(1, int(len(usual) * 0.9998))).values) / 127 if len(usual) else 1.0
        numbers = (weights / step).round().clamp(-127, 127).to(torch.int8).numpy()
        target.write_bytes(self.head(step) + numbers.tobytes())
        print(f"{target}: {numbers.size} weights of {step:.4f}, {target.stat().st_size} bytes")


class OnePly:
    """A network of n-tuples as a player, which looks at all moves: a position is worth what its best move is.

    Moves are as likely as their values say. At most `MOST` moves of a position are looked at, those of the
    first cells; hardly any position has more.
    """

    MOST, SHARPNESS = 20, 10.0

    def __init__(self, network: TupleNetwork) -> None:
        self.network = network

    def __call__(self, state: Tensor) -> tuple[Tensor, Tensor]:
        """Return logits of moves, and log odds."""
        rules = self.network.rules
        legal = rules.look(state).legal
        usable, move = legal.float().topk(min(self.MOST, rules.moves), dim=1)
        before = state.repeat_interleave(move.shape[1], 0)
        after = torch.where(usable.view(-1, 1) > 0, rules.play(before, move.flatten()), before)
        sight = rules.look(after)
        said = torch.where(sight.wins.any(1), 1.0, self.network.values(after))
        value = -torch.where(sight.over, sight.result, said).view(move.shape)
        value = torch.where(usable > 0, value, -1.0)
        logits = torch.full(legal.shape, -self.SHARPNESS, device=state.device)
        logits = logits.scatter(1, move, self.SHARPNESS * value)
        return logits, 2 * torch.atanh(value.amax(1).clamp(-0.9999, 0.9999))


class Student:
    """A network of n-tuples that learns values by Adam; each position touches a few dozen weights."""

    def __init__(self, network: TupleNetwork) -> None:
        self.network = network
        self.mean = network.weights.clone()
        self.first = torch.zeros_like(network.weights)
        self.second = torch.zeros_like(network.weights)
        self.steps = 0

    @torch.no_grad()
    def step(self, state: Tensor, target: Tensor, rate: float) -> Tensor:
        """Go one step down the gradient of the cross entropy; return the mean square error of values."""
        network = self.network
        slots = network.slots(state)
        weights = network.weights.view(-1)
        error = network.squash(weights[slots].sum(1)) - target
        gradient = torch.zeros_like(weights)
        each = (error / len(error))[:, None].expand(slots.shape)
        gradient.index_add_(0, slots.flatten(), each.flatten())
        gradient = gradient.view_as(self.first)
        self.steps += 1
        self.first.lerp_(gradient, 0.1)
        self.second.lerp_(gradient * gradient, 0.001)
        scale = (1 - 0.999**self.steps) ** 0.5 / (1 - 0.9**self.steps)
        network.weights -= rate * scale * self.first / (self.second.sqrt() + 1e-9)
        self.mean.lerp_(network.weights, 1 - min(0.995, 1 - 1 / (1 + self.steps)))
        return (error * error).mean()

    def now(self) -> TupleNetwork:
        """Return the network with the mean of its last weights, which is what is exported."""
        network = TupleNetwork(self.network.rules)
        network.weights.copy_(self.mean)
        network.refresh()
        return network

    def saved(self) -> dict[str, object]:
        """Return all that is needed to go on."""
        adam = self.first.bfloat16(), self.second.bfloat16(), self.steps
        return {"weights": self.network.weights, "mean": self.mean, "adam": adam}

    def load(self, saved: dict[str, Any]) -> None:
        """Go on from what was saved."""
        self.network.weights.copy_(saved["weights"])
        self.mean.copy_(saved["mean"])
        first, second, self.steps = saved["adam"]
        self.first.copy_(first)
        self.second.copy_(second)
        self.network.refresh()
