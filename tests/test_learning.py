"""Networks that learn a game by playing it: what they see, what games teach, and that they learn."""

from __future__ import annotations

import csv
import importlib.util
import random
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

np = pytest.importorskip("numpy")

import conspirator as cn  # noqa: E402
from conspirator.learning.lessons import ILLEGAL, Play, improved, joined, play_game, worth  # noqa: E402
from conspirator.learning.view import View  # noqa: E402
from conspirator.learning.window import Window  # noqa: E402

sys.path.append(str(Path(__file__).parent.parent / "examples"))
TicTacToe: Any = import_module("tic_tac_toe").TicTacToe

HAS_TORCH = importlib.util.find_spec("torch") is not None
needs_torch = pytest.mark.skipif(not HAS_TORCH, reason="PyTorch is not installed")
FLAT = cn.evaluators.network(
    lambda planes: ([[0.0] * 9] * len(planes), [0.0] * len(planes)),
    encode=View.of(TicTacToe()).encode,
    moves=View.of(TicTacToe()).places,
)


class Broken(TicTacToe):  # type: ignore[misc]
    """A game with one mistake."""

    def __init__(self, mistake: str) -> None:
        self.mistake = mistake
        if mistake == "outputs":
            self.outputs = 0

    def encode(self, state: Any) -> Any:
        found: Any = super().encode(state)
        return {"shape": 7.0, "nan": [[[float("nan")] * 3] * 3] * 2, "words": "XO"}.get(self.mistake, found)

    def output(self, state: Any, move: Any) -> int:
        return int({"twice": 0, "large": 9 + move, "negative": -1 - move}.get(self.mistake, move))


class Bare(cn.Game):
    """A game that says nothing to a network."""

    def start(self) -> Any:
        return 3

    def moves(self, state: Any) -> list[int]:
        return [1, 2] if state > 0 else []

    def play(self, state: Any, move: int) -> Any:
        return state - move


@pytest.mark.parametrize(
    ("game", "planes", "outputs"),
    [
        (cn.games.ConnectFour(), (2, 6, 7), 7),
        (cn.games.Hex(size=4), (2, 4, 4), 16),
        (cn.games.Othello(), (2, 8, 8), 65),
        (TicTacToe(), (2, 3, 3), 9),
    ],
    ids=str,
)
def test_what_a_network_sees(game: Any, planes: tuple[int, int, int], outputs: int) -> None:
    view, chance = View.of(game), random.Random(1)
    assert (view.planes, view.outputs) == (planes, outputs)
    position = game.start()
    while position.outcome is None:
        places = view.places(position)
        assert len(set(places)) == len(position.moves()) == len(places)
        assert view.encode([position, position]).shape == (2, *planes)
        position = position.play(chance.choice(position.moves()))


@pytest.mark.parametrize(
    ("game", "words"),
    [
        (Bare(), r"Bare needs encode\(state\), output\(state, move\) and outputs to be learnt"),
        (Broken("outputs"), "Broken.outputs must be how many outputs a policy has, not 0"),
        (Broken("shape"), r"Broken.encode must give planes x rows x columns"),
        (Broken("nan"), "Broken.encode gave a number that is not finite"),
        (Broken("words"), "Broken.encode gave no array of numbers"),
        (Broken("twice"), "Broken.output gave two moves of one state the same number"),
        (Broken("large"), "Broken.output gave 9: a whole number below 9 is wanted"),
        (Broken("negative"), "Broken.output gave -1: a whole number below 9 is wanted"),
        (cn.games.Amazons(size=5), "cannot be learnt"),
        (cn.games.UniformTree(width=3), "cannot be learnt"),
    ],
    ids=lambda given: (
        getattr(given, "mistake", None) or (given[:12] if isinstance(given, str) else str(given))
    ),
)
def test_games_that_cannot_be_learnt(game: Any, words: str) -> None:
    with pytest.raises(cn.ConspiratorError, match=words):
        View.of(game)


def test_what_a_game_teaches() -> None:
    view = View.of(TicTacToe())
    lessons = play_game(view, FLAT, Play(expansions=24, batch=1), seed=3)
    assert lessons.games == 1
    assert 5 <= lessons.positions <= 9
    assert lessons.planes.shape == (lessons.positions, 2, 3, 3)
    assert np.abs(lessons.values).max() <= 1
    for number, policy in enumerate(lessons.policies):
        legal = policy != ILLEGAL
        stones = lessons.planes[number].sum(axis=0).reshape(-1)
        assert (legal == (stones == 0)).all()
        assert policy[legal].sum() == pytest.approx(1.0, abs=1e-5)
        assert (policy[legal] >= 0).all()
    again = play_game(view, FLAT, Play(expansions=24, batch=1), seed=3)
    assert (again.planes == lessons.planes).all()
    assert (again.policies == lessons.policies).all()


