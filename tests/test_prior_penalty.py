"""Penalties on a policy: the page of Python in lockstep, the formulas on a small tree, proofs."""

from __future__ import annotations

import math
from random import Random
from typing import Any

import pytest

import conspirator as cn
from helpers import all_nodes, minimax
from test_puct import FAMILIES, explicit

AMOUNTS: dict[str, list[float]] = {
    "sharpness": [0.0, 0.6, 1.0],
    "shrink": [0.0, 3.0, 10.0],
    "lean": [0.0, 6.0],
    "steepness": [0.0, 8.0, 32.0],
    "rise": [0.0, 1.0],
    "ply": [0.0, 0.15, 1.0],
    "caution": [0.0, 0.5],
}


@pytest.mark.parametrize("family", FAMILIES)
def test_lockstep(family: str) -> None:
    make, count = FAMILIES[family]
    for seed in range(count):
        start = make(seed)
        if start.outcome is not None:
            continue
        random = Random(seed)
        parameters: dict[str, Any] = {}
        if seed % 2:
            parameters = {name: random.choice(amounts) for name, amounts in AMOUNTS.items()}
        form: dict[str, Any] = {"expansions": 120, "trace": True}
        if family == "hex" and seed % 2 == 0:
            form["evaluator"] = "knowledge"
        native = cn.search(start, "prior-penalty", **parameters, **form)
        page = cn.search(start, cn.rules.PriorPenalty(**parameters), **form)
        assert native.trace == page.trace
        assert (native.move, native.status) == (page.move, page.status)
        for one, two in zip(all_nodes(native.tree), all_nodes(page.tree), strict=True):
            assert one.numbers == two.numbers
        native.tree.check()


def test_formulas() -> None:
    """Two moves, one of them expanded: all numbers by hand."""
    tree = {
        "value": 0,
        "children": [
            {"value": 2, "score": 3, "children": [{"value": 4}, {"value": 5}]},
            {"value": 1, "score": 1, "children": [{"value": 3}, {"value": 3}]},
        ],
    }
    game = cn.games.ExplicitTree(tree)
    result = cn.search(game.start(), "prior-penalty", expansions=2)
    root = result.tree.root
    one, two = root.children
    visited, fresh = (one, two) if one.children else (two, one)
    u, q = 0.5, visited.numbers["reward"]  # values without ends: 0 is half-way
    assert isinstance(q, float)
    mean = (u + q) / 2
    shrunk = (3 * mean + q) / 4
    value = (u + q) / 2
    assert root.numbers["reward"] == pytest.approx(value)
    beta = 32 + math.sqrt(2)
    priors = [child.numbers["prior"] for child in (visited, fresh)]
    terms = [math.log(prior) + beta * merit for prior, merit in zip(priors, (shrunk, value), strict=True)]
    level = math.log(sum(math.exp(term) for term in terms))
    below = 0.15 + visited.numbers["penalty"]
    assert root.numbers["penalty"] == pytest.approx(min(level - terms[0] + below, level - terms[1]))


def test_proofs_are_right() -> None:
    for seed in range(100):
        start = explicit(seed)
        result = cn.search(start, "prior-penalty", expansions=10_000)
        assert (result.value, result.status) == (minimax(start), "proven")


def test_wrong_amounts() -> None:
    with pytest.raises(cn.ArgumentError, match="ply must not be negative"):
        cn.search(cn.games.ConnectFour().start(), "prior-penalty", ply=-1, expansions=1)
