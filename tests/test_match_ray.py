"""Matches on a real Ray cluster of two nodes, with workers and a node that die in the middle."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import conspirator as cn
from conspirator.matches import Standings
from test_match import PLAYERS, games_of

ray: Any = pytest.importorskip("ray")


class Killer(cn.Game):
    """Nim, in which somebody kills the process that plays it, once."""

    value_range = (-1, 1)

    def __init__(self, flag: str) -> None:
        self.flag = flag
        self.driver = os.getpid()

    def start(self) -> Any:
        return 12, 1

    def moves(self, state: Any) -> list[int]:
        if state[0] == 6 and os.getpid() != self.driver and not Path(self.flag).exists():
            Path(self.flag).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return [n for n in (1, 2, 3) if n <= state[0]]

    def play(self, state: Any, move: int) -> Any:
        return state[0] - move, -state[1]

    def outcome(self, state: Any) -> float | None:
        return -state[1] if state[0] == 0 else None


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    utils: Any = import_module("ray.cluster_utils")
    made = utils.Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    made.add_node(num_cpus=1)
    ray.init(address=made.address, log_to_driver=False)
    yield made
    ray.shutdown()
    made.shutdown()


def test_the_same_match_on_a_cluster(cluster: Any, tmp_path: Path) -> None:
    """Also with a worker that is killed in the middle of a game."""
    local = cn.match([*PLAYERS, "L=least-certainty:expansions=20"], plies=1)
    there = cn.match([*PLAYERS, "L=least-certainty:expansions=20"], plies=1, on="ray", concurrency=2)
    assert games_of(there) == games_of(local)
    game = Killer(str(tmp_path / "killed"))
    played = cn.match(PLAYERS, game, plies=1, on="ray", concurrency=2, store=tmp_path / "games.db")
    assert Path(game.flag).exists(), "nobody was killed"
    assert games_of(played) == games_of(cn.match(PLAYERS, game, plies=1))


def test_a_node_that_dies(cluster: Any) -> None:
    node = cluster.add_node(num_cpus=1)

    def remove(standings: Standings) -> None:
        nonlocal node
        if node is not None and len(standings.results) >= 10:
            cluster.remove_node(node, allow_graceful=False)
            node = None

    played = cn.match(PLAYERS, plies=2, on="ray", concurrency=3, progress=remove)
    assert node is None
    assert games_of(played) == games_of(cn.match(PLAYERS, plies=2))


def test_errors_of_a_game_reach_the_user(cluster: Any) -> None:
    with pytest.raises(cn.ConspiratorError, match="cannot start the engine"):
        cn.match(["E=uci:no-such-engine", PLAYERS[0]], plies=1, on="ray", concurrency=2)


def test_the_field_on_a_cluster(cluster: Any) -> None:
    """The same round robin as on one machine, with a few games."""
    field = cn.reproduce("field", quick=True, only=["connect-four"], cpu_hours=1e-5, on="ray", processes=2)
    games = [int(str(row[field.columns.index("games")])) for row in field.rows if row[0] == "connect-four"]
    assert sum(games) >= 2


def test_clusters_that_are_not_there() -> None:
    if ray.is_initialized():
        ray.shutdown()
    with pytest.raises(cn.ConspiratorError, match="ray or ray://HOST:PORT, not on 'slurm'"):
        cn.match(PLAYERS, games=2, on="slurm")


def test_without_ray(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(cn.ArgumentError, match=r"pip install 'ray\[client\]'"):
        cn.match(PLAYERS, games=2, on="ray")
