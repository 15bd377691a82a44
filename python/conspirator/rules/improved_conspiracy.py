"""Improved conspiracy numbers: Lister and Schaeffer, "An analysis of the conspiracy numbers algorithm", 1994.

McAllester's procedure with another choice in steps DR2 and IR2 of their Appendix. With one constant static
value the tree grows with the square of CT instead of exponentially (Corollary 9).
"""

from __future__ import annotations

from conspirator._native import Node
from conspirator.rules.bounds_sequences import Direction
from conspirator.rules.conspiracy import Conspiracy


class ImprovedConspiracy(Conspiracy):
    """The rule `improved-conspiracy`, with the parameters of `conspiracy`.

    >>> import conspirator as cn
    >>> start = cn.games.UniformTree(width=10).start()
    >>> cn.search(start, ImprovedConspiracy(ct=20, iterative=False), expansions=1000).nodes
    2471
    """

    def one_of_all(self, successors: list[Node], direction: Direction, V: float) -> Node:
        """Choose among the successors that must all change: the fewest leaves needed (Section 4.1)."""
        return min(successors, key=lambda j: self.bounds.needed(j, direction, V))
