"""The Go Text Protocol: what each command answers, in every game, and that no line ends the server."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import conspirator as cn
from command_line import Run, result_of, runner
from conspirator._clock import LEAST, Clock
from conspirator._players import default_player
from conspirator.front_ends.gtp import DIALECTS, Server
from conspirator.front_ends.gtp.lines import read_line

BAD_SIZE = "? unacceptable size; say one number, such as 8, or the same one twice"
LIVE = "? say a colour and hundredths of a second, such as: lz-analyze black 50"
ANSWER = re.compile(r"[=?][0-9]*( [^\n]+)?\n(([^\n]+\n)+)?\n")


def server(game: str, player: str | None = None, budget: Any = None, **more: Any) -> Server:
    chosen = default_player(game) if player is None else cn.Player.read(player, game)
    return Server(game, chosen.with_budget(cn.Budget(**(budget or {"expansions": 20}))), **more)


def talk(player: Server, *lines: str) -> list[str]:
    """Return the answers without the empty lines at their ends."""
    answers = [player.answer(line) for line in lines]
    assert all(ANSWER.fullmatch(answer) for answer in answers)
    return [answer.removesuffix("\n\n") for answer in answers]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    return runner(capsys, monkeypatch, tmp_path)


@pytest.mark.parametrize(
    ("game", "line", "answer"),
    [
        ("hex", "protocol_version", "= 2"),
        ("hex", "7 name", "=7 conspirator"),
        ("hex", "0009 version", f"=0009 {cn.__version__}"),
        ("hex", "known_command play", "= true"),
        ("hex", "known_command load_sgf", "= false"),
        ("hex", "name # not a question", "= conspirator"),
        ("hex", "\tname\r", "= conspirator"),
        ("hex", "na\x07me\x7f", "= conspirator"),
        ("hex", "5", "?5 unknown command"),
        ("hex", "5 genmve b", "?5 unknown command; did you mean 'genmove'?"),
        ("hex", "gr\u00fc\u00dfe", "? unknown command"),
        ("hex", "komi 6.5", "="),
        ("hex", "komi", "? this command needs one argument, not 0"),
        ("hex", "komi much", "? 'much' is not a number"),
        ("hex", "komi nan", "? 'nan' is not a number"),
        ("hex", "boardsize 5", "="),
        ("hex", "boardsize 5 5", "="),
        ("hex", "boardsize 5 6", BAD_SIZE),
        ("hex", "boardsize", BAD_SIZE),
        ("hex", "boardsize 20", "? size must be from 1 to 19, not 20"),
        ("hex", "boardsize " + "9" * 40, BAD_SIZE),
        ("othello", "boardsize 8", "="),
        ("othello", "boardsize 8 8", "="),
        ("othello", "boardsize 9", "? unacceptable size; othello has only 8"),
        ("connect-four", "boardsize 7 6", "="),
        ("connect-four", "boardsize 7", "="),
        ("connect-four", "boardsize 6", "? unacceptable size; connect-four has only 7"),
        ("amazons", "boardsize 6", "="),
        ("amazons", "boardsize 11", "? size must be from 4 to 10, not 11"),
        ("hex", "play b c3", "="),
        ("hex", "play BLACK C3", "="),
        ("hex", "play b", "? play needs a colour and a move, such as: play black a1"),
        ("hex", "play red c3", "? 'red' is no colour; say black or white"),
        ("hex", "play w c3", "="),
        ("hex", "play b swap-pieces", "? only the second move of a game can be swap-pieces"),
        ("othello", "play b f5", "="),
        ("othello", "play b pass", "? illegal move 'pass'"),
        ("amazons", "play w d1-d7-g7", "="),
        ("amazons", "play white D1-D7/G7", "="),
        ("amazons", "play white d1 d7 g7", "="),
        ("amazons", "play w d1-d7-g8", "? illegal move 'd1-d7-g8'"),
        ("hex", "play b pass", "? illegal move 'pass'"),
        ("amazons", "play b d10-d5-g5", "="),
        ("othello", "play w f4", "="),
        ("othello", "play w f5", "? illegal move 'f5'"),
        ("connect-four", "play b 4", "="),
        ("connect-four", "play b 8", "? illegal move '8'"),
        ("connect-four", "genmove", "? this command needs one argument, not 0"),
        ("hex", "lz-analyze b 10 20", LIVE),
        ("hex", "lz-analyze red", "? 'red' is no colour; say black or white"),
        ("hex", "analyze black 1 much", LIVE),
        ("connect-four", "undo", "? cannot undo, there is no move to take back"),
        ("connect-four", "final_score", "? cannot score, the game is not over"),
        ("hex", "time_settings 60 10", "? time_settings needs main time, overtime, and stones in it"),
        ("connect-four", "time_settings -1 0 0", "? '-1' is not a number from 0 up"),
        ("connect-four", "time_left b 10 0", "="),
        ("connect-four", "time_left b 10", "="),
        ("connect-four", "time_left b soon 0", "? 'soon' is not a number"),
        ("connect-four", "time_left", "? time_left needs a colour, seconds, and stones in overtime"),
        ("connect-four", "set_time 0.5", "="),
        ("connect-four", "set_time 0", "? seconds must be a positive finite number, not 0"),
        ("connect-four", "param_game", "? connect-four has no rules to set"),
        ("hex", "param_game", "= [bool] allow_swap 0"),
        ("hex", "param_game allow_swap yes", "? say: param_game allow_swap 0, or 1; it begins a new game"),
        ("hex", "conspirator-search", "= alpha-beta"),
        ("hex", "conspirator-search best-frist", "? unknown search 'best-frist'; did you mean 'best-first'?"),
        ("hex", "conspirator-param depth", "? conspirator-param needs a name and a value, or nothing"),
        ("hex", "conspirator-param deep 4", "? alpha-beta has no parameter 'deep'; did you mean 'depth'?"),
        ("hex", "conspirator-param table maybe", "? table of alpha-beta must be true or false, not 'maybe'"),
        ("hex", "conspirator-budget", "= [string] expansions 20"),
        ("hex", "conspirator-budget nodes", "? conspirator-budget needs a unit and an amount, or nothing"),
        ("hex", "conspirator-budget hours 1", "? 'hours' is no unit; nodes, seconds and memory are"),
        ("hex", "conspirator-budget nodes few", "? nodes must be a whole number from 1 up, not 'few'"),
        ("hex", "conspirator-position", "="),
        ("hex", "conspirator-position c3 c3", "? cell c3 at move 2 is occupied; choose an empty one"),
        ("hex", "conspirator-analyze now", "? conspirator-analyze takes no arguments"),
    ],
)  # fmt: skip
def test_answers(game: str, line: str, answer: str) -> None:
    assert talk(server(game, "alpha-beta"), line) == [answer]


@pytest.mark.parametrize("line", ["", "\n", "   ", "# a comment", "\x01\x02", "\t# 1 name"])
def test_nothing_is_answered_with_nothing(line: str) -> None:
    assert read_line(line) is None
    assert server("hex").answer(line) == ""


def test_every_listed_command_is_known_and_answers() -> None:
    player = server("hex", options={"size": 4})
    names = talk(player, "list_commands")[0].splitlines()[1:]
    assert {"play", "genmove", "undo", "showboard", "final_score", "quit"} <= set(names)
    for name in names:
        assert talk(player, f"known_command {name}") == ["= true"]
        assert talk(player, name)[0][0] in "=?"
    assert player.done


@pytest.mark.parametrize("game", DIALECTS)
def test_games_are_played_to_the_end_and_back(game: str) -> None:
    """Both colours move until the game is over; the score is the position's; undo leads back to the start."""
    options = {"hex": {"size": 4}, "amazons": {"size": 4}}.get(game, {})
    player = server(game, "best-first", {"expansions": 3}, options=options)
    mirror = cn.games.make(game, **options).start()
    colours, moves = DIALECTS[game].colours, 0
    boards = [talk(player, "showboard")[0]]
    while mirror.outcome is None:
        answer = talk(player, f"genmove {colours[mirror.to_move]}")[0]
        mirror = mirror.play(answer.removeprefix("= "))
        moves += 1
        boards.append(talk(player, "showboard")[0])
        assert boards[-1] == "=\n" + "\n".join(line.rstrip() for line in str(mirror).rstrip().split("\n"))
    score = talk(player, "final_score")[0]
    winner = next(iter(score.removeprefix("= ")))
    low, high = mirror.value_range
    middle = (low + high) / 2
    assert (winner == "0") == (mirror.outcome == middle)
    if winner != "0":
        assert (colours["max"][0].upper() == winner) == (mirror.outcome > middle)
    for command in ("genmove b", "reg_genmove w", "play b a1", "conspirator-analyze"):
        assert talk(player, command) == [f"? the game is over: {score.removeprefix('= ')}"]
    for board in reversed(boards):
        assert talk(player, "showboard") == [board]
        talk(player, "undo")
    assert talk(player, "undo")[0].startswith("? cannot undo")


