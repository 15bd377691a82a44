"""Product propagation: the page of Python in lockstep, chances by brute force, proofs despite rounding."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

import pytest

import conspirator as cn
from helpers import all_nodes, in_pieces, minimax, random_tree
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
            "goal": random.choice([None, 0, 1]),
            "leaves": random.choice(["half", "values"]),
        }
        form: dict[str, Any] = {"expansions": 120, "trace": True}
        native = cn.search(start, "product-propagation", **parameters, **form)
        page = cn.search(start, cn.rules.ProductPropagation(**parameters), **form)
        assert native.trace == page.trace
        assert (native.move, native.status) == (page.move, page.status)
        for one, two in zip(all_nodes(native.tree), all_nodes(page.tree), strict=True):
            assert one.numbers == two.numbers
        native.tree.check()


def chance(tree: cn.Tree) -> float:
    """Return how often Max wins if open leaves are won or lost by the toss of a coin: all tosses, counted."""
    leaves = [node for node in all_nodes(tree) if node.is_open]

    def wins(node: cn.Node, won: dict[int, bool]) -> bool:
        if node.children:
            return (any if node.is_max else all)(wins(child, won) for child in node.children)
        return won[node.id] if node.is_open else node.value >= 1

    tosses = list(product([False, True], repeat=len(leaves)))
    named = ({leaf.id: won for leaf, won in zip(leaves, toss, strict=True)} for toss in tosses)
    return sum(wins(tree.root, won) for won in named) / len(tosses)


def test_chances_by_brute_force() -> None:
    seen = 0
    for seed in range(300):
        start = cn.games.ExplicitTree(random_tree(Random(seed), 5)).start()
        result = cn.search(start, "product-propagation", goal=1, expansions=4)
        if sum(node.is_open for node in all_nodes(result.tree)) <= 10:
            assert result.tree.root.numbers["p"] == pytest.approx(chance(result.tree))
            assert result.tree.root.numbers["q"] == pytest.approx(1 - chance(result.tree))
            seen += 0 < result.tree.root.numbers["p"] < 1
    assert seen > 50


def test_rounding_proves_nothing() -> None:
    """So many open leaves that the chance is rounded to 1: and all of them are lost."""
    lost = {"value": 0, "children": [{"value": -1}]}
    start = cn.games.ExplicitTree({"value": 0, "children": [lost] * 1200}).start()
    for rule in ("product-propagation", cn.rules.ProductPropagation):
        early = cn.search(start, rule, expansions=3)
        assert (early.tree.root.numbers["p"], early.tree.root.numbers["q"]) == (1.0, 0.0)
        assert (early.status, early.won) == ("budget", None)
    late = cn.search(start, "product-propagation", expansions=5000)
    assert (late.status, late.won, late.expansions) == ("proven", False, 1201)


def test_proofs_are_right() -> None:
    for seed in range(100):
        start = explicit(seed)
        for goal in (-1, 0, 2):
            result = cn.search(start, "product-propagation", goal=goal, expansions=10_000)
            assert result.status in ("proven", "decided")
            assert result.won == (minimax(start) >= goal)


def test_in_pieces() -> None:
    start = cn.games.ConnectFour().position("4453")
    whole = cn.search(start, "product-propagation", expansions=100, trace=True)
    assert in_pieces(start, "product-propagation", 100, Random(3)).trace == whole.trace


def test_mistakes() -> None:
    with pytest.raises(cn.ArgumentError, match="leaves"):
        cn.search(cn.games.ConnectFour().start(), "product-propagation", leaves="all", expansions=1)
