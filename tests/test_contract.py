"""The contract of a game, held by every game: native, given as data, or written in Python."""

from __future__ import annotations

import math
from itertools import pairwise
from random import Random
from typing import Any

import pytest

import conspirator as cn
import python_games
from helpers import golden, is_one_line, perft_data, random_line, random_tree

NATIVE: dict[str, cn.games.NativeGame] = {
    "connect-four": cn.games.ConnectFour(),
    "hex": cn.games.Hex(size=5),
    "hex-swap": cn.games.Hex(size=4, swap=True),
    "hex-two-words": cn.games.Hex(size=8),
    "hex-six-words": cn.games.Hex(size=13, swap=True),
    "othello": cn.games.Othello(),
    "amazons": cn.games.Amazons(size=4),
    "amazons-three": cn.games.Amazons(size=6),
    "amazons-large": cn.games.Amazons(),
    "chess": cn.games.Chess(),
    "chess-repetitions": cn.games.Chess(repetitions=2, keys="board"),
    "chess-without-draws": cn.games.Chess(draws=False),
    "mcallester": cn.games.RandomTree(branching=4),
    "mcallester-sorted": cn.games.RandomTree(branching=4, seed=2, sort=True),
    "mcallester-endless": cn.games.RandomTree(depth=0, spread=3, spread_min=2),
    "utgoff": cn.games.RandomTree(branching=3, kind="utgoff"),
    "utgoff-sorted": cn.games.RandomTree(branching=5, depth=7, seed=9, kind="utgoff", sort=True),
    "uniform": cn.games.UniformTree(width=3, value=-1.5),
    "explicit": cn.games.ExplicitTree(random_tree(Random(1), 6)),
    "explicit-skewed": cn.games.ExplicitTree(random_tree(Random(2), 6, skewed=True)),
}
PYTHON: dict[str, cn.Game] = {cls.__name__: cls() for cls in python_games.ALL}
OPEN_SPIEL: dict[str, cn.Game] = {
    f"open-spiel:{name}": cn.games.from_open_spiel(name, playouts=1)
    for name in (
        "breakthrough(rows=6,columns=6)",
        "checkers",
        "chinese_checkers",
        "clobber",
        "connect_four",
        "dots_and_boxes",
        "go(board_size=5)",
        "havannah(board_size=4)",
        "hex(board_size=5)",
        "mancala",
        "mnk(m=4,n=4,k=3)",
        "nim",
        "nine_mens_morris",
        "othello",
        "oware",
        "quoridor(board_size=3)",
        "tic_tac_toe",
        "ultimate_tic_tac_toe",
        "y(board_size=5)",
    )
}
GAMES = NATIVE | PYTHON | OPEN_SPIEL


def read_back(position: cn.Position) -> cn.Position:
    """Read a position's notation; a plain state of a Python game does not tell who moves."""
    game = position.game
    if isinstance(game, cn.Game):
        return game.position(position.notation(), position.to_move)
    back = game.position(position.notation())
    assert isinstance(back, cn.Position)
    return back


def exchanged(position: cn.Position, moves: list[Any]) -> list[Any]:
    """Return the moves with the roles exchanged: in Hex and in chess the board is turned over."""
    if isinstance(position.game, cn.games.Chess):
        turned = [move.translate(str.maketrans("12345678", "87654321")) for move in moves]
        swapped = position.swapped()
        assert swapped is not None
        return sorted(turned, key=swapped.moves().index)  # the same, in an order of its own
    if not isinstance(position.game, cn.games.Hex):
        return moves
    cells = [(ord(move[0]) - ord("a"), int(move[1:]) - 1) for move in moves]
    return [f"{chr(ord('a') + row)}{column + 1}" for column, row in sorted(cells)]


def check(position: cn.Position) -> None:
    """Check everything that must hold at one position."""
    moves, value = position.moves(), position.evaluate()
    low, high = position.value_range
    assert low <= value <= high
    assert str(position)
    assert position.to_move in ("max", "min")

    if position.outcome is None:
        assert moves
        assert math.isfinite(value)
    else:
        assert moves == []
        assert position.outcome == value
    assert len(set(moves)) == len(moves)
    illegal: Any = object() if isinstance(position.game, cn.Game) else "no such move"
    with pytest.raises(cn.PositionError) as caught:
        position.play(illegal)
    assert is_one_line(caught.value)

    back = read_back(position)
    assert back == position
    assert hash(back) == hash(position)
    assert back.key == position.key
    assert (back.evaluate(), back.moves(), back.outcome) == (value, moves, position.outcome)

    if (swapped := position.swapped()) is not None:
        mirrored = low + high - value if math.isfinite(low + high) else -value
        assert swapped.evaluate() == mirrored
        assert swapped.moves() == exchanged(position, moves)
        assert swapped.to_move != position.to_move
        assert swapped.swapped() == position


