"""Teaches the network of the Hex player: games against itself, on one GPU, from nothing.

    python training/hex_network.py --minutes 9 --out hex.pt            # begins
    python training/hex_network.py --minutes 9 --out hex.pt --resume   # goes on
    python training/hex_network.py --export hex.pt crates/core/src/games/hex/data/network.bin

The method is Gumbel AlphaZero (I. Danihelka et al., "Policy improvement by planning with Gumbel", 2022) with as many
simulations as candidates, so that every search is one batch: the candidates of a position are the moves with the
greatest logit + Gumbel noise, each is valued by the network one move on, and the policy learns

    softmax(logit + SCALE * q),      q: the value after the move; where unknown, the mix of those that are known.

Boards are always seen by the player to move, who joins top and bottom: after each move they are transposed and the
colours change places. Hex needs PyTorch here and nowhere else: the player reads the exported file.
"""

from __future__ import annotations

import argparse
import math
import struct
import time
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import Tensor, nn

SCALE = 10.0  # what a difference of 1 in value counts beside logits
CANDIDATES = 16
RESIGN = 0.97  # a player who expects less than minus this may give up
RESULT = 0.75  # the result's share of a value's target; the rest is the search's value
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
HALF = torch.float16 if DEVICE == "cuda" else torch.float32


class HexConv(nn.Conv2d):
    """A 3x3 convolution without the two corners that are no neighbours in Hex."""

    def __init__(self, ins: int, outs: int, padding: int = 1) -> None:
        super().__init__(ins, outs, 3, padding=padding, bias=False)
        mask = torch.ones(3, 3)
        mask[0, 0] = mask[2, 2] = 0.0
        self.register_buffer("mask", mask, persistent=False)
        nn.init.normal_(self.weight, std=math.sqrt(2.0 / (7 * ins)))

    def forward(self, x: Tensor) -> Tensor:
        return F.conv2d(x, self.weight * self.mask, None, padding=self.padding)


class Network(nn.Module):
    """Residual blocks; a head of one logit a cell and a head of one logit for the player to move."""

    def __init__(self, channels: int, blocks: int) -> None:
        super().__init__()
        self.shape = (channels, blocks)
        self.first = HexConv(2, channels, padding=0)
        self.first_norm = nn.BatchNorm2d(channels)
        self.convs = nn.ModuleList(HexConv(channels, channels) for _ in range(2 * blocks))
        self.norms = nn.ModuleList(nn.BatchNorm2d(channels) for _ in range(2 * blocks))
        self.policy = nn.Conv2d(channels, 32, 1)
        self.policy_out = nn.Conv2d(32, 1, 1)
        self.value = nn.Conv2d(channels, 32, 1)
        self.value_hidden = nn.Linear(64, 64)
        self.value_out = nn.Linear(64, 1)
        for norm in list(self.norms)[1::2]:
            nn.init.zeros_(norm.weight)
        for head in (self.policy_out, self.value_out):
            nn.init.zeros_(head.weight)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        x = F.relu(self.first_norm(self.first(x)))
        for i in range(0, len(self.convs), 2):
            y = F.relu(self.norms[i](self.convs[i](x)))
            x = F.relu(x + self.norms[i + 1](self.convs[i + 1](y)))
        return self.heads(x)

    def heads(self, x: Tensor) -> tuple[Tensor, Tensor]:
        policy = self.policy_out(F.relu(self.policy(x))).flatten(1)
        y = F.relu(self.value(x)).flatten(2)
        pooled = torch.cat([y.mean(2), y.amax(2)], 1)
        return policy, self.value_out(F.relu(self.value_hidden(pooled))).squeeze(1)

    @torch.no_grad()
    def folded(self) -> list[tuple[Tensor, Tensor]]:
        """The convolutions with the norms' scales in them: weights and biases."""
        out = []
        convs, norms = [self.first, *self.convs], [self.first_norm, *self.norms]
        for conv, norm in zip(convs, norms, strict=True):
            scale = norm.weight / torch.sqrt(norm.running_var + norm.eps)
            weight = conv.weight * conv.mask * scale[:, None, None, None]
            out.append((weight, norm.bias - norm.running_mean * scale))
        return out


