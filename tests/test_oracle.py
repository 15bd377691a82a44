"""Whatever a search proves is so: the move, the value, and every move of the line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import pytest

import conspirator as cn
from conspirator import rules
from oracle import SOURCES, Exact, Way, cases, mistake, tic_tac_toe, ways

WAYS = ways()
EVERY = pytest.mark.parametrize("way", WAYS, ids=[way.name for way in WAYS])
BUDGETS = (6, 30, 1000)
"""Expansions: hardly anything is proven, some of it, nearly all."""
BOARDS, BOARD_VALUES = tic_tac_toe(), Exact()


def refuses(way: Way, source: str) -> bool:
    """Tell whether a search refuses such games: they have keys, and so positions might come back."""
    return way.rule == "end-game" and source in ("graphs", "tic-tac-toe")


def judge(way: Way, positions: Iterable[tuple[cn.Position, Exact]], expansions: int) -> Counter[str]:
    """Count what was proven; a wrong proof fails with the position that shows it."""
    seen: Counter[str] = Counter()
    for position, exact in positions:
        wrong = mistake(position, way, exact, expansions=expansions)
        assert not wrong, f"{way.name} with {expansions} expansions at {position!r}: {wrong}"
        seen["open" if wrong is None else "proven"] += 1
    return seen


@EVERY
@pytest.mark.parametrize("source", SOURCES)
def test_what_is_proven_is_so(way: Way, source: str) -> None:
    if refuses(way, source):
        pytest.skip("refused")
    for seed, expansions in enumerate(BUDGETS):
        seen = judge(way, cases(source, seed, 60), expansions)
    assert seen["proven"] or {"threshold", "complete"} & way.parameters.keys()


@EVERY
def test_tic_tac_toe(way: Way) -> None:
    if refuses(way, "tic-tac-toe"):
        pytest.skip("refused")
    some = BOARDS[WAYS.index(way) % 90 :: 90]  # others for every search
    for expansions in BUDGETS:
        judge(way, ((board, BOARD_VALUES) for board in some), expansions)


@pytest.mark.verify
@EVERY
@pytest.mark.parametrize("source", [*SOURCES, "tic-tac-toe"])
def test_millions(way: Way, source: str) -> None:
    if refuses(way, source):
        pytest.skip("refused")
    part = 1 if isinstance(way.rule, str) else 10  # pages of Python take fifty times as long
    if source == "tic-tac-toe":
        for expansions in BUDGETS:
            judge(way, ((board, BOARD_VALUES) for board in BOARDS[::part]), expansions)
        return
    for seed, expansions in enumerate(BUDGETS * 2, 1000):
        judge(way, cases(source, seed, 1000 // part), expansions)


def test_every_search_is_here() -> None:
    assert {way.rule for way in WAYS} == {*cn.searches(), *(getattr(rules, name) for name in rules.__all__)}


@pytest.mark.parametrize("rule", ["uct", "puct", rules.Uct, rules.Puct])
def test_a_proven_win_is_not_given_away(rule: str | type[cn.GrowthRule]) -> None:
    position = cn.games.ConnectFour().position("6325772336375326664517155542236277")
    result = cn.search(position, rule, expansions=100)
    assert (result.status, result.value, result.move, result.line) == ("proven", 1023, "4", ["4"])


@pytest.mark.parametrize(
    "rule", ["conspiracy", "improved-conspiracy", rules.Conspiracy, rules.ImprovedConspiracy]
)
def test_a_move_that_can_turn_out_worse_is_not_proven(rule: str | type[cn.GrowthRule]) -> None:
    tempting = {"value": 0, "children": [{"value": 0, "children": [{"value": -1}]}, {"value": 0}]}
    game = cn.games.ExplicitTree({"value": 0, "children": [tempting, {"value": 0}]})
    result = cn.search(game.start(), rule, expansions=100)
    assert (result.status, result.value, result.move, result.line) == ("proven", 0, "1", ["1"])


def test_a_rule_of_the_users_cannot_claim_a_proof() -> None:
    class Boaster(cn.GrowthRule):
        def choose(self, tree: cn.Tree) -> cn.Node | str:
            return "proven" if tree.root.children else tree.root

    with pytest.raises(cn.GameError, match="can still change"):
        cn.search(cn.games.ConnectFour().start(), Boaster(), expansions=10)
