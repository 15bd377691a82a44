"""How long players think about the moves of a whole game."""

from __future__ import annotations

from math import pi, sqrt
from typing import Any

import pytest

import conspirator as cn
from conspirator._clock import Clock, PlayerClock, moves_to_come
from conspirator._pace import LEAST, MOST, SURE, Pace, Sureness
from conspirator.front_ends.uci.options import Go
from conspirator.matches.games import play

FOUR = cn.games.ConnectFour()


def test_a_choice_that_stands_takes_less_than_one_that_has_just_changed() -> None:
    calm, torn = Pace(1.0, 9.0), Pace(1.0, 9.0)
    for step in range(1, 10):
        calm.is_enough(step / 10, "a")
        torn.is_enough(step / 10, "ab"[step % 2])
    assert calm.wanted(0.9) == pytest.approx(LEAST)
    assert torn.wanted(0.9) == pytest.approx(MOST)
    assert torn.is_enough(MOST * 1.2, "b") is True


@pytest.mark.parametrize(
    ("search", "settings"),
    [("best-first", {}), ("puct", {}), ("alpha-beta", {"table": True}), ("relevance", {})],
)
def test_a_paced_search_stays_within_its_limit(search: str, settings: dict[str, Any]) -> None:
    position = FOUR.position("445326")
    limit, usual = 6000, 1500
    paced = cn.search(position, search, nodes=limit, usual=usual, **settings)
    assert paced.nodes <= limit
    assert paced.nodes >= 0.1 * usual
    assert paced.status == "budget"
    again = cn.search(position, search, nodes=limit, usual=usual, **settings)
    assert (again.move, again.nodes) == (paced.move, paced.nodes)  # nodes are no clock: it repeats


@pytest.mark.parametrize(
    ("moves", "gain"),
    [
        ([(0.3, 50)], 0.0),  # there is no other
        ([(0.0, 1), (0.0, 1)], sqrt(2) / 2 / sqrt(2 * pi)),  # s phi(0), with s = sqrt(2) / 2
        ([(1.0, 9), (0.5, 0)], 0.0159),  # s = 0.375, t = -1.333
        ([(0.0, 32), (0.0, 32)], sqrt(2) / 4 / sqrt(2 * pi)),  # half of that: 32^-0.2
        ([(1.0, 9), (-1.0, 5), (0.9, 4)], 0.0027),  # the most of several
    ],
)
def test_what_another_move_may_gain(moves: list[tuple[float, float]], gain: float) -> None:
    assert Sureness(c=1.0, epsilon=0.01).gain(moves) == pytest.approx(gain, abs=2e-4)


def test_the_network_of_hex_stops_once_it_is_sure() -> None:
    game = cn.games.Hex(size=9)
    assert ("hex", "puct", "network") in SURE
    spent = set()
    for moves in ("e5 f5", "a1 e5", "c3 g7 d6", "e5 d6 f4 e4 d4"):
        found = cn.search(game.position(moves), "puct", evaluator="network", expansions=150, usual=50)
        again = cn.search(game.position(moves), "puct", evaluator="network", expansions=150, usual=50)
        assert (found.move, found.expansions) == (again.move, again.expansions)
        assert 10 <= found.expansions <= 150
        spent.add(found.expansions)
    assert len(spent) > 1
    other = cn.search(game.position("e5 f5"), "puct", evaluator="resistance", expansions=150, usual=50)
    assert other.expansions <= 150


def test_what_is_proven_takes_no_more_time() -> None:
    won = FOUR.position("6325772336375326664517155542236277")
    result = cn.search(won, "best-first", nodes=10**6, usual=10**5)
    assert result.status == "proven"
    assert result.nodes < 10**4


@pytest.mark.parametrize("text", ["60", "60+1", "0.5cpu", "500000nodes", "60 even", "2000nodes even"])
def test_clocks_are_read_and_written(text: str) -> None:
    assert str(PlayerClock.read(text)) == text
    player = cn.Player.read(f"best-first:clock={text}")
    assert cn.Player.read(str(player)) == player
    assert player.clock == PlayerClock.read(text)


@pytest.mark.parametrize("bad", ["", "0", "soon", "5 minutes", "-1", True, [1]])
def test_bad_clocks(bad: object) -> None:
    with pytest.raises(cn.ArgumentError, match="clock"):
        cn.Player("best-first", clock=bad)  # type: ignore[arg-type]


@pytest.mark.parametrize("even", ["", " even"])
def test_a_game_takes_no_more_than_its_clock(even: str) -> None:
    whole = 20_000
    player = cn.Player.read(f"best-first:clock={whole}nodes{even}")
    game = play(FOUR.position("44"), player, cn.Player("best-first", nodes=50))
    spent = [a.nodes or 0 for a, side in zip(game.answers, game.sides, strict=True) if side == "max"]
    assert 0 < sum(spent) <= whole


def test_the_longest_share_leaves_something_for_later() -> None:
    clock = Clock()
    assert clock.pace("max", 30) is None
    clock.set(60, 0, 0)
    usual, most = clock.pace("max", 30) or (0, 0)
    assert 0 < usual < most <= 0.4 * 60
    clock.set(0, 10, 1)  # ten seconds for this stone, and for no other
    usual, most = clock.pace("max", 30) or (0, 0)
    assert usual == most
    assert moves_to_come(FOUR.start()) < 21


def test_uci_has_a_pace_where_there_is_a_clock() -> None:
    assert Go({"movetime": 500}).pace(True, 0.0) is None
    assert Go({"nodes": 500}).pace(True, 0.0) is None
    last = Go({"wtime": 1000, "movestogo": 1}).pace(True, 0.0)
    assert last is not None
    assert last.usual == last.most <= 1.0
    late = Go({"btime": 30}).pace(False, 0.0)
    assert late is not None
    assert late.most <= 0.03
