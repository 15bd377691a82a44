"""Solving: against minimax, tables of small size, budgets, mistakes, and the command."""

from __future__ import annotations

import json
from collections.abc import Callable
from math import inf
from pathlib import Path
from random import Random
from typing import Any

import pytest

import conspirator as cn
from command_line import Run, facts_of, runner
from helpers import is_one_line, minimax, random_tree, script, small_tree, unfinished

SOLVED_OPENINGS = json.loads((Path(__file__).parent / "data/hex/solved_openings.json").read_text("utf-8"))
SMALL = ({"table_bytes": 1024}, {"table_bytes": 4096})
WAYS: list[tuple[tuple[str, ...], dict[str, Any]]] = [
    ((), {}),
    (("proof-number",), {}),
    (("proof-number",), {"transpositions": True, "ties": "scores"}),
    (("df-pn",), {}),
    (("df-pn",), {"ties": "scores", "epsilon": 0.0}),
    (("sibling-conspiracy",), {}),
    (("sibling-conspiracy",), {"delta": 0.5, "pmax": 3, "dmax": 2, "transpositions": True}),
    (("sibling-conspiracy",), {"evaluation": "global"}),
    (("sibling-conspiracy-table",), {"table_bytes": 1 << 20, "delta": 0.25}),
    *((("df-pn",), small) for small in SMALL),
    *((("sibling-conspiracy-table",), small) for small in SMALL),
]


def middle(position: cn.Position) -> float:
    low, high = position.value_range
    return low / 2 + high / 2 if high < inf else 0.0


def outcome(position: cn.Position, value: float) -> str:
    """Return what a value is for the player to move."""
    gain = value - middle(position) if value != middle(position) else 0.0
    if gain == 0:
        return "draw"
    return "win" if (gain > 0) == (position.to_move == "max") else "loss"


def check(solution: cn.Solution, value: float) -> None:
    """Compare everything with the true value."""
    position = solution.position
    assert solution.status == "proven"
    assert solution.limit is None
    assert solution.outcome == outcome(position, value)
    assert solution.value in (value, None)
    assert solution.bounds[0] <= value <= solution.bounds[1]
    if position.results:
        assert solution.bounds == (value, value)
    for goal, answer, *_ in solution.questions:
        assert answer == (value >= goal)
    assert solution.expansions >= sum(question.expansions for question in solution.questions)
    assert solution.nodes > solution.expansions // 2 or not solution.questions
    assert solution.seconds > 0
    end = position
    for move in solution.line:
        end = end.play(move)
    assert solution.move == solution.line[0]
    assert end.outcome is not None
    if solution.value is None:
        assert outcome(position, end.outcome) == solution.outcome
    else:
        assert end.outcome == value


# ---------------------------------------------------------------- games of the package


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_hex_3x3(way: tuple[tuple[str, ...], dict[str, Any]]) -> None:
    (name, parameters), won = way, set(SOLVED_OPENINGS["3x3"]["black_wins"])
    start = cn.games.Hex(size=3).start()
    for move in start.moves():
        solution = cn.solve(start.play(move), *name, **parameters)
        check(solution, 1.0 if move in won else -1.0)
        assert [question.goal for question in solution.questions] == [1.0]
    check(cn.solve(start, *name, **parameters), 1.0)


@pytest.mark.parametrize("parameters", [{}, {"threads": 2}, {"table_bytes": 1 << 22}], ids=str)
def test_hex_4x4(parameters: dict[str, Any]) -> None:
    won = set(SOLVED_OPENINGS["4x4"]["black_wins"])
    start = cn.games.Hex(size=4).start()
    for move in start.moves():
        check(cn.solve(start.play(move), **parameters), 1.0 if move in won else -1.0)


def late(seed: int) -> cn.Position:
    """Return a position of Connect-Four towards the end, where draws are not rare."""
    return unfinished("connect-four", seed, 28, 38)


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_connect_four(way: tuple[tuple[str, ...], dict[str, Any]]) -> None:
    name, parameters = way
    values = set()
    for seed in range(40):
        position = late(seed)
        value = minimax(position)
        values.add(value)
        check(cn.solve(position, *name, **parameters), value)
    assert values == {1.0, 512.0, 1023.0}


def explicit(seed: int) -> cn.Position:
    random = Random(seed)
    return cn.games.ExplicitTree(random_tree(random, random.randint(1, 5), skewed=seed % 3 == 0)).start()


