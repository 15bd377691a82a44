"""The tournaments of Utgoff and Cochran, "A least-certainty heuristic for selective search": Tables 1 and 2.

Amazons and Othello between least-certainty search (LCF), best-first minimax (BFMM) and alpha-beta (AB), at
four times for a game.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import conspirator as cn
from conspirator._players import Player
from conspirator.experiments.report import Cell, Mean, Report, draw_points, yes
from conspirator.experiments.utgoff_2001 import LCF, PAPER
from conspirator.experiments.work import Work
from conspirator.matches.games import play_pair
from conspirator.matches.openings import after_plies
from conspirator.matches.scores import Score, total

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MINUTE = 0.001
"""CPU seconds for a move that stand for a minute of the paper's for a game."""
QUICK_MINUTE = 0.0001
"""The same for a quick look."""

KINDS: dict[str, tuple[str, dict[str, Any]]] = {
    "LCF": (LCF, {"variant": "published"}),
    "LCF, best": (LCF, {"variant": "best"}),
    "BFMM": ("best-first", {}),
    "AB": ("alpha-beta", {}),
}
"""The players: a search and its parameters."""

Pair = tuple[str, str]
"""A player and its opponent."""
PAIRS: tuple[Pair, ...] = (
    ("LCF", "BFMM"),
    ("LCF", "AB"),
    ("BFMM", "AB"),
    ("LCF, best", "BFMM"),
    ("LCF, best", "AB"),
)
"""The paper's, and the same with the variant of this package."""


@dataclass(frozen=True)
class Tournament:
    """One of the paper's tables."""

    number: int
    game: Any
    rules: str
    """What is to be said of the game."""
    opening: int
    """Random moves before the players begin."""
    minutes: tuple[int, ...]
    """The times for a game."""
    published: Mapping[tuple[Pair, int], Score]
    """The published scores by pair and time."""
    said: str
    """What the text says beside the table."""
    evaluator: str | None = None
    """The evaluator of all players; None: the usual one."""


def scores(pair: Pair, minutes: tuple[int, ...], *results: tuple[int, int]) -> dict[tuple[Pair, int], Score]:
    """Return the published scores of a pair, from the wins of both sides at each time."""
    return {(pair, time): Score(wins, losses) for time, (wins, losses) in zip(minutes, results, strict=True)}


AMAZONS_MINUTES = (5, 10, 20, 30)
AMAZONS = Tournament(
    1,
    cn.games.Amazons(size=10),
    "Amazons on 10 x 10 squares; of every position the ten best moves by static value are kept, for all",
    4,
    AMAZONS_MINUTES,
    scores(("LCF", "BFMM"), AMAZONS_MINUTES, (0, 2), (0, 2), (0, 2), (2, 0))
    | scores(("LCF", "AB"), AMAZONS_MINUTES, (2, 0), (0, 2), (1, 1), (0, 2))
    | scores(("BFMM", "AB"), AMAZONS_MINUTES, (1, 1), (1, 1), (0, 2), (1, 1)),
    "LCF is weaker than BFMM, and AB is not dominated by either",
    "territory(width=10)",
)
OTHELLO_MINUTES = (1, 10, 30, 60)
OTHELLO = Tournament(
    2,
    cn.games.Othello(),
    "Othello",
    6,
    OTHELLO_MINUTES,
    scores(("LCF", "BFMM"), OTHELLO_MINUTES, (5, 5), (8, 2), (3, 7), (5, 4))
    | {(("LCF", "AB"), 1): Score(2, 8)},
    "LCF and BFMM appear to be of equal strength; with more than a minute LCF lost all games to AB",
)


def amazons(work: Work) -> Report:
    """Play Table 1."""
    return play_tournament(AMAZONS, work)


def othello(work: Work) -> Report:
    """Play Table 2."""
    return play_tournament(OTHELLO, work)


Key = tuple[Pair, int]
"""Who plays, and the paper's minutes for a game."""


