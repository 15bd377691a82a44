"""Lister and Schaeffer's chess comparison with as many expansions as theirs, on harder problems too.

    python evidence/papers/lister_chess_deep.py [EXPANSIONS [PROCESSES]]

All problems of LCT II (`lct2.epd` here) and of the Bratko-Kopec test, and the first 108 of Win at Chess, by
McAllester's rule and the improved one: expansions until the search settled on a best move, to within a tenth,
and the threshold then.
"""

from __future__ import annotations

import csv
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from conspirator.experiments import lister_chess
from conspirator.experiments.lister_chess import RULES, Problem, Solution, solve

BUDGET = int((sys.argv[1:] or ["100000"])[0])
WAC = 108
"""How many problems of Win at Chess: so many were done in the time that there was."""


def suites() -> list[tuple[str, Problem]]:
    """Return the problems with the names of their suites."""
    harder = lister_chess.read_problems((Path(__file__).parent / "lct2.epd").read_text(encoding="utf-8"))
    known = lister_chess.problems()
    found = [("lct2", problem) for problem in harder]
    found += [("bratko-kopec", problem) for problem in known[300:]]
    return found + [("wac", problem) for problem in known[:WAC]]


def attempt(job: tuple[str, Problem, str]) -> tuple[str, str, str, Solution | None]:
    """Solve a problem by a rule."""
    suite, problem, rule = job
    return suite, problem.name, rule, solve(problem, rule, BUDGET, sort=True)


def main() -> None:
    """Print a row for each problem and rule."""
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["suite", "problem", "rule", "solved", "expansions", "threshold"])
    jobs = [(suite, problem, rule) for suite, problem in suites() for rule in RULES]
    with ProcessPoolExecutor(int((sys.argv[2:] or ["2"])[0])) as pool:
        for suite, name, rule, found in pool.map(attempt, jobs):
            told = [found.expansions, found.threshold] if found else ["", ""]
            out.writerow([suite, name, rule, int(found is not None), *told])
            sys.stdout.flush()


if __name__ == "__main__":
    main()
