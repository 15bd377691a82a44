"""How many more expansions a proof takes in a small table: `python evidence/proofs/memory.py > memory.csv`.

A run with a table that is large enough says how many expansions there are. The small table has room for a
tenth as many entries. A position that is expanded again has only one entry, so this is a tenth of the memory
of that run or more, never less: the bar of a tenth is met only as far as positions are not expanded again.
"""

from __future__ import annotations

import csv
import sys
from statistics import median

import conspirator as cn

CONNECT_FOUR = [
    "1164365614714342",
    "11675724761353333537",
    "1357145526361137",
    "1515565677754547",
    "174353331613644143",
    "177121135176366566",
    "2212575563341161562",
    "366174126234167442",
    "373377623543114527",
    "41611324447563467523",
]
HEX = ["a1", "f1", "a2", "b2", "f2", "a3", "c2", "b4", "a5", "e3"]
ENTRY = {"df-pn": 24, "sibling-conspiracy-table": 632}
"""Bytes of an entry."""
LIMIT = 4_000_000


def main() -> None:
    """Print a row for each search and position."""
    out = csv.writer(sys.stdout)
    out.writerow(["search", "position", "expansions", "table bytes", "in a tenth", "times"])
    boards = [(f"Connect-Four {line}", cn.games.ConnectFour().position(line), None) for line in CONNECT_FOUR]
    boards += [(f"Hex 6x6 {cell}", cn.games.Hex(size=6).position(cell), "knowledge") for cell in HEX]
    for search, bytes_each in ENTRY.items():
        ratios = []
        for name, position, evaluator in boards:
            whole = cn.search(position, search, evaluator=evaluator, expansions=LIMIT, table_bytes=1 << 30)
            if whole.won is None:
                continue
            small = max(1024, whole.expansions * bytes_each // 10)
            part = cn.search(
                position, search, evaluator=evaluator, expansions=20 * whole.expansions, table_bytes=small
            )
            ratios.append(part.expansions / whole.expansions if part.won == whole.won else float("inf"))
            out.writerow([search, name, whole.expansions, small, part.expansions, round(ratios[-1], 2)])
            sys.stdout.flush()
        print(f"# {search}: median {median(ratios):.2f}, most {max(ratios):.2f}", file=sys.stderr)


main()
