"""Games of OpenSpiel: which can be searched, what they are worth, how they are written, and mistakes."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random
from typing import Any

import pyspiel
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import conspirator as cn
from command_line import Run, facts_of, result_of, runner
from helpers import is_one_line, minimax, random_line

SUITABLE = [
    "amazons",
    "antichess",
    "breakthrough",
    "checkers",
    "chess",
    "chinese_checkers",
    "clobber",
    "connect_four",
    "crazyhouse",
    "cursor_go",
    "dots_and_boxes",
    "go",
    "gomoku",
    "havannah",
    "hex",
    "hive",
    "lines_of_action",
    "mancala",
    "mnk",
    "nim",
    "nine_mens_morris",
    "othello",
    "oware",
    "pentago",
    "quoridor",
    "shogi",
    "tic_tac_toe",
    "twixt",
    "ultimate_tic_tac_toe",
    "xiangqi",
    "y",
]


def game(name: Any, **options: Any) -> cn.Game:
    return cn.games.from_open_spiel(name, **{"playouts": 0, **options})


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    return runner(capsys, monkeypatch, tmp_path)


def refusal(name: str) -> str | None:
    """Return what is said of a game that cannot be searched."""
    try:
        game(name)
    except cn.GameError as error:
        return str(error)
    return None


def test_every_game_with_the_properties_is_taken() -> None:
    names = [about.short_name for about in pyspiel.registered_games() if about.default_loadable]
    answers = {name: refusal(name) for name in names}
    assert set(SUITABLE) <= {name for name, answer in answers.items() if answer is None}
    for name, answer in answers.items():
        assert answer is None or answer.startswith(f"{name} of OpenSpiel cannot be searched: ")
        assert "\n" not in (answer or "")


@pytest.mark.parametrize("name", SUITABLE)
def test_random_play(name: str) -> None:
    """Equal keys mean the same moves and the same end; what is written is read; values follow the players."""
    seen: dict[Any, Any] = {}
    played = game(name)
    for seed in range(3):
        for position in random_line(played.start(), Random(seed), 60):
            facts = (position.moves(), position.outcome)
            assert seen.setdefault((position.key, position.to_move), facts) == facts
        assert played.position(str(position.notation())) == position
        assert played.position(", ".join(map(str, position.state.state.history()))) == position
        assert played.position(position.state.state) == position
    result = cn.search(played.start(), "best-first", nodes=300)
    assert result.move in played.start().moves()
    result.tree.check()


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("backgammon", "it leaves something to chance"),
        ("kuhn_poker", "it leaves something to chance"),
        ("dark_hex", "its players do not see everything"),
        ("goofspiel", "its players move at the same time, not in turns"),
        ("matrix_pd", "its players move at the same time, not in turns"),
        ("hearts", "it has 4 players, not 2"),
        ("pathfinding", "it has 1 player, not 2"),
        ("bargaining", "it leaves something to chance"),
    ],
)
def test_a_game_that_cannot_be_searched_says_why(name: str, words: str) -> None:
    with pytest.raises(cn.GameError, match=words) as caught:
        game(name)
    assert is_one_line(caught.value)


def test_what_is_lost_must_be_won() -> None:
    """A game of no fixed sum, made from one that is not: two players who both may win."""
    shared = "efg_game(filename=nowhere)"
    with pytest.raises(cn.ArgumentError, match="OpenSpiel cannot make"):
        game(shared)
    text = (
        'EFG 2 R "both win" { "a" "b" } ""\np "" 1 1 "" { "l" "r" } 0\nt "" 1 "" { 1 1 }\nt "" 2 "" { 0 0 }\n'
    )
    with pytest.raises(cn.GameError, match="not zero-sum"):
        game(pyspiel.load_efg_game(text))


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("breakthru", {}, "OpenSpiel has no game 'breakthru'; did you mean 'breakthrough'?"),
        ("???", {}, "OpenSpiel has no game '???'; pyspiel.registered_names() lists them"),
        ("breakthrough(rows=", {}, "OpenSpiel cannot make 'breakthrough(rows=': Missing closing bracket"),
        ("breakthrough(size=3)", {}, "Unknown parameter 'size'"),
        (17, {}, "a game of OpenSpiel's is a name or a pyspiel.Game, not 17"),
        ("nim", {"playouts": -1}, "playouts must be a whole number from 0 up, not -1"),
        ("nim", {"playouts": True}, "playouts must be a whole number from 0 up, not True"),
        ("nim", {"seed": 0.5}, "seed must be a whole number from 0 up, not 0.5"),
        ("nim", {"evaluate": 3}, "evaluate must be a function, not 3"),
    ],
)
def test_mistakes(name: Any, options: dict[str, Any], words: str) -> None:
    with pytest.raises(cn.ArgumentError) as caught:
        game(name, **options)
    assert words in str(caught.value)
    assert is_one_line(caught.value)


def test_without_open_spiel_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(cn.ArgumentError, match=r"pip install open_spiel"):
        game("nim")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x(1,1) x(0,0)", "move 2 of 'x(1,1) x(0,0)' is not legal; legal: "),
        ("9", "move 1 of '9' is not legal"),
        ("x(1,1", "move 1 of "),
        ("0 3 1 4 2 5", "move 6 of '0 3 1 4 2 5' is not legal; the game is over"),
    ],
)
def test_a_line_that_cannot_be_read(text: str, words: str) -> None:
    with pytest.raises(cn.PositionError) as caught:
        game("tic_tac_toe").position(text)
    assert words in str(caught.value)
    assert is_one_line(caught.value)


@settings(max_examples=100, deadline=None)
@given(st.text("xo(),012345678 -", max_size=20))
def test_any_text_is_a_position_or_one_line_of_error(text: str) -> None:
    played = game("tic_tac_toe")
    try:
        position = played.position(text)
    except cn.PositionError as error:
        position = None
        message = str(error)
    if position is None:
        assert len(message.splitlines()) == 1
    else:
        assert played.position(str(position.notation())) == position


def test_a_position_is_not_anything() -> None:
    with pytest.raises(cn.ArgumentError, match="a line of moves or a state of tic_tac_toe"):
        game("tic_tac_toe").position(4)
    with pytest.raises(cn.ArgumentError, match="a line of moves or a state of tic_tac_toe"):
        game("tic_tac_toe").position(pyspiel.load_game("nim").new_initial_state())


def test_known_values() -> None:
    assert cn.solve(game("tic_tac_toe").start()).value == 0
    small = game("breakthrough(rows=5,columns=2)").start()
    assert minimax(small, memo={}) == cn.search(small, "alpha-beta", seconds=60).value
    for piles in ("1;2;3", "1;2;4", "2;2", "1;3;3", "5;5;1"):
        total = 0
        for pile in piles.split(";"):
            total ^= int(pile)
        position = game(f"nim(pile_sizes={piles},is_misere=false)").start()
        assert cn.solve(position).outcome == ("win" if total else "loss")


@pytest.mark.parametrize(
    ("theirs", "ours", "depth"),
    [
        ("connect_four", cn.games.ConnectFour(), 5),
        ("othello", cn.games.Othello(), 5),
        ("hex(board_size=5)", cn.games.Hex(size=5), 3),
    ],
)
def test_counts_agree_with_the_native_games(theirs: str, ours: cn.games.NativeGame, depth: int) -> None:
    for ply in range(depth + 1):
        assert game(theirs).start().perft(ply) == ours.start().perft(ply)


def test_your_own_evaluator() -> None:
    """It gets OpenSpiel's state, and is not asked about games that are over."""
    asked = []

    def corners(state: Any) -> float:
        asked.append(state)
        return 0.25 if "x" in (str(state)[0], str(state)[2]) else -0.25

    played = game("tic_tac_toe", evaluate=corners)
    assert played.position("x(0,0)").evaluate() == 0.25
    assert played.position("x(1,1)").evaluate() == -0.25
    assert cn.search(played.start(), "best-first", expansions=1).move in ("x(0,0)", "x(0,2)")
    assert played.position("0 3 1 4 2").evaluate() == 1
    assert not any(state.is_terminal() for state in asked)


