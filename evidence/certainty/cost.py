"""What a pass of distributions over a finished tree costs, beside a `tree.check()` of the same tree: CSV.

    python evidence/certainty/cost.py > evidence/certainty/cost.csv

The least of nine times of each, in nanoseconds for a node of the tree.
"""

import csv
import sys
from collections.abc import Callable
from time import perf_counter

import conspirator as cn

GAMES = {"connect-four": "44", "othello": ""}
SEARCHES = ("best-first", "conspiracy", "minmax-approximation", "least-certainty", "relevance")
EXPANSIONS, TIMES = 12_000, 9


def least(run: Callable[[], object]) -> float:
    """Return the least time of several."""
    times = []
    for _ in range(TIMES):
        begun = perf_counter()
        run()
        times.append(perf_counter() - begun)
    return min(times)


def main() -> None:
    """Write the table."""
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["game", "search", "nodes", "check ns", "pass ns", "pass / check"])
    for game, text in GAMES.items():
        position = cn.games.make(game).position(text)
        for search in SEARCHES:
            settings = {"threshold": 5} if search == "conspiracy" else {}
            result = cn.search(position, search, expansions=EXPANSIONS, **settings)
            check, one_pass = least(result.tree.check), least(lambda tree=result.tree: tree.probabilities)
            unit = 1e9 / result.nodes
            row = [f"{check * unit:.2f}", f"{one_pass * unit:.2f}", f"{one_pass / check:.2f}"]
            out.writerow([game, search, result.nodes, *row])


if __name__ == "__main__":
    main()
