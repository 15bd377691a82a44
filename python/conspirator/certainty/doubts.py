"""Doubts: which positions matter most for the choice, and what happens if their judgement is wrong."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from conspirator._native import Position
    from conspirator._result import Result


@dataclass(frozen=True)
class Case:
    """One thing that the truth may be, and what follows."""

    outcome: float
    """The outcome of the game from the position in doubt, from Max's side."""
    probability: float
    """How likely that is, by the error model."""
    move: Any
    """The move at the root that is most likely a best one then."""
    confidence: float
    """How likely it is that."""


@dataclass(frozen=True)
class Doubt:
    """A position at the edge of the tree whose judgement matters for the choice."""

    path: list[int]
    """Where it is in the tree, as places among siblings."""
    line: list[Any]
    """The moves that lead to it."""
    position: Position
    """The position itself."""
    value: float
    """Its static value, as the search sees it."""
    relevance: float
    """How much depends on it, in parts of the range of outcomes."""
    cases: list[Case]
    """What it may really be worth, from Max's worst to Max's best."""

    def words(self, chosen: Any) -> str:
        """Say what would change the choice.

        >>> import conspirator as cn
        >>> result = cn.search(cn.games.ConnectFour().position("445326"), "best-first", expansions=300)
        >>> result.doubts()[0].words(result.move).startswith("after ")
        True
        """
        line = " ".join(map(str, self.line))
        other = [case for case in self.cases if case.move != chosen]
        if not other:
            weakest = min(self.cases, key=lambda case: case.confidence)
            return (
                f"after {line}: {chosen} stays best whatever this is worth, "
                f"with {weakest.confidence:.0%} at the least"
            )
        case = max(other, key=lambda case: case.probability)
        return (
            f"after {line}: worth {case.outcome:g} with {case.probability:.0%}; "
            f"{case.move} would be best then, with {case.confidence:.0%}"
        )


def doubts(result: Result, most: int) -> list[Doubt]:
    """Return the doubts of a search that knows how far its leaves can be trusted."""
    tree, found = result.tree, []
    outcomes = tree.outcomes or []
    moves = result.position.moves()
    for path, relevance, cases in tree._doubts(most) or []:
        leaf = tree.node(path)
        told = zip(outcomes, cases, strict=True)
        found.append(
            Doubt(
                path=path,
                line=leaf.line,
                position=leaf.position,
                value=leaf.value,
                relevance=relevance,
                cases=[Case(outcome, p, moves[place], sure) for outcome, (p, place, sure) in told],
            )
        )
    return found
