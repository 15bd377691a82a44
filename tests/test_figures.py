"""Pictures of growing trees: what they show of any search, and what the command line writes."""

from __future__ import annotations

import math
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import conspirator as cn
from command_line import TREE, Run, result_of, runner
from conspirator.figures import KINDS, Growth, Values
from conspirator.figures.growth import figure_of, sampled
from conspirator.figures.robustness import staircases
from conspirator.figures.tree import all_nodes, draw_tree, largest, spread
from helpers import Line, is_one_line, small_tree

pytest.importorskip("matplotlib")

TREES = [name for name, info in cn.searches().items() if info.tree]


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
    line = "analyze random-tree --game-option kind=utgoff --expansions 50 --figure growth=growth.svg"
    assert "written: growth.svg" in result_of(run, line)
    assert "best-first, 50 expansions" in Path("growth.svg").read_text(encoding="utf-8")
    assert "nim.py:Nim" in result_of(run, "analyze nim.py:Nim --figure growth=nim.png --json")
    assert Path("nim.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_a_drawing_that_shows_itself(tmp_path: Path, kind: str) -> None:
    result = cn.search(cn.games.ConnectFour().position("4453"), "conspiracy", expansions=200)
    drawing = result.figure(kind)
    text = drawing.save(tmp_path / f"{kind}.svg").read_text(encoding="utf-8")
    assert result.figure(kind).save(tmp_path / f"{kind}.svg").read_text(encoding="utf-8") == text
    assert "</svg>" in drawing._repr_svg_()
    assert drawing.save(tmp_path / f"{kind}.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("search", [*TREES, cn.rules.LeastCertainty, cn.rules.SiblingConspiracy])
def test_trees_of_every_search_are_drawn_in_both_forms(search: Any) -> None:
    """Small: every value and every move is there. Large: shares of the tree are."""
    start = cn.games.ConnectFour().position("4453")
    small = cn.search(start, search, expansions=4).tree
    texts = [text.get_text() for text in draw_tree(small).axes[0].texts]
    assert len(texts) == 2 * len(small) - 1
    assert texts[: len(small) - 1].count("7") == 4
    assert [text.split("\n")[0] for text in texts[len(small) - 1 :]] == [
        f"{node.value:g}" for node in all_nodes(small.root)
    ]
    large = cn.search(start, search, expansions=300).tree
    blocks = list(largest(large))
    assert len(blocks) == len({node.id for _, _, node in blocks})
    sizes = large.child_sizes(large.root)
    shares = {node.place: share for _, share, node in blocks if node.depth == 1}
    assert shares == pytest.approx({place: sizes[place] / len(large) for place in shares})
    assert sum(share for _, share, node in blocks if node.depth == 2) < sum(shares.values()) < 1
    assert f"{len(large):,} nodes" in draw_tree(large).axes[0].get_title(loc="left")


def test_nodes_do_not_overlap() -> None:
    for seed in range(30):
        tree = cn.search(small_tree(seed), expansions=12).tree
        places = spread(tree)
        assert len(set(places.values())) == len(places) == len(tree)
        for node in all_nodes(tree.root):
            below = [places[child.id][0] for child in node.children]
            assert below == sorted(below)


@pytest.mark.parametrize("search", ["conspiracy", "improved-conspiracy"])
def test_staircases_are_the_conspiracy_numbers(search: str) -> None:
    """The steps of a node say how many leaves must change, as `tree.conspiracy` counts them."""
    for seed in range(20):
        tree = cn.search(small_tree(seed), search, expansions=10, threshold=8).tree
        for node in all_nodes(tree.root):
            if not node.children:
                continue
            up, down = staircases(node.numbers)
            for value in range(-8, 9):
                needed = max([h for x, h in up if x < value] + [h for x, h in down if x > value], default=0)
                if needed <= 8:
                    assert tree.conspiracy(node, value) == needed


def test_numbers_of_any_node() -> None:
    result = cn.search(cn.games.ConnectFour().start(), "sibling-conspiracy", expansions=100)
    title = result.figure("numbers", path=[3]).axes[0].get_title(loc="left")
    assert title == f"4: value {result.tree.node([3]).value:g}"
    with pytest.raises(cn.ArgumentError, match="only 'numbers' has a path"):
        result.figure("tree", path=[3])


def test_the_ladder_shows_every_interval() -> None:
    for start in (cn.games.ConnectFour().start(), cn.games.ExplicitTree(TREE).start()):
        result = cn.search(start, "best-first", expansions=2)
        axes = result.figure("ladder").axes[0]
        words = [text.get_text() for text in axes.texts]
        expected = [result.interval(n) for n in range(9)]
        ends = [[f"{end:g}".replace("inf", "∞") for end in rung] for rung in expected]
        assert words == [low if low == high else f"{low} ... {high}" for low, high in ends]
        assert all(math.isfinite(limit) for limit in axes.get_xlim())


@pytest.mark.parametrize("search", TREES)
def test_values_are_those_of_the_search(search: str) -> None:
    start = cn.games.ConnectFour().position("4453")
    values = Values.of(start, search, expansions=40, most_points=10)
    for place, count in enumerate(values.counts):
        result = cn.search(start, search, expansions=count)
        assert values.values[place] == result.value
        assert {n: values.intervals[n][place] for n in (1, 2)} == {n: result.interval(n) for n in (1, 2)}


def test_texts_are_no_formulas(tmp_path: Path) -> None:
    class Dollars(Line):
        def moves(self, state: str) -> Any:
            return ["$x$", "<b>"]

    result = cn.search(Dollars().position(""), expansions=3)
    for kind in ("tree", "growth"):
        text = result.figure(kind).save(tmp_path / "tree.svg").read_text(encoding="utf-8")
        assert "$x$" in text
        assert "&lt;b&gt;" in text


def test_a_rule_that_remembers_is_told_how_to_be_drawn() -> None:
    class Queue(cn.GrowthRule):
        def __init__(self) -> None:
            self.queue: list[cn.Node] = []

        def initialise(self, tree: cn.Tree, leaves: list[cn.Node]) -> None:
            self.queue += leaves

        def choose(self, tree: cn.Tree) -> cn.Node | None:
            return self.queue.pop(0)

    start = cn.games.UniformTree(width=2).start()
    result = cn.search(start, Queue, expansions=5)
    assert result.figure("tree")
    for kind, words in (("growth", "Growth.of"), ("values", "Values.of")):
        with pytest.raises(cn.ArgumentError, match=rf"draw {words}\(position, Queue, ...\)") as caught:
            result.figure(kind)
        assert is_one_line(caught.value)
    assert Growth.of(start, Queue, expansions=5).expansions == 5


def test_ratings() -> None:
    by_budget = cn.match([f"best-first:nodes={nodes}" for nodes in (50, 100)], plies=1, games=2)
    assert by_budget.figure().axes[0].get_xlabel() == "nodes a move"
    by_search = cn.match(["$A$=best-first:nodes=50", "B=alpha-beta:nodes=50"], plies=1, games=2)
    axes = by_search.figure().axes[0]
    assert sorted(label.get_text() for label in axes.get_yticklabels()) == ["B", r"\$A\$"]


def test_all_figures_on_the_command_line(run: Run) -> None:
    figures = " ".join(f"--figure {kind}={kind}.svg" for kind in KINDS)
    output = result_of(run, f"analyze connect-four --search conspiracy --expansions 30 {figures}")
    assert output.count("written: ") == len(KINDS)
    assert all("</svg>" in Path(f"{kind}.svg").read_text(encoding="utf-8") for kind in KINDS)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("--figure growth", "'growth' is not of the form KIND=FILE"),
        ("--figure trees=a.svg", "unknown figure 'trees'; known: tree, ladder, numbers, values, growth"),
        ("--figure numbers=a.svg", "this node has no staircases"),
        ("--figure growth=growth.jpg", "a figure is written as .svg, .png, .pdf, not as growth.jpg"),
        ("--figure growth=none/growth.svg", "there is no folder none to write growth.svg to"),
        ("--search alpha-beta --figure growth=growth.svg", "this search keeps no tree"),
    ],
)
def test_mistakes_are_one_line(run: Run, options: str, words: str) -> None:
    code, output, errors = run(f"analyze connect-four --expansions 50 {options}")
    assert (code, output) == (2, "")
    assert words in errors
    assert errors.count("\n") == 1


