"""Evaluators to test with, and the games to try them on."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any
from zlib import crc32

import pytest

import conspirator as cn
import python_games
from conspirator._certain import NEED_A_MODEL
from helpers import all_nodes

search: Any = cn.search  # types are what some of these tests get wrong
Positions = list[cn.Position]
SEARCHES = [name for name in cn.searches() if name not in NEED_A_MODEL]
GROWING = [name for name in SEARCHES if cn.searches()[name].tree]
ALL_SEARCHES = pytest.mark.parametrize("name", SEARCHES)
ALL_GROWING = pytest.mark.parametrize("name", GROWING)

NATIVE: dict[str, Callable[[], cn.Position]] = {
    "connect-four": lambda: cn.games.ConnectFour().position("4453"),
    "hex": lambda: cn.games.Hex(size=5).position("a2"),
    "othello": lambda: cn.games.Othello().start(),
    "amazons": lambda: cn.games.Amazons(size=4).start(),
    "chess": lambda: cn.games.Chess().start(),
    "random-tree": lambda: cn.games.RandomTree(branching=4, depth=5, seed=3).start(),
}
PYTHON: dict[str, Callable[[], cn.Position]] = {cls.__name__: cls().start for cls in python_games.ALL}


def open_spiel(name: str) -> Callable[[], cn.Position]:
    def start() -> cn.Position:
        pytest.importorskip("pyspiel")
        game: cn.Game = cn.games.from_open_spiel(name, playouts=0)
        return game.start()

    return start


OPEN_SPIEL = {name: open_spiel(name) for name in ("tic_tac_toe", "breakthrough(rows=5,columns=4)")}
STARTS = NATIVE | PYTHON | OPEN_SPIEL
ALL_GAMES = pytest.mark.parametrize("game", STARTS)


def chance(*things: Any) -> float:
    """Return a number from 0 to 1 that depends on these things and on nothing else."""
    return crc32(repr(things).encode()) / 2**32


def some_value(position: cn.Position) -> float:
    """Return a value inside the game's range that has nothing to do with the game."""
    low, high = position.value_range
    low, high = (low, high) if math.isfinite(high - low) else (-5.0, 5.0)
    return low + (0.1 + 0.8 * chance(position.notation())) * (high - low)


def values_of(positions: Positions) -> list[float]:
    return [some_value(position) for position in positions]


def values_and_scores(positions: Positions) -> tuple[list[float], list[list[float]]]:
    scores = [[0.1 + chance(p.notation(), str(move)) for move in p.moves()] for p in positions]
    return values_of(positions), scores


class Mine(cn.Evaluator):
    """The same values, from an object."""

    def evaluate(self, positions: Positions) -> Any:
        return values_of(positions)


FORMS: dict[str, Any] = {"values": values_of, "scores": values_and_scores, "class": Mine()}
ALL_FORMS = pytest.mark.parametrize("form", FORMS)


def own(name: str, start: cn.Position) -> str | None:
    """Return why a search cannot be made here, whoever values positions; None if it can."""
    try:
        cn.search(start, name, expansions=1)
    except cn.ArgumentError as error:
        return str(error)
    return None


def facts(result: cn.Result, *, tree: bool = True) -> dict[str, Any]:
    """Return all that a search has found and spent, time apart."""
    names = ("value", "move", "line", "status", "limit", "won", "nodes", "expansions", "move_calls", "depth")
    found: dict[str, Any] = {name: getattr(result, name) for name in names}
    if tree and result.has_tree:
        found["trace"] = result.trace
        found["tree"] = shape(result.tree)
    return found


def shape(tree: cn.Tree) -> list[Any]:
    """Return the values of all nodes, which moves lead on from them, and what is solved."""
    return [(node.value, node.is_solved, [child.move for child in node.children]) for node in all_nodes(tree)]


def traced(name: str) -> dict[str, bool]:
    return {"trace": True} if name in GROWING else {}


def zeros(positions: Positions) -> list[float]:
    return [0.0] * len(positions)


class Zeros(cn.Evaluator):
    """All is equal; subclasses go wrong."""

    def evaluate(self, positions: Positions) -> Any:
        return zeros(positions)


def say(given: Any) -> str:
    return str(getattr(given, "__name__", given))