class Player:
    """The network as it is used in games: folded and in half precision."""

    def __init__(self, net: Network) -> None:
        self.convs: list[tuple[Tensor, Tensor]] = []
        self.net = Network(*net.shape).to(DEVICE, HALF).to(memory_format=torch.channels_last)
        self.learn(net)

    @torch.no_grad()
    def learn(self, net: Network) -> None:
        self.net.load_state_dict(net.state_dict())
        fresh = [
            (w.to(HALF).contiguous(memory_format=torch.channels_last), b.to(HALF))
            for w, b in net.folded()
        ]
        for kept, new in zip(self.convs, fresh, strict=False):
            kept[0].copy_(new[0])
            kept[1].copy_(new[1])
        self.convs = self.convs or fresh

    @torch.no_grad()
    def __call__(self, x: Tensor) -> tuple[Tensor, Tensor]:
        x = x.to(HALF, memory_format=torch.channels_last)
        if DEVICE == "cuda":
            one = (1, 1)
            w, b = self.convs[0]
            x = torch.cudnn_convolution_relu(x, w, b, one, (0, 0), one, 1)
            for (w1, b1), (w2, b2) in zip(self.convs[1::2], self.convs[2::2], strict=True):
                y = torch.cudnn_convolution_relu(x, w1, b1, one, one, one, 1)
                x = torch.cudnn_convolution_add_relu(y, w2, x, 1.0, b2, one, one, one, 1)
        else:
            x = F.relu(F.conv2d(x, *self.convs[0]))
            for (w1, b1), (w2, b2) in zip(self.convs[1::2], self.convs[2::2], strict=True):
                y = F.relu(F.conv2d(x, w1, b1, padding=1))
                x = F.relu(F.conv2d(y, w2, b2, padding=1) + x)
        policy, value = self.net.heads(x)
        return policy.float(), value.float()


def planes(own: Tensor, other: Tensor) -> Tensor:
    """The network's input: the two players' stones, with edges as rows of stones around the board."""
    x = torch.stack([own, other], 1)
    x = F.pad(x, (1, 1, 1, 1))
    x[:, 0, 0, :] = x[:, 0, -1, :] = 1
    x[:, 1, 1:-1, 0] = x[:, 1, 1:-1, -1] = 1
    return x


def around(x: Tensor) -> Tensor:
    """The cells of x and their neighbours."""
    n = x.shape[-1]
    p = F.pad(x, (1, 1, 1, 1))
    out = x
    for r, c in ((0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)):
        out = out | p[..., r : r + n, c : c + n]
    return out


def spread(seed: Tensor, stones: Tensor, rounds: int) -> Tensor:
    """The stones that are joined to the seed, as far as so many rounds reach."""
    for _ in range(rounds):
        seed = around(seed) & stones
    return seed


class Arena:
    """Many games at once, and what they taught: a ring of positions, policies and results."""

    def __init__(self, size: int, games: int, window: int) -> None:
        self.size, self.games, self.window = size, games, window
        n = size
        # Own stones, those joined to the top, those joined to the bottom; the same for the other player in this
        # frame transposed (its own "top" is our left).
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
        """New games: one stone at random, sometimes none, sometimes three."""
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
        """The state with the joined stones of player k // 3 brought up to date."""
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
        """The empty cells that join top and bottom at once."""
        s = self.state
        ends = around(s[:, 1:3])
        ends[:, 0, 0] = 1
        ends[:, 1, -1] = 1
        return (ends[:, 0] & ends[:, 1] & ~(s[:, 0] | s[:, 3]) & 1).flatten(1).bool()

    @torch.no_grad()
    def play(self, player: Player, resign: bool) -> None:
        """One move in every game."""
        games, n, s = self.games, self.size, self.state
        own, other = s[:, 0], s[:, 3]
        logits, value = player(planes(own, other))
        legal = (own | other).flatten(1) == 0
        logits = torch.log_softmax(torch.where(legal, logits, -1e9), 1)
        wins = self.wins()

        gumbel = -torch.log(-torch.log(torch.rand_like(logits).clamp_(1e-9, 1 - 1e-7)))
        noisy = logits + gumbel + 100.0 * wins
        m = min(CANDIDATES, n * n)
        cells = noisy.topk(m, dim=1).indices
        on = torch.zeros(games, m, n * n, dtype=torch.uint8, device=DEVICE)
        on.scatter_(2, cells[:, :, None], 1)
        on = on.view(games * m, n, n)
        after = own.repeat_interleave(m, 0) | on
        reply = other.repeat_interleave(m, 0)
        _, child = player(planes(reply.transpose(1, 2), after.transpose(1, 2)))
        q = -torch.tanh(child.view(games, m) / 2)
        q = torch.where(wins.gather(1, cells), 1.0, q)
        usable = legal.gather(1, cells)

        prior = torch.where(usable, logits.gather(1, cells).exp(), 0.0)
        weighed = (prior * q).sum(1) / prior.sum(1).clamp_min(1e-9)
        mixed = (torch.tanh(value / 2) + m * weighed) / (1 + m)
        complete = mixed[:, None].expand(games, n * n).scatter(1, cells, q)
        improved = torch.softmax(torch.where(legal, logits + SCALE * complete, -1e9), 1)
        search = (improved * complete).sum(1)

        late = (self.step - self.begun)[:, None] > 12
        noise = torch.where(late, 0.25, 1.0) * gumbel.gather(1, cells)
        score = noise + logits.gather(1, cells) + SCALE * q + 100.0 * wins.gather(1, cells)
        score = torch.where(usable, score, -1e9)
        pick = cells.gather(1, score.argmax(1, keepdim=True))

        row = self.step % self.window
        self.stones[row, :, 0], self.stones[row, :, 1] = own, other
        self.policy[row] = improved.half()
        self.search[row] = search
        self.result[row] = 0

        won = wins.gather(1, pick).squeeze(1)
        best = torch.where(usable, q, -1.0).amax(1)
        gave_up = ~won & ~self.stubborn & (best < -RESIGN) if resign else torch.zeros_like(won)
        moved = s.clone()
        moved[:, 0] = own.reshape(games, n * n).scatter(1, pick, 1).view(games, n, n)
        moved = self.joined(moved, 0, 6)
        # What late news of a joined group would have shown at a full board: ended without a result.
        full = legal.sum(1) <= 1
        over = won | gave_up | full
        sign = torch.where(won, 1, torch.where(gave_up, -1, 0)).to(torch.int8)
        self.settle(over, sign)
        self.state = torch.cat([moved[:, 3:], moved[:, :3]], 1).transpose(2, 3).contiguous()
        self.step += 1
        self.deal(over)

    def settle(self, over: Tensor, sign: Tensor) -> None:
        """Writes the results of games that end with this move into the ring."""
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
        """Positions of the ring, half of them turned round; those of games that go on have no result."""
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


