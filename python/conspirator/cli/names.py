"""Names that the shell completes: games, players, searches, evaluators, parameters."""

from __future__ import annotations

from typing import Any

import click
from click.shell_completion import CompletionItem

import conspirator as cn
from conspirator._players import default_player, players

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


def _game(context: click.Context) -> str:
    return str(context.params.get("game") or "")


def _begin_with(incomplete: str, summaries: dict[str, str]) -> list[CompletionItem]:
    return [
        CompletionItem(name, help=summary)
        for name, summary in summaries.items()
        if name.startswith(incomplete)
    ]
