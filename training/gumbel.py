"""Gumbel searches of thousands of positions at once: one small tree for each, all grown in step.

I. Danihelka and others, "Policy improvement by planning with Gumbel", 2022. `conspirator.rules.gumbel` has
the formulas for one tree; here every number is a tensor with a row for each node of each tree:

    row of node k of tree b = b * nodes + k          node 0 is the root, node k is made by simulation k

A simulation goes from the root to a move that was not tried yet, looks at the position after it, and
tells the moves on the way what it is worth. At the root the moves are planned (Section 2, sequential
halving with Gumbel noise); below, the next move is the one that brings the visits nearest to the improved
policy (Section 5).
Values are those of a row's player to move. A move that wins at once is the only one that is considered.

On a GPU all simulations are recorded as one CUDA graph, because thousands of small steps would otherwise
wait for Python.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import torch
from boards import Rules
from torch import Tensor

Player = Callable[[Tensor], tuple[Tensor, Tensor]]
"""From positions to the policy's logits and the log odds of the player to move."""

VISIT, SCALE = 50.0, 0.2
"""c_visit and c_scale of the paper, for values from -1 to 1."""
NEVER = -1e9


class Advice(NamedTuple):
    """What the searches recommend."""

    move: Tensor
    """The move to play, with the noise of the search."""
    policy: Tensor
    """The improved policy."""
    value: Tensor
    """What the position is worth by the improved policy."""


