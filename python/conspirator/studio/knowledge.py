"""What can be drawn over a board: heat of the candidate moves, and what Hex knows of connections."""

from __future__ import annotations

from typing import Any

import conspirator as cn
from conspirator._errors import ConspiratorError
from conspirator.figures.board import native_name
from conspirator.hex import EDGES, Knowledge

MOST_CONNECTIONS = 40
"""Connections that are drawn: those with the smallest carriers."""


def heats(position: cn.Position) -> dict[str, dict[str, float]]:
    """Return the kinds of heat that a position's evaluators give, each from 0 to 1 by move.

    >>> import conspirator as cn
    >>> sorted(heats(cn.games.Hex(size=5).start()))
    ['energy', 'policy']
    """
    if position.outcome is not None:
        return {}
    found: dict[str, dict[str, float]] = {}
    if native_name(position) == "hex":
        for kind, evaluator, name in (("energy", "knowledge", "energies"), ("policy", "network", "policy")):
            try:
                facts = position.facts(evaluator) or {}
            except ConspiratorError:
                continue
            if facts.get(name):
                found[kind] = _scaled(dict(facts[name]))
        return found
    try:
        scores = position.move_scores()
    except ConspiratorError:
        scores = None
    if scores:
        found["policy"] = _scaled(dict(zip(map(str, position.moves()), scores, strict=True)))
    return found


def _scaled(scores: dict[str, float]) -> dict[str, float]:
    most = max(scores.values(), default=0.0)
    return {move: score / most for move, score in scores.items()} if most > 0 else {}


def connections(position: cn.Position) -> dict[str, Any]:
    """Return what is known of a position of Hex: connections, mustplay, filled and inferior cells.

    >>> import conspirator as cn
    >>> known = connections(cn.games.Hex(size=5).position("c3 b2"))
    >>> known["connections"][0]["full"]
    True
    """
    if native_name(position) != "hex" or position.outcome is not None:
        return {}
    known = Knowledge.read(position, position.facts("knowledge") or {})
    # claims of empty cells are many: those of stones and edges tell how the board hangs together
    ends = {*_stones(position), *(edge for pair in EDGES.values() for edge in pair)}
    drawn = [
        claim
        for claim in known.connections
        if claim.full and claim.carrier and all(end in ends for end in claim.ends)
    ]
    drawn.sort(key=lambda claim: (len(claim.carrier), claim.ends))
    pairs: dict[tuple[str, frozenset[str]], Any] = {}
    for claim in drawn:
        pairs.setdefault((claim.player, frozenset(claim.ends)), claim)
    return {
        "winner": known.winner,
        "mustplay": known.mustplay,
        "filled": {side: sorted(cells) for side, cells in known.filled.items()},
        "inferior": dict(known.inferior),
        "connections": [
            {"player": c.player, "ends": c.ends, "full": c.full, "carrier": sorted(c.carrier)}
            for c in list(pairs.values())[:MOST_CONNECTIONS]
        ],
    }


def _stones(position: cn.Position) -> list[str]:
    from conspirator._record import cells

    return [cell for cell, sign in cells(str(position)).items() if sign in "XO"]
