"""`conspirator analyze`: search one position and tell all about it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from conspirator.cli.analysis import describe, without_infinities
from conspirator.cli.progress import ProgressLine
from conspirator.cli.request import Request, examples, read_request, request_options
from conspirator.cli.show import make_console, print_analysis
from conspirator.figures import Growth
from conspirator.figures.files import check_path, need_matplotlib


@click.command(
    short_help="Search one position and tell all about it.",
    epilog=examples(
        "conspirator analyze connect-four --position 4453 --seconds 0.2",
        "conspirator analyze connect-four --search alpha-beta --set table=true --nodes 50k",
        "conspirator analyze random-tree --game-option seed=7 --expansions 1k --json",
        "conspirator analyze connect-four --position 4453 --expansions 2k --growth-figure growth.svg",
        "conspirator analyze hex --game-option size=7 --expansions 5k --save hex.tree",
    ),
)
@request_options()
@click.option("--json", "as_json", is_flag=True, help="One JSON object and nothing else.")
@click.option(
    "--growth-figure",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="A picture of how the tree grew: below which moves, how deep; .svg, .png or .pdf.",
)
@click.option(
    "--save",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Keep the search and its tree in a file, for `conspirator resume`.",
)
def analyze(
    as_json: bool, quiet: bool, growth_figure: Path | None, save: Path | None, **options: Any
) -> None:
    """Search one position; show the move, its value, the line behind it, the tree, and what it cost.

    GAME is a name from `conspirator games`, explicit-tree (with --tree), open-spiel:NAME, or a Python class
    of yours as module:Class or path/to/file.py:Class; its --position is then a Python literal. Numbers may be
    written like 5M or 50_000. Ctrl-C shows the answer so far.
    """
    request = read_request(options)
    if growth_figure is not None:  # what can go wrong goes wrong before the work is done
        need_matplotlib()
        check_path(growth_figure)
    with ProgressLine(request.budget, wanted=not (quiet or as_json)) as progress:
        result = request.run(progress=progress)
    if growth_figure is not None:
        draw_growth(request, result.expansions).save(growth_figure)
    if save is not None:
        result.save(save)
    facts = describe(request, result)
    if as_json:
        click.echo(json.dumps(without_infinities(facts), indent=2, allow_nan=False))
        return
    console = make_console()
    print_analysis(facts, console)
    for written in (growth_figure, save):
        if written is not None:
            console.print(f"written: {written}", soft_wrap=True)


def draw_growth(request: Request, expansions: int) -> Growth:
    """Watch the same search once more, for as many expansions as it took."""
    search = request.search or "best-first"
    title = f"{search} on {request.game}, {expansions:,} expansions"
    return Growth.of(request.position, search, title=title, expansions=expansions, **request.parameters)
