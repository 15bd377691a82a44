"""How a game's positions look to a network: planes, and which output of the policy is which move."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from conspirator._errors import ArgumentError, GameError
from conspirator._game import Game
from conspirator._native import Position
from conspirator._planes import numpy, policy_places, symmetries_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

AnyGame = Any
"""A native game, or an object of a user's class."""


@dataclass(frozen=True)
class View:
    """What a network sees of a game, and what it answers.

    >>> import conspirator as cn
    >>> view = View.of(cn.games.ConnectFour())
    >>> view.planes, view.outputs, view.places(cn.games.ConnectFour().position("4"))
    ((2, 6, 7), 7, [0, 1, 2, 3, 4, 5, 6])
    """

    game: AnyGame
    planes: tuple[int, int, int]
    """Planes, rows, columns."""
    outputs: int
    """Of the policy."""

    @classmethod
    def of(cls, game: AnyGame) -> View:
        """Return the view of a game, or say what the game lacks."""
        if not isinstance(game, Game):
            shape = getattr(game, "network", None)
            if shape is None or shape.parts != 1:
                raise ArgumentError(
                    f"{game} has no planes with one output for each move, so it cannot be learnt"
                )
            return cls(game, shape.planes, shape.policy)
        name = type(game).__name__
        for method in ("encode", "output"):
            if hasattr(getattr(type(game), method), "_not_written"):
                raise ArgumentError(
                    f"{name} needs encode(state), output(state, move) and outputs to be learnt: see cn.Game"
                )
        if not isinstance(game.outputs, int) or game.outputs < 1:
            raise ArgumentError(f"{name}.outputs must be how many outputs a policy has, not {game.outputs!r}")
        start = game.start()
        planes = _stack(game, [start])
        view = cls(game, (planes.shape[1], planes.shape[2], planes.shape[3]), game.outputs)
        view.places(start)
        return view

    def encode(self, positions: Sequence[Position]) -> Floats:
        """Return positions as an array: positions, planes, rows, columns."""
        if isinstance(self.game, Game):
            found = _stack(self.game, positions)
            if found.shape[1:] != self.planes:
                raise GameError(
                    f"{type(self.game).__name__}.encode gave shapes {self.planes} and {found.shape[1:]}"
                )
            return found
        planes: Floats = self.game.planes(list(positions))
        return planes

    def places(self, position: Position) -> list[int]:
        """Return the policy's outputs of the legal moves, in their order."""
        if not isinstance(self.game, Game):
            places, _ = policy_places([position], 1)
            return [int(place) for place in places[:, 0]]
        found = [self.game.output(position.state, move) for move in position.moves()]
        name = type(self.game).__name__
        for place in found:
            if isinstance(place, bool) or not isinstance(place, int) or not 0 <= place < self.outputs:
                raise GameError(
                    f"{name}.output gave {place!r}: a whole number below {self.outputs} is wanted"
                )
        if len(set(found)) < len(found):
            raise GameError(f"{name}.output gave two moves of one state the same number")
        return found

    @property
    def turns(self) -> tuple[Any, ...]:
        """The symmetries of the game, if it names any."""
        if isinstance(self.game, Game):
            return ()
        return symmetries_of(self.game.name, self.game.network)[1:]


def _stack(game: Game, positions: Sequence[Position]) -> Floats:
    np = numpy()
    name = type(game).__name__
    try:
        planes: Floats = np.asarray([game.encode(position.state) for position in positions], dtype=np.float32)
    except (TypeError, ValueError) as error:
        raise GameError(f"{name}.encode gave no array of numbers: {error}") from error
    if planes.ndim == 2:  # a row of numbers is one plane of one row
        planes = planes[:, None, None, :]
    if planes.ndim == 3:
        planes = planes[:, None]
    if planes.ndim != 4:
        raise GameError(f"{name}.encode must give planes x rows x columns, or a row of numbers")
    if not np.isfinite(planes).all():
        raise GameError(f"{name}.encode gave a number that is not finite")
    return planes
