"""Amazons: counts, small boards that are solved, narrow games and notation."""

from __future__ import annotations

from random import Random

import pytest

import conspirator as cn
from helpers import HERE, is_one_line, random_line

PERFT = [
    (int(size), board, int(ply), int(count))
    for size, board, ply, count in (
        line.split()
        for line in (HERE / "data" / "perft" / "amazons.txt").read_text(encoding="utf-8").splitlines()
        if line[0] != "#"
    )
]


@pytest.mark.parametrize(("size", "board", "ply", "count"), PERFT)
def test_perft(size: int, board: str, ply: int, count: int) -> None:
    game = cn.games.Amazons(size=size)
    position = game.position(f"{board} w")
    assert position.perft(ply) == count
    if "x" not in board:
        assert position == game.start()


@pytest.mark.parametrize(
    ("size", "board", "outcome"),
    [(4, "1bb1/b2b/w2w/1ww1", "loss"), (5, "xxxxx/1b1b1/b3b/w3w/1w1w1", "win")],
    ids=["4x4", "5x4"],
)
def test_small_boards_are_solved(size: int, board: str, outcome: str) -> None:
    solution = cn.solve(cn.games.Amazons(size=size).position(f"{board} w"), seconds=60)
    assert (solution.outcome, solution.status) == (outcome, "proven")
    position = solution.position
    for move in solution.line:
        position = position.play(move)
    assert position.outcome == solution.value


@pytest.mark.parametrize("search", ["df-pn", "alpha-beta"])
def test_other_searches_agree(search: str) -> None:
    options = {"table": True} if search == "alpha-beta" else {"table_bytes": 2**24}
    result = cn.search(cn.games.Amazons(size=4).start(), search, seconds=60, **options)
    assert result.status == "proven"
    assert result.value < 0


def test_width_keeps_the_best_moves() -> None:
    for position in list(random_line(cn.games.Amazons(size=6).start(), Random(1), 30))[::4]:
        sign = 1 if position.to_move == "max" else -1
        values = {move: sign * position.play(move).evaluate() for move in position.moves()}
        best = sorted(values, key=lambda move: -values[move])[:7]  # equals stay in order
        narrow = "territory(width=7)"
        assert position.candidates(narrow) == [move for move in position.moves() if move in set(best)]
        left = position.left_out(narrow)
        assert list(left) == [move for move in position.moves() if move not in set(best)]
        assert set(left.values()) <= {"not among the best"}


def test_a_search_on_the_large_board() -> None:
    start = cn.games.Amazons().start()
    result = cn.search(start, "best-first", evaluator="territory(width=20)", expansions=300)
    assert result.nodes == 1 + 20 * 300
    result.tree.check()


@pytest.mark.parametrize(
    ("notation", "words"),
    [
        ("b1-b2", "bad move 'b1-b2' at move 1; write from, to and arrow, such as b1-a1-"),
        ("b1-b2-b1 b1-b2-b3", "at move 2: Black has no amazon on b1"),
        ("b1-d2-b1", "b1 to d2 is no free line"),
        ("b1-b2-b4", "b2 to b4 is no free line"),
        ("b1-\x1c-b4", "bad move"),
        ("4/4", "the board has 2 rows; write 4"),
        ("4/4/4/5 w", "5 squares, not 4, in row 1"),
        ("w3/4/4/4 w", "Black has no amazon"),
        ("w3/4/4/3b", "write the side to move"),
    ],
)
def test_bad_notation(notation: str, words: str) -> None:
    with pytest.raises(cn.PositionError, match=words) as caught:
        cn.games.Amazons(size=4).position(notation)
    assert is_one_line(caught.value)
