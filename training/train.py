"""Teaches a network a game by playing it against itself: Gumbel AlphaZero on one GPU. It needs PyTorch.

    python training/train.py connect-four runs/four --minutes 5            # begins; the next time goes on
    python training/train.py othello runs/othello --minutes 8 --total 16   # half of the way
    python training/train.py hex runs/hex --minutes 8 --begin neural.bin   # begins with an exported network
    python training/train.py othello runs/othello --export                 # what the package and users read

Every move of thousands of games is chosen by a small search (`gumbel.py`). The policy learns what the
search recommends, the value learns the results of games, mixed with what the search said. In Connect-Four
and Othello a network of n-tuples learns at the same time, from the values of all nodes of the searches
(`--student`).

A folder has state.pt and student.pt (all that is needed to go on, but for the last positions), curve.csv, and
after `--export` neural.bin or tower.onnx, tower.pt and tuples.bin.
"""

from __future__ import annotations

import argparse
import csv
import math
import time
from dataclasses import dataclass, replace
from pathlib import Path

import torch
from boards import ConnectFour, Rules, rules_of
from gumbel import Player, Trees
from hex_network import Network, deepened, export, imported, measure_norms
from judge import Truth, duel, usual_positions
from learner import Learner, folded, player_on, tower_of, write
from self_play import UNKNOWN, Arena
from towers import DEVICE, write_onnx
from tuple_network import OnePly, Student, TupleNetwork

COLUMNS = (
    "seconds",
    "rounds",
    "board",
    "games",
    "positions",
    "moves a game",
    "policy loss",
    "value loss",
    "value error",
    "student error",
    "judged policy",
    "judged value",
    "judged student",
)
DATA = Path(__file__).parents[1] / "crates/core/src/evaluators"


@dataclass(frozen=True)
class Recipe:
    """How a game is learnt."""

    channels: int
    blocks: int
    games: int
    """At once."""
    simulations: int
    """For each move."""
    considered: int
    """Moves that are looked at first."""
    window: int
    """Moves of all games that are remembered."""
    batch: int = 8192
    learn: int = 2
    """Steps of learning after each move of all games."""
    result: float = 0.5
    """The result's share of a value's target; the rest is what the search said."""
    rate: float = 2e-3
    student_rate: float = 0.01
    student_batch: int = 65536


RECIPES = {
    "connect-four": Recipe(64, 5, 8192, 16, 7, 128),
    "othello": Recipe(64, 6, 8192, 16, 8, 128, student_rate=0.05),
    "hex": Recipe(64, 10, 4096, 32, 16, 400, batch=4096, rate=1.5e-3),
}


def sizes_now(name: str, sizes: list[int], share: float) -> list[int]:
    """Return the boards of Hex to play on when this share of the time is spent: small ones first."""
    if name != "hex":
        return [0]
    for size, until in zip(sizes, (0.03, 0.10, 0.55), strict=False):
        if share < until:
            return [size]
    return sizes[2:] or sizes[-1:]


