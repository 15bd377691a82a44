"""Who plays the games: this process, others on this machine, or a cluster.

All of them take tasks and return records, in whatever order the games end. A game depends on nothing but its
task, so that it is the same wherever it is played, and can be played again if its worker dies.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from threading import Thread
from time import perf_counter, sleep
from typing import Any, Protocol

from conspirator._errors import ConspiratorError
from conspirator._native import __version__
from conspirator._players import Player
from conspirator.matches.games import Adjudication, is_forfeit, play
from conspirator.matches.openings import Opening, replay
from conspirator.matches.opponents import Opponent
from conspirator.matches.plan import Plan, Task
from conspirator.matches.store import Record

MOST_DEATHS = 5
"""Workers that may die, one after the other, without a game in between."""


@dataclass
class Referee:
    """Plays the games of a match; engines go on running from one to the next."""

    game: Any
    players: list[Player]
    openings: list[Opening]
    adjudication: Adjudication
    _engines: dict[int, Opponent] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, plan: Plan, openings: list[Opening]) -> Referee:
        """Return the referee of a match."""
        return cls(plan.game, plan.players, openings, plan.adjudication)

    def play(self, task: Task, tick: Callable[[], object] = lambda: None) -> Record:
        """Play one game and write it down."""
        begun = perf_counter()
        opening = self.openings[task.opening]
        start = opening.start(self.game)
        positions = replay(start, opening.moves)
        pairs = zip(positions, opening.moves, strict=False)
        moves = [next(m for m in before.moves() if str(m) == word) for before, word in pairs]
        places = (task.max_player, task.min_player)
        both = (self._open(places[0], task.seed), self._open(places[1], task.seed))
        try:
            played = play(
                positions[-1],
                self.players[places[0]],
                self.players[places[1]],
                adjudication=self.adjudication,
                opponents=both,
                start=(start, moves),
                tick=tick,
            )
        except BaseException:
            self.close()  # an engine in the middle of a game is of no use
            raise
        if is_forfeit(played.reason):
            self.close()  # whoever failed begins the next game anew
        answers = played.answers
        statistics = {
            name: [getattr(answer, name) for answer in answers]
            for name in ("seconds", "expansions", "nodes", "value")
        }
        statistics["side"] = played.sides
        statistics["seconds"] = [round(spent, 6) for spent in statistics["seconds"]]
        return Record(
            **vars(task),
            points=played.points,
            outcome=played.outcome,
            reason=played.reason,
            moves=[str(move) for move in played.moves],
            statistics=statistics,
            seconds=perf_counter() - begun,
            version=__version__,
        )

    def close(self) -> None:
        """Stop the engines."""
        for engine in self._engines.values():
            engine.close()
        self._engines.clear()

    def _open(self, place: int, seed: int) -> Opponent:
        player = self.players[place]
        if player.command is None:
            return player.open(self.game, seed)
        if place not in self._engines:
            self._engines[place] = player.open(self.game)
        return self._engines[place]


class Workers(Protocol):
    """Those who play."""

    hand: int
    """How many games to give them at a time: some that are played, and some so that nobody waits."""

    def submit(self, task: Task) -> None:
        """Take a game."""

    def wait(self, seconds: float) -> list[Record]:
        """Return games that have ended, after so long at most; none if none has."""

    def close(self) -> None:
        """Leave; games that are being played are forgotten."""


class Here:
    """This process plays, one game after the other."""

    hand = 1

    def __init__(self, referee: Referee, tick: Callable[[], object]) -> None:
        self._referee, self._tick, self._tasks = referee, tick, list[Task]()

    def submit(self, task: Task) -> None:
        """Keep it for `wait`."""
        self._tasks.append(task)

    def wait(self, seconds: float) -> list[Record]:  # noqa: ARG002
        """Play a game."""
        return [self._referee.play(self._tasks.pop(0), self._tick)]

    def close(self) -> None:
        """Stop the engines."""
        self._referee.close()


class Processes:
    """So many processes of this machine."""

    def __init__(self, referee: Referee, width: int) -> None:
        self._width, self.hand = width, 2 * width
        self._referee = referee
        self._waiting: list[Task] = []
        self._tasks: dict[Future[Record], Task] = {}
        self._deaths = 0
        self._pool = self._start()

    def _start(self) -> ProcessPoolExecutor:
        # a fork has the game as it is, even one that was typed into a notebook
        context = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
        return ProcessPoolExecutor(self._width, context, _begin_worker, (self._referee, os.getpid()))

    def submit(self, task: Task) -> None:
        """Keep it for `wait`."""
        self._waiting.append(task)

    def wait(self, seconds: float) -> list[Record]:
        """Return games that have ended; those of a dead worker begin again."""
        records, broken = list[Record](), False
        try:
            while self._waiting:
                self._tasks[self._pool.submit(_play, self._waiting[0])] = self._waiting[0]
                self._waiting.pop(0)
            done, _ = wait(self._tasks, seconds, FIRST_COMPLETED)
        except BrokenProcessPool:
            done, broken = set(), True
        for future in done:
            if isinstance(future.exception(), BrokenProcessPool):
                broken = True
            else:
                records.append(future.result())
                del self._tasks[future]
        self._deaths = 0 if records else self._deaths + broken
        if broken:
            self._replace()
        return records

    def _replace(self) -> None:
        """Start anew after a death, with the games that were being played."""
        if self._deaths > MOST_DEATHS:
            raise ConspiratorError(
                f"the processes that play died {self._deaths} times in a row: is there enough memory? "
                "A budget in memory, memory=1G, keeps a player small"
            )
        self._pool.shutdown(cancel_futures=True)
        self._pool = self._start()
        self._waiting = [*self._tasks.values(), *self._waiting]  # one that has ended is played again: no harm
        self._tasks.clear()

    def close(self) -> None:
        """End the processes at once."""
        processes = list((getattr(self._pool, "_processes", None) or {}).values())
        for process in processes:
            process.terminate()
        self._pool.shutdown(cancel_futures=True)


_referee: Referee | None = None
"""The referee of a worker process."""


def _begin_worker(referee: Referee, parent: int) -> None:
    global _referee
    _referee = referee
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that gives out the games
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    Thread(target=_follow, args=(parent,), daemon=True).start()


def _follow(parent: int) -> None:
    """End with the parent, even if it is killed."""
    while os.getppid() == parent:
        sleep(0.5)
    os._exit(1)


def _play(task: Task) -> Record:
    assert _referee is not None
    return _referee.play(task)
