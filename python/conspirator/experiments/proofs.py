"""Proofs from end to end: positions whose value is known are solved, written as certificates, and checked.

The rungs of a ladder, game by game: what it takes to find the answer, to write the strategy to the end of the
game, and to check it by the rules alone.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING, NamedTuple

import conspirator as cn
from conspirator.experiments.report import Cell, Report, yes
from conspirator.experiments.work import Work

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BLACK_WINS = {
    5: "e1 b2 c2 d2 e2 b3 c3 d3 a4 b4 c4 d4 a5",
    6: "f1 b2 c2 d2 e2 f2 a3 b3 c3 d3 e3 f3 a4 b4 c4 d4 e4 f4 a5 b5 c5 d5 e5 a6",
}
"""First moves that win at Hex, by size."""
FFO_40 = "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X"
"""Number 40 of the FFO end games: 20 empty squares, Black wins by 38."""
FFO_40_LINE = "a2 b1 c1 pass b6 c7 a7 b7"
"""How it goes on with best play."""
CONNECT_FOUR = {"5441565551": 1023, "26111474265245": 1, "4117612214464415": 1, "716337253115714173": 1023}
"""Moves and values; `df-pn` and `end-game` agree on them."""
AMAZONS = {(4, "1bb1/b2b/w2w/1ww1 w"): -16, (5, "xxxxx/1b1b1/b3b/w3w/1w1w1 w"): 25}
"""Four by four is lost for the first player, a board of four rows of five is won."""
MATES = [
    "b7/p1BR2pK/B1p5/pNk3p1/Pp4Pp/1P3n2/4R2r/7n w - - 0 1",
    "8/2P1P1P1/3PkP2/8/4K3/8/8/8 w - - 0 1",
    "r4qrk/ppp1b1pp/3p1p2/4pPPQ/4P2P/3PB3/PPP5/1K4RR w - - 0 1",
]
"""In three, three and four moves."""
QUICK_CELLS = ("a1", "c3", "e1")


class Rung(NamedTuple):
    """A position, and the value that is known of it."""

    name: str
    position: cn.Position
    value: float


class Climbed(NamedTuple):
    """What a rung came to."""

    rung: Rung
    claims: str
    find: float
    write: float
    check: float
    size: int
    positions: int
    agrees: bool


def rungs(quick: bool) -> Iterator[Rung]:
    """Yield what is to be proven, the quickest of each game first."""
    for size, wins in BLACK_WINS.items():
        game = cn.games.Hex(size=size)
        for cell in game.start().moves():
            if (size == 5 and cell in QUICK_CELLS) or not quick:
                yield Rung(
                    f"Hex {size}x{size} {cell}", game.position(cell), 1 if cell in wins.split() else -1
                )
    for line, value in list(CONNECT_FOUR.items())[: 1 if quick else None]:
        yield Rung(f"Connect-Four {line}", cn.games.ConnectFour().position(line), value)
    end_game, played = cn.games.Othello().position(FFO_40), []
    for move in FFO_40_LINE.split():
        played.append(end_game)
        end_game = end_game.play(move)
    yield Rung(f"Othello, {end_game.moves_left} empty", end_game, 38)
    if not quick:
        for before in (played[4], played[0]):
            yield Rung(f"Othello, {before.moves_left} empty", before, 38)
    for (size, board), value in list(AMAZONS.items())[: 1 if quick else None]:
        yield Rung(f"Amazons {board}", cn.games.Amazons(size=size).position(board), value)
    for board in MATES[: 1 if quick else None]:
        yield Rung(f"Chess {board.split()[0]}", cn.games.Chess().position(board), 20000)


def climb(folder: Path, rung: Rung) -> Climbed:
    """Solve, write and check one of them."""
    times = [process_time()]
    solution = cn.solve(rung.position)
    times.append(process_time())
    path = solution.proof.save(folder / "certificate.proof")
    times.append(process_time())
    checked = cn.verify(path, position=rung.position)
    times.append(process_time())
    find, write, check = (after - before for before, after in pairwise(times))
    bounds = {"at least": checked.at_least, "at most": checked.at_most}
    claims = " and ".join(f"{word} {value:g}" for word, value in bounds.items() if value is not None)
    agrees = solution.value == rung.value and set(bounds.values()) <= {rung.value, None}
    return Climbed(rung, claims, find, write, check, path.stat().st_size, checked.positions, agrees)


def ladder(work: Work) -> Report:
    """Climb the ladder: one rung after another, because CPU time is what is measured."""
    chosen = list(rungs(work.quick))
    found: list[Climbed] = []
    with tempfile.TemporaryDirectory() as folder:
        for rung in chosen:
            found.append(climb(Path(folder), rung))
            work.tell(len(found) / len(chosen), rung.name)
    rows: list[list[Cell]] = [
        [
            *(proof.rung.name, proof.claims, proof.size, proof.positions),
            *(round(seconds, 2) for seconds in (proof.find, proof.write, proof.check)),
            yes(proof.agrees),
        ]
        for proof in found
    ]
    columns = ["position", "Max gets", "bytes", "positions", "find s", "write s", "check s", "agrees"]
    return Report(
        title="Certificates: size, and CPU time to find, write and check",
        paper="known values: solved openings of Hex, the FFO end games, published results of Amazons, mates",
        columns=columns,
        rows=rows,
        agrees=all(proof.agrees for proof in found),
        draw=partial(_draw, found),
        convention=[
            "CPU seconds of this process. Finding is `cn.solve`, writing is `solution.proof.save`, which "
            "walks the strategy to the end of the game, checking is `cn.verify`, in plain Python.",
            "Positions are those that the checker walks, each once for each claim; in Hex, problems of "
            "connection.",
        ],
        reference="what is known",
    )


def _draw(found: list[Climbed], axes: Axes) -> None:
    for place, label in enumerate(("find", "write", "check")):
        seconds = [max((proof.find, proof.write, proof.check)[place], 1e-3) for proof in found]
        axes.loglog([max(proof.positions, 1) for proof in found], seconds, "o", label=label)
    axes.set_xlabel("positions in the certificate")
    axes.set_ylabel("CPU seconds")
    axes.legend(frameon=False)
