"""Makes connect-four-truth.txt: positions with the result of every move. It needs bitbully.

    python evidence/training/connect_four_truth.py evidence/training/connect-four-truth.txt

Half of the positions are from random games, half from games of a weak player. It takes ten minutes.
"""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

from bitbully import bitbully_core

import conspirator as cn

HEAD = """\
# Connect-Four positions without a win at once: the moves so far, then the result of each column for the
# player to move: 1, 0 or -1 with best play, or . if the column is full. 8 to 32 stones, half of random games,
# half of games by a weak player. Results by BitBully 0.0.79, an alpha-beta solver.
"""


def line_of(game: cn.Game, random: Random) -> tuple[str, cn.Position]:
    """Return the moves of a game up to some point, and its position."""
    plies, weak, line, position = random.randint(8, 32), random.random() < 0.5, "", game.start()
    while len(line) < plies and position.outcome is None:
        if weak and random.random() < 0.8:
            depth = random.choice([1, 2, 4, 6])
            move = cn.search(position, "alpha-beta", depth=depth, evaluator="network").move
        else:
            move = random.choice(position.moves())
        position, line = position.play(move), line + move
    return line, position


def main(count: int = 1000) -> None:
    """Write the file."""
    solver, game, random = bitbully_core.BitBullyCore(), cn.games.ConnectFour(), Random(7)
    rows: dict[str, str] = {}
    while len(rows) < count:
        line, position = line_of(game, random)
        moves = position.moves()
        at_once = any(position.play(move).outcome not in (None, 512.0) for move in moves)
        if position.outcome is not None or line in rows or at_once:
            continue
        board = bitbully_core.BoardCore()
        board.setBoard([int(move) - 1 for move in line])
        scores = enumerate(solver.scoreMoves(board), start=1)
        rows[line] = " ".join(
            str((score > 0) - (score < 0)) if str(column) in moves else "." for column, score in scores
        )
    lines = sorted(rows.items(), key=lambda row: (len(row[0]), row[0]))
    Path(sys.argv[1]).write_text(HEAD + "".join(f"{line} {results}\n" for line, results in lines))


if __name__ == "__main__":
    main()
