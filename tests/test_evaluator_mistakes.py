"""Mistakes in evaluators of yours: each gets one clear error."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

import conspirator as cn
from evaluators import STARTS, Mine, Positions, Zeros, facts, search, zeros
from helpers import is_one_line
from oracle import TIC_TAC_TOE


def ply(position: cn.Position) -> int:
    """Return how many stones are on a board of Hex of size 4."""
    return 16 - len(position.moves())


HEX = cn.games.Hex(size=4).start()
VALUED = ["best-first", "conspiracy", "minmax-approximation", "puct", "alpha-beta", "end-game"]
BAD_VALUES: dict[str, tuple[Any, str]] = {
    "nan": (math.nan, "must be a finite number while the game goes on, not NaN"),
    "infinite": (math.inf, "must be a finite number while the game goes on, not inf"),
    "minus infinite": (-math.inf, "must be a finite number while the game goes on, not -inf"),
    "text": ("0.5", "must return a number, not '0.5'"),
    "none": (None, "must return a number, not None"),
    "list": ([0.5], r"must return a number, not \[0.5\]"),
    "complex": (1j, "must return a number, not 1j"),
    "outside": (1.5, "the value 1.5 is outside the game's range -1 to 1"),
}


@pytest.mark.parametrize("at", [0, 1, 2])
@pytest.mark.parametrize("bad", BAD_VALUES)
@pytest.mark.parametrize("name", VALUED)
def test_a_value_that_is_none(name: str, bad: str, at: int) -> None:
    value, words = BAD_VALUES[bad]

    def wrong(positions: Positions) -> list[Any]:
        return [value if ply(position) == at else 0.0 for position in positions]

    with pytest.raises(cn.GameError, match=words) as caught:
        search(HEX, name, evaluator=wrong, expansions=60)
    assert is_one_line(caught.value)


def ones(positions: Positions) -> list[list[Any]]:
    return [[1.0] * len(position.moves()) for position in positions]


ANSWERS: dict[str, tuple[Callable[[Positions], Any], str]] = {
    "too few": (lambda ps: zeros(ps)[1:], "evaluate returned 0 values for 1 positions"),
    "too many": (lambda ps: [*zeros(ps), 0.0], "evaluate returned 2 values for 1 positions"),
    "one number": (lambda ps: 0.0, "evaluate must return a list of values, not 0.0"),
    "nothing": (lambda ps: None, "evaluate must return a list of values, not None"),
    "text": (lambda ps: "0" * len(ps), "evaluate must return a number, not '0'"),
    "too few scores": (lambda ps: (zeros(ps), [[1.0] for _ in ps]), "returned 1 scores for 16 moves"),
    "too many scores": (lambda ps: (zeros(ps), [[*s, 1.0] for s in ones(ps)]), "17 scores for 16 moves"),
    "no scores": (lambda ps: (zeros(ps), [[] for _ in ps]), "returned 0 scores for 16 moves"),
    "too few lists": (lambda ps: (zeros(ps), []), "returned 0 lists of scores for 1 positions"),
    "scores of nan": (lambda ps: (zeros(ps), [[math.nan] * len(s) for s in ones(ps)]), "score.*NaN"),
    "scores of inf": (lambda ps: (zeros(ps), [[math.inf] * len(s) for s in ones(ps)]), "score.*inf"),
    "negative scores": (lambda ps: (zeros(ps), [[-1.0] * len(s) for s in ones(ps)]), "score.*-1"),
    "scores of text": (lambda ps: (zeros(ps), [["1"] * len(s) for s in ones(ps)]), "a number, not '1'"),
    "flat scores": (lambda ps: (zeros(ps), zeros(ps)), "scores"),
    "scores of nothing": (lambda ps: (zeros(ps), None), "scores"),
    "lists of nothing": (lambda ps: (zeros(ps), [None for _ in ps]), "scores"),
}


@pytest.mark.parametrize("answer", ANSWERS)
@pytest.mark.parametrize("name", ["puct", "sibling-conspiracy"])
def test_an_answer_of_the_wrong_kind(name: str, answer: str) -> None:
    function, words = ANSWERS[answer]
    with pytest.raises(cn.GameError, match=words) as caught:
        search(HEX, name, evaluator=function, expansions=20)
    assert is_one_line(caught.value)


@pytest.mark.parametrize("name", ["best-first", "alpha-beta", "sibling-conspiracy"])
def test_too_few_values_for_a_family(name: str) -> None:
    with pytest.raises(cn.GameError, match="evaluate returned 1 values for 16 positions"):
        search(HEX, name, evaluator=lambda ps: [0.0], expansions=20)


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("name", ["best-first", "puct", "sibling-conspiracy", "alpha-beta"])
def test_scores_come_always_or_never(name: str, first: bool) -> None:
    def sometimes(positions: Positions) -> Any:
        scored = (ply(positions[0]) == 0) == first
        return (zeros(positions), ones(positions)) if scored else zeros(positions)

    with pytest.raises(cn.GameError, match="always"):
        search(HEX, name, evaluator=sometimes, expansions=20)


BAD_METHODS: dict[str, tuple[dict[str, Any], str]] = {
    "no legal move": ({"candidates": lambda self, p: ["z9"]}, "'z9' is not a legal move here"),
    "one that was legal": ({"candidates": lambda self, p: ["a1"] if ply(p) else None}, "'a1' is not a legal"),
    "no candidates": ({"candidates": lambda self, p: []}, "candidates must keep at least one move"),
    "a number of candidates": ({"candidates": lambda self, p: 3}, "candidates"),
    "candidates of nothing": ({"candidates": lambda self, p: [None]}, "'None' is not a legal move here"),
    "an outcome of nan": ({"outcome": lambda self, p: math.nan}, "not NaN"),
    "an outcome too large": (
        {"outcome": lambda self, p: 7},
        "the value 7 is outside the game's range -1 to 1",
    ),
    "an infinite outcome": ({"outcome": lambda self, p: math.inf}, "outside the game's range -1 to 1"),
    "an outcome of text": ({"outcome": lambda self, p: "won"}, "outcome must return a number, not 'won'"),
    "a range of one number": ({"value_range": 3}, "value_range of an evaluator must be"),
    "a range upside down": ({"value_range": (1, -1)}, "value_range of an evaluator must be"),
    "a range without end": ({"value_range": (-math.inf, math.inf)}, "value_range.* finite"),
    "a range of nan": ({"value_range": (math.nan, 1)}, "value_range.* finite"),
    "outside its own range": ({"value_range": (2, 3)}, "the value 0 is outside the evaluator's range 2 to 3"),
    "an unknown base": ({"base": "knowlege"}, "did you mean 'knowledge'"),
    "a bad base": ({"base": "knowledge(widht=3)"}, "did you mean 'width'"),
}


@pytest.mark.parametrize("mistake", BAD_METHODS)
@pytest.mark.parametrize("name", ["best-first", "uct", "alpha-beta", "df-pn"])
def test_a_class_that_goes_wrong(name: str, mistake: str) -> None:
    members, words = BAD_METHODS[mistake]
    evaluator = type("Wrong", (Zeros,), members)()
    with pytest.raises(cn.ConspiratorError, match=words) as caught:
        search(HEX, name, evaluator=evaluator, expansions=60)
    assert is_one_line(caught.value)


def test_a_range_needs_a_game_with_one() -> None:
    class Unit(Zeros):
        value_range = (-1, 1)

    with pytest.raises(cn.GameError, match="needs a game with one"):
        search(cn.games.RandomTree().start(), "best-first", evaluator=Unit(), expansions=5)


class Boom(Exception):
    """An exception of the user's."""


