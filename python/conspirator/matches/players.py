"""Players: a search with its parameters and what it may spend on a move, or an engine of another kind."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from time import perf_counter
from typing import Any, Protocol

from conspirator._errors import ArgumentError
from conspirator._native import Position
from conspirator._rule import GrowthRule
from conspirator._search import DEFAULT_SECONDS, read_budget, search, searches
from conspirator._values import read_value, say_setting
from conspirator.games import ConnectFour

LIMITS = ("expansions", "nodes", "move_calls", "seconds", "cpu_seconds", "memory", "artificial_time")
"""The units of a budget."""
CLOCKS = ("seconds", "cpu_seconds")
"""Those with which the same player may play another move on another day."""
ENGINES = ("uci", "gtp", "open-spiel")
"""Protocols of engines that are programs of their own, and whose bots can play."""
NO_LIMIT = 10**15

_SPEC = re.compile(r"(?:(?P<name>[^:=]+)=)?(?P<search>[^:=]+)(?::(?P<rest>.*))?", re.DOTALL)
_COMMAND = re.compile(r"(?:(?P<settings>[^=,]+=.*?),)?command=(?P<command>.*)", re.DOTALL)


class Player:
    """A search with its parameters, and what it may spend on each of its moves.

    Settings are those of `cn.search`: the parameters of the search and the budget. Without a budget a player
    takes one second for a move; with a `depth` it takes what that needs.

    >>> import conspirator as cn
    >>> player = cn.Player("best-first", expansions=100)
    >>> player.move(cn.games.ConnectFour().start())
    '4'
    >>> print(player)
    best-first:expansions=100
    """

    def __init__(
        self,
        search: str | type[GrowthRule],
        /,
        *,
        name: str | None = None,
        command: str | None = None,
        **settings: Any,
    ) -> None:
        self.search = search
        """The name of the search, one of `cn.searches()`, or a growth rule's class; `"uci"`, `"gtp"`."""
        self.command = command
        """For an engine: the program and its arguments."""
        self.budget: dict[str, Any] = {unit: settings.pop(unit) for unit in LIMITS if unit in settings}
        """Limits for a move, as `cn.search` takes them."""
        self.parameters: dict[str, Any] = settings
        """The search's own parameters; for a UCI engine, its options; for a GTP engine, commands: `setup`."""
        if not self.budget.keys() - {"memory"} and settings.get("depth") is None:
            self.budget["seconds"] = DEFAULT_SECONDS
        self._check()
        self.name = self.spec if name is None else name
        """What tables call it."""
        if name is not None and (not name.strip() or {":", "="} & set(name)):
            raise ArgumentError(f"a player's name has no ':' or '=' in it, and is not empty: {name!r}")

    @classmethod
    def read(cls, text: str) -> Player:
        """Return the player that a text means: `SEARCH`, `SEARCH:NAME=VALUE,...`, with `NAME=` before it.

        >>> player = Player.read("Deep=alpha-beta:table=true,nodes=20k")
        >>> player.name, player.parameters, player.budget
        ('Deep', {'table': True}, {'nodes': 20000})
        >>> Player.read("uci:seconds=0.1,Hash=16,command=my-engine --quiet").command
        'my-engine --quiet'
        """
        match = _SPEC.fullmatch(text.strip())
        if match is None:
            raise ArgumentError(f"a player is written as best-first:expansions=1000, not as {text!r}")
        name, kind, rest = (part and part.strip() for part in match.group("name", "search", "rest"))
        if kind in ENGINES:
            written = _COMMAND.fullmatch(rest or "")
            settings, command = written.group("settings", "command") if written else ("", rest)
            return cls(kind, name=name, command=command, **_read_settings(settings or "", text))
        return cls(str(kind), name=name, **_read_settings(rest or "", text))

    @property
    def spec(self) -> str:
        """The player as text that `read` understands, without its name."""
        settings = {**self.parameters, **self.budget}
        words = ",".join(f"{key}={say_setting(value)}" for key, value in settings.items())
        kind = self.search if isinstance(self.search, str) else self.search.__name__
        if self.command is not None:
            words += f",command={self.command}"
        return f"{kind}:{words}" if words else kind

    @property
    def is_seeded(self) -> bool:
        """Whether each game's seed changes what it plays."""
        known = searches().get(self.search) if isinstance(self.search, str) else None
        return known is not None and "seed" in known and "seed" not in self.parameters

    @property
    def is_repeatable(self) -> bool:
        """Whether it plays the same moves in the same game, on every machine."""
        return self.command is None and not self.budget.keys() & set(CLOCKS)

    def try_out(self, position: Position) -> None:
        """Raise the error that the first move would raise, if parameters do not fit."""
        if isinstance(self.search, str) and self.command is None:
            search(position, self.search, nodes=1, **self.parameters)

    def move(self, position: Position) -> Any:
        """Return the move that the player makes."""
        return self.open().choose(position).move

    def open(self, game: Any = None, seed: int | None = None) -> Opponent:
        """Return who makes the moves of one game."""
        if self.command is not None:
            from conspirator.matches.engines import open_engine

            return open_engine(self, game)
        return _Searcher(self, seed)

    def _check(self) -> None:
        """Say at once what `cn.search` would say at the first move."""
        if self.search in ENGINES:
            if not self.command:
                raise ArgumentError(f"an engine needs its program: {self.search}:COMMAND")
            if self.search == "open-spiel":
                self.budget.pop("seconds", None)  # a bot takes the time that it takes
            units = {"uci": {"seconds", "nodes"}, "gtp": {"seconds"}}.get(str(self.search), set())
            if wrong := self.budget.keys() - units:
                raise ArgumentError(f"a {self.search} engine has no budget in {min(wrong)}; use seconds")
            if self.search == "gtp" and (other := self.parameters.keys() - {"setup"}):
                raise ArgumentError(f"a gtp engine has no setting {min(other)!r}; setup=COMMAND sends one")
        elif self.command is not None:
            raise ArgumentError(f"a command goes with {' or '.join(ENGINES)}, not with {self.search}")
        elif isinstance(self.search, str):
            for word in ("trace", "progress"):
                if word in self.parameters:
                    raise ArgumentError(f"{word!r} is no setting of a player")
            known = searches().get(self.search)
            if known is None or self.parameters.keys() - known.keys():
                self.try_out(ConnectFour().start())  # raises, with the nearest name
        elif not (isinstance(self.search, type) and issubclass(self.search, GrowthRule)):
            raise ArgumentError(f"a player is a search's name or a growth rule's class, not {self.search!r}")
        read_budget(**self.budget)

    def __str__(self) -> str:
        return self.spec if self.name == self.spec else f"{self.name}={self.spec}"

    def __repr__(self) -> str:
        return f"Player.read({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Player) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))


