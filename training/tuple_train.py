"""Teaches the networks of Connect-Four and Othello: games against itself, many at once. It needs PyTorch.

    python training/tuple_train.py othello --minutes 8 --out othello.pt             # begins
    python training/tuple_train.py othello --minutes 8 --out othello.pt --resume    # goes on
    python training/tuple_train.py othello --out othello.pt --export othello.bin    # what the package reads

Moves are chosen by a search of one ply or two, with noise, and games begin with some random moves. A
position learns

    G = (1 - lambda) * value by the search  +  lambda * minus the next position's G

(R. S. Sutton, "Learning to predict by the methods of temporal differences", 1988), and the value by the
search alone where the move was random. The end of a game has its result.
"""

from __future__ import annotations

import argparse
import csv
import time
from pathlib import Path

import torch
from boards import GAMES, Boards, Rules
from torch import Tensor
from tuple_network import TupleNetwork

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
LOSS = -1e9


def successors(rules: Rules, boards: Boards) -> tuple[Tensor, Boards, Tensor]:
    """Return for each move of all boards the board's place, what it leads to, and the cell; or a pass."""
    mover, other = boards
    moves = rules.moves(mover, other)
    bits = torch.arange(rules.cells, device=mover.device)
    which, cell = ((moves[:, None] >> bits) & 1).nonzero(as_tuple=True)
    stuck = (moves == 0).nonzero(as_tuple=True)[0]
    which = torch.cat([which, stuck])
    cell = torch.cat([torch.ones_like(cell) << cell, torch.zeros_like(stuck)])
    return which, rules.play(mover[which], other[which], cell), cell


def worth(network: TupleNetwork, boards: Boards, plies: int) -> Tensor:
    """Return what boards are worth to their players to move, by a search of so many plies."""
    over, result = network.rules.end(*boards)
    if plies == 0:
        return torch.where(over, result, network.values(boards))
    going = (~over).nonzero(as_tuple=True)[0]
    which, after, _ = successors(network.rules, (boards[0][going], boards[1][going]))
    best = torch.full((len(going),), LOSS, device=result.device)
    best.scatter_reduce_(0, which, -worth(network, after, plies - 1), "amax")
    return result.index_put((going,), best)


