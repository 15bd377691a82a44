"""Draw the figures of docs/figures.md. Run as `python docs/figures.py`."""

from __future__ import annotations

from pathlib import Path

import conspirator as cn
from conspirator.figures import board

IMAGES = Path(__file__).parent / "images"


def main() -> None:
    """Write them; they are the same every time."""
    position = cn.games.ConnectFour().position("4453")
    result = cn.search(position, "conspiracy", threshold=2, expansions=300)
    for kind in ("tree", "ladder", "numbers", "values"):
        result.figure(kind).save(IMAGES / f"figure-{kind}.svg")
    board(cn.games.Hex(size=7).position("d4 b5 c5 e3"), last="e3", move="c3").save(IMAGES / "board-hex.svg")
    chess = cn.games.Chess().position("e2e4 c7c5 g1f3")
    board(chess, last="g1f3", move="b8c6").save(IMAGES / "board-chess.svg")
    small = cn.games.RandomTree(branching=3, depth=6, seed=1).start()
    cn.search(small, "conspiracy", expansions=7).figure("tree").save(IMAGES / "figure-small-tree.svg")


if __name__ == "__main__":
    main()
