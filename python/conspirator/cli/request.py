"""What the user asks for: a position and a player, and the options that say so."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeVar

import click

import conspirator as cn
from conspirator._budget import WRITTEN, Budget
from conspirator._players import LEVELS, Player, default_player, players
from conspirator.cli.names import (
    EXPLICIT_TREE,
    complete_evaluator,
    complete_game,
    complete_game_option,
    complete_player,
    complete_search,
    complete_setting,
)
from conspirator.cli.user_game import find_position, is_user_game
from conspirator.cli.values import read_count, read_seconds, read_settings

_Command = TypeVar("_Command", bound=Callable[..., Any])

_GAME = (
    click.argument("game", shell_complete=complete_game),
    click.option("--position", metavar="TEXT", help="Where to begin, in the game's notation."),
)
game_option = click.option(
    "--game-option",
    "game_options",
    callback=read_settings,
    shell_complete=complete_game_option,
    multiple=True,
    metavar="NAME=VALUE",
    help="A parameter of the game, such as seed=7.",
)
"""The option for a game's parameters."""


def _check_folder(context: click.Context, option: click.Parameter, path: Path | None) -> Path | None:
    """Say before the work is done that its result could not be kept."""
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
proof_option = click.option(
    "--proof",
    "certificate",
    type=click.Path(path_type=Path),
    callback=_check_folder,
    metavar="FILE",
    help="Keep the proof in a file, for `conspirator verify`.",
)
"""The option to keep a proof."""
_REST = (
    click.option("--tree", type=click.Path(path_type=Path), metavar="FILE", help="JSON, for explicit-tree."),
    click.option("--quiet", is_flag=True, help="No progress line."),
)


def request_options(
    *,
    proves: bool = False,
    seconds_help: str = "Budget: time; 1 if none is given.",
) -> Callable[[_Command], _Command]:
    """Give a command the options of a request; it passes them on to `read_request`.

    A command that proves has no player, and no budgets in the papers' units.
    """
    rest = search_options(seconds_help, proves=proves)

    def decorate(command: _Command) -> _Command:
        for option in reversed((*_GAME, rest, game_option, *_REST)):
            command = option(command)
        return command

    return decorate


