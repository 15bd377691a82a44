"""Players: a search, an evaluator and a budget by one name, wherever somebody plays."""

from __future__ import annotations

import json
import math
import pickle
from dataclasses import FrozenInstanceError, fields
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import conspirator as cn
import python_games
from command_line import Run, complaint_of, facts_of, result_of, runner
from conspirator._players import LEVELS, default_player
from helpers import is_one_line
from oracle import TIC_TAC_TOE

OPTIONS: dict[str, dict[str, Any]] = {
    "hex": {"size": 7},
    "amazons": {"size": 5},
    "random-tree": {"branching": 5, "depth": 12},
}
GAMES = list(cn.games.all_games())
ALL_GAMES = pytest.mark.parametrize("game", GAMES)
ALL_PLAYERS = [(game, name) for game in GAMES for name in cn.players(game)]
EVERY_PLAYER = pytest.mark.parametrize(("game", "name"), ALL_PLAYERS)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    return runner(capsys, monkeypatch, tmp_path)


def start_of(game: str) -> cn.Position:
    return cn.games.make(game, **OPTIONS.get(game, {})).start()


def parts(player: cn.Player) -> dict[str, Any]:
    """Return all that decides what a player plays."""
    return {
        "search": player.search,
        "parameters": player.parameters,
        "evaluator": str(player.evaluator),
        "budget": player.budget,
        "proof": player.proof,
        "level": player.level,
    }


# Who there is


@ALL_GAMES
def test_every_game_has_players(game: str) -> None:
    known = cn.players(game)
    assert known
    assert all(player.name == name and player.description for name, player in known.items())
    assert default_player(game) == next(iter(known.values()))
    assert cn.players(cn.games.make(game)) == known
    assert len({player.spec for player in known.values()}) == len(known), "no two are the same"


@ALL_GAMES
def test_one_of_them_keeps_its_tree(game: str) -> None:
    player = default_player(game, tree=True)
    assert player.keeps_tree
    earlier = list(cn.players(game).values())
    assert not any(other.keeps_tree for other in earlier[: earlier.index(player)])
    assert player.but(nodes=200).think(start_of(game)).has_tree


@EVERY_PLAYER
def test_every_player_plays(game: str, name: str) -> None:
    start = start_of(game)
    player = cn.players(game)[name].but(nodes=300)
    player.try_out(start)
    result = player.think(start)
    assert result.move in start.moves()
    assert result.nodes <= 300
    assert result.status in ("budget", "proven", "converged", "decided")
    assert player.move(start) == result.move


def test_the_list_is_a_copy() -> None:
    known = cn.players("hex")
    known.clear()
    assert next(iter(cn.players("hex"))) == "network"


def test_games_of_your_own() -> None:
    """Without values there is nothing to search with but random games; with values, the deepest search."""
    for cls in python_games.ALL:
        written = any("evaluate" in vars(base) or "evaluate_many" in vars(base) for base in cls.__mro__[:-2])
        assert next(iter(cn.players(cls()))) == ("deep" if written else "monte-carlo"), cls
    assert default_player(TIC_TAC_TOE).name == "monte-carlo"
    assert default_player(TIC_TAC_TOE).search == "uct"
    assert default_player(python_games.ConnectFourInBatches()).name == "deep"
    for player in cn.players(TIC_TAC_TOE).values():
        assert player.but(nodes=200).move(TIC_TAC_TOE.start()) in range(9)


def test_trees_that_are_data_have_players() -> None:
    tree = cn.games.ExplicitTree({"value": 0, "children": [{"value": 3}, {"value": 5}]})
    assert cn.players(tree) == cn.players("explicit-tree")
    assert [player.but(nodes=9).move(tree.start()) for player in cn.players(tree).values()] == ["1"] * 3


# As text


@EVERY_PLAYER
def test_texts_are_read_back(game: str, name: str) -> None:
    player = cn.players(game)[name]
    for text in (str(player), repr(player)[len("Player.read('") : -2]):
        again = cn.Player.read(text)
        assert parts(again) == parts(player)
        assert again == player
        assert again.name == name
    assert parts(cn.Player.read(player.spec)) == parts(player)
    assert parts(cn.Player.read(name, game)) == parts(player)
    assert pickle.loads(pickle.dumps(player)) == player
    assert hash(cn.Player.read(str(player))) == hash(player)


