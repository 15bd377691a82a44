"""Games of Hex against oneself, thousands at once, and what they teach.

Boards are always seen by the player to move, who joins top and bottom: after each move they are transposed
and the colours change places.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from hex_network import DEVICE, Player, planes
from torch import Tensor

SCALE = 10.0
"""What a difference of 1 in value counts beside logits."""
CANDIDATES = 16
"""How many moves of a position are tried."""
DEEPER = 4
"""How many of them are looked at a move further, and how many replies of each."""
RESIGN = 0.97
"""A player who expects less than minus this may give up; in a quarter of the games nobody does."""


def around(x: Tensor) -> Tensor:
    """Return the cells of x and their neighbours."""
    n = x.shape[-1]
    p = F.pad(x, (1, 1, 1, 1))
    out = x
    for r, c in ((0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)):
        out = out | p[..., r : r + n, c : c + n]
    return out


def spread(seed: Tensor, stones: Tensor, rounds: int) -> Tensor:
    """Return the stones that are joined to the seed, as far as so many rounds reach."""
    for _ in range(rounds):
        seed = around(seed) & stones
    return seed


class Arena:
    """Many games at once, and what they taught: a ring of positions, policies and results."""

    def __init__(self, size: int, games: int, window: int) -> None:
        self.size, self.games, self.window = size, games, window
        n = size
        # own stones, those of them joined to the top, and to the bottom; the other player's, joined to the
        # left and to the right
        self.state = torch.zeros(games, 6, n, n, dtype=torch.uint8, device=DEVICE)
        self.begun = torch.zeros(games, dtype=torch.long, device=DEVICE)
        self.stubborn = torch.rand(games, device=DEVICE) < 0.25
        self.step = 0
        self.stones = torch.zeros(window, games, 2, n, n, dtype=torch.uint8, device=DEVICE)
        self.policy = torch.zeros(window, games, n * n, dtype=torch.float16, device=DEVICE)
        self.search = torch.zeros(window, games, device=DEVICE)
        self.result = torch.zeros(window, games, dtype=torch.int8, device=DEVICE)
        self.ended = torch.zeros((), device=DEVICE)
        self.moves = torch.zeros((), device=DEVICE)
        self.first = torch.zeros((), device=DEVICE)
        self.deal(torch.ones(games, dtype=torch.bool, device=DEVICE))

    def deal(self, which: Tensor) -> None:
        """Begin new games: with one stone at random, sometimes none, sometimes three."""
        games, n = self.games, self.size
        noise = torch.rand(games, n * n, device=DEVICE)
        cells = noise.topk(3, dim=1).indices
        count = torch.rand(games, device=DEVICE)
        one = F.one_hot(cells, n * n).to(torch.uint8).view(games, 3, n, n)
        fresh = torch.zeros_like(self.state)
        fresh[:, 3] = one[:, 0] * (count < 0.9)[:, None, None]
        few = (count < 0.1)[:, None, None]
        fresh[:, 0], fresh[:, 3] = one[:, 1] * few, fresh[:, 3] | one[:, 2] * few
        fresh = self.joined(fresh, 0, 4)
        fresh = self.joined(fresh, 3, 4)
        self.state = torch.where(which[:, None, None, None], fresh, self.state)
        self.begun = torch.where(which, self.step, self.begun)
        fresh_stubborn = torch.rand(games, device=DEVICE) < 0.25
        self.stubborn = torch.where(which, fresh_stubborn, self.stubborn)

    @staticmethod
    def joined(state: Tensor, k: int, rounds: int) -> Tensor:
        """Bring the joined stones of player k // 3 up to date."""
        own = state[:, k]
        ends = state[:, k + 1 : k + 3].clone()
        if k == 0:
            ends[:, 0, 0] |= own[:, 0]
            ends[:, 1, -1] |= own[:, -1]
        else:
            ends[:, 0, :, 0] |= own[:, :, 0]
            ends[:, 1, :, -1] |= own[:, :, -1]
        state[:, k + 1 : k + 3] = spread(ends, own[:, None], rounds)
        return state

    def wins(self) -> Tensor:
        """Return the empty cells that join top and bottom at once."""
        s = self.state
        ends = around(s[:, 1:3])
        ends[:, 0, 0] = 1
        ends[:, 1, -1] = 1
        return (ends[:, 0] & ends[:, 1] & ~(s[:, 0] | s[:, 3]) & 1).flatten(1).bool()

    @torch.no_grad()
    def play(self, player: Player, resign: bool) -> None:
        """Make one move in every game."""
        games, n, s = self.games, self.size, self.state
        own, other = s[:, 0], s[:, 3]
        logits, value = player(planes(own, other))
        legal = (own | other).flatten(1) == 0
        logits = torch.log_softmax(torch.where(legal, logits, -1e9), 1)
        wins = self.wins()

        gumbel = -torch.log(-torch.log(torch.rand_like(logits).clamp_(1e-9, 1 - 1e-7)))
        noisy = logits + gumbel + 100.0 * wins
        cells = noisy.topk(min(CANDIDATES, n * n), dim=1).indices
        usable, won_by = legal.gather(1, cells), wins.gather(1, cells)
        replies, child = tried(player, own, other, cells)
        q = torch.where(won_by, 1.0, -torch.tanh(child / 2))

        # the best ones a move further; the others get what these gained or lost on average
        score = torch.where(usable, noisy.gather(1, cells) + SCALE * q, -1e9)
        few = min(DEEPER, score.shape[1])
        best = score.topk(few, dim=1).indices
        deeper = self.answered(player, own, other, cells.gather(1, best), replies, child, best)
        deeper = torch.where(won_by.gather(1, best), 1.0, deeper)
        change = (deeper - q.gather(1, best)).mean(1, keepdim=True)
        q = torch.where(won_by, 1.0, (q + change).clamp(-1, 1)).scatter(1, best, deeper)
        improved, search = improve(logits, torch.tanh(value / 2), legal, cells, q)

        late = (self.step - self.begun)[:, None] > 12
        chosen = cells.gather(1, best)
        noise = torch.where(late, 0.25, 1.0) * gumbel.gather(1, chosen)
        score = noise + logits.gather(1, chosen) + SCALE * deeper + 100.0 * wins.gather(1, chosen)
        score = torch.where(usable.gather(1, best), score, -1e9)
        pick = chosen.gather(1, score.argmax(1, keepdim=True))

        row = self.step % self.window
        self.stones[row, :, 0], self.stones[row, :, 1] = own, other
        self.policy[row] = improved.half()
        self.search[row] = search
        self.result[row] = 0

        won = wins.gather(1, pick).squeeze(1)
        hope = torch.where(usable, q, -1.0).amax(1)
        gave_up = ~won & ~self.stubborn & (hope < -RESIGN) if resign else torch.zeros_like(won)
        moved = s.clone()
        moved[:, 0] = own.reshape(games, n * n).scatter(1, pick, 1).view(games, n, n)
        moved = self.joined(moved, 0, 6)
        # groups may be known as joined some moves late: a full board without a winner ends without a result
        full = legal.sum(1) <= 1
        over = won | gave_up | full
        sign = torch.where(won, 1, torch.where(gave_up, -1, 0)).to(torch.int8)
        self.settle(over, sign)
        self.state = torch.cat([moved[:, 3:], moved[:, :3]], 1).transpose(2, 3).contiguous()
        self.step += 1
        self.deal(over)

    def answered(
        self,
        player: Player,
        own: Tensor,
        other: Tensor,
        cells: Tensor,
        replies: Tensor,
        child: Tensor,
        best: Tensor,
    ) -> Tensor:
        """Return what some of the tried moves are worth after the likeliest replies to them."""
        games, few, n = *best.shape, self.size
        after = with_stones(own, cells).transpose(1, 2)
        before = other.repeat_interleave(few, 0).transpose(1, 2)
        logits = (
            replies.view(games, -1, n * n).gather(1, best[:, :, None].expand(-1, -1, n * n)).flatten(0, 1)
        )
        legal = (after | before).flatten(1) == 0
        logits = torch.log_softmax(torch.where(legal, logits, -1e9), 1)
        answers = logits.topk(min(DEEPER, n * n), dim=1).indices
        _, value = tried(player, before, after, answers)
        q = torch.where(legal.gather(1, answers), -torch.tanh(value / 2), -1.0)
        _, search = improve(logits, torch.tanh(child.gather(1, best) / 2).flatten(), legal, answers, q)
        return -search.view(games, few)

    def settle(self, over: Tensor, sign: Tensor) -> None:
        """Write the results of games that end with this move into the ring."""
        depth = min(self.step + 1, self.window, 2 * self.size * self.size)
        steps = torch.arange(self.step - depth + 1, self.step + 1, device=DEVICE)
        rows = steps % self.window
        same = ((self.step - steps) % 2 == 0)[:, None]
        signs = torch.where(same, sign, -sign)
        mine = over & (steps[:, None] >= self.begun)
        self.result[rows] = torch.where(mine, signs, self.result[rows])
        self.ended += over.sum()
        self.moves += torch.where(over, self.step + 1 - self.begun, 0).sum()
        mover_first = (self.step - self.begun) % 2 == 0
        self.first += torch.where(over, mover_first == (sign > 0), False).sum()

    def sample(self, count: int) -> tuple[Tensor, ...]:
        """Return positions of the ring, half of them turned round; games that go on have no result."""
        n = self.size
        rows = torch.randint(0, min(self.step, self.window), (count,), device=DEVICE)
        game = torch.randint(0, self.games, (count,), device=DEVICE)
        stones, policy = self.stones[rows, game], self.policy[rows, game].float().view(-1, n, n)
        half = count // 2
        stones[:half] = stones[:half].flip(2, 3)
        policy[:half] = policy[:half].flip(1, 2)
        x = planes(stones[:, 0], stones[:, 1]).to(torch.float32)
        x = x.contiguous(memory_format=torch.channels_last)
        return x, policy.flatten(1), self.result[rows, game], self.search[rows, game]


