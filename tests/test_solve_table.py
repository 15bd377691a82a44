"""The table of a proof in a file: it goes on where it was, whenever it was killed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import conspirator as cn
from conspirator import _native

OPENING = cn.games.Hex(size=6).position("a3")
KILLED = """
import os, signal, sys
import conspirator as cn
from conspirator import _solve, _solve_table

path, stage, number = sys.argv[1], sys.argv[2], int(sys.argv[3])
_solve.FIRST_PART = _solve.LAST_PART = 0.01
_solve_table.SHORTEST = _solve_table.LONGEST = 0.0
die = lambda *rest: os.kill(os.getpid(), signal.SIGKILL)
whole = _solve_table.DiskTable._write
written = 0

def write(table):
    global written
    written += 1
    if written == number:
        if stage == "half":
            table.path.with_name(f".{table.path.name}.new").write_bytes(b"conspirator table 1")
            die()
        if stage == "synced":
            os.fsync = die
        whole(table)
        die()
    whole(table)

_solve_table.DiskTable._write = write
cn.solve(cn.games.Hex(size=6).position("a3"), table=path)
"""


def test_a_solution_goes_on_where_it_was(tmp_path: Path) -> None:
    path = tmp_path / "hex.table"
    whole = cn.solve(OPENING)
    begun = cn.solve(OPENING, expansions=whole.expansions // 2, table=path)
    assert (begun.status, begun.outcome) == ("budget", None)
    rest = cn.solve(OPENING, table=path)
    assert (rest.outcome, rest.status) == (whole.outcome, "proven")
    assert rest.expansions < whole.expansions
    again = cn.solve(OPENING, table=path)
    assert again.expansions < whole.expansions / 10


def test_every_question_has_its_facts(tmp_path: Path) -> None:
    position = cn.games.ConnectFour().position(".O...../.X...../OO....O/XXXO..X/OOOXX.O/XXXOX.O X")
    path = tmp_path / "draw.table"
    first = cn.solve(position, table=path)
    again = cn.solve(position, table=path)
    assert again.value == first.value
    assert [question.goal for question in again.questions] == [question.goal for question in first.questions]
    assert again.expansions < first.expansions / 10


def test_whenever_it_is_killed_the_file_is_whole(tmp_path: Path) -> None:
    path, expected = tmp_path / "hex.table", cn.solve(OPENING).value
    for kill in range(20):
        command = [
            sys.executable,
            "-c",
            KILLED,
            str(path),
            ["half", "synced", "whole"][kill % 3],
            str(1 + kill % 2),
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == -9, done.stderr
        if path.exists():
            cn.solve(OPENING, expansions=1, table=path)  # or an error
    assert cn.solve(OPENING, table=path).value == expected
    assert sorted(file.name for file in tmp_path.iterdir()) == ["hex.table"]


MISTAKES = [
    (lambda path: path.write_bytes(b"something else"), {}, "no table, or it is damaged"),
    (lambda path: path.write_bytes(path.read_bytes()[:-1]), {}, "no table, or it is damaged"),
    (lambda path: None, {"position": cn.games.Hex(size=6).position("a2")}, "another position"),
    (lambda path: None, {"position": cn.games.Hex(size=5).start()}, "another options"),
    (lambda path: None, {"evaluator": "resistance"}, "another evaluator"),
]


@pytest.mark.parametrize(("damage", "other", "words"), MISTAKES)
def test_another_table_is_refused(
    damage: object, other: dict[str, object], words: str, tmp_path: Path
) -> None:
    path = tmp_path / "hex.table"
    cn.solve(OPENING, expansions=10, table=path)
    assert callable(damage)
    damage(path)
    position = other.pop("position", OPENING)
    assert isinstance(position, cn.Position)
    with pytest.raises(cn.ArgumentError, match=words):
        cn.solve(position, expansions=10, table=path, **other)  # type: ignore[arg-type]


def test_only_one_search_has_a_table_that_is_kept(tmp_path: Path) -> None:
    with pytest.raises(cn.ArgumentError, match="only the table of df-pn"):
        cn.solve(OPENING, "proof-number", table=tmp_path / "x.table")


def test_progress_tells_how_far_the_proof_is() -> None:
    seen: list[tuple[int, int, int, int]] = []
    cn.solve(
        cn.games.Hex(size=7).position("a3"),
        expansions=4000,
        progress=lambda facts: seen.extend(filter(None, [facts["standing"]])),
    )
    for proof, disproof, settled, moves in seen:
        assert proof > 0
        assert disproof > 0
        assert 0 <= settled < moves


@pytest.mark.parametrize("threads", [1, 2])
def test_what_threads_are_expected_to_find_out_is_not_told(threads: int) -> None:
    position = cn.games.Hex(size=7).position("a3")
    core = _native.Search(position, "df-pn", {"threads": threads}, "knowledge", False)
    for _ in range(6):
        core.run({"expansions": 500})
        standing = core.standing()
        assert standing is not None
        proof, disproof, settled, moves = standing
        assert proof > 0
        assert disproof > 0
        assert 0 <= settled < moves
