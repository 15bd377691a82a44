"""The rule `relevance`: golden numbers, enumeration of all outcomes, lockstep with its page of Python."""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

import conspirator as cn
from conspirator.certainty import Table
from conspirator.rules.distributions import best, join

GOLDEN = json.loads((Path(__file__).parent / "golden/certainty/relevance.json").read_text())["trees"]
OUTCOMES = ("loss", "draw", "win")
FOUR = cn.games.ConnectFour()
Path_ = tuple[int, ...]


def as_data(node: dict[str, Any]) -> dict[str, Any]:
    """Return a golden tree as data of ours."""
    if "children" in node:
        return {"children": [as_data(child) for child in node["children"]], "to_move": node["to_move"]}
    p = [float(Fraction(node["p"][outcome])) for outcome in OUTCOMES]
    return {"p": p, "terminal": True} if node["solved"] else {"p": p}


def paths(node: dict[str, Any], path: tuple[int, ...] = ()) -> Iterator[tuple[str, list[int]]]:
    """Yield the names of all nodes with their paths."""
    yield node["name"], list(path)
    for place, child in enumerate(node.get("children", [])):
        yield from paths(child, (*path, place))


def exact(numbers: list[Any]) -> float:
    """Return a golden number: the fraction."""
    return float(Fraction(numbers[0]))


@pytest.mark.parametrize("measure", ["step", "qss"])
@pytest.mark.parametrize("rho", [0.0, 0.5])
@pytest.mark.parametrize("name", GOLDEN)
def test_golden_numbers(name: str, rho: float, measure: str) -> None:
    given = GOLDEN[name]
    wanted = given["rho=0, root_rho=0" if rho == 0 else "rho=1/2, root_rho=1/2"]
    tree = cn.Tree.from_dict(as_data(given["tree"]), "relevance", rho=rho, root_rho=rho, measure=measure)
    tree.check()
    where = dict(paths(given["tree"]))
    seen = 0
    for node, s in wanted["P(>=draw), P(win) per node"].items():
        assert tree.node(where[node]).numbers["distribution"] == pytest.approx(
            [exact(x) for x in s], abs=1e-12
        )
        seen += 1
    for node, g in wanted["influence on its root move (>=draw, win)"].items():
        assert tree.node(where[node]).numbers["influence"] == pytest.approx([exact(x) for x in g], abs=1e-12)
        seen += 1
    for node, relevance in wanted["relevance"].items():
        assert tree.node(where[node]).numbers["relevance"] == pytest.approx(
            exact(relevance[measure]), abs=1e-12
        )
        seen += 1
    for node, p in wanted["p_best"].items():
        assert tree.node(where[node]).numbers["best"] == pytest.approx(exact(p), abs=1e-12)
        seen += 1
    assert seen > 8


def random_data(random: Random, depth: int, is_max: bool = True) -> dict[str, Any]:
    """Return a small tree with random distributions over three outcomes."""
    if depth == 0 or (depth < 3 and random.random() < 0.3):
        cuts = sorted(random.random() for _ in range(2))
        return {"p": [cuts[0], cuts[1] - cuts[0], 1 - cuts[1]]}
    children = [random_data(random, depth - 1, not is_max) for _ in range(random.randint(1, 2))]
    return {"children": children, "to_move": "max" if is_max else "min"}


def leaves_of(
    data: dict[str, Any], path: tuple[int, ...] = ()
) -> Iterator[tuple[tuple[int, ...], list[float]]]:
    if "children" not in data:
        yield path, data["p"]
    for place, child in enumerate(data.get("children", [])):
        yield from leaves_of(child, (*path, place))


def outcome_of(data: dict[str, Any], chosen: dict[tuple[int, ...], int], path: tuple[int, ...] = ()) -> int:
    """Return the minimax outcome where every leaf has turned out to be something."""
    if "children" not in data:
        return chosen[path]
    below = [outcome_of(child, chosen, (*path, place)) for place, child in enumerate(data["children"])]
    return max(below) if data["to_move"] == "max" else min(below)