@pytest.mark.parametrize(
    ("moves", "score"),
    [("1213141", "B+"), ("1212124", None), ("12121", None)],
)
def test_scores_of_connect_four(moves: str, score: str | None) -> None:
    player = server("connect-four")
    for number, move in enumerate(moves):
        assert talk(player, f"play {'bw'[number % 2]} {move}") == ["="]
    assert talk(player, "final_score")[0] == (
        f"= {score}" if score else "? cannot score, the game is not over"
    )


def test_the_score_of_othello_is_in_discs() -> None:
    player = server("othello")
    wiped_out = "-" * 27 + "XX------XX" + "-" * 27
    assert talk(player, f"conspirator-position {wiped_out} X", "final_score") == ["=", "= B+64"]


def test_swap_is_understood_and_only_made_when_allowed() -> None:
    player = server("hex", "best-first", options={"size": 5})
    picture = talk(player, "play b b4", "play w swap-pieces", "showboard")[2]
    assert picture.splitlines()[3] == "  2  . . . O ."
    assert talk(player, "undo", "play b a1", "play w swap-pieces", "undo")[2].startswith("? only the second")
    assert talk(player, "conspirator-position") == ["= b4"]
    solver = server("hex", options={"size": 3}, budget={"nodes": 100_000})
    assert talk(solver, "param_game allow_swap 1", "param_game") == ["=", "= [bool] allow_swap 1"]
    assert talk(solver, "play b b2", "genmove w") == ["=", "= swap-pieces"]
    assert talk(solver, "play b a1", "play w swap-pieces")[1].startswith("? only the second move")


