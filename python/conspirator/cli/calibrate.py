"""`conspirator calibrate`: an error model of an evaluator, so that searches can say how sure they are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from conspirator.certainty.calibrate import calibrate as fit_model
from conspirator.certainty.model import ErrorModel, written_dependence
from conspirator.cli.names import complete_evaluator, complete_game, complete_search
from conspirator.cli.progress import ProgressBar
from conspirator.cli.request import examples, game_option
from conspirator.cli.show import make_console
from conspirator.cli.user_game import is_user_game, load_function, load_game
from conspirator.games import make


def _read_plies(context: click.Context, option: click.Parameter, text: str) -> tuple[int, int]:
    low, _, high = text.partition("-")
    if not (low.isdigit() and (high or low).isdigit() and int(low) <= int(high or low)):
        raise click.BadParameter(f"two numbers such as 10-30, not {text!r}", context, option)
    return int(low), int(high or low)


@click.command(
    short_help="Learn how far an evaluator can be trusted.",
    epilog=examples(
        "conspirator calibrate hex --game-option size=3 --plies 0-4 --leaves 600 --positions 9 --to m.json",
    ),
)
@click.argument("game", shell_complete=complete_game)
@game_option
@click.option("--evaluator", metavar="NAME", shell_complete=complete_evaluator, help="Whose values to judge.")
@click.option(
    "--search",
    "searches",
    multiple=True,
    metavar="NAME",
    shell_complete=complete_search,
    help="A search to calibrate for; can be repeated. The default is all that keep a tree.",
)
@click.option(
    "--plies", default="2-30", callback=_read_plies, metavar="LOW-HIGH", help="Moves before a position."
)
@click.option("--leaves", default=4000, type=click.IntRange(400), help="Leaves to learn from, for each kind.")
@click.option("--positions", default=1000, type=click.IntRange(5), help="Positions to fit the dependence on.")
@click.option(
    "--expansions", default=300, type=click.IntRange(1), help="Size of the trees of these positions."
)
@click.option("--seconds", default=1.0, type=click.FloatRange(0.001), help="Time to solve a position.")
@click.option(
    "--deep", type=click.IntRange(1), metavar="NODES", help="Use a search of this many nodes as the truth."
)
@click.option(
    "--exact",
    type=click.IntRange(1),
    metavar="MOVES",
    help="With --deep: solve positions with at most so many moves left, and tell all outcomes apart.",
)
@click.option(
    "--truth",
    "solver",
    metavar="FILE.py:NAME",
    help="Take a function's word for the truth: it gets a position and returns its outcome, or None.",
)
@click.option("--seed", default=1, help="Which positions are sampled.")
@click.option(
    "--concurrency",
    "processes",
    default=1,
    type=click.IntRange(1),
    metavar="N",
    help="Searches for the truth that run at the same time; a solver of yours must allow it.",
)
@click.option(
    "--to", "target", type=click.Path(path_type=Path), required=True, metavar="FILE", help="The model."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object and nothing else.")
@click.option("--quiet", is_flag=True, help="No progress line.")
def calibrate(
    game: str,
    game_options: dict[str, Any],
    target: Path,
    solver: str | None,
    as_json: bool,
    quiet: bool,
    **options: Any,
) -> None:
    """Sample positions, find the truth about them, and fit how it depends on the evaluator's values.

    Exact solving finds the truth. If the game is too large for that, a search of many nodes stands for
    it, or a solver of yours. A quarter of the leaves is kept apart to check the model. Give the file to
    searches as error_model.
    """
    if not target.parent.is_dir():
        raise click.BadParameter(f"cannot write {target}: there is no folder {target.parent}")
    found = load_game(game, game_options) if is_user_game(game) else make(game, **game_options)
    with ProgressBar(wanted=not (quiet or as_json)) as tell:

        def report(what: str, done: int, whole: int) -> None:
            if tell is not None:
                tell(done / whole, f"{done:,} of {whole:,} {what}")

        known = None if solver is None else load_function(solver)
        model = fit_model(found, report=report, solver=known, **options)
    model.save(target)
    if as_json:
        facts = {"file": str(target), "outcomes": model.outcomes, "made": dict(model.made)}
        facts["dependence"] = {name: written_dependence(pair) for name, pair in model.dependence.items()}
        click.echo(json.dumps(facts, indent=2))
        return
    print_model(model, target, make_console())


def print_model(model: ErrorModel, target: Path, console: Console) -> None:
    """Show how good a model is, and how to use it."""
    table = Table("leaves", "log loss", "of plain frequencies", box=None)
    for name, (loss, prior) in model.made["log loss"].items():
        table.add_row(name, f"{loss:.3f}", f"{prior:.3f}")
    console.print(table)
    console.print(
        f"{target}: give it to commands as --error-model, to cn.search as error_model={str(target)!r}",
        highlight=False,
    )
