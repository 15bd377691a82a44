"""What a match is: the game, the players, the openings, and every game that is to be played."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import blake2b
from itertools import combinations
from pathlib import Path
from typing import Any

from conspirator import games
from conspirator._budget import Budget
from conspirator._errors import ArgumentError
from conspirator._game import Game
from conspirator._players import Player, as_player
from conspirator.games import NativeGame
from conspirator.matches.games import Adjudication
from conspirator.matches.openings import JUDGE, Opening, after_plies, balanced, evenly, from_file, from_texts
from conspirator.matches.sprt import Sprt

SCHEDULES = ("round-robin", "gauntlet")
"""Everybody against everybody, or the first player against each of the others."""


Typed = tuple[str, dict[str, Any]]
"""A game in Python as the user typed it on the command line: its name and its options."""


@dataclass(frozen=True)
class Task:
    """One game to be played: places in the lists of players and openings, and its seed."""

    number: int
    max_player: int
    min_player: int
    opening: int
    seed: int


@dataclass(frozen=True)
class Plan:
    """A match: everything that decides its games, and nothing else."""

    game: Any
    """The game as an object."""
    game_name: str
    game_options: dict[str, Any]
    players: list[Player]
    adjudication: Adjudication
    sprt: Sprt | None
    seed: int
    schedule: str
    games: int | None
    """Games of each pairing; None: two from every opening."""
    opening_rule: dict[str, Any]
    """Where the openings come from, as data."""

    @property
    def definition(self) -> dict[str, Any]:
        """Everything that decides the games, as data."""
        adjudication = asdict(self.adjudication)
        if not adjudication["forfeits"]:  # so that matches from before there was such a rule go on
            del adjudication["forfeits"]
        data = {
            "game": self.game_name,
            "game options": self.game_options,
            "players": [str(player) for player in self.players],
            "openings": self.opening_rule,
            "games": self.games,
            "schedule": self.schedule,
            "seed": self.seed,
            "adjudication": adjudication,
            "sprt": None if self.sprt is None else asdict(self.sprt),
        }
        return dict(json.loads(json.dumps(data, default=str)))

    def find_openings(self) -> list[Opening]:
        """Return the openings that the match begins from; with a judge this takes its time."""
        rule = self.opening_rule
        pairs = None if self.games is None else self.games // 2
        if rule["positions"] is not None:
            found = from_texts(self.game, rule["positions"])
        else:
            # the judge will not like all of them
            wanted = pairs if rule["balanced"] is None or pairs is None else 10 * pairs
            found = after_plies(self.game, rule["plies"], wanted, self.seed)
        if rule["balanced"] is not None:
            found = balanced(self.game, found, rule["balanced"], Player.read(rule["judge"], self.game))
        return evenly(found, pairs)

    def tasks(self, openings: int) -> list[Task]:
        """Return all games for so many openings: the pairs of games from one opening follow each other."""
        pairings = pairings_of(len(self.players), self.schedule)
        pairs = openings if self.games is None else self.games // 2
        if pairs > openings:
            self._check_repetitions(openings)
        tasks: list[Task] = []
        for pair in range(pairs):
            for one, other in pairings:
                for sides in ((one, other), (other, one)):
                    number = len(tasks)
                    tasks.append(Task(number, *sides, pair % openings, seed_of(self.seed, number)))
        return tasks

    def _check_repetitions(self, openings: int) -> None:
        """There must be something new in the second game from the same opening."""
        same = [player for player in self.players if player.is_repeatable and not player.is_seeded]
        if len(same) >= 2:
            raise ArgumentError(
                f"{same[0].name} and {same[1].name} would play the same games again: from {openings} "
                f"openings there are {2 * openings} different ones; use more openings, or fewer games"
            )


def pairings_of(players: int, schedule: str) -> list[tuple[int, int]]:
    """Return who plays whom.

    >>> pairings_of(3, "round-robin"), pairings_of(3, "gauntlet")
    ([(0, 1), (0, 2), (1, 2)], [(0, 1), (0, 2)])
    """
    every = list(combinations(range(players), 2))
    return every if schedule == "round-robin" else [pair for pair in every if pair[0] == 0]


def seed_of(match_seed: int, number: int) -> int:
    """Return a game's own seed.

    >>> seed_of(1, 0), seed_of(1, 1)
    (1948462197, 1929098182)
    """
    return int.from_bytes(blake2b(f"{match_seed} {number}".encode(), digest_size=4).digest(), "big") >> 1


def make_plan(
    players: Sequence[Player | str | Mapping[str, Any]],
    game: Any,
    *,
    typed: Typed | None,
    plies: int,
    openings: str | Path | Sequence[str] | None,
    balanced: float | None,
    judge: str | Player | None,
    games: int | None,
    schedule: str,
    seed: int,
    adjudication: Adjudication,
    sprt: Sprt | None,
    budget: Budget | None,
) -> Plan:
    """Check what the user asks for, and return it as a plan."""
    if isinstance(players, (str, Mapping, Player)):
        raise ArgumentError("a match needs a list of at least two players")
    made, name, options = find_game(game, typed)
    found = [as_player(player, made, budget) for player in players]
    if len(found) < 2:
        raise ArgumentError("a match needs at least two players, such as best-first:expansions=1000")
    names = [player.name for player in found]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise ArgumentError(f"two players are called {twice!r}: name them, as in Mine={twice}")
    if schedule not in SCHEDULES:
        raise ArgumentError(f"the schedule must be {' or '.join(SCHEDULES)}, not {schedule!r}")
    if sprt is not None and len(found) != 2:
        raise ArgumentError(f"the test for stopping early is for two players, not {len(found)}")
    if games is not None and (not isinstance(games, int) or games < 2 or games % 2):
        raise ArgumentError(
            f"games must be an even number from 2 up, not {games!r}: colours are swapped on each opening"
        )
    if isinstance(seed, bool) or not isinstance(seed, int):
        raise ArgumentError(f"the seed must be a whole number, not {seed!r}")
    if balanced is not None and not balanced >= 0:
        raise ArgumentError(f"balanced must be a margin from 0 up, not {balanced!r}")
    positions: list[str] | None = None
    if isinstance(openings, (str, Path)):
        positions = [str(opening.notation) for opening in from_file(made, openings)]
    elif openings is not None:
        positions = [str(opening.notation) for opening in from_texts(made, list(openings))]
    for player in found:
        player.try_out(made.start() if positions is None else Opening(positions[0]).position(made))
    rule: dict[str, Any] = {
        "plies": plies if positions is None else None,
        "positions": positions,
        "balanced": balanced,
        "judge": None if balanced is None else str(as_player(judge or JUDGE, made)),
    }
    return Plan(made, name, options, found, adjudication, sprt, seed, schedule, games, rule)


def find_game(game: Any, typed: Typed | None = None) -> tuple[Any, str, dict[str, Any]]:
    """Return a game as an object, its name, and its parameters; for a game in Python, perhaps as typed."""
    if isinstance(game, str):
        game = games.make(game)
    if isinstance(game, NativeGame):
        return game, game.name, game._complete()
    if isinstance(game, Game):
        cls = type(game)
        if typed is not None:
            return game, *typed
        plain = {key: value for key, value in vars(game).items() if isinstance(value, (int, float, str))}
        return game, f"{cls.__module__}:{cls.__qualname__}", plain
    raise ArgumentError(f"a game is a name, such as 'connect-four', or a game, not {game!r}")
