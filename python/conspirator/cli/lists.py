"""What there is: the games and the searches."""

from __future__ import annotations

import json
from typing import Any

import click
from rich.table import Table
from rich.text import Text

import conspirator as cn
from conspirator.cli.analysis import without_infinities
from conspirator.cli.names import EXPLICIT_TREE
from conspirator.cli.request import examples
from conspirator.cli.show import make_console
from conspirator.cli.user_game import OPEN_SPIEL
from conspirator.cli.values import say_setting

_as_json = click.option("--json", "as_json", is_flag=True, help="One JSON object.")


@click.command(epilog=examples("conspirator games", "conspirator games --json"))
@_as_json
def games(as_json: bool) -> None:
    """List the games, with their parameters and defaults."""
    _print_list(cn.games.all_games(), as_json)
    if not as_json:
        click.echo(
            f"\nAlso {EXPLICIT_TREE}, with --tree FILE; {OPEN_SPIEL}NAME, a game of OpenSpiel's; and yours:"
        )
        click.echo("module:Class or file.py:Class.")


@click.command(epilog=examples("conspirator searches", "conspirator searches --json"))
@_as_json
def searches(as_json: bool) -> None:
    """List the searches, with their parameters and defaults."""
    _print_list({name: info.as_dict() for name, info in cn.searches().items()}, as_json)


def _print_list(entries: dict[str, dict[str, Any]], as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps(without_infinities(entries), indent=2))
        return
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column()
    for number, (name, info) in enumerate(entries.items()):
        if number:
            table.add_row()
        table.add_row(Text(name, style="bold green"), "", info["summary"])
        table.add_row("", "", Text(info["paper"], style="dim"))
        for parameter, about in info["parameters"].items():
            meaning = Text(about["meaning"])
            if "choices" in about:
                meaning.append(f"  {' | '.join(about['choices'])}", style="cyan")
            table.add_row(f"  {parameter}", Text(say_setting(about["default"]), style="cyan"), meaning)
    make_console().print(table)