@pytest.mark.parametrize("way", WAYS, ids=str)
@pytest.mark.parametrize("make", [explicit, small_tree])
def test_many_results(
    make: Callable[[int], cn.Position], way: tuple[tuple[str, ...], dict[str, Any]]
) -> None:
    name, parameters = way
    for seed in range(60):
        position = make(seed)
        check(cn.solve(position, *name, **parameters), minimax(position))


def test_a_ladder_of_questions() -> None:
    values = [-inf, -5, -2, 0, 1, 4, 9, inf]
    for value in values:
        reply: dict[str, Any] = {"children": [{"value": value}, {"value": inf}], "value": 0}
        never = [{"value": other} for other in values]
        data = {"value": 0, "children": [reply, {"value": 0, "children": never}]}
        solution = cn.solve(cn.games.ExplicitTree(data).start())
        check(solution, value)
        assert solution.questions[0].goal == 1  # more than the middle
        assert len(solution.questions) <= 4


def test_threads_agree() -> None:
    for seed in range(150):
        position = unfinished("connect-four", seed, 20, 34)
        alone, together = (cn.solve(position, threads=threads) for threads in (1, 2))
        assert alone.value == together.value
        check(together, together.value if together.value is not None else 0)


# ---------------------------------------------------------------- games in Python


class Subtraction(cn.Game):
    """Take 1 to 3 of the matches; taking the last one wins, but 5 and 10 left are a draw at once."""

    value_range = (-1, 1)

    def moves(self, state: tuple[int, int]) -> list[int]:
        return [n for n in (1, 2, 3) if n <= state[0]]

    def play(self, state: tuple[int, int], move: int) -> tuple[int, int]:
        return state[0] - move, -state[1]

    def outcome(self, state: tuple[int, int]) -> float | None:
        matches, player = state
        return 0 if matches in (5, 10) else -player if matches == 0 else None


class Listed(Subtraction):
    results = (1, 0, -1, 0)


class Keyed(Listed):
    def key(self, state: tuple[int, int]) -> tuple[int, int]:
        return state


class Scored(Keyed):
    def move_scores(self, state: tuple[int, int]) -> list[float]:
        return [1.0 + (state[0] - move) % 4 for move in self.moves(state)]


class Plain(Listed):
    """Scores, and no key."""

    def move_scores(self, state: tuple[int, int]) -> list[float]:
        return [1.0 + (state[0] - move) % 4 for move in self.moves(state)]


class Empty(Subtraction):
    results = ()


@pytest.mark.parametrize("rules", [Subtraction, Listed, Keyed, Scored, Plain, Empty])
@pytest.mark.parametrize("way", WAYS, ids=str)
def test_games_in_python(rules: type[cn.Game], way: tuple[tuple[str, ...], dict[str, Any]]) -> None:
    name, parameters = way
    seen = set()
    for matches in (1, 2, 3, 4, 6, 7, 8, 9, 11, 12):
        for side in ("max", "min"):
            player = 1 if side == "max" else -1
            position = rules().position((matches, player), side)
            value = minimax(position)
            seen.add(outcome(position, value))
            solution = cn.solve(position, *name, **parameters)
            check(solution, value)
            if solution.outcome == "draw":
                assert solution.value == 0
    assert {"win", "draw"} <= seen


@pytest.mark.parametrize(
    ("rules", "parameters", "search", "chosen"),
    [
        (Subtraction, {}, "df-pn", {}),
        (Keyed, {}, "df-pn", {}),
        (Plain, {}, "sibling-conspiracy", {"delta": 0.25}),
        (Scored, {}, "sibling-conspiracy-table", {"delta": 0.25}),
        (Plain, {"threads": 2}, "sibling-conspiracy-table", {"delta": 0.25, "threads": 2}),
        (Plain, {"delta": None}, "sibling-conspiracy", {"delta": None}),
        (Subtraction, {"memory": 100_000}, "df-pn", {}),
    ],
)
def test_which_search(
    rules: type[cn.Game], parameters: dict[str, Any], search: str, chosen: dict[str, Any]
) -> None:
    solution = cn.solve(rules().position((7, 1)), **parameters)
    assert (solution.search, solution.parameters) == (search, chosen)


# ---------------------------------------------------------------- budgets


HARD = cn.games.ConnectFour().position("4453")