def name_of(text: str) -> str:
    """Return the name of a player that is given as text.

    >>> name_of("Deep=alpha-beta:depth=9"), name_of("alpha-beta:depth=9")
    ('Deep', 'alpha-beta:depth=9')
    """
    match = _SPEC.fullmatch(text)
    return text if match is None or match["name"] is None else match["name"]


def settings_of(text: str) -> tuple[str, dict[str, Any]]:
    """Return the search and all settings of a player that is given as text; none of an engine.

    >>> settings_of("Deep=alpha-beta:depth=9,nodes=1k")
    ('alpha-beta', {'depth': 9, 'nodes': 1000})
    """
    match = _SPEC.fullmatch(text)
    if match is None or match["search"] in ENGINES:
        return text, {}
    return match["search"], _read_settings(match["rest"] or "", text)


def as_player(what: Player | str | Mapping[str, Any]) -> Player:
    """Return a player from what the user gave: a player, a text, or a dictionary of a player's arguments.

    >>> as_player({"search": "best-first", "nodes": 50, "name": "BF"})
    Player.read('BF=best-first:nodes=50')
    """
    if isinstance(what, Player):
        return what
    if isinstance(what, str):
        return Player.read(what)
    if isinstance(what, Mapping) and "search" in what:
        settings = dict(what)
        return Player(settings.pop("search"), **settings)
    raise ArgumentError(f"a player is a text, a cn.Player or a dictionary with 'search', not {what!r}")


@dataclass(frozen=True)
class Answer:
    """A move, and what its player says about it."""

    move: Any
    """None: it gives up."""
    value: float | None = None
    """From Max's side."""
    seconds: float = 0.0
    expansions: int | None = None
    nodes: int | None = None
    proven: bool = False
    """Whether the value is that of the end, whatever the other does."""


class Opponent(Protocol):
    """Who makes the moves of one game."""

    def choose(self, position: Position) -> Answer:
        """Return the next move."""

    def begin(self, start: Position, moves: list[Any]) -> None:
        """Hear how the game begins."""

    def hear(self, position: Position, move: Any) -> None:
        """Hear the move that was made in a position, by whomever."""

    def close(self) -> None:
        """Leave."""


class _Searcher:
    """A search: nothing is kept from one move to the next."""

    def __init__(self, player: Player, seed: int | None) -> None:
        self._rule = player.search
        self._arguments = {**player.budget, **player.parameters}
        if seed is not None and player.is_seeded:
            self._arguments["seed"] = seed
        if not player.budget.keys() - {"memory"}:
            self._arguments["nodes"] = NO_LIMIT

    def begin(self, start: Position, moves: list[Any]) -> None:
        """Nothing to do."""

    def hear(self, position: Position, move: Any) -> None:
        """Nothing to do."""

    def close(self) -> None:
        """Nothing to do."""

    def choose(self, position: Position) -> Answer:
        """Search; Ctrl-C ends the game and not just the search."""
        moves = position.moves()
        if len(moves) == 1:  # nothing to think about
            return Answer(moves[0])
        begun = perf_counter()
        result = search(position, self._rule, **self._arguments)
        if result.status == "interrupted":
            raise KeyboardInterrupt
        # a search that asks one question, `won`, has proven a bound and no value
        proven = result.status == "proven" and result.won is None
        spent = perf_counter() - begun
        return Answer(result.move, result.value, spent, result.expansions, result.nodes, proven)


def _read_settings(text: str, whole: str) -> dict[str, Any]:
    settings: dict[str, Any] = {}
    for word in filter(None, (word.strip() for word in text.split(","))):
        key, equals, value = word.partition("=")
        if not equals or not key.strip():
            raise ArgumentError(f"{word!r} in the player {whole!r} is not of the form name=value")
        key = key.strip() if key.strip() not in ("name", "command") else ""
        if not key:
            raise ArgumentError(f"{word!r} in the player {whole!r}: a name goes first, as in Mine={whole}")
        settings[key.replace("-", "_")] = read_value(value.strip())
    return settings
