"""Alpha-beta to the end of the game: plain minimax, tables of any size, budgets, what it refuses."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

import conspirator as cn
import python_games
from helpers import minimax, random_line, random_tree, small_tree, unfinished


def explicit(seed: int) -> cn.Position:
    return cn.games.ExplicitTree(random_tree(Random(seed), 5, skewed=seed % 3 == 0)).start()


def connect_four(seed: int) -> cn.Position:
    return unfinished("connect-four", seed, 33, 38)


def amazons(seed: int) -> cn.Position:
    return list(random_line(cn.games.Amazons(size=4).start(), Random(seed), 100))[-4]


def again(seed: int) -> cn.Position:
    return python_games.Again().position((4 + seed % 4, 0, "min" if seed % 2 else "max"))


POSITIONS: dict[str, tuple[Callable[[int], cn.Position], int]] = {
    "explicit": (explicit, 80),
    "random tree": (small_tree, 60),
    "connect-four": (connect_four, 30),
    "amazons": (amazons, 10),
    "again": (again, 12),
}


@pytest.mark.parametrize("table_bytes", [1024, 1 << 20])
@pytest.mark.parametrize("game", POSITIONS)
def test_the_value_is_that_of_minimax(game: str, table_bytes: int) -> None:
    make, count = POSITIONS[game]
    for seed in range(count):
        position = make(seed)
        if position.outcome is not None:
            continue
        result = cn.search(position, "end-game", seconds=60, table_bytes=table_bytes)
        assert (result.value, result.status) == (minimax(position, 100), "proven")
        assert not result.has_tree
        end = position
        for move in result.line:
            end = end.play(move)
        assert end.outcome == result.value


def test_a_budget_of_nodes_leaves_the_value_as_it_is() -> None:
    for seed in range(10):
        position = list(random_line(cn.games.Othello().start(), Random(seed), 100))[-9]
        exact = cn.search(position, "end-game", seconds=60)
        counted = cn.search(position, "end-game", nodes=10**9)
        assert (counted.value, counted.status) == (exact.value, "proven")
        assert counted.nodes == cn.search(position, "end-game", nodes=10**9).nodes


@pytest.mark.parametrize("unit", ["expansions", "nodes", "move_calls"])
def test_a_budget_is_kept(unit: str) -> None:
    position = unfinished("othello", 1, 20, 30)
    for amount in (1, 50, 1000):
        budget: dict[str, Any] = {unit: amount}
        result = cn.search(position, "end-game", **budget)
        assert getattr(result, unit) <= amount
        assert (result.status, result.limit) == ("budget", unit)
        assert result.move in position.moves()


def test_it_goes_on_after_a_stop() -> None:
    position = unfinished("connect-four", 3, 26, 28)
    whole = cn.search(position, "end-game", seconds=60)
    result = cn.search(position, "end-game", expansions=100)
    result.resume(seconds=60)
    assert (result.value, result.status) == (whole.value, "proven")
    assert len(result.line) == len(whole.line)


class Long(cn.Game):
    """A thousand moves, one after another."""

    def moves(self, state: int) -> list[str]:
        return ["on"]

    def play(self, state: int, move: str) -> int:
        return state + 1

    def outcome(self, state: int) -> float | None:
        return 1.0 if state == 1000 else None


class Round(Long):
    """The same with a key: its positions might come back."""

    def key(self, state: int) -> int:
        return state


def test_what_it_refuses() -> None:
    with pytest.raises(cn.ArgumentError, match=r"256 moves are too long.*df-pn"):
        cn.search(Long().position(0), "end-game", seconds=10)
    with pytest.raises(cn.ArgumentError, match=r"come back.*df-pn"):
        cn.search(Round().position(0), "end-game", seconds=10)
    with pytest.raises(cn.ArgumentError, match="no trace"):
        cn.search(cn.games.Othello().start(), "end-game", seconds=1, trace=True)


class BadScores(cn.Game):
    """Scores that are no numbers."""

    def moves(self, state: str) -> list[str]:
        return ["a", "b"]

    def play(self, state: str, move: str) -> str:
        return state + move

    def outcome(self, state: str) -> float | None:
        return 1.0 if len(state) == 3 else None

    def move_scores(self, state: str) -> list[float]:
        return [1.0, float("nan")]


def test_scores_that_are_none() -> None:
    with pytest.raises(cn.GameError, match="score of a move must be a positive number, not NaN"):
        cn.search(BadScores().position(""), "end-game", seconds=10)


def test_solve_finds_the_value_at_once() -> None:
    position = list(random_line(cn.games.Othello().start(), Random(5), 100))[-8]
    asked: list[object] = []
    solution = cn.solve(position, progress=lambda facts: asked.append(facts["goal"]))
    assert (solution.search, solution.status, solution.questions) == ("end-game", "proven", [])
    assert solution.value == cn.solve(position, "df-pn").value
    assert set(asked) <= {None}
    cut = cn.solve(cn.games.Othello().start(), expansions=50)
    assert (cut.value, cut.bounds, cut.status, cut.limit) == (None, (-64, 64), "budget", "expansions")
    assert cut.outcome is None
    assert cut.move in cn.games.Othello().start().moves()
