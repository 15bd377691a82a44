"""How much of a move should go to proofs? The player `network` on end games of Hex, with several shares.

    python evidence/hex-network/proof_share.py FOLDER 2

FOLDER has `endgame.tst` and `sgf/` of Benzene's regression tests (LGPL; not a part of this project). The
number is CPU seconds for a move. Positions have a list of winning moves; it need not be whole, so every
other answer is given to `df-pn`, for as many expansions as take some 20 CPU seconds. It prints a row for
each answer: the share, the position, the move, what the player said, and whether it wins, loses, or is not
known.
"""

from __future__ import annotations

import csv
import re
import sys
from pathlib import Path

import conspirator as cn
from conspirator._sgf import read_sgf_file

SHARES = (0.0, 0.1, 0.2, 0.35, 0.5)
CASE = re.compile(r"^loadsgf (\S+)\n\d+ (?:reg_)?genmove (black|white)\n#\? \[([^\]]*)\]", re.MULTILINE)


def positions(folder: Path) -> list[tuple[str, cn.Position, set[str]]]:
    """Return the name, the position and the known winning moves of each case."""
    found = []
    for name, side, answers in CASE.findall((folder / "endgame.tst").read_text()):
        game = read_sgf_file(folder / name)
        black = game.setup["black"] + [move for colour, move in game.moves if colour == "black"]
        white = game.setup["white"] + [move for colour, move in game.moves if colour == "white"]
        first, second = (black, white) if len(black) >= len(white) + (side == "white") else (white, black)
        if len(first) - len(second) not in (0, 1) or answers.startswith("!"):
            continue
        moves = [move for pair in zip(first, [*second, ""], strict=False) for move in pair if move]
        text = ("white " if first is white else "") + " ".join(moves)
        position = cn.games.Hex(size=game.size or 11).position(text)
        if (position.to_move == "max") == (side == "black") and position.outcome is None:
            found.append((name, position, set(answers.split("|"))))
    return found


def verdict(position: cn.Position, move: str, known: set[str]) -> str:
    """Return whether a move wins, loses, or is not known."""
    if move in known:
        return "wins"
    after = position.play(move)
    if after.outcome is not None:
        return "wins"
    result = cn.search(after, "df-pn", evaluator="knowledge", expansions=15_000)
    if result.status != "proven":
        return "not known"
    return "wins" if result.won == (position.to_move == "max") else "loses"


def main() -> None:
    """Ask about all positions."""
    folder, seconds = Path(sys.argv[1]), float(sys.argv[2])
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["share", "position", "move", "status", "verdict"])
    said: dict[tuple[str, str], str] = {}
    for name, position, known in positions(folder):
        for share in SHARES:
            player = cn.players("hex")["network"].but(cpu_seconds=seconds, proof=share)
            result = player.think(position)
            if (name, result.move) not in said:
                said[name, result.move] = verdict(position, result.move, known)
            out.writerow([share, Path(name).stem, result.move, result.status, said[name, result.move]])
            sys.stdout.flush()


if __name__ == "__main__":
    main()
