"""All experiments in one go: one page that shows them, and the files of each beside it.

    experiment -> NAME.csv NAME.json NAME.svg NAME.png -> index.html

The page is made from the files, and made anew after every experiment. So a run that is stopped keeps what is
done, and the same run started again goes on from there.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any

from conspirator._errors import ArgumentError, ConspiratorError
from conspirator._html import inline, page, raw_table, say, table
from conspirator._native import __version__
from conspirator.experiments import (
    REGISTRY,
    Experiment,
    Progress,
    check_settings,
    command_of,
    reproduce,
)
from conspirator.experiments.not_done import NOT_DONE
from conspirator.experiments.report import Report, make_folder
from conspirator.figures.files import need_matplotlib

PAGE = "index.html"
"""The file that shows everything."""


@dataclass
class Everything:
    """What `reproduce_all` returns: the reports, what went wrong, and where the page is."""

    page: Path
    """The page, with all tables and figures."""
    reports: dict[str, Report] = field(default_factory=dict)
    """What has been done, by name."""
    errors: dict[str, str] = field(default_factory=dict)
    """What went wrong, by name, in one line."""
    left: list[str] = field(default_factory=list)
    """What was not run: more than nothing if the run was stopped."""
    kept: list[str] = field(default_factory=list)
    """What an earlier run had done."""

    @property
    def ok(self) -> bool:
        """Whether all ran; not whether all agree."""
        return not self.errors and not self.left


def run_all(
    out: Path,
    chosen: Mapping[str, Experiment],
    quick: bool,
    games: int | None,
    seconds: float | None,
    fresh: bool,
    processes: int | None,
    progress: Progress | None,
) -> Everything:
    """Run the chosen experiments one after another; see `reproduce_all`."""
    settings = {name: settings_of(name, entry, games, seconds) for name, entry in chosen.items()}
    need_matplotlib()
    everything = Everything(make_folder(out) / PAGE, left=list(chosen))
    for place, name in enumerate(chosen):

        def tell(fraction: float, what: str, place: int = place, name: str = name) -> None:
            if progress is not None:
                progress((place + fraction) / len(chosen), f"{name}: {what}")

        try:
            report = None if fresh else earlier(everything.page.parent, name, quick, **settings[name])
            if report is not None:
                everything.kept.append(name)
            else:
                tell(0.0, "begins")
                report = reproduce(
                    name, quick=quick, out=out, processes=processes, progress=tell, **settings[name]
                )
            if report.stopped:
                break
            everything.reports[name] = report
        except KeyboardInterrupt:
            break
        except ConspiratorError as error:
            everything.errors[name] = str(error)
        except Exception as error:
            everything.errors[name] = " ".join(f"{type(error).__name__}: {error}".split())
        everything.left.remove(name)
        write(everything)
    write(everything)
    return everything


def settings_of(name: str, entry: Experiment, games: int | None, seconds: float | None) -> dict[str, Any]:
    """Return the settings that an experiment has a use for."""
    settings = {"games": games if entry.games else None, "seconds": seconds if entry.timed else None}
    check_settings(name, entry, games if entry.games else None, seconds if entry.timed else None)
    return settings


def earlier(folder: Path, name: str, quick: bool, games: int | None, seconds: float | None) -> Report | None:
    """Return what an earlier run with the same settings has left, if it is whole."""
    paths = [folder / f"{name}.{kind}" for kind in ("csv", "svg", "png", "json")]
    try:
        report = Report.from_dict(json.loads(paths[3].read_text(encoding="utf-8")))
        drawn = "</svg>" in paths[1].read_text(encoding="utf-8")
    except (OSError, ValueError, TypeError, KeyError):
        return None
    command = command_of(name, quick=quick, games=games, seconds=seconds)
    same = (report.name, report.command, report.version) == (name, command, __version__)
    if report.stopped or not (same and drawn and all(path.is_file() for path in paths)):
        return None
    report.files = paths
    return report


def write(everything: Everything) -> None:
    """Write the page."""
    try:
        everything.page.write_text(page_of(everything), encoding="utf-8")
    except OSError as error:
        raise ArgumentError(f"cannot write {everything.page}: {error.strerror or error}") from None


def page_of(everything: Everything) -> str:
    """Return the page as text."""
    title = "The papers' tables and figures, run again"
    reports = everything.reports.values()
    time = say_time(sum(report.seconds for report in reports))
    parts = [
        f"<h1>{title}</h1>",
        f"<p>conspirator {say(__version__)}. {len(reports)} experiments in {time}; "
        f"{sum(report.agrees for report in reports)} agree with what they are compared with.</p>",
        contents(everything),
        *(section(report) for report in reports),
        "<h2>Not done</h2>",
        table(["what", "why"], [[entry.summary, entry.why] for entry in NOT_DONE.values()]),
    ]
    return page(title, parts)


def contents(everything: Everything) -> str:
    """Return the table of contents, with a verdict for each experiment."""
    rows = []
    for name in [*everything.reports, *everything.errors, *everything.left]:
        entry, report = REGISTRY[name], everything.reports.get(name)
        if report is not None:
            link = f'<a href="#{name}">{say(name)}</a>'
            time = say_time(report.seconds)
            rows.append([link, say(entry.summary), verdict(report), say(entry.state), time])
        else:
            error = everything.errors.get(name)
            words = f"failed: {error}" if error else "not run"
            rows.append([say(name), say(entry.summary), f'<span class="differs">{say(words)}</span>', "", ""])
    return raw_table(["name", "what", "this run", "whole experiment", "time"], rows)


def verdict(report: Report) -> str:
    """Return the verdict, coloured."""
    return f'<span class="{"agrees" if report.agrees else "differs"}">{say(report.verdict)}</span>'


def section(report: Report) -> str:
    """Return all there is to say of one experiment."""
    drawing = next(path for path in report.files if path.suffix == ".svg").read_text(encoding="utf-8")
    where = report.machine
    made = (
        f"{report.command}; conspirator {report.version}; {report.seeds}; {say_time(report.seconds)} on "
        f"{where['processors']} processors, Python {where['python']}, {where['platform']}"
    )
    links = ", ".join(f'<a href="{escape(path.name)}">{say(path.suffix[1:])}</a>' for path in report.files)
    return "\n".join(
        [
            f'<h2 id="{report.name}">{say(report.title)}</h2>',
            f"<p>{say(report.paper)}</p>",
            f"<p><strong>{verdict(report)}</strong></p>",
            table(report.columns, report.texts()),
            f"<figure>{inline(drawing, report.name)}</figure>",
            *sentences("Convention", report.convention),
            *sentences("Notes", report.notes),
            f'<p class="dim">{say(made)}. {links}</p>',
        ]
    )


def sentences(title: str, texts: Sequence[str]) -> list[str]:
    """Return a headline and a list; nothing if there is nothing to say."""
    return [f"<h3>{title}</h3>", *(f"<p>{say(text)}</p>" for text in texts)] if texts else []


def say_time(seconds: float) -> str:
    """Return a time as people say it.

    >>> say_time(0.04), say_time(61), say_time(4000)
    ('0.0 s', '61 s', '67 min')
    """
    if seconds < 10:
        return f"{seconds:.1f} s"
    return f"{seconds:.0f} s" if seconds < 600 else f"{seconds / 60:.0f} min"
