"""Connect-Four positions with known scores, solved: the hard ones by `make verify`."""

from __future__ import annotations

from math import isnan
from pathlib import Path
from random import Random

import pytest

import conspirator as cn
from certificates import following
from conspirator.proofs.rules.connect_four import ConnectFour
from helpers import random_line

GAME = cn.games.ConnectFour()
SCORES = [
    (moves, int(score))
    for moves, score in (
        line.split()
        for line in (Path(__file__).parent / "data" / "connect_four" / "scores.txt").read_text().splitlines()
        if not line.startswith("#")
    )
]
EASY = [entry for entry in SCORES if len(entry[0]) >= 21]
HARD = [entry for entry in SCORES if len(entry[0]) < 21]


def word(score: int) -> str:
    return "draw" if score == 0 else "win" if score > 0 else "loss"


def check(entries: list[tuple[str, int]]) -> None:
    for moves, score in entries:
        solution = cn.solve(GAME.position(moves))
        assert (solution.outcome, solution.status) == (word(score), "proven"), moves
        end = solution.position
        for move in solution.line:
            end = end.play(move)
        assert end.outcome == solution.value


def test_the_set() -> None:
    assert (len(EASY), len(HARD)) == (400, 40)
    assert {word(score) for _, score in HARD} == {"win", "draw", "loss"}


@pytest.mark.parametrize("part", range(4))
def test_end_games(part: int) -> None:
    check(EASY[part::4])


@pytest.mark.verify
@pytest.mark.parametrize("part", range(4))
def test_middle_games(part: int) -> None:
    check(HARD[part::4])


@pytest.mark.parametrize("search", ["end-game", "df-pn", "sibling-conspiracy", "proof-number"])
def test_every_solver(search: str) -> None:
    for moves, score in [entry for entry in EASY if len(entry[0]) >= 30][::10]:
        assert cn.solve(GAME.position(moves), search).outcome == word(score)


def test_following_up_shows_only_what_is_true() -> None:
    """The claim of certificates: two programs agree on it, and another search never refutes it."""
    random, rules, shown = Random(2), ConnectFour({}), set()
    for _ in range(200):
        for position in random_line(GAME.start(), random, 42):
            if position.outcome is not None:
                break
            bound = rules.settled(rules.read(position.notation()))
            assert following(position) == (None if isnan(bound) else bound)
            if not isnan(bound) and position.notation().count(".") <= 22:
                value = cn.solve(position, "df-pn").value
                assert value is not None
                assert value <= bound if position.to_move == "max" else value >= bound
                shown.add(bound)
    assert shown == {1.0, 512.0, 1023.0}


@pytest.mark.parametrize("memory", [1_000, 100_000, 100_000_000])
def test_a_table_of_any_size(memory: int) -> None:
    for moves, score in EASY[::40]:
        solution = cn.solve(GAME.position(moves), "end-game", memory=memory)
        assert (solution.outcome, solution.status) == (word(score), "proven")


def test_the_opening_of_the_centre_column() -> None:
    """Six stones in the middle: X wins, and the certificate is small."""
    solution = cn.solve(GAME.position("444444"))
    assert (solution.search, solution.outcome, solution.value) == ("end-game", "win", 1023)
    assert solution.best_moves() == ["3", "5"]
