"""The command line: what each command prints."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
import pytest

import conspirator as cn
from command_line import Run, facts_of, result_of, runner
from conspirator.cli import app
from conspirator.cli.values import read_number, read_value


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    return runner(capsys, monkeypatch, tmp_path)


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
    for name, info in ((name, info.as_dict()) for name, info in cn.searches().items()):
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
    assert spent == {"expansions": 3, "nodes": 7, "move_calls": 6, "artificial_time": 0}
    assert facts == {
        "game": "explicit-tree",
        "game_options": {},
        "position": "",
        "picture": "the root, value 0, moves 2",
        "to_move": "max",
        "player": "principal",
        "search": "best-first",
        "parameters": {},
        "evaluator": None,
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
            {"move": "0", "value": 3.0, "solved": True, "nodes": 3, "share": 0.5, "best": None},
            {"move": "1", "value": 4.0, "solved": True, "nodes": 3, "share": 0.5, "best": None},
        ],
        "confidence": 1.0,
        "doubts": [],
        "ladder": [{"conspirators": count, "low": 4.0, "high": 4.0} for count in range(9)],
        "critical": [],
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
            "analyze connect-four --search best-first --memory 100k --nodes 5M",
            {"limit": "memory", "explanation": "budget: the memory is full (the 100 kB)"},
        ),
        (
            "analyze connect-four --search best-first --position 445566 --set complete=false --expansions 9",
            {"move": "3", "value": 1023.0, "favours": "max", "parameters": {"complete": False}},
        ),
        (
            "analyze connect-four --search alpha-beta --set depth=4 --move-calls 1M",
            {"status": "converged", "moves": None, "depth_histogram": None, "depth": 4, "ladder": None},
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
    output = result_of(run, "analyze connect-four --search best-first --position 4453 --expansions 1k")
    for words in (
        " .  .  O  X  X  .  .",  # the board
        "to move  X (Max)",
        "(Max's side, 1 to 1023)",
        "budget: the 1,000 expansions are spent",
        "after the line",
        "1,000  <- the limit",
        "a second, ",
        "bytes each",
        "move  value  best  nodes  share",
        "deepest ply",
        "██",
    ):
        assert words in output
    assert "\x1b" not in output  # no colours where there is no terminal
    assert max(map(len, output.splitlines())) <= 100


@pytest.mark.parametrize("columns", [40, 80, 200])
def test_analyze_fits_the_terminal(run: Run, monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    output = result_of(run, "analyze connect-four --search best-first --position 4453 --expansions 1k")
    assert max(map(len, output.splitlines())) <= columns
    assert "…" not in output  # nothing is cut off


def test_analyze_condenses_deep_and_wide_trees(run: Run) -> None:
    output = result_of(run, "analyze uniform-tree --game-option width=30 --expansions 400")
    assert "and 10 more" in output
    assert "0-20" in output
    assert len(output.splitlines()) < 45
    assert "... (400 moves)" in " ".join(output.split())


def test_analyze_leaves_out_the_shares_of_a_large_tree(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("conspirator.cli.analysis.MOST_NODES_TO_WALK", 1_000)
    output = result_of(run, "analyze uniform-tree --nodes 4k")
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


def test_analyze_tells_how_far_the_value_can_go(run: Run) -> None:
    line = "analyze explicit-tree --tree open.json --expansions 3"
    facts = facts_of(run, line)
    assert facts["ladder"] == [
        {"conspirators": 0, "low": 1.0, "high": 1.0},
        {"conspirators": 1, "low": 0.0, "high": "inf"},
        {"conspirators": 2, "low": "-inf", "high": "inf"},
    ]
    assert facts["critical"] == [
        {"value": 0.0, "direction": "down", "conspirators": 1, "leaves": [["0", "0", "0"]]},
        {"value": "inf", "direction": "up", "conspirators": 1, "leaves": [["1"]]},
    ]
    output = result_of(run, line)
    assert "0 conspirators: [1, 1]; 1: [0, inf]; 2: [-inf, inf]\n" in output
    assert "if the leaf after 0 0 0 were wrong, the value could fall to 0\n" in output
    assert "if the leaf after 1 were wrong, the value could rise without limit\n" in output


def test_analyze_lists_the_leaves_that_must_be_wrong_together(run: Run) -> None:
    output = result_of(run, "analyze explicit-tree --tree level.json --expansions 1")
    words = [line.strip() for line in output.splitlines()]
    assert "0 conspirators: [1, 1]; 1-2: [1, inf]; 3: [-inf, inf]" in words
    place = words.index("if these 3 leaves were all wrong, the value could fall without limit:")
    assert words[place + 1 : place + 4] == ["0", "1", "2"]


@pytest.mark.parametrize("search", ["best-first", "conspiracy", "improved-conspiracy"])
def test_the_ladder_is_the_results_own(run: Run, search: str) -> None:
    facts = facts_of(run, f"analyze connect-four --position 4453 --search {search} --expansions 2k")
    result = cn.search(cn.games.ConnectFour().position("4453"), search, expansions=2_000)
    for rung in facts["ladder"]:
        low, high = result.interval(rung["conspirators"])
        assert (rung["low"], rung["high"]) == (max(low, 1), min(high, 1023))
    assert [change["direction"] for change in facts["critical"]] == ["down", "up"]
    for change in facts["critical"]:
        assert len(change["leaves"]) == change["conspirators"]
        assert result.tree.conspiracy(result.tree.root, change["value"]) == change["conspirators"]


def test_what_is_proven_cannot_change(run: Run) -> None:
    line = "analyze connect-four --search best-first --position 445566"
    facts = facts_of(run, line)
    assert facts["status"] == "proven"
    assert {(rung["low"], rung["high"]) for rung in facts["ladder"]} == {(1023, 1023)}
    assert facts["critical"] == []
    assert "conspirators" not in result_of(run, line)


def test_analyze_does_not_question_a_huge_tree(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("conspirator.cli.analysis.MOST_NODES_TO_QUESTION", 999)
    facts = facts_of(run, "analyze connect-four --search best-first --nodes 2k")
    assert (facts["ladder"], facts["critical"]) == (None, None)


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
        ("play hex --game-option size=3 --position a1,c1,a2,c2 --expansions 9", "a3\n", "X wins"),
        ("play hex --game-option size=1 --expansions 9", "a1\n", "   a\n 1  X"),
        (
            "play hex --game-option size=3 --game-option swap=true --position b1 --expansions 9",
            "swap\nquit\n",
            "You are O (Min)",
        ),
        ("play othello --expansions 9", "f5\nquit\n", "   a b c d e f g h\n 1 . ."),
        ("play othello --position e6f4e3f6g5d6e7f5 --expansions 9", "c5\n", "The game is over: X wins"),
        ("play amazons --game-option size=4 --expansions 9", "b1-b2-b1\nquit\n", "    a b c d"),
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


QUESTIONS = {"gtp": "name\n", "nboard": "ping 1\n"}
"""What a command must be asked before it says anything."""


@pytest.mark.parametrize("command", commands())
def test_the_examples_in_the_help_work(run: Run, command: str) -> None:
    lines = [line.strip() for line in help_of(run, command).splitlines()]
    if command == "train":
        pytest.importorskip("torch")
    examples = [line.removeprefix("$ conspirator") for line in lines if line.startswith("$ conspirator")]
    assert len(examples) >= (1 if command else 3)
    folder = str(Path(__file__).parent.parent / "examples")
    for example in examples:
        assert result_of(run, example.replace("examples", folder), QUESTIONS.get(command, ""))


@pytest.mark.parametrize(
    ("line", "way"),
    [
        ("analyze connect-four --depth 4", "--set depth=VALUE"),
        ("play hex --size 7", "--game-option size=VALUE"),
        ("analyze chess --width 7", "--evaluator 'NAME(width=VALUE)'"),
        ("solve hex --time 3", "--seconds?"),
        ("analyze hex --positon a1", "--position"),
    ],
)
def test_an_option_that_is_none_is_explained(run: Run, line: str, way: str) -> None:
    code, _, errors = run(line, "")
    assert code == 2
    assert way in errors
    assert errors.count("\n") == 1


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
        (["analyze", "hex", "--player", "net"], {"network"}),
        (["analyze", "hex", "--search", "best-first", "--set", ""], {"complete=", "batch=", "threads="}),
        (["analyze", "hex", "--game-option", ""], {"size=", "swap="}),
        (["analyze", "hex", "--figure", "la"], {"ladder="}),
        (["match", "hex", "network", "an"], {"anchored"}),
    ],
)
def test_completion_of_names(words: list[str], expected: set[str]) -> None:
    maker = click.shell_completion.get_completion_class("bash")
    assert maker is not None
    items = maker(app, {}, "conspirator", "_CONSPIRATOR_COMPLETE").get_completions(words[:-1], words[-1])
    assert {item.value for item in items} == expected
