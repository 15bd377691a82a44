"""Budgets are kept to the unit, and a running search can be watched and stopped."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import conspirator as cn
import python_games
from helpers import script

CONNECT_FOUR = cn.games.ConnectFour().start()
ENDLESS: dict[str, Any] = {"expansions": 10**12, "memory": 1 << 32}
"""Nothing that ends a search in the time of a test."""


STARTS = {
    "connect-four": CONNECT_FOUR,
    "random-tree": cn.games.RandomTree(branching=3, depth=0).start(),
    "python": python_games.ConnectFourInBatches().start(),
}
RULES: dict[str, Any] = {"native": "best-first", "python": cn.rules.BestFirst()}


@pytest.mark.parametrize("unit", ["expansions", "nodes", "move_calls"])
@pytest.mark.parametrize("game", STARTS)
@pytest.mark.parametrize("rule", RULES)
def test_a_count_is_never_exceeded(rule: str, game: str, unit: str) -> None:
    start = STARTS[game]
    for limit in [*range(1, 40), 100, 1000]:
        budget: dict[str, Any] = {unit: limit}
        result = cn.search(start, RULES[rule], **budget)
        assert getattr(result, unit) <= limit
        assert getattr(result, unit) > limit - (7 if unit != "expansions" else 1)
        assert (result.status, result.limit) == ("budget", unit)
        assert (result.nodes, result.move_calls) == (len(result.tree), len(result.tree) - 1)
        assert result.move in start.moves()
        result.tree.check()


@pytest.mark.parametrize("unit", ["expansions", "nodes", "move_calls"])
def test_a_resumed_search_spends_a_new_budget(unit: str) -> None:
    first: dict[str, Any] = {unit: 50}
    more: dict[str, Any] = {unit: 13}
    result = cn.search(CONNECT_FOUR, **first)
    for _ in range(20):
        before = getattr(result, unit)
        result = result.resume(**more)
        assert before < getattr(result, unit) <= before + 13
        assert result.limit == unit


@pytest.mark.parametrize("trace", [False, True])
@pytest.mark.parametrize("memory", [100, 1000, 10_000, 100_000, 1_000_000, 10_000_000])
def test_memory_is_never_exceeded(memory: int, trace: bool) -> None:
    result = cn.search(CONNECT_FOUR, expansions=10**9, memory=memory, trace=trace)
    assert result.bytes_per_node is not None
    assert result.nodes * result.bytes_per_node <= memory
    assert (result.status, result.limit) == ("budget", "memory")
    if not trace:
        assert result.nodes * result.bytes_per_node > memory - 8 * result.bytes_per_node


def test_a_node_of_connect_four_takes_32_bytes() -> None:
    result = cn.search(CONNECT_FOUR, expansions=10_000)
    assert result.bytes_per_node is not None
    assert result.bytes_per_node <= 32


def test_too_little_memory_still_gives_a_move() -> None:
    result = cn.search(CONNECT_FOUR, expansions=10, memory=1)
    assert (result.limit, result.nodes, result.expansions) == ("memory", 1, 0)
    assert result.move in CONNECT_FOUR.moves()
    assert result.value == CONNECT_FOUR.evaluate()


@pytest.mark.parametrize("seconds", [0.01, 0.05, 0.2])
@pytest.mark.parametrize("rule", ["best-first", "alpha-beta"])
def test_seconds(rule: str, seconds: float) -> None:
    begun, used = time.perf_counter(), time.process_time()
    result = cn.search(CONNECT_FOUR, rule, seconds=seconds, memory=1 << 32)
    taken, used = time.perf_counter() - begun, time.process_time() - used
    assert (result.status, result.limit) == ("budget", "seconds")
    assert seconds <= result.seconds <= taken
    assert used < seconds + 1
    further = result.resume(seconds=seconds)
    assert further.seconds >= 2 * seconds


BUDGETS: dict[str, Any] = {
    "expansions": 100,
    "nodes": 300,
    "move_calls": 200,
    "seconds": 5.0,
    "memory": 32 * 150,
}
ORDER = ["memory", "move_calls", "nodes", "expansions", "seconds"]
"""Which of the budgets above is met first."""


@pytest.mark.parametrize(
    "units", [u for n in (2, 3, 5) for u in itertools.combinations(BUDGETS, n)], ids="-".join
)
def test_the_first_limit_ends_the_search(units: tuple[str, ...]) -> None:
    result = cn.search(CONNECT_FOUR, **{unit: BUDGETS[unit] for unit in units})
    assert result.limit == min(units, key=ORDER.index)


def test_without_a_budget_a_search_takes_one_second() -> None:
    result = cn.search(CONNECT_FOUR)
    assert (result.status, result.limit) == ("budget", "seconds")
    assert 1 <= result.seconds < 10  # a busy machine may take its time


@pytest.mark.parametrize("limit", [3.0, 10**30])
def test_whole_numbers_of_other_types(limit: Any) -> None:
    start = cn.games.ExplicitTree({"value": 0, "children": [{"value": 1}]}).start()
    assert cn.search(start, expansions=limit).status == "proven"


def test_a_search_that_reaches_its_goal_met_no_limit() -> None:
    start = cn.games.ExplicitTree({"value": 0, "children": [{"value": 1}]}).start()
    result = cn.search(start, expansions=1)
    assert (result.status, result.limit, result.expansions) == ("proven", None, 1)


def test_the_trace_has_one_path_for_every_expansion() -> None:
    result = cn.search(CONNECT_FOUR, expansions=500, trace=True)
    assert len(result.trace) == len({tuple(path) for path in result.trace}) == 500
    assert result.trace[0] == []
    assert all(result.tree.node(path).children for path in result.trace)
    with pytest.raises(cn.ArgumentError, match="trace=True"):
        _ = cn.search(CONNECT_FOUR, expansions=5).trace


@pytest.mark.parametrize("rule", ["best-first", "alpha-beta"])
def test_progress_is_told(rule: str) -> None:
    seen: list[dict[str, Any]] = []
    result = cn.search(CONNECT_FOUR, rule, seconds=0.4, progress=seen.append)
    assert 2 <= len(seen) <= 10
    assert set(seen[0]) == {"expansions", "nodes", "move_calls", "seconds", "depth", "value"}
    for one, two in itertools.pairwise(seen):
        assert one["expansions"] < two["expansions"]
        assert one["seconds"] < two["seconds"]
    assert seen[-1]["expansions"] <= result.expansions
    assert result.limit == "seconds"


@pytest.mark.parametrize("rule", ["best-first", "alpha-beta"])
def test_progress_can_stop_the_search(rule: str) -> None:
    result = cn.search(CONNECT_FOUR, rule, **ENDLESS, progress=lambda _: False)
    assert (result.status, result.limit) == ("interrupted", None)
    assert result.move in CONNECT_FOUR.moves()
    assert result.seconds < 30


@pytest.mark.parametrize("answer", [None, True, 0, "", []])
def test_only_false_stops_the_search(answer: Any) -> None:
    assert cn.search(CONNECT_FOUR, seconds=0.12, progress=lambda _: answer).limit == "seconds"


def test_an_exception_in_progress_reaches_the_caller() -> None:
    error = ZeroDivisionError("mine")

    def progress(_: object) -> None:
        raise error

    with pytest.raises(ZeroDivisionError) as caught:
        cn.search(CONNECT_FOUR, **ENDLESS, progress=progress)
    assert caught.value is error


def test_a_progress_that_cannot_be_called_is_refused_at_once() -> None:
    with pytest.raises(cn.ArgumentError, match="progress"):
        cn.search(CONNECT_FOUR, expansions=1, progress=5)  # type: ignore[arg-type]


CTRL_C = """
import json, os, signal, sys, threading, time
sys.path.insert(0, {tests!r})
import conspirator as cn
import python_games