def test_othello_passes_are_made_where_they_are_all_there_is() -> None:
    """Black moves twice in a row, because White has none; taken back, the pass is gone too."""
    game = cn.games.Othello()
    position = next(found for found in passes(game) if found.to_move == "min")
    mine = position.play("pass").moves()[0]
    player = server("othello")
    here = talk(player, f"conspirator-position {position.notation()}", "showboard")[1]
    assert talk(player, f"play b {mine}") == ["="]
    assert talk(player, "undo", "showboard") == ["=", here]
    assert talk(player, "genmove w") == ["= pass"]
    assert talk(player, "play w pass", "undo", "undo", "showboard") == ["=", "=", "=", here]


def passes(game: cn.games.NativeGame) -> Any:
    for seed in range(200):
        random, position = Random(seed), game.start()
        while position.outcome is None:
            if position.moves() == ["pass"] and position.play("pass").outcome is None:
                yield position
            position = position.play(random.choice(position.moves()))


def test_a_rival_may_make_moves_that_the_search_does_not_look_at() -> None:
    narrow, game = "territory(width=2)", cn.games.Amazons()
    player = server("amazons", f"best-first:evaluator={narrow}")
    candidates = game.start().candidates(narrow)
    assert talk(player, "reg_genmove w")[0].removeprefix("= ") in candidates
    assert "a4-a5-a6" not in candidates
    assert talk(player, "play w a4-a5-a6") == ["="]
    assert talk(player, "genmove b")[0].removeprefix("= ") in game.position("a4-a5-a6").candidates(narrow)


