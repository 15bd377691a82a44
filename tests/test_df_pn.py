"""Depth-first proofs with a table: against minimax, in pieces, in tables that are too small, and mistakes."""

from __future__ import annotations

from math import inf
from random import Random
from typing import Any

import pytest

import conspirator as cn
from helpers import (
    connect_four,
    is_one_line,
    minimax,
    random_tree,
    small_tree,
    unfinished,
    with_scores,
)

FORMS: list[tuple[str, dict[str, Any]]] = [
    ("df-pn", {}),
    ("df-pn", {"ties": "scores"}),
    ("df-pn", {"epsilon": 0.0}),
    ("df-pn", {"epsilon": 3.0, "table_bytes": 1024}),
    ("df-pn", {"table_bytes": 1024}),
    ("df-pn", {"focus": 0.25}),
    ("df-pn", {"focus": 0.01, "ties": "scores", "table_bytes": 1024}),
    ("sibling-conspiracy-table", {"table_bytes": 1 << 20}),
    ("sibling-conspiracy-table", {"table_bytes": 1 << 20, "delta": 0.25, "pmax": 4, "dmax": 3, "eta": 0.25}),
    ("sibling-conspiracy-table", {"table_bytes": 1 << 20, "interval": "strict", "delta": 1.0}),
    ("sibling-conspiracy-table", {"table_bytes": 1024}),
    ("sibling-conspiracy-table", {"table_bytes": 2048, "delta": 0.5, "epsilon": 0.0}),
]


def explicit(seed: int) -> cn.Position:
    """Results of many values, infinities too; scores, errors or neither; not always in turn."""
    random = Random(seed)
    data = random_tree(random, random.randint(1, 6), skewed=seed % 3 == 0)
    return cn.games.ExplicitTree(with_scores(data, random)).start()


def asked(start: cn.Position, goal: float | None, value: float) -> bool:
    """Tell whether a value counts as won for Max."""
    if goal is not None:
        return value >= goal
    low, high = start.value_range
    middle = (low + high) / 2 if high < inf else 0
    return value > middle if start.to_move == "max" else value >= middle


def check(result: cn.Result, goal: float | None, value: float) -> None:
    start = result.position
    assert result.status in ("proven", "decided")
    assert result.won == asked(start, goal, value)
    if result.status == "proven":
        assert result.value == value
    end = start
    for move in result.line:
        end = end.play(move)
    assert result.move == result.line[0]
    assert end.outcome is not None
    assert asked(start, goal, end.outcome) == result.won
    assert result.status == "proven" or result.value == end.outcome


@pytest.mark.parametrize(("name", "parameters"), FORMS, ids=str)
def test_trees_as_data(name: str, parameters: dict[str, Any]) -> None:
    for seed in range(400):
        start, goal = explicit(seed), [None, -1.0, 2.0, 1e9, -1e9][seed % 5]
        check(cn.search(start, name, expansions=10**6, goal=goal, **parameters), goal, minimax(start))


@pytest.mark.parametrize(("name", "parameters"), FORMS, ids=str)
def test_random_trees(name: str, parameters: dict[str, Any]) -> None:
    for seed in range(150):
        start, goal = small_tree(seed), [None, 1.0, -3.0][seed % 3]
        if start.outcome is None:
            check(cn.search(start, name, expansions=10**6, goal=goal, **parameters), goal, minimax(start))


@pytest.mark.parametrize(("name", "parameters"), FORMS, ids=str)
def test_connect_four(name: str, parameters: dict[str, Any]) -> None:
    for seed in range(30):
        start, goal = unfinished("connect-four", seed, 29, 38), [None, 512.0, 1023.0][seed % 3]
        check(cn.search(start, name, expansions=10**7, goal=goal, **parameters), goal, minimax(start))


def test_the_tree_says_the_same() -> None:
    for seed in range(200):
        start, goal = explicit(seed), [None, 0.0, 2.0][seed % 3]
        answers = {
            cn.search(start, name, expansions=10**6, goal=goal, **parameters).won
            for name, parameters in [("proof-number", {}), ("sibling-conspiracy", {}), *FORMS[::4]]
        }
        assert len(answers) == 1


@pytest.mark.parametrize(("name", "parameters"), FORMS, ids=str)
def test_in_pieces(name: str, parameters: dict[str, Any]) -> None:
    for seed in range(25):
        start = connect_four(seed)
        whole = cn.search(start, name, expansions=600, **parameters)
        random, pieces = Random(seed), cn.search(start, name, expansions=1, **parameters)
        while pieces.expansions < whole.expansions:
            piece = min(random.randint(1, 200), whole.expansions - pieces.expansions)
            pieces = pieces.resume(expansions=piece)
        for fact in ("expansions", "nodes", "won", "status", "move", "value", "line"):
            assert getattr(pieces, fact) == getattr(whole, fact), (seed, fact)


