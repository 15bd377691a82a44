"""Conspiracy numbers: what the papers print, golden numbers and traces.

Beside this file: _brute_force (against the definition), _lockstep (native rules against their pages of
Python), _properties (what always holds, and mistakes).
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest

import conspirator as cn
from helpers import golden

PUBLISHED = golden("conspiracy/published")
NUMBERS = golden("conspiracy/numbers")["cases"]
LISTER, MCALLESTER = PUBLISHED["lister_schaeffer"], PUBLISHED["mcallester"]
SPECIFICATIONS: dict[str, type[cn.rules.Conspiracy]] = {
    "conspiracy": cn.rules.Conspiracy,
    "improved-conspiracy": cn.rules.ImprovedConspiracy,
}
RULES = list(SPECIFICATIONS)
LANGUAGES = ["native", "python"]


def rule(name: str, language: str) -> Any:
    """Return a rule for `cn.search`."""
    return name if language == "native" else SPECIFICATIONS[name]


def number(data: Any) -> Any:
    """Return a number or nested lists of numbers; JSON has no infinities."""
    return [number(item) for item in data] if isinstance(data, list) else float(data)


# ---------------------------------------------------------------- Lister and Schaeffer, Fig. 1 and Table 1

FIGURE = cn.Tree.from_dict(LISTER["fig1_tree"], "conspiracy", threshold=1000, iterative=False)
NAMES: dict[str, list[int]] = {
    "A": [],
    "B": [0],
    "C": [1],
    "D": [0, 0],
    "E": [0, 1],
    "F": [1, 0],
    "G": [1, 1],
    "J": [0, 0, 0],
    "K": [0, 0, 1],
}
LEAVES = "EFGJK"


@pytest.mark.parametrize("name", NAMES)
def test_figure_1(name: str) -> None:
    node = FIGURE.node(NAMES[name])
    vector = [FIGURE.conspiracy(node, value) for value in LISTER["fig1_values"]]
    assert vector == LISTER["fig1_vectors"][name]


def figure_value(changed: str, to: float) -> float:
    """Return the root's value after some leaves of Fig. 1 have been changed."""
    leaf = {"E": 2.0, "F": 0.0, "G": 1.0, "J": 1.0, "K": 0.0} | dict.fromkeys(changed, to)
    return max(min(max(leaf["J"], leaf["K"]), leaf["E"]), min(leaf["F"], leaf["G"]))


@pytest.mark.parametrize(("value", "sets"), LISTER["table1_minimal_sets"].items())
def test_table_1(value: str, sets: list[str]) -> None:
    aim = float(value)
    needed = int(FIGURE.conspiracy(FIGURE.root, aim))
    able = [
        "".join(group)
        for size in range(len(LEAVES) + 1)
        for group in combinations(LEAVES, size)
        if figure_value("".join(group), aim) == aim
    ]
    minimal = [group for group in able if len(group) == len(able[0])]
    assert sorted(sets) == sorted(minimal)
    assert {len(group) for group in minimal} == {needed}
    found = FIGURE.conspirators(aim)
    assert found is not None
    names = {tuple(path): name for name, path in NAMES.items()}
    assert "".join(sorted(names[tuple(leaf.path)] for leaf in found)) in sets


# ---------------------------------------------------------------- Lister and Schaeffer, Tables 2 and 3

CELLS = [
    pytest.param(name, int(ct), int(width), *cell, id=f"{name}-{ct}-{width}")
    for name, table in [("conspiracy", "table2"), ("improved-conspiracy", "table3")]
    for ct, row in LISTER[table].items()
    for width, cell in row.items()
    if cell[1] <= 200_000
]


@pytest.mark.parametrize(("name", "ct", "width", "depth", "nodes"), CELLS)
def test_tables_2_and_3(name: str, ct: int, width: int, depth: int, nodes: int) -> None:
    start = cn.games.UniformTree(width=width).start()
    result = cn.search(start, name, ct=ct, iterative=False, nodes=250_000)
    assert (result.status, result.depth, result.nodes) == ("converged", depth, nodes)
    assert result.interval(ct - 1) == (0, 0)


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize(("ct", "width"), [(10, 10), (20, 20), (30, 30)])
def test_tables_2_and_3_in_python(name: str, ct: int, width: int) -> None:
    depth, nodes = LISTER["table2"][str(ct)][str(width)]
    start = cn.games.UniformTree(width=width).start()
    result = cn.search(start, SPECIFICATIONS[name], ct=ct, iterative=False, nodes=250_000)
    assert (result.status, result.depth, result.nodes) == ("converged", depth, nodes)


# ---------------------------------------------------------------- McAllester, Sections 6 and 7

