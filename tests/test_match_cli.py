"""`conspirator match`: what it prints, what it writes, and one clear line for every mistake."""

from __future__ import annotations

import csv
import json
import os
import pty
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

import conspirator as cn
from command_line import Run, complaint_of, facts_of, program, result_of, runner
from conspirator.cli import app
from conspirator.cli.match import match as group
from conspirator.figures.elo import budgets
from conspirator.matches import Store
from conspirator.matches.export import COLUMNS, export
from conspirator.matches.openings import replay
from conspirator.matches.report import page_of

TINY = "connect-four A=best-first:nodes=50 B=alpha-beta:nodes=90 --plies 1"
STORED = f"match {TINY} --store games.db"


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    return runner(capsys, monkeypatch, tmp_path)


def read(path: str) -> cn.MatchResult:
    with Store.open(path) as store:
        return cn.MatchResult.read(store)


# Run and show


def test_the_table(run: Run) -> None:
    output = result_of(run, f"match {TINY}")
    assert output.startswith("connect-four, 14 games\nplayer")
    assert {line.split()[0] for line in output.splitlines()[2:4]} == {"A", "B"}


def test_as_json(run: Run) -> None:
    facts = facts_of(run, f"match {TINY} --games 6 --concurrency 2")
    assert (facts["games"], facts["planned"]) == (6, 6)
    assert facts["definition"]["players"] == ["A=best-first:nodes=50", "B=alpha-beta:nodes=90"]
    assert {player["name"] for player in facts["players"]} == {"A", "B"}
    assert facts["pairs"][0]["wins"] + facts["pairs"][0]["losses"] + facts["pairs"][0]["draws"] == 6


def test_run_is_what_match_does(run: Run) -> None:
    assert result_of(run, f"match run {TINY}") == result_of(run, f"match {TINY}")
    assert result_of(run, "match") == result_of(run, "match --help")


def test_three_players_have_a_crosstable(run: Run) -> None:
    output = result_of(run, f"match {TINY} C=best-first:nodes=9 --schedule gauntlet")
    assert "likelihood of superiority" in output
    assert len(re.findall(r"\d+-\d+-\d+  \d+ %", output)) == 4, "B and C have not met"


def test_a_test_that_stops(run: Run) -> None:
    line = "match connect-four A=best-first:nodes=2k B=best-first:nodes=9 --plies 3 --sprt 0,100"
    output = result_of(run, line)
    assert "accepted: 100, after" in output
    assert " games of " in output
    facts = facts_of(run, f"{line},0.01,0.02")
    assert facts["definition"]["sprt"] == {"elo0": 0, "elo1": 100, "alpha": 0.01, "beta": 0.02}


def test_adjudication_by_options(run: Run) -> None:
    result_of(run, f"{STORED} --max-plies 9 --adjudicate 10,3 --proven")
    result = read("games.db")
    assert result.definition["adjudication"] == {"max_plies": 9, "value": 10, "plies": 3, "proven": True}
    assert {record.reason for record in result.records} <= {"max plies", "value", "proven", "over"}
    assert max(len(record.moves) for record in result.records) <= 9


def test_a_game_of_the_user(run: Run) -> None:
    line = "match nim.py:Nim A=best-first:nodes=9 B=best-first:nodes=3 --game-option matches=9 --store nim.db"
    assert "nim.py:Nim, 10 games" in result_of(run, line)
    assert result_of(run, line) == result_of(run, "match show nim.db")
    result_of(run, "match report nim.db")
    assert "(9, 1)" in Path("nim.html").read_text(encoding="utf-8"), "positions are drawn"
    Path("nim.py").unlink()
    result_of(run, "match report nim.db")
    assert "(9, 1)" not in Path("nim.html").read_text(encoding="utf-8")


def test_a_game_of_open_spiel(run: Run) -> None:
    pytest.importorskip("pyspiel")
    line = (
        "match open-spiel:tic_tac_toe A=best-first:nodes=90 B=best-first:nodes=9 --store t.db --concurrency 2"
    )
    assert "open-spiel:tic_tac_toe, 144 games" in result_of(run, line)
    result_of(run, "match report t.db")
    assert "x.." in Path("t.html").read_text(encoding="utf-8")
    Path("openings.txt").write_text("x(1,1) o(0,0)\n")
    assert "2 games" in result_of(run, line.replace("t.db", "o.db") + " --openings openings.txt")


