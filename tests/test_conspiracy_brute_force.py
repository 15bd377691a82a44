"""Conspiracy numbers against their definition: every set of leaves, changed in every way, on small trees.

Minimax is monotone, so the most that a set of leaves can do upwards is what it does when all its members
go as far up as they can; and by McAllester's Lemma 2.5 every value on the way there can be had as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import conspirator as cn
from helpers import random_tree, unfinished

Data = dict[str, Any]
Path = tuple[int, ...]
Row = npt.NDArray[np.float64]

VALUES = [-inf, *range(-6, 7), 0.5, inf]


def is_max(data: Data, parent: bool | None) -> bool:
    to_move = data.get("to_move")
    return (to_move == "max") if to_move else not parent


def walk(data: Data, path: Path = (), parent: bool | None = None) -> Iterator[tuple[Path, Data, bool]]:
    """Yield path, data and player to move of every node, parents before their children."""
    mover = is_max(data, parent)
    yield path, data, mover
    for place, child in enumerate(data.get("children", [])):
        yield from walk(child, (*path, place), mover)


def open_leaves(data: Data) -> list[Path]:
    return [path for path, node, _ in walk(data) if "children" not in node and not node.get("terminal")]


class Everything:
    """What the open leaves of a search tree can do, by trying it all.

    A leaf costs one conspirator to take anywhere; with bounds from the evaluator (Section 10) it goes as
    far as entry n for n conspirators, and anywhere for as many as there are entries. Anywhere is up to
    the ends of the game's values.
    """

    def __init__(
        self, data: Data, leaf_delta: float | None = None, ends: tuple[float, float] = (-inf, inf)
    ) -> None:
        self.nodes = list(walk(data))
        self.open = open_leaves(data)
        lists = {
            path: self.lists(node, mover, leaf_delta) for path, node, mover in self.nodes if path in self.open
        }
        levels = max((len(entries) + 1 for pair in lists.values() for entries in pair), default=1)
        # one column for every way to spend conspirators on the leaves, the cheapest ways first
        ways = (levels,) * len(self.open)
        spent = np.indices(ways).reshape(len(self.open), levels ** len(self.open))
        cost = spent.sum(axis=0)
        spent = spent[:, np.argsort(cost, kind="stable")]
        self.last = np.cumsum(np.bincount(cost)) - 1
        self.limits: dict[Path, tuple[list[float], list[float]]] = {}
        rows: dict[Path, tuple[Row, Row]] = {}
        for path, node, mover in reversed(self.nodes):
            if path in lists:
                at = spent[self.open.index(path)]
                upper, lower = (
                    np.array([*entries, *[end] * (levels - len(entries))], dtype=float)[at].clip(*ends)
                    for entries, end in zip(lists[path], ends[::-1], strict=True)
                )
            elif "children" in node:
                families = zip(*(rows[*path, place] for place in range(len(node["children"]))), strict=True)
                best = np.maximum if mover else np.minimum
                upper, lower = (best.reduce(family) for family in families)
            else:
                upper = lower = np.full(spent.shape[1], float(node["value"]))
            rows[path] = upper, lower
            self.limits[path] = (
                np.maximum.accumulate(upper)[self.last].tolist(),
                np.minimum.accumulate(lower)[self.last].tolist(),
            )

    @staticmethod
    def lists(leaf: Data, mover: bool, delta: float | None) -> tuple[list[float], list[float]]:
        value = float(leaf["value"])
        if "upper" in leaf or "lower" in leaf:
            return leaf.get("upper", [value]), leaf.get("lower", [value])
        if delta is None:
            return [value], [value]
        if mover:
            return [value, value + delta], [value, value, value - delta]
        return [value, value, value + delta], [value, value - delta]

    def value(self, path: Path = ()) -> float:
        return self.limits[path][0][0]

    def number(self, path: Path, value: float) -> float:
        """Return the size of the smallest conspiracy that takes a node to a value or beyond."""
        upper, lower = self.limits[path]
        reached = (entry >= value for entry in upper)
        if value < self.value(path):
            reached = (entry <= value for entry in lower)
        return next((n for n, enough in enumerate(reached) if enough), inf)

    def interval(self, n: int) -> tuple[float, float]:
        """Return (Vmin, Vmax) of the root over all sets of at most n leaves."""
        upper, lower = self.limits[()]
        return lower[min(n, len(lower) - 1)], upper[min(n, len(upper) - 1)]


def minimax(data: Data, changed: set[Path], to: float) -> float:
    """Return the root's value after some leaves have been given another."""
    values: dict[Path, float] = {}
    for path, node, mover in reversed(list(walk(data))):
        if "children" in node:
            best = max if mover else min
            values[path] = best(values[*path, place] for place in range(len(node["children"])))
        else:
            values[path] = to if path in changed else float(node["value"])
    return values[()]


