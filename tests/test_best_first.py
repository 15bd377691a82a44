"""Best-first minimax search: golden traces, the native rule against its page of Python, proofs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest

import conspirator as cn
from helpers import connect_four, golden, mcallester, minimax, random_tree, unfinished, utgoff

GOLDEN = [
    pytest.param(case, run, id=f"{case['id']}-{run['parameters']['complete']}")
    for case in golden("penalty_lcf/traces")["cases"]
    for run in case["runs"]
    if run["search"] == "best-first"
]


def places(name: str) -> list[int]:
    """Return the path that a golden file writes as '0.2.1'."""
    return [int(place) for place in name.split(".")] if name else []


@pytest.mark.parametrize(("case", "run"), GOLDEN)
def test_golden_games(case: dict[str, Any], run: dict[str, Any]) -> None:
    start = cn.games.ExplicitTree(case["game"] | {"to_move": case["to_move"]}).start()
    result = cn.search(start, "best-first", trace=True, expansions=50, **run["parameters"])
    assert result.trace == run["trace"]
    assert result.move == str(run["best_child"])
    assert (result.limit == "expansions") == (len(run["trace"]) == 50 and result.status != "proven")
    result.tree.check()

    after = run["nodes_after"]
    tree = cn.search(start, "best-first", expansions=after["expansions"], **run["parameters"]).tree
    assert len(tree) == 1 + len(after["nodes"])
    for name, numbers in after["nodes"].items():
        assert tree.node(places(name)).numbers == numbers


@pytest.mark.parametrize("case", golden("penalty_lcf/random_games")["searches"])
@pytest.mark.parametrize(("name", "complete"), [("bfmm_stop", False), ("bfmm_skip", True)])
def test_golden_random_games(case: dict[str, Any], name: str, complete: bool) -> None:
    game = cn.games.RandomTree(branching=case["b"], depth=case["depth"], seed=case["seed"], kind="utgoff")
    result = cn.search(game.start(), "best-first", expansions=50, trace=True, complete=complete)
    run = case[name]
    assert result.trace == [places(path) for path in run["expansions"]]
    assert result.move == str(run["final_best_root_child"])
    assert [child.value for child in result.tree.root.children] == run["final_root_children"]


def explicit(seed: int) -> cn.Position:
    random = Random(seed)
    data = random_tree(random, random.randint(1, 6), skewed=seed % 3 == 0)
    return cn.games.ExplicitTree(data).start()


LOCKSTEP: dict[str, tuple[Callable[[int], cn.Position], int, int]] = {
    "explicit": (explicit, 600, 400),
    "mcallester": (mcallester, 300, 300),
    "utgoff": (utgoff, 150, 200),
    "connect-four": (connect_four, 150, 300),
}


def nodes(tree: cn.Tree) -> Iterator[tuple[Any, ...]]:
    """Yield everything that a tree knows, node by node."""
    stack = [tree.root]
    while stack:
        node = stack.pop()
        yield node.id, node.path, node.value, node.is_solved, node.is_open, node.is_max, node.numbers
        stack += node.children


@pytest.mark.parametrize("name", LOCKSTEP)
@pytest.mark.parametrize("complete", [True, False])
def test_lockstep_with_the_python_rule(name: str, complete: bool) -> None:
    make, count, expansions = LOCKSTEP[name]
    for seed in range(count):
        start = make(seed)
        native = cn.search(start, "best-first", expansions=expansions, trace=True, complete=complete)
        python = cn.search(start, cn.rules.BestFirst(complete), expansions=expansions, trace=True)
        assert native.trace == python.trace
        assert (native.value, native.status, native.line) == (python.value, python.status, python.line)
        native.tree.check()
        python.tree.check()
        if seed % 10 == 0:
            assert list(nodes(native.tree)) == list(nodes(python.tree))


@pytest.mark.parametrize("name", LOCKSTEP)
@pytest.mark.parametrize("complete", [True, False])
@pytest.mark.parametrize("rule", ["best-first", cn.rules.BestFirst], ids=["native", "python"])
def test_pieces_make_the_whole(name: str, complete: bool, rule: Any) -> None:
    make, _, expansions = LOCKSTEP[name]
    for seed in range(20):
        random = Random(seed)
        start = make(seed)
        whole = cn.search(start, rule, expansions=expansions, trace=True, complete=complete)
        part = cn.search(start, rule, expansions=1, trace=True, complete=complete)
        while part.status == "budget" and part.expansions < expansions:
            part.tree.check()
            part = part.resume(expansions=min(random.randint(1, 30), expansions - part.expansions))
        assert part.trace == whole.trace
        assert (part.value, part.status, part.line) == (whole.value, whole.status, whole.line)
        assert (part.expansions, part.nodes, part.depth) == (whole.expansions, whole.nodes, whole.depth)
        assert list(nodes(part.tree)) == list(nodes(whole.tree))


@pytest.mark.parametrize("seed", range(60))
def test_a_proven_value_is_the_minimax_value(seed: int) -> None:
    start = explicit(seed)
    result = cn.search(start, "best-first", expansions=10**6)
    value = minimax(start)
    assert (result.status, result.value, result.limit) == ("proven", value, None)
    assert minimax(start.play(result.move)) == value


@pytest.mark.parametrize("seed", range(25))
def test_late_connect_four_is_proven(seed: int) -> None:
    start = unfinished("connect-four", seed, 28, 38)
    result = cn.search(start, "best-first", expansions=10**7)
    memo: dict[int, float] = {}
    value = minimax(start, memo=memo)
    assert (result.status, result.value) == ("proven", value)
    assert minimax(start.play(result.move), memo=memo) == value
    result.tree.check()


def test_pure_best_first_plays_connect_four_to_a_draw() -> None:
    result = cn.search(cn.games.ConnectFour().start(), "best-first", complete=False, expansions=10**6)
    assert (result.status, result.value, result.expansions) == ("converged", 512, 267_445)
    result.tree.check()


def test_the_python_rule_may_be_given_as_a_class() -> None:
    start = explicit(4)
    one = cn.search(start, cn.rules.BestFirst, complete=False, expansions=30, trace=True)
    two = cn.search(start, cn.rules.BestFirst(complete=False), expansions=30, trace=True)
    assert one.trace == two.trace
