"""What several test files share: golden data, plain minimax, small games, scripts in another process."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import conspirator as cn

HERE = Path(__file__).parent


def golden(name: str) -> Any:
    """Return the content of golden/<name>.json."""
    return json.loads((HERE / "golden" / f"{name}.json").read_text(encoding="utf-8"))


def perft_data(game: str) -> list[tuple[int, int]]:
    """Return (ply, count) pairs from data/perft/<game>.txt."""
    lines = (HERE / "data" / "perft" / f"{game}.txt").read_text(encoding="utf-8").splitlines()
    return [(int(ply), int(count)) for ply, count in (line.split() for line in lines if line[0] != "#")]


def minimax(position: cn.Position, depth: int | None = None, memo: dict[int, float] | None = None) -> float:
    """Return the minimax value by the definition; without a depth the game is played out."""
    if position.outcome is not None or depth == 0:
        return position.evaluate()
    memo = {} if memo is None else memo
    key = position.key if depth is None else None
    if key is not None and key in memo:
        return memo[key]
    best = max if position.to_move == "max" else min
    deeper = None if depth is None else depth - 1
    value = best(minimax(position.play(move), deeper, memo) for move in position.moves())
    if key is not None:
        memo[key] = value
    return value


def random_tree(random: Random, depth: int = 5, *, skewed: bool = False) -> dict[str, Any]:
    """Return a tree as data: few distinct values, so many ties; wins and losses at some ends."""
    ends = [*range(-3, 4), *range(-3, 4), "inf", "-inf"]

    def node(depth: int) -> dict[str, Any]:
        over = depth == 0 or random.random() < 0.15
        data: dict[str, Any] = {"value": random.choice(ends) if over else random.randint(-3, 3)}
        if skewed and random.random() < 0.3:
            data["to_move"] = random.choice(["max", "min"])
        if not over:
            data["children"] = [node(depth - 1) for _ in range(random.randint(1, 4))]
        return data

    root = node(depth)
    while "children" not in root:
        root = node(depth)
    if random.random() < 0.5:
        root["to_move"] = "min"
    return root


def with_scores(data: dict[str, Any], random: Random) -> dict[str, Any]:
    """Score the moves of a tree as data, or give their errors, or leave them to the values; often ties."""
    kind = random.choice(["ties", "powers", "reals", "errors", "values"])
    scores: dict[str, list[float]] = {
        "ties": [1, 1, 2],
        "powers": [0.125, 0.25, 0.5, 1],
        "reals": [random.random() + 1e-9 for _ in range(50)],
        "errors": [0, 0, 0.25, 1, 2, 3],
    }
    nodes = [data]
    while nodes and kind != "values":
        node = nodes.pop()
        for child in node.get("children", []):
            child["error" if kind == "errors" else "score"] = random.choice(scores[kind])
            nodes.append(child)
    return data


def random_line(position: cn.Position, random: Random, plies: int) -> Iterator[cn.Position]:
    """Yield the positions of a random game, the first included, until it ends or for so many plies."""
    yield position
    for _ in range(plies):
        if not (moves := position.moves()):
            return
        position = position.play(random.choice(moves))
        yield position


def unfinished(game: str, seed: int, least: int, most: int) -> cn.Position:
    """Return a position of random play that is not over, between two plies."""
    random = Random(seed)
    plies = random.randint(least, most)
    while True:
        line = list(random_line(cn.games.make(game).start(), random, plies))
        if len(line) == plies + 1 and line[-1].outcome is None:
            return line[-1]


def is_one_line(error: BaseException) -> bool:
    """Tell whether an exception's message is exactly one line, however lines are broken."""
    return len(str(error).splitlines()) == 1


def script(code: str, timeout: float = 180) -> Any:
    """Run a script in a process of its own and return what it printed last, read as JSON."""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=timeout, check=False
    )
    assert done.returncode == 0, f"exit code {done.returncode}: {done.stderr[-2000:]}"
    return json.loads(done.stdout.splitlines()[-1])


def mcallester(seed: int) -> cn.Position:
    """Return the root of a small random tree of McAllester's kind, often with equal values."""
    random = Random(seed)
    return cn.games.RandomTree(
        branching=random.randint(1, 5),
        depth=random.randint(0, 6),
        seed=seed,
        spread=random.randint(0, 7),
        spread_min=random.randint(0, 2),
        sort=seed % 2 == 0,
    ).start()


def utgoff(seed: int) -> cn.Position:
    """Return the root of a small random tree of Utgoff and Cochran's kind."""
    return cn.games.RandomTree(branching=1 + seed % 4, depth=seed % 9, seed=seed, kind="utgoff").start()


def connect_four(seed: int) -> cn.Position:
    """Return a position of Connect-Four that is not over."""
    return unfinished("connect-four", seed, 0, 36)


def all_nodes(tree: cn.Tree) -> Iterator[cn.Node]:
    """Yield every node of a tree."""
    stack = [tree.root]
    while stack:
        node = stack.pop()
        yield node
        stack += node.children


def small_tree(seed: int) -> cn.Position:
    """Return the root of a random tree of either kind."""
    random = Random(seed)
    return cn.games.RandomTree(
        branching=random.randint(1, 4),
        depth=random.randint(1, 5),
        seed=seed,
        kind=random.choice(["mcallester", "utgoff"]),
    ).start()


def in_pieces(start: cn.Position, rule: Any, expansions: int, random: Random, **parameters: Any) -> cn.Result:
    """Search a few expansions at a time; every tree on the way is checked."""
    part = cn.search(start, rule, expansions=1, trace=True, **parameters)
    before = 0
    while before < part.expansions < expansions:
        part.tree.check()
        before = part.expansions
        part = part.resume(expansions=min(random.randint(1, 8), expansions - before))
    return part


class Line(cn.Game):
    """Two moves, left and right, for ever; subclasses break it."""

    def moves(self, state: str) -> Any:
        return ["l", "r"]

    def play(self, state: str, move: str) -> str:
        return state + move

    def evaluate(self, state: str) -> Any:
        return len(state)


def line_with(**methods: Any) -> cn.Position:
    """Return the start of a `Line` with other methods or attributes."""
    game = type("Line", (Line,), methods)()
    assert isinstance(game, cn.Game)
    return game.position("")


def random_hex(seed: int, size: int = 7, most: int = 20) -> cn.Position:
    """Return a position of random play that is not over."""
    random, position = Random(seed), cn.games.Hex(size=size).start()
    for _ in range(random.randint(0, most)):
        after = position.play(random.choice(position.moves()))
        if after.outcome is None:
            position = after
    return position
