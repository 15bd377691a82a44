"""Sibling conspiracy numbers: the paper's example, golden traces, and the definition on small trees.

Beside this file: _lockstep (the native rule against its page of Python) and _properties (what always holds,
and mistakes).
"""

from __future__ import annotations

from itertools import pairwise
from math import floor, inf, log, log2
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import conspirator as cn
from conspirator.rules import staircases
from helpers import all_nodes, golden, random_tree, with_scores

EXAMPLE = golden("sibling/worked_example")
TRACES = golden("sibling/traces")
UNIT = 4096
LANGUAGES = ["native", "python"]
Data = dict[str, Any]
Path = tuple[int, ...]
Row = npt.NDArray[np.float64]
Steps = list[tuple[float, float]]


def rule(language: str, **parameters: Any) -> dict[str, Any]:
    """Return the arguments of a search."""
    if language == "native":
        return {"rule": "sibling-conspiracy", "parameters": parameters}
    counts = {key: float(value) for key, value in parameters.items() if key in ("pmax", "dmax")}
    return {"rule": cn.rules.SiblingConspiracy(**parameters | counts), "parameters": {}}


def search(start: cn.Position, language: str, expansions: int, **parameters: Any) -> cn.Result:
    made = rule(language, **parameters)
    return cn.search(start, made["rule"], expansions=expansions, trace=True, **made["parameters"])


def number(data: Any, unit: float = 1) -> float:
    """Return a value of a golden file; JSON has no infinities."""
    return float(data) / unit


def steps(data: list[list[Any]], unit: float = 1) -> Steps:
    return [(number(x, unit), number(h)) for x, h in data]


def p(function: Steps, v: float) -> float:
    """Return p(v), given the steps of a proof function."""
    return max((h for x, h in function if x < v), default=0)


def d(function: Steps, v: float) -> float:
    """Return d(v), given the steps of a disproof function."""
    return max((h for x, h in function if x > v), default=0)


# ---------------------------------------------------------------- the worked example of Section 3.1

FIGURES = [f"figure {3 + place}" for place in range(len(EXAMPLE["iterations"]))]
"""Figure 3 is the tree after the root's expansion, Figure 4 after iteration 1, and so on to Figure 8."""
NAMES = {name: [int(place) for place in key.split("/") if place] for key, name in EXAMPLE["names"].items()}
EXAMPLE_START = cn.games.ExplicitTree(EXAMPLE["tree"]).start()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("place", range(len(FIGURES)), ids=FIGURES)
def test_worked_example(place: int, language: str) -> None:
    iterations = EXAMPLE["iterations"]
    result = search(EXAMPLE_START, language, place + 1)
    assert result.trace == [iteration["path"] for iteration in iterations[: place + 1]]
    functions = iterations[place]["after"]
    assert len(result.tree) == len(functions)
    for name, expected in functions.items():
        numbers = result.tree.node(NAMES[name]).numbers
        assert numbers["p"] == steps(expected["p"]), name
        assert numbers["d"] == steps(expected["d"]), name
        assert numbers["minimax"] == number(expected["minimax"]), name
    following = [iteration["interval"] for iteration in iterations[1:]] + [EXAMPLE["next_interval"]]
    root = result.tree.root.numbers
    assert [root["vmin"], root["vmax"]] == [number(v) for v in following[place]]
    result.tree.check()


def test_worked_example_goes_on_in_branch_b() -> None:
    assert search(EXAMPLE_START, "native", 7).trace[-1] == NAMES[EXAMPLE["next_leaf"]]


PROSE: list[tuple[int, str, str, float, float]] = [
    (1, "p", "a", inf, 1),
    (1, "p", "b", inf, 1),
    (2, "p", "a", inf, 3),
    (2, "p", "b", inf, 1),
    (3, "p", "a", 3, 1),
    (3, "p", "b", 3, 2),
    (3, "d", "c", -1, 1),
    (3, "d", "d", -1, 1),
    (3, "d", "e", -1, 1),
    (4, "d", "c", -1, 1),
    (4, "d", "d", -1, 1),
    (4, "d", "e", -1, 1),
    (5, "p", "a", 3, 1),
    (5, "p", "b", 3, 2),
    (5, "d", "c", -3, 0),  # printed as 1; by equations 4 and 5 it is 0, and the choice is the same
    (6, "p", "a", 1, 2),
    (6, "p", "b", 1, 1),
]
"""What the text says of an iteration: function, node, v, value."""


