"""The games of Utgoff and Cochran, "A least-certainty heuristic for selective search": Figures 3 to 5.

Random-tree games between least-certainty search (LCF), best-first minimax (BFMM) and alpha-beta (AB), by
branching factor b and artificial time t for a move.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import conspirator as cn
from conspirator._players import Player
from conspirator.experiments.report import Cell, Report, yes
from conspirator.experiments.utgoff_2001 import LCF, PAPER
from conspirator.experiments.work import Work
from conspirator.matches.games import play_pair
from conspirator.matches.scores import Score, total

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BRANCHING = (2, 5, 10, 20)
"""The branching factors b."""
DEPTH = 64
"""How many moves a game has."""
TIMES = (1_000, 3_000, 10_000, 30_000, 100_000, 300_000)
"""Artificial time for a move; which allotments the paper had cannot be read from it."""
QUICK_TIMES = (3_000, 10_000, 100_000)
"""The same for a quick look."""
GENERATION_COST = 100
"""Units for generating and valuing a node; looking at one costs 1."""


def alpha_beta_depth(b: int, t: int) -> int:
    """Return the greatest depth k for which b^(0.75 k) nodes can be generated in the time (Section 5.1).

    >>> alpha_beta_depth(10, 100_000), alpha_beta_depth(20, 1_000)
    (4, 1)
    """
    nodes = t / GENERATION_COST
    return max(1, math.floor(math.log(nodes) / (0.75 * math.log(b)) + 1e-9))


@dataclass(frozen=True)
class Kind:
    """A kind of player: how it plays for a branching factor, a time and a seed."""

    name: str
    search: str
    parameters: dict[str, Any] = field(default_factory=dict, hash=False)

    def player(self, b: int, t: int, seed: int) -> Player:
        """Return the player."""
        if self.search == "alpha-beta":
            k = self.parameters.get("depth") or alpha_beta_depth(b, t)
            return Player(self.search, name=self.name, depth=k, first_depth=k)
        seeds: dict[str, Any] = {"seed": seed} if self.search == LCF else {}
        return Player(self.search, name=self.name, artificial_time=t, **self.parameters, **seeds)


LEAST = Kind("LCF", LCF, {"variant": "published"})
BEST = Kind("LCF, best", LCF, {"variant": "best"})
BFMM = Kind("BFMM", "best-first")
AB = Kind("AB", "alpha-beta")
ONE_PLY = Kind("AB, one ply", "alpha-beta", {"depth": 1})

Line = tuple[Kind, Kind]
"""A player and its opponent."""

Shape = Callable[[list[Score]], bool]
"""Whether the scores of one branching factor, by rising time, have the shape that a figure shows."""


@dataclass(frozen=True)
class Figure:
    """One of the paper's figures: a player against another, and what it shows."""

    number: int
    lines: tuple[Line, ...]
    """The first is the paper's; the others play beside it."""
    said: dict[int, str]
    """What text and figure say, by branching factor."""
    shape: Mapping[int, Shape]
    """The same as a test, where anything is said."""


NEARLY_ALL = 0.95
"""From which part of the points on nearly all games are won."""


def wins_nearly_all(scores: list[Score]) -> bool:
    """Tell whether nearly every game was won, at every time."""
    return all(score.points >= NEARLY_ALL for score in scores)


def behind_then_wins_nearly_all(scores: list[Score]) -> bool:
    """Tell whether the player had the worse of it with little time, and won nearly all with much."""
    return any(score.points < 0.5 for score in scores[:2]) and scores[-1].points >= NEARLY_ALL


def behind_then_ahead(scores: list[Score]) -> bool:
    """Tell whether the player had the worse of it with little time, and the better with much."""
    return any(score.points < 0.5 for score in scores[:2]) and scores[-1].points > 0.5


def ahead(scores: list[Score]) -> bool:
    """Tell whether the player had the better of it, at every time."""
    return all(score.points > 0.5 for score in scores)


def ahead_then_behind(scores: list[Score]) -> bool:
    """Tell whether the player had the better of it with little time, and the worse with much."""
    return any(score.points > 0.5 for score in scores[:2]) and scores[-1].points < 0.5


FIGURE_3 = Figure(
    3,
    ((LEAST, AB), (LEAST, ONE_PLY), (BEST, AB)),
    {
        2: "LCF wins all games at every t",
        10: "LCF behind at the smallest t, then wins all games",
        20: "LCF behind at the two smallest t, then ahead",
    },
    {2: wins_nearly_all, 10: behind_then_wins_nearly_all, 20: behind_then_ahead},
)
FIGURE_4 = Figure(
    4,
    ((BFMM, AB), (BFMM, ONE_PLY)),
    dict.fromkeys(BRANCHING, "BFMM behind at small t, ahead at large t") | {2: "BFMM ahead at every t"},
    {2: ahead, 5: behind_then_ahead, 10: behind_then_ahead, 20: behind_then_ahead},
)
FIGURE_5 = Figure(
    5,
    ((LEAST, BFMM), (BEST, BFMM)),
    dict.fromkeys(BRANCHING, "LCF ahead at small t, weaker than BFMM as t grows"),
    dict.fromkeys(BRANCHING, ahead_then_behind),
)


def figure_3(work: Work) -> Report:
    """Play LCF against alpha-beta."""
    return play_figure(FIGURE_3, work)


def figure_4(work: Work) -> Report:
    """Play best-first minimax against alpha-beta."""
    return play_figure(FIGURE_4, work)


