"""Conspiracy numbers of all nodes of a tree: D. A. McAllester, "Conspiracy numbers for min-max search", 1988.

Vmax(i, N) is the largest value of node i that N leaves can conspire to bring about, Vmin(i, N) the least
(Definition 3.1). The upper bounds sequence of i is Vmax(i, 0), Vmax(i, 1), ... as long as it grows; the
lower one is the dual (Definition 4.1). Conspiracy numbers follow from the sequences (Bounds Lemma).

A sequence is kept as a list and a tail: the entries before it becomes constant, and that constant. In the
paper the tail is always infinite. Here it is the end of the game's values, or nearer, because a finished game
cannot conspire. Only the first `most` + 1 entries are kept; entry N depends on no later entry of the
successors, so these are exact.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from operator import gt, lt
from typing import NamedTuple

from conspirator._native import Node, Tree

Sequence = tuple[list[float], float]
"""A bounds sequence: its entries before the tail, and the tail."""


class Direction(NamedTuple):
    """The duality of Section 4: interchange max and min, and turn round all inequalities."""

    farther: Callable[..., float]
    nearer: Callable[..., float]
    short_of: Callable[[float, float], bool]


UP = Direction(max, min, lt)
DOWN = Direction(min, max, gt)


def entry(sequence: Sequence, N: float) -> float:
    """Return the entry for N conspirators; N may be infinite."""
    entries, tail = sequence
    return entries[int(N)] if len(entries) > N else tail


def one_is_enough(node: Node, direction: Direction) -> bool:
    """Tell whether one successor can change the node: the player to move wants this direction."""
    return node.is_max == (direction is UP)


class BoundsSequences:
    """The bounds sequences of a tree, up to `most` conspirators, by node and direction.

    `value_range` holds the least and the greatest value of the game.
    """

    def __init__(self, most: int, leaf_delta: float | None, value_range: tuple[float, float]) -> None:
        self.most = most
        self.leaf_delta = leaf_delta
        self.ends = {UP: value_range[1], DOWN: value_range[0]}
        self.sequences: dict[Direction, dict[int, Sequence]] = {UP: {}, DOWN: {}}

    def limit(self, node: Node, direction: Direction, N: float) -> float:
        """Return Vmax(i, N) upwards, Vmin(i, N) downwards (Definition 3.1); N <= `most` or N = inf."""
        return entry(self.sequences[direction][node.id], N)

    def needed(self, node: Node, direction: Direction, V: float) -> float:
        """Return how many leaves must conspire to take the node to V or beyond (Definition 2.4).

        They are as many as the sequence has entries short of V (Section 4, Bounds Lemma).
        """
        entries, tail = self.sequences[direction][node.id]
        return inf if direction.short_of(tail, V) else sum(direction.short_of(v, V) for v in entries)

    def initialise(self, leaf: Node) -> None:
        """Give a leaf its sequences."""
        for direction in (UP, DOWN):
            self.sequences[direction][leaf.id] = self.of_leaf(leaf, direction)

    def of_leaf(self, leaf: Node, direction: Direction) -> Sequence:
        """Return <V> for an open leaf of static value V: it can become anything (Section 4).

        With `leaf_delta` a max leaf has <V, V + delta> upwards and <V, V, V - delta> downwards, because
        it is more likely to rise than to fall, and a min leaf the dual; an evaluator may also return
        bounds of its own (Section 10). A finished game stays what it is.
        """
        V, delta, end = leaf.value, self.leaf_delta, self.ends[direction]
        if leaf.is_terminal:
            return [], V
        entries = [V]
        if leaf.bounds is not None:
            entries = leaf.bounds[direction is DOWN]
        elif delta is not None:
            far = V + delta if direction is UP else V - delta
            entries = [V, far] if one_is_enough(leaf, direction) else [V, V, far]
        return [v for v in entries if direction.short_of(v, end)][: self.most + 1], end

    def update(self, node: Node) -> bool:
        """Recompute an inner node from its successors; return whether it changed."""
        changed = False
        for direction in (UP, DOWN):
            sequences = self.sequences[direction]
            new = self.of_inner(node, direction)
            changed |= new != sequences[node.id]
            sequences[node.id] = new
        return changed

    def of_inner(self, node: Node, direction: Direction) -> Sequence:
        """Return the sequence that follows from those of the successors (Section 4).

        Upwards at a max node: Vmax(i, N) is the maximum of Vmax(j, N) over the successors j. Upwards at
        a min node: the union of the successors' sequences as multisets (Bounds Multiset Theorem). Dual
        downwards.
        """
        parts = [self.sequences[direction][child.id] for child in node.children]
        if one_is_enough(node, direction):
            tail = direction.farther(tail for _, tail in parts)
            longest = max(len(entries) for entries, _ in parts)
            best = [direction.farther(entry(part, N) for part in parts) for N in range(longest)]
            return [v for v in best if v != tail], tail
        tail = direction.nearer(tail for _, tail in parts)
        union = [v for entries, _ in parts for v in entries if direction.short_of(v, tail)]
        return sorted(union, reverse=direction is DOWN)[: self.most + 1], tail

    def raise_to(self, most: int, tree: Tree) -> None:
        """Compute everything anew for more conspirators."""
        self.most = most
        nodes = [tree.root]
        for node in nodes:
            nodes += node.children
        for node in reversed(nodes):
            if node.children:
                self.update(node)
            else:
                self.initialise(node)
