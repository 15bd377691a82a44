"""Monte Carlo tree search: the page of Python in lockstep, random games, proofs, strength."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

import conspirator as cn
import python_games
from helpers import all_nodes, connect_four, in_pieces, mcallester, minimax, random_tree, utgoff


def explicit(seed: int) -> cn.Position:
    return cn.games.ExplicitTree(random_tree(Random(seed), 5, skewed=seed % 3 == 0)).start()


def othello(seed: int) -> cn.Position:
    return cn.games.Othello().start()


FAMILIES: dict[str, tuple[Callable[[int], cn.Position], int]] = {
    "explicit": (explicit, 200),
    "mcallester": (mcallester, 60),
    "utgoff": (utgoff, 60),
    "connect-four": (connect_four, 60),
    "othello": (othello, 1),
}


@pytest.mark.parametrize("family", FAMILIES)
def test_lockstep(family: str) -> None:
    make, count = FAMILIES[family]
    for seed in range(count):
        start = make(seed)
        if start.outcome is not None:
            continue
        exploration = Random(seed).choice([0.0, 0.3, 0.5, 1.4])
        native = cn.search(start, "uct", playouts=0, exploration=exploration, expansions=120, trace=True)
        page = cn.search(start, cn.rules.Uct(exploration), expansions=120, trace=True)
        assert native.trace == page.trace
        assert (native.move, native.value, native.status) == (page.move, page.value, page.status)
        for one, two in zip(all_nodes(native.tree), all_nodes(page.tree), strict=True):
            assert one.numbers == two.numbers
        native.tree.check()


@pytest.mark.parametrize("game", ["connect-four", "othello", "hex", "amazons", "random-tree"])
def test_random_games(game: str) -> None:
    options: dict[str, Any] = {"hex": {"size": 4}, "amazons": {"size": 4}, "random-tree": {"depth": 8}}.get(
        game, {}
    )
    start = cn.games.make(game, **options).start()
    one, same, other = (
        cn.search(start, "uct", expansions=100, playouts=2, seed=seed, trace=True) for seed in (1, 1, 2)
    )
    assert one.trace == same.trace
    assert one.value == same.value
    assert one.trace != other.trace or one.value != other.value
    assert one.move_calls > 2 * one.nodes or game == "random-tree"
    one.tree.check()
    low, high = start.value_range
    assert low <= one.value <= high
    pieces = in_pieces(start, "uct", 100, Random(3), playouts=2, seed=1)
    assert pieces.trace == one.trace


def test_a_game_in_python() -> None:
    result = cn.search(python_games.Nim().position((9, 1)), "uct", expansions=5000)
    assert (result.move, result.value, result.status) == (1, 1.0, "proven")


def test_proofs_are_right() -> None:
    for seed in range(100):
        start = explicit(seed)
        result = cn.search(start, "uct", expansions=10_000, seed=seed)
        assert (result.value, result.status) == (minimax(start), "proven")
        assert start.play(result.move).outcome is None or start.play(result.move).outcome == result.value


def test_it_finds_two_threats_at_once() -> None:
    result = cn.search(cn.games.ConnectFour().position("4455"), "uct", expansions=1000)
    assert result.move in ("3", "6")
    visits = [node.numbers["visits"] for node in result.tree.root.children]
    assert sum(visits) == result.tree.root.numbers["visits"]


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"exploration": -1.0}, "exploration must not be negative"),
        ({"playouts": 10**6}, "playouts must be at most 1000"),
        ({"playouts": -1}, "playouts"),
    ],
)
def test_mistakes(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(cn.ArgumentError, match=message):
        cn.search(cn.games.ConnectFour().start(), "uct", **parameters)