def with_stones(stones: Tensor, cells: Tensor) -> Tensor:
    """Return for every board as many boards as it has cells named, each with one stone more."""
    boards, n = stones.shape[0], stones.shape[-1]
    on = torch.zeros(boards, cells.shape[1], n * n, dtype=torch.uint8, device=stones.device)
    on.scatter_(2, cells[:, :, None], 1)
    return stones.repeat_interleave(cells.shape[1], 0) | on.view(-1, n, n)


def tried(player: Player, own: Tensor, other: Tensor, cells: Tensor) -> tuple[Tensor, Tensor]:
    """Return the network's policy and log odds after each of these moves, as the other player sees them."""
    after = with_stones(own, cells)
    reply = other.repeat_interleave(cells.shape[1], 0)
    policy, value = player(planes(reply.transpose(1, 2), after.transpose(1, 2)))
    return policy, value.view(cells.shape)


def improve(logits: Tensor, value: Tensor, legal: Tensor, cells: Tensor, q: Tensor) -> tuple[Tensor, Tensor]:
    """Return the improved policy, softmax(logit + SCALE * q), and what it is worth.

    Moves that were not tried get the mean of those that were, by their probabilities, and of the
    position's own value.
    """
    prior = torch.where(legal.gather(1, cells), logits.gather(1, cells).exp(), 0.0)
    weighed = (prior * q).sum(1) / prior.sum(1).clamp_min(1e-9)
    count = cells.shape[1]
    mixed = (value + count * weighed) / (1 + count)
    complete = mixed[:, None].expand(logits.shape).scatter(1, cells, q)
    improved = torch.softmax(torch.where(legal, logits + SCALE * complete, -1e9), 1)
    return improved, (improved * complete).sum(1)


