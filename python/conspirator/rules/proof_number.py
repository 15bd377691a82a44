"""Proof numbers: L. V. Allis, M. van der Meulen and H. J. van den Herik, "Proof-number search", 1994.

How many leaves must be won for a node to be won, how many lost for it to be lost? Expand a leaf that counts
for both.
"""

from __future__ import annotations

from math import inf

from conspirator._native import Node, Tree
from conspirator._rule import GrowthRule, keeps_value


def wins_for_max(node: Node, tree: Tree, goal: float | None) -> bool:
    """Tell whether a finished game counts as won for Max: it is worth the goal.

    Without a goal the player to move at the root must win: more than the middle of the range.
    """
    if goal is not None:
        return node.value >= goal
    low, high = tree.value_range
    middle = (low + high) / 2 if -inf < low and high < inf else min(max(0.0, low), high)
    return node.value > middle if tree.root.is_max else node.value >= middle


class ProofNumber(GrowthRule):
    """The rule `proof-number`.

    >>> import conspirator as cn
    >>> data = {"children": [{"value": "-inf"}, {"children": [{"value": "inf"}, {"value": "inf"}]}]}
    >>> result = cn.search(cn.games.ExplicitTree(data).start(), ProofNumber(), expansions=10)
    >>> result.move, result.status
    ('1', 'proven')
    """

    def __init__(self, goal: float | None = None, ties: str = "leftmost") -> None:
        self.goal = goal
        self.uses_errors = ties == "scores"

    def initialise(self, tree: Tree, leaves: list[Node]) -> None:
        """Give new leaves their numbers (equation 1 of Pawlewicz and Hayward)."""
        if leaves[0].parent is None:
            self.pn: dict[int, float] = {}
            self.dn: dict[int, float] = {}
            self.best: int | None = None
        for n in leaves:
            self.renew(tree, n)

    def renew(self, tree: Tree, leaf: Node) -> None:
        """Give a leaf its numbers: a held one can be neither won nor lost."""
        if leaf.is_held:
            self.pn[leaf.id], self.dn[leaf.id] = inf, inf
        elif leaf.is_terminal:
            won = wins_for_max(leaf, tree, self.goal)
            self.pn[leaf.id], self.dn[leaf.id] = (0, inf) if won else (inf, 0)
        else:
            self.pn[leaf.id], self.dn[leaf.id] = 1, 1

    def update(self, tree: Tree, node: Node) -> bool:  # noqa: ARG002
        """Recompute a node's numbers from its children's (equation 2)."""
        pns, dns = [self.pn[s.id] for s in node.children], [self.dn[s.id] for s in node.children]
        new = (min(pns), sum(dns)) if node.is_max else (sum(pns), min(dns))
        changed = new != (self.pn[node.id], self.dn[node.id])
        self.pn[node.id], self.dn[node.id] = new
        if node.parent is None:
            self.best = self.best_move(node)
        return changed

    def choose(self, tree: Tree) -> Node | str:
        """Descend to a most-proving node (Algorithm 2); ties: the best score if it is known, the leftmost."""
        n = tree.root
        if n.is_solved or 0 in (self.pn[n.id], self.dn[n.id]):
            return "proven" if n.is_solved else "decided"
        while children := n.children:
            own = self.pn if n.is_max else self.dn
            n = min(children, key=lambda s: (own[s.id], s.error))
        return n

    def best_move(self, root: Node) -> int:
        """Return the move that is easiest to prove, and among equals the one hardest to refute."""
        own, other = (self.pn, self.dn) if root.is_max else (self.dn, self.pn)
        moves = [s for s in root.children if not root.is_solved or keeps_value(root, s)]
        return min(moves, key=lambda s: (own[s.id], -other[s.id])).place

    def answer(self) -> int | None:
        """Return the best move's place."""
        return self.best

    def numbers(self, node: Node) -> dict[str, float]:
        """Return the proof and the disproof number."""
        return {"pn": self.pn[node.id], "dn": self.dn[node.id]}
