"""A tree that is written out: a node without children ends the game with its value.

A node is a dictionary with `value` ("inf" and "-inf" are infinities), `children`, and `to_move` if the
players do not take turns. A state is (node, whether Max is to move); the root is Max's unless it says
otherwise.
"""

from __future__ import annotations

import json
from typing import Any


class ExplicitTree:
    """The rules; the option `data` is the tree as JSON, a position a path of places, '0.2.1'."""

    repeats, middle, longest = False, 0.0, None

    def __init__(self, options: dict[str, str]) -> None:
        if set(options) != {"data"}:
            raise ValueError("an explicit tree has one option, its data")
        self.root = json.loads(options["data"])
        if json.dumps(self.root, sort_keys=True, separators=(",", ":")) != options["data"]:
            raise ValueError("the data are not in the usual form")

    def read(self, text: str) -> Any:
        """Return the state at the end of a path."""
        state = self.root, self.root.get("to_move", "max") == "max"
        for place in text.split(".") if text else ():
            state = self.play(state, self.moves(state)[int(place)])
        return state

    def max_to_move(self, state: Any) -> bool:
        """Tell whether Max is to move."""
        return bool(state[1])

    def outcome(self, state: Any) -> float | None:
        """Return the value of a node without children."""
        return None if state[0].get("children") else float(state[0]["value"])

    def moves(self, state: Any) -> list[Any]:
        """Return the children: a move is where it leads to."""
        return list(state[0]["children"])

    def play(self, state: Any, child: Any) -> Any:
        """Return the state of a child: the other's turn, unless it says otherwise."""
        turn = "min" if state[1] else "max"
        return child, child.get("to_move", turn) == "max"

    def key(self, state: Any) -> None:
        """Share no positions."""
