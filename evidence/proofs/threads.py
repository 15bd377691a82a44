"""What two threads gain in proofs: `python evidence/proofs/threads.py SEARCH [RUNS] > threads-SEARCH.csv`.

Each position is solved on one thread and on two, in turn. A machine with other work slows threads down, so
that the time on the clock says little there. Three ratios do not depend on that as much:

- *work*: the expansions of two threads together, as a share of those of one;
- *CPU*: the CPU time of two threads together, as a share of that of one;
- *gain*: the CPU time of one thread, divided by that of the busier of the two.

On a machine that has nothing else to do, the time on the clock is the thing itself: the last column. The
order in which threads come and go is different in every run, so each number is the median of RUNS.
"""

from __future__ import annotations

import csv
import sys
from statistics import median
from time import perf_counter, process_time, thread_time
from typing import NamedTuple

import conspirator as cn

HEX = "a1 c1 a2 b2 c2 f2 a3 b3 a4 b4 a5 c5"
"""Openings of 7x7."""
SMALL_HEX = "a1 b2 a3"
"""Openings of 6x6."""
CONNECT_FOUR = {
    "df-pn": "324611751351 576215562315 345433272672 542732441617 557733635457 221222621563 331245355326 "
    "751266515541 41751266515 73363545741 5762155623 5427324416 2212226215 366174126234167442 26111474265245",
    "sibling-conspiracy-table": "144121541751266 153576215562315 643642212226215 125326517536716 "
    "447412445327463 543643511542732 457417134661166 735323725575362 373377623543114527 26111474265245 "
    "366174126234167442 11675724761353333537",
}
MOST = 8_000_000
LARGE = 0.5
"""CPU seconds of one thread from which a position counts as large."""


class Run(NamedTuple):
    """One solution."""

    won: bool | None
    expansions: int
    clock: float
    cpu: float
    busiest: float


def run(position: cn.Position, search: str, threads: int, evaluator: str | None) -> Run:
    """Solve a position; this thread is one of those that work."""
    own = {"foresight": True} if search == "df-pn" and evaluator is None else {}
    form = own if search == "df-pn" else {"delta": 0.25}
    clock, cpu, mine = perf_counter(), process_time(), thread_time()
    result = cn.search(
        position, search, evaluator=evaluator, threads=threads, table_bytes=128 << 20, **form, expansions=MOST
    )
    clock, cpu, mine = perf_counter() - clock, process_time() - cpu, thread_time() - mine
    return Run(result.won, result.expansions, clock, cpu, max(mine, cpu - mine))


def main(search: str, runs: int) -> None:
    """Print a row for each position."""
    boards = [
        (f"Hex 6x6 {cell}", cn.games.Hex(size=6).position(cell), "knowledge") for cell in SMALL_HEX.split()
    ]
    boards += [(f"Hex 7x7 {cell}", cn.games.Hex(size=7).position(cell), "knowledge") for cell in HEX.split()]
    boards += [
        (f"Connect-Four {line}", cn.games.ConnectFour().position(line), None)
        for line in CONNECT_FOUR[search].split()
    ]
    out = csv.writer(sys.stdout)
    names = ["position", "expansions", "CPU s", "of two threads", "CPU s of two", "busier"]
    out.writerow([*names, "work", "CPU", "gain", "clock s", "clock s of two", "gain by the clock"])
    rows: list[list[float]] = []
    for name, position, evaluator in boards:
        pairs = [[run(position, search, threads, evaluator) for threads in (1, 2)] for _ in range(runs)]
        if None in {each.won for pair in pairs for each in pair}:
            print(f"# {name} is too large", file=sys.stderr)
            continue
        one, two = (
            Run(None, *(median(column) for column in list(zip(*runs_of, strict=True))[1:]))
            for runs_of in zip(*pairs, strict=True)
        )
        ratios = [two.expansions / one.expansions, two.cpu / one.cpu, one.cpu / two.busiest]
        rows.append([one.cpu, *ratios, one.clock / two.clock])
        row = [one.expansions, f"{one.cpu:.3f}", two.expansions, f"{two.cpu:.3f}", f"{two.busiest:.3f}"]
        row += [*(f"{ratio:.2f}" for ratio in ratios), f"{one.clock:.3f}", f"{two.clock:.3f}"]
        out.writerow([name, *row, f"{rows[-1][-1]:.2f}"])
        sys.stdout.flush()
    for what, least in (("large", LARGE), ("all", 0.0)):
        _, work, cpu, gain, clock = zip(*(row for row in rows if row[0] >= least), strict=True)
        for word, of, worst in (("median", median, median), ("worst", min, max)):
            found = [f"{worst(work):.2f}", f"{worst(cpu):.2f}", f"{of(gain):.2f}", "", "", f"{of(clock):.2f}"]
            out.writerow([f"{word} of {len(gain)} {what}", "", "", "", "", "", *found])


main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 3)
