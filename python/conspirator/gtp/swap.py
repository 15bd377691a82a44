"""The swap rule of Hex, for a player whose evaluation says who is ahead: a network, and not a circuit."""

from __future__ import annotations

import conspirator as cn
from conspirator._forms import Forms


def knows_when(forms: Forms) -> bool:
    """Tell whether a game has the swap rule and an evaluation that says when to use it."""
    return forms.swaps and forms.learnt


def fair_opening(forms: Forms, start: cn.Position) -> str:
    """Return the opening after which the chances are nearest to even: the other side will choose.

    >>> forms = Forms("hex", {"size": 5, "swap": True, "knowledge": True, "network": True})
    >>> fair_opening(forms, forms.rules.start()) != "c3"
    True
    """
    low, high = start.value_range

    def unfairness(move: str) -> float:
        return abs(forms.searched(start.play(move)).evaluate() - (low + high) / 2)

    return str(min(start.moves(), key=unfairness))


def should_swap(result: cn.Result) -> bool:
    """Tell whether a search of the position without the swap expects to lose it."""
    low, high = result.position.value_range
    even = (low + high) / 2
    return result.value < even if result.position.to_move == "max" else result.value > even
