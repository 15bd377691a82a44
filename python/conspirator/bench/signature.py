"""What every search does, as numbers: they change only when behaviour is meant to change."""

from __future__ import annotations

from typing import Any

import conspirator as cn

_RUNS: list[tuple[str, dict[str, Any], str, str, dict[str, Any], dict[str, Any]]] = [
    ("connect-four", {}, "", "best-first", {}, {"expansions": 20_000}),
    ("connect-four", {}, "4453", "best-first", {"complete": False}, {"nodes": 50_000}),
    ("connect-four", {}, "", "alpha-beta", {"depth": 8}, {"move_calls": 10**9}),
    ("connect-four", {}, "", "alpha-beta", {"depth": 8, "ordering": "all"}, {"move_calls": 10**9}),
    ("connect-four", {}, "", "alpha-beta", {"depth": 9, "table": True}, {"move_calls": 10**9}),
    ("random-tree", {"seed": 3}, "", "best-first", {}, {"expansions": 5_000}),
    ("random-tree", {"seed": 3, "sort": True}, "", "alpha-beta", {"depth": 5}, {"move_calls": 10**9}),
    ("random-tree", {"seed": 5, "kind": "utgoff"}, "", "best-first", {}, {"expansions": 20_000}),
    ("connect-four", {}, "4453", "conspiracy", {"threshold": 2}, {"expansions": 20_000}),
    ("connect-four", {}, "4453", "conspiracy", {"transpositions": True}, {"expansions": 20_000}),
    ("connect-four", {}, "4453", "improved-conspiracy", {"goal": "move"}, {"expansions": 20_000}),
    ("random-tree", {"seed": 3}, "", "improved-conspiracy", {"leaf_delta": 1.0}, {"expansions": 5_000}),
    ("connect-four", {}, "4453", "minmax-approximation", {}, {"expansions": 5_000}),
    ("connect-four", {}, "4453", "minmax-approximation", {"variant": "published"}, {"expansions": 5_000}),
    ("random-tree", {"seed": 3}, "", "minmax-approximation", {"means": "exact"}, {"expansions": 500}),
    ("random-tree", {"kind": "utgoff"}, "", "least-certainty", {}, {"artificial_time": 10**6}),
    ("connect-four", {}, "4453", "least-certainty", {"variant": "published"}, {"expansions": 5_000}),
    ("random-tree", {"seed": 3, "depth": 20}, "", "sibling-conspiracy", {}, {"expansions": 20_000}),
    ("connect-four", {}, "4453", "sibling-conspiracy", {"pmax": 3, "delta": 0.5}, {"expansions": 5_000}),
    ("hex", {"size": 4}, "", "sibling-conspiracy", {"transpositions": True}, {"expansions": 10**6}),
    ("hex", {"size": 4}, "", "sibling-conspiracy", {"table_bytes": 10**8}, {"expansions": 10**6}),
    ("connect-four", {}, "", "proof-number", {}, {"expansions": 20_000}),
    ("connect-four", {}, "3553233651363421", "df-pn", {"table_bytes": 10**6}, {"expansions": 10**6}),
]


def signature() -> dict[str, list[float]]:
    """Return nodes, depth and value of a fixed set of searches, by name: the same on every machine."""
    numbers: dict[str, list[float]] = {}
    for game, options, notation, search, parameters, budget in _RUNS:
        position = cn.games.make(game, **options).position(notation)
        result = cn.search(position, search, **budget, **parameters)
        words = [game, *map(str, options.values()), notation, search]
        words += [f"{key}={value}" for key, value in parameters.items()]
        numbers[" ".join(filter(None, words))] = [result.nodes, result.depth, result.value]
    return numbers
