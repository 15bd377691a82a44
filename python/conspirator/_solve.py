"""Solving a position: who wins, how, and how that was found out."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from contextlib import suppress
from os import PathLike
from time import monotonic
from typing import TYPE_CHECKING, Any, Literal

from conspirator import _native
from conspirator._budget import Budget
from conspirator._certificate import Certificate, Guarantee
from conspirator._errors import ArgumentError
from conspirator._evaluator import AnyEvaluator, guesses, say_evaluator
from conspirator._native import Position
from conspirator._result import Recipe, Result
from conspirator._search import Progress, search
from conspirator._solution import Outcome, Question, Solution
from conspirator._solve_proof import END_GAME, MANY, Proof, choose_proof, middle, table_form
from conspirator._solve_table import DiskTable

if TYPE_CHECKING:
    from conspirator.jobs.driver import Driver
    from conspirator.jobs.solve import Cluster

_LONGEST_LINE = 10_000
TABLES = ("df-pn", "sibling-conspiracy-table")
FIRST_PART, LAST_PART = 0.25, 8.0
"""Seconds after which a long search tells how far it is; twice as many every time."""


def solve(
    position: Position,
    name: str | None = None,
    /,
    *,
    evaluator: AnyEvaluator = None,
    budget: Budget | None = None,
    threads: int | None = None,
    table: str | PathLike[str] | None = None,
    on: str | None = None,
    concurrency: int | None = None,
    progress: Progress | None = None,
    **settings: Any,
) -> Solution:
    """Find out who wins, by proof, and how.

    A proof answers one question: does Max get at least so much? Where the game lists its `results`, as
    many questions are asked as it takes to leave one of them; where it does not, whether the player to
    move wins, and if not, whether it is a draw. Winning is to get more than the middle of the value range.

    Search and evaluator are chosen by the game: for Hex `df-pn` with what is known of connections, for a
    native game with many results and a known end `end-game`, which finds the value at once, else a search of
    proofs that is led by scores of moves if there are any. `name` is another search that proves
    ('sibling-conspiracy', 'sibling-conspiracy-table', 'proof-number', 'df-pn' or 'end-game'); settings are
    its parameters, and the budget for all questions together: `seconds`, `expansions`, `nodes`, `memory`.
    Without one it goes on until the position is solved. Ctrl-C gives what is known so far. `threads`, 1
    unless you say otherwise, share a table; they are of use to native games.

    `table` is a file that keeps the table of `df-pn`: it is written now and then and at the end, and is
    whole whenever the program is killed. With the same file, the same position is solved on from there.

    `on` is a Ray cluster, 'ray' or 'ray://HOST:PORT': its workers prove parts of the position, `concurrency`
    of them at a time, or as many as it has processors. Then `table` keeps the tree of these jobs.

    `progress` is called about twenty times a second with a dictionary: `question` (how many there have
    been), `goal` (None if the value itself is asked for), `bounds`, `expansions`, `nodes`, `seconds`,
    `standing`: None, or (proof number, disproof number, how many of the root's moves are settled, how many
    there are) as of a moment ago; on a cluster also `jobs`: (how many are done, how many are out, how many
    can be out). It stops the search by returning False.

    >>> import conspirator as cn
    >>> solution = cn.solve(cn.games.ConnectFour().position("5441565551"))
    >>> solution.outcome, solution.move, solution.value
    ('win', '6', 1023.0)
    >>> solution
    <Solution: win, value 1023 with 6, proven, ... expansions, ... s>
    """
    if not isinstance(position, Position):
        raise ArgumentError(
            f"the first argument must be a position, such as game.start(), not {type(position).__name__}"
        )
    if progress is not None and not callable(progress):
        raise ArgumentError(f"progress must be a function, not {progress!r}")
    for taken in ("goal", "trace", "move_calls", "cpu_seconds", "artificial_time"):
        if taken in settings:
            raise ArgumentError(f"solve takes no {taken!r}: use cn.search")
    given = Budget.take(settings)
    if guesses(evaluator):
        raise ArgumentError(
            f"nothing would be proven: {say_evaluator(evaluator)} leaves out moves or decides games by guess"
        )
    if on is None and concurrency is not None:
        raise ArgumentError("concurrency is for a cluster: give on='ray' too, or threads")
    proof = choose_proof(
        position, name, threads, settings, evaluator, on_disk=table is not None, on_cluster=on is not None
    )
    limits = (budget or given).arguments()
    if (budget or given).seconds is None:
        limits.pop("seconds", None)  # no default: until it is solved
    solver = _Solver(position, proof, limits, progress)
    solver.spare = table_form(proof) if name is None else None
    if on is not None:
        from conspirator.jobs.solve import Cluster

        solver.cluster = Cluster(position, proof, on, concurrency, table)
    elif table is not None:
        solver.table = DiskTable(table, position, proof.search, say_evaluator(proof.evaluator))
    try:
        return solver.solve()
    finally:
        if solver.cluster is not None:
            solver.cluster.close()


class _Solver:
    """The questions about one position, one after another."""

    def __init__(
        self,
        position: Position,
        proof: Proof,
        budget: dict[str, Any],
        progress: Progress | None,
    ) -> None:
        self.position = position
        self.name, self.parameters, self.evaluator = proof
        self.budget = budget
        self.progress = progress
        low, high = position.value_range
        self.middle = middle(low, high)
        self.results = sorted(set(position.results or [])) or None
        self.low, self.high = (self.results[0], self.results[-1]) if self.results else (low, high)
        self.questions: list[Question] = []
        self.expansions = 0
        self.nodes = 0
        self.began = monotonic()
        self.last: Result | None = None
        self.yes: Result | None = None
        """The proof that Max gets at least `low`."""
        self.no: Result | None = None
        """The proof that Max gets no more than `high`."""
        self.table: DiskTable | None = None
        self.cluster: Cluster | None = None
        self.spare: Proof | None = None
        """How to go on when the memory is full."""
        self.standing: tuple[float, float, int, int] | None = None
        self.jobs: tuple[int, int, int] | None = None
        """On a cluster: how many are done, how many are out, how many can be."""
        self.claims: dict[str, Guarantee] = {}
        """What has been proven, by its kind: at least, at most."""
        self.ended: tuple[Literal["proven", "budget", "interrupted"], str | None] = "proven", None
        self.more = self.less = False
        """Whether Max is known to get more, or less, than the middle, where the bounds cannot say it."""

    def solve(self) -> Solution:
        """Ask until nothing is left to ask or the budget is spent."""
        over = self.position.outcome
        if over is not None:
            self.low = self.high = over
            self._claim("at least", over, None)
            self._claim("at most", over, None)
            return self._solution([])
        self.moves: list[Any] = []
        if self.name == END_GAME and not 1 < len(self.results or []) <= MANY:
            self._find_value()
            return self._solution(self.moves)
        try:
            while (goal := self._next_goal()) is not None:
                if not self._ask(goal):
                    break
        except KeyboardInterrupt:  # between two searches, which handle it themselves
            self.ended = "interrupted", None
        if not self.claims and self.low == self.high:  # the game has only one result
            self._claim("at least", self.low, None)
            self._claim("at most", self.high, None)
        with suppress(KeyboardInterrupt):  # the answer stands, however far the line gets
            self._follow()
        return self._solution(self.moves or self._first_move())

    def _find_value(self) -> None:
        """Find the exact value by one search, without questions."""
        result = self._search(None, {"expansions": 2**63 - 1, **self.budget})
        self.last = result
        self.expansions, self.nodes, self.moves = result.expansions, result.nodes, list(result.line)
        if result.status == "proven":
            least, most = self.low, self.high
            self.low = self.high = value = result.value
            if value > least or least == most:
                self._claim("at least", value, result)
            if value < most:
                self._claim("at most", value, result)
        else:
            self.ended = ("interrupted", None) if result.status == "interrupted" else ("budget", result.limit)

    def _claim(self, kind: Literal["at least", "at most"], value: float, result: Result | None) -> None:
        core = None if result is None or self._cannot_show(result) else result._core
        self.claims[kind] = Guarantee(kind, value, self.name, core, self.evaluator)

    def _cannot_show(self, result: Result) -> bool:
        """Return whether only the cluster knows the answer."""
        return self.cluster is not None and result._core.report()["won"] is None

    def _search(self, asked: float | None, budget: dict[str, Any], **more: Any) -> Result:
        return search(
            self.position,
            self.name,
            evaluator=self.evaluator,
            progress=self._progress(asked),
            **budget,
            **self.parameters,
            **more,
        )

    def _search_by_parts(self, goal: float, left: dict[str, Any], finite: float) -> Result:
        """Search for a while, tell how far it is, keep the table, and go on."""
        parameters = {**self.parameters, "goal": finite}
        core = _native.Search(self.position, self.name, parameters, self.evaluator, False)
        if self.table:
            self.table.fill(core, goal)
        began, part, facts = monotonic(), FIRST_PART, core.report()
        while True:
            seconds = left.get("seconds", math.inf) - (monotonic() - began)
            budget = {**left, "seconds": max(min(part, seconds), 1e-3)}
            for unit in ("expansions", "nodes"):
                if unit in budget:
                    budget[unit] = max(budget[unit] - facts[unit], 1)
            core.run(budget, progress=self._progress(goal))
            facts, self.standing = core.report(), core.standing()
            over = facts["won"] is not None or facts["limit"] != "seconds" or seconds <= part
            if self.table:
                self.table.keep(core, goal, now=over)
            if over:
                return Result(self.position, core, Recipe(self.name, parameters, self.evaluator), None)
            part = min(2 * part, LAST_PART)

    def _search_on_cluster(
        self, cluster: Cluster, goal: float, left: dict[str, Any], finite: float
    ) -> Result:
        """Let a cluster answer, and find its answer again here, to show how."""
        report = self._progress(goal)

        def tell(driver: Driver) -> bool:
            self.standing, self.jobs = driver.tree.standing(), driver.jobs()
            return (
                report is None
                or report({"expansions": driver.expansions, "nodes": driver.nodes}) is not False
            )

        core, changes = cluster.ask(goal, finite, left, tell)
        result = Result(self.position, core, Recipe(self.name, self.parameters, self.evaluator), None)
        result._report |= changes
        return result

    # ------------------------------------------------------------ questions

    def _next_goal(self) -> float | None:
        """Return what to ask next: first whether the player to move wins."""
        first = not self.questions
        max_moves = self.position.to_move == "max"
        if self.results is None:
            return self._next_without_results(max_moves)
        left = [value for value in self.results if self.low <= value <= self.high]
        if len(left) <= 1:
            return None
        if first:
            # Max wins with more than the middle; Min wins if Max does not even get the middle
            enough = [
                value for value in left if value > self.middle or (value == self.middle and not max_moves)
            ]
            if enough and len(enough) < len(left):
                return enough[0]
        return left[len(left) // 2]

    def _next_without_results(self, max_moves: bool) -> float | None:
        goals = [math.nextafter(self.middle, math.inf), self.middle]
        for goal in goals if max_moves else reversed(goals):
            if self._is_open(goal):
                return goal
        return None

    def _is_open(self, goal: float) -> bool:
        if goal == self.middle:
            return self.low < self.middle <= self.high and not self.less
        return self.low <= self.middle < self.high and not self.more

    def _ask(self, goal: float) -> bool:
        """Ask one question; False if there was no answer."""
        left = self._left()
        if left is None:
            return False
        before = monotonic()
        finite = min(goal, sys.float_info.max)  # what a search takes; no result lies in between
        if self.cluster:
            result = self._search_on_cluster(self.cluster, goal, left, finite)
        elif self.table or (self.progress and self.name in TABLES):
            result = self._search_by_parts(goal, left, finite)
        else:
            result = self._search(goal, left, goal=finite)
        self.last = result
        self.expansions += result.expansions
        self.nodes += result.nodes
        self.questions.append(Question(goal, result.won, result.expansions, monotonic() - before))
        if result.won is None and result.limit == "memory" and self.spare and self.spare.search != self.name:
            # a tree has outgrown the memory: a table never does
            self.name, self.parameters, self.evaluator = self.spare
            del result
            self.last = None
            return self._ask(goal)
        if result.won is None:
            self.ended = ("interrupted", None) if result.status == "interrupted" else ("budget", result.limit)
            return False
        self._learn(goal, result)
        return True

    def _learn(self, goal: float, result: Result) -> None:
        exact = result.status == "proven"
        self._claim_answer(goal, result, exact)
        if exact:
            self.low = self.high = result.value
            self.yes = self.no = result
        elif result.won:
            self.yes = result
            if self.results is not None:
                self.low = goal
            else:
                self.low = self.middle
                self.more = goal > self.middle
        else:
            self.no = result
            if self.results is not None:
                self.high = max(value for value in self.results if value < goal)
            else:
                self.high = self.middle
                self.less = goal == self.middle

    def _claim_answer(self, goal: float, result: Result, exact: bool) -> None:
        """Keep what an answer proves: at least the goal, or at most the result below it."""
        results = self.results or []
        if result.won:
            self._claim("at least", min([value for value in results if value >= goal], default=goal), result)
        else:
            below = [value for value in results if value < goal]
            self._claim("at most", max(below, default=math.nextafter(goal, -math.inf)), result)
        if exact:  # the other bound is known too, unless the game gives it
            if result.value < (max(results) if results else math.inf) and result.won:
                self._claim("at most", result.value, None)
            if result.value > (min(results) if results else -math.inf) and not result.won:
                self._claim("at least", result.value, None)

    # ------------------------------------------------------------ the budget

    def _left(self) -> dict[str, Any] | None:
        """Return what is left of the budget; None, and the reason, if that is nothing."""
        left = dict(self.budget)
        left["memory"] -= sum(_tree_bytes(proof) for proof in {self.yes, self.no} - {None})
        if left["memory"] <= 0:
            self.ended = "budget", "memory"
            return None
        seconds = monotonic() - self.began
        spent = {"expansions": self.expansions, "nodes": self.nodes, "seconds": seconds}
        for unit, amount in spent.items():
            if unit in left:
                left[unit] -= amount
                if left[unit] <= 0:
                    self.ended = "budget", unit
                    return None
        return {"expansions": 2**63 - 1, **left}

    def _progress(self, goal: float | None) -> Progress | None:
        tell = self.progress
        if tell is None:
            return None
        expansions, nodes = self.expansions, self.nodes

        def report(facts: dict[str, Any]) -> object:
            return tell(
                {
                    "question": len(self.questions) + 1,
                    "goal": goal,
                    "bounds": (self.low, self.high),
                    "expansions": expansions + facts["expansions"],
                    "nodes": nodes + facts["nodes"],
                    "seconds": monotonic() - self.began,
                    "standing": self.standing,
                    **({"jobs": self.jobs} if self.cluster else {}),
                }
            )

        return report

    # ------------------------------------------------------------ the answer

    def _outcome(self) -> Outcome | None:
        if self.low > self.middle or self.more:
            better = "max"
        elif self.high < self.middle or self.less:
            better = "min"
        elif self.low == self.high:
            return "draw"
        else:
            return None
        return "win" if better == self.position.to_move else "loss"

    def _first_move(self) -> list[Any]:
        """Return the best move known, if there was a search at all."""
        mine, other = (self.yes, self.no) if self.position.to_move == "max" else (self.no, self.yes)
        result = mine or other or self.last
        return [] if result is None else [result.move]

    def _follow(self) -> None:
        """Draw the line: Max's moves from the proof of the least, Min's from the proof of the most.

        Going round in a circle keeps a draw, and ends the line. It does not keep a win: then the line goes
        back to where there is another way, if a proof still knows one.
        """
        if self.yes is None and self.no is None:
            if self.low == self.high:
                self._wander()
            return
        circles_end = self._outcome() not in ("win", "loss")
        seen = {self.position.key}
        positions, places, moves = [self.position], list[int](), list[Any]()
        choices = [self._replies(self.position, [])]
        while positions[-1].outcome is None:
            place = next(choices[-1], None)
            if place is None:
                if not places:
                    return
                for stack in (positions, places, moves, choices):
                    stack.pop()
                continue
            move = positions[-1].moves()[place]
            after = positions[-1].play(move)
            if after.key is not None and after.key in seen:
                if circles_end:
                    self.moves = [*moves, move]
                    return
                continue
            seen.add(after.key)
            positions.append(after)
            places.append(place)
            moves.append(move)
            choices.append(self._replies(after, list(places)))
            if len(moves) > len(self.moves):
                self.moves = list(moves)
        self.moves = moves

    def _wander(self) -> None:
        """Draw a line of any moves, in a game that has only one result."""
        position = self.position
        seen = set()
        while position.outcome is None and len(self.moves) < _LONGEST_LINE and position.key not in seen:
            if position.key is not None:
                seen.add(position.key)
            self.moves.append(position.moves()[0])
            position = position.play(self.moves[-1])

    def _replies(self, position: Position, places: list[int]) -> Iterator[int]:
        """Yield the moves that keep what is known, the best first."""
        if position.outcome is not None:
            return
        if self.parameters.get("foresight"):
            # a win that was foreseen has not been expanded
            best = position.value_range[position.to_move == "max"]
            for place, move in enumerate(position.moves()):
                if position.play(move).outcome == best:
                    yield place
                    return
        mine, other = (self.yes, self.no) if position.to_move == "max" else (self.no, self.yes)
        proof = mine or other
        left = self._left_for_line()
        if proof is None or left is None:
            return
        core = proof._core
        before = core.report()
        found = core.replies(places, left)
        after = core.report()
        self.expansions += after["expansions"] - before["expansions"]
        self.nodes += after["nodes"] - before["nodes"]
        yield from found

    def _left_for_line(self) -> dict[str, Any] | None:
        ended = self.ended
        left = self._left()
        self.ended = ended  # the answer stands, however far the line gets
        return left

    def _solution(self, line: list[Any]) -> Solution:
        status, limit = self.ended
        exact = self.low == self.high
        return Solution(
            position=self.position,
            outcome=self._outcome(),
            value=self.low if exact else None,
            bounds=(self.low, self.high),
            move=line[0] if line else None,
            line=line,
            status=status,
            limit=limit,
            expansions=self.expansions,
            nodes=self.nodes,
            seconds=monotonic() - self.began,
            search=self.name if self.last else None,
            parameters=dict(self.parameters) if self.last else {},
            evaluator=say_evaluator(self.evaluator) if self.last else None,
            questions=self.questions,
            proof=Certificate(self.position, [self.claims[kind] for kind in sorted(self.claims)]),
        )


def _tree_bytes(result: Result | None) -> int:
    """Return what a proof that is kept takes; a table counts for itself alone."""
    return 0 if result is None else int(result.nodes * (result.bytes_per_node or 0))


__all__ = ["Question", "Solution", "solve"]
