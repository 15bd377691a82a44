"""Min/max approximation: printed numbers, golden traces, derivatives, a user's own penalties, mistakes.

Beside this file: test_penalty_lockstep (the native rule against its page of Python).
"""

from __future__ import annotations

from collections.abc import Callable
from math import exp, floor, inf, isinf, log
from random import Random
from typing import Any

import pytest

import conspirator as cn
from conspirator.rules.penalties import Scale, derivative_weights, floyd_weights, generalized_mean
from helpers import all_nodes, golden, is_one_line, random_tree, with_scores

NAME = "minmax-approximation"
LANGUAGES = ["python", *(["native"] if NAME in cn.searches() else [])]
PUBLISHED = golden("penalty_lcf/published")
FOUR = golden("penalty_lcf/connect_four")
Data = dict[str, Any]


def rule(language: str, **parameters: Any) -> dict[str, Any]:
    """Return a search's rule and parameters; the page of Python is the published variant."""
    if language == "native":
        return {"rule": NAME, "parameters": {"variant": "published"} | parameters}
    parameters.pop("variant", None)
    return {"rule": cn.rules.MinmaxApproximation(**parameters), "parameters": {}}


def search(start: cn.Position, language: str, expansions: int, **parameters: Any) -> cn.Result:
    made = rule(language, **parameters)
    return cn.search(start, made["rule"], expansions=expansions, trace=True, **made["parameters"])


def tree(data: Data, language: str, **parameters: Any) -> cn.Tree:
    made = rule(language, **parameters)
    return cn.Tree.from_dict(data, made["rule"], **made["parameters"])


def places(name: str) -> list[int]:
    """Return the path that a golden file writes as '0.2.1'."""
    return [int(place) for place in name.split(".")] if name else []


def same_numbers(ours: Data, expected: Data) -> None:
    """Compare with the numbers of a golden file, which are rounded to twelve digits."""
    assert ours["arrow"] == expected["arrow"]
    for key in ("value", "w", "pi"):
        assert ours[key] == pytest.approx(float(expected[key]), rel=1e-9, abs=1e-9), key


# Section 2


def test_table_1() -> None:
    table = PUBLISHED["rivest_table1"]
    xs = [log(a) for a in table["vector"]]
    for p, printed, exact in zip(table["p"], table["printed"], table["exact"], strict=True):
        mean = exp(generalized_mean(xs, p)) if p else exp(sum(xs) / len(xs))
        assert mean == pytest.approx(exact, rel=1e-10)
        assert round(mean, 1) == printed


def test_the_gradient_of_section_2() -> None:
    table = PUBLISHED["rivest_gradient_p32"]
    xs = [log(a) for a in PUBLISHED["rivest_table1"]["vector"]]
    gradient = [exp(-w) for w in derivative_weights(xs, generalized_mean(xs, 32), 32)]
    assert gradient == pytest.approx(table["exact"], rel=1e-10)
    assert gradient[:3] == pytest.approx(table["printed"][:3], rel=0.1)  # the last one is printed as 0.90


# Figures 2 to 6

FIGURE_4: Data = {
    "value": 5,
    "children": [{"value": 2}, {"value": 5, "children": [{"value": 10}, {"value": 12}]}],
}
FIGURE_6: Data = {
    "value": 5,
    "children": [
        {"value": 2},
        {"value": 5, "children": [{"value": 10, "children": [{"value": 11}, {"value": 11}]}, {"value": 12}]},
    ],
}


def penalty(tree: cn.Tree, path: list[int]) -> float:
    """Return P(c): the sum of the weights from the root to a node (Section 3.4)."""
    return float(sum(tree.node(path[:end]).numbers["w"] for end in range(1, len(path) + 1)))


