"""`conspirator match`: players against each other, ratings, and what is kept of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

import conspirator as cn
from conspirator._budget import WRITTEN
from conspirator.cli.match_table import MatchTable, print_match
from conspirator.cli.names import EXPLICIT_TREE, complete_game, complete_player
from conspirator.cli.progress import output_to_ourselves
from conspirator.cli.request import budget_options, examples, game_option, read_budget
from conspirator.cli.show import make_console
from conspirator.cli.user_game import is_user_game, load_game
from conspirator.cli.values import read_count, read_number
from conspirator.matches import Adjudication, MatchResult, Sprt, Store
from conspirator.matches.export import export
from conspirator.matches.plan import SCHEDULES

_File = click.Path(path_type=Path)


class _DefaultRun(click.Group):
    """A group whose command is `run`, unless another one is named."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and args[0] not in self.commands and args[0] not in ("-h", "--help"):
            args = ["run", *args]
        return super().parse_args(ctx, args)


@click.group(
    cls=_DefaultRun,
    invoke_without_command=True,
    short_help="Let players play each other, and rate them.",
    epilog=examples(
        "conspirator match connect-four best-first:expansions=100 alpha-beta:nodes=1k --games 10",
        "conspirator match run --help",
    ),
)
@click.pass_context
def match(context: click.Context) -> None:
    """Let players play each other, rate them, and look at the games.

    `conspirator match GAME PLAYER PLAYER ...` is short for `conspirator match run ...`.
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


@match.command(
    short_help="Play a match, or go on with it.",
    epilog=examples(
        "conspirator match connect-four best-first:expansions=100 alpha-beta:nodes=1k --games 10",
        "conspirator match hex --game-option size=4 A=best-first:nodes=50 B=best-first:nodes=200 --plies 1",
        "conspirator match connect-four New=alpha-beta:nodes=2k Old=alpha-beta:nodes=500 --sprt 0,50",
        "conspirator match connect-four best-first:nodes=99 best-first:nodes=999 --games 4 --store games.db",
        "conspirator match hex --game-option size=4 network anchored --seconds 0.01 --games 2 --plies 1",
    ),
)
@click.argument("game", shell_complete=complete_game)
@click.argument("players", nargs=-1, required=True, metavar="PLAYER...", shell_complete=complete_player)
@game_option
@click.option(
    "--plies", type=int, default=2, show_default=True, help="Openings: all positions after this many moves."
)
@click.option("--openings", type=_File, metavar="FILE", help="Openings: one position a line.")
@click.option(
    "--balanced", type=float, metavar="X", help="Only openings that the judge values within X of a draw."
)
@click.option("--judge", metavar="PLAYER", help="The player that judges openings.")
@budget_options("Budget for a move of players without their own budget: time.")
@click.option(
    "--games", callback=read_count, metavar="N", help="Games of each pairing; all openings by default."
)
@click.option(
    "--schedule",
    type=click.Choice(SCHEDULES),
    default="round-robin",
    show_default=True,
    help="All against all, or the first against the others.",
)
@click.option("--seed", type=int, default=1, show_default=True, help="Seed for everything random.")
@click.option("--max-plies", callback=read_count, metavar="N", help="A game is a draw after N moves.")
@click.option(
    "--adjudicate",
    metavar="X,N",
    help="A game is won once both players see a value X beyond a draw for N moves in a row.",
)
@click.option("--proven", is_flag=True, help="A game ends once a search has proven its value.")
@click.option(
    "--forfeits", is_flag=True, help="An engine that fails loses the game; otherwise the match ends."
)
@click.option(
    "--sprt",
    metavar="ELO0,ELO1[,ALPHA,BETA]",
    help="Stop as soon as a test has decided between ELO0 and ELO1.",
)
@click.option(
    "--concurrency", callback=read_count, default="1", show_default=True, metavar="N", help="Processes."
)
@click.option("--on", metavar="CLUSTER", help="Play on a cluster: ray, or ray://HOST:PORT.")
@click.option("--store", type=_File, metavar="FILE", help="Keep the games in a file, and continue from it.")
@click.option(
    "--rescue", type=_File, metavar="FILE", help="Take over the games of a damaged file of this match."
)
@click.option("--quiet", is_flag=True, help="No table during the match.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object and nothing else.")
def run(
    game: str,
    players: tuple[str, ...],
    game_options: dict[str, Any],
    max_plies: int | None,
    adjudicate: str | None,
    proven: bool,
    forfeits: bool,
    sprt: str | None,
    quiet: bool,
    as_json: bool,
    **options: Any,
) -> None:
    """Let players play each other, from many openings with colours swapped, and rate them.

    A PLAYER is one of the game's players (see conspirator players), or a search with its parameters and its
    budget for a move, such as best-first:expansions=1000 or alpha-beta:table=true,seconds=0.1, with Name=
    before it if you like. An engine of another kind is
    uci:COMMAND or gtp:COMMAND, or with settings uci:seconds=0.1,Hash=16,command=COMMAND.

    With --store, every game is kept as soon as it ends. The same command goes on where it was stopped, and
    several processes may share the file.
    """
    value, plies = _numbers("--adjudicate", adjudicate, 2) or (None, 4)
    if not isinstance(plies, int):
        raise click.UsageError(f"--adjudicate X,N: {plies} is not a whole number of moves")
    test = _numbers("--sprt", sprt, 2, 3, 4)
    budget = read_budget(options)
    options = {name: value for name, value in options.items() if name not in WRITTEN}
    with output_to_ourselves(options["on"]), MatchTable(wanted=not (quiet or as_json)) as table:
        result = cn.match(
            players,
            make_game(game, game_options),
            typed=(game, game_options),
            adjudication=Adjudication(max_plies, value, plies, proven, forfeits),
            sprt=None if test is None else Sprt(*test),
            budget=budget if budget.given() else None,
            progress=table,
            **options,
        )
    _show(result, as_json)


@match.command(
    short_help="How a match stands, from its file.",
    epilog=examples("conspirator match show games.db", "conspirator match show games.db --json"),
)
@click.argument("file", type=_File)
@click.option("--json", "as_json", is_flag=True, help="One JSON object and nothing else.")
def show(file: Path, as_json: bool) -> None:
    """Print the table of a match, finished or not."""
    with Store.open(file) as store:
        _show(MatchResult.read(store), as_json)


@match.command(
    name="export",
    short_help="The games as CSV, Parquet, PGN or SGF.",
    epilog=examples(
        "conspirator match export games.db games.csv", "conspirator match export games.db games.pgn"
    ),
)
@click.argument("file", type=_File)
@click.argument("out", type=_File)
def export_(file: Path, out: Path) -> None:
    """Write the games of FILE to OUT; its ending says how: .csv, .parquet, .pgn, .sgf."""
    with Store.open(file) as store:
        count = export(MatchResult.read(store), out)
    click.echo(f"written: {out}, {count} games")


@match.command(
    short_help="One HTML page with tables, ratings and all games.",
    epilog=examples(
        "conspirator match report games.db", "conspirator match report games.db --out match.html"
    ),
)
@click.argument("file", type=_File)
@click.option("--out", type=_File, metavar="FILE", help="Where; else beside FILE, as .html.")
def report(file: Path, out: Path | None) -> None:
    """Write one HTML page that needs nothing else: crosstable, ratings, a figure, and a viewer of games."""
    from conspirator.matches.report import write_report

    with Store.open(file) as store:
        result = MatchResult.read(store)
    click.echo(
        f"written: {write_report(result, out or file.with_suffix('.html'), game_of(result.definition))}"
    )


def make_game(name: str, options: dict[str, Any]) -> Any:
    """Return the game that the user means."""
    if is_user_game(name):
        return load_game(name, options)
    if name == EXPLICIT_TREE:
        raise click.UsageError(f"{EXPLICIT_TREE} is for other commands: a match needs a game with a name")
    return cn.games.make(name, **options)


def game_of(definition: dict[str, Any]) -> Any:
    """Return the game of a match that was kept, or None if it cannot be made here."""
    try:
        return make_game(definition["game"], definition["game options"])
    except (cn.ConspiratorError, click.ClickException, ImportError):
        return None


def _show(result: MatchResult, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps(result.to_dict(), indent=2))
    else:
        print_match(result, make_console())


def _numbers(option: str, text: str | None, *counts: int) -> list[Any] | None:
    """Read numbers with commas in between."""
    if text is None:
        return None
    numbers = [read_number(word.strip()) for word in text.split(",")]
    if None in numbers or len(numbers) not in counts:
        raise click.UsageError(
            f"{option} takes {' or '.join(map(str, counts))} numbers with commas, not {text!r}"
        )
    return numbers
