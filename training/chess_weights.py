"""Fits the weights of the chess evaluator `positional`: games against itself, then a logistic regression.

    python training/chess_weights.py play games.txt --minutes 10 --seed 1     # several at once, one file each
    python training/chess_weights.py fit games*.txt --out crates/core/src/evaluators/chess/weights.rs

A game begins with a few random moves and goes on with the selective alpha-beta. Of each quiet position the
regression learns the result of its game, mixed with what the search said. It expects a logistic function of
the sum of the terms, each with its weight for the phase of the game. It begins with the weights so far and
stays near them, so that terms that hardly occur keep theirs. It needs SciPy and python-chess.
"""

from __future__ import annotations

import argparse
import random
import re
import time
from pathlib import Path
from typing import Any

import chess
import numpy as np
import scipy.optimize
import scipy.sparse

import conspirator as cn

PLAYER: dict[str, Any] = {
    "evaluator": "positional",
    "selective": True,
    "table": True,
    "first_depth": 1,
    "table_bytes": 1 << 20,
}
PHASE = {chess.KNIGHT: 1, chess.BISHOP: 1, chess.ROOK: 2, chess.QUEEN: 4}
WEIGHT = re.compile(r"\((-?\d+), (-?\d+)\),")


Rows = list[tuple[str, str, float]]


def play_game(game: Any, dice: random.Random, nodes: int) -> tuple[Rows, float] | None:
    """Return positions, moves and values of one game, and White's points; None if it began badly."""
    position = game.start()
    for _ in range(dice.randint(6, 9)):
        if position.outcome is None:
            position = position.play(dice.choice(position.moves()))
    rows: Rows = []
    won = lost = level = 0
    while position.outcome is None and len(rows) < 220:
        found = cn.search(position, "alpha-beta", nodes=nodes, **PLAYER)
        if not rows and abs(found.value) > 250:
            return None
        rows.append((position.notation(), found.move, found.value))
        won = won + 1 if found.value > 1500 else 0
        lost = lost + 1 if found.value < -1500 else 0
        level = level + 1 if abs(found.value) < 12 and len(rows) > 60 else 0
        if max(won, lost) == 4 or level == 12:
            return rows, 1.0 if won == 4 else 0.0 if lost == 4 else 0.5
        position = position.play(found.move)
    result = position.outcome or 0
    return rows, (1 + (result > 0) - (result < 0)) / 2


def play(out: Path, minutes: float, seed: int, nodes: int) -> None:
    """Add games to a file until the time is over."""
    game, dice, end = cn.games.Chess(keys="board"), random.Random(seed), time.monotonic() + 60 * minutes
    with out.open("a") as file:
        while time.monotonic() < end:
            if (played := play_game(game, dice, nodes)) is not None:
                rows, points = played
                file.writelines(f"{text}|{move}|{value}|{points}\n" for text, move, value in rows)


def board_of(text: str) -> chess.Board:
    """Return the board of a position's notation."""
    fen, _, moves = text.partition(" moves ")
    board = chess.Board(fen)
    for move in moves.split():
        board.push_uci(move)
    return board


def read(paths: list[Path]) -> tuple[Any, Any, Any, Any]:
    """Return terms, phases, values found and points of all quiet positions."""
    game = cn.games.Chess(keys="board")
    rows, columns, times, phases, values, points = [], [], [], [], [], []
    for line in (line for path in paths for line in path.read_text().splitlines()):
        text, move, value, result = line.split("|")
        board = board_of(text)
        if board.is_check() or board.is_capture(chess.Move.from_uci(move)) or abs(float(value)) > 3000:
            continue
        for term, count in game.position(text).facts("positional")["terms"].items():
            rows.append(len(phases))
            columns.append(int(term))
            times.append(count)
        pieces = board.piece_map().values()
        phases.append(min(sum(PHASE.get(piece.piece_type, 0) for piece in pieces), 24) / 24)
        values.append(float(value))
        points.append(float(result))
    terms = scipy.sparse.csr_matrix((times, (rows, columns)))
    return terms, np.array(phases), np.array(values), np.array(points)


def logistic(values: Any) -> Any:
    """Return the points to expect."""
    return 1 / (1 + np.exp(-values))


def fit(data: tuple[Any, Any, Any, Any], old: Any, share: float, strength: float) -> Any:
    """Return the weights that fit the data best, near the old ones: rows of middle game and end game."""
    terms, phases, values, points = data
    size = terms.shape[1]

    def misfit(scale: float) -> float:
        return float(np.mean((logistic(values / scale) - points) ** 2))

    scale = scipy.optimize.minimize_scalar(misfit, bounds=(50, 800), method="bounded").x
    target = share * points + (1 - share) * logistic(values / scale)
    both = scipy.sparse.hstack(
        [terms.multiply(phases[:, None]), terms.multiply(1 - phases[:, None])], format="csr"
    )
    start = np.concatenate([old[:size, 0], old[:size, 1]]).astype(float)

    def loss(weights: Any) -> tuple[float, Any]:
        expected = np.clip(logistic(both @ weights / scale), 1e-9, 1 - 1e-9)
        away = (weights - start) / 100
        entropy = -np.mean(target * np.log(expected) + (1 - target) * np.log(1 - expected))
        slope = both.T @ (expected - target) / (scale * len(target)) + 2 * strength * away / 100
        return entropy + strength * float(away @ away), slope

    found = scipy.optimize.minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 500})
    print(f"{len(target)} positions, scale {scale:.0f}, loss {loss(start)[0]:.5f} -> {found.fun:.5f}")
    new = old.copy()
    new[:size] = np.rint(found.x.reshape(2, size).T)
    return new


def write(out: Path, weights: Any) -> None:
    """Put new weights in the places of the old ones."""
    rows = iter(weights)

    def replace(_: re.Match[str]) -> str:
        middle, end = next(rows)
        return f"({middle:.0f}, {end:.0f}),"

    out.write_text(WEIGHT.sub(replace, out.read_text()))


def main() -> None:
    """Read the command line."""
    style = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=style)
    commands = parser.add_subparsers(dest="command", required=True)
    player = commands.add_parser("play", help="games against itself")
    player.add_argument("out", type=Path)
    player.add_argument("--minutes", type=float, default=10)
    player.add_argument("--seed", type=int, default=1)
    player.add_argument("--nodes", type=int, default=2500)
    fitter = commands.add_parser("fit", help="weights from games")
    fitter.add_argument("games", type=Path, nargs="+")
    fitter.add_argument("--out", type=Path, required=True)
    fitter.add_argument("--share", type=float, default=0.5, help="share of the result, not the value")
    fitter.add_argument("--strength", type=float, default=1e-3, help="how strongly weights stay")
    options = parser.parse_args()
    if options.command == "play":
        play(options.out, options.minutes, options.seed, options.nodes)
        return
    old = np.array(WEIGHT.findall(options.out.read_text()), dtype=int)
    write(options.out, fit(read(options.games), old, options.share, options.strength))


if __name__ == "__main__":
    main()
