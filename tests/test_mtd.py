"""MTD(f), SSS* and DUAL*: alpha-beta's values by null windows alone, and the leaves that they look at."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import conspirator as cn
from helpers import minimax
from test_alpha_beta import POSITIONS, explicit

DRIVERS = ("f", "sss", "dual")
MANY = 10**9
"""Nodes: no search here needs so many, and none is stopped by the clock."""
ALL_DRIVERS = pytest.mark.parametrize("driver", DRIVERS)


@ALL_DRIVERS
@pytest.mark.parametrize("table", [1 << 20, 1024])
@pytest.mark.parametrize("name", POSITIONS)
def test_every_iteration_is_plain_minimax(name: str, driver: str, table: int) -> None:
    make, count, depth = POSITIONS[name]
    for seed in range(count):
        start = make(seed)
        settings: dict[str, Any] = {"driver": driver, "table_bytes": table, "nodes": MANY}
        result = cn.search(start, "mtd-f", first_depth=1, depth=depth, **settings)
        assert result.iterations
        for done in result.iterations:
            value = minimax(start, done["depth"])
            assert done["value"] == value
            assert minimax(start.play(done["move"]), done["depth"] - 1) == value
        assert result.line == [result.move]


@ALL_DRIVERS
@pytest.mark.parametrize("game", [cn.games.ConnectFour(), cn.games.Othello(), cn.games.Hex(size=4)], ids=str)
def test_the_same_value_as_alpha_beta(game: Any, driver: str) -> None:
    position = game.start()
    random = Random(3)
    for _ in range(6):
        mine = cn.search(position, "mtd-f", depth=5, driver=driver, nodes=MANY)
        theirs = cn.search(position, "alpha-beta", depth=5, nodes=MANY)
        assert (mine.value, mine.status) == (theirs.value, theirs.status)
        position = position.play(random.choice(position.moves()))


@ALL_DRIVERS
@pytest.mark.parametrize("seed", range(40))
def test_small_trees_are_proven(seed: int, driver: str) -> None:
    start = explicit(seed)
    result = cn.search(start, "mtd-f", driver=driver, nodes=MANY)
    assert (result.status, result.value) == ("proven", minimax(start))


@ALL_DRIVERS
@pytest.mark.parametrize("unit", ["expansions", "nodes", "move_calls"])
def test_budgets_are_kept(unit: str, driver: str) -> None:
    start = cn.games.ConnectFour().position("44")
    for limit in (1, 7, 50, 400, 3000):
        budget: dict[str, Any] = {unit: limit}
        result = cn.search(start, "mtd-f", driver=driver, **budget)
        assert getattr(result, unit) <= limit
        assert result.limit == unit
        assert result.move in start.moves()


class Tree(cn.Game):
    """A uniform tree without transpositions, whose moves keep their order; it knows which leaves were valued.

    All leaves have different values.
    """

    def __init__(self, width: int, depth: int, seed: int) -> None:
        self.width, self.depth = width, depth
        self.values = list(range(width**depth))
        Random(seed).shuffle(self.values)
        self.seen: set[int] = set()

    def moves(self, state: tuple[int, int]) -> range:
        return range(self.width)

    def play(self, state: tuple[int, int], move: int) -> tuple[int, int]:
        return state[0] + 1, state[1] * self.width + move

    def outcome(self, state: tuple[int, int]) -> float | None:
        if state[0] < self.depth:
            return None
        self.seen.add(state[1])
        return self.values[state[1]]

    def to_move(self, state: tuple[int, int]) -> Any:
        return "min" if state[0] % 2 else "max"

    def key(self, state: tuple[int, int]) -> tuple[int, int]:
        return state


def leaves(tree: Tree, search: str, **settings: Any) -> tuple[set[int], float]:
    """Return the different leaves that a search of the whole depth values, and the value."""
    tree.seen.clear()
    depth = tree.depth
    settings = {"depth": depth, "first_depth": depth, "table_depth": 1, "nodes": MANY, **settings}
    value = cn.search(tree.position((0, 0)), search, **settings).value
    return set(tree.seen), value


@pytest.mark.parametrize("first", [0, 60, 120])
def test_sss_never_values_more_leaves_than_alpha_beta(first: int) -> None:
    """Stockman 1979: its leaves are some of alpha-beta's, at equal order of moves."""
    fewer = 0
    for seed in range(first, first + 60):
        tree = Tree(2 + seed % 3, 3 + seed // 3 % 3, seed)
        whole, value = leaves(tree, "alpha-beta", table=True)
        best, same = leaves(tree, "mtd-f", driver="sss")
        assert same == value
        assert best <= whole
        fewer += len(best) < len(whole)
    assert fewer > 10
