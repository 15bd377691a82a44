"""Unbounded best-first minimax with completion: Q. Cohen-Solal, 2020; with T. Cazenave, 2020.

The papers are "Learning to play two-player perfect-information games without knowledge" and "Minimax strikes
back".

Best-first minimax extends the best line, again and again, without a limit of depth. The papers add three
things:

    completion    a state is resolved if its value can no longer change: r(s) = 1; only others are explored
    n(s, a)       how often the action a was selected in the state s
    c(s)          1, 0 or -1: a resolved state is won, drawn or lost; 0 as long as it is not resolved

With these an action is chosen, for the first player, by the greatest, and for the second by the least

    exploration      (c(a(s)), v(a(s)), -n(s, a))     among the unresolved ones: all have c = 0
    best decision    (c(a(s)), v(a(s)), n(s, a))
    safe decision    (c(a(s)), n(s, a), v(a(s)))      n with the player's sign

So the difference to our `best-first` is what happens between equal values, and which move is played: with
the safe decision the one that was explored most often. A move is explored only while it is the best one, so
this is the move that was best for longest. Our choice: the tree backs up minimax values, and a state is
resolved when its exact value is known. The papers resolve it as soon as a win is known. Where a win is the
greatest value there is, this is the same.
"""

from __future__ import annotations

from conspirator._native import Node, Tree
from conspirator._rule import GrowthRule
from conspirator.rules.pn_mcts import winner
from conspirator.rules.uct import place_of_best


class UnboundedMinimax(GrowthRule):
    """The rule `unbounded-minimax`.

    >>> import conspirator as cn
    >>> result = cn.search(cn.games.ConnectFour().start(), UnboundedMinimax(), expansions=100)
    >>> root = result.tree.root
    >>> root.numbers["visits"], sum(child.numbers["visits"] for child in root.children)
    (100, 99)
    """

    def __init__(self, decision: str = "safe") -> None:
        self.decision = decision

    def initialise(self, tree: Tree, leaves: list[Node]) -> None:  # noqa: ARG002
        """Nobody has selected the new leaves yet."""
        if leaves[0].parent is None:
            self.n: dict[int, int] = {}
            self.best: int | None = None
        self.n.update((leaf.id, 0) for leaf in leaves)

    def choose(self, tree: Tree) -> Node | str | None:
        """Explore from the root."""
        return "proven" if tree.root.is_solved else self.explore(tree.root)

    def explore(self, node: Node) -> Node:
        """Go down to a leaf: to the best unresolved child, among equal ones to that selected least often."""
        while node.children:
            sign = 1 if node.is_max else -1
            node = max(
                (child for child in node.children if not child.is_solved),
                key=lambda child, sign=sign: (sign * child.value, -self.n[child.id]),  # type: ignore[misc]
            )
        return node

    def update(self, tree: Tree, node: Node) -> bool:
        """Count selections: one when the node was expanded, and those of its children."""
        self.n[node.id] = self.selections(sum(self.n[child.id] for child in node.children))
        if node.parent is None:
            self.best = place_of_best(tree, node, lambda child: self.merit(tree, node, child))
        return True

    def selections(self, below: int) -> int:
        """Return how often an expanded node was selected, from the selections of its children."""
        return 1 + below

    def renew(self, tree: Tree, leaf: Node) -> None:  # noqa: ARG002
        """A held leaf has been selected."""
        self.n[leaf.id] = int(leaf.is_held)

    def merit(self, tree: Tree, root: Node, child: Node) -> tuple[float, float, float]:
        """Return what makes a move the answer: the safe or the best decision."""
        sign = 1 if root.is_max else -1
        won = winner(tree, child) if child.is_solved else None
        c = 0 if won is None else 1 if won == root.is_max else -1
        n, v = self.n[child.id], sign * child.value
        return (c, n, v) if self.decision == "safe" else (c, v, n)

    def answer(self) -> int | None:
        """Return the place of the move to play."""
        return self.best

    def numbers(self, node: Node) -> dict[str, float]:
        """Return how often the move to the node was selected."""
        return {"visits": self.n[node.id]}
