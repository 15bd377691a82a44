"""Calibration: sample positions, find the truth, fit an error model, and check it on other positions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from math import inf, log
from random import Random
from statistics import median
from typing import Any, NamedTuple, cast

import conspirator as cn
from conspirator import _native
from conspirator._certain import NEED_A_MODEL
from conspirator._errors import ArgumentError, ConspiratorError
from conspirator._evaluator import AnyEvaluator, say_evaluator
from conspirator._native import Node, Position
from conspirator._players import default_player
from conspirator._result import Result
from conspirator.certainty.fit import Leaf, fit, log_loss, numpy, prior_loss
from conspirator.certainty.model import Dependence, ErrorModel, Phased, Table, at_phase, written_game
from conspirator.certainty.truth import Outcomes, Solver, Truth, outcomes_of

Report = Callable[[str, int, int], object]
"""A function that is told what is being done, how much of it is done, and how much there is."""

Asked = Callable[[], Any]
"""A function that finds the truth about something that was sampled; None where nobody knows."""

SENSIBLE = 0.5
"""The share of moves before a sampled position that a small search chooses; the others are random."""
_SMALL = 20
_FEW = 4
_ASK_LEAST = ("puct", "prior-penalty")
"""Searches that value a position when it is expanded, and not all its children."""
_HELD_BACK = 4
_GRID = (0.0, 0.15, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
_GROWTH = 0.5
"""The dependence with which `relevance` grows trees: where it is fitted, noise decides."""
_LEAST = 1e-3
_AT_A_TIME = 8
"""Samples that are drawn at a time, for each process."""
KINDS = ("static", "foresight", "aligned", "inherited")
"""The ways to value leaves of which there are models: the mean of random games is none."""


class Root(NamedTuple):
    """A position with the truth about its moves."""

    position: Position
    outcomes: Outcomes

    def is_best(self, move: Any) -> bool:
        """Tell whether a move is a best one."""
        return self.outcomes.is_best(move)

    def among(self, outcomes: Sequence[float]) -> Root:
        """Return the same with its outcomes as a model tells them apart."""
        return Root(self.position, replace(self.outcomes, apart=outcomes))


@dataclass(frozen=True)
class Sampler:
    """Positions to learn from: after a few moves of which some are random and some sensible."""

    game: Any
    evaluator: AnyEvaluator
    truth: Truth
    plies: tuple[int, int]
    random: Random

    def position(self) -> Position:
        """Return a position that is not over."""
        for _ in range(1000):
            position = self.game.start()
            for _ in range(self.random.randint(*self.plies)):
                if position.outcome is not None:
                    break
                moves = position.moves()
                if self.random.random() < SENSIBLE:
                    move = self.sensible(position)
                else:
                    move = self.random.choice(moves)
                position = position.play(move)
            if position.outcome is None:
                return cast("Position", position)
        raise ArgumentError(f"games are over before {self.plies[1]} moves: choose fewer plies")

    def sensible(self, position: Position) -> Any:
        """Return a small search's move. Where a network plays, its own search asks it least often."""
        player = default_player(self.game)
        if player.search in _ASK_LEAST and self.evaluator in (None, player.evaluator):
            return player.think(position, budget=cn.Budget(expansions=_FEW)).move
        return cn.search(position, evaluator=self.evaluator, expansions=_SMALL).move

    def leaf(self, search: str) -> Asked | None:
        """Return how to find who moves at a root, and the truth about a leaf below it; None: no leaf."""
        position = self.position()
        expansions = self.random.randint(1, 4)
        open_leaves = open_below(
            cn.search(position, search, evaluator=self.evaluator, expansions=expansions).tree.root
        )
        if not open_leaves:
            return None
        leaf = self.random.choice(open_leaves)
        phase = float(position.phase - leaf.depth)
        told = (leaf.value, phase, "max" if leaf.is_max else "min")
        return partial(self._judged, position.to_move, leaf.position, told)

    def _judged(
        self, mover: str, position: Position, told: tuple[float, float, str]
    ) -> tuple[str, Leaf] | None:
        outcome = self.truth(position)
        return None if outcome is None else (mover, Leaf(*told, outcome))

    def root(self) -> Root | None:
        """Return a position with the truth about its moves; None if that of some is unknown."""
        return self._root(self.position())

    def asked_root(self, *, solved: bool = False) -> Asked:
        """Return how to find the truth about the moves of a position: any, or one that can be solved."""
        position = self.position()
        while solved and not self.truth.is_exact(position):
            position = self.position()
        return partial(self._root, position)

    def _root(self, position: Position) -> Root | None:
        outcomes = self.truth.moves(position)
        return None if outcomes is None else Root(position, outcomes)


