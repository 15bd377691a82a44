"""Engines of another kind in a match: small programs that speak UCI and GTP, well and badly."""

from __future__ import annotations

import resource
import shlex
import sys
from pathlib import Path

import pytest

import conspirator as cn
from conspirator.matches import engines
from helpers import is_one_line

UCI = """
import sys
import conspirator as cn

game = cn.games.ConnectFour()
for line in sys.stdin:
    words = line.split()
    with open(sys.argv[1], "a") as log:
        print(line.strip(), file=log)
    match words:
        case ["uci"]:
            print("id name small\\noption name Hash type spin\\nuciok", flush=True)
        case ["isready"]:
            print("readyok", flush=True)
        case ["position", *rest]:
            moves = rest[rest.index("moves") + 1 :] if "moves" in rest else []
            before = rest[: rest.index("moves")] if "moves" in rest else rest
            position = game.start() if before == ["startpos"] else game.position(" ".join(before[1:]))
            for move in moves:
                position = position.play(move)
        case ["go", *limits]:
            result = cn.search(position, "best-first", expansions=20)
            value = result.value - 512 if position.to_move == "max" else 512 - result.value
            print(f"info depth 1 score cp {value:.0f} nodes {result.nodes}", flush=True)
            print(f"bestmove {result.move} ponder 1", flush=True)
        case ["quit"]:
            break
"""

GTP = """
import sys
import conspirator as cn

game = cn.games.Hex(size=3)
position = game.start()
for line in sys.stdin:
    with open(sys.argv[1], "a") as log:
        print(line.strip(), file=log)
    match line.split():
        case ["boardsize", size]:
            game = cn.games.Hex(size=int(size))
        case ["clear_board"]:
            position = game.start()
        case ["play", colour, move]:
            assert (colour == "black") == (position.to_move == "max")
            position = position.play(move)
        case ["genmove", colour]:
            assert (colour == "black") == (position.to_move == "max")
            move = cn.search(position, "best-first", expansions=9).move
            position = position.play(move)
            print(f"= {move.upper()}\\n", flush=True)
            continue
        case ["quit"]:
            print("=\\n", flush=True)
            break
        case _:
            print("? unknown command\\n", flush=True)
            continue
    print("=\\n", flush=True)
"""


def command(folder: Path, code: str) -> str:
    """Write a program into the folder and return the command that runs it."""
    (folder / "engine.py").write_text(code)
    return shlex.join([sys.executable, str(folder / "engine.py"), str(folder / "log")])


