"""What a cluster would bring to proofs: a forecast in virtual time, and its check by real workers.

    python evidence/proofs/cluster.py measure > jobs.csv        # two real workers of a Ray cluster here
    python evidence/proofs/cluster.py > cluster.csv             # the forecast, from the jobs measured
    python evidence/proofs/cluster.py check > cluster-check.csv # two workers, real and forecast

The forecast runs the same job tree and the same driver as `conspirator solve --on ray`, but each job takes
its time on a clock that does not wait. A job lasts as long as one drawn from those measured, in proportion to
its expansions; for the driver's part of a job, and for the bytes that go with it, the median is taken.

For the check the workers are the real ones. A position that keeps a thousand workers busy is too large for
this machine, so the table is for an *invented* problem: a random tree of jobs. Jobs that are solved cost what
those cost that were measured. A job that spends its budget lasts JOB_SECONDS in the mean.
"""

from __future__ import annotations

import csv
import random
import sys
from pathlib import Path
from statistics import mean, median
from time import perf_counter, process_time

from conspirator.jobs import Answer, Driver, JobGoal, JobTree, Move, Order, Prover, plant
from conspirator.jobs.clock import Forecast, Proves, Times, forecast
from conspirator.jobs.on_ray import RayProvers

HERE = Path(__file__).parent
NAME = "Hex 7x7 b2"
GOAL, JOB = JobGoal("hex", {"size": 7}, "b2", 0.0, {}, "knowledge"), 500
"""The question, and the expansions of a job."""
RUNS = 1
JOB_SECONDS = 3.0
WORKERS = (1, 2, 4, 16, 64, 256, 1000)
WIDTH, DEEPER, SEEDS = 8, 0.03, (1, 2)
"""Of the invented tree: moves of a position, how much likelier a job is solved with every ply, and trees."""


class Measured(Driver):
    """A driver that writes down what jobs cost."""

    def __init__(self, *given: object, **settings: object) -> None:
        super().__init__(*given, **settings)  # type: ignore[arg-type]
        self.rows: list[tuple[int, float, float, int, int]] = []
        self.given_at: dict[int, float] = {}

    def _give(self, pool, job, budget) -> None:  # type: ignore[no-untyped-def]
        super()._give(pool, job, budget)
        self.given_at[job.number] = perf_counter()

    def _take(self, order: Order, answer: Answer | None) -> None:
        if answer is not None:
            clock = perf_counter() - self.given_at[order.job.number]
            received = len(answer.facts)
            self.rows.append((answer.expansions, answer.seconds, clock, len(order.facts), received))
        super()._take(order, answer)


def real(goal: JobGoal, job: int, workers: int) -> tuple[Measured, float]:
    """Solve on real workers; return the driver, and its own CPU time for a job."""
    pool = RayProvers(goal, "ray", workers)
    driver = Measured(plant(goal), pool, job=job)
    began = process_time()
    driver.run()
    own = (process_time() - began) / driver.tree.answered
    pool.close()
    pool.leave()
    return driver, own


def measure() -> None:
    """Print every job of two real workers."""
    out = csv.writer(sys.stdout)
    columns = ["problem", "run", "expansions", "CPU s", "clock s", "bytes sent", "bytes received"]
    out.writerow([*columns, "driver CPU s of a job"])
    driver, own = real(GOAL, JOB, 2)
    for expansions, seconds, clock, sent, received in driver.rows:
        row = [NAME, 0, expansions, f"{seconds:.4f}", f"{clock:.4f}", sent, received]
        out.writerow([*row, f"{own:.4f}"])


