"""Everything that `analyze` tells, as one dictionary: the JSON output, and what `show` draws."""

from __future__ import annotations

import math
from typing import Any

import conspirator as cn
from conspirator._evaluator import say_evaluator
from conspirator._line import written_line
from conspirator._players import LEVELS, weaker
from conspirator.cli.request import Request
from conspirator.cli.words import favoured, say_status
from conspirator.mates import MOST_PLIES, WIN, find_mate

MOST_NODES_TO_WALK = 30_000_000
"""The subtrees of larger trees are not counted."""

MOST_NODES_TO_QUESTION = 3_000_000
"""Larger trees are not asked for their conspiracies."""

NODES_FOR_A_MATE = 5_000_000
"""What the line of a mate may cost; about a second."""

MOST_CONSPIRATORS = 8
"""How far the ladder of intervals goes."""


def describe(request: Request, result: cn.Result) -> dict[str, Any]:
    """Return all that is known about a finished search."""
    position, player = request.position, request.player
    least, greatest = position.value_range
    root = result.tree.root if result.has_tree else None
    ladder = None if root is None or result.nodes > MOST_NODES_TO_QUESTION else _ladder(result)
    return {
        "game": request.game,
        "game_options": request.game_options,
        "position": plain(position.notation()),
        "picture": str(position),
        "to_move": position.to_move,
        "player": player.name,
        "search": str(player.search),
        "parameters": player.parameters,
        "evaluator": say_evaluator(player.evaluator),
        "budget": player.budget.given(),
        "move": plain(result.move),
        "value": result.value,
        "value_range": [least, greatest],
        "favours": favoured(result.value, (least, greatest)),
        "status": result.status,
        "limit": result.limit,
        "explanation": say_status(result.status, result.limit, limits_of(player)),
        "line": [plain(move) for move in result.line],
        **(_of_chess(result) if request.game == "chess" else {}),
        "picture_after_line": _picture_after_line(result),
        "spent": {
            "expansions": result.expansions,
            "nodes": result.nodes,
            "move_calls": result.move_calls,
            "artificial_time": result.artificial_time,
            "seconds": result.seconds,
            "nodes_per_second": result.nodes / result.seconds if result.seconds else None,
            "bytes_per_node": result.bytes_per_node,
        },
        "depth": result.depth,
        "depth_histogram": None if root is None else root.tree.depth_histogram(),
        "moves": None if root is None else _root_moves(root, result),
        "confidence": result.confidence,
        "doubts": _doubts(result),
        "ladder": ladder,
        "critical": None if ladder is None else _critical(result, ladder),
        "iterations": [{**done, "move": plain(done["move"])} for done in result.iterations],
    }


def _of_chess(result: cn.Result) -> dict[str, Any]:
    """Return what only chess has: moves as people write them, and the shortest mate where a win is proven."""
    facts: dict[str, Any] = {"san": written_line(result.position, result.line), "mate": None}
    if result.status == "proven" and abs(result.value) == WIN:
        mate = find_mate(result.position, MOST_PLIES, nodes=NODES_FOR_A_MATE)
        if mate is not None:
            line = written_line(mate.start, mate.line)
            facts["mate"] = {"moves": mate.moves, "line": mate.line, "san": line}
    return facts


def limits_of(player: cn.Player, budget: cn.Budget | None = None) -> dict[str, float]:
    """Return what a move may take, which at a low level is less than the budget.

    >>> limits_of(cn.Player("best-first", seconds=5, level=1))
    {'nodes': 120, 'seconds': 5.0}
    """
    budget = budget or player.budget
    return (budget if player.level == LEVELS[-1] else weaker(player.level, budget, None)[0]).given()


def plain(thing: Any) -> Any:
    """Return a move or a state in a form that JSON knows: those of a Python game may be any objects."""
    return thing if isinstance(thing, (bool, int, float, str)) else str(thing)


def without_infinities(thing: Any) -> Any:
    """Return the same data with infinities as text, which JSON lacks.

    >>> without_infinities({"value": float("-inf")})
    {'value': '-inf'}
    """
    if isinstance(thing, dict):
        return {name: without_infinities(part) for name, part in thing.items()}
    if isinstance(thing, (list, tuple)):
        return [without_infinities(part) for part in thing]
    if isinstance(thing, float) and not math.isfinite(thing):
        return str(thing)
    return thing


def _root_moves(root: cn.Node, result: cn.Result) -> list[dict[str, Any]]:
    """Return the root's moves in the game's order, with what the tree says about each."""
    sizes = result.tree.child_sizes(root) if result.nodes <= MOST_NODES_TO_WALK else None
    below = sum(sizes) if sizes else 0
    # the moves come from the position: asking each node for its own would list them all every time
    legal = result.position.moves()
    likely = result.probabilities
    return [
        {
            "move": plain(legal[child.legal_place]),
            "value": child.value,
            "solved": child.is_solved,
            "nodes": sizes[child.place] if sizes else None,
            "share": sizes[child.place] / below if sizes else None,
            "best": None if likely is None else likely[legal[child.legal_place]],
        }
        for child in root.children
    ]


def _doubts(result: cn.Result) -> list[dict[str, Any]]:
    """Return the positions that matter most for the choice, with what follows if their judgement is wrong."""
    return [
        {
            "line": [plain(move) for move in doubt.line],
            "value": doubt.value,
            "relevance": doubt.relevance,
            "cases": [{**vars(case), "move": plain(case.move)} for case in doubt.cases],
        }
        for doubt in result.doubts()
    ]


def _ladder(result: cn.Result) -> list[dict[str, Any]]:
    """Return how far the value can go if 0, 1, 2, ... leaves are wrong, up to where it can be anything."""
    least, greatest = result.position.value_range
    rungs: list[dict[str, Any]] = []
    for count in range(MOST_CONSPIRATORS + 1):
        low, high = result.interval(count)
        rungs.append({"conspirators": count, "low": low, "high": high})
        if (low, high) == (least, greatest):
            break
    return rungs


def _critical(result: cn.Result, ladder: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the first change down and the first change up of the ladder, with the leaves behind them."""
    changes = []
    for end in ("low", "high"):
        rung = next((rung for rung in ladder if rung[end] != result.value), None)
        leaves = None if rung is None else result.conspirators(rung[end])
        if rung is None or leaves is None:
            continue
        changes.append(
            {
                "value": rung[end],
                "direction": "down" if end == "low" else "up",
                "conspirators": rung["conspirators"],
                "leaves": [[plain(move) for move in leaf] for leaf in leaves],
            }
        )
    return changes


def _picture_after_line(result: cn.Result) -> str:
    position = result.position
    for move in result.line:
        position = position.play(move)
    return str(position)
