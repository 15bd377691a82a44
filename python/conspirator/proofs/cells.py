"""The walk of a game of connection, where a stone too many never hurts: replies outside a carrier are met
already.

A *place* is an edge or a stone. Every walk joins two places and returns what that *needs*: its carrier, which
are empty cells, and stones. With these a strategy works again, whatever else is on the board.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from operator import or_
from typing import Any

from .rejected import Rejected

NEAR, FAR = 0, -1
Needs = tuple[int, int]


def walk_cells(
    rules: Any, root: Any, holds: Callable[[float], bool], by_max: bool, choose: Callable[[], int]
) -> int:
    """Walk a strategy that joins the edges; return how many problems there are."""
    if not holds(1.0 if by_max else -1.0):
        raise Rejected("nobody gets so much")
    own, free, to_move = rules.side(root, by_max)
    met: dict[Any, Needs] = {}
    answered: dict[Any, Needs] = {}
    shown: dict[tuple[int, int, int], Needs] = {}

    def answer(one: int, two: int, own: int, free: int) -> Needs:
        """Follow the move that was chosen."""
        needs = answered.get((one, two, own, free))
        if needs is None:
            cell = 1 << min(choose(), 128)
            if not cell & free:
                raise Rejected("a choice is no empty cell")
            carrier, stones = meet(one, two, own | cell, free ^ cell)
            needs = answered[one, two, own, free] = carrier | cell, stones & ~cell
        return needs

    def meet(one: int, two: int, own: int, free: int) -> Needs:
        """Meet all replies: by bridges, by a strategy that was shown before, in two parts that share no cell,
        or one after another.

        An answer to one reply is an answer to all replies outside its carrier.
        """
        problem = one, two, own, free
        needs = met.get(problem) or linked(rules, *problem)
        if needs:
            return needs
        choice, cells = choose(), rules.size**2
        if choice > cells:
            needs = met[problem] = shown.get((one, two, choice - cells - 1), (-1, -1))
            if needs[0] & ~free or needs[1] & ~own:
                raise Rejected("a choice is no strategy that fits")
            return needs
        parts: list[Needs] = []
        if choice:
            middle = 1 << choice - 1
            if not middle & own or middle in (one, two):
                raise Rejected("a choice is no stone between")
            parts.append(meet(one, middle, own, free))
            parts.append(meet(middle, two, own, free & ~parts[0][0]))
        elif not free:
            raise Rejected("a line of its strategy does not join the edges")
        else:
            todo = free
            while todo:
                reply = 1 << min(choose(), 128)
                if not reply & todo:
                    raise Rejected("a reply is met twice, or cannot be made")
                parts.append(answer(one, two, own, free ^ reply))
                todo &= parts[-1][0]
        carrier, stones = (reduce(or_, kind) for kind in zip(*parts, strict=True))
        needs = met[problem] = shown[one, two, len(shown)] = carrier, stones
        return needs

    (answer if to_move else meet)(NEAR, FAR, own, free)
    return len(met) + len(answered)


def linked(rules: Any, one: int, two: int, own: int, free: int) -> Needs | None:
    """Return the cells of bridges by which stones join two places, no cell in two of them, and these stones;
    None if they do not.

    A bridge is two empty cells of which the prover gets one. Groups are reached from the first place: by
    stones, by the first of six bridges that leads to a new stone, and to the lowest such stone; from an edge
    by its own last.
    """
    step, flood = rules.step, rules.flood
    goal = flood(own & rules.far if two == FAR else two, own)
    reached = flood(own & rules.near if one == NEAR else one, own)
    groups = [(reached, 0, 0)]

    def way(cells: int) -> Needs:
        group, used, stones = next(found for found in groups if found[0] & cells)
        return used, stones | flood(group & cells & -(group & cells), own)

    while True:
        if reached & goal:
            return way(goal)
        last = reached & rules.beside[1] if two == FAR else 0
        if last and (last := last & rules.bridged(1, free)):
            used, stones = way(last & -last)
            return used | rules.edge_bridge(1, last & -last), stones
        rest = own & ~reached
        for direction in range(6) if rest else ():
            other = (direction + 1) % 6
            found = step(step(reached, direction) & free, other) & rest
            if found and (found := found & step(step(reached, other) & free, direction)):
                found &= -found
                via = step(found, (direction + 3) % 6)
                used, stones = way(step(via, (other + 3) % 6))
                bridge = via | step(found, (other + 3) % 6)
                break
        else:
            found = rest & rules.bridged(0, free) if one == NEAR else 0
            if not found:
                return None
            used, stones, bridge = 0, 0, rules.edge_bridge(0, found := found & -found)
        group = flood(found, own)
        groups.append((group, used | bridge, stones))
        reached |= group
        free &= ~bridge