@pytest.mark.parametrize(("iteration", "function", "name", "v", "value"), PROSE)
def test_worked_example_in_prose(iteration: int, function: str, name: str, v: float, value: float) -> None:
    numbers = search(EXAMPLE_START, "native", iteration).tree.node(NAMES[name]).numbers
    assert (p if function == "p" else d)(numbers[function], v) == value


# ---------------------------------------------------------------- golden traces


def label(run: Data) -> str:
    values = [f"{key}={value}" for key, value in run["parameters"].items() if value is not None]
    return "-".join([run["tree"], *values])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("run", TRACES["runs"], ids=label)
def test_golden_traces(run: Data, language: str) -> None:
    start = cn.games.ExplicitTree(TRACES["trees"][run["tree"]]).start()
    result = search(start, language, 1, **run["parameters"])
    for place, interval in enumerate(run["intervals"]):
        if place > 0:
            root = result.tree.root.numbers
            assert [root["vmin"], root["vmax"]] == [number(v, UNIT) for v in interval], place
            result = result.resume(expansions=1)
        if place == 7:
            assert_golden_numbers(result.tree, run["numbers_after_8"])
    assert result.trace == run["trace"]
    assert result.move == str(run["best_child_after_50"])
    result.tree.check()
    result = result.resume(expansions=1000)
    assert (result.status, result.expansions) == ("proven", run["expansions_to_solve"])
    assert result.value == run["result"] * inf
    result.tree.check()


def assert_golden_numbers(tree: cn.Tree, expected: list[Data]) -> None:
    assert len(tree) == len(expected)
    for node in expected:
        numbers = tree.node(node["path"]).numbers
        assert numbers["p"] == steps(node["p"], UNIT)
        assert numbers["d"] == steps(node["d"], UNIT)
        for key in ("scef", "minimax"):
            assert numbers[key] == number(node[key], UNIT)
        assert numbers["expansions"] == node["expansions"]


def test_all_golden_traces_are_there() -> None:
    assert len(TRACES["runs"]) == 48


# ---------------------------------------------------------------- leaves and steps, by their equations


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("delta", [0.25, 0.5, 1, 2])
@pytest.mark.parametrize("cap", [1, 2, 5, 16])
def test_figure_10(language: str, delta: float, cap: int) -> None:
    """Equation 14: p(v) = i where i^delta < 2^(v - x) <= (i + 1)^delta; not more than the cap."""
    made = rule(language, delta=delta, cap=cap)
    data = {"children": [{"score": 1, "value": 0}, {"score": 0.5, "value": 0}]}
    leaf = cn.Tree.from_dict(data, made["rule"], **made["parameters"]).node([1])
    x = -floor(UNIT * log(2) + 0.5) / UNIT
    assert leaf.numbers["scef"] == x
    for i in range(1, cap + 1):
        between = x + delta * (log2(i) + log2(i + 1)) / 2
        assert p(leaf.numbers["p"], between) == d(leaf.numbers["d"], 2 * x - between) == i
    assert p(leaf.numbers["p"], inf) == d(leaf.numbers["d"], -inf) == cap
    assert p(leaf.numbers["p"], x) == d(leaf.numbers["d"], x) == 0


def test_section_2_8() -> None:
    """Steps up to a thousand need "around 25" with eta = 1/4, each more than a quarter above the last."""
    merged = staircases.merge(tuple((float(h), float(h)) for h in range(1, 1001)), 0.25)
    assert len(merged) == 26
    assert all(low * 1.25 < high for (_, low), (_, high) in pairwise(merged))