def interrupt():
    global sent
    sent = time.process_time()
    os.kill(os.getpid(), signal.SIGINT)

threading.Timer(0.2, interrupt).start()
start = {start}
result = cn.search(start, {rule}, expansions=10**12, memory=1 << 34)
late = time.process_time() - sent
print(json.dumps([result.status, result.limit, result.move in start.moves(), late]))
"""
PYTHON_START = "python_games.ConnectFour().start()"


@pytest.mark.parametrize(
    ("start", "rule"),
    [
        ("cn.games.UniformTree().start()", "'best-first'"),
        ("cn.games.UniformTree().start()", "'alpha-beta'"),
        ("cn.games.UniformTree().start()", "cn.rules.BestFirst()"),
        ("cn.games.ConnectFour().start()", "'best-first'"),
        ("cn.games.ConnectFour().start()", "cn.rules.BestFirst()"),
        (PYTHON_START, "'best-first'"),
        (PYTHON_START, "'alpha-beta'"),
        (PYTHON_START, "cn.rules.BestFirst()"),
    ],
)
def test_ctrl_c_ends_the_search_with_an_answer(start: str, rule: str) -> None:
    code = CTRL_C.format(tests=str(Path(__file__).parent), start=start, rule=rule)
    status, limit, is_legal, late = script(code)
    assert (status, limit, is_legal) == ("interrupted", None, True)
    assert late < 2  # CPU seconds: a busy machine may take its time


def test_an_exception_of_a_signal_handler_reaches_the_caller() -> None:
    code = """
