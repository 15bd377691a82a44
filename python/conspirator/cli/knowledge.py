"""`conspirator analyze hex --show ...`: what is known of a position of Hex without searching it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import click
from rich.console import Console
from rich.text import Text

import conspirator as cn
from conspirator.cli.analysis import without_infinities
from conspirator.cli.board import draw, players
from conspirator.cli.show import make_console
from conspirator.hex import EDGES, Connection, Knowledge, in_order, knowledge

_LETTERS = {"dead": "d", "captured": "c", "vulnerable": "v", "dominated": "-"}
POLICY = "policy"
_MOST_LINES = 60
"""Lines of a list on the terminal; --json has all."""


@dataclass(frozen=True)
class View:
    """One way to look at what is known: marks for the board, and lines of a list."""

    marks: Callable[[Knowledge], Mapping[str, str]]
    legend: str
    lines: Callable[[Knowledge], Iterable[str]]


def _carriers(known: Knowledge) -> dict[str, str]:
    """Mark the cells that full connections between stones or edges need."""
    marks: dict[str, str] = {}
    empty = set(known.position.moves()) | {cell for cells in known.filled.values() for cell in cells}
    for claim in known.connections:
        if claim.full and not empty & set(claim.ends):
            mine = "x" if claim.player == "max" else "o"
            marks |= {cell: mine if marks.get(cell, mine) == mine else "+" for cell in claim.carrier}
    return marks


def _list_connections(known: Knowledge) -> Iterable[str]:
    names = players("hex")
    # edge to edge first, then what has fewest cells: the order in which people look
    worth = sorted(known.connections, key=lambda c: (-_edges(c), not c.full, len(c.carrier), c.ends))
    return (f"{names[claim.player]}  {claim}" for claim in worth)


def _edges(claim: Connection) -> int:
    return sum(end in EDGES[claim.player] for end in claim.ends)


def _mustplay(known: Knowledge) -> dict[str, str]:
    return dict.fromkeys(known.mustplay or (), "*")


def _tenths(scores: Mapping[str, float]) -> dict[str, str]:
    """Mark the cells by tenths of the greatest score."""
    most = max(scores.values(), default=0.0)
    return {cell: str(min(9, int(10 * score / most))) for cell, score in scores.items() if most > 0}


def _ranked(scores: Mapping[str, float]) -> Iterable[str]:
    return (f"{cell}  {score:.4g}" for cell, score in sorted(scores.items(), key=lambda entry: -entry[1]))


VIEWS = {
    "connections": View(
        _carriers, "x, o: cells of X's and O's full connections; +: of both", _list_connections
    ),
    "inferior": View(
        lambda known: {cell: _LETTERS.get(why, "?") for cell, why in known.inferior.items()},
        "d dead, c captured, v vulnerable, - dominated",
        lambda known: (f"{cell}  {known.inferior[cell]}" for cell in in_order(known.inferior)),
    ),
    "mustplay": View(
        _mustplay,
        "*: the only cells where the player to move can still stop the other",
        lambda known: [
            "anywhere" if known.mustplay is None else " ".join(in_order(known.mustplay)) or "none"
        ],
    ),
    "energies": View(
        lambda known: _tenths(known.energies),
        "0 to 9: tenths of the greatest energy",
        lambda known: _ranked(known.energies),
    ),
    POLICY: View(
        lambda known: _tenths(known.policy),
        "0 to 9: tenths of the most that the network thinks of a move",
        lambda known: _ranked(known.policy),
    ),
}
"""What can be shown, by name."""


def show_knowledge(position: cn.Position, what: str, *, as_json: bool) -> None:
    """Print what is known of a position: a picture and a list, or JSON."""
    known = knowledge(position, network=what == POLICY)
    if as_json:
        click.echo(json.dumps(without_infinities(describe(known)), indent=2, allow_nan=False))
    else:
        print_knowledge(known, what, make_console())


def describe(known: Knowledge) -> dict[str, Any]:
    """Return everything that is known as plain data."""
    position = known.position
    return {
        "game": "hex",
        "position": position.notation(),
        "picture": str(position),
        "to_move": position.to_move,
        "winner": known.winner,
        "filled": {side: in_order(cells) for side, cells in known.filled.items()},
        "mustplay": None if known.mustplay is None else in_order(known.mustplay),
        "moves": list(known.moves),
        "inferior": dict(known.inferior),
        "energies": dict(known.energies),
        "policy": dict(known.policy),
        "value": known.value,
        "resistance": dict(known.resistance),
        "connections": [
            {
                "player": claim.player,
                "ends": list(claim.ends),
                "full": claim.full,
                "carrier": in_order(claim.carrier),
            }
            for claim in known.connections
        ],
    }


def print_knowledge(known: Knowledge, what: str, console: Console) -> None:
    """Print the board with marks, what they mean, who wins if that is known, and the list."""
    view, names = VIEWS[what], players("hex")
    console.print(draw("hex", mark(str(known.position), view.marks(known))))
    console.print(Text(view.legend, style="dim"))
    if known.winner is not None:
        console.print(Text(f"{names[known.winner]} wins", style="bold green"))
    lines = list(view.lines(known))
    console.print()
    for line in lines[:_MOST_LINES]:
        console.print(line, soft_wrap=True)
    if len(lines) > _MOST_LINES:
        console.print(Text(f"and {len(lines) - _MOST_LINES:,} more", style="dim"))


def mark(picture: str, marks: Mapping[str, str]) -> str:
    """Return the picture of a board with marks on empty cells.

    >>> print(mark(str(cn.games.Hex(size=2).position("a1")), {"a1": "?", "b1": "*"}))
       a b
     1  X *
      2  . .
    """
    header, *rows = picture.splitlines()
    lines = [header]
    for row, line in enumerate(rows, 1):
        number, *stones = line.split()
        cells = [
            marks.get(f"{chr(ord('a') + column)}{row}", stone) if stone == "." else stone
            for column, stone in enumerate(stones)
        ]
        lines.append(f"{line[: line.index(number) + len(number)]}  {' '.join(cells)}")
    return "\n".join(lines)
