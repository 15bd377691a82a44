"""Running the command line in a test: a folder with a tree and a game, and what was printed."""

from __future__ import annotations

import io
import json
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from conspirator.cli import main


def leaf(value: float) -> dict[str, Any]:
    """Return a position as data that a search can leave unexpanded: the game goes on after it."""
    return {"value": value, "children": [{"value": value}]}


TREE = {
    "value": 0,
    "children": [
        {"value": 1, "children": [{"value": "inf"}, {"value": 3}]},
        {"value": 2, "children": [{"value": 5}, {"value": 4}]},
    ],
}

OPEN = {
    "value": 1,
    "children": [
        {
            "value": 1,
            "children": [
                {"value": 1, "children": [leaf(1), leaf(0)]},
                leaf(2),
            ],
        },
        leaf(0),
    ],
}
"""The root's value is 1 after three expansions of best-first: the root, 0, and 0 0."""

LEVEL = {"value": 1, "children": [leaf(1), leaf(1), leaf(1)]}

NIM = """
import conspirator as cn

class Nim(cn.Game):
    value_range = (-1.0, 1.0)
    def __init__(self, matches=5):
        self.matches = matches
    def start(self):
        return (self.matches, 1)
    def moves(self, state):
        return [(n,) for n in (1, 2, 3) if n <= state[0]]
    def play(self, state, move):
        return state[0] - move[0], -state[1]
    def to_move(self, state):
        return "max" if state[1] == 1 else "min"
    def outcome(self, state):
        return -state[1] if state[0] == 0 else None

class Broken(Nim):
    def moves(self, state):
        return [1 // 0]
"""

PROBLEMS = """
# boards of our own
6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra8#; id "back rank";
7k/8/6K1/8/8/8/8/R7 w - - ; bm Ra8 + ; id corner
6k1/8/8/8/8/8/R7/1R2K3 w - - 3 40 dm 2; id "two rooks";
4k3/8/8/3q4/8/2N5/8/4K3 b - - am Qd8 Qe5+ Qd4; bm Qh5; id "the queen hangs, wrong move wanted";
8/8/8/8/8/8/8/8 w - - bm e4; id "no kings";
"""

Run = Callable[..., tuple[int, str, str]]


def runner(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, folder: Path) -> Run:
    """Return a function that runs a command line in the folder: exit code, output, errors."""
    (folder / "tree.json").write_text(json.dumps(TREE))
    (folder / "open.json").write_text(json.dumps(OPEN))
    (folder / "level.json").write_text(json.dumps(LEVEL))
    (folder / "won.json").write_text('{"value": 0, "children": [{"value": "inf"}, {"value": 1}]}')
    (folder / "deep.json").write_text("[" * 100_000)
    (folder / "nim.py").write_text(NIM)
    (folder / "problems.epd").write_text(PROBLEMS)
    (folder / "needs.py").write_text("import a_module_that_is_not_there\n")
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "path", sys.path[:])
    monkeypatch.setenv("COLUMNS", "100")

    def run(line: str, stdin: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
        code = main(shlex.split(line))
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


def result_of(run: Run, line: str, stdin: str = "") -> str:
    """Return the output of a command that must succeed and say nothing on the error stream."""
    code, output, errors = run(line, stdin)
    assert (code, errors) == (0, "")
    return output


def facts_of(run: Run, line: str) -> dict[str, Any]:
    """Return the JSON object that a command prints."""
    facts: dict[str, Any] = json.loads(result_of(run, f"{line} --json"))
    return facts


def complaint_of(run: Run, line: str) -> str:
    """Return what a command says of bad input: exit code 2, and one line on the error stream."""
    code, output, errors = run(line)
    assert (code, output) == (2, "")
    assert errors.startswith("error: ")
    assert errors.count("\n") == 1
    return errors


def program(*arguments: str, **options: Any) -> subprocess.Popen[bytes]:
    """Start the real program in a process of its own."""
    code = "import sys; from conspirator.cli import main; sys.exit(main())"
    return subprocess.Popen([sys.executable, "-c", code, *arguments], **options)
