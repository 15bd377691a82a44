"""Chess over the Universal Chess Interface: any of our searches as an engine for graphical programs.

    lines -> Engine.obey -> a thread for the search -> info lines, bestmove

A line that makes no sense is answered with `info string`, and never ends the engine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from threading import Event, Lock, Thread, Timer
from time import monotonic
from typing import Any

from conspirator import _native, games
from conspirator._budget import Budget
from conspirator._errors import ArgumentError, ConspiratorError
from conspirator._evaluator import AnyEvaluator
from conspirator._native import Position
from conspirator._players import Player, default_player, players
from conspirator._result import Recipe, Result, line_of
from conspirator._search import searches
from conspirator._values import read_value, say_setting

WIN = 20_000.0
SLICE = 0.25
"""A search that keeps a tree tells its line so often, in seconds."""
TABLES = ("alpha-beta", "df-pn", "end-game", "sibling-conspiracy-table")
"""Searches that always have a table."""
LEAST_TABLE, TABLE_A_SECOND, TABLE_A_NODE = 1 << 18, 8 << 20, 24
"""Bytes. A table is new for every move, and memory costs time when it is first touched: a short search gets
no more than it can fill."""
CLOCKS = ("wtime", "btime", "winc", "binc", "movestogo", "depth", "nodes", "movetime", "mate")


@dataclass
class Options:
    """What `setoption` can change: the player, and what is said to it."""

    player: Player = field(default_factory=lambda: default_player("chess"))
    hash: int = 64
    multipv: int = 1
    overhead: int = 30

    @property
    def search(self) -> str:
        """The search that plays."""
        return str(self.player.search)

    @property
    def evaluator(self) -> AnyEvaluator:
        """What values positions."""
        return self.player.evaluator

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
        return {**depth, **self.player.parameters, **table}


@dataclass
class Go:
    """What `go` asks for."""

    limits: dict[str, int] = field(default_factory=dict)
    moves: list[str] = field(default_factory=list)
    endless: bool = False
    """No answer before `stop` or `ponderhit`."""

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


class Engine:
    """One engine: obeys lines, and writes lines by `write`.

    >>> lines = []
    >>> Engine(lines.append).obey("isready")
    True
    >>> lines
    ['readyok']
    """

    def __init__(self, write: Callable[[str], object]) -> None:
        self._write = write
        self.options = Options()
        self._notation: str | None = ""
        self._thread: Thread | None = None
        self._timer: Timer | None = None
        self._stopped, self._hit = Event(), Event()
        self._core: _native.Search | None = None
        self._endless = False
        self._lock = Lock()

    def say(self, line: str) -> None:
        """Write one line, whole."""
        with self._lock:
            self._write(line)

    def complain(self, text: object) -> None:
        """Tell the user that something is wrong."""
        self.say(f"info string {' '.join(str(text).split())}")

    def obey(self, line: str) -> bool:
        """Do what a line says; return False if it says to quit."""
        command, *words = line.split() or [""]
        try:
            match command:
                case "quit":
                    self._stop()
                    return False
                case "uci":
                    self._introduce()
                case "isready":
                    self.say("readyok")
                case "setoption":
                    self._set(words)
                case "position":
                    self._place(words)
                case "go":
                    self._go(words)
                case "stop":
                    self._stop()
                case "ponderhit":
                    self._hit.set()
                case "" | "ucinewgame" | "debug" | "register":
                    pass
                case _:
                    self.complain(f"unknown command '{command}'")
        except (ConspiratorError, ValueError, LookupError) as error:
            self.complain(error)
        return True

    def _introduce(self) -> None:
        self.say(f"id name conspirator {_native.__version__}")
        self.say("id author the authors of conspirator")
        known = " ".join(f"var {name}" for name in players("chess"))
        self.say(f"option name Player type combo default {default_player('chess').name} {known}")
        names = " ".join(f"var {name}" for name in searches())
        self.say(f"option name Search type combo default {self.options.search} {names}")
        set_to = " ".join(f"{k}={say_setting(v)}" for k, v in self.options.player.parameters.items())
        self.say(f"option name Parameters type string default {set_to}")
        self.say(f"option name Evaluator type string default {self.options.evaluator}")
        self.say(f"option name Hash type spin default {self.options.hash} min 1 max 65536")
        self.say("option name MultiPV type spin default 1 min 1 max 218")
        self.say("option name Move Overhead type spin default 30 min 0 max 5000")
        self.say("option name Ponder type check default false")
        self.say("uciok")

    def _set(self, words: list[str]) -> None:
        if words[:1] != ["name"]:
            raise ArgumentError("write setoption name NAME value VALUE")
        at = words.index("value") if "value" in words else len(words)
        name, value = " ".join(words[1:at]).lower(), " ".join(words[at + 1 :])
        self._stop()
        match name:
            case "player":
                if value not in players("chess"):
                    known = ", ".join(players("chess"))
                    raise ArgumentError(f"there is no player '{value}'; there are {known}")
                self.options.player = players("chess")[value]
            case "search":
                if value not in searches():
                    raise ArgumentError(f"there is no search '{value}'; there are {', '.join(searches())}")
                usual = default_player("chess")
                own = usual.parameters if value == usual.search else {}
                self.options.player = Player(value, evaluator=self.options.evaluator, **own)
            case "parameters":
                pairs = (pair.partition("=") for pair in value.replace(",", " ").split())
                parameters: dict[str, Any] = {key: read_value(text) for key, _, text in pairs}
                changed = Player(self.options.search, evaluator=self.options.evaluator, **parameters)
                changed.try_out(games.Chess().start())  # or an error
                self.options.player = changed
            case "evaluator":
                changed = self.options.player.but(evaluator=value)
                changed.try_out(games.Chess().start())
                self.options.player = changed
            case "hash" | "multipv" | "move overhead":
                least, most = {"hash": (1, 65536), "multipv": (1, 218), "move overhead": (0, 5000)}[name]
                number = min(max(int(value), least), most)
                setattr(self.options, name.rpartition(" ")[2], number)
            case "ponder":
                pass
            case _:
                raise ArgumentError(f"unknown option '{name}'")

    def _place(self, words: list[str]) -> None:
        self._notation = None  # the board is another than before, whether we can read it or not
        notation = " ".join(words)
        self._find(notation)
        self._notation = notation

    def _find(self, notation: str) -> Position:
        """Return the position; the game goes on there, even if a draw could be claimed.

        In the search a repetition is a draw, unless it has happened on the board already.
        """
        rules: dict[str, Any] = {"keys": "board"}
        position = games.Chess(**rules).position(notation)
        # what cannot come back is no longer in the notation
        quicker = games.Chess(**rules, repetitions=2).position(position.notation())
        if quicker.outcome is None:
            return quicker
        return _unclaimed(position)

    def _go(self, words: list[str]) -> None:
        self._stop()
        go = Go()
        rest = iter(words)
        for word in rest:
            if word in CLOCKS:
                go.limits[word] = max(int(next(rest, "")), 0)
            elif word in ("infinite", "ponder"):
                go.endless = True
            elif word == "searchmoves":
                go.moves = list(rest)
        if not go.limits and not go.moves:
            go.endless = True
        if self._notation is None:
            self.complain("there is no position: the last one could not be read")
            self.say("bestmove 0000")
            return
        position = self._find(self._notation)
        self._endless = go.endless
        self._stopped, self._hit = Event(), Event()
        self._thread = Thread(target=self._answer, args=(position, go), daemon=True)
        self._thread.start()

    def _stop(self) -> None:
        """End the search, if one is running, and wait for its answer."""
        if self._thread is not None:
            self._halt()
            self._thread.join()
            self._thread = None

    def finish(self) -> None:
        """Wait for the answer of a search that ends by itself; end any other."""
        if self._thread is not None and not self._endless:
            self._thread.join()
        self._stop()

    def _halt(self) -> None:
        self._stopped.set()
        self._hit.set()
        with self._lock:
            if self._core is not None:
                self._core.stop()

    def _answer(self, position: Position, go: Go) -> None:
        """Search and say the best move, whatever happens."""
        legal = position.moves()
        best, reply = legal[0] if legal else "0000", ""
        try:
            best, reply = self._think(position, go) if legal else (best, reply)
            if not legal:
                self.complain("the game is over")
        except Exception as error:  # an answer is due in any case
            self.complain(error)
        if go.endless:
            self._hit.wait()
        if self._timer is not None:
            self._timer.cancel()
        self.say(f"bestmove {best}" + (f" ponder {reply}" if reply else ""))

    def _think(self, position: Position, go: Go) -> tuple[str, str]:
        overhead = self.options.overhead / 1000
        seconds = go.seconds(position.to_move == "max", overhead)
        if go.endless and seconds is not None:
            Thread(target=self._start_clock, args=(seconds,), daemon=True).start()
        limits: dict[str, Any] = {} if go.endless or seconds is None else {"seconds": seconds}
        if "nodes" in go.limits:
            limits["nodes"] = max(go.limits["nodes"], 1)
        if go.moves or self.options.multipv > 1:
            return self._compare(position, go, limits)
        answer = None
        for answer in self._search(position, go.limits.get("depth"), limits):
            self._inform(position, answer)
        if answer is None:
            return position.moves()[0], ""
        return (*answer["line"][:2], "")[0], (*answer["line"], "", "")[1]

    def _start_clock(self, seconds: float) -> None:
        """Wait for the other's move, then let the clock run."""
        hit, halt = self._hit, self._stopped
        hit.wait()
        if not halt.is_set():
            self._timer = Timer(seconds, self._halt)
            self._timer.start()

    def _search(
        self, position: Position, depth: int | None, limits: dict[str, Any], *, quiet: bool = False
    ) -> Iterator[dict[str, Any]]:
        """Search, and yield the answer so far, now and then; tell lines as they come, unless `quiet`."""
        name, arguments = self.options.search, self.options.arguments(limits)
        if depth is not None and "depth" in searches()[name]:
            arguments["depth"] = max(depth, 1)
        core = _native.Search(position, name, arguments, self.options.evaluator, False)
        with self._lock:
            self._core = core
        begun = monotonic()
        limits = limits or {"seconds": 1e9}
        # a search without a tree begins anew when resumed; alpha-beta tells its line after every depth
        grows = core.tree() is not None
        memory = {"memory": self.options.hash << 20} if grows else {}
        while True:
            if self._stopped.is_set():
                core.stop()  # there is an answer in any case
            left = dict(limits)
            if "seconds" in left:
                left["seconds"] = max(left["seconds"] - (monotonic() - begun), 0.001)
            if grows:
                left["seconds"] = min(left.get("seconds", SLICE), SLICE)
            spent = core.report()["nodes"] if "nodes" in left else 0
            if "nodes" in left and grows:
                left["nodes"] = max(left["nodes"] - spent, 1)

            def tell(facts: dict[str, Any]) -> None:
                if not quiet:
                    self._inform(position, {**facts, "line": line_of(position, facts["line"])})

            core.run(Budget(**left, **memory).arguments(), lines=tell)
            report = core.report()
            answer = {**report, "line": line_of(position, report["line"])}
            if grows:
                low, high = Result(position, core, Recipe(name, arguments)).interval(1)
                answer["interval"] = f"with one conspirator {low:g} to {high:g}"
            yield answer
            timed = limits.get("seconds", 1e9) - (monotonic() - begun) <= 0.002
            deep = depth is not None and report["depth"] >= depth
            sliced = report["status"] == "budget" and report["limit"] == "seconds"
            if not grows or not sliced or timed or deep or self._stopped.is_set():
                return

    def _compare(self, position: Position, go: Go, limits: dict[str, Any]) -> tuple[str, str]:
        """Search every move on its own, all with the same budget; time doubles by rounds."""
        legal = position.moves()
        wanted = [legal[position.place(text)] for text in go.moves] or legal
        sign = 1 if position.to_move == "max" else -1
        end = monotonic() + limits.get("seconds", 1e9)
        share = 0.02
        known: list[dict[str, Any]] = []
        while not self._stopped.is_set() and monotonic() + share * len(wanted) / 2 < end:
            found = []
            for move in wanted:
                after = position.play(move)
                budget: dict[str, Any] = {"seconds": share}
                if "nodes" in limits:
                    budget = {"nodes": max(limits["nodes"] // len(wanted), 1)}
                if "depth" in go.limits:
                    budget = {}
                answer: dict[str, Any] = {
                    "value": after.outcome,
                    "line": [],
                    "nodes": 1,
                    "depth": 0,
                    "seconds": 0,
                }
                if after.outcome is None:
                    depth = max(go.limits["depth"] - 1, 1) if "depth" in go.limits else None
                    *_, answer = self._search(after, depth, budget, quiet=True)
                if self._stopped.is_set() and known:
                    break
                found.append({**answer, "line": [move, *answer["line"]], "depth": answer["depth"] + 1})
            else:
                known = sorted(found, key=lambda answer: -sign * answer["value"])
                for number, answer in enumerate(known[: self.options.multipv], 1):
                    self._inform(position, answer, number)
            if self._stopped.is_set() or "nodes" in limits or "depth" in go.limits:
                break
            share *= 2
        line = known[0]["line"] if known else [wanted[0]]
        return line[0], (*line, "", "")[1]

    def _inform(self, position: Position, answer: dict[str, Any], number: int = 1) -> None:
        seconds = max(answer["seconds"], 1e-6)
        parts = [
            f"info depth {answer['depth']} seldepth {max(answer['depth'], len(answer['line']))}",
            *([f"multipv {number}"] if self.options.multipv > 1 else []),
            f"score {say_score(position, answer['value'], len(answer['line']))}",
            f"nodes {answer['nodes']} nps {int(answer['nodes'] / seconds)} time {int(1000 * seconds)}",
            f"pv {' '.join(answer['line'])}",
        ]
        self.say(" ".join(parts))
        if "interval" in answer:
            self.say(f"info string {answer['interval']}")


def _unclaimed(position: Position) -> Position:
    """Return a position in which nobody claims a draw; itself if the game is over for good."""
    try:
        return position.play_on()
    except ConspiratorError:
        return position


def say_score(position: Position, value: float, plies: int) -> str:
    """Return a value as the protocol wants it: from the side of the player to move, a mate in moves.

    >>> say_score(games.Chess().position("e4"), 35.0, 4), say_score(games.Chess().start(), 20_000.0, 3)
    ('cp -35', 'mate 2')
    """
    mine = value if position.to_move == "max" else -value
    if abs(mine) == WIN:
        moves = (plies + 1) // 2
        return f"mate {moves if mine > 0 else -moves}"
    return f"cp {round(mine)}"


def serve(lines: Iterable[str], write: Callable[[str], object]) -> None:
    """Obey lines until one says to quit, or there are no more."""
    engine = Engine(write)
    for line in lines:
        if not engine.obey(line):
            return
    engine.finish()


__all__ = ["Engine", "serve"]
