"""The ladder of certificates: its quick part is found, written and checked, and agrees with what is known."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

import conspirator as cn
from conspirator.experiments.proofs import climb
from conspirator.experiments.rungs import BLACK_WINS, Rung, rungs


def test_the_quick_part_agrees() -> None:
    report = cn.reproduce("proofs", quick=True)
    assert report.agrees
    assert {str(row[0]).split()[0] for row in report.rows} == {
        *("Hex", "Connect-Four", "Othello,", "Amazons", "Chess")
    }


def test_the_whole_ladder_has_all_openings() -> None:
    names = [rung.name for rung in rungs(quick=False)]
    assert [sum(name.startswith(f"Hex {n}x{n}") for name in names) for n in BLACK_WINS] == [25, 36, 49, 33]
    assert "Othello FFO 40, 20 empty" in names
    assert "Connect-Four, the empty board" in names
    assert len(set(names)) == len(names)


def test_half_turns_of_openings_are_won_by_the_same_side() -> None:
    for size, wins in BLACK_WINS.items():
        last = ord("a") + size - 1
        turned = {f"{chr(last - ord(cell[0]) + ord('a'))}{size + 1 - int(cell[1:])}" for cell in wins.split()}
        assert turned == set(wins.split())


def test_what_is_not_found_in_time_is_said_to_be_so(tmp_path: Path) -> None:
    rung = Rung("hard", cn.games.Hex(size=9).position("a1"), -1, patience=1)
    row = climb(tmp_path, rung, 0.2).row()
    assert row[:4] == ["hard", "not within 0.2 s", None, None]
    assert isinstance(row[4], int)
    assert row[5:] == [None, None, None, ""]


def test_a_rung_without_a_certificate_is_only_found(tmp_path: Path) -> None:
    found = climb(tmp_path, Rung("easy", cn.games.Hex(size=4).position("a1"), -1, writes=False))
    assert (found.claims, found.size, found.check, found.agrees) == ("exactly -1", None, None, True)
    assert not list(tmp_path.iterdir())


def test_what_is_done_is_not_done_again(tmp_path: Path) -> None:
    first = cn.reproduce("proofs", quick=True, out=tmp_path)
    again = cn.reproduce("proofs", quick=True, out=tmp_path)
    assert again.rows == first.rows


def test_some_positions_can_be_chosen_and_solved_at_the_same_time(tmp_path: Path) -> None:
    report = cn.reproduce("proofs", only=["hex 5x5 a", "amazons"], processes=2, quick=True, out=tmp_path)
    assert report.agrees
    # as they stand in the list, in whatever order they were done
    assert [str(row[0]) for row in report.rows] == ["Hex 5x5 a1", "Amazons 1bb1/b2b/w2w/1ww1 w"]
    assert report.command == "conspirator reproduce proofs --quick --game 'hex 5x5 a' --game amazons"
    with pytest.raises(cn.ArgumentError, match="begins with 'go'"):
        cn.reproduce("proofs", only=["go"])


def test_a_rung_that_is_interrupted_is_not_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stopped = SimpleNamespace(status="interrupted", bounds=(-1, 1), expansions=5)
    monkeypatch.setattr(cn, "solve", lambda *_, **__: stopped)
    with pytest.raises(KeyboardInterrupt):
        climb(tmp_path, Rung("hard", cn.games.Hex(size=9).position("a1"), -1))
