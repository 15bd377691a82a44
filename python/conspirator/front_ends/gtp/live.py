"""Live analysis: what the search thinks while it thinks, in the form that boards for Go and Hex show.

One line for each look, with the moves that were searched most:

    info move d4 visits 123 winrate 5432 order 0 pv d4 c6 info move c5 visits 40 winrate 5101 order 1 pv c5
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import replace
from threading import Condition, Thread
from time import monotonic
from typing import Any

import conspirator as cn
from conspirator import _native
from conspirator._budget import Budget
from conspirator._players import Player
from conspirator._result import line_of

MOST_MOVES = 10
"""So many moves are told of, those that were searched most."""
LONGEST_LINE = 30
"""So many moves of a line."""
SLICED = {"seconds", "nodes", "expansions", "memory"}
"""Budgets that can be spent in parts, with a look at the tree after each."""

Tell = Callable[[str], object]
"""What gets every line."""


class Lines:
    """Lines of input that are read in a thread of their own, so that one can be noticed while we think.

    >>> lines = Lines(["name", "quit"])
    >>> lines.next(), lines.next(), lines.next()
    ('name', 'quit', None)
    """

    def __init__(self, source: Iterable[str]) -> None:
        self._waiting: deque[str | None] = deque()
        self._came = Condition()
        Thread(target=self._collect, args=(source,), daemon=True).start()

    def _collect(self, source: Iterable[str]) -> None:
        for line in source:
            self._add(line)
        self._add(None)

    def _add(self, line: str | None) -> None:
        with self._came:
            self._waiting.append(line)
            self._came.notify_all()

    def next(self) -> str | None:
        """Wait for a line and take it; None at the end of input."""
        self.wait()
        with self._came:
            return self._waiting.popleft()

    def wait(self) -> None:
        """Wait until a line is there."""
        with self._came:
            while not self._waiting:
                self._came.wait()

    def is_waiting(self) -> bool:
        """Tell whether a line is there, or the end of input."""
        return bool(self._waiting)


class Analysis:
    """A search that tells of its moves every so many seconds, until it is stopped or its budget is spent.

    >>> told = []
    >>> player = Player("puct", nodes=2000)
    >>> Analysis(player, cn.games.Hex(size=4).start(), told.append, str).run(player.budget)
    '...'
    >>> told[-1].startswith("info move ")
    True
    """

    def __init__(
        self,
        player: Player,
        position: cn.Position,
        tell: Tell,
        write: Callable[[str], str],
        *,
        interval: float = 1.0,
        stopped: Callable[[], bool] = lambda: False,
    ) -> None:
        self._player = player
        self._position = position
        self._tell, self._write = tell, write
        self._interval, self._stopped = interval, stopped

    def run(self, budget: Budget) -> str:
        """Search, tell at least one line, and return the best move."""
        return self._grow(budget) if self._player.keeps_tree else self._deepen(budget)

    def _may_go_on(self, _: object = None) -> bool:
        return not self._stopped()

    def _grow(self, budget: Budget) -> str:
        """Search in slices of the interval, and look at the tree after each."""
        begun, player = monotonic(), self._player
        sliced = not budget.given().keys() - SLICED
        result: cn.Result | None = None
        while True:
            part = budget
            if sliced:
                left = None if budget.seconds is None else budget.seconds - (monotonic() - begun)
                part = replace(budget, seconds=max(1e-6, min(self._interval, left or self._interval)))
            if sliced and result is not None:
                spent = {"nodes": result.nodes, "expansions": result.expansions}
                counts = {unit: getattr(budget, unit) for unit in spent if getattr(budget, unit) is not None}
                if any(amount <= spent[unit] for unit, amount in counts.items()):
                    return str(result.move)
                part = replace(part, **{unit: amount - spent[unit] for unit, amount in counts.items()})
            if result is None:
                result = cn.search(
                    self._position,
                    player.search,
                    evaluator=player.evaluator,
                    budget=part,
                    progress=self._may_go_on,
                    **player.parameters,
                )
            else:
                result = result.resume(budget=part)
            if result.status == "interrupted" and not self._stopped():
                raise KeyboardInterrupt
            self._tell(self._say_tree(result))
            late = budget.seconds is not None and monotonic() - begun >= budget.seconds
            goes_on = sliced and result.status == "budget" and result.limit == "seconds" and not late
            if not goes_on or self._stopped():
                return str(result.move)

    def _deepen(self, budget: Budget) -> str:
        """Search depth by depth, and tell the line after each, but not more often than the interval says."""
        player, position = self._player, self._position
        core = _native.Search(position, player.search, player.parameters, player.evaluator, False)
        told = [-1e9]

        def hear(facts: dict[str, Any]) -> None:
            if monotonic() - told[0] >= self._interval:
                told[0] = monotonic()
                self._tell(self._say_line(facts))

        core.run(budget.arguments(), progress=self._may_go_on, lines=hear)
        report = core.report()
        if report["status"] == "interrupted" and not self._stopped():
            raise KeyboardInterrupt
        self._tell(self._say_line(report))
        return str(position.moves()[report["best"]])

    def _say_line(self, facts: dict[str, Any]) -> str:
        line = line_of(self._position, facts["line"]) or [self._position.moves()[facts.get("best", 0)]]
        return self._say(0, facts["nodes"], facts["value"], line)

    def _say_tree(self, result: cn.Result) -> str:
        """Return a line about the moves that were searched most, the chosen one first."""
        root = result.tree.root
        legal, sizes = self._position.moves(), result.tree.child_sizes(root)
        best = str(result.move)
        rows = [(node, *self._judge(node, size)) for node, size in zip(root.children, sizes, strict=True)]
        rows.sort(key=lambda row: (str(legal[row[0].legal_place]) != best, -row[1]))
        told = []
        for order, (node, visits, value) in enumerate(rows[:MOST_MOVES]):
            if order == 0 or visits:
                line = result.line if order == 0 else self._line_below(node, legal[node.legal_place])
                told.append(self._say(order, max(1, visits), value, line))
        return " ".join(told) or self._say(0, result.nodes, result.value, result.line or [result.move])

    def _judge(self, node: cn.Node, size: int) -> tuple[int, float]:
        """Return the visits of a node and its value: means, where the rule goes by them, else nodes."""
        numbers = node.numbers
        if "visits" not in numbers or "reward" not in numbers:
            return size, node.value
        if not numbers["visits"] or numbers["reward"] is None:
            return 0, node.value
        low, high = self._position.value_range
        return int(numbers["visits"]), low + numbers["reward"] * (high - low)

    def _line_below(self, node: cn.Node, move: Any) -> list[Any]:
        """Return the line of most visits below a move, where the rule counts them, else of best values."""
        position, line = self._position.play(move), [move]
        counted = "visits" in node.numbers
        while node.children and len(line) < LONGEST_LINE:
            sign = 1 if node.is_max else -1
            ranks = [child.numbers["visits"] if counted else sign * child.value for child in node.children]
            if counted and not any(ranks):
                break
            node = node.children[ranks.index(max(ranks))]
            move = position.moves()[node.legal_place]
            position = position.play(move)
            line.append(move)
        return line

    def _say(self, order: int, visits: int, value: float, line: list[Any]) -> str:
        moves = " ".join(self._write(str(move)) for move in line[:LONGEST_LINE])
        move = self._write(str(line[0]))
        rate = win_rate(self._position, value)
        return f"info move {move} visits {visits} winrate {rate} order {order} pv {moves}"


def win_rate(position: cn.Position, value: float) -> int:
    """Return a value as its place in the game's range, 0 to 10000, from the side of the player to move.

    >>> win_rate(cn.games.Hex().start(), 0.0), win_rate(cn.games.Hex().position("a1"), 1.0)
    (5000, 0)
    """
    low, high = position.value_range
    share = min(1.0, max(0.0, (value - low) / (high - low)))
    return round(10_000 * (share if position.to_move == "max" else 1 - share))


__all__ = ["Analysis", "Lines", "win_rate"]