@EVERY_PLAYER
def test_a_name_takes_settings(game: str, name: str) -> None:
    player = cn.Player.read(f"{name}:nodes=2k,level=3,proof=0.25", game)
    expected = {**parts(cn.players(game)[name]), "budget": cn.Budget(nodes=2000), "level": 3, "proof": 0.25}
    assert parts(player) == expected
    assert parts(cn.Player.read(str(player))) == expected
    named = cn.Player.read(f"Mine={name}:nodes=5", game)
    assert (named.name, named.budget) == ("Mine", cn.Budget(nodes=5))


LIMITS = st.fixed_dictionaries(
    {},
    optional={
        "expansions": st.integers(1, 10**9),
        "nodes": st.integers(1, 10**9),
        "move_calls": st.integers(1, 10**9),
        "seconds": st.floats(1e-3, 1e6),
        "cpu_seconds": st.floats(1e-3, 1e6),
        "memory": st.integers(1, 2**50),
        "artificial_time": st.integers(1, 10**9),
    },
)
EVALUATORS = st.sampled_from([None, "knowledge", "knowledge(width=15)", "network(width=3, sort=true)"])


@settings(max_examples=60, deadline=None)
@given(
    LIMITS,
    EVALUATORS,
    st.integers(1, 10),
    st.one_of(st.just("beside"), st.floats(0, 1)),
    st.sampled_from(
        [
            ("alpha-beta", {"table": True, "depth": 9, "ordering": "all"}),
            ("best-first", {"complete": False}),
            ("sibling-conspiracy", {"pmax": 2.5, "delta": None}),
            ("conspiracy", {"goal": "move", "threshold": 3}),
        ]
    ),
)
def test_any_player_is_read_back(
    limits: dict[str, Any],
    evaluator: str | None,
    level: int,
    proof: float | str,
    kind: tuple[str, dict[str, Any]],
) -> None:
    search, parameters = kind
    player = cn.Player(search, evaluator=evaluator, level=level, proof=proof, **limits, **parameters)
    again = cn.Player.read(str(player))
    spaces = str.maketrans("", "", " ,")
    one, two = parts(player), parts(again)
    assert one.pop("evaluator").translate(spaces) == two.pop("evaluator").translate(spaces)
    assert one == two
    assert again == player


@pytest.mark.parametrize(
    ("text", "game", "words"),
    [
        ("netwrok", "hex", "did you mean 'network'"),
        ("siblngs:nodes=5", "hex", "did you mean 'siblings'"),
        ("best-frist", "hex", "did you mean 'best-first'"),
        ("nobody", "chess", "there are positional, captures, threats, and all searches"),
        ("networks", "amazons", "there are narrow, selective, deep"),
        ("network:widht=3", "hex", "widht"),
        ("network:nodes=0", "hex", "nodes must be a whole number from 1 up"),
        ("network:level=11", "hex", "level must be a whole number from 1 to 10"),
        ("network:proof=2", "hex", "proof must be a part from 0 to 1"),
        ("network:evaluator=knowledge(width", "hex", "evaluator"),
    ],
)
def test_texts_that_mean_nobody(text: str, game: str, words: str) -> None:
    with pytest.raises(cn.ArgumentError, match=words) as caught:
        cn.Player.read(text, game)
    assert is_one_line(caught.value)


