"""What a graphical program can ask of the engine: its options, and the words after `go`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from conspirator import games
from conspirator._budget import Budget, default_memory
from conspirator._clock import LONGEST
from conspirator._errors import ArgumentError
from conspirator._evaluator import AnyEvaluator
from conspirator._pace import Pace
from conspirator._players import Player, default_player, players, weaker
from conspirator._search import searches
from conspirator._values import read_value, say_setting

FITTED = "captures"
"""The player whose levels `ELO` rates."""
TABLES = ("alpha-beta", "df-pn", "end-game", "mtd-f", "sibling-conspiracy-table")
"""Searches that always have a table."""
PROOFS = ("df-pn", "proof-number")
"""Searches that answer only with a proof: captures first would lead them astray, and values mean nothing."""
LEAST_TABLE, TABLE_A_SECOND, TABLE_A_NODE = 1 << 18, 8 << 20, 24
"""Bytes. A table is new for every move, and memory costs time when it is first touched: a short search gets
no more than it can fill."""
ELO = (600, 830, 1140, 1210, 1350, 1520, 1760, 1950, 2150)
"""What levels 1 to 9 are rated, on the engine's own scale; `docs/uci.md` says how that was measured."""
CLOCKS = ("wtime", "btime", "winc", "binc", "movestogo", "depth", "nodes", "movetime", "mate")


def level_of(elo: int) -> int:
    """Return the level whose rating is nearest.

    >>> level_of(ELO[0]), level_of(ELO[4] + 1), level_of(9999)
    (1, 5, 9)
    """
    return min(range(1, len(ELO) + 1), key=lambda level: abs(ELO[level - 1] - elo))


@dataclass
class Options:
    """What `setoption` can change: the player, and what is said to it."""

    player: Player = field(default_factory=lambda: default_player("chess"))
    hash: int = 64
    multipv: int = 1
    overhead: int = 30
    threads: int = 1
    limited: bool = False
    """Whether `elo` counts."""
    elo: int = ELO[-1]
    chess960: bool = False
    """Whether kings and rooks castle from wherever they stood at the start."""

    @property
    def search(self) -> str:
        """The search that plays."""
        return str(self.player.search)

    @property
    def evaluator(self) -> AnyEvaluator:
        """What values positions; a weaker player looks at fewer moves."""
        return weaker(level_of(self.elo), Budget(), self.player.evaluator)[1] if self.limited else self.full

    @property
    def full(self) -> AnyEvaluator:
        """The evaluator of the player at its full strength."""
        return self.player.evaluator

    @property
    def nodes(self) -> int | None:
        """The most nodes for a move, if the strength is limited."""
        return weaker(level_of(self.elo), Budget(), None)[0].nodes if self.limited else None

    def arguments(self, limits: dict[str, Any]) -> dict[str, Any]:
        """Return the parameters of the search; `hash` is the most that its table may take, if it has one.

        >>> Options().arguments({"seconds": 0.01})["table_bytes"], Options().arguments({})["table_bytes"]
        (262144, 67108864)
        """
        known = searches()[self.search]
        most = self.hash << 20
        if self.search == "alpha-beta":
            filled = (
                limits.get("seconds", 1e9) * TABLE_A_SECOND,
                limits.get("nodes", 10**15) * TABLE_A_NODE,
            )
            most = min(most, max(LEAST_TABLE, int(min(filled))))
        table = {"table_bytes": most} if self.search in TABLES else {}
        depth = {"first_depth": 1} if "first_depth" in known else {}
        threads = {"threads": self.threads} if "threads" in known else {}
        return {**depth, **threads, **self.player.parameters, **table}

    def ranges(self) -> dict[str, tuple[int, int]]:
        """Return the least and the most of every option that is a number."""
        return {
            "Hash": (1, max(64, default_memory() >> 20)),
            "Threads": (1, os.cpu_count() or 1),
            "MultiPV": (1, 218),
            "Move Overhead": (0, 5000),
            "UCI_Elo": (ELO[0], ELO[-1]),
        }

    def announce(self) -> Iterator[str]:
        """Yield what is said of every option."""
        known = " ".join(f"var {name}" for name in players("chess"))
        yield f"option name Player type combo default {default_player('chess').name} {known}"
        names = " ".join(f"var {name}" for name in searches())
        yield f"option name Search type combo default {self.search} {names}"
        set_to = " ".join(f"{k}={say_setting(v)}" for k, v in self.player.parameters.items())
        yield f"option name Parameters type string default {set_to}"
        yield f"option name Evaluator type string default {self.full}"
        values = {
            "Hash": self.hash, "Threads": self.threads, "MultiPV": self.multipv,
            "Move Overhead": self.overhead, "UCI_Elo": self.elo,
        }  # fmt: skip
        for name, (least, most) in self.ranges().items():
            yield f"option name {name} type spin default {values[name]} min {least} max {most}"
        yield "option name UCI_LimitStrength type check default false"
        yield "option name UCI_Chess960 type check default false"
        yield "option name Clear Hash type button"
        yield "option name Ponder type check default false"

    def set(self, name: str, value: str) -> None:
        """Change one option; an error says what is wrong with it.

        >>> options = Options()
        >>> options.set("uci_limitstrength", "true"); options.set("uci_elo", "600")
        >>> options.nodes, str(options.evaluator)
        (120, 'captures(sort=true width=3)')
        """
        match name.lower():
            case "player":
                if value not in players("chess"):
                    known = ", ".join(players("chess"))
                    raise ArgumentError(f"there is no player '{value}'; there are {known}")
                self.player = players("chess")[value]
            case "search":
                if value not in searches():
                    raise ArgumentError(f"there is no search '{value}'; there are {', '.join(searches())}")
                usual = default_player("chess")
                own = usual.parameters if value == usual.search else {}
                evaluator = "material" if value in PROOFS else self.full
                self.player = Player(value, evaluator=evaluator, **own)
            case "parameters":
                pairs = (pair.partition("=") for pair in value.replace(",", " ").split())
                parameters: dict[str, Any] = {key: read_value(text) for key, _, text in pairs}
                self._change(Player(self.search, evaluator=self.full, **parameters))
            case "evaluator":
                self._change(self.player.but(evaluator=value))
            case "uci_limitstrength":
                self.limited = _checked("UCI_LimitStrength", value)
                # the ratings were fitted with this player
                if self.limited and self.player == default_player("chess"):
                    self.player = players("chess")[FITTED]
                elif not self.limited and self.player == players("chess")[FITTED]:
                    self.player = default_player("chess")
            case "uci_chess960":
                self.chess960 = _checked("UCI_Chess960", value)
            case "clear hash" | "ponder":
                pass  # every move has a new table; `go ponder` asks for pondering
            case _:
                self._set_number(name, value)

    def _change(self, player: Player) -> None:
        player.try_out(games.Chess().start())  # or an error
        self.player = player

    def _set_number(self, name: str, value: str) -> None:
        """Set an option to the nearest number that it may have."""
        for known, (least, most) in self.ranges().items():
            if known.lower() == name.lower():
                number = min(max(int(value), least), most)
                setattr(self, known.lower().replace("uci_", "").rpartition(" ")[2], number)
                return
        raise ArgumentError(f"unknown option '{name}'")


