"""One move's thought: a search, and perhaps a proof before it or beside it.

The proof is `solve`'s own for the game: it leaves no moves out but by proof. If it shows that the player to
move wins, its move is made at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from threading import Event, Thread
from typing import TYPE_CHECKING, Any

from conspirator._budget import Budget
from conspirator._native import Position
from conspirator._result import Result
from conspirator._search import Progress, search
from conspirator._solve_proof import Proof, proof_for

if TYPE_CHECKING:
    from conspirator._evaluator import AnyEvaluator
    from conspirator._rule import GrowthRule

BESIDE = "beside"
"""A proof on a thread of its own, for as long as the search takes."""
_NO_LIMIT = 10**15


def think(
    position: Position,
    rule: str | type[GrowthRule],
    parameters: Mapping[str, Any],
    evaluator: AnyEvaluator,
    budget: Budget,
    *,
    proof: float | str = 0.0,
    progress: Progress | None = None,
) -> Result:
    """Search within a budget; `proof` is the part of it for a proof that comes first, or "beside".

    >>> import conspirator as cn
    >>> position, budget = cn.games.Hex(size=4).position("b3"), Budget(seconds=60)
    >>> result = think(position, "best-first", {}, None, budget, proof=0.5)
    >>> result.status
    'proven'
    """
    if proof == BESIDE:
        return _beside(position, rule, parameters, evaluator, budget, progress)
    share = float(proof)
    if share > 0:
        budget = budget.or_else(seconds=1.0)
        solved = _prove(position, proof_for(position), budget.part(share), progress)
        if solved.status == "interrupted" or wins(solved) or share == 1:
            return solved
        budget = budget.part(1 - share)
    return search(position, rule, evaluator=evaluator, budget=budget, progress=progress, **parameters)


def wins(result: Result) -> bool:
    """Tell whether it is proven that the player to move wins, by the greatest margin there is."""
    low, high = result.position.value_range
    best = high if result.position.to_move == "max" else low
    return result.status == "proven" and result.value == best


def _prove(position: Position, proof: Proof, budget: Budget, progress: Progress | None) -> Result:
    return search(
        position,
        proof.search,
        evaluator=proof.evaluator,
        budget=budget,
        progress=progress,
        **proof.parameters,
    )


def _beside(
    position: Position,
    rule: str | type[GrowthRule],
    parameters: Mapping[str, Any],
    evaluator: AnyEvaluator,
    budget: Budget,
    progress: Progress | None,
) -> Result:
    over, proven = Event(), list[Result]()

    def solve() -> None:
        result = _prove(position, proof_for(position), Budget(nodes=_NO_LIMIT), lambda _: not over.is_set())
        if wins(result):
            proven.append(result)

    def tell(facts: dict[str, Any]) -> bool:
        return not proven and (progress is None or progress(facts) is not False)

    thread = Thread(target=solve, daemon=True)
    thread.start()
    try:
        result = search(position, rule, evaluator=evaluator, budget=budget, progress=tell, **parameters)
    finally:
        over.set()
        thread.join()
    return proven[0] if proven else result
