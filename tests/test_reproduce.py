"""The papers' experiments: published numbers reproduced, reports written, and disagreement noticed."""

from __future__ import annotations

import csv
import io
import json
import math
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import conspirator as cn
from command_line import Run, facts_of, result_of, runner
from conspirator.experiments import (
    REGISTRY,
    Mean,
    Report,
    experiments,
    lister_1994,
    mcallester_1988,
    pawlewicz_2015,
)
from conspirator.experiments.not_done import NOT_DONE
from conspirator.experiments.work import Work, grow
from helpers import HERE, script

NAMES = list(REGISTRY)
EXACT = ["mcallester-example", "mcallester-uniform", "lister-table-2", "lister-table-3"]

EXPECTED = (1.78, 1.03, 0.14, 0.00, 0.00)
"""Mean errors of conspiracy search on sorted games, by an independent prototype with 400 games of its own."""


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    return runner(capsys, monkeypatch, tmp_path)


class Reports(dict[str, Report]):
    """The quick form of every experiment, run when somebody looks at it: not all of them in every process."""

    def __missing__(self, name: str) -> Report:
        return self.setdefault(name, cn.reproduce(name, quick=True))


@pytest.fixture(scope="module")
def reports() -> dict[str, Report]:
    return Reports()


def column(report: Report, name: str) -> list[Any]:
    place = report.columns.index(name)
    return [row[place] for row in report.rows]


# The numbers


@pytest.mark.parametrize("name", EXACT)
def test_exact_experiments_agree_in_every_row(reports: dict[str, Report], name: str) -> None:
    report = reports[name]
    assert report.agrees
    assert set(column(report, "agrees")) == {"yes"}


def test_published_numbers_are_those_of_the_papers(golden: Callable[[str], Any]) -> None:
    data = golden("conspiracy/published")
    for ours, name in ((lister_1994.TABLE_2, "table2"), (lister_1994.TABLE_3, "table3")):
        theirs = {
            int(ct): tuple(tuple(row[str(width)]) for width in lister_1994.WIDTHS)
            for ct, row in data["lister_schaeffer"][name].items()
        }
        assert ours == theirs
    table = data["mcallester"]["sec8_table1"]
    assert list(mcallester_1988.NODES) == table["nodes"]
    assert list(mcallester_1988.PUBLISHED["alpha-beta"]) == table["alpha_beta"]
    assert list(mcallester_1988.PUBLISHED["conspiracy"]) == table["conspiracy"]
    assert table["games"] == mcallester_1988.PUBLISHED_GAMES
    section = data["mcallester"]["sec6"]
    ours = mcallester_1988.section_6()
    assert [ours[key] for key in ("game", "names", "expansions")] == [
        section[key] for key in ("game", "names", "expansions")
    ]
    assert ours["intervals_after"] == section["ranges_after"]


def test_the_example_expands_the_papers_nodes(reports: dict[str, Report]) -> None:
    report = reports["mcallester-example"]
    assert column(report, "node, ours") == ["A", *mcallester_1988.section_6()["names"]]
    intervals = column(report, "interval, ours")
    assert (intervals[0], intervals[9], intervals[16]) == ("[0, inf]", "[0, 2]", "[0, 0]")


def test_the_uniform_example_takes_ten_expansions(reports: dict[str, Report]) -> None:
    report = reports["mcallester-uniform"]
    row = next(row for row in report.rows if row[:2] == [2, 3])
    assert row == [2, 3, 4, 4, 5, 5, 10, 10, 26, "yes"]


CELLS = [
    pytest.param(search, ct, width, cell, id=f"{search} CT={ct} w={width}")
    for search, table in (("conspiracy", lister_1994.TABLE_2), ("improved-conspiracy", lister_1994.TABLE_3))
    for ct, row in table.items()
    for width, cell in zip(lister_1994.WIDTHS, row, strict=True)
    if cell[1] <= 200_000
]


@pytest.mark.parametrize(("search", "ct", "width", "cell"), CELLS)
def test_cells_of_tables_2_and_3(search: str, ct: int, width: int, cell: tuple[int, int]) -> None:
    result = grow(cn.games.UniformTree(width=width).start(), search, ct=ct, iterative=False)
    assert (result.depth, result.nodes, result.status) == (*cell, "converged")


