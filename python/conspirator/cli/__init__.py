"""The command line: it reads what the user typed, calls the public package, and prints.

    values -> names -> request -> analyze, solve, epd, blunders, play, gtp, nboard -> analysis, words -> show

Mistakes of the user end with exit code 2 and one line, `error: ...`, on the error stream.
"""

from __future__ import annotations

import importlib
import os
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

import click
import rich

import conspirator as cn
from conspirator._errors import shortened
from conspirator.cli.analyze import analyze
from conspirator.cli.bench import bench
from conspirator.cli.blunders import blunders
from conspirator.cli.calibrate import calibrate
from conspirator.cli.check import check
from conspirator.cli.completion import completion
from conspirator.cli.epd import epd
from conspirator.cli.gtp import gtp
from conspirator.cli.lists import games, list_players, searches
from conspirator.cli.match import match
from conspirator.cli.names import explain_option
from conspirator.cli.nboard import nboard
from conspirator.cli.play import play
from conspirator.cli.reproduce import reproduce
from conspirator.cli.request import examples
from conspirator.cli.resume import resume
from conspirator.cli.solve import solve
from conspirator.cli.studio import studio
from conspirator.cli.train import train
from conspirator.cli.tune import tune
from conspirator.cli.uci import uci
from conspirator.cli.verify import verify

BAD_INPUT = 2
"""The exit code of a mistake of the user."""


@click.group(
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=examples(
        "conspirator analyze connect-four --position 4453 --seconds 0.1",
        "conspirator play connect-four --human none --expansions 100",
        "conspirator searches",
    ),
)
@click.version_option(cn.__version__, prog_name="conspirator", message="%(prog)s %(version)s")
@click.pass_context
def app(context: click.Context) -> None:
    """Search game trees selectively: grow them where it matters, choose a move, say how sure it is."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


for _command in (
    *(analyze, resume, solve, verify, epd, blunders, play, studio, match, tune),
    *(uci, gtp, nboard),
    *(check, calibrate, train, games, searches, list_players, reproduce, bench, completion),
):
    app.add_command(_command)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code: 0, or 2 for bad input, or 1 for anything else."""
    try:
        code = app.main(args=arguments, prog_name="conspirator", standalone_mode=False)
        print(end="", flush=True)  # here, where a closed pipe can still be handled
    except click.NoSuchOption as error:
        return _complain(explain_option(error.option_name) or error.format_message())
    except click.ClickException as error:
        message = error.format_message()
        return _complain(message[:1].lower() + message[1:])
    except cn.ConspiratorError as error:
        return _complain(str(error))
    except click.Abort:
        return 130  # Ctrl-C outside a search, as shells count it
    except Exception as error:
        frames = _frames_of_user(error)
        if isinstance(error, OSError) and frames is None:
            return _give_up_output(error)
        traceback.print_exception(type(error), error, frames or error.__traceback__)
        return 1
    return code if isinstance(code, int) else 0


def _complain(message: str) -> int:
    """Print an error as one line."""
    click.echo(f"error: {shortened(' '.join(message.split()))}", err=True)
    return BAD_INPUT


def _give_up_output(error: OSError) -> int:
    """End after output that could not be written: silently if nobody wanted it, as in `| head`."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is still in the buffer
    if not isinstance(error, BrokenPipeError):
        _complain(f"cannot write the output: {error}")
    return 1


def _frames_of_user(error: Exception) -> TracebackType | None:
    """Return the part of a traceback that begins in the user's own game; None if there is none."""
    ours = [str(Path(str(package.__file__)).parent) for package in (cn, click, rich, importlib)]
    frame = error.__traceback__
    while frame is not None and frame.tb_frame.f_code.co_filename.startswith((*ours, "<frozen importlib")):
        frame = frame.tb_next
    return frame


__all__ = ["app", "main"]
