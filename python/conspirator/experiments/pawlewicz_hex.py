"""The tournament of Pawlewicz and Hayward, "Sibling conspiracy number search", Section 4, Figure 11: Hex.

DeepHex (sibling conspiracy), Wolve (alpha-beta) and MoHex (Monte Carlo) at five times for a move, everybody
against everybody. Here it is played by this package's players of the same kinds, and by engines of others
where they are given.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING

import conspirator as cn
from conspirator._players import Player
from conspirator.experiments.report import Cell, Mean, Report, draw_points, yes
from conspirator.experiments.work import Work
from conspirator.matches.games import Adjudication, is_forfeit
from conspirator.matches.openings import evenly, from_texts
from conspirator.matches.standings import MatchResult, Standings

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PAPER = "J. Pawlewicz and R. Hayward, Sibling conspiracy number search, SoCS 2015"

TIMES = {"30 s": 30, "1 min": 60, "2 min": 120, "4 min": 240, "8 min": 480}
"""The paper's times for a move, in seconds."""
QUICK_TIMES = ("30 s", "8 min")
"""The same for a quick look."""
SECOND = 0.0005
"""CPU seconds that stand for one of the paper's."""
QUICK_SECOND = 0.00002
SIZE, QUICK_SIZE = 11, 6
"""Rows and columns."""

SIBLINGS, ALPHA_BETA, MONTE_CARLO = "siblings", "narrow", "monte-carlo"
KINDS = {SIBLINGS: "DeepHex", ALPHA_BETA: "Wolve", MONTE_CARLO: "MoHex"}
"""Which of our players stand for those of the paper."""

PUBLISHED = {"4 min": 12.0, "8 min": 20.0}
"""How many points of Elo DeepHex is ahead of MoHex, as far as the text tells; behind with less time."""
SHORT = "30 s"
PLACEHOLDER = "{seconds}"
"""What stands for the time of a move in the text of an opponent."""
OURS = cn.players("hex")


def openings(size: int) -> list[str]:
    """Return the paper's openings of one move: two rows at both ends, without the corners of the first.

    >>> len(openings(11)), " ".join(openings(4))
    (40, 'a2 b2 c2 d2 a3 b3 c3 d3 b1 c1 b4 c4')
    """
    letters = [chr(ord("a") + column) for column in range(size)]
    wide = [f"{letter}{row}" for row in (2, size - 1) for letter in letters]
    return wide + [f"{letter}{row}" for row in (1, size) for letter in letters[1:-1]]


@dataclass(frozen=True)
class Version:
    """A player with its time for a move."""

    kind: str
    time: str | None
    """None: an engine that takes the time that it takes."""
    player: Player


def versions(times: Sequence[str], second: float, opponents: Sequence[str]) -> list[Version]:
    """Return all who play: our players of Hex and the opponents, at every time."""
    found = [Version(kind, time, our_player(kind, time, second)) for kind in OURS for time in times]
    for number, text in enumerate(opponents, 1):
        if PLACEHOLDER in text:
            for time in times:
                seconds = TIMES[time] * second
                player = read_opponent(text.replace(PLACEHOLDER, f"{seconds:g}"), number, seconds)
                found.append(Version(player.name, time, player.but(name=f"{player.name} {time}")))
        else:
            player = read_opponent(text, number, max(TIMES.values()) * second)
            found.append(Version(player.name, None, player))
    return found


def our_player(kind: str, time: str, second: float) -> Player:
    """Return one of our players, with so much time for a move.

    >>> our_player("narrow", "8 min", 0.001).budget
    Budget(cpu_seconds=0.48)
    """
    budget = cn.Budget(cpu_seconds=TIMES[time] * second)
    return OURS[kind].but(name=f"{kind} {time}").with_budget(budget)


def read_opponent(text: str, number: int, seconds: float) -> Player:
    """Return an engine from a command, or from a player's text with `gtp:` in it.

    >>> read_opponent("mohex --quiet", 2, 0.5)
    Player.read('engine 2=gtp:seconds=0.5,command=mohex --quiet')
    >>> read_opponent("MoHex=gtp:setup=param_mohex max_time 1,command=mohex", 1, 1).name
    'MoHex'
    """
    if "gtp:" not in text:
        return Player("gtp", name=f"engine {number}", command=text, seconds=seconds)
    player = Player.read(text)
    return player.but(name=f"engine {number}") if player.name == player.spec else player


def tournament(work: Work) -> Report:
    """Play everybody against everybody, and compare the differences with what the paper says."""
    size = QUICK_SIZE if work.quick else SIZE
    second = work.seconds or (QUICK_SECOND if work.quick else SECOND)
    times = list(QUICK_TIMES if work.quick else TIMES)
    players = versions(times, second, work.opponents)
    game = cn.games.make("hex", size=size)
    begun = [str(o.notation) for o in evenly(from_texts(game, openings(size)), work.games)]
    facts = json.dumps([size, second, times, begun, [str(version.player) for version in players]])
    mark = blake2b(facts.encode(), digest_size=4).hexdigest()  # another tournament has another file

    def progress(standings: Standings) -> None:
        done = len(standings.results)
        work.tell(done / standings.planned, f"{done:,} of {standings.planned:,} games")

    result = cn.match(
        [version.player for version in players],
        game,
        openings=begun,
        adjudication=Adjudication(forfeits=True),
        concurrency=work.processes,
        store=None if work.folder is None else work.folder / f"pawlewicz-hex-{mark}.db",
        progress=progress,
    )
    return report(result, players, times, second, work)


