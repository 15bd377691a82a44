"""Chess960: rules and notation against python-chess, the protocol of engines, and games in PGN."""

from __future__ import annotations

from pathlib import Path
from random import Random

import chess
import chess.pgn
import pytest

import conspirator as cn
from conspirator._pgn import read_pgn
from test_uci import talk

GAME = cn.games.Chess(chess960=True)
CASTLING = "r1k1r3/8/8/8/4p3/8/8/2KR3R w Dea - 0 1"


@pytest.mark.parametrize("number", [0, 42, 518, 959])
def test_positions_at_the_start(number: int) -> None:
    start = cn.games.Chess(chess960=True, start=number).start()
    assert start.notation() == chess.Board.from_chess960_pos(number).shredder_fen()


@pytest.mark.parametrize("seed", range(8))
def test_random_games_against_python_chess(seed: int) -> None:
    random = Random(seed)
    number = random.randrange(960)
    board = chess.Board.from_chess960_pos(number)
    position = cn.games.Chess(chess960=True, start=number, draws=False).start()
    for _ in range(120):
        moves = [move.uci() for move in board.legal_moves]
        assert sorted(position.moves()) == sorted(moves)
        assert GAME.position(board.fen(en_passant="fen")).moves() == position.moves()
        if not moves:
            break
        # castling is what matters here
        castling = [move.uci() for move in board.legal_moves if board.is_castling(move)]
        move = random.choice(castling or moves)
        assert position.describe(move) == board.san(chess.Move.from_uci(move))
        board.push_uci(move)
        position = position.play(move)
        assert position.notation().split(" moves ")[0].split()[2] == board.shredder_fen().split()[2]


@pytest.mark.parametrize(
    ("board", "counts"),
    [
        ("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", [21, 528, 12189]),
        ("2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9", [21, 807, 18002]),
    ],
)
def test_counts_of_lines(board: str, counts: list[int]) -> None:
    assert [GAME.position(board).perft(depth) for depth in (1, 2, 3)] == counts


def test_rights_by_files_or_by_the_outermost_rooks() -> None:
    outermost = GAME.position("r1k1r3/8/8/8/8/8/8/2KR3R w Kkq - 0 1")
    assert outermost.notation().split()[2] == "Hea"
    assert GAME.position(CASTLING).play("c1d1").play("O-O-O").notation().startswith("2krr3/")
    for rights in ("Q", "KQkqK", "x", "é", "Hh"):
        with pytest.raises(cn.PositionError, match="rights to castle"):
            GAME.position(f"r1k1r3/8/8/8/8/8/8/2KR3R w {rights} - 0 1")


def test_wrong_numbers() -> None:
    with pytest.raises(cn.ArgumentError, match="start is a number up to 959"):
        cn.games.Chess(chess960=True, start=960)
    with pytest.raises(cn.ArgumentError, match="needs chess960=True"):
        cn.games.Chess(start=7)


def test_an_engine_castles_as_it_is_told() -> None:
    board = "4k3/8/8/8/8/8/5PPP/4K2R w H - 0 1"
    usual = ["setoption name UCI_Chess960 value true", f"position fen {board} moves e1h1", "go nodes 100"]
    assert any(line.startswith("bestmove e8") for line in talk(*usual))
    ours = [
        "setoption name UCI_Chess960 value true",
        f"position fen {board}",
        "go nodes 500 searchmoves e1h1",
    ]
    assert any(line.startswith("bestmove e1h1") for line in talk(*ours))
    assert any("true or false" in line for line in talk("setoption name UCI_Chess960 value maybe"))


def test_a_game_in_pgn() -> None:
    board = chess.Board.from_chess960_pos(42)
    record = chess.pgn.Game.from_board(board)
    random, node = Random(1), record.end()
    while not node.board().is_game_over() and node.ply() < 60:
        legal = [*node.board().legal_moves]
        castling = [move for move in legal if node.board().is_castling(move)]
        node = node.add_variation(random.choice(castling or legal))
    (game,) = read_pgn(str(record))
    position = game.start()
    for move in game.moves:
        position = position.play(move)
    assert position.moves() == GAME.position(node.board().shredder_fen()).moves()


def test_certificates_have_no_castling(tmp_path: Path) -> None:
    solution = cn.solve(GAME.position("6k1/5ppp/8/8/8/8/8/R3K3 w A - 0 1"), seconds=20)
    assert solution.value == 20_000
    with pytest.raises(cn.ArgumentError, match="nobody can castle"):
        solution.proof.save(tmp_path / "mate.proof")
