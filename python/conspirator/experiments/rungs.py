"""The rungs of the ladder of proofs: positions whose value is known, or should be.

Who wins the openings of Hex was found by several programs. End games of Othello are numbers 40 to 44 of the
FFO suite. Mates are those of FrankyGo's suite (Frank Kopp, MIT) that it does not call too long. The layouts
of small boards of Amazons differ between papers: the certificate states the one that was solved.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import conspirator as cn

BLACK_WINS = {
    5: "e1 b2 c2 d2 e2 b3 c3 d3 a4 b4 c4 d4 a5",
    6: "f1 b2 c2 d2 e2 f2 a3 b3 c3 d3 e3 f3 a4 b4 c4 d4 e4 f4 a5 b5 c5 d5 e5 a6",
    7: "g1 c2 e2 f2 g2 b3 c3 d3 e3 f3 a4 b4 c4 d4 e4 f4 g4 b5 c5 d5 e5 f5 a6 b6 c6 e6 a7",
    8: "h1 g2 h2 b3 c3 d3 e3 f3 g3 b4 c4 d4 e4 f4 g4 h4 a5 b5 c5 d5 e5 f5 g5 b6 c6 d6 e6 f6 g6 a7 b7 a8",
}
"""First moves that win at Hex, by size."""
WRITTEN = {5, 6}
"""Sizes of which all certificates are written."""
EASIEST_7X7 = "d4"
"""Of the larger boards only this certificate is written: the others take minutes."""
FIRST_8X8 = ("d5", "a1")
"""These have ten times the time of the others."""
END_GAMES = {
    "40": ("O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X", 38),
    "41": ("-OOOOO----OOOOX--OOOOOO-XXXXXOO--XXOOX--OOXOXX----OXXO---OOO--O- X", 0),
    "42": ("--OOO-------XX-OOOOOOXOO-OOOOXOOX-OOOXXO---OOXOO---OOOXO--OOOO-- X", 6),
    "43": ("--XXXXX---XXXX---OOOXX---OOXXXX--OOXXXO-OOOOXOO----XOX----XXXXX- O", 12),
    "44": ("--O-X-O---O-XO-O-OOXXXOOOOOOXXXOOOOOXX--XXOOXO----XXXX-----XXX-- O", 14),
}
"""FFO end games of 20 to 24 empty squares: what Black wins by."""
FFO_40 = END_GAMES["40"][0]
FFO_40_LINE = "a2 b1 c1 pass b6 c7 a7 b7"
"""How it goes on with best play."""
CONNECT_FOUR = {"5441565551": 1023, "26111474265245": 1, "4117612214464415": 1, "716337253115714173": 1023}
"""Moves and values; `df-pn` and `end-game` agree on them."""
AMAZONS = {(4, "1bb1/b2b/w2w/1ww1 w"): -16, (5, "xxxxx/1b1b1/b3b/w3w/1w1w1 w"): 25}
"""Four by four is lost for the first player, a board of four rows of five is won."""
OUR_AMAZONS = {
    "5 rows of 4": (5, "1bb1x/b2bx/4x/w2wx/1ww1x w"),
    "6 rows of 4": (6, "1bb1xx/b2bxx/4xx/4xx/w2wxx/1ww1xx w"),
    "4 rows of 6": (6, "xxxxxx/xxxxxx/1b2b1/b4b/w4w/1w2w1 w"),
    "5 rows of 5": (5, "1b1b1/b3b/5/w3w/1w1w1 w"),
    "7 rows of 4": (7, "1bb1xxx/b2bxxx/4xxx/4xxx/4xxx/w2wxxx/1ww1xxx w"),
    "6 rows of 5": (6, "1b1b1x/b3bx/5x/5x/w3wx/1w1w1x w"),
}
"""Boards that Song and Müller (2014) solved, with a layout that may not be theirs."""
MATES = [
    "b7/p1BR2pK/B1p5/pNk3p1/Pp4Pp/1P3n2/4R2r/7n w - - 0 1",
    "8/2P1P1P1/3PkP2/8/4K3/8/8/8 w - - 0 1",
    "r4qrk/ppp1b1pp/3p1p2/4pPPQ/4P2P/3PB3/PPP5/1K4RR w - - 0 1",
]
"""In three, three and four moves."""
MORE_MATES = [
    "4r1b1/1p4B1/pN2pR2/RB2k3/1P2N2p/2p3b1/n2P1p1r/5K1n w - - 0 1",
    "6K1/n1P2N1p/6pr/b1pp3b/n2Bp1k1/1R2R1Pp/3p1P2/2qN1B2 w - - 0 1",
    "r4rk1/pppqbp1p/3pp1p1/8/4P3/1P1P3R/PBP2PPP/R2Q2K1 w - - 0 1",
    "r3r3/p1p2p1k/3p2pp/2p5/2P2n2/2N2B2/PPR1PP1q/3RQK2 b - - 0 1",
    "3r4/1p1r4/1Pp5/3p4/p2R4/K1NN4/1P6/kqBB3R w - - 0 1",
    "n7/3p1p2/NpkNp1p1/1p2P3/3Q4/6B1/b7/4K3 w - - 0 1",
    "1b1R2B1/p1n1p3/p3P2K/N1k5/2N2P2/5P2/2PP4/R7 w - - 0 1",
    "K6Q/1p6/pPq4P/P2p2P1/4pP1N/7k/n5R1/1n2BB2 w - - 0 1",
    "1r4k1/1b2K1pp/7b/2pp3P/6NB/2Q2pp1/4p3/5r2 w - - 0 1",
    "r2r4/1p1R3p/5pk1/b1B1Pp2/p4P2/P7/1P5P/1K1R4 w - - 0 1",
    "5rk1/pp4p1/8/3N3p/2P4P/1P4K1/P2r1n2/R3R3 b - - 0 1",
    "6b1/4Kpk1/5r2/8/3B2P1/7R/8/8 w - - 0 1",
    "8/8/8/p7/8/8/R6p/2K2Rbk w - - 0 1",
    "b7/8/7B/7p/8/2p3r1/2P1P1pp/4K1kq w - - 0 1",
    "5R2/6r1/3P4/1BBk4/8/3N4/8/K7 w - - 0 1",
    "1r1r2k1/p4ppp/1qp5/4Pb2/3b1P2/1PP2N2/P2BQ1PP/2KR3R w - - 0 1",
    "4k3/8/4K3/8/4N3/4B3/3P1P2/8 w - - 0 1",
]
"""In three to six moves, harder for a search of proofs."""
QUICK_CELLS = ("a1", "c3", "e1")


class Rung(NamedTuple):
    """A position, and the value that is known of it."""

    name: str
    position: cn.Position
    value: float | None
    writes: bool = True
    """Whether its certificate is of a size that is worth writing."""
    patience: float | None = None
    """How many times the limit of time it has; None: as long as it takes."""


def rungs(quick: bool) -> Iterator[Rung]:
    """Yield what is to be proven, what takes longest of all last."""
    yield from _hex(quick)
    for line, value in list(CONNECT_FOUR.items())[: 1 if quick else None]:
        yield Rung(f"Connect-Four {line}", cn.games.ConnectFour().position(line), value)
    end_game, played = cn.games.Othello().position(FFO_40), []
    for move in FFO_40_LINE.split():
        played.append(end_game)
        end_game = end_game.play(move)
    yield Rung(f"Othello, {end_game.moves_left} empty", end_game, 38)
    if not quick:
        yield Rung(f"Othello, {played[4].moves_left} empty", played[4], 38)
    for (size, board), value in list(AMAZONS.items())[: 1 if quick else None]:
        yield Rung(f"Amazons {board}", cn.games.Amazons(size=size).position(board), value)
    for board in MATES[: 1 if quick else None]:
        yield Rung(f"Chess {board.split()[0]}", cn.games.Chess().position(board), 20000)
    if not quick:
        yield from _long()


def _hex(quick: bool) -> Iterator[Rung]:
    for size in (5,) if quick else (5, 6, 7):
        for cell in cn.games.Hex(size=size).start().moves():
            if cell in QUICK_CELLS or not quick:
                yield _opening(size, cell, size in WRITTEN or (size == 7 and cell == EASIEST_7X7))


def _opening(size: int, cell: str, writes: bool, patience: float | None = None) -> Rung:
    value = 1 if cell in BLACK_WINS[size].split() else -1
    return Rung(f"Hex {size}x{size} {cell}", cn.games.Hex(size=size).position(cell), value, writes, patience)


def _long() -> Iterator[Rung]:
    """Yield what takes minutes."""
    for number, (board, value) in END_GAMES.items():
        end_game = cn.games.Othello().position(board)
        name = f"Othello FFO {number}, {end_game.moves_left} empty"
        yield Rung(name, end_game, value, writes=number == "40", patience=2)
    yield Rung("Connect-Four, the empty board", cn.games.ConnectFour().start(), 1023)
    for board in MORE_MATES:
        value = 20000 if board.split()[1] == "w" else -20000
        yield Rung(f"Chess {board.split()[0]}", cn.games.Chess().position(board), value, patience=1)
    for name, (size, board) in OUR_AMAZONS.items():
        position = cn.games.Amazons(size=size).position(board)
        yield Rung(f"Amazons {name}: {board}", position, None, writes=False, patience=2)
    for cell in FIRST_8X8:
        yield _opening(8, cell, writes=False, patience=10)
    # a half-turn of the board leads to the other openings
    for cell in cn.games.Hex(size=8).start().moves()[:32]:
        if cell not in FIRST_8X8:
            yield _opening(8, cell, writes=False, patience=1)
