"""`conspirator uci`: a chess engine for graphical programs."""

from __future__ import annotations

import click

from conspirator.cli.request import examples


@click.command(
    short_help="Play chess as an engine for graphical programs.",
    epilog=examples("echo 'go nodes 1000' | conspirator uci"),
)
def uci() -> None:
    """Speak the Universal Chess Interface on the standard streams.

    The search and its parameters are options of the protocol: setoption name Search value best-first.
    """
    from conspirator.uci import main

    main()
