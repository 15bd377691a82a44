"""Lets a program that speaks XBoard's protocol play as a UCI engine, for `conspirator match`.

    conspirator match run chess positional:seconds=0.1 \
        'phalanx=uci:seconds=0.1,command=python xboard.py phalanx'

It needs chess.
"""

from __future__ import annotations

import sys

import chess
import chess.engine


def main() -> None:
    """Answer commands until `quit`."""
    engine = chess.engine.SimpleEngine.popen_xboard(sys.argv[1:])
    board = chess.Board()
    for line in sys.stdin:
        words = line.split()
        command = words[0] if words else ""
        if command == "uci":
            print(f"id name {engine.id.get('myname', sys.argv[1])}\nuciok", flush=True)
        elif command == "isready":
            print("readyok", flush=True)
        elif command == "position":
            at = words.index("moves") if "moves" in words else len(words)
            board = chess.Board() if words[1] == "startpos" else chess.Board(" ".join(words[2:at]))
            for move in words[at + 1 :]:
                board.push_uci(move)
        elif command == "go":
            limit = chess.engine.Limit(time=int(words[words.index("movetime") + 1]) / 1000)
            print(f"bestmove {engine.play(board, limit).move}", flush=True)
        elif command == "quit":
            break
    engine.quit()


if __name__ == "__main__":
    main()
