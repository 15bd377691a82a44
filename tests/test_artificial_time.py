"""Budgets in artificial time (Utgoff and Cochran, Section 5.1): what is charged, where a search stops."""

from __future__ import annotations

from typing import Any

import pytest

import conspirator as cn
from helpers import is_one_line

PLENTY = 10**12
Parameters = dict[str, Any]
SEARCHES: list[tuple[Any, Parameters]] = [
    ("best-first", {}),
    ("conspiracy", {}),
    ("minmax-approximation", {"variant": "published", "shift": 1e7}),
    (cn.rules.BestFirst, {}),
]


def random_tree(seed: int = 1, branching: int = 4) -> cn.Position:
    return cn.games.RandomTree(branching=branching, depth=64, seed=seed, kind="utgoff").start()


def charges(trace: list[list[int]], branching: int, traversal: int = 1, generation: int = 100) -> list[int]:
    """Return the time after each expansion: the children looked at on the way down and up, and those new."""
    total, totals = 0, []
    for path in trace:
        down, up = branching * len(path), branching * (len(path) + 1)
        total += traversal * (down + up) + generation * branching
        totals.append(total)
    return totals


@pytest.mark.parametrize(("search", "parameters"), SEARCHES)
@pytest.mark.parametrize(("traversal", "generation"), [(1, 100), (3, 7), (0, 1), (1, 0)])
def test_every_look_is_charged(search: Any, parameters: Parameters, traversal: int, generation: int) -> None:
    costs: Parameters = {"traversal_cost": traversal, "generation_cost": generation}
    start = random_tree()
    for expansions in (1, 2, 10, 60):
        result = cn.search(
            start, search, artificial_time=PLENTY, expansions=expansions, trace=True, **costs, **parameters
        )
        assert result.artificial_time == charges(result.trace, 4, traversal, generation)[-1]


class Counting(cn.rules.LeastCertainty):
    """Counts the nodes that updates of all swings look at, after each expansion."""

    def initialise(self, tree: cn.Tree, leaves: list[cn.Node]) -> None:
        if leaves[0].parent is None:
            self.looked = [0]
        super().initialise(tree, leaves)

    def update(self, tree: cn.Tree, node: cn.Node) -> bool:
        before = self.goals
        changed = super().update(tree, node)
        if node.parent is None:
            self.looked.append(self.looked[-1] + (len(tree) - 1 if self.goals != before else 0))
        return changed


@pytest.mark.parametrize("seed", range(5))
def test_updates_of_all_swings_are_charged(seed: int) -> None:
    """The goals are looked at before an expansion, so the last one's are not yet paid for."""
    start = random_tree(seed)
    for expansions in (1, 2, 5, 30, 80):
        rule = Counting(ties="leftmost")
        cn.search(start, rule, expansions=expansions)
        looked = [0] * (expansions + 2 - len(rule.looked)) + rule.looked
        result = cn.search(
            start,
            "least-certainty",
            variant="published",
            ties="leftmost",
            artificial_time=PLENTY,
            expansions=expansions,
            trace=True,
        )
        plain = charges(result.trace, 4)[-1]
        assert plain + looked[-2] <= result.artificial_time <= plain + looked[-1]


@pytest.mark.parametrize(("search", "parameters"), SEARCHES)
def test_an_expansion_begins_while_time_is_left(search: Any, parameters: Parameters) -> None:
    start = random_tree()
    trace = cn.search(start, search, expansions=40, trace=True, **parameters).trace
    totals = charges(trace, 4)
    for limit in (1, totals[0], totals[0] + 1, totals[9] - 1, totals[9], totals[9] + 1):
        result = cn.search(start, search, artificial_time=limit, **parameters)
        assert (result.status, result.limit) == ("budget", "artificial_time")
        assert result.expansions == 1 + sum(total < limit for total in totals)
        assert result.artificial_time == totals[result.expansions - 1] >= limit


def test_alpha_beta_is_charged_too() -> None:
    start = cn.games.UniformTree(width=3).start()
    one, two = (
        cn.search(start, "alpha-beta", depth=d, first_depth=d, artificial_time=PLENTY) for d in (1, 2)
    )
    assert one.artificial_time == 3 + 300
    assert two.artificial_time == two.move_calls + 100 * (two.nodes - 1)
    stopped = cn.search(random_tree(), "alpha-beta", artificial_time=20_000)
    assert (stopped.status, stopped.limit) == ("budget", "artificial_time")


def test_it_goes_on_with_more_time() -> None:
    first = cn.search(random_tree(), "best-first", artificial_time=5_000)
    more = first.resume(artificial_time=5_000)
    assert more.expansions > first.expansions
    assert more.artificial_time >= first.artificial_time + 5_000


def test_without_such_a_budget_nothing_is_counted() -> None:
    assert cn.search(random_tree(), "best-first", expansions=10).artificial_time == 0


@pytest.mark.parametrize(
    "budget",
    [
        {"artificial_time": 0},
        {"artificial_time": "much"},
        {"artificial_time": 10, "traversal_cost": -1},
        {"artificial_time": 10, "generation_cost": 0.5},
    ],
)
def test_mistakes(budget: Parameters) -> None:
    with pytest.raises(cn.ArgumentError) as caught:
        cn.search(random_tree(), "best-first", **budget)
    assert is_one_line(caught.value)
