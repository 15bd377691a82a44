"""Every mistake gets the right exception and one clear line; nothing gets a panic."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import conspirator as cn
from conspirator import games
from helpers import is_one_line, script

# types are what these tests get wrong
search: Any = cn.search
explicit: Any = games.ExplicitTree
random_tree: Any = games.RandomTree
uniform_tree: Any = games.UniformTree
hex_game: Any = games.Hex

FOUR = games.ConnectFour()
START = FOUR.start()
LEAF = {"value": 1}
CYCLE: dict[str, Any] = {"value": 0, "children": [{"value": 0}]}
CYCLE["children"][0]["children"] = [LEAF, CYCLE]
SURROGATE = "\ud800"


class Line(cn.Game):
    """Two moves, left and right, for ever; subclasses break it."""

    def moves(self, state: str) -> Any:
        return ["l", "r"]

    def play(self, state: str, move: str) -> str:
        return state + move

    def evaluate(self, state: str) -> Any:
        return len(state)


class NoMoves(cn.Game):
    """Lacks `moves`."""

    def play(self, state: Any, move: Any) -> Any:
        return state

    def evaluate(self, state: Any) -> float:
        return 0


class NoPlay(cn.Game):
    """Lacks `play`."""

    def moves(self, state: Any) -> list[int]:
        return [1]

    def outcome(self, state: Any) -> float | None:
        return None


class NoValue(cn.Game):
    """Lacks `evaluate` and `outcome`."""

    def moves(self, state: Any) -> list[int]:
        return [1]

    def play(self, state: Any, move: Any) -> Any:
        return state


def line_with(**methods: Any) -> cn.Position:
    """Return the start of a `Line` with other methods or attributes."""
    game = type("Line", (Line,), methods)()
    assert isinstance(game, cn.Game)
    return game.position("")


def moves_until(length: int) -> Callable[[Any, str], Any]:
    """Return a `moves` that yields nothing from a length on, although the game goes on."""

    def moves(_: Any, state: str) -> Any:
        if len(state) < length:
            yield from "lr"

    return moves


def rule(choose: Callable[[Any, cn.Tree], Any], **methods: Any) -> cn.GrowthRule:
    """Return a growth rule with this `choose`."""
    made = type("Rule", (cn.GrowthRule,), {"choose": choose, **methods})()
    assert isinstance(made, cn.GrowthRule)
    return made


def inner_node(_: Any, tree: cn.Tree) -> cn.Node:
    """Choose the root, again and again."""
    return tree.root


OTHER_ROOT = search(START, expansions=1).tree.root
ARGUMENT, POSITION, GAME = cn.ArgumentError, cn.PositionError, cn.GameError

Case = tuple[str, Callable[[], object], type[Exception], str]
"""What is wrong, how to do it, the exception, and a pattern in its message."""

NOTATION: list[Case] = [
    ("column 8", lambda: FOUR.position("448"), POSITION, "bad character '8' at move 3"),
    ("letters", lambda: FOUR.position("d"), POSITION, "bad character 'd'"),
    ("full column", lambda: FOUR.position("1111111"), POSITION, "column 1 is full at move 7"),
    ("after the end", lambda: FOUR.position("12121213"), POSITION, "already over at move 8"),
    ("five rows", lambda: FOUR.position("/".join(["......."] * 5)), POSITION, "5 rows"),
    ("short row", lambda: FOUR.position("/".join(["......"] * 6)), POSITION, "6 cells"),
    ("bad stone", lambda: FOUR.position("/".join(["...Z..."] * 6)), POSITION, "'Z' in row 1"),
    ("floating", lambda: FOUR.position("X....../" + "/".join(["......."] * 5)), POSITION, "gap"),
    ("side", lambda: FOUR.position("/".join(["......."] * 6) + " Z"), POSITION, "side to move 'Z'"),
    ("stones", lambda: FOUR.position("/".join(["......."] * 5) + "/XX....."), POSITION, "2 X and 0 O"),
    ("two lines", lambda: FOUR.position("4\n48"), POSITION, "bad character '8'"),
    ("surrogate", lambda: FOUR.position(SURROGATE), POSITION, "character"),
    ("number", lambda: FOUR.position(4453), ARGUMENT, "4453"),  # type: ignore[arg-type]
    ("none", lambda: FOUR.position(None), ARGUMENT, "None"),  # type: ignore[arg-type]
    ("tree words", lambda: random_tree().position("a.b"), POSITION, "'a' is not a move"),
    ("tree negative", lambda: random_tree().position("-1"), POSITION, "'-1' is not a move"),
    ("tree width", lambda: random_tree().position("10"), POSITION, "no move 10"),
    ("tree depth", lambda: random_tree(depth=2).position("1.1.1"), POSITION, "after the end"),
    ("tree key", lambda: random_tree().position("@xyz/1/1"), POSITION, "@key/ply/value"),
    ("tree lines", lambda: random_tree().position("1\nx"), POSITION, "not a move"),
    ("uniform width", lambda: uniform_tree(width=2).position("0.2"), POSITION, "no move 2"),
    ("explicit", lambda: explicit(LEAF).position("0"), POSITION, "leaves the tree"),
    ("illegal move", lambda: START.play("8"), POSITION, "'8' is not a legal move.*1, 2, 3, 4, 5, 6, 7"),
    ("no move", lambda: START.play(None), POSITION, "not a legal move"),
    ("move of two lines", lambda: START.play("a\nb"), POSITION, "not a legal move"),
    ("move after the end", lambda: FOUR.position("1212121").play("1"), POSITION, "over"),
    ("finished", lambda: search(FOUR.position("1212121")), POSITION, "over"),
    ("finished tree", lambda: search(explicit(LEAF).start()), POSITION, "over"),
    ("perft", lambda: START.perft(-1), ARGUMENT, "-1"),
    ("perft beyond", lambda: START.perft(2**70), ARGUMENT, "depth"),
]

NAMES: list[Case] = [
    ("game", lambda: games.make("conect-four"), ARGUMENT, "'conect-four'.*did you mean 'connect-four'"),
    ("far game", lambda: games.make("?"), ARGUMENT, "unknown game '.'; known: connect-four"),
    ("game surrogate", lambda: games.make(SURROGATE), ARGUMENT, "unknown game"),
    ("search", lambda: search(START, "best-frist"), ARGUMENT, "did you mean 'best-first'"),
    ("search case", lambda: search(START, "Best-First"), ARGUMENT, "did you mean 'best-first'"),
    ("far search", lambda: search(START, "?"), ARGUMENT, "known: best-first"),
    ("search surrogate", lambda: search(START, SURROGATE), ARGUMENT, "unknown search"),
    ("search number", lambda: search(START, 5), ARGUMENT, "name or a growth rule, not 5"),
    ("search class", lambda: search(START, dict), ARGUMENT, "name or a growth rule"),
    ("no position", lambda: search("4453"), ARGUMENT, "must be a position.*str"),
    ("a game", lambda: search(FOUR), ARGUMENT, "must be a position.*ConnectFour"),
    ("parameter", lambda: search(START, complet=True), ARGUMENT, "did you mean 'complete'"),
    ("game parameter", lambda: random_tree(bra=2), ARGUMENT, "parameter of random-tree 'bra'"),
    ("no parameters", lambda: games.make("connect-four", size=8), ARGUMENT, "'size'"),
    ("rule object", lambda: search(START, cn.rules.BestFirst(), complete=True), ARGUMENT, "complete"),
    ("bool", lambda: search(START, complete=1), ARGUMENT, "complete.*true or false, not 1"),
    ("choice", lambda: random_tree(kind="x"), ARGUMENT, "one of mcallester, utgoff, not 'x'"),
    ("choice surrogate", lambda: random_tree(kind=SURROGATE), ARGUMENT, "kind"),
    ("whole", lambda: random_tree(depth=2.5), ARGUMENT, "depth.*whole number.*2.5"),
    ("text", lambda: random_tree(depth="2"), ARGUMENT, "depth.*whole number.*'2'"),
    ("list", lambda: random_tree(depth=[2]), ARGUMENT, "depth.*list"),
    ("negative", lambda: random_tree(seed=-1), ARGUMENT, "seed.*from 0 up, not -1"),
    ("zero", lambda: random_tree(branching=0), ARGUMENT, "branching.*from 1 up, not 0"),
    ("huge", lambda: random_tree(branching=10**6), ARGUMENT, "at most 65535, not 1000000"),
    ("beyond", lambda: random_tree(seed=2**64), ARGUMENT, "64 bits"),
    ("beyond numpy", lambda: random_tree(seed=np.uint64(2**64 - 1)), ARGUMENT, "64 bits"),
    ("nan", lambda: uniform_tree(value=math.nan), ARGUMENT, "finite number, not NaN"),
    ("inf", lambda: uniform_tree(value=math.inf), ARGUMENT, "finite number, not inf"),
    ("width", lambda: uniform_tree(width=65536), ARGUMENT, "at most 65535"),
    ("no amazons", lambda: games.make("amazons", size=11), ARGUMENT, "size must be from 4 to 10, not 11"),
    ("no width", lambda: games.make("amazons", width=0), ARGUMENT, "width of amazons.*from 1 up.*not 0"),
    ("no board", lambda: hex_game(size=0), ARGUMENT, "size of hex.*from 1 up, not 0"),
    ("large board", lambda: hex_game(size=20), ARGUMENT, "size must be from 1 to 19, not 20"),
    ("huge board", lambda: hex_game(size=2**62), ARGUMENT, "size must be from 1 to 19"),
    ("swap", lambda: hex_game(swap=1), ARGUMENT, "swap.*true or false, not 1"),
    ("depth", lambda: search(START, "alpha-beta", depth=0), ARGUMENT, "from 1 up"),
    ("trace", lambda: search(START, "alpha-beta", trace=True), ARGUMENT, "no trace"),
    ("table", lambda: search(START, "alpha-beta", table=True, memory=100), ARGUMENT, "table_bytes"),
]

NO_LIMITS: list[Any] = [0, -1, math.nan, math.inf, -math.inf, "1", "many", True, [], 1j]


def with_limit(unit: str, limit: Any) -> Callable[[], object]:
    """Return a search with this limit."""
    return lambda: search(START, **{unit: limit})


BUDGETS: list[Case] = [
    *(
        (f"{unit} {limit!r}", with_limit(unit, limit), ARGUMENT, unit)
        for unit in ("expansions", "nodes", "move_calls", "seconds", "memory")
        for limit in NO_LIMITS
    ),
    ("half", lambda: search(START, expansions=0.5), ARGUMENT, "whole number from 1 up, not 0.5"),
    ("unit", lambda: search(START, expansion=5), ARGUMENT, "expansion"),
    ("resume", lambda: search(START, expansions=1).resume(expansions=0), ARGUMENT, "expansions"),
]

DATA: list[Case] = [
    ("list", lambda: explicit([]), GAME, "dictionary, not list.*at the root"),
    ("none", lambda: explicit(None), GAME, "dictionary, not NoneType"),
    ("empty", lambda: explicit({}), GAME, "needs a value"),
    ("no value", lambda: explicit({"children": [LEAF, {}]}), GAME, "needs a value.*at node 1"),
    ("field", lambda: explicit({"value": 1, "valeu": 2}), GAME, "unknown field 'valeu'; known: value"),
    ("field of two lines", lambda: explicit({"value": 1, "a\nb": 2}), GAME, "unknown field"),
    ("field number", lambda: explicit({1: 2}), GAME, "names"),
    ("word", lambda: explicit({"value": "high"}), GAME, "'inf' or '-inf', not 'high'"),
    ("nan", lambda: explicit({"value": math.nan}), GAME, "not nan"),
    ("bool", lambda: explicit({"value": True}), GAME, "not True"),
    ("huge", lambda: explicit({"value": 10**400}), GAME, "value must be a number"),
    ("inner inf", lambda: explicit({"value": "inf", "children": [LEAF]}), GAME, "infinite value"),
    ("children", lambda: explicit({"value": 1, "children": 5}), GAME, "list of nodes"),
    ("children dict", lambda: explicit({"value": 1, "children": LEAF}), GAME, "list of nodes"),
    ("child", lambda: explicit({"value": 1, "children": [LEAF, 5]}), GAME, "not int.*at node 1"),
    ("mover", lambda: explicit({"value": 1, "to_move": "me"}), GAME, "'max' or 'min', not 'me'"),
    ("terminal", lambda: explicit({"value": 1, "terminal": 1}), GAME, "true or false"),
    (
        "terminal with children",
        lambda: explicit({"value": 1, "terminal": True, "children": [LEAF]}),
        GAME,
        "terminal node cannot have children",
    ),
    ("cycle", lambda: explicit(CYCLE), GAME, "cyclic.*at node 0.1"),
    ("tree cycle", lambda: cn.Tree.from_dict(CYCLE, "best-first"), GAME, "cyclic"),
    ("tree rule", lambda: cn.Tree.from_dict(LEAF, "best-frist"), ARGUMENT, "did you mean 'best-first'"),
    ("tree search", lambda: cn.Tree.from_dict(LEAF, "alpha-beta"), ARGUMENT, "keeps no tree"),
    ("tree parameter", lambda: cn.Tree.from_dict(LEAF, "best-first", x=1), ARGUMENT, "'x'"),
]


def outcome_nan(_: Any, state: str) -> float | None:
    return math.nan if state else None


PYTHON_GAMES: list[Case] = [
    ("no moves", lambda: NoMoves().position(0), GAME, "NoMoves.* needs a method moves"),
    ("no play", lambda: NoPlay().position(0), GAME, "NoPlay.* needs a method play"),
    ("no value", lambda: NoValue().position(0), GAME, "NoValue.* needs a method evaluate"),
    ("no start", lambda: Line().start(), GAME, r"Line has no start\(\)"),
    ("bare", lambda: cn.Game().position(0), GAME, "needs a method"),
    ("mover", lambda: Line().position("", "me"), ARGUMENT, "'max' or 'min', not 'me'"),  # type: ignore[arg-type]
    ("to_move", lambda: line_with(to_move=lambda *_: 1), GAME, "'max' or 'min', not 1"),
    ("range", lambda: line_with(value_range=(1, -1)), GAME, "value_range"),
    ("range nan", lambda: line_with(value_range=(0, math.nan)), GAME, "value_range"),
    ("range number", lambda: line_with(value_range=5), GAME, "value_range"),
    ("tempo nan", lambda: line_with(tempo=math.nan), GAME, "tempo"),
    ("tempo word", lambda: line_with(tempo="fast"), GAME, "tempo"),
    ("range words", lambda: line_with(value_range=("a", "b")), GAME, "value_range"),
    (
        "beyond the range",
        lambda: search(line_with(value_range=(-1, 1)), expansions=10),
        GAME,
        "value_range|range",
    ),
    (
        "no moves",
        lambda: search(line_with(moves=moves_until(2), outcome=lambda *_: None), expansions=9),
        GAME,
        "no moves.*after the moves l l|no moves.*after the moves r r",
    ),
    ("moves none", lambda: search(line_with(moves=lambda *_: None), expansions=9), GAME, "moves"),
    (
        "evaluate_many short",
        lambda: search(line_with(evaluate_many=lambda *_: [1]), expansions=9),
        GAME,
        "returned 1 values for 2 positions.*at the root",
    ),
    (
        "evaluate_many long",
        lambda: search(line_with(evaluate_many=lambda *_: np.zeros(3)), expansions=9),
        GAME,
        "returned 3 values for 2 positions.*at the root",
    ),
    (
        "evaluate_many one",
        lambda: search(line_with(evaluate_many=lambda *_: 1.0), expansions=9),
        GAME,
        "evaluate_many",
    ),
    ("outcome", lambda: search(line_with(outcome=outcome_nan)), GAME, "NaN.*at the root"),
]

RULES: list[Case] = [
    ("number", lambda: search(START, rule(lambda *_: 5)), GAME, "open leaf.*not 5"),
    ("word", lambda: search(START, rule(lambda *_: "done")), GAME, "'decided'.*not 'done'"),
    ("other tree", lambda: search(START, rule(lambda *_: OTHER_ROOT)), GAME, "tree it was given"),
    ("inner node", lambda: search(START, rule(inner_node)), GAME, "open leaf"),
    (
        "update",
        lambda: search(START, rule(inner_node, update=lambda *_: "yes")),
        GAME,
        "True or False, not 'yes'",
    ),
]

CASES = [
    pytest.param(call, kind, pattern, id=f"{title}-{name}")
    for title, cases in {
        "notation": NOTATION,
        "name": NAMES,
        "budget": BUDGETS,
        "data": DATA,
        "game": PYTHON_GAMES,
        "rule": RULES,
    }.items()
    for name, call, kind, pattern in cases
]


@pytest.mark.parametrize(("call", "kind", "pattern"), CASES)
def test_mistake(call: Callable[[], object], kind: type[Exception], pattern: str) -> None:
    with pytest.raises(kind) as caught:
        call()
    assert isinstance(caught.value, cn.ConspiratorError)
    assert is_one_line(caught.value)
    assert re.search(pattern, str(caught.value)), str(caught.value)


SEARCHES = pytest.mark.parametrize("name", ["best-first", "alpha-beta"])
VALUES = [math.nan, math.inf, -math.inf, "1", None, 1j, [1.0]]


@SEARCHES
@pytest.mark.parametrize("method", ["evaluate", "evaluate_many"])
@pytest.mark.parametrize("length", [0, 1, 3])
@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_a_value_that_is_none(name: str, method: str, length: int, value: Any) -> None:
    def evaluate(_: Any, state: str) -> Any:
        return value if len(state) == length else 0

    def evaluate_many(_: Any, states: list[str]) -> list[Any]:
        return [evaluate(_, state) for state in states]

    methods: dict[str, Any] = {"evaluate": evaluate}
    if method == "evaluate_many":
        methods = {"evaluate": cn.Game.evaluate, "evaluate_many": evaluate_many}
    with pytest.raises(cn.GameError) as caught:
        search(line_with(**methods), name, expansions=50)
    message = str(caught.value)
    assert is_one_line(caught.value)
    assert "number" in message
    assert re.search("after the moves [lr] [lr]" if length == 3 else "at the root", message), message


class Mine(Exception):
    """An exception of the user's."""


