"""`conspirator solve`: who wins, by proof, and how."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

import conspirator as cn
from conspirator._line import written_line
from conspirator.cli.analysis import plain, without_infinities
from conspirator.cli.board import players
from conspirator.cli.progress import ProgressBar, SolveLine, output_to_ourselves
from conspirator.cli.request import (
    examples,
    proof_option,
    read_budget,
    read_parameters,
    read_position,
    request_options,
)
from conspirator.cli.show import make_console, print_solution
from conspirator.cli.words import say_end, say_solution

UNSOLVED = 1
"""The exit code if the budget, or Ctrl-C, came before the answer."""


@click.command(
    short_help="Find out who wins a position, and how.",
    epilog=examples(
        "conspirator solve hex --game-option size=4",
        "conspirator solve connect-four --position 5441565551 --proof win.proof",
        "conspirator solve connect-four --position 44444352213522 --search df-pn --seconds 10 --json",
    ),
)
@request_options(
    proves=True, seconds_help="Budget: time; without any budget it runs until the position is solved."
)
@click.option("--threads", type=click.IntRange(1), metavar="N", help="Threads that share a table.")
@proof_option
@click.option(
    "--table",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Keep the table in a file, and continue from it next time.",
)
@click.option("--on", metavar="CLUSTER", help="Prove on a cluster: ray, or ray://HOST:PORT.")
@click.option("--concurrency", type=click.IntRange(1), metavar="N", help="Jobs on the cluster at a time.")
@click.option("--all-moves", is_flag=True, help="Also find all moves that keep the value.")
@click.option("--shortest", is_flag=True, help="Also find how many moves the shortest win takes.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object and nothing else.")
def solve(
    as_json: bool,
    quiet: bool,
    threads: int | None,
    certificate: Path | None,
    table: Path | None,
    on: str | None,
    concurrency: int | None,
    **options: Any,
) -> int:
    """Prove who wins a position; show the answer, the line, the questions and the cost.

    Without a budget it runs until the position is solved. Ctrl-C shows the answer so far. The exit code is 0
    if the position is solved, and 1 if not. See `conspirator analyze --help` for GAME.
    """
    position, budget = read_position(options), read_budget(options)
    with output_to_ourselves(on), SolveLine(budget, wanted=not (quiet or as_json)) as progress:
        solution = cn.solve(
            position,
            options["search"],
            evaluator=options["evaluator"],
            budget=budget,
            threads=threads,
            table=table,
            on=on,
            concurrency=concurrency,
            progress=progress,
            **read_parameters(options),
        )
    facts = describe(options, budget, solution)
    if certificate is not None and solution.proof.claims:
        facts["proof"] = save_proof(solution, certificate, wanted=not (quiet or as_json))
    if options["all_moves"] and solution.status == "proven" and solution.line:
        facts["best_moves"] = [plain(move) for move in solution.best_moves(**budget.given())]
    if options["shortest"] and solution.outcome in ("win", "loss") and solution.line:
        moves, first = solution.shortest()
        facts["shortest"] = {"moves": moves, "first": plain(first)}
    if as_json:
        click.echo(json.dumps(without_infinities(facts), indent=2, allow_nan=False))
    else:
        print_solution(facts, make_console())
        if "best_moves" in facts:
            click.echo(f"moves that keep it   {' '.join(map(str, facts['best_moves']))}")
        if "shortest" in facts:
            click.echo("shortest win   {moves} moves, beginning with {first}".format(**facts["shortest"]))
        if "proof" in facts:
            click.echo("proof   {file}: {claims}, {bytes:,} bytes".format(**facts["proof"]))
    return 0 if solution.status == "proven" else UNSOLVED


def save_proof(solution: cn.Solution, path: Path, *, wanted: bool) -> dict[str, Any]:
    """Write the certificate, and return what the output says of it."""
    with ProgressBar(wanted=wanted) as bar:
        seen = None if bar is None else lambda size: bar(0.0, f"writing the proof: {size:,} bytes of choices")
        solution.proof.save(path, seen)
    claims = " and ".join(f"{claim.kind} {claim.value:g}" for claim in solution.proof.claims)
    return {"file": str(path), "claims": claims, "bytes": path.stat().st_size}


def describe(options: dict[str, Any], budget: cn.Budget, solution: cn.Solution) -> dict[str, Any]:
    """Return all that is known about a solution, as the JSON output has it."""
    position, limits = solution.position, budget.given()
    names = players(options["game"])
    facts = solution.as_dict()
    questions, line = facts.pop("questions"), facts.pop("line")
    spent = {unit: facts.pop(unit) for unit in ("expansions", "nodes", "seconds")}
    after = position
    for move in line:
        after = after.play(move)
    return {
        "game": options["game"],
        "game_options": options["game_options"],
        "position": plain(position.notation()),
        "picture": str(position),
        "to_move": position.to_move,
        "budget": limits,
        "value_range": list(position.value_range),
        **facts,
        "move": None if solution.move is None else plain(solution.move),
        "answer": say_solution(solution, names),
        "explanation": say_end(solution.status, solution.limit, limits),
        "line": [plain(move) for move in line],
        **({"san": written_line(position, line)} if options["game"] == "chess" else {}),
        "picture_after_line": str(after),
        "spent": spent,
        "questions": questions,
    }
