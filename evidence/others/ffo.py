"""Solves positions of the FFO end-game suite with `end-game`: values, nodes, CPU seconds.

    python evidence/others/ffo.py fforum-40-59.obf [SECONDS [PROCESSES]] > evidence/others/ffo.csv

The file is the one that comes with Edax: a position and the exact scores of its moves on each line. A
position that is not solved in so many CPU seconds has no value. `expected` is the best score in the file.
"""

from __future__ import annotations

import csv
import re
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from time import process_time

import conspirator as cn

SECONDS = float((sys.argv[2:] or ["60"])[0])
FIRST = 40
"""The number of the first position of the file."""


def solve(job: tuple[int, str]) -> list[object]:
    """Return a row of the table."""
    number, line = job
    board, side = line.split(";")[0].split()[:2]
    expected = max(int(score) for score in re.findall(r":([+-]\d+)", line))
    begun = process_time()
    result = cn.search(
        cn.games.Othello().position(f"{board} {side}"), "end-game", cpu_seconds=SECONDS, table_bytes=1 << 30
    )
    took = process_time() - begun
    value = "" if result.status != "proven" else int(result.value if side == "X" else -result.value)
    return [number, board.count("-"), expected, value, result.nodes, f"{took:.2f}"]


def main() -> None:
    """Print a row for each position, in the order of the file."""
    lines = [line for line in Path(sys.argv[1]).read_text(encoding="utf-8").splitlines() if line.strip()]
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["number", "empties", "expected", "value", "nodes", "CPU seconds"])
    with ProcessPoolExecutor(int((sys.argv[3:] or ["1"])[0])) as pool:
        for row in pool.map(solve, enumerate(lines, FIRST)):
            out.writerow(row)
            sys.stdout.flush()


if __name__ == "__main__":
    main()