EXAMPLE = MCALLESTER["sec6"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_section_6(language: str) -> None:
    start = cn.games.ExplicitTree(EXAMPLE["game"]).start()
    basic = {"threshold": EXAMPLE["N_t"], "delta": EXAMPLE["delta"], "iterative": False}
    result = cn.search(start, rule("conspiracy", language), expansions=1000, trace=True, **basic)
    assert result.trace == [[], *EXAMPLE["expansions"]]
    assert (result.status, result.value) == ("converged", 0)
    for after, interval in EXAMPLE["ranges_after"].items():
        part = cn.search(start, rule("conspiracy", language), expansions=int(after) + 1, **basic)
        assert part.interval(EXAMPLE["N_t"]) == tuple(number(interval))


Path = tuple[int, ...]


def strategy(of_max: bool, width: int, depth: int) -> set[Path]:
    """Return the leftmost strategy of a player in a uniform tree (Definition 7.1)."""
    layers: list[set[Path]] = [{()}]
    for ply in range(depth):
        own = (ply % 2 == 0) == of_max
        layers.append({(*path, place) for path in layers[-1] for place in range(1 if own else width)})
    return set().union(*layers)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("width", [2, 3, 4, 5])
@pytest.mark.parametrize("threshold", range(1, 7))
def test_section_7(language: str, width: int, threshold: int) -> None:
    """With one static value, the tree is the union of a max strategy and a min strategy."""
    d_max = 2 * ((threshold - 1) // (width - 1))
    d_min = d_max + 1
    start = cn.games.UniformTree(width=width).start()
    chosen = rule("conspiracy", language)
    basic: dict[str, Any] = {"threshold": threshold, "iterative": False}
    result = cn.search(start, chosen, expansions=1000, trace=True, **basic)
    assert (result.status, result.depth) == ("converged", d_min + 1)
    trace = [tuple(path) for path in result.trace]
    proof = strategy(True, width, d_max)
    assert set(trace[: len(proof)]) == proof, "Vmin is ruled out first"
    assert set(trace) == proof | strategy(False, width, d_min)
    part = cn.search(start, chosen, expansions=len(proof), **basic).tree
    assert part.conspiracy(part.root, -1) > threshold
    assert part.conspiracy(part.root, 1) <= threshold


def test_section_7_example() -> None:
    example = MCALLESTER["sec7"]["example"]
    assert 2 * ((example["N_t"] - 1) // (example["b"] - 1)) == example["d_max"]
    assert len(strategy(True, example["b"], example["d_max"])) == example["max_strategy_expansions"]


# ---------------------------------------------------------------- golden numbers and traces


def golden_tree(case: dict[str, Any], rule: Any, **parameters: Any) -> cn.Tree:
    return cn.Tree.from_dict(case["tree"] | {"to_move": case["to_move"]}, rule, **parameters)


def assert_numbers(node: cn.Node, expected: dict[str, Any]) -> None:
    assert node.value == expected["value"]
    keys = ["upper", "upper_tail", "lower", "lower_tail"]
    assert node.numbers == {key: number(expected[key]) for key in keys}


@pytest.mark.parametrize("case", NUMBERS, ids=lambda case: case["id"])
@pytest.mark.parametrize("name", RULES)
def test_golden_numbers(case: dict[str, Any], name: str) -> None:
    tree = golden_tree(case, name, threshold=1000, iterative=False)
    assert len(tree) == len(case["nodes"])
    for expected in case["nodes"]:
        node = tree.node(expected["path"])
        assert_numbers(node, expected)
        for value, up, down in zip(
            map(number, case["values"]), expected["up"], expected["down"], strict=True
        ):
            needed = number(up if value > node.value else down)
            assert tree.conspiracy(node, value) == needed
    tree.check()


@pytest.mark.parametrize("case", NUMBERS, ids=lambda case: case["id"])
def test_a_tree_from_data_keeps_all_numbers(case: dict[str, Any]) -> None:
    tree = golden_tree(case, "conspiracy")
    for expected in case["nodes"]:
        assert_numbers(tree.node(expected["path"]), expected)


@pytest.mark.parametrize("case", NUMBERS, ids=lambda case: case["id"])
def test_golden_numbers_in_python(case: dict[str, Any]) -> None:
    tree = golden_tree(case, cn.rules.Conspiracy(threshold=1000, iterative=False))
    for expected in case["nodes"]:
        assert_numbers(tree.node(expected["path"]), expected)


TRACES = [
    pytest.param(game, run, id=f"{game['id']}-{place}")
    for game in golden("conspiracy/traces")["games"]
    for place, run in enumerate(game["runs"])
]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("game", "run"), TRACES)
def test_golden_traces(game: dict[str, Any], run: dict[str, Any], language: str) -> None:
    start = cn.games.ExplicitTree(game["game"] | {"to_move": game["to_move"]}).start()
    specification = SPECIFICATIONS[run["search"]](**run["parameters"])
    if language == "native":
        result = cn.search(start, run["search"], expansions=50, trace=True, **run["parameters"])
    else:
        result = cn.search(start, specification, expansions=50, trace=True)
    assert result.trace == run["trace"]
    facts = (result.status, result.expansions, result.nodes, result.value)
    assert facts == (run["status"], run["expansions"], run["nodes"], run["value"])
    assert result.tree.ladder(4) == [tuple(number(interval)) for interval in run["intervals"]]
    assert [result.interval(n) for n in range(5)] == result.tree.ladder(4)
    if "best_child" in run:
        best = start.moves().index(result.move) if language == "native" else specification.answer()
        assert best == run["best_child"]
    result.tree.check()


def test_all_golden_traces_are_there() -> None:
    assert len(TRACES) == 98
