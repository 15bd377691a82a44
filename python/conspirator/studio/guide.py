"""A lane that shows a tour: a tree from data that is there as a whole, or one that grows."""

from __future__ import annotations

from typing import Any

import conspirator as cn
from conspirator._errors import ArgumentError
from conspirator._players import Player
from conspirator.studio.lane import Tell
from conspirator.studio.looks import Names, Path, View, around, overview, principal
from conspirator.studio.replay import Replay
from conspirator.studio.tours import Tour
from conspirator.studio.wire import frame


class Guide(Replay):
    """A tour: `stop` goes to one of its steps, in any order."""

    def __init__(self, name: str, tour: Tour, tell: Tell) -> None:
        self.tour = tour
        self.whole: cn.Tree | None = None
        """A tree from data, which does not grow."""
        if tour.game is not None:
            position = cn.games.ExplicitTree(tour.game).start()
            super().__init__(name, position, tour.player(), tell, tour.expansions, tour.names)
        else:
            # a tree from data has no positions: the game of the same tree stands in for its root
            position = cn.games.ExplicitTree(tour.tree or {}).start()
            super().__init__(name, position, Player(tour.rule), tell, 0, tour.names)
            self.names = Names(None, tour.names)
            self.whole = cn.Tree.from_dict(tour.tree or {}, tour.rule, **tour.parameters)

    def stop(self, number: Any) -> None:
        """Show a step of the tour."""
        if type(number) is not int or not 0 <= number < len(self.tour.stops):
            raise ArgumentError(f"the tour has {len(self.tour.stops)} steps")
        here = self.tour.stops[number]
        if self.whole is None:
            self.seek(here.expansions)
            for view in self.views.values():
                view.selected = here.node
        else:
            for view in self.views.values():
                view.selected = here.node
        self.said = {**self.said, "stop": number, "stops": len(self.tour.stops), "text": here.text}
        self.show()

    @property
    def tree(self) -> cn.Tree:
        """The tree that is shown."""
        return super().tree if self.whole is None else self.whole

    def show(self) -> None:
        """Tell every page."""
        if self.whole is None:
            super().show()
            return
        for page, view in list(self.views.items()):
            self._whole_picture(self.whole, page, view)

    def _whole_picture(self, tree: cn.Tree, page: str, view: View) -> None:
        data, labels, sizes = overview(tree, view, self.names)
        low, high = tree.value_range
        head = {
            **self.state(),
            "expansions": sum(1 for _ in _inner(tree)),
            "nodes": len(tree),
            "value": tree.root.value,
            "status": "budget",
            "range": (low, high),
            "left": view.left,
            "right": view.right,
            "labels": labels,
            "shares": sizes[0],
            "sample": None,
            **around(tree, view, self.names, sizes),
            "principal": principal(tree),
        }
        self._tell(self, frame(head, data), page)

    def look(self, page: str, **changes: Any) -> None:
        """Change what a page looks at, and show it."""
        if self.whole is None:
            super().look(page, **changes)
            return
        view = self.views.setdefault(page, View())
        for name, value in changes.items():
            setattr(view, name, value)
        self._whole_picture(self.whole, page, view)

    def select(self, page: str, path: Path) -> None:
        """Select a node for a page."""
        self.tree.node(path)
        self.look(page, selected=path)


def _inner(tree: cn.Tree) -> list[cn.Node]:
    nodes, inner = [tree.root], []
    for node in nodes:
        nodes += node.children
        if node.children:
            inner.append(node)
    return inner
