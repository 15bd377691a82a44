"""`conspirator uci`: a chess engine for graphical programs."""

from __future__ import annotations

import sys

import click

from conspirator.cli.request import examples
from conspirator.front_ends.uci import serve


@click.command(
    short_help="Play chess as an engine for graphical programs.",
    epilog=examples('conspirator uci uci "position startpos moves e2e4" "go nodes 10000"'),
)
@click.argument("lines", nargs=-1)
def uci(lines: tuple[str, ...]) -> None:
    """Speak the Universal Chess Interface on standard input and output, or only answer LINES.

    Player, search and parameters are options of the protocol: setoption name Search value best-first.
    """
    serve(lines or sys.stdin, lambda line: print(line, flush=True))
