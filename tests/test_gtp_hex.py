"""Hex in the words of Benzene and HexGui: players by name, games from files, the solver."""

from __future__ import annotations

import re
from pathlib import Path
from threading import active_count
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import conspirator as cn
from conspirator._players import default_player
from conspirator._sgf import read_sgf
from conspirator._thinking import BESIDE, think, wins
from conspirator.front_ends.gtp import Server
from conspirator.front_ends.gtp.hex import MENU
from helpers import is_one_line

ANSWER = re.compile(r"[=?][0-9]*( [^\n]+)?\n(([^\n]+\n)+)?\n")
QUICK: dict[str, Any] = {"expansions": 20}


def server(player: cn.Player | str | None = None, budget: Any = None, **more: Any) -> Server:
    chosen = default_player("hex") if player is None else player
    if isinstance(chosen, str):
        chosen = cn.Player.read(chosen, "hex")
    return Server(
        "hex", chosen.with_budget(cn.Budget(**(budget or QUICK))), **{"options": {"size": 4}, **more}
    )


def talk(player: Server, *lines: str) -> list[str]:
    return [player.answer(line).removesuffix("\n\n") for line in lines]


@pytest.mark.parametrize(
    ("lines", "answer"),
    [
        ("all_legal_moves", "= a1 b1 c1 d1 a2 b2 c2 d2 a3 b3 c3 d3 a4 b4 c4 d4"),
        ("play b a1\nall_legal_moves w", "= b1 c1 d1 a2 b2 c2 d2 a3 b3 c3 d3 a4 b4 c4 d4"),
        ("all_legal_moves w", "= a1 b1 c1 d1 a2 b2 c2 d2 a3 b3 c3 d3 a4 b4 c4 d4"),
        ("play-game a1 b2 c3\nconspirator-position", "= a1 b2 c3"),
        ("play-game a1 a1", "? illegal move 'a1'"),
        ("play b d4\nplay-game a1 a1\nconspirator-position", "= d4"),
        ("dfpn-solve-state", "= black"),
        ("play b a1\nsolve-state white", "= white"),
        ("dfpn-solve-state white", "= white"),
        ("dfpn-solve-state b w", "? this command needs a colour and nothing else"),
        ("dfpn-solver-find-winning black", "= d1 c2 b3 a4"),
        ("param_dfpn", "=\n[bool] use_guifx 0\n[string] timelimit 0\n[string] threads 1"),
        ("param_dfpn use_guifx 1", "="),
        ("param_dfpn timelimit 2\nparam_dfpn threads 2\nparam_dfpn",
         "=\n[bool] use_guifx 0\n[string] timelimit 2\n[string] threads 2"),
        ("param_dfpn threads 0", "? threads must be a whole number from 1 to 64, not '0'"),
        ("param_dfpn timelimit soon", "? 'soon' is not a number from 0 up"),
        ("param_dfpn speed 7", "? say: param_dfpn timelimit SECONDS, or threads N; 0 seconds are no limit"),
        ("loadsgf", "? loadsgf needs a file, and perhaps how many moves to play"),
        ("loadsgf a.sgf -1", "? loadsgf needs a file, and perhaps how many moves to play"),
        ("param_conspirator komi 7", "? there is no setting 'komi'"),
        ("param_conspirator prof 0.5", "? there is no setting 'prof'; did you mean 'proof'?"),
        ("param_conspirator proof", "? say: param_conspirator NAME VALUE, or nothing to see all of them"),
        ("param_conspirator level 1.5", "? '1.5' is not a whole number from 1 to 10"),
        ("param_conspirator level 11", "? '11' is not a whole number from 1 to 10"),
        ("param_conspirator proof 2", "? '2' is not a number from 0 to 1"),
        ("param_conspirator player wolve",
         "? hex has no player 'wolve'; there are network, anchored, siblings, narrow, monte-carlo"),
        ("param_conspirator steepness maybe",
         "? steepness of prior-penalty must be a finite number, not 'maybe'"),
    ],
)  # fmt: skip
def test_answers(lines: str, answer: str) -> None:
    assert talk(server(), *lines.splitlines())[-1] == answer


def test_a_position_has_an_identity() -> None:
    player = server()
    first, after, back = talk(player, "board_id", "play b a1", "board_id", "undo", "board_id")[::2]
    assert first != after
    assert first == back
    assert re.fullmatch(r"= [0-9a-f]{16}", after)


