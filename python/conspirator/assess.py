"""Looking back at a game of chess by its values: which moves were mistakes, and how much they cost.

Every position is searched for the best move. What another move loses is the value after the best one less the
value after it, in centipawns, from the side of its player, both by searches with the same budget. So what is
compared has been seen equally far. Beyond ten pawns values count as ten: in a won position nobody asks by how
much.

>>> import conspirator as cn
>>> from conspirator.assess import assess
>>> player = cn.Player("alpha-beta", evaluator="captures", depth=4)
>>> game = assess(cn.games.Chess().start(), ["f3", "e5", "g4", "Qh4"], player)
>>> [(judged.san, judged.mark) for judged in game.moves][2:]
[('g4', '??'), ('Qh4#', '')]
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from conspirator._errors import ArgumentError
from conspirator._line import replay, unclaimed, written_line
from conspirator._native import Position
from conspirator._players import Player
from conspirator.mates import WIN

Side = Literal["max", "min"]
MARKS = {"??": 300, "?": 100, "?!": 50}
"""The marks of annotated games, with the centipawns that a move must lose at least."""
NAGS = {"??": 4, "?": 2, "?!": 6}
"""Their numbers in PGN."""
MOST = 1000
"""Values beyond this count as this."""
_LONGEST = 8


@dataclass(frozen=True)
class Assessed:
    """A move, and what it cost."""

    number: int
    """Its place in the game, from 1 up."""
    player: Side
    move: str
    san: str
    before: float
    """The value of the best move in centipawns, from the side of its player; 20,000 is a mate."""
    after: float
    """The value of this one."""
    better: list[str]
    """For a mistake, the line that would have been better, as people write it."""

    @property
    def loss(self) -> int:
        """What the move lost, in centipawns."""
        return max(0, round(_clipped(self.before) - _clipped(self.after)))

    @property
    def mark(self) -> str:
        """`?!`, `?`, `??`, or nothing."""
        return mark_of(self.loss)


@dataclass(frozen=True)
class Summary:
    """How one side has played."""

    moves: int
    mean_loss: float | None
    """In centipawns; None without moves."""
    marks: dict[str, int]


@dataclass(frozen=True)
class Assessment:
    """A game with the cost of every move."""

    start: Position
    moves: list[Assessed]
    interrupted: bool = False
    """Whether Ctrl-C came before the end."""

    @property
    def mistakes(self) -> list[Assessed]:
        """All moves that have a mark."""
        return [judged for judged in self.moves if judged.mark]

    def summary(self, side: Side) -> Summary:
        """Return the sums for one side."""
        own = [judged for judged in self.moves if judged.player == side]
        mean = sum(judged.loss for judged in own) / len(own) if own else None
        marks = {mark: sum(judged.mark == mark for judged in own) for mark in reversed(MARKS)}
        return Summary(len(own), mean, marks)

    def as_dict(self) -> dict[str, Any]:
        """Return everything but the position as plain data."""
        return {
            "interrupted": self.interrupted,
            "white": vars(self.summary("max")),
            "black": vars(self.summary("min")),
            "moves": [{**vars(judged), "loss": judged.loss, "mark": judged.mark} for judged in self.moves],
        }


def assess(
    start: Position,
    moves: Sequence[str],
    player: Player,
    *,
    progress: Callable[[int, int], object] | None = None,
) -> Assessment:
    """Value every position of a game by a player's search, and say what every move lost.

    `progress` is called with how many positions are done, and of how many. A game that went on although a
    draw could be claimed is looked at to its end.
    """
    if getattr(start.game, "name", None) != "chess":
        raise ArgumentError("only games of chess are assessed: use conspirator.review for others")
    positions = replay(start, moves, play_on=True)  # at the end of the game a draw is one
    judged: list[Assessed] = []
    best = list[str]()
    try:
        for place, position in enumerate(positions):
            value, line = _think(position, player)
            if place:
                last = positions[place - 1]
                judged.append(_judge(last, place, moves[place - 1], value, best, player))
            best = line
            if progress is not None:
                progress(place + 1, len(positions))
    except KeyboardInterrupt:
        return Assessment(start, judged, interrupted=True)
    return Assessment(start, judged)


def mark_of(loss: int) -> str:
    """Return the mark for a move that loses so many centipawns.

    >>> [mark_of(loss) for loss in (0, 49, 50, 100, 300)]
    ['', '', '?!', '?', '??']
    """
    return next((mark for mark, least in MARKS.items() if loss >= least), "")


def say_pawns(value: float) -> str:
    """Return a value in pawns, as chess programs show it.

    >>> say_pawns(-125.0), say_pawns(20_000.0)
    ('-1.25', 'mate')
    """
    if abs(value) == WIN:
        return "mate" if value > 0 else "mated"
    return f"{value / 100:+.2f}"


def _think(position: Position, player: Player) -> tuple[float, list[str]]:
    """Return the value of a position from White's side, and the line behind it."""
    if position.outcome is not None:
        return position.outcome, []
    result = player.think(position)
    if result.status == "interrupted":
        raise KeyboardInterrupt
    return result.value, list(result.line) or [result.move]


def _judge(
    position: Position, number: int, move: str, after: float, best: list[str], player: Player
) -> Assessed:
    """Compare a move with the best one, after which the same search is made as after it."""
    name = position.moves()[position.place(move)]
    sign = 1 if position.to_move == "max" else -1
    before, line = after, best
    if best[0] != name:
        before, rest = _think(unclaimed(position.play(best[0])), player)
        line = [best[0], *rest]
    one = Assessed(number, position.to_move, name, position.describe(name), sign * before, sign * after, [])
    if not one.mark:
        return one
    return Assessed(**{**vars(one), "better": written_line(position, line[:_LONGEST])})


def _clipped(value: float) -> float:
    return min(max(value, -MOST), MOST)


__all__ = ["MARKS", "Assessed", "Assessment", "Summary", "assess", "mark_of", "say_pawns"]
