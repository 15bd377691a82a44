"""Matches: players as text, openings, adjudication, schedules, and the same games whoever plays them."""

from __future__ import annotations

import os
import pickle
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import conspirator as cn
from conspirator._players import as_player, name_of, settings_of
from conspirator.matches import Adjudication, MatchResult, Sprt, match
from conspirator.matches.games import play
from conspirator.matches.openings import Opening, after_plies, balanced, from_file, replay
from conspirator.matches.plan import pairings_of, seed_of
from conspirator.matches.workers import Referee
from helpers import is_one_line
from python_games import Nim

FOUR = cn.games.ConnectFour()
PLAYERS = ["A=best-first:expansions=40", "B=best-first:expansions=10"]


def games_of(result: MatchResult) -> list[tuple[Any, ...]]:
    """Return all that is the same in every run of a match: not the clock's part."""
    return [
        (r.number, r.max_player, r.min_player, r.opening, r.seed, r.points, r.moves, r.statistics["nodes"])
        for r in result.records
    ]


# Players


@pytest.mark.parametrize(
    ("text", "name", "search", "parameters", "budget"),
    [
        ("best-first", "best-first:seconds=1.0", "best-first", {}, {"seconds": 1.0}),
        ("X=best-first:nodes=2k", "X", "best-first", {}, {"nodes": 2000}),
        (" X = alpha-beta : table=true , depth=3 ", "X", "alpha-beta", {"table": True, "depth": 3}, {}),
        ("alpha-beta:first-depth=1,nodes=9", "alpha-beta:first_depth=1,nodes=9", "alpha-beta",
         {"first_depth": 1}, {"nodes": 9}),
        ("best-first:nodes=9,", "best-first:nodes=9", "best-first", {}, {"nodes": 9}),
    ],
)  # fmt: skip
def test_players_as_text(
    text: str, name: str, search: str, parameters: dict[str, Any], budget: dict[str, Any]
) -> None:
    player = cn.Player.read(text)
    assert (player.name, player.search) == (name, search)
    assert (player.parameters, player.budget) == (parameters, cn.Budget(**budget))
    assert cn.Player.read(str(player)) == player
    assert name_of(str(player)) == name
    assert pickle.loads(pickle.dumps(player)) == player


@pytest.mark.parametrize(
    ("text", "name", "command", "settings"),
    [
        ("uci:engine", "uci:seconds=1.0,command=engine", "engine", {}),
        ("E=gtp:./engine --a=1,2 --b", "E", "./engine --a=1,2 --b", {}),
        ("E=uci:nodes=5,Hash=16,command=x --y=z", "E", "x --y=z", {"Hash": 16}),
        ("E=uci:command=x", "E", "x", {}),
    ],
)
def test_engines_as_text(text: str, name: str, command: str, settings: dict[str, Any]) -> None:
    player = cn.Player.read(text)
    assert (player.name, player.command, player.parameters) == (name, command, settings)
    assert not player.is_repeatable
    assert cn.Player.read(str(player)) == player


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is written as"),
        ("best-frist", "did you mean 'best-first'?"),
        ("best-first:nods=3", "nods"),
        ("best-first:nodes", "not of the form name=value"),
        ("best-first:nodes=0", "nodes must be a whole number from 1 up"),
        ("best-first:seconds=-1", "seconds must be a positive"),
        ("best-first:name=x,nodes=3", "a name goes first"),
        ("best-first:trace=true,nodes=3", "'trace'"),
        ("uci", "needs its program"),
        ("gtp:", "needs its program"),
        ("gtp:nodes=3,command=x", "has no budget in nodes"),
        ("gtp:level=3,command=x", "has no setting 'level'"),
        ("uci:expansions=3,command=x", "has no budget in expansions"),
    ],
)
def test_bad_players(text: str, words: str) -> None:
    with pytest.raises(cn.ArgumentError) as error:
        cn.Player.read(text)
    assert words in str(error.value)
    assert is_one_line(error.value)


@given(st.text(alphabet="abest-fir:=,.0123 uciconmd\n", max_size=40))
def test_any_text_is_a_player_or_an_error(text: str) -> None:
    try:
        player = cn.Player.read(text)
    except cn.ConspiratorError:
        return
    assert name_of(str(player)) == player.name
    assert settings_of(str(player))[1].keys() >= (set() if player.command else player.budget.given().keys())


