"""Every mistake gets the right exception and one clear line; nothing gets a panic."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import conspirator as cn
from conspirator import games
from helpers import Line, is_one_line, line_with

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
    ("no width", lambda: games.make("amazons", width=9), ARGUMENT, r"evaluator='territory\(width=20\)'"),
    ("no network", lambda: hex_game(network=True), ARGUMENT, "evaluator=.network."),
    ("no board", lambda: hex_game(size=0), ARGUMENT, "size of hex.*from 1 up, not 0"),
    ("large board", lambda: hex_game(size=20), ARGUMENT, "size must be from 1 to 19, not 20"),
    ("huge board", lambda: hex_game(size=2**62), ARGUMENT, "size must be from 1 to 19"),
    ("swap", lambda: hex_game(swap=1), ARGUMENT, "swap.*true or false, not 1"),
    ("depth", lambda: search(START, "alpha-beta", depth=0), ARGUMENT, "from 1 up"),
    ("trace", lambda: search(START, "alpha-beta", trace=True), ARGUMENT, "no trace"),
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
