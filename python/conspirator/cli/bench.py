"""`conspirator bench`: how fast it is here, as ratios measured in one run."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

import conspirator as cn
from conspirator.bench import (
    Row,
    batches,
    conspiracy,
    draw_costs,
    matches,
    native,
    peers,
    punctuality,
    python_games,
    siblings,
    signature,
)
from conspirator.bench.networks import Kind
from conspirator.cli.request import examples
from conspirator.cli.show import make_console
from conspirator.cli.values import read_seconds
from conspirator.cli.words import say_short, say_value

_TABLES: dict[str, tuple[str, Callable[[float], list[Row]]]] = {
    "native": ("Connect-Four, native", native),
    "conspiracy": ("conspiracy numbers", conspiracy),
    "siblings": ("proof numbers and sibling conspiracy numbers", siblings),
    "python_games": ("games written in Python", python_games),
    "matches": ("matches", matches),
    "peers": ("other packages", peers),
}
_KINDS = ("onnx", "torch")


@click.command(
    short_help="Measure how fast it is on this machine.",
    epilog=examples(
        "conspirator bench --signature",
        "conspirator bench --seconds 0.01",
        "conspirator bench --only matches --seconds 0.1",
    ),
)
@click.option("--peers", "with_peers", is_flag=True, help="Also other packages, if they are installed.")
@click.option("--only", type=click.Choice([*_TABLES]), help="Only one of the tables.")
@click.option(
    "--signature",
    "only_signature",
    is_flag=True,
    help="Only the signature: nodes, depth and value of fixed searches.",
)
@click.option(
    "--punctuality", "lateness", is_flag=True, help="Only how late searches end, for all searches and games."
)
@click.option(
    "--seconds", callback=read_seconds, metavar="S", default="1", show_default=True, help="For each row."
)
@click.option(
    "--batch",
    "batch_of",
    type=click.Choice(_KINDS),
    help="Only evaluations a second of a network, for batches of 1 to 64 leaves.",
)
@click.option("--device", default="cpu", show_default=True, help="For --batch: cpu or cuda.")
@click.option("--half", is_flag=True, help="For --batch torch: half precision.")
@click.option("--figure", metavar="FILE", help="Only draw the time of an expansion against the tree's size.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def bench(
    with_peers: bool,
    only: str | None,
    only_signature: bool,
    lateness: bool,
    seconds: float,
    batch_of: Kind | None,
    device: str,
    half: bool,
    figure: str | None,
    as_json: bool,
) -> None:
    """Measure rates on this machine, and their ratios, which are less noisy than the rates.

    With 5 seconds or more for each row, it also grows a tree of 134 million nodes, and solves all openings of
    5x5 Hex.

    The signature is the nodes, depth and value of a fixed set of searches. It is the same on every machine,
    and changes only when a search changes its behaviour.
    """
    if only_signature and (with_peers or only):
        other = "--peers" if with_peers else "--only"
        raise click.UsageError(f"--signature measures nothing, so it does not go with {other}")
    if only and with_peers:
        raise click.UsageError("--only is one table: --only peers, or --peers")
    if figure is not None:
        draw_costs(figure)
        click.echo(f"written: {figure}")
        return
    if only_signature:
        _print_signature(signature(), as_json)
        return
    if batch_of is not None:
        _print_batches(batches(seconds, batch_of, device, half), seconds, as_json)
        return
    if lateness:
        _print_lateness(as_json)
        return
    names = [name for name in _TABLES if with_peers or name != "peers"]
    if with_peers:
        names = ["peers", *names[:-1]]  # whether they are there shows at once
    if only is not None:
        names = [only]
    console, facts = make_console(), {"version": cn.__version__, "seconds_per_row": seconds}
    errors = Console(stderr=True)
    for name in names:
        title, measure = _TABLES[name]
        if errors.is_terminal:
            with errors.status(f"measuring: {title}"):
                rows = measure(seconds)
        else:
            rows = measure(seconds)
        facts[name] = [asdict(row) for row in rows]
        if not as_json:
            _print_rows(title, rows, console)
    if as_json:
        click.echo(json.dumps(facts, indent=2, allow_nan=False))


def _print_batches(rows: list[Row], seconds: float, as_json: bool) -> None:
    if not as_json:
        _print_rows("a network in a search", rows, make_console())
        return
    facts = {"version": cn.__version__, "seconds_per_row": seconds, "batches": [asdict(row) for row in rows]}
    click.echo(json.dumps(facts, indent=2, allow_nan=False))


def _print_rows(title: str, rows: list[Row], console: Console) -> None:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("what")
    table.add_column("rate", justify="right", no_wrap=True)
    table.add_column("ratio", justify="right", no_wrap=True)
    table.add_column("notes", style="dim")
    for row in rows:
        ratio = "" if row.ratio is None else f"{row.ratio:.3g}" if row.ratio < 1000 else say_short(row.ratio)
        notes = ". ".join(filter(None, (f"ratio: {row.reference}" if row.reference else "", row.note)))
        table.add_row(row.name, f"{say_short(row.rate)} {row.unit}", Text(ratio, style="bold"), notes)
    console.print(Text(title, style="bold"), table, "", sep="\n")


def _print_lateness(as_json: bool) -> None:
    errors = Console(stderr=True)
    with errors.status("measuring") as status:
        rows = punctuality(progress=lambda name: status.update(f"measuring: {name}"))
    if as_json:
        click.echo(json.dumps({"version": cn.__version__, "punctuality": [asdict(row) for row in rows]}))
        return
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("milliseconds late")
    for header in ("typical", "one in 100", "worst", "worst, CPU time"):
        table.add_column(header, justify="right", no_wrap=True)
    for row in rows:
        times = (row.typical, row.late, row.worst, row.worst_cpu)
        table.add_row(row.name, *(f"{1000 * time:.1f}" for time in times))
    make_console().print(table)


def _print_signature(numbers: dict[str, list[float]], as_json: bool) -> None:
    if as_json:
        facts: dict[str, Any] = {"version": cn.__version__, "signature": numbers}
        click.echo(json.dumps(facts, indent=2, allow_nan=False))
        return
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("search")
    for header in ("nodes", "depth", "value"):
        table.add_column(header, justify="right", no_wrap=True)
    for name, (nodes, depth, value) in numbers.items():
        table.add_row(name, f"{nodes:,.0f}", f"{depth:.0f}", say_value(value))
    make_console().print(table)