def test_going_on_and_showing(run: Run) -> None:
    first = result_of(run, STORED)
    assert result_of(run, STORED) == first == result_of(run, "match show games.db")
    assert facts_of(run, "match show games.db")["games"] == 14


def test_the_live_table_vanishes() -> None:
    terminal, slave = pty.openpty()
    line = ["match", "connect-four", "A=best-first:seconds=0.01", "B=best-first:nodes=9", "--plies", "1"]
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "100"}
    process = program(*line, stdout=subprocess.PIPE, stderr=slave, env=environment)
    os.close(slave)
    shown = b""
    while True:
        try:
            shown += os.read(terminal, 10_000)
        except OSError:  # how Linux says that the other end is closed
            break
    os.close(terminal)
    output = process.communicate(timeout=180)[0].decode()
    assert process.returncode == 0
    assert b"/14" in shown
    assert b"left" in shown
    assert "14 games" in output
    assert "\x1b" not in output


@pytest.mark.parametrize("name", group.commands)
def test_the_examples_in_the_help_work(run: Run, name: str) -> None:
    result_of(run, f"{STORED} --games 4")
    lines = [line.strip() for line in result_of(run, f"match {name} --help").splitlines()]
    examples = [line.removeprefix("$ conspirator ") for line in lines if line.startswith("$ conspirator")]
    assert len(examples) >= 2
    for example in examples:
        if "games.db" in example and name == "run":
            Path("games.db").unlink()
        assert result_of(run, example)
    assert app.commands["match"] is group


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("match connect-four", "missing argument 'PLAYER...'"),
        ("match connect-four best-first:nodes=9", "at least two players"),
        ("match conect-four A=best-first:nodes=9 B=best-first:nodes=9", "did you mean 'connect-four'?"),
        ("match connect-four A=best-frist B=best-first:nodes=9", "did you mean 'best-first'?"),
        (f"match {TINY} --sprt 5", "--sprt takes 2 or 3 or 4 numbers with commas, not '5'"),
        (f"match {TINY} --sprt 5,x", "not '5,x'"),
        (f"match {TINY} --sprt 5,1", "below elo1"),
        (f"match {TINY} --adjudicate 5", "--adjudicate takes 2 numbers"),
        (f"match {TINY} --adjudicate 5,1.5", "not a whole number of moves"),
        (f"match {TINY} --games 3", "even number"),
        (f"match {TINY} --games x", "not a whole number"),
        (f"match {TINY} --concurrency 0", "not a whole number"),
        (f"match {TINY} --schedule swiss", "'swiss' is not one of"),
        (f"match {TINY} --openings no.txt", "cannot read the openings"),
        (f"match {TINY} --store .", "is a folder"),
        (f"match {TINY} --game-option size=3", "unknown parameter of connect-four 'size'"),
        (f"match {TINY} --on slurm", "ray"),
        ("match explicit-tree A=best-first:nodes=9 B=best-first:nodes=8", "for other commands"),
        ("match nim.py:Nam A=best-first:nodes=9 B=best-first:nodes=8", "did you mean 'Nim'?"),
        ("match show no.db", "there is no file no.db"),
        ("match report nim.py", "no SQLite file"),
        ("match export no.db x.csv", "there is no file no.db"),
    ],
)
def test_bad_input_is_one_line(run: Run, line: str, words: str) -> None:
    assert words in complaint_of(run, line)


# Export


