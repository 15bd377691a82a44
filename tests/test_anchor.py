"""Sibling conspiracy numbers with `anchor`: errors that become differences of static values."""

from __future__ import annotations

from collections.abc import Callable
from math import exp, inf
from random import Random
from typing import Any

import pytest

import conspirator as cn
from helpers import minimax

SIBLING = "sibling-conspiracy-table"
TABLE: dict[str, Any] = {"table_bytes": 1 << 20}
PLY = 6


class Paths(cn.Game):
    """Every position is the line that leads to it; results, errors and values are drawn by chance."""

    value_range = (-inf, inf)

    def __init__(self, seed: int, evaluate: Callable[[Paths, tuple[int, ...]], float]) -> None:
        self.seed, self._evaluate = seed, evaluate

    def start(self) -> Any:
        return ()

    def moves(self, state: tuple[int, ...]) -> list[int]:
        return [0, 1, 2]

    def play(self, state: tuple[int, ...], move: int) -> tuple[int, ...]:
        return (*state, move)

    def draw(self, state: tuple[int, ...]) -> Random:
        return Random(str((self.seed, state)))

    def outcome(self, state: tuple[int, ...]) -> float | None:
        return self.draw(state).choice([-1.0, 1.0]) if len(state) == PLY else None

    def errors(self, state: tuple[int, ...]) -> list[float]:
        """Return the errors of the moves, whole multiples of 1/4096."""
        draw = self.draw((*state, -1))
        found = [0, draw.randrange(1, 5000), draw.randrange(1, 5000)]
        draw.shuffle(found)
        return [error / 4096 for error in found]

    def move_scores(self, state: tuple[int, ...]) -> list[float]:
        return [exp(-error) for error in self.errors(state)]

    def evaluate(self, state: tuple[int, ...]) -> float:
        return self._evaluate(self, state)


def sum_of_errors(game: Paths, state: tuple[int, ...]) -> float:
    """Return the siblings comparison evaluation: the opponent's errors less one's own."""
    signs = [-1, 1]
    return sum(signs[ply % 2] * game.errors(state[:ply])[move] for ply, move in enumerate(state))


def by_chance(game: Paths, state: tuple[int, ...]) -> float:
    """Return some value."""
    return game.draw((*state, -2)).uniform(-1, 1)


def answer(game: cn.Game, **parameters: Any) -> tuple[Any, ...]:
    result = cn.search(game.start(), SIBLING, expansions=40, goal=0.0, **TABLE, **parameters)
    return result.move, result.won, result.expansions, result.nodes, result.depth


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("more", [{}, {"delta": 0.25}, {"delta": 0.5, "pmax": 3, "dmax": 2}], ids=str)
def test_values_that_say_what_scores_say_change_nothing(seed: int, more: dict[str, Any]) -> None:
    game = Paths(seed, sum_of_errors)
    assert answer(game, anchor=1.0, **more) == answer(game, **more)


def test_only_differences_of_values_count_and_they_do() -> None:
    differ = 0
    for seed in range(20):
        plain, moved = Paths(seed, by_chance), Paths(seed, lambda *at: by_chance(*at) + 3.0)
        assert answer(plain, anchor=1.0, delta=0.25) == answer(moved, anchor=1.0, delta=0.25)
        # twice the values is twice the weight
        double = Paths(seed, lambda *at: 2 * by_chance(*at))
        assert answer(plain, anchor=2.0, delta=0.25) == answer(double, anchor=1.0, delta=0.25)
        differ += answer(plain, anchor=1.0, delta=0.25) != answer(plain, delta=0.25)
    assert differ > 10


class Odds(Paths):
    """Values as chances, of which the logarithm of the odds counts."""

    value_range = (-1, 1)

    def evaluate(self, state: tuple[int, ...]) -> float:
        odds = exp(by_chance(self, state))
        return (odds - 1) / (odds + 1)


def test_values_with_two_ends_count_by_their_odds() -> None:
    for seed in range(20):
        one, two = Paths(seed, by_chance), Odds(seed, by_chance)
        assert answer(one, anchor=1.0, delta=0.25) == answer(two, anchor=1.0, delta=0.25)


@pytest.mark.parametrize("more", [{}, {"delta": 0.25}, {"threads": 2, "pmax": 4}], ids=str)
@pytest.mark.parametrize("table_bytes", [1024, 1 << 20])
def test_proofs_stay_proofs(more: dict[str, Any], table_bytes: int) -> None:
    for seed in range(12):
        start = Odds(seed, by_chance).start()
        result = cn.search(
            start, SIBLING, expansions=10**6, anchor=2.0, table_bytes=table_bytes, goal=0.0, **more
        )
        assert result.won == (minimax(start) > 0)


def test_hex_openings_are_solved_with_it() -> None:
    game = cn.games.Hex(size=4)
    plain = [move for move in game.start().moves() if wins(move)]
    for evaluator in game.evaluators:
        winning = [
            move
            for move in game.start().moves()
            if not cn.search(
                game.position(move),
                SIBLING,
                evaluator=evaluator,
                expansions=10**6,
                delta=0.25,
                anchor=2.0,
                table_bytes=1 << 24,
            ).won
        ]
        assert winning == plain


def wins(move: str) -> bool:
    """Tell whether an opening of 4x4 Hex wins, by proof numbers."""
    position = cn.games.Hex(size=4).position(move)
    return not cn.search(position, "df-pn", evaluator="knowledge", expansions=10**7).won


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"anchor": -1.0, **TABLE}, "anchor"),
        ({"anchor": inf, **TABLE}, "anchor"),
        ({"anchor": "much", **TABLE}, "anchor"),
    ],
)
def test_mistakes(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(cn.ArgumentError, match=message):
        cn.search(cn.games.Hex(size=4).start(), SIBLING, expansions=10, **parameters)


def test_a_value_that_is_none() -> None:
    game = Paths(1, lambda _, state: float("nan") if state == (1,) else 0.0)
    with pytest.raises(cn.GameError, match=r"finite number .* not NaN \(after the moves 1\)"):
        cn.search(game.start(), SIBLING, expansions=1000, anchor=1.0, goal=0.0, **TABLE)
