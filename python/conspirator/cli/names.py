"""Names that the shell completes: games, players, searches, evaluators, parameters."""

from __future__ import annotations

from typing import Any

import click
from click.shell_completion import CompletionItem

import conspirator as cn
from conspirator._players import default_player, players
from conspirator.figures import KINDS

EXPLICIT_TREE = "explicit-tree"
"""The game whose tree is given as a file."""


def complete_game(
    _context: click.Context, _parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Return the games that begin so; files once the text looks like a path."""
    if "/" in incomplete or "." in incomplete:
        return [CompletionItem(incomplete, type="file")]
    summaries = {name: info["summary"] for name, info in cn.games.all_games().items()}
    return _begin_with(incomplete, {**summaries, EXPLICIT_TREE: "a tree given as data, with --tree"})


def complete_player(
    context: click.Context, _parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Return the players of the game that begin so."""
    known = players(_game(context))
    return _begin_with(incomplete, {name: player.description for name, player in known.items()})


def complete_search(
    _context: click.Context, _parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Return the searches that begin so."""
    return _begin_with(incomplete, {name: info.summary for name, info in cn.searches().items()})


def complete_evaluator(
    context: click.Context, _parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Return the evaluators of the game that begin so."""
    game = _game(context)
    if game not in cn.games.all_games():
        return []
    known: dict[str, dict[str, Any]] = cn.games.make(game).evaluators
    return _begin_with(incomplete, {name: info["summary"] for name, info in known.items()})


def complete_setting(
    context: click.Context, _parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Return the parameters of the search that begin so, or the choices of one."""
    search = context.params.get("search") or str(default_player(_game(context)).search)
    known: dict[str, dict[str, Any]] = cn.searches().get(search, {})
    name, equals, _ = incomplete.partition("=")
    if not equals:
        return _begin_with(incomplete, {f"{key}=": about["meaning"] for key, about in known.items()})
    about: dict[str, Any] = known.get(name, {})
    choices = about.get("choices") or (["true", "false"] if about.get("type") == "bool" else [])
    return _begin_with(incomplete, {f"{name}={choice}": "" for choice in choices})


def complete_game_option(
    context: click.Context, _parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Return the options of the game that begin so."""
    known = cn.games.all_games().get(_game(context), {}).get("parameters", {})
    return _begin_with(incomplete, {f"{name}=": about["meaning"] for name, about in known.items()})


def complete_figure(
    _context: click.Context, _parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Return the kinds of figures that begin so."""
    return _begin_with(incomplete, {f"{kind}=": "" for kind in KINDS})


def explain_option(option: str) -> str | None:
    """Return how to give what is no option of a command, but a parameter of something; None: it is neither.

    >>> explain_option("--threshold")
    "no such option '--threshold': it is a parameter of the search, --set threshold=VALUE"
    """
    name = option.lstrip("-").replace("-", "_")
    is_searchs = any(name in info for info in cn.searches().values())
    is_games = any(name in info["parameters"] for info in cn.games.all_games().values())
    evaluators = (cn.games.make(game).evaluators.values() for game in cn.games.all_games())
    ways = []
    if is_searchs:
        ways.append(f"it is a parameter of the search, --set {name}=VALUE")
    if is_games:
        ways.append(f"it is an option of the game, --game-option {name}=VALUE")
    if any(name in info["parameters"] for infos in evaluators for info in infos):
        ways.append(f"it is a parameter of an evaluator, --evaluator 'NAME({name}=VALUE)'")
    if name in MEANT:
        ways.append(f"did you mean --{MEANT[name]}?")
    return f"no such option '{option}': {'; or '.join(ways)}" if ways else None


MEANT = {"time": "seconds", "movetime": "seconds", "limit": "seconds", "fen": "position", "engine": "player"}
"""What people call some options."""


def _game(context: click.Context) -> str:
    # a line that ends with an option without its value has been read in part only
    rest = [word for word in context.args if not word.startswith("-")]
    return str(context.params.get("game") or (rest[0] if rest else ""))


def _begin_with(incomplete: str, summaries: dict[str, str]) -> list[CompletionItem]:
    return [
        CompletionItem(name, help=summary)
        for name, summary in summaries.items()
        if name.startswith(incomplete)
    ]
