"""Small trees and ladders as SVG, for notebooks: a few nodes of a large tree, and the first rungs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import isfinite

from conspirator._native import Node, Position, Tree
from conspirator.figures.colours import Scale, number
from conspirator.figures.svg import ACCENT, GREY, Picture, picture, tag, words

MOST_CHILDREN = 6
"""So many children of a node are drawn; the others are counted."""
MOST_ABREAST = 14
"""A position's tree has no more nodes on one ply."""
MOST_PLIES = 3
"""And no tree is deeper."""
LEVEL, BOX, SMALLEST = 58.0, 20.0, 44.0
"""From ply to ply, how high a node is, and how wide at least."""


@dataclass
class Twig:
    """A node to be drawn, with those of its children that are drawn too."""

    label: str
    value: float
    is_max: bool
    best: bool = False
    more: int = 0
    """How many children are left out."""
    twigs: list[Twig] = field(default_factory=list)

    def all(self) -> Iterator[Twig]:
        """Yield it and everything below."""
        yield self
        for twig in self.twigs:
            yield from twig.all()


def position_tree(position: Position, move: str | None = None) -> Picture:
    """Draw the next plies of a game that is a tree, with static values; as many as there is room for."""
    root = Twig("", position.evaluate(), position.to_move == "max", best=True, more=len(position.moves()))
    ply = [(root, position)]
    for _ in range(MOST_PLIES):
        if sum(min(twig.more, MOST_CHILDREN) for twig, _ in ply) > MOST_ABREAST:
            break  # a ply is drawn whole, or not at all
        following: list[tuple[Twig, Position]] = []
        for twig, here in ply:
            for name in here.moves()[:MOST_CHILDREN]:
                after = here.play(name)
                best = here is position and str(name) == move
                below = Twig(str(name), after.evaluate(), after.to_move == "max", best, len(after.moves()))
                twig.twigs.append(below)
                following.append((below, after))
            twig.more -= len(twig.twigs)
        ply = following
    return draw(root, position.value_range, f"{position.game!r}: the next moves")


def search_tree(tree: Tree, chosen: int | None = None) -> Picture:
    """Draw the top of a search's tree: the root's best moves, and what follows on the best line."""
    root = tree.root
    twig = Twig("", root.value, root.is_max, best=True)
    node: Node | None = root
    here = twig
    for _ in range(MOST_PLIES):
        if node is None or not node.children:
            break
        children = list(node.children)
        ordered = sorted(children, key=lambda child, sign=-1 if node.is_max else 1: sign * child.value)  # type: ignore[misc]
        best = next((child for child in children if node is root and child.legal_place == chosen), ordered[0])
        kept = {best.place, *(child.place for child in ordered[: MOST_CHILDREN - 1])}
        here.more = len(children) - len(kept)
        for child in children:
            if child.place in kept:
                here.twigs.append(Twig(str(child.move), child.value, child.is_max, child == best))
        here = next(below for below in here.twigs if below.best)
        node = best
    here.more = len(node.children) if node is not None else 0
    return draw(twig, tree.value_range, "the top of the tree")


def draw(root: Twig, value_range: tuple[float, float], title: str) -> Picture:
    """Draw twigs: leaves side by side, others above the middle of their children."""
    everything = list(root.all())
    scale = Scale.of((twig.value for twig in everything), value_range)
    wide = max(SMALLEST, *(7.0 * max(len(number(twig.value)), len(twig.label)) + 12 for twig in everything))
    places: dict[int, tuple[float, float]] = {}
    rest: dict[int, tuple[float, float]] = {}  # where it says how many children are left out
    free = [2.0]

    def settle(twig: Twig, depth: int) -> float:
        below = [settle(each, depth + 1) for each in twig.twigs]
        if below:
            x = (below[0] + below[-1]) / 2
            if twig.more:
                rest[id(twig)] = (free[0] + 14, 12 + BOX / 2 + (depth + 1) * LEVEL)
                free[0] += 32
        else:
            x = free[0] + wide / 2
            free[0] += wide + 4
        places[id(twig)] = (x, 12 + BOX / 2 + depth * LEVEL)
        return x

    settle(root, 0)
    lines, boxes = [], []
    for twig in everything:
        x, y = places[id(twig)]
        for below in twig.twigs:
            to_x, to_y = places[id(below)]
            thick = twig.best and below.best
            lines.append(
                tag(
                    "line", x1=x, y1=y, x2=to_x, y2=to_y - BOX / 2 - 13,
                    stroke=ACCENT if thick else GREY, stroke_width=2.5 if thick else 1,
                )
            )  # fmt: skip
        if twig.label:
            weight = "bold" if twig.best else "normal"
            boxes.append(words(x, y - BOX / 2 - 7, twig.label, 11, fill=GREY, font_weight=weight))
        shape = {"x": x - wide / 2 + 3, "y": y - BOX / 2, "width": wide - 6, "height": BOX}
        round_corner = 2 if twig.is_max else BOX / 2
        boxes.append(tag("rect", **shape, rx=round_corner, fill=scale.colour(twig.value), stroke="#555555"))
        boxes.append(words(x, y, number(twig.value), 12, fill="#111111"))
        if twig.more:
            said = f"+{twig.more:,}" if twig.twigs else f"{twig.more:,} below"
            at = rest.get(id(twig), (x, y + BOX / 2 + 8))
            boxes.append(words(*at, said, 9, fill=GREY))
    height = max(y for _, y in places.values()) + BOX / 2 + 16
    return picture(max(free[0], wide + 40), height, [*lines, *boxes], title)


def ladder_picture(rungs: Sequence[tuple[float, float]], value: float) -> Picture:
    """Draw how far a value can go if 0, 1, 2, ... leaves are wrong; an open end goes on for ever."""
    finite = [end for rung in [*rungs, (value, value)] for end in rung if isfinite(end)] or [0.0]
    low, high = min(finite), max(finite)
    room = (high - low) / 8 or 1.0
    low, high = low - room, high + room
    left, wide, row = 30.0, 240.0, 20.0

    def across(x: float) -> float:
        return left + wide * (min(max(x, low), high) - low) / (high - low)

    parts = []
    for n, (least, most) in enumerate(rungs):
        y = 12 + n * row
        parts.append(words(14, y, n, 11, fill=GREY))
        start, end = across(least), across(most)
        bar = {"y": y - 5, "height": 10, "fill": "#6a9fd0", "rx": 2}
        parts.append(tag("rect", x=start - 1, width=end - start + 2, **bar))
        said = number(least) if least == most else f"{number(least)} ... {number(most)}"
        parts.append(words(left + wide + 10, y, said, 11, fill=GREY, text_anchor="start"))
    bottom = 12 + len(rungs) * row - row / 2
    at = across(value)
    parts.append(tag("line", x1=at, y1=2, x2=at, y2=bottom, stroke=ACCENT, stroke_width=1.5))
    said = "leaves that may be wrong, and how far the value can go"
    parts.append(words(left, bottom + 9, said, 10, fill=GREY, text_anchor="start"))
    return picture(left + wide + 120, bottom + 20, parts, "how far the value can go")