@pytest.mark.parametrize(
    ("budget", "limit"),
    [
        ({"expansions": 50}, "expansions"),
        ({"nodes": 500}, "nodes"),
        ({"seconds": 0.05}, "seconds"),
        ({"seconds": 0.05, "expansions": 10**9}, "seconds"),
        ({"expansions": 1}, "expansions"),
    ],
)
@pytest.mark.parametrize("name", [None, "proof-number", "sibling-conspiracy"])
def test_budgets(name: str | None, budget: dict[str, Any], limit: str) -> None:
    solution = cn.solve(HARD, name, **budget)
    assert (solution.status, solution.limit) == ("budget", limit)
    assert (solution.outcome, solution.value, solution.bounds) == (None, None, (1, 1023))
    assert solution.move in HARD.moves()
    assert solution.questions[-1].answer is None
    assert solution.expansions <= budget.get("expansions", inf)
    assert solution.nodes <= budget.get("nodes", inf)
    assert solution.seconds < 60  # a busy machine may take its time


def test_the_memory_of_trees_is_counted() -> None:
    solution = cn.solve(HARD, "proof-number", memory=1_000_000)
    assert (solution.status, solution.limit) == ("budget", "memory")


@pytest.mark.parametrize("memory", [1_000_000, 400_000])
def test_a_tree_that_fills_the_memory_gives_way_to_a_table(memory: int) -> None:
    position = cn.games.Amazons(size=4).position("1bb1/b2b/w2w/1ww1 w")
    assert cn.solve(position).search == "sibling-conspiracy"
    solution = cn.solve(position, memory=memory)
    assert (solution.search, solution.status, solution.value) == ("sibling-conspiracy-table", "proven", -16)
    assert [question.answer for question in solution.questions] == [None, False]
    stopped = cn.solve(position, "sibling-conspiracy", memory=memory)
    assert (stopped.search, stopped.status, stopped.limit) == ("sibling-conspiracy", "budget", "memory")


