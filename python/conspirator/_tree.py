"""Methods of `cn.Tree` that are written in Python: the class itself is the core's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from conspirator._errors import ArgumentError
from conspirator._native import Tree

if TYPE_CHECKING:
    from conspirator.figures.drawing import Drawing


def check_count(n: int) -> int:
    """Return a number of leaves, or say what is wrong with it."""
    if isinstance(n, bool) or not isinstance(n, int) or n < 0:
        raise ArgumentError(f"n must be a whole number from 0 up, not {n!r}")
    return n


def interval(self: Tree, n: int) -> tuple[float, float]:
    """Return (Vmin, Vmax): how far the root's value can go if at most `n` leaves are wrong.

    >>> import conspirator as cn
    >>> tree = cn.Tree.from_dict({"value": 0, "children": [{"value": 3}, {"value": 5}]}, "best-first")
    >>> tree.interval(0), tree.interval(1)
    ((5.0, 5.0), (3.0, inf))
    """
    rungs = self.ladder(check_count(n))
    # the ladder is cut at a million conspirators, which are as good as all
    return rungs[min(n, len(rungs) - 1)]


def figure(self: Tree, kind: str = "tree", path: Sequence[int] = ()) -> Drawing:
    """Draw a figure: 'tree', 'ladder' or 'numbers', as `Result.figure` does. Needs matplotlib.

    >>> import conspirator as cn
    >>> tree = cn.Tree.from_dict({"value": 0, "children": [{"value": 3}, {"value": 5}]}, "conspiracy")
    >>> tree.figure().save("tree.svg")                              # doctest: +SKIP
    PosixPath('tree.svg')
    """
    from conspirator.figures import draw_of_tree

    return draw_of_tree(self, kind, path)


Tree.interval = interval  # type: ignore[method-assign]
Tree.figure = figure  # type: ignore[method-assign]