def small_tree(random: Random, most: int = 9, bounds: bool = False) -> Data:
    """Return a search tree with at most so many open leaves; some leaves are terminal."""

    def leaf() -> Data:
        data: Data = {"value": random.randint(-4, 4)}
        if random.random() < 0.2:
            data["terminal"] = True
            if random.random() < 0.2:
                data["value"] = random.choice(["inf", "-inf"])
        elif bounds and random.random() < 0.6:
            value = data["value"]
            for key, sign in (("upper", 1), ("lower", -1)):
                steps = [0, *sorted(random.randint(0, 4) for _ in range(random.randint(0, 2)))]
                data[key] = [value + sign * step for step in steps]
        if random.random() < 0.05:
            data["to_move"] = random.choice(["max", "min"])
        return data

    root = leaf()
    leaves = [root]
    for _ in range(random.randint(0, 7)):
        node = random.choice(leaves)
        count = random.randint(1, 4)
        if sum(not leaf.get("terminal") for leaf in leaves) + count > most:
            break
        leaves.remove(node)
        for key in ("terminal", "upper", "lower"):
            node.pop(key, None)
        node["value"] = 0
        node["children"] = [leaf() for _ in range(count)]
        leaves += node["children"]
    if random.random() < 0.5:
        root["to_move"] = "min"
    return root


def assert_numbers(
    data: Data, tree: cn.Tree, everything: Everything, values: Sequence[float] = VALUES
) -> None:
    for path, _, _ in everything.nodes:
        node = tree.node(path)
        assert node.value == everything.value(path)
        for value in values:
            assert tree.conspiracy(node, value) == everything.number(path, value), (data, path, value)


def assert_conspirators(
    data: Data, tree: cn.Tree, everything: Everything, values: Sequence[float] = VALUES
) -> None:
    """One set is as small as possible and does what it should; no smaller set can."""
    for value in values:
        needed = everything.number((), value)
        found = tree.conspirators(value)
        if needed == inf:
            assert found is None, (data, value)
            continue
        assert found is not None
        leaves = {tuple(leaf.path) for leaf in found}
        assert len(leaves) == len(found) == needed, (data, value)
        assert leaves <= set(everything.open)
        assert minimax(data, leaves, value) == value


@pytest.mark.parametrize("block", range(8))
def test_search_trees(block: int) -> None:
    for seed in range(400 * block, 400 * (block + 1)):
        data = small_tree(Random(seed))
        tree = cn.Tree.from_dict(data, "conspiracy")
        everything = Everything(data)
        assert_numbers(data, tree, everything)
        assert_conspirators(data, tree, everything)
        most = len(everything.open)
        assert tree.ladder(most) == [everything.interval(n) for n in range(most + 1)]


@pytest.mark.parametrize("leaf_delta", [0, 1, 2.5, None])
def test_bounds_of_leaves(leaf_delta: float | None) -> None:
    """McAllester's Section 10: one delta for all leaves; without it, bounds from the evaluator."""
    for seed in range(300):
        data = small_tree(Random(seed), most=5, bounds=leaf_delta is None)
        tree = cn.Tree.from_dict(data, "conspiracy", leaf_delta=leaf_delta)
        everything = Everything(data, leaf_delta)
        assert_numbers(data, tree, everything)
        most = min(len(tree), len(everything.last) - 1)
        assert tree.ladder(most) == [everything.interval(n) for n in range(most + 1)]