def missing_matplotlib(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make every import of matplotlib fail, as where it is not installed."""
    for name in [*sys.modules]:
        if name.partition(".")[0] == "matplotlib" or name == "conspirator.figures.drawing":
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("expansions", [3, 100])
def test_without_matplotlib_one_line_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, kind: str, expansions: int
) -> None:
    result = cn.search(cn.games.ConnectFour().start(), "conspiracy", expansions=expansions)
    missing_matplotlib(monkeypatch)
    with pytest.raises(cn.ArgumentError, match="figures need matplotlib: pip install matplotlib") as caught:
        result.figure(kind)
    assert is_one_line(caught.value)
    assert result._repr_html_().startswith("<div")


def test_other_figures_say_it_too(monkeypatch: pytest.MonkeyPatch) -> None:
    growth = Growth.of(random_tree(), "best-first", expansions=5)
    values = Values.of(random_tree(), "best-first", expansions=5)
    played = cn.match(["best-first:nodes=9", "best-first:nodes=20"], plies=1, games=2)
    tree = cn.Tree.from_dict(DATA, "conspiracy")
    missing_matplotlib(monkeypatch)
    for drawn in (growth, values, played, tree, cn.games.ExplicitTree(DATA)):
        with pytest.raises(cn.ArgumentError, match="pip install matplotlib"):
            drawn.figure()


DATA = {"value": 0, "children": [{"value": 3, "children": [{"value": 1}, {"value": 9}]}, {"value": 5}]}


@pytest.mark.parametrize("rule", ["conspiracy", "best-first"])
def test_trees_given_as_data_are_drawn_in_one_line(rule: str) -> None:
    tree = cn.Tree.from_dict(DATA, rule)
    shown = [text.get_text().split("\n")[0] for text in tree.figure().axes[0].texts]
    assert shown == ["0", "1", "0", "1", "5", "1", "1", "9", "5"]
    rungs = [text.get_text() for text in tree.figure("ladder").axes[0].texts]
    assert rungs[:2] == ["5", "1 ... ∞"]
    same = [text.get_text() for text in cn.games.ExplicitTree(DATA).figure(rule=rule).axes[0].texts]
    assert [text.split("\n")[0] for text in same] == shown
    if rule == "conspiracy":
        assert tree.figure("numbers", path=[0]).axes[0].get_title(loc="left") == "0: value 1"
    else:
        with pytest.raises(cn.ArgumentError, match="no staircases"):
            tree.figure("numbers")
    with pytest.raises(cn.ArgumentError, match="is of a search, not of a tree") as caught:
        tree.figure("growth")
    assert is_one_line(caught.value)
    with pytest.raises(cn.ArgumentError, match="unknown figure"):
        tree.figure("trees")


@pytest.mark.parametrize("search", TREES)
def test_an_interval_contains_the_value(search: str) -> None:
    """Also where the value is a mean; a tree knows minimax values only."""
    for expansions in (1, 20, 300):
        result = cn.search(cn.games.ConnectFour().position("4453"), search, expansions=expansions)
        root = result.tree.root.value
        assert result.interval(0) == (min(root, result.value), max(root, result.value))
        assert result.tree.interval(0) == (root, root)
        if search not in ("uct", "pn-mcts", "puct", "prior-penalty", "relevance"):
            assert root == result.value
        wider = [result.interval(n) for n in range(5)]
        assert all(a[0] >= b[0] and a[1] <= b[1] for a, b in pairwise(wider))
        assert [result.tree.interval(n) for n in range(5)] == result.tree.ladder(4)


@pytest.mark.parametrize("n", [-1, 1.5, True, "1"])
def test_intervals_of_no_number(n: Any) -> None:
    with pytest.raises(cn.ArgumentError, match="n must be a whole number from 0 up"):
        cn.Tree.from_dict(DATA, "best-first").interval(n)