def test_a_policy_finds_the_win() -> None:
    position = TicTacToe().position("XX.OO....")
    result = cn.search(position, "puct", evaluator=FLAT, root="gumbel", plan=16, expansions=16)
    assert improved(result, position) == [1.0, 0.0, 0.0, 0.0, 0.0]


@pytest.mark.parametrize(("moves", "expected"), [("1212121", 1.0), ("12127232", -1.0), ("1212123", None)])
def test_what_a_result_is_worth(moves: str, expected: float | None) -> None:
    position = cn.games.ConnectFour().position(moves)
    if expected is None:
        assert position.outcome is None
        return
    assert worth(position) == expected


def test_samples_are_turned_alike() -> None:
    game = cn.games.Hex(size=4)
    view = View.of(game)
    flat = cn.evaluators.network(lambda planes: ([[0.0] * 16] * len(planes), [0.0] * len(planes)))
    window = Window(view, most=40)
    window.add(joined([play_game(view, flat, Play(expansions=8), seed=seed) for seed in range(6)]))
    assert len(window) <= 40
    planes, policies, values = window.sample(200, np.random.default_rng(1))
    assert len(planes) == len(policies) == len(values) == 200
    # stones stand where there is no move, whichever way the board is turned
    assert ((planes.sum(axis=1).reshape(200, 16) == 0) == (policies != ILLEGAL)).all()
    turned = {bytes(p) for p in planes} - {bytes(p) for p in window.lessons.planes}
    assert turned


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "say how long to learn: minutes= or rounds="),
        ({"minutes": 1, "rounds": 1}, "say how long to learn"),
        ({"minutes": 0}, "minutes must be greater than 0, not 0"),
        ({"rounds": 1, "depth": 3}, "there is no setting 'depth'; there are channels"),
    ],
)
def test_mistakes(options: dict[str, Any], words: str, tmp_path: Path) -> None:
    with pytest.raises(cn.ArgumentError, match=words):
        cn.learn(TicTacToe(), tmp_path / "new", **options)
    assert not (tmp_path / "new").exists()


def test_a_folder_without_a_network(tmp_path: Path) -> None:
    with pytest.raises(cn.ArgumentError, match=r"has no network\.pt: conspirator train GAME --to"):
        cn.search(TicTacToe().start(), "puct", evaluator=f"learnt(folder={tmp_path})", expansions=5)
    with pytest.raises(cn.ArgumentError, match=r"write learnt\(folder=FOLDER\)"):
        cn.search(TicTacToe().start(), "puct", evaluator="learnt", expansions=5)


@pytest.mark.skipif(HAS_TORCH, reason="PyTorch is installed")
def test_pytorch_is_missing(tmp_path: Path) -> None:
    with pytest.raises(cn.ArgumentError, match=r"pip install 'conspirator\[torch\]'"):
        cn.learn(TicTacToe(), tmp_path / "new", rounds=1)


@needs_torch
def test_it_learns_goes_on_and_plays(tmp_path: Path) -> None:
    folder = tmp_path / "learnt"
    recipe: dict[str, Any] = {"games": 24, "expansions": 16, "channels": 16, "blocks": 1}
    done = cn.learn(TicTacToe(), folder, rounds=2, **recipe)
    assert (done.rounds, done.games) == (2, 48)
    more = cn.learn(TicTacToe(), folder, rounds=13)
    assert (more.rounds, more.games) == (15, 360)
    assert more.seconds > done.seconds
    with (folder / "curve.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [int(row["games"]) for row in rows] == [24 * (at + 1) for at in range(15)]
    assert float(rows[-1]["policy loss"]) < 0.8 * float(rows[0]["policy loss"])
    # what it thinks of a game that is nearly won, from both sides
    evaluator = f"learnt(folder={folder})"
    game = TicTacToe()
    assert game.position("XX.OO....").evaluate(evaluator) > game.position("X...OO..X").evaluate(evaluator)
    player = cn.Player("puct", evaluator=evaluator, expansions=30)
    assert player.move(game.position("XX.OO....")) == 2


@needs_torch
def test_what_it_says_of_other_games_and_files(tmp_path: Path) -> None:
    folder = tmp_path / "learnt"
    cn.learn(TicTacToe(), folder, rounds=1, games=1, expansions=4, channels=4, blocks=0)
    with pytest.raises(cn.ArgumentError, match="has a network for TicTacToe"):
        cn.learn(cn.games.ConnectFour(), folder, rounds=1)
    with pytest.raises(cn.ArgumentError, match="has channels=4: name another folder"):
        cn.learn(TicTacToe(), folder, rounds=1, channels=8)
    with pytest.raises(cn.ConspiratorError, match="has learnt TicTacToe"):
        cn.games.ConnectFour().start().evaluate(f"learnt(folder={folder})")
    (folder / "network.pt").write_bytes(b"no network")
    with pytest.raises(cn.ArgumentError, match="is no file of a network that learnt a game"):
        TicTacToe().start().evaluate(f"learnt(folder={folder})")
