"""Hex against a slow game of its own, solved openings, and circuits solved by the book."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random

import numpy as np
import pytest

import conspirator as cn
from helpers import HERE, is_one_line, minimax, perft_data, random_line

Cell = tuple[int, int]
"""Row and column, from 0 up."""
Stones = tuple[frozenset[Cell], frozenset[Cell]]
"""Black's and White's."""

SOLVED = json.loads((HERE / "data" / "hex" / "solved_openings.json").read_text(encoding="utf-8"))


def neighbours(size: int, cell: Cell) -> Iterator[Cell]:
    """Yield the cells beside a cell."""
    for down, right in ((0, 1), (0, -1), (1, 0), (-1, 0), (-1, 1), (1, -1)):
        row, column = cell[0] + down, cell[1] + right
        if 0 <= row < size and 0 <= column < size:
            yield row, column


class Groups:
    """Union-find: which things belong together."""

    def __init__(self) -> None:
        self.parent: dict[object, object] = {}

    def find(self, thing: object) -> object:
        """Return the one that stands for all that this belongs to."""
        while (above := self.parent.setdefault(thing, thing)) != thing:
            thing = above
        return thing

    def join(self, one: object, two: object) -> None:
        """Put two together."""
        self.parent[self.find(one)] = self.find(two)


def groups(size: int, stones: frozenset[Cell], colour: int) -> Groups:
    """Return the groups of a colour's stones, its edges "near" and "far" among them."""
    found = Groups()
    for cell in stones:
        if cell[colour] == 0:
            found.join(cell, "near")
        if cell[colour] == size - 1:
            found.join(cell, "far")
        for other in neighbours(size, cell):
            if other in stones:
                found.join(cell, other)
    return found


def has_won(size: int, stones: Stones, colour: int) -> bool:
    """Tell whether a colour has joined its edges."""
    found = groups(size, stones[colour], colour)
    return found.find("near") == found.find("far")


def winner(size: int, stones: Stones) -> float | None:
    """Return the value of a finished game."""
    black, white = has_won(size, stones, 0), has_won(size, stones, 1)
    assert not (black and white)
    return 1.0 if black else -1.0 if white else None


def empty_cells(size: int, stones: Stones) -> list[Cell]:
    """Return the cells without a stone, row by row."""
    cells = [(row, column) for row in range(size) for column in range(size)]
    return [cell for cell in cells if cell not in stones[0] and cell not in stones[1]]


def after(stones: Stones, colour: int, cell: Cell) -> Stones:
    """Return the stones with one more."""
    black, white = stones
    return (black | {cell}, white) if colour == 0 else (black, white | {cell})


def slow_perft(size: int, plies: int) -> list[int]:
    """Count the lines of 1, 2, ... moves: how many lead to each position, ply by ply."""
    counts, layer = [], {(frozenset[Cell](), frozenset[Cell]()): 1}
    for ply in range(plies):
        following: dict[Stones, int] = {}
        for stones, lines in layer.items():
            for cell in empty_cells(size, stones):
                child = after(stones, ply % 2, cell)
                following[child] = following.get(child, 0) + lines
        counts.append(sum(following.values()))
        layer = {stones: n for stones, n in following.items() if not has_won(size, stones, ply % 2)}
    return counts


def name(cell: Cell) -> str:
    """Return a cell's name: column letter and row number."""
    return f"{chr(ord('a') + cell[1])}{cell[0] + 1}"


def stones_of(position: cn.Position) -> Stones:
    """Read the stones off a position's picture."""
    rows = [line.split()[1:] for line in str(position).splitlines() if line.split()[0].isdigit()]
    found: list[set[Cell]] = [set(), set()]
    for row, line in enumerate(rows):
        for column, stone in enumerate(line):
            if stone != ".":
                found["XO".index(stone)].add((row, column))
    return frozenset(found[0]), frozenset(found[1])


def mover_wins(position: cn.Position, known: dict[int, bool]) -> bool:
    """Tell by brute force whether the player to move wins."""
    if position.outcome is not None:
        return False
    key, best = position.key, position.to_move == "max"
    assert key is not None
    if key not in known:
        children = [position.play(move) for move in position.moves()]
        known[key] = any(child.outcome is not None for child in children) or any(
            not mover_wins(child, known) for child in sorted(children, key=cn.Position.evaluate, reverse=best)
        )
    return known[key]


def resistance(size: int, stones: Stones, colour: int) -> float:
    """Return the resistance between a colour's edges: groups joined into nodes, all equations at once."""
    found = groups(size, stones[colour], colour)
    cells = stones[colour].union(empty_cells(size, stones))
    nodes = {found.find(thing) for thing in ["near", "far", *cells]}
    number = {node: i for i, node in enumerate(sorted(nodes, key=str))}
    matrix = np.zeros((len(nodes), len(nodes)))

    def link(one: object, two: object) -> None:
        ohms = sum(1 for thing in (one, two) if isinstance(thing, tuple) and thing not in stones[colour])
        i, j = number[found.find(one)], number[found.find(two)]
        if i != j:
            matrix[[i, j], [i, j]] += 1 / ohms
            matrix[[i, j], [j, i]] -= 1 / ohms

    for cell in cells:
        for other in neighbours(size, cell):
            if other in cells and cell < other:
                link(cell, other)
        if cell[colour] == 0:
            link(cell, "near")
        if cell[colour] == size - 1:
            link(cell, "far")
    charge = np.zeros(len(nodes))
    near, far = number[found.find("near")], number[found.find("far")]
    charge[near], charge[far] = 1, -1
    # hardly any current leaks from the nodes, so that cells that are shut off have a voltage too
    volts = np.linalg.solve(matrix + 1e-12 * np.eye(len(nodes)), charge)
    return float(volts[near] - volts[far])