def test_players_of_a_game_that_there_is_not() -> None:
    with pytest.raises(cn.ArgumentError, match="did you mean 'hex'"):
        cn.players("hexx")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"evaluator": 42}, "an evaluator is a name"),
        ({"evaluator": cn.Evaluator()}, "needs a method evaluate"),
        ({"proof": -0.1}, "proof must be"),
        ({"proof": 1.5}, "proof must be"),
        ({"proof": math.nan}, "proof must be"),
        ({"proof": "before"}, "proof must be"),
        ({"proof": None}, "proof must be"),
        ({"nodes": 0}, "nodes must be"),
        ({"complet": True}, "did you mean 'complete'"),
        ({"name": ""}, "a player's name"),
        ({"trace": True}, "'trace' is no setting"),
    ],
)
def test_bad_players_are_refused_at_once(arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(cn.ArgumentError, match=words) as caught:
        cn.Player("best-first", **arguments)
    assert is_one_line(caught.value)


def test_settings_of_a_player_can_be_changed() -> None:
    player = cn.players("hex")["siblings"]
    assert player.budget == cn.Budget(seconds=1.0)
    quick = player.but(nodes=50)
    assert quick.budget == cn.Budget(nodes=50), "another budget, and not one more"
    assert (quick.name, quick.evaluator, quick.parameters) == ("siblings", "knowledge", player.parameters)
    assert player.budget == cn.Budget(seconds=1.0), "the first one stays as it was"
    assert player.but(delta=1.0).parameters == {**player.parameters, "delta": 1.0}
    assert player.but(memory=10**9).budget == cn.Budget(seconds=1.0, memory=10**9)
    assert player.with_budget(cn.Budget(expansions=3)).budget == cn.Budget(expansions=3)
    assert player.is_repeatable is False
    assert quick.is_repeatable


def test_an_evaluator_of_yours_plays() -> None:
    asked = 0

    def centre(positions: list[cn.Position]) -> list[float]:
        nonlocal asked
        asked += len(positions)
        return [512.0] * len(positions)

    player = cn.Player("best-first", evaluator=centre, nodes=100)
    assert player.move(cn.games.ConnectFour().start()) == "1"
    assert asked > 50
    assert "centre" in str(player)


# Levels


@ALL_GAMES
def test_lower_levels_spend_less(game: str) -> None:
    start = start_of(game)
    player = default_player(game).but(nodes=1000)
    nodes = [player.but(level=level).think(start).nodes for level in (1, 2, 3)]
    assert nodes[0] < nodes[1] < nodes[2]
    assert nodes[0] < nodes[2] / 5
    for level in LEVELS:
        result = player.but(level=level, nodes=130).think(start)
        assert result.move in start.moves()
        assert result.nodes <= (120 if level == 1 else 130)


@EVERY_PLAYER
def test_the_lowest_level_of_every_player(game: str, name: str) -> None:
    start = start_of(game)
    player = cn.players(game)[name].but(nodes=1000)
    weak, strong = player.but(level=1), player.but(level=10)
    assert strong == player
    result = weak.think(start)
    assert result.move in start.moves()
    assert result.nodes < strong.think(start).nodes
    assert weak.move(start) == result.move, "it is the same every time"


def test_a_level_is_a_whole_number() -> None:
    bad: Any
    for bad in (0, 11, -1, True, False, 2.5, "3", None, math.nan, math.inf):
        with pytest.raises(cn.ArgumentError, match="level must be a whole number from 1 to 10"):
            cn.Player("best-first", level=bad, nodes=10)


def test_what_is_taken_for_a_level_plays() -> None:
    """Mistakes show at once, and not at the first move."""
    start, level = cn.games.ConnectFour().start(), 3.0
    settings: dict[str, Any] = {"level": level}
    try:
        player = cn.Player("best-first", nodes=1000, **settings)
    except cn.ArgumentError:
        return
    assert player.move(start) == cn.Player("best-first", nodes=1000, level=3).move(start)


def test_a_level_is_no_more_than_the_budget() -> None:
    start = cn.games.ConnectFour().start()
    assert cn.Player("best-first", level=9, nodes=50).think(start).nodes <= 50


# Matches


def test_players_of_a_game_meet_by_name() -> None:
    game = cn.games.Hex(size=4)
    budget = cn.Budget(expansions=6)
    result = cn.match(["network", "anchored"], game, plies=1, games=4, budget=budget)
    assert result.games == 4
    assert {record.max_player for record in result.records} == {0, 1}
    assert sorted(row.name for row in result.rows()) == ["anchored", "network"]
    assert result.score("network", "anchored") == -result.score("anchored", "network")
    again = cn.match(["network", "anchored"], game, plies=1, games=4, budget=budget)
    assert [record.moves for record in again.records] == [record.moves for record in result.records]


def test_a_player_with_a_budget_of_its_own_keeps_it() -> None:
    game = cn.games.Hex(size=3)
    players: list[Any] = ["narrow:nodes=20", cn.Player("best-first", name="BF", nodes=30)]
    result = cn.match(players, game, plies=1, games=2, budget=cn.Budget(nodes=10))
    specs = sorted(result.to_dict()["definition"]["players"])
    assert specs == [
        "BF=best-first:nodes=30",
        "narrow nodes 20=alpha-beta:table=true,evaluator=knowledge(width=15),nodes=20",
    ]


def test_a_match_of_somebody_unknown() -> None:
    with pytest.raises(cn.ArgumentError, match="did you mean 'network'"):
        cn.match(["netwrok", "anchored"], cn.games.Hex(size=3), games=2)


# On the command line


def test_the_command_lists_them(run: Run) -> None:
    facts = facts_of(run, "players")
    assert set(facts) == set(GAMES)
    for game, known in facts.items():
        assert list(known) == list(cn.players(game))
        for name, about in known.items():
            player = cn.players(game)[name]
            assert about == {"description": player.description, "spec": player.spec}
            assert parts(cn.Player.read(about["spec"])) == parts(player)
    output = result_of(run, "players")
    assert all(game in output for game in GAMES)
    assert all(name in output for _, name in ALL_PLAYERS)
    hex_alone = result_of(run, "players hex")
    assert "siblings" in hex_alone
    assert "threats" not in hex_alone


def test_the_command_knows_no_such_game(run: Run) -> None:
    assert "did you mean 'hex'" in complaint_of(run, "players hexx")


@pytest.mark.parametrize("game", ["nim.py:Nim", "open-spiel:tic_tac_toe"])
def test_the_command_lists_those_who_would_play(run: Run, game: str) -> None:
    if game.startswith("open-spiel"):
        pytest.importorskip("pyspiel")
    listed = facts_of(run, f"players {game}")[game]
    assert next(iter(listed)) == facts_of(run, f"analyze {game} --expansions 5")["player"]


def test_analyze_with_a_player(run: Run) -> None:
    facts = facts_of(run, "analyze hex --game-option size=5 --player siblings --expansions 50")
    player = cn.players("hex")["siblings"]
    assert (facts["player"], facts["search"]) == ("siblings", player.search)
    assert (facts["parameters"], facts["evaluator"]) == (player.parameters, "knowledge")
    assert facts["budget"] == {"expansions": 50}
    result = player.but(expansions=50).think(cn.games.Hex(size=5).start())
    assert (facts["move"], facts["value"], facts["status"]) == (result.move, result.value, result.status)
    assert facts["spent"]["nodes"] == result.nodes


@ALL_GAMES
def test_analyze_asks_the_first(run: Run, game: str) -> None:
    options = " ".join(f"--game-option {name}={value}" for name, value in OPTIONS.get(game, {}).items())
    facts = facts_of(run, f"analyze {game} {options} --expansions 3")
    player = default_player(game)
    assert (facts["player"], facts["search"]) == (player.name, player.search)
    assert facts["evaluator"] == (None if player.evaluator is None else str(player.evaluator))
    kept = facts_of(run, f"analyze {game} {options} --expansions 3 --save kept.tree")
    assert kept["player"] == default_player(game, tree=True).name


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("analyze hex --player netwrok", "there are network, anchored, siblings"),
        ("play hex --player netwrok", "there are network, anchored, siblings"),
        ("gtp --game hex --player netwrok", "there are network, anchored, siblings"),
        ("analyze hex --player network --search puct", "not both"),
        ("analyze hex --player network --set pmax=3", "has no parameter 'pmax'"),
        ("analyze hex --player network --level 11", "11"),
        ("analyze hex --player network --level 0", "0"),
        ("analyze hex --player network --proof 2", "proof must be"),
        ("analyze hex --evaluator netwrok --expansions 5", "did you mean 'network'"),
        ("analyze connect-four --evaluator lines --expansions 5", "known: segments, network"),
        ("analyze hex --set level=3 --expansions 5", "'level'"),
    ],
)
def test_mistakes_on_the_command_line(run: Run, line: str, words: str) -> None:
    assert words in complaint_of(run, line)


