"""Proofs by many workers: a small tree of jobs on the driver, and workers who prove its leaves.

```text
  tree      which job is next, and what follows from the answers: numbers only
  worker    one job: df-pn with a budget
  driver    gives jobs out, takes answers in
  pools     workers in this process; on_ray: on a cluster; clock: in virtual time
  file      the tree on disk
```
"""

from __future__ import annotations

from conspirator.jobs.driver import Driver, Pool
from conspirator.jobs.pools import Here as here
from conspirator.jobs.tree import Job, JobTree, Move
from conspirator.jobs.worker import Answer, JobGoal, Order, Prover


def plant(goal: JobGoal) -> JobTree:
    """Return the tree of a question before the first job.

    >>> plant(JobGoal("hex", {"size": 3}, "", 0.0)).next().path
    ()
    """
    root = goal.position()
    # as df-pn has it: a game that gives its best moves first is not searched in its full width
    focus = goal.parameters.get("focus") or (0.25 if goal.game == "hex" else 1.0)
    return JobTree(goal.name(root, ()), max_to_move=root.to_move == "max", focus=focus)


__all__ = [
    "Answer",
    "Driver",
    "Job",
    "JobGoal",
    "JobTree",
    "Move",
    "Order",
    "Pool",
    "Prover",
    "here",
    "plant",
]
