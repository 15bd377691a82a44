"""Proofs from end to end: positions whose value is known are solved, written as certificates, and checked.

The rungs of a ladder, game by game: what it takes to find the answer, to write the strategy to the end of the
game, and to check it by the rules alone. Rungs that are done are kept in the folder, so that the same command
goes on where it was stopped.
"""

from __future__ import annotations

import json
import multiprocessing
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import partial
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING, Any, NamedTuple

import conspirator as cn
from conspirator._budget import default_memory
from conspirator._errors import ArgumentError
from conspirator._native import __version__
from conspirator.experiments.report import Cell, Report, yes
from conspirator.experiments.rungs import Rung, rungs
from conspirator.experiments.work import Work

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SECONDS = 60.0
"""By the clock, for finding what may take very long."""
LARGE = 4_000_000
"""So many positions are checked by the checker in Rust, if there is one."""
CHECKER = "conspirator-verify"


class Climbed(NamedTuple):
    """What a rung came to."""

    name: str
    claims: str
    size: int | None
    positions: int | None
    find: float | None
    write: float | None
    check: float | None
    agrees: bool | None
    """None if there is nothing to agree with, or no answer."""
    expansions: int | None = None
    """What it took to find the answer, or to give up."""

    def row(self) -> list[Cell]:
        """Return the row of the table."""
        times = [None if time is None else round(time, 2) for time in (self.find, self.write, self.check)]
        agrees = "" if self.agrees is None else yes(self.agrees)
        return [self.name, self.claims, self.size, self.positions, self.expansions, *times, agrees]


def climb(folder: Path, rung: Rung, seconds: float = SECONDS, memory: int | None = None) -> Climbed:
    """Solve, write and check one of them."""
    limit = None if rung.patience is None else rung.patience * seconds
    began = process_time()
    solution = cn.solve(rung.position, budget=cn.Budget(seconds=limit, memory=memory))
    find = process_time() - began
    if solution.status == "interrupted":
        raise KeyboardInterrupt
    low, high = solution.bounds
    spent = solution.expansions
    if low != high:
        why = f"not within {limit:g} s"
        return Climbed(rung.name, why, None, None, None, None, None, None, spent)
    agrees = None if rung.value is None else solution.value == rung.value
    if not rung.writes:
        return Climbed(rung.name, f"exactly {low:g}", None, None, find, None, None, agrees, spent)
    began = process_time()
    path = solution.proof.save(folder / "certificate.proof")
    write = process_time() - began
    facts, check = _check(path, rung)
    claims = " and ".join(f"{word} {value:g}" for word, value in facts["claims"].items())
    if rung.value is not None:
        agrees = agrees and set(facts["claims"].values()) == {rung.value}
    size = path.stat().st_size
    return Climbed(rung.name, claims, size, facts["positions"], find, write, check, agrees, spent)


def _check(path: Path, rung: Rung) -> tuple[dict[str, Any], float]:
    """Check a certificate; return what it claims and how many positions it has, and the CPU seconds."""
    facts = _stated(path)
    rust = shutil.which(CHECKER) if facts["positions"] >= LARGE else None
    if rust:
        from resource import RUSAGE_CHILDREN, getrusage  # not on all systems

        before = getrusage(RUSAGE_CHILDREN)
        subprocess.run([rust, path], check=True, capture_output=True)
        after = getrusage(RUSAGE_CHILDREN)
        return facts, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    began = process_time()
    checked = cn.verify(path, position=rung.position)
    seconds = process_time() - began
    bounds = {"at least": checked.at_least, "at most": checked.at_most}
    claims = {word: value for word, value in bounds.items() if value is not None}
    return {"claims": claims, "positions": checked.positions}, seconds


def _stated(path: Path) -> dict[str, Any]:
    """Read what a certificate says of itself."""
    data = path.read_bytes()
    head = data[: data.index(b"\n\n")].decode("ascii").splitlines()
    claims = [line.removeprefix("claim ").rpartition(" ") for line in head if line.startswith("claim ")]
    return {
        "claims": {word: float(value) for word, _, value in claims},
        "positions": int.from_bytes(data[-48:-40], "little"),
    }


