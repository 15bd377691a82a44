"""Min/max approximation and least certainty: native and page of Python grow the same tree, and in pieces."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from random import Random
from typing import Any

import pytest

import conspirator as cn
import python_games
from helpers import all_nodes, connect_four, in_pieces, mcallester, random_tree, utgoff, with_scores

MINMAX, LEAST = "minmax-approximation", "least-certainty"
PAGES: dict[str, type[cn.GrowthRule]] = {MINMAX: cn.rules.MinmaxApproximation, LEAST: cn.rules.LeastCertainty}
Parameters = dict[str, Any]


@pytest.fixture(params=list(PAGES))
def name(request: pytest.FixtureRequest) -> str:
    """Return the name of a search; before the native one is there, there is nothing to compare."""
    if request.param not in cn.searches():
        pytest.skip(f"{request.param} is not native yet")
    return str(request.param)


def explicit(seed: int) -> cn.Position:
    """Few distinct values, many ties; games end at many depths; either player begins, not always in turn."""
    random = Random(seed)
    data = random_tree(random, random.randint(1, 6), skewed=seed % 3 == 0)
    return cn.games.ExplicitTree(with_scores(data, random)).start()


def real(seed: int) -> cn.Position:
    """Values that are no round numbers, so that sums depend on their order."""
    random = Random(seed)

    def node(depth: int) -> dict[str, Any]:
        data: dict[str, Any] = {"value": random.uniform(-30, 90)}
        if depth and random.random() < 0.9:
            data["children"] = [node(depth - 1) for _ in range(random.randint(1, 5))]
        return data

    return cn.games.ExplicitTree({"value": 0, "children": [node(5) for _ in range(4)]}).start()


FAMILIES: dict[str, tuple[Callable[[int], cn.Position], int, int]] = {
    "explicit": (explicit, 300, 100),
    "real": (real, 80, 100),
    "mcallester": (mcallester, 100, 60),
    "utgoff": (utgoff, 80, 60),
    "connect-four": (connect_four, 80, 60),
}
"""How to make a position, how many of them, and the expansions of a search."""

SHIFTS = {"explicit": 4.0, "real": 31.0, "mcallester": 1_000.0, "utgoff": 1e6, "connect-four": 0.0}
"""What makes all values positive."""

CHOICES: dict[str, dict[str, list[Any]]] = {
    MINMAX: {
        "means": ["exact", "reverse", "constant", "constant", "floyd"],
        "p": [1.5, 2.0, 10.0, 30.0],
        "step": [0.0, 0.02, 0.05, 0.5],
        "scale": ["log", "log", "logit"],
        "choice": ["minimax", "approximate"],
        "redescend": [False, False, True],
    },
    LEAST: {
        "ties": ["random", "leftmost"],
        "seed": [0, 1, 2**63 - 1],
        "swing_threshold": [None, None, 1.0, 50.0, 20_000.0],
    },
}


def some_parameters(name: str, family: str, seed: int) -> Parameters:
    random = Random(seed)
    parameters = {key: random.choice(values) for key, values in CHOICES[name].items()}
    return parameters | ({"shift": SHIFTS[family]} if name == MINMAX else {})


def both(
    name: str, start: cn.Position, expansions: int, parameters: Parameters
) -> tuple[cn.Result, cn.Result]:
    native = cn.search(start, name, expansions=expansions, trace=True, variant="published", **parameters)
    python = cn.search(start, PAGES[name], expansions=expansions, trace=True, **parameters)
    return native, python


def facts(result: cn.Result) -> tuple[Any, ...]:
    return result.trace, result.status, result.limit, result.value, result.move, result.nodes, result.depth


def same_numbers(native: cn.Tree, python: cn.Tree) -> None:
    """Compare all nodes; powers and roots may be computed in another order."""
    for one, two in zip(all_nodes(native), all_nodes(python), strict=True):
        assert (one.path, one.value) == (two.path, two.value)
        ours, theirs = one.numbers, two.numbers
        assert ours.keys() == theirs.keys()
        for key, number in ours.items():
            if isinstance(number, float) and abs(number) < inf:
                assert number == pytest.approx(theirs[key], rel=1e-9, abs=1e-9), (key, one.path)
            else:
                assert number == theirs[key], (key, one.path)


@pytest.mark.parametrize("family", FAMILIES)
def test_lockstep(name: str, family: str) -> None:
    make, count, expansions = FAMILIES[family]
    for seed in range(count):
        start = make(seed)
        if start.outcome is not None:
            continue
        parameters = some_parameters(name, family, seed)
        native, python = both(name, start, expansions, parameters)
        assert facts(native) == facts(python), (seed, parameters)
        native.tree.check()
        python.tree.check()
        if seed % 4 == 0:
            same_numbers(native.tree, python.tree)


@pytest.mark.parametrize("game", python_games.ALL)
def test_games_written_in_python(name: str, game: type[cn.Game]) -> None:
    start = game().start()
    low = start.value_range[0]
    parameters: Parameters = {} if name == LEAST else {"shift": 2.0 - low if low > -inf else 1000.0}
    native, python = both(name, start, 60, parameters)
    assert facts(native) == facts(python)
    native.tree.check()


LONG: dict[str, list[Parameters]] = {
    MINMAX: [{}, {"means": "exact"}, {"means": "reverse", "p": 3.0}, {"means": "floyd"}, {"redescend": True}],
    LEAST: [{}, {"ties": "leftmost"}, {"seed": 7}],
}


def test_long_searches(name: str) -> None:
    for start in (cn.games.ConnectFour().start(), cn.games.ConnectFour().position("4453")):
        for parameters in LONG[name]:
            native, python = both(name, start, 400, parameters)
            assert facts(native) == facts(python), parameters
            same_numbers(native.tree, python.tree)


def test_solved_nodes_are_closed(name: str) -> None:
    """The best variant, taken apart: with the published leaves, the page of Python can follow it."""
    if name == LEAST:
        pytest.skip("only min/max approximation has this")
    for seed in range(40):
        start = connect_four(seed)
        parts: Parameters = {"scale": "logit", "step": 0.02}
        best = parts | {"variant": "best", "leaves": "static"}
        native = cn.search(start, name, expansions=200, trace=True, **best)
        page = cn.rules.MinmaxApproximation(closed=True, **parts)
        python = cn.search(start, page, expansions=200, trace=True)
        assert facts(native) == facts(python), seed


@pytest.mark.parametrize("variant", ["best", "published"])
@pytest.mark.parametrize("family", FAMILIES)
def test_pieces_make_the_whole(name: str, family: str, variant: str) -> None:
    make, _, expansions = FAMILIES[family]
    for seed in range(12):
        random, start = Random(seed), make(seed)
        if start.outcome is not None:
            continue
        parameters = some_parameters(name, family, seed) | {"variant": variant}
        whole = cn.search(start, name, expansions=expansions, trace=True, **parameters)
        part = in_pieces(start, name, expansions, random, **parameters)
        assert facts(part) == facts(whole), (seed, parameters)
        assert part.line == whole.line


def test_a_rule_object_begins_anew_with_every_search(name: str) -> None:
    rule = PAGES[name]()
    for start in (connect_four(1), connect_four(4), connect_four(1)):
        fresh = cn.search(start, name, expansions=50, trace=True, variant="published")
        assert facts(cn.search(start, rule, expansions=50, trace=True)) == facts(fresh)