@pytest.mark.parametrize("name", cn.players("hex"))
def test_players_by_name(name: str) -> None:
    player = server(name)
    assert talk(player, "conspirator-search") == [f"= {cn.players('hex')[name].search}"]
    assert f"[string] player {name}" in talk(player, "param_conspirator")[0]
    moves = [talk(player, f"genmove {'bw'[ply % 2]}")[0].removeprefix("= ") for ply in range(4)]
    assert len(set(moves)) == 4
    assert cn.games.Hex(size=4).position(" ".join(moves)).outcome is None


def test_settings_are_listed_and_changed_by_name() -> None:
    player = server()
    names = ["player narrow", "max_time 0.5", "proof 0.25", "level 7", "resign 1", "table 0"]
    assert talk(player, *(f"param_conspirator {name}" for name in names)) == ["="] * len(names)
    listed = talk(player, "param_conspirator")[0].splitlines()
    for line in (
        "[string] player narrow", "[string] max_time 0.5", "[string] proof 0.25",
        "[string] level 7", "[bool] resign 1", "[bool] table 0",
    ):  # fmt: skip
        assert line in listed
    mistake = talk(player, "param_conspirator table maybe")[0]
    assert mistake.startswith("? table of alpha-beta must be true or false")


def test_the_swap_rule_with_a_network() -> None:
    player = server(options={"size": 7, "swap": True})
    opening = talk(player, "genmove b")[0].removeprefix("= ")
    value = cn.games.Hex(size=7).position(opening).evaluate("network")
    assert abs(value) < 0.9
    assert talk(player, "clear_board", "play b d4", "genmove w")[-1] == "= swap-pieces"
    kept = talk(player, "clear_board", "play b a1", "genmove w")[-1]
    assert kept.startswith("= ")
    assert kept != "= swap-pieces"


def test_a_game_goes_on_with_another_player() -> None:
    player = server()
    lines = ["play b b3", "param_conspirator player monte-carlo", "genmove w", "conspirator-search"]
    *_, move, search = talk(player, *lines)
    assert move != "= b3"
    assert search == "= uct"
    assert talk(player, "undo", "undo", "conspirator-position")[-1] == "="


# the solver beside the player


def test_a_proof_is_played_at_once() -> None:
    """The search alone would take its minute; the solver needs no time for this."""
    position = cn.games.Hex(size=4).position("b3 a1 c2 d4")
    threads = active_count()
    result = think(position, "best-first", {"complete": False}, None, cn.Budget(seconds=60), proof=BESIDE)
    assert wins(result)
    assert result.seconds < 30
    assert active_count() == threads


def test_without_a_proof_the_search_has_its_say() -> None:
    position = cn.games.Hex(size=11).start()
    alone = cn.search(position, "best-first", expansions=30)
    for expansions, proof in ((30, BESIDE), (40, 0.25)):
        budget = cn.Budget(expansions=expansions)
        assert think(position, "best-first", {}, None, budget, proof=proof).move == alone.move


def test_a_share_of_the_budget_is_for_proofs() -> None:
    position = cn.games.Hex(size=4).position("b3 a1")
    result = think(position, "uct", {"seed": 1}, None, cn.Budget(nodes=100_000), proof=0.5)
    assert wins(result)
    lost = cn.games.Hex(size=4).position("b3")
    assert not wins(think(lost, "uct", {"seed": 1}, None, cn.Budget(nodes=20_000), proof=0.5))


def test_a_search_that_is_interrupted_ends_the_thought(monkeypatch: pytest.MonkeyPatch) -> None:
    think = cn.Player.think

    def interrupted(player: cn.Player, position: cn.Position, *, budget: cn.Budget) -> cn.Result:
        return think(player, position, budget=budget, progress=lambda _: False)

    monkeypatch.setattr(cn.Player, "think", interrupted)
    answers = list[str]()
    player = server("best-first", {"seconds": 30}, options={"size": 11})  # 4x4 is solved too soon
    player.serve(["name", "genmove b", "name"], answers.append)
    assert answers == ["= conspirator\n\n"]
    assert player.done


# games from files


@pytest.mark.parametrize(
    ("text", "notation"),
    [
        ("(;FF[4]GM[11]SZ[5];B[c3];W[b2];B[a1])", "c3 b2 a1"),
        ("(;SZ[5];B[cc];W[bb](;B[aa])(;B[ab]))", "c3 b2 a1"),
        ("(;SZ[5]AB[c3][a1]AW[b2])", "a1 b2 c3"),
        ("(;SZ[5];AB[c3]AW[b2];B[a1];W[b1])", "a1 b1 c3 b2"),
        ("(;SZ[5]C[an \\] end; (B[e5\\])];B[c3])", "c3"),
        ("junk (\n;\nSZ [5]\n;B\n[c3]\n)", "c3"),
        ("(;SZ[5];B[c3];W[swap-pieces])", "white c3"),
    ],
)
def test_games_are_read_from_files(text: str, notation: str, tmp_path: Path) -> None:
    (tmp_path / "game.sgf").write_text(text)
    player = server()
    assert talk(player, f"loadsgf {tmp_path}/game.sgf") == ["="]
    expected = cn.games.Hex(size=5).position(notation)
    assert talk(player, "showboard")[0].removeprefix("=\n") == str(expected)


