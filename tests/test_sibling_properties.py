"""Sibling conspiracy numbers: what holds for every tree, goals, transpositions, budgets, mistakes."""

from __future__ import annotations

from math import inf, nan
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import conspirator as cn
from helpers import (
    all_nodes,
    connect_four,
    is_one_line,
    mcallester,
    minimax,
    random_tree,
    unfinished,
    with_scores,
)

NAME = "sibling-conspiracy"
Data = dict[str, Any]
QUICK = settings(max_examples=150, deadline=None, database=None, derandomize=True)


def explicit(seed: int, depth: int = 7, ends: list[Any] | None = None) -> cn.Position:
    """Return the root of a tree with scores; the ends of its games may be chosen from a list."""
    random = Random(seed)
    data = with_scores(random_tree(random, random.randint(1, depth), skewed=seed % 3 == 0), random)
    nodes = [data]
    while nodes and ends:
        node = nodes.pop()
        nodes += node.get("children", [])
        if "children" not in node:
            node["value"] = random.choice(ends)
    return cn.games.ExplicitTree(data).start()


STARTS = st.one_of(
    st.integers(0, 10**6).map(explicit),
    st.integers(0, 10**6).map(mcallester),
    st.integers(0, 200).map(connect_four),
)
COUNTS = st.sampled_from([1, 2, 3, 5, 20])
LEAVES = st.fixed_dictionaries(
    {"delta": st.sampled_from([None, 0, 0.1, 0.25, 1, 3.7]), "cap": st.sampled_from([1, 2, 3, 16])}
)
ANY = st.fixed_dictionaries(
    {
        "pmax": st.one_of(COUNTS, st.sampled_from([inf, "inf"])),
        "dmax": st.one_of(COUNTS, st.sampled_from([inf, "inf"])),
        "eta": st.sampled_from([0, 0, 0.25, 1]),
        "interval": st.sampled_from(["literal", "strict"]),
        "evaluation": st.sampled_from(["siblings", "siblings", "global"]),
        "choice": st.sampled_from(["effort", "value"]),
        "goal": st.sampled_from([None, None, 2, 512]),
        "transpositions": st.booleans(),
    }
)


def facts(result: cn.Result) -> tuple[Any, ...]:
    return result.trace, result.status, result.limit, result.value, result.move, result.line


def decision(result: cn.Result) -> bool:
    """Return whether Max was shown to win."""
    value = result.tree.root.numbers["minimax"]
    assert abs(value) == inf
    assert result.status in ("proven", "decided")
    return bool(value == inf)


def is_won(start: cn.Position, value: float, goal: float | None = None) -> bool:
    if goal is not None:
        return value >= goal
    low, high = start.value_range
    middle = (low + high) / 2 if high < inf else 0
    return value > middle if start.to_move == "max" else value >= middle


# ---------------------------------------------------------------- two ways to the same search


@QUICK
@given(start=STARTS, leaves=LEAVES, shared=st.booleans())
def test_three_numbers_are_enough(start: cn.Position, leaves: Data, shared: bool) -> None:
    """With pmax = dmax = 1 the native rule keeps three numbers; with a trifle of eta it keeps all."""
    parameters: Data = {"transpositions": shared} | leaves
    three = cn.search(start, NAME, expansions=100, trace=True, **parameters)
    whole = cn.search(start, NAME, expansions=100, trace=True, eta=1e-12, **parameters)
    assert facts(three) == facts(whole)
    for path in ([], [0], three.trace[-1]):
        assert three.tree.node(path).numbers == whole.tree.node(path).numbers
    three.tree.check()
    whole.tree.check()


