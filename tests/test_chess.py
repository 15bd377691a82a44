"""Chess: rules and notation against python-chess, draws, tactics, bounds, and mistakes."""

from __future__ import annotations

from random import Random
from typing import Any

import chess
import pytest

import conspirator as cn
from conspirator._certain import NEED_A_MODEL
from helpers import HERE, is_one_line, random_line

GAME = cn.games.Chess()
WIN = 20_000.0
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


def outcome(board: chess.Board) -> float | None:
    """Return the value of a finished game by the rules of python-chess, draws claimed as soon as possible."""
    if board.is_checkmate():
        return -WIN if board.turn == chess.WHITE else WIN
    drawn = board.is_stalemate() or board.is_insufficient_material() or board.is_repetition(3)
    return 0.0 if drawn or board.halfmove_clock >= 100 else None


def compare(position: cn.Position, board: chess.Board) -> None:
    """Check that both say the same of a position."""
    assert position.outcome == outcome(board)
    assert position.notation().split(" moves ")[0].split()[2] == board.fen().split()[2]
    if position.outcome is None:
        moves = {move.uci(): board.san(move) for move in board.legal_moves}
        assert {move: position.describe(move) for move in position.moves()} == moves
    if " moves " not in position.notation():
        assert position.notation() == board.fen()


@pytest.mark.parametrize("seed", range(60))
def test_random_games_against_python_chess(seed: int) -> None:
    random, board = Random(seed), chess.Board()
    position = GAME.start()
    while True:
        compare(position, board)
        if position.outcome is not None or board.ply() > 250:
            return
        move = random.choice(position.moves())
        position = position.play(random.choice([move, position.describe(move)]))
        board.push_uci(move)


