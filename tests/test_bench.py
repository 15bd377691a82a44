"""The benchmarks run and compare what they say. Nothing here depends on how fast the machine is."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

import conspirator as cn
from command_line import Run, facts_of, result_of, runner
from conspirator.bench import (
    Row,
    batches,
    conspiracy,
    matches,
    native,
    peers,
    python_games,
    siblings,
    signature,
)
from conspirator.bench.judge import FEW, PLAYERS, TIMES, judge, problems
from conspirator.bench.measure import best_rate
from conspirator.bench.native import GROWN, SIZES
from conspirator.bench.perft import perft
from conspirator.bench.siblings import HARD, end_games, solve, solvers
from conspirator.cli import main
from helpers import golden, minimax

TINY = 0.001
"""Seconds for each row."""


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    return runner(capsys, monkeypatch, tmp_path)


def check(rows: list[Row]) -> None:
    """Rates and ratios are positive numbers; a ratio says what it compares with; no name comes twice."""
    assert rows
    for row in rows:
        assert 0 < row.rate < float("inf")
        assert row.unit in ("nodes/s", "expansions/s", "positions/s", "lines/s", "games/s", "moves/s")
        assert (row.ratio is None) == (row.reference == "")
        assert row.ratio is None or 0 < row.ratio < float("inf")
    assert len({row.name for row in rows}) == len(rows)


def test_native() -> None:
    rows = native(TINY)
    check(rows)
    raw = rows[0]
    assert raw.ratio is None
    for row in rows[1:]:
        assert row.ratio == pytest.approx(row.rate / raw.rate)
    names = {f"{name}, {size:,} expansions" for name in GROWN for size in SIZES}
    assert names <= {row.name for row in rows}
    assert len(names) == 15


def test_conspiracy() -> None:
    rows = conspiracy(TINY)
    check(rows)
    by_name = {row.name: row for row in rows}
    raw = by_name["random tree, generate and evaluate"]
    for search in ("conspiracy", "improved-conspiracy"):
        row = by_name[f"random tree, {search}"]
        assert row.ratio == pytest.approx(row.rate / raw.rate)
        assert by_name[f"{search} in Python"].ratio is not None
    assert "1,344,341 nodes" in by_name["uniform tree, width 10, conspiracy CT=40"].note
    assert "135,881 nodes in " in by_name["uniform tree, width 40, improved-conspiracy CT=100"].note
    growing = [row for row in rows if row.name.startswith("Connect-Four")]
    assert growing[-1].name.endswith("1,000,000 nodes")
    assert growing[-1].ratio == pytest.approx(growing[-1].rate / growing[0].rate)


def test_siblings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["conspirator.bench.siblings"], "NODES", 20_000)
    monkeypatch.setattr("os.cpu_count", lambda: 1)
    rows = siblings(TINY)
    check(rows)
    by_name = {row.name: row for row in rows}
    for depth in (12, 20):
        raw = by_name[f"random tree, depth {depth}, generate and evaluate"]
        for search in ("sibling-conspiracy", "sibling-conspiracy pmax=dmax=3", "proof-number"):
            row = by_name[f"random tree, depth {depth}, {search}"]
            assert row.ratio == pytest.approx(row.rate / raw.rate)
            assert "bytes a node" in row.note
    openings = by_name["Hex 4x4, all openings, sibling-conspiracy delta=0.25, shared, foresight"]
    assert openings.note.endswith("4 of 16 openings win")
    assert not any("threads" in name for name in by_name), "there is one core"


def test_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    rows = matches(TINY)
    check(rows)
    one, two, outside = rows
    assert two.ratio == pytest.approx(two.rate / one.rate)
    assert outside.ratio is not None
    assert outside.ratio < 1
    monkeypatch.setattr("os.cpu_count", lambda: 1)
    assert [row.name for row in matches(TINY)] == [one.name, outside.name]


def test_one_table(run: Run) -> None:
    facts = facts_of(run, "bench --only matches --seconds 0.001")
    assert facts.keys() == {"version", "seconds_per_row", "matches"}
    assert "--signature measures nothing" in run("bench --signature --only matches")[2]
    assert "--only is one table" in run("bench --peers --only matches")[2]


def test_two_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = sys.modules["conspirator.bench.siblings"]
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    monkeypatch.setattr(bench, "HARD", ("255235465112233",))
    rows = bench._threads(TINY)
    check(rows)
    assert "on 1 positions" in rows[0].note


def test_end_games_are_solved() -> None:
    for line, position in end_games(20):
        assert position.outcome is None
        assert 20 <= len(line) <= 32
        if len(line) >= 28:
            value = minimax(position, memo={})
            won, lost = (1023, 1) if position.to_move == "max" else (1, 1023)
            assert solve(position) == (value == won) - (value == lost)
    for moves in HARD:
        assert cn.games.ConnectFour().position(moves).outcome is None


def test_another_solver_has_the_same_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("bitbully")
    rows = solvers(TINY)
    check(rows)
    assert rows[1].ratio == pytest.approx(rows[0].rate / rows[1].rate)
    monkeypatch.setattr(sys.modules["conspirator.bench.siblings"], "solve", lambda _: 0)
    with pytest.raises(cn.ConspiratorError, match="df-pn and BitBully differ on"):
        solvers(TINY)


def test_a_judge_of_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    """Positions in which a choice matters, and the moves that keep their results by our own solver too."""
    pytest.importorskip("bitbully")
    monkeypatch.setattr(
        sys.modules["conspirator.bench.judge"], "STONES", (24, 28)
    )  # these are solved at once
    problems.cache_clear()
    for problem in problems(FEW):
        moves = problem.position.moves()
        assert 0 < len(problem.good) < len(moves)
        results = {move: -solve(problem.position.play(move)) for move in moves}
        assert problem.good == {move for move in moves if results[move] == max(results.values())}
    rows = judge(TINY)
    check(rows)
    assert len(rows) == len(PLAYERS) * len(TIMES)
    for row in rows:
        kept = int(row.note.split()[0])
        assert row.ratio == kept / FEW
    problems.cache_clear()


def test_python_games() -> None:
    check(python_games(TINY))


def test_lines_are_counted_as_open_spiel_counts_them(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = perft(TINY)
    check(rows)
    for ours, theirs in zip(rows[::2], rows[1::2], strict=True):
        assert theirs.name == f"OpenSpiel (Python), {ours.name.split(',')[0]}"
        assert theirs.ratio == pytest.approx(ours.rate / theirs.rate)
    wrong = (cn.games.Hex(size=4), 2, "hex", 2, 1)
    monkeypatch.setattr(sys.modules["conspirator.bench.perft"], "GAMES", {"Hex": wrong})
    with pytest.raises(cn.GameError, match="OpenSpiel counts other lines of 2 moves in Hex"):
        perft(TINY)


def test_peers() -> None:
    pytest.importorskip("bitbully")
    pytest.importorskip("easyAI")
    pytest.importorskip("pyspiel")
    check(peers(TINY))


def test_the_best_run_counts() -> None:
    amounts = iter([1.0, 1e9, 2.0, 3.0])
    assert best_rate(lambda: next(amounts), seconds=0, least=4) > 1e9


def test_the_signature_is_the_same_every_time() -> None:
    numbers = signature()
    assert numbers == signature()
    # to be changed only when a search is meant to behave differently
    assert numbers == golden("signature")
    assert numbers["connect-four alpha-beta depth=8"][1] == 8
    assert all(nodes > 0 for nodes, _, _ in numbers.values())


# The command


@pytest.fixture
def quick_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the measurements: they are tested above."""

    def table(name: str) -> Any:
        rows = [
            Row(f"{name} one", 2e6, "nodes/s", note="a note"),
            Row(f"{name} two", 5e6, "nodes/s", 2.5, "one"),
        ]
        return (name, lambda seconds: rows if seconds == 0.5 else [])

    names = ("native", "conspiracy", "siblings", "python_games", "matches", "peers")
    monkeypatch.setattr(
        sys.modules["conspirator.cli.bench"], "_TABLES", {name: table(name) for name in names}
    )


