"""What `cn.solve` needs of a cluster: the answer to one question, and a search that can show it."""

from __future__ import annotations

import math
from collections.abc import Callable
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from conspirator import _native
from conspirator._native import Position
from conspirator.jobs import plant
from conspirator.jobs.driver import Deadline, Driver
from conspirator.jobs.file import JobFile
from conspirator.jobs.on_ray import RayProvers
from conspirator.jobs.tree import JobTree
from conspirator.jobs.worker import FACT, INFINITE, JobGoal

if TYPE_CHECKING:
    from conspirator._solve_proof import Proof

LEAST_SECONDS = 5.0
"""How long this process may look for the moves of an answer when the budget is spent."""
MUCH = 1 << 20
"""What the facts of the tree claim to have cost: they stay when the table is full."""


class Cluster:
    """Workers of a Ray cluster, for the questions about one position."""

    def __init__(
        self,
        position: Position,
        proof: Proof,
        on: str,
        concurrency: int | None,
        path: str | PathLike[str] | None,
    ) -> None:
        self.position = position
        self.on, self.concurrency = on, concurrency
        evaluator = proof.evaluator if isinstance(proof.evaluator, str) else None
        game = position.game
        self.goal = JobGoal(
            game.name, dict(game._parameters), position.notation(), 0.0, proof.parameters, evaluator
        )
        self.file = None if path is None else JobFile(Path(path), self.goal)
        self.first: RayProvers | None = None

    def close(self) -> None:
        """Leave the cluster."""
        if self.first is not None:
            self.first.leave()

    def ask(
        self, goal: float, finite: float, left: dict[str, Any], tell: Callable[[Driver], bool]
    ) -> tuple[_native.Search, dict[str, Any]]:
        """Answer one question; return a search that knows the answer, and what the cluster reports."""
        asked = JobGoal(**{**self.goal.__dict__, "goal": finite})
        driver = Driver(plant(asked))
        in_time = Deadline(left.get("seconds", math.inf))
        if self.file is not None:
            self.file.fill(driver, goal)
        ended = None if driver.tree.won is not None else self._drive(driver, asked, goal, left, tell)
        core = _native.Search(
            self.position, "df-pn", {**asked.parameters, "goal": finite}, asked.evaluator, False
        )
        core.learn(facts_of(driver.tree, driver.packed))
        changes: dict[str, Any] = {"expansions": driver.expansions, "nodes": driver.nodes}
        won = driver.tree.won
        if won is None:
            core.run({"expansions": 1})  # for a move at all
            return core, {**changes, **(ended or {}), "won": None}
        rest = {} if "seconds" not in left else {"seconds": max(in_time.left(), LEAST_SECONDS)}
        core.run({"expansions": 2**63 - 1, **rest})
        if core.report()["won"] is None:
            return core, {
                **changes,
                "status": "decided",
                "limit": None,
                "won": won,
                "best": driver.tree.best(),
            }
        return core, changes

    def _drive(
        self,
        driver: Driver,
        asked: JobGoal,
        goal: float,
        left: dict[str, Any],
        tell: Callable[[Driver], bool],
    ) -> dict[str, str | None]:
        """Let the workers work; return what ended it."""
        driver.pool = pool = RayProvers(asked, self.on, self.concurrency)
        self.first = self.first or pool
        in_time = Deadline(left.get("seconds", math.inf))
        stopped = False

        def goes_on() -> bool:
            nonlocal stopped
            if self.file is not None:
                self.file.keep(driver, goal)
            stopped = not tell(driver)
            return not stopped and in_time() and driver.nodes < left.get("nodes", math.inf)

        try:
            driver.run(goes_on, most=left["expansions"])
        except KeyboardInterrupt:
            stopped = True
        finally:
            pool.close()
            if self.file is not None:
                self.file.keep(driver, goal, now=True)
        if stopped:
            return {"status": "interrupted", "limit": None}
        if not in_time():
            return {"status": "budget", "limit": "seconds"}
        spent = driver.nodes >= left.get("nodes", math.inf)
        return {"status": "budget", "limit": "nodes" if spent else "expansions"}


def facts_of(tree: JobTree, shared: bytes) -> bytes:
    """Return what a tree knows, as facts: who wins in positions that have keys.

    >>> len(facts_of(JobTree(7, max_to_move=True), b""))
    0
    """
    results = {(0.0, math.inf): INFINITE, (math.inf, 0.0): INFINITE << 32}
    solved = [
        FACT.pack(name, results[node.numbers], MUCH)
        for name, node in tree.nodes.items()
        if isinstance(name, int) and node is not tree.root and node.numbers in results
    ]
    return b"".join(solved) + shared


__all__ = ["Cluster", "facts_of"]
