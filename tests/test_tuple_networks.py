"""Networks of n-tuples: values against a plain reading of their files, symmetries, colours."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

import conspirator as cn

DATA = Path(__file__).parents[1] / "crates/core/src/evaluators/data"


class Plain:
    """A network as its file says it, entry by entry."""

    def __init__(self, name: str) -> None:
        data = (DATA / f"{name}.bin").read_bytes()
        assert data[:8] == b"tuples01"
        tables, tuples, phases, kept, moves, self.step, known = struct.unpack_from("<HHHIBfB", data, 8)
        at = 8 + struct.calcsize("<HHHIBfB")
        self.phase_of, at = data[at : at + known], at + known
        orders = []
        for _ in range(tables):
            orders.append(data[at + 1 : at + 1 + data[at]])
            at += 1 + data[at]
        self.tuples = []
        for _ in range(tuples):
            table, count = data[at], len(orders[data[at]])
            self.tuples.append((table, data[at + 1 : at + 1 + count]))
            at += 1 + count
        size = kept + 80 * moves
        self.weights = [struct.unpack_from(f"{size}b", data, at + phase * size) for phase in range(phases)]
        self.kept = kept
        assert at + phases * size == len(data)
        self.slots: list[dict[int, int]] = []
        place = 0
        for order in orders:
            slots: dict[int, int] = {}
            for content in range(3 ** len(order)):
                digits = [content // 3**k % 3 for k in range(len(order))]
                twin = sum(digits[order[k]] * 3**k for k in range(len(order)))
                slots[content] = slots[twin] if twin < content else place
                place += twin >= content
            self.slots.append(slots)
        assert place == kept

    def sum(self, cell: Callable[[int], int], stones: int, moves: tuple[int, int] | None) -> float:
        """Return the sum of weights; a cell is 0, 1 with the mover's stone, 2 with the other's."""
        weights = self.weights[self.phase_of[stones]]
        total = sum(
            weights[self.slots[table][sum(cell(c) * 3**k for k, c in enumerate(cells))]]
            for table, cells in self.tuples
        )
        if moves is not None:
            total += weights[self.kept + moves[0]] + weights[self.kept + 40 + moves[1]]
        return float(total * self.step)


def random_position(game: Any, random: Random) -> cn.Position:
    """Return a position after some random moves, in which the game goes on."""
    while True:
        position: cn.Position = game.start()
        for _ in range(random.randrange(40)):
            if position.outcome is None:
                position = position.play(random.choice(position.moves()))
        if position.outcome is None:
            return position


def test_othello() -> None:
    plain, random, game = Plain("othello"), Random(1), cn.games.Othello()
    for _ in range(60):
        position = random_position(game, random)
        board, side = position.notation().split()
        other = "O" if side == "X" else "X"
        codes = {side: 1, other: 2}
        passed = game.position(f"{board} {other}")
        counts = [[move for move in each.moves() if move != "pass"] for each in (position, passed)]
        if passed.outcome is not None:
            continue
        expected = plain.sum(
            lambda c, board=board, codes=codes: codes.get(board[c], 0),  # type: ignore[misc]
            64 - board.count("-"),
            (len(counts[0]), len(counts[1])),
        )
        sign = 1 if side == "X" else -1
        assert position.evaluate("network") == pytest.approx(max(-63, min(63, sign * expected)), abs=1e-4)


def test_connect_four() -> None:
    plain, random, game = Plain("connect_four"), Random(2), cn.games.ConnectFour()
    for _ in range(60):
        position = random_position(game, random)
        rows = [line.split() for line in str(position).splitlines()]
        rows = [row for row in rows if len(row) == 7 and set(row) <= {"X", "O", "."}]
        assert len(rows) == 6
        mine = "X" if position.to_move == "max" else "O"

        def cell(c: int, rows: list[list[str]] = rows, mine: str = mine) -> int:
            stone = rows[5 - c % 7][c // 7]
            return 0 if stone == "." else 1 if stone == mine else 2

        odds = plain.sum(cell, sum(row.count("X") + row.count("O") for row in rows), None)
        value = 510 * odds / math.sqrt(odds * odds + 4)
        expected = 512 + (value if mine == "X" else -value)
        assert position.evaluate("network") == pytest.approx(expected, abs=0.51)


@pytest.mark.parametrize("game", [cn.games.Othello(), cn.games.ConnectFour()], ids=str)
def test_searches_find_what_is_proven(game: Any) -> None:
    """A network changes what is looked at first, and no proof."""
    random, proven = Random(3), 0
    for _ in range(12):
        position = random_position(game, random)
        while position.outcome is None and not _late(position):
            position = position.play(random.choice(position.moves()))
        if position.outcome is not None:
            continue
        by_network = cn.search(position, "alpha-beta", evaluator="network", table=True, nodes=2_000_000)
        usual = cn.search(position, "alpha-beta", table=True, nodes=2_000_000)
        if by_network.status == usual.status == "proven":
            assert by_network.value == usual.value
            proven += 1
    assert proven > 2


def _late(position: cn.Position) -> bool:
    board = position.notation()
    return (board.count("-") if " " in board else 42 - len(board)) <= 8
