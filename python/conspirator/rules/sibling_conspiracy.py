"""Sibling conspiracy numbers: J. Pawlewicz and R. Hayward, "Sibling conspiracy number search", 2015.

Only siblings can be compared: a leaf is valued by the relative errors of the moves that lead to it. Ask how
far the root's value could go with a few leaves wrong, and expand a leaf that matters for both ends.
"""

from __future__ import annotations

from math import floor, inf, log2
from typing import Any

from conspirator._native import Node, Tree
from conspirator._rule import GrowthRule, keeps_value
from conspirator.rules.proof_number import wins_for_max
from conspirator.rules.staircases import NEVER, NOTHING, Staircase, combine, height, merge, reach, shift

UNIT = 4096
"""Errors are multiples of 1/4096, so that sums of them are exact."""


class SiblingConspiracy(GrowthRule):
    """The rule `sibling-conspiracy`.

    `pmax` and `dmax` are P_max and D_max; `delta` is that of equation 14, of which `cap` heights are kept;
    without it a leaf is initialised by equation 4; `eta` is that of equation 7.

    >>> import conspirator as cn
    >>> data = {"children": [{"score": 1, "value": "-inf"}, {"score": 9, "children": [{"value": "inf"}]}]}
    >>> result = cn.search(cn.games.ExplicitTree(data).start(), SiblingConspiracy(), expansions=10)
    >>> result.move, result.status
    ('1', 'proven')
    """

    uses_errors = True

    def __init__(
        self,
        pmax: float = 1,
        dmax: float = 1,
        delta: float | None = None,
        cap: int = 16,
        eta: float = 0.0,
        interval: str = "literal",
        choice: str = "effort",
        goal: float | None = None,
    ) -> None:
        self.pmax, self.dmax = pmax, dmax
        self.delta, self.cap, self.eta = delta, cap, eta
        self.strict = interval == "strict"
        self.choice, self.goal = choice, goal

    def initialise(self, tree: Tree, leaves: list[Node]) -> None:
        """Value new leaves by the errors on the way (equation 12) and give them their functions."""
        if leaves[0].parent is None:
            self.p: dict[int, Staircase] = {}
            self.d: dict[int, Staircase] = {}
            self.scef: dict[int, float] = {}
            self.expansions: dict[int, int] = {}
            self.best: int | None = None
        for n in leaves:
            self.scef[n.id] = self.evaluate(n)
            self.expansions[n.id] = 0
            self.renew(tree, n)

    def renew(self, tree: Tree, leaf: Node) -> None:
        """Give a leaf its functions: a held one stays where it is."""
        x = self.scef[leaf.id]
        if leaf.is_held:
            self.p[leaf.id], self.d[leaf.id] = ((x, inf),), ((-x, inf),)
        elif leaf.is_terminal:
            won = wins_for_max(leaf, tree, self.goal)
            self.p[leaf.id], self.d[leaf.id] = (NOTHING, NEVER) if won else (NEVER, NOTHING)
        else:
            self.p[leaf.id], self.d[leaf.id] = self.leaf_function(x), self.leaf_function(-x)

    def evaluate(self, n: Node) -> float:
        """Return EVAL(n): the opponent's errors on the way from the root less our own (equation 12)."""
        if n.parent is None:
            return 0.0
        return self.scef[n.parent.id] + (-n.error if n.parent.is_max else n.error)

    def leaf_function(self, x: float) -> Staircase:
        """Return the function of an open leaf: equation 4, or equation 14 with delta."""
        steps = {0.0: 1.0}
        if self.delta is not None:
            for i in range(1, self.cap + 1):
                steps[floor(UNIT * self.delta * log2(i) + 0.5) / UNIT] = i  # the greater height stays
        return merge(shift(tuple(sorted(steps.items())), x), self.eta)

    def update(self, tree: Tree, node: Node) -> bool:  # noqa: ARG002
        """Recompute a node's functions from its children's (equation 5)."""
        ps, ds = [self.p[s.id] for s in node.children], [self.d[s.id] for s in node.children]
        p, d = (combine(ps, min), combine(ds, sum)) if node.is_max else (combine(ps, sum), combine(ds, min))
        expansions = 1 + sum(self.expansions[s.id] for s in node.children)
        new = (merge(p, self.eta), merge(d, self.eta), expansions)
        changed = new != (self.p[node.id], self.d[node.id], self.expansions[node.id])
        self.p[node.id], self.d[node.id], self.expansions[node.id] = new
        if node.parent is None:
            self.best = self.best_move(node)
        return changed

    def choose(self, tree: Tree) -> Node | str:
        """Set the interval and descend to a most-proving node (Algorithm 3)."""
        root = tree.root
        if root.is_solved or NOTHING in (self.p[root.id], self.d[root.id]):
            return "proven" if root.is_solved else "decided"
        v_min, v_max = self.interval(root)
        return self.select_mpn(root, v_min, v_max)

    def interval(self, root: Node) -> tuple[float, float]:
        """Return the search interval (equation 6); strict: with limits that some leaves can reach."""
        p, d = self.p[root.id], self.d[root.id]
        pmax = max(self.pmax, p[0][1]) if self.strict and p else self.pmax
        dmax = max(self.dmax, d[0][1]) if self.strict and d else self.dmax
        return -reach(d, dmax), reach(p, pmax)

    def select_mpn(self, n: Node, v_min: float, v_max: float) -> Node:
        """Follow the least number for the player to move; then the least error; then the leftmost."""
        while children := n.children:
            if n.is_max:
                n = min(children, key=lambda s: (height(self.p[s.id], v_max), s.error))
            else:
                n = min(children, key=lambda s: (height(self.d[s.id], -v_min), s.error))
        return n

    def best_move(self, root: Node) -> int:
        """Return a won move; else, of those not lost, the one with most expansions below it (Section 2.7)."""
        own, other = (self.p, self.d) if root.is_max else (self.d, self.p)

        def key(s: Node) -> tuple[bool, bool, float, float]:
            won, lost = own[s.id] == NOTHING, other[s.id] == NOTHING
            value = inf if won else own[s.id][0][0]
            return not won, lost, -(self.expansions[s.id] if self.choice == "effort" else value), s.error

        moves = [s for s in root.children if not root.is_solved or keeps_value(root, s)]
        return min(moves, key=key).place

    def answer(self) -> int | None:
        """Return the best move's place."""
        return self.best

    def numbers(self, node: Node) -> dict[str, Any]:
        """Return the functions as the paper has them, and the values."""
        p, d = self.p[node.id], self.d[node.id]
        numbers: dict[str, Any] = {
            "p": list(p),
            "d": [(-x, h) for x, h in d],
            "minimax": p[0][0] if p else inf,
            "expansions": self.expansions[node.id],
            "scef": self.scef[node.id],
        }
        if node.parent is None:
            numbers["vmin"], numbers["vmax"] = self.interval(node)
        return numbers