class Games:
    """Many games from their beginning to their end, and what they teach."""

    def __init__(self, network: TupleNetwork, count: int, plies: int, noise: float, random: float) -> None:
        self.network, self.rules = network, network.rules
        self.count, self.plies, self.noise, self.random = count, plies, noise, random

    def play(self, discount: float) -> tuple[Boards, Tensor]:
        """Play all games; return positions, and what they are worth."""
        rules, n, device = self.rules, self.count, self.network.device
        boards = rules.start(n, device)
        opening = torch.randint(0, rules.plies // 3, (n,), device=device)
        rows: list[tuple[Tensor, Tensor, Tensor, Tensor, Tensor]] = []
        going = torch.ones(n, dtype=torch.bool, device=device)
        results = torch.zeros(n, device=device)
        unit = 2.0 if self.network.shape.spread == 0 else 0.1
        for ply in range(2 * rules.plies):
            over, result = rules.end(*boards)
            results = torch.where(going & over, result, results)
            going = going & ~over
            alive = going.nonzero(as_tuple=True)[0]
            if len(alive) == 0:
                break
            which, after, _ = successors(rules, (boards[0][alive], boards[1][alive]))
            value = -worth(self.network, after, self.plies - 1)
            best = torch.full((len(alive),), LOSS, device=device)
            best.scatter_reduce_(0, which, value, "amax")
            lost = torch.rand(len(alive), device=device) < self.random
            free = (ply < opening[alive]) | lost
            gumbel = -torch.log(-torch.log(torch.rand_like(value).clamp_(1e-9, 1 - 1e-7)))
            taste = torch.where(free[which], gumbel, value / unit + self.noise * gumbel)
            most = torch.full((len(alive),), LOSS, device=device)
            most.scatter_reduce_(0, which, taste, "amax")
            chosen = torch.zeros(len(alive), dtype=torch.int64, device=device)
            picks = (taste == most[which]).nonzero(as_tuple=True)[0]
            chosen[which[picks]] = picks
            # a choice that costs much tells nothing of the position
            cut = free | (value[chosen] < best - unit)
            rows.append((alive, boards[0][alive], boards[1][alive], best, cut))
            boards = (
                boards[0].index_put((alive,), after[0][chosen]),
                boards[1].index_put((alive,), after[1][chosen]),
            )
        # backwards: what follows is from the other side
        target = results.clone()
        targets: list[Tensor] = []
        for alive, _, _, best, cut in reversed(rows):
            mixed = torch.where(cut, best, (1 - discount) * best - discount * target[alive])
            target = target.index_put((alive,), mixed)
            targets.append(mixed)
        targets.reverse()
        mover, other = (torch.cat([row[k] for row in rows]) for k in (1, 2))
        return (mover, other), torch.cat(targets)


class Learner:
    """Adam on the weights of a network, of which each position touches a few dozen."""

    def __init__(self, network: TupleNetwork) -> None:
        self.network = network
        self.mean = torch.zeros_like(network.weights)
        self.square = torch.zeros_like(network.weights)
        self.steps = 0

    def step(self, boards: Boards, target: Tensor, rate: float) -> Tensor:
        """Go one step down the gradient; return the mean square error of values."""
        network = self.network
        slots = network.slots(boards)
        weights = network.weights.view(-1)
        value = network.squash(weights[slots].sum(1))
        error = value - target
        gradient = torch.zeros_like(weights)
        each = (error / len(error))[:, None].expand(slots.shape)
        gradient.index_add_(0, slots.flatten(), each.flatten())
        gradient = gradient.view_as(self.mean)
        self.steps += 1
        self.mean.lerp_(gradient, 0.1)
        self.square.lerp_(gradient * gradient, 0.001)
        scale = (1 - 0.999**self.steps) ** 0.5 / (1 - 0.9**self.steps)
        network.weights -= rate * scale * self.mean / (self.square.sqrt() + 1e-9)
        return (error * error).mean()


def train(args: argparse.Namespace) -> None:
    """Play and learn for so many minutes, and save what is learnt."""
    torch.manual_seed(args.seed)
    rules = GAMES[args.game]
    if DEVICE == "cuda":  # one kernel for each of them
        for name in ("moves", "play", "end"):
            setattr(rules, name, torch.compile(getattr(rules, name)))
    network = TupleNetwork(rules, DEVICE)
    learner = Learner(network)
    mean, before, rounds = network.weights.clone(), 0.0, 0
    if args.resume:
        saved = torch.load(args.out, map_location=DEVICE)
        network.weights.copy_(saved["weights"])
        learner.mean, learner.square, learner.steps = saved["adam"]
        mean, before, rounds = saved["mean"], saved["seconds"], saved["rounds"]
        network.refresh()
    start = told = time.time()
    log = args.out.with_suffix(".csv")
    with log.open("a" if args.resume else "w", newline="") as file:
        table = csv.writer(file)
        if not args.resume:
            table.writerow(["seconds", "round", "games", "positions", "plies", "mean square error"])
        games = positions = 0
        while (spent := time.time() - start) < args.minutes * 60:
            share = (before + spent) / (args.total * 60)
            plies = 1 if share < args.two_plies else 2
            arena = Games(network, args.games, plies, args.noise, args.random)
            boards, target = arena.play(args.discount)
            order = torch.randperm(len(target), device=DEVICE)
            rate = args.rate * max(0.02, 1.0 - share)
            errors = [
                learner.step((boards[0][some], boards[1][some]), target[some], rate)
                for some in order.split(args.batch)
            ]
            keep = 0.98 if rounds > 50 else 0.5
            mean.lerp_(network.weights, 1 - keep)
            network.refresh()
            rounds, games, positions = rounds + 1, games + args.games, positions + len(target)
            if time.time() - told > args.tell:
                told = time.time()
                error = float(torch.stack(errors).mean())
                row = [round(before + told - start), rounds, games, positions, plies, round(error, 4)]
                table.writerow(row)
                file.flush()
                print("  ".join(map(str, row)), flush=True)
    adam = (learner.mean, learner.square, learner.steps)
    saved = {"game": args.game, "weights": network.weights, "mean": mean, "adam": adam, "rounds": rounds}
    torch.save(saved | {"seconds": before + time.time() - start}, args.out)


def export(source: Path, target: Path) -> None:
    """Write the mean of the last weights as the package reads it."""
    saved = torch.load(source, map_location="cpu")
    network = TupleNetwork(GAMES[saved["game"]], "cpu")
    network.weights.copy_(saved["mean"])
    network.export(target)


def main() -> None:
    """Read the command line."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("--minutes", type=float, default=8.0, help="how long this run lasts")
    parser.add_argument("--total", type=float, default=8.0, help="of all runs: rates follow it")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--resume", action="store_true", help="go on from --out")
    parser.add_argument("--games", type=int, default=32768, help="games at once")
    parser.add_argument("--batch", type=int, default=65536, help="positions of one step")
    parser.add_argument("--rate", type=float, default=None, help="of learning")
    parser.add_argument("--discount", type=float, default=0.8, help="lambda")
    parser.add_argument("--noise", type=float, default=0.3, help="of choices")
    parser.add_argument("--random", type=float, default=0.02, help="share of random moves")
    parser.add_argument("--two-plies", type=float, default=0.3, help="share of the time with one ply only")
    parser.add_argument("--tell", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--export", type=Path, metavar="BIN")
    args = parser.parse_args()
    if args.rate is None:
        args.rate = 0.05 if args.game == "othello" else 0.01
    if args.export:
        export(args.out, args.export)
    else:
        train(args)


if __name__ == "__main__":
    main()
