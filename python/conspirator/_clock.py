"""The clock of a game: what the controller says about time, and what a move may take of it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

from conspirator._budget import Budget
from conspirator._errors import ArgumentError

LEAST = 0.01
"""Seconds that every move gets, however late it is."""

RESERVE = 0.02
"""Seconds of a move that are kept for pipes and the like."""

FEWEST_MOVES = 4
"""As if at least so many moves were still to come, so that the last ones are not without time."""

LONGEST = 3.0
"""Times its even share that one move may take, if there is so much: what it took is missing later."""

LENGTHS = {"hex": 0.6, "connect-four": 0.5}
"""How much of the longest game needs any thought, where that is not nearly all."""

USUAL_MOVES = 30
"""Moves that are still to come, where the game does not say how many at most."""


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

    def pace(self, player: str, moves_left: float) -> tuple[float, float] | None:
        """Return the seconds that a player's next move usually takes, and at most; None: no limit.

        >>> clock = Clock()
        >>> clock.set(60, 0, 0)
        >>> [round(seconds, 2) for seconds in clock.pace("max", 30)]
        [1.88, 5.64]
        """
        share, left = self.allot(player, moves_left), self._players.get(player)
        if share is None or left is None:
            return None
        if left.stones == 1:
            return share, share
        return share, max(share, min(LONGEST * share, 0.4 * left.seconds))

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


@dataclass(frozen=True)
class PlayerClock:
    """What a player has for all its moves of a game, in any unit of time or work, and how it splits that.

    >>> clock = PlayerClock.read("60+0.5")
    >>> clock.unit, clock.whole, clock.increment, clock.even
    ('seconds', 60.0, 0.5, False)
    >>> print(PlayerClock.read("500k nodes even"), PlayerClock.read("2cpu"))
    500000nodes even 2cpu
    """

    whole: float
    increment: float = 0.0
    unit: str = "seconds"
    even: bool = False

    @classmethod
    def read(cls, text: str) -> PlayerClock:
        """Return the clock that a text means."""
        match = _WRITTEN.fullmatch(text.strip())
        if match is None:
            raise ArgumentError(
                f"a player's clock is written as 60, 60+1, 60cpu, 500k nodes or 60 even, not {text!r}"
            )
        size = {"": 1.0, "k": 1e3, "M": 1e6}
        whole, increment = (float(match[n] or 0) * size[match["size"] or ""] for n in ("whole", "increment"))
        if whole <= 0:
            raise ArgumentError(f"a player's clock has some time, not {text!r}")
        return cls(whole, increment, _UNIT_NAMES[match["unit"] or ""], match["even"] is not None)

    def budget(self, left: float, position: Any, other: Budget) -> Budget:
        """Return what the next move may take of what is left."""
        share = left / max(moves_to_come(position), FEWEST_MOVES) + 0.9 * self.increment
        share = min(share, left)
        most = share if self.even else max(share, min(LONGEST * share, 0.4 * left))
        whole = self.unit == "nodes"
        limit: Any = max(int(most), 1) if whole else max(most, 1e-4)
        if self.even:
            return replace(Budget(memory=other.memory), **{self.unit: limit})
        usual = min(max(share, 1e-4), limit)
        return replace(Budget(memory=other.memory, usual=usual), **{self.unit: limit})

    def __str__(self) -> str:
        more = f"+{self.increment:g}" if self.increment else ""
        short = next(name for name, unit in _UNIT_NAMES.items() if unit == self.unit)
        return f"{self.whole:.12g}{more}{short}" + (" even" if self.even else "")


_UNIT_NAMES = {"": "seconds", "cpu": "cpu_seconds", "nodes": "nodes"}
_WRITTEN = re.compile(
    r"(?P<whole>\d+(?:\.\d+)?)(?:\+(?P<increment>\d+(?:\.\d+)?))?\s*(?P<size>[kM])?\s*(?P<unit>cpu|nodes)?"
    r"(?:\s+(?P<even>even))?"
)
AnyClock = PlayerClock | str | float | None


def read_player_clock(given: AnyClock) -> PlayerClock | None:
    """Return a player's clock from what the user gave."""
    if given is None or isinstance(given, PlayerClock):
        return given
    if isinstance(given, bool) or not isinstance(given, (str, int, float)):
        raise ArgumentError(f"a player's clock is a text such as 60+1, or seconds, not {given!r}")
    return PlayerClock.read(str(given))


def moves_to_come(position: Any) -> float:
    """Return how many moves the player to move still has to make, as far as anybody can tell.

    >>> import conspirator as cn
    >>> moves_to_come(cn.games.Othello().start()), moves_to_come(cn.games.Chess().start())
    (30.0, 30)
    """
    if position.phase <= 0:
        return USUAL_MOVES
    return float(position.phase) / 2 * LENGTHS.get(getattr(position.game, "name", ""), 1.0)
