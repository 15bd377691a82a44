"""README and docs: examples run, tables and the picture are up to date, links lead somewhere."""

from __future__ import annotations

import doctest
import importlib.util
import os
import pkgutil
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree

import pytest

import conspirator as cn
from conspirator.cli import app

ROOT = Path(__file__).parent.parent
DOCS = sorted((ROOT / "docs").glob("*.md"))
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *DOCS]
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
FENCE = re.compile(r"^ *```.*$", re.MULTILINE)
FENCED = re.compile(r"^ *```(?P<kind>\w*)\n(?P<body>.*?)^ *```$", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"""\]\((?P<link>[^)\s]+)\)|\b(?:src|href)="(?P<attribute>[^"]+)\"""")

MODULES = [
    module.name
    for module in pkgutil.walk_packages(cn.__path__, "conspirator.")
    if module.name not in ("conspirator._native", "conspirator.bench.peers")
]

pages = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)


def text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def script(name: str) -> ModuleType:
    """Return docs/<name>.py as a module."""
    spec = importlib.util.spec_from_file_location(f"docs_{name}", ROOT / "docs" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run(test: doctest.DocTest) -> None:
    report: list[str] = []
    results = doctest.DocTestRunner(optionflags=FLAGS).run(test, out=report.append)
    assert results.failed == 0, "".join(report)


@pages
def test_examples(page: Path) -> None:
    code = FENCE.sub("", text(page))  # the end of a block is no expected output
    run(doctest.DocTestParser().get_doctest(code, {}, page.name, str(page), 0))


@pytest.mark.parametrize("name", ["conspirator", *MODULES])
def test_examples_of_a_module(name: str) -> None:
    module = importlib.import_module(name)
    for test in doctest.DocTestFinder(exclude_empty=True).find(module, name):
        run(test)


def test_the_first_example_is_short() -> None:
    first = next(block for block in FENCED.finditer(text(PAGES[0])) if block["kind"] == "python")
    assert len(first["body"].splitlines()) <= 10


def commands() -> Iterator[tuple[str, list[str]]]:
    """Yield the page and the arguments of every command line that a page shows."""
    for page in PAGES:
        for block in FENCED.finditer(text(page)):
            for line in block["body"].splitlines() if block["kind"] == "sh" else ():
                words = shlex.split(line, comments=True)
                if words[:1] == ["conspirator"]:
                    yield page.name, words[1:]


@pytest.mark.parametrize(("page", "arguments"), list(commands()))
def test_command_lines_can_be_read(page: str, arguments: list[str]) -> None:
    name, *options = arguments
    assert name in app.commands, page
    app.commands[name].make_context(name, options)


def test_tables_are_up_to_date() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "docs" / "tables.py", "--check"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("content", "code", "message"),
    [
        ("<!-- begin: searches -->\nold\n<!-- end: searches -->\n", 1, "page.md is out of date"),
        ("<!-- begin: serches -->\n<!-- end: serches -->\n", 2, "no table is called 'serches'"),
        ("<!-- begin: searches -->\n", 2, "<!-- begin: searches --> has no partner"),
        ("no table at all\n", 0, ""),
    ],
)
def test_what_is_wrong_with_a_table_is_said(
    content: str,
    code: int,
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    tables = script("tables")
    page = tmp_path / "docs" / "page.md"
    page.parent.mkdir()
    page.write_text(content, encoding="utf-8")
    (tmp_path / "README.md").write_text("", encoding="utf-8")
    monkeypatch.setattr(tables, "ROOT", tmp_path)
    monkeypatch.setattr(tables, "README", tmp_path / "README.md")
    assert tables.main(["--check"]) == code
    assert message in capsys.readouterr().err
    assert text(page) == content
    if code == 1:
        assert tables.main([]) == 0
        assert "`best-first`" in text(page)
        assert tables.main(["--check"]) == 0
    assert tables.main(["--chekc"]) == 2


def test_examples_of_the_script_for_tables() -> None:
    for test in doctest.DocTestFinder().find(script("tables"), "tables"):
        run(test)


@pytest.mark.parametrize("name", cn.searches())
def test_every_search_has_its_section(name: str) -> None:
    content = text(ROOT / "docs" / "algorithms.md")
    assert f"\n## {name}\n" in content
    assert f"<!-- begin: parameters of {name} -->" in content


@pytest.mark.parametrize("name", cn.games.all_games())
def test_every_game_has_its_section(name: str) -> None:
    content = text(ROOT / "docs" / "games.md")
    assert f"on the command line `{name}`" in content
    assert f"<!-- begin: options of {name} -->" in content


def test_the_api_page_has_all_public_names() -> None:
    listed = re.findall(r"^::: conspirator\.(\w+)$", text(ROOT / "docs" / "api.md"), re.MULTILINE)
    assert sorted(listed) == sorted(set(cn.__all__) - {"__version__"})


@pages
def test_links(page: Path) -> None:
    prose = re.sub(r"`[^`]*`", "", FENCED.sub("", text(page)))
    for match in LINK.finditer(prose):
        link = match["link"] or match["attribute"]
        if not re.match(r"[a-z]+:", link):
            target = link.partition("#")[0]
            assert not target or (page.parent / target).exists(), link


def test_every_page_is_in_the_menu() -> None:
    menu = re.findall(r": (\S+\.md)$", text(ROOT / "mkdocs.yml"), re.MULTILINE)
    assert sorted(menu) == [page.name for page in DOCS]


def test_the_site_can_be_built(tmp_path: Path) -> None:
    for module in ("mkdocs", "material", "mkdocstrings"):
        pytest.importorskip(module)
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", tmp_path / "site"],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert (tmp_path / "site" / "index.html").exists()


def words_of_picture(drawing: str) -> list[str]:
    """Return the words of a picture, without those that the clock decides."""
    parts = [element.text or "" for element in ElementTree.fromstring(drawing).iterfind(".//{*}text")]
    assert parts
    words = " ".join(parts).replace("\N{NO-BREAK SPACE}", " ")
    return re.sub(r"[\d.]+[kMG]? a second|(?<=seconds)\s+[\d.]+", "", words).split()


def test_the_picture_shows_what_analyze_prints() -> None:
    picture = script("picture")
    drawn = text(picture.TARGET)
    assert len(drawn) < 60_000
    assert words_of_picture(drawn) == words_of_picture(picture.draw()), "run python docs/picture.py"


def test_the_index_lists_every_page() -> None:
    listed = set(re.findall(r"\]\(([\w-]+\.md)\)", text(ROOT / "docs" / "index.md")))
    assert {page.name for page in (ROOT / "docs").glob("*.md")} - listed == {"index.md"}