import signal
import conspirator as cn

def ring(*_):
    raise ZeroDivisionError

signal.signal(signal.SIGALRM, ring)
signal.setitimer(signal.ITIMER_REAL, 0.1)
try:
    cn.search(cn.games.ConnectFour().start(), seconds=10)
except ZeroDivisionError:
    print(1)
"""
    assert script(code) == 1


def test_ctrl_c_ends_a_perft() -> None:
    code = """
import json, os, signal, threading, time
import conspirator as cn

def interrupt():
    global sent
    sent = time.process_time()
    os.kill(os.getpid(), signal.SIGINT)

threading.Timer(0.2, interrupt).start()
try:
    cn.games.ConnectFour().start().perft(10)
except KeyboardInterrupt:
    print(json.dumps(time.process_time() - sent))
"""
    assert script(code) < 2


@contextmanager
def running(result: cn.Result, **budget: Any) -> Iterator[threading.Event]:
    """Grow a search on in another thread, until the event is set."""
    stop, going = threading.Event(), threading.Event()

    def progress(_: object) -> bool:
        going.set()
        return not stop.is_set()

    result._progress = progress
    thread = threading.Thread(target=lambda: result.resume(**budget))
    thread.start()
    try:
        assert going.wait(180)
        yield stop
    finally:
        stop.set()
        thread.join()


def test_other_threads_run_while_a_native_search_runs() -> None:
    counted = 0
    with running(cn.search(CONNECT_FOUR, expansions=1), **ENDLESS):
        end = time.perf_counter() + 0.2
        while time.perf_counter() < end:
            counted += 1
    assert counted > 1_000


def test_a_tree_that_is_being_grown_is_not_shown() -> None:
    result = cn.search(CONNECT_FOUR, expansions=1)
    tree, root = result.tree, result.tree.root
    looks: list[Any] = [
        lambda: len(tree),
        lambda: tree.check(),
        lambda: tree.depth_histogram(),
        lambda: tree.node([0]),
        lambda: root.value,
        lambda: root.children,
        lambda: root.numbers,
        lambda: repr(root),
        lambda: result.tree,
        lambda: result.trace,
        lambda: result.resume(expansions=1),
    ]
    with running(result, **ENDLESS):
        for look in looks:
            with pytest.raises(cn.ArgumentError, match=r"grown|running"):
                look()
        assert result.move in CONNECT_FOUR.moves()
    assert len(tree) > 8
    tree.check()


def test_a_deep_tree_grows_as_fast_as_a_wide_one() -> None:
    start = cn.games.UniformTree(width=1).start()
    result = cn.search(start, expansions=300_000, seconds=2)
    assert (result.limit, result.depth) == ("expansions", 300_000)


def test_two_searches_at_once() -> None:
    results: list[cn.Result] = []

    def grow() -> None:
        results.append(cn.search(CONNECT_FOUR, expansions=100_000))

    threads = [threading.Thread(target=grow) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({(result.value, result.nodes) for result in results}) == 1


@pytest.mark.parametrize("memory", [3_000, 20_000, 1_000_000])
@pytest.mark.parametrize("trace", [False, True])
@pytest.mark.parametrize("parameters", [{}, {"threshold": 40, "iterative": False}, {"transpositions": True}])
def test_memory_holds_the_rules_numbers_too(memory: int, trace: bool, parameters: dict[str, Any]) -> None:
    result = cn.search(CONNECT_FOUR, "conspiracy", memory=memory, expansions=10**9, trace=trace, **parameters)
    assert result.limit == "memory"
    assert result.bytes_per_node is not None
    assert len(result.tree) * result.bytes_per_node <= memory


def test_ctrl_c_twice_ends_a_loop_of_searches() -> None:
    code = """
import json, os, signal, threading
import conspirator as cn

running = threading.Semaphore(0)

def press():
    for _ in range(2):
        running.acquire()
        os.kill(os.getpid(), signal.SIGINT)

def search():
    told = []
    def tell(facts):
        if not told:  # the search is under way, however busy the machine is
            told.append(facts)
            running.release()
    return cn.search(cn.games.UniformTree().start(), expansions=10**12, memory=1 << 34, progress=tell).status

threading.Thread(target=press).start()
statuses = []
try:
    for _ in range(100):
        statuses.append(search())
except KeyboardInterrupt:
    print(json.dumps(statuses))
"""
    assert script(code) == ["interrupted"]
