"""Every figure that README and docs state has its data, and says what the data says."""

from __future__ import annotations

import importlib.util
import json
import shutil
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parent.parent


def load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("evidence_tool", ROOT / "tools" / "evidence.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["evidence_tool"] = module  # its dataclass looks its own module up
    spec.loader.exec_module(module)
    return module


tool = load()


def test_every_figure_has_its_data() -> None:
    assert list(tool.problems(ROOT)) == []


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """Return a project with one figure that is right."""
    folder = tmp_path / "evidence" / "cups"
    folder.mkdir(parents=True)
    (tmp_path / "docs").mkdir()
    (tmp_path / "README.md").write_text("# Cups\n\nWe have 60.0 % &plusmn; 43.0: see evidence/cups.\n")
    players = [{"name": "us", "wins": 3, "draws": 0, "losses": 2}]
    (folder / "match.json").write_text(json.dumps({"players": players}))
    (folder / "evidence.toml").write_text(
        """
what = "cups"
version = "0.2.0"
machine = "one core"
[files]
"match.json" = "echo '{}'"
[[figures]]
page = "README.md"
says = "We have {points:.1f} %"
points = ["score", "match.json", "us", "points"]
"""
    )
    return tmp_path


def test_a_figure_that_is_right(small: Path) -> None:
    assert list(tool.problems(small)) == []


def test_a_figure_that_differs(small: Path) -> None:
    readme = small / "README.md"
    readme.write_text(readme.read_text().replace("60.0", "61.0"))
    assert list(tool.problems(small)) == ["README.md: does not say 'We have 60.0 %', as evidence/cups has it"]


def test_data_that_differs(small: Path) -> None:
    match = small / "evidence" / "cups" / "match.json"
    match.write_text(match.read_text().replace("3", "4"))
    assert "does not say 'We have 66.7 %'" in next(tool.problems(small))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("It is 3 times as fast.", "no evidence is named for 'It is 3 times as fast.'"),
        ("It won 7 of 9 games.", "no evidence is named"),
        ("It won 7 of 9 games (evidence/saucers).", "there is no evidence/saucers"),
        ("It won 7 of 9 games (evidence/cups).", None),
        ("It won 7 of 9 games.\n\n## Data\n\nSee evidence/cups.", "no evidence is named"),
        ("It won 7 of 9 games, which were not kept.", None),
        ("```sh\nwon 7 of 9\n```", None),
        ("It has nine lives.", None),
    ],
)
def test_a_figure_without_data(small: Path, text: str, problem: str | None) -> None:
    (small / "docs" / "page.md").write_text(f"# Page\n\n{text}\n")
    found = list(tool.problems(small))
    assert len(found) == (0 if problem is None else 1)
    assert problem is None or problem in found[0]


def test_files(small: Path) -> None:
    folder = small / "evidence" / "cups"
    (folder / "more.csv").write_text("a,b\n")
    shutil.move(folder / "match.json", folder / "lost.json")
    found = list(tool.problems(small))
    assert found[:3] == [
        "evidence/cups: lost.json has no command",
        "evidence/cups: more.csv has no command",
        "evidence/cups: match.json is missing",
    ]
    (folder / "evidence.toml").unlink()
    assert "evidence/cups: no evidence.toml" in list(tool.problems(small))


def test_run(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert tool.run(small, "cups") == 0
    assert (small / "evidence" / "cups" / "match.json").read_text() == "{}\n"
    assert tool.run(small, "saucers") == 2
    assert "known: cups" in capsys.readouterr().err


def test_a_command_that_fails_leaves_the_file(small: Path) -> None:
    folder = small / "evidence" / "cups"
    before = (folder / "match.json").read_text()
    toml = folder / "evidence.toml"
    toml.write_text(toml.read_text().replace("echo '{}'", "echo no; exit 3"))
    assert tool.run(small, "cups") == 1
    assert (folder / "match.json").read_text() == before


def test_readings(tmp_path: Path) -> None:
    games = (
        '[White "us x"]\n[Black "them"]\n[Result "1-0"]\n\n[White "them"]\n[Black "us"]\n[Result "1/2-1/2"]\n'
    )
    (tmp_path / "games.pgn").write_text(games)
    assert [tool.score(tmp_path / "games.pgn", "us", field) for field in ("wins", "draws", "points")] == [
        1,
        1,
        75,
    ]
    (tmp_path / "games.csv").write_text("max_player,min_player,points\nus,them,1.0\nthem,us,1.0\n")
    assert tool.score(tmp_path / "games.csv", "us", "losses") == 1
    (tmp_path / "table.csv").write_text("# how\nwhat,much\na,2\nb,c\n")
    assert tool.csv_of(tmp_path / "table.csv", "a", "much") == 2
    assert tool.csv_of(tmp_path / "table.csv", "b", "much") == "c"
    assert tool.csv_of(tmp_path / "table.csv", "b,c", "much") == "c"
    with pytest.raises(KeyError):
        tool.csv_of(tmp_path / "table.csv", "b,d", "much")
