"""`conspirator solve`: who wins, by proof, and how."""

from __future__ import annotations

import json
from typing import Any

import click

import conspirator as cn
from conspirator.cli.analysis import plain, without_infinities
from conspirator.cli.board import players
from conspirator.cli.progress import SolveLine
from conspirator.cli.request import Request, examples, read_request, request_options
from conspirator.cli.show import make_console, print_solution
from conspirator.cli.words import say_end, say_solution

UNSOLVED = 1
"""The exit code if the budget, or Ctrl-C, came before the answer."""


@click.command(
    short_help="Find out who wins a position, and how.",
    epilog=examples(
        "conspirator solve hex --game-option size=4",
        "conspirator solve connect-four --position 5441565551",
        "conspirator solve connect-four --position 44444352213522 --search df-pn --seconds 10 --json",
    ),
)
@request_options(
    search=None,
    search_help="sibling-conspiracy, proof-number, df-pn or end-game; if none is given, what suits the game.",
    seconds_help="Budget: time; none: until it is solved.",
    papers_units=False,
)
@click.option("--threads", type=click.IntRange(1), metavar="N", help="Threads that share a table.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object and nothing else.")
def solve(as_json: bool, quiet: bool, threads: int | None, **options: Any) -> int:
    """Find out who wins, by proof; show the answer, the line, the questions that were asked, and the cost.

    Without a budget it goes on until the position is solved; Ctrl-C shows what is known. The exit code is 0
    if it is solved and 1 if not. See `conspirator analyze --help` for GAME.
    """
    request = read_request(options, seconds=None)
    with SolveLine(request.budget, wanted=not (quiet or as_json)) as progress:
        arguments: dict[str, Any] = {**request.budget, **request.parameters}
        if threads is not None:
            arguments["threads"] = threads
        solution = cn.solve(request.position, request.search, progress=progress, **arguments)
    facts = describe(request, solution)
    if as_json:
        click.echo(json.dumps(without_infinities(facts), indent=2, allow_nan=False))
    else:
        print_solution(facts, make_console())
    return 0 if solution.status == "proven" else UNSOLVED


def describe(request: Request, solution: cn.Solution) -> dict[str, Any]:
    """Return all that is known about a solution, as the JSON output has it."""
    position = request.position
    names = players(request.game)
    facts = solution.as_dict()
    questions, line = facts.pop("questions"), facts.pop("line")
    spent = {unit: facts.pop(unit) for unit in ("expansions", "nodes", "seconds")}
    after = position
    for move in line:
        after = after.play(move)
    return {
        "game": request.game,
        "game_options": request.game_options,
        "position": plain(position.notation()),
        "picture": str(position),
        "to_move": position.to_move,
        "budget": request.budget,
        "value_range": list(position.value_range),
        **facts,
        "move": None if solution.move is None else plain(solution.move),
        "answer": say_solution(solution, names),
        "explanation": say_end(solution.status, solution.limit, request.budget),
        "line": [plain(move) for move in line],
        "picture_after_line": str(after),
        "spent": spent,
        "questions": questions,
    }