@pytest.mark.parametrize("at", [0, 1, 2])
@pytest.mark.parametrize("method", ["evaluate", "candidates", "outcome"])
@pytest.mark.parametrize("name", ["best-first", "alpha-beta", "sibling-conspiracy-table"])
def test_an_exception_reaches_the_user_whole(name: str, method: str, at: int) -> None:
    """It is the user's own, and a note tells where in the search it was raised."""
    if (method, at) == ("outcome", 0):
        pytest.skip("nobody asks who has won where a move is wanted")
    error = Boom("mine")

    def body(_: Any, given: Any) -> Any:
        positions = given if isinstance(given, list) else [given]
        if any(ply(position) == at for position in positions):
            raise error
        return zeros(positions) if method == "evaluate" else None

    evaluator = type("Broken", (Zeros,), {method: body})()
    with pytest.raises(Boom) as caught:
        search(HEX, name, evaluator=evaluator, expansions=60)
    assert caught.value is error
    assert [entry.name for entry in caught.traceback][-1] == "body"
    assert len(error.__notes__) == 1
    assert "raised in the search, " in error.__notes__[0]


def test_a_failed_search_can_be_made_again() -> None:
    """Nothing of a mistake is left in the game."""
    start = cn.games.Hex(size=4).start()
    before = facts(cn.search(start, "best-first", expansions=30, trace=True))
    calls = 0

    def fails(positions: Positions) -> list[float]:
        nonlocal calls
        calls += 1
        if calls > 5:
            raise Boom
        return zeros(positions)

    with pytest.raises(Boom):
        cn.search(start, "best-first", evaluator=fails, expansions=30)
    assert facts(cn.search(start, "best-first", expansions=30, trace=True)) == before


