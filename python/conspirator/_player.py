"""A player: a search, its parameters, an evaluator and a budget. Everything that plays takes one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from conspirator._budget import DEFAULT_SECONDS, UNITS, Budget
from conspirator._certain import AnyModel, read_model
from conspirator._clock import AnyClock, read_player_clock
from conspirator._errors import ArgumentError
from conspirator._evaluator import AnyEvaluator, NamedEvaluator, resolve, say_evaluator
from conspirator._native import Position
from conspirator._result import Result
from conspirator._rule import GrowthRule
from conspirator._search import Progress, search, searches
from conspirator._thinking import BESIDE, think
from conspirator._values import read_value, say_setting
from conspirator.certainty import ErrorModel
from conspirator.games import ConnectFour

if TYPE_CHECKING:
    from conspirator.matches.opponents import Opponent

ENGINES = ("uci", "gtp", "open-spiel")
"""Protocols of engines that are programs of their own, and whose bots can play."""
LEVELS = range(1, 11)
"""How strong a player can be made; the last is as it is."""
NO_LIMIT = 10**15

_SPEC = re.compile(r"(?:(?P<name>[^:=]+)=)?(?P<search>[^:=]+)(?::(?P<rest>.*))?", re.DOTALL)
_COMMAND = re.compile(r"(?:(?P<settings>[^=,]+=.*?),)?command=(?P<command>.*)", re.DOTALL)
_SETTING = re.compile(r"\s*([^,=\s][^,=]*)=((?:\([^()]*\)|[^,(])*)\s*(?:,|$)")


class Player:
    """A search with its parameters and an evaluator, and what it may spend on each of its moves.

    Settings are those of `cn.search`: the parameters of the search, the `evaluator` and the budget. Without
    a budget a player takes one second for a move; with a `depth` it takes what that needs. `proof` is the
    part of a move's budget for a proof that comes first, or "beside": a proof on a second thread. `level`,
    from 1 to 10, makes it weaker: fewer nodes, and fewer moves looked at. `clock` is for all its moves of a
    game in a match: "60" or "60+1" seconds, "60cpu" of CPU time, "1M nodes"; every move gets the same with
    "even" behind it, and otherwise less where the choice is sure.

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
        description: str = "",
        command: str | None = None,
        evaluator: AnyEvaluator = None,
        budget: Budget | None = None,
        proof: float | str = 0.0,
        level: int = LEVELS[-1],
        error_model: AnyModel = None,
        clock: AnyClock = None,
        **settings: Any,
    ) -> None:
        self.search = search
        """The name of the search, one of `cn.searches()`, or a growth rule's class; `"uci"`, `"gtp"`."""
        self.command = command
        """For an engine: the program and its arguments."""
        given = Budget.take(settings)
        self.budget = given if budget is None else replace(budget, **given.given())
        """Limits for a move."""
        self.parameters: dict[str, Any] = settings
        """The search's own parameters; for a UCI engine, its options; for a GTP engine, commands: `setup`."""
        self.evaluator = evaluator
        """What values positions and ranks moves; None: the game's usual one."""
        self.proof = proof
        """The part of a move's budget for a proof that comes first; or "beside"."""
        self.level = level
        """How strong it is, from 1 to 10."""
        self.error_model = error_model
        """How far the evaluator can be trusted, or the file that says so; None: what is shipped."""
        self.clock = read_player_clock(clock)
        """What it has for all moves of a game together; None: its budget is for each move."""
        self.description = description
        """What it is, in one line."""
        if settings.get("depth") is None and self.search != "open-spiel":
            self.budget = self.budget.or_else(seconds=DEFAULT_SECONDS)
        self._check()
        self.name = self.spec if name is None else name
        """What tables call it."""
        if name is not None and (not name.strip() or {":", "="} & set(name)):
            raise ArgumentError(f"a player's name has no ':' or '=' in it, and is not empty: {name!r}")

    @property
    def keeps_tree(self) -> bool:
        """Whether its search keeps the tree that it grows, which can then be drawn, saved and asked."""
        if not isinstance(self.search, str):
            return True
        return self.search in searches() and searches()[self.search].tree

    @classmethod
    def read(cls, text: str, game: Any = None) -> Player:
        """Return the player that a text means: `KIND`, `KIND:NAME=VALUE,...`, with `NAME=` before it.

        The kind is a search, or one of the `game`'s players by name.

        >>> player = Player.read("Deep=alpha-beta:table=true,nodes=20k")
        >>> player.name, player.parameters, player.budget
        ('Deep', {'table': True}, Budget(nodes=20000))
        >>> Player.read("uci:seconds=0.1,Hash=16,command=my-engine --quiet").command
        'my-engine --quiet'
        >>> print(Player.read("network:seconds=2", "hex"))
        network seconds 2=prior-penalty:evaluator=network,seconds=2.0
        """
        match = _SPEC.fullmatch(text.strip())
        if match is None:
            raise ArgumentError(f"a player is written as best-first:expansions=1000, not as {text!r}")
        name, kind, rest = (part and part.strip() for part in match.group("name", "search", "rest"))
        if kind in ENGINES:
            written = _COMMAND.fullmatch(rest or "")
            settings, command = written.group("settings", "command") if written else ("", rest)
            return cls(kind, name=name, command=command, **_read_settings(settings or "", text))
        settings = _read_settings(rest or "", text)
        known = _players_of(game)
        if kind in known and kind not in searches():
            return known[kind].but(name=name or text.strip().replace(":", " ").replace("=", " "), **settings)
        if kind not in searches() and known:
            near = get_close_matches(str(kind), [*known, *searches()], 1)
            hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(known)}, and all searches"
            raise ArgumentError(f"there is no player or search {kind!r}; {hint}")
        return cls(str(kind), name=name, **settings)

    def but(self, *, name: str | None = None, **settings: Any) -> Player:
        """Return the same player with other settings.

        >>> print(Player("best-first", nodes=10).but(nodes=20))
        best-first:nodes=20
        """
        limits = Budget.take(settings)
        budget = replace(self.budget, **limits.given())
        if limits.is_limited:  # another budget, and not a second one beside it
            budget = replace(limits, memory=limits.memory or self.budget.memory)
        arguments = {
            "evaluator": self.evaluator,
            "proof": self.proof,
            "level": self.level,
            "error_model": self.error_model,
            "clock": self.clock,
            "description": self.description,
            "command": self.command,
            **self.parameters,
            **settings,
        }
        same = self.name if self.name != self.spec else None
        return Player(self.search, name=name or same, budget=budget, **arguments)

    def with_budget(self, budget: Budget) -> Player:
        """Return the same player with another budget, whatever it had before."""
        changed = self.but(seconds=1.0)
        changed.budget = budget
        changed.name = self.name if self.name != self.spec else changed.spec
        return changed

    @property
    def spec(self) -> str:
        """The player as text that `read` understands, without its name."""
        settings = dict(self.parameters)
        if (evaluator := say_evaluator(self.evaluator)) is not None:
            settings["evaluator"] = evaluator
        if self.proof:
            settings["proof"] = self.proof
        if self.level != LEVELS[-1]:
            settings["level"] = self.level
        if self.error_model is not None:
            settings["error_model"] = "own" if isinstance(self.error_model, ErrorModel) else self.error_model
        if self.clock is not None:
            settings["clock"] = str(self.clock)
        silent = self.clock is not None and self.budget == Budget(seconds=DEFAULT_SECONDS)
        settings |= {} if silent else self.budget.given()
        words = ",".join(f"{key}={say_setting(value)}" for key, value in settings.items())
        kind = self.search if isinstance(self.search, str) else self.search.__name__
        if self.command is not None:
            words += f",command={self.command}" if words else f"command={self.command}"
        return f"{kind}:{words}" if words else kind

    @property
    def is_seeded(self) -> bool:
        """Whether each game's seed changes what it plays."""
        known = searches().get(self.search) if isinstance(self.search, str) else None
        return known is not None and "seed" in known and "seed" not in self.parameters

    @property
    def is_repeatable(self) -> bool:
        """Whether it plays the same moves in the same game, on every machine."""
        clocks = self.budget.seconds or self.budget.cpu_seconds
        return self.command is None and not clocks and self.proof != BESIDE

    def think(
        self,
        position: Position,
        *,
        budget: Budget | None = None,
        progress: Progress | None = None,
        **more: Any,
    ) -> Result:
        """Search a position as the player does, within its budget or another one; `more` are parameters."""
        if not isinstance(self.search, str) or self.command is None:
            rule, evaluator = self.search, self.evaluator
        else:
            raise ArgumentError(f"{self.name} is a program of its own: it plays in matches only")
        budget = self.budget if budget is None else budget
        if self.parameters.get("depth") is not None:
            budget = budget.or_else(nodes=NO_LIMIT)
        budget = budget.or_else(seconds=DEFAULT_SECONDS)
        if self.level != LEVELS[-1]:
            budget, evaluator = weaker(self.level, budget, evaluator)
        parameters = {**self.parameters, **self._model(), **more}
        return think(position, rule, parameters, evaluator, budget, proof=self.proof, progress=progress)

    def try_out(self, position: Position) -> None:
        """Raise the error that the first move would raise, if parameters do not fit."""
        if isinstance(self.search, str) and self.command is None:
            given = {**self.parameters, **self._model()}
            search(position, self.search, evaluator=self.evaluator, nodes=1, **given)

    def _model(self) -> dict[str, AnyModel]:
        return {} if self.error_model is None else {"error_model": self.error_model}

    def move(self, position: Position) -> Any:
        """Return the move that the player makes."""
        return self.open().choose(position).move

    def open(self, game: Any = None, seed: int | None = None) -> Opponent:
        """Return who makes the moves of one game."""
        from conspirator.matches.opponents import open_opponent

        return open_opponent(self, game, seed)

    def _check(self) -> None:
        """Say at once what `cn.search` would say at the first move."""
        if type(self.level) is not int or self.level not in LEVELS:
            raise ArgumentError(f"level must be a whole number from 1 to 10, not {self.level!r}")
        if self.proof != BESIDE and not (isinstance(self.proof, (int, float)) and 0 <= self.proof <= 1):
            raise ArgumentError(f"proof must be a part from 0 to 1, or 'beside', not {self.proof!r}")
        resolve(self.evaluator)
        read_model(self.error_model)
        if self.search in ENGINES:
            self._check_engine()
        elif self.command is not None:
            raise ArgumentError(f"a command goes with {' or '.join(ENGINES)}, not with {self.search}")
        elif isinstance(self.search, str):
            for word in ("trace", "progress"):
                if word in self.parameters:
                    raise ArgumentError(f"{word!r} is no setting of a player")
            known = searches().get(self.search)
            if known is None or self.parameters.keys() - known.keys():
                search(
                    ConnectFour().start(), self.search, nodes=1, **self.parameters
                )  # raises, with the nearest
        elif not (isinstance(self.search, type) and issubclass(self.search, GrowthRule)):
            raise ArgumentError(f"a player is a search's name or a growth rule's class, not {self.search!r}")

    def _check_engine(self) -> None:
        if not self.command:
            raise ArgumentError(f"an engine needs its program: {self.search}:COMMAND")
        units = {"uci": {"seconds", "nodes"}, "gtp": {"seconds"}}.get(str(self.search), set())
        if wrong := self.budget.given().keys() - units:
            raise ArgumentError(f"a {self.search} engine has no budget in {min(wrong)}; use seconds")
        ours: dict[str, Any] = {
            "level": self.level != LEVELS[-1],
            "proof": self.proof,
            "evaluator": self.evaluator,
        }
        ours["error_model"] = self.error_model is not None
        ours["clock"] = self.clock
        for name, given in ours.items():
            if given:
                raise ArgumentError(f"a {self.search} engine has no setting {name!r}")
        if self.search == "gtp" and (other := self.parameters.keys() - {"setup"}):
            raise ArgumentError(f"a gtp engine has no setting {min(other)!r}; setup=COMMAND sends one")

    def __str__(self) -> str:
        return self.spec if self.name == self.spec else f"{self.name}={self.spec}"

    def __repr__(self) -> str:
        return f"Player.read({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Player) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))