def raising(method: str, error: Exception, length: int, then: Any) -> Callable[..., Any]:
    """Return a method that raises on states of a length, or on batches with one."""

    def body(_: Any, state: Any, *rest: Any) -> Any:
        states = state if isinstance(state, list) else [state]
        if any(len(state) == length for state in states):
            raise error
        return then(state, *rest)

    body.__name__ = method
    return body


METHODS: dict[str, tuple[Callable[..., Any], int]] = {
    "moves": (lambda state: ["l", "r"], 3),
    "play": (lambda state, move: state + move, 2),
    "evaluate": (lambda state: 0, 3),
    "outcome": (lambda state: None, 3),
    "evaluate_many": (lambda states: [0] * len(states), 3),
    "to_move": (lambda state: "min" if len(state) % 2 else "max", 3),
}
"""A working body for every method, and the length of state that is met in the expansion of ply 2."""


@SEARCHES
@pytest.mark.parametrize("method", METHODS)
def test_an_exception_in_a_game_reaches_the_user_whole(name: str, method: str) -> None:
    then, length = METHODS[method]
    error = Mine("mine")
    start = line_with(**{method: raising(method, error, length, then)})
    with pytest.raises(Mine) as caught:
        search(start, name, expansions=50)
    assert caught.value is error
    assert re.fullmatch("raised in the search, after the moves [lr] [lr]", "".join(error.__notes__))
    assert [entry.name for entry in caught.traceback][-1] == "body"