def plan(considered: int, simulations: int) -> list[list[int]]:
    """Return how many visits a move has that a simulation looks at: a row for 0, 1, ... moves considered.

    >>> plan(4, 8)[4]       # four moves once, then two moves twice
    [0, 0, 0, 0, 1, 1, 2, 2]
    """
    rows = [[0] * simulations]
    for width in range(1, considered + 1):
        rounds, row, visits, left = max(1, math.ceil(math.log2(width))), [], 0, width
        while len(row) < simulations:
            each = max(1, simulations // (rounds * left)) if left > 2 else simulations
            for _ in range(each):
                row += [visits] * left
                visits += 1
            left = max(min(2, width), left // 2)
        rows.append(row[:simulations])
    return rows


def completed(logits: Tensor, visits: Tensor, total: Tensor, value: Tensor) -> Tensor:
    """Return the mean values of moves, and the mixed value for those without visits (equation 33).

    `logits` are the logarithms of probabilities, `value` is what the network says of the position itself.
    """
    count = visits.sum(1)
    q = total / visits.clamp_min(1.0)
    prior = torch.where(visits > 0, logits.exp(), 0.0)
    mean = (prior * q).sum(1) / prior.sum(1).clamp_min(1e-12)
    mixed = (value + count * mean) / (1.0 + count)
    return torch.where(visits > 0, q, mixed[:, None])


def sigma(q: Tensor, visits: Tensor) -> Tensor:
    """Return what values add to logits (equation 8)."""
    return (VISIT + visits.amax(1, keepdim=True)) * SCALE * q


def next_move(logits: Tensor, visits: Tensor, total: Tensor, value: Tensor) -> Tensor:
    """Return the move whose visits are furthest below the improved policy."""
    improved = torch.softmax(logits + sigma(completed(logits, visits, total, value), visits), 1)
    short = improved - visits / (1.0 + visits.sum(1, keepdim=True))
    return torch.where(logits > NEVER / 2, short, NEVER).argmax(1)


def gumbel_noise(shape: tuple[int, ...], device: str | torch.device) -> Tensor:
    """Return random numbers of the Gumbel distribution."""
    return -torch.log(-torch.log(torch.rand(shape, device=device).clamp_(1e-9, 1 - 1e-7)))


class Trees:
    """Room for so many trees, which every search uses again."""

    def __init__(
        self,
        rules: Rules,
        player: Player,
        count: int,
        simulations: int,
        considered: int,
        deepest: int = 12,
    ) -> None:
        self.rules, self.player, self.count, self.simulations = rules, player, count, simulations
        self.nodes, self.deepest = simulations + 1, deepest
        rows, moves, device = count * self.nodes, rules.moves, rules.device
        start = rules.start(1)
        self.state = start.expand(rows, *start.shape[1:]).clone()
        self.logits = torch.zeros(rows, moves, device=device)
        self.visits = torch.zeros(rows, moves, device=device)
        self.total = torch.zeros(rows, moves, device=device)
        self.child = torch.full((rows, moves), -1, dtype=torch.int64, device=device)
        self.value = torch.zeros(rows, device=device)
        self.over = torch.zeros(rows, dtype=torch.bool, device=device)
        self.used = torch.zeros(rows, dtype=torch.bool, device=device)
        self.noise = torch.zeros(count, moves, device=device)
        self.calm = torch.ones(count, device=device)
        self.roots = torch.arange(count, device=device) * self.nodes
        self.plan = torch.tensor(plan(min(considered, moves), simulations), device=device)
        self.look, self.play, self.next_move = rules.look, rules.play, next_move
        self.graph: torch.cuda.CUDAGraph | None = None
        self.advice: Advice | None = None

    def compile(self) -> None:
        """Make one kernel of many small steps; takes some seconds at the first search."""
        self.look, self.play = torch.compile(self.rules.look), torch.compile(self.rules.play)
        self.next_move = torch.compile(next_move)

    def enter(self, rows: Tensor, state: Tensor) -> None:
        """Look at new positions: where they are, what the network says, who has won."""
        legal, wins, over, result = self.look(state)
        logits, odds = self.player(state)
        winning = wins.any(1)
        allowed = torch.where(winning[:, None], wins, legal)
        logits = torch.where(allowed, logits, NEVER)
        logits = torch.where(allowed, torch.log_softmax(logits, 1), NEVER)
        value = torch.where(winning, 1.0, torch.tanh(odds / 2))
        self.state.index_copy_(0, rows, state)
        self.logits.index_copy_(0, rows, logits)
        self.value.index_copy_(0, rows, torch.where(over, result, value))
        self.over.index_copy_(0, rows, over)

    def simulate(self, number: int) -> None:
        """Go down every tree, add a node, and tell the nodes above."""
        moves = self.rules.moves
        row, active = self.roots, ~self.over[self.roots]
        last, taken = row, row * 0
        path: list[tuple[Tensor, Tensor]] = []
        for depth in range(min(number, self.deepest)):
            if depth == 0:
                move = self.planned(number - 1)
            else:
                numbers = self.logits[row], self.visits[row], self.total[row], self.value[row]
                move = self.next_move(*numbers)
            place = row * moves + move
            path.append((place, active))
            last, taken = torch.where(active, row, last), torch.where(active, move, taken)
            child = self.child.view(-1)[place]
            below = torch.where(child >= 0, child, row)
            active = active & (child >= 0) & ~self.over[below]
            row = torch.where(active, below, row)
        # what is there already is a game's end, or too deep to go on: it is counted again
        place = last * moves + taken
        child = self.child.view(-1)[place]
        fresh = (child < 0) & ~self.over[self.roots]
        new = self.roots + number
        self.enter(new, self.play(self.state[last], taken))
        self.used.index_copy_(0, new, fresh)
        leaf = torch.where(child < 0, new, child)
        self.child.view(-1).scatter_(0, place, torch.where(fresh, new, child))
        value = self.value[leaf]
        for place, passed in reversed(path):
            value = torch.where(passed, -value, value)
            self.visits.view(-1).scatter_add_(0, place, passed.float())
            self.total.view(-1).scatter_add_(0, place, torch.where(passed, value, 0.0))

    def scores(self) -> tuple[Tensor, Tensor, Tensor]:
        """Return the roots' visits, completed values, and logit + sigma(value) of their moves."""
        visits = self.visits[self.roots]
        logits = self.logits[self.roots]
        q = completed(logits, visits, self.total[self.roots], self.value[self.roots])
        return visits, q, logits + sigma(q, visits)

    def planned(self, number: int) -> Tensor:
        """Return the roots' moves in this simulation: of those with the visits that are due, the best one."""
        visits, _, score = self.scores()
        width = (self.logits[self.roots] > NEVER / 2).sum(1).clamp_max(len(self.plan) - 1)
        due = self.plan[width, number]
        return torch.where(visits == due[:, None], score + self.noise, NEVER).argmax(1)

    def grow(self) -> Advice:
        """Search from the roots' positions on, which are in their places already."""
        for numbers in (self.visits, self.total):
            numbers.zero_()
        self.child.fill_(-1)
        self.used.zero_()
        self.used.index_fill_(0, self.roots, True)
        self.enter(self.roots, self.state[self.roots])
        for number in range(1, self.nodes):
            self.simulate(number)
        visits, q, score = self.scores()
        improved = torch.softmax(score, 1)
        most = visits.amax(1, keepdim=True)
        noise = self.calm[:, None] * self.noise
        move = torch.where(visits == most, score + noise, NEVER).argmax(1)
        return Advice(move, improved, (improved * q).sum(1))

    @torch.no_grad()
    def search(self, state: Tensor, noise: Tensor, calm: Tensor | float = 1.0) -> Advice:
        """Search from these positions on, with Gumbel noise on their moves.

        The last choice, among the moves that were looked at most, has only a part of the noise, `calm`.
        """
        self.state.index_copy_(0, self.roots, state)
        self.noise.copy_(noise)
        self.calm.copy_(torch.as_tensor(calm, device=noise.device).expand(self.count))
        if self.graph is not None and self.advice is not None:
            self.graph.replay()
            return Advice(*(part.clone() for part in self.advice))
        return self.grow()

    @torch.no_grad()
    def record(self) -> None:
        """Record all simulations as one CUDA graph. The network's weights must stay in their places."""
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(2):
                self.grow()
        torch.cuda.current_stream().wait_stream(side)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            self.advice = self.grow()
        self.graph = graph

    def learnt(self) -> tuple[Tensor, Tensor, Tensor]:
        """Return all positions, their mean values, and which of them are of games that go on."""
        count = self.visits.sum(1)
        value = (self.value + self.total.sum(1)) / (1.0 + count)
        return self.state, value, self.used & ~self.over
