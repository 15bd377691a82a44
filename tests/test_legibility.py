"""Figures can be read at any size: no words upon words, whole numbers, colours around the draw, caps."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any

import pytest

import conspirator as cn
from conspirator.figures.colours import Scale
from conspirator.figures.growth import MOST_MOVES, Growth
from conspirator.figures.tree import HIGHEST, WIDEST, draw_blocks, draw_tree

pytest.importorskip("matplotlib")

if TYPE_CHECKING:
    from matplotlib.backend_bases import RendererBase

    from conspirator.figures.drawing import Drawing

SEARCHED: dict[str, tuple[cn.Position, str, int]] = {
    "a root": (cn.games.ConnectFour().start(), "best-first", 1),
    "small": (cn.games.RandomTree(branching=3, depth=6, seed=1).start(), "conspiracy", 7),
    "deep": (cn.games.RandomTree(branching=2, depth=40, seed=1).start(), "best-first", 39),
    "many numbers": (cn.games.ConnectFour().start(), "minmax-approximation", 8),
    "wide": (cn.games.ConnectFour().position("4453"), "conspiracy", 300),
    "long names": (cn.games.Amazons(size=6).start(), "minmax-approximation", 60),
    "one value": (cn.games.Hex(size=5).start(), "sibling-conspiracy", 100),
    "with wins": (cn.games.Chess().position("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"), "best-first", 60),
    "solved": (cn.games.ExplicitTree({"value": 0, "children": [{"value": 3}]}).start(), "conspiracy", 1),
}


@pytest.fixture(params=SEARCHED)
def result(request: pytest.FixtureRequest) -> cn.Result:
    position, search, expansions = SEARCHED[request.param]
    return cn.search(position, search, expansions=expansions)


def drawn(drawing: Drawing) -> RendererBase:
    """Lay a figure out, and return what measures its words."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    canvas: Any = FigureCanvasAgg(drawing)
    canvas.draw()
    renderer: RendererBase = canvas.get_renderer()
    return renderer


def overlaps(drawing: Drawing) -> list[tuple[str, str]]:
    """Return the words that hide each other; a point of overlap is none."""
    renderer = drawn(drawing)
    texts = [text for axes in drawing.axes for text in axes.texts]
    for axes in drawing.axes:
        for axis in (axes.xaxis, axes.yaxis):
            if axis.get_visible() and axes.axison:
                low, high = sorted(axis.get_view_interval())
                seen = zip(axis.get_ticklabels(), axis.get_ticklocs(), strict=True)
                texts += [label for label, place in seen if label.get_text() and low <= place <= high]
        texts += [axes._left_title] if axes.get_title(loc="left") else []  # type: ignore[attr-defined]
        texts += axes.legend_.get_texts() if axes.legend_ else []
    boxes = [(text.get_text(), text.get_window_extent(renderer).padded(-2)) for text in texts]
    return [(a, b) for (a, one), (b, other) in combinations(boxes, 2) if one.overlaps(other)]


@pytest.mark.parametrize("kind", ["tree", "ladder", "values", "growth"])
def test_no_words_upon_words(result: cn.Result, kind: str) -> None:
    assert overlaps(result.figure(kind)) == []


def test_overviews_of_small_trees(result: cn.Result) -> None:
    assert overlaps(draw_blocks(result.tree)) == []


def test_sizes_are_capped(result: cn.Result) -> None:
    for kind in ("tree", "ladder", "values", "growth"):
        width, height = result.figure(kind).get_size_inches()
        assert width <= WIDEST
        assert height <= HIGHEST
    width, height = draw_tree(result.tree, most_nodes=10**9).get_size_inches()
    assert width <= WIDEST
    assert height <= HIGHEST


def test_colours_are_centred_on_the_draw(result: cn.Result) -> None:
    """The draw is white, whatever values there are; better for Max is blue, better for Min is red."""
    from matplotlib.colors import to_hex

    tree = result.tree
    low, high = tree.value_range
    draw = (low + high) / 2 if abs(low) < 1e9 else 0.0
    axes, bar = draw_blocks(tree).axes
    assert sum(bar.get_ylim()) / 2 == pytest.approx(draw)
    root = to_hex(axes.patches[0].get_facecolor())
    red, blue = int(root[1:3], 16), int(root[5:7], 16)
    assert (blue > red, blue < red) == (tree.root.value > draw, tree.root.value < draw)


def test_won_games_do_not_bleach_the_others() -> None:
    assert Scale.of([20, -30, 20_000], (-20_000, 20_000)).half == 30
    assert Scale.of([20_000], (-20_000, 20_000)).half == 20_000
    assert Scale.of([], (0, 1)).half > 0
    assert Scale.of([float("inf"), 3], (float("-inf"), float("inf"))) == Scale(0.0, 3)


@pytest.mark.parametrize(
    ("kind", "axis"), [("values", "x"), ("growth", "y"), ("ladder", "y"), ("numbers", "y")]
)
@pytest.mark.parametrize("expansions", [1, 2, 5, 100])
def test_what_is_counted_has_whole_ticks(kind: str, axis: str, expansions: int) -> None:
    result = cn.search(cn.games.ConnectFour().start(), "conspiracy", expansions=expansions)
    drawing = result.figure(kind)
    drawn(drawing)
    for axes in drawing.axes:
        ticks = axes.get_xticks() if axis == "x" else axes.get_yticks()
        assert all(tick == round(tick) for tick in ticks)


@pytest.mark.parametrize("kind", ["ladder", "numbers", "values"])
def test_what_shows_several_things_has_a_legend(kind: str) -> None:
    result = cn.search(cn.games.ConnectFour().start(), "conspiracy", expansions=50)
    axes = result.figure(kind).axes[0]
    assert axes.legend_ is not None
    assert len(axes.legend_.get_texts()) == {"ladder": 2, "numbers": 2, "values": 3}[kind]


def test_wide_games_show_the_moves_that_mattered() -> None:
    start = cn.games.Amazons(size=6).start()
    growth = Growth.of(start, "minmax-approximation", expansions=60)
    chosen = {row.chosen for row in growth.rows} - {None}
    assert chosen <= set(growth.shown())
    assert len(growth.shown()) <= MOST_MOVES < len(growth.moves)
    assert f"of the root's {len(growth.moves)} moves" in growth.figure().axes[1].get_xlabel()


def test_a_number_that_no_leaves_reach() -> None:
    """Beyond the best value of a game nothing helps; without such a value everything can be reached."""

    def labels(game: Any) -> list[str]:
        drawing = cn.search(game.start(), "conspiracy", expansions=5).figure("numbers")
        return [label.get_text() for label in drawing.axes[0].get_yticklabels()]

    assert "none suffice" in labels(cn.games.ConnectFour())
    assert "none suffice" not in labels(cn.games.RandomTree(branching=3, depth=6))
