"""HTML: pages that need nothing else, tables, and drawings inside a page. All text is escaped."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

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
    """Return a position as a notebook shows it."""
    over = "" if this.outcome is None else f", over: {this.outcome:g}"
    return f"<pre>{say(this)}</pre><p>{this.to_move} to move{over}</p>"


def tree(this: Tree) -> str:
    """Return a tree as a notebook shows it: how large it is, and how its nodes are spread."""
    counts = this.depth_histogram()
    facts: list[list[object]] = [
        ["nodes", f"{len(this):,}"],
        ["depth", len(counts) - 1],
        ["value", f"{this.root.value:g}"],
    ]
    return table(["tree", ""], facts)


MOST_NODES_TO_QUESTION = 1_000_000
"""Larger trees are not asked for their intervals just to be shown."""


def result(this: Result) -> str:
    """Return the answer of a search as a notebook shows it: the move, how sure it is, what it cost."""
    rows: list[list[object]] = [
        ["move", this.position.describe(this.move)],
        ["value", f"{this.value:g}"],
        ["status", this.status],
        ["line", " ".join(map(str, this.line))],
    ]
    if this.has_tree and this.nodes <= MOST_NODES_TO_QUESTION:
        for n, words in ((1, "if one leaf is wrong"), (2, "if two are")):
            low, high = this.interval(n)
            rows.append([words, f"{low:g} ... {high:g}"])
    rows.append(["expansions, nodes, plies", f"{this.expansions:,}, {this.nodes:,}, {this.depth}"])
    return table(["result", ""], rows)


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
