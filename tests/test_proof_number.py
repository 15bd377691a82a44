"""Proof numbers: the native rule against its page of Python, against minimax, and goals."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from random import Random
from typing import Any

import pytest

import conspirator as cn
import python_games
from helpers import all_nodes, connect_four, is_one_line, mcallester, minimax, random_tree, unfinished

NAME = "proof-number"
Data = dict[str, Any]


def explicit(seed: int) -> cn.Position:
    """Results of many values, infinities too; either player begins, not always in turn."""
    random = Random(seed)
    return cn.games.ExplicitTree(random_tree(random, random.randint(1, 7), skewed=seed % 3 == 0)).start()


def win_or_loss(seed: int) -> cn.Position:
    """Return the root of a tree in which every game is won or lost."""
    random = Random(seed)
    data = random_tree(random, random.randint(1, 7), skewed=seed % 3 == 0)
    nodes = [data]
    while nodes:
        node = nodes.pop()
        nodes += node.get("children", [])
        if "children" not in node:
            node["value"] = random.choice(["inf", "-inf"])
    return cn.games.ExplicitTree(data).start()


FAMILIES: dict[str, tuple[Callable[[int], cn.Position], int, int]] = {
    "explicit": (explicit, 400, 100),
    "win or loss": (win_or_loss, 300, 100),
    "mcallester": (mcallester, 150, 100),
    "connect-four": (connect_four, 60, 100),
}


def facts(result: cn.Result) -> tuple[Any, ...]:
    return result.trace, result.status, result.limit, result.nodes, result.depth


def is_won(start: cn.Position, value: float, goal: float | None) -> bool:
    """Tell whether a result counts as won for Max."""
    if goal is not None:
        return value >= goal
    low, high = start.value_range
    middle = (low + high) / 2 if high < inf else 0
    return value > middle if start.to_move == "max" else value >= middle


def decision(result: cn.Result) -> bool:
    """Return whether Max was shown to win."""
    numbers = result.tree.root.numbers
    assert sorted(numbers.values()) == [0, inf]
    assert result.status in ("proven", "decided")
    return bool(numbers["pn"] == 0)


# ---------------------------------------------------------------- the definition


def numbers(node: cn.Node, won: Callable[[float], bool]) -> tuple[float, float]:
    """Return the proof and the disproof number by equations 1 and 2."""
    if node.is_terminal:
        return (0, inf) if won(node.value) else (inf, 0)
    if not node.children:
        return 1, 1
    proofs, disproofs = zip(*(numbers(child, won) for child in node.children), strict=True)
    return (min(proofs), sum(disproofs)) if node.is_max else (sum(proofs), min(disproofs))


@pytest.mark.parametrize("family", FAMILIES)
def test_numbers(family: str) -> None:
    make, count, _ = FAMILIES[family]
    for seed in range(count // 4):
        start, goal = make(seed), [None, -1, 1][seed % 3]
        tree = cn.search(start, NAME, expansions=1 + seed % 30, goal=goal).tree
        for node in all_nodes(tree):
            pn, dn = numbers(node, lambda value, start=start, goal=goal: is_won(start, value, goal))  # type: ignore[misc]
            assert node.numbers == {"pn": pn, "dn": dn}
        tree.check()


def test_a_tree_as_data() -> None:
    r"""Max moves at the root.

              max 1 3
            /         \
        min 2 1     min 1 2
        /    \       /    \
       1 1   1 1   won   max 1 2
                          /   \
                         1 1  1 1
    """
    won: Data = {"value": "inf", "terminal": True}
    two: Data = {"value": 0, "children": [{"value": 0}, {"value": 0}]}
    data = {"value": 0, "children": [two, {"value": 0, "children": [won, two]}]}
    for rule in (NAME, cn.rules.ProofNumber()):
        tree = cn.Tree.from_dict(data, rule)
        pairs = {
            tuple(node.path): (node.numbers["pn"], node.numbers["dn"])
            for node in all_nodes(tree)
            if node.children
        }
        assert pairs == {(): (1, 3), (0,): (2, 1), (1,): (1, 2), (1, 1): (1, 2)}
        assert tree.node([1, 0]).numbers == {"pn": 0, "dn": inf}
        tree.check()


# ---------------------------------------------------------------- the page of Python


@pytest.mark.parametrize("family", FAMILIES)
def test_lockstep(family: str) -> None:
    make, count, expansions = FAMILIES[family]
    for seed in range(count):
        start = make(seed)
        parameters: Data = {"goal": [None, None, -1, 0, 1, 512, 1023][seed % 7]}
        rule = cn.rules.ProofNumber(**parameters)
        native = cn.search(start, NAME, expansions=expansions, trace=True, **parameters)
        python = cn.search(start, rule, expansions=expansions, trace=True)
        assert facts(native) == facts(python), (seed, parameters)
        assert native.move == python.move == start.moves()[rule.answer() or 0]
        for one, two in zip(all_nodes(native.tree), all_nodes(python.tree), strict=True):
            assert (one.path, one.numbers) == (two.path, two.numbers)
        native.tree.check()
        python.tree.check()


@pytest.mark.parametrize("rule", [NAME, cn.rules.ProofNumber], ids=["native", "python"])
def test_pieces_make_the_whole(rule: Any) -> None:
    for make, _, expansions in FAMILIES.values():
        for seed in range(15):
            random, start = Random(seed), make(seed)
            whole = cn.search(start, rule, expansions=expansions, trace=True)
            part = cn.search(start, rule, expansions=1, trace=True)
            before = 0
            while before < part.expansions < expansions:
                part.tree.check()
                before = part.expansions
                part = part.resume(expansions=min(random.randint(1, 9), expansions - before))
            assert facts(part) == facts(whole)
            assert (part.move, part.line, part.value) == (whole.move, whole.line, whole.value)


# ---------------------------------------------------------------- what is proven is true


@pytest.mark.parametrize("block", range(4))
def test_wins_and_losses(block: int) -> None:
    for seed in range(200 * block, 200 * (block + 1)):
        start = win_or_loss(seed)
        value = minimax(start)
        result = cn.search(start, NAME, expansions=10**6)
        assert (result.status, result.value, decision(result)) == ("proven", value, value == inf)
        if value == (inf if start.to_move == "max" else -inf):
            assert minimax(start.play(result.move)) == value, "a won move"


@pytest.mark.parametrize("goal", [None, -3, -2.5, 0, 1, 3])
def test_goals(goal: float | None) -> None:
    """Is a game worth the goal? Some proofs leave its value open: 'decided'."""
    seen = set()
    for seed in range(150):
        start = explicit(seed)
        value = minimax(start)
        result = cn.search(start, NAME, expansions=10**6, goal=goal)
        assert decision(result) == is_won(start, value, goal)
        if decision(result) == (start.to_move == "max"):
            reached = minimax(start.play(result.move))
            assert is_won(start, reached, goal) == (start.to_move == "max")
        if result.status == "proven":
            assert result.value == value
        seen.add(result.status)
    assert seen == {"proven", "decided"}


LATE = [unfinished("connect-four", seed, 28, 36) for seed in range(24)]


@pytest.mark.parametrize("transpositions", [False, True])
@pytest.mark.parametrize(("goal", "least"), [(None, None), (512, 512), (1023, 1023), (513, 1023), (2, 512)])
def test_connect_four(goal: float | None, least: float | None, transpositions: bool) -> None:
    """A win is worth 1023, a draw 512, a loss 1."""
    results = set()
    for start in LATE:
        value = minimax(start, memo={})
        result = cn.search(start, NAME, expansions=10**6, goal=goal, transpositions=transpositions)
        assert decision(result) == is_won(start, value, least)
        results.add(decision(result))
        result.tree.check()
    assert results == {True, False}


def test_transpositions_make_proofs_smaller() -> None:
    saved = 0
    for start in LATE:
        plain, shared = (
            cn.search(start, NAME, expansions=10**6, transpositions=flag) for flag in (False, True)
        )
        assert decision(plain) == decision(shared)
        assert shared.expansions <= plain.expansions
        saved += plain.nodes - shared.nodes
    assert saved > 0


def test_nim() -> None:
    """The rest of a division by four wins; no remainder, no win."""
    for matches in range(1, 22):
        for player, to_move in ((1, "max"), (-1, "min")):
            start = python_games.Nim().position((matches, player), to_move)  # type: ignore[arg-type]
            result = cn.search(start, NAME, expansions=10**6)
            lost = matches % 4 == 0
            assert (result.status, result.value) == ("proven", -player if lost else player)
            if not lost:
                assert result.move == matches % 4


# ---------------------------------------------------------------- budgets and mistakes


@pytest.mark.parametrize("memory", [1000, 20_000, 163_380, 900_000])
@pytest.mark.parametrize(("transpositions", "trace"), [(False, False), (False, True), (True, False)])
def test_memory_is_never_exceeded(memory: int, transpositions: bool, trace: bool) -> None:
    assert_memory(memory, transpositions, trace)


@pytest.mark.parametrize("memory", [1000, 20_000, 163_380, 900_000])
def test_memory_is_never_exceeded_by_the_trace_of_shared_subtrees(memory: int) -> None:
    assert_memory(memory, transpositions=True, trace=True)


def assert_memory(memory: int, transpositions: bool, trace: bool) -> None:
    start = cn.games.ConnectFour().start()
    result = cn.search(
        start, NAME, memory=memory, expansions=10**9, transpositions=transpositions, trace=trace
    )
    assert result.limit == "memory"
    assert result.bytes_per_node is not None
    assert len(result.tree) * result.bytes_per_node <= memory


MISTAKES: list[tuple[Data, str]] = [
    ({"goal": "win"}, "goal"),
    ({"goal": float("nan")}, "goal"),
    ({"goal": inf}, "goal"),
    ({"goal": True}, "goal"),
    ({"transpositions": 1}, "transpositions"),
    ({"pmax": 1}, "pmax"),
]


@pytest.mark.parametrize(("parameters", "word"), MISTAKES, ids=str)
def test_mistakes(parameters: Data, word: str) -> None:
    with pytest.raises(cn.ArgumentError, match=word) as caught:
        cn.search(cn.games.UniformTree(width=2).start(), NAME, expansions=5, **parameters)
    assert is_one_line(caught.value)


# ---------------------------------------------------------------- what is not looked at is not checked

BOUNDS: Data = {"value": 3, "upper": [3, 4], "lower": [3, 1], "children": [{"value": 1}]}


def test_bounds_of_the_evaluator_do_not_matter() -> None:
    result = cn.search(cn.games.ExplicitTree(BOUNDS).start(), NAME, expansions=5)
    assert (result.status, result.value) == ("proven", 1)


class HalfBounded(cn.Game):
    """Values from 1 up; two moves, and Min sees to it that nobody gets more than 1."""

    value_range = (1, inf)

    def moves(self, state: str) -> list[str]:
        return ["a", "b"]

    def play(self, state: str, move: str) -> str:
        return state + move

    def outcome(self, state: str) -> float | None:
        return None if len(state) < 2 else 3 if state == "ba" else 1

    def evaluate(self, state: str) -> float:
        return 2


def test_values_with_one_end() -> None:
    start = HalfBounded().position("")
    native = cn.search(start, NAME, expansions=9, trace=True)
    python = cn.search(start, cn.rules.ProofNumber(), expansions=9, trace=True)
    assert facts(native) == facts(python)