@pytest.mark.parametrize(("size", "plies"), [(1, 2), (2, 5), (3, 10), (4, 5), (5, 3)])
def test_perft(size: int, plies: int) -> None:
    start = cn.games.Hex(size=size).start()
    assert [start.perft(ply) for ply in range(1, plies + 1)] == slow_perft(size, plies)


def test_perft_of_four_by_four() -> None:
    for ply, count in perft_data("hex"):
        if ply <= 6:
            assert cn.games.Hex(size=4).start().perft(ply) == count


def test_perft_with_swap() -> None:
    """A swap is one move more, once, and what follows is a position with one stone again."""
    start, plain = (cn.games.Hex(size=4, swap=swap).start() for swap in (True, False))
    assert [start.perft(ply) for ply in (1, 2)] == [16, 16 * 16]
    assert start.perft(4) == plain.perft(4) + plain.perft(3)


@pytest.mark.parametrize("size", [1, 2, 3, 5, 7, 8, 9, 11, 12, 19])
@pytest.mark.parametrize("swap", [False, True])
def test_random_games_against_the_slow_game(size: int, swap: bool) -> None:
    game = cn.games.Hex(size=size, swap=swap)
    for seed in range(1 if size > 11 else 6):
        line = list(random_line(game.start(), Random(seed), size * size + 1))
        assert line[-1].outcome is not None
        for position in [*line[:: 1 + size * size // 30], line[-1]]:
            stones = stones_of(position)
            assert position.outcome == winner(size, stones)
            if position.outcome is None:
                cells = [name(cell) for cell in empty_cells(size, stones)]
                may_swap = swap and len(stones[0]) == 1 and not stones[1]
                assert position.moves() == cells + ["swap"] * may_swap
            black, white = map(len, stones)
            assert black - white in ((0, 1, -1) if swap else (0, 1))
            assert swap or (position.to_move == "max") == (black == white)


@pytest.mark.parametrize("size", ["2x2", "3x3", "4x4"])
def test_solved_openings(size: str) -> None:
    start, known = cn.games.Hex(size=int(size[0])).start(), dict[int, bool]()
    winning = [move for move in start.moves() if not mover_wins(start.play(move), known)]
    assert winning == SOLVED[size]["black_wins"]


def test_with_swap_the_second_player_wins() -> None:
    assert minimax(cn.games.Hex(size=3).start()) == 1
    assert minimax(cn.games.Hex(size=3, swap=True).start()) == -1


@pytest.mark.parametrize("size", [1, 2, 3, 5, 8, 11])
def test_static_values_are_those_of_the_circuits(size: int) -> None:
    for seed in range(4):
        line = list(random_line(cn.games.Hex(size=size).start(), Random(seed), size * size))[:-1]
        for position in line[:: 1 + size * size // 12]:
            black, white = (resistance(size, stones_of(position), colour) for colour in (0, 1))
            assert position.evaluate() == pytest.approx((white - black) / (white + black), abs=1e-3)


def test_swap_exchanges_the_roles() -> None:
    game = cn.games.Hex(size=5, swap=True)
    position = game.position("b4 swap")
    assert stones_of(position) == (frozenset(), frozenset({(1, 3)}))
    assert position.to_move == "max"
    assert "swap" not in position.moves()
    assert position == game.position(position.notation())
    assert position.evaluate() == -game.position("b4").evaluate()
    assert position.swapped() is None
    assert cn.games.Hex(size=5).position("b4").swapped() == cn.games.Hex(size=5).position("white d2")


@pytest.mark.parametrize(
    ("notation", "swap", "words"),
    [
        ("a1 d1", False, "cell d1 at move 2 is outside the board; it has the cells a1 to c3"),
        ("a1 b2 a1", False, "cell a1 at move 3 is occupied"),
        ("a1 c1 a2 c2 a3 c3", False, "already over at move 6"),
        ("a1b2", False, "bad move 'a1b2' at move 1"),
        ("a1\x1cb2", False, "bad move"),
        ("b2 swap", False, "make it with swap=true"),
        ("swap", True, "only White's first move can be a swap"),
        ("white a1", True, "White cannot begin where swap is allowed"),
    ],
)
def test_bad_notation(notation: str, swap: bool, words: str) -> None:
    with pytest.raises(cn.PositionError, match=words) as caught:
        cn.games.Hex(size=3, swap=swap).position(notation)
    assert is_one_line(caught.value)


@pytest.mark.parametrize("search", ["best-first", "conspiracy", "alpha-beta"])
def test_searches_solve_small_boards(search: str) -> None:
    result = cn.search(cn.games.Hex(size=3).start(), search, expansions=20_000)
    assert (result.value, result.status) == (1, "proven")
    assert result.move in SOLVED["3x3"]["black_wins"]
