"""Looking back at games: every verdict is the one of minimax, and the move that lost the game is found."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import conspirator as cn
from command_line import Run, complaint_of, facts_of, result_of, runner
from conspirator.review import Judged, Review, replay, review
from helpers import minimax, random_tree

LOST = ["a2", "c2", "a1", "c3", "a3"]
"""On 3 x 3: Black's third move throws the win away, and White's fourth gives it back."""


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    return runner(capsys, monkeypatch, tmp_path)


def random_game(start: cn.Position, seed: int, plies: int = 99) -> list[Any]:
    random, position, moves = Random(seed), start, list[Any]()
    while position.outcome is None and len(moves) < plies:
        moves.append(random.choice(position.moves()))
        position = position.play(moves[-1])
    return moves


def standings(start: cn.Position, moves: list[Any]) -> list[str]:
    """Return how the player to move stands in every position of a game, by minimax."""
    words, memo = [], dict[int, float]()
    for position in replay(start, moves):
        low, high = position.value_range
        value = minimax(position, memo=memo) - (low + high) / 2
        mine = value if position.to_move == "max" else -value
        words.append("won" if mine > 0 else "lost" if mine < 0 else "drawn")
    return words


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 9))
def test_verdicts_are_those_of_minimax(seed: int, plies: int) -> None:
    start = cn.games.Hex(size=3).start()
    moves = random_game(start, seed, plies)
    found = review(start, moves, expansions=10_000)
    truth = standings(start, moves)
    turned = {"won": "lost", "lost": "won"}
    assert [judged.before for judged in found.moves] == truth[:-1]
    assert [judged.after for judged in found.moves] == [turned[word] for word in truth[1:]]
    last = replay(start, moves)[-1]
    assert found.winner == (
        last.to_move if truth[-1] == "won" else {"max": "min", "min": "max"}[last.to_move]
    )
    for judged in found.blunders:
        assert judged.better is not None
        before = replay(start, moves)[judged.number - 1]
        assert standings(before, [judged.better])[1] == "lost", "the better move keeps the win"
    decisive = found.decisive
    if decisive is not None:
        assert decisive.player != found.winner
        assert all(j.player == found.winner or not j.blunder for j in found.moves[decisive.number :])
        kept = [j for j in found.moves[decisive.number :] if j.player == found.winner]
        assert all(j.before == j.after == "won" for j in kept)


def test_games_with_draws_and_extra_turns() -> None:
    for seed in range(40):
        random = Random(seed)
        start = cn.games.ExplicitTree(random_tree(random, 4, skewed=True)).start()
        moves = random_game(start, seed)
        found = review(start, moves, nodes=10**6)
        for judged, position in zip(found.moves, replay(start, moves), strict=False):
            value = minimax(position)
            mine = value if position.to_move == "max" else -value
            assert judged.before == ("won" if mine > 0 else "lost" if mine < 0 else "drawn")


def test_the_move_that_lost() -> None:
    found = review(cn.games.Hex(size=3).start(), LOST, seconds=5)
    assert [judged.blunder for judged in found.moves] == [False, False, True, True, False]
    assert found.decisive == Judged(4, "min", "c3", "won", "lost", "a3")
    assert found.winner == "max"
    assert found.between is None
    other = review(cn.games.Hex(size=3).start(), LOST, winner="min", seconds=5)
    assert other.decisive is not None
    assert other.decisive.move == "a1", "who resigned is not who was losing"


def test_what_cannot_be_proven_is_unknown() -> None:
    start = cn.games.Hex(size=11).start()
    found = review(start, random_game(start, 3, 12), expansions=1)
    assert {judged.before for judged in found.moves} == {None}
    assert (found.winner, found.decisive, found.between) == (None, None, None)


def test_where_a_win_was_lost_without_proofs_in_between() -> None:
    def judged(number: int, before: Any, after: Any) -> Judged:
        return Judged(number, "min" if number % 2 else "max", "x", before, after, None)

    moves = [judged(1, "won", None), judged(2, None, None), judged(3, None, "lost"), judged(4, "won", "won")]
    assert Review(cn.games.Hex().start(), moves, "max").between == (1, 3)
    assert Review(cn.games.Hex().start(), moves, None).between is None


def test_ctrl_c_keeps_what_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    import conspirator.review as module

    solve, asked = cn.solve, list[Any]()

    def interrupted(position: cn.Position, name: Any, **limits: Any) -> Any:
        asked.append(position)
        return solve(position, name, progress=lambda _: len(asked) < 2, **limits)

    monkeypatch.setattr(module, "solve", interrupted)
    start = cn.games.Hex(size=11).start()
    found = review(start, random_game(start, 1, 6), seconds=0.2)
    assert found.interrupted
    assert len(asked) == 2


@pytest.mark.parametrize(
    ("moves", "message"),
    [
        (["a1", "a1"], "move 2, a1, is not legal there"),
        (["b2", "a1", "b1", "a2", "b3", "c3"], "the game is over before move 6, c3"),
        (["z9"], "move 1, z9, is not legal there"),
    ],
)
def test_games_that_cannot_be(moves: list[str], message: str) -> None:
    with pytest.raises(cn.PositionError, match=message):
        review(cn.games.Hex(size=3).start(), moves, seconds=1)


# the command


def test_the_command(run: Run) -> None:
    output = result_of(run, f"blunders hex '{' '.join(LOST)}' --game-option size=3")
    assert "3  X       a1    won     lost   blunder: a3 was right" in output
    assert output.rstrip().endswith(
        "O threw it away with move 4, c3: won before it, lost after it; a3 was right."
    )
    facts = facts_of(run, f"blunders hex {','.join(LOST)} --game-option size=3 --search df-pn")
    assert (facts["winner"], facts["decisive"], facts["between"]) == ("max", 4, None)
    assert facts["moves"][3] == {
        "number": 4, "player": "min", "move": "c3", "before": "won", "after": "lost", "better": "a3",
        "blunder": True,
    }  # fmt: skip
    assert "No move threw anything away." in result_of(run, "blunders hex b2 --game-option size=3")
    unknown = result_of(run, "blunders hex 'a1 b2 c3' --expansions 1")
    assert "No move is known to have thrown it away." in unknown


def test_games_from_files(run: Run, tmp_path: Path) -> None:
    colours = ["B", "W", "B", "W", "B"]
    text = "".join(f";{colour}[{move}]" for colour, move in zip(colours, LOST, strict=True))
    (tmp_path / "game.sgf").write_text(f"(;GM[11]SZ[3]{text})")
    lines = [f"play {colour} {move}" for colour, move in zip(colours, LOST, strict=True)]
    (tmp_path / "game.htp").write_text("boardsize 3\n12 " + "\n".join(lines) + " # the end\nplay w resign\n")
    for line in ("blunders hex game.sgf", "blunders hex game.htp --game-option size=3"):
        assert facts_of(run, line)["decisive"] == 4


def test_a_game_of_a_match(run: Run, tmp_path: Path) -> None:
    players = ["A=uct:nodes=20,seed=1", "B=uct:nodes=20,seed=2"]
    game = cn.games.Hex(size=3)
    result = cn.match(players, game, plies=1, games=4, store=tmp_path / "games.db")
    for number, record in enumerate(result.records, 1):
        facts = facts_of(run, f"blunders hex games.db --number {number}")
        opening = result.openings[record.opening]
        assert [judged["move"] for judged in facts["moves"]] == [*opening.moves, *record.moves]
        assert facts["winner"] == ("max" if record.points == 1 else "min")
    assert "has no game 99; 4 have been played" in complaint_of(run, "blunders hex games.db --number 99")
    assert "has games of hex, not of othello" in complaint_of(run, "blunders othello games.db")


def test_a_game_in_python(run: Run) -> None:
    facts = facts_of(run, "blunders nim.py:Nim '(1,) (1,) (3,)' --game-option matches=5")
    assert facts["winner"] in ("max", "min")
    assert len(facts["moves"]) == 3


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("blunders hex", "missing argument"),
        ("blunders hex a1,a1", "move 2, a1, is not legal there"),
        ("blunders hex 'a1 hello'", "move 2, hello, is not legal there"),
        ("blunders hex a1 --number 2", "--number goes with games in a file"),
        ("blunders hex none.sgf", "cannot read the game none.sgf"),
        ("blunders hex none.htp", "cannot read the game none.htp"),
        ("blunders hex nim.htp", "cannot read the game nim.htp"),
        ("blunders hex none.db", "there is no file none.db"),
        ("blunders hex a1 --set seconds=1", "'seconds' is none"),
        ("blunders hex a1 --search best-frist", "did you mean"),
        ("blunders connect-four 4 --evaluator segments(width=3)", "nothing would be proven"),
        ("blunders explicit-tree 0 --tree tree.json", "has no games to look back at"),
        ("blunders chess game.sgf", "game.sgf has colours, and chess none here"),
        ("blunders hex two.sgf", "move 2, black b1, is not black's turn"),
        ("blunders hex set.sgf", "stones that were set up"),
        ("blunders hex empty.htp", "empty.htp has no moves"),
    ],
)
def test_bad_input_is_one_line(run: Run, line: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "game.sgf").write_text("(;SZ[3];B[a1])")
    (tmp_path / "two.sgf").write_text("(;SZ[3];B[a1];B[b1])")
    (tmp_path / "set.sgf").write_text("(;SZ[3];AB[a1])")
    (tmp_path / "empty.htp").write_text("boardsize 3\nplay\n")
    assert words in complaint_of(run, line)
