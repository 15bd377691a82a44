"""What solving a position came to."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from time import monotonic
from typing import Any, Literal, NamedTuple

from conspirator._certificate import Certificate
from conspirator._errors import ArgumentError
from conspirator._native import Position, shortest

Outcome = Literal["win", "draw", "loss"]


class Question(NamedTuple):
    """One question that was asked: does Max get at least `goal`?"""

    goal: float
    answer: bool | None
    """None if the budget ended it."""
    expansions: int
    seconds: float


@dataclass(frozen=True, repr=False)
class Solution:
    """What is known of a position's exact value, and what it cost.

    >>> import conspirator as cn
    >>> solution = cn.solve(cn.games.Hex(size=3).position("a1"))
    >>> solution.outcome, solution.value, solution.status
    ('win', -1.0, 'proven')
    """

    position: Position
    """The position that was solved."""
    outcome: Outcome | None
    """'win', 'draw' or 'loss' for the player to move; None if it is not known."""
    value: float | None
    """The exact value from Max's side; None if it is not known."""
    bounds: tuple[float, float]
    """The exact value lies between these, from Max's side."""
    move: Any
    """The first move of the line; None if the game is over."""
    line: list[Any]
    """Moves that keep the value, to the end of the game or to a position that comes back, as far as known."""
    status: Literal["proven", "budget", "interrupted"]
    """'proven' if nothing is left to ask; else what ended it."""
    limit: str | None
    """Which part of the budget ended it, if one did."""
    expansions: int
    """Leaves expanded, for all questions and the line."""
    nodes: int
    """Nodes generated."""
    seconds: float
    """Wall-clock time."""
    search: str | None
    """The search that answered; None if the game was over."""
    parameters: dict[str, Any] = field(default_factory=dict)
    """Its parameters, apart from the goal."""
    evaluator: str | None = None
    """Its evaluator, if it is not the game's usual one."""
    questions: list[Question] = field(default_factory=list)
    """What was asked, in order: (goal, answer, expansions, seconds)."""
    proof: Certificate = field(kw_only=True, compare=False)
    """The strategies that show it: `solution.proof.save(path)` writes them, `cn.verify(path)` checks them."""

    def as_dict(self) -> dict[str, Any]:
        """Return everything but the position and the proof as plain data."""
        names = [entry.name for entry in fields(self) if entry.name not in ("position", "proof")]
        facts = {name: getattr(self, name) for name in names}
        return {
            **facts,
            "bounds": list(self.bounds),
            "line": list(self.line),
            "parameters": dict(self.parameters),
            "questions": [question._asdict() for question in self.questions],
        }

    def best_moves(self, **budget: Any) -> list[Any]:
        """Return all moves that keep the value, in the game's order: in a won position, all winning moves.

        Each move's position is solved, within the budget for all of them together if there is one; moves that
        it does not suffice for are left out.

        >>> import conspirator as cn
        >>> cn.solve(cn.games.Hex(size=3).start()).best_moves()
        ['c1', 'a2', 'b2', 'c2', 'a3']
        """
        from conspirator._solve import solve

        if self.value is None and self.outcome is None:
            raise ArgumentError("the position is not solved: solve it without a budget first")
        began, kept = monotonic(), []
        for move in self.position.moves():
            left = {unit: limit for unit, limit in budget.items() if unit != "seconds"}
            if "seconds" in budget:
                left["seconds"] = max(budget["seconds"] - (monotonic() - began), 1e-3)
            after = self.position.play(move)
            found = solve(after, **left)
            turned = {"win": "loss", "loss": "win", "draw": "draw"}
            same = after.to_move == self.position.to_move
            outcome = found.outcome and (found.outcome if same else turned[found.outcome])
            if self.value == found.value if self.value is not None else self.outcome == outcome:
                kept.append(move)
        return kept

    def shortest(self) -> tuple[int, Any]:
        """Return how many moves the shortest win takes, both players' moves counted, and its first move.

        The winner hurries, and the other holds out as long as possible. It is found by looking at all lines
        of so many moves, for one number after another: a long win takes long.

        >>> import conspirator as cn
        >>> cn.solve(cn.games.ConnectFour().position("5441565551")).shortest()
        (11, '6')
        """
        if self.outcome not in ("win", "loss"):
            raise ArgumentError("nobody is proven to win: there is no shortest win")
        claim = self.proof.claims[0]
        found = shortest(self.position, claim.value, claim.kind == "at least")
        if found is None:
            raise ArgumentError("the win takes more moves than are looked at")
        moves, place = found
        return moves, self.position.moves()[place]

    def _repr_html_(self) -> str:
        from conspirator._html import solution

        return solution(self)

    def __repr__(self) -> str:
        known = f"{self.outcome or 'unknown'}"
        if self.value is not None:
            known += f", value {self.value:g}"
        elif self.outcome is None:
            known += f", value from {self.bounds[0]:g} to {self.bounds[1]:g}"
        move = "" if self.move is None else f" with {self.move}"
        return (
            f"<Solution: {known}{move}, {self.status}, {self.expansions:,} expansions, {self.seconds:.3g} s>"
        )


__all__ = ["Outcome", "Question", "Solution"]
