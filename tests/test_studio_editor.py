"""Positions that are set up by hand: what stands there, written in the game's notation."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import conspirator as cn
from conspirator.studio.editor import Arrangement, edited

GAMES = {
    "connect-four": cn.games.ConnectFour(),
    "hex": cn.games.Hex(size=5),
    "othello": cn.games.Othello(),
    "amazons": cn.games.Amazons(size=6),
    "chess": cn.games.Chess(),
    "chess960": cn.games.Chess(chess960=True, start=17),
}


@pytest.mark.parametrize("name", GAMES)
@given(choices=st.lists(st.integers(0, 10**6), max_size=12))
@settings(max_examples=25, deadline=None)
def test_what_stands_on_a_board_is_its_position(name: str, choices: list[int]) -> None:
    position = GAMES[name].start()
    for choice in choices:
        if position.outcome is not None:
            break
        position = position.play(position.moves()[choice % len(position.moves())])
    put = Arrangement.of(position)
    again = put.position()
    assert (str(again), again.to_move) == (str(position), position.to_move)
    assert put.told()["notation"] == str(again.notation())
    # cell by cell, as a person puts them
    made = put.cleared().but(castling=put.castling)
    high = len(put.rows)
    for y in reversed(range(high)):  # stones of Connect-Four fall
        for x, sign in enumerate(put.rows[y]):
            if sign != ".":
                made = made.put(x, y, sign)
    assert made == put


@pytest.mark.parametrize(
    ("name", "message", "says"),
    [
        ("chess", {"board": "empty"}, "one king a side"),
        ("amazons", {"board": "empty"}, "no amazon"),
        ("othello", {"board": "empty"}, "always have discs"),
        ("hex", {"put": {"column": 0, "row": 0, "piece": "O"}, "to_move": "min"}, "Black has as many stones"),
        ("chess", {"castling": "<script>"}, "castle"),
    ],
)
def test_what_cannot_be_played_says_why(name: str, message: dict[str, Any], says: str) -> None:
    told = edited(GAMES[name].start(), message).told()
    assert told["notation"] is None
    assert says in told["problem"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("hex", {"put": {"column": 9, "row": 0, "piece": "X"}}),
        ("hex", {"put": {"column": "a", "row": 0, "piece": "X"}}),
        ("hex", {"put": {"column": 0, "row": 0, "piece": "Q"}}),
        ("hex", {"rows": [["X"]]}),
        ("hex", {"rows": "X" * 25}),
        ("othello", {"rows": [["?"] * 8] * 8}),
        ("connect-four", {"rows": [["X"] * 7] * 6, "put": {"column": 0, "row": 0, "piece": "X"}}),
    ],
)
def test_what_is_no_board(name: str, message: dict[str, Any]) -> None:
    with pytest.raises(cn.ArgumentError):
        edited(GAMES[name].start(), message)


@pytest.mark.parametrize(
    ("name", "piece", "cell", "notation"),
    [
        ("connect-four", "X", (3, 0), "......./......./......./......./......./...X... O"),
        ("hex", "X", (2, 2), "c3"),
        ("chess", ".", (3, 7), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR b KQkq - 0 1"),
        ("chess", ".", (7, 7), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN1 b Qkq - 0 1"),
    ],
)
def test_one_piece(name: str, piece: str, cell: tuple[int, int], notation: str) -> None:
    put = {"column": cell[0], "row": cell[1], "piece": piece}
    now = edited(GAMES[name].start(), {"put": put, "to_move": "min"})
    assert now.told()["notation"] == notation
    if piece != "." and name != "connect-four":  # once more takes it away
        assert now.put(*cell, piece).rows == Arrangement.of(GAMES[name].start()).rows


def test_games_without_a_board() -> None:
    with pytest.raises(cn.ArgumentError, match="no board"):
        edited(cn.games.UniformTree().start(), {})
