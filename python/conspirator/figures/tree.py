"""A tree as a picture: node by node if it is small, else as an overview of where its nodes are."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush
from math import inf, isfinite
from typing import TYPE_CHECKING, Any

from conspirator._native import Node, Tree
from conspirator.figures.files import literal, new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from conspirator.figures.drawing import Drawing

MOST_NODES = 80
"""Larger trees cannot be read node by node."""
LARGEST = 40.0
"""No figure is wider or higher, in inches."""
MOST_BLOCKS = 1_000
"""So many nodes an overview shows, those with the largest subtrees."""
LEAST_SHARE = 1 / 300
"""A node with a smaller part of the tree below it cannot be seen."""
LABELLED_SHARE = 1 / 25
"""A node with a smaller part has no room for its move."""


def draw_tree(tree: Tree, *, most_nodes: int = MOST_NODES) -> Drawing:
    """Draw a tree of at most so many nodes with their values and numbers, a larger one as an overview.

    In the small form Max's nodes are boxes and Min's are round; thick lines are the best play of both. In the
    overview the root is at the top; a block is as wide as its part of the tree, and its colour is its value.
    """
    return draw_nodes(tree) if len(tree) <= most_nodes else draw_blocks(tree)


def draw_nodes(tree: Tree) -> Drawing:
    """Draw every node."""
    places = spread(tree)
    nodes = list(all_nodes(tree.root))
    words = {node.id: [f"{node.value:g}", *short_numbers(node.numbers)] for node in nodes}
    wide = max(place for place, _ in places.values()) + 1
    deep = max(depth for _, depth in places.values()) + 1
    across = 0.2 + 0.065 * max(len(line) for lines in words.values() for line in lines)
    down = 0.6 + 0.14 * max(map(len, words.values())) + 0.02 * wide
    figure = new_figure(min(LARGEST, max(4.0, across * wide)), min(LARGEST, max(2.0, down * deep)))
    axes = bare_axes(figure.add_subplot())
    best = principal(tree)
    for node in nodes:
        x, y = places[node.id]
        for child in node.children:
            to = places[child.id]
            thick = node.id in best and child.id in best
            axes.plot([x, to[0]], [y, to[1]], color="black", linewidth=2.2 if thick else 0.7, zorder=1)
            middle = ((x + 2 * to[0]) / 3, (y + 2 * to[1]) / 3)
            axes.text(*middle, literal(child.move), **TEXT, zorder=2, bbox=PAPER)
    for node in nodes:
        shape = "square" if node.is_max else "round"
        box = {"boxstyle": f"{shape},pad=0.3", "fc": "lightgrey" if node.is_solved else "white", "lw": 0.8}
        axes.text(*places[node.id], literal("\n".join(words[node.id])), **TEXT, zorder=3, bbox=box)
    axes.set(xlim=(-0.7, wide - 0.3), ylim=(deep - 0.4, -0.6))
    return figure


TEXT: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 7}
"""How words are written."""
PAPER = {"boxstyle": "square,pad=0.05", "fc": "white", "lw": 0.0}
"""What is behind the name of a move."""


LEFT_OUT = ("value", "expansions", "vmin", "vmax", "upper_tail", "lower_tail")
"""Numbers that are seen otherwise, or are of no node."""


def spread(tree: Tree) -> dict[int, tuple[float, float]]:
    """Return where nodes stand: leaves side by side, others above the middle of their children."""
    places: dict[int, tuple[float, float]] = {}
    leaves = 0
    for node in reversed(list(all_nodes(tree.root))):  # children before parents, the rightmost first
        if node.children:
            below = [places[child.id][0] for child in node.children]
            places[node.id] = ((below[0] + below[-1]) / 2, node.depth)
        else:
            places[node.id] = (float(leaves), node.depth)
            leaves += 1
    return {node: (leaves - 1 - x, float(y)) for node, (x, y) in places.items()}


def all_nodes(root: Node) -> Iterator[Node]:
    """Yield every node, parents before children and from the left."""
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        stack += reversed(node.children)


def principal(tree: Tree) -> set[int]:
    """Return the nodes of the best line: the leftmost child of the node's value, as far as there is one."""
    node, line = tree.root, {tree.root.id}
    while True:
        following = next((child for child in node.children if child.value == node.value), None)
        if following is None:
            return line
        node = following
        line.add(node.id)


def short_numbers(numbers: dict[str, Any]) -> list[str]:
    """Return a rule's numbers in a few words; of a sequence or a function, how far one leaf reaches.

    >>> short_numbers({"upper": [5.0, 7.0], "upper_tail": 9.0, "lower": [5.0], "lower_tail": 5.0})
    ['5 ... 7']
    """
    words = []
    if "upper" in numbers and "lower" in numbers:
        low, high = (
            numbers[side][1] if len(numbers[side]) > 1 else numbers[f"{side}_tail"]
            for side in ("lower", "upper")
        )
        words.append(f"{low:g} ... {high:g}")
    if "p" in numbers and "d" in numbers:
        low, high = (
            next((x for x, h in numbers[side] if h > 1), end) for side, end in (("d", -inf), ("p", inf))
        )
        words.append(f"{low:.3g} ... {high:.3g}")
    for name, number in numbers.items():
        if name not in LEFT_OUT and isinstance(number, (int, float, str)):
            words.append(f"{name} {number:.3g}" if isinstance(number, float) else f"{name} {number}")
    return words


def draw_blocks(tree: Tree) -> Drawing:
    """Draw the nodes with the largest subtrees as blocks."""
    from matplotlib import colormaps
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize

    blocks = list(largest(tree))
    values = [node.value for _, _, node in blocks if isfinite(node.value)] or [0.0]
    scale = Normalize(min(values), max(values))
    colours = colormaps["coolwarm_r"]
    deep = 1 + max(node.depth for _, _, node in blocks)
    figure = new_figure(9.0, min(12.0, 1.2 + 0.28 * deep))
    axes = bare_axes(figure.add_subplot())
    axes.bar(
        [left for left, _, _ in blocks],
        [1.0] * len(blocks),
        [share for _, share, _ in blocks],
        [float(node.depth) for _, _, node in blocks],
        align="edge",
        color=[colours(min(1.0, max(0.0, scale(node.value)))) for _, _, node in blocks],
        edgecolor="white",
        linewidth=0.3,
    )
    for left, share, node in blocks:
        if share >= LABELLED_SHARE:
            words = literal("root" if node.parent is None else node.move)
            axes.text(left + share / 2, node.depth + 0.5, words, **TEXT)
    axes.set(xlim=(0, 1), ylim=(deep, 0))
    figure.colorbar(ScalarMappable(scale, colours), ax=axes, label="value", fraction=0.03)
    axes.set_title(f"{len(tree):,} nodes, {len(tree.depth_histogram()) - 1} plies", loc="left", fontsize=9)
    return figure


def largest(tree: Tree) -> Iterator[tuple[float, float, Node]]:
    """Yield the nodes with the largest subtrees: where each begins, its part of the tree, the node."""
    queue = [(-1.0, tree.root.id, 0.0, tree.root)]
    for _ in range(MOST_BLOCKS):
        if not queue:
            return
        part, _, left, node = heappop(queue)
        yield left, -part, node
        sizes = tree.child_sizes(node)
        whole = 1 + sum(sizes)
        for size, child in zip(sizes, node.children, strict=False):
            share = -part * size / whole
            if share >= LEAST_SHARE:
                heappush(queue, (-share, child.id, left, child))
            left += share


def bare_axes(axes: Axes) -> Axes:
    """Return axes that show nothing of themselves."""
    axes.set_axis_off()
    return axes
