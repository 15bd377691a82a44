"""Many leaves at once: batches and threads, for every growing rule, native and in Python."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

import conspirator as cn
from conspirator import rules
from helpers import random_tree
from oracle import MODEL, PAGES, VARIANTS

GROWING = [name for name, info in cn.searches().items() if info.tree]
WAYS = [(name, form) for name in GROWING for form in VARIANTS[name]]
POSITIONS: dict[str, Callable[[], cn.Position]] = {
    "connect-four": lambda: cn.games.ConnectFour().position("4453"),
    "random": lambda: cn.games.ExplicitTree(random_tree(Random(3), depth=7)).start(),
    "hex": lambda: cn.games.Hex(size=4).start(),
}


def outline(result: cn.Result) -> list[tuple[float, int]]:
    """Return what tells two trees apart: value and number of children of every node, in one order."""
    nodes, found = [result.tree.root], []
    for node in nodes:
        nodes += node.children
        found.append((node.value, len(node.children)))
    return found


def grown(position: cn.Position, rule: Any, **settings: Any) -> cn.Result:
    result = cn.search(position, rule, **settings)
    result.tree.check()
    return result


@pytest.mark.parametrize(("name", "form"), WAYS, ids=lambda part: str(part)[:60])
@pytest.mark.parametrize("game", POSITIONS)
def test_every_rule_grows_whole_trees_in_batches(game: str, name: str, form: dict[str, Any]) -> None:
    position = POSITIONS[game]()
    plain = grown(position, name, **form, expansions=60)
    one = grown(position, name, **form, expansions=60, batch=1)
    assert outline(one) == outline(plain)
    for batch in (3, 16):
        two, three = (
            grown(position, name, **form, expansions=60, batch=batch, threads=threads) for threads in (2, 3)
        )
        assert outline(two) == outline(three)  # whoever makes the families
        for result in (grown(position, name, **form, expansions=60, batch=batch), two):
            assert result.expansions <= 60
            assert result.status != "budget" or result.expansions == 60
            held = [node for node in result.tree.root.children if node.is_held]
            assert not held
            if plain.status == result.status == "proven":
                assert result.value == plain.value


PAIRS: list[tuple[str, str, dict[str, Any], dict[str, Any]]] = [
    ("BStar", "b-star", {"width": 3.0}, {"width": 3.0}),
    ("BestFirst", "best-first", {}, {}),
    ("Conspiracy", "conspiracy", {}, {}),
    ("Conspiracy", "conspiracy", {"threshold": 2}, {"threshold": 2}),
    ("Conspiracy", "conspiracy", {"goal": "move"}, {"goal": "move"}),
    ("Descent", "descent", {}, {}),
    ("ImprovedConspiracy", "improved-conspiracy", {}, {}),
    ("LeastCertainty", "least-certainty", {"ties": "leftmost"}, {"ties": "leftmost", "variant": "published"}),
    ("MinmaxApproximation", "minmax-approximation", {"shift": 9}, {"shift": 9, "variant": "published"}),
    ("PnMcts", "pn-mcts", {}, {"playouts": 0}),
    ("PriorPenalty", "prior-penalty", {}, {}),
    ("ProductPropagation", "product-propagation", {}, {}),
    ("ProofNumber", "proof-number", {}, {}),
    ("Puct", "puct", {}, {}),
    ("Puct", "puct", {"root": "gumbel", "plan": 20}, {"root": "gumbel", "plan": 20}),
    ("Relevance", "relevance", {"table": MODEL.tables["static"]}, {"error_model": MODEL}),
    ("SiblingConspiracy", "sibling-conspiracy", {}, {}),
    ("SiblingConspiracy", "sibling-conspiracy", {"pmax": 2, "dmax": 2}, {"pmax": 2, "dmax": 2}),
    ("Uct", "uct", {}, {"playouts": 0}),
    ("UnboundedMinimax", "unbounded-minimax", {}, {}),
]


@pytest.mark.parametrize(("page", "name", "ours", "native"), PAIRS, ids=lambda part: str(part)[:40])
@pytest.mark.parametrize("batch", [2, 7])
def test_pages_hold_the_same_leaves(
    page: str, name: str, ours: dict[str, Any], native: dict[str, Any], batch: int
) -> None:
    for seed in range(3):
        position = cn.games.ExplicitTree(random_tree(Random(seed), depth=6)).start()
        settings: dict[str, Any] = {"expansions": 40, "batch": batch, "trace": True}
        one = cn.search(position, getattr(rules, page)(**ours), **settings)
        two = cn.search(position, name, **native, **settings)
        assert one.trace == two.trace


def test_all_pages_are_compared() -> None:
    assert {page for page, *_ in PAIRS} == set(rules.__all__) == set(PAGES)


def test_an_evaluator_sees_the_whole_batch() -> None:
    sizes: list[int] = []

    def values(positions: list[cn.Position]) -> list[float]:
        sizes.append(len(positions))
        return [512.0] * len(positions)

    def opinions(positions: list[cn.Position]) -> Any:
        return values(positions), [[1.0] * len(position.moves()) for position in positions]

    start = cn.games.ConnectFour().start()
    cn.search(start, "best-first", evaluator=values, expansions=1 + 5 * 6, batch=5)
    assert sizes[2:6] == [7, 35, 35, 35]  # the root's children; then those of five leaves
    assert len(sizes) <= 12
    assert max(sizes) == 35
    sizes.clear()
    cn.search(start, "puct", evaluator=opinions, expansions=1 + 7 + 3 * 8, batch=8)
    assert sizes[-3:] == [8] * 3  # the leaves themselves


def test_candidates_are_asked_once_and_hold_in_batches() -> None:
    class Left(cn.Evaluator):
        asked = 0

        def evaluate(self, positions: list[cn.Position]) -> Any:
            return [float(500 + len(p.moves())) for p in positions], [
                [1.0] * len(p.moves()) for p in positions
            ]

        def candidates(self, position: cn.Position) -> list[Any]:
            self.asked += 1
            return position.moves()[:2]

    for batch in (1, 4):
        evaluator = Left()
        start = cn.games.ConnectFour().start()
        result = grown(start, "best-first", evaluator=evaluator, expansions=33, batch=batch)
        assert evaluator.asked == 33
        assert result.nodes == 1 + 2 * 33


@pytest.mark.parametrize("limit", [{"nodes": 50}, {"move_calls": 70}, {"memory": 60_000}, {"expansions": 10}])
def test_budgets_hold_in_batches(limit: dict[str, int]) -> None:
    result = grown(cn.games.ConnectFour().start(), "puct", batch=8, **limit)
    assert result.status == "budget"
    unit, most = next(iter(limit.items()))
    if unit != "memory":
        assert getattr(result, unit) <= most
    more = result.resume(expansions=20)
    more.tree.check()
    assert more.expansions == result.expansions + 20


def test_a_failing_evaluator_leaves_a_whole_tree() -> None:
    calls = 0

    def fails(positions: list[cn.Position]) -> list[float]:
        nonlocal calls
        calls += 1
        if calls == 6:
            raise RuntimeError("no")
        return [512.0] * len(positions)

    core = cn._native.Search(cn.games.ConnectFour().start(), "best-first", {"batch": 4}, fails, False, None)
    with pytest.raises(RuntimeError, match="no"):
        core.run({"expansions": 100})
    tree = core.tree()
    assert tree is not None
    tree.check()
    assert all(not child.is_held and child.is_open for child in tree.root.children if not child.children)
    core.run({"expansions": 100})
    tree.check()
    assert core.report()["expansions"] > 100


def test_saved_trees_keep_their_batch(tmp_path: Any) -> None:
    result = grown(cn.games.ConnectFour().start(), "uct", playouts=2, batch=5, threads=2, expansions=41)
    result.save(tmp_path / "tree")
    loaded = cn.load(tmp_path / "tree")
    assert outline(loaded.resume(expansions=20)) == outline(result.resume(expansions=20))


def test_mistakes_are_told() -> None:
    start = cn.games.ConnectFour().start()

    class Mine(cn.GrowthRule):
        def choose(self, tree: cn.Tree) -> None:
            return None

    with pytest.raises(cn.ArgumentError, match=r"renew\(tree, leaf\)"):
        cn.search(start, Mine(), batch=2, expansions=5)
    with pytest.raises(cn.ArgumentError, match="batch of puct must be a whole number from 1 up"):
        cn.search(start, "puct", batch=0, expansions=5)
    with pytest.raises(cn.ArgumentError, match="threads need a game and an evaluator of our own"):
        cn.search(start, "puct", threads=2, evaluator=lambda ps: [512] * len(ps), expansions=5)
    with pytest.raises(cn.ArgumentError, match="batch must be at most"):
        cn.search(start, "puct", batch=10**6, expansions=5)
    with pytest.raises(cn.ArgumentError, match="unknown parameter of alpha-beta 'batch'"):
        cn.search(start, "alpha-beta", batch=2, depth=2)
