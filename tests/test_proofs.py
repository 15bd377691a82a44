"""Certificates: what is saved is accepted, states the solution, and is checked by rules of its own."""

from __future__ import annotations

import ast
import json
import shutil
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

import conspirator as cn
from certificates import take_apart
from conspirator import proofs
from conspirator.cli import main
from conspirator.proofs.rules import RULES
from helpers import is_one_line, minimax, random_tree

FOLDER = Path(proofs.__file__).parent
SAVED = sorted((Path(__file__).parent / "data/proofs").glob("*.proof"))
POSITIONS = {
    "amazons-5": 31,
    "connect-four-draw": 5651,
    "connect-four-following": 75,
    "connect-four-win": 239,
    "hex-4": 6,
    "hex-5-d2": 275,
    "hex-5-e2": 4589,
    "othello": 936,
}
"""What both readers count: crates/verify/src/tests.rs."""
MATE_IN_3 = "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1"
GAMES: list[tuple[cn.games.NativeGame, int, int]] = [
    (cn.games.ConnectFour(), 24, 34),
    (cn.games.Hex(size=5), 0, 12),
    (cn.games.Hex(size=7), 14, 24),
    (cn.games.Othello(), 50, 59),
    (cn.games.Amazons(size=4), 2, 8),
    (cn.games.RandomTree(branching=3, depth=6, seed=5), 0, 3),
    (cn.games.RandomTree(branching=4, depth=4, kind="utgoff", sort=True), 0, 2),
]


def played(game: cn.games.NativeGame, random: Random, moves: int) -> cn.Position:
    position = game.start()
    for _ in range(moves):
        if position.outcome is not None:
            return played(game, random, moves)
        position = position.play(random.choice(position.moves()))
    return position


@pytest.mark.parametrize(("game", "least", "most"), GAMES, ids=lambda case: str(case))
def test_what_is_solved_is_accepted(game: cn.games.NativeGame, least: int, most: int, tmp_path: Path) -> None:
    random = Random(7)
    for number in range(10):
        position = played(game, random, random.randint(least, most))
        solution = cn.solve(position)
        checked = cn.verify(solution.proof.save(tmp_path / f"{number}.proof"), position=position)
        low, high = solution.bounds
        results = position.results or [low, high]
        assert (checked.game, checked.position) == (game.name, position.notation())
        if solution.value is not None:
            assert checked.at_least in (low, None if low == min(results) else low)
            assert checked.at_most in (high, None if high == max(results) else high)
            assert (checked.at_least, checked.at_most) != (None, None)


@pytest.mark.parametrize("seed", range(8))
def test_trees_as_data(seed: int, tmp_path: Path) -> None:
    position = cn.games.ExplicitTree(random_tree(Random(seed), skewed=True)).start()
    for way in ([], ["df-pn"], ["proof-number"], ["sibling-conspiracy"], ["end-game"]):
        checked = cn.verify(cn.solve(position, *way).proof.save(tmp_path / "tree.proof"))
        value = minimax(position)
        assert checked.at_least in (None, value)
        assert checked.at_most in (None, value)


@pytest.mark.parametrize("path", SAVED, ids=lambda path: path.stem)
def test_saved_ones_are_accepted_and_found_again(path: Path, tmp_path: Path) -> None:
    checked = cn.verify(path)
    assert checked.positions == POSITIONS[path.stem]
    position = cn.games.make(checked.game, **{name: int(size) for name, size in checked.options.items()})
    solution = cn.solve(position.position(checked.position))
    again = cn.verify(solution.proof.save(tmp_path / "again.proof"))
    assert (again.at_least, again.at_most) == (checked.at_least, checked.at_most)


def test_strategies_of_hex_are_used_again() -> None:
    cells = 25
    numbers = {path.stem: take_apart(path.read_bytes()).choices for path in SAVED if "hex-5" in path.stem}
    assert max(numbers["hex-5-e2"]) <= cells < max(numbers["hex-5-d2"])


@pytest.mark.parametrize("table_bytes", [1024, 1 << 16])
def test_what_a_table_has_forgotten_is_found_again(table_bytes: int, tmp_path: Path) -> None:
    position = cn.games.ConnectFour().position("5441565551")
    usual = cn.verify(cn.solve(position).proof.save(tmp_path / "usual.proof"))
    small = cn.solve(position, "df-pn", table_bytes=table_bytes).proof.save(tmp_path / "small.proof")
    assert cn.verify(small).at_least == usual.at_least


