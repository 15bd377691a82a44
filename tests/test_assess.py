"""Games of chess, judged by their values: PGN in, annotated PGN out, which python-chess reads back."""

from __future__ import annotations

import io
from pathlib import Path
from random import Random
from typing import Any

import chess.pgn
import pytest

import conspirator as cn
from command_line import Run, complaint_of, facts_of, result_of, runner
from conspirator._pgn import PgnGame, Remark, read_pgn
from conspirator.assess import Assessed, assess

GAMES = """[Event "Casual"]
[White "A \\"B\\""]
[Black "C"]
[Result "1-0"]

1. e4 e5 2. Bc4 {the bishop ( nice )} Nc6 (2... Nf6 3. d3 (3. d4 exd4) 3... Bc5) 3. Qh5 Nf6?? 4. Qxf7# 1-0

[White "D"]
[SetUp "1"]
[FEN "r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3"]
[Result "*"]

% not for us
3...g6 $1 4.Qf3 ; a threat {
Nf6 5.Ne2 Bg7 6. O-O 0-0 *
"""
PLAYER = cn.Player("alpha-beta", evaluator="captures(sort=true)", table=True, depth=3)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    (tmp_path / "games.pgn").write_text(GAMES)
    return runner(capsys, monkeypatch, tmp_path)


def read_back(text: str) -> list[chess.pgn.Game]:
    """Return the games of a text as python-chess reads them, without any error."""
    stream, found = io.StringIO(text), list[chess.pgn.Game]()
    while (game := chess.pgn.read_game(stream)) is not None:
        assert game.errors == []
        found.append(game)
    return found


def mainline(game: chess.pgn.Game) -> list[str]:
    board, words = game.board(), []
    for move in game.mainline_moves():
        words.append(board.san(move))
        board.push(move)
    return words


def test_games_are_read_as_others_read_them() -> None:
    ours, theirs = read_pgn(GAMES), read_back(GAMES)
    assert len(ours) == len(theirs) == 2
    for our, their in zip(ours, theirs, strict=True):
        position, words = our.start(), list[str]()
        for move in our.moves:
            words.append(position.describe(move))
            position = position.play(move)
        assert words == mainline(their)
        assert our.tags["White"] == their.headers["White"]


def shape(game: chess.pgn.Game) -> Any:
    """Return all of a game but remarks that are ours: moves, variations, comments, marks."""

    def walk(node: chess.pgn.GameNode) -> Any:
        own = (node.move, sorted(node.nags), node.comment.split()) if node.move else None
        return own, [walk(child) for child in node.variations]

    return walk(game)


def test_without_remarks_nothing_changes() -> None:
    again = "\n\n".join(game.with_remarks({}) for game in read_pgn(GAMES))
    in_brackets = GAMES.replace("; a threat {", "{a threat {}")  # others do not keep such a comment
    for before, after in zip(read_back(in_brackets), read_back(again), strict=True):
        assert shape(before) == shape(after)
        assert dict(before.headers) == dict(after.headers)


def test_remarks_stand_at_their_moves() -> None:
    random = Random(1)
    for game in read_pgn(GAMES):
        numbers = random.sample(range(1, len(game.moves) + 1), 4)
        text = game.with_remarks({number: Remark(2, f"remark {number}") for number in numbers})
        node: chess.pgn.GameNode = read_back(text)[0]
        for number in range(1, len(game.moves) + 1):
            node = node.variations[0]
            assert (f"remark {number}" in node.comment) == (number in numbers)
            assert (2 in node.nags) == (number in numbers and not game._is_marked(number))


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("", []),
        ("1.e4", [["e4"]]),
        ("e4 e5 *\n\nd4 d5 *", [["e4", "e5"], ["d4", "d5"]]),
        ("1. e4!! e5 $20 2. Nf3+?! 1-0", [["e4", "e5", "Nf3+"]]),
        ("1. e8=Q+ O-O-O 2. 0-0 b1Q#", [["e8=Q+", "O-O-O", "0-0", "b1Q#"]]),
        ("{1. d4} 1. e4 (1. c4 (1. b4)) 1... c5 {1-0} 0-1", [["e4", "c5"]]),
        ("1 e4 e5 2 Nf3", [["e4", "e5", "Nf3"]]),
    ],
)
def test_texts_of_games(text: str, moves: list[list[str]]) -> None:
    assert [game.moves for game in read_pgn(text)] == moves


def test_a_game_of_another_kind_is_refused() -> None:
    with pytest.raises(cn.PositionError, match="the game is Crazyhouse"):
        PgnGame({"Variant": "Crazyhouse"}).start()
    with pytest.raises(cn.PositionError, match="line 2: '§' is not understood"):
        read_pgn("1. e4\n§ e5")


# what moves cost


def test_what_moves_lose() -> None:
    game = read_pgn(GAMES)[0]
    found = assess(game.start(), game.moves, PLAYER)
    assert [judged.san for judged in found.moves] == ["e4", "e5", "Bc4", "Nc6", "Qh5", "Nf6", "Qxf7#"]
    marks = [judged.mark for judged in found.moves]
    assert (marks[:4], marks[5:]) == ([""] * 4, ["??", ""])
    blunder = found.moves[5]
    assert (blunder.player, blunder.after) == ("min", -20_000.0)
    position = cn.games.Chess().position("e4 e5 Bc4 Nc6 Qh5")
    for move in blunder.better:
        position = position.play(move)  # a line of legal moves
    assert blunder.better[0] != "Nf6"
    assert found.summary("min").marks == {"?!": 0, "?": 0, "??": 1}
    assert found.summary("max").mean_loss == pytest.approx(
        sum(judged.loss for judged in found.moves[::2]) / 4
    )


