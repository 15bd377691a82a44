"""Evaluators of yours: on every kind of game, asked about whole families."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

import conspirator as cn
from evaluators import (
    ALL_FORMS,
    ALL_GAMES,
    ALL_SEARCHES,
    FORMS,
    NATIVE,
    PYTHON,
    STARTS,
    Mine,
    Positions,
    facts,
    own,
    say,
    some_value,
    traced,
    values_and_scores,
    values_of,
)


@ALL_FORMS
@ALL_GAMES
@ALL_SEARCHES
def test_every_search_takes_it_on_every_game(name: str, game: str, form: str) -> None:
    start, evaluator = STARTS[game](), FORMS[form]
    if (reason := own(name, start)) is not None:
        with pytest.raises(cn.ArgumentError) as caught:
            cn.search(start, name, evaluator=evaluator, expansions=1)
        assert str(caught.value) == reason
        return
    most = 2 if name == "end-game" else 12  # it looks at many positions besides, to sort moves
    result = cn.search(start, name, evaluator=evaluator, expansions=most)
    assert result.move in start.moves()
    assert 1 <= result.expansions <= most
    low, high = start.value_range
    assert low <= result.value <= high
    if result.has_tree:
        result.tree.check()


@ALL_FORMS
@ALL_GAMES
def test_its_values_are_those_of_the_leaves(game: str, form: str) -> None:
    start = STARTS[game]()
    root = cn.search(start, "best-first", evaluator=FORMS[form], expansions=1).tree.root
    assert [child.move for child in root.children] == start.moves()
    for child in root.children:
        after = start.play(child.move)
        assert child.value == (some_value(after) if after.outcome is None else after.outcome)


@ALL_GAMES
def test_its_scores_lead_the_search(game: str) -> None:
    start = STARTS[game]()

    def last_first(positions: Positions) -> Any:
        def scores(count: int) -> list[float]:
            return [1.0] * (count - 1) + [1000.0]

        low, high = start.value_range
        middle = (low + high) / 2 if math.isfinite(high - low) else 0.0
        return [middle] * len(positions), [scores(len(p.moves())) for p in positions]

    moves = start.moves()
    for name in ("puct", "sibling-conspiracy"):
        result = cn.search(start, name, evaluator=last_first, expansions=3, trace=True)
        assert result.trace[:2] == [[], [len(moves) - 1]], name
    assert start.move_scores(last_first) == [1.0] * (len(moves) - 1) + [1000.0]


def copy_of_the_usual(start: cn.Position) -> Callable[[Positions], Any]:
    """Return a function that says what the game's usual evaluator says."""

    def values(positions: Positions) -> Any:
        return [position.evaluate() for position in positions]

    def both(positions: Positions) -> Any:
        return values(positions), [position.move_scores() for position in positions]

    return values if start.move_scores() is None else both


COPIED = {**NATIVE, "ConnectFour": PYTHON["ConnectFour"], "Again": PYTHON["Again"]}


@pytest.mark.parametrize("game", COPIED)
@ALL_SEARCHES
def test_a_copy_of_the_usual_evaluator_grows_the_same_tree(name: str, game: str) -> None:
    start = COPIED[game]()
    if own(name, start) is not None:
        pytest.skip("no such search of this game")
    settings: dict[str, Any] = {"nodes": 60 if name == "end-game" else 400, **traced(name)}
    usual = cn.search(start, name, **settings)
    assert facts(cn.search(start, name, evaluator=copy_of_the_usual(start), **settings)) == facts(usual)


@pytest.mark.parametrize("name", ["best-first", "puct", "alpha-beta", "end-game", "df-pn"])
def test_scores_are_for_games_with_any_range(name: str) -> None:
    """Values of Connect-Four begin at 1: nothing may take an unknown value for 0."""
    start = cn.games.ConnectFour().position("4453")
    result = cn.search(start, name, evaluator=values_and_scores, nodes=2000)
    assert result.move in start.moves()


def test_a_range_of_its_own_stands_for_the_games() -> None:
    class Thirds(Mine):
        value_range = (0, 3)

        def evaluate(self, positions: Positions) -> Any:
            return [position.moves().index("4") for position in positions]

    start = cn.games.ConnectFour().start()
    root = cn.search(start, "best-first", evaluator=Thirds(), expansions=1).tree.root
    assert {child.value for child in root.children} == {1023.0}
    assert start.evaluate(Thirds()) == 1023.0


def test_all_ways_to_give_numbers() -> None:
    numpy = pytest.importorskip("numpy")
    start = cn.games.Hex(size=4).start()

    def scores(position: cn.Position) -> list[float]:
        return [1.0 + place for place in range(len(position.moves()))]

    ways: list[Callable[[Positions], Any]] = [
        lambda ps: ([0.25] * len(ps), [scores(p) for p in ps]),
        lambda ps: (numpy.full(len(ps), 0.25), [numpy.array(scores(p)) for p in ps]),
        lambda ps: (numpy.full(len(ps), 0.25, dtype="float32"), tuple(tuple(scores(p)) for p in ps)),
    ]
    found = [facts(cn.search(start, "puct", evaluator=way, expansions=20, trace=True)) for way in ways]
    assert found[0] == found[1] == found[2]
    plain: list[Callable[[Positions], Any]] = [
        lambda ps: [0.25] * len(ps),
        lambda ps: (0.25 for _ in ps),
        lambda ps: tuple([0.25] * len(ps)),
        lambda ps: numpy.full(len(ps), 0.25),
    ]
    found = [facts(cn.search(start, "best-first", evaluator=way, expansions=9, trace=True)) for way in plain]
    assert found[0] == found[1] == found[2] == found[3]