def _checked(name: str, value: str) -> bool:
    if value.lower() not in ("true", "false"):
        raise ArgumentError(f"{name} is true or false, not '{value}'")
    return value.lower() == "true"


@dataclass
class Go:
    """What `go` asks for."""

    limits: dict[str, int] = field(default_factory=dict)
    moves: list[str] = field(default_factory=list)
    endless: bool = False
    """No answer before `stop` or `ponderhit`."""

    @classmethod
    def read(cls, words: list[str]) -> Go:
        """Read the words after `go`.

        >>> Go.read("mate 3 movetime 500".split()).limits
        {'mate': 3, 'movetime': 500}
        """
        go, rest = cls(), iter(words)
        for word in rest:
            if word in CLOCKS:
                go.limits[word] = max(int(next(rest, "")), 0)
            elif word in ("infinite", "ponder"):
                go.endless = True
            elif word == "searchmoves":
                go.moves = list(rest)
        if not go.limits and not go.moves:
            go.endless = True
        return go

    def seconds(self, white: bool, overhead: float) -> float | None:
        """Return the time for this move: never more than half of what is left.

        >>> Go({"movetime": 500}).seconds(True, 0.0), Go({"nodes": 500}).seconds(True, 0.0)
        (0.5, None)
        >>> Go({"wtime": 60_000, "winc": 1_000}).seconds(True, 0.0)
        2.8
        """
        if "movetime" in self.limits:
            return max(self.limits["movetime"] / 1000 - overhead, 0.001)
        if (left := self.limits.get("wtime" if white else "btime")) is None:
            return None
        more = self.limits.get("winc" if white else "binc", 0)
        share = left / 1000 / max(1, self.limits.get("movestogo", 30)) + 0.8 * more / 1000
        return max(min(share, left / 2000) - overhead, 0.001)

    def pace(self, white: bool, overhead: float) -> Pace | None:
        """Return how long a move of a game with a clock may take; None where there is no clock.

        >>> pace = Go({"wtime": 60_000, "winc": 1_000}).pace(True, 0.0)
        >>> pace.usual, round(pace.most, 2)
        (2.8, 8.4)
        """
        usual, left = self.seconds(white, overhead), self.limits.get("wtime" if white else "btime")
        if usual is None or left is None or "movetime" in self.limits:
            return None
        if self.limits.get("movestogo") == 1:
            return Pace(usual, usual)
        return Pace(usual, max(usual, min(LONGEST * usual, left / 3000 - overhead)))


__all__ = ["ELO", "Go", "Options", "level_of"]
