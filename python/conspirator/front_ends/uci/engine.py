"""Chess over the Universal Chess Interface: any of our searches as an engine for graphical programs.

    lines -> Engine.obey -> a thread for the search -> info lines, bestmove

A line that makes no sense is answered with `info string`, and never ends the engine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from threading import Event, Lock, Thread, Timer
from time import monotonic
from typing import Any

from conspirator import _native, games
from conspirator._budget import Budget
from conspirator._errors import ArgumentError, ConspiratorError
from conspirator._line import unclaimed
from conspirator._native import Position
from conspirator._pace import Pace
from conspirator._result import Recipe, Result, line_of
from conspirator._search import searches
from conspirator.front_ends.uci.options import PROOFS, Go, Options
from conspirator.mates import MOST_PLIES, WIN, Mate, MateSearch, proven_mate

SLICE = 0.25
"""A search that keeps a tree tells its line so often, in seconds."""
NODES_FOR_A_LINE = 5_000_000
"""What the line of a mate may cost where nothing but a depth limits the search."""
NODES_WITHOUT_A_MATE = 100_000
"""What another move may cost where the mate that was asked for is not there."""


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
        self._core: _native.Search | MateSearch | None = None
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
        for line in self.options.announce():
            self.say(line)
        self.say("uciok")

    def _set(self, words: list[str]) -> None:
        if words[:1] != ["name"]:
            raise ArgumentError("write setoption name NAME value VALUE")
        at = words.index("value") if "value" in words else len(words)
        self._stop()
        self.options.set(" ".join(words[1:at]), " ".join(words[at + 1 :]))

    def _place(self, words: list[str]) -> None:
        self._notation = None  # the board is another than before, whether we can read it or not
        notation = " ".join(words)
        self._find(notation)
        self._notation = notation

    def _find(self, notation: str) -> Position:
        """Return the position; the game goes on there, even if a draw could be claimed.

        In the search a repetition is a draw, unless it has happened on the board already.
        """
        # where only the board counts, a proof may end in a repetition that did not happen
        rules: dict[str, Any] = {"keys": "history" if self.options.search in PROOFS else "board"}
        rules["chess960"] = self.options.chess960
        position = games.Chess(**rules).position(notation)
        # what cannot come back is no longer in the notation
        quicker = games.Chess(**rules, repetitions=2).position(position.notation())
        if quicker.outcome is None:
            return quicker
        return unclaimed(position)

    def _go(self, words: list[str]) -> None:
        self._stop()
        go = Go.read(words)
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
        pace = None if go.endless else go.pace(position.to_move == "max", overhead)
        most = [max(go.limits["nodes"], 1)] if "nodes" in go.limits else []
        most += [] if self.options.nodes is None else [self.options.nodes]
        if most:
            limits["nodes"] = min(most)
        if "mate" in go.limits and (mate := self._look_for_mate(position, go, limits)) is not None:
            return (*mate.line[:2], "")[0], (*mate.line, "", "")[1]
        if "mate" in go.limits and not go.endless:
            limits = {"nodes": NODES_WITHOUT_A_MATE, **limits}
        if go.moves or self.options.multipv > 1:
            return self._compare(position, go, limits)
        answer, begun = None, monotonic()
        if pace is not None:
            limits["seconds"] = pace.most
        for answer in self._search(position, go.limits.get("depth"), limits, pace=pace):
            answer = self._with_mate(position, answer, limits, monotonic() - begun)
            self._inform(position, answer)
        if answer is None:
            return position.moves()[0], ""
        return (*answer["line"][:2], "")[0], (*answer["line"], "", "")[1]

    def _look_for_mate(self, position: Position, go: Go, limits: dict[str, Any]) -> Mate | None:
        """Look for a mate in at most as many moves as `go` says; tell it, or that there is none."""
        moves = max(go.limits["mate"], 1)
        begun = monotonic()
        mate = self._mate_search(position, 2 * moves - 1, limits)
        if mate is None or not mate.wins:
            known = "no mate" if not self._stopped.is_set() else "no mate was found"
            self.complain(f"{known} in {moves}" if not limits else f"{known} in {moves} within the limits")
            return None
        if go.moves and mate.line[0] not in go.moves:
            self.complain(
                f"a mate in {mate.moves} begins with {mate.line[0]}, which is not among searchmoves"
            )
            return None
        facts = {"depth": mate.plies, "nodes": mate.nodes, "seconds": monotonic() - begun}
        self._inform(position, {**facts, **_answer_of(mate)})
        return mate

    def _mate_search(self, position: Position, plies: int, limits: dict[str, Any]) -> Mate | None:
        search = MateSearch(position, plies, **limits)
        with self._lock:
            self._core = search
        if self._stopped.is_set():
            return None
        return search.run()

    def _with_mate(
        self, position: Position, answer: dict[str, Any], limits: dict[str, Any], spent: float
    ) -> dict[str, Any]:
        """Return the answer of a search; a win with its whole line, if the rest of the budget suffices.

        A player that was made weaker does not look further than it may.
        """
        if abs(answer["value"]) != WIN or self.options.limited:
            return answer
        left = {}
        if "seconds" in limits:
            left["seconds"] = limits["seconds"] - spent
        if "nodes" in limits:
            left["nodes"] = limits["nodes"] - answer["nodes"]
        if not limits and not self._endless:
            left["nodes"] = NODES_FOR_A_LINE
        begun, mate = monotonic(), None
        if not left or min(left.values()) > 0:
            mate = self._mate_search(position, MOST_PLIES, left)
        if mate is None and answer.get("tree") is not None and answer["status"] == "proven":
            mate = proven_mate(answer["tree"])
        if mate is None or mate.wins != ((answer["value"] > 0) == (position.to_move == "max")):
            return answer
        cost = {"nodes": answer["nodes"] + mate.nodes, "seconds": answer["seconds"] + monotonic() - begun}
        bound = {} if mate.exact else {"interval": f"mate in at most {abs(mate.moves)}"}
        return {**answer, **_answer_of(mate), **cost, **bound}

    def _start_clock(self, seconds: float) -> None:
        """Wait for the other's move, then let the clock run."""
        hit, halt = self._hit, self._stopped
        hit.wait()
        if not halt.is_set():
            self._timer = Timer(seconds, self._halt)
            self._timer.start()

    def _search(
        self,
        position: Position,
        depth: int | None,
        limits: dict[str, Any],
        *,
        quiet: bool = False,
        pace: Pace | None = None,
    ) -> Iterator[dict[str, Any]]:
        """Search, and yield the answer so far, now and then; tell lines as they come, unless `quiet`.

        With a `pace` it ends earlier where the choice has stood for long.
        """
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
                left["seconds"] = min(left.get("seconds", SLICE), pace.usual / 8 if pace else SLICE, SLICE)
            spent = core.report()["nodes"] if "nodes" in left else 0
            if "nodes" in left and grows:
                left["nodes"] = max(left["nodes"] - spent, 1)

            def tell(facts: dict[str, Any]) -> bool:
                if not quiet:
                    self._inform(position, {**facts, "line": line_of(position, facts["line"])})
                return pace is None or not pace.is_deep_enough(monotonic() - begun)

            core.run(Budget(**left, **memory).arguments(), lines=tell)
            report = core.report()
            answer = {**report, "line": line_of(position, report["line"])}
            if grows:
                result = Result(position, core, Recipe(name, arguments, self.options.evaluator))
                low, high = result.interval(1)
                answer["tree"] = core.tree()
                answer["interval"] = f"with one conspirator {low:g} to {high:g}"
                if result.confidence is not None:
                    answer["interval"] += f"; a best move with {result.confidence:.0%}"
            yield answer
            timed = limits.get("seconds", 1e9) - (monotonic() - begun) <= 0.002
            deep = depth is not None and report["depth"] >= depth
            sliced = report["status"] == "budget" and report["limit"] == "seconds"
            timed = timed or (pace is not None and pace.is_enough(monotonic() - begun, report["best"]))
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
                    began = monotonic()
                    *_, answer = self._search(after, depth, budget, quiet=True)
                    answer = self._with_mate(after, answer, budget, monotonic() - began)
                if self._stopped.is_set() and known:
                    break
                plies = 1 if after.outcome else answer["plies"] + 1 if "plies" in answer else None
                line = [move, *answer["line"]]
                found.append({**answer, "line": line, "depth": answer["depth"] + 1, "plies": plies})
            else:
                known = sorted(found, key=lambda answer: _rank(sign * answer["value"], answer["plies"]))
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
            f"score {say_score(position, answer['value'], answer.get('plies'))}",
            f"nodes {answer['nodes']} nps {int(answer['nodes'] / seconds)} time {int(1000 * seconds)}",
            f"pv {' '.join(answer['line'])}",
        ]
        self.say(" ".join(parts))
        if "interval" in answer:
            self.say(f"info string {answer['interval']}")


