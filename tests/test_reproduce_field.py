"""The great round robin: who plays, which games are played, what stops it, and what comes out."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import conspirator as cn
from conspirator.experiments import field, field_players
from conspirator.experiments.field_players import ARENAS, FORMS, LEFT_OUT, entrants
from conspirator.matches import Score, Standings, Store, rate
from conspirator.matches.informative import Informative, gain

QUICK: dict[str, Any] = {"quick": True, "only": ["connect-four"], "cpu_hours": 0.0002}


def test_every_search_plays_or_there_is_a_reason() -> None:
    players, left_out = entrants(ARENAS["connect-four"], 0.01)
    assert {str(player.search) for player in players} | left_out.keys() == set(cn.searches())
    assert left_out == dict(LEFT_OUT)
    assert set(FORMS) <= set(cn.searches())


def test_a_search_that_refuses_a_game_is_left_out_with_its_reason() -> None:
    players, left_out = entrants(ARENAS["amazons 6x6"], 0.01)
    assert "relevance" not in [player.name for player in players]
    assert "error model" in left_out["relevance"]


def test_a_new_search_plays_with_its_defaults(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(field_players.FORMS, "minmax-approximation")
    players, _ = entrants(ARENAS["connect-four"], 0.01)
    found = next(player for player in players if player.search == "minmax-approximation")
    assert str(found) == "minmax-approximation=minmax-approximation:evaluator=segments,cpu_seconds=0.01"


@pytest.mark.parametrize("name", [name for name, arena in ARENAS.items() if not arena.is_open_spiel])
def test_openings_are_balanced_and_different(name: str) -> None:
    arena = ARENAS[name]
    openings = arena.openings(4, 1)
    assert len(set(openings)) == len(openings) == 4
    for opening in openings:
        assert len(opening.split()) == arena.plies
        assert arena.made.position(opening).outcome is None


def test_the_quick_form_gives_all_tables(tmp_path: Path) -> None:
    report = cn.reproduce("field", out=tmp_path, **QUICK)
    assert report.agrees
    games = [row[0] for row in report.rows]
    assert set(games) == {"all", "connect-four"}
    players = {str(player.search) for player in entrants(ARENAS["connect-four"], 0.001)[0]}
    assert {str(row[2]).partition(" modern")[0] for row in report.rows} <= players
    for table in ("all", "connect-four"):
        rows = [dict(zip(report.columns, row, strict=True)) for row in report.rows if row[0] == table]
        elo: list[Any] = [row["Elo"] for row in rows]
        assert elo == sorted(elo, reverse=True)
        assert all(int(str(row["95 %"])) > 0 for row in rows)
        assert sum(int(str(row["wins"])) - int(str(row["losses"])) for row in rows) == 0
    assert report.command == "conspirator reproduce field --quick --cpu-hours 0.0002 --game connect-four"
    lines = (tmp_path / "field.md").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 2 + len(report.rows)
    assert json.loads((tmp_path / "field.json").read_text(encoding="utf-8"))["rows"]


def test_the_same_command_goes_on(tmp_path: Path) -> None:
    def played() -> int:
        (file,) = tmp_path.glob("*.db")
        with Store.open(file) as store:
            return store.count()[0]

    cn.reproduce("field", out=tmp_path, **QUICK)
    first = played()
    cn.reproduce("field", out=tmp_path, **QUICK)
    assert played() == first > 0  # the time is spent
    cn.reproduce("field", out=tmp_path, **QUICK | {"cpu_hours": 0.0004})
    assert played() > first


def test_colours_are_exchanged_and_budgets_kept(tmp_path: Path) -> None:
    cn.reproduce("field", out=tmp_path, **QUICK)
    (file,) = tmp_path.glob("*.db")
    with Store.open(file) as store:
        records = list(store.records())
        assert 0.0002 * 3600 <= store.spent(0.001) < 0.0002 * 3600 + 0.1
        assert store.spent(1e-9) < store.spent(0.001) <= sum(sum(r.statistics["seconds"]) for r in records)
    sides = Counter((record.max_player, record.min_player, record.opening) for record in records)
    odd = [key for key in sides if sides[key] != sides[key[1], key[0], key[2]]]
    assert len(odd) <= 1  # the last game may lack its other half


def test_ctrl_c_keeps_what_there_is(tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "conspirator",
        "reproduce",
        "field",
        "--game",
        "connect-four",
        "--seconds",
    ]
    command += ["0.001", "--cpu-hours", "1", "--out", str(tmp_path), "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        while process.poll() is None:
            files = list(tmp_path.glob("*.db"))
            if files and _games(files[0]) >= 4:
                break
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=60)
    assert process.returncode == 130, errors
    facts = json.loads(output)
    assert facts["rows"]
    assert any("was stopped" in note for note in facts["notes"])
    assert not facts["agrees"]


def _games(file: Path) -> int:
    try:
        with Store.open(file) as store:
            return store.count()[0]
    except cn.ConspiratorError:  # it is being made
        return 0


@pytest.mark.parametrize(
    ("name", "settings", "message"),
    [
        ("field", {"only": ["chess", "go"]}, "the field has no game 'go'; there are connect-four, othello"),
        ("field", {"cpu_hours": 0}, "cpu_hours must be a positive number, not 0"),
        ("field", {"games": 4}, "field has no sample"),
        ("lister-table-3", {"cpu_hours": 1}, "leave out cpu_hours"),
        ("lister-table-3", {"on": "ray"}, "leave out on"),
        ("lister-table-3", {"only": ["chess"]}, "leave out only"),
        ("calibration", {"only": ["go"]}, "the calibration has no game 'go'; there are connect-four, "),
    ],
)
def test_mistakes(name: str, settings: dict[str, Any], message: str) -> None:
    with pytest.raises(cn.ArgumentError, match=message):
        cn.reproduce(name, quick=True, **settings)


# Which game tells most


def test_near_and_uncertain_pairs_come_first() -> None:
    even, uneven = Score(10, 10), Score(19, 1)
    rated = rate(3, {(0, 1): even, (0, 2): uneven, (1, 2): uneven})
    assert gain(rated, 0, 1) > gain(rated, 0, 2)
    rated = rate(3, {(0, 1): Score(100, 100), (0, 2): Score(2, 2), (1, 2): Score(2, 2)})
    assert gain(rated, 0, 2) > gain(rated, 0, 1)


def test_a_half_pair_is_finished_first_and_games_in_progress_count() -> None:
    with Store(None) as store:
        chooser = Informative(store, 1.0, 1.0)
        standings = Standings(["A", "B", "C"], 100)
        standings.update([(0, 1, 2, 0.5)])
        assert chooser.ranking(standings)[0] == (1, 2)
        standings.update([(1, 2, 1, 0.5)])
        chooser.given = {2: (0, 1), 3: (0, 1)}
        assert chooser.ranking(standings)[0] == (0, 2)


def test_all_games_together_are_means_of_ratings() -> None:
    """A and B are far apart in one game, and the other way round in another: together they are equal."""
    one, _ = field.rated(["A", "B"], {(0, 1): Score(9, 1)})
    two, _ = field.rated(["B", "A"], {(0, 1): Score(9, 1)})
    assert [one[0].name, two[0].name] == ["A", "B"]
    assert one[0].elo == two[0].elo > 100
    mean = {player.name: player for player in field.means([one, two])}
    assert [mean["A"].elo, mean["B"].elo] == pytest.approx([0, 0], abs=1e-6)
    assert mean["A"].score == mean["B"].score == Score(10, 10)
    assert mean["A"].variance == pytest.approx((one[0].variance + two[1].variance) / 4)


def test_who_has_not_played_is_in_no_table() -> None:
    players, _ = field.rated(["A", "B", "C"], {(0, 1): Score(9, 1)})
    assert [player.name for player in players] == ["A", "B"]
