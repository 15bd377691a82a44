"""Proof numbers in Monte Carlo tree search: E. Doe, M. Winands, D. Soemers and C. Browne, 2022, and others.

The papers are "Combining Monte-Carlo Tree Search with Proof-Number Search" (2022), "Proof Number Based
Monte-Carlo Tree Search" (2024) and "Generalized Proof-Number Monte-Carlo Tree Search" (2025).

UCT goes where rewards are high or visits few. Here it also goes where a proof needs few leaves. The child of
the greatest UCT-PN value is taken:

    v_i  +  C sqrt(ln n_p / n_i)  +  C_pn b_i

The term b_i compares the children's proof numbers p_i of the player to move at their parent:

    rank    1 - rank_i / number of children            equal numbers share the best of their ranks (2022)
    max     1 - (p_i - p_min) / (1 + p_max - p_min)    0 if p_i is infinite (2025)
    sum     1 - p_i / (1 + sum of finite p_j)          0 if p_i is infinite (2025)

Each player has a proof number, as in the paper of 2025: how many leaves must be won for that player to win.
A draw is a win for nobody. The rewards of the papers are from -1 to 1, with C = sqrt(2) and C_pn = 1; ours
are from 0 to 1, and so both constants are half as large. The forms of `max` and `sum`, the ranks of equal
numbers and the constants are those of the authors' published program. Our choices: solved children are
passed over at once, as in our `uct`, and an expansion adds all children, so that none is without visits.
"""

from __future__ import annotations

from math import inf, isfinite, sqrt

from conspirator._native import Node, Tree
from conspirator.rules.uct import Uct, place_of_best


class PnMcts(Uct):
    """The rule `pn-mcts`, with static values for random games (`playouts=0`).

    >>> import conspirator as cn
    >>> leaf, won = {"value": 0}, {"value": 1, "terminal": True}
    >>> data = {"children": [{"children": [leaf, leaf]}, {"children": [won, leaf]}]}
    >>> tree = cn.Tree.from_dict(data, PnMcts())
    >>> [(child.numbers["pn"], child.numbers["bonus"]) for child in tree.root.children]
    [(2, 0.0), (1, 0.5)]
    """

    def __init__(self, c: float = sqrt(2) / 2, c_pn: float = 0.5, pn_term: str = "rank") -> None:
        super().__init__(exploration=c)
        self.c_pn = c_pn
        self.pn_term = pn_term

    def initialise(self, tree: Tree, leaves: list[Node]) -> None:
        """Give new leaves a visit, their reward, and the proof numbers of both players."""
        super().initialise(tree, leaves)
        if leaves[0].parent is None:
            self.pn: dict[bool, dict[int, float]] = {True: {}, False: {}}
            self.bonus = {leaves[0].id: 0.0}
        for leaf in leaves:
            self.prove(tree, leaf)

    def prove(self, tree: Tree, leaf: Node) -> None:
        """Give a leaf its proof numbers: 1 if it is open, 0 if it is won, else infinite."""
        for max_wins, own in self.pn.items():
            if leaf.is_held:
                own[leaf.id] = inf  # nothing can change it now
            elif leaf.is_terminal:
                own[leaf.id] = 0 if winner(tree, leaf) is max_wins else inf
            else:
                own[leaf.id] = 1

    def renew(self, tree: Tree, leaf: Node) -> None:
        """Give a held leaf a second visit; nobody can win it."""
        super().renew(tree, leaf)
        self.prove(tree, leaf)

    def update(self, tree: Tree, node: Node) -> bool:
        """Back up visits and rewards; proof numbers: the mover's least, and the sum of the other player's."""
        for max_wins, own in self.pn.items():
            numbers = [own[child.id] for child in node.children]
            own[node.id] = min(numbers) if node.is_max == max_wins else sum(numbers)
        own = self.pn[node.is_max]
        terms = TERMS[self.pn_term]([own[child.id] for child in node.children])
        self.bonus.update((child.id, term) for child, term in zip(node.children, terms, strict=True))
        return super().update(tree, node)

    def bound(self, node: Node, child: Node) -> float:
        """Return the UCT-PN value."""
        return super().bound(node, child) + self.c_pn * self.bonus[child.id]

    def best_of(self, tree: Tree, root: Node) -> int | None:
        """Return the place of a move that wins by proof; else of the most visited one that is not lost."""
        own, other = self.pn[root.is_max], self.pn[not root.is_max]
        return place_of_best(
            tree, root, lambda child: (own[child.id] == 0, other[child.id] != 0, *self.merit(root, child))
        )

    def numbers(self, node: Node) -> dict[str, float]:
        """Return visits and reward, the leaves that Max and Min need to win, and the term b."""
        proof = {"pn": self.pn[True][node.id], "dn": self.pn[False][node.id]}
        return {**super().numbers(node), **proof, "bonus": self.bonus[node.id]}


def winner(tree: Tree, leaf: Node) -> bool | None:
    """Tell whether Max has won a finished game: more than the middle of the range; None: a draw."""
    low, high = tree.value_range
    middle = (low + high) / 2 if isfinite(low) and isfinite(high) else min(max(0.0, low), high)
    return None if leaf.value == middle else leaf.value > middle


def by_rank(numbers: list[float]) -> list[float]:
    """Compare proof numbers by their ranks.

    >>> by_rank([3, 1, inf, 1])
    [0.25, 0.75, 0.0, 0.75]
    """
    return [1.0 - (1 + sum(other < p for other in numbers)) / len(numbers) for p in numbers]


def by_max(numbers: list[float]) -> list[float]:
    """Compare proof numbers by their distance from the least.

    >>> by_max([3, 1, inf, 1])
    [0.33333333333333337, 1.0, 0.0, 1.0]
    """
    finite = [p for p in numbers if p < inf]
    return [1.0 - (p - min(finite)) / (1 + max(finite) - min(finite)) if p < inf else 0.0 for p in numbers]


def by_sum(numbers: list[float]) -> list[float]:
    """Compare proof numbers by their shares of the sum.

    >>> by_sum([3, 1, inf, 1])
    [0.5, 0.8333333333333334, 0.0, 0.8333333333333334]
    """
    whole = sum(p for p in numbers if p < inf)
    return [1.0 - p / (1 + whole) if p < inf else 0.0 for p in numbers]


TERMS = {"rank": by_rank, "max": by_max, "sum": by_sum}
"""How b_i is made of the children's proof numbers."""
