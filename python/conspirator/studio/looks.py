"""What the page sees of a tree: names of moves, blocks of the whole, and the nodes around one of them."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from conspirator import _native
from conspirator._errors import ConspiratorError
from conspirator._line import written
from conspirator._native import Node, Position, Tree

MOST_BLOCKS = 1400
"""Blocks of one picture of a whole tree; what does not fit is merged."""
MOST_CHILDREN = 8
"""Children of the selected node that are shown; the others are counted."""
MOST_GRANDCHILDREN = 2
"""The same for each of its children."""
SMALL = 40
"""A tree of so many nodes is shown with all of them."""
MOST_NEW_NAMES = 60
"""Moves that are looked up for one picture; the rest waits for the next."""
MOST_KEPT = 50_000
"""Names and positions that are remembered."""
LABELLED = 0.018
"""A block that is narrower, in parts of the picture, has no room for its move."""
MERGED = 16
"""The flag of a block that stands for several siblings."""

Path = tuple[int, ...]


@dataclass
class View:
    """What one page looks at: a part of the width, and a node."""

    left: float = 0.0
    right: float = 1.0
    selected: Path = ()
    most: int = MOST_BLOCKS
    told: tuple[float, Path] | None = None
    """When the page heard last of the nodes around the selected one, and which that was."""


class Names:
    """The moves to the nodes of a tree as people write them, remembered: a node's move never changes.

    >>> import conspirator as cn
    >>> position = cn.games.Chess().start()
    >>> tree = cn.search(position, "best-first", expansions=3).tree
    >>> len(Names(position).name(tree, (0,))) > 1
    True
    """

    def __init__(self, position: Position | None, given: Mapping[Path, str] | None = None) -> None:
        self._given = dict(given or {})
        self._names: dict[Path, str] = {}
        self._positions: dict[Path, Position] = {} if position is None else {(): position}
        self._root = position

    def name(self, tree: Tree, path: Path) -> str:
        """Return the move to a node; of the root, nothing."""
        if path in self._given:
            return self._given[path]
        if not path:
            return ""
        if path not in self._names:
            if len(self._names) > MOST_KEPT:
                self._names.clear()
            self._names[path] = self._find(tree, path)
        return self._names[path]

    def knows(self, path: Path) -> bool:
        """Tell whether a name costs nothing."""
        return path in self._names or path in self._given or not path

    def line(self, tree: Tree, path: Path) -> list[str]:
        """Return the moves from the root to a node."""
        return [self.name(tree, path[:end]) for end in range(1, len(path) + 1)]

    def position(self, tree: Tree, path: Path) -> Position:
        """Return the position at a node; trees from data have none."""
        known = self._positions.get(path)
        if known is None:
            if len(self._positions) > MOST_KEPT:
                self._positions = {} if self._root is None else {(): self._root}
            before = self.position(tree, path[:-1]) if path else tree.root.position
            known = before if not path else before.play(before.moves()[tree.node(path).legal_place])
            self._positions[path] = known
        return known

    def _find(self, tree: Tree, path: Path) -> str:
        if self._root is None:
            return str(path[-1])
        before = self.position(tree, path[:-1])
        return written(before, before.moves()[tree.node(path).legal_place])


def overview(tree: Tree, view: View, names: Names) -> tuple[bytes, dict[str, str], list[list[int]]]:
    """Return the blocks of a tree, the moves of the wide ones by their number, and sizes of children.

    The sizes are of the root's children and of those of the selected node and of its first children.
    """
    try:
        family = min(len(tree.node(view.selected).children), MOST_ASKED)
    except ConspiratorError:  # the page still thinks of another tree
        family = 0
    paths = [(), view.selected, *((*view.selected, place) for place in range(family))]
    data, sizes = _native.overview(
        tree, paths, left=view.left, right=view.right, least=1 / 700, most=view.most
    )
    count = len(data) // 32
    labels: dict[str, str] = {"0": root} if (root := names.name(tree, ())) else {}
    new = 0
    parents = struct.unpack_from(f"<{count}I", data, 0)
    places = struct.unpack_from(f"<{count}I", data, 4 * count)
    widths = struct.unpack_from(f"<{count}f", data, 12 * count)
    marks = struct.unpack_from(f"<{count}I", data, 24 * count)
    for block in range(1, count):
        if widths[block] < LABELLED or marks[block] & MERGED:
            continue
        path = path_of(block, parents, places)
        if not names.knows(path):
            new += 1
            if new > MOST_NEW_NAMES:
                continue
        labels[str(block)] = names.name(tree, path)
    return data, labels, sizes


MOST_ASKED = 400
"""Children of the selected node whose own children are counted in the same pass."""


def path_of(block: int, parents: Sequence[int], places: Sequence[int]) -> Path:
    """Return the path of a block's node."""
    path: list[int] = []
    while block:
        path.append(places[block])
        block = parents[block]
    return tuple(reversed(path))


