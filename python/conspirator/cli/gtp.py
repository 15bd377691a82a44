"""`conspirator gtp`: a player for programs that speak the Go Text Protocol."""

from __future__ import annotations

import sys
from typing import Any

import click

from conspirator._players import default_player
from conspirator.cli.nboard import read_lines
from conspirator.cli.request import examples, game_option, read_player, search_options
from conspirator.front_ends.gtp import DIALECTS, Server

_NAMES = (f"in {game} {default_player(game).name}" for game in sorted(DIALECTS))
_DEFAULTS = f"Without --player or --search, these play: {', '.join(_NAMES)}.\n\n"


@click.command(
    short_help="Play for a program that speaks the Go Text Protocol.",
    epilog=_DEFAULTS
    + examples(
        "conspirator gtp --game hex --size 5 --seconds 0.1",
        "conspirator gtp --game hex --player monte-carlo --proof beside --seconds 0.1",
        "conspirator gtp --game othello --search alpha-beta -p table=true",
        "conspirator gtp --game amazons --evaluator 'territory(width=20)' --nodes 20k",
    ),
)
@click.option("--game", type=click.Choice(sorted(DIALECTS)), required=True, help="Which game.")
@click.option("--size", type=click.IntRange(1, 99), metavar="N", help="Rows and columns, until boardsize.")
@search_options("Budget: time for a move; by default a share of the clock, or 1 without a clock.")
@game_option
@click.option("--resign", is_flag=True, help="Resign when the search has proven a loss.")
def gtp(game: str, size: int | None, resign: bool, **options: Any) -> None:
    """Read commands of the Go Text Protocol, version 2, and answer them, until `quit` or the end of input.

    `list_commands` lists the commands. Names that begin with conspirator- are our own. lz-analyze reports on
    a search until the next line of input. The budget is for each move. After time_settings or time_left, a
    move takes a share of the clock, and no more than the budget.
    """
    game_options = {
        **options["game_options"],
        **({} if size is None else DIALECTS[game].read_size([str(size)])),
    }
    talk(Server(game, read_player(options, game), options=game_options, resign=resign))


def talk(server: Any) -> None:
    """Let a server answer what comes in on the standard input."""

    def write(text: str) -> None:
        sys.stdout.write(text)
        sys.stdout.flush()

    server.serve(read_lines(), write)
