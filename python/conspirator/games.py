"""The native games, and those of OpenSpiel.

Every class of a native game is made from the core's own list of games: a game that is added there
appears here, in the command line and in the docs.

>>> import conspirator as cn
>>> sorted(cn.games.all_games())
['amazons', 'chess', 'connect-four', 'hex', 'othello', 'random-tree', 'uniform-tree']
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from inspect import Parameter, Signature
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from conspirator import _native
from conspirator._errors import ArgumentError, GameError
from conspirator._native import Position
from conspirator._open_spiel import OpenSpielGame, from_open_spiel
from conspirator._planes import NetworkShape, Symmetry, planes_of, shape_of, symmetries_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from conspirator.figures.drawing import Drawing

_MOVED = {
    "knowledge": "evaluator='knowledge'",
    "network": "evaluator='network'",
    "width": "such as evaluator='territory(width=20)'",
    "captures": "evaluator='captures'",
    "threats": "evaluator='threats'",
    "sort": "such as evaluator='captures(sort=true)'",
}
"""What was an option of games in version 0.1, and what a search takes instead."""


class NativeGame:
    """A game of the Rust core."""

    name: ClassVar[str]
    """The name on the command line."""

    def __init__(self, **parameters: Any) -> None:
        self._parameters = parameters
        moved = _MOVED.keys() & parameters.keys() - _native.games()[self.name]["parameters"].keys()
        for option in sorted(moved):
            raise ArgumentError(
                f"{self.name} has no option {option!r}: it is an evaluator's, {_MOVED[option]}"
            )
        self._core = _native.NativeGame.make(self.name, parameters)

    def start(self) -> Position:
        """Return the usual start position."""
        return self._core.start(self)

    def position(self, notation: str = "") -> Position:
        """Return the position that the game's usual notation describes."""
        if not isinstance(notation, str):
            raise ArgumentError(f"a position is written as text, not {notation!r}")
        return self._core.position(self, notation)

    @property
    def evaluators(self) -> dict[str, dict[str, Any]]:
        """The game's evaluators by name: summary, source and parameters of each; the first is the usual one.

        >>> list(make("hex").evaluators)
        ['resistance', 'knowledge', 'network']
        """
        return self._core.evaluators()

    @property
    def network(self) -> NetworkShape | None:
        """What a network for this game takes and gives; None if the game has no usual planes.

        >>> make("hex", size=5).network
        NetworkShape(planes=(2, 5, 5), policy=25, parts=1)
        """
        return shape_of(self.start())

    def planes(
        self, positions: Sequence[Position], *, edges: bool = False, legal: bool = False
    ) -> NDArray[np.float32]:
        """Return positions as a network sees them: one block of planes, rows and columns each.

        The player to move comes first. `legal` adds a plane of the squares of legal moves, where a move is
        one square, and `edges` a row of stones along each edge of Hex. docs/networks.md says of every game
        what its planes are.

        >>> game = make("connect-four")
        >>> game.planes([game.position("44")])[0, :, 4:, 3].tolist()        # own stone below, the other above
        [[0.0, 1.0], [1.0, 0.0]]
        """
        shape = self._network()
        if edges and self.name != "hex":
            raise ArgumentError(f"{self.name} has no edges to mark: leave edges out")
        if legal and self.name not in ("othello", "hex"):
            raise ArgumentError(f"a move of {self.name} is not a square: leave legal out")
        return planes_of(shape, positions, edges, legal)

    @property
    def symmetries(self) -> tuple[Symmetry, ...]:
        """The ways to turn the board that change nothing about a position's worth; the first changes nothing.

        >>> [symmetry.name for symmetry in make("hex").symmetries]
        ['as it is', 'half turn']
        """
        return symmetries_of(self.name, self._network())

    def _network(self) -> NetworkShape:
        shape = self.network
        if shape is None:
            raise ArgumentError(f"{self.name} has no planes: give the network's evaluator an encode of yours")
        return shape

    def _complete(self) -> dict[str, Any]:
        """Return all parameters, with the defaults of those that were not given."""
        listed = _native.games()[self.name]["parameters"]
        given = {name: value for name, value in self._parameters.items() if value is not None}
        return {name: entry["default"] for name, entry in listed.items()} | given

    def __reduce__(self) -> tuple[Any, ...]:
        return _remake, (type(self), self._parameters)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, NativeGame)
            and type(self) is type(other)
            and self._complete() == other._complete()
        )

    def __hash__(self) -> int:
        return hash((self.name, tuple(self._complete().items())))

    def __repr__(self) -> str:
        given = ", ".join(f"{name}={value!r}" for name, value in self._parameters.items())
        return f"{type(self).__name__}({given})"


