"""What makes the default chess player strong: it finds tactics, and its evaluator can be explained."""

from __future__ import annotations

from typing import Any

import pytest

import conspirator as cn


def default(nodes: int) -> Any:
    return cn.players("chess")["positional"].but(nodes=nodes)


@pytest.mark.parametrize(
    ("fen", "best"),
    [
        ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "d1d8"),  # mate on the last rank
        ("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 0 1", "h5f7"),
        ("4k3/pp6/8/8/8/2n5/6PP/3R2K1 b - - 0 1", "c3d1"),  # takes what nobody defends
        ("3q2k1/5ppp/8/8/8/2N5/3Q1PPP/6K1 w - - 0 1", "d2d8"),  # exchanges win a queen
        ("7k/P7/8/8/8/8/8/K7 w - - 0 1", "a7a8q"),
        ("r3k3/8/8/3N4/8/8/8/4K3 w - - 0 1", "d5c7"),  # forks king and rook
    ],
)
def test_it_finds_tactics(fen: str, best: str) -> None:
    position = cn.games.Chess(keys="board").position(fen)
    assert default(20_000).move(position) == best


def test_a_position_that_comes_back_is_a_draw() -> None:
    """White is a rook and more behind, and checks for ever."""
    position = cn.games.Chess(keys="board").position("6k1/6p1/5p2/7Q/8/2q5/1r6/7K w - - 0 1")
    result = default(200_000).think(position)
    assert abs(result.value) < 50


def test_more_nodes_see_more() -> None:
    position = cn.games.Chess(keys="board").start()
    few, many = (default(nodes).think(position) for nodes in (2_000, 60_000))
    assert many.depth >= few.depth + 3
    assert many.nodes <= 60_000


def test_facts_explain_the_value() -> None:
    """Without captures the value is the sum of what the facts say, between middle game and end game."""
    position = cn.games.Chess().position("r4rk1/pp3ppp/2n2n2/3p4/3P4/2P2N2/PP3PPP/R4RK1 w - - 0 1")
    facts = position.facts("positional")
    assert facts is not None
    middle, end = (sum(pair[at] for pair in facts["values"].values()) for at in (0, 1))
    phase = 3 + 4 * 2
    assert position.evaluate("positional") == int((middle * phase + end * (24 - phase)) / 24)
    assert facts["values"]["tempo"][0] > 0
    assert all(count == int(count) for count in facts["terms"].values())


def test_other_evaluators_of_chess_have_no_such_facts() -> None:
    assert cn.games.Chess().start().facts("captures") is None