def test_playouts_are_the_same_in_every_search_and_never_a_win() -> None:
    for name in ("tic_tac_toe", "breakthrough(rows=5,columns=4)"):
        one, two = (game(name, playouts=3, seed=7) for _ in range(2))
        assert one == two
        assert hash(one) == hash(two)
        other = game(name, playouts=3, seed=8)
        assert other != one
        values = []
        for position in random_line(one.start(), Random(1), 9):
            line = str(position.notation())
            values.append((position.evaluate(), other.position(line).evaluate()))
            assert two.position(line).evaluate() == position.evaluate() == position.evaluate()
            if position.outcome is None:
                assert -1 < position.evaluate() < 1
        assert any(first != second for first, second in values)
        traces = [
            cn.search(each.start(), "best-first", expansions=30, trace=True).trace for each in (one, two)
        ]
        assert traces[0] == traces[1]


def test_playouts_see_a_win() -> None:
    """X threatens twice, O cannot: most random games are X's."""
    played = game("tic_tac_toe", playouts=200)
    assert played.position("x(0,0) o(0,1) x(2,2) o(1,0)").evaluate() > 0.5
    assert abs(game("tic_tac_toe").position("x(0,0) o(0,1)").evaluate()) == 0


def test_names_that_are_not_clear_give_way_to_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    from conspirator._open_spiel import State

    class Vague:
        def legal_actions(self) -> list[int]:
            return [3, 5]

        def current_player(self) -> int:
            return 0

        def action_to_string(self, player: int, action: int) -> str:
            return "move"

    assert State(Vague()).actions == {3: 3, 5: 5}