def open_below(root: Node) -> list[Node]:
    """Return the open leaves of a small tree."""
    stack, found = [root], []
    while stack:
        node = stack.pop()
        stack.extend(node.children)
        if node.is_open:
            found.append(node)
    return found


def calibrate(
    game: Any,
    evaluator: AnyEvaluator = None,
    *,
    plies: tuple[int, int],
    searches: Sequence[str] = (),
    leaves: int = 4000,
    positions: int = 1000,
    expansions: int = 300,
    seconds: float = 1.0,
    deep: int | None = None,
    exact: int | None = None,
    solver: Solver | None = None,
    seed: int = 1,
    processes: int = 1,
    report: Report | None = None,
) -> ErrorModel:
    """Return an error model of an evaluator: how far its values can be trusted.

    From `leaves` leaves for each way in which searches value them, after `plies` moves at least and at most,
    with the truth by exact solving in `seconds` each, by a `solver` of yours, or, with `deep`, by the default
    player with so many nodes; with `exact`, positions with so few moves left are solved even so, and all
    outcomes of the game are told apart. The dependence between siblings is fitted for every search on
    `positions` positions with `expansions` expansions (with `exact`, only on such as are solved), once for
    the earlier and once for the later half of them. `searches` names those that matter; all if it is empty.
    `processes` truths are looked for at the same time; the model does not depend on it.

    >>> import conspirator as cn
    >>> from conspirator.certainty.calibrate import calibrate
    >>> model = calibrate(cn.games.Hex(size=3), plies=(0, 4), leaves=600, positions=10, expansions=5)
    >>> model.outcomes, sorted(model.tables)
    ((-1.0, 1.0), ['aligned-max', 'aligned-min', 'inherited', 'static'])
    """
    numpy()
    tell = report or (lambda *_: None)
    grown = growing(game, evaluator)
    if other := set(searches) - grown.keys():
        raise ArgumentError(f"{min(other)!r} has no leaves to judge here; there are {', '.join(grown)}")
    grown = {name: kind for name, kind in grown.items() if name in (searches or grown)}
    truth = Truth(game, evaluator, seconds, deep, solver, exact)
    sampler = Sampler(game, evaluator, truth, plies, Random(seed))
    tables: dict[str, Table] = {}
    made: dict[str, Any] = {
        "version": _native.__version__,
        "plies": list(plies),
        "leaves": leaves,
        "positions": positions,
        "expansions": expansions,
        "seed": seed,
        "truth": truth.described(),
        "log loss": {},
    }
    outcomes: tuple[float, ...] | None = None
    for kind, search in ways(grown).items():
        seen = _sample(partial(sampler.leaf, search), leaves, f"{kind} leaves", tell, processes)
        searched = deep is not None and exact is None
        outcomes = outcomes or outcomes_of(game, [leaf.outcome for _, leaf in seen], deep=searched)
        for name, group in _groups(kind, seen).items():
            kept, held_back = group[len(group) // _HELD_BACK :], group[: len(group) // _HELD_BACK]
            tables[name] = fit(kept, outcomes)
            made["log loss"][name] = [
                round(log_loss(held_back, tables[name]), 4),
                round(prior_loss(held_back, outcomes), 4),
            ]
    draw = partial(sampler.asked_root, solved=exact is not None)
    roots = _sample(draw, positions, "positions", tell, processes)
    if deep is not None and outcomes is not None:
        roots = [root.among(outcomes) for root in roots]
    written = written_game(game) or type(game).__name__
    model = ErrorModel(written, say_evaluator(evaluator), tables, {}, made)
    dependence = {}
    for at, (search, kind) in enumerate(grown.items()):
        tell("searches", at, len(grown))
        dependence[search] = fit_dependence(model, roots, search, kind, evaluator, expansions)
    if dependence:  # searches that were not fitted are like the others
        dependence["any"] = _like_the_others(list(dependence.values()))
    made["unsettled"] = truth.unsettled
    return ErrorModel(written, say_evaluator(evaluator), tables, dependence, made)


def growing(game: Any, evaluator: AnyEvaluator = None) -> dict[str, str]:
    """Return the searches that grow trees of a game, each with how it values leaves.

    >>> import conspirator as cn
    >>> growing(cn.games.ConnectFour())["minmax-approximation"]
    'aligned'
    """
    found = {}
    for name, info in cn.searches().items():
        if info.tree and name not in NEED_A_MODEL:
            with suppress(ConspiratorError):  # not every search suits every game
                leaves = _native.Search(game.start(), name, {}, evaluator, False).leaves
                if leaves in KINDS:
                    found[name] = leaves
    return found | {"relevance": "static"}


def ways(grown: Mapping[str, str]) -> dict[str, str]:
    """Return in which ways searches value leaves, each with one search that does, and needs no model for it.

    >>> ways({"best-first": "static", "minmax-approximation": "aligned", "relevance": "static"})
    {'aligned': 'minmax-approximation', 'static': 'best-first'}
    """
    known = {kind: search for search, kind in reversed([*grown.items()]) if search not in NEED_A_MODEL}
    return known | {kind: "best-first" for kind in grown.values() if kind not in known}


def _groups(kind: str, seen: list[tuple[str, Leaf]]) -> dict[str, list[Leaf]]:
    """Return the leaves by the name of their table: aligned ones depend on who is to move at the root."""
    if kind != "aligned":
        return {kind: [leaf for _, leaf in seen]}
    return {f"aligned-{side}": [leaf for mover, leaf in seen if mover == side] for side in ("max", "min")}


def fit_dependence(
    model: ErrorModel,
    roots: Sequence[Root],
    search: str,
    kind: str,
    evaluator: AnyEvaluator,
    expansions: int,
) -> Phased:
    """Return the dependence with which the stated probabilities of a search lose least, by log loss.

    Once for the half of the positions with fewer moves left, once for the other.
    """
    settings: dict[str, Any] = {}
    if search == "relevance":
        settings = {"rho": _GROWTH, "root_rho": _GROWTH, "error_model": model}
    grown = []
    for root in roots:
        result = cn.search(root.position, search, evaluator=evaluator, expansions=expansions, **settings)
        if result.status != "proven":
            grown.append((root, result))
    grown.sort(key=lambda one: float(one[0].position.phase))
    half = len(grown) // 2
    known: dict[float, Dependence] = {}
    for part in (grown[:half], grown[half:]):
        if part:
            phase = sum(float(root.position.phase) for root, _ in part) / len(part)
            known[round(phase, 1)] = _best_dependence(model, part, search, kind)
    return tuple(sorted(known.items())) or ((0.0, Dependence(0.5, 0.5)),)


def _best_dependence(
    model: ErrorModel, grown: Sequence[tuple[Root, Result]], search: str, kind: str
) -> Dependence:
    best, least = Dependence(0.5, 0.5), inf
    for rho in (_GROWTH,) if search == "relevance" else _GRID:
        for root_rho in _GRID:
            loss = sum(_loss(model, kind, *one, Dependence(rho, root_rho)) for one in grown)
            if loss < least:
                best, least = Dependence(rho, root_rho), loss
    return best


def _like_the_others(fitted: Sequence[Phased]) -> Phased:
    """Return the median of what was fitted, at the ends of the phases."""
    ends = []
    for at in (0, -1):
        phase = median(known[at][0] for known in fitted)
        pairs = [at_phase(known, phase) for known in fitted]
        ends.append((phase, Dependence(*(median(pair[i] for pair in pairs) for i in (0, 1)))))
    return tuple(ends) if ends[0][0] < ends[1][0] else (ends[0],)


def _loss(model: ErrorModel, kind: str, root: Root, result: Result, depends: Dependence) -> float:
    table = model.table(kind, root.position.to_move)
    if table is None:
        return 0.0
    told = (table.native, float(root.position.phase), *depends)
    chances = dict(result.tree._probabilities(told) or [])
    likely = chances.get(root.position.place(result.move), 0.0)
    return -log(min(max(likely if root.is_best(result.move) else 1 - likely, _LEAST), 1.0))


def _sample(
    draw: Callable[[], Asked | None], count: int, what: str, tell: Report, processes: int
) -> list[Any]:
    """Return so many samples whose truth is known; what is drawn does not depend on the processes."""
    found: list[Any] = []
    misses = 0
    with ThreadPoolExecutor(processes) as pool:  # the searches that find the truth run beside each other
        while len(found) < count:
            tell(what, len(found), count)
            drawn = [draw() for _ in range(min(count - len(found), _AT_A_TIME * processes))]
            asked = [one for one in drawn if one is not None]
            known = [one for one in pool.map(lambda ask: ask(), asked) if one is not None]
            found += known
            misses += len(drawn) - len(known)
            if misses > 100 + 20 * len(found):
                raise ArgumentError(
                    f"the truth of too few {what} can be found: choose positions nearer to the end (plies), "
                    "more seconds for each, or --deep"
                )
    tell(what, count, count)
    return found
