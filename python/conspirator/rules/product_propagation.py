"""Product propagation: J. Slagle and P. Bursky, 1968; A. Saffidine and T. Cazenave, 2013.

The papers are "Experiments with a multipurpose, theorem-proving heuristic program" and "Developments on
product propagation".

A node has a chance of being won. Leaves are thought to be independent, so that chances multiply (PPN of
2013):

    node                 p
    open leaf            1/2, or by its static value
    won, lost            1, 0
    Max to move          1 - product of (1 - p) over the children
    Min to move          product of p over the children

Like proof-number search, it proves a win or a loss: it expands the leaf at the end of the line that goes to
the greatest p where Max moves, and to the least where Min moves. What we had to choose: p and q = 1 - p are
both kept, so that chances near 0 and near 1 can be told apart; a proof is never read off p, which can be
rounded to 1, but from finished games; and a static value counts as its reward, kept between 0.01 and 0.99.
"""

from __future__ import annotations

from math import prod

from conspirator._native import Node, Tree
from conspirator._rule import GrowthRule, keeps_value
from conspirator.rules.proof_number import wins_for_max
from conspirator.rules.uct import reward


class ProductPropagation(GrowthRule):
    """The rule `product-propagation`.

    >>> import conspirator as cn
    >>> leaf = {"value": 0}
    >>> data = {"children": [{"children": [leaf, leaf]}, {"children": [leaf]}]}
    >>> tree = cn.Tree.from_dict(data, ProductPropagation())
    >>> [child.numbers["p"] for child in tree.root.children], tree.root.numbers["p"]
    ([0.25, 0.5], 0.625)
    """

    def __init__(self, goal: float | None = None, leaves: str = "half") -> None:
        self.goal = goal
        self.leaves = leaves

    def initialise(self, tree: Tree, leaves: list[Node]) -> None:
        """Give new leaves their chances."""
        if leaves[0].parent is None:
            self.p: dict[int, float] = {}
            self.q: dict[int, float] = {}
            self.won: dict[int, bool | None] = {}
            self.best: int | None = None
        for leaf in leaves:
            won = wins_for_max(leaf, tree, self.goal) if leaf.is_terminal else None
            p = 0.5
            if self.leaves == "values":
                p = min(max(reward(tree, leaf), 0.01), 0.99)
            self.set(leaf, won, p, 1.0 - p)

    def set(self, node: Node, won: bool | None, p: float, q: float) -> None:
        """Give a node its chances of being won and lost, unless it is known who wins."""
        known = won is not None
        self.won[node.id] = won
        self.p[node.id] = float(won is True) if known else p
        self.q[node.id] = float(won is False) if known else q

    def update(self, tree: Tree, node: Node) -> bool:
        """Multiply the children's chances."""
        wins = [self.won[child.id] for child in node.children]
        won = node.is_max if node.is_max in wins else None if None in wins else not node.is_max
        if won is None and node.is_solved and not node.is_held:
            won = wins_for_max(node, tree, self.goal)
        if node.is_max:
            q = prod((self.q[child.id] for child in node.children), start=1.0)
            self.set(node, won, 1.0 - q, q)
        else:
            p = prod((self.p[child.id] for child in node.children), start=1.0)
            self.set(node, won, p, 1.0 - p)
        if node.parent is None:
            self.best = self.best_move(node)
        return True

    def renew(self, tree: Tree, leaf: Node) -> None:
        """Leave a held leaf its chances: it is passed over."""

    def choose(self, tree: Tree) -> Node | str:
        """Go down to the child that is likeliest to be won by the player to move; ties: the leftmost."""
        node = tree.root
        if node.is_solved or self.won[node.id] is not None:
            return "proven" if node.is_solved else "decided"
        while node.children:
            usable = [s for s in node.children if self.won[s.id] is None and not s.is_solved]
            if not usable:
                return "converged"  # all that is left is held
            node = max(usable, key=lambda child, node=node: self.chance(node, child))  # type: ignore[misc]
        return node

    def chance(self, node: Node, child: Node) -> tuple[float, float]:
        """Return the chance of the player to move at a node to win a child; for ties, of losing it."""
        own, other = (self.p, self.q) if node.is_max else (self.q, self.p)
        return own[child.id], -other[child.id]

    def best_move(self, root: Node) -> int:
        """Return the move that is likeliest to be won."""
        moves = [s for s in root.children if not root.is_solved or keeps_value(root, s)]
        return max(moves, key=lambda child: self.chance(root, child)).place

    def answer(self) -> int | None:
        """Return the best move's place."""
        return self.best

    def numbers(self, node: Node) -> dict[str, float]:
        """Return the chances that Max wins, and that Max does not."""
        return {"p": self.p[node.id], "q": self.q[node.id]}
