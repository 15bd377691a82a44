"""What rests on evaluators: a guess proves nothing, a sound word does."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

import conspirator as cn
from evaluators import (
    ALL_GROWING,
    GROWING,
    SEARCHES,
    Mine,
    Positions,
    Zeros,
    chance,
    facts,
    own,
    values_of,
    zeros,
)
from oracle import TIC_TAC_TOE, Exact, Way, cases, end_games, hexes, mistake, tic_tac_toe, trees


def chance_at(seed: int, position: cn.Position, *things: Any) -> float:
    return chance(seed, str(position), position.to_move, *things)


class Narrow(Zeros):
    """Leaves moves out by chance."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def evaluate(self, positions: Positions) -> Any:
        return values_of(positions)

    def candidates(self, position: cn.Position) -> Any:
        moves = position.moves()
        return [m for m in moves if chance_at(self.seed, position, m) < 0.6] or moves[-1:]


class Lying(Zeros):
    """Names winners by chance."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def evaluate(self, positions: Positions) -> Any:
        return values_of(positions)

    def outcome(self, position: cn.Position) -> float | None:
        low, high = position.value_range
        low, high = max(low, -3.0), min(high, 3.0)
        said = [low, (low + high) / 2, high]
        place = int(chance_at(self.seed, position, "outcome") * 12)
        return said[place] if place < 3 else None


class Both(Narrow, Lying):
    """Does both."""


GUESSES: dict[str, type[Any]] = {"narrow": Narrow, "lying": Lying, "both": Both}
SOME_TIC_TAC_TOE = [position for position in tic_tac_toe() if str(position).count(".") in (3, 4, 5)]
SOURCES: dict[str, Callable[[Random], cn.Position]] = {
    "tic-tac-toe": lambda random: random.choice(SOME_TIC_TAC_TOE),
    "trees": trees,
    "hex": hexes,
}
PROVING = [name for name in SEARCHES if name != "end-game"]


@pytest.mark.parametrize("guess", GUESSES)
@pytest.mark.parametrize("name", PROVING)
def test_a_guess_proves_nothing(name: str, guess: str) -> None:
    """Whatever a search calls proven or won, with an evaluator that is not sound, is so by the rules."""
    exact = Exact()
    for source, make in SOURCES.items():
        random = Random(f"{guess} {source}")
        for seed in range(20):
            position, exact = make(random), Exact() if source == "trees" else exact
            wrong = mistake(position, Way(name, {}), exact, evaluator=GUESSES[guess](seed), expansions=150)
            assert not wrong, f"{wrong}: seed {seed}, {source}, {position}"


ENDS: dict[str, Any] = {"value": 0, "children": [{"value": -1}, {"value": 0}, {"value": 1}]}


@pytest.mark.parametrize("kept", [["0"], ["1"], ["0", "1"]], ids=str)
@pytest.mark.parametrize("name", PROVING)
def test_the_best_move_was_left_out(name: str, kept: list[str]) -> None:
    class Few(Zeros):
        def candidates(self, position: cn.Position) -> Any:
            return kept

    result = cn.search(cn.games.ExplicitTree(ENDS).start(), name, evaluator=Few(), expansions=10)
    assert result.move in kept
    assert result.status != "proven"
    assert result.won is None


@pytest.mark.parametrize("name", PROVING)
def test_a_win_by_the_rules_is_a_win_whatever_is_left_out(name: str) -> None:
    class Column7(Mine):
        def candidates(self, position: cn.Position) -> Any:
            return ["7"]

    start = cn.games.ConnectFour().position("445566")
    assert start.play("7").outcome == 1023.0
    result = cn.search(start, name, evaluator=Column7(), expansions=10)
    assert (result.move, result.value) == ("7", 1023.0)
    assert result.status == "proven" or name not in GROWING


class Oracle(Zeros):
    """Knows the result of every position of tic-tac-toe."""

    exact = Exact()

    def outcome(self, position: cn.Position) -> float | None:
        return self.exact(position)


class SoundOracle(Oracle):
    """The same, and says that it does."""

    sound = True


@pytest.mark.parametrize("name", PROVING)
def test_only_a_sound_word_is_a_proof(name: str) -> None:
    for position in SOME_TIC_TAC_TOE[::40]:
        if cn.search(position, name, evaluator=Zeros(), expansions=1).status == "budget":
            guessed = cn.search(position, name, evaluator=Oracle(), expansions=1)
            assert guessed.status in ("converged", "budget")
            assert guessed.won is None
        sound = cn.search(position, name, evaluator=SoundOracle(), expansions=20)
        assert sound.status in ("proven", "decided")
        if sound.status == "proven":
            assert sound.value == Oracle.exact(position)


@pytest.mark.parametrize("name", PROVING)
def test_a_known_result_is_no_reason_to_throw_it_away(name: str) -> None:
    """To know who wins is not to know the winning move: the move of a proven answer keeps the result."""
    for position in SOME_TIC_TAC_TOE[::40]:
        wrong = mistake(position, Way(name, {}), Oracle.exact, evaluator=SoundOracle(), expansions=20)
        assert wrong == "", f"{wrong}: {position}"


class Useful(Zeros):
    """Leaves out moves of tic-tac-toe that are worse than another."""

    sound = True
    exact = Exact()

    def candidates(self, position: cn.Position) -> Any:
        value = self.exact(position)
        return [move for move in position.moves() if self.exact(position.play(move)) == value]


@pytest.mark.parametrize("name", SEARCHES)
def test_a_sound_evaluator_makes_proofs_short(name: str) -> None:
    start = TIC_TAC_TOE.position("X...O...X")
    if own(name, start) is not None:
        pytest.skip("no such search of this game")
    plain = cn.search(start, name, evaluator=zeros, expansions=5000)
    short = cn.search(start, name, evaluator=Useful(), expansions=5000)
    assert {plain.status, short.status} <= {"proven", "decided"}
    assert short.won == plain.won
    if plain.status == short.status == "proven":
        assert short.value == plain.value == Useful.exact(start)
    assert short.nodes < plain.nodes


def test_an_end_game_needs_a_sound_evaluator() -> None:
    start = end_games(Random(1))
    with pytest.raises(cn.ArgumentError, match="leaves moves out by guess"):
        cn.search(start, "end-game", evaluator=Narrow(1), expansions=10)
    for width in ("segments(width=2)", "segments(width=1)"):
        with pytest.raises(cn.ArgumentError, match="leaves moves out by guess"):
            cn.search(start, "end-game", evaluator=width, expansions=10)


@pytest.mark.parametrize("width", [1, 2, 3])
@pytest.mark.parametrize("name", PROVING)
def test_a_width_proves_nothing(name: str, width: int) -> None:
    for source, evaluator in (("end games", "segments"), ("hex", "resistance"), ("hex", "knowledge")):
        for position, exact in cases(source, 5, 12):
            given = f"{evaluator}(width={width})"
            wrong = mistake(position, Way(name, {}), exact, evaluator=given, expansions=300)
            assert not wrong, f"{wrong}: {given}, {position}"


@pytest.mark.parametrize("evaluator", ["knowledge", "network"])
@pytest.mark.parametrize("name", PROVING)
def test_what_is_known_of_hex_is_sound(name: str, evaluator: str) -> None:
    proven = 0
    for position, exact in cases("hex", 11, 8):
        wrong = mistake(position, Way(name, {}), exact, evaluator=evaluator, expansions=100)
        assert not wrong, f"{wrong}: {position}"
        proven += wrong == ""
    assert proven > 0


@ALL_GROWING
def test_a_guess_stays_a_guess_in_a_file(name: str, tmp_path: Path) -> None:
    start, guess = TIC_TAC_TOE.position("X...O...."), Both(3)
    result = cn.search(start, name, evaluator=guess, expansions=40)
    again = cn.load(result.save(tmp_path / "guess.tree"), position=start, evaluator=guess)
    assert facts(again, tree=False) == facts(result, tree=False)
    one, two = again.resume(expansions=40), result.resume(expansions=40)
    assert facts(one, tree=False) == facts(two, tree=False)
    with pytest.raises(cn.ArgumentError, match="evaluator of yours, Both"):
        cn.load(tmp_path / "guess.tree", position=start)
