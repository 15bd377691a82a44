"""Thousands of games against oneself at once, and what they teach."""

from __future__ import annotations

from typing import NamedTuple

import torch
from boards import Rules
from gumbel import NEVER, Trees, gumbel_noise
from torch import Tensor

RESIGN = 0.97
"""A player who expects less than minus this may give up; in a quarter of the games nobody does."""
UNKNOWN = 2.0
"""The result of a game that goes on."""
CALM = 0.25
"""The part of the noise in the choice of later moves."""


class Lessons(NamedTuple):
    """Positions and what is to be learnt of them."""

    state: Tensor
    planes: Tensor
    """What a network sees of the positions, turned; policy and legal moves are turned in the same way."""
    policy: Tensor
    legal: Tensor
    result: Tensor
    """For the player to move, or `UNKNOWN`: nothing can be learnt of such a position yet."""
    value: Tensor
    """What the search said."""


class Arena:
    """Games of which each makes one move at a time; a new one begins where one has ended.

    What they teach is kept in a ring: the positions, policies, values and results of the last moves.
    """

    def __init__(self, rules: Rules, trees: Trees, window: int) -> None:
        self.rules, self.trees, self.window, self.games = rules, trees, window, trees.count
        games, device = self.games, rules.device
        self.openings = torch.tensor(rules.openings, device=device)
        self.fresh = rules.start(games)
        self.state = self.fresh.clone()
        self.step = 0
        self.begun = self.dealt()
        self.stubborn = self.dice() < 0.25
        self.positions = self.fresh.new_zeros(window, *self.fresh.shape)
        self.policy = torch.zeros(window, games, rules.moves, dtype=torch.float16, device=device)
        self.value = torch.zeros(window, games, device=device)
        self.result = torch.full((window, games), UNKNOWN, dtype=torch.float16, device=device)
        self.ended = torch.zeros((), device=device)
        self.moves = torch.zeros((), device=device)
        self.symmetries = rules.symmetries()

    def dice(self) -> Tensor:
        """Return a random number for each game."""
        return torch.rand(self.games, device=self.rules.device)

    def dealt(self) -> Tensor:
        """Return at which step games that begin now have made their random moves."""
        return self.step + torch.multinomial(self.openings, self.games, replacement=True)

    @torch.no_grad()
    def play(self, resign: bool) -> None:
        """Make one move in every game."""
        noise = gumbel_noise((self.games, self.rules.moves), self.rules.device)
        late = self.step - self.begun > self.rules.calm
        advice = self.trees.search(self.state, noise, torch.where(late, CALM, 1.0))
        allowed = self.trees.logits[self.trees.roots] > NEVER / 2
        random = torch.where(allowed, noise, NEVER).argmax(1)
        move = torch.where(self.step < self.begun, random, advice.move)
        row = self.step % self.window
        self.positions[row] = self.state
        self.policy[row] = advice.policy.half()
        self.value[row] = advice.value
        self.result[row] = UNKNOWN
        state = self.rules.play(self.state, move)
        sight = self.rules.look(state)
        result = -sight.result
        over = sight.over
        if resign and self.rules.resigns:
            gave_up = ~over & ~self.stubborn & (advice.value < -RESIGN) & (self.step >= self.begun)
            over, result = over | gave_up, torch.where(gave_up, -1.0, result)
        self.settle(over, result)
        self.step += 1
        self.state = torch.where(over.view(-1, *[1] * (state.dim() - 1)), self.fresh, state)
        self.begun = torch.where(over, self.dealt(), self.begun)
        self.stubborn = torch.where(over, self.dice() < 0.25, self.stubborn)

    def settle(self, over: Tensor, result: Tensor) -> None:
        """Write the results of games that end with this move into the ring; they are for its player."""
        depth = min(self.step + 1, self.window, self.rules.plies)
        steps = torch.arange(self.step - depth + 1, self.step + 1, device=self.rules.device)
        rows = steps % self.window
        same = ((self.step - steps) % 2 == 0)[:, None]
        mine = over & (steps[:, None] >= self.begun)
        signed = torch.where(same, result, -result).half()
        self.result[rows] = torch.where(mine, signed, self.result[rows])
        self.ended += over.sum()
        self.moves += torch.where(over, self.step + 1 - self.begun, 0).sum()

    def sample(self, count: int) -> Lessons:
        """Return random positions of the ring, turned in the ways in which the board can be turned."""
        device = self.rules.device
        rows = torch.randint(0, min(self.step, self.window), (count,), device=device)
        game = torch.randint(0, self.games, (count,), device=device)
        state, policy = self.positions[rows, game], self.policy[rows, game].float()
        legal = self.rules.look(state).legal
        planes = self.rules.planes(state).float().flatten(2)
        ways = self.symmetries
        parts = []
        for way, part in enumerate(torch.arange(count, device=device).chunk(len(ways))):
            cells, moves = ways[way]
            parts.append((planes[part][:, :, cells], policy[part][:, moves], legal[part][:, moves]))
        turned, policy, legal = (torch.cat(column) for column in zip(*parts, strict=True))
        turned = turned.view(-1, *self.rules.board).contiguous(memory_format=torch.channels_last)
        result, value = self.result[rows, game].float(), self.value[rows, game]
        return Lessons(state, turned, policy, legal, result, value)


def random_positions(rules: Rules, count: int, plies: int) -> Tensor:
    """Return positions after so many random moves; those that are over are at the start again."""
    state = fresh = rules.start(count)
    for _ in range(plies):
        legal = rules.look(state).legal
        noise = gumbel_noise(tuple(legal.shape), rules.device)
        state = rules.play(state, torch.where(legal, noise, NEVER).argmax(1))
        over = rules.look(state).over.view(-1, *[1] * (state.dim() - 1))
        state = torch.where(over, fresh, state)
    return state
