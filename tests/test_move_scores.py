"""Scores of moves: from games written in Python, from data, or from static values; and mistakes in them."""

from __future__ import annotations

import re
from collections.abc import Callable
from math import exp, floor, inf, log, nan
from typing import Any, Literal

import numpy as np
import pytest

import conspirator as cn
import python_games
from helpers import all_nodes, is_one_line, minimax, unfinished

SIBLING = "sibling-conspiracy"
GREATEST = 20.0
"""The greatest error: what a score of nothing is clamped to."""


def rounded(error: float) -> float:
    """Return an error as it is kept, in multiples of 1/4096."""
    return min(floor(4096 * error + 0.5) / 4096, GREATEST)


class Words(cn.Game):
    """Three letters, five of them make a word; the one with more c than a wins for Max."""

    def __init__(self, scores: Callable[[str], Any] | None = None) -> None:
        self.asked: list[str] = []
        if scores is not None:
            self.move_scores = scores  # type: ignore[method-assign, assignment]

    def start(self) -> Any:
        return ""

    def moves(self, state: str) -> list[str]:
        return ["a", "b", "c"]

    def play(self, state: str, move: str) -> str:
        return state + move

    def outcome(self, state: str) -> float | None:
        return None if len(state) < 5 else float(state.count("c") - state.count("a"))

    def evaluate(self, state: str) -> float:
        self.asked.append(state)
        return float(state.count("c") - state.count("a"))


def by_state(state: str) -> list[float]:
    """Return scores that depend on the way here."""
    return [1 + len(state) % 3, 2.5, 1 + state.count("b")]


def errors(result: cn.Result) -> dict[str, list[float]]:
    """Return the errors of every family, by the line of moves that leads to it."""
    return {
        "".join(node.line): [child.error for child in node.children]
        for node in all_nodes(result.tree)
        if node.children
    }


# ---------------------------------------------------------------- what counts as scores