class Course:
    """One run of the program: games, lessons, and what is told of them."""

    def __init__(self, args: argparse.Namespace) -> None:
        self.args, self.name, self.folder = args, args.game, args.folder
        self.recipe = recipe = recipe_of(args)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.seconds, self.rounds = 0.0, 0
        saved, taught = self.folder / "state.pt", self.folder / "student.pt"
        state = torch.load(saved, map_location=DEVICE) if saved.exists() else None
        if state:
            self.seconds, self.rounds = state["seconds"], state["rounds"]
        self.student = self.student_of()
        if self.student:
            self.shipped = TupleNetwork(self.student.network.rules)
            self.shipped.weights.copy_(self.student.network.weights)
            self.shipped.refresh()
            if taught.exists():
                self.student.load(torch.load(taught, map_location=DEVICE))
        self.learner: Learner | None = None
        self.strange = state is None and args.begin is not None
        """Whether the norms of the network have not measured anything yet."""
        if args.player == "tower":
            shape = state["learner"]["shape"] if state else (recipe.channels, recipe.blocks)
            net = tower_of(self.name, *shape)
            if self.strange:
                net = deepened(imported(args.begin), recipe.blocks)
            self.learner = Learner(self.name, net, recipe.rate)
            if state:
                self.learner.load(state["learner"])
            self.tower = folded(self.name, self.learner.net)
            self.before = folded(self.name, self.learner.mean)
        elif self.student is None:
            raise SystemExit("there are no n-tuples to play with: leave out --player or --student")
        self.arenas: dict[int, Arena] = {}
        self.sums, self.count = torch.zeros(4, device=DEVICE), 0
        self.truth = None
        if self.name == "connect-four":
            rules = rules_of(self.name, device=DEVICE)
            assert isinstance(rules, ConnectFour)
            self.truth = Truth(rules)
            if self.student:
                error, right = self.truth.value(self.shipped.values)
                print(f"n-tuple network at the beginning: value error {error:.3f}, right {right:.3f}")

    def student_of(self) -> Student | None:
        """Return the n-tuple network, which begins with the one of the package or with nothing."""
        if self.args.student == "none" or self.name == "hex":
            return None
        network = TupleNetwork(rules_of(self.name, device=DEVICE))
        if self.args.student == "shipped":
            network.load(DATA / f"data/{self.name.replace('-', '_')}.bin")
        return Student(network)

    def player(self, rules: Rules) -> Player:
        """Return who plays the games."""
        if self.learner:
            return player_on(rules, self.tower)
        assert self.student is not None
        tuples = OnePly(self.student.network)
        return torch.compile(tuples.__call__) if self.args.compile else tuples

    def arena(self, size: int) -> Arena:
        """Return the games on a board of this size."""
        if size not in self.arenas:
            recipe, args = self.recipe, self.args
            rules = rules_of(self.name, size, DEVICE)
            trees = Trees(rules, self.player(rules), recipe.games, recipe.simulations, recipe.considered)
            if args.compile:
                trees.compile()
            if DEVICE == "cuda" and not args.no_graph:
                trees.record()
            self.arenas[size] = Arena(rules, trees, recipe.window)
        return self.arenas[size]

    def rate(self, share: float) -> float:
        """Return the part of the full rate: after 0.4 of the time it falls."""
        fade = 1.0 if share < 0.4 else 0.5 * (1 + math.cos(math.pi * min(1.0, (share - 0.4) / 0.6)))
        return max(fade, 0.01) * min(1.0, (1 + self.rounds) / 250)

    def turn(self, share: float) -> Arena:
        """Play one move of all games, and learn."""
        sizes = sizes_now(self.name, self.args.sizes, share)
        arena = self.arena(sizes[self.rounds % len(sizes)])
        arena.play(resign=share > 0.12)
        self.rounds += 1
        longest = 1.2 * arena.rules.moves if self.name == "hex" else 0.75 * arena.rules.plies
        warm = arena.step >= (longest if self.args.warm is None else self.args.warm)
        if self.student:
            self.teach(self.student, arena, self.rate(share), warm)
        if self.learner and warm:
            self.learn(self.learner, arena, self.rate(share))
        self.count += 1
        return arena

    def learn(self, learner: Learner, arena: Arena, rate: float) -> None:
        """Let the tower learn from the last games."""
        recipe = self.recipe
        if self.strange and isinstance(learner.net, Network):
            measure_norms(learner.net, arena.sample(recipe.batch).planes)
            learner.mean.load_state_dict(learner.net.state_dict())
            self.strange = False
        for _ in range(recipe.learn):
            said = learner.step(arena.sample(recipe.batch), recipe.result, rate)
            self.sums[:3] += said / recipe.learn
        if self.rounds % 4 == 0:
            self.tower.learn(learner.net)

    def teach(self, student: Student, arena: Arena, rate: float, warm: bool) -> None:
        """Let the n-tuples learn from all nodes of the last searches, and from results if they play."""
        recipe = self.recipe
        state, value, good = arena.trees.learnt()
        some = torch.randint(0, len(value), (recipe.student_batch,), device=DEVICE)
        some = some[good[some]]
        state, value = state[some], value[some]
        if self.learner is None:
            if not warm:
                return
            lessons = arena.sample(recipe.batch)
            known = lessons.result < UNKNOWN
            target = recipe.result * lessons.result + (1 - recipe.result) * lessons.value
            state, value = torch.cat([state, lessons.state[known]]), torch.cat([value, target[known]])
        self.sums[3] += student.step(state, value, recipe.student_rate * rate)
        if self.learner is None and self.rounds % 4 == 0:
            student.network.refresh()

    def save(self, seconds: float) -> None:
        """Write what is needed to go on."""
        state = {"game": self.name, "seconds": seconds, "rounds": self.rounds}
        if self.learner:
            state["learner"] = self.learner.saved()
        write(state, self.folder / "state.pt")
        if self.student:
            write(self.student.saved(), self.folder / "student.pt")

    def judge(self, rules: Rules, full: bool) -> list[str]:
        """Return how good the networks are: by exact results, or points against those at the beginning."""
        games, row = self.args.duel if full else self.args.duel // 4, ["", "", ""]
        if self.learner:
            tower = folded(self.name, self.learner.mean)
            new = player_on(rules, tower)
            if self.truth:
                row[0] = f"{self.truth.policy(new):.3f}"
                error, _ = self.truth.value(lambda state: torch.tanh(new(state)[1] / 2))
                row[1] = f"{error:.3f}"
            else:
                row[0] = f"{duel(rules, new, player_on(rules, self.before), games):.3f}"
        if self.student:
            tuples = self.student.now()
            if self.truth:
                row[2] = f"{self.truth.value(tuples.values)[0]:.3f}"
            else:
                row[2] = f"{duel(rules, OnePly(tuples), OnePly(self.shipped), games):.3f}"
        return row

    def row(self, arena: Arena, seconds: float) -> list[str]:
        """Return what has happened since the last row."""
        ended = max(1.0, float(arena.ended))
        means = (self.sums / max(1, self.count)).tolist()
        length = float(arena.moves) / ended
        whole = [f"{seconds:.0f}", self.rounds, arena.rules.board[1], int(ended), int(arena.moves)]
        row = [*map(str, whole), f"{length:.1f}", *(f"{mean:.4f}" for mean in means)]
        for tally in (arena.ended, arena.moves, self.sums):
            tally.zero_()
        self.count = 0
        return row

    def run(self) -> None:
        """Play and learn for so many minutes, and save what is learnt."""
        args, log = self.args, self.folder / "curve.csv"
        begun = log.exists()
        start = told = judged = kept = time.time()
        with log.open("a", newline="") as file:
            table = csv.writer(file)
            if not begun:
                table.writerow(COLUMNS)
            while True:
                spent = time.time() - start
                last = spent > 60 * args.minutes
                share = args.skip + (1 - args.skip) * (self.seconds + spent) / (60 * args.total)
                arena = self.turn(share)
                now = time.time()
                if last or now - told > args.tell:
                    told = now
                    row = self.row(arena, self.seconds + now - start)
                    if last or now - judged > args.judge:
                        judged = now
                        row += self.judge(arena.rules, last)
                    table.writerow(row)
                    file.flush()
                    print("  ".join(row), flush=True)
                if last:
                    for other in (other for other in self.arenas.values() if other is not arena):
                        row = self.row(other, self.seconds + now - start) + self.judge(other.rules, True)
                        table.writerow(row)
                        print("  ".join(row), flush=True)
                    break
                if now - kept > args.save:
                    kept = now
                    self.save(self.seconds + now - start)
        self.save(self.seconds + time.time() - start)


