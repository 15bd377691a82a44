"""What every search does on every game, as numbers: they change only when behaviour is meant to change."""

from __future__ import annotations

from typing import Any, NamedTuple

import conspirator as cn


class Run(NamedTuple):
    """One search, by expansions, nodes or move calls, and never by time."""

    game: str
    options: dict[str, Any]
    notation: str
    search: str
    parameters: dict[str, Any]
    budget: dict[str, int]
    evaluator: str | None = None

    @property
    def name(self) -> str:
        """What the run is called in the table."""
        words = [self.game, *map(str, self.options.values()), self.notation, self.search]
        words += [f"{key}={value}" for key, value in self.parameters.items()]
        return " ".join(filter(None, [*words, self.evaluator and f"by {self.evaluator}"]))

    @property
    def position(self) -> cn.Position:
        """The position that is searched."""
        if self.game == "tree":
            return cn.games.ExplicitTree(TREE).start()
        return cn.games.make(self.game, **self.options).position(self.notation)


TREE = {
    "value": 2,
    "children": [
        {"value": 1, "children": [{"value": 3}, {"value": -1, "children": [{"value": 4}]}]},
        {"value": 2, "children": [{"value": 0, "children": [{"value": 5}, {"value": 1}]}]},
    ],
}
"""A tree that is given as data."""
ENDGAME = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X"
MATE = "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1"
RUNS = [
    Run("connect-four", {}, "", "best-first", {}, {"expansions": 20_000}),
    Run("connect-four", {}, "4453", "best-first", {"complete": False}, {"nodes": 50_000}),
    Run("connect-four", {}, "4453", "unbounded-minimax", {}, {"expansions": 5_000}),
    Run("connect-four", {}, "4453", "descent", {}, {"expansions": 5_000}),
    Run("connect-four", {}, "4453", "b-star", {"width": 100.0}, {"expansions": 5_000}),
    Run("connect-four", {}, "", "alpha-beta", {"depth": 8}, {"move_calls": 10**9}),
    Run("connect-four", {}, "", "alpha-beta", {"depth": 8, "ordering": "all"}, {"move_calls": 10**9}),
    Run("connect-four", {}, "", "alpha-beta", {"depth": 9, "table": True}, {"move_calls": 10**9}),
    Run("connect-four", {}, "", "mtd-f", {"depth": 9}, {"move_calls": 10**9}),
    Run("connect-four", {}, "", "mtd-f", {"depth": 8, "driver": "sss"}, {"move_calls": 10**9}),
    Run("connect-four", {}, "", "alpha-beta", {"depth": 12, "variant": "modern"}, {"move_calls": 10**9}),
    Run("othello", {}, "", "alpha-beta", {"depth": 7, "variant": "modern"}, {"move_calls": 10**9}),
    Run("random-tree", {"seed": 3}, "", "best-first", {}, {"expansions": 5_000}),
    Run("random-tree", {"seed": 3, "sort": True}, "", "alpha-beta", {"depth": 5}, {"move_calls": 10**9}),
    Run("random-tree", {"seed": 5, "kind": "utgoff"}, "", "best-first", {}, {"expansions": 20_000}),
    Run("connect-four", {}, "4453", "conspiracy", {"threshold": 2}, {"expansions": 20_000}),
    Run("connect-four", {}, "4453", "conspiracy", {"transpositions": True}, {"expansions": 20_000}),
    Run("connect-four", {}, "4453", "improved-conspiracy", {"goal": "move"}, {"expansions": 20_000}),
    Run("random-tree", {"seed": 3}, "", "improved-conspiracy", {"leaf_delta": 1.0}, {"expansions": 5_000}),
    Run("random-tree", {"seed": 3, "branching": 8, "depth": 6}, "", "relevance", {}, {"expansions": 60}),
    Run("connect-four", {}, "4453", "minmax-approximation", {}, {"expansions": 5_000}),
    Run("connect-four", {}, "4453", "minmax-approximation", {"variant": "published"}, {"expansions": 5_000}),
    Run("random-tree", {"seed": 3}, "", "minmax-approximation", {"means": "exact"}, {"expansions": 500}),
    Run("random-tree", {"kind": "utgoff"}, "", "least-certainty", {}, {"artificial_time": 10**6}),
    Run("connect-four", {}, "4453", "least-certainty", {"variant": "published"}, {"expansions": 5_000}),
    Run("random-tree", {"seed": 3, "depth": 20}, "", "sibling-conspiracy", {}, {"expansions": 20_000}),
    Run("connect-four", {}, "4453", "sibling-conspiracy", {"pmax": 3, "delta": 0.5}, {"expansions": 5_000}),
    Run("hex", {"size": 4}, "", "sibling-conspiracy", {"transpositions": True}, {"expansions": 10**6}),
    Run("hex", {"size": 4}, "", "sibling-conspiracy-table", {"table_bytes": 10**8}, {"expansions": 10**6}),
    Run("connect-four", {}, "", "proof-number", {}, {"expansions": 20_000}),
    Run("connect-four", {}, "4453", "product-propagation", {}, {"expansions": 5_000}),
    Run("connect-four", {}, "3553233651363421", "df-pn", {"table_bytes": 10**6}, {"expansions": 10**6}),
    Run("connect-four", {}, "4453", "uct", {"playouts": 2, "seed": 3}, {"expansions": 2_000}),
    Run("connect-four", {}, "4453", "pn-mcts", {"seed": 3}, {"expansions": 2_000}),
    Run("connect-four", {}, "4453", "puct", {}, {"expansions": 2_000}),
    Run("connect-four", {}, "4453", "puct", {"root": "gumbel", "seed": 3}, {"expansions": 500}),
    Run("connect-four", {}, "4453", "prior-penalty", {}, {"expansions": 2_000}),
    Run("connect-four", {}, "4453", "best-first", {}, {"expansions": 2_000}, "network"),
    Run("othello", {}, "", "best-first", {}, {"expansions": 2_000}),
    Run("othello", {}, "", "best-first", {}, {"expansions": 2_000}, "network"),
    Run("othello", {}, "", "alpha-beta", {"depth": 5, "table": True}, {"move_calls": 10**9}),
    Run("othello", {}, ENDGAME, "end-game", {}, {"expansions": 10**6}),
    Run("amazons", {"size": 6}, "", "minmax-approximation", {}, {"expansions": 300}),
    Run("amazons", {}, "", "conspiracy", {}, {"expansions": 100}, "territory(width=10)"),
    Run("chess", {}, "", "best-first", {}, {"expansions": 2_000}),
    Run("chess", {}, "", "alpha-beta", {"depth": 4}, {"move_calls": 10**9}, "captures(sort=true)"),
    Run(
        "chess",
        {},
        "",
        "alpha-beta",
        {"depth": 5, "selective": True},
        {"nodes": 10**9},
        "positional(sort=true)",
    ),
    Run("chess", {}, "", "conspiracy", {"delta": 100}, {"expansions": 200}, "threats"),
    Run("chess", {}, MATE, "df-pn", {}, {"expansions": 10**5}),
    Run("hex", {"size": 7}, "", "uct", {"playouts": 2}, {"expansions": 300}, "knowledge"),
    Run("hex", {"size": 7}, "", "puct", {}, {"expansions": 100}, "network"),
    Run("hex", {"size": 7}, "", "best-first", {}, {"expansions": 300}, "knowledge(width=10)"),
    Run("hex", {}, "", "sibling-conspiracy-table", {"delta": 0.25}, {"expansions": 30}, "knowledge"),
    Run("uniform-tree", {}, "", "best-first", {}, {"expansions": 500}),
    Run("tree", {}, "", "conspiracy", {}, {"expansions": 10}),
]


def signature() -> dict[str, list[float]]:
    """Return nodes, depth and value of a fixed set of searches, by name: the same on every machine."""
    numbers: dict[str, list[float]] = {}
    for run in RUNS:
        settings: dict[str, Any] = {**run.budget, **run.parameters}
        result = cn.search(run.position, run.search, evaluator=run.evaluator, **settings)
        numbers[run.name] = [result.nodes, result.depth, result.value]
    return numbers
