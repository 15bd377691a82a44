"""Sibling conspiracy numbers: the native rule and its page of Python grow the same tree, and in pieces."""

from __future__ import annotations

from collections.abc import Callable
from math import inf, log2
from random import Random
from typing import Any

import pytest

import conspirator as cn
import python_games
from conspirator.rules.staircases import height, merge, reach
from helpers import all_nodes, connect_four, in_pieces, mcallester, random_tree, with_scores

NAME = "sibling-conspiracy"
Parameters = dict[str, Any]


def explicit(seed: int) -> cn.Position:
    """Scores with ties; games end at many depths; either player begins, not always in turn."""
    random = Random(seed)
    data = random_tree(random, random.randint(1, 7), skewed=seed % 3 == 0)
    return cn.games.ExplicitTree(with_scores(data, random)).start()


FAMILIES: dict[str, tuple[Callable[[int], cn.Position], int, int]] = {
    "explicit": (explicit, 800, 60),
    "mcallester": (mcallester, 200, 40),
    "connect-four": (connect_four, 60, 40),
}
"""How to make a position, how many of them, and the expansions of a search."""

CHOICES: dict[str, list[Any]] = {
    "pmax": [1, 1, 2, 3, 5, inf],
    "dmax": [1, 1, 2, 3, 5, inf],
    "delta": [None, 0, 0.25, 1],
    "cap": [1, 2, 8, 16],
    "eta": [0, 0, 0.25],
    "interval": ["literal", "strict"],
    "choice": ["effort", "value"],
    "goal": [None, None, -1, 1, 512],
}


def some_parameters(seed: int) -> Parameters:
    random = Random(seed)
    return {key: random.choice(values) for key, values in CHOICES.items()}


def facts(result: cn.Result) -> tuple[Any, ...]:
    return result.trace, result.status, result.limit, result.value, result.nodes, result.depth


def numbers(tree: cn.Tree) -> list[tuple[Any, ...]]:
    """Return what is known of every node; a root that is decided has nothing left between vmin and vmax."""
    decided = [] in (tree.root.numbers["p"], tree.root.numbers["d"])
    ends = {"vmin", "vmax"} if decided else set()
    return [
        (node.id, node.path, node.value, node.error, {k: v for k, v in node.numbers.items() if k not in ends})
        for node in all_nodes(tree)
    ]


@pytest.mark.parametrize("family", FAMILIES)
def test_lockstep(family: str) -> None:
    make, count, expansions = FAMILIES[family]
    for seed in range(count):
        start, parameters = make(seed), some_parameters(seed)
        rule = cn.rules.SiblingConspiracy(**parameters)
        native = cn.search(start, NAME, expansions=expansions, trace=True, **parameters)
        python = cn.search(start, rule, expansions=expansions, trace=True)
        assert facts(native) == facts(python), (seed, parameters)
        assert native.move == python.move == start.moves()[rule.answer() or 0], (seed, parameters)
        native.tree.check()
        python.tree.check()
        if seed % 4 == 0:
            assert numbers(native.tree) == numbers(python.tree), (seed, parameters)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("delta", [None, 0, 0.25, 1])