def report(
    result: MatchResult, players: list[Version], times: list[str], second: float, work: Work
) -> Report:
    """Return the table: ratings by time, and how far siblings are ahead."""
    place = {(version.kind, version.time): number for number, version in enumerate(players)}
    kinds = list(dict.fromkeys(version.kind for version in players if version.time is not None))
    ahead = {
        (time, other): difference(result, place[SIBLINGS, time], place[other, time])
        for time in times
        for other in (MONTE_CARLO, ALPHA_BETA)
    }
    rows: list[list[Cell]] = []
    agreements = []
    for time in times:
        mohex, wolve = ahead[time, MONTE_CARLO], ahead[time, ALPHA_BETA]
        agreements.append(agrees(time, mohex, wolve))
        rows.append(
            [
                time,
                f"{TIMES[time] * second:g}",
                *(say(rating(result, place[kind, time])) for kind in kinds),
                say(mohex),
                said(time),
                say(wolve),
                "ahead",
                yes(agreements[-1]),
            ]
        )
    size = result.definition["game options"]["size"]
    return Report(
        title=f"Hex {size} x {size}: ratings of {len(players)} players, {result.games:,} games",
        paper=f"{PAPER}, Section 4, Figure 11",
        columns=[
            "paper's time",
            "CPU s",
            *kinds,
            "to monte-carlo",
            "paper: to MoHex",
            "to narrow",
            "paper: to Wolve",
            "agrees",
        ],
        rows=rows,
        agrees=all(agreements) and not any(is_forfeit(record.reason) for record in result.records),
        draw=lambda axes: draw(axes, result, place, kinds, times, second),
        convention=[
            f"Everybody against everybody, at all times, from {len(result.openings)} openings of one move, "
            "each twice with colours exchanged; no swap. Ratings are in Elo, with their standard errors; "
            "their mean is 0. The last columns are how far siblings, and DeepHex, are ahead.",
            f"One second of the paper's is {second:g} s of CPU time here, for a move, on one thread. "
            "Nothing is kept between moves.",
            *(f"{kind} stands for {theirs}." for kind, theirs in KINDS.items()),
            "The others of this package's players for Hex are beside them.",
            "Agreement: siblings is ahead of narrow at every time, behind monte-carlo at 30 s and ahead "
            "of it at 4 and 8 min; what is within two standard errors of that counts. And no game may have "
            "been lost by an engine that failed.",
        ],
        notes=[
            "The paper shows curves without numbers. Its text says: DeepHex is 12 Elo ahead of MoHex at 4 "
            "min and 20 at 8 min, behind with short times, and ahead of Wolve at all; errors are up to 14 "
            "Elo with 80 percent confidence, from 7,560 games.",
            f"The paper counts 36 openings, and its list has {len(openings(SIZE))}: a2 to k2, a10 to k10, "
            "b1 to j1, b11 to j11. All of the list are taken here, or so many of them, evenly chosen.",
            *engines_said(result, players),
            f"Games by time depend on the machine; up to {work.processes} were played at once.",
        ],
        seeds="openings in order; players by time do not repeat their games",
    )


def difference(result: MatchResult, one: int, other: int) -> Mean:
    """Return how far one player is ahead of another."""
    ratings = result.ratings
    return Mean(ratings.elo[one] - ratings.elo[other], ratings.error(one, other))


def rating(result: MatchResult, place: int) -> Mean:
    """Return a player's rating."""
    ratings = result.ratings
    return Mean(ratings.elo[place], ratings.covariance[place][place] ** 0.5)


def say(elo: Mean) -> str:
    """Return a rating or a difference in whole points.

    >>> say(Mean(12.34, 5.6))
    '+12 ± 6'
    """
    return f"{elo.value:+.0f} ± {elo.error:.0f}"


def agrees(time: str, mohex: Mean, wolve: Mean) -> bool:
    """Tell whether the differences at a time are within two standard errors of what the paper says."""
    right = wolve.value > -2 * wolve.error
    if time == SHORT:
        return right and mohex.value < 2 * mohex.error
    return right and (time not in PUBLISHED or mohex.value > -2 * mohex.error)


def said(time: str) -> str | None:
    """Return what the paper says of DeepHex and MoHex at a time.

    >>> said("8 min"), said("30 s"), said("2 min")
    ('+20', 'behind', None)
    """
    return f"{PUBLISHED[time]:+g}" if time in PUBLISHED else "behind" if time == SHORT else None


def engines_said(result: MatchResult, players: list[Version]) -> list[str]:
    """Return what is to be said of engines of others."""
    notes = []
    if any(version.player.command is not None for version in players):
        notes.append("Other engines count time in their own way: clock time or CPU time.")
    failed = Counter(
        result.names[record.min_player if record.points else record.max_player]
        for record in result.records
        if is_forfeit(record.reason)
    )
    if failed:  # such a game says nothing about strength
        names = ", ".join(f"{name} {count}" for name, count in failed.items())
        notes.append(
            f"Games that were lost by an engine that failed, whoever stood better: {names}. Mend it first."
        )
    for place, version in enumerate(players):
        if version.time is None:
            notes.append(f"{version.player.name}, at its own pace: {say(rating(result, place))} Elo.")
    return notes


def draw(
    axes: Axes,
    result: MatchResult,
    place: dict[tuple[str, str | None], int],
    kinds: list[str],
    times: list[str],
    second: float,
) -> None:
    """Draw the ratings against the time."""
    seconds = [TIMES[time] * second for time in times]
    for colour, kind in enumerate(kinds):
        mine = [rating(result, place[kind, time]) for time in times]
        draw_points(axes, seconds, [(mean.value, mean.error) for mean in mine], f"C{colour}", kind)
    axes.set(xscale="log", xlabel="CPU seconds for a move", ylabel="Elo, mean 0 (bars: 2 standard errors)")
    axes.legend(frameon=False, fontsize=8)
