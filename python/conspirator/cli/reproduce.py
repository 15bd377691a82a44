"""`conspirator reproduce`: the papers' tables beside ours."""

from __future__ import annotations

import json
from pathlib import Path
from types import TracebackType

import click
from click.shell_completion import CompletionItem
from rich.console import Console
from rich.padding import Padding
from rich.progress import BarColumn, Progress, TextColumn
from rich.table import Table
from rich.text import Text

import conspirator as cn
from conspirator.cli.request import examples
from conspirator.cli.show import make_console
from conspirator.cli.values import read_count, read_seconds
from conspirator.experiments import REGISTRY, Report, experiments


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
    ),
)
@click.argument("name", required=False, shell_complete=_complete)
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
@click.option("--json", "as_json", is_flag=True, help="One JSON object and nothing else.")
def reproduce(
    name: str | None, quick: bool, out: Path | None, games: int | None, seconds: float | None, as_json: bool
) -> None:
    """Run a paper's experiment again and show the published numbers beside ours.

    Without a NAME it lists the experiments.
    """
    if name is None:
        if quick or games or out or seconds:
            raise click.UsageError("name an experiment; `conspirator reproduce` lists them")
        _print_list(as_json)
        return
    with _ProgressBar(wanted=not as_json) as progress:
        report = cn.reproduce(name, quick=quick, out=out, games=games, seconds=seconds, progress=progress)
    if as_json:
        facts = report.to_dict() | {"files": [str(path) for path in report.files]}
        click.echo(json.dumps(facts, indent=2, ensure_ascii=False, allow_nan=False))
    else:
        _print_report(report, make_console())


def _print_list(as_json: bool) -> None:
    if as_json:
        entries = {name: {"summary": e.summary, "state": e.state} for name, e in REGISTRY.items()}
        click.echo(json.dumps(entries, indent=2))
        return
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True, style="bold green")
    table.add_column()
    for name, entry in REGISTRY.items():
        table.add_row(name, Text(entry.summary).append(f"\nreproduced: {entry.state}", style="dim"))
    make_console().print(table)


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
    verdict = f"{'agrees' if report.agrees else 'does NOT agree'} with {report.reference}"
    console.print(Text(verdict, style="bold green" if report.agrees else "bold red"))
    console.print(Text(f"{report.command}; conspirator {report.version}; {report.seeds}", style="dim"))
    for path in report.files:
        console.print(f"written: {path}", soft_wrap=True)


class _ProgressBar:
    """A bar on the error stream, if somebody sees it; it vanishes at the end."""

    def __init__(self, *, wanted: bool) -> None:
        console = Console(stderr=True)
        self._shown = wanted and console.is_terminal
        self._bar = Progress(
            BarColumn(20), TextColumn("{task.description}", markup=False), console=console, transient=True
        )
        self._task = self._bar.add_task("", total=1.0)

    def __enter__(self) -> _ProgressBar | None:
        if self._shown:
            self._bar.start()
        return self if self._shown else None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._shown:
            self._bar.stop()

    def __call__(self, fraction: float, what: str) -> None:
        """Show how far it has come."""
        self._bar.update(self._task, completed=fraction, description=what)
