"""`conspirator resume`: go on with a search that was saved."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

import conspirator as cn
from conspirator._players import Player
from conspirator.cli.analysis import describe
from conspirator.cli.progress import ProgressLine
from conspirator.cli.request import Request, budget_options, examples, read_budget, save_option
from conspirator.cli.show import tell_analysis


@click.command(
    short_help="Continue a saved search.",
    epilog=examples(
        "conspirator analyze connect-four --search conspiracy --expansions 1k --save opening.tree",
        "conspirator resume opening.tree --expansions 2k --save opening.tree",
        "conspirator resume opening.tree --play 4 --seconds 0.2 --json",
    ),
)
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--play", multiple=True, metavar="MOVE", help="Follow a move first, and keep the tree below it."
)
@budget_options("Budget: time; 1 if none is given.")
@save_option
@click.option("--quiet", is_flag=True, help="No progress line.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object and nothing else.")
def resume(
    file: Path, play: tuple[str, ...], save: Path | None, quiet: bool, as_json: bool, **options: Any
) -> None:
    """Load a search that `conspirator analyze --save` or `Result.save` wrote, and continue it.

    The tree grows as if the search had never stopped. With --play, which can be repeated, the search
    continues after a move, with the tree below that move. Your own game is not in the file: load such a tree
    in Python, with `cn.load`.
    """
    budget = read_budget(options).or_else(seconds=1.0)
    with ProgressLine(budget, wanted=not (quiet or as_json)) as progress:
        result = cn.load(file, progress=progress)
        for move in play:
            result = result.advance(move)
        result = result.resume(budget=budget)
    if save is not None:
        result.save(save)
    facts = describe(_request(result, budget), result)
    tell_analysis(facts, [save] if save else [], as_json=as_json)


def _request(result: cn.Result, budget: cn.Budget) -> Request:
    """Return what the user has asked for, now and when the search began."""
    game, (rule, parameters, evaluator) = result.position.game, result._recipe
    player = Player(str(rule), evaluator=evaluator, budget=budget, **parameters)
    return Request(game.name, game._parameters, result.position, player)
