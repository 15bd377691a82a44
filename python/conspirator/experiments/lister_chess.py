"""L. Lister and J. Schaeffer, "An analysis of the conspiracy numbers algorithm", 1994, Section 5.

Improved conspiracy numbers against McAllester's on chess problems, public ones instead of the paper's; and
both against best-first minimax and alpha-beta, by time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from statistics import mean, median
from typing import TYPE_CHECKING, Any

import conspirator as cn
from conspirator._errors import ArgumentError
from conspirator.experiments.lister_1994 import PAPER
from conspirator.experiments.report import Cell, Report, yes
from conspirator.experiments.work import Work, grow

if TYPE_CHECKING:
    from matplotlib.axes import Axes

RULES = ("conspiracy", "improved-conspiracy")
"""McAllester's, and Lister and Schaeffer's."""
GROWN = (*RULES, "best-first")
"""What is compared by expansions."""
KINDS = (*((True, search) for search in GROWN), *((False, rule) for rule in RULES))
"""With moves sorted or not; best-first cares little."""
DELTA = 100.0
"""Values within a pawn count as one, for conspiracy numbers."""
SEARCHES: dict[str, dict[str, Any]] = {
    "conspiracy": {"delta": DELTA},
    "improved-conspiracy": {"delta": DELTA},
    "best-first": {},
    "alpha-beta": {"table": True, "table_depth": 1, "first_depth": 1, "table_bytes": 1 << 20},
}
"""What is compared by time, with parameters."""
SORTED = "captures(sort=true)"
"""The evaluator: static values after a search of captures, and moves in their order."""

PUBLISHED: dict[str, tuple[float, float]] = {
    "solved": (38, 40),
    "threshold": (2.74, 2.47),
    "expansions": (69_987, 46_582),
}
"""McAllester's rule, and the improved one, on 95 problems."""

BUDGET, QUICK_BUDGET = 5_000, 500
"""Expansions for a problem."""
HALF_AN_HOUR = 1800
"""Seconds that the paper gave to a problem."""
SECOND, QUICK_SECOND = 50e-6, 5e-6
"""What stands for a second of the paper's, in CPU seconds."""
PARTS = (16, 4, 1)
"""The time limits are these parts of the paper's."""
FIRST = 10
"""Expansions until the move is looked at for the first time."""

SUITES = ("wac", "bratko-kopec")


@dataclass(frozen=True)
class Problem:
    """A position and the moves that solve it."""

    name: str
    board: str
    best: frozenset[str]

    def solved_by(self, move: Any) -> bool:
        """Tell whether the move is one of the best."""
        return move in self.best


def read_problems(text: str) -> list[Problem]:
    """Return the problems of a collection: boards with the operations `bm` or `am`, and `id`.

    >>> problem = read_problems('6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra8#; id "mate";')[0]
    >>> problem.name, sorted(problem.best)
    ('mate', ['a1a8'])
    """
    lines = enumerate(text.splitlines(), 1)
    return [_read(line, number) for number, line in lines if line.strip() and not line.startswith("#")]


def _read(line: str, number: int) -> Problem:
    *fields, rest = [*line.split(None, 4), ""][:5] if line.count(" ") >= 4 else [line, ""]
    operations = {
        words[0]: words[1:] for words in (part.split() for part in rest.split(";")) if len(words) > 1
    }
    try:
        position = cn.games.Chess().position(" ".join(fields))
        moves = {position.play(move): move for move in position.moves()}
        named = {
            key: {moves[position.play(move)] for move in operations.get(key, [])} for key in ("bm", "am")
        }
    except cn.ConspiratorError as error:
        raise ArgumentError(f"line {number}: {error}") from None
    best = named["bm"] or (set(moves.values()) - named["am"] if named["am"] else set())
    if not best:
        raise ArgumentError(f"line {number}: name the best moves with bm, or those to avoid with am")
    return Problem(
        " ".join(operations.get("id", [str(number)])).strip('"'), " ".join(fields), frozenset(best)
    )


