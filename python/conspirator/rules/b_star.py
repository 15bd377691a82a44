"""B*: H. Berliner, "The B* tree search algorithm: a best-first proof procedure", 1979.

A position has two values: an optimistic and a pessimistic one, between which its true value is thought to
lie. Both are backed up as minimax values. From Max's side they are

    node            low                     high
    open leaf       the evaluator's bounds; or its static value less and plus `width`
    finished game   its value               its value
    Max to move     greatest low            greatest high
    Min to move     least low               least high

The search is over when one move at the root is separated from the others: its pessimistic value is at least
as good as the optimistic value of every other. There are two strategies at the root to get there:

    PROVEBEST        raise the pessimistic value of the move of the best optimistic value: expand below it
    DISPROVEREST     lower the optimistic value of the best alternative: expand below that

Berliner's criterion compares depths, from which optimistic values were backed up: DISPROVEREST if the sum of
the squares over the best alternatives is less than the square for the best move, else PROVEBEST. Below the
root both players always go to their best optimistic value.

What we had to choose: ties go to the better other value, then to the left; solved moves are passed over; the
answer before the separation is the move of the best pessimistic value; two alternatives are compared.
"""

from __future__ import annotations

from math import isfinite

from conspirator._native import Node, Tree
from conspirator._rule import GrowthRule
from conspirator.rules.uct import place_of_best


class BStar(GrowthRule):
    """The rule `b-star`.

    >>> import conspirator as cn
    >>> leaf, sure = {"value": 5}, {"value": 3, "upper": [3, 4], "lower": [3, 2]}
    >>> data = {"children": [leaf, {"children": [sure, leaf]}]}
    >>> tree = cn.Tree.from_dict(data, BStar(width=2))
    >>> [(child.numbers["low"], child.numbers["high"]) for child in tree.root.children]
    [(3.0, 7.0), (2.0, 4.0)]
    """

    def __init__(self, width: float | None = None, strategy: str = "depth", alternatives: int = 2) -> None:
        self.width = width
        self.strategy = strategy
        self.alternatives = alternatives

    def initialise(self, tree: Tree, leaves: list[Node]) -> None:
        """Give new leaves their bounds."""
        low, high = tree.value_range
        if leaves[0].parent is None:
            self.low: dict[int, float] = {}
            self.high: dict[int, float] = {}
            self.low_depth: dict[int, int] = {}
            self.high_depth: dict[int, int] = {}
            self.best: int | None = None
            usual = (high - low) / 20 if isfinite(high - low) else 1.0
            self.margin = usual if self.width is None else self.width
        for leaf in leaves:
            self.low_depth[leaf.id] = self.high_depth[leaf.id] = 0
            self.low[leaf.id] = self.high[leaf.id] = leaf.value
            if not leaf.is_terminal:
                upper, lower = leaf.bounds or ([leaf.value + self.margin], [leaf.value - self.margin])
                self.low[leaf.id], self.high[leaf.id] = max(lower[-1], low), min(upper[-1], high)

    def update(self, tree: Tree, node: Node) -> bool:
        """Back both values up, each with the depth that it comes from."""
        best = max if node.is_max else min
        for bound, depth in ((self.low, self.low_depth), (self.high, self.high_depth)):
            child = best(node.children, key=lambda child: bound[child.id])
            bound[node.id], depth[node.id] = bound[child.id], 1 + depth[child.id]
        if node.is_solved and not node.is_held:
            self.low[node.id] = self.high[node.id] = node.value
        if node.parent is None:
            self.best = place_of_best(tree, node, lambda child: self.views(node, child)[::-1])
        return True

    def views(self, node: Node, child: Node) -> tuple[float, float]:
        """Return the optimistic and the pessimistic value of a child for the player to move at a node."""
        if node.is_max:
            return self.high[child.id], self.low[child.id]
        return -self.low[child.id], -self.high[child.id]

    def renew(self, tree: Tree, leaf: Node) -> None:
        """Leave a held leaf its bounds: it is passed over."""

    def choose(self, tree: Tree) -> Node | str | None:
        """Follow a strategy at the root, and the best optimistic values below it."""
        root = node = tree.root
        if root.is_solved:
            return "proven"
        if root.children:
            best, *rest = sorted(root.children, key=lambda child: self.views(root, child), reverse=True)
            if all(self.views(root, child)[0] <= self.views(root, best)[1] for child in rest):
                return "decided"
            rivals = [child for child in rest if self.views(root, child)[0] > self.views(root, best)[1]]
            first = [*rivals, best] if self.disproves(root, best, rest) else [best, *rivals]
            usable = [child for child in first if not child.is_solved]
            if not usable:
                return "converged"
            node = usable[0]
        while node.children:
            node = max(
                (child for child in node.children if not child.is_solved),
                key=lambda child, node=node: self.views(node, child),  # type: ignore[misc]
            )
        return node

    def disproves(self, root: Node, best: Node, rest: list[Node]) -> bool:
        """Tell whether to disprove the rest rather than to prove the best."""
        if self.strategy != "depth":
            return self.strategy == "disprove"
        depth = self.high_depth if root.is_max else self.low_depth
        squares = [(1 + depth[child.id]) ** 2 for child in rest[: self.alternatives]]
        return sum(squares) < (1 + depth[best.id]) ** 2

    def answer(self) -> int | None:
        """Return the place of the move of the best pessimistic value."""
        return self.best

    def numbers(self, node: Node) -> dict[str, float]:
        """Return both values, from Max's side."""
        return {"low": self.low[node.id], "high": self.high[node.id]}