def facts(tree: Tree, node: Node, names: Names, size: int | None = None) -> dict[str, Any]:
    """Return what is known of a node."""
    path = tuple(node.path)
    return {
        "path": path,
        "move": names.name(tree, path),
        "value": node.value,
        "max": node.is_max,
        "solved": node.is_solved,
        "terminal": node.is_terminal,
        "open": node.is_open,
        "children": len(node.children),
        "size": size,
        "numbers": node.numbers,
    }


def best_first(node: Node) -> list[Node]:
    """Return the children, best for the player to move first; equals in the game's order."""
    sign = -1 if node.is_max else 1
    return sorted(node.children, key=lambda child: sign * child.value)


def liked_first(node: Node) -> list[Node]:
    """Return the children as their rule likes them: by visits where it counts them, else the best first."""
    children = best_first(node)
    if children and "visits" in children[0].numbers:
        children.sort(key=lambda child: -float(child.numbers["visits"]))
    return children


def principal(tree: Tree, path: Path = ()) -> Path:
    """Return the path of best play below a node, as the rule sees it."""
    node = tree.node(path)
    by_visits = "visits" in node.numbers
    while node.children:
        node = (liked_first if by_visits else best_first)(node)[0]
    return tuple(node.path)


def around(
    tree: Tree, view: View, names: Names, sizes: list[list[int]], *, chances: bool = False
) -> dict[str, Any]:
    """Return the selected node, those above it, its best children and theirs, with how many are left out.

    With `chances` also how likely each outcome of the selected node is, which takes a pass over the tree.
    """
    try:
        node = tree.node(view.selected)
    except ConspiratorError:  # the page still thinks of another tree
        view.selected = ()
        node = tree.root
        sizes = [sizes[0], sizes[0]]
    above = []
    parent = node.parent
    while parent is not None:
        above.append(facts(tree, parent, names))
        parent = parent.parent
    own = sizes[1] if len(sizes[1]) == len(node.children) else [0] * len(node.children)
    this = facts(tree, node, names, 1 + sum(own))
    if chances and (likely := node.distribution) is not None:
        this["chances"] = list(likely.items())
    children = liked_first(node)
    this["more"] = max(0, len(children) - MOST_CHILDREN)
    this["kids"] = [
        _with_children(tree, child, names, own[child.place], sizes) for child in children[:MOST_CHILDREN]
    ]
    return {"above": above[::-1], "node": this, "whole": _whole(tree, tree.root, names)}


def _whole(tree: Tree, node: Node, names: Names) -> dict[str, Any] | None:
    """Return a small tree with all its nodes, as the papers draw theirs; None for larger ones."""
    if len(tree) > SMALL:
        return None
    this = facts(tree, node, names)
    this["kids"] = [_whole(tree, child, names) for child in node.children]
    return this


def _with_children(
    tree: Tree, child: Node, names: Names, size: int, sizes: list[list[int]]
) -> dict[str, Any]:
    this = facts(tree, child, names, size)
    below = liked_first(child)
    counted = sizes[2 + child.place] if 2 + child.place < len(sizes) else []
    this["more"] = max(0, len(below) - MOST_GRANDCHILDREN)
    this["kids"] = [
        facts(tree, each, names, counted[each.place] if each.place < len(counted) else None)
        for each in below[:MOST_GRANDCHILDREN]
    ]
    return this
