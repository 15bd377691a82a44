"""Pictures of growing trees: what they show of any search, and what the command line writes."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

import conspirator as cn
from command_line import Run, result_of, runner
from conspirator.figures import Growth
from conspirator.figures.growth import figure_of, sampled
from helpers import is_one_line

pytest.importorskip("matplotlib")

TREES = [name for name in cn.searches() if name not in ("alpha-beta", "df-pn", "end-game")]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    return runner(capsys, monkeypatch, tmp_path)


def random_tree(branching: int = 5) -> cn.Position:
    return cn.games.RandomTree(branching=branching, depth=64, seed=3, kind="utgoff").start()


@pytest.mark.parametrize("search", [*TREES, cn.rules.LeastCertainty, cn.rules.BestFirst])
def test_rows_tell_what_the_search_did(search: Any) -> None:
    start = cn.games.ConnectFour().position("4453")
    growth = Growth.of(start, search, expansions=60)
    whole = cn.search(start, search, expansions=60, trace=True)
    assert [row.expansions for row in growth.rows] == list(range(1, growth.expansions + 1))
    chosen = [row.chosen for row in growth.rows]
    assert chosen == [path[0] for path in whole.trace[1:]] + [None]
    last, sizes = growth.rows[-1], whole.tree.child_sizes(whole.tree.root)
    assert last.shares == tuple(size / sum(sizes) for size in sizes)
    assert sum(last.depths) == pytest.approx(1)
    values = [child.value for child in whole.tree.root.children]
    assert last.best == {place for place, value in enumerate(values) if value == max(values)}
    swings = [child.numbers.get("swing") for child in whole.tree.root.children]
    assert (last.least_swing is None) == (None in swings)


def test_symbols_are_those_of_the_paper() -> None:
    """A box: both; a triangle up: the best value; down: the least swing; a circle: neither; and filled."""
    growth = Growth.of(random_tree(), cn.rules.LeastCertainty(ties="leftmost"), expansions=40)
    for row in growth.rows:
        assert row.least_swing is not None
        for place in range(5):
            both = (place in row.best, place in row.least_swing)
            assert row.symbol(place) == {
                (True, True): "s", (True, False): "^", (False, True): "v", (False, False): "o",
            }[both]  # fmt: skip
        if row.chosen is not None:
            assert row.symbol(row.chosen) in "sv"
    plain = Growth.of(random_tree(), "best-first", expansions=40)
    assert {row.symbol(place) for row in plain.rows for place in range(5)} == {"^", "o"}
    assert all(row.chosen is None or row.symbol(row.chosen) == "^" for row in plain.rows)


@pytest.mark.parametrize(
    ("expansions", "most"), [(1, 100), (2, 1), (7, 3), (100, 100), (101, 100), (10**6, 100)]
)
def test_long_searches_are_sampled(expansions: int, most: int) -> None:
    counts = sampled(expansions, most)
    assert (counts[0], counts[-1]) == (1, expansions)
    assert len(counts) <= max(2, most) + 1


@pytest.mark.parametrize("budget", [{"seconds": 0.02}, {"nodes": 5_000}, {"move_calls": 3_000}])
def test_every_budget_can_be_watched(budget: dict[str, Any]) -> None:
    growth = Growth.of(random_tree(), "best-first", most_rows=20, **budget)
    assert len(growth.rows) <= 21
    assert growth.rows[-1].expansions == growth.expansions


def test_a_picture_is_the_same_every_time(tmp_path: Path) -> None:
    drawings = [
        Growth.of(random_tree(), "best-first", expansions=50)
        .save(tmp_path / folder / "growth.svg")
        .read_text()
        for folder in (".", ".")
    ]
    assert drawings[0] == drawings[1]
    assert "</svg>" in drawings[0]
    assert "the root's moves" in drawings[0]


def test_several_searches_in_one_picture() -> None:
    growths = [Growth.of(random_tree(), "best-first", expansions=count) for count in (1, 2, 30)]
    assert len(figure_of(growths).axes) == 9


def test_the_command_line(run: Run) -> None:
    line = "analyze random-tree --game-option kind=utgoff --expansions 50 --growth-figure growth.svg"
    assert "written: growth.svg" in result_of(run, line)
    assert "best-first on random-tree, 50 expansions" in Path("growth.svg").read_text(encoding="utf-8")
    assert "nim.py:Nim" in result_of(run, "analyze nim.py:Nim --growth-figure nim.png --json")
    assert Path("nim.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("--growth-figure growth.jpg", "a figure is written as .svg, .png, .pdf, not as growth.jpg"),
        ("--growth-figure none/growth.svg", "there is no folder none to write growth.svg to"),
        ("--search alpha-beta --growth-figure growth.svg", "alpha-beta keeps no tree to draw"),
    ],
)
def test_mistakes_are_one_line(run: Run, options: str, words: str) -> None:
    code, output, errors = run(f"analyze connect-four --expansions 50 {options}")
    assert (code, output) == (2, "")
    assert words in errors
    assert errors.count("\n") == 1


def test_without_matplotlib_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    growth = Growth.of(random_tree(), "best-first", expansions=5)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(cn.ArgumentError, match=r"pip install 'conspirator\[figures\]'") as caught:
        growth.figure()
    assert is_one_line(caught.value)
