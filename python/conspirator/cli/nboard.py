"""`conspirator nboard`: Othello for programs that speak NBoard's protocol."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import Any

import click

from conspirator._players import LEVELS
from conspirator.cli.request import examples, read_budget, read_player, search_options
from conspirator.front_ends.nboard import Server


@click.command(
    short_help="Play and analyse Othello for NBoard.",
    epilog=examples("conspirator nboard", "conspirator nboard --search best-first --seconds 0.5"),
)
@search_options("Budget: time for a move; without it, what depth and clock allow.")
def nboard(**options: Any) -> None:
    """Read lines of NBoard's protocol, version 2, and answer them, until `quit` or the end of input.

    `set depth` limits alpha-beta. Other searches have a budget, one second by default.
    """

    def say(text: str) -> None:
        sys.stdout.write(f"{text}\n")
        sys.stdout.flush()

    said = ("search", "player", "evaluator", "error_model", "proof", "settings")
    given = any(options[name] for name in said) or read_budget(options).given()
    given = given or options["level"] != LEVELS[-1]
    server = Server(say, read_player(options, "othello") if given else None)
    server.serve(read_lines())


def read_lines() -> Iterator[str]:
    """Yield the lines of the standard input.

    They are read without Python's buffer: the program may end while a thread waits in here, and a buffer
    that is in use then is a fatal error.
    """
    try:
        source = sys.stdin.fileno()
    except (OSError, ValueError):  # not a file: what a test has put there
        yield from sys.stdin
        return
    rest = b""
    while data := os.read(source, 65_536):
        *lines, rest = (rest + data).split(b"\n")
        yield from (line.decode(errors="replace") for line in lines)
    if rest:
        yield rest.decode(errors="replace")
