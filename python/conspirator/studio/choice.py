"""What the page may ask for: games and players by name. It never names a file or a program."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import conspirator as cn
from conspirator._budget import Budget
from conspirator._errors import ArgumentError
from conspirator._players import LEVELS, Player, default_player, players
from conspirator.figures.board import has_board
from conspirator.games import NativeGame, all_games

MOST_TEXT = 200_000
"""Characters of a position, a game or a name; more is a mistake or an attack."""
UNITS = ("seconds", "expansions", "nodes")
"""The units of a budget that the page offers."""
WITHOUT_OPTIONS = ("explicit-tree",)
"""Games that are given as data, and not by name."""


class Games:
    """The games of a studio: all native ones, and the one that was named when it was started.

    >>> games = Games()
    >>> games.position("connect-four", {}, "4453").to_move
    'max'
    """

    def __init__(self, own: tuple[str, cn.Position] | None = None) -> None:
        self.own = own
        """The name and the first position of the game that the user gave on the command line."""

    def position(self, name: Any, options: Any, text: Any) -> cn.Position:
        """Return a position of a game; `text` is its notation, None the start."""
        name = short_text(name, "the game")
        if self.own is not None and name == self.own[0]:
            if text is None or text == "":
                return self.own[1]
            return read_position(self.own[1].game, short_text(text, "the position"))
        if name in WITHOUT_OPTIONS or name not in all_games():
            raise ArgumentError(f"there is no game {name!r} here; start the studio with it")
        game = cn.games.make(name, **simple(options))
        return game.start() if text is None or text == "" else game.position(short_text(text, "the position"))

    def listed(self) -> list[dict[str, Any]]:
        """Return the games with their options, as the page shows them."""
        listed = [
            {"name": name, "options": _options(info["parameters"]), "own": False}
            for name, info in cn._native.games().items()
            if name not in WITHOUT_OPTIONS
        ]
        known = {entry["name"] for entry in listed}
        if self.own is not None and self.own[0] not in known:
            listed.insert(0, {"name": self.own[0], "options": [], "own": True})
        return listed


def read_position(game: Any, text: str) -> cn.Position:
    """Return a position of a game in Python from text: a Python literal, or what the game itself reads."""
    if isinstance(game, NativeGame):
        return game.position(text)
    if type(game).__name__ == "OpenSpielGame":
        return game.position(text)  # type: ignore[no-any-return]
    import ast

    try:
        state = ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        raise ArgumentError("the position is not a Python literal, such as (21, 1) or 'abc'") from None
    return game.position(state)  # type: ignore[no-any-return]


def read_choice(game: Any, given: Any, *, tree: bool = False) -> Player:
    """Return the player that the page chose: by name, or a search with its parameters.

    >>> read_choice("hex", {"player": "narrow", "level": 3, "budget": {"nodes": 500}}).budget
    Budget(nodes=500)
    """
    given = simple(given)
    budget = read_budget(given.get("budget"))
    known = players(game)
    if given.get("search"):
        name = short_text(given["search"], "the search")
        if name not in cn.searches():
            raise ArgumentError(f"there is no search {name!r}")
        parameters = simple(given.get("parameters"))
        for word in parameters:
            if word not in cn.searches()[name]:
                raise ArgumentError(f"{name} has no parameter {word!r}")
        return Player(name, evaluator=_evaluator(given), budget=budget, **parameters)
    name = given.get("player") or default_player(game, tree=tree).name
    if name not in known:
        raise ArgumentError(f"there is no player {name!r} of this game; there are {', '.join(known)}")
    level = given.get("level", LEVELS[-1])
    return known[name].but(level=level, **budget.given())


def _evaluator(given: Mapping[str, Any]) -> str | None:
    text = given.get("evaluator")
    return None if not text else short_text(text, "the evaluator")


def read_budget(given: Any) -> Budget:
    """Return a budget of the page."""
    limits = simple(given)
    for unit in limits:
        if unit not in UNITS:
            raise ArgumentError(f"a budget here is in {', '.join(UNITS)}, not in {unit!r}")
    return Budget(**{unit: limit for unit, limit in limits.items() if limit is not None})


def simple(given: Any) -> dict[str, Any]:
    """Return plain data of the page as a dictionary; None is an empty one."""
    if given is None:
        return {}
    if not isinstance(given, Mapping) or len(given) > 100:
        raise ArgumentError("this is no set of names and values")
    return {short_text(name, "a name"): value for name, value in given.items()}


def short_text(given: Any, what: str) -> str:
    """Return a text of the page, if it is one and not too long."""
    if not isinstance(given, str):
        raise ArgumentError(f"{what} must be a text")
    if len(given) > MOST_TEXT:
        raise ArgumentError(f"{what} is too long: at most {MOST_TEXT:,} characters")
    return given


def players_of(position: cn.Position) -> list[dict[str, Any]]:
    """Return a game's players as the page shows them, the default first."""
    return [
        {"name": player.name, "about": player.description, "tree": player.keeps_tree}
        for player in players(position.game).values()
    ]


def searches_listed() -> list[dict[str, Any]]:
    """Return all searches with their parameters."""
    return [
        {
            "name": name,
            "about": info.summary,
            "paper": info.paper,
            "tree": info.tree,
            "parameters": _options(info),
        }
        for name, info in cn.searches().items()
    ]


def _options(parameters: Mapping[str, Mapping[str, Any]]) -> list[dict[str, Any]]:
    return [
        {
            "name": name,
            "default": entry["default"],
            "type": entry["type"],
            "about": entry["meaning"],
            "choices": entry.get("choices"),
        }
        for name, entry in parameters.items()
    ]


def evaluators_of(position: cn.Position) -> list[str]:
    """Return the names of the evaluators of a game."""
    return list(position._evaluators()) if has_board(position) else []
