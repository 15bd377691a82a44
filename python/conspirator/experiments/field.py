"""One great round robin: every search that can play, in ten games, at equal CPU time.

Each of the papers compares two or three searches in one game. Here all players of a game have the same
evaluator and the same CPU time for a move (the budget `cpu_seconds`), and begin from the same balanced
openings, each twice with colours exchanged. Games are given to the pairs of players that tell most, as
`conspirator.matches.informative` explains.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from hashlib import blake2b
from importlib.util import find_spec
from json import dumps
from typing import TYPE_CHECKING

from conspirator._errors import ArgumentError
from conspirator.experiments.field_players import ARENAS, Arena, entrants
from conspirator.experiments.report import Cell, Report
from conspirator.experiments.work import Work
from conspirator.matches.games import Adjudication, is_forfeit
from conspirator.matches.informative import Informative
from conspirator.matches.plan import Plan, make_plan
from conspirator.matches.ratings import NORMAL_95, rate
from conspirator.matches.run import run
from conspirator.matches.scores import Score, total
from conspirator.matches.standings import MatchResult, Standings
from conspirator.matches.store import Store

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TIMES = (0.01, 0.1)
"""CPU seconds for a move."""
QUICK_TIMES = (0.001,)
QUICK_ARENAS = ("connect-four", "amazons 6x6")
"""For a quick look."""
ROUNDS = 4
"""All games and times get a part of their CPU time in turn, so often: who stops early has some of each."""
OPENINGS = 40
MOST_GAMES = 400
"""Of two players in one game at one time."""
QUICK_OPENINGS = 4
SEED = 1
ALL = "all"
"""What the tables call all games and times together."""

COLUMNS = ["game", "ms a move", "player", "Elo", "95 %", "games", "wins", "losses", "draws", "points"]


@dataclass
class Contest:
    """One game at one time: who plays, and the store of its games."""

    arena: Arena
    seconds: float
    plan: Plan
    store: Store
    left_out: Mapping[str, str]
    result: MatchResult | None = field(default=None)

    @property
    def title(self) -> str:
        """What to call it."""
        return f"{self.arena.name}, {1000 * self.seconds:g} ms"


def play(work: Work) -> Report:
    """Play until the CPU time is spent, or until Ctrl-C, and rate all players."""
    times = (work.seconds,) if work.seconds else QUICK_TIMES if work.quick else TIMES
    arenas, absent = find_arenas(work)
    contests: list[Contest] = []
    stopped = False
    with ExitStack() as stack:
        try:
            for arena in arenas:
                work.tell(0.0, f"openings of {arena.name}")
                openings = arena.openings(QUICK_OPENINGS if work.quick else OPENINGS, SEED)
                for seconds in times:
                    contest = open_contest(arena, seconds, openings, work)
                    stack.callback(contest.store.close)
                    contests.append(contest)
            share = 3600 * work.hours / len(contests)
            for part in range(1, ROUNDS + 1):
                for place, contest in enumerate(contests):
                    before = (part - 1 + place / len(contests)) / ROUNDS
                    advance(contest, share * part / ROUNDS, work, before)
        except KeyboardInterrupt:
            stopped = True
        for contest in contests:
            contest.result = MatchResult.read(contest.store)
    played = [contest for contest in contests if contest.result is not None and contest.result.games]
    if not played:
        raise KeyboardInterrupt  # before the first game had ended
    report = report_of(played, contests, absent, stopped, work)
    if work.folder is not None:
        (work.folder / "field.md").write_text(markdown(report.columns, report.texts()), encoding="utf-8")
    return report


def open_contest(arena: Arena, seconds: float, openings: list[str], work: Work) -> Contest:
    """Return a contest with an open store, where all its games are planned."""
    players, left_out = entrants(arena, seconds)
    plan = make_plan(
        players,
        arena.made,
        typed=(arena.game, dict(arena.options)) if arena.is_open_spiel else None,
        plies=arena.plies,
        openings=openings,
        balanced=None,
        judge=None,
        games=MOST_GAMES,
        schedule="round-robin",
        seed=SEED,
        adjudication=Adjudication(max_plies=arena.longest, forfeits=True),
        sprt=None,
        budget=None,
    )
    mark = blake2b(dumps(plan.definition).encode(), digest_size=4).hexdigest()  # other players, another file
    name = f"field-{arena.name.replace(' ', '-')}-{1000 * seconds:g}ms-{mark}.db"
    store = Store(None if work.folder is None else work.folder / name)
    store.begin(plan)
    return Contest(arena, seconds, plan, store, left_out)


def find_arenas(work: Work) -> tuple[list[Arena], list[str]]:
    """Return the games to play, and the names of those that cannot be played here."""
    for name in work.only:
        if name not in ARENAS:
            raise ArgumentError(f"the field has no game {name!r}; there are {', '.join(ARENAS)}")
    names = work.only or (QUICK_ARENAS if work.quick else tuple(ARENAS))
    wanted = [ARENAS[name] for name in names]
    there = find_spec("pyspiel") is not None
    found = [arena for arena in wanted if there or not arena.is_open_spiel]
    if not found:
        raise ArgumentError("these games need OpenSpiel: pip install open_spiel")
    return found, [arena.name for arena in wanted if arena not in found]


def advance(contest: Contest, seconds: float, work: Work, before: float) -> None:
    """Play until a contest has spent so many CPU seconds."""
    chooser = Informative(contest.store, seconds, contest.seconds)

    def progress(standings: Standings) -> None:
        part = min(1.0, max(0.0, chooser.spent) / seconds)
        work.tell(min(1.0, before + part / ROUNDS), f"{contest.title}: {len(standings.results):,} games")

    run(contest.plan, contest.store, work.processes, work.on, progress, chooser.claim)


@dataclass
class Rated:
    """A player in one table, or in several: its rating, the variance of the rating, and its score."""

    name: str
    elo: float
    variance: float
    score: Score

    def row(self, game: str, time: str) -> list[Cell]:
        """Return the line of the table."""
        s, half = self.score, NORMAL_95 * self.variance**0.5
        counts: list[Cell] = [s.games, s.wins, s.losses, s.draws, round(s.points, 3)]
        return [game, time, self.name, round(self.elo), round(half), *counts]


def rated(names: Sequence[str], scores: Mapping[tuple[int, int], Score]) -> tuple[list[Rated], bool]:
    """Return the players of one table, the strongest first, and whether virtual games were added.

    Those who have not played are left out.

    >>> rated(["A", "B"], {(0, 1): Score(20, 10, 6)})[0][0].row("nim", "10")
    ['nim', '10', 'A', 60, 66, 36, 20, 10, 6, 0.639]
    """
    found = rate(len(names), scores)
    players = []
    for place, name in enumerate(names):
        mine = total(s if pair[0] == place else -s for pair, s in scores.items() if place in pair)
        if mine.games:
            players.append(Rated(name, found.elo[place], found.covariance[place][place], mine))
    return sorted(players, key=lambda player: -player.elo), found.bounded


def means(tables: Sequence[Sequence[Rated]]) -> list[Rated]:
    """Return the mean rating of each player over the tables that it is in, the strongest first.

    The games of all tables must not be rated together: in every game the pairs that are near each other play
    most, and they are other pairs in another game, so that all would seem near each other.

    >>> one, two = ([Rated("A", elo, 100.0, Score(1, 1))] for elo in (10.0, 30.0))
    >>> means([one, two])
    [Rated(name='A', elo=20.0, variance=50.0, score=Score(wins=2, losses=2, draws=0))]
    """
    every: dict[str, list[Rated]] = {}
    for player in (player for players in tables for player in players):
        every.setdefault(player.name, []).append(player)
    found = [
        Rated(
            name,
            sum(one.elo for one in mine) / len(mine),
            sum(one.variance for one in mine) / len(mine) ** 2,
            total(one.score for one in mine),
        )
        for name, mine in every.items()
    ]
    return sorted(found, key=lambda player: -player.elo)


def report_of(
    played: list[Contest], contests: list[Contest], absent: list[str], stopped: bool, work: Work
) -> Report:
    """Return all tables: over all games and times, and each by itself."""
    results = [contest.result for contest in played if contest.result is not None]
    tables: list[list[Rated]] = []
    rows: list[list[Cell]] = []
    bounded = False
    for contest, result in zip(played, results, strict=True):
        players, virtual = rated(result.names, result.pairs())
        bounded = bounded or virtual
        tables.append(players)
        rows += [player.row(contest.arena.name, f"{1000 * contest.seconds:g}") for player in players]
    whole = [player.row(ALL, ALL) for player in means(tables)]
    rows = whole + rows
    games = sum(result.games for result in results)
    forfeits = [record for result in results for record in result.records if is_forfeit(record.reason)]
    evaluators = dict.fromkeys(f"{c.arena.name}: {c.arena.evaluator or 'random games'}" for c in contests)
    notes = [f"Left out: {name}: {why}." for name, why in reasons(contests).items()]
    if absent:
        notes.append(f"Not played, because OpenSpiel is not installed: {', '.join(absent)}.")
    if bounded:
        notes.append(
            "Some won or lost all their games of a table: half a virtual win and loss bound their ratings."
        )
    if stopped:
        notes.append("The run was stopped: the same command, with the same --out, goes on from here.")
    return Report(
        title=f"The field: {len(whole)} players, {len(played)} tables, {games:,} games",
        paper="No paper has such a table; the searches are those of the papers",
        columns=COLUMNS,
        rows=rows,
        agrees=not forfeits and not stopped and len(played) == len(contests),
        reference="its plan: every game was played at every time, and nobody failed to move",
        draw=lambda axes: draw(axes, whole),
        convention=[
            "Equal CPU time: every player has the budget cpu_seconds for a move, on one thread, and keeps "
            f"nothing between moves. Games at a time: {work.processes}.",
            f"All players of a game have the same evaluator: {'; '.join(evaluators)}.",
            "Openings are random moves that a short search finds balanced; from each, both players of a pair "
            "begin once. The next game is between the two players whose game tells most.",
            f"{work.hours:g} CPU hours, the same for each game and time: the sum of the times of all "
            "moves, where none counts for more than its budget.",
            "Elo by maximum likelihood, mean 0, with intervals of 95 percent. The table over all games has "
            "the means of a player's ratings in the others, which count the same.",
        ],
        notes=notes,
        stopped=stopped,
        seeds=f"openings and searches: seed {SEED}",
    )


def reasons(contests: Iterable[Contest]) -> dict[str, str]:
    """Return who is left out, with the games if it is not all of them, and why."""
    found: dict[tuple[str, str], list[str]] = {}
    contests = list(contests)
    for contest in contests:
        for name, why in contest.left_out.items():
            games = found.setdefault((name, why), [])
            games += [contest.arena.name] if contest.arena.name not in games else []
    every = len({contest.arena.name for contest in contests})
    return {
        name if len(games) == every else f"{name} in {', '.join(games)}": why.rstrip(".")
        for (name, why), games in found.items()
    }


def markdown(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table for Markdown.

    >>> print(markdown(["a", "b"], [["1", "2"]]), end="")
    | a | b |
    |---|---|
    | 1 | 2 |
    """
    lines = [columns, *rows]
    texts = [f"| {' | '.join(line)} |" for line in lines]
    return "\n".join([texts[0], "|" + "---|" * len(columns), *texts[1:]]) + "\n"


def draw(axes: Axes, rows: Sequence[Sequence[Cell]]) -> None:
    """Draw the mean ratings over all games, with their intervals."""
    names = [str(row[2]) for row in reversed(rows)]
    elo, half = ([float(str(row[place])) for row in reversed(rows)] for place in (3, 4))
    axes.errorbar(elo, range(len(names)), xerr=half, fmt="o", markersize=4, linewidth=1, capsize=2)
    axes.set_yticks(range(len(names)), names, fontsize=7)
    axes.axvline(0, color="grey", linewidth=0.8)
    axes.set(xlabel="mean Elo over all games, 95 percent")
