"""The tournament of Hex players: it is kept and goes on, and engines of others play too."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

import conspirator as cn
from command_line import Run, complaint_of, facts_of, runner
from conspirator.experiments.pawlewicz_hex import agrees, openings, read_opponent, versions
from conspirator.experiments.report import Mean
from conspirator.matches import MatchResult, Store

ENGINE = shlex.join(
    [sys.executable, "-m", "conspirator", "gtp", "--game", "hex", "--search", "best-first", "--nodes", "50"]
)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    return runner(capsys, monkeypatch, tmp_path)


def stored(folder: Path) -> MatchResult:
    (path,) = folder.glob("pawlewicz-hex-*.db")
    with Store.open(path) as store:
        return MatchResult.read(store)


def test_it_is_kept_and_goes_on(tmp_path: Path) -> None:
    report = cn.reproduce("pawlewicz-hex", quick=True, out=tmp_path, processes=2)
    result = stored(tmp_path)
    assert result.games == result.planned == 90
    assert {record.reason for record in result.records} == {"over"}
    assert [row[0] for row in report.rows] == ["30 s", "8 min"]
    assert report.columns[2:7] == list(cn.players("hex"))
    assert {path.suffix for path in report.files} == {".csv", ".json", ".svg", ".png"}
    told: list[str] = []
    again = cn.reproduce(
        "pawlewicz-hex", quick=True, out=tmp_path, progress=lambda _fraction, what: told.append(what)
    )
    assert again.rows == report.rows
    assert not told, "no game is played again"


def test_engines_of_others_play_too(run: Run, tmp_path: Path) -> None:
    pace = f"--opponent {shlex.quote(ENGINE)}"
    timed = f"Other=gtp:setup=set_time {{seconds}},command={ENGINE}"
    line = f"reproduce pawlewicz-hex --quick --out out {pace} --opponent {shlex.quote(timed)}"
    facts = facts_of(run, line)
    assert facts["columns"][2:8] == [*cn.players("hex"), "Other"]
    assert any(note.startswith("engine 1, at its own pace: ") for note in facts["notes"])
    assert shlex.quote(timed) in facts["command"]
    result = stored(tmp_path / "out")
    assert result.names[10:] == ["engine 1", "Other 30 s", "Other 8 min"]
    assert result.games == 13 * 12
    assert "setup=set_time 0.0006" in result.definition["players"][11]


def test_games_that_an_engine_failed_are_told_and_prove_nothing(tmp_path: Path) -> None:
    """It answers everything but a request for a move, and ends there."""
    code = (
        "import sys\nfor line in sys.stdin:\n    if 'genmove' in line: break\n    print('=\\n', flush=True)"
    )
    engine = shlex.join([sys.executable, "-c", code])
    report = cn.reproduce("pawlewicz-hex", quick=True, out=tmp_path, opponents=[f"Ill=gtp:{engine}"])
    assert not report.agrees
    assert any("an engine that failed, whoever stood better: Ill 20." in note for note in report.notes)
    assert sum(record.reason.startswith("forfeit: ") for record in stored(tmp_path).records) == 20


def test_the_openings_are_those_of_the_paper() -> None:
    listed = openings(11)
    assert len(set(listed)) == len(listed) == 40
    assert {"a2", "k2", "a10", "k10", "b1", "j1", "b11", "j11"} <= set(listed)
    assert not {"a1", "k1", "a11", "k11", "f6"} & set(listed)


def test_everybody_at_every_time() -> None:
    players = versions(["30 s", "8 min"], 0.01, ["x --time {seconds}", "y"])
    assert [version.player.name for version in players][-3:] == [
        "engine 1 30 s",
        "engine 1 8 min",
        "engine 2",
    ]
    assert [version.kind for version in players[:-3:2]] == list(cn.players("hex"))
    assert all(version.player.command is None for version in players[:-3]), "nobody is a program of its own"
    assert players[1].player.budget == cn.Budget(cpu_seconds=4.8)
    assert players[-2].player.command == "x --time 4.8"
    assert read_opponent("A=gtp:mohex", 1, 1).command == "mohex"


@pytest.mark.parametrize(
    ("time", "mohex", "wolve", "verdict"),
    [
        ("30 s", -50, 50, True),
        ("30 s", 50, 50, False),
        ("30 s", 15, 50, True),
        ("2 min", 50, 50, True),
        ("2 min", -50, 50, True),
        ("8 min", 50, 50, True),
        ("8 min", -15, -15, True),
        ("8 min", -50, 50, False),
        ("8 min", 50, -50, False),
    ],
)
def test_verdicts(time: str, mohex: float, wolve: float, verdict: bool) -> None:
    assert agrees(time, Mean(mohex, 10), Mean(wolve, 10)) is verdict


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("reproduce --opponent x", "--opponent goes with the name of a tournament"),
        ("reproduce lister-table-3 --opponent x", "lister-table-3 has no place for opponents"),
        ("reproduce pawlewicz-hex --quick --opponent /no/such/engine", "cannot start the engine"),
        ("reproduce pawlewicz-hex --quick --opponent A=gtp:level=3,command=x", "no setting 'level'"),
    ],
)
def test_bad_opponents_are_told(run: Run, line: str, words: str) -> None:
    assert words in complaint_of(run, line)
