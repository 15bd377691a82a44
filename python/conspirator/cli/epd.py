"""`conspirator epd`: how many chess problems of a collection a player solves."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from conspirator.cli.progress import ProgressBar
from conspirator.cli.request import examples, read_player, search_options
from conspirator.cli.show import make_console
from conspirator.cli.words import say_line, say_seconds
from conspirator.epd import Attempt, read_problems, solve_problem

_MOST_MOVES = 9


@click.command(
    short_help="Solve a collection of chess problems.",
    epilog=examples(
        "conspirator epd problems.epd",
        "conspirator epd problems.epd --nodes 20k --json",
        "conspirator epd problems.epd --player threats --seconds 0.1",
    ),
)
@click.argument("file", type=click.Path(path_type=Path))
@search_options("Budget: time for each problem; 1 if none is given.")
@click.option("--failed", is_flag=True, help="Show only the problems that were not solved.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object and nothing else.")
@click.option("--quiet", is_flag=True, help="No progress line.")
def epd(file: Path, failed: bool, as_json: bool, quiet: bool, **options: Any) -> None:
    """Search every position of an EPD file; show the expected and the found moves, and how many were solved.

    It reads bm (best moves), am (moves to avoid), dm (the number of moves to mate) and id from each line. If
    a problem asks for a mate, it looks for the shortest. Ctrl-C shows the problems so far.
    """
    player = read_player(options, "chess")
    problems, wrong = read_problems(file)
    player.try_out(problems[0].position)
    attempts: list[Attempt] = []
    with ProgressBar(wanted=not (quiet or as_json)) as tell:
        try:
            for number, problem in enumerate(problems):
                if tell is not None:
                    solved = sum(attempt.solved for attempt in attempts)
                    tell(number / len(problems), f"{number} of {len(problems)} problems, {solved} solved")
                attempts.append(solve_problem(problem, player))
        except KeyboardInterrupt:
            pass  # what was done is told
    if as_json:
        facts = {
            "file": str(file),
            "player": player.spec,
            **totals(attempts, len(problems), wrong),
            "problems": [attempt.as_dict() for attempt in attempts],
        }
        click.echo(json.dumps(facts, indent=2))
        return
    print_attempts([one for one in attempts if not (failed and one.solved)], make_console())
    print_totals(totals(attempts, len(problems), wrong), make_console())


def totals(attempts: list[Attempt], problems: int, wrong: dict[int, str]) -> dict[str, Any]:
    """Return the sums over all problems, and the lines that could not be read."""
    return {
        "solved": sum(attempt.solved for attempt in attempts),
        "tried": len(attempts),
        "problems_in_file": problems,
        "seconds": sum(attempt.seconds for attempt in attempts),
        "nodes": sum(attempt.nodes for attempt in attempts),
        "unreadable": {str(number): reason for number, reason in wrong.items()},
    }


def print_attempts(attempts: list[Attempt], console: Console) -> None:
    """Print a line for each problem."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for header in ("problem", "wanted", "found", "", "seconds", "line"):
        table.add_column(header, justify="right" if header == "seconds" else "left")
    for attempt in attempts:
        found = attempt.move if attempt.mate is None else f"{attempt.move}, mate in {attempt.mate}"
        table.add_row(
            attempt.problem.name,
            attempt.problem.wanted,
            found,
            Text("solved", style="green") if attempt.solved else Text("not solved", style="bold red"),
            say_seconds(attempt.seconds),
            Text(say_line(attempt.line, most=_MOST_MOVES), style="dim"),
        )
    if attempts:
        console.print(table)
        console.print()


def print_totals(sums: dict[str, Any], console: Console) -> None:
    """Print how many were solved, and what was wrong with the file."""
    share = f" ({sums['solved'] / sums['tried']:.0%})" if sums["tried"] else ""
    console.print(
        Text(f"{sums['solved']} of {sums['tried']} solved{share}", style="bold").append(
            f"  {say_seconds(sums['seconds'])} seconds, {sums['nodes']:,} nodes", style="not bold"
        )
    )
    if sums["tried"] < sums["problems_in_file"]:
        console.print(Text(f"interrupted: {sums['problems_in_file'] - sums['tried']} not tried", style="dim"))
    for number, reason in sums["unreadable"].items():
        console.print(Text(f"line {number} was left out: {reason}", style="yellow"))
