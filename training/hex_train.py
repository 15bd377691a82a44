"""Teaches the network of the Hex player: games against itself, on one GPU, from nothing. It needs PyTorch.

    python training/hex_train.py --minutes 9 --out hex.pt             # begins
    python training/hex_train.py --minutes 9 --out hex.pt --resume    # goes on
    python training/hex_train.py --export hex.pt neural.bin           # what the package reads
    python training/hex_train.py --begin neural.bin --out more.pt     # goes on from what the package reads,
                                                                      # with --blocks as a deeper network

The method is Gumbel AlphaZero (I. Danihelka et al., "Policy improvement by planning with Gumbel", 2022) in
two batches: the candidates of a position are the moves with the greatest logit + Gumbel noise, each is valued
by the network one move on, the best of them once more after the likeliest replies, and the policy learns

    softmax(logit + SCALE * q)

where q is the value after the move; for moves that were not tried, the mean of those that were. The value
learns the results, mixed with what the search said. Small boards come first.
"""

from __future__ import annotations

import argparse
import math
import time
from pathlib import Path

import torch
import torch.nn.functional as F
from hex_arena import Arena, duel, positions
from hex_network import DEVICE, Network, Player, deepened, export, imported, measure_norms
from torch import Tensor, nn

RESULT = 0.5
"""The result's share of a value's target; the rest is what the search said."""


def learn(net: Network, arena: Arena, optimizer: torch.optim.Optimizer, count: int) -> Tensor:
    """Go one step down the gradient; return both losses and how often the value's sign is right."""
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
    """Bring the running mean of the weights up to date: it is what is exported."""
    pairs = zip(mean.state_dict().values(), net.state_dict().values(), strict=True)
    for kept, new in pairs:
        if kept.is_floating_point():
            kept.lerp_(new, 1 - decay)
        else:
            kept.copy_(new)


def schedule(spent: float, sizes: list[int]) -> list[int]:
    """Return the boards to play on when this share of the time is spent: small ones first."""
    for size, until in zip(sizes, (0.03, 0.10, 0.55), strict=False):
        if spent < until:
            return [size]
    return sizes[2:3] * 2 + sizes[3:4] if len(sizes) > 3 else sizes[-1:]


def train(args: argparse.Namespace) -> None:
    """Play and learn for so many minutes, and save what is learnt."""
    torch.backends.cudnn.benchmark = True
    torch.backends.cuda.matmul.allow_tf32 = True
    torch.manual_seed(args.seed)
    net = (
        Network(args.channels, args.blocks)
        if args.begin is None
        else deepened(imported(args.begin), args.blocks)
    )
    net = net.to(DEVICE).to(memory_format=torch.channels_last)
    mean = Network(*net.shape).to(DEVICE)
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
    start = told = saved_at = time.time()
    sums, count = torch.zeros(3, device=DEVICE), 0
    total = args.total * 60.0
    measured = False

    def save(seconds: float) -> None:
        state = {"net": net.state_dict(), "mean": mean.state_dict(), "optimizer": optimizer.state_dict()}
        partial = args.out.with_suffix(".partial")
        torch.save(state | {"seconds": seconds, "step": step, "shape": net.shape}, partial)
        partial.replace(args.out)

    while time.time() - start < args.minutes * 60.0:
        seconds = before + time.time() - start
        spent = args.skip + (1 - args.skip) * seconds / total
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
        if args.begin is not None and not measured and not args.resume:
            measure_norms(net, arena.sample(args.batch)[0])
            mean.load_state_dict(net.state_dict())
            measured = True
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
        if time.time() - saved_at > args.save:
            saved_at = time.time()
            save(before + time.time() - start)
    save(before + time.time() - start)
    new = Player(mean)
    for size in sorted({*sizes, *args.sizes[-2:]}):
        score = duel(new, old, size, 4096)
        print(f"mean against the mean at the start, {size}x{size}: {score:.3f}", flush=True)


def main() -> None:
    """Read the command line."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("--minutes", type=float, default=9.0, help="how long this run lasts")
    parser.add_argument("--total", type=float, default=25.0, help="of all runs: sizes and rates follow it")
    parser.add_argument("--out", type=Path, default=Path("hex.pt"))
    parser.add_argument("--resume", action="store_true", help="go on from --out")
    parser.add_argument("--begin", type=Path, metavar="BIN", help="begin with an exported network")
    parser.add_argument("--skip", type=float, default=0.0, help="share of the schedule that is behind it")
    parser.add_argument("--channels", type=int, default=64)
    parser.add_argument("--blocks", type=int, default=5)
    parser.add_argument("--sizes", type=int, nargs="+", default=[7, 9, 11, 13])
    parser.add_argument("--games", type=int, default=4096)
    parser.add_argument("--window", type=int, default=400, help="moves of all games that are remembered")
    parser.add_argument("--batch", type=int, default=4096)
    parser.add_argument("--learn", type=int, default=2, help="steps of learning after each move")
    parser.add_argument("--rate", type=float, default=1.5e-3)
    parser.add_argument(
        "--save", type=float, default=120.0, help="seconds between two times that --out is written"
    )
    parser.add_argument("--tell", type=float, default=15.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--export", type=Path, nargs=2, metavar=("PT", "BIN"))
    args = parser.parse_args()
    if args.export:
        saved = torch.load(args.export[0], map_location="cpu")
        net = Network(*saved["shape"])
        net.load_state_dict(saved["mean"])
        x = positions(Player(net.to(DEVICE)), 11, 256)
        export(net.cpu(), x.cpu(), args.export[1])
    else:
        train(args)


if __name__ == "__main__":
    main()