def test_other_ways_to_give_a_player() -> None:
    class Mine(cn.rules.BestFirst):
        pass

    assert as_player({"search": "best-first", "nodes": 3, "name": "X"}) == cn.Player.read(
        "X=best-first:nodes=3"
    )
    mine = cn.Player(Mine, expansions=5)
    assert str(mine) == "Mine:expansions=5"
    result = cn.match([mine, "best-first:expansions=5"], games=4)
    assert result.score(mine.name).points == 0.5, "both are the same rule"
    wrong: Any
    for wrong in (3, {"nodes": 3}, None):
        with pytest.raises(cn.ArgumentError, match="a player is"):
            as_player(wrong)
    with pytest.raises(cn.ArgumentError, match="no ':' or '='"):
        cn.Player("best-first", name="a=b")
    with pytest.raises(cn.ArgumentError, match="a command goes with"):
        cn.Player("best-first", command="x")


# Openings


def test_all_positions_after_some_moves() -> None:
    assert [str(opening) for opening in after_plies(FOUR, 0, None)] == ["start"]
    assert (
        len(after_plies(FOUR, 4, None)) == len({o.position(FOUR) for o in after_plies(FOUR, 4, None)}) == 1120
    )
    some = after_plies(FOUR, 4, 10)
    assert len(some) == 10
    assert set(some) <= set(after_plies(FOUR, 4, None))


def test_many_openings_are_drawn_by_lot() -> None:
    game = cn.games.Hex(size=9)
    drawn = after_plies(game, 4, 30, seed=7)
    assert drawn == after_plies(game, 4, 30, seed=7)
    assert drawn != after_plies(game, 4, 30, seed=8)
    assert len({opening.position(game) for opening in drawn}) == 30
    with pytest.raises(cn.ArgumentError, match="say how many games"):
        after_plies(game, 4, None)


def test_openings_are_never_over() -> None:
    tree = cn.games.ExplicitTree(
        {"value": 0, "children": [{"value": 1}, {"value": 0, "children": [{"value": 2}]}]}
    )
    assert [str(opening) for opening in after_plies(tree, 1, None)] == ["1"]
    with pytest.raises(cn.ArgumentError, match="no game lasts longer"):
        after_plies(tree, 2, None)


def test_openings_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "openings.txt"
    file.write_text("# a comment\n44\n\n4453  # another\n")
    assert from_file(FOUR, file) == [Opening("44"), Opening("4453")]
    result = cn.match(PLAYERS, openings=file)
    assert result.games == 4
    assert result.definition["openings"]["positions"] == ["44", "4453"]
    assert games_of(result) == games_of(cn.match(PLAYERS, openings=["44", "4453"]))
    for content, words in (("", "no openings"), ("48", "bad character"), ("1212121", "the game is over")):
        file.write_text(content)
        with pytest.raises(cn.ConspiratorError, match=words):
            from_file(FOUR, file)
    with pytest.raises(cn.ArgumentError, match="cannot read"):
        from_file(FOUR, tmp_path / "nothing")


def test_balanced_openings_are_near_a_draw() -> None:
    judge = cn.Player("best-first", expansions=50)
    every = after_plies(FOUR, 3, None)
    kept = balanced(FOUR, every, 5, judge)
    values = {o: cn.search(o.position(FOUR), "best-first", expansions=50).value for o in every}
    assert kept == [opening for opening in every if abs(values[opening] - 512) <= 5]
    assert 0 < len(kept) < len(every)
    result = cn.match(PLAYERS, plies=3, balanced=5, judge="best-first:expansions=50", games=6)
    assert set(result.openings) <= set(kept)
    with pytest.raises(cn.ArgumentError, match="within 0 of a draw"):
        balanced(FOUR, [Opening("4453")], 0, judge)


# Games