@pytest.mark.parametrize(
    ("before", "after", "loss", "mark"),
    [
        (30, 30, 0, ""),
        (30, 60, 0, ""),  # better than expected is no loss
        (30, -19, 49, ""),
        (30, -20, 50, "?!"),
        (0, -100, 100, "?"),
        (0, -300, 300, "??"),
        (20_000, 900, 100, "?"),
        (20_000, 1500, 0, ""),  # won is won
        (-1200, -20_000, 0, ""),
        (0, -20_000, 1000, "??"),
    ],
)
def test_marks(before: float, after: float, loss: int, mark: str) -> None:
    judged = Assessed(1, "max", "e2e4", "e4", before, after, [])
    assert (judged.loss, judged.mark) == (loss, mark)


def test_a_game_past_a_draw_is_judged_to_its_end() -> None:
    moves = ["Nf3", "Nf6", "Ng1", "Ng8"] * 3 + ["e4"]
    assert len(assess(cn.games.Chess().start(), moves, PLAYER.but(depth=1)).moves) == 13


@pytest.mark.parametrize(
    ("moves", "message"),
    [(["e5"], "move 1, e5, is not legal"), (["f3", "e5", "g4", "Qh4", "e4"], "over before move 5, e4")],
)
def test_games_that_cannot_be(moves: list[str], message: str) -> None:
    with pytest.raises(cn.PositionError, match=message):
        assess(cn.games.Chess().start(), moves, PLAYER)


def test_other_games_are_not_assessed() -> None:
    with pytest.raises(cn.ArgumentError, match="only games of chess"):
        assess(cn.games.Hex(size=3).start(), [], PLAYER)


# the command


def test_pgn_in_annotated_pgn_out(run: Run, tmp_path: Path) -> None:
    output = result_of(run, "blunders chess games.pgn --nodes 20k --annotate out.pgn")
    assert "3...  Black   Nf6??" in output
    assert "written: out.pgn" in output
    first, second = read_back((tmp_path / "out.pgn").read_text())
    assert mainline(first) == mainline(read_back(GAMES)[0])
    node: chess.pgn.GameNode = first
    for _ in range(6):
        node = node.variations[0]
    assert node.nags == {4}
    assert "centipawns" in node.comment
    assert "better 3... " in node.comment
    assert second.headers["FEN"].startswith("r1bqkbnr")


def test_the_command_as_json(run: Run) -> None:
    facts = facts_of(run, "blunders chess games.pgn --number 1 --nodes 20k")
    (game,) = facts["games"]
    assert (game["number"], game["tags"]["Black"], len(game["moves"])) == (1, "C", 7)
    assert (game["moves"][5]["san"], game["moves"][5]["mark"]) == ("Nf6", "??")
    assert game["black"]["marks"]["??"] == 1


def test_moves_and_positions_as_text(run: Run, tmp_path: Path) -> None:
    board = "'7k/5Q2/6K1/8/8/8/8/8 b - - 0 40'"
    output = result_of(run, "blunders chess 'f3 e5 g4 Qh4' --nodes 10k --annotate out.pgn")
    assert "g4??" in output
    (game,) = read_back((tmp_path / "out.pgn").read_text())
    assert (mainline(game), game.headers["Result"]) == (["f3", "e5", "g4", "Qh4#"], "0-1")
    complaint = complaint_of(run, f"blunders chess Kg8 --position {board} --nodes 1k")
    assert "game is over" in complaint
    result_of(
        run,
        "blunders chess 'Kd7 Kd5' --position '8/8/4k3/8/4K3/4P3/8/8 b - - 0 40' --nodes 1k --annotate o.pgn",
    )
    assert "40... Kd7" in (tmp_path / "o.pgn").read_text()


def test_chess_can_still_be_judged_by_proof(run: Run) -> None:
    facts = facts_of(run, "blunders chess 'f3 e5 g4 Qh4' --by proof --nodes 5k")
    assert facts["winner"] == "min"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("blunders chess none.pgn", "cannot read the game none.pgn"),
        ("blunders chess games.pgn --number 9", "games.pgn has no game 9; it has 2"),
        ("blunders chess games.pgn --position e4", "says where its games begin"),
        ("blunders chess bad.pgn --nodes 10", "game 2: move 2, Ke3, is not legal there"),
        ("blunders chess empty.pgn", "empty.pgn has no moves"),
        ("blunders hex games.pgn", "games.pgn is PGN"),
        ("blunders hex a1 --by evaluation", "--by evaluation is for chess"),
        ("blunders hex a1 --annotate x.pgn", "--annotate writes games of chess"),
        ("blunders chess e4 --annotate none/x.pgn", "there is no folder none"),
        ("blunders chess 'e4 e4'", "move 2, e4, is not legal there"),
    ],
)
def test_bad_input_is_one_line(run: Run, line: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "bad.pgn").write_text("1. e4 e5 *\n\n1. e4 Ke3 *")
    (tmp_path / "empty.pgn").write_text('[White "A"]\n\n*')
    assert words in complaint_of(run, line)
