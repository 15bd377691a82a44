"""What a cluster would bring to proofs: a forecast in virtual time, and its check by real workers.

    python evidence/proofs/cluster.py measure > jobs.csv        # two real workers of a Ray cluster here
    python evidence/proofs/cluster.py > cluster.csv             # the forecast, from the jobs measured
    python evidence/proofs/cluster.py check > cluster-check.csv # two workers: the forecast and the real ones

The forecast runs the same job tree, the same driver and the same workers as `conspirator solve --on ray`, but
each job takes its time on a clock that does not wait. A job lasts as long as one drawn from those measured,
in proportion to its expansions; for the driver's part of a job the median is taken. The positions are small,
so that all can be done on one machine, and the jobs are short. In some rows they last SCALED times as long,
as the jobs of a large problem would, with the same traffic for each.
"""

from __future__ import annotations

import csv
import random
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

from conspirator.jobs import Answer, Driver, JobGoal, Order, plant
from conspirator.jobs.clock import Times, forecast
from conspirator.jobs.on_ray import RayProvers

HERE = Path(__file__).parent
PROBLEMS = {
    "Hex 7x7 b2": (JobGoal("hex", {"size": 7}, "b2", 0.0, {}, "knowledge"), 500),
    "Connect-Four 324611751351": (
        JobGoal("connect-four", {}, "324611751351", 513.0, {"foresight": True}),
        5000,
    ),
}
"""Questions, and expansions of a job."""
RUNS = 1
SCALED = 100
WORKERS = (1, 2, 4, 16, 64, 256, 1000)


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
    for name, (goal, job) in PROBLEMS.items():
        for run in range(RUNS):
            driver, own = real(goal, job, 2)
            for expansions, seconds, clock, sent, received in driver.rows:
                row = [name, run, expansions, f"{seconds:.4f}", f"{clock:.4f}", sent, received]
                out.writerow([*row, f"{own:.4f}"])


def drawn(name: str, scale: float) -> Times:
    """Return times that are drawn from the measured jobs of a problem."""
    with (HERE / "jobs.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["problem"] == name]
    paces = [float(row["CPU s"]) / float(row["expansions"]) for row in rows]
    own = median(float(row["driver CPU s of a job"]) for row in rows)
    rng = random.Random(1)

    def job(_: Order, answer: Answer) -> float:
        return answer.expansions * rng.choice(paces) * scale

    return Times(job, own)


def table(problems: dict[str, tuple[JobGoal, int]], scales: tuple[int, ...]) -> None:
    """Print the forecast."""
    out = csv.writer(sys.stdout)
    columns = ["problem", "job lasts times", "workers", "seconds", "speed-up", "jobs", "expansions", "work"]
    out.writerow([*columns, "busy %", "sent kB/s", "received kB/s"])
    for name, (goal, job) in problems.items():
        for scale in scales:
            alone = None
            for workers in WORKERS:
                found = forecast(goal, plant(goal), job, workers, drawn(name, scale))
                alone = alone or found
                row = [name, scale, workers, f"{found.seconds:.2f}", f"{alone.seconds / found.seconds:.2f}"]
                row += [found.jobs, found.expansions, f"{found.expansions / alone.expansions:.2f}"]
                row += [f"{100 * found.busy:.0f}", *(f"{n / found.seconds / 1000:.0f}" for n in found[5:7])]
                out.writerow(row)
                sys.stdout.flush()


def check() -> None:
    """Print what two workers did, and what was forecast; one worker too, for the speed-up."""
    out = csv.writer(sys.stdout)
    out.writerow(["problem", "how", "workers", "jobs", "expansions", "CPU s of jobs", "busier", "speed-up"])

    def median_of(values: Callable[[int], list[float]]) -> list[float]:
        return [median(column) for column in zip(*map(values, range(RUNS)), strict=True)]

    for name, (goal, job) in PROBLEMS.items():

        def really(_: int, workers: int, goal: JobGoal = goal, job: int = job) -> list[float]:
            driver, _own = real(goal, job, workers)
            seconds = [row[1] for row in driver.rows]
            return [driver.tree.answered, driver.expansions, sum(seconds), sum(seconds) / workers]

        def virtually(
            run: int, workers: int, name: str = name, goal: JobGoal = goal, job: int = job
        ) -> list[float]:
            times = drawn(name, 1)
            for _ in range(run):  # other draws
                times.job(Order(None, 0, b""), Answer(None, [], b"", 0, 0, 0.0))  # type: ignore[arg-type]
            found = forecast(goal, plant(goal), job, workers, times)
            total = found.busy * workers * found.seconds
            return [found.jobs, found.expansions, total, total / workers]

        for how, ask in (("real", really), ("forecast", virtually)):
            alone = None
            for workers in (1, 2):
                jobs, expansions, seconds, busier = median_of(lambda run, ask=ask, w=workers: ask(run, w))  # type: ignore[misc]
                alone = alone or busier
                row = [name, how, workers, f"{jobs:.0f}", f"{expansions:.0f}", f"{seconds:.2f}"]
                out.writerow([*row, f"{busier:.2f}", f"{alone / busier:.2f}"])
                sys.stdout.flush()


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["measure"]:
            measure()
        case ["check"]:
            check()
        case []:
            table(PROBLEMS, (1, SCALED))
        case _:
            sys.exit("usage: python evidence/proofs/cluster.py [measure|check]")
