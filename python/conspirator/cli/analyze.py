"""`conspirator analyze`: search one position and show what was found."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from conspirator.cli.analysis import describe
from conspirator.cli.knowledge import VIEWS, show_knowledge
from conspirator.cli.names import complete_figure
from conspirator.cli.progress import ProgressLine
from conspirator.cli.request import examples, read_request, request_options, save_option
from conspirator.cli.show import tell_analysis
from conspirator.figures import KINDS, check_kind
from conspirator.figures.files import check_path, need_matplotlib


def read_figures(context: click.Context, option: click.Parameter, texts: Sequence[str]) -> dict[str, Path]:
    """Read which figures are wanted and where; what can go wrong goes wrong before the work is done."""
    figures = {}
    for text in texts:
        kind, equals, path = text.partition("=")
        if not equals:
            raise click.BadParameter(f"{text!r} is not of the form KIND=FILE", context, option)
        figures[check_kind(kind)] = check_path(path)
    if figures:
        need_matplotlib()
    return figures


@click.command(
    short_help="Search one position and show what was found.",
    epilog=examples(
        "conspirator analyze connect-four --position 4453 --seconds 0.2",
        "conspirator analyze connect-four --search alpha-beta --set table=true --nodes 50k",
        "conspirator analyze random-tree --game-option seed=7 --expansions 1k --json",
        "conspirator analyze connect-four --position 4453 --expansions 2k --figure growth=growth.svg",
        "conspirator analyze hex --game-option size=7 --expansions 100 --save hex.tree",
        "conspirator analyze chess --player threats --position 'e4 e5' --expansions 1k",
        "conspirator analyze hex --position 'f6 d5 g4' --show connections",
    ),
)
@request_options()
@click.option("--json", "as_json", is_flag=True, help="One JSON object and nothing else.")
@click.option(
    "--figure",
    "figures",
    callback=read_figures,
    shell_complete=complete_figure,
    multiple=True,
    metavar="KIND=FILE",
    help=f"A picture, as .svg, .png or .pdf: {', '.join(KINDS)}. May be given several times.",
)
@click.option(
    "--show",
    type=click.Choice(list(VIEWS)),
    help="For hex: what is known of the position without a search.",
)
@save_option
def analyze(
    as_json: bool,
    quiet: bool,
    figures: dict[str, Path],
    show: str | None,
    save: Path | None,
    **options: Any,
) -> None:
    """Search one position; show the move, its value, the line behind it, the tree, and what it cost.

    GAME is a name from `conspirator games`, explicit-tree (with --tree), open-spiel:NAME, or your own Python
    class as module:Class or path/to/file.py:Class. The --position of your own game is a Python literal. You
    can write numbers like 5M or 50_000. Ctrl-C shows the answer so far. Without --player or --search, the
    game's first player is used; for --figure and --save, the first player that keeps a tree.
    """
    request = read_request(options, tree=bool(figures) or save is not None)
    if show is not None:
        if figures or save is not None:
            raise click.UsageError("--show does not search: leave out --figure and --save")
        show_knowledge(request.position, show, as_json=as_json)
        return
    with ProgressLine(request.player.budget, wanted=not (quiet or as_json)) as progress:
        result = request.run(progress=progress)
    for kind, path in figures.items():
        result.figure(kind).save(path)
    if save is not None:
        result.save(save)
    written = [*figures.values(), *([save] if save else [])]
    tell_analysis(describe(request, result), written, as_json=as_json)