# ---------------------------------------------------------------- the definition: all sets of leaves


class Everything:
    """Proof and disproof numbers by Definition 3: every way to change the open leaves of a search tree.

    A leaf goes anywhere for one; by equation 14 it goes as far as the next offset for i, and anywhere for as
    many as there are offsets.
    """

    def __init__(self, data: Data, offsets: list[float], evaluation: str) -> None:
        self.offsets, self.siblings = offsets, evaluation == "siblings"
        self.root_is_max = data.get("to_move") != "min"
        self.values: dict[Path, float] = {}
        self.terminal: dict[Path, bool] = {}
        self.movers: dict[Path, bool] = {}
        self.families: dict[Path, list[Path]] = {}
        self.walk(data, (), True, 0.0)
        self.open = [path for path in self.values if not self.families[path] and not self.terminal[path]]
        levels, leaves = len(offsets) + 1, len(self.open)
        spent = np.indices((levels,) * leaves).reshape(leaves, levels**leaves)
        cost = spent.sum(axis=0)
        spent = spent[:, np.argsort(cost, kind="stable")]
        self.cost = np.sort(cost)
        rows: dict[Path, tuple[Row, Row]] = {}
        for path in sorted(self.values, key=len, reverse=True):
            rows[path] = self.limits(path, spent, rows)
        self.rows = rows

    def walk(self, data: Data, path: Path, is_max: bool, value: float) -> None:
        if "to_move" in data:
            is_max = data["to_move"] == "max"
        self.movers[path], self.terminal[path] = is_max, bool(data.get("terminal"))
        self.values[path] = value if self.siblings else float(data.get("value", 0))
        if self.terminal[path] and self.siblings:
            won = float(data["value"]) > 0 if self.root_is_max else float(data["value"]) >= 0
            self.values[path] = inf if won else -inf
        family = data.get("children", [])
        self.families[path] = [(*path, place) for place in range(len(family))]
        errors = self.errors(family, is_max)
        for below, child, error in zip(self.families[path], family, errors, strict=True):
            self.walk(child, below, not is_max, value - error if is_max else value + error)

    @staticmethod
    def errors(family: list[Data], is_max: bool) -> list[float]:
        """Return the relative errors of siblings in multiples of 1/4096 (equation 9)."""
        if all("error" in child for child in family):
            exact = [float(child["error"]) for child in family]
        elif all("score" in child for child in family):
            best = max(child["score"] for child in family)
            exact = [log(best / child["score"]) for child in family]
        else:
            values = [float(child["value"]) if is_max else -float(child["value"]) for child in family]
            exact = [0 if value == max(values) else max(values) - value for value in values]
        return [min(floor(UNIT * min(e, 99) + 0.5) / UNIT, 20) for e in exact]

    def limits(self, path: Path, spent: Any, rows: dict[Path, tuple[Row, Row]]) -> tuple[Row, Row]:
        """Return the most and the least that a node is worth for every way to spend on the leaves."""
        value = self.values[path]
        if self.families[path]:
            best = np.maximum if self.movers[path] else np.minimum
            up, down = zip(*(rows[child] for child in self.families[path]), strict=True)
            return best.reduce(up), best.reduce(down)
        if self.terminal[path]:
            return np.full(len(self.cost), value), np.full(len(self.cost), value)
        reach = np.array([*self.offsets, inf])[spent[self.open.index(path)]]
        return value + reach, value - reach

    def p(self, path: Path, v: float) -> float:
        """Return the least number of leaves for the node to be worth v or more."""
        enough = self.rows[path][0] >= v
        return float(self.cost[enough.argmax()]) if enough.any() else inf

    def d(self, path: Path, v: float) -> float:
        """Return the least number of leaves for the node to be worth v or less."""
        enough = self.rows[path][1] <= v
        return float(self.cost[enough.argmax()]) if enough.any() else inf

    def minimax(self, path: Path) -> float:
        return float(self.rows[path][0][0])


