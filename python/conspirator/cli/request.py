"""What the user asks for: a position, a search and a budget, and the options that say so."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click

import conspirator as cn
from conspirator.cli.names import EXPLICIT_TREE, complete_game, complete_search
from conspirator.cli.user_game import find_position, is_user_game
from conspirator.cli.values import read_count, read_seconds, read_settings

_Command = TypeVar("_Command", bound=Callable[..., Any])

LIMITS = ("expansions", "nodes", "move_calls", "seconds", "cpu_seconds", "memory", "artificial_time")
"""The units of a budget."""

_GAME = (
    click.argument("game", shell_complete=complete_game),
    click.option("--position", metavar="TEXT", help="Where to begin, in the game's notation."),
)
_PARAMETERS = click.option(
    "--set",
    "-p",
    "settings",
    callback=read_settings,
    multiple=True,
    metavar="NAME=VALUE",
    help="A parameter of the search, such as complete=false.",
)
game_option = click.option(
    "--game-option",
    "game_options",
    callback=read_settings,
    multiple=True,
    metavar="NAME=VALUE",
    help="A parameter of the game, such as seed=7.",
)
"""The option for a game's parameters."""


def _check_folder(context: click.Context, option: click.Parameter, path: Path | None) -> Path | None:
    """Say before the work is done that its fruits could not be kept."""
    if path is not None and not path.parent.is_dir():
        raise click.BadParameter(f"cannot write {path}: there is no folder {path.parent}", context, option)
    return path


save_option = click.option(
    "--save",
    type=click.Path(path_type=Path),
    callback=_check_folder,
    metavar="FILE",
    help="Keep the search and its tree in a file, for `conspirator resume`.",
)
"""The option to keep a search."""
_REST = (
    click.option("--tree", type=click.Path(path_type=Path), metavar="FILE", help="JSON, for explicit-tree."),
    click.option("--quiet", is_flag=True, help="No progress line."),
)


def request_options(
    *,
    search: str | None = "best-first",
    search_help: str = "Which search; see `conspirator searches`.",
    seconds_help: str = "Budget: time; 1 if none is given.",
    papers_units: bool = True,
) -> Callable[[_Command], _Command]:
    """Give a command the options of a request; it passes them on to `read_request`.

    Budgets in the papers' units are for one search, not for many that solve a position.
    """
    rest = search_options(search, search_help, seconds_help, papers_units=papers_units)

    def decorate(command: _Command) -> _Command:
        for option in reversed((*_GAME, rest, game_option, *_REST)):
            command = option(command)
        return command

    return decorate


def search_options(
    search: str | None,
    search_help: str,
    seconds_help: str,
    *,
    papers_units: bool = True,
) -> Callable[[_Command], _Command]:
    """Give a command the options that say how to search, whatever the position."""
    which = click.option(
        "--search",
        metavar="NAME",
        default=search,
        show_default=search is not None,
        shell_complete=complete_search,
        help=search_help,
    )
    budget = budget_options(seconds_help, papers_units=papers_units)

    def decorate(command: _Command) -> _Command:
        return which(budget(_PARAMETERS(command)))

    return decorate


def budget_options(seconds_help: str, *, papers_units: bool = True) -> Callable[[_Command], _Command]:
    """Give a command the options of a budget."""
    budget = [
        click.option("--expansions", callback=read_count, metavar="N", help="Budget: leaves to expand."),
        click.option("--nodes", callback=read_count, metavar="N", help="Budget: nodes to generate."),
        click.option("--seconds", callback=read_seconds, metavar="S", help=seconds_help),
        click.option("--memory", callback=read_count, metavar="BYTES", help="Budget: memory, such as 2G."),
    ]
    if papers_units:
        budget += [
            click.option("--move-calls", callback=read_count, metavar="N", help="Budget: moves to play."),
            click.option(
                "--cpu-seconds", callback=read_seconds, metavar="S", help="Budget: time of the processor."
            ),
            click.option(
                "--artificial-time",
                callback=read_count,
                metavar="N",
                help="Budget: 1 for a node looked at, 100 for a node generated.",
            ),
        ]

    def decorate(command: _Command) -> _Command:
        for option in reversed(budget):
            command = option(command)
        return command

    return decorate


def examples(*lines: str) -> str:
    """Return the end of a help text; the tests run every line of it."""
    return "\b\nExamples:\n" + "\n".join(f"  $ {line}" for line in lines)


@dataclass(frozen=True)
class Request:
    """A search that is ready to run."""

    game: str
    game_options: dict[str, Any]
    position: cn.Position
    search: str | None
    """None: one that suits the game."""
    parameters: dict[str, Any]
    budget: dict[str, int | float]

    def run(
        self,
        position: cn.Position | None = None,
        progress: Callable[[dict[str, Any]], object] | None = None,
        **other_budget: int,
    ) -> cn.Result:
        """Search the position, or another one of the same game, within the budget or another one."""
        arguments: dict[str, Any] = {**(other_budget or self.budget), **self.parameters}
        return cn.search(
            position or self.position, self.search or "best-first", progress=progress, **arguments
        )


def read_request(options: dict[str, Any], seconds: float | None = 1.0) -> Request:
    """Build the request from a command's options; `seconds` is the budget if none is given."""
    game_options, parameters = options["game_options"], read_parameters(options)
    budget = read_limits(options)
    if seconds is not None and not budget.keys() - {"memory"}:
        budget["seconds"] = seconds
    position = _find_position(options["game"], game_options, options["position"], options["tree"])
    return Request(options["game"], game_options, position, options["search"], parameters, budget)


def read_parameters(options: dict[str, Any]) -> dict[str, Any]:
    """Return the parameters of the search from a command's options."""
    for name in options["settings"]:
        if name in (*LIMITS, "trace", "progress"):
            raise click.UsageError(f"--set takes the parameters of a search, and {name!r} is none")
    return dict(options["settings"])


def read_limits(options: dict[str, Any]) -> dict[str, int | float]:
    """Return the budget from a command's options, as far as it was given."""
    return {name: options[name] for name in LIMITS if options.get(name) is not None}


def _find_position(name: str, options: dict[str, Any], text: str | None, tree: Path | None) -> cn.Position:
    if name != EXPLICIT_TREE and tree is not None:
        raise click.UsageError(f"--tree goes with the game {EXPLICIT_TREE}, not with {name}")
    if is_user_game(name):
        return find_position(name, options, text)
    game: cn.games.NativeGame
    if name == EXPLICIT_TREE:
        if tree is None:
            raise click.UsageError(f"the game {EXPLICIT_TREE} needs --tree FILE.json")
        if options:
            raise click.UsageError(f"{EXPLICIT_TREE} has no game options: its tree says it all")
        game = cn.games.ExplicitTree.load(tree)
    else:
        game = cn.games.make(name, **options)
    return game.start() if text is None else game.position(text)