@torch.no_grad()
def positions(player: Player, size: int, games: int) -> Tensor:
    """Return positions of games that a policy plays against itself with some noise: one of each."""
    arena = Arena(size, games, 2)
    end = torch.randint(0, size * size // 2, (games,), device=DEVICE)
    for ply in range(size * size // 2):
        s = arena.state
        logits, _ = player(planes(s[:, 0], s[:, 3]))
        legal = (s[:, 0] | s[:, 3]).flatten(1) == 0
        noise = -torch.log(-torch.log(torch.rand_like(logits).clamp_(1e-9, 1 - 1e-7)))
        pick = torch.where(legal, logits + noise, -1e9).argmax(1, keepdim=True)
        own = s[:, 0].reshape(games, -1).scatter(1, pick, 1).view(games, size, size)
        moved = torch.cat([s[:, 3:], own[:, None], s[:, 1:3]], 1).transpose(2, 3)
        arena.state = torch.where((end > ply)[:, None, None, None], moved, s).contiguous()
    return planes(arena.state[:, 0], arena.state[:, 3]).float()


@torch.no_grad()
def duel(a: Player, b: Player, size: int, games: int) -> float:
    """Return how often one policy beats another without a search, with a little noise, in both colours."""
    arena = Arena(size, games, 2)
    arena.state.zero_()
    cells = torch.randint(0, size * size, (games // 2,), device=DEVICE).repeat(2)
    arena.state[:, 3].view(games, -1).scatter_(1, cells[:, None], 1)
    arena.joined(arena.state, 3, 2)
    a_moves = torch.arange(games, device=DEVICE) < games // 2
    result = torch.zeros(games, device=DEVICE)
    for ply in range(size * size):
        s = arena.state
        x = planes(s[:, 0], s[:, 3])
        logits = torch.where(a_moves[:, None], a(x)[0], b(x)[0])
        legal = (s[:, 0] | s[:, 3]).flatten(1) == 0
        wins = arena.wins()
        noise = -torch.log(-torch.log(torch.rand_like(logits).clamp_(1e-9, 1 - 1e-7)))
        noise = noise * (0.5 if ply < 10 else 0.1)
        pick = torch.where(legal, logits + noise + 100.0 * wins, -1e9).argmax(1, keepdim=True)
        won = wins.gather(1, pick).squeeze(1) & (result == 0)
        result = torch.where(won, torch.where(a_moves, 1.0, -1.0), result)
        own = s[:, 0].reshape(games, -1).scatter(1, pick, 1).view(games, size, size)
        s[:, 0] = own
        s = arena.joined(s, 0, 8)
        arena.state = torch.cat([s[:, 3:], s[:, :3]], 1).transpose(2, 3).contiguous()
        a_moves = ~a_moves
    return float(((result > 0).float().sum() / (result != 0).float().sum().clamp_min(1)).item())