def be_patient(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """Let engines take so long for an answer; a busy machine may need seconds to start one."""
    monkeypatch.setattr(engines, "PATIENCE", seconds)


def test_a_uci_engine(tmp_path: Path) -> None:
    spec = f"E=uci:nodes=50,Hash=16,command={command(tmp_path, UCI)}"
    twin = "T=best-first:expansions=20"
    result = cn.match([spec, "B=best-first:expansions=3"], plies=1)
    same = cn.match([twin, "B=best-first:expansions=3"], plies=1)
    assert [record.moves for record in result.records] == [record.moves for record in same.records]
    log = (tmp_path / "log").read_text().splitlines()
    assert log[:3] == ["uci", "setoption name Hash value 16", "ucinewgame"]
    assert log.count("uci") == 1, "one engine for all games"
    assert "go nodes 50" in log
    assert "position startpos moves 1" in log
    assert log[-1] == "quit"
    first = result.records[0].statistics
    assert all(nodes is not None for nodes in first["nodes"])
    values = list(zip(first["side"], first["value"], strict=True))
    assert all(isinstance(value, float) for _, value in values)


def test_an_engine_hears_where_a_game_begins(tmp_path: Path) -> None:
    spec = f"E=uci:seconds=0.05,command={command(tmp_path, UCI)}"
    result = cn.match([spec, "B=best-first:expansions=3"], openings=["4453"])
    assert result.games == 2
    log = (tmp_path / "log").read_text()
    assert f"position fen {cn.games.ConnectFour().position('4453').notation()}\n" in log
    assert "go movetime 50\n" in log


def test_a_gtp_engine(tmp_path: Path) -> None:
    spec = f"E=gtp:seconds=0.5,command={command(tmp_path, GTP)}"
    game = cn.games.Hex(size=4)
    result = cn.match([spec, "B=best-first:expansions=3"], game, plies=1, games=6)
    same = cn.match(["T=best-first:expansions=9", "B=best-first:expansions=3"], game, plies=1, games=6)
    assert [record.moves for record in result.records] == [record.moves for record in same.records]
    log = (tmp_path / "log").read_text().splitlines()
    assert log[:3] == ["time_settings 0 0.5 1", "boardsize 4", "clear_board"]
    with pytest.raises(engines.EngineError, match="begins with moves"):
        cn.match([spec, "B=best-first:expansions=3"], game, openings=["white a1"])


def test_a_gtp_engine_hears_openings_that_are_written_as_moves(tmp_path: Path) -> None:
    spec = f"E=gtp:setup=name; version,command={command(tmp_path, GTP)}"
    with pytest.raises(engines.EngineError, match="answers 'name' with '\\? unknown command'"):
        cn.match([spec, "B=best-first:expansions=3"], cn.games.Hex(size=4), openings=["a1"])
    spec = f"E=gtp:setup=clear_board ;boardsize 7,seconds=2,command={command(tmp_path, GTP)}"
    cn.match([spec, "B=best-first:expansions=3"], cn.games.Hex(size=4), openings=["b1 c2"])
    log = (tmp_path / "log").read_text().splitlines()
    log = log[log.index("name") + 2 :]
    assert log[:3] == ["clear_board", "boardsize 7", "time_settings 0 2 1"]
    assert log[3:7] == ["boardsize 4", "clear_board", "play black b1", "play white c2"]


@pytest.mark.parametrize(
    ("game", "plies"), [(cn.games.Hex(size=4), 1), (cn.games.Othello(), 3), (cn.games.ConnectFour(), 1)]
)
def test_our_own_gtp_engine(game: cn.games.NativeGame, plies: int) -> None:
    """The same search in another process plays the same games."""
    code = shlex.quote("import sys; from conspirator.cli import main; sys.exit(main())")
    line = (
        f"{shlex.quote(sys.executable)} -c {code} gtp --game {game.name} --search best-first --expansions 9"
    )
    other = "B=best-first:expansions=3"
    played = cn.match([f"E=gtp:seconds=60,command={line}", other], game, plies=plies, games=4)
    same = cn.match(["E=best-first:expansions=9", other], game, plies=plies, games=4)
    assert [record.moves for record in played.records] == [record.moves for record in same.records]


def test_a_gtp_engine_may_give_up(tmp_path: Path) -> None:
    code = GTP.replace("= {move.upper()}", "= resign")
    result = cn.match(
        [f"E=gtp:{command(tmp_path, code)}", "B=best-first:expansions=3"], "hex", plies=1, games=2
    )
    assert [record.reason for record in result.records] == ["resigned", "resigned"]
    assert result.score("B").wins == 2


@pytest.mark.parametrize(
    ("kind", "code", "words"),
    [
        ("uci", UCI.replace("bestmove {result.move}", "bestmove 9"), "makes the move '9', which"),
        ("uci", UCI.replace("bestmove {result.move} ponder 1", "bestmove"), "makes the move ''"),
        ("uci", "pass", "ended after"),
        ("uci", "import time; print(1); time.sleep(60)", "has not answered 'uci' in 0.5 seconds"),
        ("uci", UCI.replace("result = cn.search", "sys.exit(3)  #"), "ended after 'go"),
        ("gtp", GTP.replace("clear_board", "clear"), "answers 'clear_board' with '? unknown command'"),
        ("gtp", GTP.replace("{move.upper()}", "z99"), "makes the move 'z99'"),
    ],
)  # fmt: skip
def test_bad_engines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, code: str, words: str
) -> None:
    be_patient(monkeypatch, 0.5 if "sleep" in code else 60.0)
    game = "connect-four" if kind == "uci" else cn.games.Hex(size=3)
    with pytest.raises(cn.ConspiratorError) as error:
        cn.match([f"E={kind}:{command(tmp_path, code)}", "B=best-first:expansions=3"], game, plies=1)
    assert words in str(error.value)
    assert is_one_line(error.value)