def test_resigning() -> None:
    player = server("hex", options={"size": 3})
    assert talk(player, "play b b2", "play w resign", "final_score") == ["=", "=", "= B+Resign"]
    assert talk(player, "genmove w") == ["? the game is over: B+Resign"]
    assert talk(player, "undo", "play w a1", "final_score")[1:] == [
        "=",
        "? cannot score, the game is not over",
    ]
    lost = server("hex", options={"size": 3}, resign=True, budget={"nodes": 100_000})
    assert talk(lost, "play b b2", "genmove w", "final_score") == ["=", "= resign", "= B+Resign"]


def test_a_registered_move_is_not_played() -> None:
    player = server("connect-four")
    before = talk(player, "showboard")
    assert talk(player, "reg_genmove b")[0].startswith("= ")
    assert talk(player, "showboard") == before


def test_the_search_can_be_changed() -> None:
    player = server("connect-four")
    assert talk(player, "conspirator-search conspiracy", "conspirator-param threshold 2") == ["=", "="]
    assert "[string] threshold 2" in talk(player, "conspirator-param")[0].splitlines()
    assert talk(player, "conspirator-budget expansions none", "conspirator-budget nodes 500") == ["=", "="]
    assert talk(player, "conspirator-budget") == ["= [string] nodes 500"]
    facts = dict(line.split(" ", 1) for line in talk(player, "conspirator-analyze")[0].splitlines()[1:])
    same = cn.search(cn.games.ConnectFour().start(), "conspiracy", threshold=2, nodes=500)
    assert (facts["move"], facts["line"]) == (same.move, " ".join(same.line))
    assert float(facts["value"]) == same.value
    lines = talk(player, "conspirator-analyze")[0].splitlines()
    low, high = same.interval(2)
    assert f"interval 2 {low:g} {high:g}" in lines
    assert talk(player, "hexgui-analyze_commands") == talk(player, "gogui-analyze_commands")
    assert "string/Analyse/conspirator-analyze" in talk(player, "hexgui-analyze_commands")[0]


def test_a_mistake_inside_is_told_and_survived(monkeypatch: pytest.MonkeyPatch) -> None:
    player = server("hex")

    def fail(*_: Any, **__: Any) -> None:
        raise ZeroDivisionError("at\nlast")

    monkeypatch.setattr(cn.Player, "think", fail)
    assert talk(player, "3 genmove b", "name") == [
        "?3 internal error: ZeroDivisionError: at last",
        "= conspirator",
    ]


WORDS = st.sampled_from(
    re.split(
        " ",
        "b w black white a1 b2 c3 f5 pass swap-pieces resign 1 4 8 10 12 -1 nan inf 1e400 d1-d7-g7 # \t "
        "table true play genmove undo boardsize clear_board showboard final_score time_left time_settings "
        "set_time param_game allow_swap best-first df-pn nodes conspirator-search conspirator-param "
        "reg_genmove komi conspirator-position conspirator-analyze known_command hexgui-analyze_commands "
        "lz-analyze lz-genmove_analyze analyze interval",
    )
)
LINES = st.one_of(
    st.lists(WORDS, max_size=5).map(" ".join),
    st.text(max_size=40),
    st.tuples(WORDS, st.text(max_size=10)).map(" ".join),
)


@pytest.mark.parametrize("game", DIALECTS)
@settings(max_examples=40, deadline=None)
@given(lines=st.lists(LINES, max_size=12))
def test_no_line_ends_the_server(game: str, lines: list[str]) -> None:
    options = {"hex": {"size": 4}, "amazons": {"size": 4}}.get(game, {})
    player = server(game, "best-first", {"expansions": 1}, options=options)
    for line in lines:
        answer = player.answer(line)
        assert answer == "" or ANSWER.fullmatch(answer)
        assert "internal error" not in answer
        assert (answer == "") == (read_line(line) is None)
    assert player.answer("1 name") == "=1 conspirator\n\n"
    assert not player.done