@SEARCHES
@pytest.mark.parametrize("method", ["moves", "play", "evaluate", "outcome"])
def test_an_exception_at_the_root_says_so(name: str, method: str) -> None:
    error = Mine("mine")
    start = line_with(**{method: raising(method, error, 0, METHODS[method][0])})
    with pytest.raises(Mine) as caught:
        search(start, name, expansions=50)
    assert caught.value is error
    assert "at the root" in "".join(getattr(error, "__notes__", []))


@pytest.mark.parametrize("method", ["choose", "initialise", "update"])
def test_an_exception_in_a_rule_reaches_the_user_whole(method: str) -> None:
    error = Mine("mine")
    countdown = 3

    def body(self: Any, *arguments: Any) -> Any:
        nonlocal countdown
        countdown -= 1
        if countdown == 0:
            raise error
        return getattr(super(type(self), self), method)(*arguments)

    broken = type("Broken", (cn.rules.BestFirst,), {method: body})()
    with pytest.raises(Mine) as caught:
        search(START, broken, expansions=50)
    assert caught.value is error


def test_a_failed_expansion_leaves_the_tree_as_it_was() -> None:
    bombs: list[Exception] = []

    class Broken(cn.rules.BestFirst):
        """Raises in `update` when told to."""

        def update(self, tree: cn.Tree, node: cn.Node) -> bool:
            if bombs:
                raise bombs.pop()
            return False

    result = cn.search(START, Broken(), expansions=10)
    bombs.append(Mine("mine"))
    with pytest.raises(Mine):
        result.resume(expansions=10)
    result.tree.check()


