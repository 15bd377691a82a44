"""The ladder of certificates: its quick part is found, written and checked, and agrees with what is known."""

from __future__ import annotations

import conspirator as cn
from conspirator.experiments.proofs import BLACK_WINS, rungs


def test_the_quick_part_agrees() -> None:
    report = cn.reproduce("proofs", quick=True)
    assert report.agrees
    assert {str(row[0]).split()[0] for row in report.rows} == {
        *("Hex", "Connect-Four", "Othello,", "Amazons", "Chess")
    }


def test_the_whole_ladder_has_all_openings() -> None:
    names = [rung.name for rung in rungs(quick=False)]
    assert [sum(name.startswith(f"Hex {n}x{n}") for name in names) for n in BLACK_WINS] == [25, 36]
    assert "Othello, 20 empty" in names
