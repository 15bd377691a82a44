"""Penalties on a policy: Rivest's min/max approximation (1988, Section 3) for noisy values and scored moves.

The leaf of least penalty is expanded: the sum of -ln D over the moves to it, and a constant for each ply. D
is the derivative of a mean of the siblings' rewards, weighed by how likely their scores make them. A node's
own reward is an average that leans towards the better moves, because a maximum would be that of the
luckiest leaf. A position is valued when it is expanded. Moves that are proven to lose count nowhere.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from conspirator._native import Node, Tree
from conspirator._rule import GrowthRule
from conspirator.rules.puct import is_lost
from conspirator.rules.uct import reward


class PriorPenalty(GrowthRule):
    """The rule `prior-penalty`.

    >>> import conspirator as cn
    >>> position = cn.games.Hex(size=5).start()
    >>> result = cn.search(position, PriorPenalty(), expansions=50)
    >>> native = cn.search(position, "prior-penalty", expansions=50)
    >>> result.move == native.move
    True
    >>> result.tree.root.numbers["visits"]
    50.0
    """

    uses_errors = True
    inherits_values = True

    def __init__(
        self,
        sharpness: float = 1.0,
        shrink: float = 3.0,
        lean: float = 6.0,
        steepness: float = 32.0,
        rise: float = 1.0,
        ply: float = 0.15,
        caution: float = 0.5,
    ) -> None:
        self.sharpness, self.shrink, self.lean = sharpness, shrink, lean
        self.steepness, self.rise, self.ply, self.caution = steepness, rise, ply, caution

    def initialise(self, tree: Tree, leaves: list[Node]) -> None:
        """Give new leaves their priors, and what they came from its own reward."""
        node = leaves[0].parent
        if node is None:
            self.prior = {leaves[0].id: 0.0}
            self.own: dict[int, float] = {}
            self.visits: dict[int, float] = {}
            self.reward: dict[int, float] = {}
            self.penalty: dict[int, float] = {}
            self.next: dict[int, Node] = {}
            self.best: int | None = None
        else:
            # until they are expanded, open leaves have the value of the position they came from
            self.own[node.id] = reward(tree, next((leaf for leaf in leaves if leaf.is_open), node))
            likely = [-self.sharpness * leaf.error for leaf in leaves]
            level = math.log(total(math.exp(part) for part in likely))
            self.prior |= {leaf.id: part - level for leaf, part in zip(leaves, likely, strict=True)}
        for leaf in leaves:
            self.visits[leaf.id] = 0.0

    def choose(self, tree: Tree) -> Node | str | None:
        """Go down to the leaf of least penalty."""
        node = tree.root
        if node.is_solved:
            return "proven"
        while node.children:
            node = self.next[node.id]
        return node

    def update(self, tree: Tree, node: Node) -> bool:
        """Compute reward and penalty of a node from its children's."""

        def seen(reward: float) -> float:
            return reward if node.is_max else 1.0 - reward

        own = seen(self.own[node.id])
        visits = total([1.0, *(self.visits[child.id] for child in node.children)])
        usable = [child for child in node.children if not is_lost(tree, node, child)]
        known = [(child, self.visits[child.id]) for child in usable if self.visits[child.id]]
        q = {child.id: seen(self.reward[child.id]) for child, _ in known}
        mean = total([own, *(n * q[child.id] for child, n in known)]) / total([1.0, *(n for _, n in known)])
        shrunk = {child.id: (self.shrink * mean + n * q[child.id]) / (self.shrink + n) for child, n in known}
        top = max(shrunk.values(), default=0.0)
        parts = [(child, n * math.exp(self.lean * (shrunk[child.id] - top))) for child, n in known]
        weight = total([1.0, *(a for _, a in parts)])
        average = total([own, *(a * q[child.id] for child, a in parts)]) / weight
        self.visits[node.id] = visits
        solved = node.is_solved and not node.is_held
        self.reward[node.id] = reward(tree, node) if solved else seen(average)
        self.penalty[node.id] = math.inf
        if not node.is_solved:
            beta = self.steepness + self.rise * math.sqrt(visits)
            value = seen(self.reward[node.id])
            terms = [self.prior[child.id] + beta * shrunk.get(child.id, value) for child in usable]
            most = max(terms)
            level = most + math.log(total(math.exp(term - most) for term in terms))
            penalties = [
                (level - term + (self.ply + self.penalty[child.id] if child.id in q else 0.0), child)
                for term, child in zip(terms, usable, strict=True)
                if not child.is_solved
            ]
            self.penalty[node.id], self.next[node.id] = min(penalties, key=lambda pair: pair[0])
        if node.parent is None:
            self.best = self.best_of(tree, node)
        return True

    def renew(self, tree: Tree, leaf: Node) -> None:
        """Leave a held leaf as it is: it counts as solved, and so has no penalty."""

    def best_of(self, tree: Tree, root: Node) -> int | None:
        """Return the place of the move with the best lower bound; None once the value is known."""
        if root.is_solved:
            return None

        def merit(place: int) -> tuple[bool, float, float]:
            child, n = root.children[place], self.visits[root.children[place].id]
            sure = -math.inf
            if n:
                mine = self.reward[child.id] if root.is_max else 1.0 - self.reward[child.id]
                sure = mine - self.caution / math.sqrt(n)
            return not is_lost(tree, root, child), sure, self.prior[child.id]

        return max(range(len(root.children)), key=merit)

    def answer(self) -> int | None:
        """Return the place of the best move."""
        return self.best

    def numbers(self, node: Node) -> dict[str, float | None]:
        """Return the visits of a node, its reward for Max, its prior, and the least penalty below it."""
        expanded = self.visits[node.id] > 0
        return {
            "visits": self.visits[node.id],
            "reward": self.reward[node.id] if expanded else None,
            "prior": math.exp(self.prior[node.id]),
            "penalty": self.penalty[node.id] if expanded else None,
        }


def total(numbers: Iterable[float]) -> float:
    """Add numbers one after the other, rounded after each step."""
    whole = 0.0
    for number in numbers:
        whole += number
    return whole
