"""How long to think about one move of a whole game: less where the choice is sure, more where it is not.

A move has a usual share of what is left for the game, and a limit. What is proven, or the only move, takes no
time. A search that grows a tree ends once it has spent

    usual * (LEAST + (MOST - LEAST) * changed / spent)

where `changed` is when its choice became what it is: one that has stood for long seldom changes any more. A
search that plays the most visited move also ends when no other can catch up in that time (H. Baier and
M. H. M. Winands, "Time management for Monte Carlo tree search", 2016). One that goes from depth to depth
begins no depth that it could hardly complete, and completes what it began; there, when the choice last
changed was no help (see docs/certainty.md).

`puct` with the network of Hex ends once no other move can be expected to gain more than `epsilon` by being
looked at further:

    s_i = c * (1 - q_i^2) / 2 * n_i^-0.2
    gain of a move over the chosen one = s * (phi(t) + t * Phi(t))
    s^2 = s_chosen^2 + s_i^2,  t = (q_i - q_chosen) / s

with q_i the minimax value of move i in [-1, 1] for the player to move, n_i its visits, and phi and Phi the
density and the distribution of the normal law. Means over n positions are better by n^-0.2 only, as a network
errs in the same way in many of them. `epsilon` belongs to a usual share of 100 expansions, and falls as gains
do. `prior-penalty` with that network ends like other searches: there, this rule gained nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import hypot
from statistics import NormalDist
from time import perf_counter, thread_time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from conspirator import _native
    from conspirator._budget import Budget

LEAST, MOST = 0.5, 2.5
"""How much of its usual share a choice takes that has always stood, and one that has just changed."""
NEXT_DEPTH = 0.6
"""A depth begins only before this part of the share is spent: it takes longer than all before it."""
BY_VISITS = frozenset({"uct", "pn-mcts", "puct"})
"""Searches that play the move they have looked at most often."""
_FIRST, _GROWTH = 0.1, 1.35
_NORMAL = NormalDist()
_UNITS = ("seconds", "cpu_seconds", "nodes", "expansions")


@dataclass(frozen=True)
class Sureness:
    """When a search of moves that are visited is sure: once no gain is above epsilon.

    >>> sure = Sureness(c=2.6, epsilon=0.02)
    >>> sure.gain([(0.99, 80), (-0.9, 10)]) < sure.epsilon < sure.gain([(0.9, 80), (0.8, 10)])
    True
    """

    c: float
    epsilon: float
    """For a usual share of 100 expansions."""
    first: float = 0.2
    """The part of the usual share after which it looks for the first time."""
    growth: float = 1.15
    """How much it grows from one look to the next."""

    def gain(self, moves: list[tuple[float, float]]) -> float:
        """Return the most that a move can gain over the first one, by the values and visits of all."""
        (best, visits), *others = moves

        def spread(q: float, n: float) -> float:
            return self.c * (1 - min(q * q, 1.0)) / 2 * float(max(n, 1.0) ** -0.2)

        most = 0.0
        for q, n in others:
            s = hypot(spread(best, visits), spread(q, n)) + 1e-9
            t = (q - best) / s
            most = max(most, s * (_NORMAL.pdf(t) + t * _NORMAL.cdf(t)))
        return most

    def is_met(self, core: _native.Search, usual: float) -> bool:
        """Tell whether a search is sure of its choice, if it usually takes so many expansions."""
        tree, chosen = core.tree(), core.report()["best"]
        if tree is None or chosen is None:
            return False
        sign = 1 if tree.root.is_max else -1
        moves = {
            child.legal_place: (sign * child.value, float(child.numbers["visits"]))
            for child in tree.root.children
        }
        first = moves.pop(chosen, None)
        others = [(q, visits) for q, visits in moves.values() if visits > 0]
        epsilon = self.epsilon * (usual / 100) ** -0.2
        return first is not None and self.gain([first, *others]) <= epsilon


SURE = {("hex", "puct", "network"): Sureness(c=2.6, epsilon=0.021)}
"""Game, search and evaluator of players with a network, and when they are sure (see docs/certainty.md)."""


@dataclass
class Pace:
    """Whether a move has been thought about for long enough.

    >>> pace = Pace(usual=1.0, most=3.0)
    >>> [pace.is_enough(0.2, "a"), pace.is_enough(0.4, "b"), pace.is_enough(0.6, "b")]
    [False, False, False]
    >>> pace.is_enough(0.8, "b"), pace.wanted(0.8), pace.is_enough(1.2, "b")
    (False, 1.5, True)
    """

    usual: float
    most: float
    move: Any = None
    changed: float = 0.0
    """When the choice became what it is."""

    def wanted(self, spent: float) -> float:
        """Return what the move should take in all, as it looks now."""
        recent = self.changed / spent if spent > 0 else 1.0
        return min(self.usual * (LEAST + (MOST - LEAST) * recent), self.most)

    def is_enough(self, spent: float, move: Any) -> bool:
        """Take note of the choice after so much; tell whether that was enough."""
        if move != self.move:
            self.changed = spent if self.move is not None else 0.0
            self.move = move
        return spent >= self.wanted(spent)

    def is_deep_enough(self, spent: float) -> bool:
        """Tell whether a search that has completed a depth had better not begin the next one."""
        return spent >= NEXT_DEPTH * self.usual


def unit_of(budget: Budget) -> str | None:
    """Return what the usual share of a budget is counted in."""
    return next((unit for unit in _UNITS if getattr(budget, unit) is not None), None)


def run(
    core: _native.Search,
    rule: object,
    budget: Budget,
    progress: Callable[[dict[str, Any]], object] | None = None,
    sure: Sureness | None = None,
) -> bool:
    """Let a search run within a budget that has a usual share; tell whether it was ended early on purpose."""
    unit = unit_of(budget)
    limit = None if unit is None else getattr(budget, unit)
    if unit is None or limit is None or budget.usual is None:
        core.run(replace(budget, usual=None).arguments(), progress=progress)
        return False
    pace = Pace(min(budget.usual, limit), limit)
    begun, before = _now(unit), core.report()

    def spent(facts: dict[str, Any]) -> float:
        return facts[unit] - before[unit] if unit in ("nodes", "expansions") else _now(unit) - begun

    if core.tree() is None:
        return _by_depth(core, budget, pace, spent, progress)
    least = 0.0  # what a look must be apart from the last one: an expansion may need more than was given
    while True:
        report = core.report()
        gone = spent(report)
        if sure is not None:
            if gone > 0 and sure.is_met(core, pace.usual / gone * report["expansions"]):
                return False
            look = max(gone * sure.growth, sure.first * pace.usual)
            part = max(look - gone, least)
        else:
            if gone > 0 and pace.is_enough(gone, report["best"]):
                return False
            if gone > 0 and rule in BY_VISITS and _cannot_be_caught(core, pace.wanted(gone) / gone - 1):
                return False
            look = max(gone * _GROWTH, _FIRST * pace.usual)
            part = max(min(look, pace.wanted(gone) if gone > 0 else look) - gone, least)
        part = min(part, limit - gone)
        given: Any = max(int(part), 1) if unit in ("nodes", "expansions") else max(part, 1e-6)
        core.run(replace(budget, usual=None, **{unit: given}).arguments(), progress=progress)
        ended = core.report()
        if ended["status"] != "budget" or ended["limit"] != unit or gone + part >= limit:
            return False
        least = 2 * part if spent(ended) <= gone else 0.0


def _by_depth(
    core: _native.Search,
    budget: Budget,
    pace: Pace,
    spent: Callable[[dict[str, Any]], float],
    progress: Callable[[dict[str, Any]], object] | None,
) -> bool:
    ended = False

    def tell(facts: dict[str, Any]) -> bool:
        nonlocal ended
        ended = bool(facts["line"]) and pace.is_deep_enough(spent(facts))
        return not ended

    core.run(replace(budget, usual=None).arguments(), progress=progress, lines=tell)
    return ended


def _cannot_be_caught(core: _native.Search, more: float) -> bool:
    """Tell whether the most visited move stays ahead if there are so many visits more, in parts of all."""
    tree = core.tree()
    if tree is None or not tree.root.children:
        return False
    sizes = sorted(tree.child_sizes(tree.root), reverse=True)
    return len(sizes) < 2 or sizes[0] - sizes[1] > more * sum(sizes)


def _now(unit: str) -> float:
    return thread_time() if unit == "cpu_seconds" else perf_counter()