def test_the_closed_forms_are_all_published_cells() -> None:
    for form, table in (
        (lister_1994.mcallester_tree, lister_1994.TABLE_2),
        (lister_1994.improved_tree, lister_1994.TABLE_3),
    ):
        for ct, row in table.items():
            assert tuple(form(width, ct) for width in lister_1994.WIDTHS) == row


@pytest.mark.parametrize("width", [2, 3, 5])
def test_the_closed_forms_hold_elsewhere(width: int) -> None:
    start = cn.games.UniformTree(width=width).start()
    for ct in range(2, min(width**2, 12) + 1):
        for search, form in (
            ("conspiracy", lister_1994.mcallester_tree),
            ("improved-conspiracy", lister_1994.improved_tree),
        ):
            result = grow(start, search, ct=ct, iterative=False)
            assert (result.depth, result.nodes) == form(width, ct)
    with pytest.raises(ValueError, match="holds for CT up to"):
        lister_1994.improved_tree(width, width**2 + 1)


def test_large_cells_are_left_to_the_closed_form(reports: dict[str, Report]) -> None:
    report = reports["lister-table-2"]
    for nodes, how in zip(column(report, "nodes, published"), column(report, "how"), strict=True):
        assert how == ("grown" if nodes <= 4_000_000 else "closed form")
    assert column(report, "how").count("grown") == 29
    assert set(column(reports["lister-table-3"], "how")) == {"grown"}


def test_without_memory_large_trees_are_not_grown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lister_1994, "default_memory", lambda: 1_000_000)
    report = cn.reproduce("lister-table-3")
    assert report.agrees
    assert column(report, "how").count("grown") == 24  # 1.33 MB are enough for 29,629 nodes
    assert "Not grown because memory was short" in " ".join(report.notes)


# Sibling conspiracy numbers


def test_the_sibling_example_is_the_papers(reports: dict[str, Report], golden: Callable[[str], Any]) -> None:
    """Every number of the text, and every function as an independent prototype has it."""
    report, data = reports["sibling-example"], golden("sibling/worked_example")
    assert report.agrees
    words = column(report, "agrees")
    assert set(words) == {"yes", "misprint", None}
    wrong = [row for row in report.rows if row[-1] == "misprint"]
    assert wrong == [[5, "d_c(-3)", "1", "0", "misprint"]]
    paths = {name: [int(place) for place in key.split("/") if place] for key, name in data["names"].items()}
    assert {name: list(path) for name, path in pawlewicz_2015.NAMES.items()} == {
        name: path for name, path in paths.items() if name != "m"
    }
    assert data["tree"] == pawlewicz_2015.EXAMPLE
    known: dict[str, str] = {}
    for count, iteration in enumerate(data["iterations"]):
        for number, what, _, ours, _ in report.rows:
            if number == count and str(what).endswith(" after it"):
                known[str(what)[0]] = str(ours)
        assert known == {name: functions["notation"] for name, functions in iteration["after"].items()}


@pytest.mark.parametrize(
    ("p", "d", "expected"),
    [
        ([(5, 1)], [(5, 1)], "<[5]>"),
        ([(0, 1), (3, 2), (4, 3)], [(0, 1)], "<[0] 3 4>"),
        ([(0, 1), (3, 3)], [(0, 1), (-1, 2), (-2.5, 4)], "<-2.5 -2.5 -1 [0] 3 3>"),
        ([], [(math.inf, math.inf)], "<+inf>"),
        ([(-math.inf, math.inf)], [], "<-inf>"),
    ],
)
def test_notation(p: Any, d: Any, expected: str) -> None:
    assert pawlewicz_2015.notation({"p": p, "d": d}) == expected


def test_known_openings_are_those_of_the_data() -> None:
    data = json.loads((HERE / "data" / "hex" / "solved_openings.json").read_text(encoding="utf-8"))
    for size, openings in pawlewicz_2015.BLACK_WINS.items():
        assert list(openings) == data[f"{size}x{size}"]["black_wins"]


