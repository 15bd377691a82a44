"""Upper confidence bounds: L. Kocsis and C. Szepesvári, "Bandit based Monte-Carlo planning", 2006.

A leaf is one visit, with a reward between 0 and 1 for Max. A node has the visits of its children and their
mean reward. The search goes to the child whose reward might be greatest: the fewer visits it has, the more is
added to its mean. Solved children are passed over, and count what they are worth.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from conspirator._native import Node, Tree
from conspirator._rule import GrowthRule


class Uct(GrowthRule):
    """The rule `uct`, with static values for random games (`playouts=0`).

    >>> import conspirator as cn
    >>> result = cn.search(cn.games.ConnectFour().start(), Uct(), expansions=200)
    >>> native = cn.search(cn.games.ConnectFour().start(), "uct", playouts=0, expansions=200)
    >>> result.tree.root.numbers["visits"] == native.tree.root.numbers["visits"] == result.nodes - 200
    True
    """

    def __init__(self, exploration: float = 0.5) -> None:
        self.exploration = exploration

    def initialise(self, tree: Tree, leaves: list[Node]) -> None:
        """Give new leaves one visit and their reward."""
        if leaves[0].parent is None:
            self.visits: dict[int, float] = {}
            self.sums: dict[int, float] = {}
            self.best: int | None = None
        for leaf in leaves:
            self.visits[leaf.id], self.sums[leaf.id] = 1.0, reward(tree, leaf)

    def choose(self, tree: Tree) -> Node | str | None:
        """Go down to the greatest upper confidence bound."""
        node = tree.root
        if node.is_solved:
            return "proven"
        while node.children:
            node = max(
                (child for child in node.children if not child.is_solved),
                key=lambda child, node=node: self.bound(node, child),  # type: ignore[misc]
            )
        return node

    def bound(self, node: Node, child: Node) -> float:
        """Return the mean reward for the player to move, and what few visits add to it."""
        mean = self.sums[child.id] / self.visits[child.id]
        few = math.sqrt(math.log(self.visits[node.id]) / self.visits[child.id])
        return (mean if node.is_max else 1.0 - mean) + self.exploration * few

    def update(self, tree: Tree, node: Node) -> bool:
        """Sum up the children; a solved node is worth what it is worth."""
        visits = sums = 0.0
        for child in node.children:
            visits += self.visits[child.id]
            sums += self.sums[child.id]
        self.visits[node.id] = visits
        solved = node.is_solved and not node.is_held
        self.sums[node.id] = visits * reward(tree, node) if solved else sums
        if node.parent is None:
            self.best = self.best_of(tree, node)
        return True

    def renew(self, tree: Tree, leaf: Node) -> None:
        """Give a held leaf a second visit, with the same reward."""
        self.visits[leaf.id] = 2.0 if leaf.is_held else 1.0
        self.sums[leaf.id] = self.visits[leaf.id] * reward(tree, leaf)

    def best_of(self, tree: Tree, root: Node) -> int | None:
        """Return the place of the most visited move that is not lost; None once the value is known."""
        return place_of_best(tree, root, lambda child: self.merit(root, child))

    def merit(self, root: Node, child: Node) -> tuple[float, float]:
        """Return what makes a move the answer: its visits, then its mean reward."""
        mean = self.sums[child.id] / self.visits[child.id]
        return self.visits[child.id], mean if root.is_max else -mean

    def answer(self) -> int | None:
        """Return the place of the most visited move."""
        return self.best

    def numbers(self, node: Node) -> dict[str, float]:
        """Return the visits of a node and its mean reward for Max."""
        return {"visits": self.visits[node.id], "reward": self.sums[node.id] / self.visits[node.id]}


def reward(tree: Tree, node: Node) -> float:
    """Return Max's reward: where a value lies in the range, or on the way to its ends if there are none."""
    low, high = tree.value_range
    if math.isfinite(low) and math.isfinite(high) and low < high:
        return (node.value - low) / (high - low)
    return 0.5 + math.atan(node.value) / math.pi


def place_of_best(tree: Tree, root: Node, merit: Callable[[Node], tuple[float, ...]]) -> int | None:
    """Return the place of the move with the greatest merit that is not lost; None once the value is known."""
    if root.is_solved:
        return None
    lost = tree.value_range[not root.is_max]

    def key(child: Node) -> tuple[bool, tuple[float, ...]]:
        return not (child.is_solved and child.value == lost), merit(child)

    return max(root.children, key=key).place
