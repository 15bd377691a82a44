"""The walk of a game of connection, where a stone too many never hurts: replies outside a carrier are met
already.

A *place* is an edge or a stone. Every walk joins two places and returns its *carrier*: the empty cells that
it needs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .rejected import Rejected

NEAR, FAR = 0, -1


def walk_cells(
    rules: Any, root: Any, holds: Callable[[float], bool], by_max: bool, choose: Callable[[], int]
) -> int:
    """Walk a strategy that joins the edges; return how many problems there are."""
    if not holds(1.0 if by_max else -1.0):
        raise Rejected("nobody gets so much")
    own, free, to_move = rules.side(root, by_max)
    met: dict[Any, int] = {}
    answered: dict[Any, int] = {}

    def answer(one: int, two: int, own: int, free: int) -> int:
        """Follow the move that was chosen."""
        carrier = answered.get((one, two, own, free))
        if carrier is None:
            cell = 1 << min(choose(), 128)
            if not cell & free:
                raise Rejected("a choice is no empty cell")
            carrier = answered[one, two, own, free] = cell | meet(one, two, own | cell, free ^ cell)
        return carrier

    def meet(one: int, two: int, own: int, free: int) -> int:
        """Meet all replies: by bridges, in two parts that share no cell, or one after another.

        An answer to one reply is an answer to all replies outside its carrier.
        """
        carrier: int | None = met.get((one, two, own, free))
        if carrier is None:
            carrier = linked(rules, one, two, own, free)
        if carrier is not None:
            return carrier
        stone = choose()
        if stone:
            middle = 1 << min(stone - 1, 128)
            if not middle & own or middle in (one, two):
                raise Rejected("a choice is no stone between")
            first = meet(one, middle, own, free)
            carrier = first | meet(middle, two, own, free & ~first)
        else:
            if not free:
                raise Rejected("a line of its strategy does not join the edges")
            todo, carrier = free, 0
            while todo:
                reply = 1 << min(choose(), 128)
                if not reply & todo:
                    raise Rejected("a reply is met twice, or cannot be made")
                needed = answer(one, two, own, free ^ reply)
                todo &= needed
                carrier |= needed
        met[one, two, own, free] = carrier
        return carrier

    (answer if to_move else meet)(NEAR, FAR, own, free)
    return len(met) + len(answered)


def linked(rules: Any, one: int, two: int, own: int, free: int) -> Any:
    """Return the cells of bridges by which stones join two places, no cell in two of them; None if they do
    not.

    A bridge is two empty cells of which the prover gets one. Groups are reached from the first place: by
    stones, by the first of six bridges that leads to a new stone, and to the lowest such stone; from an edge
    by its own last.
    """
    step, flood = rules.step, rules.flood
    goal = flood(own & rules.far if two == FAR else two, own)
    reached = flood(own & rules.near if one == NEAR else one, own)
    groups = [(reached, 0)]
    while True:
        if reached & goal:
            return next(used for group, used in groups if group & goal)
        last = reached & rules.beside[1] if two == FAR else 0
        if last and (last := last & rules.bridged(1, free)):
            used = next(used for group, used in groups if group & last & -last)
            return used | rules.edge_bridge(1, last & -last)
        rest = own & ~reached
        for way in range(6) if rest else ():
            other = (way + 1) % 6
            found = step(step(reached, way) & free, other) & rest
            if found and (found := found & step(step(reached, other) & free, way)):
                found &= -found
                via = step(found, (way + 3) % 6)
                start = step(via, (other + 3) % 6)
                used = next(used for group, used in groups if group & start)
                bridge = via | step(found, (other + 3) % 6)
                break
        else:
            found = rest & rules.bridged(0, free) if one == NEAR else 0
            if not found:
                return None
            used, bridge = 0, rules.edge_bridge(0, found := found & -found)
        group = flood(found, own)
        groups.append((group, used | bridge))
        reached |= group
        free &= ~bridge