@SEARCHES
def test_moves_that_change_between_calls(name: str) -> None:
    calls = 0

    def moves(_: Any, state: str) -> list[str]:
        nonlocal calls
        calls += 1
        return ["l", "r"] if calls < 4 else []

    with pytest.raises(cn.GameError):
        search(line_with(moves=moves, outcome=lambda *_: None), name, expansions=50)


FILES: dict[str, tuple[bytes, type[Exception], str]] = {
    "malformed": (b'{"value": 1,', cn.GameError, "not JSON"),
    "empty": (b"", cn.GameError, "not JSON"),
    "number": (b"5", cn.GameError, "dictionary, not int"),
    "nan": (b'{"value": NaN}', cn.GameError, "not nan"),
    "binary": (b"\xff\xfe\x00", cn.ArgumentError, "cannot read"),
    "deep": (b'{"children":[' * 10**6, cn.GameError, "nested too deeply"),
    "many digits": (b'{"value": ' + b"1" * 5000 + b"}", cn.GameError, "JSON|digits|number"),
    "field": (b'{"value": 1, "x": 2}', cn.GameError, "unknown field 'x'"),
}


@pytest.mark.parametrize("name", FILES)
def test_bad_file(name: str, tmp_path: Path) -> None:
    content, kind, pattern = FILES[name]
    path = tmp_path / "tree.json"
    path.write_bytes(content)
    with pytest.raises(kind, match=pattern) as caught:
        games.ExplicitTree.load(path)
    assert is_one_line(caught.value)