def test_expansions_of_sibling_conspiracy_numbers(reports: dict[str, Report]) -> None:
    report = reports["sibling-expansions"]
    assert report.agrees
    assert set(column(report, "agrees")) == {"yes"}
    contenders = pawlewicz_2015.contenders()
    sets = column(report, "positions")
    assert {title: sets.count(title) for title in sets} == dict.fromkeys(
        pawlewicz_2015.TITLES.values(), len(contenders)
    )
    solved = [row for row in report.rows if row[0] in ("4x4", "4x4 openings")]
    assert {row[6] for row in solved} == {0}
    assert {row[6] for row in report.rows if row[0] == "5x5 openings"} == {2}  # a thousand are not enough
    trees: dict[Any, Any] = {
        row[1]: (row[3], row[4]) for row in solved if row[0] == "4x4" and row[2] == "tree"
    }
    for name in ("PNS, scores", "SCNS", "SCNS delta=1", "SCNS delta=0.5"):
        assert trees[name][0] == trees[name][1], name
    assert abs(trees["SCNS delta=0.25"][0] - trees["SCNS delta=0.25"][1]) <= 1
    efforts = [trees[f"SCNS delta={delta}"][1] for delta in ("1", "0.5", "0.25")]
    assert efforts == sorted(efforts, reverse=True)
    assert efforts[0] < trees["SCNS"][1] < trees["CNS"][1] < trees["PNS, scores"][1] < trees["PNS"][1]


@pytest.fixture
def few_contenders(monkeypatch: pytest.MonkeyPatch) -> None:
    quick = [contender for contender in pawlewicz_2015.contenders() if "SCNS" in contender.name]
    monkeypatch.setattr(pawlewicz_2015, "contenders", lambda: quick)


@pytest.mark.usefixtures("few_contenders")
def test_expansions_do_not_depend_on_the_number_of_threads() -> None:
    alone, together = (cn.reproduce("sibling-expansions", quick=True, games=2, processes=n) for n in (1, 3))
    for row, other in zip(alone.rows, together.rows, strict=True):
        assert row[:5] + row[6:] == other[:5] + other[6:]


def test_positions_of_connect_four_are_open() -> None:
    for seed in range(1, 25):
        position = pawlewicz_2015.stones(seed)
        assert position == pawlewicz_2015.stones(seed)
        assert all(position.play(move).outcome is None for move in position.moves())
        low, high = pawlewicz_2015.STONES
        assert low <= sum(position.notation().count(stone) for stone in "XO") - 1 <= high


@pytest.mark.usefixtures("few_contenders")
def test_answers_that_differ_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pawlewicz_2015, "BLACK_WINS", {**pawlewicz_2015.BLACK_WINS, 4: ("a1",)})
    report = cn.reproduce("sibling-expansions", quick=True, games=2)
    assert not report.agrees
    assert {row[0] for row in report.rows if row[-1] == "NO"} == {"4x4 openings"}


# Table 1


def means(report: Report, search: str, moves: str, count: str) -> list[Mean]:
    (row,) = [row for row in report.rows if row[:3] == [search, moves, count]]
    found = [cell for cell in row if isinstance(cell, Mean)]
    assert len(found) == 5
    return found


def test_errors_of_conspiracy_search_are_as_expected(reports: dict[str, Report]) -> None:
    report = reports["mcallester-table-1"]
    assert report.agrees
    assert report.seeds == "seeds 1 to 40"
    ours = means(report, "conspiracy", "sorted", "the last tree of at most n nodes")
    for mean, expected in zip(ours, EXPECTED, strict=True):
        assert abs(mean.value - expected) <= 3 * mean.error + 1e-9
    later = means(report, "conspiracy", "sorted", "the first tree of at least n nodes")
    assert [mean.value for mean in later[3:]] == [0, 0]


