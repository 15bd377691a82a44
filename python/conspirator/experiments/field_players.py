"""Who plays in the great round robin, and which games: searches of the registry, each in its best known form.

Every search of `cn.searches()` plays, with its defaults unless `FORMS` says otherwise; `LEFT_OUT` says which
do not, and why. So a search that is added to the registry plays too. In a game a search is also left out if
it refuses to search the first position: the reason is then what it says.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import conspirator as cn
from conspirator._errors import ConspiratorError
from conspirator._players import Player
from conspirator.matches.openings import after_plies, balanced, evenly

FORMS: Mapping[str, dict[str, dict[str, Any]]] = {
    "alpha-beta": {
        "alpha-beta": {"table": True, "table_bytes": 4 << 20},
        "alpha-beta modern": {"variant": "modern", "table_bytes": 4 << 20},
    },
    "mtd-f": {"mtd-f": {"table_bytes": 4 << 20}},
    "minmax-approximation": {"minmax-approximation": {"transpositions": True}},
    "sibling-conspiracy-table": {
        "sibling-conspiracy-table": {"delta": 0.25, "anchor": 2.0, "table_bytes": 64 << 20}
    },
    "sibling-conspiracy": {"sibling-conspiracy": {"delta": 0.25}},
    "conspiracy": {"conspiracy": {"goal": "move"}},
    "improved-conspiracy": {"improved-conspiracy": {"goal": "move"}},
}
"""The best known forms of a search: the names of its players, and their parameters.

Those of `sibling-conspiracy-table` are the player `anchored` of Hex, and those of `minmax-approximation` the
player `selective` of Connect-Four. The two conspiracy searches look for a move, because a move is what a
player needs. Tables are small, because a move is short.
"""

LEFT_OUT: Mapping[str, str] = {
    "proof-number": "answers one question, who wins, and knows no better move until it is answered",
    "df-pn": "answers one question, who wins, and knows no better move until it is answered",
    "end-game": "has no answer before it has searched to the end of the game",
}
"""Searches that do not play, and why."""


@dataclass(frozen=True)
class Arena:
    """A game of the round robin, with what is the same for all who play it."""

    name: str
    """What the tables and files call it."""
    game: str
    """The game, as the command line names it."""
    options: Mapping[str, Any]
    evaluator: str | None
    """Of all players; None: the only one there is."""
    plies: int
    """Moves of an opening."""
    balanced: float
    """How far from a draw the judge may value an opening."""
    longest: int = 300
    """Moves after which a game is a draw."""

    @property
    def is_open_spiel(self) -> bool:
        """Whether it is a game of OpenSpiel, which is an optional package."""
        return self.game.startswith("open-spiel:")

    @cached_property
    def made(self) -> Any:
        """The game as an object."""
        if self.is_open_spiel:
            return cn.games.from_open_spiel(self.game.removeprefix("open-spiel:"))
        return cn.games.make(self.game, **self.options)

    def openings(self, count: int, seed: int) -> list[str]:
        """Return different openings of random moves that a short search finds balanced.

        >>> ARENAS["connect-four"].openings(2, 1)
        ['1 1 1 1', '3 2 3 7']
        """
        nodes = 50 if self.is_open_spiel else 500  # games in Python are slow
        judge = Player("alpha-beta", table=True, evaluator=self.evaluator, nodes=nodes)
        found = after_plies(self.made, self.plies, 10 * count, seed)
        kept = balanced(self.made, found, self.balanced, judge)
        return [" ".join(opening.moves) for opening in evenly(kept, count)]


ARENAS = {
    arena.name: arena
    for arena in (
        Arena("connect-four", "connect-four", {}, "segments", 4, 100),
        Arena("othello", "othello", {}, "network", 6, 4),
        Arena("hex 7x7", "hex", {"size": 7}, "resistance", 2, 0.5),
        Arena("hex 11x11", "hex", {"size": 11}, "resistance", 2, 0.5),
        Arena("amazons 6x6", "amazons", {"size": 6}, "territory", 2, 4),
        Arena("chess", "chess", {"keys": "board"}, "positional(sort=true)", 4, 60),
        Arena("breakthrough", "open-spiel:breakthrough", {}, None, 4, 0.5),
        Arena("clobber 5x6", "open-spiel:clobber(rows=5,columns=6)", {}, None, 2, 0.5),
        Arena("oware", "open-spiel:oware", {}, None, 4, 0.5),
        Arena("y 7x7", "open-spiel:y(board_size=7)", {}, None, 2, 0.5),
    )
}
"""The games by name. The static values of OpenSpiel's are four random games for each position."""


def entrants(arena: Arena, seconds: float) -> tuple[list[Player], dict[str, str]]:
    """Return who plays a game with so much CPU time for a move, and why the others do not.

    >>> players, left_out = entrants(ARENAS["hex 7x7"], 0.01)
    >>> players[0].name, left_out["df-pn"][:20]
    ('best-first', 'answers one question')
    >>> players[0].budget
    Budget(cpu_seconds=0.01)
    """
    players: list[Player] = []
    left_out: dict[str, str] = {}
    start = arena.made.start()
    for search in cn.searches():
        if search in LEFT_OUT:
            left_out[search] = LEFT_OUT[search]
            continue
        for name, parameters in FORMS.get(search, {search: {}}).items():
            player = Player(search, name=name, evaluator=arena.evaluator, cpu_seconds=seconds, **parameters)
            try:
                cn.search(start, search, evaluator=arena.evaluator, expansions=1, **parameters)
            except ConspiratorError as error:
                left_out[name] = str(error)
            else:
                players.append(player)
    return players, left_out
