"""Games know only their rules: what is legal never depends on an evaluator."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest

import conspirator as cn
from evaluators import Zeros
from helpers import random_hex


def empty_cells(size: int, played: list[str]) -> list[str]:
    cells = [f"{chr(ord('a') + column)}{row + 1}" for row in range(size) for column in range(size)]
    return [cell for cell in cells if cell not in played]


def connected(stones: set[tuple[int, int]], size: int, axis: int) -> bool:
    """Tell whether stones, as (column, row), join the two edges of an axis."""
    reached = {stone for stone in stones if stone[axis] == 0}
    stack = list(reached)
    while stack:
        column, row = stack.pop()
        for step in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)):
            near = (column + step[0], row + step[1])
            if near in stones and near not in reached:
                reached.add(near)
                stack.append(near)
    return any(stone[axis] == size - 1 for stone in reached)


def game_of(position: cn.Position, random: Random) -> Iterator[tuple[cn.Position, list[str]]]:
    """Yield the positions of a random game with the moves so far, the last one over."""
    played: list[str] = []
    while True:
        yield position, played
        if position.outcome is not None:
            return
        played = [*played, random.choice(position.moves())]
        position = position.play(played[-1])


@pytest.mark.parametrize("seed", range(6))
def test_hex_is_legal_wherever_a_cell_is_empty(seed: int) -> None:
    """Whatever evaluators say and searches have found: moves and ends are those of the rules."""
    size = 5 + seed % 3
    game, decided = cn.games.Hex(size=size), 0
    for position, played in game_of(game.start(), Random(seed)):
        stones = [{(ord(cell[0]) - 97, int(cell[1:]) - 1) for cell in played[side::2]} for side in (0, 1)]
        over = connected(stones[0], size, 1) or connected(stones[1], size, 0)
        assert (position.outcome is not None) == over
        if over:
            assert position.outcome == (1.0 if len(played) % 2 else -1.0)
            assert position.moves() == []
            break
        if len(played) % 3 == 0:
            cn.search(position, "puct", evaluator="knowledge", expansions=5)
        decided += position.decided("knowledge") is not None
        assert position.moves() == empty_cells(size, played)
        for move in position.moves():
            assert position.play(move).moves() in ([], empty_cells(size, [*played, move]))
    assert decided > 0, "the evaluator knows it before the rules do"


NARROWING = [
    ("hex", {"size": 5}, "knowledge"),
    ("hex", {"size": 5}, "knowledge(width=3)"),
    ("hex", {"size": 5}, "network(width=3)"),
    ("amazons", {"size": 5}, "territory(width=4)"),
    ("chess", {}, "captures(sort=true)"),
    ("chess", {}, "threats(width=5 sort=true)"),
    ("othello", {}, "mobility(width=2)"),
    ("connect-four", {}, "segments(width=2 sort=true)"),
]


@pytest.mark.parametrize(
    ("name", "options", "evaluator"), NARROWING, ids=[f"{n} {e}" for n, _, e in NARROWING]
)
def test_candidates_and_the_rest_are_all_moves(name: str, options: dict[str, Any], evaluator: str) -> None:
    position, random = cn.games.make(name, **options).start(), Random(2)
    for _ in range(8):
        moves = position.moves()
        kept, left = position.candidates(evaluator), position.left_out(evaluator)
        assert kept
        assert sorted([*kept, *left]) == sorted(moves)
        root = cn.search(position, "best-first", evaluator=evaluator, expansions=1).tree.root
        assert sorted(child.move for child in root.children) == sorted(kept)
        assert position.moves() == moves
        position = position.play(random.choice(moves))
        if position.outcome is not None:
            break


def test_what_a_position_calls_candidates_is_what_a_search_looks_at() -> None:
    """Also where what is yours and what its base leaves have no move in common."""

    class First(Zeros):
        base = "knowledge"

        def candidates(self, position: cn.Position) -> Any:
            return position.moves()[:1]

    def said(position: cn.Position) -> list[Any]:
        return position.candidates(First())

    def looked_at(position: cn.Position) -> list[Any]:
        result = cn.search(position, "best-first", evaluator=First(), expansions=1)
        return [child.move for child in result.tree.root.children]

    def answer(ask: Callable[[cn.Position], list[Any]], position: cn.Position) -> Any:
        try:
            return ask(position)
        except cn.ConspiratorError as error:
            return type(error)

    for seed in range(12):
        position = random_hex(seed, size=6, most=10)
        assert answer(said, position) == answer(looked_at, position), position
