"""Moves as people write them: in chess `Nf3`, where programs say `g1f3`."""

from __future__ import annotations

from typing import Any

import conspirator as cn
from conspirator._line import written_line


def for_people(facts: dict[str, Any]) -> dict[str, Any]:
    """Return an analysis or a solution with its moves as people write them; only chess has such a way.

    >>> facts = {"game": "chess", "game_options": {}, "position": "", "move": "g1f3", "line": ["g1f3"]}
    >>> facts = for_people(facts)
    >>> facts["move"], facts["line"]
    ('Nf3', ['Nf3'])
    """
    if facts["game"] != "chess":
        return facts
    start = cn.games.Chess(**facts["game_options"]).position(facts["position"])
    changed = dict(facts)
    if facts["move"] is not None:
        changed["move"] = start.describe(facts["move"])
    changed["line"] = written_line(start, facts["line"])
    for name in ("moves", "iterations"):
        if facts.get(name):
            changed[name] = [{**row, "move": start.describe(row["move"])} for row in facts[name]]
    if facts.get("critical"):
        changed["critical"] = [
            {**change, "leaves": [written_line(start, leaf) for leaf in change["leaves"]]}
            for change in facts["critical"]
        ]
    return changed
