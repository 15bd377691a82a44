"""Is it worth stopping a search once its choice is sure? Fitted on some positions, played on others.

    python evidence/certainty/stopping.py fit hex-9 --positions 200 --processes 8 > fit.csv
    python evidence/certainty/stopping.py play hex-9 fit.csv --games 200 --processes 8 > games.csv
    python evidence/certainty/stopping.py sum games.csv more-games.csv

A move is sure when no other can be expected to gain more than `epsilon` by being looked at further:

    s_i = c * (1 - q_i^2) / 2 * n_i^-0.2
    gain of a challenger over the best = s * (phi(t) + t * Phi(t)),
    s^2 = s_best^2 + s_i^2,  t = (q_i - q_best) / s

with q_i the minimax value of move i in [-1, 1] for the player to move, or its mean, and n_i its visits
(expansions below it in a search that does not count visits). The search stops when no gain is above epsilon,
and after three times the usual number of expansions at the latest.

Two other rules are tried beside this one: `change` stops once a part of the time has passed since the choice
last changed, `lead` once the first move has so many more visits than the second.

`fit` writes down what a search says after every 15 percent of growth, finds for each rule the constant with
which it takes as many expansions as an even split on average, and prints the regret of the moves that it
would have played, by the values of a search of eight times the longest one; `half` is the 95 percent interval
of the difference to the even split. `play` takes the rule of the least regret, and plays it against an even
split with as many expansions as the rule takes, which games from other openings have told.
"""

from __future__ import annotations

import argparse
import csv
import math
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from random import Random
from statistics import NormalDist, fmean, stdev

import conspirator as cn

NORMAL = NormalDist()
FIRST, GROWTH, LONGEST, DEEP = 0.2, 1.15, 3.0, 8
"""When a search is looked at, in its usual expansions; the longest one; how much longer the judge thinks."""