@pytest.mark.parametrize("language", LANGUAGES)
def test_figures_4_and_5(language: str) -> None:
    grown = tree(FIGURE_4, language, means="exact", p=10)
    leaves: dict[str, list[int]] = {"t": [0], "w": [1, 0], "x": [1, 1]}
    penalties = {name: penalty(grown, path) for name, path in leaves.items()}
    assert min(penalties, key=lambda name: penalties[name]) == "w"
    assert [grown.node(path).numbers["arrow"] for path in ([], [1], [1, 0])] == [1, 0, "self"]
    assert grown.root.numbers["pi"] == pytest.approx(penalties["w"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_figure_6(language: str) -> None:
    grown = tree(FIGURE_6, language, means="exact", p=10)
    figures = PUBLISHED["rivest_fig6"]
    for name, path, value in (("P(x)", [1, 1], 1.341998), ("P(y)", [1, 0, 0], 1.078020)):
        ours = penalty(grown, path)
        assert ours == pytest.approx(value, abs=5e-7)  # by equations 1, 6 and 12, with powers
        assert ours == pytest.approx(figures["exact_with_y_z_11_11"][name], abs=5e-5)
        assert floor(100 * ours) == round(100 * figures["printed"][name])  # the paper truncates
    assert grown.root.numbers["pi"] == pytest.approx(penalty(grown, [1, 0, 0]))


# Golden games

RUNS = [
    pytest.param(case, run, id=f"{case['id']}-{run['parameters']['means']}")
    for case in golden("penalty_lcf/traces")["cases"]
    for run in case["runs"]
    if run["search"] == NAME
]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("case", "run"), RUNS)
def test_golden_games(case: Data, run: Data, language: str) -> None:
    start = cn.games.ExplicitTree(case["game"] | {"to_move": case["to_move"]}).start()
    count = run["compare_first"]
    result = search(start, language, 50, **run["parameters"])
    assert result.trace[:count] == run["trace"][:count]
    assert sorted(result.trace) == sorted(run["trace"]) or len(run["trace"]) == 50
    result.tree.check()
    after = run["nodes_after"]
    if after["expansions"] <= count or len(run["trace"]) == after["expansions"]:
        grown = search(start, language, after["expansions"], **run["parameters"]).tree
        assert len(grown) == len(after["nodes"])
        for name, numbers in after["nodes"].items():
            same_numbers(grown.node(places(name)).numbers, numbers)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "case", FOUR["mm_constant_005_expansions"], ids=lambda case: case["moves"] or "start"
)
def test_golden_connect_four(case: Data, language: str) -> None:
    columns = "".join(str(int(column) + 1) for column in case["moves"])
    start = cn.games.ConnectFour().position(columns)
    result = search(start, language, len(case["expansions_as_columns"]), means="constant", step=0.05)
    lines = ["".join(str(int(move) - 1) for move in result.tree.node(path).line) for path in result.trace]
    assert lines == case["expansions_as_columns"]
    values = {str(int(child.move) - 1): child.value for child in result.tree.root.children}
    assert values == case["root_children"]
    assert result.tree.root.numbers["pi"] == pytest.approx(case["root_pi"], abs=1e-11)


# What always holds


def positive_tree(random: Random, depth: int) -> Data:
    """Return a tree of positive real values as data; some games end early."""
    node: Data = {"value": random.uniform(1, 1000)}
    if depth and random.random() < 0.9:
        node["children"] = [positive_tree(random, depth - 1) for _ in range(random.randint(1, 4))]
    return node


def random_start(seed: int) -> tuple[Data, cn.Position]:
    random = Random(seed)
    data = positive_tree(random, 5)
    while "children" not in data:
        data = positive_tree(random, 5)
    if seed % 2:
        data["to_move"] = "min"
    return data, cn.games.ExplicitTree(data).start()


def mean_of_tree(node: cn.Node, p: float, changed: int, by: float) -> float:
    """Return the approximated value of a node by equations 1 and 10, with one leaf's value changed."""
    if not node.children:
        return node.value + (by if node.id == changed else 0)
    q = p if node.is_max else -p
    values = [mean_of_tree(child, p, changed, by) for child in node.children]
    return float((sum(value**q for value in values) / len(values)) ** (1 / q))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("p", [1.0, 2.0, 4.5])
def test_penalties_are_logarithms_of_derivatives(language: str, p: float) -> None:
    """Equation 14: exp(-P(x)) is D(s, x), here by a difference quotient."""
    for seed in range(12):
        _, start = random_start(seed)
        grown = search(start, language, 6, means="exact", p=p).tree
        for leaf in (node for node in all_nodes(grown) if not node.children):
            by = 1e-5 * leaf.value
            up, down = (mean_of_tree(grown.root, p, leaf.id, sign * by) for sign in (1, -1))
            derivative = (up - down) / (2 * by)
            if derivative > 1e-6:
                assert exp(-penalty(grown, leaf.path)) == pytest.approx(derivative, rel=1e-4)
        value = mean_of_tree(grown.root, p, -1, 0)
        assert grown.root.numbers["value"] == pytest.approx(value, rel=1e-9)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("means", ["exact", "reverse", "constant", "floyd"])
