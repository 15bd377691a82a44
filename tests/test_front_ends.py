"""The players for other programs as those run them: in a process of its own, through pipes."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Iterator

import pytest

from command_line import program


class Engine:
    """A process that is asked one line after the other."""

    def __init__(self, *arguments: str) -> None:
        self.process = program(
            *arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )

    def write(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def line(self) -> bytes:
        assert self.process.stdout is not None
        return self.process.stdout.readline()

    def ask(self, command: bytes) -> bytes:
        """Return the answer to a command of the Go Text Protocol, line ends and all."""
        self.write(command + b"\n")
        answer = b""
        while not answer.endswith(b"\n\n"):
            more = self.line()
            assert more, answer
            answer += more
        return answer

    def end(self) -> tuple[int, bytes]:
        """Return the exit code, and what was written to the error stream."""
        _, errors = self.process.communicate(timeout=120)
        return self.process.returncode, errors


@pytest.fixture
def engines() -> Iterator[list[Engine]]:
    started: list[Engine] = []
    yield started
    for engine in started:
        engine.process.kill()
        engine.process.communicate()


def start(engines: list[Engine], *arguments: str) -> Engine:
    engines.append(Engine(*arguments))
    return engines[-1]


def test_two_players_of_hex(engines: list[Engine]) -> None:
    """Two processes play each other, as a match runner would let them."""
    players = {
        b"black": start(engines, "gtp", "--game", "hex", "--size", "4", "--nodes", "2k"),
        b"white": start(engines, "gtp", "--game", "hex", "--search", "best-first", "--expansions", "50"),
    }
    for player in players.values():
        assert player.ask(b"boardsize 4 4") == b"=\n\n"
        assert player.ask(b"clear_board") == b"=\n\n"
    colours = [b"black", b"white"]
    for _ in range(16):
        mover, other = (players[colour] for colour in colours)
        answer = mover.ask(b"genmove " + colours[0])
        assert answer.startswith(b"= ")
        assert other.ask(b"play " + colours[0] + b" " + answer[2:-2]) == b"=\n\n"
        score = other.ask(b"final_score")
        assert mover.ask(b"final_score") == score
        colours.reverse()
        if score.startswith(b"="):
            break
    assert score == b"= " + colours[1][:1].upper() + b"+\n\n"
    for player in players.values():
        assert player.ask(b"3 quit") == b"=3\n\n"
        assert player.end() == (0, b"")


def test_every_byte_is_survived(engines: list[Engine]) -> None:
    engine = start(engines, "gtp", "--game", "othello", "--nodes", "100")
    engine.write(bytes(set(range(256)) - {10}) + b"\n")
    engine.write(b"\xff\xfe\r\n\r\n\x00\n")
    assert engine.line().startswith(b"? unknown command")
    assert engine.line() == b"\n"
    assert engine.line().startswith(b"? unknown command")
    assert engine.line() == b"\n"
    assert engine.ask(b"play b f5\r") == b"=\n\n"
    assert engine.ask(b"x" * 100_000) == b"? unknown command\n\n"
    assert engine.ask(b"1 name") == b"=1 conspirator\n\n"


@pytest.mark.parametrize("arguments", [["gtp", "--game", "connect-four"], ["nboard"]], ids=["gtp", "nboard"])
def test_the_end_of_input_is_quiet(engines: list[Engine], arguments: list[str]) -> None:
    assert start(engines, *arguments).end() == (0, b"")


@pytest.mark.parametrize("thinking", [False, True])
def test_an_interrupt_is_quiet(engines: list[Engine], thinking: bool) -> None:
    engine = start(engines, "gtp", "--game", "connect-four", "--seconds", "60")
    engine.ask(b"name")
    if thinking:
        engine.write(b"genmove b\nversion\n")
    engine.process.send_signal(signal.SIGINT)
    assert engine.end() == (0, b"")


def test_a_reader_who_leaves_is_no_error(engines: list[Engine]) -> None:
    engine = start(engines, "gtp", "--game", "connect-four")
    engine.ask(b"name")
    assert engine.process.stdout is not None
    engine.process.stdout.close()
    engine.write(b"name\n")
    assert engine.process.stderr is not None
    assert engine.process.stderr.read() == b""
    engine.process.wait(timeout=120)


def test_a_ping_ends_a_thought(engines: list[Engine]) -> None:
    """NBoard pings before it changes the board: an answer after the pong would be about another position."""
    engine = start(engines, "nboard")
    engine.write(b"nboard 2\nset depth 60\r\ngo\n")
    assert [engine.line() for _ in range(3)] == [
        b"set myname conspirator\n",
        b"set myname conspirator60\n",
        b"status thinking\n",
    ]
    engine.write(b"ping 7\nmove F5\nping 8\nquit\n")
    assert [engine.line() for _ in range(4)] == [b"status waiting\n", b"pong 7\n", b"pong 8\n", b""]
    assert engine.end() == (0, b"")


@pytest.mark.parametrize("thinking", [False, True])
def test_an_interrupt_of_nboard_is_quiet(engines: list[Engine], thinking: bool) -> None:
    engine = start(engines, "nboard")
    engine.write(b"set depth 60\n")
    assert engine.line() == b"set myname conspirator60\n"
    if thinking:
        engine.write(b"go\n")
        assert engine.line() == b"status thinking\n"
    engine.process.send_signal(signal.SIGINT)
    assert engine.end() == (0, b"")


def test_what_was_asked_is_answered_after_the_end_of_input(engines: list[Engine]) -> None:
    engine = start(engines, "nboard")
    output, errors = engine.process.communicate(b"set depth 4\ngo\nlearn\nping 3", timeout=120)
    assert errors == b""
    words = output.split(b"\n")
    assert words[:2] == [b"set myname conspirator4", b"status thinking"]
    assert words[-4:] == [b"status waiting", b"learned", b"pong 3", b""]