@pytest.mark.parametrize("path", ["missing.json", ".", "a\0b"])
def test_a_file_that_cannot_be_read(path: str, tmp_path: Path) -> None:
    with pytest.raises(cn.ArgumentError, match="cannot read"):
        games.ExplicitTree.load(tmp_path / path)


def test_a_good_file(tmp_path: Path) -> None:
    data = {"value": 0, "children": [{"value": "-inf"}, {"value": 2.5}]}
    path = tmp_path / "tree.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    game = games.ExplicitTree.load(str(path))
    assert game == games.ExplicitTree(data)
    assert cn.search(game.start()).value == 2.5


CHAIN = """
import json, sys, time
import conspirator as cn

begun = time.perf_counter()
data = {"value": 7}
for _ in range(10**6):
    data = {"value": 0, "children": [data]}
"""
DEEP = {
    "read": "answer = len(cn.games.ExplicitTree(data).start().moves())",
    "cycle": """
at = data
for _ in range(10**6 - 1):
    at = at["children"][0]
at["children"] = [data]
try:
    cn.games.ExplicitTree(data)
except cn.GameError as error:
    answer = "cyclic" in str(error)
""",
    "tree": "answer = len(cn.Tree.from_dict(data, 'best-first')) == 10**6 + 1",
    "node": """
node = cn.Tree.from_dict(data, "best-first").root
for _ in range(10**6):
    node = node.children[0]
answer = (node.depth, node.value) == (10**6, 7)
node = None
""",
    "search": """
game = cn.games.ExplicitTree(data)
result = cn.search(game.start(), "best-first", seconds=10)
answer = result.move == "0" and (result.status, len(result.line)) == ("proven", 10**6)
""",
    "alpha-beta": """
result = cn.search(cn.games.ExplicitTree(data).start(), "alpha-beta", seconds=1)
answer = result.move == "0"
""",
    "equal": "answer = cn.games.ExplicitTree(data) == cn.games.ExplicitTree(dict(data))",
}