@pytest.fixture
def thoughts(monkeypatch: pytest.MonkeyPatch) -> list[cn.Player]:
    """Return the players that have thought, in order."""
    seen: list[cn.Player] = []
    think = cn.Player.think

    def spy(self: cn.Player, *arguments: Any, **more: Any) -> cn.Result:
        seen.append(self)
        return think(self, *arguments, **more)

    monkeypatch.setattr(cn.Player, "think", spy)
    return seen


FRONT_ENDS = [
    ("analyze hex --game-option size=4 --nodes 50", "", "hex"),
    ("play hex --game-option size=3 --human none --nodes 50 --quiet", "", "hex"),
    ("play connect-four --human first --nodes 50 --quiet", "4\nquit\n", "connect-four"),
    ("gtp --game hex --size 4 --nodes 50", "genmove black\n", "hex"),
    ("gtp --game othello --nodes 50", "genmove black\n", "othello"),
    ("gtp --game amazons --size 5 --nodes 50", "genmove white\n", "amazons"),
    ("nboard", "nboard 2\ngo\n", "othello"),
    ("nboard --nodes 100", "nboard 2\ngo\n", "othello"),
]


@pytest.mark.parametrize(("line", "typed", "game"), FRONT_ENDS, ids=[line for line, _, _ in FRONT_ENDS])
def test_the_first_player_plays_everywhere(
    run: Run, thoughts: list[cn.Player], line: str, typed: str, game: str
) -> None:
    result_of(run, line, typed)
    first = default_player(game)
    assert thoughts
    for player in thoughts:
        assert (player.name, player.search, player.evaluator) == (first.name, first.search, first.evaluator)
        assert player.parameters.items() >= first.parameters.items()


