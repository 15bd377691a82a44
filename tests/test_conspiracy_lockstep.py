"""Conspiracy numbers: the native rules and their pages of Python grow the same tree, whole or in pieces."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest

import conspirator as cn
from helpers import all_nodes, connect_four, in_pieces, mcallester, random_tree, utgoff

SPECIFICATIONS: dict[str, type[cn.rules.Conspiracy]] = {
    "conspiracy": cn.rules.Conspiracy,
    "improved-conspiracy": cn.rules.ImprovedConspiracy,
}
STRATEGIES = ["prove", "disprove", "alternate", "fewest"]
Parameters = dict[str, Any]


def explicit(seed: int) -> cn.Position:
    """Few values and so many ties; games end at many depths; either player begins, not always in turn."""
    random = Random(seed)
    data = random_tree(random, random.randint(1, 9), skewed=seed % 3 == 0)
    return cn.games.ExplicitTree(data).start()


FAMILIES: dict[str, tuple[Callable[[int], cn.Position], int, int]] = {
    "explicit": (explicit, 6, 80),
    "mcallester": (mcallester, 3, 60),
    "utgoff": (utgoff, 2, 40),
    "connect-four": (connect_four, 2, 40),
}
"""How to make a position, how many for every set of parameters, and the expansions of a search."""


def limits() -> Iterator[Parameters]:
    """Yield every way to say how many conspirators there are."""
    for iterative in (True, False):
        for threshold in range(1, 6):
            yield {"iterative": iterative, "threshold": threshold}
        yield {"iterative": iterative, "ct": 4}
    yield {"iterative": True}
    yield {"iterative": True, "threshold": 20}


def parameter_sets(goal: str) -> Iterator[Parameters]:
    """Yield every combination of the parameters that the goal looks at."""
    for limit in limits():
        for leaf_delta in (None, 0, 1):
            if goal == "value":
                for delta in (0, 1, 2.5):
                    yield limit | {"leaf_delta": leaf_delta, "delta": delta}
            else:
                for strategy in STRATEGIES:
                    yield limit | {"leaf_delta": leaf_delta, "goal": "move", "strategy": strategy}


def facts(result: cn.Result) -> tuple[Any, ...]:
    return result.trace, result.status, result.limit, result.value, result.nodes, result.depth


def numbers(tree: cn.Tree) -> list[tuple[Any, ...]]:
    """Return what is known of every node."""
    return [(node.id, node.path, node.value, node.is_open, node.numbers) for node in all_nodes(tree)]


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("name", SPECIFICATIONS)
@pytest.mark.parametrize("goal", ["value", "move"])
def test_lockstep(family: str, name: str, goal: str) -> None:
    make, count, expansions = FAMILIES[family]
    for place, parameters in enumerate(parameter_sets(goal)):
        for seed in range(count * place, count * (place + 1)):
            start = make(seed)
            rule = SPECIFICATIONS[name](**parameters)
            native = cn.search(start, name, expansions=expansions, trace=True, **parameters)
            python = cn.search(start, rule, expansions=expansions, trace=True)
            assert facts(native) == facts(python), (seed, parameters)
            if goal == "value":
                assert (native.move, native.line) == (python.move, python.line)
            else:
                assert start.moves().index(native.move) == rule.answer(), (seed, parameters)
            native.tree.check()
            python.tree.check()
            if parameters["leaf_delta"] is None:
                assert native.tree.ladder(6) == python.tree.ladder(6)


def limits_of(node: cn.Node, most: int) -> list[tuple[float, float]]:
    """Return (Vmin, Vmax) for 0, 1, ... conspirators and for any number of them."""
    sequences = [
        [*node.numbers[key], *[node.numbers[f"{key}_tail"]] * (most + 1)][: most + 1]
        for key in ("lower", "upper")
    ]
    tails = (node.numbers["lower_tail"], node.numbers["upper_tail"])
    return [*zip(*sequences, strict=True), tails]


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("name", SPECIFICATIONS)
@pytest.mark.parametrize("leaf_delta", [None, 0, 1])
def test_the_same_numbers(family: str, name: str, leaf_delta: float | None) -> None:
    make, _, expansions = FAMILIES[family]
    for seed in range(24):
        threshold = [1, 2, 4, None][seed % 4]
        for goal in ("value", "move"):
            parameters: Parameters = {"threshold": threshold, "leaf_delta": leaf_delta, "goal": goal}
            native = cn.search(make(seed), name, expansions=expansions, **parameters)
            python = cn.search(make(seed), SPECIFICATIONS[name], expansions=expansions, **parameters)
            for one, two in zip(all_nodes(native.tree), all_nodes(python.tree), strict=True):
                assert (one.id, one.value, one.is_open) == (two.id, two.value, two.is_open)
                assert limits_of(one, threshold or 8) == limits_of(two, threshold or 8), (seed, goal)


@pytest.mark.parametrize("name", SPECIFICATIONS)
@pytest.mark.parametrize("goal", ["value", "move"])
def test_bounds_of_leaves_that_pass_the_end_of_the_values(name: str, goal: str) -> None:
    """Connect-Four has values from 1 to 1023: a leaf of 700 cannot rise by 600."""
    for seed in range(40):
        start = connect_four(seed)
        parameters: Parameters = {"leaf_delta": 600, "goal": goal, "threshold": 3}
        native = cn.search(start, name, expansions=40, trace=True, **parameters)
        python = cn.search(start, SPECIFICATIONS[name], expansions=40, trace=True, **parameters)
        assert facts(native) == facts(python), seed


GOALS: dict[str, Parameters] = {
    "iterative": {"leaf_delta": None},
    "basic": {"leaf_delta": None, "threshold": 3, "iterative": False},
    "bounds": {"leaf_delta": 1, "delta": 1, "threshold": 3},
    **{strategy: {"leaf_delta": None, "goal": "move", "strategy": strategy} for strategy in STRATEGIES},
}


@pytest.mark.parametrize("name", SPECIFICATIONS)
@pytest.mark.parametrize("language", ["native", "python"])
@pytest.mark.parametrize("goal", GOALS)
def test_pieces_make_the_whole(name: str, language: str, goal: str) -> None:
    rule: Any = name if language == "native" else SPECIFICATIONS[name]
    for make, _, expansions in FAMILIES.values():
        for seed in range(12):
            start = make(seed)
            whole = cn.search(start, rule, expansions=expansions, trace=True, **GOALS[goal])
            part = in_pieces(start, rule, expansions, Random(seed), **GOALS[goal])
            assert facts(part) == facts(whole), (make, seed)
            assert (part.move, part.line) == (whole.move, whole.line)
            assert numbers(part.tree) == numbers(whole.tree)


LONG: dict[str, cn.Position] = {
    "finite": cn.games.RandomTree(branching=4, depth=4, seed=1).start(),
    "infinite": cn.games.RandomTree(branching=3, depth=0, seed=2, spread=5).start(),
    "sorted": cn.games.RandomTree(branching=10, depth=6, seed=3, sort=True).start(),
    "utgoff": cn.games.RandomTree(branching=3, depth=64, seed=4, kind="utgoff").start(),
    "connect-four": cn.games.ConnectFour().start(),
    "uniform": cn.games.UniformTree(width=3).start(),
}


@pytest.mark.parametrize("name", SPECIFICATIONS)
@pytest.mark.parametrize("goal", ["value", "move"])
@pytest.mark.parametrize("game", LONG)
def test_long_searches(name: str, goal: str, game: str) -> None:
    """Far enough for the count of conspirators to be doubled in some of them."""
    parameters: Parameters = {"goal": goal, "strategy": "alternate", "iterative": game != "uniform"}
    if game == "uniform":
        parameters["threshold"] = 30
    native = cn.search(LONG[game], name, expansions=400, trace=True, **parameters)
    python = cn.search(LONG[game], SPECIFICATIONS[name], expansions=400, trace=True, **parameters)
    assert facts(native) == facts(python)
    most = parameters.get("threshold", 8)
    for one, two in zip(all_nodes(native.tree), all_nodes(python.tree), strict=True):
        assert limits_of(one, most) == limits_of(two, most)


def test_a_rule_object_begins_anew_with_every_search() -> None:
    parameters: Parameters = {"goal": "move", "strategy": "alternate"}
    rule = cn.rules.Conspiracy(**parameters)
    for start in (explicit(1), mcallester(4), explicit(1)):
        fresh = cn.search(start, "conspiracy", expansions=50, trace=True, **parameters)
        assert facts(cn.search(start, rule, expansions=50, trace=True)) == facts(fresh)