def test_the_leaf_of_least_penalty_is_expanded(language: str, means: str) -> None:
    for seed in range(12):
        data, _ = random_start(seed)
        start = cn.games.ExplicitTree(with_scores(data, Random(seed))).start()
        whole = search(start, language, 25, means=means).trace
        for count in range(1, len(whole)):
            grown = search(start, language, count, means=means).tree
            penalties = {
                tuple(node.path): penalty(grown, node.path) for node in all_nodes(grown) if node.is_open
            }
            assert penalties[tuple(whole[count])] == pytest.approx(min(penalties.values()), abs=1e-9)
            assert grown.root.numbers["pi"] == pytest.approx(min(penalties.values()), abs=1e-9)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("means", ["exact", "reverse", "constant", "floyd"])
def test_a_finite_tree_is_searched_to_its_end(language: str, means: str) -> None:
    for seed in range(12):
        _, start = random_start(seed)
        result = search(start, language, 10**6, means=means)
        assert result.status == "proven"
        inner = [node for node in all_nodes(result.tree) if node.children]
        assert result.expansions == len(inner)
        assert all(isinf(node.numbers["pi"]) and node.numbers["arrow"] is None for node in inner)


@pytest.mark.parametrize("language", LANGUAGES)
def test_constant_values_are_searched_breadth_first(language: str) -> None:
    """Section 6: if the static evaluator is constant except at terminal positions."""
    start = cn.games.UniformTree(width=3, value=5).start()
    for means in ("exact", "reverse", "constant"):
        assert search(start, language, 13, means=means).tree.depth_histogram() == [1, 3, 9, 27]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_large_p_goes_deep(language: str) -> None:
    """Section 4: deep and narrow for large p, broad for small p."""
    start = cn.games.ConnectFour().position("4453")
    depths = [search(start, language, 300, means="reverse", p=p).depth for p in (1.0, 10.0, 200.0)]
    assert depths == sorted(depths)
    assert depths[0] < depths[2]


class Steps(cn.Game):
    """Every move adds something; values lie between -20 and 20, so the least is taken to 1."""

    value_range = (-20, 20)

    def start(self) -> Any:
        return ()

    def moves(self, state: tuple[int, ...]) -> list[int]:
        return [-3, 1, 4]

    def play(self, state: tuple[int, ...], move: int) -> tuple[int, ...]:
        return (*state, move)

    def evaluate(self, state: tuple[int, ...]) -> float:
        return sum(place * move for place, move in enumerate(state, 1)) % 41 - 20

    def outcome(self, state: tuple[int, ...]) -> float | None:
        return self.evaluate(state) if len(state) == 6 else None


@pytest.mark.parametrize("language", LANGUAGES)
def test_shift_and_scale_follow_the_game(language: str) -> None:
    start = Steps().start()
    for means in ("exact", "reverse", "constant"):
        free = search(start, language, 60, means=means).trace
        assert free == search(start, language, 60, means=means, shift=21.0).trace
        assert free != search(start, language, 60, means=means, shift=20.001).trace


def test_scales_go_back_and_forth() -> None:
    for scale in (
        Scale.of("log", None, (1, 1023)),
        Scale.of("log", 7, (0, 9)),
        Scale.of("logit", None, (0, 9)),
    ):
        for v in (1.0, 2.5, 9.0):
            assert scale.value(scale.x(v)) == pytest.approx(v)
    logit = Scale.of("logit", None, (1, 1023))
    assert logit.x(512) == pytest.approx(0)
    assert logit.x(1023) == pytest.approx(-logit.x(1))
    assert Scale.of("logit", None, (-inf, inf)).x(7) == 7  # until the root's moves are known
    assert Scale.linear([3, 5, inf]).x(24) == 1
    assert Scale.linear([3, 5]).value(1) == 24


@pytest.mark.parametrize("language", LANGUAGES)
def test_wins_and_losses_may_be_infinite(language: str) -> None:
    for seed in range(60):
        start = cn.games.ExplicitTree(random_tree(Random(seed), 4)).start()
        for means in ("exact", "reverse", "constant", "floyd"):
            result = search(start, language, 400, means=means, shift=4.0)
            assert result.expansions
            result.tree.check()


# The parameters of Sections 4 and 6


def open_leaf(value: float) -> Data:
    """Return a position as data that a search can leave unexpanded: the game goes on after it."""
    return {"value": value, "children": [{"value": value}]}