def play_tournament(tournament: Tournament, work: Work) -> Report:
    """Play all pairs at all times, and compare the scores with the published ones."""
    minute = work.seconds or (QUICK_MINUTE if work.quick else MINUTE)
    starts = [
        opening.position(tournament.game)
        for opening in after_plies(tournament.game, tournament.opening, work.games)
    ]
    keys: list[Key] = [(pair, minutes) for pair in PAIRS for minutes in tournament.minutes]

    def one(task: tuple[Key, int]) -> Score:
        ((name, opponent), minutes), seed = task
        seconds = minutes * minute
        mine, theirs = (player(who, seconds, seed, tournament.evaluator) for who in (name, opponent))
        return play_pair(starts[seed], mine, theirs)

    tasks = [(key, seed) for key in keys for seed in range(len(starts))]
    played = work.over(one, tasks, "pairs of games")
    ours = {
        key: total(played[place * len(starts) : (place + 1) * len(starts)]) for place, key in enumerate(keys)
    }
    sums = {pair: total(ours[pair, minutes] for minutes in tournament.minutes) for pair in PAIRS}
    # the published samples are small: a sum agrees if the difference is within the errors of both
    agreement: dict[Pair, bool] = {}
    rows: list[list[Cell]] = []
    for pair in PAIRS:
        known = {minutes: tournament.published.get((pair, minutes)) for minutes in tournament.minutes}
        theirs = [score for score in known.values() if score is not None]
        if theirs:
            mine = total(ours[pair, minutes] for minutes, score in known.items() if score is not None)
            agreement[pair] = within(total(theirs), mine)
        rows.append(
            [
                *pair,
                *(words(ours[pair, minutes], score) for minutes, score in known.items()),
                str(sums[pair]),
                Mean(round(sums[pair].points, 3), round(sums[pair].error, 3)),
                str(total(theirs)) if theirs else None,
                yes(agreement[pair]) if theirs else None,
            ]
        )
    published_games = total(tournament.published.values()).games
    return Report(
        title=f"{tournament.rules.split()[0]}: LCF, BFMM and AB, {total(sums.values()).games:,} games",
        paper=f"{PAPER}, Section 5.{tournament.number + 1}, Table {tournament.number}",
        columns=[
            "player",
            "opponent",
            *(f"{minutes} min" for minutes in tournament.minutes),
            "sum",
            "points",
            "paper's sum",
            "agrees",
        ],
        rows=rows,
        agrees=all(agreement.values()),
        draw=lambda axes: draw(axes, tournament, ours),
        convention=[
            f"{tournament.rules}. {len(starts)} openings of {tournament.opening} random moves; from "
            "each, both players begin once. Scores are wins, losses and draws of the player; the paper's "
            "are in brackets.",
            f"A minute of the paper's for a game is {1000 * minute:g} ms of CPU time for a move here. "
            "Nothing is kept between moves.",
            "LCF: ties at random. BFMM: best-first minimax. AB: iterative deepening from two plies, static "
            "order of moves. LCF, best: this package's variant. All have the same static values.",
            "Agreement: the sum of a pair's points at the times that the paper has is within two standard "
            "errors of the difference of both samples.",
        ],
        notes=[
            f"The paper has {published_games} games in all, so its scores are wide. It says: "
            f"{tournament.said}.",
            f"Games by time depend on the machine; up to {work.processes} were played at once.",
        ],
        seeds=f"random openings, seed 1; LCF's seeds 0 to {len(starts) - 1}",
    )


def player(name: str, seconds: float, seed: int, evaluator: str | None) -> Player:
    """Return a player that has so much time for a move."""
    search, parameters = KINDS[name]
    seeds: dict[str, Any] = {"seed": seed} if search == LCF else {}
    return Player(search, name=name, evaluator=evaluator, cpu_seconds=seconds, **parameters, **seeds)


def words(ours: Score, published: Score | None) -> str:
    """Return a score, with the paper's in brackets.

    >>> words(Score(3, 1), Score(2, 0)), words(Score(3, 1), None)
    ('3-1-0 (2-0-0)', '3-1-0')
    """
    return f"{ours} ({published})" if published else f"{ours}"


def within(one: Score, other: Score) -> bool:
    """Tell whether the points of two samples are within two standard errors of each other.

    A sample that is all wins or all losses has no error of its own: one more game of each kind is added.

    >>> within(Score(2, 6), Score(50, 50)), within(Score(2, 6), Score(95, 5))
    (True, False)
    """
    spread = sum((score + Score(1, 1)).error ** 2 for score in (one, other))
    return bool(abs(one.points - other.points) <= 2 * spread**0.5)


def draw(axes: Axes, tournament: Tournament, ours: Mapping[Key, Score]) -> None:
    """Draw the points of each pair against the time."""
    for colour, pair in enumerate(PAIRS):
        mine = [ours[pair, minutes] for minutes in tournament.minutes]
        with_errors = [(score.points, score.error) for score in mine]
        draw_points(axes, tournament.minutes, with_errors, f"C{colour}", f"{pair[0]} against {pair[1]}")
        known = [minutes for minutes in tournament.minutes if (pair, minutes) in tournament.published]
        points = [tournament.published[pair, minutes].points for minutes in known]
        axes.plot(known, points, "x", color=f"C{colour}")
    axes.axhline(0.5, color="grey", linewidth=0.8)
    axes.set_ylim(-0.02, 1.3)
    axes.set_yticks([0, 0.25, 0.5, 0.75, 1])
    axes.set(xscale="log", xlabel="minutes for a game, scaled", ylabel="points (crosses: the paper's)")
    axes.legend(frameon=False, fontsize=7, ncols=2, loc="upper center")