def test_mates_are_proven_without_a_past(tmp_path: Path) -> None:
    position = cn.games.Chess().position(MATE_IN_3)
    solution = cn.solve(position)
    checked = cn.verify(solution.proof.save(tmp_path / "mate.proof"))
    assert (checked.game, checked.at_least, checked.at_most) == ("chess", 20000, None)
    path = tmp_path / "mate.proof"
    content = path.read_bytes().replace(b" w - - 0 1", b" w - - 97 1")
    path.write_bytes(content)
    with pytest.raises(cn.ArgumentError, match=r"too long|has no end"):
        cn.verify(path)


class Walk(cn.Game):
    """A token on a line: Max wants it at the right end, Min at the left; it can come back."""

    value_range = (-1, 1)
    results = (-1, 0, 1)

    def moves(self, state: tuple[int, int]) -> list[int]:
        return [step for step in (-1, 1, 2 * state[1]) if 0 <= state[0] + step <= 6]

    def play(self, state: tuple[int, int], step: int) -> tuple[int, int]:
        return state[0] + step, -state[1]

    def outcome(self, state: tuple[int, int]) -> float | None:
        return {0: -1.0, 6: 1.0}.get(state[0])

    def key(self, state: tuple[int, int]) -> tuple[int, int]:
        return state


@pytest.mark.parametrize(("cell", "player"), [(5, 1), (3, 1), (4, 1), (2, -1), (1, 1), (4, -1)])
def test_games_of_yours_and_positions_that_come_back(cell: int, player: int, tmp_path: Path) -> None:
    position = Walk().position((cell, player), "max" if player == 1 else "min")
    solution = cn.solve(position)
    path = solution.proof.save(tmp_path / "walk.proof")
    checked = cn.verify(path, position=position)
    bounds = (checked.at_least, checked.at_most)
    assert bounds in ((solution.value, None), (None, solution.value), (solution.value, solution.value))
    with pytest.raises(cn.ArgumentError, match="give the position"):
        cn.verify(path)
    with pytest.raises(cn.ArgumentError, match="another position"):
        cn.verify(path, position=Walk().position((cell % 5 + 1, player), "max" if player == 1 else "min"))


def test_a_position_that_is_over(tmp_path: Path) -> None:
    over = cn.games.ConnectFour().position("1212121")
    checked = cn.verify(cn.solve(over).proof.save(tmp_path / "over.proof"))
    assert (checked.at_least, checked.at_most, checked.positions) == (1023, 1023, 0)


MISTAKES = [
    (cn.games.Hex(size=3, swap=True).start(), "without swap"),
    (cn.games.Chess().position("moves e2e4 e7e5"), "nothing is proven"),
]


@pytest.mark.parametrize(("position", "words"), MISTAKES)
def test_what_cannot_be_saved_says_why(position: cn.Position, words: str, tmp_path: Path) -> None:
    solution = cn.solve(position, expansions=10_000 if words == "without swap" else 5)
    with pytest.raises(cn.ArgumentError, match=words) as error:
        solution.proof.save(tmp_path / "x.proof")
    assert is_one_line(error.value)
    assert not list(tmp_path.iterdir())


def test_stopping_leaves_no_file(tmp_path: Path) -> None:
    solution = cn.solve(cn.games.ConnectFour().position("5441565551"))
    with pytest.raises(cn.ArgumentError, match="stopped"):
        solution.proof.save(tmp_path / "x.proof", lambda size: False)
    assert not list(tmp_path.iterdir())


def test_the_checker_needs_nothing_but_python(tmp_path: Path) -> None:
    shutil.copytree(FOLDER, tmp_path / "proofs")
    for path in SAVED:
        command = [sys.executable, "-S", "-m", "proofs", str(path)]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, env={})
        assert done.stdout.startswith("proven: "), done.stderr
    damaged = tmp_path / "damaged.proof"
    damaged.write_bytes(SAVED[0].read_bytes()[:-1])
    command = [sys.executable, "-S", "-m", "proofs", str(damaged)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, env={})
    assert (done.returncode, done.stdout) == (1, "")


