"""`conspirator play`: a game in the terminal."""

from __future__ import annotations

from typing import Any

import click

from conspirator.cli.play_clock import GameClock, read_clock
from conspirator.cli.play_game import Match
from conspirator.cli.request import examples, read_request, request_options
from conspirator.cli.show import make_console


@click.command(
    epilog=examples(
        "conspirator play connect-four --human none --seconds 0.01",
        "conspirator play connect-four --human second --search alpha-beta --seconds 0.5",
        "conspirator play hex --game-option size=5 --human none --level 2",
        "conspirator play chess --level 3 --clock 5+3",
    )
)
@request_options()
@click.option(
    "--human",
    type=click.Choice(["first", "second", "none"]),
    default="first",
    show_default=True,
    help="Whether you move first or second; none: the engine plays itself.",
)
@click.option(
    "--clock",
    callback=read_clock,
    metavar="M+S",
    help="Each side's time: minutes for the game and seconds for each move, such as 5+3.",
)
def play(human: str, clock: GameClock | None, quiet: bool, **options: Any) -> None:
    """Play against the engine; the budget is for each of its moves.

    At the prompt, type a move or a command. `help` lists the commands, such as hint, undo, level, clock, save
    and quit. See `conspirator analyze --help` for GAME.
    """
    request = read_request(options)
    request.player.try_out(request.position)  # so that mistakes show before the first move
    Match(request, human, make_console(), quiet=quiet, clock=clock).run()