def test_alpha_beta_is_measured_by_completed_iterations(reports: dict[str, Report]) -> None:
    """Counting more can only leave fewer iterations: the budgets of the search itself say the same."""
    seed = 7
    errors = mcallester_1988.errors_of(True, seed)
    start = cn.games.RandomTree(branching=10, depth=6, seed=seed, sort=True).start()
    true = cn.search(start, "alpha-beta", depth=6, nodes=10**9).value
    _, generated, played, *_ = mcallester_1988.VARIANTS
    for place, limit in enumerate(mcallester_1988.NODES):
        by_nodes = cn.search(start, "alpha-beta", depth=6, first_depth=1, nodes=limit)
        by_moves = cn.search(start, "alpha-beta", depth=6, first_depth=1, move_calls=limit)
        assert abs(by_nodes.value - true) == errors[generated][place]
        assert abs(by_moves.value - true) == errors[played][place]


def test_the_sample_does_not_depend_on_the_number_of_threads() -> None:
    alone, together = (cn.reproduce("mcallester-table-1", games=6, processes=n) for n in (1, 3))
    assert alone.rows == together.rows
    assert alone.rows != cn.reproduce("mcallester-table-1", games=7).rows


@pytest.mark.parametrize(
    ("sample", "published", "expected"),
    [
        ([1.0, 1.0, 1.0, 1.0], 1.0, 0.0),
        ([0.0, 2.0] * 20, 1.0, 0.0),
        ([0.0, 2.0] * 20, 2.0, math.sqrt(19.5)),  # variance 40/39, twice over 40 games
        ([0.0] * 40, 0.2, math.sqrt(4.0)),  # variance taken to be 0.2
    ],
)
def test_distance_between_means(sample: list[float], published: float, expected: float) -> None:
    assert mcallester_1988.distance(Mean.of(sample), published, len(sample)) == pytest.approx(expected)


# What would be wrong is said to be wrong