def code_lines(path: Path) -> int:
    """Count lines that are neither empty, nor a comment, nor part of a docstring."""
    text = path.read_text(encoding="utf-8")
    notes: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            notes |= set(range(node.lineno, (node.end_lineno or 0) + 1))
    lines = enumerate(text.splitlines(), 1)
    return sum(1 for n, line in lines if line.strip() and line.strip()[0] != "#" and n not in notes)


def test_the_checker_is_short_and_stands_alone() -> None:
    own = [FOLDER / name for name in ("checker.py", "cells.py", "rejected.py")]
    assert sum(map(code_lines, own)) <= 250
    for path in (FOLDER / "rules").glob("*.py"):
        assert code_lines(path) <= (110 if path.stem == "chess" else 80), path.stem
    for path in FOLDER.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [node.module] if isinstance(node, ast.ImportFrom) and not node.level else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            assert all(str(name).split(".")[0] in sys.stdlib_module_names for name in names), path


@pytest.mark.parametrize("name", ["amazons", "chess", "connect-four", "othello", "random-tree"])
def test_rules_agree_with_the_core(name: str) -> None:
    random = Random(3)
    options = {"amazons": {"size": 5}, "random-tree": {"seed": 9, "sort": True, "depth": 9}}.get(name, {})
    game = cn.games.make(name, **options)
    full = {key: str(value).lower() for key, value in game._complete().items()}
    rules = RULES[name](full if name in ("amazons", "random-tree") else {})
    for _ in range(12 if name == "chess" else 40):
        position = game.start()
        while position.outcome is None and " moves " not in position.notation()[-12:]:
            text = position.notation().split(" moves ")[0] if name == "chess" else position.notation()
            position = game.position(text)
            state = rules.read(text)
            assert rules.outcome(state) is None
            assert rules.max_to_move(state) == (position.to_move == "max")
            moves = sorted(position.moves()) if name == "chess" else position.moves()
            assert len(rules.moves(state)) == len(moves)
            place = random.randrange(len(moves))
            after = position.play(moves[place])
            written = after.notation()
            if name == "chess":
                written = cn.games.Chess().position(written).notation().split(" moves ")[0]
                assert rules.moves(state)[place][0] == moves[place]
            else:
                assert rules.play(state, rules.moves(state)[place]) == rules.read(written)
                assert rules.outcome(rules.read(written)) == after.outcome
            position = after
            if name == "chess" and random.random() < 0.02:
                break


def test_choices_are_few() -> None:
    """A position is written as one byte at most: what follows from the rules is not written."""
    for path in SAVED:
        parts = take_apart(path.read_bytes())
        if "hex" not in path.stem:
            assert len(parts.choices) == parts.choice_count <= parts.positions


def plies(position: cn.Position, value: float) -> int:
    """Return how many moves a game lasts that ends with a value, by the definition; many if it does not."""
    if position.outcome is not None:
        return 0 if position.outcome == value else 1000
    winner = (position.to_move == "max") == (value > 0)
    return 1 + (min if winner else max)(plies(position.play(move), value) for move in position.moves())


@pytest.mark.parametrize("line", ["", "b2", "a1", "a1 b2", "c1 a2"])
def test_all_moves_and_the_shortest_win(line: str) -> None:
    position = cn.games.Hex(size=3).position(line)
    solution = cn.solve(position)
    value = minimax(position)
    assert solution.best_moves() == [m for m in position.moves() if minimax(position.play(m)) == value]
    moves, first = solution.shortest()
    assert moves == plies(position, value)
    assert plies(position.play(first), value) == moves - 1


def test_the_command_writes_and_checks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x.proof"
    solve = ["solve", "hex", "--game-option", "size=3", "--quiet", "--json"]
    assert main([*solve, "--proof", str(path), "--all-moves", "--shortest"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["proof"] == {"file": str(path), "claims": "at least 1", "bytes": path.stat().st_size}
    assert (facts["best_moves"], facts["shortest"]["moves"]) == (["c1", "a2", "b2", "c2", "a3"], 5)
    assert main(["verify", str(path)]) == 0
    assert capsys.readouterr().out.startswith("proven: Max gets at least 1 in hex size=3")
    assert main(["verify", str(path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["at_least"] == 1
    path.write_bytes(path.read_bytes()[:-1] + b"x")
    assert main(["verify", str(path), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["proven"] is False
    assert main(["verify", str(path)]) == 1
    assert "is rejected" in capsys.readouterr().err
