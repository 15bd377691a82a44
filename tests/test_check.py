"""Games that break their promises are caught: by `check`, and by every search that they would mislead."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import conspirator as cn
from conspirator._certain import NEED_A_MODEL
from conspirator.cli import app

EXAMPLE = Path(__file__).parent.parent / "examples" / "tic_tac_toe.py"


class Race(cn.Game):
    """Add 1 or 2; whoever reaches ten wins."""

    value_range = (-1, 1)

    def __init__(self, goal: int = 10) -> None:
        self.goal = goal

    def start(self) -> Any:
        return [0, 1]

    def to_move(self, state: Any) -> Any:
        return "max" if state[1] > 0 else "min"

    def moves(self, state: Any) -> Any:
        return [1, 2]

    def play(self, state: Any, move: Any) -> Any:
        return [state[0] + move, -state[1]]

    def outcome(self, state: Any) -> Any:
        return -state[1] if state[0] >= self.goal else None

    def evaluate(self, state: Any) -> Any:
        return state[0] / 100

    def key(self, state: Any) -> Any:
        return tuple(state)


class Changes(Race):
    def play(self, state: Any, move: Any) -> Any:
        state[0] += move
        return [state[0], -state[1]]


class Shuffles(Race):
    count = itertools.count()

    def moves(self, state: Any) -> Any:
        return [1, 2] if next(self.count) % 2 else [2, 1]


class Rolls(Race):
    count = itertools.count()

    def play(self, state: Any, move: Any) -> Any:
        return [state[0] + 1 + next(self.count) % 2, -state[1]]


class Forgets(Race):
    def key(self, state: Any) -> Any:
        return state[0] // 2


class Exaggerates(Race):
    def evaluate(self, state: Any) -> Any:
        return 3.0


class Stops(Race):
    def moves(self, state: Any) -> Any:
        return [] if state[0] == 4 else [1, 2]


class Mumbles(Race):
    def move_name(self, state: Any, move: Any) -> str:
        return f"+{move}"

    def parse_move(self, state: Any, text: str) -> Any:
        return None


class Wavers(Race):
    count = itertools.count()

    def evaluate(self, state: Any) -> Any:
        return next(self.count) % 7 / 10


class Fails(Race):
    def evaluate(self, state: Any) -> Any:
        return 1 // (state[0] - 5)


@pytest.mark.parametrize(
    ("game", "promise"),
    [
        (Changes(), "play leaves the old state as it was"),
        (Shuffles(), "the moves of a state stay the same"),
        (Rolls(), "the same move leads to the same state"),
        (Forgets(), "states with one key have the same moves and values"),
        (Exaggerates(), "values are within -1 and 1"),
        (Stops(), "a game that goes on has a move"),
        (Mumbles(), "parse_move reads what move_name writes"),
        (Wavers(), "evaluate answers the same again"),
        (Fails(), "no method fails"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_broken_promise_is_found(game: cn.Game, promise: str) -> None:
    found = cn.check(game, games=30)
    assert promise in [breach.promise for breach in found.breaches]
    assert not found.ok


def test_a_sound_game_passes() -> None:
    found = cn.check(Race())
    assert found.ok, found.breaches
    assert (found.games, found.unfinished) == (100, 0)
    assert 5 <= found.longest <= 10
    assert found.perft[:3] == [2, 4, 8]
    assert {"moves", "play", "outcome", "evaluate", "key"} <= found.microseconds.keys()


def test_only_games_in_python() -> None:
    with pytest.raises(cn.ArgumentError, match="written in Python"):
        cn.check(cn.games.ConnectFour())  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "search", [name for name in cn.searches() if name not in {"end-game", *NEED_A_MODEL}]
)
def test_every_search_notices_a_changed_root(search: str) -> None:
    with pytest.raises(cn.GameError, match="conspirator check"):
        cn.search(Changes().start(), search, nodes=200)


def test_names_of_moves() -> None:
    class Named(Race):
        def move_name(self, state: Any, move: Any) -> str:
            return f"plus {move}"

    position = Named().start()
    assert position.describe(2) == "plus 2"
    assert position.play("plus 2").state == [2, -1]
    assert position.play("2").state == position.play(2).state
    with pytest.raises(cn.PositionError, match="legal: plus 1, plus 2"):
        position.play("plus 3")


def test_a_game_says_what_it_was_made_with() -> None:
    assert (repr(Race()), repr(Race(12)), repr(Race(goal=3))) == ("Race()", "Race(12)", "Race(goal=3)")


def test_the_command() -> None:
    run = CliRunner().invoke(app, ["check", f"{EXAMPLE}:TicTacToe"])
    assert run.exit_code == 0, run.output
    assert "all promises kept" in run.output
    assert "255,168" not in run.output  # that many games are more than the table counts
    facts = json.loads(CliRunner().invoke(app, ["check", f"{EXAMPLE}:TicTacToe", "--json"]).output)
    assert facts["ok"]
    assert facts["perft"][:5] == [9, 72, 504, 3024, 15120]


def test_the_command_with_a_broken_game(tmp_path: Path) -> None:
    file = tmp_path / "broken.py"
    file.write_text(
        "import conspirator as cn\n"
        "class Broken(cn.Game):\n"
        "    def start(self): return []\n"
        "    def moves(self, state): return [0, 1] if len(state) < 3 else []\n"
        "    def play(self, state, move): state.append(move); return state\n"
        "    def evaluate(self, state): return sum(state)\n"
    )
    run = CliRunner().invoke(app, ["check", f"{file}:Broken"])
    assert run.exit_code == 1
    assert "broken: play leaves the old state as it was" in run.output
    assert "copy" in run.output
