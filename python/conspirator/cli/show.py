"""Drawing an analysis on the terminal."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from textwrap import fill
from typing import Any

import click
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from conspirator.cli.analysis import without_infinities
from conspirator.cli.board import draw, players, say_player
from conspirator.cli.values import say_setting
from conspirator.cli.words import (
    say_bytes,
    say_change,
    say_confidence,
    say_ladder,
    say_line,
    say_question,
    say_seconds,
    say_short,
    say_value,
    say_verdict,
)
from conspirator.cli.written import for_people

_MOST_ROWS = 20
_MOST_LEAVES = 8
_BAR = 16
_EIGHTHS = " ▏▎▍▌▋▊▉█"
_GAP = " " * 4
_NARROWEST_ANSWER = 34


def make_console() -> Console:
    """Return the console for the answer; a terminal that lacks a character shows another instead."""
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")
    return Console(highlight=False, markup=False, emoji=False)


def tell_analysis(facts: dict[str, Any], written: Iterable[Path], *, as_json: bool) -> None:
    """Print what is known of a search, for programs or for people, and which files were written."""
    if as_json:
        click.echo(json.dumps(without_infinities(facts), indent=2, allow_nan=False))
        return
    console = make_console()
    print_analysis(facts, console)
    for path in written:
        console.print(f"written: {path}", soft_wrap=True)


def print_analysis(facts: dict[str, Any], console: Console) -> None:
    """Print the analysis that `analysis.describe` made."""
    facts = for_people(facts)
    blocks: list[RenderableType] = [_title(facts), *_answer_and_boards(facts, console)]
    if facts["moves"]:
        blocks += _beside(_moves(facts, console), _histogram(facts, console), console)
    if facts["ladder"] and facts["status"] != "proven":
        blocks.append(_certainty(facts, console))
    if facts["doubts"] and facts["status"] != "proven":
        blocks.append(_doubts(facts))
    if facts["iterations"]:
        blocks.append(_iterations(facts))
    for number, block in enumerate(blocks):
        if number:
            console.print()
        console.print(block)


def print_solution(facts: dict[str, Any], console: Console) -> None:
    """Print the solution that `solve.describe` made."""
    facts = {**for_people(facts), "search": facts["search"] or ""}
    names = players(facts["game"])
    answer = _facts_grid()
    picture = facts["picture"].strip()
    if "\n" not in picture:
        answer.add_row("position", picture or str(facts["position"]) or "the start")
    answer.add_row("to move", say_player(facts["game"], facts["to_move"]))
    style = "bold green" if facts["status"] == "proven" else "bold yellow"
    answer.add_row("answer", Text(facts["answer"], style=style))
    if facts["value"] is not None:
        answer.add_row("value", f"{say_value(facts['value'])}  (Max's side)")
    answer.add_row("status", facts["explanation"])
    if facts["line"]:
        answer.add_row("line", say_line(facts["line"], most=100))
    spent = _facts_grid()
    spent.add_row("expansions", f"{facts['spent']['expansions']:,}")
    spent.add_row("nodes", f"{facts['spent']['nodes']:,}")
    spent.add_row("seconds", say_seconds(facts["spent"]["seconds"]))
    blocks: list[RenderableType] = [_title(facts), *_boards(facts, answer, spent, console)]
    if facts["questions"]:
        table = _table("question", "answer", "expansions", "seconds")
        table.columns[0].justify = "left"
        for asked in facts["questions"]:
            table.add_row(
                say_question(asked["goal"], facts["value_range"], names),
                {True: "yes", False: "no", None: "not known"}[asked["answer"]],
                f"{asked['expansions']:,}",
                say_seconds(asked["seconds"]),
            )
        blocks.append(_titled("questions", table))
    for number, block in enumerate(blocks):
        if number:
            console.print()
        console.print(block)


def _answer_and_boards(facts: dict[str, Any], console: Console) -> list[RenderableType]:
    return _boards(facts, _answer(facts), _spent(facts), console)


def _boards(facts: dict[str, Any], answer: Table, spent: Table, console: Console) -> list[RenderableType]:
    """Return the board and the answer, the board after the line and the cost."""
    picture = draw(facts["game"], facts["picture"])
    if "\n" not in picture.plain:
        return [answer, spent]
    after = Group(
        Text("after the line", style="dim"), draw(facts["game"], facts["picture_after_line"], dimmed=True)
    )
    width = max(len(line) for line in picture.plain.splitlines())
    if width + len(_GAP) + _NARROWEST_ANSWER > console.width:
        return [picture, answer, after, spent]
    grid = Table.grid()
    grid.add_row(picture, _GAP, answer)
    grid.add_row()
    grid.add_row(after, _GAP, spent)
    return [grid]


def _beside(left: RenderableType, right: RenderableType, console: Console) -> list[RenderableType]:
    """Return two blocks as one if they fit beside each other."""
    if sum(console.measure(block).maximum for block in (left, right)) + len(_GAP) > console.width:
        return [left, right]
    grid = Table.grid()
    grid.add_row(left, _GAP, right)
    return [grid]


def _title(facts: dict[str, Any]) -> Text:
    def settings(values: dict[str, Any]) -> str:
        return "".join(f" {name}={say_setting(value)}" for name, value in values.items())

    text = Text(facts["game"] + settings(facts["game_options"]), style="bold")
    values = f" evaluator={facts['evaluator']}" if facts["evaluator"] else ""
    return text.append(f"  {facts['search']}{settings(facts['parameters'])}{values}", style="not bold")


def _facts_grid() -> Table:
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(overflow="fold")
    return grid


def _answer(facts: dict[str, Any]) -> Table:
    grid = _facts_grid()
    picture = facts["picture"].strip()
    if "\n" not in picture:
        grid.add_row("position", picture or str(facts["position"]) or "the start")
    grid.add_row("to move", say_player(facts["game"], facts["to_move"]))
    grid.add_row("move", Text(str(facts["move"]), style="bold green"))
    verdict = say_verdict(facts["favours"], players(facts["game"]), final=facts["status"] == "proven")
    least, greatest = facts["value_range"]
    value = Text(say_value(facts["value"]), style="bold")
    value.append(f"  {verdict}" if verdict else "", style="not bold")
    if abs(least) != float("inf") and abs(greatest) != float("inf"):
        value.append(f"  (Max's side, {say_value(least)} to {say_value(greatest)})", style="not bold dim")
    else:
        value.append("  (Max's side)", style="not bold dim")
    grid.add_row("value", value)
    if facts["confidence"] is not None and facts["status"] != "proven":
        grid.add_row("sure", say_confidence(facts))
    grid.add_row("status", facts["explanation"])
    mate = facts.get("mate")
    if mate:
        whose = "mate" if mate["moves"] > 0 else "mated"
        grid.add_row(f"{whose} in {abs(mate['moves'])}", say_line(mate["san"]))
    else:
        grid.add_row("line", say_line(facts["line"]))
    return grid


def _spent(facts: dict[str, Any]) -> Table:
    spent = facts["spent"]
    nodes = f"{spent['nodes']:,}"
    if spent["nodes_per_second"]:
        nodes += f"  {say_short(spent['nodes_per_second'])} a second"
    if spent["bytes_per_node"]:
        nodes += f", {say_bytes(spent['bytes_per_node'])} each"
    grid = _facts_grid()
    for unit, amount in (
        ("expansions", f"{spent['expansions']:,}"),
        ("nodes", nodes),
        ("move_calls", f"{spent['move_calls']:,}"),
        ("artificial_time", f"{spent['artificial_time']:,}" if spent["artificial_time"] else ""),
        ("seconds", say_seconds(spent["seconds"])),
        ("memory", say_bytes(spent["nodes"] * spent["bytes_per_node"]) if spent["bytes_per_node"] else ""),
    ):
        if not amount:
            continue
        text = Text(amount)
        if unit == facts["limit"]:
            text.append("  <- the limit", style="yellow")
        grid.add_row(unit.replace("_", " "), text)
    return grid


def _table(*headers: str) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for header in headers:
        table.add_column(header, justify="left" if header in ("move", "") else "right")
    return table


def _titled(title: str, *parts: RenderableType) -> Group:
    return Group(Text(title, style="bold"), *parts)


def _moves(facts: dict[str, Any], console: Console) -> Group:
    """Return the root's moves, the chosen one first, then the best for the player to move."""
    sign = -1 if facts["to_move"] == "max" else 1
    moves = sorted(facts["moves"], key=lambda row: (row["move"] != facts["move"], sign * row["value"]))
    shares = moves[0]["share"] is not None
    solved = any(row["solved"] for row in moves[:_MOST_ROWS])
    sure = moves[0]["best"] is not None
    # a column without any text would upset rich's widths
    judged = ("best",) if sure else ()
    table = _table(
        "move", "value", *judged, *(("nodes", "share", "") if shares else ()), *(("",) if solved else ())
    )
    for row in moves[:_MOST_ROWS]:
        cells = [str(row["move"]), say_value(row["value"])]
        if sure:
            cells.append(f"{row['best']:.0%}")
        if shares:
            cells += [f"{row['nodes']:,}", f"{row['share']:.0%}", _bar(row["share"], _BAR // 2, console)]
        if solved:
            cells.append("solved" if row["solved"] else "")
        table.add_row(*cells, style="bold green" if row["move"] == facts["move"] else "")
    if len(moves) > _MOST_ROWS:
        return _titled("moves", table, Text(f"and {len(moves) - _MOST_ROWS:,} more", style="dim"))
    return _titled("moves", table)


def _doubts(facts: dict[str, Any]) -> Group:
    """Return the positions that matter most for the choice."""
    table = _table("if this is worth", "which happens with", "then the best move is", "with")
    for doubt in facts["doubts"]:
        other = [case for case in doubt["cases"] if case["move"] != facts["move"]]
        case = max(other, key=lambda case: case["probability"], default=None)
        case = case or min(doubt["cases"], key=lambda case: case["confidence"])
        place = f"{say_line(doubt['line'], most=12)}: {say_value(case['outcome'])}"
        table.add_row(place, f"{case['probability']:.0%}", str(case["move"]), f"{case['confidence']:.0%}")
    table.columns[0].justify = "left"
    return _titled("doubts: what matters most for the choice", table)


def _histogram(facts: dict[str, Any], console: Console) -> Group:
    """Return the number of nodes at every ply; neighbouring plies share a row in a deep tree."""
    counts = facts["depth_histogram"]
    step = -(-len(counts) // _MOST_ROWS)
    table = _table("ply", "nodes", "")
    rows = [(first, sum(counts[first : first + step])) for first in range(0, len(counts), step)]
    most = max(count for _, count in rows)
    for first, count in rows:
        last = min(first + step, len(counts)) - 1
        label = str(first) if first == last else f"{first}-{last}"
        table.add_row(label, f"{count:,}", Text(_bar(count / most, _BAR, console), style="cyan"))
    return _titled(f"tree: {sum(counts):,} nodes, deepest ply {len(counts) - 1}", table)


def _certainty(facts: dict[str, Any], console: Console) -> Group:
    """Return how far the value can go if leaves are wrong, and the leaves that matter most."""
    ladder = say_ladder(facts["ladder"]).replace(" ", "\0").replace(";\0", "; ")  # lines break only there
    lines: list[RenderableType] = [Text(fill(ladder, console.width).replace("\0", " "))]
    for change in facts["critical"]:
        lines.append(Text(say_change(change)))
        if len(change["leaves"]) > 1:
            shown = change["leaves"][:_MOST_LEAVES]
            lines += [Padding(Text(say_line(leaf, most=20)), (0, 0, 0, 2)) for leaf in shown]
    return _titled("certainty: where the value can go if so many leaves are wrong", *lines)


def _iterations(facts: dict[str, Any]) -> Group:
    table = _table("depth", "move", "value", "move calls")
    for done in facts["iterations"]:
        table.add_row(
            str(done["depth"]), str(done["move"]), say_value(done["value"]), f"{done['move_calls']:,}"
        )
    return _titled("iterations", table)


def _bar(fraction: float, width: int, console: Console) -> str:
    """Return a bar of a fraction of the width; what is not nothing shows at least a sliver."""
    if console.options.ascii_only:
        return "#" * round(fraction * width)
    eighths = max(round(fraction * width * 8), int(fraction > 0))
    return "█" * (eighths // 8) + _EIGHTHS[eighths % 8].strip()