def problems() -> list[Problem]:
    """Return Win at Chess and the Bratko-Kopec test: 324 problems."""
    folder = files("conspirator.experiments") / "data"
    return [
        problem
        for name in SUITES
        for problem in read_problems((folder / f"{name}.epd").read_text(encoding="utf-8"))
    ]


@dataclass(frozen=True)
class Solution:
    """When a problem was solved: from here on the chosen move was a best one."""

    expansions: int
    threshold: int
    """The conspiracy threshold, CT, at that time; 0 for a search without."""


def solve(problem: Problem, search: str, budget: int, *, sort: bool) -> Solution | None:
    """Grow a tree and return when it had found the solution for good, if it had."""
    position = cn.games.Chess().position(problem.board)
    evaluator = SORTED if sort else "captures"
    result = grow(position, search, evaluator=evaluator, **SEARCHES[search], expansions=FIRST)
    found, ct = None, 0
    while True:
        if search in RULES:
            ct = threshold(result) or ct
        if not problem.solved_by(result.move):
            found = None
        elif found is None:
            found = Solution(result.expansions, ct)
        if result.status == "interrupted":
            raise KeyboardInterrupt
        left = budget - result.expansions
        if result.limit != "expansions" or left <= 0:
            return found
        result = result.resume(expansions=min(max(FIRST, result.expansions // 10), left))


def threshold(result: cn.Result) -> int:
    """Return the CT that the search is at: the least with more than one likely value; 0 if there is none.

    >>> position = cn.games.Chess().start()
    >>> threshold(cn.search(position, "conspiracy", evaluator="captures", expansions=1))
    2
    """
    likely = (result.interval(n) for n in range(1, 100))
    wide = (ct for ct, (low, high) in enumerate(likely, 2) if high - low > DELTA)
    return next(wide, 0)


def solves_in(problem: Problem, search: str, seconds: float) -> bool:
    """Tell whether a search chooses a best move after so much CPU time."""
    position = cn.games.Chess(keys="board").position(problem.board)
    result = grow(position, search, evaluator=SORTED, **SEARCHES[search], cpu_seconds=seconds, nodes=10**15)
    return problem.solved_by(result.move)


Found = Mapping[tuple[bool, str], Sequence[Solution | None]]
"""Solutions by order of moves, and search."""


def chess(work: Work) -> Report:
    """Solve the problems by expansions and by time."""
    everything = problems()
    if work.games > len(everything):
        raise ArgumentError(f"there are {len(everything)} problems, not {work.games}")
    chosen = [everything[at * len(everything) // work.games] for at in range(work.games)]
    budget = QUICK_BUDGET if work.quick else BUDGET
    second = work.seconds or (QUICK_SECOND if work.quick else SECOND)
    limits = [HALF_AN_HOUR * second / part for part in PARTS]

    def one(problem: Problem) -> tuple[list[Solution | None], list[bool]]:
        grown = [solve(problem, search, budget, sort=sort) for sort, search in KINDS]
        return grown, [solves_in(problem, search, limit) for limit in limits for search in SEARCHES]

    answers = work.over(one, chosen, "problems")
    found: Found = {kind: [grown[at] for grown, _ in answers] for at, kind in enumerate(KINDS)}
    rows: list[list[Cell]] = []
    for sort in (True, False):
        rows += compare(found, sort)
    for at, limit in enumerate(limits):
        counts = [
            sum(timed[at * len(SEARCHES) + place] for _, timed in answers) for place in range(len(SEARCHES))
        ]
        rows.append(["by gain", f"solved in {1000 * limit:.3g} ms", None, None, *counts, None])
    agreement = [row[-1] == "yes" for row in rows if row[-1] is not None]
    return Report(
        title=f"Conspiracy numbers on {len(chosen)} chess problems",
        paper=f"{PAPER}, Section 5",
        columns=["moves", "figure", "McAllester, published", "improved, published", *SEARCHES, "agrees"],
        rows=rows,
        agrees=all(agreement),
        draw=lambda axes: draw(axes, found, budget),
        convention=[
            f"{len(chosen)} of the {len(everything)} problems of Win at Chess and the Bratko-Kopec test, "
            f"{budget:,} expansions each. A problem is solved if the chosen move is a best move at the end. "
            "It was found when the chosen move became a best move for good; that is looked at whenever "
            "expansions are a tenth more.",
            "Iterative thresholds; CT is the one that the search is at when the move is found. Values within "
            "a pawn of each other count as one (delta=100). Static values are from a search of captures.",
            "Threshold and expansions are over the problems that both rules solve. Sons are ordered by what "
            "a move gains at once (sort=True), or as they are generated.",
            f"By time: the paper's half an hour is {1000 * limits[-1]:.3g} ms of CPU time; equal boards "
            "are equal in alpha-beta's table, of 1 MiB.",
            "Agreement: the improved rule is ahead where it is in the paper.",
        ],
        notes=[
            "The paper's 95 problems cannot be had, and its evaluation is another one. They are said to be "
            "difficult for people; most of these here are not, so more are solved, with fewer expansions.",
            "A pawn as delta was chosen among 50, 100 and 200 after a look at each twelfth problem, because "
            "it gives thresholds like the paper's; which rule is ahead there differs from one to the other.",
            f"Solved by time depends on the machine; up to {work.processes} problems were searched at once.",
        ],
    )


def compare(found: Found, sort: bool) -> list[list[Cell]]:
    """Return the rows of one order of moves: solved, threshold, and expansions."""
    both = [
        at
        for at, pair in enumerate(zip(*(found[sort, rule] for rule in RULES), strict=True))
        if None not in pair
    ]
    solved: list[Cell] = [
        sum(answer is not None for answer in found[sort, search]) if (sort, search) in found else None
        for search in GROWN
    ]

    def pick(search: str, what: str) -> list[int]:
        picked: Iterable[Solution | None] = (found[sort, search][at] for at in both)
        return [getattr(answer, what) for answer in picked if answer is not None]

    rows: list[list[Cell]] = []
    moves = "by gain" if sort else "as generated"

    def add(figure: str, key: str | None, ours: list[Cell]) -> None:
        published = PUBLISHED.get(key or "") if sort else None
        agrees = None
        if published is not None:
            agrees = yes(_order(published) == _order((ours[0], ours[1])))
        rows.append([moves, figure, *(published or (None, None)), *ours, None, agrees])

    add("problems solved", "solved", solved)
    add("solved by both rules", None, [len(both), len(both), None])
    if both:
        thresholds: list[Cell] = [round(mean(pick(rule, "threshold")), 2) for rule in RULES]
        add("mean threshold", "threshold", [*thresholds, None])
        for name, of in (("mean", mean), ("median", median)):
            counts: list[Cell] = [round(of(pick(rule, "expansions"))) for rule in RULES]
            add(f"{name} expansions", "expansions" if of is mean else None, [*counts, None])
    return rows


def _order(pair: Sequence[Any]) -> int:
    """Return which of two numbers is the greater: -1, 0 or 1."""
    return int(pair[0] > pair[1]) - int(pair[0] < pair[1])


def draw(axes: Axes, found: Found, budget: int) -> None:
    """Draw how many problems are solved after so many expansions."""
    for (sort, search), answers in found.items():
        counts = sorted(answer.expansions for answer in answers if answer is not None)
        axes.step(
            [*counts, budget],
            [*range(1, len(counts) + 1), len(counts)],
            "-" if sort else ":",
            where="post",
            color=f"C{GROWN.index(search)}",
            linewidth=1,
            label=search + ("" if sort else ", unsorted"),
        )
    axes.set(xscale="log", xlabel="expansions", ylabel="problems solved for good")
    axes.legend(frameon=False)
