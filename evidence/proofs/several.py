"""Rungs of the ladder at the same time: `python evidence/proofs/several.py FOLDER PROCESSES SECONDS NAME...`.

Like `conspirator reproduce proofs --concurrency PROCESSES --seconds SECONDS --game NAME ... --out FOLDER`,
but without the figure, so that it needs nothing but the package. Rungs that are done are in FOLDER at once,
also if the program is stopped.
"""

from __future__ import annotations

import sys
from pathlib import Path

from conspirator.experiments.proofs import ladder
from conspirator.experiments.work import Work


def main(folder: str, processes: str, seconds: str, *names: str) -> None:
    """Climb the rungs whose names begin so."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    report = ladder(
        Work(
            processes=int(processes),
            seconds=float(seconds),
            only=names,
            folder=Path(folder),
            tell=lambda _, name: print(name, flush=True),
        )
    )
    for row in report.rows:
        print(*row, sep=",")


if __name__ == "__main__":
    main(*sys.argv[1:])
