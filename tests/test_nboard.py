"""NBoard's protocol: what is said to each line, records of games, and that no line ends the server."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import conspirator as cn
from command_line import Run, result_of, runner
from conspirator.front_ends.nboard import Server, read_game
from helpers import random_line

START = "-" * 27 + "O*------*O" + "-" * 27
GAME = f"(;GM[Othello]PC[NBoard]PB[a]PW[b]RE[?]TI[15:00]TY[8]BO[8 {START} *]B[F5]W[F6/1.2/30]B[D3//10.5];)"
NO_BOARD = "status the game has no board of 8 x 8: BO[8, 64 squares, and * or O to move]"
ILLEGAL = "status 'a1' is not a legal move here; legal: d3, c4, f5, e6"
END_GAME = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X"
"""FFO 1: Black, to move, wins by 18 with g8."""


def listen(*lines: str, search: str | None = None) -> list[str]:
    """Return what a server says to the lines."""
    said: list[str] = []
    server = Server(said.append, f"{search}:nodes=20k" if search else None)
    for line in lines:
        server.hear(line)
    assert all(len(text.splitlines()) == 1 for text in said)
    return said


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    return runner(capsys, monkeypatch, tmp_path)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("nboard 2", ["set myname conspirator"]),
        ("set depth 12", ["set myname conspirator12"]),
        ("set depth " + "9" * 30, ["set myname conspirator60"]),
        ("set depth deep", []),
        ("set contempt 5", []),
        ("set game " + GAME, []),
        ("ping 31", ["pong 31"]),
        ("learn", ["learned"]),
        ("", []),
        ("what is this", []),
        ("move F5", []),
        ("move f5/1.0/2.5", []),
        ("move A1", [ILLEGAL]),
        ("set game (;GM[Go]BO[19];)", ["status the game is 'Go', not Othello"]),
        ("set game ", [NO_BOARD]),
        ("set game (;BO[10 " + "-" * 100 + " *];)", [NO_BOARD]),
        (f"set game (;BO[8 {START} *]W[F5];)", ["status F5 is played out of turn"]),
        (f"set game (;BO[8 {START} *]B[A1];)", [ILLEGAL]),
    ],
)  # fmt: skip
def test_answers(line: str, said: list[str]) -> None:
    assert listen(line) == said


def test_a_game_that_cannot_be_read_leaves_the_old_one() -> None:
    said = listen("set game " + GAME, "set game (;BO[8];)", "move D3", "move C5", "move C5")
    assert [text.partition(" ")[0] for text in said] == ["status", "status", "status"]
    assert "'d3' is not a legal move" in said[1]
    assert "'c5' is not a legal move" in said[2]


@pytest.mark.parametrize("search", [None, "best-first", "conspiracy"])
def test_go_says_a_legal_move_and_does_not_make_it(search: str | None) -> None:
    said = listen("set depth 5", "set game " + GAME, "go", "go", search=search)
    position = cn.games.Othello().position("f5f6d3")
    choices = [re.fullmatch(r"=== ([A-H][1-8])/-?\d+\.\d\d/\d+\.\d\d", text) for text in said]
    moves = [match[1].lower() for match in choices if match]
    assert len(moves) == 2
    assert set(moves) <= set(position.moves())
    lines = [text.split() for text in said if text.startswith("search ")]
    for words, move in zip(lines, moves, strict=True):
        assert words[1][:2].lower() == move
        assert (words[3], len(words)) == ("0", 5)
    if search is None:
        best = cn.search(position, "alpha-beta", table=True, depth=5, evaluator="network")
        assert lines[0][1].lower() == "".join(best.line)
        assert float(lines[0][2]) == pytest.approx(-best.value, abs=0.005)
        assert lines[0][4] == "5"


def test_a_solved_game_is_told_as_such() -> None:
    squares, player = END_GAME.split()
    board = squares.replace("X", "*")
    assert player == "X"
    said = listen("set depth 10", f"set game (;GM[Othello]BO[8 {board} *];)", "go", "hint 2")
    assert any(text.startswith("=== G8/18.00/") for text in said)
    hints = [text.split() for text in said if text.startswith("search ")]
    assert hints[0][4] == "100%"
    assert (hints[1][1][:2], hints[1][2], hints[1][4]) == ("G8", "18.00", "100%")
    assert hints[2][1][:2] != "G8"
    assert float(hints[2][2]) <= 18


def test_hints_are_from_the_side_of_the_player_to_move() -> None:
    said = listen("set depth 4", "set game " + GAME, "hint 60")
    position = cn.games.Othello().position("f5f6d3")
    hints = [text.split() for text in said if text.startswith("search ")]
    assert sorted(hint[1][:2].lower() for hint in hints) == sorted(position.moves())
    for hint in hints:
        after = position.play(hint[1][:2].lower())
        value = -cn.search(after, "alpha-beta", table=True, depth=3, evaluator="network").value
        assert float(hint[2]) == pytest.approx(value, abs=0.005)
    assert float(hints[0][2]) == max(float(hint[2]) for hint in hints)


def test_an_analysis_goes_back_through_the_game() -> None:
    said = listen("set depth 3", "set game " + GAME, "analyze")
    assert [text.split()[:2] for text in said[2:-1]] == [["analysis", str(made)] for made in (3, 2, 1, 0)]
    assert said[1] == "status thinking"
    assert said[-1] == "status waiting"


def test_passes_and_the_end() -> None:
    """Every random game can be written and read, with passes and without; at its end nothing is asked."""
    for seed in range(20):
        line = list(random_line(cn.games.Othello().start(), Random(seed), 130))
        moves = []
        for position, after in pairwise(line):
            move = next(move for move in position.moves() if position.play(move) == after)
            moves.append(
                (("B" if position.to_move == "max" else "W"), "PA" if move == "pass" else move.upper())
            )
        whole = "".join(f"{colour}[{move}]" for colour, move in moves)
        short = "".join(f"{colour}[{move}]" for colour, move in moves if move != "PA")
        for text in (whole, short):
            record = read_game(f"(;GM[Othello]BO[8 {START} *]{text};)")
            assert record.positions == line
    game = f"set game (;BO[8 {START} *]{whole};)"
    assert listen(game, "go") == ["status thinking", "status the game is over"]
    assert listen(game, "hint 3") == ["status thinking", "status waiting"]


@pytest.mark.parametrize(
    ("clock", "seconds"),
    [("15:00", 900), ("01:00:00", 3600), ("05:00//02:00", 300), ("", None), ("soon", None)],
)
def test_clocks(clock: str, seconds: float | None) -> None:
    record = read_game(f"(;TI[{clock}]BO[8 {START} *]B[F5//2.5]W[D6/x/y]B[C3//nan];)")
    assert record.clock == ({} if seconds is None else {"max": seconds - 2.5, "min": seconds})


WORDS = st.sampled_from(
    [
        "nboard",
        "set",
        "depth",
        "3",
        "game",
        GAME,
        "move",
        "F5",
        "PA",
        "f5/1",
        "hint",
        "ping",
        "go",
        "analyze",
        "²",
    ]
)
LINES = st.one_of(st.lists(WORDS, max_size=4).map(" ".join), st.text(max_size=30))


@settings(max_examples=60, deadline=None)
@given(lines=st.lists(LINES, max_size=10))
def test_no_line_ends_the_server(lines: list[str]) -> None:
    assert listen("set depth 2", *lines, "ping 9", search="best-first")[-1] == "pong 9"


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=60), st.text("AaBbCc12345678PA/[];", max_size=30))
def test_any_text_is_a_game_or_one_line_of_error(head: str, moves: str) -> None:
    for text in (head, f"(;BO[8 {START} *]B[{moves};)"):
        said = listen(f"set game {text}")
        assert said == [] or said[0].startswith("status ")


def test_the_command(run: Run) -> None:
    said = result_of(run, "nboard --nodes 100", "nboard 2\nset depth 3\ngo\nping 5\n").splitlines()
    assert said[0] == "set myname conspirator"
    assert said[-1] == "pong 5"
    code, _, errors = run("nboard --search best-frist")
    assert (code, errors) == (2, "error: unknown search 'best-frist'; did you mean 'best-first'?\n")