def test_the_budget_is_for_all_questions() -> None:
    found = set()
    for seed in range(60):
        position = late(seed)
        whole = cn.solve(position)
        for budget in range(1, whole.expansions + 1, max(1, whole.expansions // 5)):
            part = cn.solve(position, expansions=budget)
            assert part.expansions <= budget
            assert part.bounds[0] <= whole.bounds[0] <= part.bounds[1]
            assert part.outcome in (whole.outcome, None)
            assert part.move in position.moves()
            if part.status == "proven":
                assert part.outcome == whole.outcome
            found.add((part.status, len([q for q in part.questions if q.answer is not None])))
    assert {("budget", 0), ("budget", 1), ("proven", 1), ("proven", 2)} <= found


def test_progress() -> None:
    told: list[dict[str, Any]] = []

    def stop(facts: dict[str, Any]) -> bool:
        told.append(facts)
        return len(told) < 3

    solution = cn.solve(HARD, progress=stop)
    assert (solution.status, solution.limit) == ("interrupted", None)
    assert [facts["question"] for facts in told] == [1, 1, 1]
    assert told[0].keys() == {"question", "goal", "bounds", "expansions", "nodes", "seconds", "standing"}
    assert told[0]["goal"] == 1023
    assert told[0]["expansions"] < told[-1]["expansions"] <= solution.expansions


def test_ctrl_c() -> None:
    code = """
import json, signal, threading
import conspirator as cn
position = cn.games.ConnectFour().start()
threading.Timer(0.3, lambda: signal.raise_signal(signal.SIGINT)).start()
solution = cn.solve(position)
print(json.dumps([solution.status, solution.move in position.moves(), solution.seconds < 60]))
"""
    assert script(code) == ["interrupted", True, True]


# ---------------------------------------------------------------- the rest


@pytest.mark.parametrize(
    ("position", "expected", "value"),
    [
        (cn.games.ConnectFour().position("1213141"), "loss", 1023),
        (cn.games.Hex(size=1).position("a1"), "loss", 1),
        (Subtraction().position((5, 1)), "draw", 0),
        (Subtraction().position((0, 1)), "loss", -1),
        (cn.games.ExplicitTree({"value": "inf"}).start(), "win", inf),
    ],
)
def test_a_finished_game(position: cn.Position, expected: str, value: float) -> None:
    solution = cn.solve(position)
    assert (solution.outcome, solution.value, solution.status) == (expected, value, "proven")
    assert (solution.move, solution.line, solution.questions, solution.expansions) == (None, [], [], 0)


def test_as_data_and_as_text() -> None:
    solution = cn.solve(cn.games.Hex(size=3).start())
    facts = solution.as_dict()
    assert json.loads(json.dumps(facts)) == facts
    assert facts["questions"][0].keys() == {"goal", "answer", "expansions", "seconds"}
    assert repr(solution).startswith("<Solution: win, value 1 with ")
    assert repr(cn.solve(HARD, expansions=1)).startswith("<Solution: unknown, value from 1 to 1023 with ")
    with pytest.raises(AttributeError):
        solution.value = 3  # type: ignore[misc]


@pytest.mark.parametrize(
    ("arguments", "parameters", "message"),
    [
        (("4453",), {}, "the first argument must be a position"),
        ((HARD, "best-first"), {}, "best-first does not prove"),
        ((HARD, "conspiracy"), {}, "conspiracy does not prove"),
        ((HARD, "df-np"), {}, "df-pn"),
        ((HARD, 3), {}, "must be a search's name"),
        ((HARD, "df-pn"), {"goal": 3}, "solve takes no 'goal'"),
        ((HARD,), {"trace": True}, "solve takes no 'trace'"),
        ((HARD,), {"move_calls": 3}, "solve takes no 'move_calls'"),
        ((HARD,), {"delta": 3}, "delta"),
        ((HARD, "proof-number"), {"focus": 2}, "focus"),
        ((HARD, "sibling-conspiracy"), {"epsilon": 2}, "'epsilon'; known: "),
        ((HARD,), {"threads": 0}, "threads"),
        ((HARD,), {"expansions": 0}, "expansions must be a whole number"),
        ((HARD,), {"seconds": -1}, "seconds must be a positive"),
        ((HARD,), {"progress": 3}, "progress must be a function"),
        ((HARD,), {"table_bytes": 1 << 20, "memory": 1000}, "does not fit"),
    ],
)
def test_mistakes(arguments: tuple[Any, ...], parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(cn.ArgumentError) as error:
        cn.solve(*arguments, **parameters)
    assert message in str(error.value)
    assert is_one_line(error.value)


# ---------------------------------------------------------------- the command line


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    return runner(capsys, monkeypatch, tmp_path)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("solve hex --game-option size=3", ["X, to move, wins with", "X gets at least 1", "yes"]),
        ("solve hex --game-option size=3 --position a1", ["O, to move, wins", "no"]),
        ("solve hex --game-option size=2 --position 'a2 a1'", ["X, to move, wins with b1"]),
        ("solve connect-four --position 1213141", ["The game is over: X has won."]),
        ("solve explicit-tree --tree tree.json", ["Max, to move, wins with 1", "value", "4"]),
        ("solve explicit-tree --tree tree.json --search proof-number", ["line", "1 1"]),
        ("solve nim.py:Nim", ["Max, to move, wins with (1,)", "Max gets more than 0"]),
        ("solve nim.py:Nim --position '(4, -1)' --threads 1", ["Min, to move, loses; ("]),
    ],
)
def test_answers_in_words(run: Run, line: str, words: list[str]) -> None:
    code, output, errors = run(line)
    assert (code, errors) == (0, "")
    for word in words:
        assert word in output


def test_the_command_as_json(run: Run) -> None:
    facts = facts_of(run, "solve explicit-tree --tree won.json")
    assert (facts["outcome"], facts["value"], facts["bounds"]) == ("win", "inf", ["inf", "inf"])
    assert (facts["move"], facts["line"], facts["status"]) == ("0", ["0"], "proven")
    assert facts["answer"] == "Max, to move, wins with 0."
    assert facts["spent"].keys() == {"expansions", "nodes", "seconds"}
    assert facts["budget"] == {}


@pytest.mark.parametrize(
    ("line", "code", "message"),
    [
        ("solve connect-four --expansions 10", 1, ""),
        ("solve connect-four --seconds 0.01 --json", 1, ""),
        ("solve connect-four --search best-first", 2, "best-first does not prove"),
        ("solve connect-four --search sibling --expansions 1", 2, "sibling"),
        ("solve connect-four --set goal=3", 2, "goal"),
        ("solve connect-four --move-calls 3", 2, "--move-calls"),
        ("solve connect-four --threads 0", 2, "threads"),
        ("solve conect-four", 2, "connect-four"),
        ("solve nim.py:Broken", 1, "ZeroDivisionError"),
    ],
)
def test_exit_codes(run: Run, line: str, code: int, message: str) -> None:
    given, output, errors = run(line)
    assert given == code
    assert message in errors
    if not message:
        assert errors == ""
        assert "budget" in output
