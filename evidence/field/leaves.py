"""Leaves that MTD(f), SSS* and DUAL* look at, against alpha-beta.

`python evidence/field/leaves.py > leaves.csv`. Plaat et al. 1996 compare the leaves of these searches at
equal depth, with a table and iterative deepening. Here a leaf is a position at the depth of the last one
whose static value was asked for; one that is asked for again counts once, as if the table kept it. `nodes`
counts all positions that were made, again and again: what the repeated questions cost here. All numbers are
the same on every machine.
"""

from __future__ import annotations

import csv
import sys
from random import Random
from typing import Any

import conspirator as cn

GAMES: dict[str, tuple[Any, int, int]] = {
    "connect-four": (cn.games.ConnectFour(), 7, 8),
    "othello": (cn.games.Othello(), 5, 8),
    "amazons 6x6": (cn.games.Amazons(size=6), 2, 4),
    "hex 5x5": (cn.games.Hex(size=5), 4, 4),
}
"""The game, the depth, and the number of positions after four random moves."""
TABLE: dict[str, Any] = {"table_bytes": 64 << 20, "table_depth": 1, "nodes": 10**9}
SEARCHES: dict[str, tuple[str, dict[str, Any]]] = {
    "alpha-beta": ("alpha-beta", {"table": True}),
    "MTD(f)": ("mtd-f", {"driver": "f"}),
    "SSS*": ("mtd-f", {"driver": "sss"}),
    "DUAL*": ("mtd-f", {"driver": "dual"}),
}


class Watched(cn.Game):
    """A native game as one in Python, which knows whose static value was asked for, and how deep."""

    def __init__(self, position: cn.Position) -> None:
        self.native = position
        self.value_range = position.value_range  # type: ignore[misc]
        self.seen: dict[int, set[Any]] = {}

    def moves(self, state: tuple[int, cn.Position]) -> list[Any]:
        """Return the legal moves."""
        return list(state[1].moves())

    def play(self, state: tuple[int, cn.Position], move: Any) -> tuple[int, cn.Position]:
        """Return the state after a move."""
        return state[0] + 1, state[1].play(move)

    def outcome(self, state: tuple[int, cn.Position]) -> float | None:
        """Return the result, if the game is over."""
        return state[1].outcome

    def evaluate(self, state: tuple[int, cn.Position]) -> float:
        """Return the static value, and remember that somebody asked."""
        self.seen.setdefault(state[0], set()).add((state[1].key, state[1].to_move))
        return state[1].evaluate()

    def to_move(self, state: tuple[int, cn.Position]) -> Any:
        """Return who moves."""
        return state[1].to_move

    def key(self, state: tuple[int, cn.Position]) -> Any:
        """Return what tells positions apart."""
        return state[1].key


def positions(game: Any, count: int) -> list[cn.Position]:
    """Return positions after four random moves, with seed 1."""
    random, found = Random(1), list[cn.Position]()
    while len(found) < count:
        position = game.start()
        for _ in range(4):
            position = position.play(random.choice(position.moves()))
        found.append(position)
    return found


def main() -> None:
    """Print one row for each game and search: sums over the positions."""
    out = csv.writer(sys.stdout, lineterminator="\n")
    print(f"# python evidence/field/leaves.py, version {cn.__version__}")
    columns = ["game", "depth", "positions", "search", "leaves", "nodes"]
    out.writerow([*columns, "leaves of alpha-beta's", "nodes of alpha-beta's"])
    for name, (game, depth, count) in GAMES.items():
        first: tuple[list[float], int, int] | None = None
        for label, (search, settings) in SEARCHES.items():
            values, leaves, nodes = list[float](), 0, 0
            for start in positions(game, count):
                watched = Watched(start)
                result = cn.search(
                    watched.position((0, start)), search, depth=depth, first_depth=1, **TABLE, **settings
                )
                values.append(result.value)
                leaves += len(watched.seen.get(depth, ()))
                nodes += result.nodes
            first = first or (values, leaves, nodes)
            assert values == first[0]
            parts = [f"{leaves / first[1]:.3f}", f"{nodes / first[2]:.3f}"]
            out.writerow([name, depth, count, label, leaves, nodes, *parts])
            sys.stdout.flush()


if __name__ == "__main__":
    main()
