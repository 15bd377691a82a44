"""Solving games whose positions come back, against retrograde analysis."""

from __future__ import annotations

from random import Random
from typing import Any, Literal

import pytest

import conspirator as cn


class Graph(cn.Game):
    """A token on a graph; some vertices end the game, the others belong to Max or Min."""

    value_range = (-1, 1)
    results = (-1, 0, 1)

    def __init__(self, seed: int, most: int) -> None:
        random = Random(seed)
        size, ends = random.randint(2, most), random.choice([0.1, 0.2, 0.3, 0.4])
        self.ends = [random.choice([-1, 0, 1]) if random.random() < ends else None for _ in range(size)]
        self.ends[0] = None
        self.owners = [random.choice(["max", "min"]) for _ in range(size)]
        self.edges = [[random.randrange(size) for _ in range(random.randint(1, 3))] for _ in range(size)]

    def start(self) -> Any:
        return 0

    def moves(self, state: int) -> list[int]:
        return list(range(len(self.edges[state])))

    def play(self, state: int, move: int) -> int:
        return self.edges[state][move]

    def to_move(self, state: int) -> Literal["max", "min"]:
        return self.owners[state]  # type: ignore[return-value]

    def outcome(self, state: int) -> float | None:
        return self.ends[state]

    def key(self, state: int) -> int:
        return state


class ScoredGraph(Graph):
    def move_scores(self, state: int) -> list[float]:
        return [1.0 + after % 3 for after in self.edges[state]]


def retrograde(graph: Graph) -> list[float]:
    """Return the value of every vertex: from where a side can force its win, else a draw."""

    def forced(side: str, value: float) -> set[int]:
        won = {vertex for vertex, end in enumerate(graph.ends) if end == value}
        while True:
            more = set(won)
            for vertex, edges in enumerate(graph.edges):
                if graph.ends[vertex] is None:
                    enough = any if graph.owners[vertex] == side else all
                    if enough(after in won for after in edges):
                        more.add(vertex)
            if more == won:
                return won
            won = more

    above, below = forced("max", 1), forced("min", -1)
    return [1 if vertex in above else -1 if vertex in below else 0 for vertex in range(len(graph.ends))]


@pytest.mark.parametrize("rules", [Graph, ScoredGraph])
@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        (None, {}),
        ("df-pn", {"epsilon": 0.0}),
        ("df-pn", {"table_bytes": 1024}),
        ("sibling-conspiracy-table", {"table_bytes": 1024}),
        ("sibling-conspiracy-table", {"table_bytes": 1 << 20, "pmax": 4}),
    ],
)
def test_repetition_is_a_draw(rules: type[Graph], name: str | None, parameters: dict[str, Any]) -> None:
    early = 0
    for seed in range(400):
        graph = rules(seed, 8 if seed % 2 else 20)
        values = retrograde(graph)
        solution = cn.solve(graph.start(), name, expansions=100_000, **parameters)
        assert (solution.status, solution.value) == ("proven", values[0]), seed
        position, path = graph.start(), [0]
        for move in solution.line:
            position = position.play(move)
            path.append(position.state)
        assert {values[vertex] for vertex in path} == {values[0]}
        if position.outcome is not None:
            assert len(set(path)) == len(path)
        elif values[0] == 0:  # a circle
            assert path[-1] in path[:-1]
        else:  # a tiny table has forgotten the way out
            early += 1
            assert parameters.get("table_bytes") == 1024
    assert early < 20