@QUICK
@given(start=STARTS, leaves=LEAVES, pmax=COUNTS, dmax=COUNTS, shared=st.booleans())
def test_heights_beyond_the_limits_do_not_matter(
    start: cn.Position, leaves: Data, pmax: int, dmax: int, shared: bool
) -> None:
    """Without eta heights are cut off above pmax and dmax; with a trifle of it they are not."""
    parameters: Data = {"pmax": pmax, "dmax": dmax, "transpositions": shared} | leaves
    cut = cn.search(start, NAME, expansions=100, trace=True, **parameters)
    whole = cn.search(start, NAME, expansions=100, trace=True, eta=1e-12, **parameters)
    assert facts(cut) == facts(whole)
    assert cut.tree.root.numbers == whole.tree.root.numbers
    cut.tree.check()


@pytest.mark.parametrize("word", [inf, "inf"])
def test_without_errors_and_limits_it_is_proof_number_search(word: Any) -> None:
    for seed in range(150):
        random = Random(seed)
        data = random_tree(random, random.randint(1, 7), skewed=seed % 3 == 0)
        nodes = [data]
        while nodes:
            node = nodes.pop()
            node["error"] = 0
            nodes += node.get("children", [])
        start = cn.games.ExplicitTree(data).start()
        one = cn.search(start, NAME, expansions=200, trace=True, pmax=word, dmax=word)
        two = cn.search(start, "proof-number", expansions=200, trace=True)
        assert (one.trace, one.status) == (two.trace, two.status)
        if one.status == "proven":
            assert one.value == two.value
        for this, same in zip(all_nodes(one.tree), all_nodes(two.tree), strict=True):
            p, d = this.numbers["p"], this.numbers["d"]
            highest = {"pn": p[-1][1] if p else 0, "dn": d[-1][1] if d else 0}
            assert highest == same.numbers


@QUICK
@given(start=STARTS, parameters=ANY, leaves=LEAVES, expansions=st.integers(1, 60))
def test_anything_goes(start: cn.Position, parameters: Data, leaves: Data, expansions: int) -> None:
    """Any parameters: the tree is whole, the answer is legal, the budget is kept, pieces make the whole."""
    whole = cn.search(start, NAME, expansions=expansions, trace=True, **parameters, **leaves)
    whole.tree.check()
    assert whole.move in start.moves()
    assert whole.expansions <= expansions
    part = cn.search(start, NAME, expansions=1, trace=True, **parameters, **leaves)
    while part.status == "budget" and part.expansions < expansions:
        part = part.resume(expansions=min(7, expansions - part.expansions))
    assert facts(part) == facts(whole)


# ---------------------------------------------------------------- what is proven is true

PARAMETERS: list[Data] = [
    {},
    {"delta": 0.5},
    {"pmax": 3, "dmax": 2},
    {"pmax": 20, "dmax": 20, "delta": 0.25, "eta": 0.25},
    {"interval": "strict", "delta": 1, "eta": 1},
    {"pmax": inf, "dmax": inf},
    {"choice": "value"},
]


@pytest.mark.parametrize("parameters", PARAMETERS, ids=str)
def test_wins_and_losses(parameters: Data) -> None:
    """Every search ends with a proof: each expansion opens another position of the game."""
    for seed in range(100):
        start = explicit(seed, ends=["inf", "-inf"])
        value = minimax(start)
        result = cn.search(start, NAME, expansions=10**6, **parameters)
        assert (result.status, result.value, decision(result)) == ("proven", value, value == inf)
        if value == (inf if start.to_move == "max" else -inf):
            assert minimax(start.play(result.move)) == value, "a won move"
        result.tree.check()


@pytest.mark.parametrize("parameters", [{}, {"delta": 0.5}, {"pmax": 3, "dmax": 3}], ids=str)
@pytest.mark.parametrize("goal", [None, -2.5, 0, 1, 3])
def test_goals(goal: float | None, parameters: Data) -> None:
    for seed in range(60):
        start = explicit(seed)
        value = minimax(start)
        result = cn.search(start, NAME, expansions=10**6, goal=goal, **parameters)
        assert decision(result) == is_won(start, value, goal)
        if decision(result) == (start.to_move == "max"):
            assert is_won(start, minimax(start.play(result.move)), goal) == (start.to_move == "max")


