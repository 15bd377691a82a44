"""`conspirator analyze`: search one position and tell all about it."""

from __future__ import annotations

import json
from typing import Any

import click

from conspirator.cli.analysis import describe, without_infinities
from conspirator.cli.progress import ProgressLine
from conspirator.cli.request import examples, read_request, request_options
from conspirator.cli.show import make_console, print_analysis


@click.command(
    short_help="Search one position and tell all about it.",
    epilog=examples(
        "conspirator analyze connect-four --position 4453 --seconds 0.2",
        "conspirator analyze connect-four --search alpha-beta --set table=true --nodes 50k",
        "conspirator analyze random-tree --game-option seed=7 --expansions 1k --json",
    ),
)
@request_options()
@click.option("--json", "as_json", is_flag=True, help="One JSON object and nothing else.")
def analyze(as_json: bool, quiet: bool, **options: Any) -> None:
    """Search one position; show the move, its value, the line behind it, the tree, and what it cost.

    GAME is a name from `conspirator games`, explicit-tree (with --tree), or a Python class of yours as
    module:Class or path/to/file.py:Class; its --position is then a Python literal. Numbers may be written
    like 5M or 50_000. Ctrl-C shows the answer so far.
    """
    request = read_request(options)
    with ProgressLine(request.budget, wanted=not (quiet or as_json)) as progress:
        result = request.run(progress=progress)
    facts = describe(request, result)
    if as_json:
        click.echo(json.dumps(without_infinities(facts), indent=2, allow_nan=False))
    else:
        print_analysis(facts, make_console())
