"""Othello: counts, end games with known scores, passes and notation."""

from __future__ import annotations

from random import Random

import pytest

import conspirator as cn
from helpers import is_one_line, perft_data, random_line

GAME = cn.games.Othello()

FFO = [
    ("--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X", 18, {"g8"}),
    ("-XXXXXX---XOOOO--XOXXOOX-OOOOOOOOOOOXXOOOOOXXOOX--XXOO----XXXXX- X", 10, {"a4"}),
    ("----OX----OOXX---OOOXX-XOOXXOOOOOXXOXXOOOXXXOOOOOXXXXOXO--OOOOOX X", 2, {"d1"}),
    ("-XXXXXX-X-XXXOO-XOXXXOOXXXOXOOOX-OXOOXXX--OOOXXX--OOXX----XOXXO- X", 0, {"h8", "a5"}),
    ("-OOOOO----OXXO-XXXOXOXX-XXOXOXXOXXOOXOOOXXXXOO-OX-XOOO---XXXXX-- X", 32, {"g8"}),
]
"""End games 1 to 5 of the suite of the French Othello federation: score for the mover, best moves."""

HARD = [
    ("O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X", 38, {"a2"}),
    ("-OOOOO----OOOOX--OOOOOO-XXXXXOO--XXOOX--OOXOXX----OXXO---OOO--O- X", 0, {"h4"}),
    ("--OOO-------XX-OOOOOOXOO-OOOOXOOX-OOOXXO---OOXOO---OOOXO--OOOO-- X", 6, {"g2"}),
    ("--XXXXX---XXXX---OOOXX---OOXXXX--OOXXXO-OOOOXOO----XOX----XXXXX- O", -12, {"g3", "c7"}),
    ("--O-X-O---O-XO-O-OOXXXOOOOOOXXXOOOOOXX--XXOOXO----XXXX-----XXX-- O", -14, {"d2", "b8"}),
]
"""End games 40 to 44 of the same suite, with 20 to 23 empty squares."""


def test_perft() -> None:
    for ply, count in perft_data("othello"):
        if ply <= 9:
            assert GAME.start().perft(ply) == count


@pytest.mark.parametrize(("board", "score", "best"), FFO, ids=range(1, 6))
def test_end_games(board: str, score: int, best: set[str]) -> None:
    position = GAME.position(board)
    result = cn.search(position, "alpha-beta", table=True, seconds=60)
    assert (result.value, result.status) == (score, "proven")
    assert result.move in best
    solution = cn.solve(position, seconds=60)
    assert (solution.value, solution.status) == (score, "proven")
    assert solution.move in best
    end = position
    for move in solution.line:
        end = end.play(move)
    assert end.outcome == score


@pytest.mark.parametrize(
    ("board", "score", "best"),
    [HARD[0], *(pytest.param(*case, marks=pytest.mark.verify) for case in HARD[1:])],
    ids=range(40, 45),
)
def test_hard_end_games(board: str, score: int, best: set[str]) -> None:
    position = GAME.position(board)
    solution = cn.solve(position)
    sign = 1 if position.to_move == "max" else -1
    assert (solution.value, solution.status) == (sign * score, "proven")
    assert solution.move in best


def test_both_colours_get_the_same() -> None:
    board, score, _ = FFO[4]
    swapped = GAME.position(board).swapped()
    assert swapped is not None
    assert cn.search(swapped, "alpha-beta", table=True, seconds=60).value == -score


@pytest.mark.parametrize(
    "search", ["best-first", "conspiracy", "df-pn", "proof-number", "minmax-approximation", "end-game"]
)
def test_searches_agree_on_the_last_moves(search: str) -> None:
    for seed in range(12):
        line = list(random_line(GAME.start(), Random(seed), 100))
        position = line[-7]
        exact = cn.search(position, "alpha-beta", table=True, seconds=60).value
        result = cn.search(position, search, expansions=100_000)
        if result.won is None:
            assert (result.value, result.status) == (exact, "proven")
        else:
            assert result.won == (exact > 0 if position.to_move == "max" else exact >= 0)


def test_a_pass_is_a_move_alone() -> None:
    passes = 0
    for seed in range(60):
        for position in random_line(GAME.start(), Random(seed), 100):
            if "pass" in position.moves():
                passes += 1
                after = position.play("pass")
                assert position.moves() == ["pass"]
                assert after.moves() != ["pass"]
                assert after.to_move != position.to_move
                assert after.notation()[:64] == position.notation()[:64]
    assert passes > 20


@pytest.mark.parametrize(
    ("moves", "outcome"),
    [
        ("e6f4e3f6g5d6e7f5c5", 64),
        ("f5f6c4f4e6d6d7", None),
        ("", None),
    ],
)
def test_results(moves: str, outcome: float | None) -> None:
    assert GAME.position(moves).outcome == outcome


@pytest.mark.parametrize(
    ("board", "outcome"),
    [
        ("X" * 62 + "--", 64),
        ("-" + "X" * 40 + "-" + "O" * 22, None),
        ("--" + "O" * 60 + "--", -64),
        ("X" * 32 + "O" * 32, 0),
        ("X" * 40 + "O" * 24, 16),
    ],
)
def test_empty_squares_go_to_the_winner(board: str, outcome: float | None) -> None:
    for side in "XO":
        assert GAME.position(f"{board} {side}").outcome == outcome


@pytest.mark.parametrize(
    ("notation", "words"),
    [
        ("f5d6a1", "a1 at move 3 turns over no disc; the moves there are"),
        ("f5f5", "f5 at move 2 is on a disc"),
        ("pass", "pass at move 1 is not allowed; the moves there are d3 c4 f5 e6"),
        ("z1", "bad move 'z1' at move 1; write squares a1 to h8"),
        ("f5\x1cd6", "bad move .*u{1c}d' at move 2"),
        ("f5 d6 9", "bad move '9' at move 3"),
        ("XO", "the board has 2 squares; write 64"),
        (f"{'-' * 64} X", "d4 is empty"),
        (f"{'X' * 64}", "write the side to move"),
    ],
)
def test_bad_notation(notation: str, words: str) -> None:
    with pytest.raises(cn.PositionError, match=words) as caught:
        GAME.position(notation)
    assert is_one_line(caught.value)