def test_part_of_a_game(tmp_path: Path) -> None:
    (tmp_path / "game.sgf").write_text("(;SZ[5];B[c3];W[b2];B[a1])")
    assert talk(server(), f"loadsgf {tmp_path}/game.sgf 2", "conspirator-position")[-1] == "= c3 b2"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "this is no game in SGF"),
        ("(;B[c3]", "this is no game in SGF"),
        ("(;SZ[wide];B[c3])", "the size 'wide' of the game is not a number"),
        ("(;SZ[20];B[c3])", "size must be from 1 to 19"),
        ("(;SZ[5];B[c3];W[c3])", "illegal move 'c3'"),
        ("(;SZ[5];B[c3];B[c3])", "illegal move 'c3'"),
        ("(;SZ[5]AW[c9])", "illegal move 'c9'"),
    ],
)
def test_games_that_cannot_be_read(text: str, complaint: str, tmp_path: Path) -> None:
    (tmp_path / "game.sgf").write_text(text)
    player = server()
    answer = talk(player, "play b d4", f"loadsgf {tmp_path}/game.sgf", "conspirator-position")
    assert answer[1].startswith(f"? {complaint}")
    assert answer[2] == "= d4", "the old game stays"
    assert talk(player, "loadsgf /no/such/file.sgf")[0].startswith("? cannot read the game /no/such/file.sgf")


@given(st.text(alphabet="()[];\\BWAZS ac13\n", max_size=60))
def test_no_text_is_too_strange(text: str) -> None:
    try:
        colours = {colour for colour, _ in read_sgf(text).moves}
    except cn.ArgumentError as error:
        colours = set() if is_one_line(error) else {str(error)}
    assert colours <= {"black", "white"}


# nonsense


COMMANDS = [
    *("vc-build", "vc-get-mustplay", "compute-inferior", "compute-fillin", "eval-resist", "board_id"),
    *("eval-resist-cells", "param_dfpn", "dfpn-solve-state", "dfpn-solver-find-winning", "loadsgf"),
    *("play-game", "all_legal_moves", "param_conspirator", "param_game", "play", "genmove", "undo"),
    *(
        f"vc-{what}-{kind}"
        for what in ("between-cells", "connected-to", "union")
        for kind in ("full", "semi")
    ),
]
WORDS = st.sampled_from(
    [
        *("b", "w", "black", "white", "a1", "b2", "d4", "e5", "north", "west", "0", "1", "-1", "nan", "1e99"),
        *("threads", "timelimit", "player", "table", "ß", "²"),
    ]
)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from(COMMANDS), st.lists(WORDS | st.text(max_size=3), max_size=4)), max_size=8
    )
)
def test_nonsense_is_answered(lines: list[tuple[str, list[str]]]) -> None:
    player = server(budget={"expansions": 1})
    for command, words in lines:
        answer = player.answer(" ".join([command, *words]))
        assert ANSWER.fullmatch(answer)
        assert "internal error" not in answer
    assert player.answer("name") == "= conspirator\n\n"


def test_the_menu_has_commands_that_are_there() -> None:
    player = server()
    known = set(talk(player, "list_commands")[0].splitlines())
    assert {entry.split("/")[2].split()[0] for entry in MENU} <= known
    listed = talk(player, "hexgui-analyze_commands")[0]
    assert "plist/Winning moves/dfpn-solver-find-winning %m" in listed
    assert "param/Player/param_conspirator" in listed


def test_what_is_proven_is_so_where_a_player_leaves_moves_out() -> None:
    # with one move for each position White would have lost after a2; White has won
    narrow, left = "knowledge(width=1)", cn.games.Hex(size=5).position("a2")
    wrong = cn.search(left, "df-pn", evaluator=narrow, nodes=100_000)
    assert (wrong.value, wrong.status) == (1.0, "converged")
    for proof in (0.0, 0.5, BESIDE):
        chosen = cn.Player("alpha-beta", evaluator=narrow, proof=proof, **QUICK)
        player = server(chosen, options={"size": 5}, resign=True)
        assert talk(player, "play b a2", "dfpn-solve-state w")[-1] == "= white"
        assert talk(player, "genmove w")[-1] != "= resign"