@pytest.mark.parametrize(
    "fen",
    [
        "8/8/4k3/8/8/3K1N2/8/8 w - - 0 1",
        "8/8/4k3/8/8/3KNN2/8/8 w - - 90 80",
        "8/8/4k1b1/8/8/2K3B1/8/8 b - - 0 1",
        "8/8/4kb2/8/8/3K2B1/8/8 b - - 0 1",
        "8/8/4k1n1/8/8/3K2N1/8/8 w - - 3 9",
        "4k3/8/8/8/8/8/8/4K2R w K - 96 70",
        "4k3/8/8/8/8/8/4p3/4K3 b - - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    ],
)
def test_end_games_against_python_chess(fen: str) -> None:
    for seed in range(15):
        random, board, position = Random(seed), chess.Board(fen), GAME.position(fen)
        for _ in range(60):
            compare(position, board)
            if position.outcome is not None:
                break
            move = random.choice(position.moves())
            position = position.play(move)
            board.push_uci(move)


def test_perft() -> None:
    game = cn.games.Chess(draws=False)
    lines = (HERE / "data/perft/chess.epd").read_text(encoding="utf-8").splitlines()
    for line in lines:
        if line[0] != "#":
            board, counts = line.split(" D1 ")
            first, second = counts.split(";")[:2]
            position = game.position(board)
            assert (position.perft(1), position.perft(2)) == (int(first), int(second.split()[1]))
    assert GAME.start().perft(4) == 197_281
    assert GAME.position(KIWIPETE).perft(3) == 97_862


def shuffle(times: int) -> str:
    return " ".join(["Nf3 Nf6 Ng1 Ng8"] * times)


@pytest.mark.parametrize(
    ("parameters", "notation", "expected"),
    [
        ({}, shuffle(1), None),
        ({}, shuffle(2), 0.0),
        ({}, f"{shuffle(1)} Nf3 Nf6 Ng1", None),
        ({"repetitions": 2}, "Nf3 Nf6 Ng1", None),
        ({"repetitions": 2}, shuffle(1), 0.0),
        ({"draws": False}, shuffle(9), None),
        ({}, "e4 e5 Ke2 Ke7 Ke1 Ke8 Ke2 Ke7 Ke1 Ke8", None),  # the first position had rights to castle
        ({}, "e4 e5 Ke2 Ke7 Ke1 Ke8 Ke2 Ke7 Ke1 Ke8 Ke2 Ke7", 0.0),
        ({}, "4k3/8/8/8/8/8/8/4K2R w - - 99 70 moves h1h2", 0.0),
        ({}, "7k/8/6K1/8/8/8/8/R7 w - - 99 70 moves a1a8", WIN),  # mate comes first
        ({"draws": False}, "4k3/8/8/8/8/8/8/4K2R w - - 99 70 moves h1h2", None),
        ({}, "8/8/4k3/8/8/3K1N2/8/8 w - - 0 1", 0.0),
        ({"draws": False}, "8/8/4k3/8/8/3K1N2/8/8 w - - 0 1", None),
        ({}, "f3 e5 g4 Qh4#", -WIN),
    ],
)
def test_outcomes(parameters: dict[str, Any], notation: str, expected: float | None) -> None:
    position = cn.games.Chess(**parameters).position(notation)
    assert position.outcome == expected
    assert (position.moves() == []) == (expected is not None)


@pytest.mark.parametrize(
    ("notation", "same"),
    [
        ("", "startpos"),
        ("e4 e5", "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"),
        ("1. e4 e5 2. Nf3 *", "startpos moves e2e4 e7e5 g1f3"),
        ("1.e4,e5,2.Nf3", "e2e4 e7e5 g1f3"),
        (KIWIPETE, f"fen {KIWIPETE}"),
        (f"{KIWIPETE} moves O-O 0-0-0", f"{KIWIPETE} moves e1g1 e8c8"),
        ("2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - bm Qg6; id WAC.001;",
         "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - -"),
        ("Nb1c3", "Nc3"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1 moves a8=Q+", "4k3/P7/8/8/8/8/8/4K3 w - - 0 1 moves a7a8q"),
    ],
)  # fmt: skip
def test_ways_to_write_a_position(notation: str, same: str) -> None:
    assert GAME.position(notation) == GAME.position(same)


@pytest.mark.parametrize(
    ("notation", "words"),
    [
        ("e5", "'e5' at move 1 is not a legal move, or not the only one; the moves there are a3 a4"),
        ("Nf3 Nf6 Nd4 Nd5 zz", "bad move 'zz' at move 5"),
        ("f3 e5 g4 Qh4 a3", "already over at move 5, 'a3'"),
        ("e4 e5 Bc4 Bc5 Ne4", "'Ne4' at move 5 is not a legal move"),
        ("4k3/8/8/8/8/8/8/8 w - - 0 1", "is not possible: write eight ranks"),
        ("4k3/8/8/8/8/8/8/4K3 x - - 0 1", "side to move is 'x'"),
        ("4k3/8/8/8/8/8/8/4K3 w KQ - 0 1", "rights to castle are 'KQ'"),
        ("4k3/8/8/8/8/8/8/3K3R w K - 0 1", "rights to castle are 'K'"),
        ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "'e6' is not the square that a pawn has just passed"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 101 1", "clock of moves without capture is '101'"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 0", "number of the move is '0'"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0", "write the number of the move"),
        ("4k3/8/8/8/8/8/8/4K3 w", "a board has squares, side to move"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 e4", "'e4' after the board"),
        ("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", "nobody in check who is not to move"),
    ],
)
def test_bad_notation(notation: str, words: str) -> None:
    with pytest.raises(cn.PositionError, match=words) as caught:
        GAME.position(notation)
    assert is_one_line(caught.value)


def test_describing_a_move_that_is_not_legal() -> None:
    with pytest.raises(cn.PositionError, match="'e5' is not a legal move here"):
        GAME.start().describe("e5")
    assert cn.games.ConnectFour().start().describe("4") == "4"


@pytest.mark.parametrize("evaluator", GAME.evaluators)
def test_both_colours_get_the_same(evaluator: str) -> None:
    for seed in range(10):
        for position in random_line(GAME.start(), Random(seed), 40):
            swapped = position.swapped()
            assert swapped is not None
            assert swapped.evaluate(evaluator) == -position.evaluate(evaluator)


MATES = [
    ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8"),
    ("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 0 4", "h5f7"),
    ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", "a1a6"),
]


@pytest.mark.parametrize(("board", "move"), MATES)
@pytest.mark.parametrize("evaluator", [None, "captures"])
@pytest.mark.parametrize("parameters", [{}, {"keys": "board"}, {"draws": False}])
def test_mates(board: str, move: str, parameters: dict[str, Any], evaluator: str | None) -> None:
    position = cn.games.Chess(**parameters).position(board)
    result = cn.search(position, "alpha-beta", evaluator=evaluator, table=True, seconds=60)
    assert (result.move, result.value, result.status) == (move, WIN, "proven")
    if result.depth > 2:
        return  # enough for a depth-first search; a proof would have to find the quiet move among many
    for name in (None, "df-pn", "proof-number"):
        solution = cn.solve(position, name, expansions=200_000)
        assert (solution.outcome, solution.move) == ("win", move), name


def test_every_search_runs() -> None:
    position = GAME.position(KIWIPETE)
    for name in cn.searches().keys() - {"end-game", *NEED_A_MODEL}:  # games of chess are too long for it
        expansions = 30 if name == "minmax-approximation" else 300  # it values all replies
        result = cn.search(position, name, evaluator="threats", expansions=expansions)
        assert result.move in position.moves()
        if result.has_tree:
            result.tree.check()


def test_the_other_sides_threat_is_a_bound() -> None:
    hanging = "4k3/8/8/3p4/4N3/8/8/4K3 w - - 0 1"
    position = GAME.position(hanging)
    nodes = cn.search(position, "conspiracy", evaluator="threats", expansions=1).tree.root.children
    for node in nodes:
        if position.describe(node.move).endswith("+"):
            assert node.bounds is None  # a player in check cannot wait and see
            continue
        assert node.bounds is not None
        upper, lower = node.bounds  # Black is to move: what White threatens is how far up it can go
        assert (lower, upper[0], len(upper)) == ([node.value], node.value, 2)
    assert cn.search(GAME.position(hanging), "conspiracy", expansions=1).tree.root.children[0].bounds is None


def test_sorted_moves_are_the_same_moves() -> None:
    """Captures come first, by what they gain; what a pawn can take back counts as lost."""
    for evaluator in ("material(sort=true)", "captures(sort=true)", "threats(sort=true)"):
        for position in random_line(GAME.start(), Random(1), 100):
            assert sorted(position.moves()) == sorted(position.candidates(evaluator))
        hanging = GAME.position("4k3/1p6/q1r5/8/2N5/8/8/1R2K2B w - - 0 1")
        first = hanging.candidates(evaluator)[:2]
        assert [hanging.describe(move) for move in first] == ["Bxc6+", "Rxb7"]
        result = cn.search(hanging, "best-first", evaluator=evaluator, expansions=1)
        assert [child.move for child in result.tree.root.children][:2] == first