def test_adjudication() -> None:
    deep, shallow = cn.Player("alpha-beta", depth=4), cn.Player("best-first", expansions=2)
    start = FOUR.position("44")
    whole = play(start, deep, shallow)
    short = play(start, deep, shallow, adjudication=Adjudication(max_plies=3))
    assert (short.points, short.reason, short.outcome, len(short.moves)) == (0.5, "max plies", None, 3)
    assert short.moves == whole.moves[:3]
    agreed = play(start, deep, shallow, adjudication=Adjudication(value=1e-9, plies=2))
    assert agreed.reason == "value"
    last = [answer.value for answer in agreed.answers[-2:]]
    assert all(value is not None and (value > 512) == (agreed.points == 1) for value in last)
    proven = play(FOUR.position("445566"), deep, shallow, adjudication=Adjudication(proven=True))
    assert proven.points == 1
    early = play(
        FOUR.position("44535"), cn.Player("best-first", expansions=20_000), deep,
        adjudication=Adjudication(proven=True),
    )  # fmt: skip
    assert (early.reason, early.outcome) in (("proven", None), ("over", 1.0), ("over", 1023.0))


def test_values_of_one_player_alone_decide_nothing() -> None:
    # Min has a choice of one move everywhere, and so says nothing
    line: dict[str, Any] = {"value": 50}
    for ply in range(6):
        line = {"value": 50, "children": [line, {"value": 40}] if ply % 2 else [line]}
    game = cn.games.ExplicitTree(line)
    player = cn.Player("best-first", nodes=3)
    played = play(game.start(), player, player, adjudication=Adjudication(value=1, plies=2))
    assert (played.reason, played.outcome, played.points) == ("over", 50.0, 1)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"max_plies": 0}, "max_plies"),
        ({"plies": 1}, "plies"),
        ({"value": -1}, "above 0"),
        ({"valeu": 1}, "valeu"),
    ],
)
def test_bad_adjudication(settings: dict[str, Any], words: str) -> None:
    with pytest.raises(cn.ArgumentError, match=words):
        cn.match(PLAYERS, games=2, adjudication=settings)


# Schedules


def test_colours_are_swapped_on_each_opening() -> None:
    result = cn.match([*PLAYERS, "C=alpha-beta:nodes=50"], plies=1)
    assert result.games == 3 * 2 * 7
    records = result.records
    for first, second in zip(records[::2], records[1::2], strict=True):
        assert (first.max_player, first.min_player) == (second.min_player, second.max_player)
        assert first.opening == second.opening
    met = {(r.max_player, r.min_player, r.opening) for r in records}
    assert len(met) == len(records)


def test_a_gauntlet() -> None:
    result = cn.match([*PLAYERS, "C=alpha-beta:nodes=50"], plies=1, schedule="gauntlet")
    assert result.games == 2 * 2 * 7
    assert result.score("B", "C").games == 0
    assert pairings_of(4, "gauntlet") == [(0, 1), (0, 2), (0, 3)]


def test_each_game_has_its_own_seed() -> None:
    players = ["L=least-certainty:variant=published,expansions=20", "B=best-first:expansions=20"]
    result = cn.match(players, plies=0, games=6)
    assert [record.seed for record in result.records] == [seed_of(1, number) for number in range(6)]
    assert len({tuple(record.moves) for record in result.records}) > 2, "ties are broken at random"
    assert games_of(result) != games_of(cn.match(players, plies=0, games=6, seed=2))


def test_the_same_game_is_not_played_twice() -> None:
    with pytest.raises(cn.ArgumentError, match="would play the same games again"):
        cn.match(PLAYERS, plies=1, games=16)
    assert cn.match(["best-first:seconds=0.0001", PLAYERS[0]], plies=0, games=4).games == 4


def test_the_same_games_with_any_number_of_processes() -> None:
    players = [*PLAYERS, "L=least-certainty:expansions=20"]
    one = cn.match(players, plies=1)
    for processes in (2, 3):
        assert games_of(cn.match(players, plies=1, concurrency=processes)) == games_of(one)


def test_games_of_ones_own() -> None:
    result = cn.match(PLAYERS, Nim(), plies=1, concurrency=2)
    assert result.games == len(result.openings) * 2
    assert result.definition["game"].endswith(":Nim")
    position = result.openings[0].position(Nim())
    assert replay(position, result.records[0].moves)[-1].outcome == result.records[0].outcome


