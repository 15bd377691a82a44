"""Least certainty: printed numbers, golden traces, swings by brute force, ties, mistakes.

Beside this file: test_penalty_lockstep (the native rule against its page of Python).
"""

from __future__ import annotations

from itertools import product
from math import inf
from random import Random
from typing import Any

import pytest

import conspirator as cn
from conspirator.rules.least_certainty import SplitMix64
from helpers import all_nodes, golden, is_one_line, random_tree, utgoff
from helpers import minimax as full

NAME = "least-certainty"
LANGUAGES = ["python", *(["native"] if NAME in cn.searches() else [])]
PUBLISHED = golden("penalty_lcf/published")
Data = dict[str, Any]


def rule(language: str, **parameters: Any) -> dict[str, Any]:
    """Return a search's rule and parameters; the page of Python is the published variant."""
    if language == "native":
        return {"rule": NAME, "parameters": {"variant": "published"} | parameters}
    parameters.pop("variant", None)
    return {"rule": cn.rules.LeastCertainty(**parameters), "parameters": {}}


def search(start: cn.Position, language: str, expansions: int, **parameters: Any) -> cn.Result:
    made = rule(language, **parameters)
    return cn.search(start, made["rule"], expansions=expansions, trace=True, **made["parameters"])


def tree(data: Data, language: str, **parameters: Any) -> cn.Tree:
    made = rule(language, **parameters)
    return cn.Tree.from_dict(data, made["rule"], **made["parameters"])


def places(name: str) -> list[int]:
    """Return the path that a golden file writes as '0.2.1'."""
    return [int(place) for place in name.split(".")] if name else []


# Figure 1

