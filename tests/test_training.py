"""The rules that training uses, for many boards at once, against those of the package. They need PyTorch."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

import conspirator as cn

torch: Any = pytest.importorskip("torch")
sys.path.append(str(Path(__file__).parents[1] / "training"))

GAMES: dict[str, Any] = {"connect-four": cn.games.ConnectFour(), "othello": cn.games.Othello()}


def cell_of(name: str, move: str) -> int:
    """Return the bit of an Othello move, or the column of one in Connect-Four."""
    if name == "connect-four":
        return int(move) - 1
    return 64 if move == "pass" else 8 * (int(move[1]) - 1) + "abcdefgh".index(move[0])


@pytest.mark.parametrize("name", GAMES)
def test_random_games(name: str) -> None:
    from boards import GAMES as RULES  # type: ignore[import-not-found]

    rules, random = RULES[name], Random(1)
    for _ in range(20):
        position = GAMES[name].start()
        boards = rules.start(1, "cpu")
        while position.outcome is None:
            legal = rules.moves(*boards)
            cells = [cell for cell in range(64) if int(legal) >> cell & 1]
            moves = {cell_of(name, move): move for move in position.moves()}
            places = {cell // 7 if name == "connect-four" else cell: cell for cell in cells}
            assert set(places) == moves.keys() - {64}
            assert not rules.end(*boards)[0]
            at = random.choice(sorted(moves))
            position = position.play(moves[at])
            cell = places.get(at, 64)
            one = torch.tensor([0 if cell == 64 else (1 << cell) - (1 << 64 if cell == 63 else 0)])
            boards = rules.play(*boards, one)
        over, result = rules.end(*boards)
        sign = 1 if position.to_move == "max" else -1
        value = position.outcome if name == "othello" else (position.outcome - 512) / 511
        assert over
        assert float(result) == sign * value


@pytest.mark.parametrize("name", GAMES)
def test_values_have_the_symmetries(name: str) -> None:
    from boards import GAMES as RULES
    from tuple_network import TupleNetwork  # type: ignore[import-not-found]

    network = TupleNetwork(RULES[name], "cpu")
    torch.manual_seed(1)
    network.weights.normal_()
    network.refresh()
    mover, other = (0b1011, 0b100 << 7) if name == "connect-four" else (0x10_0800_0000, 0x08_1000_0100)

    def mirror(c: int) -> int:
        return 7 * (6 - c // 7) + c % 7 if name == "connect-four" else 8 * (c % 8) + c // 8

    def mirrored(x: int) -> int:
        return sum(1 << mirror(c) for c in range(network.rules.cells) if x >> c & 1)

    boards = [torch.tensor([x, mirrored(x)]) for x in (mover, other)]
    values = network.values(tuple(boards))
    assert values[0] == pytest.approx(float(values[1]), abs=1e-4)
    assert float(values[0]) != 0
