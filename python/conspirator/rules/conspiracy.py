"""Conspiracy numbers: D. A. McAllester, "Conspiracy numbers for min-max search", 1988.

How many leaves would have to be wrong for the root to have another value? Grow the tree until it is more
than N_t for every value that is farther away than Delta.
"""

from __future__ import annotations

from math import inf
from typing import Any

from conspirator._errors import ArgumentError
from conspirator._native import Node, Tree
from conspirator._rule import GrowthRule
from conspirator.rules.best_successor import STRATEGIES, BestSuccessor
from conspirator.rules.bounds_sequences import DOWN, UP, BoundsSequences, Direction, one_is_enough

FIRST = 8
"""How many conspirators the iterative procedure counts at first; doubled when there are more."""


def distance(a: float, b: float) -> float:
    """Return how far two values are apart; an infinity is no distance from itself."""
    return 0.0 if a == b else abs(b - a)


class Conspiracy(GrowthRule):
    """The rule `conspiracy`.

    `threshold` is N_t, or the last N of the iterative procedure, without end if there is none; `ct` is
    the same as Lister and Schaeffer count it, N_t + 1. `delta` is Delta. `goal="move"` is Section 9;
    `leaf_delta` is the Delta of Section 10.

    >>> import conspirator as cn
    >>> game = cn.games.RandomTree(branching=10, depth=6, seed=1)
    >>> result = cn.search(game.start(), Conspiracy(threshold=2), expansions=10_000)
    >>> result.status, result.interval(2) == (result.value, result.value)
    ('converged', True)
    """

    def __init__(
        self,
        threshold: int | None = None,
        ct: int | None = None,
        delta: float = 0.0,
        iterative: bool = True,
        goal: str = "value",
        strategy: str = "prove",
        leaf_delta: float | None = None,
    ) -> None:
        if threshold is not None and ct is not None:
            raise ArgumentError("give threshold or ct = threshold + 1, not both")
        self.threshold = threshold if ct is None else ct - 1
        if self.threshold is None and not iterative:
            raise ArgumentError("iterative=False needs a threshold")
        if self.threshold is not None and self.threshold < 1:
            raise ArgumentError(f"threshold must be a whole number from 1 up, not {self.threshold}")
        if not 0 <= delta < inf or (leaf_delta is not None and not 0 <= leaf_delta < inf):
            raise ArgumentError("delta and leaf_delta must be finite and not negative")
        if goal not in ("value", "move") or strategy not in STRATEGIES:
            raise ArgumentError(f"goal is 'value' or 'move', strategy one of {', '.join(STRATEGIES)}")
        self.delta = self.tolerance = delta
        self.iterative = iterative
        self.goal = goal
        self.strategy = strategy
        self.leaf_delta = leaf_delta

    def start(self, tree: Tree) -> None:
        """Begin a new tree."""
        last = inf if self.threshold is None else self.threshold
        most = min(FIRST, last) if self.iterative else last
        self.bounds = BoundsSequences(int(most), self.leaf_delta, tree.value_range)
        self.successor = BestSuccessor(self.strategy)

    def initialise(self, tree: Tree, leaves: list[Node]) -> None:
        """Give new leaves their bounds sequences."""
        if leaves[0].parent is None:
            self.start(tree)
        for leaf in leaves:
            self.bounds.initialise(leaf)

    def renew(self, tree: Tree, leaf: Node) -> None:  # noqa: ARG002
        """Give a leaf its bounds sequences: a held one, as a finished game, is no conspirator."""
        self.bounds.initialise(leaf)

    def update(self, tree: Tree, node: Node) -> bool:  # noqa: ARG002
        """Recompute a node's bounds sequences from its successors'."""
        return self.bounds.update(node)

    def choose(self, tree: Tree) -> Node | str | None:
        """Return the leaf to expand next, or 'converged', 'proven' or 'decided'."""
        return self.choose_for_value(tree) if self.goal == "value" else self.choose_for_move(tree)

    def choose_for_value(self, tree: Tree) -> Node | str:
        """Try to rule out the likely value that is farthest from the root's (Section 5, Steps 2 and 3)."""
        A = tree.root
        N = self.working_threshold(tree)
        if isinstance(N, str):
            return N
        v_max, v_min = self.bounds.limit(A, UP, N), self.bounds.limit(A, DOWN, N)
        if distance(v_max, A.value) > distance(A.value, v_min):
            return self.strategy_leaf(A, UP, v_max)
        return self.strategy_leaf(A, DOWN, v_min)

    def is_wide(self, A: Node, N: float) -> bool:
        """Tell whether Vmax(A, N) - Vmin(A, N) > Delta."""
        return distance(self.bounds.limit(A, UP, N), self.bounds.limit(A, DOWN, N)) > self.delta

    def working_threshold(self, tree: Tree) -> int | str:
        """Return N_t (Section 5, Step 2) or the least N with a wide interval (Section 8, Step 2)."""
        A = tree.root
        if not self.iterative:
            return self.bounds.most if self.is_wide(A, self.bounds.most) else "converged"
        while True:
            for N in range(1, self.bounds.most + 1):
                if self.is_wide(A, N):
                    return N
            if not self.is_wide(A, inf):
                return "proven"
            if self.bounds.most == self.threshold:
                return "converged"
            self.count_more(tree)

    def choose_for_move(self, tree: Tree) -> Node | str:
        """Follow the procedure to find a best successor (Section 9), which begins with the root expanded."""
        if not tree.root.children:
            return tree.root
        while (target := self.successor.next(tree, self.bounds)) is None:
            if self.bounds.most == self.threshold:
                return "decided"
            self.count_more(tree)
        return target if isinstance(target, str) else self.strategy_leaf(*target)

    def count_more(self, tree: Tree) -> None:
        """Double the number of conspirators that are counted, as far as the threshold needs it."""
        most = 2 * self.bounds.most
        self.bounds.raise_to(most if self.threshold is None else min(most, self.threshold), tree)

    def strategy_leaf(self, i: Node, direction: Direction, V: float) -> Node:
        """Return the leftmost strategy leaf for avoiding V (Section 5, MIN-STRATEGY-LEAF and its dual)."""
        while successors := i.children:
            if one_is_enough(i, direction):
                i = min(successors, key=lambda j: self.bounds.needed(j, direction, V))
            else:
                i = self.one_of_all([j for j in successors if direction.short_of(j.value, V)], direction, V)
        return i

    def one_of_all(self, successors: list[Node], direction: Direction, V: float) -> Node:  # noqa: ARG002
        """Choose among the successors that must all change: the leftmost (Section 5, Step 3)."""
        return successors[0]

    def answer(self) -> int | None:
        """Return the place of the best successor, if that is the goal."""
        return self.successor.best

    def numbers(self, node: Node) -> dict[str, Any]:
        """Return the bounds sequences of a node, as far as they are counted."""
        upper, upper_tail = self.bounds.sequences[UP][node.id]
        lower, lower_tail = self.bounds.sequences[DOWN][node.id]
        return {
            "upper": list(upper),
            "upper_tail": upper_tail,
            "lower": list(lower),
            "lower_tail": lower_tail,
        }