FIGURE_1: Data = {
    "value": 0,
    "children": [
        {"value": 8, "children": [{"value": 8}, {"value": 10}, {"value": 13}]},
        {"value": 6, "children": [{"value": 6}, {"value": 7}, {"value": 13}]},
        {"value": 3, "children": [{"value": 3}, {"value": 4}, {"value": 5}]},
    ],
}
"""The paper's values are negamax: a leaf of -8 there is worth 8 for the player at the root."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_figure_1(language: str) -> None:
    figure = PUBLISHED["lcf_fig1"]
    grown = tree(FIGURE_1, language)
    for node, name in zip(grown.root.children, "BCD", strict=True):
        assert list(node.numbers.values()) == figure[name]
        assert [leaf.numbers["swing"] for leaf in node.children] == figure["children_swing"][name]
        assert [leaf.numbers["lookahead"] for leaf in node.children] == [
            -leaf.value for leaf in node.children
        ]


# Golden games

RUNS = [
    pytest.param(case, run, id=case["id"])
    for case in golden("penalty_lcf/traces")["cases"]
    for run in case["runs"]
    if run["search"] == NAME
]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("case", "run"), RUNS)
def test_golden_games(case: Data, run: Data, language: str) -> None:
    start = cn.games.ExplicitTree(case["game"] | {"to_move": case["to_move"]}).start()
    result = search(start, language, 50, **run["parameters"])
    assert result.trace == run["trace"]
    assert result.move == str(run["best_child"])
    result.tree.check()
    after = run["nodes_after"]
    grown = search(start, language, after["expansions"], **run["parameters"]).tree
    assert len(grown) == 1 + len(after["nodes"])
    for name, numbers in after["nodes"].items():
        expected = {key: float(number) for key, number in numbers.items()}
        assert grown.node(places(name)).numbers == expected, name


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("case", golden("penalty_lcf/random_games")["searches"], ids=["b2", "b5"])
def test_golden_random_games(case: Data, language: str) -> None:
    game = cn.games.RandomTree(branching=case["b"], depth=case["depth"], seed=case["seed"], kind="utgoff")
    result = search(game.start(), language, 50, ties="leftmost")
    run = case["lcf"]
    assert result.trace == [places(path) for path in run["expansions"]]
    assert result.move == str(run["final_best_root_child"])
    assert [child.value for child in result.tree.root.children] == run["final_root_children"]


# Swings by brute force


def minimax(node: cn.Node, values: dict[int, float]) -> float:
    """Return the value of a node if its leaves have these values."""
    if not node.children:
        return values[node.id]
    return (max if node.is_max else min)(minimax(child, values) for child in node.children)


def least_change(node: cn.Node, val: float, rise: bool) -> float:
    """Return the least total change of open leaves that takes a node to a value, by trying all of them.

    No leaf need go anywhere but to that value: less is not enough, and more is not needed.
    """
    leaves = [leaf for leaf in below(node) if not leaf.children]
    least = inf
    for moved in product([False, True], repeat=len(leaves)):
        if any(leaf.is_terminal and move for leaf, move in zip(leaves, moved, strict=True)):
            continue
        values = {leaf.id: val if move else leaf.value for leaf, move in zip(leaves, moved, strict=True)}
        value = minimax(node, values)
        if value >= val if rise else value <= val:
            least = min(
                least, sum(abs(values[leaf.id] - leaf.value) for leaf in leaves if not leaf.is_terminal)
            )
    return least


def below(node: cn.Node) -> list[cn.Node]:
    nodes = [node]
    for each in nodes:
        nodes += each.children
    return nodes


def small_tree(random: Random, depth: int) -> Data:
    """Return a search tree of integer values as data; some leaves are finished games."""
    node: Data = {"value": random.randint(-9, 9)}
    if depth and random.random() < 0.8:
        node["children"] = [small_tree(random, depth - 1) for _ in range(random.randint(1, 2))]
    elif random.random() < 0.3:
        node["terminal"] = True
    return node


@pytest.mark.parametrize("language", LANGUAGES)
def test_swings_are_the_least_total_change(language: str) -> None:
    compared = 0
    for seed in range(120):
        random = Random(seed)
        children = [small_tree(random, 3) for _ in range(random.randint(2, 3))]
        data = {"value": 0, "children": children, "to_move": random.choice(["max", "min"])}
        grown = tree(data, language)
        root = grown.root
        best = max if root.is_max else min
        first = best(root.children, key=lambda child: child.value)
        second = best(child.value for child in root.children if child != first)
        for child in root.children:
            rise = root.is_max != (child == first)
            val = second if child == first else first.value
            for node in below(child):
                if sum(not each.children for each in below(node)) <= 8:
                    assert node.numbers["swing"] == least_change(node, val, rise), (seed, node.path)
                    compared += 1
    assert compared > 1000


@pytest.mark.parametrize("language", LANGUAGES)
def test_swings_kept_up_to_date_are_those_of_the_whole_tree(language: str) -> None:
    """Incremental equals recomputed: the grown tree, given as data, has the same swings."""

    def data(node: cn.Node) -> Data:
        given: Data = {"to_move": "max" if node.is_max else "min"}
        if node.children:
            return given | {"value": 0, "children": [data(child) for child in node.children]}
        return given | {"value": node.value, "terminal": node.is_terminal}

    for seed in range(40):
        start = cn.games.ExplicitTree(random_tree(Random(seed), 5, skewed=seed % 3 == 0)).start()
        for expansions in (2, 7, 20):
            grown = search(start, language, expansions).tree
            again = tree(data(grown.root), language)
            for one, two in zip(all_nodes(grown), all_nodes(again), strict=True):
                assert (one.path, one.numbers) == (two.path, two.numbers), (seed, expansions)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_descent_is_the_path_of_least_swing(language: str) -> None:
    for seed in range(1, 25):
        start = utgoff(4 * seed + 3)
        if start.outcome is not None:
            continue
        whole = search(start, language, 25, ties="leftmost").trace
        for count in range(1, len(whole)):
            grown = search(start, language, count, ties="leftmost").tree
            path, node = whole[count], grown.root
            for place in path:
                swings = [child.numbers["swing"] for child in node.children]
                usable = [swing for swing in swings if swing < inf and (swing > 0 or node.depth == 0)]
                if usable and swings[place] > 0:
                    assert swings[place] == min(usable) or node.depth == 0
                node = node.children[place]
            assert node.is_open


# Random ties


def test_the_generator_is_splitmix64() -> None:
    """The first numbers for seed 1234567, from the published test vector."""
    generator = SplitMix64(1234567)
    assert [generator.next() for _ in range(3)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_ties_at_random_depend_on_the_seed_alone(language: str) -> None:
    start = cn.games.UniformTree(width=4).start()
    traces = [search(start, language, 60, seed=seed).trace for seed in (0, 0, 1, 2)]
    assert traces[0] == traces[1]
    assert traces[0] != traces[2] != traces[3]
    assert search(start, language, 60).trace == traces[0]
    leftmost = search(start, language, 60, ties="leftmost").trace
    assert leftmost == search(start, language, 60, ties="leftmost", seed=5).trace
    # the root's expansion, and then the first tie: four children without swing
    assert traces[0][1] == [SplitMix64(0).next() % 4]


@pytest.mark.parametrize("language", LANGUAGES)
def test_ties_at_random_are_uniform(language: str) -> None:
    start = cn.games.UniformTree(width=4).start()
    chosen = [search(start, language, 2, seed=seed).trace[1][0] for seed in range(400)]
    assert all(70 <= chosen.count(place) <= 130 for place in range(4))


# When it ends


@pytest.mark.parametrize("language", LANGUAGES)
def test_one_move_is_no_question(language: str) -> None:
    start = cn.games.ExplicitTree(
        {"value": 0, "children": [{"value": 1, "children": [{"value": 5}]}]}
    ).start()
    result = search(start, language, 10)
    assert (result.status, result.expansions, result.move) == ("decided", 1, "0")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_swing_threshold_decides(language: str) -> None:
    start = cn.games.RandomTree(branching=3, depth=64, seed=5, kind="utgoff").start()
    expansions = []
    for threshold in (0.0, 2_000.0, 8_000.0):
        result = search(start, language, 10_000, swing_threshold=threshold, ties="leftmost")
        assert result.status == "decided"
        assert min(child.numbers["swing"] for child in result.tree.root.children) > threshold
        expansions.append(result.expansions)
    assert expansions == sorted(expansions)


@pytest.mark.skipif("native" not in LANGUAGES, reason="not native yet")
@pytest.mark.parametrize("variant", ["best", "published"])
def test_a_swing_threshold_is_about_all_moves(variant: str) -> None:
    """Also where the first move and the others have their turns."""
    for seed in range(10):
        start = cn.games.RandomTree(branching=4, depth=64, seed=seed, kind="utgoff").start()
        result = cn.search(start, NAME, variant=variant, swing_threshold=6_000, expansions=3_000)
        assert result.status == "decided"
        assert min(child.numbers["swing"] for child in result.tree.root.children) > 6_000


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_expanded_that_cannot_matter(language: str) -> None:
    """The first move cannot fall below 9, the second cannot rise: its reply to 3 stands."""
    data: Data = {
        "value": 0,
        "children": [
            {"value": 9},
            {"value": 5, "children": [{"value": 3}, {"value": 5, "children": [{"value": 5}]}]},
        ],
    }
    result = search(cn.games.ExplicitTree(data).start(), language, 100, ties="leftmost")
    assert (result.trace, result.status, result.move) == ([[], [1]], "decided", "0")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_chosen_move_is_a_best_one_when_it_ends(language: str) -> None:
    for seed in range(80):
        start = cn.games.ExplicitTree(random_tree(Random(seed), 4)).start()
        result = search(start, language, 10**5)
        assert result.status in ("proven", "decided")
        best = (max if start.to_move == "max" else min)(full(start.play(move)) for move in start.moves())
        assert full(start.play(result.move)) == best or len(start.moves()) == 1
        result.tree.check()


# Mistakes


@pytest.mark.parametrize("language", LANGUAGES)
def test_bad_parameters(language: str) -> None:
    with pytest.raises(cn.ArgumentError) as caught:
        search(cn.games.ConnectFour().start(), language, 5, ties="rightmost")
    assert is_one_line(caught.value)


@pytest.mark.parametrize("language", LANGUAGES)
def test_pieces_make_the_whole(language: str) -> None:
    """Asked twice about the same tree, random ties are broken in the same way."""
    start = cn.games.UniformTree(width=3).start()
    whole = search(start, language, 40, seed=3)
    part = search(start, language, 1, seed=3)
    for more in (1, 2, 5, 1, 30):
        part = part.resume(expansions=more)
    assert part.trace == whole.trace


# The best variant


class Steps(cn.Game):
    """Three moves in every position, worth 3, 2 and 1 for their player."""

    def start(self) -> Any:
        return (0, 0)

    def moves(self, state: tuple[int, int]) -> list[int]:
        return [3, 2, 1] if state[0] < 6 else []

    def play(self, state: tuple[int, int], move: int) -> tuple[int, int]:
        ply, value = state
        return (ply + 1, value + (move if ply % 2 == 0 else -move))

    def evaluate(self, state: tuple[int, int]) -> float:
        return state[1]


def test_tempo_is_added_for_the_player_to_move() -> None:
    class Quick(Steps):
        tempo = 2.0

    for game, gain in ((Steps(), 0.0), (Quick(), 0.7)):
        result = cn.search(game.start(), "least-certainty", expansions=1)
        assert [child.value for child in result.tree.root.children] == [3 - gain, 2 - gain, 1 - gain]
        whole = cn.search(game.start(), "least-certainty", expansions=10**4)
        assert (whole.status, whole.move) in (("proven", 3), ("decided", 3))
        whole.tree.check()