def recipe_of(args: argparse.Namespace) -> Recipe:
    """Return the game's recipe with what the command line says otherwise."""
    said = {name: getattr(args, name) for name in Recipe.__dataclass_fields__}
    return replace(RECIPES[args.game], **{name: value for name, value in said.items() if value is not None})


def write_networks(name: str, folder: Path) -> None:
    """Write the networks of a folder as the package and its users read them."""
    rules = rules_of(name, 11, DEVICE)
    if (folder / "student.pt").exists():
        student = Student(TupleNetwork(rules))
        student.load(torch.load(folder / "student.pt", map_location=DEVICE))
        student.now().export(folder / "tuples.bin")
    saved = torch.load(folder / "state.pt", map_location=DEVICE).get("learner")
    if saved is None:
        return
    net = tower_of(name, *saved["shape"]).to(DEVICE)
    net.load_state_dict(saved["mean"])
    net.eval()
    if isinstance(net, Network):
        planes = rules.planes(usual_positions(rules, player_on(rules, folded(name, net)), 256))
        export(net.cpu(), planes.float().cpu(), folder / "neural.bin")
        return
    torch.save(net.cpu().state_dict(), folder / "tower.pt")
    write_onnx(net, rules.board, folder / "tower.onnx")


def main() -> None:
    """Read the command line."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("game", choices=RECIPES)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--minutes", type=float, default=5.0, help="how long this run lasts")
    parser.add_argument("--total", type=float, help="of all runs: rates and sizes of boards follow it")
    parser.add_argument("--skip", type=float, default=0.0, help="share of the way that is behind it")
    parser.add_argument("--begin", type=Path, metavar="BIN", help="begin with an exported network of Hex")
    parser.add_argument("--player", choices=["tower", "tuples"], default="tower", help="who plays")
    parser.add_argument("--student", choices=["shipped", "new", "none"], default="shipped")
    parser.add_argument("--sizes", type=int, nargs="+", default=[7, 9, 11, 13], help="boards of Hex")
    for name, field in Recipe.__dataclass_fields__.items():
        kind = float if field.type == "float" else int
        parser.add_argument(f"--{name.replace('_', '-')}", type=kind)
    parser.add_argument("--warm", type=int, help="moves of all games before it learns")
    parser.add_argument("--tell", type=float, default=10.0, help="seconds between two rows")
    parser.add_argument("--judge", type=float, default=60.0, help="seconds between two judgements")
    parser.add_argument(
        "--duel", type=int, default=4096, help="games of the last judgement, four times the others"
    )
    parser.add_argument("--save", type=float, default=120.0, help="seconds between two times it is saved")
    parser.add_argument("--compile", action="store_true", help="make one kernel of many small steps")
    parser.add_argument("--no-graph", action="store_true", help="do not record searches as a CUDA graph")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--export", action="store_true", help="write networks for the package, and end")
    args = parser.parse_args()
    args.total = args.minutes if args.total is None else args.total
    if args.export:
        write_networks(args.game, args.folder)
        return
    torch.backends.cudnn.benchmark = True
    torch.manual_seed(args.seed)
    Course(args).run()


if __name__ == "__main__":
    main()
