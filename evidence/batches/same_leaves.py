"""How many leaves a search with batches expands that it would expand without, and how large its batches are.

    python evidence/batches/same_leaves.py > evidence/batches/same-leaves.csv

`puct` with the network of Hex 9x9, 300 expansions, on 14 positions after moves of which a third are random.
"""

import csv
import sys
from random import Random
from statistics import fmean

import conspirator as cn
from conspirator.rules import Puct

GAME, EXPANSIONS = cn.games.Hex(size=9), 300


class Counting(Puct):
    """The rule, which counts batches: leaves are held one by one, and then released one by one."""

    batches = 0
    is_choosing = False

    def renew(self, tree: cn.Tree, leaf: cn.Node) -> None:
        """Hear that a leaf is held or released."""
        super().renew(tree, leaf)
        self.batches += leaf.is_held and not self.is_choosing
        self.is_choosing = leaf.is_held


def positions(count: int) -> list[cn.Position]:
    """Return positions in which neither player has won, by what a short search says."""
    random, found = Random(5), []
    while len(found) < count:
        position = GAME.start()
        for _ in range(random.randint(2, 16)):
            if random.random() < 0.3:
                position = position.play(random.choice(position.moves()))
            else:
                position = position.play(cn.search(position, "puct", evaluator="network", expansions=8).move)
        if position.outcome is None:
            value = cn.search(position, "puct", evaluator="network", expansions=30).value
            found += [position] if abs(value) < 0.8 else []
    return found


def main() -> None:
    """Print a row for each size of batches."""
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["batch", "positions", "same leaves", "leaves in a batch"])
    sample = positions(14)
    settings = {"evaluator": "network", "expansions": EXPANSIONS, "trace": True}
    alone = [{tuple(path) for path in cn.search(one, "puct", **settings).trace} for one in sample]
    for batch in (1, 8, 32):
        same, batches = [], 0
        for one, without in zip(sample, alone, strict=True):
            rule = Counting()
            paths = {tuple(path) for path in cn.search(one, rule, batch=batch, **settings).trace}
            same.append(len(paths & without) / len(paths))
            batches += rule.batches or EXPANSIONS
        out.writerow([batch, len(sample), f"{fmean(same):.3f}", f"{EXPANSIONS * len(sample) / batches:.1f}"])


if __name__ == "__main__":
    main()
