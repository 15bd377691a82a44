"""`conspirator studio`: the page in the browser."""

from __future__ import annotations

import socket
import webbrowser
from pathlib import Path
from threading import Timer
from typing import Any
from urllib.parse import quote

import click

from conspirator.cli.names import complete_game
from conspirator.cli.request import examples, game_option, read_position
from conspirator.cli.user_game import is_user_game

PORT = 8330
"""Where the page is, unless that port is taken."""


@click.command(
    short_help="Play and watch searches in the browser.",
    epilog=examples(
        "conspirator studio --help",
    ),
)
@click.argument("game", required=False, default="connect-four", shell_complete=complete_game)
@click.option("--position", metavar="TEXT", help="Where to begin, in the game's notation.")
@game_option
@click.option("--tree", type=click.Path(path_type=Path), metavar="FILE", help="JSON, for explicit-tree.")
@click.option(
    "--port", type=click.IntRange(0, 65535), metavar="N", help="Where to listen; 8330 if it is free."
)
@click.option(
    "--matches", type=click.Path(path_type=Path), metavar="FOLDER", help="The folder of the lab's matches."
)
@click.option("--new-token", is_flag=True, help="Forget the token of earlier studios: open pages lose touch.")
@click.option("--no-browser", is_flag=True, help="Only print the address.")
def studio(
    game: str, port: int | None, matches: Path | None, new_token: bool, no_browser: bool, **options: Any
) -> None:
    """Open a page to play, to watch a tree grow, and to compare searches.

    GAME is one of `conspirator games`, or your own as my_game.py:MyGame. The page is for this machine only.
    """
    try:
        import uvicorn

        from conspirator.studio.app import LARGEST, make_app
    except ImportError as error:
        raise click.UsageError(f"the studio needs {error.name}: pip install 'conspirator[studio]'") from None
    from conspirator.studio.choice import Games
    from conspirator.studio.desk import Desk
    from conspirator.studio.guard import Guard, kept_token, state_folder
    from conspirator.studio.lab import Lab

    position = read_position({"game": game, **options})
    own = (game, position) if is_user_game(game) or options["tree"] is not None else None
    first = {"game": game, "options": options["game_options"], "position": options["position"]}
    if own is not None:
        first |= {"options": {}, "position": None}
    guard = Guard(kept_token(fresh=new_token))
    desk = Desk(Games(own), first, Lab(matches or state_folder() / "matches"))
    with _listen(port) as listener:
        address = f"http://127.0.0.1:{listener.getsockname()[1]}/?token={quote(guard.token)}"
        click.echo(f"the studio is at {address}\nCtrl-C ends it")
        if not no_browser:
            Timer(0.5, webbrowser.open, [address]).start()
        config = uvicorn.Config(
            make_app(guard, desk),
            log_level="error",
            ws_max_size=LARGEST,
            ws_per_message_deflate=False,
            ws="websockets-sansio",
            timeout_graceful_shutdown=1,
        )
        uvicorn.Server(config).run(sockets=[listener])


def _listen(port: int | None) -> socket.socket:
    """Return a socket of this machine: at the given port, or at the usual one if it is free, or anywhere."""
    for wanted in [PORT, 0] if port is None else [port]:
        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind(("127.0.0.1", wanted))
            listener.listen(256)  # from now on: whoever reads the address may come at once
        except OSError:
            listener.close()
            continue
        return listener
    raise click.UsageError(f"port {port} is taken: name another, or 0 for any")
