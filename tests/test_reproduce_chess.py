"""Chess problems: the collections, how they are read, and the report of a quick look."""

from __future__ import annotations

import chess
import pytest

import conspirator as cn
from conspirator.experiments import lister_chess
from conspirator.experiments.lister_chess import Problem, Solution, read_problems, solve

MATE = '6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra8#; id "mate";'


def test_all_problems_are_there_and_their_best_moves_are_legal() -> None:
    problems = lister_chess.problems()
    assert [sum(p.name.startswith(kind) for p in problems) for kind in ("WAC.", "BK.")] == [300, 24]
    assert len({problem.name for problem in problems}) == 324
    for problem in problems:
        board = chess.Board(f"{problem.board} 0 1")
        assert board.is_valid()
        legal = {move.uci() for move in board.legal_moves}
        assert problem.best
        assert problem.best <= legal
        assert problem.best != legal


@pytest.mark.parametrize(
    ("line", "best"),
    [
        (MATE, {"a1a8"}),
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra8 Ra7;", {"a1a8", "a1a7"}),
        ("7k/p7/8/8/8/8/8/K7 w - - am Ka2 Kb2;", {"a1b1"}),
        ("7k/p7/8/8/8/8/8/K7 w - - am Ka2; bm Kb1;", {"a1b1"}),
    ],
)
def test_reading(line: str, best: set[str]) -> None:
    (problem,) = read_problems(f"# a remark\n\n{line}\n")
    assert problem.best == best


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("nonsense", "line 1: "),
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra9;", "line 1: "),
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - -", "name the best moves"),
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - id 5;", "name the best moves"),
    ],
)
def test_bad_problems_are_errors_of_one_line(line: str, words: str) -> None:
    with pytest.raises(cn.ArgumentError, match=words) as caught:
        read_problems(line)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("search", lister_chess.GROWN)
def test_a_mate_in_one_is_found_at_once(search: str) -> None:
    (problem,) = read_problems(MATE)
    found = solve(problem, search, 100, sort=True)
    assert found is not None
    assert found.expansions <= lister_chess.FIRST
    wrong = Problem("wrong", problem.board, frozenset({"a1a2"}))
    assert solve(wrong, search, 100, sort=True) is None


def test_rows_compare_what_both_rules_solve() -> None:
    found: lister_chess.Found = {
        (True, "conspiracy"): [Solution(100, 3), None, Solution(300, 4)],
        (True, "improved-conspiracy"): [Solution(50, 2), Solution(9, 2), Solution(100, 3)],
        (True, "best-first"): [None, None, Solution(10, 0)],
    }
    assert lister_chess.compare(found, True) == [
        ["by gain", "problems solved", 38, 40, 2, 3, 1, None, "yes"],
        ["by gain", "solved by both rules", None, None, 2, 2, None, None, None],
        ["by gain", "mean threshold", 2.74, 2.47, 3.5, 2.5, None, None, "yes"],
        ["by gain", "mean expansions", 69_987, 46_582, 200, 75, None, None, "yes"],
        ["by gain", "median expansions", None, None, 200, 75, None, None, None],
    ]


def test_a_quick_look() -> None:
    report = cn.reproduce("lister-chess", quick=True, games=20, seconds=1e-6)
    assert report.command == "conspirator reproduce lister-chess --quick --games 20 --seconds 1e-06"
    assert [row[1] for row in report.rows[:5]] == [row[1] for row in report.rows[5:10]]
    assert len(report.rows) == 10 + len(lister_chess.PARTS)
    for row in report.rows:
        assert len(row) == len(report.columns)
        if "solved" in str(row[1]):
            assert all(0 <= cell <= 20 for cell in row[4:8] if isinstance(cell, int))
    sizes = [row[4] for row in report.rows if row[1] == "solved by both rules"]
    assert all(isinstance(size, int) and size > 5 for size in sizes)
    with pytest.raises(cn.ArgumentError, match="there are 324 problems, not 325"):
        cn.reproduce("lister-chess", games=325)
