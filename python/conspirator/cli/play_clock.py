"""The clock of a game in the terminal: minutes for the game and seconds for each move."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from time import monotonic

import click

from conspirator._clock import LEAST, LONGEST
from conspirator._clock import Clock as Shares

INCREMENT_USED = 0.8
"""The part of a move's extra seconds that the engine takes for it."""
USUAL_MOVES = 30
"""As many moves are still to come where nobody knows."""


class GameClock:
    """Both players' time; it runs for the one whose turn it is.

    >>> clock = GameClock(5 * 60, 3, now=iter([0.0, 10.0]).__next__)
    >>> clock.start("max")
    >>> clock.stop()
    >>> str(clock.say("max")), clock.left("max")
    ('4:53', 293.0)
    """

    def __init__(self, seconds: float, increment: float, now: Callable[[], float] = monotonic) -> None:
        self._increment = increment
        self._now = now
        self._left = {"max": seconds, "min": seconds}
        self._running: tuple[str, float] | None = None

    def start(self, side: str) -> None:
        """Let a player's clock run; nothing happens if it does already."""
        if self._running is None or self._running[0] != side:
            self._running = (side, self._now())

    def stop(self) -> None:
        """End a player's turn: take the time, and give the extra seconds unless it was too late."""
        if self._running is None:
            return
        (side, _), left = self._running, self.left(self._running[0])
        self._running = None
        self._left[side] = left + self._increment if left > 0 else left

    def left(self, side: str) -> float:
        """Return the seconds that a player has left, now."""
        if self._running is None or self._running[0] != side:
            return self._left[side]
        return self._left[side] - (self._now() - self._running[1])

    def share(self, side: str, moves_left: int | None) -> float:
        """Return the seconds that a move of the engine may take: never more than half of what is left.

        >>> GameClock(60, 0).share("max", None) < 2 < GameClock(60, 2).share("max", None)
        True
        """
        left, shares = self.left(side), Shares()
        shares.tell(side, left, 0)
        share = shares.allot(side, USUAL_MOVES if moves_left is None else moves_left / 2) or LEAST
        return max(LEAST, min(share + INCREMENT_USED * self._increment, left / 2))

    def pace(self, side: str, moves_left: int | None) -> tuple[float, float]:
        """Return the seconds that a move of the engine usually takes, and at most.

        >>> usual, most = GameClock(60, 0).pace("max", None)
        >>> usual < most < 20
        True
        """
        share = self.share(side, moves_left)
        return share, max(share, min(LONGEST * share, self.left(side) / 3))

    def say(self, side: str) -> str:
        """Return a player's time in minutes and seconds."""
        left = max(0, math.ceil(self.left(side)))
        return f"{left // 60}:{left % 60:02}"


def read_clock(context: click.Context, option: click.Parameter, text: str | None) -> GameClock | None:
    """Read minutes for the game and seconds for each move, such as 5+3."""
    if text is None:
        return None
    match = re.fullmatch(r"(\d{1,4}(?:\.\d+)?)(?:\+(\d{1,4}(?:\.\d+)?))?", text.strip())
    if match is None or float(match[1]) + float(match[2] or 0) <= 0:
        raise click.BadParameter(
            f"{text!r} is no clock; write minutes and seconds for each move, such as 5+3", context, option
        )
    minutes, increment = float(match[1]), float(match[2] or 0)
    return GameClock(60 * minutes or increment, increment)