def test_the_line_is_finished_later() -> None:
    found = 0
    for seed in range(40):
        start = unfinished("connect-four", seed, 24, 34)
        whole = cn.search(start, "df-pn", expansions=10**6)
        for spare in range(1, min(len(whole.line), whole.expansions)):
            short = cn.search(start, "df-pn", expansions=whole.expansions - spare)
            found += short.won is not None and short.line != whole.line
            later = short.resume(expansions=10**6)
            assert later.won == whole.won
            end = start
            for move in later.line:
                end = end.play(move)
            assert end.outcome is not None
    assert found


@pytest.mark.parametrize("budget", [{"expansions": 7}, {"nodes": 40}, {"move_calls": 40}], ids=str)
@pytest.mark.parametrize(("name", "parameters"), FORMS, ids=str)
def test_budgets(name: str, parameters: dict[str, Any], budget: dict[str, Any]) -> None:
    result = cn.search(cn.games.ConnectFour().start(), name, **budget, **parameters)
    ((unit, limit),) = budget.items()
    assert (result.status, result.limit, result.won) == ("budget", unit, None)
    assert getattr(result, unit) <= limit
    assert result.move in result.position.moves()
    assert not result.has_tree


def test_threads_agree() -> None:
    for seed in range(60):
        start = unfinished("connect-four", seed, 18, 30)
        for name in ("df-pn", "sibling-conspiracy-table"):
            alone, together = (
                cn.search(start, name, expansions=10**7, table_bytes=1 << 22, threads=threads).won
                for threads in (1, 2)
            )
            assert alone is not None
            assert alone == together


def test_threads_agree_where_the_best_moves_come_first() -> None:
    hex_6x6 = cn.games.Hex(size=6)
    for opening in ("a1", "b2", "c3", "a5"):
        alone, together, unfocused = (
            cn.search(hex_6x6.position(opening), "df-pn", evaluator="knowledge", expansions=10**6, **form).won
            for form in ({}, {"threads": 2}, {"focus": 1.0})
        )
        assert alone is not None
        assert alone == together == unfocused


@pytest.mark.parametrize(
    ("name", "parameters", "message"),
    [
        ("df-pn", {"trace": True}, "df-pn keeps no tree and so no trace"),
        ("sibling-conspiracy-table", {"trace": True}, "keeps no tree and so no trace"),
        (
            "df-pn",
            {"memory": 1_000_000, "table_bytes": 2_000_000},
            "does not fit into the memory: lower table_bytes",
        ),
        ("sibling-conspiracy-table", {"table_bytes": 5000, "memory": 4000}, "lower table_bytes"),
        ("df-pn", {"table_bytes": 1000}, "table_bytes"),
        ("df-pn", {"threads": 0}, "threads"),
        ("df-pn", {"epsilon": -0.5}, "epsilon must not be negative"),
        ("df-pn", {"focus": 0.0}, "focus must be above 0 and at most 1"),
        ("df-pn", {"focus": 1.5}, "focus must be above 0 and at most 1"),
        ("df-pn", {"ties": "rightmost"}, "ties"),
        ("df-pn", {"goal": "win"}, "goal"),
        ("df-pn", {"delta": 1}, "delta"),
        ("sibling-conspiracy", {"epsilon": 2}, "'epsilon'; known: "),
        ("sibling-conspiracy", {"table_bytes": 4096}, "'table_bytes'; known: "),
        ("sibling-conspiracy-table", {"evaluation": "global"}, "'evaluation'; known: "),
        ("sibling-conspiracy-table", {"choice": "effort"}, "'choice'; known: "),
        ("sibling-conspiracy-table", {"transpositions": True}, "'transpositions'; known: "),
        ("sibling-conspiracy-table", {"table_bytes": 4096, "eta": 2.0}, "eta must be from 0 to 1"),
    ],
)
def test_mistakes(name: str, parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(cn.ArgumentError) as error:
        cn.search(cn.games.ConnectFour().start(), name, expansions=10, **parameters)
    assert message in str(error.value)
    assert is_one_line(error.value)


def test_there_is_no_tree() -> None:
    result = cn.search(cn.games.ConnectFour().start(), "df-pn", expansions=10)
    with pytest.raises(cn.ArgumentError, match="keeps no tree"):
        _ = result.tree
