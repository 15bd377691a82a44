"""`conspirator tune`: the parameters with which a search scores best."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from conspirator.cli.match import make_game
from conspirator.cli.names import complete_game
from conspirator.cli.request import examples, game_option
from conspirator.cli.show import make_console
from conspirator.cli.values import read_count
from conspirator.matches.tune import Tuned
from conspirator.matches.tune import tune as find_parameters


@click.command(
    short_help="Find a search's parameters by matches.",
    epilog=examples(
        "conspirator tune connect-four minmax-approximation:nodes=99 best-first:nodes=99 "
        "--vary step=0.01:0.2:log --trials 2 --games 4",
        "conspirator tune connect-four best-first:nodes=9 best-first:nodes=99 --vary nodes=9:99 "
        "--trials 2 --games 4 --store trials.db",
    ),
)
@click.argument("game", shell_complete=complete_game)
@click.argument("player")
@click.argument("opponents", nargs=-1, required=True, metavar="OPPONENT...")
@click.option(
    "--vary",
    multiple=True,
    required=True,
    metavar="NAME=LOW:HIGH[:log]",
    help="A parameter to vary, with its range; or a choice: NAME=a|b|c.",
)
@game_option
@click.option(
    "--trials", callback=read_count, default="50", show_default=True, metavar="N", help="Matches to play."
)
@click.option(
    "--games", callback=read_count, metavar="N", help="Games of each pairing; all openings by default."
)
@click.option("--plies", type=int, default=2, show_default=True, help="Moves of the openings.")
@click.option("--seed", type=int, default=1, show_default=True, help="Seed for everything random.")
@click.option(
    "--concurrency", callback=read_count, default="1", show_default=True, metavar="N", help="Processes."
)
@click.option(
    "--store",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Keep the trials in a file, and continue from it.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object and nothing else.")
def tune(
    game: str,
    player: str,
    opponents: tuple[str, ...],
    game_options: dict[str, Any],
    as_json: bool,
    **options: Any,
) -> None:
    """Look for the parameters with which PLAYER scores best against the OPPONENTs.

    Write players as for `conspirator match`. Each trial is a match with other values of the varied
    parameters.
    """
    errors = Console(stderr=True)
    with errors.status("playing the first match") as status:

        def say(best: Tuned) -> None:
            status.update(
                f"{best.trials} of {options['trials']} trials, best {best.points:.3f}: {best.player.spec}"
            )

        found = find_parameters(
            player,
            opponents,
            make_game(game, game_options),
            typed=(game, game_options),
            progress=say if errors.is_terminal else None,
            **options,
        )
    if as_json:
        facts = {"parameters": found.parameters, "points": found.points, "trials": found.trials}
        click.echo(json.dumps(facts | {"player": found.player.spec}, indent=2))
        return
    console = make_console()
    console.print(found.player.spec, style="bold", soft_wrap=True)
    console.print(f"{100 * found.points:.1f} % of the points, the best of {found.trials} trials")
