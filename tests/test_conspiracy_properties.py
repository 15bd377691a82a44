"""Conspiracy numbers: what holds for every tree, questions to any tree, mistakes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from math import inf
from random import Random
from typing import Any

import pytest

import conspirator as cn
from helpers import all_nodes, is_one_line, random_tree

SPECIFICATIONS: dict[str, type[cn.rules.Conspiracy]] = {
    "conspiracy": cn.rules.Conspiracy,
    "improved-conspiracy": cn.rules.ImprovedConspiracy,
}
RULES = list(SPECIFICATIONS)


def games(count: int) -> Iterator[tuple[int, cn.Position]]:
    for seed in range(count):
        random = Random(seed)
        if seed % 3 == 0:
            depth = random.randint(2, 6)
            yield seed, cn.games.RandomTree(branching=3, depth=depth, seed=seed).start()
        else:
            yield seed, cn.games.ExplicitTree(random_tree(random, 5, skewed=seed % 3 == 1)).start()


@pytest.mark.parametrize("name", [*RULES, "best-first"])
def test_intervals_widen_around_the_value(name: str) -> None:
    for seed, start in games(150):
        result = cn.search(start, name, expansions=1 + seed % 40)
        ladder = result.tree.ladder(12)
        assert result.interval(0) == ladder[0] == (result.value, result.value)
        for (low, high), (lower, higher) in pairwise(ladder):
            assert lower <= low <= result.value <= high <= higher


@pytest.mark.parametrize("name", [*RULES, "best-first"])
@pytest.mark.parametrize("expansions", [1, 2, 30])
def test_any_number_of_conspirators_may_be_asked_for(name: str, expansions: int) -> None:
    """Also more than there are leaves: then all of them conspire."""
    for _, start in games(20):
        result = cn.search(start, name, expansions=expansions)
        farthest = result.tree.ladder(len(result.tree))[-1]
        for n in [8, len(result.tree), len(result.tree) + 1, 1000]:
            assert result.interval(n) == (farthest if n >= len(result.tree) else result.tree.ladder(n)[n])


def test_leaves_that_must_be_bought_several_times_are_all_counted() -> None:
    """Section 10: <0, -1> for each of four leaves; eight conspirators take them all below."""
    start = cn.games.UniformTree(width=4).start()
    tree = cn.search(start, "conspiracy", leaf_delta=1, expansions=1).tree
    assert tree.conspiracy(tree.root, -1) == 4
    assert tree.conspiracy(tree.root, -2) == 8
    assert [low for low, _ in tree.ladder(9)] == [0, 0, 0, 0, -1, -1, -1, -1, -inf, -inf]


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("delta", [0, 1, 2.5])
@pytest.mark.parametrize("threshold", [1, 2, 3, 4])
def test_a_converged_search_is_sure(name: str, delta: float, threshold: int) -> None:
    converged = 0
    for seed, start in games(60):
        result = cn.search(
            start, name, threshold=threshold, delta=delta, iterative=seed % 2 == 0, expansions=2000
        )
        if result.status != "converged":
            assert result.status == "proven" or result.limit == "expansions"
            continue
        low, high = result.tree.ladder(threshold)[-1]
        assert low == high or high - low <= delta
        converged += 1
    assert converged > 20


@pytest.mark.parametrize("seed", range(40))
def test_capped_numbers_agree_with_all_of_them(seed: int) -> None:
    data = random_tree(Random(seed), 5)
    open_the_leaves(data, Random(seed))
    whole = cn.Tree.from_dict(data, "conspiracy", threshold=1000, iterative=False)
    for threshold in range(1, 8):
        capped = cn.Tree.from_dict(data, "conspiracy", threshold=threshold, iterative=False)
        for node, full in zip(all_nodes(capped), all_nodes(whole), strict=True):
            expected = dict(full.numbers)
            for key in ("upper", "lower"):
                expected[key] = expected[key][: threshold + 1]
            assert node.numbers == expected


def open_the_leaves(data: dict[str, Any], random: Random) -> None:
    """Make a search tree of a game: some leaves are terminal, the others open."""
    for child in data.get("children", []):
        open_the_leaves(child, random)
    if "children" not in data:
        data["terminal"] = isinstance(data["value"], str) or random.random() < 0.2


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("threshold", [1, 2])
def test_lists_end_at_the_threshold_in_use(name: str, threshold: int) -> None:
    """Bounds for leaves (Section 10) are longer than a small threshold needs; node.numbers cuts them."""
    data = {"value": 1, "children": [{"value": 1}, {"value": 2}]}
    native = cn.Tree.from_dict(data, name, threshold=threshold, leaf_delta=1.0)
    python = cn.Tree.from_dict(data, SPECIFICATIONS[name](threshold=threshold, leaf_delta=1.0))
    for one, two in zip(all_nodes(native), all_nodes(python), strict=True):
        assert len(one.numbers["upper"]) <= threshold + 1
        assert one.numbers == two.numbers


@pytest.mark.parametrize("name", RULES)
def test_lists_end_before_the_tail(name: str) -> None:
    """A sequence is its entries before they become constant (Definition 4.1: the finite ones)."""
    won = {"value": "inf", "terminal": True}
    data = {"value": 0, "children": [won, {"value": 0}]}
    expected = {"upper": [], "upper_tail": inf, "lower": [], "lower_tail": inf}
    assert cn.Tree.from_dict(data, SPECIFICATIONS[name]()).root.numbers == expected
    assert cn.Tree.from_dict(data, name).root.numbers == expected


def test_what_a_best_first_tree_tells() -> None:
    start = cn.games.RandomTree(branching=3, depth=6, seed=5).start()
    result = cn.search(start, "best-first", expansions=40)
    same = cn.Tree.from_dict(as_data(result.tree.root), "conspiracy")
    assert result.tree.ladder(8) == same.ladder(8) == [result.interval(n) for n in range(9)]
    for value in range(-8, 9):
        leaves, twins = result.conspirators(value), same.conspirators(value)
        assert leaves is not None
        assert twins is not None
        assert [[int(move) for move in line] for line in leaves] == [leaf.path for leaf in twins]


def as_data(node: cn.Node) -> dict[str, Any]:
    """Return a tree as nested dictionaries."""
    data: dict[str, Any] = {"value": node.value, "to_move": "max" if node.is_max else "min"}
    if node.is_terminal:
        data["terminal"] = True
    if node.children:
        data["children"] = [as_data(child) for child in node.children]
    return data


def test_an_unreachable_value() -> None:
    """Max has a finished game worth 3 and an open leaf below it: less than 3 it cannot become."""
    tree = cn.Tree.from_dict(
        {"value": 0, "children": [{"value": 3, "terminal": True}, {"value": 1}]}, "conspiracy"
    )
    assert tree.conspirators(2) is None
    assert tree.conspiracy(tree.root, 2) == inf
    assert tree.conspirators(3) == []
    assert tree.conspirators(4) == [tree.node([1])]
    solved = cn.search(cn.games.ExplicitTree({"value": 0, "children": [{"value": 3}]}).start(), "conspiracy")
    assert (solved.status, solved.conspirators(4), solved.conspirators(3)) == ("proven", None, [])


def test_a_proven_game_is_not_searched_on() -> None:
    """Player one wins at once, and no value is greater than a win: nothing is left to rule out."""
    start = cn.games.ConnectFour().position("112233")
    for parameters in ({}, {"threshold": 3}, {"goal": "move"}):
        result = cn.search(start, "conspiracy", expansions=1000, **parameters)
        assert (result.status, result.move, result.value) == ("proven", "4", start.value_range[1])
        assert result.expansions == 1


# ---------------------------------------------------------------- mistakes

MISTAKES: list[tuple[dict[str, Any], str]] = [
    ({"threshold": 2, "ct": 3}, "not both"),
    ({"iterative": False}, "needs a threshold"),
    ({"threshold": 0}, "threshold"),
    ({"threshold": -1, "iterative": False}, "threshold"),
    ({"ct": 1}, "1"),
    ({"delta": -1}, "delta"),
    ({"delta": -0.001, "threshold": 2}, "delta"),
    ({"delta": float("nan")}, "delta"),
    ({"delta": inf}, "delta"),
    ({"leaf_delta": -1}, "leaf_delta"),
    ({"leaf_delta": float("nan")}, "leaf_delta"),
    ({"leaf_delta": inf}, "leaf_delta"),
    ({"goal": "moves"}, "goal"),
    ({"strategy": "best"}, "strategy"),
]


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("language", ["native", "python"])
@pytest.mark.parametrize(("parameters", "word"), MISTAKES, ids=str)
def test_mistakes(name: str, language: str, parameters: dict[str, Any], word: str) -> None:
    start = cn.games.UniformTree(width=2).start()
    rule = name if language == "native" else SPECIFICATIONS[name]
    with pytest.raises(cn.ArgumentError, match=word) as caught:
        cn.search(start, rule, expansions=5, **parameters)
    assert is_one_line(caught.value)


TYPES: list[dict[str, Any]] = [
    {"threshold": 1.5},
    {"threshold": "2"},
    {"threshold": True},
    {"threshold": 10**30},
    {"treshold": 2},
    {"ct": "x"},
    {"delta": "1"},
    {"iterative": 1},
    {"goal": 3},
    {"goal": "move", "strategy": False},
    {"leaf_delta": "1"},
]


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("parameters", TYPES, ids=str)
def test_wrong_types(name: str, parameters: dict[str, Any]) -> None:
    with pytest.raises(cn.ArgumentError) as caught:
        cn.search(cn.games.UniformTree(width=2).start(), name, expansions=5, **parameters)
    assert is_one_line(caught.value)


Question = Callable[[cn.Result], object]
QUESTIONS: list[Question] = [
    lambda result: result.interval(-1),
    lambda result: result.interval(1.5),  # type: ignore[arg-type]
    lambda result: result.interval(True),
    lambda result: result.conspirators(float("nan")),
    lambda result: result.tree.conspiracy(result.tree.root, float("nan")),
    lambda result: result.tree.conspiracy(cn.Tree.from_dict({"value": 0}, "conspiracy").root, 1),
]


@pytest.mark.parametrize("question", QUESTIONS)
def test_questions_without_an_answer(question: Question) -> None:
    result = cn.search(cn.games.UniformTree(width=2).start(), "conspiracy", expansions=5)
    with pytest.raises(cn.ArgumentError) as caught:
        question(result)
    assert is_one_line(caught.value)


def uneven_tree(random: Random, depth: int) -> dict[str, Any]:
    """Return a tree with bounds from the evaluator for few positions, and some infinite results."""
    value = float(random.randint(-4, 4))
    if depth == 0 or random.random() < 0.1:
        return {"value": random.choice([value, value, inf, -inf]), "terminal": True}
    node: dict[str, Any] = {"value": value}
    if random.random() < 0.05:
        node |= {"upper": [value, value + 1], "lower": [value, value, value - 1]}
    return node | {"children": [uneven_tree(random, depth - 1) for _ in range(random.randint(1, 4))]}


@pytest.mark.parametrize("threshold", [2, 4, 8, 9])
@pytest.mark.parametrize("search", RULES)
def test_numbers_stay_exact_where_few_leaves_have_bounds(search: str, threshold: int) -> None:
    for seed in range(20):
        tree = uneven_tree(Random(seed), 5) | {"terminal": False, "value": 0}
        if "children" not in tree:
            continue
        result = cn.search(cn.games.ExplicitTree(tree).start(), search, threshold=threshold, expansions=1)
        while result.status == "budget":
            result.tree.check()
            result = result.resume(expansions=1)
        result.tree.check()