@pytest.mark.parametrize("leaf_delta", [0, 1, 2.5, None])
def test_conspirators_among_leaves_with_bounds(leaf_delta: float | None) -> None:
    """A leaf is named once however many conspirators it counts for."""
    for seed in range(300):
        data = small_tree(Random(seed), most=5, bounds=leaf_delta is None)
        tree = cn.Tree.from_dict(data, "conspiracy", leaf_delta=leaf_delta)
        everything = Everything(data, leaf_delta)
        for value in VALUES:
            needed = everything.number((), value)
            found = tree.conspirators(value)
            assert (found is None) == (needed == inf)
            if found is not None:
                leaves = {tuple(leaf.path) for leaf in found}
                assert len(leaves) == len(found) <= needed
                assert minimax(data, leaves, value) == value


def as_data(node: cn.Node) -> Data:
    """Return a grown tree as nested dictionaries."""
    data: Data = {"value": node.value, "to_move": "max" if node.is_max else "min"}
    if node.is_terminal:
        data["terminal"] = True
    if node.children:
        data["children"] = [as_data(child) for child in node.children]
    return data


@pytest.mark.parametrize("name", ["conspiracy", "improved-conspiracy", "best-first"])
@pytest.mark.parametrize("python", [False, True])
def test_results(name: str, python: bool) -> None:
    """The same questions to results of searches that were stopped while few leaves were open."""
    rules: dict[str, type[cn.GrowthRule]] = {
        "conspiracy": cn.rules.Conspiracy,
        "improved-conspiracy": cn.rules.ImprovedConspiracy,
        "best-first": cn.rules.BestFirst,
    }
    for seed in range(150):
        start = cn.games.ExplicitTree(random_tree(Random(seed), 5, skewed=seed % 2 == 0)).start()
        result = cn.search(start, rules[name] if python else name, expansions=1 + seed % 6)
        data = as_data(result.tree.root)
        if len(open_leaves(data)) > 9:
            continue
        everything = Everything(data)
        assert_conspirators(data, result.tree, everything)
        for n in range(len(everything.open) + 1):
            assert result.interval(n) == everything.interval(n)
        for value in VALUES:
            lines = result.conspirators(value)
            leaves = result.tree.conspirators(value)
            assert lines == (None if leaves is None else [leaf.line for leaf in leaves])


def late(seed: int) -> cn.Position:
    """Return a Connect-Four position with few moves left: its values are from 1 to 1023."""
    return unfinished("connect-four", seed, 30, 38)


@pytest.mark.parametrize("leaf_delta", [None, 0, 1, 600])
def test_games_with_a_least_and_a_greatest_value(leaf_delta: float | None) -> None:
    """No conspiracy takes a leaf beyond the values that the game can have."""
    tested = 0
    for seed in range(100):
        start = late(seed)
        least, greatest = start.value_range
        result = cn.search(start, "conspiracy", leaf_delta=leaf_delta, expansions=1 + seed % 5)
        data = as_data(result.tree.root)
        if not 0 < len(open_leaves(data)) <= (9 if leaf_delta is None else 5):
            continue
        tested += 1
        everything = Everything(data, leaf_delta, start.value_range)
        known = sorted({node["value"] for _, node, _ in everything.nodes})
        values = [least, least + 1, *known, *(value + 0.5 for value in known), greatest - 1, greatest]
        values = [value for value in values if least <= value <= greatest]
        assert_numbers(data, result.tree, everything, values)
        most = len(everything.open)
        assert [result.interval(n) for n in range(most + 1)] == [
            everything.interval(n) for n in range(most + 1)
        ]
        if leaf_delta is None:
            assert_conspirators(data, result.tree, everything, values)
    assert tested > 20


def test_no_conspiracy_beyond_the_ends() -> None:
    for seed in range(20):
        result = cn.search(late(seed), "conspiracy", expansions=1 + seed % 3)
        for value in (-1, 0, 0.5, 1023.5, 2000, inf, -inf):
            assert result.tree.conspiracy(result.tree.root, value) == inf, (seed, value)
            assert result.conspirators(value) is None
