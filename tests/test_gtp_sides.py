"""Any position, and questions for either side, over the Go Text Protocol; and analysis while it is made."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from random import Random

import pytest

import conspirator as cn
from conspirator._record import cells
from conspirator.front_ends.gtp import DIALECTS, Server
from conspirator.front_ends.gtp.live import Analysis, win_rate
from conspirator.front_ends.gtp.sides import is_enlarged, picture, turned
from test_front_ends import Engine, engines, start

__all__ = ["engines"]

INFO = re.compile(r"info move (\S+) visits (\d+) winrate (\d+) order (\d+) pv ((?:(?!info )\S+ ?)+)")


def server(game: str, player: str = "alpha-beta:nodes=500", **options: int) -> Server:
    return Server(game, player, options=options)


def talk(player: Server, *lines: str) -> list[str]:
    return [player.answer(line).removesuffix("\n\n") for line in lines]


# Hex, where turns do not explain the stones


@cache
def winner(
    black: frozenset[tuple[int, int]], white: frozenset[tuple[int, int]], size: int, mover: str
) -> str:
    """Return who wins, by brute force and by rules of its own."""
    if joined(black, size):
        return "max"
    if joined(frozenset((column, row) for row, column in white), size):
        return "min"
    other = "min" if mover == "max" else "max"
    for row in range(size):
        for column in range(size):
            cell = (row, column)
            if cell in black or cell in white:
                continue
            after = (black | {cell}, white) if mover == "max" else (black, white | {cell})
            if winner(*after, size, other) == mover:
                return mover
    return other


def joined(stones: frozenset[tuple[int, int]], size: int) -> bool:
    """Tell whether stones join the first row with the last."""
    reached = {cell for cell in stones if cell[0] == 0}
    rest = list(reached)
    while rest:
        row, column = rest.pop()
        for step in ((0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1)):
            cell = (row + step[0], column + step[1])
            if cell in stones and cell not in reached:
                reached.add(cell)
                rest.append(cell)
    return any(row == size - 1 for row, _ in reached)


def boards(size: int, count: int) -> Iterator[tuple[list[str], list[str]]]:
    """Yield stones of both colours in any numbers, with nobody's edges joined."""
    random = Random(7)
    names = [f"{chr(97 + column)}{row + 1}" for row in range(size) for column in range(size)]
    while count:
        stones = random.sample(names, random.randrange(len(names)))
        cut = random.randrange(len(stones) + 1)
        black, white = stones[:cut], stones[cut:]
        if not joined(spots(black), size) and not joined(frozenset((c, r) for r, c in spots(white)), size):
            count -= 1
            yield black, white


def spots(names: list[str]) -> frozenset[tuple[int, int]]:
    return frozenset((int(name[1:]) - 1, ord(name[0]) - 97) for name in names)


@pytest.mark.parametrize("size", [1, 2, 3])
def test_any_position_of_hex_is_judged_as_brute_force_judges_it(size: int) -> None:
    enlarged = 0
    for black, white in boards(size, 60):
        player = server("hex", "best-first:nodes=100_000", size=size)
        setup = [f"play b {cell}" for cell in black] + [f"play w {cell}" for cell in white]
        assert talk(player, *setup) == ["="] * len(setup)
        shown = cells(talk(player, "showboard")[0].removeprefix("=\n"))
        assert {cell for cell, sign in shown.items() if sign == "X"} == set(black)
        assert {cell for cell, sign in shown.items() if sign == "O"} == set(white)
        empty = [cell for cell, sign in shown.items() if sign == "."]
        for side, colour in (("max", "black"), ("min", "white")):
            assert talk(player, f"all_legal_moves {colour}")[0].split()[1:] == empty
            wins = winner(spots(black), spots(white), size, side)
            assert talk(player, f"dfpn-solve-state {colour}") == [f"= {DIALECTS['hex'].colours[wins]}"]
            move = talk(player, f"reg_genmove {colour}")[0].removeprefix("= ")
            assert move in empty
            after = (black, white) if side == "max" else (white, black)
            after[0].append(move)
            if wins == side:  # the search has solved it, and its move wins
                assert winner(spots(black), spots(white), size, "min" if side == "max" else "max") == side
            after[0].remove(move)
        enlarged += abs(len(black) - len(white)) > 1
    assert enlarged or size == 1


