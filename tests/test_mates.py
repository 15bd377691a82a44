"""Mates: every claim is checked move by move with python-chess, which knows nothing of our searches.

The problems are boards with few pieces on random squares, kept if there is a mate in two or three.
"""

from __future__ import annotations

from pathlib import Path

import chess
import chess.engine
import pytest

import conspirator as cn
from conspirator.front_ends.uci.engine import serve
from conspirator.mates import MateSearch, find_mate, proven_mate

PROBLEMS = [
    (line.partition(" dm ")[0], int(line.partition(" dm ")[2][0]))
    for line in (Path(__file__).parent / "data/chess/mates.epd").read_text().splitlines()
]


def can_mate(board: chess.Board, moves: int) -> bool:
    """Return whether the player to move mates in at most so many moves, by trying everything."""
    for move in board.legal_moves if moves else ():
        board.push(move)
        done = board.is_checkmate() or (moves > 1 and is_mated(board, moves - 1))
        board.pop()
        if done:
            return True
    return False


def is_mated(board: chess.Board, moves: int) -> bool:
    """Return whether every reply is followed by a mate in at most so many moves."""
    replies = list(board.legal_moves)
    for reply in replies:
        board.push(reply)
        done = can_mate(board, moves)
        board.pop()
        if not done:
            return False
    return bool(replies)


def after(board: chess.Board, line: list[str]) -> chess.Board:
    """Return the board after moves, all of which must be legal."""
    board = board.copy()
    for move in line:
        board.push_uci(move)
    return board


def talk(*lines: str) -> list[str]:
    said: list[str] = []
    serve(lines, said.append)
    return said


def last_info(said: list[str]) -> tuple[str, list[str]]:
    """Return the score and the line that were told last."""
    words = next(line for line in reversed(said) if " pv " in line).split()
    at = words.index("score")
    return " ".join(words[at + 1 : at + 3]), words[words.index("pv") + 1 :]


def test_there_are_thirty_problems() -> None:
    assert [moves for _, moves in PROBLEMS] == [2] * 15 + [3] * 15


@pytest.mark.parametrize(("epd", "moves"), PROBLEMS)
def test_the_mate_is_the_shortest_and_the_line_mates(epd: str, moves: int) -> None:
    board = chess.Board.from_epd(epd)[0]
    mate = find_mate(cn.games.Chess().position(epd), moves)
    assert mate is not None
    assert (mate.moves, len(mate.line)) == (moves, 2 * moves - 1)
    assert after(board, mate.line).is_checkmate()
    assert not can_mate(board, moves - 1), "there is no shorter one"
    assert is_mated(after(board, mate.line[:1]), moves - 1), "nothing helps against the first move"
    defended = after(board, mate.line[:2])
    assert not can_mate(defended, moves - 2), "the reply holds out longest"


@pytest.mark.parametrize("search", ["alpha-beta", "proof-number", "df-pn"])
@pytest.mark.parametrize(("epd", "moves"), PROBLEMS[::5])
def test_the_engine_tells_the_whole_line(epd: str, moves: int, search: str) -> None:
    said = talk(f"setoption name Search value {search}", f"position fen {epd} 0 1", "go nodes 3000000")
    score, line = last_info(said)
    assert (score, len(line)) == (f"mate {moves}", 2 * moves - 1)
    assert after(chess.Board.from_epd(epd)[0], line).is_checkmate()
    assert said[-1] == f"bestmove {line[0]} ponder {line[1]}"


@pytest.mark.parametrize(("epd", "moves"), PROBLEMS[::6])
def test_go_mate(epd: str, moves: int) -> None:
    score, line = last_info(talk(f"position fen {epd} 0 1", f"go mate {moves}"))
    assert (score, len(line)) == (f"mate {moves}", 2 * moves - 1)
    said = talk(f"position fen {epd} 0 1", f"go mate {moves - 1}")
    assert f"info string no mate in {moves - 1}" in said
    assert chess.Move.from_uci(said[-1].split()[1]) in chess.Board.from_epd(epd)[0].legal_moves


