"""Prints what the network in a file says of some positions, as `tests/golden/hex_network.json` has it.

    python training/hex_golden.py crates/core/src/evaluators/hex/data/neural.bin

It is computed by PyTorch, with the bytes between convolutions of the package.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import torch
from boards import Hex
from hex_network import InBytes

POSITIONS = {
    7: ["g3 c2 e4", "g6 d1 e1 g5 g1 c4 c6 f7"],
    9: ["b8 a4 e1 c2"],
    11: [
        "",
        "a6",
        "j5 i1 i3 a2",
        "e7 k5 h1 g10 g7 e2 g3 d8 i7",
        "h1 h7 i7 g5 g1 g3 f1 f7 k10 g2 e4 j5 h2 d7",
    ],
    13: ["e3 d12 a7", "a12 h4 a3 f12 d12 h13 j4 e8 l2 k11"],
    15: ["c13 b2 j10 a2 i11 h4"],
    19: ["h14 g19 g15 j12 i9"],
}


def case(network: InBytes, size: int, text: str) -> dict[str, object]:
    """Return a position with its value and policy; Black joins the first row with the last."""
    rules = Hex(size)
    state, black = rules.start(1), True
    for move in text.split():
        column, row = ord(move[0]) - ord("a"), int(move[1:]) - 1
        output = size * row + column if black else size * column + row
        state, black = rules.play(state, torch.tensor([output])), not black
    policy, value = network(rules.planes(state))
    empty = rules.look(state).legal.view(size, size)
    cells = policy.view(size, size)
    if not black:
        cells, empty = cells.T, empty.T
    names = {
        f"{chr(ord('a') + column)}{row + 1}": round(float(cells[row, column]), 4)
        for row in range(size)
        for column in range(size)
        if empty[row, column]
    }
    return {"size": size, "moves": text, "value": round(float(value), 4), "policy": names}


def main() -> None:
    """Print the cases."""
    network = InBytes(Path(sys.argv[1]))
    made = "training/hex_golden.py in PyTorch, with bytes between convolutions"
    cases = [case(network, size, text) for size, texts in POSITIONS.items() for text in texts]
    print(json.dumps({"made by": made, "cases": cases}, separators=(",", ":")))


if __name__ == "__main__":
    main()