def test_csv(run: Run) -> None:
    result_of(run, STORED)
    assert result_of(run, "match export games.db games.csv") == "written: games.csv, 14 games\n"
    with Path("games.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert tuple(rows[0]) == COLUMNS
    result = read("games.db")
    for row, record in zip(rows, result.records, strict=True):
        assert row["moves"].split() == record.moves
        assert float(row["points"]) == record.points
        nodes = int(row["max_nodes"]) + int(row["min_nodes"])
        assert nodes == sum(count or 0 for count in record.statistics["nodes"])
        assert json.loads(row["statistics"]) == record.statistics


def test_parquet(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    result_of(run, STORED)
    parquet = pytest.importorskip("pyarrow.parquet")
    result_of(run, "match export games.db games.parquet")
    table = parquet.read_table("games.parquet")
    assert tuple(table.column_names) == COLUMNS
    assert table.column("points").to_pylist() == [record.points for record in read("games.db").records]
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    code, _, errors = run("match export games.db games.parquet")
    assert (code, errors) == (2, "error: Parquet needs pyarrow: pip install pyarrow\n")


def test_pgn(run: Run) -> None:
    result_of(run, STORED.replace("A=", "'A \"the\\ first\"'="))
    result_of(run, "match export games.db games.pgn")
    games = Path("games.pgn").read_text(encoding="utf-8").split("\n\n")
    assert len(games) == 2 * 14 + 1
    assert '[White "A \\"the\\\\ first\\""]' in games[0]
    record = read("games.db").records[0]
    words = [word for word in games[1].split() if not re.fullmatch(r"\d+\.+", word)]
    opening = read("games.db").openings[record.opening]
    assert words == [*opening.moves, *record.moves, {1: "1-0", 0: "0-1", 0.5: "1/2-1/2"}[record.points]]


def test_a_pgn_of_chess_is_read_by_others(run: Run) -> None:
    pgn = pytest.importorskip("chess.pgn")
    start = "r3k2r/8/8/8/8/8/P6p/R3K2R w KQkq - 0 1"
    Path("openings.txt").write_text(f"{start}\n")
    players = "A=alpha-beta:depth=1,first_depth=1 B=best-first:nodes=99"
    result_of(run, f"match chess {players} --openings openings.txt --max-plies 40 --store chess.db")
    result_of(run, "match export chess.db chess.pgn")
    with Path("chess.pgn").open(encoding="utf-8") as file:
        for record in read("chess.db").records:
            game = pgn.read_game(file)
            assert not game.errors
            assert game.board().fen() == start
            assert [move.uci() for move in game.mainline_moves()] == list(record.moves)


def test_a_pgn_begins_with_a_position(run: Run) -> None:
    Path("openings.txt").write_text("445\n")
    result_of(run, f"{STORED} --openings openings.txt")
    result_of(run, "match export games.db games.pgn")
    text = Path("games.pgn").read_text(encoding="utf-8")
    assert '[SetUp "1"]\n[FEN "445"]' in text
    assert "\n1... " in text, "Min moves first"


def test_sgf(run: Run) -> None:
    result_of(
        run, "match hex A]=best-first:nodes=9 B=best-first:nodes=30 --game-option size=3 --store hex.db"
    )
    result_of(run, "match export hex.db hex.sgf")
    lines = Path("hex.sgf").read_text(encoding="utf-8").splitlines()
    result = read("hex.db")
    assert len(lines) == len(result.records)
    record = result.records[0]
    moves = [*result.openings[record.opening].moves, *record.moves]
    nodes = "".join(f";{'BW'[ply % 2]}[{move}]" for ply, move in enumerate(moves))
    assert lines[0].endswith(f"{nodes})")
    assert lines[0].startswith("(;FF[4]GM[11]CA[UTF-8]")
    assert "PB[A\\]]PW[B]" in lines[0]
    result_of(run, STORED)
    assert "SGF is for hex, not for connect-four" in run("match export games.db games.sgf")[2]


def test_bad_exports(run: Run) -> None:
    result_of(run, STORED)
    assert "games are written as .csv, .parquet, .pgn, .sgf" in run("match export games.db games.xls")[2]
    assert "cannot write nowhere/games.csv: No such file" in run("match export games.db nowhere/games.csv")[2]
    result = cn.match(["A=best-first:nodes=9", "B=best-first:nodes=5"], cn.games.Hex(size=3), openings=["a1"])
    with pytest.raises(cn.ArgumentError, match="from the usual start"):
        export(result, "games.sgf")


# Report


class Page(HTMLParser):
    """What a page is made of."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.links: list[str] = []
        self.words: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.links += [value or "" for name, value in attributes if name in ("src", "href", "xlink:href")]

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def test_a_report_needs_nothing_else(run: Run) -> None:
    pytest.importorskip("matplotlib")
    result_of(run, f"{STORED} C=best-first:nodes=200")
    assert result_of(run, "match report games.db") == "written: games.html\n"
    text = Path("games.html").read_text(encoding="utf-8")
    page = Page(text)
    assert all(link.startswith("#") for link in page.links), "no network"
    assert "svg" in page.tags
    assert "nodes a move" in page.words
    assert page.tags.count("tr") == 4 + 4 + 43
    data = json.loads(re.search(r'id="data">(.*?)</script>', text, re.DOTALL)[1])  # type: ignore[index]
    result = read("games.db")
    assert [game["moves"] for game in data] == [record.moves for record in result.records]
    for game in data:
        assert len(game["pictures"]) == len(game["opening"]) + len(game["moves"]) + 1
    assert result_of(run, "match report games.db --out other.html") == "written: other.html\n"
    assert Path("other.html").read_text(encoding="utf-8") == text
    assert "cannot write nowhere/x.html" in run("match report games.db --out nowhere/x.html")[2]


DOCUMENT = """
const html = require("fs").readFileSync(process.argv[1], "utf8");
const data = html.match(/id="data">([^]*?)<.script>/)[1], script = html.match(/<script>([^]*?)<.script>/)[1];
class Part {
  children = []; heard = {}; classList = { toggle() {} };
  replaceChildren(...children) { this.children = children; }
  addEventListener(name, listener) { this.heard[name] = listener; }
}
const parts = { data: Object.assign(new Part(), { textContent: data }) };
const rows = [null, ...JSON.parse(data)].map(() => new Part());
new Function("document", script)({
  getElementById: (id) => (parts[id] ??= new Part()),
  querySelectorAll: () => rows, createElement: () => new Part(), addEventListener() {},
});
const seen = [];
const look = () => seen.push([parts.title.textContent, parts.said.textContent, parts.board.textContent]);
rows[2].heard.click(); look();
for (const button of ["first", "back", "next", "next", "last", "next"]) { parts[button].onclick(); look(); }
console.log(JSON.stringify(seen));
"""
"""Just enough of a browser for the viewer: it clicks the second game and each button."""


@pytest.mark.skipif(shutil.which("node") is None, reason="needs Node.js")
def test_the_viewer(run: Run) -> None:
    result_of(run, STORED)
    result_of(run, "match report games.db")
    done = subprocess.run(["node", "-e", DOCUMENT, "games.html"], capture_output=True, text=True, check=True)
    seen = json.loads(done.stdout)
    result = read("games.db")
    record, game = result.records[1], cn.games.ConnectFour()
    pictures = [str(p) for p in replay(game.start(), [*result.openings[record.opening].moves, *record.moves])]
    last = len(pictures) - 1
    plies = [1, 0, 0, 1, 2, last, last]
    assert [board for _, _, board in seen] == [pictures[ply] for ply in plies]
    assert [said.split(",")[0] for _, said, _ in seen] == [f"move {ply} of {last}" for ply in plies]
    assert {title for title, _, _ in seen} == {"Game 2: B - A"}
    assert f"nodes {record.statistics['nodes'][0]}" in seen[4][1]


def test_names_are_escaped() -> None:
    evil = "</script><script>alert(1)</script><b title='&quot;\"'>"
    first = cn.Player("best-first", nodes=9, name=evil.replace("=", ""))
    result = cn.match(
        [first, "$B$ & co=best-first:nodes=30"], plies=1, games=4, sprt={"elo0": 0, "elo1": 200}
    )
    text = page_of(result, cn.games.ConnectFour())
    assert text.count("<script") == 2
    assert text.count("</script>") == 2
    assert "<b " not in text
    page = Page(text)
    assert evil.replace("=", "") in page.words
    assert "$B$ & co" in page.words


def test_a_figure_where_players_differ_by_budget() -> None:
    def found(*players: str) -> object:
        return budgets(cn.match(players, plies=0))

    assert found("A=best-first:nodes=9", "B=alpha-beta:nodes=9") is None
    assert found("A=best-first:nodes=9", "B=best-first:nodes=20", "C=alpha-beta:nodes=9") == (
        "nodes", {"best-first": [(9.0, 0), (20.0, 1)], "alpha-beta": [(9.0, 2)]},
    )  # fmt: skip
    assert found("A=best-first:nodes=9", "B=best-first:expansions=20") is None


def test_a_report_without_matplotlib(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    result = cn.match(["best-first:nodes=9", "best-first:nodes=20"], plies=0)
    assert "pip install" in page_of(result)