class ExplicitTree(NativeGame):
    """A game given as data: nested dictionaries with `value` and `children`.

    A node without children ends the game with its value; "inf" and "-inf" are a win and a loss. The root
    is a max node unless it says `"to_move": "min"`. Moves are places among siblings: "0", "1", ...

    >>> game = ExplicitTree({"value": 0, "children": [{"value": 3}, {"value": 5}]})
    >>> import conspirator as cn
    >>> cn.search(game.start(), "best-first", expansions=10).move
    '1'
    """

    name = "explicit-tree"

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._parameters = {"data": data}
        self._core = _native.NativeGame.explicit(data)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> ExplicitTree:
        """Read a tree from a JSON file."""
        try:
            text = Path(path).read_text(encoding="utf-8")
        except (OSError, ValueError) as error:
            raise ArgumentError(f"cannot read the tree {path}: {error}") from error
        try:
            data = json.loads(text)
        except ValueError as error:
            raise GameError(f"{path} is not JSON: {error}") from error
        except RecursionError:
            raise GameError(
                f"{path} is nested too deeply for JSON: build the dictionaries in Python instead"
            ) from None
        return cls(data)

    def figure(self, kind: str = "tree", rule: str = "conspiracy", **parameters: Any) -> Drawing:
        """Draw the whole tree as a search tree whose leaves are open, as figures in papers have it.

        It is short for `cn.Tree.from_dict(data, rule).figure(kind)`: nodes have the numbers of the rule.
        Needs matplotlib.

        >>> game = ExplicitTree({"value": 0, "children": [{"value": 3}, {"value": 5}]})
        >>> game.figure().save("tree.svg")                          # doctest: +SKIP
        PosixPath('tree.svg')
        """
        return _native.Tree.from_dict(self._parameters["data"], rule, **parameters).figure(kind)

    def _complete(self) -> dict[str, Any]:
        return self._parameters

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return "ExplicitTree(...)"


def _remake(cls: type[NativeGame], parameters: dict[str, Any]) -> NativeGame:
    """Make a game in another process."""
    return cls(**parameters)


def _class_name(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("-"))


def _make_class(name: str, info: Mapping[str, Any]) -> type[NativeGame]:
    lines = [f"{info['summary'][0].upper()}{info['summary'][1:]} ({info['paper']}).", ""]
    parameters = info["parameters"].items()
    lines += [f"{key}: {entry['meaning']} ({entry['default']!r})" for key, entry in parameters]
    cls = type(_class_name(name), (NativeGame,), {"name": name, "__doc__": "\n".join(lines)})
    cls.__module__ = __name__
    cls.__signature__ = Signature(  # type: ignore[attr-defined]
        [
            Parameter(key, Parameter.KEYWORD_ONLY, default=entry["default"])
            for key, entry in info["parameters"].items()
        ]
    )
    return cls


_CLASSES = {name: _make_class(name, info) for name, info in _native.games().items()}
globals().update({cls.__name__: cls for cls in _CLASSES.values()})


def all_games() -> dict[str, dict[str, Any]]:
    """Return every game that can be made by name: summary, source, and parameters with their defaults.

    >>> all_games()["uniform-tree"]["parameters"]["width"]["default"]
    10
    """
    return _native.games()


def make(name: str, /, **parameters: Any) -> NativeGame:
    """Return a game by its name on the command line.

    >>> make("uniform-tree", width=3)
    UniformTree(width=3)
    """
    if name not in _CLASSES:
        _native.NativeGame.make(name, {})  # raises, with the nearest name
    return _CLASSES[name](**parameters)


__all__ = [
    "ExplicitTree",
    "NativeGame",
    "OpenSpielGame",
    "all_games",
    "from_open_spiel",
    "make",
    *(cls.__name__ for cls in _CLASSES.values()),
]
