"""Best-first minimax search: R. E. Korf and D. M. Chickering, "Best-first minimax search", 1996.

Expand the principal leaf: the end of the line in which both players always choose the child of the best
minimax value. The tree keeps the minimax values, so the rule has no numbers of its own.
"""

from __future__ import annotations

from conspirator._native import Node, Tree
from conspirator._rule import GrowthRule


class BestFirst(GrowthRule):
    """The rule `best-first`.

    Pure best-first (`complete=False`) ends for ever when the principal leaf is a finished game. The
    complete form looks only at children whose value can still change, until the root's cannot.

    >>> import conspirator as cn
    >>> game = cn.games.ExplicitTree({"value": 0, "children": [{"value": 3}, {"value": 5}]})
    >>> cn.search(game.start(), BestFirst(), expansions=10).move
    '1'
    """

    def __init__(self, complete: bool = True) -> None:
        self.complete = complete

    def choose(self, tree: Tree) -> Node | str | None:
        """Follow the preferred child from the root to a leaf."""
        node = tree.root
        if self.complete and node.is_solved:
            return "proven"
        while children := node.children:
            node = self.preferred(node, children)
        return node if node.is_open else None

    def preferred(self, node: Node, children: tuple[Node, ...]) -> Node:
        """Return the leftmost child of the best value for the player to move."""
        if self.complete:
            children = tuple(child for child in children if not child.is_solved)
        best = max if node.is_max else min
        return best(children, key=lambda child: child.value)

    def renew(self, tree: Tree, leaf: Node) -> None:
        """A held leaf is passed over, as a solved one; its value counts for its parent."""

    def numbers(self, node: Node) -> dict[str, float]:
        """Return Korf and Chickering's lookahead value: the value for the player who moved here."""
        if node.parent is None:
            return {}
        return {"lookahead": node.value if node.parent.is_max else -node.value}
