"""B*: the page of Python in lockstep, bounds by hand, separation, both strategies, proofs."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import conspirator as cn
from helpers import all_nodes, in_pieces, minimax
from test_uct import FAMILIES, explicit


def bounded(seed: int) -> cn.Position:
    """Return a tree as data whose leaves have bounds, or not."""
    random = Random(seed)

    def node(depth: int) -> dict[str, Any]:
        value = random.randint(-3, 3)
        data: dict[str, Any] = {"value": value}
        if random.random() < 0.7:
            data["upper"] = [value, value + random.randint(0, 3)]
            data["lower"] = [value, value, value - random.randint(0, 3)]
        if depth and random.random() < 0.9:
            data["children"] = [node(depth - 1) for _ in range(random.randint(1, 4))]
        return data

    return cn.games.ExplicitTree({**node(0), "children": [node(5) for _ in range(3)]}).start()


PLACES = {**FAMILIES, "bounded": (bounded, 200)}


@pytest.mark.parametrize("family", PLACES)
def test_lockstep(family: str) -> None:
    make, count = PLACES[family]
    for seed in range(count):
        start = make(seed)
        if start.outcome is not None:
            continue
        random = Random(seed)
        parameters: dict[str, Any] = {
            "width": random.choice([None, 0.0, 2.0, 200.0]),
            "strategy": random.choice(["depth", "depth", "prove", "disprove"]),
            "alternatives": random.choice([1, 2, 3]),
        }
        form: dict[str, Any] = {"expansions": 120, "trace": True}
        native = cn.search(start, "b-star", **parameters, **form)
        page = cn.search(start, cn.rules.BStar(**parameters), **form)
        assert native.trace == page.trace
        assert (native.move, native.value, native.status) == (page.move, page.value, page.status)
        for one, two in zip(all_nodes(native.tree), all_nodes(page.tree), strict=True):
            assert one.numbers == two.numbers
        native.tree.check()


def test_bounds_contain_the_value_if_the_leaves_do() -> None:
    """Minimax is monotone: with the true value of every leaf between its bounds, so is that of every node."""

    class Honest(cn.Game):
        """A tree with random bounds around the true values."""

        def __init__(self, seed: int) -> None:
            self.seed = seed

        def start(self) -> Any:
            return ()

        def moves(self, state: tuple[int, ...]) -> range:
            return range(3)

        def play(self, state: tuple[int, ...], move: int) -> tuple[int, ...]:
            return (*state, move)

        def outcome(self, state: tuple[int, ...]) -> float | None:
            return float(Random(f"{self.seed}{state}").randint(0, 20)) if len(state) == 5 else None

        def to_move(self, state: tuple[int, ...]) -> Any:
            return "max" if len(state) % 2 == 0 else "min"

        def truth(self, state: tuple[int, ...]) -> float:
            if len(state) == 5:
                return float(self.outcome(state) or 0)
            best = max if len(state) % 2 == 0 else min
            return best(self.truth((*state, move)) for move in range(3))

        def evaluate(self, state: tuple[int, ...]) -> Any:
            random, truth = Random(f"x{self.seed}{state}"), self.truth(state)
            low, high = truth - random.randint(0, 6), truth + random.randint(0, 6)
            value = float(random.randint(int(low), int(high)))
            return value, [value, high], [value, low]

    decided = 0
    for seed in range(20):
        game = Honest(seed)
        result = cn.search(game.start(), "b-star", expansions=200)
        for node in all_nodes(result.tree):
            truth = game.truth(tuple(node.path))
            assert node.numbers["low"] <= truth <= node.numbers["high"]
        if result.status == "decided":  # a best move, because all bounds are true
            decided += 1
            assert game.truth((result.move,)) == game.truth(())
    assert decided > 10


def test_separation_by_hand() -> None:
    """The best move's pessimistic value is 4: the others cannot be worth more."""
    data = {
        "value": 0,
        "children": [
            {"value": 6, "upper": [6, 9], "lower": [6, 4], "children": [{"value": 0}]},
            {"value": 3, "upper": [3, 4], "lower": [3, 0], "children": [{"value": 0}]},
        ],
    }
    start = cn.games.ExplicitTree(data).start()
    result = cn.search(start, "b-star", expansions=10)
    assert (result.status, result.move, result.expansions) == ("decided", "0", 1)


def test_the_two_strategies() -> None:
    """At first the depths are equal, 1 against 1 + 1: PROVEBEST; DISPROVEREST goes to the second best."""
    leaves: Any = [{"value": value, "children": [{"value": value}] * 2} for value in (6, 5, 4)]
    start = cn.games.ExplicitTree({"value": 0, "children": leaves}).start()
    second = {}
    for strategy in ("depth", "prove", "disprove"):
        result = cn.search(start, "b-star", width=3.0, strategy=strategy, expansions=2, trace=True)
        second[strategy] = result.trace[1]
    assert second == {"depth": [0], "prove": [0], "disprove": [1]}


def test_proofs_are_right() -> None:
    proven = 0
    for seed in range(200):
        start = explicit(seed)
        result = cn.search(start, "b-star", expansions=10_000)
        assert result.status in ("proven", "decided")
        if result.status == "proven":
            proven += 1
            assert result.value == minimax(start)
    assert proven > 10


def test_in_pieces() -> None:
    start = cn.games.ConnectFour().position("4453")
    whole = cn.search(start, "b-star", width=400.0, expansions=100, trace=True)
    assert len(whole.trace) == 100
    assert in_pieces(start, "b-star", 100, Random(3), width=400.0).trace == whole.trace


@pytest.mark.parametrize(
    ("parameters", "message"),
    [({"width": -1.0}, "width"), ({"strategy": "best"}, "strategy"), ({"alternatives": 0}, "alternatives")],
)
def test_mistakes(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(cn.ArgumentError, match=message):
        cn.search(cn.games.ConnectFour().start(), "b-star", **parameters)
