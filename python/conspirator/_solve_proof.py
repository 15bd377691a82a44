"""The proof that suits a game: which search, with which parameters and evaluator."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from conspirator._errors import ArgumentError
from conspirator._evaluator import AnyEvaluator
from conspirator._game import Game
from conspirator._native import Position
from conspirator._search import search, searches

END_GAME = "end-game"
TABLE = "df-pn"
TREE = "sibling-conspiracy"
"""The search of proofs that `cn.solve` may choose, and that keeps a tree."""
MANY = 3
"""With more results than these, `end-game` finds the value at once, instead of one question after another."""
SPECIAL = "connect-four"
"""The game that has a specialist, which `end-game` asks."""


class Proof(NamedTuple):
    """A search that proves, with its parameters and an evaluator."""

    search: str
    parameters: dict[str, Any]
    evaluator: AnyEvaluator = None


def middle(low: float, high: float) -> float:
    """Return the value of a draw: the middle of the range, or 0 where it has none."""
    value = low / 2 + high / 2
    return value if math.isfinite(value) else min(max(0.0, low), high)


def proof_for(position: Position) -> Proof:
    """Return the proof that suits a game best, for one question: does the player to move win?

    >>> import conspirator as cn
    >>> proof_for(cn.games.Hex(size=5).start())
    Proof(search='df-pn', parameters={}, evaluator='knowledge')
    """
    game = position.game
    if isinstance(game, Game):
        scored = not hasattr(game.move_scores, "_not_written")
        keyed = not hasattr(game.key, "_not_written")
        if scored:
            # positions that come back are looked out for in a table only
            return Proof("sibling-conspiracy-table" if keyed else "sibling-conspiracy", {"delta": 0.25})
        return Proof("df-pn", {})
    match getattr(game, "name", None):
        case "hex":
            return Proof("df-pn", {}, "knowledge")
        case "amazons":
            form = {"delta": 0.25, "transpositions": True, "foresight": True}
            return Proof("sibling-conspiracy", form)
        case _:
            return Proof("df-pn", {"foresight": True})  # cheap for native games


def table_form(proof: Proof) -> Proof:
    """Return the same proof by a search with a table, which does not grow with the search.

    >>> table_form(Proof("sibling-conspiracy", {"delta": 0.25, "transpositions": True}))
    Proof(search='sibling-conspiracy-table', parameters={'delta': 0.25}, evaluator=None)
    """
    if proof.search != TREE:
        return proof
    shared = {"transpositions"}  # what shares a table, or has one
    return proof._replace(
        search=f"{TREE}-table", parameters={k: v for k, v in proof.parameters.items() if k not in shared}
    )


def choose_proof(
    position: Position,
    name: str | None,
    threads: int | None,
    parameters: dict[str, Any],
    evaluator: AnyEvaluator,
    *,
    on_disk: bool = False,
    on_cluster: bool = False,
) -> Proof:
    """Check the search and its parameters, or choose one that suits the game; one whose table can be kept."""
    if on_cluster:
        _check_cluster(position, name, threads, evaluator)
    if on_disk or on_cluster:
        if name not in (None, TABLE):
            raise ArgumentError(f"only the table of {TABLE} can be kept in a file: leave out {name!r}")
        if name is None:
            found = proof_for(position)
            usual = found.parameters if found.search == TABLE else {"foresight": True}
            name, parameters = TABLE, {**usual, **parameters}
            evaluator = found.evaluator if evaluator is None else evaluator
    proofs = [proof for proof, info in searches().items() if "goal" in info and "choices" not in info["goal"]]
    if name is not None and name not in proofs:
        if not isinstance(name, str):
            raise ArgumentError(f"the second argument must be a search's name, not {name!r}")
        if name in searches():
            raise ArgumentError(f"{name} does not prove: use {', '.join(proofs[:-1])} or {proofs[-1]}")
        search(position, name, expansions=1)  # raises, with the nearest name
    parameters = {**parameters, **({} if threads is None else {"threads": threads})}
    if name is not None:
        return Proof(name, parameters, evaluator)
    native = not isinstance(position.game, Game)
    many = len(position.results or []) > MANY and position.moves_left is not None
    if native and not parameters and (many or position.game.name == SPECIAL):
        return Proof(END_GAME, {}, evaluator)
    found = proof_for(position)
    if {"threads", "table_bytes", "epsilon"} & parameters.keys():
        found = table_form(found)
    own = found.evaluator if evaluator is None else evaluator
    return Proof(found.search, {**found.parameters, **parameters}, own)


def _check_cluster(
    position: Position, name: str | None, threads: int | None, evaluator: AnyEvaluator
) -> None:
    """Complain of what workers on other machines cannot do."""
    if isinstance(position.game, Game):
        raise ArgumentError("a cluster proves positions of native games: leave out on")
    if name not in (None, TABLE):
        raise ArgumentError(f"a cluster proves by {TABLE}: leave out {name!r}")
    if threads is not None:
        raise ArgumentError("on a cluster every job has one thread: give concurrency instead of threads")
    if not (evaluator is None or isinstance(evaluator, str)):
        raise ArgumentError("on a cluster an evaluator is one of the game's own: give its name")