@pytest.mark.parametrize("seed", range(30))
def test_independent_leaves_by_enumeration_of_all_outcomes(seed: int) -> None:
    random = Random(seed)
    data = random_data(random, 3, is_max=seed % 2 == 0)
    while "children" not in data or len(list(leaves_of(data))) > 7:
        data = random_data(random, 3, is_max=seed % 2 == 0)
    leaves = list(leaves_of(data))
    moves = len(data["children"])
    likely, chances = [0.0] * 3, [0.0] * moves
    for outcomes in product(range(3), repeat=len(leaves)):
        chosen = {path: y for (path, _), y in zip(leaves, outcomes, strict=True)}
        p = 1.0
        for (_, ps), y in zip(leaves, outcomes, strict=True):
            p *= ps[y]
        below = [outcome_of(child, chosen, (place,)) for place, child in enumerate(data["children"])]
        top = max(below) if data["to_move"] == "max" else min(below)
        likely[top] += p
        for place, y in enumerate(below):
            chances[place] += p * (y == top)
    tree = cn.Tree.from_dict(data, "relevance")
    assert tree.root.distribution is not None
    assert list(tree.root.distribution.values()) == pytest.approx(likely, abs=1e-12)
    assert [p for _, p in tree.probabilities or []] == pytest.approx(chances, abs=1e-12)


def relevance_by_enumeration(data: dict[str, Any], measure: str) -> dict[tuple[int, ...], float]:
    """Return by how much E[max], or E[max] - max E, changes on the mean when a leaf is told, for each."""

    def measured(known: dict[tuple[int, ...], int]) -> float:
        family = []
        for place, child in enumerate(data["children"]):
            family.append(backed_up(child, known, (place,)))
        is_max = data["to_move"] == "max"
        means = [sum(s) / 2 if is_max else 1 - sum(s) / 2 for s in family]
        joined = join(family, is_max, 0.0)
        expected = sum(joined) / 2 if is_max else 1 - sum(joined) / 2
        return expected - (max(means) if measure == "qss" else 0.0)

    def backed_up(
        node: dict[str, Any], known: dict[tuple[int, ...], int], path: tuple[int, ...]
    ) -> list[float]:
        if "children" in node:
            below = [backed_up(child, known, (*path, place)) for place, child in enumerate(node["children"])]
            return join(below, node["to_move"] == "max", 0.0)
        if path in known:
            return [float(known[path] >= k) for k in (1, 2)]
        return [node["p"][1] + node["p"][2], node["p"][2]]

    before = measured({})
    return {
        path: sum(p * abs(measured({path: y}) - before) for y, p in enumerate(ps))
        for path, ps in leaves_of(data)
    }


@pytest.mark.parametrize("measure", ["step", "qss"])
@pytest.mark.parametrize("seed", range(20))
def test_relevance_is_the_mean_change_when_a_leaf_is_told(seed: int, measure: str) -> None:
    random = Random(1000 + seed)
    data = random_data(random, 3, is_max=seed % 2 == 0)
    while "children" not in data:
        data = random_data(random, 3, is_max=seed % 2 == 0)
    tree = cn.Tree.from_dict(data, "relevance", measure=measure)
    for path, wanted in relevance_by_enumeration(data, measure).items():
        assert tree.node(list(path)).numbers["relevance"] == pytest.approx(wanted, abs=1e-12)


def position(random: Random, plies: int) -> cn.Position:
    """Return a Connect-Four position after so many random moves, of games that go on."""
    place = FOUR.start()
    for _ in range(plies):
        following = place.play(random.choice(place.moves()))
        place = place if following.outcome is not None else following
    return place


def four_table() -> Table:
    model = cn.ErrorModel.of(FOUR)
    assert model is not None
    return model.tables["static"]


@pytest.mark.parametrize("choice", ["probability", "value"])
@pytest.mark.parametrize("gulp", [0.0, 0.02, 0.3])
@pytest.mark.parametrize("measure", ["step", "qss"])
@pytest.mark.parametrize("seed", range(5))
def test_lockstep_of_native_and_page(seed: int, measure: str, gulp: float, choice: str) -> None:
    place = position(Random(seed), 4 + 5 * seed)
    settings: dict[str, Any] = {"measure": measure, "gulp": gulp, "rho": 0.5, "root_rho": 0.4}
    settings["choice"] = choice
    native = cn.search(place, "relevance", expansions=60, trace=True, **settings)
    page = cn.rules.Relevance(four_table(), place.phase, **settings)
    python = cn.search(place, page, expansions=60, trace=True)
    assert (native.trace, native.status, native.move) == (python.trace, python.status, python.move)
    for path in native.trace:
        node = native.tree.node(path)
        assert node.numbers["distribution"] == page.s[node.id]
    native.tree.check()


