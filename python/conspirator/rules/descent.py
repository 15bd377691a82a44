"""Descent with completion: Q. Cohen-Solal, "Learning to play two-player perfect-information games", 2020.

Unbounded minimax goes back to the root after every expansion. Descent goes on: an iteration ends only where
the state is resolved, so that it plays the best line to the end of the game. The paper uses it to learn:
every iteration brings back a true result.
"""

from __future__ import annotations

from conspirator._native import Node, Tree
from conspirator.rules.unbounded_minimax import UnboundedMinimax


class Descent(UnboundedMinimax):
    """The rule `descent`.

    >>> import conspirator as cn
    >>> result = cn.search(cn.games.ConnectFour().start(), Descent(), expansions=40, trace=True)
    >>> [len(path) for path in result.trace][:20]
    [0, 1, 2, 3, 4, 5, 6, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 2, 3]
    """

    def initialise(self, tree: Tree, leaves: list[Node]) -> None:
        """Let the line go on from the node that was expanded; its parent's has done so."""
        super().initialise(tree, leaves)
        node = leaves[0].parent
        if node is None:
            self.lines: list[Node] = []
        else:
            self.lines = [line for line in self.lines if line != node.parent] + [node]

    def choose(self, tree: Tree) -> Node | str | None:
        """Go on with a line that has not ended, or begin a new one at the root."""
        if tree.root.is_solved:
            return "proven"
        self.lines = [line for line in self.lines if not has_ended(line)]
        waiting = (line for line in self.lines if not line.is_solved and not holds(line))
        return self.explore(next(waiting, tree.root))

    def selections(self, below: int) -> int:
        """Return how many lines came through a node: the one that expanded it went on to a child."""
        return max(1, below)


def has_ended(line: Node) -> bool:
    """Tell whether a node or one above it is resolved, other than because leaves are held."""
    node: Node | None = line
    while node is not None:
        if node.is_solved and not node.is_held:
            return True
        node = node.parent
    return False


def holds(line: Node) -> bool:
    """Tell whether a line goes on already, in a batch."""
    return any(child.is_held for child in line.children)