def test_the_first_player_of_chess_speaks_uci(run: Run) -> None:
    first, names = default_player("chess"), list(cn.players("chess"))
    lines = result_of(run, "uci uci 'position startpos' 'go nodes 200'").splitlines()
    choices = " ".join(f"var {name}" for name in names)
    assert f"option name Player type combo default {first.name} {choices}" in lines
    assert f"option name Evaluator type string default {first.evaluator}" in lines
    assert any(line.startswith("bestmove ") for line in lines)
    wrong = result_of(run, "uci 'setoption name Player value thraets'")
    assert "info string there is no player 'thraets'; there are positional, captures, threats" in wrong


def test_two_front_ends_play_the_same(run: Run) -> None:
    """The same player with the same budget makes the same move, wherever it is asked."""
    move = facts_of(run, "analyze hex --game-option size=6 --position a2 --nodes 200")["move"]
    answer = result_of(run, "gtp --game hex --size 6 --nodes 200", "play black a2\nreg_genmove white\n")
    assert answer.split()[-1] == move
    player = default_player("hex").but(nodes=200)
    assert player.move(cn.games.Hex(size=6).position("a2")) == move


# Budgets


UNITS = ["expansions", "nodes", "move_calls", "seconds", "cpu_seconds", "memory", "artificial_time"]
COSTS = ["traversal_cost", "generation_cost"]


def test_the_units_of_a_budget() -> None:
    assert [field.name for field in fields(cn.Budget)] == [*UNITS, *COSTS, "until", "usual"]
    budget = cn.Budget()
    assert all(getattr(budget, unit) is None for unit in UNITS)
    assert (budget.given(), budget.is_limited, budget.is_repeatable) == ({}, False, False)
    assert cn.Budget(nodes=None) == budget, "None is no limit"
    with pytest.raises(FrozenInstanceError):
        budget.nodes = 3  # type: ignore[misc]


@pytest.mark.parametrize("unit", UNITS)
def test_a_limit_is_a_positive_number(unit: str) -> None:
    bad: Any
    for bad in (0, -1, math.nan, math.inf, -math.inf, True, "5", [], 1j, b"5"):
        with pytest.raises(cn.ArgumentError, match=f"{unit} must be") as caught:
            cn.Budget(**{unit: bad})
        assert is_one_line(caught.value)
    budget = cn.Budget(**{unit: 7})
    assert budget.given() == {unit: 7}
    assert budget.is_limited == (unit != "memory")
    assert budget.is_repeatable == (unit not in ("seconds", "cpu_seconds", "memory"))
    half: Any = 2.5
    clock = unit in ("seconds", "cpu_seconds")
    assert type(getattr(budget, unit)) is (float if clock else int)
    if not clock:
        with pytest.raises(cn.ArgumentError, match="whole number"):
            cn.Budget(**{unit: half})


@pytest.mark.parametrize("cost", COSTS)
def test_a_cost_may_be_nothing(cost: str) -> None:
    free: dict[str, Any] = {cost: 0}
    assert getattr(cn.Budget(artificial_time=50, **free), cost) == 0
    bad: Any
    for bad in (-1, 0.5, math.nan, "1", None, True):
        with pytest.raises(cn.ArgumentError, match=f"{cost} must be"):
            cn.Budget(artificial_time=50, **{cost: bad})


@pytest.mark.parametrize("unit", ["nodes", "expansions", "move_calls"])
def test_a_budget_is_the_same_in_every_form(unit: str) -> None:
    limits: dict[str, Any] = {unit: 100}
    start = cn.games.ConnectFour().start()
    forms = [
        cn.search(start, "best-first", **limits),
        cn.search(start, "best-first", budget=cn.Budget(**limits)),
        cn.search(start, "best-first", budget=cn.Budget(**{unit: 10**6}), **limits),
        cn.Player("best-first", **limits).think(start),
        cn.Player("best-first", budget=cn.Budget(**limits)).think(start),
        cn.Player("best-first", nodes=10**6).think(start, budget=cn.Budget(**limits)),
        cn.Player.read(f"best-first:{unit}=100").think(start),
    ]
    assert {(result.nodes, result.value, result.limit) for result in forms} == {
        (forms[0].nodes, forms[0].value, unit)
    }


def test_budgets_can_be_read_by_programs() -> None:
    budget = cn.Budget(nodes=5, memory=10**9)
    assert eval(repr(budget), {"Budget": cn.Budget}) == budget
    assert json.loads(json.dumps(budget.given())) == {"nodes": 5, "memory": 10**9}
    assert hash(budget) == hash(cn.Budget(memory=10**9, nodes=5))