def figure_5(work: Work) -> Report:
    """Play LCF against best-first minimax."""
    return play_figure(FIGURE_5, work)


Key = tuple[Line, int, int]
"""Who plays, for which b and t."""


def play_figure(figure: Figure, work: Work) -> Report:
    """Play the games of a figure and compare what comes out with what it shows."""
    times = QUICK_TIMES if work.quick else TIMES
    seeds = range(1, work.games + 1)
    keys = [(line, b, t) for line in figure.lines for b in BRANCHING for t in times]

    def one(task: tuple[Key, int]) -> Score:
        ((player, opponent), b, t), seed = task
        start = cn.games.RandomTree(branching=b, depth=DEPTH, seed=seed, kind="utgoff").start()
        return play_pair(start, player.player(b, t, seed), opponent.player(b, t, seed))

    played = work.over(one, [(key, seed) for key in keys for seed in seeds], "pairs of games")
    scores = {
        key: total(played[place * len(seeds) : (place + 1) * len(seeds)]) for place, key in enumerate(keys)
    }
    rows: list[list[Cell]] = []
    shapes: list[bool] = []
    shorter: list[bool] = []
    for line in figure.lines:
        for b in BRANCHING:
            mine = [scores[line, b, t] for t in times]
            shape = None
            if line is figure.lines[0] and b in figure.shape:
                shapes.append(figure.shape[b](mine))
                shorter.append(figure.shape[b](mine[:-1]))
                shape = yes(shapes[-1])
            words = [f"{score.wins}-{score.losses}" for score in mine]
            rows.append([line[0].name, line[1].name, b, *words, shape])
    first, second = figure.lines[0]
    return Report(
        title=f"{first.name} against {second.name}, {2 * work.games} random-tree games a point",
        paper=f"{PAPER}, Section 5.1, Figure {figure.number}",
        columns=["player", "opponent", "b", *(f"{t:,}" for t in times), "shape"],
        rows=rows,
        agrees=all(shapes),
        draw=lambda axes: draw(axes, figure.lines, times, scores),
        convention=[
            f"Random-tree games of {DEPTH} moves, {work.games} pairs for each b and t: the same game twice, "
            "each player beginning once. Cells are the player's wins and losses; "
            f"{sum(score.draws for score in scores.values())} games of all were drawn. Max wins if the value "
            "at the end is above 0.",
            "The columns are artificial time t for a move: 1 for every node looked at on the way down and "
            f"up, {GENERATION_COST} for every node generated; an update of all swings 1 for every node. "
            "An expansion begins while time is left. Nothing is kept between moves.",
            "LCF: ties at random, by the game's seed. BFMM: best-first minimax. AB: alpha-beta to the "
            "greatest depth k with b^(0.75 k) nodes within the time, static order of moves, never stopped.",
        ],
        notes=[
            "The paper shows curves without numbers, and its times cannot be read from the text, which says: "
            + "; ".join(f"b = {b}, {said}" for b, said in figure.said.items())
            + f". Of these {len(shapes)} shapes {sum(shapes)} come out. Small t are the two smallest here; "
            "nearly all games are 95 percent of the points, ahead is more than half of them.",
            "The greatest t, and that small means the two smallest, were chosen after a first look at ten "
            f"pairs for each point. Without the greatest t, {sum(shorter)} of the shapes come out.",
            *extra_notes(figure, times),
        ],
        seeds=f"seeds 1 to {work.games}",
    )


def extra_notes(figure: Figure, times: tuple[int, ...]) -> list[str]:
    """Return what is to be said of players that not all figures have."""
    kinds = {kind for line in figure.lines for kind in line}
    notes = []
    if AB in kinds:
        depths = (f"b = {b}: {', '.join(str(alpha_beta_depth(b, t)) for t in times)}" for b in BRANCHING)
        notes.append(
            f"Depths of alpha-beta, for rising t: {'; '.join(depths)}. In the paper's "
            "figures alpha-beta loses nearly all games at large t; the lines with one ply show how shallow "
            "it would have to be for that."
        )
    if BEST in kinds:
        notes.append(
            "The best variant is this package's, not the paper's: having the move is worth something at the "
            "leaves, and the best move and the others are looked into by turns."
        )
    return notes


def draw(axes: Axes, lines: tuple[Line, ...], times: tuple[int, ...], scores: dict[Key, Score]) -> None:
    """Draw the part of the points against the time, one line for each branching factor."""
    for line, style in zip(lines, ("o-", "s:", "^--"), strict=False):
        for colour, b in enumerate(BRANCHING):
            mine = [scores[line, b, t] for t in times]
            main = line is lines[0]
            axes.errorbar(
                times,
                [score.points for score in mine],
                [2 * score.error for score in mine] if main else None,
                fmt=style,
                mfc=f"C{colour}" if main else "white",
                color=f"C{colour}",
                markersize=4,
                linewidth=1,
                capsize=2,
                label=f"{line[0].name} against {line[1].name}, b = {b}",
            )
    axes.axhline(0.5, color="grey", linewidth=0.8)
    axes.set_ylim(-0.02, 1.3)
    axes.set_yticks([0, 0.25, 0.5, 0.75, 1])
    axes.set(xscale="log", xlabel="artificial time for a move", ylabel="points (bars: 2 standard errors)")
    axes.legend(frameon=False, fontsize=6, ncols=len(lines), loc="upper center")
