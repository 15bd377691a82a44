"""The walk of a game of connection, where a stone too many never hurts: replies outside a carrier are met
already.

A *place* is an edge or a stone. Every walk joins two places and returns what that *needs*: its carrier, which
are empty cells, and stones, moved up by STONES. With these a strategy works again, whatever else is on the
board.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .rejected import demand

NEAR, FAR = 0, -1
STONES = 128


def walk_cells(
    rules: Any, root: Any, holds: Callable[[float], bool], by_max: bool, choose: Callable[[], int]
) -> int:
    """Walk a strategy that joins the edges; return how many problems there are."""
    demand(holds(1.0 if by_max else -1.0), "nobody gets so much")
    own, free, to_move = rules.side(root, by_max)
    met: dict[Any, int] = {}
    answered: dict[Any, int] = {}
    shown: dict[tuple[int, int, int], int] = {}

    def answer(one: int, two: int, own: int, free: int) -> int:
        """Follow the move that was chosen."""
        needs = answered.get((one, two, own, free))
        if needs is None:
            cell = 1 << min(choose(), STONES - 1)
            demand(cell & free, "a choice is no empty cell")
            needs = meet(one, two, own | cell, free ^ cell)
            needs = answered[one, two, own, free] = (needs | cell) & ~(cell << STONES)
        return needs

    def meet(one: int, two: int, own: int, free: int) -> int:
        """Meet all replies: by bridges, by a strategy that was shown before, in two parts that share no cell,
        or one after another.

        An answer to one reply is an answer to all replies outside its carrier.
        """
        problem = one, two, own, free
        needs: int = met.get(problem) or linked(rules, *problem)
        if needs:
            return needs
        choice, cells = choose(), rules.size**2
        if choice > cells:
            needs = met[problem] = shown.get((one, two, choice - cells - 1), -1)
            demand(not needs & ~(own << STONES | free), "a choice is no strategy that fits")
            return needs
        if choice:
            middle = 1 << choice - 1
            demand(middle & own and middle not in (one, two), "a choice is no stone between")
            needs = meet(one, middle, own, free)
            needs |= meet(middle, two, own, free & ~needs)
        else:
            demand(free, "a line of its strategy does not join the edges")
            needs, todo = 0, free
            while todo:
                reply = 1 << min(choose(), STONES - 1)
                demand(reply & todo, "a reply is met twice, or cannot be made")
                needed = answer(one, two, own, free ^ reply)
                todo &= needed
                needs |= needed
        met[problem] = shown[one, two, len(shown)] = needs
        return needs

    (answer if to_move else meet)(NEAR, FAR, own, free)
    return len(met) + len(answered)


def linked(rules: Any, one: int, two: int, own: int, free: int) -> Any:
    """Return the cells of bridges by which stones join two places, no cell in two of them, and these stones;
    None if they do not.

    A bridge is two empty cells of which the prover gets one. Groups are reached from the first place: by
    stones, by the first of six bridges that leads to a new stone, and to the lowest such stone; from an edge
    by its own last.
    """
    step, flood = rules.step, rules.flood
    goal = flood(own & rules.far if two == FAR else two, own)
    reached = flood(own & rules.near if one == NEAR else one, own)
    groups = [(reached, 0)]

    def needed(cells: int) -> int:
        cells, needs = next((group & cells, needs) for group, needs in groups if group & cells)
        return needs | int(flood(cells & -cells, own)) << STONES

    while True:
        if reached & goal:
            return needed(goal)
        last = reached & rules.beside[1] if two == FAR else 0
        if last and (last := last & rules.bridged(1, free)):
            return needed(last & -last) | rules.edge_bridge(1, last & -last)
        rest = own & ~reached
        for way in range(6) if rest else ():
            other = (way + 1) % 6
            found = step(step(reached, way) & free, other) & rest
            if found and (found := found & step(step(reached, other) & free, way)):
                found &= -found
                via = step(found, (way + 3) % 6)
                needs = needed(step(via, (other + 3) % 6))
                bridge = via | step(found, (other + 3) % 6)
                break
        else:
            found = rest & rules.bridged(0, free) if one == NEAR else 0
            if not found:
                return None
            needs, bridge = 0, rules.edge_bridge(0, found := found & -found)
        group = flood(found, own)
        groups.append((group, needs | bridge))
        reached |= group
        free &= ~bridge