@pytest.mark.usefixtures("quick_tables")
def test_the_command_prints_tables(run: Run) -> None:
    output = result_of(run, "bench --seconds 0.5")
    for words in (
        "what",
        "rate",
        "ratio",
        "notes",
        "2.00M nodes/s",
        "5.00M nodes/s",
        "2.5",
        "ratio: one",
        "a note",
    ):
        assert words in output
    assert "conspiracy two" in output
    assert "peers" not in output
    assert result_of(run, "bench --seconds 0.5 --peers").startswith("peers")


@pytest.mark.usefixtures("quick_tables")
def test_the_command_as_json(run: Run) -> None:
    facts = facts_of(run, "bench --seconds 0.5 --peers")
    assert set(facts) == {
        "version",
        "seconds_per_row",
        "native",
        "conspiracy",
        "siblings",
        "python_games",
        "matches",
        "peers",
    }
    assert facts["native"][1]["ratio"] == 2.5


def test_the_signature_command(run: Run) -> None:
    output = result_of(run, "bench --signature")
    facts = facts_of(run, "bench --signature")
    assert facts == {"version": cn.__version__, "signature": json.loads(json.dumps(signature()))}
    for name, (nodes, _, _) in facts["signature"].items():
        assert name[:40] in output
        assert f"{nodes:,}" in output


def test_the_figure_of_costs(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys.modules["conspirator.bench.conspiracy"], "SIZES", (1_000, 3_000))
    target = tmp_path / "costs.svg"
    assert str(target) in result_of(run, f"bench --figure {target}")
    assert "</svg>" in target.read_text(encoding="utf-8")
    code, _, errors = run(f"bench --figure {tmp_path / 'nowhere' / 'costs.svg'}")
    assert (code, errors.count("\n")) == (2, 1)
    assert "cannot write the figure" in errors


def test_missing_peers_are_one_line(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "easyAI", None)
    code, output, errors = run("bench --peers --seconds 0.001")
    assert (code, output) == (2, "")
    assert errors == "error: the peers are not installed: pip install bitbully easyAI open_spiel numpy\n"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (["bench", "--seconds", "0"], "'0' is not a positive number"),
        (["bench", "--signature", "--peers"], "does not go with --peers"),
        (["bench", "everything"], "unexpected extra argument"),
    ],
)
def test_bad_input_is_one_line(line: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(line) == 2
    errors = capsys.readouterr().err
    assert errors.startswith("error: ")
    assert errors.count("\n") == 1
    assert words in errors


def test_batches_of_a_network(run: Run) -> None:
    pytest.importorskip("onnxruntime")
    pytest.importorskip("onnx")
    rows = batches(TINY)
    check(rows)
    assert [row.name for row in rows] == [f"batch={size}" for size in (1, 2, 4, 8, 16, 32, 64)]
    facts = facts_of(run, "bench --batch onnx --seconds 0.001")
    assert [row["name"] for row in facts["batches"]] == [row.name for row in rows]