def test_two_values_in_a_tuple_are_no_scores() -> None:
    start = cn.games.UniformTree(width=2).start()
    result = cn.search(start, "best-first", evaluator=lambda ps: tuple([2.5] * len(ps)), expansions=5)
    assert result.value == 2.5


PAGES: dict[str, tuple[Any, dict[str, Any], dict[str, Any]]] = {
    "best-first": (cn.rules.BestFirst, {}, {}),
    "conspiracy": (cn.rules.Conspiracy, {}, {}),
    "improved-conspiracy": (cn.rules.ImprovedConspiracy, {}, {}),
    "least-certainty": (cn.rules.LeastCertainty, {"ties": "leftmost"}, {"variant": "published"}),
    "minmax-approximation": (cn.rules.MinmaxApproximation, {}, {"variant": "published"}),
    "proof-number": (cn.rules.ProofNumber, {}, {}),
    "puct": (cn.rules.Puct, {}, {}),
    "sibling-conspiracy": (cn.rules.SiblingConspiracy, {}, {}),
    "uct": (cn.rules.Uct, {}, {"playouts": 0}),
}
"""A rule in Python, the parameters of both, and those of the native one."""


@pytest.mark.parametrize("given", [values_of, values_and_scores, "knowledge", "knowledge(width=4)"], ids=say)
@pytest.mark.parametrize("name", PAGES)
def test_rules_in_python_take_it_too(name: str, given: Any) -> None:
    page, both, native = PAGES[name]
    start = cn.games.Hex(size=6).position("a2")
    one = cn.search(start, name, evaluator=given, expansions=12, trace=True, **both, **native)
    two = cn.search(start, page(**both), evaluator=given, expansions=12, trace=True)
    assert one.trace == two.trace
    assert len(one.trace) == one.expansions


def siblings_in(positions: Positions) -> bool:
    """Tell whether these positions of a random tree have the same parent."""
    return len({position.notation().rpartition(".")[0] for position in positions}) == 1


@pytest.mark.parametrize("width", [2, 5])
@ALL_SEARCHES
def test_it_is_asked_about_the_children_of_one_node(name: str, width: int) -> None:
    batches: list[Positions] = []

    def ask(positions: Positions) -> list[float]:
        batches.append(positions)
        return values_of(positions)

    start = cn.games.RandomTree(branching=width, depth=9, seed=2).start()
    cn.search(start, name, evaluator=ask, expansions=30)
    assert all(batches), "nobody asks about nothing"
    assert all(isinstance(batch, list) and siblings_in(batch) for batch in batches)
    assert all(position.outcome is None for batch in batches for position in batch)
    longest = max(map(len, batches))
    # these value a position when they come to it, or none at all
    single = {"puct", "prior-penalty", "proof-number", "product-propagation", "df-pn", "uct", "pn-mcts"}
    assert longest == (1 if name in single else width)


@pytest.mark.parametrize("game", ["connect-four", "hex", "ConnectFour", "tic_tac_toe"])
@pytest.mark.parametrize("name", ["best-first", "conspiracy", "improved-conspiracy", "sibling-conspiracy"])
def test_one_call_for_an_expansion(name: str, game: str) -> None:
    batches: list[Positions] = []

    def ask(positions: Positions) -> list[float]:
        batches.append(positions)
        return values_of(positions)

    start = STARTS[game]()
    result = cn.search(start, name, evaluator=ask, expansions=25, trace=True)
    families = []
    for path in result.trace:
        position = start
        for place in path:
            position = position.play(position.moves()[place])
        after = [position.play(move) for move in position.moves()]
        families.append([child for child in after if child.outcome is None])
    before = len(batches) - len(families)
    assert batches[before:] == families
    assert all(batch == [start] for batch in batches[:before])
    assert before <= 2


def test_what_is_left_out_is_not_asked_about() -> None:
    asked: set[str] = set()

    class Centre(Mine):
        def evaluate(self, positions: Positions) -> Any:
            asked.update(position.notation() for position in positions)
            return values_of(positions)

        def candidates(self, position: cn.Position) -> Any:
            return [move for move in position.moves() if move in "345"] or None

    start = cn.games.ConnectFour().start()
    tree = cn.search(start, "best-first", evaluator=Centre(), expansions=40).tree
    assert [child.move for child in tree.root.children] == ["3", "4", "5"]
    assert len(asked) > 30
    assert all(
        row[column] == "." for board in asked for row in board.split()[0].split("/") for column in (0, 6)
    )