def learn(net: Network, arena: Arena, optimizer: torch.optim.Optimizer, count: int) -> Tensor:
    """One step down the gradient; the losses of policy and value, and how often the value's sign is right."""
    x, policy, result, search = arena.sample(count)
    known = (result != 0).float()
    weight = known / known.sum().clamp_min(1.0)
    target = (1 + RESULT * result.float() + (1 - RESULT) * search) / 2
    net.train()
    with torch.autocast(DEVICE, torch.bfloat16, enabled=DEVICE == "cuda"):
        logits, value = net(x)
    logits, value = logits.float(), value.float()
    taken = (x[:, :, 1:-1, 1:-1].sum(1) > 0).flatten(1)
    logs = torch.log_softmax(logits.masked_fill(taken, -1e9), 1)
    entropy = -(policy * policy.clamp_min(1e-9).log()).sum(1)
    loss_policy = ((-(policy * logs.clamp_min(-50.0)).sum(1) - entropy) * weight).sum()
    loss_value = (F.binary_cross_entropy_with_logits(value, target, reduction="none") * weight).sum()
    optimizer.zero_grad(set_to_none=True)
    (loss_policy + loss_value).backward()
    nn.utils.clip_grad_norm_(net.parameters(), 2.0)
    optimizer.step()
    right = ((value > 0) == (result > 0)).float()
    return torch.stack([loss_policy.detach(), loss_value.detach(), (right * weight).sum()])


@torch.no_grad()
def average(mean: Network, net: Network, decay: float) -> None:
    """The running mean of the network's weights, which is what is exported."""
    pairs = zip(mean.state_dict().values(), net.state_dict().values(), strict=True)
    for kept, new in pairs:
        if kept.is_floating_point():
            kept.lerp_(new, 1 - decay)
        else:
            kept.copy_(new)


@torch.no_grad()
def duel(a: Player, b: Player, size: int, games: int) -> float:
    """How often a's network beats b's without any search, by the policies' noisy favourites, both colours."""
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


def schedule(spent: float, sizes: list[int]) -> list[int]:
    """The boards of this moment, `spent` being the share of the time gone: small ones first, the largest at the end."""
    for size, until in zip(sizes, (0.03, 0.10, 0.80), strict=False):
        if spent < until:
            return [size]
    return sizes[2:3] * 3 + sizes[3:4] if len(sizes) > 3 else sizes[-1:]


