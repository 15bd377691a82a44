"""All experiments in one go: the page, and what happens when something fails or is stopped."""

from __future__ import annotations

import csv
import json
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

import conspirator as cn
from command_line import Run, complaint_of, result_of, runner
from conspirator.experiments import REGISTRY, lister_1994
from conspirator.experiments.everything import Everything

pytest.importorskip("matplotlib")

CHEAP = [
    "mcallester-example", "mcallester-uniform", "mcallester-table-1", "lister-table-2", "lister-table-3",
    "sibling-example", "rivest-table-1", "rivest-example", "utgoff-example", "utgoff-expansions",
]  # fmt: skip
"""The experiments whose numbers are the same everywhere and that take a second or two."""
TWO = ["lister-table-3", "mcallester-example"]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    return runner(capsys, monkeypatch, tmp_path)


@pytest.fixture
def two(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave two experiments."""
    for name in list(REGISTRY):
        if name not in TWO:
            monkeypatch.delitem(REGISTRY, name)


@pytest.fixture(scope="module")
def everything(tmp_path_factory: pytest.TempPathFactory) -> Everything:
    return cn.reproduce_all(tmp_path_factory.mktemp("results"), names=CHEAP, quick=True)


class Page(HTMLParser):
    """A page, taken apart."""

    EMPTY = frozenset({"meta", "br", "img", "link"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.tags: list[str] = []
        self.cells: list[str] = []
        self._open: list[str] = []
        self.feed(text)
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        facts = dict(attrs)
        self.tags.append(tag)
        if tag not in self.EMPTY:
            self._open.append(tag)
        if tag == "td":
            self.cells.append("")
        self.ids += [str(facts["id"])] if "id" in facts else []
        self.links += [str(facts[name]) for name in ("href", "xlink:href", "src") if name in facts]

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in self.EMPTY:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "td" in self._open:
            self.cells[-1] += data


def test_the_page_has_every_table_and_figure(everything: Everything) -> None:
    assert everything.ok
    assert list(everything.reports) == CHEAP
    text = everything.page.read_text(encoding="utf-8")
    page = Page(text)
    assert page.tags.count("svg") == page.tags.count("figure") == len(CHEAP)
    assert len(page.ids) == len(set(page.ids))
    for name, report in everything.reports.items():
        assert name in page.ids
        for row in report.texts():
            assert set(row) <= set(page.cells)
        assert all(words in text for words in (report.command, report.version))
    assert page.cells.count("agrees with the paper") == len(CHEAP)


def test_the_page_needs_nothing_else(everything: Everything) -> None:
    page = Page(everything.page.read_text(encoding="utf-8"))
    assert not {"script", "link", "iframe", "object"} & set(page.tags)
    folder = everything.page.parent
    for link in page.links:
        assert link[1:] in page.ids if link.startswith("#") else (folder / link).is_file()


def test_the_files_say_what_the_paper_says(everything: Everything) -> None:
    """The numbers as they are written: exact, or within three standard errors of a sample of this size."""
    folder = everything.page.parent
    for name in CHEAP:
        facts = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
        assert facts["agrees"], name
        assert {row.get("agrees") for row in facts["rows"]} <= {"yes", "misprint", None}
        lines = list(csv.reader((folder / f"{name}.csv").read_text(encoding="utf-8").splitlines()))
        assert len(lines) == 1 + len(facts["rows"])
        assert set(facts["machine"]) == {"processors", "python", "platform"}
        assert facts["seconds"] > 0


def test_a_run_goes_on_where_it_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = cn.reproduce_all(tmp_path, names=TWO, quick=True)
    assert (first.kept, first.ok) == ([], True)
    page = first.page.read_text(encoding="utf-8")
    monkeypatch.setattr(lister_1994, "table_3", lambda work: pytest.fail("done before"))
    again = cn.reproduce_all(tmp_path, names=TWO, quick=True)
    assert (again.kept, again.ok) == (TWO, True)
    assert again.page.read_text(encoding="utf-8") == page
    monkeypatch.undo()
    assert cn.reproduce_all(tmp_path, names=TWO, quick=True, fresh=True).kept == []
    assert cn.reproduce_all(tmp_path, names=TWO).kept == []
    sample = ["mcallester-table-1"]
    assert cn.reproduce_all(tmp_path, names=sample, games=2).kept == []
    assert cn.reproduce_all(tmp_path, names=sample, games=3).kept == []
    assert cn.reproduce_all(tmp_path, names=sample, games=3).kept == sample


@pytest.mark.parametrize("damage", ["", "{", "[]", "{}", '{"columns": 1, "rows": [1]}'])
def test_damaged_files_are_made_again(tmp_path: Path, damage: str) -> None:
    cn.reproduce_all(tmp_path, names=TWO, quick=True)
    (tmp_path / "lister-table-3.json").write_text(damage)
    (tmp_path / "mcallester-example.svg").write_text(damage)
    again = cn.reproduce_all(tmp_path, names=TWO, quick=True)
    assert (again.kept, again.ok) == ([], True)


def fail(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    def broken(_work: Any) -> Any:
        raise error

    monkeypatch.setattr(lister_1994, "table_3", broken)


@pytest.mark.parametrize("error", [RuntimeError("two\nlines <b>"), cn.ArgumentError("two lines <b>")])
def test_a_failure_does_not_stop_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    fail(monkeypatch, error)
    done = cn.reproduce_all(tmp_path, names=TWO, quick=True)
    assert not done.ok
    assert list(done.reports) == ["mcallester-example"]
    assert "two lines <b>" in done.errors["lister-table-3"]
    text = done.page.read_text(encoding="utf-8")
    assert "failed: " in text
    assert "two lines &lt;b&gt;" in text
    Page(text)


@pytest.mark.usefixtures("two")
def test_ctrl_c_keeps_what_is_done(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    fail(monkeypatch, KeyboardInterrupt())
    code, output, errors = run("reproduce --all --quick --out made")
    assert (code, errors) == (130, "")
    assert output.splitlines()[0].startswith("mcallester-example  agrees with the paper")
    assert output.splitlines()[1].split() == ["lister-table-3", "not", "run"]
    fail(monkeypatch, ValueError())
    assert json.loads(run("reproduce --all --quick --out made --json")[1])["kept"] == ["mcallester-example"]


@pytest.mark.usefixtures("two")
def test_the_command(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    output = result_of(run, "reproduce --all --quick")
    assert "written: results/index.html" in output
    assert "done before" in result_of(run, "reproduce --all --quick")
    assert "done before" not in result_of(run, "reproduce --all --quick --fresh")
    fail(monkeypatch, ValueError("no luck"))
    code, output, errors = run("reproduce --all --quick --fresh")
    assert (code, errors) == (1, "")
    assert "failed: ValueError: no luck" in output


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("reproduce --all lister-table-3", "name an experiment or say --all, not both"),
        ("reproduce --fresh", "--fresh goes with --all"),
        ("reproduce --all --games 1", "games must be a whole number from 2 up, not 1"),
        ("reproduce --all --out tree.json", "cannot make the folder tree.json"),
    ],
)
def test_bad_input_is_one_line(run: Run, line: str, words: str) -> None:
    assert words in complaint_of(run, line)


def test_unknown_names() -> None:
    with pytest.raises(cn.ArgumentError, match="did you mean 'lister-table-3'"):
        cn.reproduce_all("results", names=["lister-table3"])