@dataclass(frozen=True)
class Subject:
    """A player with a network, whose expansions are given out."""

    game: str
    options: dict[str, int]
    search: str
    usual: int
    plies: tuple[int, int]
    most: float
    """How far the greatest value lies from a level one."""
    level: float = 0.0
    """The value of a level position."""
    opening: int = 6
    """Random moves before a game begins."""
    means: bool = False
    """Whether moves are worth their means, and not their minimax values."""

    def position(self, random: Random, plies: int) -> cn.Position:
        """Return a position after two random moves and so many quick ones of the player."""
        position = cn.games.make(self.game, **self.options).start()
        for ply in range(plies):
            if position.outcome is not None:
                return self.position(random, plies)
            if ply < 2:
                position = position.play(random.choice(position.moves()))
            else:
                quick = max(self.usual // 20, 4)
                position = position.play(self.result(position, quick).move)
        return position if position.outcome is None else self.position(random, plies)

    def result(self, position: cn.Position, expansions: int) -> cn.Result:
        """Search a position."""
        return cn.search(position, self.search, evaluator="network", expansions=expansions)


_HEX = Subject("hex", {"size": 9}, "puct", 100, (2, 30), 1.0, opening=3)
SUBJECTS = {
    "hex-9": _HEX,
    "hex-9-means": replace(_HEX, means=True),
    "hex-9-penalty": replace(_HEX, search="prior-penalty", means=True),
    "hex-11": replace(_HEX, options={"size": 11}, plies=(2, 44)),
    "othello": Subject("othello", {}, "minmax-approximation", 1000, (4, 50), 64.0),
    "connect-four": Subject("connect-four", {}, "puct", 1000, (2, 20), 511.0, level=512.0, opening=4),
}


@dataclass(frozen=True)
class Look:
    """What a search says at one moment."""

    spent: int
    move: str
    rows: list[tuple[str, float, float]]
    """Each move with its value in [-1, 1] for the player to move, and its visits; only those with some."""


def look(subject: Subject, result: cn.Result, position: cn.Position) -> Look:
    """Take down what a search says."""
    sign = 1 if position.to_move == "max" else -1
    root = result.tree.root
    sizes = result.tree.child_sizes(root)
    rows = []
    for child, size in zip(root.children, sizes, strict=True):
        visits = child.numbers.get("visits", size / max(result.nodes, 1) * result.expansions)
        reward = child.numbers["reward"] if subject.means else None
        value = (child.value - subject.level) / subject.most if reward is None else 2 * reward - 1
        if visits > 0:
            rows.append((str(child.move), sign * value, float(visits)))
    return Look(result.expansions, str(result.move), rows)


def looks(subject: Subject, position: cn.Position, usual: int) -> Iterator[tuple[Look, bool]]:
    """Search a position step by step; tell each time what it says, and whether it has ended."""
    spent = max(int(FIRST * usual), 2)
    result = subject.result(position, spent)
    while True:
        ended = result.status != "budget" or len(position.moves()) < 2
        yield look(subject, result, position), ended
        more = min(int(spent * GROWTH) + 1, int(LONGEST * usual)) - spent
        if ended or more <= 0:
            return
        result, spent = result.resume(expansions=more), spent + more


def gain(seen: Look, c: float) -> float:
    """Return the most that looking further at another move can be expected to gain."""

    def spread(q: float, n: float) -> float:
        return c * (1 - min(q * q, 1)) / 2 * max(n, 1) ** -0.2

    best = next((row for row in seen.rows if row[0] == seen.move), None)
    if best is None:
        return math.inf
    most = 0.0
    for move, q, n in seen.rows:
        if move == seen.move:
            continue
        s = math.hypot(spread(best[1], best[2]), spread(q, n)) + 1e-9
        t = (q - best[1]) / s
        most = max(most, s * (NORMAL.pdf(t) + t * NORMAL.cdf(t)))
    return most


def trace(job: tuple[str, int]) -> tuple[list[Look], dict[str, float]]:
    """Return all that a search says of a position, and what its moves are worth."""
    subject, random = SUBJECTS[job[0]], Random(job[1])
    position = subject.position(random, random.randint(*subject.plies))
    told = [seen for seen, _ in looks(subject, position, subject.usual)]
    deep = look(subject, subject.result(position, int(DEEP * LONGEST * subject.usual)), position)
    worth = {move: q for move, q, visits in deep.rows if visits >= 8 or move == deep.move}
    return told, worth


Rule = Callable[[list[Look], float], bool]
"""Whether to stop after these looks, by a constant."""


def by_gain(c: float) -> Rule:
    """Stop when no gain is above epsilon."""
    return lambda told, epsilon: gain(told[-1], c) <= epsilon


def by_change(told: list[Look], share: float) -> bool:
    """Stop once a part of the time has passed since the choice last changed."""
    moves = [seen.move for seen in told]
    stands = next((k for k in range(len(moves), 0, -1) if moves[k - 1] != moves[-1]), 0)
    return told[stands].spent <= told[-1].spent * (1 - share)


def by_lead(told: list[Look], lead: float) -> bool:
    """Stop once the first move has so many more visits than the second, in parts of all."""
    visits = sorted((n for _, _, n in told[-1].rows), reverse=True)
    return len(visits) > 1 and visits[0] - visits[1] >= lead * told[-1].spent


def evenly(told: list[Look], spent: float) -> bool:
    """Stop after the same number of expansions everywhere."""
    return told[-1].spent >= spent


def end_of(rule: Rule, told: list[Look], constant: float) -> Look:
    """Return the look after which a rule stops."""
    ended = (k for k in range(1, len(told)) if rule(told[:k], constant))
    return told[next(ended, len(told)) - 1]


def rule_of(name: str) -> Rule:
    """Return a rule by its name in tables."""
    kind, *constant = name.split()
    return by_gain(float(constant[0])) if constant else RULES[kind]


RULES: dict[str, Rule] = {"even": evenly, "change": by_change, "lead": by_lead}
GAINS = (0.04, 0.08, 0.16, 0.32, 0.65, 1.3, 2.6)


def ends(name: str, usual: int) -> tuple[float, float]:
    """Return constants with which a rule takes fewest and most expansions."""
    if name == "even":
        return 1.0, LONGEST * usual
    return (1e-3, 1.0) if name in RULES else (1.0, 1e-8)


def fit(args: argparse.Namespace) -> None:
    """Print the regret of each rule at equal expansions."""
    subject = SUBJECTS[args.subject]
    with ProcessPoolExecutor(args.processes) as pool:
        jobs = [(args.subject, 1_000_000 + k) for k in range(args.positions)]
        traces = [known for known in pool.map(trace, jobs, chunksize=4) if known[1]]
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["subject", "rule", "constant", "positions", "expansions", "regret", "half", "best moves"])
    even: list[float] = []
    for name in ("even", *(f"gain {c:g}" for c in GAINS), "change", "lead"):
        rule, (few, many) = rule_of(name), ends(name, subject.usual)
        for _ in range(40):
            middle = math.sqrt(few * many)
            spent = fmean(end_of(rule, told, middle).spent for told, _ in traces)
            few, many = (middle, many) if spent < subject.usual else (few, middle)
        row, regrets = evaluate(traces, rule, many)
        even = even or regrets
        better = [one - other for one, other in zip(regrets, even, strict=True)]
        half = 1.96 * stdev(better) / math.sqrt(len(better))
        expansions, regret, right = row
        fitted = [name, f"{many:.6g}", len(traces), expansions, regret, f"{half:.5f}", right]
        out.writerow([args.subject, *fitted])