def test_on_the_command_line(run: Run) -> None:
    facts = facts_of(run, "analyze open-spiel:tic_tac_toe --position 'x(1,1) o(0,1)' --nodes 20k")
    assert (facts["value"], facts["status"]) == (1.0, "proven")
    assert facts["position"] == "x(1,1) o(0,1)"
    assert "Max, to move, draws with x(" in result_of(run, "solve open-spiel:tic_tac_toe")
    options = "--game-option rows=5 --game-option columns=3 --game-option playouts=1 --expansions 5"
    facts = facts_of(run, f"analyze open-spiel:breakthrough {options}")
    assert facts["picture"].splitlines()[0] == "5bbb"
    output = result_of(run, "play open-spiel:nim --human first --nodes 2k", "moves\npile:1, take:1;\nquit\n")
    listed, _, after = output.partition("your move> ")[2].partition("your move> ")
    assert listed.count("pile:1, take:1;") == 1
    assert "expects" in after


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("analyze open-spiel:nimm", "OpenSpiel has no game 'nimm'; did you mean 'nim'?"),
        ("analyze open-spiel:", "OpenSpiel has no game ''"),
        ("analyze open-spiel:backgammon", "it leaves something to chance"),
        ("analyze open-spiel:nim --position 77", "move 1 of '77' is not legal"),
        ("analyze open-spiel:nim --game-option playouts=many", "playouts must be a whole number"),
        ("analyze 'open-spiel:hex(board_size=3)' --game-option swap=true", "in one place, not two"),
        ("analyze open-spiel:hex --game-option sise=3", "Unknown parameter 'sise'"),
    ],
)
def test_bad_input_is_one_line(run: Run, line: str, words: str) -> None:
    code, output, errors = run(line)
    assert (code, output) == (2, "")
    assert errors.splitlines()[-1].startswith("error: ")
    assert words in errors
