"""Positions that are reached by different orders of moves share one subtree, if the rule is told so."""

from __future__ import annotations

import random

import pytest

import conspirator as cn
from helpers import minimax

RULES = ["conspiracy", "improved-conspiracy"]


def late_positions(plies: int, count: int) -> list[cn.Position]:
    """Return positions of Connect-Four that are not over after so many random moves."""
    generator = random.Random(plies)
    positions: list[cn.Position] = []
    while len(positions) < count:
        position = cn.games.ConnectFour().start()
        for _ in range(plies):
            if position.outcome is None:
                position = position.play(generator.choice(position.moves()))
        if position.outcome is None:
            positions.append(position)
    return positions


@pytest.mark.parametrize("rule", RULES)
def test_proofs_are_the_same_and_smaller(rule: str) -> None:
    nodes = {False: 0, True: 0}
    for position in late_positions(30, 12):
        for shared in (False, True):
            result = cn.search(position, rule, expansions=100_000, transpositions=shared)
            result.tree.check()
            nodes[shared] += result.nodes
            assert (result.status, result.value) == ("proven", minimax(position))
    assert nodes[True] < nodes[False]


@pytest.mark.parametrize("rule", RULES)
def test_pieces_grow_the_same_tree(rule: str) -> None:
    position = cn.games.ConnectFour().position("4453")
    whole = cn.search(position, rule, expansions=3_000, transpositions=True, trace=True)
    pieces = cn.search(position, rule, expansions=7, transpositions=True, trace=True)
    while pieces.expansions < 3_000:
        pieces = pieces.resume(expansions=min(331, 3_000 - pieces.expansions))
    assert pieces.trace == whole.trace
    assert pieces.value == whole.value
    whole.tree.check()


def value_if(node: cn.Node, changed: set[str], value: float) -> float:
    """Return what a node would be worth if the leaves with these positions had another value."""
    if not node.children:
        return value if str(node.position.notation()) in changed else node.value
    best = max if node.is_max else min
    return best(value_if(child, changed, value) for child in node.children)


@pytest.mark.parametrize("expansions", [3, 8, 20, 45])
def test_one_position_is_one_conspirator(expansions: int) -> None:
    position = cn.games.ConnectFour().position("123123")
    result = cn.search(position, "conspiracy", expansions=expansions, transpositions=True)
    tree, reached = result.tree, 0
    for value in (result.value + 1, result.value - 1, 1, 1023, *result.interval(2), *result.interval(3)):
        leaves = tree.conspirators(value)
        if leaves is None or value == result.value:
            continue
        changed = {str(leaf.position.notation()) for leaf in leaves}
        assert len(changed) == len(leaves) <= tree.conspiracy(tree.root, value)
        assert value_if(tree.root, changed, value) == value
        reached += 1
    assert reached > 2


def test_a_game_without_keys_has_nothing_to_share() -> None:
    position = cn.games.RandomTree(seed=3).start()
    plain, shared = (
        cn.search(position, "conspiracy", expansions=300, transpositions=shared, trace=True)
        for shared in (False, True)
    )
    assert plain.trace == shared.trace
