"""Proofs on a real Ray cluster of two nodes, of which one is killed in the middle."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest

import conspirator as cn
from conspirator.jobs import Driver, JobGoal, driver, plant
from conspirator.jobs.on_ray import RayProvers

ray: Any = pytest.importorskip("ray")


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    utils: Any = import_module("ray.cluster_utils")
    made = utils.Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    ray.init(address=made.address, log_to_driver=False)
    yield made
    ray.shutdown()
    made.shutdown()


def test_a_node_that_dies(cluster: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes its job with it, if it has begun one: that is given out again."""
    monkeypatch.setattr(driver, "SECONDS", 0.3)
    node, seen = cluster.add_node(num_cpus=1), list[tuple[int, int, int]]()

    def remove(facts: dict[str, Any]) -> None:
        nonlocal node
        seen.append(facts["jobs"])
        if node is not None and seen[-1][0] >= 4 and seen[-1][1] == 2:
            cluster.remove_node(node, allow_graceful=False)
            node = None

    position = cn.games.Hex(size=7).position("b2")
    solution = cn.solve(position, on="ray", concurrency=2, progress=remove)
    assert node is None, "nobody was killed"
    assert (solution.outcome, solution.status) == ("win", "proven")
    assert solution.outcome == cn.solve(position).outcome
    assert max(out for _, out, _ in seen) == 2


def test_workers_keep_what_they_know(cluster: Any) -> None:
    goal = JobGoal("hex", {"size": 6}, "a3", 0.0, {}, "knowledge")
    pool = RayProvers(goal, "ray", 1)
    jobs = Driver(plant(goal), pool, job=600)
    jobs.run()
    pool.close()
    assert jobs.tree.won is True
    assert jobs.seconds > 0
    assert (
        jobs.expansions
        < 3
        * cn.search(goal.position(), "df-pn", evaluator=goal.evaluator, goal=0.0, expansions=10**6).expansions
    )


def test_without_ray(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(cn.ArgumentError, match=r"pip install 'ray\[client\]'"):
        cn.solve(cn.games.Hex(size=4).start(), on="ray")
    with pytest.raises(cn.ArgumentError, match="ray or ray://HOST:PORT, not on 'slurm'"):
        cn.solve(cn.games.Hex(size=4).start(), on="slurm")


def test_a_cluster_that_is_there_already(cluster: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """It says itself how many processors it has; so many jobs are out as we say."""
    ray.shutdown()
    monkeypatch.setenv("RAY_ADDRESS", cluster.address)
    solution = cn.solve(cn.games.Hex(size=5).position("a4"), on="ray", concurrency=2)
    assert solution.status == "proven"
    assert not ray.is_initialized(), "who has come leaves again"
