"""The procedure to find a best successor: McAllester, "Conspiracy numbers for min-max search", Section 9.

The names below are for a max root; everything is dual for a min root.
"""

from __future__ import annotations

from math import inf
from typing import NamedTuple

from conspirator._native import Node, Tree
from conspirator.rules.bounds_sequences import DOWN, UP, BoundsSequences, Direction

STRATEGIES = ("prove", "disprove", "alternate", "fewest")


class Target(NamedTuple):
    """Expand a strategy leaf under this node, for avoiding the value V in this direction."""

    node: Node
    direction: Direction
    V: float


class BestSuccessor:
    """Steps 2 to 7 of the procedure, with four ways to choose in Step 4."""

    def __init__(self, strategy: str) -> None:
        self.strategy = strategy
        self.best: int | None = None
        self.proving = False
        self.size = 0

    def next(self, tree: Tree, bounds: BoundsSequences) -> Target | str | None:
        """Return where to grow the tree, 'proven' if nothing can change, None if `most` is too small."""
        if j := self.best_under(inf, tree, bounds):
            self.best = j.place
            return "proven"
        # Steps 2 and 3: the least N without a best successor, and one for N - 1; N = 0 always has one
        best = None
        for N in range(bounds.most + 1):
            j = self.best_under(N, tree, bounds)
            if j is None:
                return self.decide(tree, best, N, bounds) if best else None
            best, self.best = j, j.place
        return None

    def best_under(self, N: float, tree: Tree, bounds: BoundsSequences) -> Node | None:
        """Return the leftmost best successor under N-way conspiracies (Definition 9.1).

        That is a j with Vmin(j, N) >= Vmax(j', N) for all other successors j'.
        """
        better, worse = (UP, DOWN) if tree.root.is_max else (DOWN, UP)
        successors = tree.root.children
        v_max = [bounds.limit(j, better, N) for j in successors]
        for j in successors:
            v_min = bounds.limit(j, worse, N)
            if not any(better.short_of(v_min, v_max[k.place]) for k in successors if k.place != j.place):
                return j
        return None

    def decide(self, tree: Tree, j: Node, N: int, bounds: BoundsSequences) -> Target | None:
        """Choose between prove-best and disprove-rest (Steps 4 to 6); at least one is possible."""
        better, worse = (UP, DOWN) if tree.root.is_max else (DOWN, UP)
        v_min = bounds.limit(j, worse, N)
        v_max = {k: bounds.limit(k, better, N) for k in tree.root.children if k != j}
        rivals = [k for k in v_max if better.short_of(v_min, v_max[k])]

        # Step 5: raise the least value that j can have
        prove = Target(j, worse, v_min) if better.short_of(v_min, j.value) else None
        # Step 6: lower the greatest value that the leftmost of the most dangerous rivals can have
        disprove = None
        if threats := [k for k in rivals if better.short_of(k.value, v_max[k])]:
            V = better.farther(v_max[k] for k in threats)
            disprove = Target(next(k for k in threats if v_max[k] == V), better, V)

        if len(tree) != self.size:  # after every expansion it is the other one's turn
            self.size, self.proving = len(tree), not self.proving
        needed = sum(bounds.needed(k, better, v_max[k]) for k in rivals)
        prove_first = {
            "prove": True,
            "disprove": False,
            "alternate": self.proving,
            "fewest": bounds.needed(j, worse, v_min) <= needed,
        }[self.strategy]
        return (prove or disprove) if prove_first else (disprove or prove)
