"""Searching a position: the one function that everything else leads to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from conspirator import _native
from conspirator import _pace as pace
from conspirator._budget import Budget
from conspirator._certain import AnyModel, Known
from conspirator._check import RootWatch
from conspirator._errors import ArgumentError, ConspiratorError, GameError
from conspirator._evaluator import AnyEvaluator, resolve
from conspirator._native import Position
from conspirator._result import Recipe, Result
from conspirator._rule import GrowthRule

Progress = Callable[[dict[str, Any]], object]
"""A function that is shown how far a search has come; it stops the search by returning False."""


WORK = frozenset({"batch", "threads"})
"""Settings of all growing searches, with any rule."""

CHANGED = "the game's `play` has changed a state: it must return a new one (`conspirator check` tells more)"


def search(
    position: Position,
    rule: str | GrowthRule | type[GrowthRule] = "best-first",
    /,
    *,
    evaluator: AnyEvaluator = None,
    error_model: AnyModel = None,
    budget: Budget | None = None,
    trace: bool = False,
    progress: Progress | None = None,
    **settings: Any,
) -> Result:
    """Search a position and return the best move found, its value, and how they were found.

    `rule` is the name of a search (see `searches`) or a growth rule of yours. `evaluator` values positions
    and ranks moves: one of `game.evaluators` by name, an object of a class of yours, or a function that gets
    a list of positions and returns their values, or (values, one list of scores each).

    Settings are the parameters of the search, and its budget in any combination: `expansions`, `nodes`,
    `move_calls`, `seconds`, `cpu_seconds` (of the calling thread), `memory` in bytes, `artificial_time` (see
    `cn.Budget`, which can be given as `budget` instead). The search ends inside the first limit that it
    meets, and always with an answer. Without any, it takes one second. `until` ends it earlier: once the move
    is sure enough, as 0.95 (see `Result.confidence`).

    Searches that keep a tree also take `batch`, how many leaves are chosen before any of them is expanded, so
    that an evaluator sees many positions at once, and `threads`, how many threads expand them.

    `error_model`, or its file, says how far the evaluator's values can be trusted; of some of our games it is
    known.

    Ctrl-C ends the search with the answer so far and the status 'interrupted'.

    >>> import conspirator as cn
    >>> result = cn.search(cn.games.ConnectFour().position("4453"), "best-first", expansions=1000)
    >>> result.expansions, result.status
    (1000, 'budget')
    """
    if not isinstance(position, Position):
        raise ArgumentError(
            f"the first argument must be a position, such as game.start(), not {type(position).__name__}"
        )
    budget = Budget.take(settings, budget)
    if isinstance(rule, type) and issubclass(rule, GrowthRule):
        rule = rule(**{name: value for name, value in settings.items() if name not in WORK})
        settings = {name: value for name, value in settings.items() if name in WORK}
    if isinstance(rule, GrowthRule) and settings.keys() - WORK:
        raise ArgumentError(f"a rule object has its parameters already: {', '.join(settings)}")
    if not isinstance(rule, (str, GrowthRule)):
        raise ArgumentError(f"the second argument must be a search's name or a growth rule, not {rule!r}")
    if progress is not None and not callable(progress):
        raise ArgumentError(f"progress must be a function, not {progress!r}")
    resolve(evaluator)  # or an error
    known = Known(position, rule, evaluator, error_model, settings)
    core = _native.Search(position, rule, settings, evaluator, bool(trace), known.at_once())
    if budget.until is not None:
        known.inform(core)
    watch = RootWatch(position)
    try:
        sure = pace.SURE.get((getattr(position.game, "name", ""), str(rule), str(evaluator)))
        ended = pace.run(core, rule, budget, progress, sure) if budget.usual is not None else False
        if budget.usual is None:
            core.run(budget.arguments(), progress=progress)
    except ConspiratorError as error:
        raise (GameError(CHANGED) if watch.changed() else error) from error.__cause__
    except Exception as error:  # the game's own, or a rule's
        if watch.changed():
            raise GameError(CHANGED) from error
        raise
    if watch.changed():
        raise GameError(CHANGED)
    result = Result(position, core, Recipe(rule, settings, evaluator), progress, error_model)
    if ended:  # by its own clock, and not by the user
        result._report["status"] = "budget"
    return result


class SearchInfo(dict[str, dict[str, Any]]):
    """A search's parameters by name: each has a `default`, a `type`, a one-line `meaning`, perhaps `choices`.

    >>> info = searches()["best-first"]
    >>> info["complete"]["default"], info.paper
    (True, 'Korf and Chickering 1996')
    """

    def __init__(self, info: dict[str, Any]) -> None:
        super().__init__(info["parameters"])
        self.summary: str = info["summary"]
        """What the search does, in one line."""
        self.paper: str = info["paper"]
        """Where it comes from."""
        self.tree: bool = info["tree"]
        """Whether it keeps the tree that it grows, which can then be drawn, saved and asked."""

    def as_dict(self) -> dict[str, Any]:
        """Return everything as plain data: summary, paper, tree, parameters."""
        return {
            "summary": self.summary,
            "paper": self.paper,
            "tree": self.tree,
            "parameters": dict(self),
        }


def searches() -> dict[str, SearchInfo]:
    """Return every search by name: its parameters with defaults and meaning.

    >>> "conspiracy" in searches()
    True
    """
    return {name: SearchInfo(info) for name, info in _native.searches().items()}


__all__ = ["Progress", "SearchInfo", "search", "searches"]