def test_a_position_comes_back_to_its_own_board() -> None:
    player = server("hex", size=5)
    assert talk(player, "play b a1", "play b b2", "conspirator-position")[2].startswith("? one side has more")
    assert talk(player, "vc-build b")[0].startswith("? one side has more")
    assert talk(player, "play w c3", "conspirator-position")[1].startswith("? one side has more")
    assert talk(player, "play w d4", "conspirator-position") == ["=", "= a1 c3 b2 d4"]
    before = talk(player, "showboard")
    assert talk(player, "genmove b", "undo", "genmove w", "undo", "showboard")[4:] == before
    assert talk(player, "undo", "undo", "undo", "undo", "undo")[4].startswith("? cannot undo")


def test_a_large_board_and_too_many_stones() -> None:
    position = cn.games.Hex(size=19).position("a1")
    with pytest.raises(cn.PositionError, match="too many stones more"):
        turned("hex", position, "max", 19)
    player = server("hex", size=4)
    cells = [f"{column}{row}" for row in (1, 2, 3) for column in "abcd"]
    assert talk(player, *(f"play w {cell}" for cell in cells))[-1] == "? the game is over: W+"
    player = server("hex", size=4)
    assert talk(player, *(f"play b {cell}" for cell in cells)) == ["="] * 12
    assert talk(player, "genmove w")[0].split()[1] in ("a4", "b4", "c4", "d4")
    assert talk(player, "genmove b", "final_score")[1] == "= B+"


def test_a_win_is_seen_in_a_set_up_position() -> None:
    player = server("hex", size=3)
    assert talk(player, "play b b1", "play b b2", "play b b3", "final_score") == ["=", "=", "=", "= B+"]
    assert talk(player, "genmove w") == ["? the game is over: B+"]
    assert talk(player, "undo", "final_score")[1].startswith("? cannot score")


def test_the_enlarged_board_is_only_seen_inside() -> None:
    position = turned("hex", cn.games.Hex(size=4).position("b2 c3 a1"), "max", 4)
    assert is_enlarged(position, 4)
    assert picture(position, 4) == str(cn.games.Hex(size=4).position("b2 c3 a1"))
    assert position.to_move == "max"


# Other games


@pytest.mark.parametrize(
    ("game", "lines", "answers"),
    [
        (
            "othello",
            ["play b f5", "play b a1", "play b c4"],
            ["=", r"\? illegal move 'a1'", "="],
        ),
        ("othello", ["play b f5", "play b c4", "undo", "genmove b"], ["=", "=", "=", "= [a-h][1-8]"]),
        ("amazons", ["play w d1-d7-g7", "play w g1-g6-f6", "genmove w"], ["=", "=", r"= \S+"]),
        ("connect-four", ["play w 4", "play b 4", "genmove w"], ["=", "=", "= [1-7]"]),
        (
            "connect-four",
            ["play b 4", "play b 4"],
            ["=", r"\? the other side is to move, and there is no such position: 1 X and 0 O .*"],
        ),
    ],
)
def test_two_moves_of_one_colour(game: str, lines: list[str], answers: list[str]) -> None:
    for answer, wanted in zip(talk(server(game), *lines), answers, strict=True):
        assert answer == wanted or re.fullmatch(wanted, answer), answer


# Live analysis


@pytest.mark.parametrize("game", DIALECTS)
@pytest.mark.parametrize("player", ["best-first:expansions=60", "alpha-beta:nodes=3000", "uct:nodes=400"])
def test_an_analysis_names_legal_moves_and_lines(game: str, player: str) -> None:
    there = server(game, player)
    colours = DIALECTS[game]
    position = cn.games.make(game).start()
    for colour in (colours.first, colours.second):
        if game == "connect-four" or colour == colours.first:
            place = position
        else:
            place = turned(game, position, "min", 11)
        place = place if place.to_move == colours.player(colour) else turned(game, place, "min", 11)
        answer = talk(there, f"lz-analyze {colour} 10")[0]
        found = INFO.findall(answer)
        assert found
        assert [int(row[3]) for row in found] == list(range(len(found)))
        for move, visits, rate, _, line in found:
            assert line.split()[0] == move
            assert int(visits) > 0
            assert 0 <= int(rate) <= 10_000
            after = place
            for step in line.split():
                after = after.play(step)
    assert talk(there, "undo")[0].startswith("? cannot undo")  # nothing was played


