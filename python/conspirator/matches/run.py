"""A match: give out its games, write them down, and say how it stands."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from conspirator._budget import Budget
from conspirator._errors import ArgumentError
from conspirator._players import Player
from conspirator.matches.games import NO_ADJUDICATION, Adjudication
from conspirator.matches.plan import Plan, Task, Typed, make_plan
from conspirator.matches.sprt import Sprt
from conspirator.matches.standings import MatchResult, Standings
from conspirator.matches.store import Store
from conspirator.matches.workers import Here, Processes, Referee, Workers

PATIENCE = 1.0
"""Seconds between looks at what other processes do."""


def match(
    players: Sequence[Player | str | Mapping[str, Any]],
    game: Any = "connect-four",
    *,
    plies: int = 2,
    openings: str | PathLike[str] | Sequence[str] | None = None,
    balanced: float | None = None,
    judge: str | Player | None = None,
    games: int | None = None,
    budget: Budget | None = None,
    schedule: str = "round-robin",
    seed: int = 1,
    adjudication: Adjudication | Mapping[str, Any] = NO_ADJUDICATION,
    sprt: Sprt | Mapping[str, float] | None = None,
    concurrency: int = 1,
    on: str | None = None,
    store: str | PathLike[str] | None = None,
    rescue: str | PathLike[str] | None = None,
    progress: Callable[[Standings], object] | None = None,
    typed: Typed | None = None,
) -> MatchResult:
    """Let players play each other, from many openings with colours swapped, and rate them.

    A player is a text such as `"best-first:expansions=1000"`, with `Name=` before it if you like, a
    `cn.Player`, or a dictionary; an engine is `"uci:COMMAND"` or `"gtp:COMMAND"`. The openings are all
    positions after so many `plies`, or those of a file with one position a line, or a list of them;
    `balanced=x` keeps those that the `judge` values within x of a draw. `games` is for each pairing;
    `budget` is for a move of each player that is given by name only, such as `"network"` in Hex.

    The games go into the SQLite file `store` as they end; the same call goes on where it was stopped, and
    several processes may share the file. `rescue` is a damaged file of the same match, whose games are taken
    over as far as they can be read. With budgets in nodes or expansions the games are the same for every
    `concurrency`, and `on` every cluster: `"ray"`, or `"ray://host:port"`. `progress` is called with the
    standings as they change. `typed` is what the command line calls a game in Python.

    >>> import conspirator as cn
    >>> result = cn.match(["Deep=best-first:expansions=200", "best-first:expansions=5"], games=20)
    >>> result.games, result.score("Deep").points > 0.6
    (20, True)
    """
    plan = make_plan(
        players,
        game,
        typed=typed,
        plies=plies,
        openings=Path(openings) if isinstance(openings, PathLike) else openings,
        balanced=balanced,
        judge=judge,
        games=games,
        budget=budget,
        schedule=schedule,
        seed=seed,
        adjudication=_made(Adjudication, adjudication),
        sprt=None if sprt is None else _made(Sprt, sprt),
    )
    if isinstance(concurrency, bool) or not isinstance(concurrency, int) or concurrency < 1:
        raise ArgumentError(f"concurrency must be a whole number from 1 up, not {concurrency!r}")
    with Store(None if store is None else Path(store)) as opened:
        opened.begin(plan)
        if rescue is not None:
            opened.rescue(Path(rescue))
        run(plan, opened, concurrency, on, progress)
        return MatchResult.read(opened)


def run(
    plan: Plan,
    store: Store,
    concurrency: int = 1,
    on: str | None = None,
    progress: Callable[[Standings], object] | None = None,
    claim: Callable[[Standings], Task | None] | None = None,
) -> None:
    """Play all games that are not in the store, together with whoever else uses it.

    `claim` chooses the next game, instead of their order; no more are played once it returns None.
    """
    store.release_dead()
    ended, whole = store.count()
    if ended == whole:
        return
    standings = Standings([player.name for player in plan.players], whole, plan.sprt)
    standings.update(store.results())
    workers = make_workers(plan, store, min(concurrency, whole - ended), on)
    flying, looked = 0, monotonic()
    try:
        while not standings.is_decided:
            while flying < workers.hand and (task := claim(standings) if claim else store.claim()):
                workers.submit(task)
                flying += 1
            if flying:
                for record in workers.wait(PATIENCE):
                    flying -= 1
                    if store.write(record):
                        result = (record.number, record.max_player, record.min_player, record.points)
                        standings.update([result])
                store.renew_sometimes()
                if monotonic() - looked > PATIENCE:  # what others have played counts too
                    standings.update(store.results())
                    looked = monotonic()
            elif claim is not None:
                break
            elif len(standings.results) < whole:  # others have the rest: they end, or else we take over
                store.release_dead()
                sleep(PATIENCE / 10)
                standings.update(store.results())
            else:
                break
            if progress is not None:
                progress(standings)
    finally:
        workers.close()


def make_workers(plan: Plan, store: Store, concurrency: int, on: str | None) -> Workers:
    """Return those who play."""
    referee = Referee.of(plan, store.openings())
    if on is not None:
        from conspirator.matches.on_ray import RayWorkers

        return RayWorkers(referee, on, concurrency)
    if concurrency == 1:
        return Here(referee, store.renew_sometimes)
    return Processes(referee, concurrency)


def _made(cls: Any, what: Any) -> Any:
    """Return an object of a class from a dictionary of its arguments."""
    if isinstance(what, cls):
        return what
    try:
        return cls(**what)
    except TypeError as error:
        raise ArgumentError(f"{cls.__name__}: {error}") from None


__all__ = ["make_workers", "match", "run"]
