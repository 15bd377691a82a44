"""Connect-Four positions with known scores, solved: the hard ones by `make verify`."""

from __future__ import annotations

from pathlib import Path

import pytest

import conspirator as cn

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
