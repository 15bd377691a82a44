"""Least certainty: P. E. Utgoff and R. P. Cochran, "A least-certainty heuristic for selective search", 2001.

Suppose that the best move at the root is wrong. How much would the leaves' values have to change, in sum, for
another one to be best? Expand where the least change, the *swing*, would do.

The paper has every value from the side of the player who moved; here they are Max's, so that a goal is the
same number all the way down.
"""

from __future__ import annotations

from functools import reduce
from math import inf
from operator import add
from typing import NamedTuple

from conspirator._errors import ArgumentError
from conspirator._native import Node, Tree
from conspirator._rule import GrowthRule


class Goal(NamedTuple):
    """What a child of the root must come to for another decision: rise to a value, or fall to it."""

    rise: bool
    val: float


class SplitMix64:
    """A generator of random 64-bit numbers (G. L. Steele et al., 2014), the same on every machine."""

    def __init__(self, seed: int) -> None:
        self.state = seed

    def next(self) -> int:
        """Return the next number.

        >>> hex(SplitMix64(0).next())
        '0xe220a8397b1dcdaf'
        """
        self.state = (self.state + 0x9E3779B97F4A7C15) % 2**64
        z = self.state
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % 2**64
        z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
        return z ^ z >> 31


class LeastCertainty(GrowthRule):
    """The rule `least-certainty`, variant "published".

    `ties` between equal swings are broken at random, beginning with `seed`, or to the left. The search is
    decided when every change of the decision takes a swing of more than `swing_threshold`.

    >>> import conspirator as cn
    >>> position = cn.games.RandomTree(branching=3, seed=1, kind="utgoff").start()
    >>> result = cn.search(position, LeastCertainty(swing_threshold=10_000), expansions=1000)
    >>> result.status, min(child.numbers["swing"] for child in result.tree.root.children) > 10_000
    ('decided', True)
    """

    def __init__(self, ties: str = "random", seed: int = 0, swing_threshold: float | None = None) -> None:
        if ties not in ("random", "leftmost"):
            raise ArgumentError(f"ties is 'random' or 'leftmost', not {ties!r}")
        self.ties, self.seed, self.swing_threshold = ties, seed, swing_threshold

    def initialise(self, tree: Tree, leaves: list[Node]) -> None:  # noqa: ARG002
        """Give new leaves their swing, if the goals are known: after the root's expansion."""
        if leaves[0].parent is None:
            self.random = SplitMix64(self.seed)
            self.goals: list[Goal] = []
            self.swing: dict[int, float] = {}
        self.seen = self.random.state
        for leaf in leaves:
            self.swing[leaf.id] = self.swing_of(leaf) if self.goals else 0.0

    def renew(self, tree: Tree, leaf: Node) -> None:  # noqa: ARG002
        """Give a leaf its swing: that of a held one, as of a finished game, is infinite unless it is zero."""
        self.seen = self.random.state
        self.swing[leaf.id] = self.swing_of(leaf) if self.goals else 0.0

    def choose(self, tree: Tree) -> Node | str | None:
        """Descend the path of least non-zero swing to a leaf (Figure 2, grow_tree)."""
        node = tree.root
        if not node.children:
            return node
        if node.is_solved:
            return "proven"
        if len(node.children) == 1:
            return "decided"
        self.random.state = self.seen  # the last choice may not have been expanded
        # no swing at the root: two moves are equally good; further below: nothing is left to achieve
        choices = [c for c in node.children if not c.is_solved and self.swing[c.id] < inf]
        if not choices:
            return "decided"
        least = min(self.swing[c.id] for c in choices)
        if self.swing_threshold is not None and least > self.swing_threshold:
            return "decided"
        node = self.least(choices)
        while children := node.children:
            choices = [c for c in children if 0 < self.swing[c.id] < inf]
            if choices:
                node = self.least(choices)
            else:  # below one of two equal moves: what can still change
                open_ones = [c for c in children if not c.is_solved]
                node = next((c for c in open_ones if self.swing[c.id] < inf), open_ones[0])
        return node

    def least(self, nodes: list[Node]) -> Node:
        """Return a node of least swing."""
        swing = min(self.swing[node.id] for node in nodes)
        tied = [node for node in nodes if self.swing[node.id] == swing]
        if len(tied) == 1 or self.ties == "leftmost":
            return tied[0]
        return tied[self.random.next() % len(tied)]

    def update(self, tree: Tree, node: Node) -> bool:  # noqa: ARG002
        """Back the swing up; at the root, see whether the goals have changed, and all swings with them."""
        if node.parent is not None:
            before = self.swing[node.id]
            self.swing[node.id] = self.swing_of(node) if self.goals else 0.0
            return before != self.swing[node.id]
        if (goals := self.goals_of(node)) != self.goals:
            self.goals = goals
            for child in node.children:
                self.update_swing(child)
        return True

    def goals_of(self, root: Node) -> list[Goal]:
        """Return the goals of the root's children: the first must fall to the second, the others rise to it.

        The first is the leftmost of the best. For Min it is the lowest, and must rise.
        """
        best, worst = (max, -inf) if root.is_max else (min, inf)
        first = best(root.children, key=lambda child: child.value)
        second = best((child.value for child in root.children if child != first), default=worst)
        return [
            Goal(not root.is_max, second) if child == first else Goal(root.is_max, first.value)
            for child in root.children
        ]

    def update_swing(self, node: Node) -> None:
        """Recompute the swings of a subtree (Figure 2, update_swing_above and update_swing_below)."""
        nodes = [node]
        for node in nodes:
            nodes += node.children
        for node in reversed(nodes):
            self.swing[node.id] = self.swing_of(node)

    def swing_of(self, node: Node) -> float:
        """Return the least sum of changes of leaves that takes a node to its goal.

        A finished game cannot change. Where the player to move wants the goal, one child is enough; where
        the opponent moves, all children must reach it.
        """
        rise, val = self.goals[node.path[0]]
        if children := node.children:
            swings = [self.swing[child.id] for child in children]
            return min(swings) if node.is_max == rise else reduce(add, swings)
        if node.value >= val if rise else node.value <= val:
            return 0.0
        return inf if node.is_terminal else abs(val - node.value)

    def numbers(self, node: Node) -> dict[str, float]:
        """Return the value for the player who moved here, and the swing."""
        if node.parent is None:
            return {}
        return {
            "lookahead": node.value if node.parent.is_max else -node.value,
            "swing": self.swing[node.id],
        }
