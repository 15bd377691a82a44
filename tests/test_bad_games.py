"""Mistakes inside games and rules of the user's: what they raise, and where, reaches the user."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable
from typing import Any

import pytest

import conspirator as cn
from conspirator._certain import NEED_A_MODEL
from helpers import Line, is_one_line, line_with

search: Any = cn.search  # types are what these tests get wrong
START = cn.games.ConnectFour().start()

SEARCHES = pytest.mark.parametrize("name", ["best-first", "alpha-beta"])
VALUES = [math.nan, math.inf, -math.inf, "1", None, 1j, [1.0]]


@SEARCHES
@pytest.mark.parametrize("method", ["evaluate", "evaluate_many"])
@pytest.mark.parametrize("length", [0, 1, 3])
@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_a_value_that_is_none(name: str, method: str, length: int, value: Any) -> None:
    def evaluate(_: Any, state: str) -> Any:
        return value if len(state) == length else 0

    def evaluate_many(_: Any, states: list[str]) -> list[Any]:
        return [evaluate(_, state) for state in states]

    methods: dict[str, Any] = {"evaluate": evaluate}
    if method == "evaluate_many":
        methods = {"evaluate": cn.Game.evaluate, "evaluate_many": evaluate_many}
    with pytest.raises(cn.GameError) as caught:
        search(line_with(**methods), name, expansions=50)
    message = str(caught.value)
    assert is_one_line(caught.value)
    assert "number" in message
    assert re.search("after the moves [lr] [lr]" if length == 3 else "at the root", message), message


class Mine(Exception):
    """An exception of the user's."""


def raising(method: str, error: Exception, length: int, then: Any) -> Callable[..., Any]:
    """Return a method that raises on states of a length, or on batches with one."""

    def body(_: Any, state: Any, *rest: Any) -> Any:
        states = state if isinstance(state, list) else [state]
        if any(len(state) == length for state in states):
            raise error
        return then(state, *rest)

    body.__name__ = method
    return body


METHODS: dict[str, tuple[Callable[..., Any], int]] = {
    "moves": (lambda state: ["l", "r"], 3),
    "play": (lambda state, move: state + move, 2),
    "evaluate": (lambda state: 0, 3),
    "outcome": (lambda state: None, 3),
    "evaluate_many": (lambda states: [0] * len(states), 3),
    "to_move": (lambda state: "min" if len(state) % 2 else "max", 3),
}
"""A working body for every method, and the length of state that is met in the expansion of ply 2."""


@SEARCHES
@pytest.mark.parametrize("method", METHODS)
def test_an_exception_in_a_game_reaches_the_user_whole(name: str, method: str) -> None:
    then, length = METHODS[method]
    error = Mine("mine")
    start = line_with(**{method: raising(method, error, length, then)})
    with pytest.raises(Mine) as caught:
        search(start, name, expansions=50)
    assert caught.value is error
    assert re.fullmatch("raised in the search, after the moves [lr] [lr]", "".join(error.__notes__))
    assert [entry.name for entry in caught.traceback][-1] == "body"


@SEARCHES
@pytest.mark.parametrize("method", ["moves", "play", "evaluate", "outcome"])
def test_an_exception_at_the_root_says_so(name: str, method: str) -> None:
    error = Mine("mine")
    start = line_with(**{method: raising(method, error, 0, METHODS[method][0])})
    with pytest.raises(Mine) as caught:
        search(start, name, expansions=50)
    assert caught.value is error
    assert "at the root" in "".join(getattr(error, "__notes__", []))


@pytest.mark.parametrize("method", ["choose", "initialise", "update"])
def test_an_exception_in_a_rule_reaches_the_user_whole(method: str) -> None:
    error = Mine("mine")
    countdown = 3

    def body(self: Any, *arguments: Any) -> Any:
        nonlocal countdown
        countdown -= 1
        if countdown == 0:
            raise error
        return getattr(super(type(self), self), method)(*arguments)

    broken = type("Broken", (cn.rules.BestFirst,), {method: body})()
    with pytest.raises(Mine) as caught:
        search(START, broken, expansions=50)
    assert caught.value is error


def test_a_failed_expansion_leaves_the_tree_as_it_was() -> None:
    bombs: list[Exception] = []

    class Broken(cn.rules.BestFirst):
        """Raises in `update` when told to."""

        def update(self, tree: cn.Tree, node: cn.Node) -> bool:
            if bombs:
                raise bombs.pop()
            return False

    result = cn.search(START, Broken(), expansions=10)
    bombs.append(Mine("mine"))
    with pytest.raises(Mine):
        result.resume(expansions=10)
    result.tree.check()