def measured() -> list[dict[str, str]]:
    """Return the measured jobs."""
    with (HERE / "jobs.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def drawn(seconds: float | None, seed: int) -> Times:
    """Return times drawn from the measured jobs; a whole job lasts `seconds` in the mean, if given."""
    rows = measured()
    paces = [float(row["CPU s"]) / float(row["expansions"]) for row in rows]
    scale = 1.0 if seconds is None else seconds / JOB / mean(paces)
    own = median(float(row["driver CPU s of a job"]) for row in rows)
    rng = random.Random(seed)

    def job(_: Order, answer: Answer) -> float:
        return answer.expansions * rng.choice(paces) * scale

    return Times(job, own)


class Invented:
    """A worker that answers from a random tree: what a job finds depends on its path and the seed only."""

    def __init__(self, seed: int, rows: list[dict[str, str]]) -> None:
        self.seed = seed
        self.costs = [int(row["expansions"]) for row in rows if int(row["expansions"]) < JOB]

    def prove(self, order: Order) -> Answer:
        """Draw an answer."""
        path = order.job.path
        rng = random.Random(f"{self.seed} {path}")
        cost = rng.choice(self.costs)
        if rng.random() < DEEPER * len(path):
            return Answer(rng.random() < 0.5, [], b"", cost, cost, 0.0)
        mover = len(path) % 2 == 1
        places = range(rng.randint(2, WIDTH))
        numbers = [(rng.randint(1, 20), rng.randint(1, 20)) for _ in places]
        moves = [Move(place, (*path, place), mover, *numbers[place]) for place in places]
        return Answer(None, moves, b"", JOB, JOB, 0.0)


def table() -> None:
    """Print the forecast for the invented problem."""
    rows = measured()
    sent, received = (median(float(row[f"bytes {way}"]) for row in rows) for way in ("sent", "received"))
    out = csv.writer(sys.stdout)
    columns = ["workers", "seconds", "speed-up", "jobs", "expansions", "work", "busy %"]
    out.writerow([*columns, "sent kB/s", "received kB/s"])
    alone: list[Forecast] = []
    for workers in WORKERS:
        found = []
        for seed in SEEDS:
            provers: list[Proves] = [Invented(seed, rows)] * workers
            tree = JobTree((), max_to_move=True)
            found.append(forecast(tree, provers, JOB, drawn(JOB_SECONDS, seed)))
        alone = alone or found
        pairs = list(zip(alone, found, strict=True))
        speed = median(one.seconds / many.seconds for one, many in pairs)
        work = median(many.expansions / one.expansions for one, many in pairs)
        names = ("seconds", "jobs", "expansions", "busy")
        seconds, jobs, expansions, busy = (median(getattr(each, name) for each in found) for name in names)
        row = [workers, f"{seconds:.0f}", f"{speed:.1f}", f"{jobs:.0f}", f"{expansions:.0f}", f"{work:.2f}"]
        row.append(f"{100 * busy:.0f}")
        out.writerow([*row, *(f"{jobs * size / seconds / 1000:.0f}" for size in (sent, received))])
        sys.stdout.flush()


def check() -> None:
    """Print what two real workers did, and what is forecast for one and two."""
    out = csv.writer(sys.stdout)
    out.writerow(["how", "workers", "jobs", "expansions", "CPU s of jobs", "speed-up"])
    rows = measured()
    seconds = sum(float(row["CPU s"]) for row in rows)
    out.writerow(["real", 2, len(rows), sum(int(row["expansions"]) for row in rows), f"{seconds:.2f}", ""])
    alone = None
    for workers in (1, 2):
        found = []
        for run in range(RUNS):
            provers: list[Proves] = [Prover(GOAL) for _ in range(workers)]
            found.append(forecast(plant(GOAL), provers, JOB, drawn(None, run)))
        jobs, expansions, seconds = (
            median(getattr(guess, name) for guess in found) for name in ("jobs", "expansions", "seconds")
        )
        alone = alone or seconds
        spent = median(guess.busy * workers * guess.seconds for guess in found)
        out.writerow(["forecast", workers, jobs, expansions, f"{spent:.2f}", f"{alone / seconds:.2f}"])
        sys.stdout.flush()


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["measure"]:
            measure()
        case ["check"]:
            check()
        case []:
            table()
        case _:
            sys.exit("usage: python evidence/proofs/cluster.py [measure|check]")
