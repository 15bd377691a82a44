"""Collections of chess problems, and moves as people write them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import conspirator as cn
import conspirator.epd as module
from command_line import Run, complaint_of, facts_of, result_of, runner
from conspirator.epd import Attempt, Problem, read_problem, read_problems, solve_problem

BACK_RANK = "6k1/5ppp/8/8/8/8/8/R3K3 w - -"
MATES = Path(__file__).parent / "data/chess/mates.epd"


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    return runner(capsys, monkeypatch, tmp_path)


@pytest.mark.parametrize(
    ("rest", "best", "avoid", "mate", "name"),
    [
        ("bm Ra8#; id \"one\";", ["Ra8#"], [], None, "one"),
        ("bm Ra8", ["Ra8#"], [], None, "7"),
        (" ; bm Ra8 + ; id BK.01 \x00", ["Ra8#"], [], None, "BK.01"),
        ("0 1 bm a1a8!; c0 \"a; b\"; id \"two\";", ["Ra8#"], [], None, "two"),
        ("3 12 am Ra7 Rb1; id x;", [], ["Ra7", "Rb1"], None, "x"),
        ("dm 1; bm Ra8; am Ra2;", ["Ra8#"], ["Ra2"], 1, "7"),
        ("bm Ra8, Ra7;", ["Ra8#", "Ra7"], [], None, "7"),
    ],
)  # fmt: skip
def test_lines(rest: str, best: list[str], avoid: list[str], mate: int | None, name: str) -> None:
    problem = read_problem(f"{BACK_RANK} {rest}", 7)
    assert (problem.best, problem.avoid, problem.mate, problem.name) == (best, avoid, mate, name)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("hello", "this is not EPD"),
        ("8/8 w - - bm e4;", "8/8"),
        (f"{BACK_RANK} bm Ra9;", "Ra9"),
        (f"{BACK_RANK} id \"nothing\";", "nothing is asked"),
        (f"{BACK_RANK} bm;", "nothing is asked"),
        (f"{BACK_RANK} dm soon;", "dm is a number of moves, not soon"),
        (f"{BACK_RANK} dm 0;", "dm is a number of moves, not 0"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - dm 1;", "the game is over there"),
    ],
)  # fmt: skip
def test_lines_that_cannot_be_read(line: str, message: str) -> None:
    with pytest.raises(cn.PositionError, match=message):
        read_problem(line)


def test_our_mates_are_all_solved() -> None:
    problems, wrong = read_problems(MATES)
    player = cn.players("chess")["captures"].but(nodes=10_000_000)
    attempts = [solve_problem(problem, player) for problem in problems]
    assert (len(attempts), wrong) == (30, {})
    for attempt in attempts:
        assert attempt.solved
        assert attempt.mate == attempt.problem.mate
        assert attempt.line[-1].endswith("#")


@pytest.mark.parametrize(
    ("rest", "solved"),
    [("bm Ra8", True), ("bm Kd2 Ra8", True), ("bm Kd2", False), ("am Ra8", False), ("am Kd2", True),
     ("am Ra8; dm 1;", False), ("dm 1;", True)],
)  # fmt: skip
def test_what_is_solved(rest: str, solved: bool) -> None:
    attempt = solve_problem(read_problem(f"{BACK_RANK} {rest}"), cn.Player("alpha-beta", nodes=1000))
    assert (attempt.move, attempt.solved) == ("Ra8#", solved)


def test_a_mate_that_is_not_there() -> None:
    problem = read_problem("6k1/8/8/8/8/8/R7/1R2K3 w - - dm 1;")
    attempt = solve_problem(problem, cn.Player("alpha-beta", nodes=1000))
    assert (attempt.solved, attempt.mate) == (False, None)


def test_the_command(run: Run) -> None:
    output = result_of(run, "epd problems.epd --nodes 2000")
    rows = {line.partition("  ")[0]: line for line in output.splitlines()}
    assert rows["back rank"].split()[:5] == ["back", "rank", "Ra8#", "Ra8#", "solved"]
    assert "mate in 2" in rows["two rooks"]
    assert "3 of 4 solved (75%)" in output
    assert "line 7 was left out: the board '8/8/8/8/8/8/8/8' is not possible" in output
    assert "back rank" not in result_of(run, "epd problems.epd --nodes 2000 --failed")
    facts = facts_of(run, "epd problems.epd --nodes 2000")
    assert (facts["solved"], facts["tried"], list(facts["unreadable"])) == (3, 4, ["7"])
    first = facts["problems"][0]
    assert (first["id"], first["bm"], first["move"], first["solved"]) == ("back rank", ["Ra8#"], "Ra8#", True)
    assert (facts["problems"][2]["dm"], facts["problems"][2]["mate"]) == (2, 2)


def test_ctrl_c_shows_what_was_done(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    solve, asked = module.solve_problem, list[Problem]()

    def interrupted(problem: Problem, player: cn.Player) -> Attempt:
        asked.append(problem)
        if len(asked) == 3:
            raise KeyboardInterrupt
        return solve(problem, player)

    monkeypatch.setattr(sys.modules["conspirator.cli.epd"], "solve_problem", interrupted)
    output = result_of(run, "epd problems.epd --nodes 2000")
    assert "2 of 2 solved (100%)" in output
    assert "interrupted: 2 not tried" in output


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("epd", "missing argument"),
        ("epd none.epd", "cannot read the problems none.epd"),
        ("epd nim.py", "nim.py has no problems: line 2: this is not EPD"),
        ("epd problems.epd --player network", "there is no player"),
        ("epd problems.epd --search magic", "unknown search 'magic'"),
    ],
)
def test_bad_input_is_one_line(run: Run, line: str, words: str) -> None:
    assert words in complaint_of(run, line)


# moves as people write them


def test_analyze_solve_and_play_write_moves_as_people_do(run: Run) -> None:
    board = "'6k1/8/8/8/8/8/R7/1R2K3 w - - 0 1'"
    for line in (
        f"analyze chess --position {board} --search best-first --nodes 5k",
        f"solve chess --position {board}",
    ):
        output = result_of(run, line)
        assert "Rb7" in output
        assert "b1b7" not in output
        facts = facts_of(run, line)
        assert (facts["move"], facts["line"][0], facts["san"][0]) == ("b1b7", "b1b7", "Rb7")
        assert facts["san"][-1].endswith("#")
    facts = facts_of(run, f"analyze chess --position {board} --nodes 200k")
    assert facts["mate"]["moves"] == 2
    assert facts["mate"]["san"][-1].endswith("#")
    assert "mate in 2  Rb7" in result_of(run, f"analyze chess --position {board} --nodes 200k")
    assert facts_of(run, "analyze chess --nodes 100")["mate"] is None
    output = result_of(run, "blunders chess 'f3 e5 g4 Qh4' --by proof --nodes 20k")
    assert "Qh4#" in output
    output = result_of(run, f"play chess --position {board} --nodes 2k", "moves\nhint\nRb7\nquit\n")
    game, _, command = output.partition("To go on later")
    assert "Rb7" in game
    assert "b1b7" not in game
    assert "b1b7" in command