@pytest.mark.parametrize(
    ("settings", "spent", "least", "most"),
    [
        ((60, 0, 0), [], 1, 3),
        ((60, 0, 0), [59], LEAST, 0.1),
        ((60, 0, 0), [70], LEAST, LEAST),
        ((0, 30, 10), [], 2, 3),
        ((0, 30, 10), [12], 1.5, 2),
        ((0, 30, 2), [1, 1], 12, 15),
        ((0, 30, 2), [1, 1, 20], 8, 10),
        ((60, 30, 10), [], 4, 6),
        ((60, 30, 10), [60], 2, 3),
        ((0, 0, 0), [], LEAST, LEAST),
    ],
)
def test_the_clock_gives_a_move_its_share(
    settings: tuple[int, int, int], spent: list[float], least: float, most: float
) -> None:
    clock = Clock()
    clock.set(*settings)
    for seconds in spent:
        clock.spend("max", seconds)
    share = clock.allot("max", 30)
    assert share is not None
    assert least <= share <= most


def test_a_clock_without_limits() -> None:
    clock = Clock()
    assert clock.allot("max", 30) is None
    clock.spend("max", 5)
    clock.set(60, 10, 0)
    assert clock.allot("min", 30) is None
    clock.tell("min", 8, 4)
    assert 1.5 < (clock.allot("min", 30) or 0) < 2
    assert 0.1 < (clock.allot("min", 1) or 0) < 2


@given(st.lists(st.floats(0, 3), max_size=40))
def test_a_clock_is_never_overdrawn_by_its_own_shares(waste: list[float]) -> None:
    """Who spends no more than the share never has less than nothing, however many moves there are."""
    clock, left = Clock(), 10.0
    clock.set(10, 0, 0)
    for part in waste:
        share = clock.allot("max", 0) or 0.0
        spent = min(part, share)
        clock.spend("max", spent)
        left -= spent
        assert left > -len(waste) * LEAST


def test_time_left_rules_the_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[float | None] = []
    think = cn.Player.think

    def record(player: cn.Player, position: cn.Position, *, budget: cn.Budget) -> cn.Result:
        asked.append(budget.usual or budget.seconds)
        return think(player, position, budget=cn.Budget(nodes=10))

    player = Server("connect-four", "alpha-beta:seconds=2")
    monkeypatch.setattr(cn.Player, "think", record)
    talk(player, "genmove b", "time_left w 21 0", "genmove w", "time_left b 900 0", "genmove b")
    first, second, third = asked
    assert first == third == 2.0
    assert second is not None
    assert 0.5 < second < 1.5


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("gtp", "missing option '--game'"),
        ("gtp --game go", "'go' is not one of"),
        ("gtp --game hex --size 0", "0 is not in the range"),
        ("gtp --game hex --size 20", "size must be from 1 to 19"),
        ("gtp --game othello --size 10", "othello has only 8"),
        ("gtp --game hex --search best-frist", "did you mean 'best-first'?"),
        ("gtp --game hex -p depth=deep", "depth"),
        ("gtp --game hex -p nodes=7", "'nodes' is none"),
        ("gtp --game hex --game-option sise=4", "did you mean 'size'?"),
        ("gtp --game hex --seconds 0", "is not a positive number"),
    ],
)
def test_bad_input_is_one_line(run: Run, line: str, words: str) -> None:
    code, output, errors = run(line)
    assert (code, output, errors.count("\n")) == (2, "", 1)
    assert words in errors.lower() or words in errors


def test_the_command_talks_until_it_is_told_to_stop(run: Run) -> None:
    script = "1 name\n\n# nothing\nplay b 4\nquit\nname\n"
    assert result_of(run, "gtp --game connect-four --nodes 100", script) == "=1 conspirator\n\n=\n\n=\n\n"
    assert result_of(run, "gtp --game othello --size 8", "") == ""
    with pytest.raises(cn.ArgumentError, match="not of 'random-tree'"):
        Server("random-tree")
