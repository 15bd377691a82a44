"""Evaluators say the same every time, whatever came before, and after a tree was saved."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import conspirator as cn
from evaluators import facts, traced
from helpers import random_hex


def warm_up(game: cn.games.NativeGame, evaluator: str) -> None:
    """Search other positions of the same game, before and after the one in question."""
    for moves in ("", "c3 e5 d4 d5", "c3 e5 d4 e3", "a1", "d4 c4 d5"):
        position = game.position(moves)
        cn.search(position, "puct", evaluator=evaluator, expansions=4)
        position.evaluate(evaluator)


RULES = [
    "best-first",
    "conspiracy",
    "sibling-conspiracy",
    "puct",
    "uct",
    "alpha-beta",
    "sibling-conspiracy-table",
]


@pytest.mark.parametrize("evaluator", ["resistance", "knowledge", "network"])
@pytest.mark.parametrize("name", RULES)
def test_what_was_searched_before_changes_nothing(name: str, evaluator: str) -> None:
    slow = evaluator == "network" and name in ("best-first", "conspiracy", "alpha-beta")
    settings: dict[str, Any] = {"evaluator": evaluator, "expansions": 4 if slow else 50, **traced(name)}
    game = cn.games.Hex(size=7)
    position = game.position("c3 e5 d4")
    first = facts(cn.search(position, name, **settings))
    warm_up(game, evaluator)
    assert facts(cn.search(position, name, **settings)) == first
    assert facts(cn.search(cn.games.Hex(size=7).position("c3 e5 d4"), name, **settings)) == first


@pytest.mark.parametrize("evaluator", ["resistance", "knowledge", "network"])
def test_on_a_large_board_too(evaluator: str) -> None:
    game = cn.games.Hex(size=11)
    settings: dict[str, Any] = {"evaluator": evaluator, "expansions": 15, "trace": True}
    position = game.position("c3 e5 d4")
    first = facts(cn.search(position, "puct", **settings))
    warm_up(game, evaluator)
    assert facts(cn.search(position, "puct", **settings)) == first


@pytest.mark.parametrize("evaluator", ["resistance", "knowledge", "knowledge(width=5)", "network"])
def test_what_is_said_of_a_position_stays_the_same(evaluator: str) -> None:
    game = cn.games.Hex(size=7)

    def said(position: cn.Position) -> list[Any]:
        asked = (position.evaluate, position.candidates, position.left_out, position.decided)
        return [ask(evaluator) for ask in (*asked, position.move_scores, position.facts)]

    line = [game.position(moves) for moves in ("", "c3", "c3 e5", "c3 e5 d4", "c3 e5 d4 d5")]
    first = [said(position) for position in line]
    warm_up(game, evaluator)
    assert [said(position) for position in reversed(line)] == first[::-1]


@pytest.mark.parametrize("name", ["best-first", "puct", "sibling-conspiracy"])
def test_little_memory_makes_an_evaluator_forget_and_not_change(name: str) -> None:
    position = cn.games.Hex(size=7).position("c3 e5 d4")
    settings: dict[str, Any] = {"evaluator": "knowledge", "expansions": 60, "trace": True}
    whole = cn.search(position, name, **settings)
    tight = cn.search(position, name, memory=1_000_000, **settings)
    assert tight.expansions > 10
    assert tight.trace == whole.trace[: tight.expansions]
    if tight.expansions == whole.expansions:
        assert facts(tight) == facts(whole)


SAVED = ["best-first", "conspiracy", "least-certainty", "sibling-conspiracy", "proof-number", "puct", "uct"]


@pytest.mark.parametrize("seed", range(15))
def test_trees_of_hex_can_be_loaded_again(seed: int, tmp_path: Path) -> None:
    position = random_hex(seed)
    for number in range(3):
        name = SAVED[(seed + number) % len(SAVED)]
        evaluator = ("knowledge", "knowledge(width=6)", "resistance")[number]
        settings: dict[str, Any] = {"evaluator": evaluator, "trace": True}
        half = cn.search(position, name, expansions=10, **settings)
        before = facts(half)
        loaded = cn.load(half.save(tmp_path / "hex.tree"))
        assert facts(loaded) == before, name
        loaded.tree.check()
        whole = cn.search(position, name, expansions=20, **settings)
        if before["limit"] == "expansions":
            assert facts(loaded.resume(expansions=10)) == facts(whole), name
        else:
            assert before == facts(whole), name


@pytest.mark.parametrize("name", ["puct", "sibling-conspiracy"])
def test_trees_of_the_network_can_be_loaded_again(name: str, tmp_path: Path) -> None:
    position = random_hex(4)
    settings: dict[str, Any] = {"evaluator": "network", "trace": True}
    half = cn.search(position, name, expansions=10, **settings)
    before = facts(half)
    loaded = cn.load(half.save(tmp_path / "hex.tree"))
    assert facts(loaded) == before
    assert facts(loaded.resume(expansions=10)) == facts(cn.search(position, name, expansions=20, **settings))
