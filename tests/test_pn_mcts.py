"""Proof numbers in Monte Carlo tree search: the page of Python in lockstep, the terms by hand, proofs."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import conspirator as cn
from helpers import all_nodes, in_pieces, minimax
from test_uct import FAMILIES, explicit


@pytest.mark.parametrize("family", FAMILIES)
def test_lockstep(family: str) -> None:
    make, count = FAMILIES[family]
    for seed in range(count):
        start = make(seed)
        if start.outcome is not None:
            continue
        random = Random(seed)
        parameters: dict[str, Any] = {
            "c": random.choice([0.0, 0.5, 0.7]),
            "c_pn": random.choice([0.0, 0.5, 2.0]),
            "pn_term": random.choice(["rank", "max", "sum"]),
        }
        form: dict[str, Any] = {"expansions": 120, "trace": True}
        native = cn.search(start, "pn-mcts", **parameters, playouts=0, **form)
        page = cn.search(start, cn.rules.PnMcts(**parameters), **form)
        assert native.trace == page.trace
        assert (native.move, native.value, native.status) == (page.move, page.value, page.status)
        for one, two in zip(all_nodes(native.tree), all_nodes(page.tree), strict=True):
            assert one.numbers == two.numbers
        native.tree.check()


def test_without_the_term_it_is_uct() -> None:
    start = cn.games.ConnectFour().position("4453")
    for playouts in (0, 2):
        form: dict[str, Any] = {"playouts": playouts, "expansions": 300, "trace": True}
        mine = cn.search(start, "pn-mcts", c=0.5, c_pn=0.0, **form)
        assert mine.trace == cn.search(start, "uct", exploration=0.5, **form).trace
        assert mine.trace != cn.search(start, "pn-mcts", c=0.5, **form).trace


def test_the_terms_by_hand() -> None:
    """Four moves: two open answers; one open answer; a loss; an open answer beside a draw."""
    leaf, lost = {"value": 0}, {"value": -1, "terminal": True}
    draw = {"value": 0, "terminal": True}
    families: list[Any] = [[leaf, leaf], [leaf], [lost], [draw, leaf]]
    data = {"value": 0, "children": [{"value": 0, "children": family} for family in families]}
    wanted = {
        "rank": [1 - 2 / 4, 1 - 1 / 4, 1 - 3 / 4, 1 - 3 / 4],
        "max": [1 - 1 / 2, 1.0, 0.0, 0.0],
        "sum": [1 - 2 / 4, 1 - 1 / 4, 0.0, 0.0],
    }
    for term, expected in wanted.items():
        for tree in (
            cn.Tree.from_dict(data, "pn-mcts", pn_term=term),
            cn.Tree.from_dict(data, cn.rules.PnMcts(pn_term=term)),
        ):
            children = tree.root.children
            assert [child.numbers["pn"] for child in children] == [2, 1, float("inf"), float("inf")]
            assert [child.numbers["dn"] for child in children] == [1, 1, 0, 1]
            assert [child.numbers["bonus"] for child in children] == pytest.approx(expected)
            assert (tree.root.numbers["pn"], tree.root.numbers["dn"]) == (1, 3)
            tree.check()


def test_a_proven_win_is_the_answer() -> None:
    """The win by 1 is proven, and the other move has far more visits: the answer is the win."""
    many: Any = {"value": 0, "children": [{"value": 2, "children": [{"value": 0}] * 3}] * 8}
    data = {"value": 0, "children": [many, {"value": 1}]}
    result = cn.search(cn.games.ExplicitTree(data).start(), "pn-mcts", playouts=0, expansions=4)
    assert result.status == "budget"
    visits = [child.numbers["visits"] for child in result.tree.root.children]
    assert visits[0] > visits[1]
    assert result.move == "1"


@pytest.mark.parametrize("game", ["connect-four", "hex", "amazons"])
def test_random_games(game: str) -> None:
    options: dict[str, Any] = {"hex": {"size": 4}, "amazons": {"size": 4}}.get(game, {})
    start = cn.games.make(game, **options).start()
    one, same, other = (
        cn.search(start, "pn-mcts", expansions=100, playouts=2, seed=seed, trace=True) for seed in (1, 1, 2)
    )
    assert one.trace == same.trace
    assert one.trace != other.trace
    one.tree.check()
    pieces = in_pieces(start, "pn-mcts", 100, Random(3), playouts=2, seed=1)
    assert pieces.trace == one.trace


def test_proofs_are_right() -> None:
    for seed in range(100):
        start = explicit(seed)
        result = cn.search(start, "pn-mcts", expansions=10_000, seed=seed)
        assert (result.value, result.status) == (minimax(start), "proven")


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"c": -1.0}, "c must not be negative"),
        ({"c_pn": -1.0}, "c_pn must not be negative"),
        ({"pn_term": "least"}, "pn_term"),
        ({"playouts": 10**6}, "playouts must be at most 1000"),
    ],
)
def test_mistakes(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(cn.ArgumentError, match=message):
        cn.search(cn.games.ConnectFour().start(), "pn-mcts", **parameters)
