"""The walk of a game of connection, where a stone too many never hurts: replies outside a carrier are met already."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .rejected import Rejected


def walk_cells(
    rules: Any, root: Any, holds: Callable[[float], bool], by_max: bool, choose: Callable[[], int]
) -> int:
    """Walk a strategy until the prover's stones join the edges, by themselves or by bridges.

    Every walk returns its carrier: the empty cells that the strategy needs. An answer to one reply is an answer to
    all replies outside its carrier too; the walk goes on until no reply is left that lies in all carriers.
    """
    if not holds(1.0 if by_max else -1.0):
        raise Rejected("nobody gets so much")
    own, free, to_move = rules.side(root, by_max)
    met: dict[tuple[int, int], int] = {}
    answered: dict[tuple[int, int], int] = {}

    def answer(own: int, free: int) -> int:
        carrier = answered.get((own, free))
        if carrier is None:
            cell = 1 << choose()
            if not cell & free:
                raise Rejected("a choice is no empty cell")
            carrier = answered[own, free] = cell | meet(own | cell, free ^ cell)
        return carrier

    def meet(own: int, free: int) -> int:
        carrier = met.get((own, free))
        if carrier is None:
            carrier = linked(rules, own, free)
            if carrier is not None:
                return carrier
            if not free:
                raise Rejected("a line of its strategy does not join the edges")
            todo, carrier = free, 0
            while todo:
                needed = answer(own, free ^ (todo & -todo))
                todo &= needed
                carrier |= needed
            met[own, free] = carrier
        return carrier

    if to_move:
        answer(own, free)
    else:
        meet(own, free)
    return len(met) + len(answered)


def linked(rules: Any, own: int, free: int) -> int | None:
    """Return the cells of bridges by which stones join the edges, no cell in two of them; None if they do not.

    A bridge is two empty cells of which the prover gets one. Groups are reached from the near edge: by stones, by the
    first of six bridges that leads to a new stone, and to the lowest such stone; from the edge itself last.
    """
    step, flood = rules.step, rules.flood
    (near_one, near_two), (far_one, far_two) = rules.edges
    reached = flood(own & rules.near, own)
    groups = [(reached, 0)]
    while True:
        if reached & rules.far:
            return next(used for group, used in groups if group & rules.far)
        last = reached & rules.beside[1]
        last = last and last & step(free, (far_one + 3) % 6) & step(free, (far_two + 3) % 6)
        if last:
            last &= -last
            used = next(used for group, used in groups if group & last)
            return used | step(last, far_one) | step(last, far_two)
        rest = own & ~reached
        if not rest:
            return None
        for way in range(6):
            other = (way + 1) % 6
            found = step(step(reached, way) & free, other) & rest
            found = found and found & step(step(reached, other) & free, way)
            if found:
                found &= -found
                one, two = step(found, (way + 3) % 6), step(found, (other + 3) % 6)
                start = step(one, (other + 3) % 6)
                used = next(used for group, used in groups if group & start)
                break
        else:
            found = rest & rules.beside[0]
            found = found and found & step(free, (near_one + 3) % 6) & step(free, (near_two + 3) % 6)
            if not found:
                return None
            found &= -found
            one, two, used = step(found, near_one), step(found, near_two), 0
        group = flood(found, own)
        groups.append((group, used | one | two))
        reached |= group
        free &= ~(one | two)
