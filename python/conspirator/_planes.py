"""Positions of native games as networks see them: planes, policies, symmetries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from conspirator import _native
from conspirator._errors import ArgumentError
from conspirator._native import Position

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]
    Places = NDArray[np.int64]


def numpy() -> Any:
    """Return NumPy, or say how to get it."""
    try:
        import numpy
    except ImportError:
        raise ArgumentError("planes and networks need NumPy: pip install numpy") from None
    return numpy


@dataclass(frozen=True)
class NetworkShape:
    """What a network for a game takes and gives.

    >>> import conspirator as cn
    >>> cn.games.ConnectFour().network
    NetworkShape(planes=(2, 6, 7), policy=7, parts=1)
    """

    planes: tuple[int, int, int]
    """Planes, rows, columns of `game.planes`."""
    policy: int
    """Outputs of a policy head."""
    parts: int
    """How many of them each move has: the logit of a move is the sum of its parts."""


@dataclass(frozen=True)
class Symmetry:
    """A way to turn the board that changes nothing about a position's worth.

    >>> import conspirator as cn
    >>> mirror = cn.games.ConnectFour().symmetries[1]
    >>> mirror.name, mirror.moves.tolist()
    ('mirror', [6, 5, 4, 3, 2, 1, 0])
    """

    name: str
    """What is done to rows and columns."""
    cells: Places
    """Where each cell of a turned plane, row by row, comes from."""
    moves: Places
    """Where each output of the policy for a turned board comes from: of the policy for the board as it is."""
    steps: tuple[bool, bool, bool]
    """Whether rows and columns change places, then rows turn round, then columns."""

    def turn(self, planes: Any) -> Any:
        """Return planes of any size turned, as the network would see them."""
        transposed, rows, columns = self.steps
        planes = planes.swapaxes(-1, -2) if transposed else planes
        planes = planes[..., ::-1, :] if rows else planes
        return planes[..., ::-1] if columns else planes


# transposed, rows turned round, columns turned round
_NAMES = {
    (False, False, False): "as it is",
    (False, False, True): "mirror",
    (False, True, False): "upside down",
    (False, True, True): "half turn",
    (True, False, False): "diagonal",
    (True, False, True): "quarter turn",
    (True, True, False): "quarter turn back",
    (True, True, True): "other diagonal",
}

_SYMMETRIC = {
    "connect-four": [(False, False, False), (False, False, True)],
    "othello": list(_NAMES),
    "amazons": list(_NAMES),
    "hex": [(False, False, False), (False, True, True)],
}
"""Chess has none: castling tells the sides apart, and pawns the directions."""


def shape_of(position: Position) -> NetworkShape | None:
    """Return what a network for the position's game takes and gives; None if the game has no usual planes."""
    known = _native.network_shape(position)
    if known is None:
        return None
    planes, policy, parts = known
    return NetworkShape((planes[0], planes[1], planes[2]), policy, parts)


def planes_of(shape: NetworkShape, positions: Sequence[Position], edges: bool, legal: bool) -> Floats:
    """Return the planes of positions of one game, with edges or a plane of legal moves as is wished."""
    np = numpy()
    flat = np.frombuffer(_native.planes(list(positions)), dtype=np.float32)
    planes: Floats = flat.reshape(len(positions), *shape.planes)
    _, rows, columns = shape.planes
    if legal:
        marks = np.zeros((len(positions), shape.policy), dtype=np.float32)
        places, counts = policy_places(positions, shape.parts)
        marks[np.repeat(np.arange(len(positions)), counts), places[:, 0]] = 1
        marks = marks[:, : rows * columns].reshape(len(positions), 1, rows, columns)
        planes = np.concatenate([planes, marks], axis=1)
    if edges:
        planes = np.pad(planes, ((0, 0), (0, 0), (1, 1), (1, 1)))
        planes[:, 0, 0, 1:-1] = planes[:, 0, -1, 1:-1] = 1
        planes[:, 1, 1:-1, 0] = planes[:, 1, 1:-1, -1] = 1
    return planes


def policy_places(positions: Sequence[Position], parts: int) -> tuple[Places, list[int]]:
    """Return the policy's outputs of all legal moves, one row a move, and each position's number of moves."""
    np = numpy()
    flat, counts = _native.policy_places(list(positions))
    places: Places = np.frombuffer(flat, dtype=np.uint32).astype(np.int64).reshape(-1, parts)
    return places, counts


@lru_cache(maxsize=64)
def symmetries_of(name: str, shape: NetworkShape) -> tuple[Symmetry, ...]:
    """Return the symmetries of a game by its name; the first changes nothing."""
    np = numpy()
    _, rows, columns = shape.planes
    board = np.arange(rows * columns).reshape(rows, columns)
    found = []
    for steps in _SYMMETRIC.get(name, [(False, False, False)]):
        turned = Symmetry(_NAMES[steps], board, board, steps)
        cells = np.ascontiguousarray(turned.turn(board)).reshape(-1)
        if name == "connect-four":
            moves = cells[:columns].copy()
        elif name in _SYMMETRIC:
            boards = shape.policy // len(cells)
            rest = np.arange(boards * len(cells), shape.policy)  # a pass, a swap
            moves = np.concatenate([*(cells + len(cells) * at for at in range(boards)), rest])
        else:
            moves = np.arange(shape.policy)
        found.append(Symmetry(_NAMES[steps], cells, moves, steps))
    return tuple(found)