def test_engines_that_do_not_start() -> None:
    for words in ("no-such-engine", "'unclosed", "   "):
        with pytest.raises(cn.ConspiratorError, match=r"cannot start|needs its program"):
            cn.match([f"E=uci:{words}", "B=best-first:expansions=3"], plies=1)


def test_engines_in_several_processes(tmp_path: Path) -> None:
    spec = f"E=uci:nodes=50,command={command(tmp_path, UCI)}"
    one = cn.match([spec, "B=best-first:expansions=3"], plies=1)
    two = cn.match([spec, "B=best-first:expansions=3"], plies=1, concurrency=2)
    assert [record.moves for record in one.records] == [record.moves for record in two.records]


def test_an_engine_that_fails_loses_the_game_and_not_the_match(tmp_path: Path) -> None:
    """It ends in the middle of every game, and begins the next one with another process."""
    ask = 'case ["genmove", colour]'
    broken = GTP.replace(ask, f"{ask} if len(position.moves()) < 12:\n            break\n        {ask}")
    players = [f"E=gtp:seconds=2,command={command(tmp_path, broken)}", "B=best-first:expansions=3"]
    game = cn.games.Hex(size=4)
    with pytest.raises(engines.EngineError, match="ended after 'genmove"):
        cn.match(players, game, plies=1, games=4)
    result = cn.match(players, game, plies=1, games=4, adjudication={"forfeits": True})
    assert all(
        record.reason.startswith("forfeit: the engine ") and "ended after 'genmove" in record.reason
        for record in result.records
    )
    assert str(result.score("B")) == "4-0-0"
    assert result.definition["adjudication"]["forfeits"] is True


def test_an_engine_that_makes_an_illegal_move_forfeits(tmp_path: Path) -> None:
    wrong = GTP.replace("move.upper()", "'z9'")
    assert wrong != GTP
    players = [f"E=gtp:seconds=2,command={command(tmp_path, wrong)}", "B=best-first:expansions=3"]
    result = cn.match(players, cn.games.Hex(size=4), plies=1, games=2, adjudication={"forfeits": True})
    assert result.score("E").losses == 2
    assert result.records[0].reason.startswith("forfeit: E makes the move 'z9'")


FLOOD = "while True:\n                print('info string ' + 'x' * {width}, flush=True)"
LONG_LINE = "while True:\n                print('x' * 1000, end='', flush=True)"
GTP_FLOOD = "while True:\n                print('= and more', flush=True)"


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        ("uci", UCI.replace("result = cn.search", FLOOD.format(width=10) + "  #")),
        ("uci", UCI.replace("result = cn.search", FLOOD.format(width=100_000) + "  #")),
        ("uci", UCI.replace("result = cn.search", LONG_LINE + "  #")),
        ("gtp", GTP.replace("move = cn.search", GTP_FLOOD + "  #")),
        ("uci", UCI.replace("result = cn.search", "sys.stdin.read()  #")),
    ],
)
def test_an_engine_that_talks_and_does_not_answer_loses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, code: str
) -> None:
    be_patient(monkeypatch, 60.0)  # until it is asked for a move it behaves
    monkeypatch.setattr(engines, "LATEST", 0.6)
    game = "connect-four" if kind == "uci" else cn.games.Hex(size=3)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    spec = f"E={kind}:seconds=0.1,command={command(tmp_path, code)}"
    result = cn.match([spec, "B=best-first:expansions=3"], game, plies=1, games=2)
    assert (result.score("E").losses, result.games) == (2, 2)
    assert all("has not answered 'g" in record.reason for record in result.records)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000  # KiB
