"""The papers' experiments, run again: the published numbers beside ours.

Each paper has a module, named after its author and year, with one function per table. `reproduce` runs one
by name, `reproduce_all` runs all of them into one page; `experiments` lists them.

>>> import conspirator as cn
>>> print(cn.reproduce("mcallester-uniform", quick=True).agrees)
True
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from conspirator._errors import ArgumentError
from conspirator._native import __version__

if TYPE_CHECKING:
    from conspirator.experiments.everything import Everything
    from conspirator.experiments.report import Mean, Report

Progress = Callable[[float, str], object]
"""A function that is shown the fraction that is done, and what is being done."""


@dataclass(frozen=True)
class Experiment:
    """One entry of the list."""

    summary: str
    """What it shows, in one line."""
    state: str
    """How far the published numbers are reproduced; the tests hold us to it."""
    module: str
    """Where it is."""
    function: str
    """What runs it."""
    games: int = 0
    """Size of its sample of random games, or of problems; 0 where there is none."""
    quick_games: int = 0
    """The same for a quick look."""
    timed: bool = False
    """Whether something in it is bounded by time."""
    engines: bool = False
    """Whether engines of others can play too."""
    hours: float = 0.0
    """CPU hours for all its games, if it plays until they are spent."""
    quick_hours: float = 0.0
    """The same for a quick look."""
    parts: bool = False
    """Whether some of its games or positions can be chosen."""
    single: bool = False
    """Whether it does one thing at a time, unless somebody says otherwise, because it measures CPU time."""


REGISTRY = {
    "mcallester-example": Experiment(
        "McAllester 1988, Figures 3 to 9: sixteen expansions, and the interval of likely values after them",
        "exact",
        "mcallester_1988",
        "example",
    ),
    "mcallester-uniform": Experiment(
        "McAllester 1988, Figures 10 and 11: how deep strategies are if all static values are the same",
        "exact",
        "mcallester_1988",
        "uniform",
    ),
    "mcallester-table-1": Experiment(
        "McAllester 1988, Table 1: error against nodes of alpha-beta and of conspiracy search",
        "within sampling error",
        "mcallester_1988",
        "table_1",
        games=400,
        quick_games=40,
    ),
    "lister-table-2": Experiment(
        "Lister and Schaeffer 1994, Table 2: the trees of McAllester's rule, constant evaluation",
        "exact; 5 of 40 cells by the closed form",
        "lister_1994",
        "table_2",
    ),
    "lister-table-3": Experiment(
        "Lister and Schaeffer 1994, Table 3: the trees of the improved rule, constant evaluation",
        "exact",
        "lister_1994",
        "table_3",
    ),
    "lister-chess": Experiment(
        "Lister and Schaeffer 1994, Section 5: chess problems by both rules, best-first and alpha-beta",
        "other problems; both rules level, without the paper's lead",
        "lister_chess",
        "chess",
        games=324,
        quick_games=27,
        timed=True,
    ),
    "sibling-example": Experiment(
        "Pawlewicz and Hayward 2015, Figures 2 to 8: five iterations, and the functions after each",
        "exact, but for a misprint",
        "pawlewicz_2015",
        "example",
    ),
    "sibling-expansions": Experiment(
        "Pawlewicz and Hayward 2015: expansions to prove small Hex and Connect-Four, by search",
        "no published table; all answers agree",
        "pawlewicz_2015",
        "expansions",
        games=24,
        quick_games=4,
    ),
    "pawlewicz-hex": Experiment(
        "Pawlewicz and Hayward 2015, Figure 11: a tournament of Hex players at five times, in Elo",
        "our own players of the same kinds; how they compare depends on the times",
        "pawlewicz_hex",
        "tournament",
        games=4,
        quick_games=1,
        timed=True,
        engines=True,
    ),
    "rivest-table-1": Experiment(
        "Rivest 1988, Table 1: generalized means and their derivatives",
        "exact",
        "rivest_1988",
        "table_1",
    ),
    "rivest-example": Experiment(
        "Rivest 1988, Figures 1 to 6: penalties of leaves, and which one is expanded next",
        "exact, to the printed decimals",
        "rivest_1988",
        "example",
    ),
    "rivest-table-2": Experiment(
        "Rivest 1988, Table 2: min/max approximation against alpha-beta, 980 games of Connect-Four",
        "by moves only against a wasteful alpha-beta; by time as published",
        "rivest_games",
        "table_2",
        games=49,
        quick_games=3,
        timed=True,
    ),
    "rivest-beyond": Experiment(
        "Beyond Rivest 1988: the published form and the best one against alpha-beta at equal time",
        "published form behind, best form ahead of the paper's alpha-beta",
        "rivest_beyond",
        "beyond",
        games=2401,
        quick_games=10,
        timed=True,
    ),
    "utgoff-example": Experiment(
        "Utgoff and Cochran 2001, Figure 1: values and swings",
        "exact",
        "utgoff_2001",
        "example",
    ),
    "utgoff-figure-3": Experiment(
        "Utgoff and Cochran 2001, Figure 3: least certainty against alpha-beta, random-tree games",
        "one shape of three",
        "utgoff_games",
        "figure_3",
        games=100,
        quick_games=15,
    ),
    "utgoff-figure-4": Experiment(
        "Utgoff and Cochran 2001, Figure 4: best-first minimax against alpha-beta, random-tree games",
        "three shapes of four",
        "utgoff_games",
        "figure_4",
        games=100,
        quick_games=15,
    ),
    "utgoff-figure-5": Experiment(
        "Utgoff and Cochran 2001, Figure 5: least certainty against best-first minimax",
        "all four shapes",
        "utgoff_games",
        "figure_5",
        games=100,
        quick_games=15,
    ),
    "utgoff-expansions": Experiment(
        "Utgoff and Cochran 2001, Figures 6 and 7: where two searches grow the same tree",
        "another game; the same kind of picture",
        "utgoff_2001",
        "expansions",
    ),
    "utgoff-amazons": Experiment(
        "Utgoff and Cochran 2001, Table 1: Amazons tournaments at four times",
        "within sampling error",
        "utgoff_tournaments",
        "amazons",
        games=10,
        quick_games=2,
        timed=True,
    ),
    "utgoff-othello": Experiment(
        "Utgoff and Cochran 2001, Table 2: Othello tournaments at four times",
        "least certainty is far weaker than published against best-first",
        "utgoff_tournaments",
        "othello",
        games=10,
        quick_games=2,
        timed=True,
    ),
    "calibration": Experiment(
        "Baum and Smith 1997, and beyond: how often searches are right when they say that they are sure",
        "holds its own criterion",
        "calibration",
        "calibration",
        games=1000,
        quick_games=6,
        parts=True,
    ),
    "field": Experiment(
        "One great round robin: every search that can play, in ten games at equal CPU time, in Elo",
        "no published table",
        "field",
        "play",
        timed=True,
        hours=0.5,
        quick_hours=0.001,
        parts=True,
        single=True,
    ),
    "proofs": Experiment(
        "Certificates of known results: size, and CPU time to find, write and check",
        "all answers agree",
        "proofs",
        "ladder",
        timed=True,
        parts=True,
        single=True,
    ),
}
"""Every experiment by name."""


def experiments() -> dict[str, str]:
    """Return the experiments: name and one-line summary.

    >>> list(experiments())[0]
    'mcallester-example'
    """
    return {name: entry.summary for name, entry in REGISTRY.items()}


def reproduce(
    name: str,
    *,
    quick: bool = False,
    out: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
    games: int | None = None,
    seconds: float | None = None,
    processes: int | None = None,
    opponents: Sequence[str] = (),
    cpu_hours: float | None = None,
    on: str | None = None,
    only: Sequence[str] = (),
) -> Report:
    """Run a paper's experiment again and return its table, the published numbers beside ours.

    `quick` does a part of it; `games` is the size of a sample of games; `seconds` is what stands for one
    second of the paper, where something is bounded by time; `out` is a folder for the table as CSV and JSON
    and the figure as SVG and PNG; `processes` is how many searches may run at once, all cores if nothing is
    said. The numbers do not depend on it, nor on the machine, except where time is a bound or a result.
    `opponents` are engines of others, as commands that speak GTP, for tournaments that take them.

    The `field` plays until `cpu_hours` are spent, on this machine or `on` a cluster, `"ray"` or
    `"ray://host:port"`. `only` are the games of the field or of the calibration, if not all are wanted; in
    `proofs`, the beginnings of the names of positions. The field and the proofs do one thing at a time unless
    `processes` says otherwise, because they measure CPU time.

    >>> import conspirator as cn
    >>> report = cn.reproduce("lister-table-3", quick=True)
    >>> report.rows[0]
    [10, 10, 2, 2, 111, 111, 'grown', 'yes']
    """
    entry = find(name)
    check_settings(name, entry, games, seconds)
    if opponents and not entry.engines:
        raise ArgumentError(f"{name} has no place for opponents, so leave them out")
    _check_field(name, entry, cpu_hours, on, only)
    if processes is not None:
        _check("processes", processes, least=1)

    from time import perf_counter

    from conspirator.experiments.report import machine, make_folder
    from conspirator.experiments.work import Work
    from conspirator.figures.files import need_matplotlib

    folder = None
    if out is not None:  # what can go wrong goes wrong before the work is done
        need_matplotlib()
        folder = make_folder(Path(out))
    count = games or (entry.quick_games if quick else entry.games)
    cores = processes or (1 if entry.single else os.cpu_count()) or 1
    hours = cpu_hours or (entry.quick_hours if quick else entry.hours)
    tell = progress or (lambda _fraction, _what: None)
    more = (tuple(opponents), hours, on, tuple(only))
    work = Work(quick, count, seconds, cores, tell, folder, *more)
    run: Callable[[Work], Report] = getattr(
        import_module(f"conspirator.experiments.{entry.module}"), entry.function
    )
    began = perf_counter()
    report = run(work)
    report.seconds = perf_counter() - began
    report.machine = machine()
    report.name = name
    report.version = __version__
    report.command = command_of(
        *(name,),
        quick=quick,
        games=games,
        seconds=seconds,
        opponents=opponents,
        cpu_hours=cpu_hours,
        only=only,
    )
    if folder is not None:
        report.save(folder)
    return report


def reproduce_all(
    out: str | os.PathLike[str],
    *,
    names: Iterable[str] | None = None,
    quick: bool = False,
    games: int | None = None,
    seconds: float | None = None,
    fresh: bool = False,
    processes: int | None = None,
    progress: Progress | None = None,
) -> Everything:
    """Run all experiments, or those with the `names`, into a folder: one page, and the files of each.

    `games` and `seconds` are for the experiments that have a use for them; the rest is as for `reproduce`.
    What an earlier run has left in the folder is kept if the version and the settings are the same, unless
    `fresh`. An experiment that fails does not stop the others, and after Ctrl-C what is done is kept.

    >>> import conspirator as cn, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     done = cn.reproduce_all(folder, names=["mcallester-example", "lister-table-3"], quick=True)
    >>> done.ok, done.page.name, done.reports["lister-table-3"].agrees
    (True, 'index.html', True)
    """
    chosen = {name: find(name) for name in (REGISTRY if names is None else names)}
    if processes is not None:
        _check("processes", processes, least=1)
    from conspirator.experiments.everything import run_all

    return run_all(Path(out), chosen, quick, games, seconds, fresh, processes, progress)


def find(name: str) -> Experiment:
    """Return an experiment, or say what is wrong with its name."""
    if name in REGISTRY:
        return REGISTRY[name]
    from conspirator.experiments.not_done import NOT_DONE

    if name in NOT_DONE:
        raise ArgumentError(f"{name} is {NOT_DONE[name].state}")
    from difflib import get_close_matches

    near = get_close_matches(str(name), REGISTRY, 1)
    hint = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(REGISTRY)}"
    raise ArgumentError(f"unknown experiment {name!r}; {hint}")


def check_settings(name: str, entry: Experiment, games: int | None, seconds: float | None) -> None:
    """Refuse a sample or a time that an experiment has no use for, or that cannot be."""
    if games is not None:
        if not entry.games:
            raise ArgumentError(f"{name} has no sample: nothing in it is random, so leave out games")
        _check("games", games, least=2)
    if seconds is not None:
        if not entry.timed:
            raise ArgumentError(f"{name} has no bounds on time, so leave out seconds")
        if isinstance(seconds, bool) or not isinstance(seconds, (int, float)) or not 0 < seconds < 3600:
            raise ArgumentError(f"seconds must be a positive number of less than an hour, not {seconds!r}")


def _check_field(
    name: str, entry: Experiment, cpu_hours: float | None, on: str | None, only: Sequence[str]
) -> None:
    """Refuse what only the field has a use for, parts of what has none, and a time that cannot be."""
    if only and not entry.parts:
        raise ArgumentError(f"{name} is done as a whole, so leave out only")
    given = {"cpu_hours": cpu_hours is not None, "on": on is not None}
    if not entry.hours and (stray := next((what for what, there in given.items() if there), None)):
        raise ArgumentError(f"{name} is not played until a time is spent, so leave out {stray}")
    wrong = isinstance(cpu_hours, bool) or not isinstance(cpu_hours, (int, float, type(None)))
    if cpu_hours is not None and (wrong or not 0 < cpu_hours < 1e6):
        raise ArgumentError(f"cpu_hours must be a positive number, not {cpu_hours!r}")


def command_of(
    name: str,
    *,
    quick: bool,
    games: int | None,
    seconds: float | None,
    opponents: Sequence[str] = (),
    cpu_hours: float | None = None,
    only: Sequence[str] = (),
) -> str:
    """Return the command that runs an experiment with these settings.

    >>> command_of("mcallester-table-1", quick=False, games=None, seconds=None)
    'conspirator reproduce mcallester-table-1 --games 400'
    """
    entry = REGISTRY[name]
    words = ["conspirator reproduce", name]
    if quick:
        words.append("--quick")
    if entry.games and (games is not None or not quick):
        words.append(f"--games {games or entry.games}")
    if seconds is not None:
        words.append(f"--seconds {seconds:g}")
    if entry.hours and (cpu_hours is not None or not quick):
        words.append(f"--cpu-hours {cpu_hours or entry.hours:g}")
    words += [f"--opponent {shlex.quote(text)}" for text in opponents]
    words += [f"--game {shlex.quote(text)}" for text in only]
    return " ".join(words)


def _check(what: str, number: int, least: int) -> None:
    if isinstance(number, bool) or not isinstance(number, int) or number < least:
        raise ArgumentError(f"{what} must be a whole number from {least} up, not {number!r}")


def __getattr__(name: str) -> object:
    """Load what needs more of the package when somebody asks for it."""
    if name in ("Mean", "Report"):
        return getattr(import_module("conspirator.experiments.report"), name)
    if name == "Everything":
        return import_module("conspirator.experiments.everything").Everything
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = ["Everything", "Mean", "Report", "experiments", "reproduce", "reproduce_all"]