def weaker(level: int, budget: Budget, evaluator: AnyEvaluator) -> tuple[Budget, AnyEvaluator]:
    """Return what a player may spend at a level below the last, and how few moves it looks at.

    >>> weaker(1, Budget(seconds=5), None)
    (Budget(nodes=120, seconds=5.0), NamedEvaluator(name='', parameters={'width': 3}))
    """
    nodes = min(40 * 3**level, budget.nodes or NO_LIMIT)
    if isinstance(evaluator, str):
        evaluator = NamedEvaluator.read(evaluator)
    if evaluator is None:
        evaluator = NamedEvaluator("", {"width": level + 2})
    elif isinstance(evaluator, NamedEvaluator):
        width = min(level + 2, evaluator.parameters.get("width") or level + 2)
        evaluator = NamedEvaluator(evaluator.name, {**evaluator.parameters, "width": width})
    return replace(budget, nodes=nodes), evaluator


def _players_of(game: Any) -> dict[str, Player]:
    """Return the players of a game, which are made of players themselves."""
    from conspirator._players import players

    return {} if game is None else players(game)


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


def as_player(
    what: Player | str | Mapping[str, Any], game: Any = None, budget: Budget | None = None
) -> Player:
    """Return a player from what the user gave: a player, a text, or a dictionary of a player's arguments.

    `budget` is for a text that says nothing of one.

    >>> as_player({"search": "best-first", "nodes": 50, "name": "BF"})
    Player.read('BF=best-first:nodes=50')
    >>> as_player("BF=best-first", budget=Budget(nodes=50))
    Player.read('BF=best-first:nodes=50')
    """
    if isinstance(what, Player):
        return what
    if isinstance(what, str):
        player = Player.read(what, game)
        silent = player.budget == Budget(seconds=DEFAULT_SECONDS) and "seconds=" not in what
        return player if budget is None or not silent else player.but(**budget.given())
    if isinstance(what, Mapping) and "search" in what:
        settings = dict(what)
        return Player(settings.pop("search"), **settings)
    raise ArgumentError(f"a player is a text, a cn.Player or a dictionary with 'search', not {what!r}")


def _read_settings(text: str, whole: str) -> dict[str, Any]:
    settings: dict[str, Any] = {}
    at = 0
    while at < len(text) and text[at:].strip(" ,"):
        match = _SETTING.match(text, at)
        if match is None:
            word = text[at:].partition(",")[0].strip()
            raise ArgumentError(f"{word!r} in the player {whole!r} is not of the form name=value")
        key, value = match[1].strip(), match[2].strip()
        if key in ("name", "command"):
            raise ArgumentError(f"{key!r} in the player {whole!r}: a name goes first, as in Mine={whole}")
        settings[key.replace("-", "_")] = read_value(value)
        at = match.end()
    return settings


__all__ = [
    "ENGINES",
    "LEVELS",
    "NO_LIMIT",
    "UNITS",
    "Player",
    "as_player",
    "name_of",
    "settings_of",
    "weaker",
]