@pytest.mark.parametrize("parameters", [{}, {"pmax": 2, "dmax": 3}], ids=str)
def test_static_values_prove_the_minimax_value(parameters: Data) -> None:
    for seed in range(100):
        start = explicit(seed)
        result = cn.search(start, NAME, expansions=10**6, evaluation="global", **parameters)
        assert (result.status, result.value) == ("proven", minimax(start))
        result.tree.check()


def test_static_values_choose_a_move_of_the_proven_value() -> None:
    """Three for the one, two for the other: Min takes two."""
    start = cn.games.ExplicitTree({"to_move": "min", "children": [{"value": 3}, {"value": 2}]}).start()
    result = cn.search(start, NAME, expansions=5, evaluation="global")
    assert (result.status, result.value, result.move) == ("proven", 2, "1")


LATE = [unfinished("connect-four", seed, 28, 36) for seed in range(16)]


@pytest.mark.parametrize("parameters", PARAMETERS[:5], ids=str)
@pytest.mark.parametrize("goal", [None, 512, 1023])
def test_connect_four(goal: float | None, parameters: Data) -> None:
    """At least a draw is worth 512, a win 1023; transpositions give the same answers for less work."""
    results = set()
    for start in LATE:
        expected = is_won(start, minimax(start, memo={}), goal)
        plain, shared = (
            cn.search(start, NAME, expansions=10**6, goal=goal, transpositions=flag, **parameters)
            for flag in (False, True)
        )
        assert decision(plain) == decision(shared) == expected
        assert shared.expansions <= plain.expansions
        plain.tree.check()
        shared.tree.check()
        results.add(expected)
    assert results == {True, False}


# ---------------------------------------------------------------- choices and budgets


def test_moves_by_effort_or_value() -> None:
    """A won move first, lost moves last; between them the one most looked at, or of the best value."""
    for seed in range(100):
        start = explicit(seed)
        for choice in ("effort", "value"):
            result = cn.search(start, NAME, expansions=20, choice=choice)
            best = start.moves().index(result.move)
            root = result.tree.root
            sign = 1 if root.is_max else -1
            family = [child.numbers for child in root.children]
            values = [sign * child["minimax"] for child in family]
            if max(values) == inf:
                assert values[best] == inf
            elif max(values) > -inf:
                open_moves = [place for place, value in enumerate(values) if value > -inf]
                measure = values if choice == "value" else [child["expansions"] for child in family]
                assert measure[best] == max(measure[place] for place in open_moves)


MEMORY: list[Data] = [
    {},
    {"delta": 0.5},
    {"pmax": 5, "dmax": 5},
    {"pmax": "inf", "dmax": "inf", "delta": 0.25, "eta": 0.1},
    {"evaluation": "global", "pmax": 3},
    {"evaluation": "global", "delta": 10, "pmax": "inf"},
    {"transpositions": True},
    {"transpositions": True, "pmax": 5, "dmax": 5, "delta": 0.25},
]


@pytest.mark.parametrize("memory", [1000, 20_000, 1_000_000])
@pytest.mark.parametrize("trace", [False, True])
@pytest.mark.parametrize("parameters", MEMORY, ids=str)
def test_memory_is_never_exceeded(memory: int, trace: bool, parameters: Data) -> None:
    start = cn.games.ConnectFour().start()
    result = cn.search(start, NAME, memory=memory, expansions=10**9, trace=trace, **parameters)
    assert result.limit == "memory"
    assert result.bytes_per_node is not None
    assert len(result.tree) * result.bytes_per_node <= memory


# ---------------------------------------------------------------- mistakes