def test_lockstep_with_some_of_many_thresholds() -> None:
    """A model of 65 outcomes: relevance keeps eight thresholds, and states its probabilities by all."""
    place = cn.games.Othello().start()
    for _ in range(30):
        place = place.play(place.moves()[0])
    model = cn.ErrorModel.of(place.game)
    assert model is not None
    table = model.tables["static"]
    assert (len(table.outcomes), len(table.coarse.outcomes)) == (65, 9)
    settings: dict[str, Any] = {"rho": 0.5, "root_rho": 0.4}
    native = cn.search(place, "relevance", expansions=40, trace=True, **settings)
    page = cn.rules.Relevance(table, place.phase, **settings)
    python = cn.search(place, page, expansions=40, trace=True)
    assert (native.trace, native.move) == (python.trace, python.move)
    assert len(native.tree.root.numbers["distribution"]) == 8
    assert native.tree.root.distribution is not None
    assert len(native.tree.root.distribution) == 65
    native.tree.check()


def test_the_choice_by_value_is_the_move_with_the_best_value() -> None:
    different = 0
    for seed in range(20):
        place = position(Random(seed), 8)
        likely, best = (
            cn.search(place, "relevance", expansions=40, choice=choice) for choice in ("probability", "value")
        )
        sign = 1 if place.to_move == "max" else -1
        values = {child.move: sign * child.value for child in best.tree.root.children}
        assert values[best.move] == max(values.values())
        assert likely.nodes == best.nodes
        different += likely.move != best.move
    assert different > 0
    with pytest.raises(cn.ArgumentError, match="choice"):
        cn.search(place, "relevance", expansions=1, choice="visits")
    with pytest.raises(cn.ArgumentError, match="choice"):
        cn.rules.Relevance(choice="visits")


def test_leaves_that_are_valued_a_move_further(tmp_path: Path) -> None:
    place = FOUR.position("445326")
    result = cn.search(place, "relevance", leaves="aligned", expansions=100)
    assert result.confidence is not None
    result.tree.check()
    again = cn.load(result.save(tmp_path / "aligned.tree")).resume(expansions=50)
    whole = cn.search(place, "relevance", leaves="aligned", expansions=150)
    assert (again.move, again.value) == (whole.move, whole.value)


@pytest.mark.parametrize("expansions", [20, 75, 150])
def test_the_next_leaf_is_the_most_relevant_of_all(expansions: int) -> None:
    """The native rule passes over subtrees; the leaf is that of a look at every one."""
    place = FOUR.position("445326")
    tree = cn.search(place, "relevance", expansions=expansions, gulp=0.0).tree
    leaves = [node for node in _nodes(tree.root) if node.is_open]
    assert len(leaves) > 50
    most = min(leaves, key=lambda leaf: (-leaf.numbers["relevance"], leaf.id))
    following = cn.search(place, "relevance", expansions=expansions + 1, gulp=0.0, trace=True)
    assert following.trace[-1] == most.path


def _nodes(root: cn.Node) -> Iterator[cn.Node]:
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(node.children)


def test_random_trees_are_decided_with_few_expansions() -> None:
    for seed in range(1, 21):
        start = cn.games.RandomTree(branching=8, depth=6, seed=seed).start()
        truth = {move: cn.search(start.play(move), "alpha-beta", depth=6).value for move in start.moves()}
        result = cn.search(start, "relevance", expansions=100)
        assert truth[result.move] == max(truth.values())


def test_without_a_model_it_says_how_to_get_one() -> None:
    with pytest.raises(cn.ArgumentError, match="conspirator calibrate"):
        cn.search(cn.games.Amazons(size=6).start(), "relevance", expansions=10)


@pytest.mark.parametrize("bad", [{"gulp": -0.1}, {"gulp": 1.5}, {"rho": 2.0}, {"measure": "other"}])
def test_bad_parameters(bad: dict[str, Any]) -> None:
    with pytest.raises(cn.ArgumentError):
        cn.search(FOUR.start(), "relevance", expansions=10, **bad)


def test_saved_in_the_middle_of_a_gulp(tmp_path: Path) -> None:
    place = FOUR.position("4453")
    straight = cn.search(place, "relevance", expansions=400, trace=True)
    for cut in (1, 77, 155, 301):
        half = cn.search(place, "relevance", expansions=cut, trace=True)
        again = cn.load(half.save(tmp_path / "half.tree"))
        assert again.resume(expansions=400 - cut).trace == straight.trace
        assert half.resume(expansions=400 - cut).trace == straight.trace


def test_the_probability_of_a_best_move_of_one_or_two() -> None:
    assert best([[0.3, 0.1]], is_max=True, rho=0.7) == pytest.approx([1.0])
    alike = best([[0.5], [0.5]], is_max=False, rho=1.0)
    assert alike == pytest.approx([1.0, 1.0])