def test_lockstep_with_one_leaf_wrong(family: str, delta: float | None) -> None:
    """The three numbers that are enough for pmax = dmax = 1."""
    make, count, expansions = FAMILIES[family]
    parameters: Parameters = {"delta": delta, "cap": 4}
    for seed in range(count, count + count // 5):
        start, rule = make(seed), cn.rules.SiblingConspiracy(**parameters)
        native = cn.search(start, NAME, expansions=expansions, trace=True, **parameters)
        python = cn.search(start, rule, expansions=expansions, trace=True)
        assert facts(native) == facts(python), seed
        assert native.move == python.move
        if seed % 4 == 0:
            assert numbers(native.tree) == numbers(python.tree), seed


LONG = [{}, {"delta": 0.5, "cap": 3}, {"pmax": 3, "dmax": 2}, {"pmax": inf, "dmax": inf, "eta": 0.25}]


@pytest.mark.parametrize("parameters", LONG, ids=str)
def test_long_searches(parameters: Parameters) -> None:
    for start in (cn.games.ConnectFour().start(), cn.games.RandomTree(branching=4, depth=0, seed=3).start()):
        native = cn.search(start, NAME, expansions=150, trace=True, **parameters)
        python = cn.search(start, cn.rules.SiblingConspiracy, expansions=150, trace=True, **parameters)
        assert facts(native) == facts(python)
        assert native.move == python.move
        for path in ([], [0], [3], native.trace[-1]):
            assert native.tree.node(path).numbers == python.tree.node(path).numbers


class StaticValues(cn.rules.SiblingConspiracy):
    """Algorithm 3 with static values instead of errors: `evaluation="global"`."""

    uses_errors = False

    def initialise(self, tree: cn.Tree, leaves: list[cn.Node]) -> None:
        super().initialise(tree, leaves)
        offsets = [(0.0, 1.0)]
        if self.delta is not None:
            offsets = [(self.delta * log2(i), float(i)) for i in range(1, self.cap + 1)]
        for n in leaves:
            self.p[n.id], self.d[n.id] = (
                ((x, inf),)
                if n.is_terminal
                else merge(tuple({x + by: h for by, h in offsets}.items()), self.eta)
                for x in (n.value, -n.value)
            )

    def choose(self, tree: cn.Tree) -> cn.Node | str:
        root = tree.root
        return "proven" if root.is_solved else self.select_mpn(root, *self.interval(root))

    def interval(self, root: cn.Node) -> tuple[float, float]:
        """No number of leaves takes the root beyond what a finished game allows."""
        limits = []
        for f, most in ((self.d[root.id], self.dmax), (self.p[root.id], self.pmax)):
            first = f[0][1] if self.strict else 0
            limits.append(reach(f, min(max(most, first if first < inf else 0), 10**9)))
        return -limits[0], limits[1]

    def select_mpn(self, n: cn.Node, v_min: float, v_max: float) -> cn.Node:
        """Where a finished game is worth vmax, the rest of the family is still open."""
        while children := [s for s in n.children if not s.is_solved]:
            if n.is_max:
                n = min(children, key=lambda s: height(self.p[s.id], v_max))
            else:
                n = min(children, key=lambda s: height(self.d[s.id], -v_min))
        return n

    def numbers(self, node: cn.Node) -> dict[str, Any]:
        numbers = super().numbers(node)
        del numbers["scef"]
        return numbers


@pytest.mark.parametrize("game", python_games.ALL)
@pytest.mark.parametrize("parameters", [{}, {"pmax": 3, "dmax": 2, "delta": 0.5, "cap": 4}], ids=str)
def test_games_written_in_python(game: type[cn.Game], parameters: Parameters) -> None:
    start, rule = game().start(), cn.rules.SiblingConspiracy(**parameters)
    native = cn.search(start, NAME, expansions=60, trace=True, **parameters)
    python = cn.search(start, rule, expansions=60, trace=True)
    assert facts(native) == facts(python)
    assert native.move == python.move
    native.tree.check()


@pytest.mark.parametrize(
    ("family", "eta"),
    [
        ("explicit", 0),
        ("mcallester", 0),
        ("connect-four", 0),
        ("explicit", 1e-12),
        ("mcallester", 1e-12),
    ],
)
def test_lockstep_with_static_values(family: str, eta: float) -> None:
    """A trifle of eta: without it the native rule cuts heights off above pmax and dmax."""
    make, count, expansions = FAMILIES[family]
    for seed in range(count // 2):
        parameters = some_parameters(seed) | {"goal": None}
        parameters["eta"] = parameters["eta"] or eta
        start, rule = make(seed), StaticValues(**parameters)
        native = cn.search(start, NAME, expansions=expansions, trace=True, evaluation="global", **parameters)
        python = cn.search(start, rule, expansions=expansions, trace=True)
        assert facts(native) == facts(python), (seed, parameters)
        native.tree.check()
        if seed % 4 == 0:
            for one, two in zip(all_nodes(native.tree), all_nodes(python.tree), strict=True):
                assert one.numbers == two.numbers, (seed, parameters, one.path)


def test_a_won_game_is_worth_infinity() -> None:
    """One leaf wins for Min at [0] and one at [1]: a tie, and so the leftmost is looked at."""
    lost = {"value": -1, "children": [{"value": 0, "children": [{"value": 1}]}, {"value": "-inf"}]}
    other = {"value": 3, "children": [{"value": 3, "children": [{"value": 2}]}]}
    data = {"value": -2, "to_move": "min", "children": [lost, other]}
    start = cn.games.ExplicitTree(data).start()
    parameters: Parameters = {"pmax": inf, "dmax": inf}
    native = cn.search(start, NAME, expansions=3, trace=True, evaluation="global", **parameters)
    assert native.trace == [[], [0], [0, 0]]


@pytest.mark.parametrize("parameters", [{"pmax": inf, "dmax": inf}, {"interval": "strict"}], ids=str)
@pytest.mark.parametrize("value", ["inf", "-inf"])
def test_the_interval_of_a_decided_root(value: str, parameters: Parameters) -> None:
    start = cn.games.ExplicitTree({"children": [{"value": value}]}).start()
    native = cn.search(start, NAME, expansions=5, **parameters).tree.root.numbers
    python = cn.search(start, cn.rules.SiblingConspiracy(**parameters), expansions=5).tree.root.numbers
    assert native == python
    assert native["vmin"] == native["vmax"] == float(value)


PIECES: dict[str, Parameters] = {
    "three numbers": {},
    "three numbers, delta": {"delta": 0.25},
    "functions": {"pmax": 3, "dmax": 2},
    "eta": {"pmax": 5, "dmax": 5, "eta": 0.25, "delta": 1, "cap": 8},
    "strict": {"interval": "strict", "delta": 0.5},
    "global": {"evaluation": "global", "pmax": 2},
    "transpositions": {"transpositions": True},
    "shared functions": {"transpositions": True, "pmax": 3, "dmax": 3},
}


@pytest.mark.parametrize("kind", PIECES)
def test_pieces_make_the_whole(kind: str) -> None:
    for make, _, expansions in FAMILIES.values():
        for seed in range(12):
            start = make(seed)
            whole = cn.search(start, NAME, expansions=expansions, trace=True, **PIECES[kind])
            part = in_pieces(start, NAME, expansions, Random(seed), **PIECES[kind])
            assert facts(part) == facts(whole), (make, seed)
            assert (part.move, part.line) == (whole.move, whole.line)
            if seed % 3 == 0:
                assert numbers(part.tree) == numbers(whole.tree)


def test_a_rule_object_begins_anew_with_every_search() -> None:
    rule = cn.rules.SiblingConspiracy(delta=0.5)
    for start in (explicit(1), mcallester(4), explicit(1)):
        fresh = cn.search(start, NAME, expansions=50, trace=True, delta=0.5)
        assert facts(cn.search(start, rule, expansions=50, trace=True)) == facts(fresh)
