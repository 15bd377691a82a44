"""The single conspiracy number: against its definition, and against every set of leaves on small trees."""

from __future__ import annotations

from itertools import chain, combinations
from math import inf
from random import Random

import pytest

import conspirator as cn
from helpers import all_nodes
from test_conspiracy_brute_force import minimax, open_leaves, small_tree

THRESHOLDS = [-inf, -3, -0.5, 0, 1, 2.5, 4, inf]


def by_definition(node: cn.Node, threshold: float) -> float:
    """Return the number by the recursion of the papers."""
    if node.children:
        numbers = [by_definition(child, threshold) for child in node.children]
        return min(numbers) if node.is_max else sum(numbers)
    if node.value >= threshold:
        return 0
    return inf if node.is_terminal else 1


@pytest.mark.parametrize("rule", ["best-first", "uct", "proof-number"])
def test_the_definition(rule: str) -> None:
    for seed in range(40):
        tree = cn.Tree.from_dict(small_tree(Random(seed)), rule)
        for node in all_nodes(tree):
            for threshold in THRESHOLDS:
                assert tree.single_conspiracy(node, threshold) == by_definition(node, threshold)


def test_every_set_of_leaves() -> None:
    seen = set()
    for seed in range(60):
        data = small_tree(Random(seed), most=7)
        leaves = open_leaves(data)
        sets = list(chain.from_iterable(combinations(leaves, size) for size in range(len(leaves) + 1)))
        tree = cn.Tree.from_dict(data, "best-first")
        for threshold in THRESHOLDS:
            enough = (len(some) for some in sets if minimax(data, set(some), inf) >= threshold)
            number = tree.single_conspiracy(tree.root, threshold)
            assert number == next(enough, inf)
            seen.add(number)
    assert {0, 1, 2, 3, inf} <= seen


def test_a_search() -> None:
    result = cn.search(cn.games.ConnectFour().position("4453"), "conspiracy", expansions=200)
    tree = result.tree
    for threshold in (0, 500, tree.root.value, tree.root.value + 1, 800, 1023):
        assert tree.single_conspiracy(tree.root, threshold) == by_definition(tree.root, threshold)


def test_mistakes() -> None:
    one, two = (cn.Tree.from_dict(small_tree(Random(seed)), "best-first") for seed in (1, 2))
    with pytest.raises(cn.ArgumentError, match="not nan"):
        one.single_conspiracy(one.root, float("nan"))
    with pytest.raises(cn.ArgumentError, match="another tree"):
        one.single_conspiracy(two.root, 1)
