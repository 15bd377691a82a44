"""Search with a policy: the page of Python in lockstep, proofs, what is valued and what is not."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import conspirator as cn
import python_games
from helpers import all_nodes, connect_four, in_pieces, mcallester, minimax, random_tree, utgoff


def explicit(seed: int) -> cn.Position:
    return cn.games.ExplicitTree(random_tree(Random(seed), 5, skewed=seed % 3 == 0)).start()


def hex_board(seed: int) -> cn.Position:
    return cn.games.Hex(size=3 + seed % 3).start()


def othello(_: int) -> cn.Position:
    return cn.games.Othello().start()


FAMILIES = {
    "explicit": (explicit, 200),
    "mcallester": (mcallester, 40),
    "utgoff": (utgoff, 40),
    "connect-four": (connect_four, 40),
    "hex": (hex_board, 12),
    "othello": (othello, 1),
}


@pytest.mark.parametrize("family", FAMILIES)
def test_lockstep(family: str) -> None:
    make, count = FAMILIES[family]
    for seed in range(count):
        start = make(seed)
        if start.outcome is not None:
            continue
        exploration = Random(seed).choice([0.0, 0.3, 0.5, 1.4])
        sharpness = Random(-seed).choice([0.0, 0.5, 1.0, 4.4])
        parameters: dict[str, Any] = {"exploration": exploration, "sharpness": sharpness}
        form: dict[str, Any] = {"expansions": 120, "trace": True}
        if family == "hex" and seed % 2 == 0:
            form["evaluator"] = "knowledge"
        native = cn.search(start, "puct", **parameters, **form)
        page = cn.search(start, cn.rules.Puct(**parameters), **form)
        assert native.trace == page.trace
        assert (native.move, native.status) == (page.move, page.status)
        for one, two in zip(all_nodes(native.tree), all_nodes(page.tree), strict=True):
            assert one.numbers == two.numbers
        native.tree.check()


def test_one_value_for_each_expansion() -> None:
    class Counted(python_games.Nim):
        asked = 0

        def evaluate(self, state: Any) -> float:
            Counted.asked += 1
            return 0.0

    result = cn.search(Counted().position((20, 3)), "puct", expansions=40)
    # the root once more, before anything is expanded
    assert Counted.asked == result.expansions + 1
    assert result.nodes > 2 * result.expansions


@pytest.mark.parametrize("start", [cn.games.Othello().start(), cn.games.Hex(size=4).position("b2")], ids=str)
def test_means(start: cn.Position) -> None:
    result = cn.search(start, "puct", exploration=1.0, expansions=2000)
    low, high = start.value_range
    lost = 0

    def reward(value: float) -> float:
        return (value - low) / (high - low)

    def sums(node: cn.Node, position: cn.Position) -> tuple[int, float]:
        """Return how many positions count and their rewards; check every node on the way."""
        nonlocal lost
        if not node.children:
            return 0, 0.0
        weight, total = 1, reward(position.evaluate())
        for move, child in zip(position.moves(), node.children, strict=True):
            more, rewards = sums(child, position.play(move))
            if child.is_solved and child.value == (low if node.is_max else high):
                lost += more
            else:
                weight, total = weight + more, total + rewards
        total = weight * reward(node.value) if node.is_solved else total
        assert node.numbers["reward"] == pytest.approx(total / weight)
        return weight, total

    weight, total = sums(result.tree.root, start)
    assert result.tree.root.numbers["visits"] == 2000
    assert result.value == pytest.approx(low + total / weight * (high - low))
    assert (lost > 0) == (start.game.name == "hex")


def test_priors_are_scores() -> None:
    start = cn.games.Hex(size=5).start()
    scores = start.move_scores()
    assert scores is not None
    for sharpness in (1.0, 2.0):
        root = cn.search(start, "puct", sharpness=sharpness, expansions=1).tree.root
        whole = sum(score**sharpness for score in scores)
        for child, score in zip(root.children, scores, strict=True):
            assert child.numbers["prior"] == pytest.approx(score**sharpness / whole, rel=1e-3)
            assert child.numbers["reward"] is None


def test_proofs_are_right() -> None:
    for seed in range(100):
        start = explicit(seed)
        result = cn.search(start, "puct", expansions=10_000)
        assert (result.value, result.status) == (minimax(start), "proven")
        assert start.play(result.move).outcome is None or start.play(result.move).outcome == result.value
    for size in (3, 4):
        start = cn.games.Hex(size=size).start()
        result = cn.search(start, "puct", evaluator="knowledge", expansions=50_000)
        assert (result.value, result.status) == (1.0, "proven")


def test_in_pieces() -> None:
    start = cn.games.ConnectFour().position("4455")
    whole = cn.search(start, "puct", expansions=300, trace=True)
    assert in_pieces(start, "puct", 300, Random(3)).trace == whole.trace
    assert whole.move in ("3", "6")


def test_a_game_in_python() -> None:
    result = cn.search(python_games.Nim().position((9, 1)), "puct", expansions=5000)
    assert (result.move, result.value, result.status) == (1, 1.0, "proven")


@pytest.mark.parametrize("name", ["exploration", "sharpness"])
def test_mistakes(name: str) -> None:
    parameters: dict[str, Any] = {name: -1.0}
    with pytest.raises(cn.ArgumentError, match=f"{name} must not be negative"):
        cn.search(cn.games.ConnectFour().start(), "puct", **parameters)