def _climb_named(name: str, seconds: float, quick: bool, memory: int | None = None) -> Climbed:
    """Climb one of the rungs, in a process of its own: positions do not travel, names do."""
    with tempfile.TemporaryDirectory() as folder:
        return climb(Path(folder), next(rung for rung in rungs(quick) if rung.name == name), seconds, memory)


def _climbed(names: list[str], seconds: float, work: Work) -> Iterator[Climbed]:
    """Climb rungs one after another, or in several processes: the last ones first, which take longest."""
    if work.processes == 1:
        for name in names:
            yield _climb_named(name, seconds, work.quick)
        return
    # a fork of a process with threads may hang
    pool = ProcessPoolExecutor(work.processes, multiprocessing.get_context("spawn"))
    memory = default_memory() // work.processes
    try:
        jobs = [pool.submit(_climb_named, name, seconds, work.quick, memory) for name in reversed(names)]
        yield from (job.result() for job in as_completed(jobs))
    finally:
        pool.shutdown(cancel_futures=True)


def ladder(work: Work) -> Report:
    """Climb the ladder, one rung at a time unless more are asked for: CPU time is what is measured."""
    beginnings = tuple(only.lower() for only in work.only) or ("",)
    chosen = [rung for rung in rungs(work.quick) if rung.name.lower().startswith(beginnings)]
    if not chosen:
        raise ArgumentError(f"no position has a name that begins with {' or '.join(map(repr, work.only))}")
    seconds = work.seconds or SECONDS
    kept = None if work.folder is None else work.folder / f"proofs-{__version__}-{seconds:g}.jsonl"
    before = kept.read_text(encoding="utf-8").splitlines() if kept and kept.exists() else []
    done = {proof.name: proof for proof in (Climbed(**json.loads(line)) for line in before)}
    names = [rung.name for rung in chosen if rung.name not in done]
    for number, proof in enumerate(_climbed(names, seconds, work), 1):
        done[proof.name] = proof
        if kept:
            with kept.open("a", encoding="utf-8") as file:
                file.write(json.dumps(proof._asdict()) + "\n")
        work.tell(number / len(names), proof.name)
    found = [done[rung.name] for rung in chosen]
    columns = [
        "position",
        "Max gets",
        "bytes",
        "positions",
        "expansions",
        "find s",
        "write s",
        "check s",
        "agrees",
    ]
    return Report(
        title="Certificates: size, and CPU time to find, write and check",
        paper="known values: solved openings of Hex, the FFO end games, published results of Amazons, mates",
        columns=columns,
        rows=[proof.row() for proof in found],
        agrees=all(proof.agrees is not False for proof in found),
        draw=partial(_draw, found),
        convention=[
            "CPU seconds of one process; several may run at once. Finding is `cn.solve`, writing is "
            "`solution.proof.save`, which walks the strategy to the end of the game, checking is "
            f"`cn.verify`, in plain Python; certificates of {LARGE:,} positions and more are checked by "
            f"`{CHECKER}`, if it is on the path.",
            "Positions are those that the checker walks, each once for each claim; in Hex, problems of "
            "connection. Rows without them are found, but no certificate is written, because it would be too "
            "large.",
            f"What may take long has {seconds:g} seconds by the clock, Hex 8x8 d5 and a1 ten times as much.",
        ],
        reference="what is known",
    )


def _draw(found: list[Climbed], axes: Axes) -> None:
    for label in ("find", "write", "check"):
        points = [(proof.positions, getattr(proof, label)) for proof in found if proof.positions is not None]
        axes.loglog([max(x, 1) for x, _ in points], [max(y, 1e-3) for _, y in points], "o", label=label)
    axes.set_xlabel("positions in the certificate")
    axes.set_ylabel("CPU seconds")
    axes.legend(frameon=False)
