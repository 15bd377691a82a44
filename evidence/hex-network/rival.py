"""Plays the likeliest moves of our Hex network against those of another, without a search.

    python evidence/hex-network/rival.py 11_2w4_2000.onnx

The other network is a file of HexHex (github.com/harbecke/HexHex, app/public): planes of 13x13 for 11x11,
as `game.planes(edges=True)` has them. Like its own player it takes the mean over both ways to turn the board.
Ours sees the board once. Openings are those of Pawlewicz and Hayward (2015), one stone, each in both colours.
It prints a row for each game: the opening, who had Black, who won. It needs PyTorch and ONNX Runtime.
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path

import numpy as np
import onnxruntime
import torch

import conspirator as cn
from conspirator.experiments.pawlewicz_hex import openings

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT / "training"))

from hex_network import InBytes  # noqa: E402

SIZE = 11
GAME = cn.games.Hex(size=SIZE)


def ours(planes: np.ndarray) -> np.ndarray:
    """Return our network's policy for planes with edges."""
    policy, _ = NETWORK(torch.from_numpy(planes))
    return policy.numpy()[0]


def theirs(planes: np.ndarray) -> np.ndarray:
    """Return the other network's policy, the mean over both ways to turn the board."""
    name = RIVAL.get_inputs()[0].name
    both = [RIVAL.run(None, {name: turned})[0][0] for turned in (planes, planes[..., ::-1, ::-1].copy())]
    return (both[0] + both[1][::-1]) / 2


def play(opening: str, players: dict[str, object]) -> str:
    """Return who wins, "max" or "min", if both play their likeliest moves."""
    position = GAME.position(opening)
    while position.outcome is None:
        policy = players[position.to_move](GAME.planes([position], edges=True).copy()).reshape(SIZE, SIZE)
        if position.to_move == "min":
            policy = policy.T
        moves = position.moves()
        scores = [policy[int(move[1:]) - 1, ord(move[0]) - ord("a")] for move in moves]
        position = position.play(moves[int(np.argmax(scores))])
    return "max" if position.outcome > 0 else "min"


def main() -> None:
    """Play all games."""
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["opening", "black", "winner"])
    for opening in openings(SIZE):
        for black, white in ((ours, theirs), (theirs, ours)):
            won = play(opening, {"max": black, "min": white})
            out.writerow([opening, black.__name__, (black if won == "max" else white).__name__])
            sys.stdout.flush()


if __name__ == "__main__":
    torch.set_num_threads(1)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    RIVAL = onnxruntime.InferenceSession(sys.argv[1], options)
    NETWORK = InBytes(ROOT / "crates/core/src/evaluators/hex/data/neural.bin")
    main()
