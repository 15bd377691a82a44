"""Boards as SVG, and figures of searches and trees, drawn with matplotlib (`pip install matplotlib`).

>>> import conspirator as cn
>>> result = cn.search(cn.games.ConnectFour().position("4453"), "conspiracy", expansions=200)
>>> drawing = result.figure("ladder")                 # or: tree, numbers, values, ...
>>> drawing.save("ladder.svg")                        # doctest: +SKIP
PosixPath('ladder.svg')
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from conspirator._errors import ArgumentError, GameError
from conspirator.figures.board import board
from conspirator.figures.certainty import draw_certainty
from conspirator.figures.files import need_matplotlib
from conspirator.figures.growth import Growth
from conspirator.figures.robustness import draw_ladder, draw_numbers
from conspirator.figures.svg import Picture
from conspirator.figures.tree import draw_tree
from conspirator.figures.values import Values

if TYPE_CHECKING:
    from conspirator._native import Tree
    from conspirator._result import Result
    from conspirator.figures.drawing import Drawing

KINDS = {
    "tree": "the tree: node by node if it is small, else where its nodes are",
    "ladder": "how far the value can go if 0 to 8 leaves are wrong",
    "numbers": "how many leaves must change for the root to reach a value, by the rule's own numbers",
    "values": "the value and its intervals against expansions",
    "growth": "how the tree grew: below which moves, how deep",
    "certainty": "for every move the probability that it is a best one",
}
"""The figures of a search, with what they show."""


def check_kind(kind: str) -> str:
    """Return a kind of figure, or say which there are."""
    if kind not in KINDS:
        raise ArgumentError(f"unknown figure {kind!r}; known: {', '.join(KINDS)}")
    return kind


OF_TREES = ("tree", "ladder", "numbers")
"""Those that need the tree only, not the search that grew it."""


def draw(result: Result, kind: str, path: Sequence[int] = ()) -> Drawing:
    """Draw a figure of a search; see `Result.figure`."""
    if check_kind(kind) == "ladder":
        refuse_path(kind, path)
        need_matplotlib()
        return draw_ladder(result)
    if kind == "certainty":
        refuse_path(kind, path)
        need_matplotlib()
        return draw_certainty(result)
    if kind in OF_TREES:
        return draw_of_tree(result.tree, kind, path)
    refuse_path(kind, path)
    need_matplotlib()
    _ = result.tree  # says so if there is none
    search, parameters, evaluator = result._recipe
    watcher: type[Values] | type[Growth] = Values if kind == "values" else Growth
    try:
        return watcher.of(
            result.position, search, evaluator=evaluator, expansions=result.expansions, **parameters
        ).figure()
    except GameError as error:
        if isinstance(search, str):
            raise
        rule, name = type(search).__name__, watcher.__name__
        raise ArgumentError(
            f"{rule} cannot search a second time ({error}): draw {name}.of(position, {rule}, ...)"
        ) from None


def refuse_path(kind: str, path: Sequence[int]) -> None:
    """Refuse a path for figures that are not of one node."""
    if kind != "numbers" and path:
        raise ArgumentError(f"the figure {kind!r} is of the whole tree: only 'numbers' has a path")


def draw_of_tree(tree: Tree, kind: str, path: Sequence[int] = ()) -> Drawing:
    """Draw a figure of a tree; see `Tree.figure`."""
    if check_kind(kind) not in OF_TREES:
        raise ArgumentError(
            f"the figure {kind!r} is of a search, not of a tree: draw result.figure({kind!r}) of its result"
        )
    refuse_path(kind, path)
    need_matplotlib()
    if kind == "tree":
        return draw_tree(tree)
    return draw_ladder(tree) if kind == "ladder" else draw_numbers(tree.node(path))


__all__ = ["KINDS", "Growth", "Picture", "Values", "board", "draw", "draw_of_tree"]