BACKUP: Data = {
    "value": 40,
    "children": [
        {"value": 40, "children": [{"value": 40, "children": [open_leaf(40), open_leaf(30)]}]},
        {"value": 40, "children": [{"value": 40, "children": [open_leaf(40), open_leaf(35)]}]},
    ],
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_approximation_pays_attention_to_backup_moves(language: str) -> None:
    """Section 4: M_10(35, 40) > M_10(30, 40), although the maxima are the same."""
    start = cn.games.ExplicitTree(BACKUP).start()
    assert search(start, language, 5, means="exact").move == "0"
    assert search(start, language, 5, means="exact", choice="approximate").move == "1"
    assert search(start, language, 5, means="reverse", choice="approximate").move == "0"


@pytest.mark.parametrize("language", LANGUAGES)
def test_redescending_stays_below_the_leaf(language: str) -> None:
    """Section 6: until the number of leaves in E_x exceeds the depth of x."""
    for seed in range(8):
        start = cn.games.RandomTree(branching=2, depth=0, seed=seed).start()
        trace = search(start, language, 120, redescend=True, shift=1000.0).trace
        assert trace != search(start, language, 120, shift=1000.0).trace
        place = 0
        while place < len(trace):
            x = trace[place]
            below = max(1, len(x))  # with two children, every expansion adds one leaf
            stay = trace[place : place + below]
            assert all(path[: len(x)] == x for path in stay)
            place += below


# Floyd's proposal


@pytest.mark.parametrize("language", LANGUAGES)
def test_floyd_expands_the_leaf_most_likely_to_be_reached(language: str) -> None:
    data: Data = {
        "value": 0,
        "children": [
            {"score": 6, "value": 0, "children": [{"score": 1, "value": 0}, {"score": 1, "value": 0}]},
            {"score": 4, "value": 0},
        ],
    }
    grown = tree(data, language, means="floyd")
    likely = {path: exp(-penalty(grown, list(path))) for path in ((0,), (1,), (0, 0), (0, 1))}
    assert likely == pytest.approx({(0,): 0.6, (1,): 0.4, (0, 0): 0.3, (0, 1): 0.3}, abs=1e-3)
    assert grown.root.numbers["arrow"] == 1


def test_floyds_probabilities_sum_to_one() -> None:
    random = Random(1)
    for _ in range(50):
        errors = [random.uniform(0, 20) for _ in range(random.randint(1, 9))]
        assert sum(exp(-w) for w in floyd_weights(errors)) == pytest.approx(1)


# Penalties of a user's own


def constant(node: cn.Node, children: tuple[cn.Node, ...]) -> list[float]:
    best = (max if node.is_max else min)(child.value for child in children)
    return [0.05 + abs(log(best) - log(child.value)) for child in children]


def test_a_penalty_of_ones_own() -> None:
    start = cn.games.ConnectFour().position("4453")
    mine = cn.search(start, cn.rules.MinmaxApproximation(penalty=constant), expansions=200, trace=True)
    assert mine.trace == search(start, "python", 200).trace
    level = cn.rules.MinmaxApproximation(penalty=lambda node, children: [1] * len(children))
    assert cn.search(start, level, expansions=57).tree.depth_histogram() == [1, 7, 49, 343]
    likely = cn.rules.MinmaxApproximation(
        penalty=lambda node, children: floyd_weights([d.error for d in children])
    )
    floyd = cn.rules.MinmaxApproximation(means="floyd")
    traces = [cn.search(start, one, expansions=100, trace=True).trace for one in (likely, floyd)]
    assert traces[0] == traces[1]


@pytest.mark.parametrize(
    "penalty",
    [
        lambda node, children: [1],
        lambda node, children: None,
        lambda node, children: ["far"] * len(children),
        lambda node, children: [float("nan")] * len(children),
    ],
)
def test_a_penalty_must_give_a_number_for_each_child(penalty: Callable[..., Any]) -> None:
    start = cn.games.ConnectFour().start()
    with pytest.raises(cn.GameError, match="penalty must return a number for each of 7 children") as caught:
        cn.search(start, cn.rules.MinmaxApproximation(penalty=penalty), expansions=5)
    assert is_one_line(caught.value)


# Mistakes


@pytest.mark.parametrize("language", LANGUAGES)
def test_values_must_be_positive(language: str) -> None:
    start = cn.games.ExplicitTree({"value": 1, "children": [{"value": -3}, {"value": 2}]}).start()
    with pytest.raises(cn.ArgumentError, match=r"must be positive.*shift") as caught:
        search(start, language, 5)
    assert is_one_line(caught.value)
    assert search(start, language, 5, shift=3.5).move == "1"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "parameters",
    [{"means": "mean"}, {"choice": "best"}, {"scale": "ln"}, {"p": 0.5}, {"p": inf}, {"step": -1.0}],
)
def test_bad_parameters(language: str, parameters: Data) -> None:
    with pytest.raises(cn.ArgumentError) as caught:
        search(cn.games.ConnectFour().start(), language, 5, **parameters)
    assert is_one_line(caught.value)
