"""How good a network is: duels without a search, and Connect-Four's exact results."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import torch
from boards import ConnectFour, Rules
from gumbel import NEVER, Player, gumbel_noise
from self_play import random_positions
from torch import Tensor

TRUTH = Path(__file__).parents[1] / "evidence/training/connect-four-truth.txt"
OPENING = {"connect-four": 4, "othello": 8, "hex": 1}
"""Random moves at the beginning of a duel."""


@torch.no_grad()
def choose(rules: Rules, state: Tensor, player: Player, noise: float) -> Tensor:
    """Return the moves that a policy likes best, with some noise; or those that win at once."""
    legal, wins, *_ = rules.look(state)
    logits = player(state)[0]
    logits = logits + noise * gumbel_noise(tuple(logits.shape), rules.device) + 1000.0 * wins
    return torch.where(legal, logits, NEVER).argmax(1)


@torch.no_grad()
def usual_positions(rules: Rules, player: Player, count: int) -> Tensor:
    """Return positions of games that a policy plays against itself with noise, one of each."""
    state = random_positions(rules, count, OPENING[rules.name])
    end = torch.randint(0, rules.plies // 2, (count, *[1] * (state.dim() - 1)), device=rules.device)
    for ply in range(rules.plies // 2):
        after = rules.play(state, choose(rules, state, player, 1.0))
        goes_on = (end > ply) & ~rules.look(after).over.view(end.shape)
        state = torch.where(goes_on, after, state)
    return state


@torch.no_grad()
def duel(rules: Rules, a: Player, b: Player, games: int = 2048, noise: float = 0.2) -> float:
    """Return the points of a policy against another one, without a search, both colours for each opening."""
    half = random_positions(rules, games // 2, OPENING[rules.name])
    state = torch.cat([half, half])
    a_moves = torch.arange(games, device=rules.device) < games // 2
    points = torch.full((games,), -1.0, device=rules.device)
    for _ in range(rules.plies):
        ours, theirs = (choose(rules, state, player, noise) for player in (a, b))
        state = rules.play(state, torch.where(a_moves, ours, theirs))
        a_moves = ~a_moves
        sight = rules.look(state)
        for_a = torch.where(a_moves, sight.result, -sight.result)
        points = torch.where(sight.over & (points < 0), (1 + torch.sign(for_a)) / 2, points)
        if (points >= 0).all():
            break
        over = sight.over.view(-1, *[1] * (state.dim() - 1))
        state = torch.where(over, rules.start(games), state)
    return float(points[points >= 0].mean())


class Truth:
    """Connect-Four positions with the result of each move, found by a solver.

    A line of the file: the moves so far, then for each column -1, 0 or 1 for the player to move, or `.` if
    it is full. No position has a move that wins at once.
    """

    def __init__(self, rules: ConnectFour, source: Path = TRUTH) -> None:
        lines = [line.split() for line in source.read_text().splitlines() if not line.startswith("#")]
        states, results = [], []
        for moves, *found in lines:
            state = rules.start(1)
            for move in moves:
                state = rules.play(state, torch.tensor([int(move) - 1], device=rules.device))
            states.append(state)
            results.append([-2.0 if result == "." else float(result) for result in found])
        self.rules, self.state = rules, torch.cat(states)
        self.moves = torch.tensor(results, device=rules.device)
        self.best = self.moves.amax(1)
        worst = torch.where(self.moves < -1.5, 2.0, self.moves).amin(1)
        self.matters = worst < self.best

    @torch.no_grad()
    def policy(self, player: Player) -> float:
        """Return how often the likeliest move keeps the result, where a choice matters."""
        move = choose(self.rules, self.state, player, 0.0)
        kept = self.moves.gather(1, move[:, None]).squeeze(1) == self.best
        return float(kept[self.matters].float().mean())

    @torch.no_grad()
    def value(self, values: Callable[[Tensor], Tensor]) -> tuple[float, float]:
        """Return the mean square error of values, and how often they tell wins from losses."""
        said = values(self.state)
        decided = self.best != 0
        right = (said > 0) == (self.best > 0)
        return float(((said - self.best) ** 2).mean()), float(right[decided].float().mean())
