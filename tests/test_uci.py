"""The engine: python-chess as its client, and nonsense of all kinds."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import chess
import chess.engine
import pytest

from conspirator.front_ends.uci import Engine, Go, Options, serve
from conspirator.front_ends.uci.options import ELO, level_of

COMMAND = [sys.executable, "-c", "from conspirator.cli import main; main(['uci'])"]


@pytest.fixture
def engine() -> Iterator[chess.engine.SimpleEngine]:
    with chess.engine.SimpleEngine.popen_uci(COMMAND, timeout=180) as engine:
        yield engine


def processor_seconds(engine: chess.engine.SimpleEngine) -> float:
    """Return the CPU time that the engine has used: other programs do not count."""
    facts = Path(f"/proc/{engine.transport.get_pid()}/stat").read_text().rpartition(")")[2].split()
    return (int(facts[11]) + int(facts[12])) / os.sysconf("SC_CLK_TCK")


def talk(*lines: str) -> list[str]:
    """Return what the engine says to these lines, each answered before the next."""
    said: list[str] = []
    serve(lines, said.append)
    return said


def test_it_introduces_itself() -> None:
    said = talk("uci", "isready")
    assert said[0].startswith("id name conspirator")
    assert said[-2:] == ["uciok", "readyok"]
    assert any(line.startswith("option name Search type combo default alpha-beta") for line in said)


@pytest.mark.parametrize("search", ["alpha-beta", "best-first"])
def test_whole_games(engine: chess.engine.SimpleEngine, search: str) -> None:
    engine.configure({"Search": search})
    random, board = Random(1), chess.Board()
    while not board.is_game_over(claim_draw=True) and board.ply() < 120:
        if board.turn == chess.WHITE:
            move = engine.play(board, chess.engine.Limit(nodes=2000)).move
            assert move is not None
            assert move in board.legal_moves
            board.push(move)
        else:
            board.push(random.choice(list(board.legal_moves)))
    if search == "alpha-beta":
        assert board.outcome() is not None
        assert board.result() == "1-0"  # random moves lose


def test_it_never_loses_on_time(engine: chess.engine.SimpleEngine) -> None:
    board, clocks = chess.Board(), [1.0, 1.0]
    while not board.is_game_over(claim_draw=True) and board.ply() < 80:
        limit = chess.engine.Limit(
            white_clock=clocks[0], black_clock=clocks[1], white_inc=0.01, black_inc=0.01
        )
        used = processor_seconds(engine)
        move = engine.play(board, limit).move
        side = 0 if board.turn == chess.WHITE else 1
        clocks[side] -= processor_seconds(engine) - used
        assert clocks[side] > 0
        clocks[side] += 0.01
        assert move is not None
        board.push(move)
    assert board.ply() > 20


def test_analysis_with_several_lines(engine: chess.engine.SimpleEngine) -> None:
    board = chess.Board("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1")
    lines = engine.analyse(board, chess.engine.Limit(time=2), multipv=3)
    assert len({line["pv"][0] for line in lines}) == 3
    scores = [line["score"].white() for line in lines]
    assert scores == sorted(scores, reverse=True)
    assert (lines[0]["pv"][0], scores[0]) == (chess.Move.from_uci("a1a8"), chess.engine.Mate(1))


def test_only_some_moves(engine: chess.engine.SimpleEngine) -> None:
    board = chess.Board()
    moves = [chess.Move.from_uci(move) for move in ("a2a3", "h2h4")]
    for limit in (chess.engine.Limit(nodes=5000), chess.engine.Limit(depth=3), chess.engine.Limit(time=0.2)):
        assert engine.play(board, limit, root_moves=moves).move in moves


def test_pondering(engine: chess.engine.SimpleEngine) -> None:
    board = chess.Board()
    for _ in range(3):
        played = engine.play(board, chess.engine.Limit(time=0.1), ponder=True)
        assert played.move is not None
        board.push(played.move)
        # the move that was expected, or another one
        board.push(played.ponder or next(iter(board.legal_moves)))


def test_stopping(engine: chess.engine.SimpleEngine) -> None:
    for search in ("alpha-beta", "conspiracy"):
        engine.configure({"Search": search})
        with engine.analysis(chess.Board()) as analysis:
            time.sleep(0.3)
            analysis.stop()
            used = processor_seconds(engine)
            assert analysis.wait().move is not None
            assert processor_seconds(engine) - used < 0.5
            assert "pv" in analysis.info


NONSENSE = [
    "fly", "go depth", "go depth x", "go movetime -1", "setoption", "setoption name Hash value many",
    "setoption name Search value magic", "setoption name Parameters value depth=-1", "setoption name Wings",
    "position", "position fen 8/8 w", "position startpos moves e2e5", "position moves", "", "\x00",
    "stop", "ponderhit",    "go searchmoves e2e5 depth 1", "uci uci", "setoption name value", "d\N{SNOWMAN}",
]  # fmt: skip


def test_nonsense_does_not_stop_it() -> None:
    for line in NONSENSE:
        said = talk(line, "isready")
        assert "readyok" in said
    random = Random(1)
    words = [*" ".join(NONSENSE).split(), "startpos", "moves", "e2e4", "fen", "value", "go", "nodes", "10"]
    lines = [" ".join(random.choices(words, k=random.randint(1, 6))) for _ in range(300)]
    said = talk(*lines, "position startpos", "isready", "go nodes 100")
    assert said[-1].startswith("bestmove ")


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["position startpos moves e2e5"], "info string 'e2e5' at move 1 is not a legal move"),
        (["position fen 8/8 w"], "info string "),
        (
            ["setoption name Search value magic"],
            "info string there is no search 'magic'; there are",
        ),
        (["fly"], "info string unknown command 'fly'"),
        (["position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "go nodes 10"], "bestmove 0000"),
        (["position fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "go depth 3"], "bestmove a1a8"),
    ],
)
def test_what_it_says(lines: list[str], expected: str) -> None:
    assert any(line.startswith(expected) for line in talk(*lines))


SHUFFLE = "g1f3 g8f6 f3g1 f6g8"


@pytest.mark.parametrize("more", ["", " g1f3", " g1f3 g8f6 e2e4"])
@pytest.mark.parametrize("times", [1, 2, 3, 30])
def test_a_repetition_on_the_board_is_no_end(more: str, times: int) -> None:
    moves = " ".join([SHUFFLE] * times) + more
    said = talk(f"position startpos moves {moves}", "go nodes 500")
    board = chess.Board()
    for move in moves.split():
        board.push_uci(move)
    assert chess.Move.from_uci(said[-1].split()[1]) in board.legal_moves
    assert not any(line.startswith("info string") for line in said)


@pytest.mark.parametrize("search", ["alpha-beta", "best-first", "conspiracy", "uct", "df-pn"])
@pytest.mark.parametrize(
    "fen",
    [
        "8/8/4k3/8/8/3QK3/8/8 w - - 99 80",  # with the next move a draw can be claimed
        "8/8/4k3/8/8/3QK3/8/8 b - - 100 80",  # it could have been
        "8/8/4k3/8/8/4K3/8/8 w - - 0 1",  # nobody can win
    ],
)
def test_a_game_goes_on_past_a_draw(fen: str, search: str) -> None:
    said = talk(f"setoption name Search value {search}", f"position fen {fen}", "go nodes 500")
    board = chess.Board(fen)
    assert chess.Move.from_uci(said[-1].split()[1]) in board.legal_moves


@pytest.mark.parametrize(
    ("start", "plies"),
    [
        (f"startpos moves {SHUFFLE} {SHUFFLE} {SHUFFLE}", 30),  # past repetitions
        ("fen 8/8/4k3/8/8/3QK3/8/8 w - - 95 80", 30),  # past fifty moves
    ],
)
def test_whole_games_past_draws_with_a_real_client(start: str, plies: int) -> None:
    """The client never claims a draw: every answer is a legal move as long as there is one."""
    words = start.split()
    at = words.index("moves") if "moves" in words else len(words)
    board = chess.Board() if words[0] == "startpos" else chess.Board(" ".join(words[1:at]))
    for move in words[at + 1 :]:
        board.push_uci(move)
    with chess.engine.SimpleEngine.popen_uci(COMMAND, timeout=180) as engine:
        for _ in range(plies):
            if board.is_checkmate() or board.is_stalemate():
                break
            answer = engine.play(board, chess.engine.Limit(nodes=200))
            assert answer.move is not None
            assert answer.move in board.legal_moves
            board.push(answer.move)


def test_a_position_that_cannot_be_read_is_no_position() -> None:
    said = talk("position startpos moves e2e4", "position startpos moves e2e5", "go nodes 100")
    assert said[-1] == "bestmove 0000"


@pytest.mark.parametrize(
    ("limits", "seconds"),
    [
        ({"movetime": 100}, 0.07),
        ({"wtime": 60_000}, 1.97),
        ({"wtime": 100}, 0.001),
        ({"wtime": 1000, "movestogo": 1}, 0.47),
        ({"btime": 1000}, None),
        ({"nodes": 5}, None),
    ],
)
def test_time_for_a_move(limits: dict[str, int], seconds: float | None) -> None:
    found = Go(limits).seconds(True, 0.03)
    assert found == (None if seconds is None else pytest.approx(seconds, abs=0.004))


def test_trees_tell_their_interval() -> None:
    said = talk("setoption name Search value conspiracy", "position startpos", "go nodes 5000")
    assert any(line.startswith("info string with one conspirator") for line in said)
    assert any(" pv " in line for line in said)


def test_the_command_line() -> None:
    done = subprocess.run(
        COMMAND, input="uci\ngo nodes 100\n", capture_output=True, text=True, timeout=180, check=False
    )
    assert done.returncode == 0
    assert done.stdout.splitlines()[-1].startswith("bestmove ")


def test_an_engine_is_an_object() -> None:
    said: list[str] = []
    engine = Engine(said.append)
    assert engine.obey("isready")
    assert not engine.obey("quit")
    assert said == ["readyok"]


def options_of(said: list[str]) -> dict[str, str]:
    """Return what was announced of every option."""
    announced = [line.removeprefix("option name ") for line in said if line.startswith("option name ")]
    return {name: rest for name, _, rest in (line.partition(" type ") for line in announced)}


def test_what_it_announces() -> None:
    known = options_of(talk("uci"))
    assert known["Clear Hash"] == "button"
    assert known["Threads"] == f"spin default 1 min 1 max {os.cpu_count()}"
    assert known["UCI_LimitStrength"] == "check default false"
    assert known["UCI_Elo"] == f"spin default {ELO[-1]} min {ELO[0]} max {ELO[-1]}"
    assert known["UCI_Chess960"] == "check default false"


@pytest.mark.parametrize(
    ("name", "value", "attribute", "expected"),
    [
        ("Threads", "0", "threads", 1),
        ("Threads", "100000", "threads", os.cpu_count()),
        ("MultiPV", "0", "multipv", 1),
        ("MULTIPV", "9999", "multipv", 218),
        ("Move Overhead", "-1", "overhead", 0),
        ("UCI_Elo", "1", "elo", ELO[0]),
        ("UCI_Elo", "9999", "elo", ELO[-1]),
        ("Hash", "0", "hash", 1),
        ("Hash", "128", "hash", 128),
        ("UCI_LimitStrength", "true", "limited", True),
    ],
)
def test_numbers_stay_in_their_range(name: str, value: str, attribute: str, expected: object) -> None:
    options = Options()
    options.set(name, value)
    assert getattr(options, attribute) == expected


def test_hash_fits_into_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("conspirator.front_ends.uci.options.default_memory", lambda: 300 << 20)
    options = Options()
    options.set("Hash", "65536")
    assert options.hash == 300
    assert "option name Hash type spin default 300 min 1 max 300" in list(options.announce())


def test_threads_go_to_searches_that_have_them() -> None:
    options = Options(threads=2)
    assert "threads" not in options.arguments({})
    options.set("Search", "df-pn")
    assert options.arguments({})["threads"] == 2


def test_a_limited_strength_is_a_level() -> None:
    options = Options(limited=True)
    assert list(ELO) == sorted(set(ELO)), "every level is stronger than the one below"
    for level, elo in enumerate(ELO, 1):
        options.set("UCI_Elo", str(elo))
        assert level_of(options.elo) == level
        assert options.nodes == 40 * 3**level
        assert f"width={level + 2}" in str(options.evaluator)
    options.limited = False
    assert (options.nodes, str(options.evaluator)) == (None, str(options.full))
    limited = ["setoption name UCI_LimitStrength value true", f"setoption name UCI_Elo value {ELO[0]}"]
    said = talk(*limited, "position startpos", "go nodes 100000")
    told = [int(line.split()[line.split().index("nodes") + 1]) for line in said if " pv " in line]
    assert max(told) <= 120


def test_a_client_sets_all_options(engine: chess.engine.SimpleEngine) -> None:
    engine.configure({"Clear Hash": None, "Threads": 1, "UCI_LimitStrength": True, "UCI_Elo": ELO[2]})
    assert engine.play(chess.Board(), chess.engine.Limit(time=5)).move is not None
    info = engine.analyse(chess.Board("6k1/8/8/8/8/8/R7/1R2K3 w - - 0 1"), chess.engine.Limit(mate=2))
    assert info["score"].white() != chess.engine.Mate(1)
    engine.configure({"UCI_LimitStrength": False})
    info = engine.analyse(chess.Board("6k1/8/8/8/8/8/R7/1R2K3 w - - 0 1"), chess.engine.Limit(mate=2))
    assert info["score"].white() == chess.engine.Mate(2)
