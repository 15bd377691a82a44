"""The command line: what each command prints, and one clear line for every kind of bad input."""

from __future__ import annotations

import io
import json
import os
import pty
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest

import conspirator as cn
from conspirator.cli import app, main
from conspirator.cli.values import read_number, read_value

TREE = {
    "value": 0,
    "children": [
        {"value": 1, "children": [{"value": "inf"}, {"value": 3}]},
        {"value": 2, "children": [{"value": 5}, {"value": 4}]},
    ],
}

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

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Run a command line in a folder with a tree and a game; return exit code, output, errors."""
    (tmp_path / "tree.json").write_text(json.dumps(TREE))
    (tmp_path / "won.json").write_text('{"value": 0, "children": [{"value": "inf"}, {"value": 1}]}')
    (tmp_path / "deep.json").write_text("[" * 100_000)
    (tmp_path / "nim.py").write_text(NIM)
    (tmp_path / "needs.py").write_text("import a_module_that_is_not_there\n")
    monkeypatch.chdir(tmp_path)
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
    facts: dict[str, Any] = json.loads(result_of(run, f"{line} --json"))
    return facts


# Values


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("5", 5),
        ("50_000", 50_000),
        ("20k", 20_000),
        ("2.5M", 2_500_000),
        ("2G", 2_000_000_000),
        ("1e6", 1_000_000),
        ("0.25", 0.25),
        ("-3", -3),
        ("", None),
        ("k", None),
        ("5X", None),
        ("nan", None),
        ("inf", None),
        ("1e999999999G", None),
    ],
)
def test_numbers(text: str, number: float | None) -> None:
    assert read_number(text) == number


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("true", True),
        ("False", False),
        ("none", None),
        ("7", 7),
        ("64M", 64_000_000),
        ("1.0", 1.0),
        ("-inf", float("-inf")),
        ("lean", "lean"),
        ("a=b", "a=b"),
    ],
)
def test_settings(text: str, value: object) -> None:
    assert read_value(text) == value
    assert type(read_value(text)) is type(value)


# Lists


def test_games_are_listed_with_their_parameters(run: Run) -> None:
    output = result_of(run, "games")
    for name, info in cn.games.all_games().items():
        assert name in output
        assert info["paper"].split(";")[0] in output
        assert all(parameter in output for parameter in info["parameters"])
    assert json.loads(result_of(run, "games --json")) == cn.games.all_games()


def test_searches_are_listed_with_their_parameters(run: Run) -> None:
    output = result_of(run, "searches")
    for name, info in cn.searches().items():
        assert name in output
        assert all(parameter in output for parameter in info["parameters"])
    listed = json.loads(result_of(run, "searches --json"))
    assert listed["best-first"]["parameters"]["complete"]["default"] is True


# Analyze


def test_analyze_as_json(run: Run) -> None:
    facts = facts_of(run, "analyze explicit-tree --tree tree.json --expansions 10")
    spent = facts.pop("spent")
    assert spent.pop("seconds") > 0
    assert spent.pop("nodes_per_second") > 0
    assert spent.pop("bytes_per_node") > 0
    assert spent == {"expansions": 3, "nodes": 7, "move_calls": 6}
    assert facts == {
        "game": "explicit-tree",
        "game_options": {},
        "position": "",
        "picture": "the root, value 0, moves 2",
        "to_move": "max",
        "search": "best-first",
        "parameters": {},
        "budget": {"expansions": 10},
        "move": "1",
        "value": 4.0,
        "value_range": ["-inf", "inf"],
        "favours": None,
        "status": "proven",
        "limit": None,
        "explanation": "proven: the value can no longer change",
        "line": ["1", "1"],
        "picture_after_line": facts["picture_after_line"],
        "depth": 2,
        "depth_histogram": [1, 2, 4],
        "moves": [
            {"move": "0", "value": 3.0, "solved": True, "nodes": 3, "share": 0.5},
            {"move": "1", "value": 4.0, "solved": True, "nodes": 3, "share": 0.5},
        ],
        "iterations": [],
    }


def test_infinities_are_text_in_json(run: Run) -> None:
    facts = facts_of(run, "analyze explicit-tree --tree won.json --expansions 1")
    assert facts["value"] == "inf"
    assert facts["favours"] == "max"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (
            "analyze connect-four --position 4453 --expansions 1_000",
            {
                "status": "budget",
                "limit": "expansions",
                "explanation": "budget: the 1,000 expansions are spent",
            },
        ),
        (
            "analyze uniform-tree --game-option width=2 --expansions 1",
            {"depth_histogram": [1, 2], "explanation": "budget: the 1 expansion is spent"},
        ),
        ("analyze uniform-tree --nodes 1k", {"limit": "nodes", "budget": {"nodes": 1000}}),
        ("analyze connect-four --seconds 0.02", {"explanation": "budget: the 0.02 seconds are spent"}),
        (
            "analyze connect-four --memory 100k --nodes 5M",
            {"limit": "memory", "explanation": "budget: the memory is full (the 100 kB)"},
        ),
        (
            "analyze connect-four --position 445566 --set complete=false --expansions 9",
            {"move": "3", "value": 1023.0, "favours": "max", "parameters": {"complete": False}},
        ),
        (
            "analyze connect-four --search alpha-beta --set depth=4 --move-calls 1M",
            {"status": "converged", "moves": None, "depth_histogram": None, "depth": 4},
        ),
        ("analyze nim.py:Nim --expansions 100", {"move": "(1,)", "favours": "max", "value": 1.0}),
        (
            "analyze nim:Nim --game-option matches=4 --expansions 100",
            {"favours": "min", "position": "(4, 1)"},
        ),
        ("analyze nim.py:Nim --position '(3, -1)' --expansions 9", {"move": "(3,)", "position": "(3, -1)"}),
    ],
)
def test_analyze_facts(run: Run, line: str, expected: dict[str, Any]) -> None:
    facts = facts_of(run, line)
    assert {name: facts[name] for name in expected} == expected


def test_analyze_shows_everything(run: Run) -> None:
    output = result_of(run, "analyze connect-four --position 4453 --expansions 1k")
    for words in (
        " .  .  O  X  X  .  .",  # the board
        "to move  X (Max)",
        "(Max's side, 1 to 1023)",
        "budget: the 1,000 expansions are spent",
        "after the line",
        "1,000  <- the limit",
        "a second, ",
        "bytes each",
        "move  value  nodes  share",
        "deepest ply",
        "██",
    ):
        assert words in output
    assert "\x1b" not in output  # no colours where there is no terminal
    assert max(map(len, output.splitlines())) <= 100


@pytest.mark.parametrize("columns", [40, 80, 200])
def test_analyze_fits_the_terminal(run: Run, monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    output = result_of(run, "analyze connect-four --position 4453 --expansions 1k")
    assert max(map(len, output.splitlines())) <= columns
    assert "…" not in output  # nothing is cut off


def test_analyze_condenses_deep_and_wide_trees(run: Run) -> None:
    output = result_of(run, "analyze uniform-tree --game-option width=30 --expansions 400")
    assert "and 10 more" in output
    assert "0-20" in output
    assert len(output.splitlines()) < 45
    assert "... (400 moves)" in " ".join(output.split())


def test_analyze_leaves_out_the_shares_of_a_large_tree(run: Run) -> None:
    output = result_of(run, "analyze uniform-tree --nodes 400k")
    assert "move  value" in output
    assert "share" not in output


def test_analyze_survives_a_very_deep_tree(run: Run) -> None:
    facts = facts_of(run, "analyze uniform-tree --game-option width=1 --nodes 80k")
    assert facts["moves"][0]["nodes"] == 79_999


def test_analyze_shows_the_iterations_of_alpha_beta(run: Run) -> None:
    output = result_of(run, "analyze connect-four --search alpha-beta --set depth=4")
    assert "iterations" in output
    assert "depth  move  value  move calls" in output
    assert "converged: the search has reached its goal" in output
    assert "share" not in output


def test_analyze_says_who_wins(run: Run) -> None:
    assert "X wins" in result_of(run, "analyze connect-four --position 445566")
    assert "Min wins" in result_of(run, "analyze nim:Nim --game-option matches=4")


# Play


def test_play_against_a_human(run: Run) -> None:
    typed = "9\n\nmoves\nundo\nhint\n4\nundo\nundo\n4\nquit\n"
    output = result_of(run, "play connect-four --expansions 100", typed)
    assert "You are X (Max)" in output
    assert output.count("'9' is not a legal move here; legal: 1, 2, 3, 4, 5, 6, 7") == 1
    assert "1 2 3 4 5 6 7\n" in output
    assert output.count("there is nothing to undo") == 2  # before the first move, and back there
    assert "hint: " in output
    assert output.count("O: ") == 2  # the engine answered both fours
    assert " .  .  .  X  .  .  ." in output
    assert "expects" in output
    assert output.endswith("Goodbye.\n")


@pytest.mark.parametrize(
    ("line", "typed", "words"),
    [
        ("play connect-four --human second --expansions 10", "", "You are O (Min)"),
        ("play connect-four --human second --position 4 --expansions 10", "", "You are X (Max)"),
        ("play connect-four --position 445566 --expansions 10", "3\n", "The game is over: X wins"),
        ("play nim.py:Nim --expansions 99", "(1,)\n(9,)\n (3, ) \n", "The game is over: Max wins"),
        ("play explicit-tree --tree tree.json --human none", "", "The game is over: value 4"),
    ],
)
def test_play_with_a_human(run: Run, line: str, typed: str, words: str) -> None:
    assert words in result_of(run, line, typed)


@pytest.mark.parametrize("search", sorted(cn.searches()))
def test_the_engine_plays_itself_to_the_end(run: Run, search: str) -> None:
    output = result_of(run, f"play connect-four --human none --search {search} --expansions 20")
    assert "The game is over: " in output
    assert output.count("X: ") >= 4


# Help, version, completion


def commands() -> list[str]:
    return ["", *app.commands]


def help_of(run: Run, command: str) -> str:
    return result_of(run, f"{command} --help")


@pytest.mark.parametrize("command", commands())
def test_the_examples_in_the_help_work(run: Run, command: str) -> None:
    lines = [line.strip() for line in help_of(run, command).splitlines()]
    examples = [line.removeprefix("$ conspirator") for line in lines if line.startswith("$ conspirator")]
    assert len(examples) >= (1 if command else 3)
    for example in examples:
        assert result_of(run, example)


def test_version(run: Run) -> None:
    assert result_of(run, "--version") == f"conspirator {cn.__version__}\n"


def test_without_a_command_there_is_help(run: Run) -> None:
    assert result_of(run, "") == help_of(run, "")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts(run: Run, shell: str) -> None:
    assert f"_CONSPIRATOR_COMPLETE={shell}_complete" in result_of(run, f"completion {shell}")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["an"], {"analyze"}),
        (["analyze", ""], {*cn.games.all_games(), "explicit-tree"}),
        (["play", "connect"], {"connect-four"}),
        (["analyze", "connect-four", "--search", ""], set(cn.searches())),
        (["analyze", "connect-four", "--search", "best-f"], {"best-first"}),
    ],
)
def test_completion_of_names(words: list[str], expected: set[str]) -> None:
    maker = click.shell_completion.get_completion_class("bash")
    assert maker is not None
    items = maker(app, {}, "conspirator", "_CONSPIRATOR_COMPLETE").get_completions(words[:-1], words[-1])
    assert {item.value for item in items} == expected


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
        ("analyze connect-four --set complet=true", "did you mean 'complete'?"),
        ("analyze connect-four --set complete=maybe", "must be true or false, not 'maybe'"),
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


def program(*arguments: str, **options: Any) -> subprocess.Popen[bytes]:
    code = "import sys; from conspirator.cli import main; sys.exit(main())"
    return subprocess.Popen([sys.executable, "-c", code, *arguments], **options)


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
    output, _ = process.communicate(timeout=10)
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
