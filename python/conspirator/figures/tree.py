"""A tree as a picture: node by node if it is small, else as an overview of where its nodes are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import heappop, heappush
from math import inf, isfinite
from typing import TYPE_CHECKING, Any

from conspirator._native import Node, Tree
from conspirator.figures.axes import bare_axes, whole_numbers
from conspirator.figures.colours import Scale, number
from conspirator.figures.files import literal, new_figure

if TYPE_CHECKING:
    from conspirator.figures.drawing import Drawing

MOST_NODES = 80
"""Larger trees cannot be read node by node."""
WIDEST, HIGHEST = 14.0, 18.0
"""Node by node no figure is larger, in inches; what does not fit becomes an overview."""
MOST_BLOCKS = 1_000
"""So many nodes an overview shows, those with the largest subtrees."""
LEAST_SHARE = 1 / 300
"""A node with a smaller part of the tree below it cannot be seen."""
OVERVIEW = 9.0
"""How wide an overview is, in inches."""
LETTER = 0.065
"""How wide a letter is, in inches."""
LEAST_LEVEL = 0.16
"""A level that is lower, in inches, has no room for words."""


def draw_tree(tree: Tree, *, most_nodes: int = MOST_NODES) -> Drawing:
    """Draw a tree of at most so many nodes with their values and numbers, a larger one as an overview.

    In the small form Max's nodes are boxes and Min's are round; thick lines are the best play of both.
    Numbers are left out where there is no room for them. In the overview the root is at the top; a block is
    as wide as its part of the tree. Colours are values: white is a draw.
    """
    if len(tree) <= most_nodes:
        nodes = list(all_nodes(tree.root))
        values = {node.id: [number(node.value)] for node in nodes}
        everything = {node.id: [*values[node.id], *short_numbers(node.numbers)] for node in nodes}
        places = spread(tree)
        for words in (everything, values):
            size = size_of(nodes, places, words)
            if size[0] <= WIDEST and size[1] <= HIGHEST:
                return draw_nodes(tree, places, words, size)
    return draw_blocks(tree)


Places = dict[int, tuple[float, float]]
"""Where nodes stand: across, in widths of a node, and down, in plies."""


def size_of(nodes: Sequence[Node], places: Places, words: dict[int, list[str]]) -> tuple[float, float]:
    """Return how wide and how high a tree is with these words in its nodes, in inches."""
    longest = max(len(line) for lines in words.values() for line in lines)
    longest = max(longest, *(len(str(node.move)) for node in nodes))
    wide = max(x for x, _ in places.values()) + 1
    deep = max(y for _, y in places.values()) + 1
    return (0.2 + LETTER * longest) * wide + 0.2, (0.55 + 0.14 * max(map(len, words.values()))) * deep + 0.3


def draw_nodes(tree: Tree, places: Places, words: dict[int, list[str]], size: tuple[float, float]) -> Drawing:
    """Draw every node; the name of a move stands above the node that it leads to."""
    nodes = list(all_nodes(tree.root))
    scale = Scale.of((node.value for node in nodes), tree.value_range)
    figure = new_figure(max(4.6, size[0]), max(2.0, size[1]))
    axes = bare_axes(figure.add_subplot())
    best = principal(tree)
    lines = max(map(len, words.values()))
    above = 8 + 4.6 * lines  # from the middle of a node to the name of its move, in points
    ply = (figure.get_figheight() - 0.4) * 72 / (1 + max(y for _, y in places.values()))
    for node in nodes:
        x, y = places[node.id]
        for child in node.children:
            to = places[child.id]
            thick = node.id in best and child.id in best
            # from below a node to above the next move's name: so lines cross no words
            ends = (y + (4.6 * lines + 2) / ply, to[1] - (above + 5) / ply)
            axes.plot([x, to[0]], ends, color="black", linewidth=2.2 if thick else 0.7, zorder=1)
            axes.annotate(
                literal(child.move), to, (0, above), textcoords="offset points", **TEXT, zorder=2, bbox=PAPER
            )
    for node in nodes:
        shape = "square" if node.is_max else "round"
        box = {
            "boxstyle": f"{shape},pad=0.3",
            "fc": scale.colour(node.value),
            "lw": 1.8 if node.is_solved else 0.6,
        }
        axes.text(*places[node.id], literal("\n".join(words[node.id])), **TEXT, zorder=3, bbox=box)
    wide, deep = (max(place[side] for place in places.values()) for side in (0, 1))
    # a narrow tree in a figure of the least width keeps its shape
    room = max(0.6, (figure.get_figwidth() / size[0] * (wide + 1) - wide) / 2)
    axes.set(xlim=(-room, wide + room), ylim=(deep + 0.4, -0.6))
    figure.supxlabel("square: Max moves, round: Min; bold frame: solved; bold line: best play", fontsize=7)
    return figure


TEXT: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 7}
"""How words are written."""
PAPER = {"boxstyle": "square,pad=0.05", "fc": "white", "lw": 0.0}
"""What is behind the name of a move."""


LEFT_OUT = ("value", "expansions", "vmin", "vmax", "upper_tail", "lower_tail")
"""Numbers that are seen otherwise, or are of no node."""


def spread(tree: Tree) -> Places:
    """Return where nodes stand: each above the middle of its children, subtrees as close as they can be."""
    outlines: dict[int, list[tuple[float, float]]] = {}  # from a node: how far left and right, ply by ply
    shifts: dict[int, float] = {}  # from a parent
    nodes = list(all_nodes(tree.root))
    for node in reversed(nodes):  # children before parents
        whole: list[tuple[float, float]] = []
        offsets = []
        for child in node.children:
            outline = outlines.pop(child.id)
            gap = max(
                (right - left + 1 for (_, right), (left, _) in zip(whole, outline, strict=False)), default=0.0
            )
            offsets.append(gap)
            moved = [(left + gap, right + gap) for left, right in outline]
            common = min(len(whole), len(moved))
            joined = [(whole[ply][0], moved[ply][1]) for ply in range(common)]
            whole = [*joined, *whole[common:], *moved[common:]]
        middle = (offsets[0] + offsets[-1]) / 2 if offsets else 0.0
        for child, offset in zip(node.children, offsets, strict=True):
            shifts[child.id] = offset - middle
        outlines[node.id] = [(0.0, 0.0), *((left - middle, right - middle) for left, right in whole)]
    start = -min(left for left, _ in outlines[tree.root.id])
    places = {tree.root.id: (start, 0.0)}
    for node in nodes:
        for child in node.children:
            places[child.id] = (places[node.id][0] + shifts[child.id], float(child.depth))
    return places


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
        words.append(f"{number(low)} ... {number(high)}")
    if "p" in numbers and "d" in numbers:
        low, high = (
            next((x for x, h in numbers[side] if h > 1), end) for side, end in (("d", -inf), ("p", inf))
        )
        words.append(f"{number(low)} ... {number(high)}")
    for name, entry in numbers.items():
        if name not in LEFT_OUT and isinstance(entry, (int, float, str)):
            words.append(f"{name} {short(entry)}" if isinstance(entry, float) else f"{name} {entry}")
    return words


def short(value: float) -> str:
    """Return a number in three digits, or all digits of a whole one.

    >>> short(1201.0), short(0.66653)
    ('1201', '0.667')
    """
    return number(value) if value == round(value, 0) else f"{value:.3g}"


def draw_blocks(tree: Tree) -> Drawing:
    """Draw the nodes with the largest subtrees as blocks."""
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import LinearSegmentedColormap, Normalize

    blocks = list(largest(tree))
    values = [node.value for _, _, node in blocks]
    scale = Scale.of(values, tree.value_range)
    low, high = scale.draw - scale.half, scale.draw + scale.half
    deep = 1 + max(node.depth for _, _, node in blocks)
    height = min(12.0, max(2.4, 1.0 + 0.28 * deep))
    figure = new_figure(OVERVIEW, height)
    axes = bare_axes(figure.add_subplot())
    axes.bar(
        [left for left, _, _ in blocks],
        [1.0] * len(blocks),
        [share for _, share, _ in blocks],
        [float(node.depth) for _, _, node in blocks],
        align="edge",
        color=[scale.colour(value) for value in values],
        edgecolor="#777777",
        linewidth=0.3,
    )
    for left, share, node in blocks:
        words = str("root" if node.parent is None else node.move)
        # nine tenths of the figure is the tree, the rest its scale
        if share * 0.9 * OVERVIEW > LETTER * len(words) + 0.06 and (height - 0.6) / deep >= LEAST_LEVEL:
            axes.text(left + share / 2, node.depth + 0.5, literal(words), **TEXT)
    axes.set(xlim=(0, 1), ylim=(deep, 0))
    beyond = (min(values) < low, max(values) > high)
    bar = figure.colorbar(
        ScalarMappable(Normalize(low, high), LinearSegmentedColormap.from_list("values", scale.colours())),
        ax=axes,
        label=f"value (white: {number(scale.draw)}, even)",
        fraction=0.03,
        aspect=30,
        extend={(False, False): "neither", (True, False): "min", (False, True): "max"}.get(beyond, "both"),
    )
    bar.ax.tick_params(labelsize=7)
    if all(value == round(value) for value in values if isfinite(value)):
        whole_numbers(bar.ax.yaxis)
    size = f"{len(tree):,} nodes, {len(tree.depth_histogram()) - 1} plies"
    axes.set_title(f"{size}; a block is as wide as its part of the tree", loc="left", fontsize=9)
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
