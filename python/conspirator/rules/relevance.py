"""Relevance: E. B. Baum and W. D. Smith, "A Bayesian approach to relevance in game playing", 1997.

Every leaf has a distribution of outcomes, by the error model of the evaluator. Expand the leaf whose being
wrong matters most for the decision: where the player to move must expect the greatest change.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from math import inf
from typing import Any

from conspirator._errors import ArgumentError
from conspirator._native import Node, Tree
from conspirator._rule import GrowthRule
from conspirator.certainty.model import Dependence, ErrorModel, Table
from conspirator.rules.distributions import best, derivatives, join


class Relevance(GrowthRule):
    """The rule `relevance`.

    `table` is an error model's for leaves with static values (None: the one that is shipped for the game;
    of one that tells many outcomes apart, some of its thresholds are kept),
    `phase` that of the root. `rho` is the dependence between siblings, `root_rho` between the root's moves.
    `measure`, `gulp` and `choice` are those of the search. Baum and Smith's names: `step` and `qss` are the
    two measures; a gulp is the part of all open leaves that is expanded for one look at their relevance; to
    stop when more search is not worth its cost is `until="cost=..."` of `cn.search`.

    >>> import conspirator as cn
    >>> position = cn.games.ConnectFour().position("445326")
    >>> cn.search(position, Relevance(), expansions=50).expansions
    50
    """

    def __init__(
        self,
        table: Table | None = None,
        phase: float | None = None,
        rho: float | None = None,
        root_rho: float | None = None,
        measure: str = "step",
        gulp: float = 0.02,
        choice: str = "probability",
    ) -> None:
        if measure not in ("step", "qss"):
            raise ArgumentError(f"measure is 'step' or 'qss', not {measure!r}")
        if choice not in ("probability", "value"):
            raise ArgumentError(f"choice is 'probability' or 'value', not {choice!r}")
        self.choice = choice
        self.measure, self.gulp = measure, gulp
        self.given = table, phase, rho, root_rho

    def learn(self, root: Node) -> None:
        """Take what was given, and the rest from the model that is shipped for the game."""
        table, phase, rho, root_rho = self.given
        model = None if table is not None else ErrorModel.of(root.position.game)
        table = table if model is None else model.tables.get("static")
        if table is None:
            raise ArgumentError("relevance needs an error model: give its table")
        self.table = table.coarse
        self.phase = root.position.phase if phase is None else phase
        depends = Dependence(0.0, 0.0) if model is None else model.depends("relevance", self.phase)
        self.rho = depends.siblings if rho is None else rho
        self.root_rho = depends.root if root_rho is None else root_rho
        x = self.table.outcomes
        self.weights = [(high - low) / (x[-1] - x[0]) for low, high in itertools.pairwise(x)]

    def initialise(self, tree: Tree, leaves: list[Node]) -> None:  # noqa: ARG002
        """Give new leaves their distributions."""
        if leaves[0].parent is None:
            self.learn(leaves[0])
            self.s: dict[int, list[float]] = {}
            self.open: dict[int, Node] = {}
            self.gulped: list[Node] = []
            self.chosen: int | None = None
        else:
            del self.open[leaves[0].parent.id]
        for leaf in leaves:
            self.s[leaf.id] = self.of_itself(leaf)
            if not leaf.is_terminal:
                self.open[leaf.id] = leaf

    def of_itself(self, node: Node) -> list[float]:
        """Return what is known of a node by itself: it is solved, or the model has its word."""
        if node.is_solved:
            return [float(node.value >= outcome) for outcome in self.table.outcomes[1:]]
        return self.table.native.distribution(node.value, self.phase - node.depth, node.is_max)

    def update(self, tree: Tree, node: Node) -> bool:  # noqa: ARG002
        """Recompute a node's distribution from its children's."""
        before = self.s[node.id]
        family = [self.s[child.id] for child in node.children]
        solved = node.is_solved and not node.is_held
        self.s[node.id] = self.of_itself(node) if solved else join(family, node.is_max, self.rho)
        if node.parent is None:
            self.chosen = self.best_move(node)
        return self.s[node.id] != before

    def renew(self, tree: Tree, leaf: Node) -> None:
        """A held leaf keeps its distribution, and has no relevance until it is expanded."""

    def choose(self, tree: Tree) -> Node | str:
        """Return the next leaf of the gulp, which is found anew when it is used up."""
        root = tree.root
        if root.is_solved:
            return "proven"
        if not root.children:
            return root
        while True:
            while self.gulped:
                if self.gulped[0].is_open and not is_settled(self.gulped[0]):
                    return self.gulped[0]
                self.gulped.pop(0)  # expanded, or no longer of interest
            most = max(1, int(self.gulp * len(self.open)))
            relevant = sorted(self.relevances(root), key=lambda found: (-found[0], found[1].id))
            self.gulped = [leaf for _, leaf in relevant[:most]]
            if not self.gulped:
                return "converged"

    def relevances(self, root: Node) -> Iterator[tuple[float, Node]]:
        """Yield every open leaf that matters, with its relevance: one pass down with the influences g."""
        for move in root.children:
            stack = [(move, [1.0] * len(self.weights))]
            while stack:
                node, g = stack.pop()
                if node.is_solved:
                    continue
                if not (children := node.children):
                    if (relevance := self.relevance(root, move, node, g)) > 0:
                        yield relevance, node
                    continue
                changes = derivatives([self.s[child.id] for child in children], node.is_max, self.rho)
                for child, d in zip(children, changes, strict=True):
                    stack.append((child, [above * part for above, part in zip(g, d, strict=True)]))

    def relevance(self, root: Node, move: Node, leaf: Node, g: list[float]) -> float:
        """Return the mean size of the change when the leaf below this move turns out to be what it is."""
        others = [self.s[other.id] for other in root.children if other != move]
        worth = []  # d E[max] / d S_k of the move; the root's moves count as independent here
        for k, weight in enumerate(self.weights):
            product = 1.0
            for s in others:
                product *= 1 - s[k] if root.is_max else s[k]
            worth.append(weight * product)
        rival = max((self.expected(root, s) for s in others), default=-inf)
        before = self.expected(root, self.s[move.id])
        s = self.s[leaf.id]
        best_change = own_change = total = 0.0
        for k, weight in enumerate(self.weights):
            best_change -= worth[k] * g[k] * s[k]
            own_change -= weight * g[k] * s[k]
        for y in range(len(s) + 1):
            likely = (1.0 if y == 0 else s[y - 1]) - (0.0 if y == len(s) else s[y])
            change = best_change
            if self.measure == "qss":  # what deciding later gains: E[max] - max E
                sign = 1 if root.is_max else -1
                own = max(before + sign * own_change, rival) - max(before, rival)
                change = sign * best_change - own
            total += likely * abs(change)
            if y < len(s):
                best_change += worth[y] * g[y]
                own_change += self.weights[y] * g[y]
        return total

    def expected(self, root: Node, s: list[float]) -> float:
        """Return what the player to move at the root expects of a distribution, in parts of the range."""
        mean = sum(weight * part for weight, part in zip(self.weights, s, strict=True))
        return mean if root.is_max else 1 - mean

    def best_move(self, root: Node) -> int | None:
        """Return the move that is most likely a best one, and among equals the one that promises most; with
        `choice="value"`, the one with the best value."""
        if root.is_solved:
            return None
        low, high = root.tree.value_range
        worst = low if root.is_max else high
        family = [self.s[child.id] for child in root.children]
        chances = best(family, root.is_max, self.root_rho)
        sign = 1 if root.is_max else -1
        merits = [
            (not (child.is_solved and child.value == worst),)
            + ((sign * child.value, chance) if self.choice == "value" else (chance, self.expected(root, s)))
            for child, chance, s in zip(root.children, chances, family, strict=True)
        ]
        return merits.index(max(merits))

    def answer(self) -> int | None:
        """Return the chosen move's place."""
        return self.chosen

    def numbers(self, node: Node) -> dict[str, Any]:
        """Return S."""
        return {"distribution": self.s[node.id]}


def is_settled(leaf: Node) -> bool:
    """Tell whether a leaf no longer matters because something above it is solved."""
    node: Node | None = leaf
    while node is not None:
        if node.is_solved:
            return True
        node = node.parent
    return False
