"""`conspirator verify`: what a certificate proves, by the rules of its game alone."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

import conspirator as cn
from conspirator.cli.analysis import without_infinities
from conspirator.cli.request import examples, game_option, read_position

REJECTED = 1
"""The exit code if a file does not prove what it says."""


@click.command(
    short_help="Check a certificate that `solve --proof` wrote.",
    epilog=examples(
        "conspirator solve hex --game-option size=4 --proof hex.proof --quiet",
        "conspirator verify hex.proof",
    ),
)
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--game", metavar="FILE.py:CLASS", help="Your own game, because its rules are not in the file.")
@click.option("--position", metavar="TEXT", help="The position that was solved, if not the start.")
@game_option
@click.option("--json", "as_json", is_flag=True, help="One JSON object and nothing else.")
def verify(file: Path, game: str | None, as_json: bool, **options: Any) -> int:
    """Walk the strategy in FILE to every end of the game, and say what it proves.

    The checker is plain Python with its own rules of the games. The exit code is 0 if the file proves its
    claim, and 1 if not. With --game and --position, the file must be about that position.
    """
    if not file.is_file():
        raise click.UsageError(f"there is no file {file}")
    position = None if game is None else read_position({"game": game, "tree": None, **options})
    try:
        checked = cn.verify(file, position=position)
    except cn.ArgumentError as error:
        facts: dict[str, Any] = {"proven": False, "reason": str(error)}
        click.echo(json.dumps(facts) if as_json else facts["reason"], err=not as_json)
        return REJECTED
    facts = {"proven": True, **asdict(checked)}
    click.echo(json.dumps(without_infinities(facts), indent=2) if as_json else str(checked))
    return 0
