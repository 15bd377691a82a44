"""Draw the figures of docs/figures.md. Run as `python docs/figures.py`."""

from __future__ import annotations

from pathlib import Path

import conspirator as cn

IMAGES = Path(__file__).parent / "images"


def main() -> None:
    """Write them; they are the same every time."""
    position = cn.games.ConnectFour().position("4453")
    result = cn.search(position, "conspiracy", threshold=2, expansions=300)
    for kind in ("tree", "ladder", "numbers", "values"):
        result.figure(kind).save(IMAGES / f"figure-{kind}.svg")
    small = cn.games.RandomTree(branching=3, depth=6, seed=1).start()
    cn.search(small, "conspiracy", expansions=7).figure("tree").save(IMAGES / "figure-small-tree.svg")


if __name__ == "__main__":
    main()
