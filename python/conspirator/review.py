"""Looking back at a game: who was winning when, and which move threw it away.

Every position is solved with a budget of its own, from the last one back. A move is a *blunder* if it is
proven that the player stood better before it than after it. The *decisive* one is the last blunder of the
side that lost: from there on the other side kept the win.

>>> import conspirator as cn
>>> from conspirator.review import review
>>> game = review(cn.games.Hex(size=3).start(), ["a2", "c2", "a1", "c3", "a3"], seconds=1)
>>> [(judged.move, judged.better) for judged in game.blunders]
[('a1', 'a3'), ('c3', 'a3')]
>>> game.winner, game.decisive.move                 # Min had a win, and did not see it
('max', 'c3')
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from conspirator._line import replay
from conspirator._native import Position
from conspirator._solve import solve
from conspirator._solve_proof import middle

Side = Literal["max", "min"]
Standing = Literal["won", "drawn", "lost"]

_RANKS = {"lost": 0, "drawn": 1, "won": 2}
_WORDS: dict[str, Standing] = {"win": "won", "draw": "drawn", "loss": "lost"}


@dataclass(frozen=True)
class Judged:
    """A move, and how its player stood before and after it, by proof."""

    number: int
    """Its place in the game, from 1 up."""
    player: Side
    move: str
    before: Standing | None
    """None: not known within the budget."""
    after: Standing | None
    better: str | None
    """For a blunder, a move that would have kept what there was."""

    @property
    def blunder(self) -> bool:
        """Whether something was thrown away."""
        return self.before is not None and self.after is not None and _RANKS[self.after] < _RANKS[self.before]


@dataclass(frozen=True)
class Review:
    """A game with a verdict on every move."""

    start: Position
    moves: list[Judged]
    winner: Side | None
    """Who won the game, or would have won it from its last position; None for a draw or if nobody knows."""
    interrupted: bool = False
    """Whether Ctrl-C came before all was judged."""

    @property
    def blunders(self) -> list[Judged]:
        """All moves that threw something away."""
        return [judged for judged in self.moves if judged.blunder]

    @property
    def decisive(self) -> Judged | None:
        """The move that lost the game: the last blunder of the side that did; None if none is known."""
        return next((judged for judged in reversed(self.blunders) if judged.player != self.winner), None)

    @property
    def between(self) -> tuple[int, int] | None:
        """The moves between which the loser lost a proven win, if what is in between is not known.

        The loser had a proven win before the first, and a proven loss after the second.
        """
        if self.winner is None or self.decisive is not None:
            return None
        end = None
        for judged in reversed(self.moves):
            after, before = (
                _for(self.winner, judged, standing) for standing in (judged.after, judged.before)
            )
            if after == "won":
                end = judged.number
            if before == "lost" and end is not None:
                return judged.number, end
        return None

    def as_dict(self) -> dict[str, Any]:
        """Return everything but the position as plain data."""
        decisive, between = self.decisive, self.between
        return {
            "winner": self.winner,
            "decisive": None if decisive is None else decisive.number,
            "between": None if between is None else list(between),
            "moves": [{**vars(judged), "blunder": judged.blunder} for judged in self.moves],
        }


def review(
    start: Position,
    moves: Sequence[Any],
    *,
    winner: Side | None = None,
    search: str | None = None,
    progress: Callable[[int, int], object] | None = None,
    **limits: Any,
) -> Review:
    """Judge every move of a game, from the end back.

    `limits` are those of `cn.solve`, for each position: seconds, expansions, nodes, and parameters of the
    `search`. `winner` is who won, where the last position does not tell. `progress` is called with how many
    positions are done, and of how many.
    """
    positions = replay(start, moves)
    standing: Standing | None = None  # of the player to move in the position that was judged last
    judged: list[Judged] = []
    interrupted = False
    for place in range(len(moves), -1, -1):
        position, after = positions[place], standing
        mover = position.to_move
        if place < len(moves) and positions[place + 1].to_move != mover:
            after = _turned(after)
        better = None
        if place < len(moves) and after == "won":
            standing = "won"  # what one move keeps, was there
        elif interrupted:
            standing = None
        else:
            standing, better, interrupted = _judge(position, search, limits)
        if place == len(moves):
            winner = winner or _winner(position, standing)
        else:
            one = Judged(place + 1, mover, str(moves[place]), standing, after, None)
            judged.append(Judged(**{**vars(one), "better": better}) if one.blunder else one)
        if progress is not None:
            progress(len(moves) + 1 - place, len(moves) + 1)
    return Review(start, judged[::-1], winner, interrupted)


def _judge(
    position: Position, search: str | None, limits: dict[str, Any]
) -> tuple[Standing | None, str | None, bool]:
    """Return how the player to move stands, the move for it, and whether Ctrl-C came."""
    if position.outcome is not None:
        level = middle(*position.value_range)
        sign = 1 if position.to_move == "max" else -1
        value = sign * (position.outcome - level)
        return ("won" if value > 0 else "lost" if value < 0 else "drawn"), None, False
    solution = solve(position, search, **limits)
    standing = None if solution.outcome is None else _WORDS[solution.outcome]
    move = None if solution.move is None else str(solution.move)
    return standing, move, solution.status == "interrupted"


def _winner(position: Position, standing: Standing | None) -> Side | None:
    """Return who wins from the last position."""
    other: Side = "min" if position.to_move == "max" else "max"
    return {"won": position.to_move, "lost": other}.get(standing or "")


def _turned(standing: Standing | None) -> Standing | None:
    """Return how the other player stands."""
    swapped: dict[Standing | None, Standing] = {"won": "lost", "lost": "won", "drawn": "drawn"}
    return swapped.get(standing)


def _for(side: Side, judged: Judged, standing: Standing | None) -> Standing | None:
    """Return a standing from a side's view."""
    return standing if judged.player == side else _turned(standing)


__all__ = ["Judged", "Review", "replay", "review"]