KINDS: dict[str, Callable[[str], Any]] = {
    "list": by_state,
    "tuple": lambda state: tuple(by_state(state)),
    "iterator": lambda state: iter(by_state(state)),
    "array": lambda state: np.array(by_state(state)),
    "float32": lambda state: np.array(by_state(state), dtype=np.float32),
    "numpy numbers": lambda state: [np.float64(score) for score in by_state(state)],
    "ten times as much": lambda state: [10 * score for score in by_state(state)],
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("rule", [SIBLING, cn.rules.SiblingConspiracy], ids=["native", "python"])
def test_kinds_of_scores(kind: str, rule: Any) -> None:
    result = cn.search(Words(KINDS[kind]).start(), rule, expansions=40, trace=True)
    for line, family in errors(result).items():
        scores = by_state(line)
        assert family == [rounded(log(max(scores) / score)) for score in scores]
    assert result.trace == cn.search(Words(by_state).start(), SIBLING, expansions=40, trace=True).trace
    result.tree.check()


SCORES: list[tuple[list[float], list[float]]] = [
    ([1, 1, 1], [0, 0, 0]),
    ([1, 2, 4], [rounded(log(4)), rounded(log(2)), 0]),
    ([0, 1, 2], [GREATEST, rounded(log(2)), 0]),
    ([0, 0, 1], [GREATEST, GREATEST, 0]),
    ([0, 0, 0], [0, 0, 0]),
    ([1e-300, 1e300, 1], [GREATEST, 0, GREATEST]),
    ([5e-324, 1e308, 0], [GREATEST, 0, GREATEST]),
    ([exp(-19), 1, exp(-21)], [19, 0, GREATEST]),
    ([1, 1 + 1e-9, 1], [0, 0, 0]),
]


@pytest.mark.parametrize(("scores", "expected"), SCORES)
def test_errors_from_scores(scores: list[float], expected: list[float]) -> None:
    """Equation 9; a score of nothing counts as very little, unless all are nothing."""
    result = cn.search(Words(lambda _: scores).start(), SIBLING, expansions=1)
    assert [child.error for child in result.tree.root.children] == expected
    data = {"children": [{"score": score, "value": 0} for score in scores]}
    tree = cn.Tree.from_dict(data, SIBLING)
    assert [child.error for child in tree.root.children] == expected


def test_a_good_policy_saves_work() -> None:
    """The letter c is best for Max and a for Min: scores that know it lead to a proof sooner."""

    def wise(state: str) -> list[float]:
        return [1, 2, 8] if len(state) % 2 == 0 else [8, 2, 1]

    def foolish(state: str) -> list[float]:
        return wise(state)[::-1]

    good, bad = (
        cn.search(Words(scores).start(), SIBLING, expansions=10**5, delta=0.5) for scores in (wise, foolish)
    )
    value = minimax(Words().start())
    assert good.tree.root.numbers["minimax"] == bad.tree.root.numbers["minimax"] == inf
    assert value > 0
    assert good.move == bad.move == "c"
    assert good.expansions < bad.expansions


# ---------------------------------------------------------------- nobody asks for what is not needed


@pytest.mark.parametrize("parameters", [{}, {"pmax": 3, "delta": 0.5}, {"transpositions": True}], ids=str)
def test_a_game_with_scores_is_not_asked_for_values(parameters: dict[str, Any]) -> None:
    start = Words(by_state).start()
    cn.search(start, SIBLING, expansions=60, **parameters).resume(expansions=1000)
    assert start.game.asked == []


def test_a_game_without_outcome_is_asked_for_the_values_of_its_ends() -> None:
    asked: list[Any] = []

    class Ends(python_games.Ends):
        """Scores the two moves by the numbers that they take."""

        def evaluate(self, state: tuple[tuple[int, ...], int, int]) -> float:
            asked.append(state[0])
            return super().evaluate(state)

        def move_scores(self, state: tuple[tuple[int, ...], int, int]) -> list[int]:
            return [state[0][0], state[0][-1]][: len(state[0])]

    assert cn.search(Ends().start(), SIBLING, expansions=10**5).status == "decided"
    assert set(asked) == {()}


def test_static_values_are_asked_for_if_they_are_wanted() -> None:
    start = Words(by_state).start()
    cn.search(start, SIBLING, expansions=60, evaluation="global")
    assert start.game.asked != []


@pytest.mark.parametrize("scores", [False, True])
def test_proof_numbers_need_neither_values_nor_scores(scores: bool) -> None:
    def never(state: str) -> Any:
        raise AssertionError(state)

    start = Words(never if scores else None).start()
    result = cn.search(start, "proof-number", expansions=60).resume(expansions=1000)
    assert result.status in ("proven", "decided")
    assert start.game.asked == []


@pytest.mark.parametrize("rule", ["best-first", "conspiracy", "alpha-beta"])
def test_other_searches_do_not_ask_for_scores(rule: str) -> None:
    def never(state: str) -> Any:
        raise AssertionError(state)

    assert cn.search(Words(never).start(), rule, expansions=30).move in "abc"


# ---------------------------------------------------------------- without scores: static values


class Valued(cn.Game):
    """One move each to children of given values; written for Max or Min."""

    def __init__(self, values: list[float], least: float = -inf, greatest: float = inf) -> None:
        self.values, self.value_range = values, (least, greatest)  # type: ignore[misc]

    def moves(self, state: int) -> list[int]:
        return list(range(len(self.values)))

    def play(self, state: int, move: int) -> int:
        return move + 1

    def evaluate(self, state: int) -> float:
        return self.values[state - 1] if state else self.values[0]

    def outcome(self, state: int) -> float | None:
        return None


Mover = Literal["max", "min"]
BOUNDED: list[tuple[Mover, list[float], list[float]]] = [
    ("max", [1, 0.5, -1], [0, log(2 / 1.5), GREATEST]),
    ("min", [1, 0.5, -1], [GREATEST, log(2 / 0.5), 0]),
    ("max", [0, 0, 0.5], [log(1.5), log(1.5), 0]),
    ("max", [-1, -1], [0, 0]),
]
UNBOUNDED: list[tuple[Mover, list[float], list[float]]] = [
    ("max", [1, 0.5, -1], [0, 0.5, 2]),
    ("min", [1, 0.5, -1], [2, 1.5, 0]),
    ("max", [100, 0], [0, GREATEST]),
    ("min", [7, 7, 7], [0, 0, 0]),
    ("max", [0.1, 0.2], [0.1, 0]),
]


@pytest.mark.parametrize(
    ("ends", "to_move", "values", "expected"),
    [((-1.0, 1.0), *case) for case in BOUNDED]
    + [(ends, *case) for ends in ((-inf, inf), (-50.0, inf)) for case in UNBOUNDED],
)
@pytest.mark.parametrize("rule", [SIBLING, cn.rules.SiblingConspiracy], ids=["native", "python"])
def test_errors_from_values(
    rule: Any, ends: tuple[float, float], to_move: Mover, values: list[float], expected: list[float]
) -> None:
    """Differences of values; where values have two ends, the part of the range that a player gets."""
    start = Valued(values, *ends).position(0, to_move)
    result = cn.search(start, rule, expansions=1)
    assert [child.error for child in result.tree.root.children] == [rounded(error) for error in expected]


def test_errors_of_connect_four() -> None:
    for seed in range(30):
        start = unfinished("connect-four", seed, 0, 36)
        low, high = start.value_range
        for node in all_nodes(cn.search(start, SIBLING, expansions=20).tree):
            family = [(child.position.evaluate() - low, child) for child in node.children]
            parts = [(part if node.is_max else high - low - part, child) for part, child in family]
            best = max((part for part, _ in parts), default=0)
            for part, child in parts:
                error = 0 if part == best else log(best / part) if part else inf
                assert child.error == (rounded(error) if error < inf else GREATEST)


@pytest.mark.parametrize("game", [python_games.ConnectFour, python_games.ConnectFourInBatches])
def test_python_and_native_connect_four(game: type[cn.Game]) -> None:
    native = cn.search(cn.games.ConnectFour().start(), SIBLING, expansions=100, trace=True, delta=0.25)
    python = cn.search(game().start(), SIBLING, expansions=100, trace=True, delta=0.25)
    assert native.trace == python.trace
    assert native.move == str(python.move)


def test_a_rule_that_does_not_look_at_errors_gets_none() -> None:
    result = cn.search(Words(by_state).start(), "best-first", expansions=10)
    assert {node.error for node in all_nodes(result.tree)} == {0}


# ---------------------------------------------------------------- mistakes in games

MISTAKES: list[tuple[str, Any, str]] = [
    ("too few", [1, 2], "move_scores returned 2 scores for 3 moves"),
    ("too many", [1, 2, 3, 4], "move_scores returned 4 scores for 3 moves"),
    ("none", [], "move_scores returned 0 scores for 3 moves"),
    ("negative", [1, -1, 1], "score of a move must be a positive number, not -1"),
    ("nan", [1, nan, 1], "score of a move must be a positive number, not NaN"),
    ("infinite", [1, inf, 1], "score of a move must be a positive number, not inf"),
    ("string", [1, "2", 1], "move_scores must return a number, not '2'"),
    ("nothing", [1, None, 1], "move_scores must return a number, not None"),
    ("word", "abc", "move_scores must return a number, not 'a'"),
    ("a number", 5, "move_scores must return a list of scores, not 5"),
    ("None", None, "move_scores must return a list of scores, not None"),
    ("table", np.ones((3, 3)), "move_scores must return a number"),
    ("number of numpy", np.float64(1), "move_scores must return a list of scores"),
    ("array of nan", np.array([1, nan, 2]), "score of a move must be a positive number"),
    ("dictionary", {"a": 1, "b": 1, "c": 1}, "move_scores must return a number, not 'a'"),
]


@pytest.mark.parametrize("rule", [SIBLING, cn.rules.SiblingConspiracy], ids=["native", "python"])
@pytest.mark.parametrize("length", [0, 2])
@pytest.mark.parametrize(("answer", "pattern"), [case[1:] for case in MISTAKES], ids=[m[0] for m in MISTAKES])
def test_mistakes(answer: Any, pattern: str, length: int, rule: Any) -> None:
    """One line that names what is wrong and the moves that lead there."""
    start = Words(lambda state: answer if len(state) == length else [1, 2, 3]).start()
    with pytest.raises(cn.GameError, match=re.escape(pattern)) as caught:
        cn.search(start, rule, expansions=20)
    assert is_one_line(caught.value)
    where = "after the moves [abc] [abc]" if length else "at the root"
    assert re.search(where, str(caught.value)), str(caught.value)


def test_an_exception_reaches_the_user_whole() -> None:
    error = ZeroDivisionError("mine")

    def broken(state: str) -> list[float]:
        if len(state) == 2:
            raise error
        return [1, 2, 3]

    with pytest.raises(ZeroDivisionError) as caught:
        cn.search(Words(broken).start(), SIBLING, expansions=20)
    assert caught.value is error
    assert re.fullmatch("raised in the search, after the moves [abc] [abc]", "".join(error.__notes__))


# ---------------------------------------------------------------- mistakes in data

DATA: list[tuple[str, Any, str]] = [
    ("both", {"score": 1, "error": 1}, "a move has a score or an error, not both"),
    ("negative score", {"score": -1}, "score must be a finite number from 0 up, not -1"),
    ("negative error", {"error": -0.5}, "error must be a finite number from 0 up, not -0.5"),
    ("nan", {"score": nan}, "score must be a finite number from 0 up, not nan"),
    ("infinite", {"error": inf}, "error must be a finite number from 0 up, not inf"),
    ("string", {"score": "1"}, "score must be a finite number from 0 up, not '1'"),
    ("bool", {"score": True}, "score must be a finite number from 0 up, not True"),
    ("nothing", {"error": None}, "error must be a finite number from 0 up, not None"),
]


@pytest.mark.parametrize(("fields", "pattern"), [case[1:] for case in DATA], ids=[case[0] for case in DATA])
def test_bad_fields(fields: dict[str, Any], pattern: str) -> None:
    data = {"children": [{"value": 0}, {"value": 0, "children": [{"value": 1} | fields]}]}
    for read in (cn.games.ExplicitTree, lambda data: cn.Tree.from_dict(data, SIBLING)):
        with pytest.raises(cn.GameError, match=re.escape(pattern)) as caught:
            read(data)
        assert is_one_line(caught.value)
        assert "(at node 1.0)" in str(caught.value)


@pytest.mark.parametrize("other", [{}, {"error": 1}])
def test_only_some_siblings_scored(other: dict[str, Any]) -> None:
    family = [{"value": 1, "score": 1}, {"value": 2} | other]
    data = {"children": [{"value": 0, "children": family}]}
    calls: list[Callable[[], object]] = [
        lambda: cn.search(cn.games.ExplicitTree(data).start(), SIBLING, expansions=5),
        lambda: cn.Tree.from_dict(data, SIBLING),
        lambda: cn.Tree.from_dict(data, cn.rules.SiblingConspiracy()),
    ]
    for call in calls:
        with pytest.raises(cn.GameError, match="all the children of node 0 need a score, or all an error"):
            call()
    assert cn.search(cn.games.ExplicitTree(data).start(), "best-first").value == 1, "nobody looks at scores"
