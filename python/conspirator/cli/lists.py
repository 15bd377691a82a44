"""What there is: the games and the searches."""

from __future__ import annotations

import json
from typing import Any

import click
from rich.table import Table
from rich.text import Text

import conspirator as cn
from conspirator.cli.analysis import without_infinities
from conspirator.cli.names import EXPLICIT_TREE, complete_game
from conspirator.cli.request import examples
from conspirator.cli.show import make_console
from conspirator.cli.user_game import OPEN_SPIEL, is_user_game, load_game
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


@click.command(
    name="players",
    epilog=examples("conspirator players", "conspirator players hex", "conspirator players chess --json"),
)
@click.argument("game", required=False, shell_complete=complete_game)
@_as_json
def list_players(game: str | None, as_json: bool) -> None:
    """List the players of GAME, or of all games; the first player of a game is its default."""
    names = [game] if game is not None else list(cn.games.all_games())
    found = {name: cn.players(load_game(name, {}) if is_user_game(name) else name) for name in names}
    if as_json:
        data = {
            name: {
                player.name: {"description": player.description, "spec": player.spec}
                for player in known.values()
            }
            for name, known in found.items()
        }
        click.echo(json.dumps(data, indent=2))
        return
    table = Table.grid(padding=(0, 2, 0, 0))
    for name, known in found.items():
        for number, player in enumerate(known.values()):
            table.add_row(
                Text("" if number else name, style="bold"),
                Text(player.name, style="bold green"),
                f"{player.description}",
            )
            table.add_row("", "", Text(player.spec, style="dim"))
    make_console().print(table)


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
