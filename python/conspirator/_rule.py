"""Growth rules written in Python."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from conspirator._game import not_written
from conspirator._native import Node, Tree


def keeps_value(node: Node, child: Node) -> bool:
    """Tell whether a child of a solved node is solved too, with the same value: a best move leads to it."""
    return child.is_solved and child.value == node.value


class GrowthRule(ABC):
    """A rule for growing a tree: it chooses the leaf to expand, and may keep numbers of its own.

    The growing loop calls `choose`, expands that leaf, calls `initialise` with the new leaves, and then
    `update` for every node on the path from the expanded leaf to the root, until nothing changes.

    >>> import conspirator as cn
    >>> class BreadthFirst(cn.GrowthRule):
    ...     def __init__(self):
    ...         self.queue = []
    ...     def initialise(self, tree, leaves):
    ...         self.queue += [leaf for leaf in leaves if leaf.is_open]
    ...     def choose(self, tree):
    ...         return self.queue.pop(0) if self.queue else None
    >>> result = cn.search(cn.games.UniformTree(width=2).start(), BreadthFirst(), expansions=7)
    >>> result.tree.depth_histogram()
    [1, 2, 4, 8]
    """

    @abstractmethod
    def choose(self, tree: Tree) -> Node | str | None:
        """Return the open leaf to expand next; None if there is none.

        A word ends the search with that status: 'decided', 'converged' or 'proven'. The last is a claim that
        the tree must bear out: its value or its best move cannot change, whatever its open leaves are worth.
        """

    def initialise(self, tree: Tree, leaves: list[Node]) -> None:  # noqa: B027
        """Give new leaves their numbers: the root first, then the children of each expanded node."""

    def update(self, tree: Tree, node: Node) -> bool:  # noqa: ARG002
        """Recompute the numbers of an inner node from its children's; return whether any changed."""
        return False

    @not_written
    def renew(self, tree: Tree, leaf: Node) -> None:
        """Give a leaf its numbers again: it is held now (`leaf.is_held`), or no longer.

        A search with `batch` chooses several leaves before any is expanded. Those that it has chosen are
        held: until they are expanded they count as solved, with the values that they have. Then `update` is
        called for the nodes above. A rule that returns a held leaf from `choose` has no better one.
        """
        raise NotImplementedError

    leaf_delta: float | None = None
    """The width of McAllester's bounds for open leaves, if the rule assumes any; for `result.interval`."""

    tolerance: float = 0.0
    """How far from the true value a value may be that the rule calls 'proven'."""

    uses_errors: bool = False
    """Whether the rule looks at `node.error`, the relative error of a move among its siblings."""

    inherits_values: bool = False
    """Whether a position is valued only when it is expanded: until then it has its parent's static value."""

    def answer(self) -> int | None:
        """Return the move to play, as a place among the root's children; None: the best by value."""
        return None

    def numbers(self, node: Node) -> dict[str, Any]:  # noqa: ARG002
        """Return the rule's numbers of a node, by name, for `node.numbers`."""
        return {}
