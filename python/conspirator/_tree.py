"""Methods of `cn.Tree` that are written in Python: the class itself is the core's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from conspirator._errors import ArgumentError
from conspirator._native import Node, Tree

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


def single_conspiracy(self: Tree, node: Node, threshold: float) -> float:
    """Return how many leaves must change for a node to be worth `threshold` or more.

    This is the single conspiracy number of K. Song, H. Iida and others ("Using single conspiracy number for
    long term position evaluation", 2018), which looks in one direction only:

        leaf that is worth T or more    0
        other open leaf                 1
        other finished game             infinite
        Max to move                     least of the children
        Min to move                     sum of the children

    With T above the node's value it is `conspiracy(node, T)`; else it is 0. Where the evaluator gives bounds
    of its own, a leaf can count as several, as everywhere.

    >>> import conspirator as cn
    >>> leaves = [{"value": 3}, {"value": 5}, {"value": 4}]
    >>> tree = cn.Tree.from_dict({"value": 0, "children": [{"children": leaves}]}, "best-first")
    >>> [tree.single_conspiracy(tree.root, threshold) for threshold in (3, 4, 5, 6)]
    [0.0, 1.0, 2.0, 3.0]
    """
    number = self.conspiracy(node, threshold)  # first, because it says what is wrong with its arguments
    return 0.0 if node.value >= threshold else number


def figure(self: Tree, kind: str = "tree", path: Sequence[int] = ()) -> Drawing:
    """Draw a figure: 'tree', 'ladder' or 'numbers', as `Result.figure` does. Needs matplotlib.

    >>> import conspirator as cn
    >>> tree = cn.Tree.from_dict({"value": 0, "children": [{"value": 3}, {"value": 5}]}, "conspiracy")
    >>> tree.figure().save("tree.svg")                              # doctest: +SKIP
    PosixPath('tree.svg')
    """
    from conspirator.figures import draw_of_tree

    return draw_of_tree(self, kind, path)


def probabilities(self: Tree) -> list[tuple[int, float]] | None:
    """Return for each move at the root, by its place, how likely it is a best one; None without an error
    model.

    >>> import conspirator as cn
    >>> leaves = [{"p": [0.2, 0.3, 0.5]}, {"p": [0.4, 0.2, 0.4]}]   # loss, draw, win
    >>> tree = cn.Tree.from_dict({"value": 0, "children": leaves}, "relevance")
    >>> [(place, round(likely, 3)) for place, likely in tree.probabilities]
    [(0, 0.76), (1, 0.58)]
    """
    return self._probabilities()


def distribution(self: Node) -> dict[float, float] | None:
    """Return the probability of every outcome with best play from here; None without an error model.

    >>> import conspirator as cn
    >>> leaves = [{"p": [0.2, 0.3, 0.5]}, {"p": [0.4, 0.2, 0.4]}]
    >>> tree = cn.Tree.from_dict({"value": 0, "children": leaves}, "relevance")
    >>> {outcome: round(p, 3) for outcome, p in tree.root.distribution.items()}
    {0.0: 0.08, 0.5: 0.22, 1.0: 0.7}
    """
    tree = self.tree
    outcomes = tree.outcomes
    beyond = tree._distribution(self.id) if outcomes is not None else None
    if outcomes is None or beyond is None:
        return None
    edges = [1.0, *beyond, 0.0]
    return {x: high - low for x, high, low in zip(outcomes, edges, edges[1:], strict=False)}


def central(likely: Mapping[float, float], level: float) -> tuple[float, float]:
    """Return the outcomes between which the truth lies with this probability, with equal parts left on both
    sides.

    >>> central({0: 0.1, 1: 0.2, 2: 0.6, 3: 0.1}, 0.5)
    (1, 2)
    """
    rest = (1 - level) / 2
    ends = []
    for outcomes in (list(likely), list(reversed(likely))):
        below = 0.0
        for outcome in outcomes:
            below += likely[outcome]
            if below > rest:
                ends.append(outcome)
                break
    return ends[0], ends[-1]


Tree.interval = interval  # type: ignore[method-assign]
Tree.single_conspiracy = single_conspiracy  # type: ignore[method-assign]
Tree.figure = figure  # type: ignore[method-assign]
Tree.probabilities = property(probabilities)  # type: ignore[assignment]
Node.distribution = property(distribution)  # type: ignore[assignment]