@pytest.mark.parametrize("name", GAMES)
def test_random_play(name: str) -> None:
    start = GAMES[name].start()
    wide = len(start.moves()) >= 1000
    for seed in range(1 if wide else 12):
        line = list(random_line(start, Random(seed), 15 if wide else 45))
        for position in line:
            check(position)
        for position, following in pairwise(line):
            assert following in [position.play(move) for move in position.moves()]
            assert following != position


@pytest.mark.parametrize("name", GAMES)
def test_the_moves_lead_to_the_position_again(name: str) -> None:
    start = GAMES[name].start()
    for seed in range(5 if len(start.moves()) < 1000 else 1):
        position, played = start, []
        for following in list(random_line(start, Random(seed), 30))[1:]:
            played.append(next(m for m in position.moves() if position.play(m) == following))
            position = following
        again = start
        for move in played:
            again = again.play(move)
        assert again == position
        if name in NATIVE:
            separator = "" if name == "connect-four" else " "
            assert NATIVE[name].position(separator.join(played)) == position


@pytest.mark.parametrize("name", GAMES)
def test_a_position_counts_its_moves(name: str) -> None:
    start = GAMES[name].start()
    for position in random_line(start, Random(3), 5 if len(start.moves()) >= 1000 else 20):
        assert position.perft(0) == 1
        assert position.perft(1) == len(position.moves())
        assert position.perft(2) == sum(len(position.play(move).moves()) for move in position.moves())


def test_equal_games_have_equal_hashes() -> None:
    data = random_tree(Random(1))
    for make in (lambda: cn.games.ExplicitTree(data), lambda: cn.games.RandomTree(seed=3, sort=True)):
        one, two = make(), make()
        assert one == two
        assert hash(one) == hash(two)
        assert one.start() == two.start()
    assert cn.games.RandomTree(seed=3) != cn.games.RandomTree(seed=4)


def test_perft_of_connect_four() -> None:
    for ply, count in perft_data("connect_four"):
        if ply <= 7:
            assert cn.games.ConnectFour().start().perft(ply) == count
        if ply <= 5:
            assert python_games.ConnectFour().start().perft(ply) == count


def test_static_values_of_connect_four() -> None:
    for case in golden("penalty_lcf/connect_four")["static_values"]:
        moves = [int(column) + 1 for column in case["moves"]]
        native = cn.games.ConnectFour().position("".join(map(str, moves)))
        python = python_games.ConnectFour().start()
        for move in moves:
            python = python.play(move)
        for position in (native, python):
            assert position.evaluate() == case["static"]
            assert (position.outcome is not None) == case["terminal"]


@pytest.mark.parametrize("make", [python_games.ConnectFour, python_games.ConnectFourInBatches])
def test_the_native_and_the_python_connect_four_are_one_game(make: type[cn.Game]) -> None:
    for seed in range(30):
        random = Random(seed)
        native, python = cn.games.ConnectFour().start(), make().start()
        while moves := native.moves():
            assert [str(move) for move in python.moves()] == moves
            assert (python.evaluate(), python.to_move) == (native.evaluate(), native.to_move)
            move = random.choice(moves)
            native, python = native.play(move), python.play(int(move))
        assert python.outcome == native.outcome


@pytest.mark.parametrize("make", [python_games.ConnectFour, python_games.ConnectFourInBatches])
@pytest.mark.parametrize("moves", ["", "44", "2741"])
@pytest.mark.parametrize("complete", [True, False])
def test_best_first_grows_the_same_tree_on_both(make: type[cn.Game], moves: str, complete: bool) -> None:
    python = make().start()
    for move in moves:
        python = python.play(int(move))
    native = cn.games.ConnectFour().position(moves)
    one, two = (
        cn.search(position, "best-first", expansions=250, trace=True, complete=complete)
        for position in (native, python)
    )
    assert one.trace == two.trace
    assert (one.value, one.line) == (two.value, [str(move) for move in two.line])


def test_edge_values_of_the_random_tree() -> None:
    for seed, index, value in golden("penalty_lcf/random_games")["edge_values"]:
        places = []
        while index > 0:
            index, place = divmod(index - 1, 3)
            places.append(place)
        game = cn.games.RandomTree(branching=3, kind="utgoff", seed=seed)
        *above, last = reversed(places)
        parent = game.position(".".join(map(str, above)))
        assert parent.play(str(last)).evaluate() - parent.evaluate() == value
