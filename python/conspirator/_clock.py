"""The clock of a game: what the controller says about time, and what a move may take of it."""

from __future__ import annotations

from dataclasses import dataclass

LEAST = 0.01
"""Seconds that every move gets, however late it is."""

RESERVE = 0.02
"""Seconds of a move that are kept for pipes and the like."""

FEWEST_MOVES = 4
"""As if at least so many moves were still to come, so that the last ones are not without time."""


@dataclass
class _Player:
    """One player's clock: in the main time there are no stones to count."""

    seconds: float
    stones: int = 0


class Clock:
    """Main time, then overtime of so many seconds for so many stones, for each player.

    >>> clock = Clock()
    >>> clock.allot("max", 30) is None            # nobody has said anything about time
    True
    >>> clock.set(60, 0, 0)
    >>> round(clock.allot("max", 30), 2)
    1.88
    """

    def __init__(self) -> None:
        self._limited = False
        self._overtime = 0.0
        self._stones = 0
        self._players: dict[str, _Player] = {}

    def set(self, main: float, overtime: float, stones: int) -> None:
        """Begin with these times; overtime without stones means that there is no limit."""
        self._limited = not (overtime > 0 and stones == 0)
        self._overtime, self._stones = overtime, stones
        self._players = {player: self._fresh(main) for player in ("max", "min")}

    def tell(self, player: str, seconds: float, stones: int) -> None:
        """Take over what the controller says is left."""
        self._limited = True
        self._players[player] = _Player(seconds, stones)

    def allot(self, player: str, moves_left: float) -> float | None:
        """Return the seconds for a player's next move; None where there is no limit."""
        left = self._players.get(player)
        if not self._limited or left is None:
            return None
        if left.stones:
            share = left.seconds / left.stones
        else:
            share = left.seconds / max(moves_left, FEWEST_MOVES)
            share += self._overtime / self._stones if self._stones else 0.0
        return max(LEAST, 0.95 * share - RESERVE)

    def spend(self, player: str, seconds: float) -> None:
        """Take a move's time from a player."""
        left = self._players.get(player)
        if not self._limited or left is None:
            return
        left.seconds -= seconds
        if left.stones > 1:
            left.stones -= 1
        elif left.stones == 1 or left.seconds <= 0:
            over = min(left.seconds, 0.0) if not left.stones else 0.0
            self._players[player] = self._fresh(0.0)
            self._players[player].seconds += over
            if over and self._players[player].stones > 1:
                self._players[player].stones -= 1  # the move that used up the main time counts

    def _fresh(self, main: float) -> _Player:
        if main <= 0 and self._stones:
            return _Player(self._overtime, self._stones)
        return _Player(main)
