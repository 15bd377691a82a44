"""HTML: pages that need nothing else, tables, and drawings inside a page. All text is escaped."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from conspirator._native import Position, Tree
    from conspirator._result import Result
    from conspirator._solve import Solution
    from conspirator.experiments.report import Report
    from conspirator.matches.standings import MatchResult


def page(title: str, parts: Iterable[str], style: str = "") -> str:
    """Return a whole page; the parts are HTML already, and empty ones are left out."""
    common = (Path(__file__).parent / "page.css").read_text(encoding="utf-8")
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<style>\n{common}{style}</style></head><body>\n"
        + "\n".join([*filter(None, parts), "</body></html>", ""])
    )


def table(header: Iterable[object], rows: Iterable[Iterable[object]]) -> str:
    """Return a table.

    >>> table(["a"], [["1 < 2"]])
    '<table><tr><th>a</th></tr>\\n<tr><td>1 &lt; 2</td></tr></table>'
    """
    return raw_table(map(say, header), (map(say, row) for row in rows))


def raw_table(header: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a table of cells that are HTML already."""
    lines = ["".join(f"<th>{cell}</th>" for cell in header)]
    lines += ["".join(f"<td>{cell}</td>" for cell in row) for row in rows]
    return "<table>" + "\n".join(f"<tr>{line}</tr>" for line in lines) + "</table>"


def say(thing: object) -> str:
    """Return a text, escaped."""
    return escape(str(thing))


def inline(drawing: str, name: str) -> str:
    """Return an SVG file as a part of a page that may have others: its ids begin with a name.

    >>> inline('<?xml version="1.0"?><svg><path id="a"/><use xlink:href="#a"/></svg>', "one")
    '<svg><path id="one-a"/><use xlink:href="#one-a"/></svg>'
    """
    drawing = drawing[drawing.index("<svg") :].strip()
    drawing = re.sub(r'\bid="', f'id="{name}-', drawing)
    return re.sub(r'(url\(#|href="#)', rf"\g<1>{name}-", drawing)


def position(this: Position) -> str:
    """Return a position as a notebook shows it: its board, or its text where there is none."""
    from conspirator.figures.board import player_to_move

    over = "" if this.outcome is None else f", over: {this.outcome:g}"
    return f"{board_or_text(this)}<p>{player_to_move(this)} to move{over}</p>"


def board_or_text(this: Position, move: object = None) -> str:
    """Return a position's picture, with a move marked; its text for games that have no picture."""
    from conspirator.figures.board import board, has_board

    return board(this, move=move).text if has_board(this) else f"<pre>{say(this)}</pre>"


def tree(this: Tree) -> str:
    """Return a tree as a notebook shows it: how large it is, its top, and how sure its value is."""
    from conspirator.figures.small import ladder_picture, search_tree

    counts = this.depth_histogram()
    facts: list[list[object]] = [
        ["nodes", f"{len(this):,}"],
        ["depth", len(counts) - 1],
        ["value", f"{this.root.value:g}"],
    ]
    parts = [table(["tree", ""], facts), search_tree(this).text]
    if len(this) <= MOST_NODES_TO_QUESTION:
        parts.insert(1, ladder_picture(this.ladder(MOST_RUNGS), this.root.value).text)
    return side_by_side(parts)


def side_by_side(parts: Iterable[str]) -> str:
    """Return some parts beside each other, as far as there is room."""
    boxes = "".join(f"<div>{part}</div>" for part in parts)
    return f'<div style="display:flex;flex-wrap:wrap;gap:1.5em;align-items:flex-start">{boxes}</div>'


MOST_NODES_TO_QUESTION = 1_000_000
"""Larger trees are not asked for their intervals just to be shown."""
MOST_RUNGS = 4
"""For so many wrong leaves a notebook shows the interval."""
MOST_MOVES = 10
"""So many of the root's moves are in the table."""


def result(this: Result) -> str:
    """Return the answer of a search as a notebook shows it.

    The board with the move, what it is worth and what it cost; if there is a tree also the root's moves, how
    far the value can go, and the top of the tree.
    """
    from conspirator.figures.small import ladder_picture, search_tree

    rows: list[list[object]] = [
        ["move", this.position.describe(this.move)],
        ["value", f"{this.value:g}"],
        ["status", this.status],
        ["line", " ".join(map(str, this.line))],
        ["expansions, nodes, plies", f"{this.expansions:,}, {this.nodes:,}, {this.depth}"],
    ]
    if this.nodes <= MOST_NODES_TO_QUESTION and this.confidence is not None:
        rows.insert(3, ["a best move with", f"{this.confidence:.0%}"])
        rows += [["doubt", doubt.words(this.move)] for doubt in this.doubts(2)]
    parts = [board_or_text(this.position, this.move), table(["result", ""], rows)]
    if this.has_tree and this.tree.root.children:
        if this.nodes <= MOST_NODES_TO_QUESTION:
            rungs = [this.interval(n) for n in range(MOST_RUNGS + 1)]
            parts[1] += ladder_picture(rungs, this.value).text
        chosen = this.position.place(this.move)
        likely = this.probabilities if this.nodes <= MOST_NODES_TO_QUESTION else None
        parts += [moves_of(this.tree, chosen, likely), search_tree(this.tree, chosen).text]
    return side_by_side(parts)


def moves_of(this: Tree, chosen: int, likely: Mapping[Any, float] | None = None) -> str:
    """Return the root's moves as a table, the chosen one first and in bold, the others by value.

    With `likely` also how likely each is a best one.
    """
    from conspirator.figures.tree import short_numbers

    root = this.root
    sign = -1 if root.is_max else 1
    rows = sorted(
        zip(root.children, this.child_sizes(root), strict=True),
        key=lambda row: (row[0].legal_place != chosen, sign * row[0].value),
    )
    cells = [
        [
            f"<strong>{say(child.move)}</strong>" if child.legal_place == chosen else say(child.move),
            f"{child.value:g}",
            *([] if likely is None else [f"{likely.get(child.move, 0.0):.0%}"]),
            f"{size:,}",
            say(", ".join(short_numbers(child.numbers))),
        ]
        for child, size in rows[:MOST_MOVES]
    ]
    if len(rows) > MOST_MOVES:
        cells.append(
            [
                f"{len(rows) - MOST_MOVES:,} more",
                *([""] * (1 + bool(likely))),
                f"{sum(size for _, size in rows[MOST_MOVES:]):,}",
                "",
            ]
        )
    best = [] if likely is None else ["a best one"]
    return raw_table(["move", "value", *best, "nodes", "numbers of the search"], cells)


def solution(this: Solution) -> str:
    """Return a solution as a notebook shows it."""
    low, high = this.bounds
    value = f"{low:g} ... {high:g}" if this.value is None else f"{this.value:g}"
    rows: list[list[object]] = [
        ["outcome for the player to move", this.outcome or "unknown"],
        ["value", value],
        ["status", this.status],
        ["line", " ".join(map(str, this.line))],
        ["search", this.search or "none was needed"],
        ["expansions, nodes", f"{this.expansions:,}, {this.nodes:,}"],
    ]
    return table(["solution", ""], rows)


def report(this: Report) -> str:
    """Return an experiment's table as a notebook shows it."""
    head = f"<p><strong>{say(this.title)}</strong><br>{say(this.paper)}</p>"
    return f"{head}{table(this.columns, this.texts())}<p>{say(this.verdict)}</p>"


def match(this: MatchResult) -> str:
    """Return the ratings of a match as a notebook shows them."""
    header, *rows = this.lines()
    return table(header, rows)