def _answer_of(mate: Mate) -> dict[str, Any]:
    """Return a mate as part of the answer of a search."""
    white = mate.wins == (mate.start.to_move == "max")
    return {"value": WIN if white else -WIN, "line": mate.line, "plies": mate.plies}


def _rank(value: float, plies: int | None) -> tuple[float, float]:
    """Return what moves are sorted by: the quickest mate first, the latest last.

    >>> moves = [(-WIN, 2), (WIN, 5), (0.0, None), (WIN, 3), (-WIN, 4)]
    >>> sorted(moves, key=lambda move: _rank(*move))
    [(20000.0, 3), (20000.0, 5), (0.0, None), (-20000.0, 4), (-20000.0, 2)]
    """
    length = float("inf") if plies is None else plies
    return -value, length if value > 0 else -length


def say_score(position: Position, value: float, plies: int | None = None) -> str:
    """Return a value as the protocol wants it: from the side of the player to move.

    A mate is told in moves if it is known how many `plies` it takes; else a win is only a high value.

    >>> say_score(games.Chess().position("e4"), 35.0), say_score(games.Chess().start(), 20_000.0, 3)
    ('cp -35', 'mate 2')
    """
    mine = value if position.to_move == "max" else -value
    if abs(mine) == WIN and plies is not None:
        return f"mate {(plies + 1) // 2 if mine > 0 else -(plies // 2)}"
    return f"cp {round(mine)}"


def serve(lines: Iterable[str], write: Callable[[str], object]) -> None:
    """Obey lines until one says to quit, or there are no more."""
    engine = Engine(write)
    for line in lines:
        if not engine.obey(line):
            return
    engine.finish()


__all__ = ["Engine", "serve"]
