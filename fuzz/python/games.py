"""Games in Python that lie and fail: a search answers, or raises one of our errors or the game's own.

Run it with `make fuzz`; by itself: `python fuzz/python/games.py -max_total_time=60`.
"""

from __future__ import annotations

import sys
from typing import Any

import atheris

with atheris.instrument_imports(include=["conspirator"]):
    import conspirator as cn


class OwnError(Exception):
    """What the game itself raises."""


ODD_VALUES: list[Any] = [0.0, 1.0, -1.0, 0.5, float("nan"), float("inf"), "1", None, 10**400, b"", True]
ODD_MOVES: list[Any] = [[], [0], [0, 1], [0, 0], ["a", "b"], None, 7, (0, 1, 2), [None], [[0]], "ab", {0: 1}]


class Wild(cn.Game):
    """A tree of at most four plies; every answer of every method is chosen by the bytes given."""

    value_range = (-1.0, 1.0)

    def __init__(self, data: bytes) -> None:
        """Take the bytes from which the answers come."""
        self.data = data or b"\0"

    def _choose(self, state: Any, salt: int) -> int:
        return self.data[(len(state) * 7 + sum(map(len, map(repr, state))) + salt) % len(self.data)]

    def _answer(self, state: Any, salt: int, usual: Any, odd: list[Any]) -> Any:
        choice = self._choose(state, salt)
        if choice < 200:
            return usual
        if choice == 255:
            raise OwnError
        return odd[choice % len(odd)]

    def start(self) -> Any:
        """Return the empty line of moves."""
        return ()

    def moves(self, state: Any) -> Any:
        """Return two or three moves, or something else."""
        usual = list(range(2 + self._choose(state, 1) % 2)) if len(state) < 4 else []
        return self._answer(state, 2, usual, ODD_MOVES)

    def play(self, state: Any, move: Any) -> Any:
        """Return the longer line, or something else."""
        return self._answer(state, 3, (*state, move), [(), (0,), (0, 0, 0, 0)])

    def outcome(self, state: Any) -> Any:
        """Return a result at the end, or something else."""
        usual = self._choose(state, 4) % 3 - 1.0 if len(state) >= 4 else None
        return self._answer(state, 5, usual, ODD_VALUES)

    def evaluate(self, state: Any) -> Any:
        """Return a value, or something else."""
        return self._answer(state, 6, self._choose(state, 7) / 128 - 1, ODD_VALUES)

    def to_move(self, state: Any) -> Any:
        """Return whose turn it is, or something else."""
        return self._answer(state, 8, "max" if len(state) % 2 == 0 else "min", ["min", "max", "", None, 0])

    def key(self, state: Any) -> Any:
        """Return the position's key, or something else."""
        return self._answer(state, 9, hash(repr(state)), [0, -1, 2**70, None, [], "k"])


KEEPS_TREE = {name: info.tree for name, info in cn.searches().items()}
SEARCHES = list(KEEPS_TREE)
EXPECTED = (cn.ConspiratorError, OwnError)


def one_input(data: bytes) -> None:
    """Search a wild game and walk its tree."""
    if len(data) < 3:
        return
    game = Wild(data[2:])
    try:
        position, rule = game.start(), SEARCHES[data[0] % len(SEARCHES)]
        result = cn.search(position, rule, expansions=1 + data[1] % 30, memory=10**7)
    except EXPECTED:
        return
    if result.move not in position.moves():
        raise AssertionError(f"the answer {result.move!r} is not a legal move")
    if KEEPS_TREE[rule]:
        result.tree.check()


if __name__ == "__main__":
    atheris.Setup(sys.argv, one_input)
    atheris.Fuzz()