def evaluate(
    traces: list[tuple[list[Look], dict[str, float]]], rule: Rule, constant: float
) -> tuple[list[str], list[float]]:
    """Return expansions, regret and the share of best moves; and all regrets."""
    stops = [end_of(rule, told, constant) for told, _ in traces]
    regrets = []
    for seen, (_, worth) in zip(stops, traces, strict=True):
        best = max(worth.values())
        regrets.append(best - worth.get(seen.move, min(worth.values())))
    right = fmean(regret <= 1e-9 for regret in regrets)
    return [f"{fmean(seen.spent for seen in stops):.1f}", f"{fmean(regrets):.5f}", f"{right:.3f}"], regrets


def choose(subject: Subject, position: cn.Position, name: str, constant: float) -> tuple[str, int]:
    """Return the move that a rule plays, and what it took."""
    rule, told = rule_of(name), list[Look]()
    for seen, _ in looks(subject, position, subject.usual):
        told.append(seen)
        if rule(told, constant):
            break
    return told[-1].move, told[-1].spent


def game(job: tuple[str, int, bool, str, float, int]) -> tuple[float, int, int, int, int]:
    """Play a game; return the rule's points, and moves and expansions of the rule and of the other."""
    name, seed, first, rule, constant, even = job
    subject, random = SUBJECTS[name], Random(seed)
    while True:
        position = cn.games.make(subject.game, **subject.options).start()
        for _ in range(subject.opening):
            position = position.play(random.choice(position.moves()))
        if position.outcome is not None:
            continue
        if subject.game != "hex" or abs(subject.result(position, 20).value) < 0.7:
            break
    used = {True: [0, 0], False: [0, 0]}
    while position.outcome is None:
        mine = (position.to_move == "max") == first
        if len(position.moves()) == 1:
            position = position.play(position.moves()[0])
            continue
        if mine:
            move, spent = choose(subject, position, rule, constant)
        else:
            result = subject.result(position, even)
            move, spent = str(result.move), result.expansions
        used[mine][0] += 1
        used[mine][1] += spent
        position = position.play(move)
    points = (position.outcome > subject.level) + 0.5 * (position.outcome == subject.level)
    return (float(points) if first else 1.0 - points), *used[True], *used[False]


