"""Othello and Amazons through the command line: analysed, solved and played."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import conspirator as cn
from command_line import Run, facts_of, result_of, runner
from conspirator._certain import NEED_A_MODEL

FFO_1 = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X"
"""Black, to move, wins by 18 with g8."""
SMALL = "xxxxx/1b1b1/b3b/w3w/1w1w1 w"
"""A board of four rows, on which White, to move, wins."""


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    return runner(capsys, monkeypatch, tmp_path)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (
            f"othello --position '{FFO_1}' --search alpha-beta --set table=true",
            {"move": "g8", "value": 18.0, "status": "proven", "to_move": "max", "favours": "max"},
        ),
        (
            "othello --position f5d6c3 --search alpha-beta --set depth=3",
            {"to_move": "min", "depth": 3, "status": "converged", "value_range": [-64.0, 64.0]},
        ),
        (
            f"othello --position '{'-' * 27}OX------XX{'-' * 27} O' --expansions 50",
            {"to_move": "min", "position": f"{'-' * 27}OX------XX{'-' * 27} O"},
        ),
        (
            f"amazons --game-option size=5 --position '{SMALL}' --search sibling-conspiracy "
            "--set transpositions=true --expansions 100k",
            {"status": "proven", "favours": "max", "value_range": [-25.0, 25.0]},
        ),
        (
            "amazons --evaluator territory(width=3) --expansions 10",
            {"to_move": "max", "evaluator": "territory(width=3)", "value_range": [-100.0, 100.0]},
        ),
    ],
)
def test_analyze(run: Run, line: str, expected: dict[str, Any]) -> None:
    facts = facts_of(run, f"analyze {line}")
    assert {name: facts[name] for name in expected} == expected
    game = cn.games.make(facts["game"], **facts["game_options"])
    position = game.position(facts["position"])
    assert facts["move"] in position.moves()
    for move in facts["line"]:
        position = position.play(move)
    assert facts["picture_after_line"] == str(position)


@pytest.mark.parametrize(
    "search",
    sorted(set(cn.searches()) - {"proof-number", "df-pn", "sibling-conspiracy", *NEED_A_MODEL}),
)
@pytest.mark.parametrize("game", ["othello", "amazons --game-option size=4"])
def test_every_search_that_gives_values_shows_them(run: Run, search: str, game: str) -> None:
    output = result_of(run, f"analyze {game} --search {search} --nodes 2k")
    for words in ("to move", "move", "value", "line", "nodes"):
        assert words in output
    assert ("X (Max)" if game == "othello" else "W (Max)") in output


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (f"othello --position '{FFO_1}'", "X, to move, wins with g8."),
        (f"amazons --game-option size=5 --position '{SMALL}'", "W, to move, wins with "),
        ("othello --position e6f4e3f6g5d6e7f5c5", "The game is over: X has won."),
    ],
)
def test_solve(run: Run, line: str, words: str) -> None:
    assert words in result_of(run, f"solve {line}")


@pytest.mark.parametrize(
    ("line", "end"),
    [
        ("othello --human none --expansions 2", "The game is over: "),
        ("amazons --game-option size=4 --human none --expansions 2", "The game is over: "),
    ],
)
def test_play_to_the_end(run: Run, line: str, end: str) -> None:
    output = result_of(run, f"play {line}")
    assert output.splitlines()[-1].startswith(end)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("analyze othello --position f5f5", "f5"),
        ("analyze othello --position 'XO'", "the board has 2 squares; write 64"),
        ("analyze amazons --position d1-d7", "d1-d7"),
        ("analyze amazons --game-option size=3", "size of amazons must be a whole number from 4 up, not 3"),
        ("analyze amazons --game-option width=0", "width"),
        ("solve othello --game-option size=6", "unknown parameter of othello 'size'"),
    ],
)
def test_bad_input_is_one_line(run: Run, line: str, words: str) -> None:
    code, output, errors = run(line)
    assert (code, output, errors.count("\n")) == (2, "", 1)
    assert errors.startswith("error: ")
    assert words in errors
