"""The command line: one clear line for every kind of bad input, and the real program in its process."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
from pathlib import Path

import pytest

from command_line import Run, program, runner


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    return runner(capsys, monkeypatch, tmp_path)


# Bad input


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("frobnicate", "no such command 'frobnicate'"),
        ("--frobnicate", "no such option"),
        ("analyze", "missing argument 'GAME'"),
        ("analyze connect-four extra", "unexpected extra argument"),
        ("analyze connect-four --serch best-first", "did you mean"),
        ("analyze connect-four --position", "requires an argument"),
        ("analyze conect-four", "unknown game 'conect-four'; did you mean 'connect-four'?"),
        ("analyze connect-four --search best-frist", "did you mean 'best-first'?"),
        ("analyze random-tree --set complet=true", "did you mean 'complete'?"),
        ("analyze random-tree --set complete=maybe", "must be true or false, not 'maybe'"),
        (
            "analyze othello --set complete=true",
            "plays minmax-approximation, which has no parameter 'complete'",
        ),
        ("analyze connect-four --set complete", "'complete' is not of the form name=value"),
        ("analyze connect-four --set =true", "not of the form name=value"),
        ("analyze connect-four --set nodes=7", "'nodes' is none"),
        ("analyze connect-four --set trace=true", "'trace' is none"),
        ("analyze connect-four --game-option size=3", "unknown parameter of connect-four 'size'"),
        ("analyze uniform-tree --game-option width=0", "width of uniform-tree must be"),
        ("analyze uniform-tree --game-option width", "not of the form name=value"),
        ("analyze connect-four --position 48", "bad character '8' at move 2"),
        ("analyze connect-four --position 4444444", "column 4 is full"),
        ("analyze connect-four --position 1212121", "the game is over in this position"),
        ("analyze connect-four --expansions 0", "'--expansions': '0' is not a whole number from 1 up"),
        ("analyze connect-four --nodes -5", "'--nodes': '-5' is not a whole number from 1 up"),
        ("analyze connect-four --move-calls 1.5", "'--move-calls': '1.5' is not a whole number"),
        ("analyze connect-four --memory 2X", "'--memory': '2X' is not a whole number"),
        ("analyze connect-four --nodes 1e999999999", "is not a whole number"),
        ("analyze connect-four --seconds 0", "'--seconds': '0' is not a positive number"),
        ("analyze connect-four --seconds nan", "'nan' is not a positive number"),
        ("analyze connect-four --seconds soon", "'soon' is not a positive number"),
        ("analyze connect-four --tree tree.json", "--tree goes with the game explicit-tree"),
        ("analyze explicit-tree", "needs --tree FILE.json"),
        ("analyze explicit-tree --tree no.json", "no.json"),
        ("analyze explicit-tree --tree nim.py", "nim.py is not JSON"),
        ("analyze explicit-tree --tree deep.json", "nested too deeply"),
        ("analyze explicit-tree --tree tree.json --game-option a=1", "no game options"),
        ("analyze no.py:Nim", "there is no readable file no.py"),
        ("analyze no_such_module:Nim", "there is no Python module 'no_such_module'"),
        ("analyze :Nim", "there cannot be a Python module ''"),
        ("analyze nim.py:Nam", "there is no game class 'Nam' in nim.py; did you mean 'Nim'?"),
        ("analyze json:JSONDecoder", "write a subclass of conspirator.Game"),
        ("analyze nim.py:Nim --game-option size=3", "'size'"),
        ("analyze nim.py:Nim --position '(3,'", "is not a Python literal"),
        ("analyze nim.py:Nim --position '(0, 1)'", "the game is over in this position"),
        ("play connect-four --human third", "'third' is not one of 'first', 'second', 'none'"),
        ("play connect-four --search none-such", "unknown search 'none-such'"),
        ("play connect-four --position 1212121", "the game is over in this position"),
        ("play connect-four --seconds -1", "'-1' is not a positive number"),
        ("completion tcsh", "'tcsh' is not one of"),
        ("completion", "missing argument"),
        ("games everything", "unexpected extra argument"),
    ],
)
def test_bad_input_is_one_line(run: Run, line: str, words: str) -> None:
    code, output, errors = run(line)
    assert code == 2
    assert output == ""
    assert errors.startswith("error: ")
    assert errors.count("\n") == 1
    assert errors.endswith("\n")
    assert words.lower() in errors.lower()


@pytest.mark.parametrize(
    ("line", "last", "first_frame"),
    [
        ("analyze nim.py:Broken", "ZeroDivisionError", "nim.py"),
        ("analyze needs:Game", "a_module_that_is_not_there", "needs.py"),
    ],
)
def test_a_mistake_in_the_users_game_shows_its_own_traceback(
    run: Run, line: str, last: str, first_frame: str
) -> None:
    code, _, errors = run(line)
    assert code == 1
    assert errors.startswith("Traceback")
    assert first_frame in errors.splitlines()[1]
    assert last in errors


# The real program


def test_a_closed_pipe_is_silent() -> None:
    process = program("games", "--json", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    assert process.stderr.read() == b""
    process.stderr.close()
    process.wait()


def test_progress_vanishes_and_an_interrupt_shows_the_answer_so_far() -> None:
    terminal, slave = pty.openpty()
    process = program(
        "analyze", "connect-four", "--seconds", "30", "--search", "alpha-beta",
        stdout=subprocess.PIPE, stderr=slave, env={**os.environ, "TERM": "xterm", "COLUMNS": "100"},
    )  # fmt: skip
    os.close(slave)
    shown = b""
    while b"of 30 seconds" not in shown:
        shown += os.read(terminal, 1000)
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=120)
    while True:
        try:
            shown += os.read(terminal, 1000)
        except OSError:  # how Linux says that the other end is closed
            break
    os.close(terminal)
    assert process.returncode == 0
    assert b"expansions" in shown
    assert shown.endswith(b"\x1b[2K")  # the line is erased
    assert "interrupted: the answer so far" in output.decode()
    assert "\x1b" not in output.decode()


def test_colours_follow_the_environment() -> None:
    line = ["analyze", "connect-four", "--position", "4453", "--expansions", "9"]

    def output(**environment: str) -> str:
        process = program(*line, stdout=subprocess.PIPE, env={**os.environ, "TERM": "xterm", **environment})
        return process.communicate()[0].decode()

    assert "\x1b[1;33mX" in output(FORCE_COLOR="1")
    assert "33m" not in output(FORCE_COLOR="1", NO_COLOR="1")