def play(args: argparse.Namespace) -> None:
    """Play the rule of the least regret against an even split that takes as much."""
    subject = SUBJECTS[args.subject]
    with open(args.fitted, newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["rule"] != "even"]
    rows = [row for row in rows if float(row["expansions"]) > 0.9 * subject.usual]
    rows = [row for row in rows if row["rule"].startswith(args.rule)]
    best = min(rows, key=lambda row: float(row["regret"]))
    name, constant = best["rule"], float(best["constant"])
    out = csv.writer(sys.stdout, lineterminator="\n")
    print("subject,rule,constant,even,seed,first,points,moves,spent,moves even,spent even")
    with ProcessPoolExecutor(args.processes) as pool:

        def games(seeds: range, even: int, shown: bool) -> list[tuple[float, int, int, int, int]]:
            jobs = [
                (args.subject, seed, first, name, constant, even) for seed in seeds for first in (True, False)
            ]
            played = []
            for job, result in zip(jobs, pool.map(game, jobs), strict=True):
                played.append(result)
                if shown:
                    points, *counts = result
                    out.writerow([args.subject, name, constant, even, job[1], int(job[2]), points, *counts])
                    sys.stdout.flush()
            return played

        even = subject.usual
        for turn in range(3):
            begin = args.seed + 10_000 * turn
            trial = games(range(begin, begin + max(args.games // 16, 1)), even, False)
            mine, other = (sum(row[k] for row in trial) / sum(row[k - 1] for row in trial) for k in (2, 4))
            even = round(even * mine / other)
        begin = args.seed + 100_000
        played = games(range(begin, begin + args.games // 2), even, True)
    points = [row[0] for row in played]
    pairs = [(one + other) / 2 for one, other in zip(points[::2], points[1::2], strict=True)]
    half = 1.96 * stdev(pairs) / math.sqrt(len(pairs))
    mine, other = (sum(row[k] for row in played) / sum(row[k - 1] for row in played) for k in (2, 4))
    told = f"{mine:.1f} expansions a move against {other:.1f}"
    print(f"# {100 * fmean(points):.1f} +- {100 * half:.1f} %, {told}")


def total(args: argparse.Namespace) -> None:
    """Print the score of each file of games, and of all games of a subject."""
    games: dict[str, list[dict[str, str]]] = {}
    for name in args.played:
        with open(name, newline="") as file:
            rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
        games.setdefault(rows[0]["subject"], []).extend(rows[: len(rows) // 2 * 2])
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["subject", "rule", "constant", "games", "points", "half", "expansions", "expansions even"])
    for subject, rows in games.items():
        points = [float(row["points"]) for row in rows]
        pairs = [(one + other) / 2 for one, other in zip(points[::2], points[1::2], strict=True)]
        half = 1.96 * stdev(pairs) / math.sqrt(len(pairs))
        spent = [
            sum(int(row[f"spent{who}"]) for row in rows) / sum(int(row[f"moves{who}"]) for row in rows)
            for who in ("", " even")
        ]
        found = [f"{number:.1f}" for number in (100 * fmean(points), 100 * half, *spent)]
        out.writerow([subject, rows[0]["rule"], rows[0]["constant"], len(rows), *found])


def main() -> None:
    """Read the command line."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("fit")
    command.set_defaults(run=fit)
    command.add_argument("subject", choices=SUBJECTS)
    command.add_argument("--positions", type=int, default=200)
    command.add_argument("--processes", type=int, default=2)
    command = commands.add_parser("play")
    command.set_defaults(run=play)
    command.add_argument("subject", choices=SUBJECTS)
    command.add_argument("fitted", help="what `fit` printed")
    command.add_argument("--rule", default="", help="only rules whose names begin so")
    command.add_argument("--games", type=int, default=200)
    command.add_argument("--seed", type=int, default=1)
    command.add_argument("--processes", type=int, default=2)
    command = commands.add_parser("sum")
    command.set_defaults(run=total)
    command.add_argument("played", nargs="+", help="what `play` printed")
    args = parser.parse_args()
    args.run(args)


if __name__ == "__main__":
    main()