MISTAKES: list[tuple[Data, str]] = [
    ({"pmax": 0}, "pmax .* whole number from 1 up, or infinity, not 0"),
    ({"dmax": -1}, "dmax .* whole number from 1 up, or infinity, not -1"),
    ({"pmax": 1.5}, "pmax .* not 1.5"),
    ({"pmax": "many"}, "pmax .* not 'many'"),
    ({"pmax": -inf}, "pmax"),
    ({"pmax": nan}, "pmax"),
    ({"pmax": True}, "pmax"),
    ({"pmax": 10**30}, "pmax"),
    ({"eta": 2}, "eta must be from 0 to 1, not 2"),
    ({"eta": -0.1}, "eta"),
    ({"eta": nan}, "eta"),
    ({"eta": "0"}, "eta"),
    ({"delta": -1}, "delta .* not -1"),
    ({"delta": nan}, "delta"),
    ({"delta": inf}, "delta"),
    ({"delta": "1"}, "delta"),
    ({"cap": 0}, "cap .* whole number from 1 up, not 0"),
    ({"cap": 1.5}, "cap"),
    ({"interval": "open"}, "interval .* one of literal, strict, not 'open'"),
    ({"evaluation": "local"}, "evaluation .* one of siblings, global"),
    ({"choice": "best"}, "choice .* one of effort, value"),
    ({"goal": nan}, "goal"),
    ({"goal": "draw"}, "goal"),
    ({"transpositions": 1}, "transpositions"),
    ({"p_max": 1}, "unknown parameter of sibling-conspiracy 'p_max'.*pmax"),
    ({"threshold": 1}, "unknown parameter"),
]


@pytest.mark.parametrize(("parameters", "pattern"), MISTAKES, ids=str)
def test_mistakes(parameters: Data, pattern: str) -> None:
    with pytest.raises(cn.ArgumentError, match=pattern) as caught:
        cn.search(cn.games.UniformTree(width=2).start(), NAME, expansions=5, **parameters)
    assert is_one_line(caught.value)
    with pytest.raises(cn.ArgumentError, match=pattern):
        cn.Tree.from_dict({"value": 0}, NAME, **parameters)


def test_numbers_of_other_types() -> None:
    start = cn.games.ConnectFour().start()
    parameters: Data = {"pmax": np.int64(2), "dmax": np.int32(3), "delta": np.float64(0.5)}
    one = cn.search(start, NAME, expansions=50, trace=True, **parameters)
    two = cn.search(start, NAME, expansions=50, trace=True, pmax=2, dmax=3, delta=0.5)
    assert facts(one) == facts(two)


GREAT: list[Data] = [
    {"cap": 10**9, "delta": 0.5},
    {"delta": 1e300},
    {"pmax": 2**62, "dmax": 2**40, "delta": 0.5},
]


@pytest.mark.parametrize("parameters", GREAT, ids=str)
def test_great_numbers(parameters: Data) -> None:
    result = cn.search(cn.games.ConnectFour().start(), NAME, expansions=20, **parameters)
    assert result.expansions == 20
    result.tree.check()


@pytest.mark.parametrize("delta", [1e3, 1e5, 2e5, 1e6])
def test_a_great_delta(delta: float) -> None:
    """A leaf that cannot get far is not one that can get anywhere."""
    for seed in range(30):
        three = cn.search(explicit(seed), NAME, expansions=60, trace=True, delta=delta)
        whole = cn.search(explicit(seed), NAME, expansions=60, trace=True, delta=delta, eta=1e-12)
        assert facts(three) == facts(whole)


@pytest.mark.parametrize("delta", [2.3e15, 1e300])
def test_a_delta_beyond_all_values(delta: float) -> None:
    data = {"children": [{"score": 1, "children": [{"value": "-inf"}]}, {"score": 4, "value": 2}]}
    result = cn.search(cn.games.ExplicitTree(data).start(), NAME, expansions=9, delta=delta, pmax=2)
    assert result.status == "decided"


def test_a_goal_beyond_all_results() -> None:
    """Min wins at once; that is worth the goal, too, and needs no more expansions."""
    start = cn.games.ConnectFour().position("7112233")
    whole = cn.search(start, NAME, expansions=5, trace=True, goal=-1)
    part = cn.search(start, NAME, expansions=1, trace=True, goal=-1)
    assert (part.status, part.trace) == (whole.status, whole.trace)
