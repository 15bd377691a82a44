"""Unbounded minimax and descent: the pages in lockstep, counts from the trace, decisions, proofs."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

import conspirator as cn
from helpers import all_nodes, in_pieces, minimax
from test_uct import FAMILIES, explicit

RULES: dict[str, type[cn.GrowthRule]] = {
    "unbounded-minimax": cn.rules.UnboundedMinimax,
    "descent": cn.rules.Descent,
}


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("family", FAMILIES)
def test_lockstep(family: str, name: str) -> None:
    make, count = FAMILIES[family]
    for seed in range(count):
        start = make(seed)
        if start.outcome is not None:
            continue
        decision = ["safe", "best"][seed % 2]
        form: dict[str, Any] = {"expansions": 120, "trace": True}
        native = cn.search(start, name, decision=decision, **form)
        page = cn.search(start, RULES[name](decision), **form)  # type: ignore[call-arg]
        assert native.trace == page.trace
        assert (native.move, native.value, native.status) == (page.move, page.value, page.status)
        for one, two in zip(all_nodes(native.tree), all_nodes(page.tree), strict=True):
            assert one.numbers == two.numbers
        native.tree.check()


def lines(trace: list[list[int]]) -> list[list[int]]:
    """Return where each line of a descent ended: a line goes on while paths get longer by one move."""
    ends: list[list[int]] = []
    for path in trace:
        if ends and path[:-1] == ends[-1]:
            ends[-1] = path
        else:
            ends.append(path)
    return ends


@pytest.mark.parametrize("name", RULES)
def test_visits_are_selections(name: str) -> None:
    """What the tree gives is what counting gives: every selection of every move, from the root down."""
    for seed in range(20):
        start = explicit(seed) if seed else cn.games.ConnectFour().start()
        result = cn.search(start, name, expansions=100, trace=True)
        ways = result.trace if name == "unbounded-minimax" else lines(result.trace)
        counted = Counter(tuple(way[:length]) for way in ways for length in range(len(way) + 1))
        for node in all_nodes(result.tree):
            assert node.numbers["visits"] == counted[tuple(node.path)]


def test_descents_go_on_until_they_are_resolved() -> None:
    start = cn.games.ConnectFour().start()
    result = cn.search(start, "descent", expansions=300, trace=True)
    ends = lines(result.trace)
    assert 3 < len(ends) < 100
    for end in ends[:-1]:
        assert result.tree.node(end).is_solved
    assert result.depth > cn.search(start, "unbounded-minimax", expansions=300).depth / 2


def distinct(random: Random, depth: int) -> dict[str, Any]:
    data: dict[str, Any] = {"value": random.random()}
    if depth:
        data["children"] = [distinct(random, depth - 1) for _ in range(random.randint(1, 4))]
    return data


def test_without_equal_values_it_explores_as_best_first_does() -> None:
    for seed in range(50):
        start = cn.games.ExplicitTree(distinct(Random(seed), 6)).start()
        form: dict[str, Any] = {"expansions": 60, "trace": True}
        mine, theirs = (cn.search(start, rule, **form) for rule in ("unbounded-minimax", "best-first"))
        assert mine.trace == theirs.trace


def test_the_safe_decision() -> None:
    """The first move looks best after a long look at the second, which was best for longest."""
    deep: Any = {"value": 4, "children": [{"value": 1, "children": [{"value": 1}]}]}
    for value in (5, 6, 7):
        deep = {"value": value, "children": [{"value": value, "children": [deep]}]}
    game = cn.games.ExplicitTree({"value": 0, "children": [{"value": 3, "children": [{"value": 3}]}, deep]})
    result = cn.search(game.start(), "unbounded-minimax", expansions=8)
    assert [child.value for child in result.tree.root.children] == [3, 1]
    assert result.move == "1"
    best = cn.search(game.start(), "unbounded-minimax", decision="best", expansions=8)
    assert best.move == "0"
    assert cn.search(game.start(), "unbounded-minimax", expansions=100).move == "0"  # now it is proven


@pytest.mark.parametrize("name", RULES)
def test_proofs_are_right(name: str) -> None:
    for seed in range(100):
        start = explicit(seed)
        result = cn.search(start, name, expansions=10_000)
        assert (result.value, result.status) == (minimax(start), "proven")


@pytest.mark.parametrize("name", RULES)
def test_in_pieces(name: str) -> None:
    start = cn.games.ConnectFour().position("4453")
    whole = cn.search(start, name, expansions=100, trace=True)
    assert in_pieces(start, name, 100, Random(3)).trace == whole.trace


def test_saved_descents_go_on(tmp_path: Any) -> None:
    for batch in (1, 5):
        result = cn.search(cn.games.ConnectFour().start(), "descent", expansions=50, batch=batch, trace=True)
        result.save(tmp_path / "tree")
        assert cn.load(tmp_path / "tree").resume(expansions=50).trace == result.resume(expansions=50).trace


def test_mistakes() -> None:
    with pytest.raises(cn.ArgumentError, match="decision"):
        cn.search(cn.games.ConnectFour().start(), "descent", decision="good", expansions=1)
