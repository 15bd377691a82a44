"""Search with a policy: C. Rosin, "Multi-armed bandits with episode context", 2011; D. Silver et al., 2017.

A position is valued when it is expanded. A node's reward is the mean over the positions expanded below it,
itself included, each one visit. The search goes to the child whose reward might be greatest: the likelier a
move is by its score, and the fewer visits it has, the more is added to its mean. Moves that are proven to
lose do not count for the mean. The answer is the move of the greatest lower bound of its reward. With
`root="gumbel"` the root's moves are chosen by the plan of `rules.gumbel`, whose parameters are given here.
"""

from __future__ import annotations

import math
from typing import Any

from conspirator._native import Node, Tree
from conspirator._rule import GrowthRule
from conspirator.rules.gumbel import Arm, GumbelRoot, softmax
from conspirator.rules.uct import reward

CAUTION = 0.5
"""What few visits take from a move's reward when one is chosen: this by the square root of visits."""
AGAIN = 8
"""How often a choice may come to leaves of its own batch before the batch ends."""


class Puct(GrowthRule):
    """The rule `puct`.

    >>> import conspirator as cn
    >>> position = cn.games.Hex(size=5).start()
    >>> result = cn.search(position, Puct(), expansions=50)
    >>> native = cn.search(position, "puct", expansions=50)
    >>> result.move == native.move
    True
    >>> result.tree.root.numbers["visits"]
    50.0
    """

    uses_errors = True
    inherits_values = True

    def __init__(
        self,
        exploration: float = 0.75,
        sharpness: float = 0.6,
        choice: str = "bound",
        root: str = "puct",
        **plan: Any,
    ) -> None:
        self.exploration = exploration
        self.sharpness = sharpness
        self.choice = choice
        self.gumbel = GumbelRoot(**plan) if root == "gumbel" else None

    def initialise(self, tree: Tree, leaves: list[Node]) -> None:
        """Give new leaves their priors, and what they came from its own reward."""
        node = leaves[0].parent
        if node is None:
            self.prior = {leaves[0].id: 1.0}
            self.own: dict[int, float] = {}
            self.visits: dict[int, float] = {}
            self.weight: dict[int, float] = {}
            self.sums: dict[int, float] = {}
            self.best: int | None = None
        else:
            # until they are expanded, open leaves have the value of the position they came from
            self.own[node.id] = reward(tree, next((leaf for leaf in leaves if leaf.is_open), node))
            likely = [math.exp(-self.sharpness * leaf.error) for leaf in leaves]
            whole = 0.0
            for part in likely:  # in this order, and rounded after each step
                whole += part
            self.prior |= {leaf.id: part / whole for leaf, part in zip(leaves, likely, strict=True)}
        for leaf in leaves:
            self.visits[leaf.id] = self.weight[leaf.id] = self.sums[leaf.id] = 0.0

    def choose(self, tree: Tree) -> Node | str | None:
        """Go down to the most promising leaf; where it is held, count a visit on the way, and try again."""
        for _ in range(AGAIN):
            leaf = self.go_down(tree)
            if isinstance(leaf, str) or not leaf.is_held:
                return leaf
            node: Node | None = leaf
            while node is not None:
                self.visits[node.id] += 1.0
                node = node.parent
        return self.go_down(tree)

    def go_down(self, tree: Tree) -> Node | str:
        """Return the most promising leaf, which can be a held one."""
        node = tree.root
        if node.is_solved:
            return "proven"
        if self.gumbel is not None and node.children:
            node = self.planned(self.gumbel, node)
        while node.children:
            node = max(
                (child for child in node.children if not child.is_solved or child.is_held),
                key=lambda child, node=node: self.bound(node, child),  # type: ignore[misc]
            )
        return node

    def planned(self, plan: GumbelRoot, root: Node) -> Node:
        """Return the root's child by the plan: of the best score among those whose turn it is."""
        due = plan.due(int(sum(self.visits[child.id] for child in root.children)), len(root.children))
        usable = [child for child in root.children if not child.is_solved]
        counts = [self.visits[child.id] for child in usable]
        wanted = max((count for count in counts if count <= due), default=min(counts))
        scores = self.scores(plan, root)
        turn = [child for child in usable if self.visits[child.id] == wanted]
        return max(turn, key=lambda child: scores[child.place])

    def scores(self, plan: GumbelRoot, root: Node) -> list[float]:
        """Return the scores of the root's moves, with their noise."""
        completed = enumerate(self.completed(plan, root))
        return [plan.gumbel(self.own[root.id], place) + score for place, score in completed]

    def completed(self, plan: GumbelRoot, root: Node) -> list[float]:
        """Return logits + sigma(completed q) of the root's moves."""

        def seen(reward: float) -> float:
            return reward if root.is_max else 1.0 - reward

        arms = []
        for child in root.children:
            weight = self.weight[child.id]
            q = seen(self.sums[child.id] / weight) if weight else None
            arms.append(Arm(self.prior[child.id], self.visits[child.id], q))
        return plan.completed(seen(self.own[root.id]), arms)

    def bound(self, node: Node, child: Node) -> float:
        """Return the mean reward for the player to move, and what a promising move has more."""
        known = child if self.weight[child.id] else node
        mean = self.sums[known.id] / self.weight[known.id]
        promising = self.exploration * self.prior[child.id] * math.sqrt(self.visits[node.id])
        return (mean if node.is_max else 1.0 - mean) + promising / (1.0 + self.visits[child.id])

    def update(self, tree: Tree, node: Node) -> bool:
        """Sum up the children, those apart that are lost; a solved node is worth what it is worth."""
        visits, weight, sums = 1.0, 1.0, self.own[node.id]
        for child in node.children:
            visits += self.visits[child.id]
            if not is_lost(tree, node, child):
                weight += self.weight[child.id]
                sums += self.sums[child.id]
        self.visits[node.id], self.weight[node.id] = visits, weight
        solved = node.is_solved and not node.is_held
        self.sums[node.id] = weight * reward(tree, node) if solved else sums
        if node.parent is None:
            self.best = self.best_of(tree, node)
        return True

    def renew(self, tree: Tree, leaf: Node) -> None:  # noqa: ARG002
        """Give a held leaf one visit that does not count for the mean (A. Liu et al., 2020)."""
        self.visits[leaf.id] = float(leaf.is_held)

    def best_of(self, tree: Tree, root: Node) -> int | None:
        """Return the place of the best move that is not lost; None once the value is known."""
        if root.is_solved:
            return None
        scores = self.scores(self.gumbel, root) if self.gumbel is not None else []

        def merit(place: int) -> tuple[bool, float, float]:
            child = root.children[place]
            weight, visits = self.weight[child.id], self.visits[child.id]
            if scores:
                return not is_lost(tree, root, child), visits, scores[place]
            if self.choice == "visits":
                sure = visits
            elif visits:
                mean = self.sums[child.id] / weight if weight else 0.0
                sure = (mean if root.is_max else 1.0 - mean) - CAUTION / math.sqrt(visits)
            else:
                sure = -math.inf
            return not is_lost(tree, root, child), sure, self.prior[child.id]

        return max(range(len(root.children)), key=merit)

    def answer(self) -> int | None:
        """Return the place of the best move."""
        return self.best

    def numbers(self, node: Node) -> dict[str, float | None]:
        """Return visits, mean reward for Max and prior; with a plan, the improved policy at the root."""
        weight = self.weight[node.id]
        numbers = {
            "visits": self.visits[node.id],
            "reward": self.sums[node.id] / weight if weight else None,
            "prior": self.prior[node.id],
        }
        if self.gumbel is not None and node.parent is not None and node.parent.parent is None:
            numbers["policy"] = softmax(self.completed(self.gumbel, node.parent))[node.place]
        return numbers


def is_lost(tree: Tree, node: Node, child: Node) -> bool:
    """Tell whether the move to a child loses by the greatest margin there is."""
    solved = child.is_solved and not child.is_held
    return solved and child.value == tree.value_range[not node.is_max]
