"""`conspirator tune`: it finds what is better, goes on from its file, and says what is wrong."""

from __future__ import annotations

import sqlite3
import sys
from pathlib import Path
from typing import Any

import pytest

import conspirator as cn
from command_line import Run, complaint_of, facts_of, result_of, runner
from conspirator.matches.tune import Choice, Range, Tuned, read_space, tune

pytest.importorskip("optuna")

LINE = "tune connect-four best-first:nodes=9 best-first:nodes=99 --vary nodes=9:300:log --games 4"


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    return runner(capsys, monkeypatch, tmp_path)


def test_more_is_better() -> None:
    """A player that may have more nodes, or fewer, takes more of them."""
    seen: list[Tuned] = []
    found = tune(
        "best-first:expansions=1", ["best-first:expansions=30"],
        vary={"expansions": Range(1, 300, log=True)}, trials=8, games=10, progress=seen.append,
    )  # fmt: skip
    assert found.points > 0.6
    assert found.parameters["expansions"] > 30
    assert found.player == cn.Player("best-first", expansions=found.parameters["expansions"], name="tuned")
    assert [best.trials for best in seen] == list(range(1, 9))
    assert [best.points for best in seen] == sorted(best.points for best in seen)


def test_the_points_are_those_of_a_match() -> None:
    found = tune(
        "minmax-approximation:nodes=99",
        ["best-first:nodes=99"],
        vary=["means=exact|reverse"],
        trials=2,
        games=6,
    )
    again = cn.match([found.player, "best-first:nodes=99"], games=6)
    assert again.score("tuned").points == found.points
    assert found.parameters["means"] in ("exact", "reverse")


def test_going_on(run: Run) -> None:
    assert facts_of(run, f"{LINE} --trials 2 --store trials.db")["trials"] == 2
    facts = facts_of(run, f"{LINE} --trials 5 --store trials.db --concurrency 2")
    assert facts["trials"] == 5
    with sqlite3.connect("trials.db") as db:
        assert db.execute("SELECT count(*) FROM trials").fetchone() == (5,)
    output = result_of(run, f"{LINE} --trials 5 --store trials.db")
    assert output.splitlines()[0] == facts["player"]
    assert "the best of 5 trials" in output
    code, _, errors = run(f"{LINE} --trials 5 --store trials.db --plies 3")
    assert (code, errors) == (2, "error: trials.db has other trials: their match differs; use another file\n")


@pytest.mark.parametrize(
    ("text", "space"),
    [
        ("p=1:8", ("p", Range(1, 8))),
        ("first-depth=1:2k", ("first_depth", Range(1, 2000))),
        ("x = 0.5 : 2", ("x", Range(0.5, 2))),
        ("x=-1:1", ("x", Range(-1, 1))),
        ("t=true|false|none", ("t", Choice((True, False, None)))),
    ],
)
def test_what_is_varied(text: str, space: Any) -> None:
    assert read_space(text) == space
    name, where = read_space(text)
    assert read_space(f"{name}={where}".lower()) == space


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("tune connect-four best-first:nodes=9 --vary nodes=1:9", "missing argument 'OPPONENT...'"),
        ("tune connect-four best-first:nodes=9 best-first:nodes=99", "missing option '--vary'"),
        (f"{LINE} --vary step", "written as name=low:high"),
        (f"{LINE} --vary step=1", "written as name=low:high"),
        (f"{LINE} --vary step=1:2:lin", "written as name=low:high"),
        (f"{LINE} --vary step=1:2:log:log", "written as name=low:high"),
        (f"{LINE} --vary =1:2", "written as name=low:high"),
        (f"{LINE} --vary step=2:1", "from a lower to a higher"),
        (f"{LINE} --vary step=0:1:log", "begins above 0"),
        (f"{LINE} --vary step=1:2", "step"),
        (f"{LINE} --trials 0", "not a whole number"),
        (f"{LINE} --store nowhere/trials.db", "there is no folder nowhere"),
        (f"{LINE} --store nim.py", "cannot use nim.py"),
        (LINE.replace("best-first:nodes=9 ", "uci:engine "), "has no parameters to tune"),
        (LINE.replace("connect-four", "conect-four"), "did you mean 'connect-four'?"),
    ],
)
def test_bad_input_is_one_line(run: Run, line: str, words: str) -> None:
    assert words in complaint_of(run, line)


def test_bad_arguments(monkeypatch: pytest.MonkeyPatch) -> None:
    player = "best-first:nodes=9"
    for arguments, words in (
        ({"opponents": []}, "needs an opponent"),
        ({"vary": []}, "something to vary"),
        ({"vary": ["x=1|"], "trials": 0}, "trials must be"),
        ({"vary": {"x": Choice((1, 2))}, "trials": True}, "trials must be"),
    ):
        with pytest.raises(cn.ArgumentError, match=words):
            tune(player, **{"opponents": ["best-first:nodes=99"], "vary": ["nodes=1:9"], **arguments})  # type: ignore[arg-type]
    with pytest.raises(cn.ArgumentError, match="at least two values"):
        Choice((1,))
    monkeypatch.setitem(sys.modules, "optuna", None)
    with pytest.raises(cn.ArgumentError, match=r"pip install optuna sqlalchemy"):
        tune(player, [player], vary=["nodes=1:9"])