NAMES: dict[str, tuple[Any, cn.Position, str]] = {
    "a number": (42, HEX, "an evaluator is a name .* not 42"),
    "a list": ([], HEX, r"not \[\]"),
    "a class": (Mine, HEX, "an evaluator is a name"),
    "a near miss": ("netwrok", HEX, "did you mean 'network'"),
    "another near miss": ("knowlege(width=3)", HEX, "did you mean 'knowledge'"),
    "nothing near": ("oracle", HEX, "known: resistance, knowledge, network"),
    "of another game": ("mobility", cn.games.ConnectFour().start(), "'mobility'; known: segments, network"),
    "of no python game": ("network", TIC_TAC_TOE.start(), "'network'; known: own"),
    "an unknown parameter": ("knowledge(widht=3)", HEX, "did you mean 'width'"),
    "a width of 0": ("knowledge(width=0)", HEX, "width of knowledge must be a whole number from 1 up"),
    "a width of text": ("knowledge(width=wide)", HEX, "width of knowledge must be a whole number"),
    "half a width": ("knowledge(width=2.5)", HEX, "width of knowledge must be a whole number"),
    "no value": ("knowledge(width)", HEX, "'width' in .* is not of the form name=value"),
    "no end": ("knowledge(width=3", HEX, "is written as NAME or NAME"),
    "two of them": ("knowledge network", HEX, "is written as NAME or NAME"),
    "nothing to evaluate with": (cn.Evaluator(), HEX, "needs a method evaluate"),
}


@pytest.mark.parametrize("given", NAMES)
def test_what_is_no_evaluator(given: str) -> None:
    evaluator, start, words = NAMES[given]
    asked: list[Callable[[], Any]] = [
        lambda: search(start, "best-first", evaluator=evaluator, expansions=5),
        lambda: start.evaluate(evaluator),
        lambda: start.candidates(evaluator),
        lambda: start.decided(evaluator),
        lambda: start.move_scores(evaluator),
    ]
    for ask in asked:
        with pytest.raises(cn.ArgumentError, match=words) as caught:
            ask()
        assert is_one_line(caught.value)


@pytest.mark.parametrize("start", STARTS.values(), ids=STARTS)
def test_evaluators_are_listed(start: Callable[[], cn.Position]) -> None:
    """The first is the usual one; every one of them can be asked for by its name."""
    position = start()
    listed = position.game.evaluators
    for name in listed:
        value = position.evaluate(name)
        assert position.value_range[0] <= value <= position.value_range[1]
    assert position.evaluate(next(iter(listed))) == position.evaluate()
