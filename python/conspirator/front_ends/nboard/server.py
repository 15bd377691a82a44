"""The server: one line after the other, and what is said to each."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from threading import Condition, Thread
from time import monotonic
from typing import Any

import conspirator as cn
from conspirator._budget import Budget
from conspirator._clock import Clock
from conspirator._players import Player, as_player, default_player, players
from conspirator.front_ends.nboard.ggf import Record, read_game

SOLVED_EMPTIES = 14
"""With so few empty squares a game is played out, if its depth is not much less."""

BEYOND_DEPTH = 6
"""How much deeper than it was told a search may go to play a game out."""

ENDS = (["ping"], ["quit"])
"""What ends a thought when it comes in."""

LONG = 600.0
"""Seconds of a search that is limited by its depth."""

GLANCE = 3
"""The depth by which moves are sorted before the best of them get a hint."""


class Server:
    """A player and analyst of Othello for NBoard; `say` gets every line that it says.

    A ping that comes in while it thinks ends the thought, as the protocol wants it.
    """

    def __init__(self, say: Callable[[str], object], player: Player | str | None = None) -> None:
        self._say = say
        self._player = default_player("othello") if player is None else as_player(player, "othello")
        self._limited = player is not None
        """Whether somebody has said what a move may cost; else depth and clock do."""
        self._depth: int | None = None
        self._record = Record([cn.games.Othello().start()])
        self._waiting: deque[str | None] = deque()
        self._came = Condition()
        self.done = False
        """Whether the server has been told to stop."""
        self._player.try_out(self._record.position)

    def serve(self, lines: Iterable[str]) -> None:
        """Hear lines until one says quit, there are no more, or Ctrl-C is pressed.

        They are read in a thread of their own, so that a ping is seen at once.
        """
        Thread(target=self._collect, args=(lines,), daemon=True).start()
        try:
            while not self.done:
                with self._came:
                    while not self._waiting:
                        self._came.wait()
                    line = self._waiting.popleft()
                if line is None:  # what was asked before has been answered
                    return
                self.hear(line)
        except KeyboardInterrupt:
            self.done = True

    def _collect(self, lines: Iterable[str]) -> None:
        for line in lines:
            self._add(line)
        self._add(None)

    def _add(self, line: str | None) -> None:
        with self._came:
            self._waiting.append(line)
            self._came.notify()

    def hear(self, line: str) -> None:
        """Do what a line says; one that makes no sense is passed over, or told in the status."""
        words = line.split()
        try:
            match words:
                case ["nboard", _]:
                    self._say("set myname conspirator")
                case ["set", "depth", depth] if depth.isascii() and depth.isdigit():
                    self._depth = max(1, min(60, int(depth[:9])))
                    if not self._limited:  # only alpha-beta has a depth
                        self._player = players("othello")["deep"]
                    self._say(f"set myname conspirator{self._depth}")
                case ["set", "game", *rest]:
                    self._record = read_game(" ".join(rest))
                case ["move", move]:
                    self._record.play(move.split("/")[0])
                case ["ping", number]:
                    self._say(f"pong {number}")
                case ["hint", count] if count.isascii() and count.isdigit():
                    self._think(lambda: self._hint(max(1, min(60, int(count[:9])))))
                case ["go"]:
                    self._think(self._go)
                case ["analyze"]:
                    self._think(self._analyze)
                case ["learn"]:
                    self._say("learned")  # there is no book to learn for
                case ["quit"]:
                    self.done = True
        except cn.ConspiratorError as error:
            self._say(f"status {' '.join(str(error).split())}")

    # what it is asked for

    def _go(self) -> None:
        """Say which move it would make; the board stays as it is until the program says so."""
        position = self._record.position
        moves = position.moves()
        if not moves:
            raise cn.PositionError("the game is over")
        if len(moves) == 1:
            self._say(f"=== {_name(moves[0])}")
            return
        begun = monotonic()
        result = self._searched(position, self._share(position))
        self._tell(result, result.line, position)
        value = _mine(result.value, position)
        self._say(f"=== {_name(result.move)}/{value:.2f}/{monotonic() - begun:.2f}")

    def _hint(self, count: int) -> None:
        """Value the best move, and then as many others as are wanted, each by a search of its own."""
        position = self._record.position
        if position.outcome is not None:
            return
        share = None if self._limit is None else self._limit / count
        best = self._searched(position, share)
        self._tell(best, best.line, position)
        others = [move for move in position.moves() if move != best.move]
        glances = {move: self._glance(position.play(move)) for move in others} if count > 1 else {}
        for move in sorted(glances, key=lambda move: -_mine(glances[move], position))[: count - 1]:
            after = position.play(move)
            if after.outcome is not None:
                self._say(f"search {_name(move)} {_mine(after.outcome, position):.2f} 0 100%")
                continue
            result = self._searched(after, share, deeper=1)
            self._tell(result, [move, *result.line], position)

    def _glance(self, position: cn.Position) -> float:
        """Return a value that is good enough to sort by."""
        if position.outcome is not None:
            return position.outcome
        return cn.search(position, "alpha-beta", depth=GLANCE, table=True, seconds=LONG).value

    def _analyze(self) -> None:
        """Value all positions of the game, from the last one back."""
        for made, position in reversed(list(enumerate(self._record.positions))):
            value = position.outcome
            if value is None:
                value = self._searched(position, self._limit).value
            self._say(f"analysis {made} {_mine(value, position):.2f}")

    # how it thinks

    def _think(self, work: Callable[[], None]) -> None:
        self._say("status thinking")
        with suppress(InterruptedError):
            work()
        self._say("status waiting")

    def _searched(
        self, position: cn.Position, seconds: float | tuple[float, float] | None, deeper: int = 0
    ) -> cn.Result:
        """Search a position that lies so much deeper than the one that was asked about."""
        budget = self._player.budget if self._limited else Budget()
        budget = budget.paced(seconds) if isinstance(seconds, tuple) else budget.within(seconds)
        more: dict[str, Any] = {}
        told = self._depth is not None and self._player.search == "alpha-beta"
        if told and "depth" not in self._player.parameters:
            assert self._depth is not None
            empties = str(position).count(".")
            if empties > min(SOLVED_EMPTIES, self._depth + BEYOND_DEPTH):
                more["depth"] = max(1, self._depth - deeper)
            budget = budget.or_else(seconds=LONG)
        budget = budget.or_else(seconds=1.0)
        result = self._player.think(position, budget=budget, progress=self._may_go_on, **more)
        if result.status == "interrupted":
            if not self._is_pinged():
                raise KeyboardInterrupt
            raise InterruptedError
        return result

    @property
    def _limit(self) -> float | None:
        return self._player.budget.seconds if self._limited else None

    def _may_go_on(self, _: dict[str, Any]) -> bool:
        return not self._is_pinged()

    def _is_pinged(self) -> bool:
        with self._came:
            return any(line is not None and line.split()[:1] in ENDS for line in self._waiting)

    def _share(self, position: cn.Position) -> tuple[float, float] | None:
        """Return the seconds that a move in a game with a clock usually takes, and at most."""
        clock, limit = Clock(), self._limit
        if position.to_move not in self._record.clock:
            return None if limit is None else (limit, limit)
        clock.tell(position.to_move, self._record.clock[position.to_move], 0)
        share = clock.pace(position.to_move, str(position).count(".") / 2)
        return share if limit is None or share is None else (min(limit, share[0]), min(limit, share[1]))

    def _tell(self, result: cn.Result, line: list[str], position: cn.Position) -> None:
        depth = "100%" if result.status == "proven" else str(result.depth)
        pv = "".join(map(_name, line))
        self._say(f"nodestats {result.nodes} {result.seconds:.2f}")
        self._say(f"search {pv} {_mine(result.value, position):.2f} 0 {depth}")


def _name(move: str) -> str:
    return "PA" if move == "pass" else move.upper()


def _mine(value: float, position: cn.Position) -> float:
    """Return a value from the side of the player to move."""
    return value if position.to_move == "max" else 0.0 - value
