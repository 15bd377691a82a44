"""The command `check`: whether a game of yours keeps the promises that searches rely on."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

import click
from rich.table import Table

import conspirator as cn
from conspirator.cli.request import examples, game_option
from conspirator.cli.show import make_console
from conspirator.cli.user_game import is_user_game, load_game


@click.command(
    epilog=examples(
        "conspirator check examples/tic_tac_toe.py:TicTacToe",
        "conspirator check examples/tic_tac_toe.py:TicTacToe --games 10 --json",
    )
)
@click.argument("game", metavar="FILE.py:CLASS")
@game_option
@click.option("--games", default=100, show_default=True, type=click.IntRange(1), help="Random games to play.")
@click.option("--seed", default=1, show_default=True, help="Which random games.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@click.pass_context
def check(
    context: click.Context, game: str, game_options: dict[str, Any], games: int, seed: int, as_json: bool
) -> None:
    """Test a game written in Python as a search would use it.

    It plays random games and calls every method twice. Do states stay unchanged? Are moves stable, values
    within the range, keys sound, names readable? Then it prints a perft table, to compare with another
    program, and the time of each method. The exit code is 1 if a check fails.
    """
    if not is_user_game(game):
        raise click.UsageError(f"{game!r} is not a game of yours: write path/to/file.py:Class")
    found = cn.check(load_game(game, game_options), games=games, seed=seed)
    if as_json:
        click.echo(json.dumps({**asdict(found), "ok": found.ok}))
    else:
        _show(found)
    if not found.ok:
        context.exit(1)


def _show(found: cn.Check) -> None:
    say = make_console().print
    say(f"{found.game}: {found.games} random games, {found.positions:,} positions")
    if found.unfinished:
        say(f"{found.unfinished} games were given up after {found.longest} moves")
    else:
        say(f"the longest took {found.longest} moves")
    for breach in found.breaches:
        say("broken: ", style="red", end="")
        say(breach.promise)
        say(f"    found:  {breach.found}")
        say(f"    mend:   {breach.advice}")
    if found.ok:
        say("all promises kept", style="green")
    if found.perft:
        say(_table("perft", ("moves", "lines"), [(i, f"{n:,}") for i, n in enumerate(found.perft, 1)]))
    times = sorted(found.microseconds.items(), key=lambda item: -item[1])
    say(_table("time", ("method", "microseconds"), [(name, f"{spent:.1f}") for name, spent in times]))


def _table(title: str, heads: tuple[str, str], rows: list[tuple[Any, str]]) -> Table:
    table = Table(title=title, title_justify="left", box=None)
    table.add_column(heads[0])
    table.add_column(heads[1], justify="right")
    for first, second in rows:
        table.add_row(str(first), second)
    return table


__all__ = ["check"]
