"""The table of a match: while it goes on, with a bar, and at its end."""

from __future__ import annotations

from time import monotonic
from types import TracebackType

from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from conspirator.cli.words import say_value
from conspirator.matches import MatchResult, Standings

_PAUSE = 0.5
"""Seconds between two tables: ratings take time too."""


class MatchTable:
    """A progress function for `cn.match`, and the table that it keeps up to date on the error stream.

    Use it as a context manager; what `with` gives is the function, or None if nobody would see the table.
    """

    def __init__(self, *, wanted: bool) -> None:
        self._console = Console(stderr=True)
        self._shown = wanted and self._console.is_terminal
        self._last = 0.0
        self._bar = Progress(
            BarColumn(30),
            MofNCompleteColumn(),
            TextColumn("games"),
            TimeRemainingColumn(),
            TextColumn("left"),
        )
        self._task = self._bar.add_task("")
        self._live = Live(console=self._console, transient=True, auto_refresh=False)

    def __enter__(self) -> MatchTable | None:
        if not self._shown:
            return None
        self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._shown:
            self._live.stop()

    def __call__(self, standings: Standings) -> None:
        """Show how it stands, if the last time is long ago."""
        if monotonic() - self._last < _PAUSE:
            return
        self._last = monotonic()
        self._bar.update(self._task, completed=len(standings.results), total=standings.planned)
        self._live.update(Group(table_of(standings), *_test(standings), self._bar), refresh=True)


def print_match(result: MatchResult, console: Console) -> None:
    """Print a match: the table, the scores of all pairs, the test."""
    count = f"{result.games:,} games"
    if result.games < result.planned:
        count += f" of {result.planned:,}"
    console.print(Text(f"{result.definition['game']}, {count}", style="bold"))
    console.print(table_of(result))
    if len(result.names) > 2:
        console.print()
        console.print(crosstable_of(result))
    for line in _test(result):
        console.print()
        console.print(line)
    if result.rating_note:
        console.print(Text(result.rating_note, style="dim"))


def table_of(standings: Standings) -> Table:
    """Return the table of players, the strongest first."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("player", overflow="fold")
    for header in ("Elo", "± 95 %", "games", "wins", "losses", "draws", "points"):
        table.add_column(header, justify="right", no_wrap=True)
    for row in standings.rows():
        score = row.score
        counts = [f"{count:,}" for count in (score.games, score.wins, score.losses, score.draws)]
        points = f"{100 * score.points:.1f} %" if score.games else ""
        elo = Text(f"{round(row.elo):+d}", style="bold")
        table.add_row(Text(row.name), elo, f"{row.interval:.0f}", *counts, points)
    return table


def crosstable_of(result: MatchResult) -> Table:
    """Return the scores of all pairs, and how likely it is that the player of the row is the stronger one."""
    order = [row.place for row in result.rows()]
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("wins-losses-draws, likelihood of superiority", overflow="fold")
    for place in order:
        table.add_column(Text(result.names[place]), justify="right", overflow="fold")
    for one in order:
        cells = [Text(result.names[one])]
        for other in order:
            score = result.score(result.names[one], result.names[other]) if one != other else None
            if score is None or not score.games:
                cells.append(Text("", style="dim"))
                continue
            superiority = result.superiority(result.names[one], result.names[other])
            cells.append(Text(f"{score}  {100 * superiority:.0f} %"))
        table.add_row(*cells)
    return table


def _test(standings: Standings) -> list[Text]:
    verdict, test = standings.verdict, standings.sprt
    if verdict is None or test is None:
        return []
    low, high = test.bounds
    line = Text(
        f"test: Elo {say_value(test.elo0)} or {say_value(test.elo1)}; "
        f"log likelihood ratio {verdict.ratio:+.2f} of {low:.2f} to {high:.2f}"
    )
    if verdict.accepted is not None:
        elo = getattr(test, verdict.accepted)
        line.append(f"; accepted: {say_value(elo)}, after {verdict.pairs} pairs", style="bold")
    return [line]
