"""`conspirator train`: a network learns a game by playing it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from conspirator.cli.names import complete_game
from conspirator.cli.progress import ProgressBar, output_to_ourselves
from conspirator.cli.request import examples, game_option
from conspirator.cli.show import make_console
from conspirator.cli.user_game import is_user_game, load_game
from conspirator.games import make
from conspirator.learning import learn
from conspirator.learning.learner import Recipe

USUAL = Recipe()


@click.command(
    short_help="Let a network learn a game by playing it.",
    epilog=examples(
        "conspirator train hex --game-option size=3 --to hex3 --rounds 2 --games 4",
        "conspirator train examples/tic_tac_toe.py:TicTacToe --to tictactoe --minutes 0.05",
    ),
)
@click.argument("game", shell_complete=complete_game)
@game_option
@click.option(
    "--to",
    "folder",
    required=True,
    type=click.Path(path_type=Path),
    help="Where the network is kept; it goes on.",
)
@click.option("--minutes", type=click.FloatRange(0, min_open=True), help="How long to learn.  [default: 10]")
@click.option("--rounds", type=click.IntRange(1), help="Or how many rounds of games.")
@click.option("--on", metavar="CLUSTER", help="Play the games on a cluster: ray, or ray://HOST:PORT.")
@click.option("--games", type=click.IntRange(1), help=f"Games of a round.  [default: {USUAL.games}]")
@click.option("--expansions", type=click.IntRange(1), help=f"For a move.  [default: {USUAL.expansions}]")
@click.option("--channels", type=click.IntRange(1), help=f"Of the network.  [default: {USUAL.channels}]")
@click.option("--blocks", type=click.IntRange(0), help=f"Of the network.  [default: {USUAL.blocks}]")
@click.option(
    "--rate", type=click.FloatRange(0, min_open=True), help=f"Of learning.  [default: {USUAL.rate:g}]"
)
@click.option("--seed", type=click.IntRange(0), help=f"For everything random.  [default: {USUAL.seed}]")
@click.option("--json", "as_json", is_flag=True, help="One JSON object and nothing else.")
@click.option("--quiet", is_flag=True, help="No progress line.")
def train(
    game: str,
    game_options: dict[str, Any],
    folder: Path,
    minutes: float | None,
    rounds: int | None,
    on: str | None,
    as_json: bool,
    quiet: bool,
    **recipe: Any,
) -> None:
    """Let a network learn a game by playing it, from nothing, with PyTorch.

    The game is a native one, or a class of yours with encode, output and outputs. Each round plays
    games against itself and learns from them. The folder keeps the network, what is needed to go on,
    and curve.csv with a row for every round. The same command goes on where it was stopped. Search with
    the network by --evaluator 'learnt(folder=FOLDER)'.
    """
    if minutes is not None and rounds is not None:
        raise click.UsageError("give --minutes or --rounds, not both")
    found = load_game(game, game_options) if is_user_game(game) else make(game, **game_options)
    chosen = {name: value for name, value in recipe.items() if value is not None}
    if minutes is None and rounds is None:
        minutes = 10.0
    with output_to_ourselves(on), ProgressBar(wanted=not (quiet or as_json)) as tell:
        done = learn(found, folder, minutes=minutes, rounds=rounds, on=on, tell=tell, **chosen)
    if as_json:
        facts = {"folder": str(done.folder), "seconds": done.seconds, "games": done.games}
        click.echo(json.dumps({**facts, "positions": done.positions, "rounds": done.rounds}, indent=2))
        return
    console = make_console()
    console.print(
        f"{done.games:,} games and {done.positions:,} positions in {done.seconds / 60:.1f} minutes: "
        f"--evaluator 'learnt(folder={done.folder})'",
        highlight=False,
        soft_wrap=True,
    )