def test_the_best_move_comes_first_and_its_rate_is_from_the_side_to_move() -> None:
    there = server("hex", "best-first:expansions=5000", size=3)
    won = INFO.findall(talk(there, "analyze black")[0])[0]
    lost = INFO.findall(talk(there, "play b b2", "analyze white")[1])[0]
    assert (won[2], lost[2]) == ("10000", "0")
    assert win_rate(cn.games.Othello().start(), 32.0) == 7500


def test_visits_and_means_are_those_of_the_search() -> None:
    """With `puct` the numbers are its own, and moves that it has not visited are not told of."""
    result = cn.search(cn.games.Othello().position("f5"), "puct", expansions=60)
    told = {
        row[0]: (int(row[1]), int(row[2]))
        for row in INFO.findall(talk(server("othello", "puct:expansions=60"), "play b f5", "lz-analyze")[1])
    }
    moves = result.position.moves()
    numbers = {moves[node.legal_place]: node.numbers for node in result.tree.root.children}
    assert told == {
        move: (its["visits"], round(10_000 * (1 - its["reward"])))
        for move, its in numbers.items()
        if its["visits"]
    }


def test_a_budget_is_spent_in_parts() -> None:
    told: list[str] = []
    player = cn.Player("best-first", expansions=200)
    position = cn.games.ConnectFour().start()
    move = Analysis(player, position, told.append, str, interval=1e-6).run(player.budget)
    assert len(told) > 1  # parts of a microsecond
    assert move == cn.search(position, "best-first", expansions=200).move


def test_a_move_with_analysis_is_played() -> None:
    there = server("connect-four", "best-first:expansions=50")
    lines = talk(there, "lz-genmove_analyze black 10")[0].splitlines()
    assert INFO.match(lines[1])
    assert re.fullmatch("play [1-7]", lines[2])
    assert talk(there, "showboard")[0].count("X") == 1
    assert lines[2] == f"play {server('connect-four', 'best-first:expansions=50').answer('genmove b')[2]}"
    names = talk(there, "list_commands")[0].splitlines()
    assert {"lz-analyze", "analyze", "lz-genmove_analyze"} <= set(names)


@pytest.mark.parametrize("search", ["best-first", "alpha-beta"])
def test_an_analysis_streams_until_the_next_line(engines: list[Engine], search: str) -> None:
    engine = start(engines, "gtp", "--game", "othello", "--search", search)
    for command in (b"5 lz-analyze b 1", b"lz-analyze 1", b"analyze white 1"):
        engine.write(command + b"\n")
        assert engine.line() == (b"=5\n" if command.startswith(b"5") else b"=\n")
        for _ in range(3):
            assert INFO.match(engine.line().decode())
        engine.write(b"9 name\n")
        while (line := engine.line()) != b"\n":
            assert INFO.match(line.decode())
        assert engine.line() == b"=9 conspirator\n"
        assert engine.line() == b"\n"
    engine.write(b"lz-analyze b 1\n")
    engine.line()
    assert engine.ask(b"quit").startswith(b"info ")
    assert engine.line() == b"=\n"
    assert engine.end() == (0, b"")


def test_a_stream_ends_with_the_input_and_tells_something_before(engines: list[Engine]) -> None:
    engine = start(engines, "gtp", "--game", "hex", "--size", "4", "--search", "uct")
    output, errors = engine.process.communicate(b"play b a1\nlz-analyze b 10\n", timeout=180)
    assert errors == b""
    assert output.startswith(b"=\n\n=\ninfo move ")
    assert output.endswith(b"\n\n")


def test_a_streamed_move(engines: list[Engine]) -> None:
    engine = start(engines, "gtp", "--game", "connect-four", "--nodes", "2k", "--search", "best-first")
    answer = engine.ask(b"3 lz-genmove_analyze black 1").decode()
    assert re.fullmatch(r"=3\n(info move .*\n)+play [1-7]\n\n", answer)
    assert engine.ask(b"showboard").count(b"X") == 1
    assert engine.ask(b"lz-analyze red 1").startswith(b"? 'red' is no colour")