def train(args: argparse.Namespace) -> None:
    torch.backends.cudnn.benchmark = True
    torch.backends.cuda.matmul.allow_tf32 = True
    torch.manual_seed(args.seed)
    net = Network(args.channels, args.blocks).to(DEVICE).to(memory_format=torch.channels_last)
    mean = Network(args.channels, args.blocks).to(DEVICE)
    optimizer = torch.optim.AdamW(net.parameters(), lr=args.rate, weight_decay=1e-4, fused=DEVICE == "cuda")
    before, step = 0.0, 0
    if args.resume:
        saved = torch.load(args.out, map_location=DEVICE)
        net.load_state_dict(saved["net"])
        mean.load_state_dict(saved["mean"])
        optimizer.load_state_dict(saved["optimizer"])
        before, step = saved["seconds"], saved["step"]
    else:
        mean.load_state_dict(net.state_dict())
    player, old = Player(net), Player(mean)
    arenas: dict[int, Arena] = {}
    start = told = time.time()
    sums, count = torch.zeros(3, device=DEVICE), 0
    total = args.total * 60.0
    while time.time() - start < args.minutes * 60.0:
        seconds = before + time.time() - start
        spent = seconds / total
        sizes = schedule(spent, args.sizes)
        size = sizes[step % len(sizes)]
        if size not in arenas:
            for small in [s for s in arenas if s < size and s not in sizes]:
                del arenas[small]
            arenas[size] = Arena(size, args.games, args.window)
        arena = arenas[size]
        arena.play(player, resign=spent > 0.12)
        step += 1
        if arena.step < 1.2 * size * size:
            continue
        fade = 1.0 if spent < 0.4 else 0.5 * (1 + math.cos(math.pi * min(1.0, (spent - 0.4) / 0.6)))
        for group in optimizer.param_groups:
            group["lr"] = args.rate * max(fade, 0.01) * min(1.0, step / 500)
        for _ in range(args.learn):
            sums += learn(net, arena, optimizer, args.batch)
            average(mean, net, 0.999)
            count += 1
        if step % 4 == 0:
            player.learn(net)
        if time.time() - told > args.tell:
            told = time.time()
            policy, value, right = (sums / count).tolist()
            ended = max(1.0, arena.ended.item())
            print(
                f"{seconds:6.0f} s  step {step:6d}  size {size:2d}  policy {policy:.3f}  value {value:.3f} "
                f"right {right:.3f}  games {ended:8.0f} of {arena.moves.item() / ended:5.1f} moves, "
                f"first player won {arena.first.item() / ended:.3f}",
                flush=True,
            )
            for tally in (arena.ended, arena.moves, arena.first):
                tally.zero_()
            sums.zero_()
            count = 0
    state = {
        "net": net.state_dict(),
        "mean": mean.state_dict(),
        "optimizer": optimizer.state_dict(),
        "seconds": before + time.time() - start,
        "step": step,
        "shape": net.shape,
    }
    torch.save(state, args.out)
    new = Player(mean)
    size = sizes[0]
    print(f"mean against the mean at the start, {size}x{size}: {duel(new, old, size, 1024):.3f}")
    print(f"mean against the last net, {size}x{size}: {duel(new, Player(net), size, 1024):.3f}", flush=True)


def export(source: Path, target: Path) -> None:
    """Writes the mean network as the player reads it: a header, then half floats.

    Each convolution as [tap][input][output] with its seven taps row by row, then its biases; then the heads.
    """
    saved = torch.load(source, map_location="cpu")
    net = Network(*saved["shape"])
    net.load_state_dict(saved["mean"])
    taps = [(0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (2, 0), (2, 1)]
    parts: list[Tensor] = []
    for weight, bias in net.folded():
        parts += [torch.stack([weight[:, :, r, c].T for r, c in taps]), bias]
    for head in (net.policy, net.policy_out, net.value, net.value_hidden, net.value_out):
        parts += [head.weight.flatten(1).T, head.bias]
    numbers = torch.cat([part.detach().flatten() for part in parts]).half().numpy()
    target.write_bytes(b"hexnet01" + struct.pack("<II", *saved["shape"]) + numbers.astype("<f2").tobytes())
    print(f"{target}: {len(numbers)} numbers")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=9.0, help="how long this run lasts")
    parser.add_argument("--total", type=float, default=24.0, help="how long all runs will last: sizes and rates follow it")
    parser.add_argument("--out", type=Path, default=Path("hex.pt"))
    parser.add_argument("--resume", action="store_true", help="go on from --out")
    parser.add_argument("--channels", type=int, default=64)
    parser.add_argument("--blocks", type=int, default=5)
    parser.add_argument("--sizes", type=int, nargs="+", default=[7, 9, 11, 13])
    parser.add_argument("--games", type=int, default=4096)
    parser.add_argument("--window", type=int, default=400, help="moves of all games that are remembered")
    parser.add_argument("--batch", type=int, default=4096)
    parser.add_argument("--learn", type=int, default=2, help="steps of learning after each move")
    parser.add_argument("--rate", type=float, default=1.5e-3)
    parser.add_argument("--tell", type=float, default=15.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--export", type=Path, nargs=2, metavar=("PT", "BIN"))
    args = parser.parse_args()
    if args.export:
        export(*args.export)
    else:
        train(args)


if __name__ == "__main__":
    main()
