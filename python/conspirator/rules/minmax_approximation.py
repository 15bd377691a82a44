"""Min/max approximation: R. L. Rivest, "Game tree searching by min/max approximation", 1988.

Put a penalty on every move, the greater the worse it is, and expand the leaf whose moves from the root have
the least in sum. With the penalties of equation 12 that is the leaf on which the root's value depends most,
if max and min are approximated by generalized means. `penalties` has the formulas.
"""

from __future__ import annotations

from math import inf, isnan
from typing import Any

from conspirator._errors import ArgumentError, GameError
from conspirator._native import Node, Tree
from conspirator._rule import GrowthRule, keeps_value
from conspirator.rules.penalties import (
    Penalty,
    Scale,
    constant_weights,
    derivative_weights,
    floyd_weights,
    generalized_mean,
)

MEANS = ("constant", "exact", "reverse", "floyd")


class MinmaxApproximation(GrowthRule):
    """The rule `minmax-approximation`, variant "published".

    `means`, `p` and `step` are the penalties, by default those of Section 5.5; `closed` leaves solved nodes
    alone. The other parameters are those of the search. A `penalty` of your own takes a node and its
    children and returns the weights of the edges between them; it should look at nothing else, because
    weights are computed anew only on the way up from an expanded leaf.

    >>> import conspirator as cn
    >>> def squares(node, children):    # the example of Section 3.4
    ...     best = (max if node.is_max else min)(child.value for child in children)
    ...     return [1 + (best - child.value) ** 2 / 100 for child in children]
    >>> position = cn.games.ConnectFour().position("4453")
    >>> cn.search(position, MinmaxApproximation(penalty=squares), expansions=200).move
    '4'
    """

    def __init__(
        self,
        means: str = "constant",
        p: float = 10.0,
        step: float = 0.05,
        scale: str = "log",
        shift: float | None = None,
        choice: str = "minimax",
        redescend: bool = False,
        closed: bool = False,
        penalty: Penalty | None = None,
    ) -> None:
        if means not in MEANS or scale not in ("log", "logit") or choice not in ("minimax", "approximate"):
            raise ArgumentError(
                f"means is one of {', '.join(MEANS)}, scale 'log' or 'logit', "
                "choice 'minimax' or 'approximate'"
            )
        if not 1 <= p < inf or not 0 <= step < inf:
            raise ArgumentError(f"p must be at least 1 and step at least 0, not {p} and {step}")
        self.means, self.p, self.step = means, p, step
        self.scale_kind, self.shift = scale, shift
        self.choice, self.redescend, self.closed = choice, redescend, closed
        self.penalty = penalty
        self.takes_logarithms = penalty is None and means != "floyd"
        self.uses_errors = not self.takes_logarithms

    def initialise(self, tree: Tree, leaves: list[Node]) -> None:
        """Give new leaves their x, arrow and pi (Step 5)."""
        if leaves[0].parent is None:
            self.scale = Scale.of(self.scale_kind, self.shift, tree.value_range)
            self.x: dict[int, float] = {}
            self.arrow: dict[int, int | str | None] = {}
            self.pi: dict[int, float] = {}
            self.best: int | None = None
            self.base: Node | None = None
            self.leaves = 0
        elif leaves[0].depth == 1 and self.scale.unit is not None:
            self.scale = Scale.linear([d.value for d in leaves])
        for d in leaves:
            self.x[d.id] = self.scale.x(d.value) if self.takes_logarithms else 0.0
            self.renew(tree, d)
        self.leaves += len(leaves) - 1

    def renew(self, tree: Tree, leaf: Node) -> None:  # noqa: ARG002
        """Give a leaf its arrow and pi: a held one is as little to choose as a finished game."""
        self.arrow[leaf.id], self.pi[leaf.id] = (None, inf) if leaf.is_terminal else ("self", 0.0)

    def choose(self, tree: Tree) -> Node | None:
        """Follow the arrows to the leaf of least penalty (Steps 1 to 3)."""
        x = self.base if self.redescends() and self.base is not None else tree.root
        if self.arrow[x.id] is None:
            return None
        from_root = x.parent is None
        while isinstance(place := self.arrow[x.id], int):
            x = x.children[place]
        if from_root:
            self.base, self.leaves = x, 1
        return x

    def redescends(self) -> bool:
        """Tell whether to stay below the leaf x that was found last, to save ascents to the root (Section 6).

        That is until the number of its leaves exceeds its depth, or none of them is open.
        """
        x = self.base
        return self.redescend and x is not None and self.leaves <= x.depth and self.arrow[x.id] is not None

    def update(self, tree: Tree, node: Node) -> bool:  # noqa: ARG002
        """Recompute value, arrow and pi of a node from its children's (Step 6)."""
        before = self.x[node.id], self.arrow[node.id], self.pi[node.id]
        children = node.children
        if self.takes_logarithms:
            self.x[node.id] = self.back_up(node, [self.x[d.id] for d in children])
        arrow, pi = None, inf
        if not (self.closed and node.is_solved):
            for d, w in zip(children, self.weights(node, children), strict=True):
                if self.pi[d.id] + w < pi:  # the leftmost of equals
                    arrow, pi = d.place, self.pi[d.id] + w
        self.arrow[node.id], self.pi[node.id] = arrow, pi
        if node.parent is None and self.choice == "approximate" and self.takes_logarithms:
            best = max if node.is_max else min
            keeping = [d for d in children if not node.is_solved or keeps_value(node, d)]
            self.best = best(keeping, key=lambda d: self.x[d.id]).place
        return before != (self.x[node.id], arrow, pi)

    def back_up(self, c: Node, xs: list[float]) -> float:
        """Return the x of a node from its children's: approximated (equation 10) or true (equation 9)."""
        if self.means == "exact":
            return generalized_mean(xs, self.p if c.is_max else -self.p)
        return max(xs) if c.is_max else min(xs)

    def weights(self, c: Node, children: tuple[Node, ...]) -> list[float]:
        """Return the weight w(d) of the edge to every child d."""
        if self.penalty is not None:
            return self.checked(self.penalty(c, children), len(children))
        if self.means == "floyd":
            return floyd_weights([d.error for d in children])
        x, xs = self.x[c.id], [self.x[d.id] for d in children]
        if self.means == "constant":
            return constant_weights(xs, x, self.step)
        return derivative_weights(xs, x, self.p if c.is_max else -self.p)

    def checked(self, weights: Any, n: int) -> list[float]:
        """Return the weights of a user's penalty as numbers."""
        try:
            numbers = [float(w) for w in weights]
        except (TypeError, ValueError):
            numbers = []
        if len(numbers) != n or any(isnan(w) for w in numbers):
            raise GameError(f"penalty must return a number for each of {n} children, not {weights!r}")
        return numbers

    def answer(self) -> int | None:
        """Return the place of the move with the best approximated value, if that decides (Section 4)."""
        return self.best

    def numbers(self, node: Node) -> dict[str, Any]:
        """Return the approximated value, the weight of the edge to the node, the arrow and pi."""
        parent = node.parent
        exact = self.means == "exact" and self.takes_logarithms
        return {
            "value": self.scale.value(self.x[node.id]) if exact else node.value,
            "w": self.weights(parent, parent.children)[node.place] if parent is not None else 0.0,
            "arrow": self.arrow[node.id],
            "pi": self.pi[node.id],
        }