def assert_definition(tree: cn.Tree, data: Data, offsets: list[float], evaluation: str = "siblings") -> None:
    """Compare all functions with the definition; Fact 3: they are monotone and meet at the minimax value."""
    everything = Everything(data, offsets, evaluation)
    known = {v for row in everything.rows.values() for v in (*row[0], *row[1])}
    values = sorted(known | {v + step for v in known for step in (-0.5 / UNIT, 0.5 / UNIT)} | {inf, -inf})
    for path in everything.values:
        numbers = tree.node(path).numbers
        minimax = everything.minimax(path)
        assert numbers["minimax"] == minimax
        if evaluation == "siblings" and not everything.terminal[path] and not everything.families[path]:
            assert numbers["scef"] == everything.values[path]
        assert all(x < y and g < h for (x, g), (y, h) in pairwise(numbers["p"]))
        assert all(x > y and g < h for (x, g), (y, h) in pairwise(numbers["d"]))
        for v in values:
            up, down = p(numbers["p"], v), d(numbers["d"], v)
            assert (up, down) == (everything.p(path, v), everything.d(path, v)), (data, path, v)
            assert (up > 0, down > 0) == (v > minimax, v < minimax)
    tree.check()


def search_tree(data: Data, random: Random, most: int) -> Data:
    """Return a search tree of a game: cut so that at most so many leaves are open."""
    leaves, budget = [data], random.randint(0, 6)
    while leaves:
        node = leaves.pop(random.randrange(len(leaves)))
        family = node.get("children", [])
        if not family:
            node["terminal"] = isinstance(node["value"], str) or random.random() < 0.3
        elif budget > 0 and len(leaves) + len(family) <= most:
            budget -= 1
            leaves += family
        else:
            del node["children"]
    return data


KINDS = [("native", "siblings"), ("python", "siblings"), ("native", "global")]


@pytest.mark.parametrize(("language", "evaluation"), KINDS)
@pytest.mark.parametrize(("delta", "cap", "count"), [(None, 1, 1000), (1, 2, 300), (0.25, 3, 150)])
def test_search_trees(language: str, evaluation: str, delta: float | None, cap: int, count: int) -> None:
    """Trees as data: equation 4, then equation 14."""
    offsets = [0.0 if delta is None else delta * log2(i) for i in range(1, cap + 1)]
    if evaluation == "siblings":
        offsets = [floor(UNIT * offset + 0.5) / UNIT for offset in offsets]
    parameters: Data = {"delta": delta, "cap": cap}
    if evaluation == "global":
        parameters["evaluation"] = "global"
    made = rule(language, **parameters)
    for seed in range(count):
        random = Random(seed)
        game = with_scores(random_tree(random, random.randint(1, 4), skewed=seed % 3 == 0), random)
        data = search_tree(game, random, 8 if delta is None else 5)
        tree = cn.Tree.from_dict(data, made["rule"], **made["parameters"])
        assert_definition(tree, data, offsets, evaluation)


def grown(node: cn.Node, data: Data) -> Data:
    """Return the part of a game that a search has seen, as a search tree."""
    cut = {key: value for key, value in data.items() if key != "children"} | {"terminal": node.is_terminal}
    if node.children:
        pairs = zip(node.children, data["children"], strict=True)
        cut["children"] = [grown(child, below) for child, below in pairs]
    return cut


@pytest.mark.parametrize("parameters", [{}, {"pmax": 2}, {"evaluation": "global", "dmax": 3}], ids=str)
def test_grown_trees(parameters: Data) -> None:
    tested = 0
    for seed in range(300):
        data = with_scores(random_tree(Random(seed), 5, skewed=seed % 3 == 0), Random(seed))
        start = cn.games.ExplicitTree(data).start()
        tree = cn.search(start, "sibling-conspiracy", expansions=1 + seed % 6, **parameters).tree
        if sum(node.is_open for node in all_nodes(tree)) <= 8:
            tested += 1
            assert_definition(tree, grown(tree.root, data), [0.0], parameters.get("evaluation", "siblings"))
    assert tested > 100
