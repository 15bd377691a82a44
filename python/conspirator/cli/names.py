"""Names that the shell completes: games and searches."""

from __future__ import annotations

import click
from click.shell_completion import CompletionItem

import conspirator as cn

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


def complete_search(
    _context: click.Context, _parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Return the searches that begin so."""
    return _begin_with(incomplete, {name: info.summary for name, info in cn.searches().items()})


def _begin_with(incomplete: str, summaries: dict[str, str]) -> list[CompletionItem]:
    return [
        CompletionItem(name, help=summary)
        for name, summary in summaries.items()
        if name.startswith(incomplete)
    ]