@pytest.mark.parametrize("name", DEEP)
def test_a_million_plies(name: str) -> None:
    answer, seconds = script(f"{CHAIN}{DEEP[name]}\nprint(json.dumps([answer, time.perf_counter() - begun]))")
    assert answer
    assert seconds < 60  # nothing quadratic, on any machine


SURVIVE = """
import conspirator as cn
try:
    {call}
except cn.ConspiratorError:
    pass
print(1)
"""


@pytest.mark.parametrize(
    "call",
    [
        "cn.games.UniformTree(width=1).start().perft(10**7)",
        "cn.games.UniformTree(width=1).start().survey(10**7)",
        "cn.search(cn.games.ConnectFour().start(), 'alpha-beta', table=True, table_bytes=2**50)",
    ],
    ids=["perft", "survey", "table"],
)
def test_the_process_survives(call: str) -> None:
    assert script(SURVIVE.format(call=call)) == 1


def test_one_dictionary_in_many_places_is_read_in_reasonable_time() -> None:
    code = """
import json, time
import conspirator as cn
leaf = {"value": 1}
data = leaf
for _ in range(50_000):
    data = {"value": 0, "children": [data, leaf]}
begun = time.perf_counter()
cn.games.ExplicitTree(data)
print(json.dumps(time.perf_counter() - begun))
"""
    assert script(code) < 5