def test_go_mate_with_other_moves() -> None:
    said = talk("position fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "go mate 1 searchmoves a1a2")
    assert "info string a mate in 1 begins with a1a8, which is not among searchmoves" in said
    assert said[-1].startswith("bestmove a1a2")


def test_the_side_that_is_mated_holds_out() -> None:
    for epd, moves in PROBLEMS[15:18]:
        mate = find_mate(cn.games.Chess().position(epd), moves)
        assert mate is not None
        board = after(chess.Board.from_epd(epd)[0], mate.line[:1])
        score, line = last_info(talk(f"position fen {board.fen()}", "go nodes 3000000"))
        assert (score, len(line)) == (f"mate -{moves - 1}", 2 * moves - 2)
        assert after(board, line).is_checkmate()


@pytest.mark.parametrize(("epd", "moves"), PROBLEMS[15:])
def test_a_proof_bounds_the_length_of_the_mate(epd: str, moves: int) -> None:
    result = cn.search(cn.games.Chess().position(epd), "proof-number", nodes=100_000)
    mate = proven_mate(result.tree)
    if result.status != "proven":
        assert mate is None
        return
    assert mate is not None
    assert mate.moves >= moves
    assert not mate.exact
    assert len(mate.line) == mate.plies
    board = after(chess.Board.from_epd(epd)[0], mate.line)
    assert board.is_checkmate()


def test_the_engine_tells_a_bound_where_the_shortest_mate_is_not_known() -> None:
    said = talk("setoption name Search value proof-number", "position fen 3R4/8/7k/R7/8/7n/K7/8 w - - 0 1",
                "go nodes 4000")  # fmt: skip
    score, line = last_info(said)
    assert score.startswith("mate ")
    moves = int(score.split()[1])
    assert 3 <= moves == (len(line) + 1) // 2
    assert f"info string mate in at most {moves}" in said
    assert after(chess.Board("3R4/8/7k/R7/8/7n/K7/8 w - - 0 1"), line).is_checkmate()


def test_several_lines_begin_with_the_quickest_mate() -> None:
    said = talk(
        "setoption name MultiPV value 30",
        "position fen 6k1/8/8/8/8/8/R7/1R2K3 w - - 0 1",
        "go depth 6",
    )
    scores = [line.split()[line.split().index("score") + 1 :][:2] for line in said if " pv " in line]
    mates = [int(number) for kind, number in scores if kind == "mate"]
    assert mates[0] == 2
    assert mates == sorted(mates)
    assert [kind for kind, _ in scores] == ["mate"] * len(mates) + ["cp"] * (len(scores) - len(mates))


def test_a_win_of_unknown_length_is_no_mate() -> None:
    """A player that was made weaker leaves moves out: what it sees is no proof."""
    said = talk(
        "setoption name UCI_LimitStrength value true",
        "position fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1",
        "go depth 3",
    )
    assert last_info(said)[0] == "cp 20000"


@pytest.mark.parametrize(
    ("fen", "limits"),
    [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", {"moves": 2}),  # there is none
        ("8/8/8/8/4k3/8/8/4K2R w - - 0 1", {"moves": 99, "nodes": 500}),  # it is too far away
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", {"moves": 1}),  # stalemate
        ("6k1/6Q1/6K1/8/8/8/8/8 b - - 0 1", {"moves": 1}),  # it has happened
        ("6k1/8/6K1/8/8/8/8/R7 w - - 100 90", {"moves": 9, "nodes": 1}),
    ],
)
def test_no_mate(fen: str, limits: dict[str, int]) -> None:
    assert find_mate(cn.games.Chess().position(fen), **limits) is None


def test_a_search_that_was_stopped_finds_nothing() -> None:
    search = MateSearch(cn.games.Chess().start(), 40)
    search.stop()
    assert search.run() is None


def test_fifty_moves_are_a_draw() -> None:
    fen = "6k1/8/8/8/8/8/R7/1R2K3 w - - {} 90"
    mate = find_mate(cn.games.Chess().position(fen.format(97)), 3)
    assert mate is not None
    assert mate.moves == 2
    assert find_mate(cn.games.Chess().position(fen.format(98)), 3, nodes=200_000) is None


def test_bad_questions() -> None:
    with pytest.raises(cn.ArgumentError, match="one move at least"):
        find_mate(cn.games.Chess().start(), 0)
    with pytest.raises(cn.ArgumentError, match="looked for in chess"):
        find_mate(cn.games.Hex(size=3).start(), 1)
