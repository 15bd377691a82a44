"""One search with its own thread, which runs it in slices and answers questions between them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import replace
from math import inf
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic, thread_time, time
from typing import Any, TypeVar

import conspirator as cn
from conspirator import _native
from conspirator._budget import Budget
from conspirator._errors import ArgumentError, ConspiratorError
from conspirator._line import written
from conspirator._players import LEVELS, NO_LIMIT, Player, weaker
from conspirator._result import Result
from conspirator.figures.colours import Scale
from conspirator.studio.looks import Names, Path, View, around, overview, principal
from conspirator.studio.rarely import Rarely
from conspirator.studio.wire import Passing, frame

SHORTEST, LONGEST = 0.045, 1.0
"""Seconds of a slice: long enough for the search, short enough for the eye."""
SHARE = 9
"""A slice is so many times as long as what a picture takes."""
BUSY = 1.4
"""A slice is at most so many times as long on a busy machine: pictures should not be too late."""
GROWING = 800
"""Blocks of a picture while the tree grows: the next one comes soon, and the last one is finer."""
MOST_SAMPLES = 400
"""Points of a chart; when there are more, every second one goes."""
READ = 0.24
"""Seconds from one look at the nodes around the selected one to the next, while the tree grows."""
YOUNG = 5000
"""Expansions of a tree that grows by small steps, for the charts."""
MOST_LINE = 12
"""Moves of the principal line that are told."""
MOST_NODES = 30_000_000
"""A search that nobody stops ends here."""
ENDS = ("proven", "converged", "decided", "interrupted")
"""What ends a search before its budget does."""

Tell = Callable[["Lane", bytes | dict[str, Any], str | None], object]
_Answer = TypeVar("_Answer")


class Lane:
    """A search that the page watches.

    Everything that touches the tree happens in the lane's own thread: between slices while the search runs,
    at once while it does not. `tell` is called there with frames and news.
    """

    def __init__(self, name: str, position: cn.Position, player: Player, tell: Tell) -> None:
        self.name = name
        """Which lane of its session it is."""
        self.position = position
        self.player = player
        self.names = Names(position)
        self.views: dict[str, View] = {}
        """What each page looks at, by its socket."""
        self.result: Result | None = None
        self.samples: list[dict[str, Any]] = []
        self.running = False
        self.failed = ""
        """Why it ended, if a game or an evaluator failed."""
        self.slices = 0
        self._began = 0.0
        self._since = self._until = 0.0
        self._grew = False
        self._keeps_tree = player.keeps_tree
        self._cpu = 0.0
        self._load = 1.0
        self._written: tuple[list[Any], list[str]] = ([], [])
        self._tell = tell
        self._budget = player.budget
        self._spent = {"expansions": 0, "nodes": 0, "seconds": 0.0}
        self._questions: SimpleQueue[Callable[[], object] | None] = SimpleQueue()
        self._cost, self._rate = 0.0, 0.0
        self._ladder = Rarely[list[tuple[float, float]]]()
        self._sure = Rarely[dict[str, Any]]()
        self._ended: list[Callable[[], object]] = []
        self._thread = Thread(target=self._live, name=f"lane {name}", daemon=True)
        self._thread.start()

    # for everybody

    def ask(self, question: Callable[[], _Answer]) -> Future[_Answer]:
        """Let the lane's thread answer a question about its tree."""
        future: Future[_Answer] = Future()

        def answer() -> None:
            try:
                future.set_result(question())
            except BaseException as error:
                future.set_exception(error)

        self._questions.put(answer)
        return future

    def go(self, budget: Budget | None = None, then: Callable[[], object] | None = None) -> None:
        """Begin or go on; `then` is called in the lane's thread when the search has ended by itself."""

        def start() -> None:
            if budget is not None:
                self._budget = budget
            self._spent = dict.fromkeys(self._spent, 0)
            self._ended = [] if then is None else [then]
            self.running = True
            self._since = self._until = time()

        self.ask(start)

    def halt(self) -> None:
        """End the search soon; the tree stays."""
        self._ended = []
        self.running = False

    def close(self) -> None:
        """End the search and its thread."""
        self.halt()
        self._questions.put(None)

    @property
    def tree(self) -> cn.Tree:
        """The tree, for questions; an error if there is none."""
        if self.result is None:
            raise ArgumentError("nothing has been searched yet")
        return self.result.tree

    # in the lane's thread

    def _live(self) -> None:
        while True:
            try:
                question = self._questions.get(block=not self.running)
            except Empty:
                self._work()
                continue
            if question is None:
                return
            question()

    def _work(self) -> None:
        began = thread_time()
        try:
            if self._keeps_tree:
                self._slice()
            else:
                self._whole()
        except ConspiratorError as error:
            self.failed = str(error)
            self.running = False
        except Exception as error:  # the user's own game
            self.failed = f"{type(error).__name__}: {error}"
            self.running = False
        self._until, self._grew = time(), True
        self._cpu += thread_time() - began
        began = thread_time()
        self.show()
        if self.running:  # the last picture keeps nobody waiting
            self._cpu += thread_time() - began
        if not self.running:
            ended, self._ended = self._ended, []
            for each in ended:
                each()

    def _settings(self) -> tuple[Any, dict[str, Any], Any, Budget]:
        player, budget, evaluator = self.player, self._budget, self.player.evaluator
        if player.level != LEVELS[-1]:
            budget, evaluator = weaker(player.level, budget, evaluator)
        return player.search, player.parameters, evaluator, budget

    def _slice(self) -> None:
        self._began = time()
        rule, parameters, evaluator, budget = self._settings()
        if self.result is None:
            self.result = cn.search(
                self.position,
                rule,
                evaluator=evaluator,
                budget=Budget(expansions=1),
                **parameters,
            )
            self._note_spent(None)
        else:
            before = self.result
            clock, worked = monotonic(), thread_time()
            ended = self._grow(budget)
            self._load = (monotonic() - clock) / max(thread_time() - worked, 1e-4)
            grown, taken = self.result.nodes - before.nodes, self.result.seconds - before.seconds
            self._rate = grown / max(taken, 1e-4) / before.nodes
            if ended:
                self.running = False
        self.slices += 1
        if self.result.status in ENDS or self._is_spent(budget):
            self.running = False

    def _grow(self, budget: Budget) -> bool:
        """Search for one slice; tell whether it was the last one.

        A young tree grows by small steps, which the charts show: a short search has a history too.
        """
        part = self._part(budget)
        ends = monotonic() + (part.seconds or 0.0)
        while True:
            before = self.result
            assert before is not None
            step = max(4, before.expansions // 4) if before.expansions < YOUNG else None
            if step is not None and step < (part.expansions or inf):
                part = replace(part, expansions=step)
            else:
                step = None
            self.result = before.resume(budget=part)
            self._note_spent(before)
            if self.result.status in ENDS or self._is_spent(budget):
                return True
            if self.result.limit == "seconds" or monotonic() >= ends:
                return False
            if step is None or self.result.expansions - before.expansions < step:
                # neither time nor the step ended it, so what is left of the budget is too small for a family
                return True
            self._note_history()
            part = replace(self._part(budget), seconds=max(0.001, ends - monotonic()))

    def _note_history(self) -> None:
        """Keep a point of the charts between two pictures."""
        result = self.result
        assert result is not None
        _, (shares,) = _native.overview(result.tree, [()], most=1)
        facts = {unit: getattr(result, unit) for unit in ("expansions", "nodes", "value", "seconds")}
        self._sample(facts, shares, hurry=False)

    def _part(self, budget: Budget) -> Budget:
        """Return the budget of the next slice."""
        # the next picture is of the grown tree: where that grows fast, the slice is longer still
        # and where other programs want the core too, the search gets less of a slice than the slice is long
        share = SHARE * self._cost * min(BUSY, max(1.0, self._load))
        growth = min(0.75, share * self._rate)
        length = min(LONGEST, max(SHORTEST, share / (1 - growth)))
        # the first pictures come soon: people want to see that something happens
        length = min(length, 0.02 * (1 + self.slices))
        left = {
            unit: limit - self._spent[unit]
            for unit in ("expansions", "nodes", "seconds")
            if (limit := getattr(budget, unit)) is not None
        }
        seconds = max(0.001, min(length, left.pop("seconds", length)))
        whole = {unit: max(1, int(amount)) for unit, amount in left.items()}
        return Budget(seconds=seconds, memory=budget.memory, **whole)

    def _note_spent(self, before: Result | None) -> None:
        result = self.result
        assert result is not None
        for unit in self._spent:
            self._spent[unit] += getattr(result, unit) - (getattr(before, unit) if before is not None else 0)

    def _is_spent(self, budget: Budget) -> bool:
        assert self.result is not None
        limits = ((unit, getattr(budget, unit)) for unit in self._spent)
        spent = any(limit is not None and self._spent[unit] >= limit for unit, limit in limits)
        return spent or self.result.nodes >= MOST_NODES

    def _whole(self) -> None:
        """Run a search that keeps no tree, in one go."""
        budget = self._budget
        if self.player.parameters.get("depth") is None:
            budget = budget.or_else(seconds=10.0, nodes=None)
        else:
            budget = budget.or_else(nodes=NO_LIMIT)

        def progress(facts: dict[str, Any]) -> bool:
            self._sample(facts)
            self._send({"facts": {key: facts[key] for key in facts if key != "line"}, "running": True})
            return self.running

        self.result = self.player.think(self.position, budget=budget, progress=progress)
        self.running = False

    def _sample(
        self, facts: Mapping[str, Any], shares: list[int] | None = None, *, hurry: bool | None = None
    ) -> None:
        sample: dict[str, Any] = {key: facts[key] for key in ("expansions", "nodes", "value", "seconds")}
        if shares is not None:
            sample["shares"] = shares
            sample |= self._interval(self.running if hurry is None else hurry)
        self.samples.append(sample)
        if len(self.samples) > MOST_SAMPLES:
            self.samples = self.samples[::2]

    def _interval(self, hurry: bool) -> dict[str, Any]:
        """Return how far the value can go with one leaf wrong and with three."""
        if self.result is None:
            return {}
        tree = self.result.tree
        rungs = self._ladder.ask(lambda: tree.ladder(3), self.result.nodes, hurry=hurry)
        if rungs is None:
            return {}
        return {"one": rungs[min(1, len(rungs) - 1)], "three": rungs[min(3, len(rungs) - 1)]}

    # what the page sees

    def state(self) -> dict[str, Any]:
        """Return the answer so far; asked in the lane's thread."""
        state: dict[str, Any] = {
            "lane": self.name,
            "running": self.running,
            "failed": self.failed,
            "player": str(self.player),
            "rule": str(self.player.search),
            "tree": self._keeps_tree,
            "root": str(self.position.notation()),
        }
        result = self.result
        if result is None:
            return state
        low, high = self.position.value_range
        state |= {
            "expansions": result.expansions,
            "nodes": result.nodes,
            "depth": result.depth,
            "seconds": result.seconds,
            "value": result.value,
            "status": result.status,
            "move": str(result.move),
            "line": self._line(result),
            "range": (low, high),
            "draw": Scale.of([], (low, high)).draw,
            **self._certainty(),
        }
        return state

    def _line(self, result: Result) -> list[str]:
        """Return the beginning of the principal line as people write it."""
        moves = result.line[:MOST_LINE]
        if moves != self._written[0]:
            position, words = self.position, []
            for move in moves:
                words.append(written(position, move))
                position = position.play(move)
            self._written = (moves, words)
        return self._written[1]

    def _certainty(self) -> dict[str, Any]:
        """Return how sure the result is, and how likely each move is a best one, where it says so."""
        result = self.result
        assert result is not None

        def ask() -> dict[str, Any]:
            try:
                known = result.probabilities
                sure = 1.0 if result.status == "proven" else None if known is None else known[result.move]
                moves = None if known is None else {str(move): float(p) for move, p in known.items()}
                return {"confidence": sure, "probabilities": moves, "doubts": known is not None}
            except (ConspiratorError, TypeError, ValueError):
                return {}

        self._sure.ask(ask, result.nodes, hurry=self.running)
        return self._sure.last or {}

    def show(self) -> None:
        """Tell every page how the search stands, with its picture."""
        began = thread_time()  # a picture that had to wait for a core does not cost more
        state = self.state()
        result = self.result
        if result is None or not result.has_tree:
            self._send(state)
        else:
            for n, (page, view) in enumerate(list(self.views.items()) or [("", View(most=200))]):
                self._picture(result, state, page, view, sample=n == 0)
        self._cost = thread_time() - began

    def _picture(self, result: Result, state: dict[str, Any], page: str, view: View, *, sample: bool) -> None:
        fine = min(view.most, GROWING) if self.running else view.most
        data, labels, sizes = overview(result.tree, replace(view, most=fine), self.names)
        if sample and (self._grew or not self.samples):
            self._grew = False
            facts = {unit: getattr(result, unit) for unit in ("expansions", "nodes", "value", "seconds")}
            self._sample(facts, sizes[0])
        head = {
            **state,
            "made": self._began,
            "wall": self._until - self._since,
            "cpu": self._cpu,
            "left": view.left,
            "right": view.right,
            "labels": labels,
            "shares": sizes[0],
            "sample": self.samples[-1] if self.samples else None,
        }
        # the nodes are read, not watched: while the tree grows, a few times a second is enough for them
        told = view.told
        full = not self.running or told is None or told[1] != view.selected or monotonic() - told[0] > READ
        if full:
            head |= around(result.tree, view, self.names, sizes, chances=not self.running)
            head["principal"] = principal(result.tree)
            view.told = (monotonic(), view.selected)
        made = frame(head, data)
        self._tell(self, made if full else Passing(made), page or None)

    def look(self, page: str, **changes: Any) -> None:
        """Change what a page looks at, and show it; in the lane's thread."""
        view = self.views.get(page) or View()
        self.views[page] = replace(view, **changes)
        if self.result is not None and self.result.has_tree:
            self._picture(self.result, self.state(), page, self.views[page], sample=False)

    def _send(self, news: dict[str, Any]) -> None:
        self._tell(self, {"push": "lane", "lane": self.name, **news}, None)

    def select(self, page: str, path: Path) -> None:
        """Select a node for a page."""
        self.tree.node(path)
        self.look(page, selected=path)
