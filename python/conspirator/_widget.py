"""The tree of a result as a widget in a notebook: the studio's view, with Python at the other end.

Needs `pip install conspirator[notebook]`.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from conspirator._errors import ArgumentError, ConspiratorError

if TYPE_CHECKING:
    from conspirator._result import Result

PAGE = Path(__file__).parent / "studio" / "page"
"""The built front end."""


def has_widgets() -> bool:
    """Tell whether notebooks can show widgets here."""
    return find_spec("anywidget") is not None and (PAGE / "widget.js").is_file()


class TreeView:
    """What a widget answers: pictures of a tree, whole or in part, and the nodes around the selected one.

    >>> import conspirator as cn
    >>> view = TreeView(cn.search(cn.games.ConnectFour().start(), "conspiracy", expansions=100))
    >>> data = view.answer({"do": "select", "path": [3]})
    >>> b'"path":[3]' in data
    True
    """

    def __init__(self, result: Result) -> None:
        from conspirator.studio.looks import Names, View

        self.result = result
        self._names = Names(result.position)
        self._view = View()

    def answer(self, asked: Any) -> bytes:
        """Return the picture after something was asked; what cannot be done changes nothing."""
        from conspirator.figures.colours import Scale
        from conspirator.studio.looks import around, overview, principal
        from conspirator.studio.wire import frame

        self._change(asked if isinstance(asked, dict) else {})
        result, view = self.result, self._view
        data, labels, sizes = overview(result.tree, view, self._names)
        low, high = result.position.value_range
        head = {
            "lane": "notebook",
            "rule": str(result._recipe.rule),
            "nodes": result.nodes,
            "value": result.value,
            "range": (low, high),
            "draw": Scale.of([], (low, high)).draw,
            "left": view.left,
            "right": view.right,
            "labels": labels,
            **around(result.tree, view, self._names, sizes, chances=True),
            "principal": principal(result.tree),
        }
        return frame(head, data)

    def _change(self, asked: dict[str, Any]) -> None:
        try:
            if asked.get("do") == "select":
                path = tuple(int(place) for place in asked["path"])
                self.result.tree.node(path)
                self._view.selected = path
            elif asked.get("do") == "view":
                left, right = float(asked["left"]), float(asked["right"])
                if 0 <= left < right <= 1:
                    self._view.left, self._view.right = left, right
        except (ConspiratorError, KeyError, TypeError, ValueError):
            return


def widget(result: Result) -> Any:
    """Return a widget that shows the tree of a result.

    >>> import conspirator as cn
    >>> result = cn.search(cn.games.ConnectFour().start(), "conspiracy", expansions=100)
    >>> type(widget(result)).__name__                               # doctest: +SKIP
    'TreeWidget'
    """
    if not has_widgets():
        raise ArgumentError("a widget needs anywidget: pip install 'conspirator[notebook]'")
    _ = result.tree  # says so if there is none
    import anywidget

    view = TreeView(result)

    class TreeWidget(anywidget.AnyWidget):  # type: ignore[misc, unused-ignore]
        _esm = PAGE / "widget.js"
        _css = PAGE / "widget.css"

    shown = TreeWidget()

    def hear(_: Any, asked: Any, __: Any) -> None:
        shown.send({"push": "frame"}, buffers=[view.answer(asked)])

    shown.on_msg(hear)
    return shown