def search_options(seconds_help: str, *, proves: bool = False) -> Callable[[_Command], _Command]:
    """Give a command the options that say who plays, whatever the position."""
    who = [
        click.option(
            "--player",
            metavar="NAME",
            shell_complete=complete_player,
            help="A player; see `conspirator players`. The default is the game's first player.",
        ),
        click.option(
            "--level",
            type=click.IntRange(LEVELS[0], LEVELS[-1]),
            default=LEVELS[-1],
            metavar="1..10",
            help="Strength: a lower level has fewer nodes and looks at fewer moves.",
        ),
        click.option(
            "--proof",
            metavar="X",
            help="The share of a move's budget for proving a win first; or `beside`: on a second thread.",
        ),
        click.option(
            "--threads",
            type=click.IntRange(1),
            metavar="N",
            help="How many threads think: with a tree, where positions take long to value.",
        ),
        click.option(
            "--error-model",
            type=click.Path(exists=True, dir_okay=False),
            metavar="FILE",
            help="An error model of the evaluator, from `conspirator calibrate`; some are built in.",
        ),
    ]
    which = [
        click.option(
            "--search",
            metavar="NAME",
            shell_complete=complete_search,
            help="The search for the proof; the default suits the game."
            if proves
            else "A search instead of a player; see `conspirator searches`.",
        ),
        click.option(
            "--evaluator",
            metavar="NAME",
            shell_complete=complete_evaluator,
            help="The evaluator, such as 'captures' or 'territory(width=20)'.",
        ),
        click.option(
            "--set",
            "-p",
            "settings",
            callback=read_settings,
            multiple=True,
            metavar="NAME=VALUE",
            shell_complete=complete_setting,
            help="A parameter of the search, such as complete=false.",
        ),
    ]
    budget = budget_options(seconds_help, papers_units=not proves)

    def decorate(command: _Command) -> _Command:
        command = budget(command)
        for option in reversed(which if proves else [*who, *which]):
            command = option(command)
        return command

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
                "--until",
                metavar="P",
                help="Stop once the move is certain enough: 0.95 (a best one with 95 %), decided, or proven.",
            ),
            click.option("--cpu-seconds", callback=read_seconds, metavar="S", help="Budget: CPU time."),
            click.option(
                "--artificial-time",
                callback=read_count,
                metavar="N",
                help="Budget: 1 for each node looked at, 100 for each node generated.",
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
    """A position, and who is to think about it."""

    game: str
    game_options: dict[str, Any]
    position: cn.Position
    player: Player

    def run(
        self,
        position: cn.Position | None = None,
        progress: Callable[[dict[str, Any]], object] | None = None,
        budget: Budget | None = None,
    ) -> cn.Result:
        """Think about the position, or another one of the same game, within the budget or another one."""
        return self.player.think(position or self.position, budget=budget, progress=progress)


def read_request(options: dict[str, Any], *, tree: bool = False) -> Request:
    """Build the request from a command's options; with `tree`, the player must keep one if none is named."""
    position = read_position(options)
    player = read_player(options, position.game, tree=tree)
    return Request(options["game"], options["game_options"], position, player)


def read_player(options: dict[str, Any], game: Any, *, tree: bool = False) -> Player:
    """Return the player that a command's options mean: a player of the game, or a search."""
    budget, parameters = read_budget(options), read_parameters(options)
    if options.get("threads") is not None:
        parameters["threads"] = options["threads"]
    more: dict[str, Any] = {**parameters, "level": options.get("level") or LEVELS[-1]}
    if options.get("evaluator") is not None:
        more["evaluator"] = options["evaluator"]
    if options.get("error_model") is not None:
        more["error_model"] = options["error_model"]
    if options.get("proof") is not None:
        more["proof"] = _read_proof(options["proof"])
    name, search = options.get("player"), options["search"]
    if search is not None and name is not None:
        raise click.UsageError("give a --player or a --search, not both")
    if search is not None:
        return Player(search, budget=budget, **more)
    known = players(game)
    if name is not None and name not in known:
        raise click.UsageError(f"there is no player {name!r} of this game; there are {', '.join(known)}")
    player = default_player(game, tree=tree) if name is None else known[name]
    own = cn.searches()[str(player.search)]
    if wrong := parameters.keys() - own.keys():
        near = get_close_matches(min(wrong), own, 1)
        hint = f"did you mean {near[0]!r}?" if near else "name the --search that has it"
        raise click.UsageError(
            f"{player.name} plays {player.search}, which has no parameter {min(wrong)!r}; {hint}"
        )
    return player.but(**budget.given(), **more)


def _read_proof(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text


def read_parameters(options: dict[str, Any]) -> dict[str, Any]:
    """Return the parameters of the search from a command's options."""
    for name in options["settings"]:
        if name in (
            *WRITTEN,
            "error_model",
            "trace",
            "progress",
            "evaluator",
            "budget",
            "level",
            "proof",
        ):
            raise click.UsageError(f"--set takes the parameters of a search, and {name!r} is none")
    return dict(options["settings"])


def read_budget(options: dict[str, Any]) -> Budget:
    """Return the budget from a command's options, as far as it was given."""
    return Budget(**{name: options[name] for name in WRITTEN if options.get(name) is not None})


def read_position(options: dict[str, Any]) -> cn.Position:
    """Return the position that a command's options mean."""
    name, given, text, tree = (options[key] for key in ("game", "game_options", "position", "tree"))
    if name != EXPLICIT_TREE and tree is not None:
        raise click.UsageError(f"--tree goes with the game {EXPLICIT_TREE}, not with {name}")
    if is_user_game(name):
        return find_position(name, given, text)
    game: cn.games.NativeGame
    if name == EXPLICIT_TREE:
        if tree is None:
            raise click.UsageError(f"the game {EXPLICIT_TREE} needs --tree FILE.json")
        if given:
            raise click.UsageError(f"{EXPLICIT_TREE} has no game options: its tree says it all")
        game = cn.games.ExplicitTree.load(tree)
    else:
        game = cn.games.make(name, **given)
    return game.start() if text is None else game.position(text)
