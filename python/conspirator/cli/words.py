"""Numbers and judgements in words."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import conspirator as cn
from conspirator._solve_proof import middle

_STATUS = {
    "proven": "proven: the value can no longer change",
    "converged": "converged: the search has reached its goal",
    "decided": "decided: the move can no longer change, by the search's measure",
    "budget": "budget: spent",
    "interrupted": "interrupted: the answer so far",
}


def say_status(status: str, limit: str | None, budget: Mapping[str, float]) -> str:
    """Say why a search ended.

    >>> say_status("budget", "seconds", {"seconds": 2.0})
    'budget: the 2 seconds are spent'
    """
    if status != "budget" or limit is None:
        return _STATUS.get(status, status)
    if limit == "memory":
        size = f"the {say_bytes(budget[limit])}" if limit in budget else "what the machine has free"
        return f"budget: the memory is full ({size})"
    if limit not in budget:
        return _STATUS["budget"]
    amount = budget[limit]
    verb = "is" if amount == 1 else "are"
    return f"budget: the {say_amount(amount, limit)} {verb} spent"


def say_end(status: str, limit: str | None, budget: Mapping[str, float]) -> str:
    """Say what ended the attempt to solve a position.

    >>> say_end("proven", None, {}), say_end("budget", "expansions", {"expansions": 10})
    ('solved: nothing is left to ask', 'budget: the 10 expansions are spent')
    """
    if status == "proven":
        return "solved: nothing is left to ask"
    if status == "interrupted":
        return "interrupted: what is known so far"
    return say_status(status, limit, budget)


def say_solution(solution: cn.Solution, players: Mapping[str, str]) -> str:
    """Say who wins, and with what."""
    position = solution.position
    mover, other = players[position.to_move], players["min" if position.to_move == "max" else "max"]
    if position.outcome is not None:
        winner = mover if solution.outcome == "win" else other
        return f"The game is over: {'a draw' if solution.outcome == 'draw' else f'{winner} has won'}."
    low, high = map(say_value, solution.bounds)
    move = None if solution.move is None else position.describe(solution.move)
    text = {
        "win": f"{mover}, to move, wins with {move}.",
        "draw": f"{mover}, to move, draws with {move}.",
        "loss": f"{mover}, to move, loses; {move} holds out longest, as far as the search has seen.",
        None: f"Not known: the value is from {low} to {high}.",
    }[solution.outcome]
    if solution.outcome is not None and solution.value is None and solution.status != "proven":
        text += f" The value is from {low} to {high}."
    return text


def say_question(goal: float, value_range: Sequence[float], names: Mapping[str, str]) -> str:
    """Say what was asked.

    >>> say_question(512.0, (1, 1023), {"max": "X", "min": "O"})
    'X gets at least 512'
    >>> say_question(math.nextafter(0, 1), (-1, 1), {"max": "Max", "min": "Min"})
    'Max gets more than 0'
    """
    draw = middle(*value_range)
    if goal == math.nextafter(draw, math.inf):
        return f"{names['max']} gets more than {say_value(draw)}"
    return f"{names['max']} gets at least {say_value(goal)}"


def say_amount(amount: float, unit: str) -> str:
    """Say how many of a unit of the budget.

    >>> say_amount(1, "expansions"), say_amount(20_000, "move_calls")
    ('1 expansion', '20,000 move calls')
    >>> say_amount(5_000, "artificial_time")
    '5,000 units of artificial time'
    """
    if unit == "artificial_time":
        return f"{amount:,.15g} unit{'s' if amount != 1 else ''} of artificial time"
    unit = unit.replace("_", " ")
    return f"{amount:,.15g} {unit[:-1] if amount == 1 else unit}"


def say_bytes(size: float) -> str:
    """Say a size in bytes with the suffix that fits.

    >>> say_bytes(2e9), say_bytes(640)
    ('2 GB', '640 bytes')
    """
    for factor, unit in ((1e9, "GB"), (1e6, "MB"), (1e3, "kB")):
        if size >= factor:
            return f"{size / factor:.3g} {unit}"
    return f"{size:.0f} bytes"


def say_short(count: float) -> str:
    """Say a large number in a few characters.

    >>> say_short(950), say_short(8_846_386)
    ('950', '8.85M')
    """
    for factor, suffix in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if count >= factor:
            return f"{count / factor:#.3g}".rstrip(".") + suffix
    return f"{count:.0f}"


def say_seconds(seconds: float) -> str:
    """Say a time with the digits that matter.

    >>> say_seconds(1.00049), say_seconds(0.000206)
    ('1.000', '0.000206')
    """
    return f"{seconds:.3f}" if seconds >= 0.1 else f"{seconds:.6f}"


def say_value(value: float) -> str:
    """Say a value without needless digits."""
    return f"{value:.6g}"


def favoured(value: float, value_range: tuple[float, float]) -> str | None:
    """Return whom a value favours: 'max', 'min' or 'neither'; None where the game has no middle.

    >>> favoured(600, (1, 1023)), favoured(512, (1, 1023)), favoured(3, (float("-inf"), float("inf")))
    ('max', 'neither', None)
    """
    least, greatest = value_range
    draw = (least + greatest) / 2
    if math.isinf(value):
        return "max" if value > 0 else "min"
    if not math.isfinite(draw):
        return None
    return "neither" if value == draw else "max" if value > draw else "min"


def say_verdict(side: str | None, players: Mapping[str, str], *, final: bool) -> str:
    """Say whom a value favours; `final` if nothing can change it any more.

    >>> say_verdict("max", {"max": "X", "min": "O"}, final=True)
    'X wins'
    """
    if side is None:
        return ""
    if side == "neither":
        return "a draw" if final else "even"
    return f"{players[side]} wins" if final else f"better for {players[side]}"


def say_line(moves: Sequence[Any], most: int = 40) -> str:
    """Say a line of moves, shortened in the middle of nowhere if it is long."""
    words = [str(move) for move in moves[:most]]
    if len(moves) > most:
        words.append(f"... ({len(moves):,} moves)")
    return " ".join(words)


def say_ladder(rungs: Sequence[Mapping[str, Any]]) -> str:
    """Say how far the value can go under 0, 1, 2, ... conspirators: leaves whose value is wrong.

    >>> say_ladder([{"conspirators": n, "low": low, "high": 560} for n, low in enumerate((540, 520, 520))])
    '0 conspirators: [540, 560]; 1-2: [520, 560]'
    """
    groups: list[tuple[list[int], str]] = []
    for rung in rungs:
        interval = f"[{say_value(rung['low'])}, {say_value(rung['high'])}]"
        if not groups or groups[-1][1] != interval:
            groups.append(([], interval))
        groups[-1][0].append(rung["conspirators"])
    words = [f"{counts[0]}-{counts[-1]}" if len(counts) > 1 else str(counts[0]) for counts, _ in groups]
    words[0] += " conspirators"
    return "; ".join(f"{count}: {interval}" for count, (_, interval) in zip(words, groups, strict=True))


def say_change(change: Mapping[str, Any]) -> str:
    """Say which leaves would change the value, and to what.

    >>> say_change({"value": 560, "direction": "up", "leaves": [["4", "4", "5"]]})
    'if the leaf after 4 4 5 were wrong, the value could rise to 560'
    """
    verb = "rise" if change["direction"] == "up" else "fall"
    value = change["value"]
    target = f"to {say_value(value)}" if math.isfinite(value) else "without limit"
    leaves = change["leaves"]
    if len(leaves) == 1:
        which = f"the leaf after {say_line(leaves[0], 20)}" if leaves[0] else "the root"
        return f"if {which} were wrong, the value could {verb} {target}"
    return f"if these {len(leaves)} leaves were all wrong, the value could {verb} {target}:"


def say_confidence(facts: dict[str, Any]) -> str:
    """Say how sure a search is of its move, and of which other one if not.

    >>> rows = [{"move": "4", "best": 0.93}, {"move": "3", "best": 0.3}]
    >>> say_confidence({"move": "4", "confidence": 0.93, "moves": rows})
    '4 is right with 93%; if not, most likely 3'
    """
    text = f"{facts['move']} is right with {facts['confidence']:.0%}"
    others = [row for row in facts["moves"] or [] if row["move"] != facts["move"] and row["best"]]
    if facts["confidence"] < 1 and others:
        text += f"; if not, most likely {max(others, key=lambda row: row['best'])['move']}"
    return text