def only_our_exceptions(call: Callable[[], object]) -> None:
    """Call; an exception of any other type, or a panic, fails the test."""
    raised: BaseException | None = None
    try:
        call()
    except BaseException as error:  # a panic derives from this
        raised = error
    assert raised is None or isinstance(raised, cn.ConspiratorError), repr(raised)
    assert raised is None or is_one_line(raised), repr(raised)


TEXT = st.one_of(
    st.text(max_size=20),
    st.text("1234567 \n", max_size=45),
    st.text("X.O/ \n", max_size=60),
    st.lists(st.text("X.O", min_size=7, max_size=7), min_size=6, max_size=6).map("/".join),
    st.text("0123456789.@/-abcdef", max_size=30),
    st.lists(st.from_regex("[a-d][1-4](-[a-d][1-4]){2}", fullmatch=True), max_size=3).map(" ".join),
    st.lists(st.text("wbx.", min_size=4, max_size=4), min_size=4, max_size=4)
    .map("/".join)
    .map("{} b".format),
    st.lists(st.from_regex("[a-h][1-8]|pass|,", fullmatch=True), max_size=14).map("".join),
    st.builds("{} {}".format, st.text("XO-", min_size=64, max_size=64), st.sampled_from("XO*;")),
    st.lists(st.from_regex("[a-d][1-4]|swap|white|,", fullmatch=True), max_size=14).map(" ".join),
)
FUZZED: list[Any] = [
    FOUR,
    games.RandomTree(),
    games.RandomTree(kind="utgoff", sort=True),
    games.UniformTree(width=3),
    games.Hex(size=3),
    games.Hex(size=4, swap=True),
    games.Othello(),
    games.Amazons(size=4),
    games.Amazons(size=4, width=2),
]
FIELDS = {
    "value": st.one_of(st.floats(), st.integers(), st.sampled_from(["inf", "-inf", "x", None, True])),
    "to_move": st.sampled_from(["max", "min", "x", 5]),
    "terminal": st.sampled_from([True, False, 1]),
    "score": st.floats(),
    "other": st.none(),
}
NODES = st.recursive(
    st.fixed_dictionaries({}, optional=FIELDS),
    lambda inner: st.fixed_dictionaries(
        {"children": st.one_of(st.lists(inner, max_size=4), inner)}, optional=FIELDS
    ),
    max_leaves=12,
)
QUICK = settings(max_examples=300, deadline=None, database=None, derandomize=True)


@QUICK
@given(text=TEXT)
@pytest.mark.parametrize("game", FUZZED, ids=repr)
def test_fuzz_notation(game: Any, text: str) -> None:
    def use() -> None:
        position: cn.Position = game.position(text)
        assert game.position(position.notation()) == position
        assert str(position)
        position.evaluate()
        for move in position.moves():
            position.play(move).evaluate()
        if position.outcome is None:
            cn.search(position, "best-first", expansions=20).tree.check()
            cn.search(position, "alpha-beta", expansions=20)

    only_our_exceptions(use)


@QUICK
@given(data=NODES)
def test_fuzz_data(data: Any) -> None:
    def use() -> None:
        start = games.ExplicitTree(data).start()
        cn.search(start, "best-first", expansions=50).tree.check()
        cn.search(start, "alpha-beta", expansions=50)

    only_our_exceptions(use)
    only_our_exceptions(lambda: cn.Tree.from_dict(data, "best-first").check())
