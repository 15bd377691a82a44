"""`conspirator reproduce`: the papers' tables beside ours."""

from __future__ import annotations

import json
from pathlib import Path

import click
from click.shell_completion import CompletionItem
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

import conspirator as cn
from conspirator.cli.progress import ProgressBar
from conspirator.cli.request import examples
from conspirator.cli.show import make_console
from conspirator.cli.values import read_count, read_seconds
from conspirator.experiments import REGISTRY, Everything, Report, experiments
from conspirator.experiments.everything import say_time
from conspirator.experiments.not_done import NOT_DONE


def _complete(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    return [
        CompletionItem(name, help=summary)
        for name, summary in experiments().items()
        if name.startswith(incomplete)
    ]


@click.command(
    short_help="Run a paper's experiment again: its numbers beside ours.",
    epilog=examples(
        "conspirator reproduce",
        "conspirator reproduce mcallester-example",
        "conspirator reproduce lister-table-3 --out figures",
        "conspirator reproduce mcallester-table-1 --games 20 --json",
        "conspirator reproduce lister-table-2 --quick --out results",
        "conspirator reproduce field --quick --game connect-four",
        "conspirator reproduce proofs --game 'hex 5x5 a' --concurrency 2",
    ),
)
@click.argument("name", required=False, shell_complete=_complete)
@click.option("--all", "everything", is_flag=True, help="All of them, as one page in the folder --out.")
@click.option("--fresh", is_flag=True, help="With --all: do again what an earlier run has done.")
@click.option("--quick", is_flag=True, help="A part of it: small trees, small samples.")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="A folder for the table (CSV, JSON) and the figure (SVG, PNG).",
)
@click.option("--games", callback=read_count, metavar="N", help="Size of the sample of games.")
@click.option(
    "--seconds", callback=read_seconds, metavar="S", help="What stands for one second of the paper's time."
)
@click.option(
    "--opponent",
    "opponents",
    multiple=True,
    metavar="CMD",
    help="An engine that speaks GTP and plays too, where there is a tournament. May be given several times.",
)
@click.option(
    "--cpu-hours", callback=read_seconds, metavar="H", help="For the field: CPU hours for all games."
)
@click.option("--concurrency", callback=read_count, metavar="N", help="Searches that run at the same time.")
@click.option("--on", metavar="WHERE", help="For the field: ray, or ray://HOST:PORT.")
@click.option(
    "--game",
    "only",
    multiple=True,
    metavar="GAME",
    help="For the field and the calibration: one of their games. For proofs: positions whose names begin so, "
    "such as 'hex 8x8'. May be given several times.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object and nothing else.")
def reproduce(
    name: str | None,
    everything: bool,
    fresh: bool,
    quick: bool,
    out: Path | None,
    games: int | None,
    seconds: float | None,
    opponents: tuple[str, ...],
    cpu_hours: float | None,
    concurrency: int | None,
    on: str | None,
    only: tuple[str, ...],
    as_json: bool,
) -> int:
    """Run a paper's experiment again and show the published numbers beside ours.

    Without a NAME it lists the tables and figures of the papers. --all writes index.html into the folder
    --out, or results; Ctrl-C keeps the finished experiments, and the same command continues from there.
    """
    if name is not None and everything:
        raise click.UsageError("name an experiment or say --all, not both")
    if fresh and not everything:
        raise click.UsageError("--fresh goes with --all")
    if opponents and name is None:
        raise click.UsageError("--opponent goes with the name of a tournament")
    if name is None and (cpu_hours or on or only):
        raise click.UsageError("--cpu-hours, --on and --game go with the name of an experiment")
    if everything:
        with ProgressBar(wanted=not as_json) as progress:
            done = cn.reproduce_all(
                out or "results",
                quick=quick,
                games=games,
                seconds=seconds,
                fresh=fresh,
                processes=concurrency,
                progress=progress,
            )
        _print_all(done, as_json)
        return 0 if done.ok else 130 if done.left else 1
    if name is None:
        if quick or games or out or seconds:
            raise click.UsageError("name an experiment, or say --all; `conspirator reproduce` lists them")
        _print_list(as_json)
        return 0
    with ProgressBar(wanted=not as_json) as progress:
        report = cn.reproduce(
            name,
            quick=quick,
            out=out,
            games=games,
            seconds=seconds,
            opponents=opponents,
            cpu_hours=cpu_hours,
            processes=concurrency,
            on=on,
            only=only,
            progress=progress,
        )
    if as_json:
        facts = report.to_dict() | {"files": [str(path) for path in report.files]}
        click.echo(json.dumps(facts, indent=2, ensure_ascii=False, allow_nan=False))
    else:
        _print_report(report, make_console())
    return 130 if report.stopped else 0


def _print_list(as_json: bool) -> None:
    entries = {name: (entry.summary, entry.state) for name, entry in REGISTRY.items()}
    entries |= {name: (entry.summary, entry.state) for name, entry in NOT_DONE.items()}
    if as_json:
        facts = {name: {"summary": summary, "state": state} for name, (summary, state) in entries.items()}
        click.echo(json.dumps(facts, indent=2))
        return
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True, style="bold green")
    table.add_column()
    for name, (summary, state) in entries.items():
        style, words = ("dim", state) if name in NOT_DONE else ("", f"reproduced: {state}")
        table.add_row(Text(name, style=style), Text(summary).append(f"\n{words}", style="dim"))
    make_console().print(table)


def _print_all(done: Everything, as_json: bool) -> None:
    states = {name: report.verdict for name, report in done.reports.items()}
    states |= {name: f"failed: {error}" for name, error in done.errors.items()}
    states |= dict.fromkeys(done.left, "not run")
    if as_json:
        facts = {"page": str(done.page), "experiments": states, "kept": done.kept}
        click.echo(json.dumps(facts, indent=2, ensure_ascii=False))
        return
    table = Table.grid(padding=(0, 2, 0, 0))
    for name, state in states.items():
        report = done.reports.get(name)
        time = "done before" if name in done.kept else say_time(report.seconds) if report else ""
        style = "green" if report and report.agrees else "red"
        table.add_row(Text(name), Text(state, style=style), Text(time, style="dim"))
    console = make_console()
    console.print(table)
    console.print(f"written: {done.page}", soft_wrap=True)


def _print_report(report: Report, console: Console) -> None:
    console.print(Text(report.title, style="bold"))
    console.print(Text(report.paper, style="dim"))
    console.print()
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for place, column in enumerate(report.columns):
        words = all(isinstance(row[place], str | None) for row in report.rows)
        table.add_column(column, justify="left" if words else "right", overflow="fold")
    for row, texts in zip(report.rows, report.texts(), strict=True):
        wrong, published = row[-1] == "NO", "published" in row
        table.add_row(*texts, style="bold red" if wrong else "dim" if published else "")
    console.print(table)
    for title, sentences in (("convention", report.convention), ("notes", report.notes)):
        console.print()
        console.print(Text(title, style="bold"))
        for sentence in sentences:
            console.print(Padding(Text(sentence), (0, 0, 0, 2)))
    console.print()
    console.print(Text(report.verdict, style="bold green" if report.agrees else "bold red"))
    console.print(Text(f"{report.command}; conspirator {report.version}; {report.seeds}", style="dim"))
    for path in report.files:
        console.print(f"written: {path}", soft_wrap=True)