@SEARCHES
def test_moves_that_change_between_calls(name: str) -> None:
    calls = 0

    def moves(_: Any, state: str) -> list[str]:
        nonlocal calls
        calls += 1
        return ["l", "r"] if calls < 4 else []

    with pytest.raises(cn.GameError):
        search(line_with(moves=moves, outcome=lambda *_: None), name, expansions=50)


KEYED: dict[str, tuple[str, dict[str, Any]]] = {
    "alpha-beta": ("alpha-beta", {"table": True}),
    "tree": ("proof-number", {"transpositions": True}),
    "table": ("df-pn", {}),
}
"""Searches that ask for keys."""


@pytest.mark.parametrize("way", KEYED)
@pytest.mark.parametrize("length", [0, 3])
@pytest.mark.parametrize("key", [[1], {}, 1.5, ("a", [1])], ids=repr)
def test_a_key_of_the_wrong_kind(way: str, length: int, key: Any) -> None:
    name, parameters = KEYED[way]
    start = line_with(key=lambda _, state: key if len(state) == length else state)
    if length == 0:
        with pytest.raises(cn.GameError, match="key must return a whole number, a string, bytes"):
            _ = start.key
    if length == 0 and way == "tree":
        return  # the root has no twins
    with pytest.raises(cn.GameError, match="key must return a whole number, a string, bytes") as caught:
        search(start, name, expansions=50, **parameters)
    assert is_one_line(caught.value)
    place = "at the root" if length == 0 else "after the moves [lr] [lr]"
    assert re.search(place, str(caught.value)), str(caught.value)


def test_keys_of_all_kinds_tell_positions_apart() -> None:
    kinds = [0, 1, -1, 2**200, 2**200 + 1, "1", b"1", None, (1,), (1, 2), ((1, 2),), ("1", b"1", None)]
    keys = [line_with(key=lambda _, state, key=key: key).key for key in kinds]
    assert None not in keys
    assert len(set(keys)) == len(kinds)


@pytest.mark.parametrize("way", KEYED)
def test_an_exception_in_a_key_reaches_the_user_whole(way: str) -> None:
    name, parameters = KEYED[way]
    error = Mine("mine")
    start = line_with(key=raising("key", error, 3, lambda state: state))
    with pytest.raises(Mine) as caught:
        search(start, name, expansions=50, **parameters)
    assert caught.value is error
    assert "raised in the search, after the moves" in "".join(error.__notes__)


def test_moves_that_never_end() -> None:
    class Endless(Line):
        def moves(self, state: str) -> Any:
            return itertools.count()

    with pytest.raises(cn.GameError, match="does `moves` ever end"):
        cn.search(Endless().position(""), expansions=1)
    with pytest.raises(cn.GameError, match="does `moves` ever end"):
        Endless().position("").moves()


@pytest.mark.parametrize("bad", ["x" * 10**4, "4" * 10**4, "x" * 10**7, "4" * 10**7], ids=len)
@pytest.mark.parametrize(
    "cause",
    [
        lambda bad: cn.games.ConnectFour().position(bad),
        lambda bad: cn.games.ConnectFour().start().play(bad),
        lambda bad: cn.games.Chess().position(bad),
        lambda bad: cn.search(START, bad, expansions=1),
        lambda bad: cn.games.make(bad),
        lambda bad: cn.match([bad, bad]),
    ],
)
def test_errors_echo_a_line_at_most(cause: Callable[[str], object], bad: str) -> None:
    with pytest.raises(cn.ConspiratorError) as error:
        cause(bad)
    assert len(str(error.value)) <= 600
    assert is_one_line(error.value)


class Vast(cn.Game):
    """Values at both ends of what a number can be."""

    value_range = (-1.7e308, 1.7e308)

    def start(self) -> Any:
        return ()

    def moves(self, state: Any) -> list[int]:
        return [0, 1, 2]

    def play(self, state: Any, move: int) -> Any:
        return (*state, move)

    def outcome(self, state: Any) -> float | None:
        return None if len(state) < 6 else self.evaluate(state)

    def evaluate(self, state: Any) -> float:
        return 1.7e308 if sum(state) % 3 else -1.7e308


@pytest.mark.parametrize("nodes", [5, 50, 400])
@pytest.mark.parametrize("search", sorted(cn.searches().keys() - NEED_A_MODEL))
def test_values_without_measure_give_no_nan(search: str, nodes: int) -> None:
    result = cn.search(Vast().start(), search, nodes=nodes)
    assert abs(result.value) <= 1.7e308
    if cn.searches()[search].tree:
        result.tree.check()
        for node in (result.tree.root, *result.tree.root.children):
            numbers = [number for number in node.numbers.values() if isinstance(number, float)]
            assert not any(math.isnan(number) for number in [node.value, *numbers])
