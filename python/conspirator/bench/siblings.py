"""Proof numbers and sibling conspiracy numbers: their cost beside the raw rate, and positions they solve."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from random import Random
from statistics import median
from time import perf_counter, process_time
from typing import Any

import conspirator as cn
from conspirator.bench.measure import Row, best_rate

DEPTHS = (12, 20)
"""Depths of the random trees."""
NODES = 1_000_000
"""So large a tree is grown."""
RULES: dict[str, tuple[str, dict[str, Any]]] = {
    "sibling-conspiracy": ("sibling-conspiracy", {}),
    "sibling-conspiracy pmax=dmax=3": ("sibling-conspiracy", {"pmax": 3, "dmax": 3}),
    "proof-number": ("proof-number", {}),
}
SETS = ((300, 28, 32), (100, 20, 24))
"""Connect-Four to be solved: how many positions, with how many stones."""
LONG = 0.5
"""With fewer seconds for a row, only a few positions are solved."""
LARGE = 5.0
"""With so many, all openings of 5x5 Hex are solved too."""
HARD = (
    "255235465", "257771314", "536376766", "234226112", "475774457", "336677262", "547333276", "215612211",
)  # fmt: skip
"""Connect-Four after nine random moves: of seeds 1, 2, ... the first eight that df-pn solves within 6,000,000
expansions and not within 300,000; the easiest comes first."""


def siblings(seconds: float = 1.0) -> list[Row]:
    """Return the rates of searches that prove; a row takes about `seconds`, or as long as its positions."""
    return [*_random_trees(seconds), *_end_games(seconds), *_hex(seconds), *_threads(seconds)]


def _random_trees(seconds: float) -> list[Row]:
    """Random trees that are too large to be solved: the rules beside generating and valuing."""
    rows = []
    for depth in DEPTHS:
        start = cn.games.RandomTree(branching=10, depth=depth, seed=1).start()
        raw = best_rate(lambda start=start: start.survey(6)[0], seconds)  # type: ignore[misc]
        name = f"random tree, depth {depth}"
        rows.append(
            Row(f"{name}, generate and evaluate", raw, "nodes/s", note="b=10, to 6 plies, nothing kept")
        )
        for words, (search, parameters) in RULES.items():
            best, begun, runs = 0.0, perf_counter(), 0
            while runs < 2 or perf_counter() - begun < seconds:
                result = cn.search(start, search, nodes=NODES, **parameters)
                best, runs = max(best, result.nodes / result.seconds), runs + 1
            note = f"{result.nodes:,} nodes, depth {result.depth}, {result.bytes_per_node:.0f} bytes a node"
            rows.append(Row(f"{name}, {words}", best, "nodes/s", best / raw, "raw", note))
    return rows


def positions(count: int, fewest: int, most: int) -> list[tuple[list[int], cn.Position]]:
    """Return positions of Connect-Four by random moves, the game not over; columns from 0."""
    random = Random(f"{fewest} to {most} stones")
    found: list[tuple[list[int], cn.Position]] = []
    while len(found) < count:
        position, line = cn.games.ConnectFour().start(), list[int]()
        for _ in range(random.randint(fewest, most)):
            move = random.choice(position.moves())
            position = position.play(move)
            line.append(int(move) - 1)
            if position.outcome is not None:
                break
        else:
            found.append((line, position))
    return found


@cache
def end_games(share: int = 1) -> list[tuple[list[int], cn.Position]]:
    """Return all positions of `SETS`, or one of `share`."""
    return [entry for count, low, high in SETS for entry in positions(count // share, low, high)]


def solve(position: cn.Position) -> int:
    """Return 1, 0 or -1: the player to move wins, draws or loses. First the win, then the draw."""
    low, high = position.value_range
    is_max = position.to_move == "max"
    best, worst = (high, low) if is_max else (low, high)
    for goal in (None, 512 if is_max else 513):
        result = cn.search(position, "df-pn", expansions=10**9, goal=goal)
        if result.status == "proven" and result.value == best:
            return 1
        if result.status == "proven" and result.value == worst:
            return -1
    return 0


def _end_games(seconds: float) -> list[Row]:
    share = 1 if seconds >= LONG else 20
    entries = end_games(share)
    rate, answers = _solve_all(solve_ours(share), seconds)
    return [
        Row(
            f"Connect-Four end games, df-pn, {len(entries)} positions",
            rate,
            "positions/s",
            note=_say(answers),
        )
    ]


def solve_ours(share: int) -> Callable[[], list[int]]:
    """Return what solves the end games with df-pn."""
    return lambda: [solve(position) for _, position in end_games(share)]


def solve_best(share: int) -> Callable[[], list[int]]:
    """Return what solves the end games as `cn.solve` does."""
    meaning = {"win": 1, "draw": 0, "loss": -1, None: 2}
    return lambda: [meaning[cn.solve(position).outcome] for _, position in end_games(share)]


def _solve_all(work: Callable[[], list[int]], seconds: float) -> tuple[float, list[int]]:
    answers: list[int] = []

    def run() -> float:
        answers[:] = work()
        return len(answers)

    return best_rate(run, seconds, least=1), answers


def _say(answers: list[int]) -> str:
    won, drawn, lost = (answers.count(answer) for answer in (1, 0, -1))
    return f"{won} won, {drawn} drawn, {lost} lost; 28 to 32 stones, every fourth 20 to 24"


def solvers(seconds: float = 1.0) -> list[Row]:
    """Return positions solved a second beside BitBully; raise an error if an answer differs."""
    from bitbully import bitbully_core

    share = 1 if seconds >= LONG else 20
    boards = []
    for line, _ in end_games(share):
        board = bitbully_core.BoardCore()
        if not board.setBoard(line):
            raise cn.ConspiratorError(f"BitBully does not take the moves {line}")
        boards.append(board)

    def theirs() -> list[int]:
        solver = bitbully_core.BitBullyCore()  # with an empty table, as ours begin
        scores = [solver.mtdf(board, first_guess=0) for board in boards]
        return [(score > 0) - (score < 0) for score in scores]

    ours, answers = _solve_all(solve_ours(share), seconds)
    peer, others = _solve_all(theirs, seconds)
    best, found = _solve_all(solve_best(share), seconds)
    if found != others:
        raise cn.ConspiratorError("cn.solve and BitBully differ on some positions")
    if answers != others:
        wrong = [line for (line, _), x, y in zip(end_games(share), answers, others, strict=True) if x != y]
        raise cn.ConspiratorError(f"df-pn and BitBully differ on {len(wrong)} positions, such as {wrong[0]}")
    name, note = f"{len(answers)} end games", f"all answers agree: {_say(answers)}"
    return [
        Row(f"conspirator df-pn, {name}", ours, "positions/s", note="win, draw or loss; one question or two"),
        Row(
            f"BitBully (C++), {name}", peer, "positions/s", ours / peer,
            "ours solve this many times as many", f"exact distance too; one table for all; {note}",
        ),
        Row(
            f"conspirator cn.solve, {name}", best, "positions/s", best / peer, "BitBully",
            "by `end-game`; an empty table for each, and the line to the end of the game",
        ),
    ]  # fmt: skip


def _hex(seconds: float) -> list[Row]:
    """All openings of a small board, with the settings that need least."""
    rows = []
    for size in (4, 5) if seconds >= LARGE else (4,):
        start = cn.games.Hex(size=size).start()
        openings = [start.play(move) for move in start.moves()]
        begun, total, won = process_time(), 0, 0
        for opening in openings:
            result = cn.search(
                opening,
                "sibling-conspiracy",
                delta=0.25,
                transpositions=True,
                foresight=True,
                expansions=10**8,
            )
            total, won = total + result.expansions, won + (result.value > 0)
            if result.status != "proven":
                raise cn.ConspiratorError(f"an opening of {size}x{size} Hex was not solved: {result.status}")
        spent = process_time() - begun
        note = f"{total:,} expansions, {spent:.2f} CPU seconds; {won} of {len(openings)} openings win"
        name = f"Hex {size}x{size}, all openings, sibling-conspiracy delta=0.25, shared, foresight"
        rows.append(Row(name, len(openings) / spent, "positions/s", note=note))
    return rows


def _threads(seconds: float) -> list[Row]:
    """Two threads against one; only where there are two cores."""
    if (os.cpu_count() or 1) < 2:
        return []
    game = cn.games.ConnectFour()
    chosen = [game.position(line) for line in (HARD if seconds >= LONG else HARD[:1])]
    gains, times, counts, cores = list[float](), list[float](), list[float](), list[float]()
    for position in chosen:
        one = cn.search(position, "df-pn", expansions=10**9)
        begun = process_time()
        two = cn.search(position, "df-pn", threads=2, expansions=10**9)
        cores.append((process_time() - begun) / two.seconds)
        gains.append(one.seconds / two.seconds)
        counts.append(two.expansions / one.expansions)
        times.append(two.seconds)
    note = (
        f"{min(gains):.2f} to {max(gains):.2f} on {len(chosen)} positions; {median(counts):.2f} times the "
        f"expansions, {median(cores):.2f} cores at work; runs differ"
    )
    rate = len(times) / sum(times)
    reference = "median speed-up over one thread"
    return [Row("Connect-Four, df-pn threads=2", rate, "positions/s", median(gains), reference, note)]