def test_a_worker_that_dies_is_replaced(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    usual = Referee.play
    flag = tmp_path / "died"

    def die_once(self: Referee, task: Any, *rest: Any) -> Any:
        if task.number == 5 and not flag.exists():
            flag.touch()
            os._exit(9)
        return usual(self, task, *rest)

    expected = games_of(cn.match(PLAYERS, plies=1))
    monkeypatch.setattr(Referee, "play", die_once)
    assert games_of(cn.match(PLAYERS, plies=1, concurrency=2)) == expected
    assert flag.exists()


def test_workers_that_always_die_end_the_match(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Referee, "play", lambda *_: os._exit(9))
    with pytest.raises(cn.ConspiratorError, match="times in a row"):
        cn.match(PLAYERS, plies=1, concurrency=2)


def test_errors_of_a_worker_reach_the_user() -> None:
    class Broken(Nim):
        def outcome(self, state: Any) -> float | None:
            if state[0] == 1:
                raise ZeroDivisionError("mine")
            return super().outcome(state)

    with pytest.raises(ZeroDivisionError, match="mine"):
        cn.match(["A=best-first:nodes=2", "B=best-first:nodes=3"], Broken(), plies=0, concurrency=2)


# Results


def test_the_result_as_data() -> None:
    seen: list[int] = []
    result = match(PLAYERS, plies=1, progress=lambda standings: seen.append(len(standings.results)))
    assert seen == list(range(1, 15))
    data = result.to_dict()
    assert (data["games"], data["planned"], data["sprt"]) == (14, 14, None)
    assert [player["name"] for player in data["players"]] == [row.name for row in result.rows()]
    score = result.score("A", "B")
    assert score == -result.score("B", "A") == result.score("A")
    assert result.superiority("A", "B") == pytest.approx(1 - result.superiority("B", "A"))
    with pytest.raises(cn.ArgumentError, match="no player is called 'C'"):
        result.score("C")
    for record in result.records:
        assert {len(column) for column in record.statistics.values()} == {len(record.moves)}
        position = result.openings[record.opening].position(FOUR)
        assert replay(position, record.moves)[-1].outcome == record.outcome


def test_a_test_stops_the_match_at_the_same_game_everywhere() -> None:
    players = ["A=best-first:expansions=300", "B=best-first:expansions=3"]
    results = [
        cn.match(players, plies=3, sprt={"elo0": 0, "elo1": 100}, concurrency=processes)
        for processes in (1, 3)
    ]
    for result in results:
        assert result.verdict is not None
        assert result.verdict.accepted == "elo1"
        assert result.games == 2 * result.verdict.pairs < result.planned
    assert [r.counted for r in results[:1]] == [r.counted for r in results[1:]]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"players": ["best-first:nodes=3"]}, "at least two players"),
        ({"players": "best-first:nodes=3"}, "a list of at least two"),
        ({"players": ["best-first:nodes=3"] * 2}, "two players are called"),
        ({"game": "conect-four"}, "did you mean 'connect-four'?"),
        ({"game": 3}, "a game is a name"),
        ({"plies": -1}, "from 0 to 100"),
        ({"games": 3}, "even number"),
        ({"games": 0}, "even number"),
        ({"schedule": "swiss"}, "round-robin or gauntlet"),
        ({"seed": "x"}, "the seed must be"),
        ({"balanced": -1}, "a margin from 0 up"),
        ({"concurrency": 0}, "concurrency must be"),
        ({"sprt": {"elo0": 5, "elo1": 5}}, "below elo1"),
        ({"sprt": {"alpha": 0.7}}, "between 0 and 0.5"),
        ({"players": [*PLAYERS, "alpha-beta:nodes=3"], "sprt": Sprt()}, "for two players, not 3"),
        ({"players": ["A=minmax-approximation:p=-1,nodes=9", PLAYERS[1]]}, "p of minmax"),
        ({"on": "slurm"}, "ray"),
    ],
)
def test_bad_matches(arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(cn.ConspiratorError) as error:
        cn.match(**{"players": PLAYERS, "games": 4, **arguments})
    assert words in str(error.value)
    assert is_one_line(error.value)


def test_a_match_of_draws_says_so() -> None:
    game = cn.games.ExplicitTree({"value": 0, "children": [{"value": 0}, {"value": 0}]})
    result = cn.match(["best-first:nodes=5", "alpha-beta:nodes=5"], game, games=2, plies=0)
    assert result.rating_note.startswith("No game was won")
    assert "-0" not in str(result)
