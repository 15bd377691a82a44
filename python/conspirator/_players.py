"""The players of each game, by name: the only list of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from conspirator._game import Game
from conspirator._player import (
    ENGINES,
    LEVELS,
    NO_LIMIT,
    Player,
    as_player,
    name_of,
    settings_of,
    weaker,
)
from conspirator.games import all_games, make

_SIBLINGS: dict[str, Any] = {"delta": 0.25, "table_bytes": 64 << 20}


def _listed(*entries: Player) -> dict[str, Player]:
    return {player.name: player for player in entries}


_DEEP = Player("alpha-beta", name="deep", table=True, description="alpha-beta with a transposition table")
_SELECTIVE = Player(
    "minmax-approximation",
    name="selective",
    description="Rivest's approximation: expands the leaf on which the value depends most",
)
_PRINCIPAL = Player(
    "best-first", name="principal", description="expands the principal leaf, and nothing else"
)
_NETWORK = Player(
    "minmax-approximation",
    name="network",
    evaluator="network",
    description="Rivest's approximation with a network that has learnt from games against itself",
)
_DEEP_NETWORK = Player(
    "alpha-beta",
    name="network",
    table=True,
    evaluator="network",
    description="alpha-beta with a table, and a network that has learnt from games against itself",
)
_DEEP_PATTERNS = Player(
    "alpha-beta",
    name="deep",
    table=True,
    evaluator="network",
    description="alpha-beta with a table, and the same network",
)
_SELECTIVE_SHARING = Player(
    "minmax-approximation",
    name="selective",
    transpositions=True,
    description="Rivest's approximation, with positions that share their subtrees",
)
_NARROW = Player(
    "alpha-beta",
    name="narrow",
    evaluator="territory(width=20)",
    table=True,
    description="alpha-beta with a table, on the best 20 moves",
)
_NARROW_SELECTIVE = Player(
    "minmax-approximation",
    name="selective",
    evaluator="territory(width=20)",
    description="Rivest's approximation, on the best 20 moves",
)
_RANDOM_GAMES = Player("uct", name="monte-carlo", description="values positions by random games")
_OF_TREES = _listed(_PRINCIPAL, _SELECTIVE, _DEEP)

PLAYERS: Mapping[str, dict[str, Player]] = {
    "hex": _listed(
        Player(
            "prior-penalty",
            name="network",
            evaluator="network",
            description="Rivest's penalties on a policy, with a network that has learnt Hex",
        ),
        Player(
            "sibling-conspiracy-table",
            name="anchored",
            evaluator="knowledge",
            anchor=2.0,
            **_SIBLINGS,
            description="sibling conspiracy numbers, with errors that become differences of static values",
        ),
        Player(
            "sibling-conspiracy-table",
            name="siblings",
            evaluator="knowledge",
            **_SIBLINGS,
            description="the kind of DeepHex: sibling conspiracy numbers over energies",
        ),
        Player(
            "alpha-beta",
            name="narrow",
            evaluator="knowledge(width=15)",
            table=True,
            description="the kind of Wolve: alpha-beta on the best 15 moves",
        ),
        Player(
            "uct",
            name="monte-carlo",
            evaluator="knowledge",
            playouts=8,
            description="the kind of MoHex: random games",
        ),
    ),
    "chess": _listed(
        Player(
            "alpha-beta",
            name="positional",
            evaluator="positional(sort=true)",
            selective=True,
            table=True,
            table_depth=1,
            first_depth=1,
            table_bytes=32 << 20,
            description="selective alpha-beta with a table; pawns, threats and the king's safety count",
        ),
        Player(
            "alpha-beta",
            name="captures",
            evaluator="captures(sort=true)",
            table=True,
            table_depth=1,
            first_depth=1,
            table_bytes=8 << 20,
            description="alpha-beta with a table; static values after a search of captures",
        ),
        Player(
            "conspiracy",
            name="threats",
            evaluator="threats",
            delta=100,
            description="McAllester's conspiracy numbers with threats as bounds",
        ),
    ),
    "amazons": _listed(_NARROW, _NARROW_SELECTIVE, _DEEP),
    "connect-four": _listed(_DEEP_NETWORK, _SELECTIVE_SHARING, _DEEP, _PRINCIPAL),
    "othello": _listed(_NETWORK, _DEEP_PATTERNS, _SELECTIVE, _PRINCIPAL),
    "explicit-tree": _OF_TREES,
    "random-tree": _OF_TREES,
    "uniform-tree": _OF_TREES,
}
"""The players of games that have some of their own; the first is the strongest that has been measured."""

COMMON = _listed(_DEEP, _SELECTIVE, _PRINCIPAL)
"""The players of all other games whose positions have static values."""
WITHOUT_VALUES = _listed(_RANDOM_GAMES, _DEEP)
"""The players of games that only tell who has won."""


def players(game: Any) -> dict[str, Player]:
    """Return the players of a game by name; the first is the default everywhere.

    >>> list(players("hex"))
    ['network', 'anchored', 'siblings', 'narrow', 'monte-carlo']
    """
    if isinstance(game, Game):
        written = [not hasattr(method, "_not_written") for method in (game.evaluate, game.evaluate_many)]
        return dict(COMMON if any(written) else WITHOUT_VALUES)
    name = game if isinstance(game, str) else getattr(game, "name", None)
    if isinstance(game, str) and game not in (*PLAYERS, *all_games()):
        make(game)  # an error that names the nearest
    return dict(PLAYERS.get(str(name), COMMON))


def default_player(game: Any, *, tree: bool = False) -> Player:
    """Return the player that plays a game if nothing is said; with `tree`, the first that keeps its tree.

    >>> default_player("hex").name, default_player("chess", tree=True).name
    ('network', 'threats')
    """
    known = players(game).values()
    return next(player for player in known if not tree or player.keeps_tree)


__all__ = [
    "COMMON",
    "ENGINES",
    "LEVELS",
    "NO_LIMIT",
    "PLAYERS",
    "WITHOUT_VALUES",
    "Player",
    "as_player",
    "default_player",
    "name_of",
    "players",
    "settings_of",
    "weaker",
]