def test_disagreement_is_noticed(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = {**lister_1994.TABLE_3, 20: ((4, 2_472), *lister_1994.TABLE_3[20][1:])}
    monkeypatch.setattr(lister_1994, "TABLE_3", wrong)
    report = cn.reproduce("lister-table-3")
    assert not report.agrees
    assert column(report, "agrees").count("NO") == 1
    wrong_row = {**mcallester_1988.PUBLISHED, "conspiracy": (1.52, 0.95, 1.0, 0.02, 0.0)}
    monkeypatch.setattr(mcallester_1988, "PUBLISHED", wrong_row)
    assert not cn.reproduce("mcallester-table-1", quick=True).agrees
    assert "does NOT agree with the paper" in result_of(run, "reproduce lister-table-3")
    data = mcallester_1988.section_6()
    data["intervals_after"]["16"] = [0, 1]
    monkeypatch.setattr(mcallester_1988, "section_6", lambda: data)
    assert not cn.reproduce("mcallester-example").agrees


def test_an_interrupt_ends_the_experiment() -> None:
    start = cn.games.UniformTree(width=10).start()
    with pytest.raises(KeyboardInterrupt):
        grow(start, "conspiracy", ct=100, iterative=False, progress=lambda _: False)


def test_answers_come_in_order_and_progress_is_told() -> None:
    told: list[tuple[float, str]] = []
    work = Work(processes=4, tell=lambda fraction, what: told.append((fraction, what)))
    assert work.over(lambda n: n * n, range(10)) == [n * n for n in range(10)]
    assert [fraction for fraction, _ in told] == [n / 10 for n in range(1, 11)]
    with pytest.raises(ZeroDivisionError):
        work.over(lambda n: 1 // n, range(3))


# Files


@pytest.mark.parametrize("name", NAMES)
def test_files(reports: dict[str, Report], tmp_path: Path, name: str) -> None:
    report = reports[name]
    files = {path.suffix: path for path in report.save(tmp_path / "new" / "folder")}
    assert {path.stem for path in files.values()} == {name}
    lines = list(csv.reader(io.StringIO(files[".csv"].read_text(encoding="utf-8"))))
    assert len(lines) == 1 + len(report.rows)
    assert len({len(line) for line in lines}) == 1
    facts = json.loads(files[".json"].read_text(encoding="utf-8"))
    assert facts["name"] == name
    assert facts["command"] == f"conspirator reproduce {name} --quick"
    assert facts["version"] == cn.__version__
    assert facts["convention"]
    assert len(facts["rows"]) == len(report.rows)
    assert files[".png"].read_bytes().startswith(b"\x89PNG")
    drawing = files[".svg"].read_text(encoding="utf-8")
    assert "</svg>" in drawing
    again = {path.suffix: path for path in report.save(tmp_path / "again")}
    assert again[".svg"].read_text(encoding="utf-8") == drawing


def test_means_take_two_columns_in_csv(reports: dict[str, Report]) -> None:
    header, published, ours, *_ = csv.reader(io.StringIO(reports["mcallester-table-1"].to_csv()))
    place = header.index("1,000")
    assert header[place + 1] == "1,000 standard error"
    assert published[place : place + 2] == ["0.8", ""]
    assert float(ours[place + 1]) > 0


def test_without_matplotlib_one_line_says_what_to_install(
    run: Run, monkeypatch: pytest.MonkeyPatch, reports: dict[str, Report]
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(cn.ArgumentError, match=r"pip install matplotlib"):
        reports["lister-table-3"].figure()
    code, output, errors = run("reproduce mcallester-table-1 --out figures")
    assert (code, output) == (2, "")
    assert errors == "error: figures need matplotlib: pip install matplotlib\n"
    assert result_of(run, "reproduce mcallester-example")


def test_importing_the_package_stays_light() -> None:
    loaded = script(
        "import json, sys; import conspirator; "
        "print(json.dumps([name for name in sys.modules if 'matplotlib' in name or 'experiments.' in name]))"
    )
    assert loaded == []


# The command


def test_the_list(run: Run) -> None:
    output = result_of(run, "reproduce")
    entries = facts_of(run, "reproduce")
    assert list(entries) == [*NAMES, *NOT_DONE]
    assert list(experiments()) == NAMES
    assert all(
        (name in NOT_DONE) == entry["state"].startswith("not done: ") for name, entry in entries.items()
    )
    for name, entry in entries.items():
        assert name in output
        assert set(entry) == {"summary", "state"}


def test_the_command_shows_published_and_ours(run: Run) -> None:
    output = result_of(run, "reproduce mcallester-example --out made")
    for words in ("node, published", "node, ours", "[-1, 3]", "convention", "notes", "agrees with the paper"):
        assert words in output
    assert f"conspirator reproduce mcallester-example; conspirator {cn.__version__}" in output
    assert "written: made/mcallester-example.svg" in output
    assert Path("made/mcallester-example.png").stat().st_size > 1000


def test_the_command_as_json(run: Run) -> None:
    facts = facts_of(run, "reproduce mcallester-table-1 --games 3")
    assert facts["seeds"] == "seeds 1 to 3"
    assert facts["command"] == "conspirator reproduce mcallester-table-1 --games 3"
    assert facts["rows"][0]["1,000"] == 0.8
    assert set(facts["rows"][1]["1,000"]) == {"mean", "standard_error"}
    assert facts["files"] == []


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (
            "reproduce mcalester-example",
            "unknown experiment 'mcalester-example'; did you mean 'mcallester-example'?",
        ),
        ("reproduce sibling-figure-12", "sibling-figure-12 is not done: one game of two programs"),
        ("reproduce zzz", "unknown experiment 'zzz'; known: mcallester-example, "),
        ("reproduce --quick", "name an experiment"),
        ("reproduce lister-table-3 --games 9", "has no sample"),
        ("reproduce mcallester-table-1 --games 1", "games must be a whole number from 2 up, not 1"),
        ("reproduce mcallester-table-1 --games many", "is not a whole number"),
        ("reproduce lister-table-3 --out tree.json", "cannot make the folder tree.json"),
        ("reproduce lister-table-3 extra", "unexpected extra argument"),
    ],
)
def test_bad_input_is_one_line(run: Run, line: str, words: str) -> None:
    code, output, errors = run(line)
    assert (code, output) == (2, "")
    assert errors.startswith("error: ")
    assert errors.count("\n") == 1
    assert words in errors


@pytest.mark.parametrize("processes", [0, True, 1.5, "2"])
def test_bad_processes(processes: Any) -> None:
    with pytest.raises(cn.ArgumentError, match="processes must be a whole number from 1 up"):
        cn.reproduce("lister-table-3", processes=processes)
