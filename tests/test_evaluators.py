"""Evaluators: yours on every game, what they may say, what rests on them; and games know only their rules."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any
from zlib import crc32

import pytest

import conspirator as cn
import python_games
from helpers import all_nodes, is_one_line, random_hex
from oracle import TIC_TAC_TOE, Exact, Way, cases, end_games, hexes, mistake, tic_tac_toe, trees

search: Any = cn.search  # types are what some of these tests get wrong
Positions = list[cn.Position]
SEARCHES = list(cn.searches())
GROWING = [name for name, info in cn.searches().items() if info.tree]
ALL_SEARCHES = pytest.mark.parametrize("name", SEARCHES)
ALL_GROWING = pytest.mark.parametrize("name", GROWING)

NATIVE: dict[str, Callable[[], cn.Position]] = {
    "connect-four": lambda: cn.games.ConnectFour().position("4453"),
    "hex": lambda: cn.games.Hex(size=5).position("a2"),
    "othello": lambda: cn.games.Othello().start(),
    "amazons": lambda: cn.games.Amazons(size=4).start(),
    "chess": lambda: cn.games.Chess().start(),
    "random-tree": lambda: cn.games.RandomTree(branching=4, depth=5, seed=3).start(),
}
PYTHON: dict[str, Callable[[], cn.Position]] = {cls.__name__: cls().start for cls in python_games.ALL}


def open_spiel(name: str) -> Callable[[], cn.Position]:
    def start() -> cn.Position:
        pytest.importorskip("pyspiel")
        game: cn.Game = cn.games.from_open_spiel(name, playouts=0)
        return game.start()

    return start


OPEN_SPIEL = {name: open_spiel(name) for name in ("tic_tac_toe", "breakthrough(rows=5,columns=4)")}
STARTS = NATIVE | PYTHON | OPEN_SPIEL
ALL_GAMES = pytest.mark.parametrize("game", STARTS)


def chance(*things: Any) -> float:
    """Return a number from 0 to 1 that depends on these things and on nothing else."""
    return crc32(repr(things).encode()) / 2**32


def some_value(position: cn.Position) -> float:
    """Return a value inside the game's range that has nothing to do with the game."""
    low, high = position.value_range
    low, high = (low, high) if math.isfinite(high - low) else (-5.0, 5.0)
    return low + (0.1 + 0.8 * chance(position.notation())) * (high - low)


def values_of(positions: Positions) -> list[float]:
    return [some_value(position) for position in positions]


def values_and_scores(positions: Positions) -> tuple[list[float], list[list[float]]]:
    scores = [[0.1 + chance(p.notation(), str(move)) for move in p.moves()] for p in positions]
    return values_of(positions), scores


class Mine(cn.Evaluator):
    """The same values, from an object."""

    def evaluate(self, positions: Positions) -> Any:
        return values_of(positions)


FORMS: dict[str, Any] = {"values": values_of, "scores": values_and_scores, "class": Mine()}
ALL_FORMS = pytest.mark.parametrize("form", FORMS)


def own(name: str, start: cn.Position) -> str | None:
    """Return why a search cannot be made here, whoever values positions; None if it can."""
    try:
        cn.search(start, name, expansions=1)
    except cn.ArgumentError as error:
        return str(error)
    return None


def facts(result: cn.Result, *, tree: bool = True) -> dict[str, Any]:
    """Return all that a search has found and spent, time apart."""
    names = ("value", "move", "line", "status", "limit", "won", "nodes", "expansions", "move_calls", "depth")
    found: dict[str, Any] = {name: getattr(result, name) for name in names}
    if tree and result.has_tree:
        found["trace"] = result.trace
        found["tree"] = shape(result.tree)
    return found


def shape(tree: cn.Tree) -> list[Any]:
    """Return the values of all nodes, which moves lead on from them, and what is solved."""
    return [(node.value, node.is_solved, [child.move for child in node.children]) for node in all_nodes(tree)]


def traced(name: str) -> dict[str, bool]:
    return {"trace": True} if name in GROWING else {}


# 1. Yours, on every kind of game


@ALL_FORMS
@ALL_GAMES
@ALL_SEARCHES
def test_every_search_takes_it_on_every_game(name: str, game: str, form: str) -> None:
    start, evaluator = STARTS[game](), FORMS[form]
    if (reason := own(name, start)) is not None:
        with pytest.raises(cn.ArgumentError) as caught:
            cn.search(start, name, evaluator=evaluator, expansions=1)
        assert str(caught.value) == reason
        return
    most = 2 if name == "end-game" else 12  # it looks at many positions besides, to sort moves
    result = cn.search(start, name, evaluator=evaluator, expansions=most)
    assert result.move in start.moves()
    assert 1 <= result.expansions <= most
    low, high = start.value_range
    assert low <= result.value <= high
    if result.has_tree:
        result.tree.check()


@ALL_FORMS
@ALL_GAMES
def test_its_values_are_those_of_the_leaves(game: str, form: str) -> None:
    start = STARTS[game]()
    root = cn.search(start, "best-first", evaluator=FORMS[form], expansions=1).tree.root
    assert [child.move for child in root.children] == start.moves()
    for child in root.children:
        after = start.play(child.move)
        assert child.value == (some_value(after) if after.outcome is None else after.outcome)


@ALL_GAMES
def test_its_scores_lead_the_search(game: str) -> None:
    start = STARTS[game]()

    def last_first(positions: Positions) -> Any:
        def scores(count: int) -> list[float]:
            return [1.0] * (count - 1) + [1000.0]

        low, high = start.value_range
        middle = (low + high) / 2 if math.isfinite(high - low) else 0.0
        return [middle] * len(positions), [scores(len(p.moves())) for p in positions]

    moves = start.moves()
    for name in ("puct", "sibling-conspiracy"):
        result = cn.search(start, name, evaluator=last_first, expansions=3, trace=True)
        assert result.trace[:2] == [[], [len(moves) - 1]], name
    assert start.move_scores(last_first) == [1.0] * (len(moves) - 1) + [1000.0]


def copy_of_the_usual(start: cn.Position) -> Callable[[Positions], Any]:
    """Return a function that says what the game's usual evaluator says."""

    def values(positions: Positions) -> Any:
        return [position.evaluate() for position in positions]

    def both(positions: Positions) -> Any:
        return values(positions), [position.move_scores() for position in positions]

    return values if start.move_scores() is None else both


COPIED = {**NATIVE, "ConnectFour": PYTHON["ConnectFour"], "Again": PYTHON["Again"]}


@pytest.mark.parametrize("game", COPIED)
@ALL_SEARCHES
def test_a_copy_of_the_usual_evaluator_grows_the_same_tree(name: str, game: str) -> None:
    start = COPIED[game]()
    if own(name, start) is not None:
        pytest.skip("no such search of this game")
    settings: dict[str, Any] = {"nodes": 60 if name == "end-game" else 400, **traced(name)}
    usual = cn.search(start, name, **settings)
    assert facts(cn.search(start, name, evaluator=copy_of_the_usual(start), **settings)) == facts(usual)


@pytest.mark.parametrize("name", ["best-first", "puct", "alpha-beta", "end-game", "df-pn"])
def test_scores_are_for_games_with_any_range(name: str) -> None:
    """Values of Connect-Four begin at 1: nothing may take an unknown value for 0."""
    start = cn.games.ConnectFour().position("4453")
    result = cn.search(start, name, evaluator=values_and_scores, nodes=2000)
    assert result.move in start.moves()


def test_a_range_of_its_own_stands_for_the_games() -> None:
    class Thirds(Mine):
        value_range = (0, 3)

        def evaluate(self, positions: Positions) -> Any:
            return [position.moves().index("4") for position in positions]

    start = cn.games.ConnectFour().start()
    root = cn.search(start, "best-first", evaluator=Thirds(), expansions=1).tree.root
    assert {child.value for child in root.children} == {1023.0}
    assert start.evaluate(Thirds()) == 1023.0


def test_all_ways_to_give_numbers() -> None:
    numpy = pytest.importorskip("numpy")
    start = cn.games.Hex(size=4).start()

    def scores(position: cn.Position) -> list[float]:
        return [1.0 + place for place in range(len(position.moves()))]

    ways: list[Callable[[Positions], Any]] = [
        lambda ps: ([0.25] * len(ps), [scores(p) for p in ps]),
        lambda ps: (numpy.full(len(ps), 0.25), [numpy.array(scores(p)) for p in ps]),
        lambda ps: (numpy.full(len(ps), 0.25, dtype="float32"), tuple(tuple(scores(p)) for p in ps)),
    ]
    found = [facts(cn.search(start, "puct", evaluator=way, expansions=20, trace=True)) for way in ways]
    assert found[0] == found[1] == found[2]
    plain: list[Callable[[Positions], Any]] = [
        lambda ps: [0.25] * len(ps),
        lambda ps: (0.25 for _ in ps),
        lambda ps: tuple([0.25] * len(ps)),
        lambda ps: numpy.full(len(ps), 0.25),
    ]
    found = [facts(cn.search(start, "best-first", evaluator=way, expansions=9, trace=True)) for way in plain]
    assert found[0] == found[1] == found[2] == found[3]


def test_two_values_in_a_tuple_are_no_scores() -> None:
    start = cn.games.UniformTree(width=2).start()
    result = cn.search(start, "best-first", evaluator=lambda ps: tuple([2.5] * len(ps)), expansions=5)
    assert result.value == 2.5


PAGES: dict[str, tuple[Any, dict[str, Any], dict[str, Any]]] = {
    "best-first": (cn.rules.BestFirst, {}, {}),
    "conspiracy": (cn.rules.Conspiracy, {}, {}),
    "improved-conspiracy": (cn.rules.ImprovedConspiracy, {}, {}),
    "least-certainty": (cn.rules.LeastCertainty, {"ties": "leftmost"}, {"variant": "published"}),
    "minmax-approximation": (cn.rules.MinmaxApproximation, {}, {"variant": "published"}),
    "proof-number": (cn.rules.ProofNumber, {}, {}),
    "puct": (cn.rules.Puct, {}, {}),
    "sibling-conspiracy": (cn.rules.SiblingConspiracy, {}, {}),
    "uct": (cn.rules.Uct, {}, {"playouts": 0}),
}
"""A rule in Python, the parameters of both, and those of the native one."""


def say(given: Any) -> str:
    return str(getattr(given, "__name__", given))


@pytest.mark.parametrize("given", [values_of, values_and_scores, "knowledge", "knowledge(width=4)"], ids=say)
@pytest.mark.parametrize("name", PAGES)
def test_rules_in_python_take_it_too(name: str, given: Any) -> None:
    page, both, native = PAGES[name]
    start = cn.games.Hex(size=6).position("a2")
    one = cn.search(start, name, evaluator=given, expansions=12, trace=True, **both, **native)
    two = cn.search(start, page(**both), evaluator=given, expansions=12, trace=True)
    assert one.trace == two.trace
    assert len(one.trace) == one.expansions


# 2. Whole families


def siblings_in(positions: Positions) -> bool:
    """Tell whether these positions of a random tree have the same parent."""
    return len({position.notation().rpartition(".")[0] for position in positions}) == 1


@pytest.mark.parametrize("width", [2, 5])
@ALL_SEARCHES
def test_it_is_asked_about_the_children_of_one_node(name: str, width: int) -> None:
    batches: list[Positions] = []

    def ask(positions: Positions) -> list[float]:
        batches.append(positions)
        return values_of(positions)

    start = cn.games.RandomTree(branching=width, depth=9, seed=2).start()
    cn.search(start, name, evaluator=ask, expansions=30)
    assert all(batches), "nobody asks about nothing"
    assert all(isinstance(batch, list) and siblings_in(batch) for batch in batches)
    assert all(position.outcome is None for batch in batches for position in batch)
    longest = max(map(len, batches))
    # these value a position when they come to it, or none at all
    assert longest == (1 if name in ("puct", "proof-number", "df-pn", "uct") else width)


@pytest.mark.parametrize("game", ["connect-four", "hex", "ConnectFour", "tic_tac_toe"])
@pytest.mark.parametrize("name", ["best-first", "conspiracy", "improved-conspiracy", "sibling-conspiracy"])
def test_one_call_for_an_expansion(name: str, game: str) -> None:
    batches: list[Positions] = []

    def ask(positions: Positions) -> list[float]:
        batches.append(positions)
        return values_of(positions)

    start = STARTS[game]()
    result = cn.search(start, name, evaluator=ask, expansions=25, trace=True)
    families = []
    for path in result.trace:
        position = start
        for place in path:
            position = position.play(position.moves()[place])
        after = [position.play(move) for move in position.moves()]
        families.append([child for child in after if child.outcome is None])
    before = len(batches) - len(families)
    assert batches[before:] == families
    assert all(batch == [start] for batch in batches[:before])
    assert before <= 2


def test_what_is_left_out_is_not_asked_about() -> None:
    asked: set[str] = set()

    class Centre(Mine):
        def evaluate(self, positions: Positions) -> Any:
            asked.update(position.notation() for position in positions)
            return values_of(positions)

        def candidates(self, position: cn.Position) -> Any:
            return [move for move in position.moves() if move in "345"] or None

    start = cn.games.ConnectFour().start()
    tree = cn.search(start, "best-first", evaluator=Centre(), expansions=40).tree
    assert [child.move for child in tree.root.children] == ["3", "4", "5"]
    assert len(asked) > 30
    assert all(
        row[column] == "." for board in asked for row in board.split()[0].split("/") for column in (0, 6)
    )


# 3. Mistakes


def ply(position: cn.Position) -> int:
    """Return how many stones are on a board of Hex of size 4."""
    return 16 - len(position.moves())


HEX = cn.games.Hex(size=4).start()
VALUED = ["best-first", "conspiracy", "minmax-approximation", "puct", "alpha-beta", "end-game"]
BAD_VALUES: dict[str, tuple[Any, str]] = {
    "nan": (math.nan, "must be a finite number while the game goes on, not NaN"),
    "infinite": (math.inf, "must be a finite number while the game goes on, not inf"),
    "minus infinite": (-math.inf, "must be a finite number while the game goes on, not -inf"),
    "text": ("0.5", "must return a number, not '0.5'"),
    "none": (None, "must return a number, not None"),
    "list": ([0.5], r"must return a number, not \[0.5\]"),
    "complex": (1j, "must return a number, not 1j"),
    "outside": (1.5, "the value 1.5 is outside the game's range -1 to 1"),
}


@pytest.mark.parametrize("at", [0, 1, 2])
@pytest.mark.parametrize("bad", BAD_VALUES)
@pytest.mark.parametrize("name", VALUED)
def test_a_value_that_is_none(name: str, bad: str, at: int) -> None:
    value, words = BAD_VALUES[bad]

    def wrong(positions: Positions) -> list[Any]:
        return [value if ply(position) == at else 0.0 for position in positions]

    with pytest.raises(cn.GameError, match=words) as caught:
        search(HEX, name, evaluator=wrong, expansions=60)
    assert is_one_line(caught.value)


def zeros(positions: Positions) -> list[float]:
    return [0.0] * len(positions)


def ones(positions: Positions) -> list[list[Any]]:
    return [[1.0] * len(position.moves()) for position in positions]


ANSWERS: dict[str, tuple[Callable[[Positions], Any], str]] = {
    "too few": (lambda ps: zeros(ps)[1:], "evaluate returned 0 values for 1 positions"),
    "too many": (lambda ps: [*zeros(ps), 0.0], "evaluate returned 2 values for 1 positions"),
    "one number": (lambda ps: 0.0, "evaluate must return a list of values, not 0.0"),
    "nothing": (lambda ps: None, "evaluate must return a list of values, not None"),
    "text": (lambda ps: "0" * len(ps), "evaluate must return a number, not '0'"),
    "too few scores": (lambda ps: (zeros(ps), [[1.0] for _ in ps]), "returned 1 scores for 16 moves"),
    "too many scores": (lambda ps: (zeros(ps), [[*s, 1.0] for s in ones(ps)]), "17 scores for 16 moves"),
    "no scores": (lambda ps: (zeros(ps), [[] for _ in ps]), "returned 0 scores for 16 moves"),
    "too few lists": (lambda ps: (zeros(ps), []), "returned 0 lists of scores for 1 positions"),
    "scores of nan": (lambda ps: (zeros(ps), [[math.nan] * len(s) for s in ones(ps)]), "score.*NaN"),
    "scores of inf": (lambda ps: (zeros(ps), [[math.inf] * len(s) for s in ones(ps)]), "score.*inf"),
    "negative scores": (lambda ps: (zeros(ps), [[-1.0] * len(s) for s in ones(ps)]), "score.*-1"),
    "scores of text": (lambda ps: (zeros(ps), [["1"] * len(s) for s in ones(ps)]), "a number, not '1'"),
    "flat scores": (lambda ps: (zeros(ps), zeros(ps)), "scores"),
    "scores of nothing": (lambda ps: (zeros(ps), None), "scores"),
    "lists of nothing": (lambda ps: (zeros(ps), [None for _ in ps]), "scores"),
}


@pytest.mark.parametrize("answer", ANSWERS)
@pytest.mark.parametrize("name", ["puct", "sibling-conspiracy"])
def test_an_answer_of_the_wrong_kind(name: str, answer: str) -> None:
    function, words = ANSWERS[answer]
    with pytest.raises(cn.GameError, match=words) as caught:
        search(HEX, name, evaluator=function, expansions=20)
    assert is_one_line(caught.value)


@pytest.mark.parametrize("name", ["best-first", "alpha-beta", "sibling-conspiracy"])
def test_too_few_values_for_a_family(name: str) -> None:
    with pytest.raises(cn.GameError, match="evaluate returned 1 values for 16 positions"):
        search(HEX, name, evaluator=lambda ps: [0.0], expansions=20)


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("name", ["best-first", "puct", "sibling-conspiracy", "alpha-beta"])
def test_scores_come_always_or_never(name: str, first: bool) -> None:
    def sometimes(positions: Positions) -> Any:
        scored = (ply(positions[0]) == 0) == first
        return (zeros(positions), ones(positions)) if scored else zeros(positions)

    with pytest.raises(cn.GameError, match="always"):
        search(HEX, name, evaluator=sometimes, expansions=20)


class Zeros(cn.Evaluator):
    """All is equal; subclasses go wrong."""

    def evaluate(self, positions: Positions) -> Any:
        return zeros(positions)


BAD_METHODS: dict[str, tuple[dict[str, Any], str]] = {
    "no legal move": ({"candidates": lambda self, p: ["z9"]}, "'z9' is not a legal move here"),
    "one that was legal": ({"candidates": lambda self, p: ["a1"] if ply(p) else None}, "'a1' is not a legal"),
    "no candidates": ({"candidates": lambda self, p: []}, "candidates must keep at least one move"),
    "a number of candidates": ({"candidates": lambda self, p: 3}, "candidates"),
    "candidates of nothing": ({"candidates": lambda self, p: [None]}, "'None' is not a legal move here"),
    "an outcome of nan": ({"outcome": lambda self, p: math.nan}, "not NaN"),
    "an outcome too large": (
        {"outcome": lambda self, p: 7},
        "the value 7 is outside the game's range -1 to 1",
    ),
    "an infinite outcome": ({"outcome": lambda self, p: math.inf}, "outside the game's range -1 to 1"),
    "an outcome of text": ({"outcome": lambda self, p: "won"}, "outcome must return a number, not 'won'"),
    "a range of one number": ({"value_range": 3}, "value_range of an evaluator must be"),
    "a range upside down": ({"value_range": (1, -1)}, "value_range of an evaluator must be"),
    "a range without end": ({"value_range": (-math.inf, math.inf)}, "value_range.* finite"),
    "a range of nan": ({"value_range": (math.nan, 1)}, "value_range.* finite"),
    "outside its own range": ({"value_range": (2, 3)}, "the value 0 is outside the evaluator's range 2 to 3"),
    "an unknown base": ({"base": "knowlege"}, "did you mean 'knowledge'"),
    "a bad base": ({"base": "knowledge(widht=3)"}, "did you mean 'width'"),
}


@pytest.mark.parametrize("mistake", BAD_METHODS)
@pytest.mark.parametrize("name", ["best-first", "uct", "alpha-beta", "df-pn"])
def test_a_class_that_goes_wrong(name: str, mistake: str) -> None:
    members, words = BAD_METHODS[mistake]
    evaluator = type("Wrong", (Zeros,), members)()
    with pytest.raises(cn.ConspiratorError, match=words) as caught:
        search(HEX, name, evaluator=evaluator, expansions=60)
    assert is_one_line(caught.value)


def test_a_range_needs_a_game_with_one() -> None:
    class Unit(Zeros):
        value_range = (-1, 1)

    with pytest.raises(cn.GameError, match="needs a game with one"):
        search(cn.games.RandomTree().start(), "best-first", evaluator=Unit(), expansions=5)


class Boom(Exception):
    """An exception of the user's."""


@pytest.mark.parametrize("at", [0, 1, 2])
@pytest.mark.parametrize("method", ["evaluate", "candidates", "outcome"])
@pytest.mark.parametrize("name", ["best-first", "alpha-beta", "sibling-conspiracy-table"])
def test_an_exception_reaches_the_user_whole(name: str, method: str, at: int) -> None:
    """It is the user's own, and a note tells where in the search it was raised."""
    if (method, at) == ("outcome", 0):
        pytest.skip("nobody asks who has won where a move is wanted")
    error = Boom("mine")

    def body(_: Any, given: Any) -> Any:
        positions = given if isinstance(given, list) else [given]
        if any(ply(position) == at for position in positions):
            raise error
        return zeros(positions) if method == "evaluate" else None

    evaluator = type("Broken", (Zeros,), {method: body})()
    with pytest.raises(Boom) as caught:
        search(HEX, name, evaluator=evaluator, expansions=60)
    assert caught.value is error
    assert [entry.name for entry in caught.traceback][-1] == "body"
    assert len(error.__notes__) == 1
    assert "raised in the search, " in error.__notes__[0]


def test_a_failed_search_can_be_made_again() -> None:
    """Nothing of a mistake is left in the game."""
    start = cn.games.Hex(size=4).start()
    before = facts(cn.search(start, "best-first", expansions=30, trace=True))
    calls = 0

    def fails(positions: Positions) -> list[float]:
        nonlocal calls
        calls += 1
        if calls > 5:
            raise Boom
        return zeros(positions)

    with pytest.raises(Boom):
        cn.search(start, "best-first", evaluator=fails, expansions=30)
    assert facts(cn.search(start, "best-first", expansions=30, trace=True)) == before


NAMES: dict[str, tuple[Any, cn.Position, str]] = {
    "a number": (42, HEX, "an evaluator is a name .* not 42"),
    "a list": ([], HEX, r"not \[\]"),
    "a class": (Mine, HEX, "an evaluator is a name"),
    "a near miss": ("netwrok", HEX, "did you mean 'network'"),
    "another near miss": ("knowlege(width=3)", HEX, "did you mean 'knowledge'"),
    "nothing near": ("oracle", HEX, "known: resistance, knowledge, network"),
    "of another game": ("network", cn.games.ConnectFour().start(), "'network'; known: segments"),
    "of no python game": ("network", TIC_TAC_TOE.start(), "'network'; known: own"),
    "an unknown parameter": ("knowledge(widht=3)", HEX, "did you mean 'width'"),
    "a width of 0": ("knowledge(width=0)", HEX, "width of knowledge must be a whole number from 1 up"),
    "a width of text": ("knowledge(width=wide)", HEX, "width of knowledge must be a whole number"),
    "half a width": ("knowledge(width=2.5)", HEX, "width of knowledge must be a whole number"),
    "no value": ("knowledge(width)", HEX, "'width' in .* is not of the form name=value"),
    "no end": ("knowledge(width=3", HEX, "is written as NAME or NAME"),
    "two of them": ("knowledge network", HEX, "is written as NAME or NAME"),
    "nothing to evaluate with": (cn.Evaluator(), HEX, "needs a method evaluate"),
}


@pytest.mark.parametrize("given", NAMES)
def test_what_is_no_evaluator(given: str) -> None:
    evaluator, start, words = NAMES[given]
    asked: list[Callable[[], Any]] = [
        lambda: search(start, "best-first", evaluator=evaluator, expansions=5),
        lambda: start.evaluate(evaluator),
        lambda: start.candidates(evaluator),
        lambda: start.decided(evaluator),
        lambda: start.move_scores(evaluator),
    ]
    for ask in asked:
        with pytest.raises(cn.ArgumentError, match=words) as caught:
            ask()
        assert is_one_line(caught.value)


@pytest.mark.parametrize("start", STARTS.values(), ids=STARTS)
def test_evaluators_are_listed(start: Callable[[], cn.Position]) -> None:
    """The first is the usual one; every one of them can be asked for by its name."""
    position = start()
    listed = position.game.evaluators
    for name in listed:
        value = position.evaluate(name)
        assert position.value_range[0] <= value <= position.value_range[1]
    assert position.evaluate(next(iter(listed))) == position.evaluate()


# 4. What rests on them


def chance_at(seed: int, position: cn.Position, *things: Any) -> float:
    return chance(seed, str(position), position.to_move, *things)


class Narrow(Zeros):
    """Leaves moves out by chance."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def evaluate(self, positions: Positions) -> Any:
        return values_of(positions)

    def candidates(self, position: cn.Position) -> Any:
        moves = position.moves()
        return [m for m in moves if chance_at(self.seed, position, m) < 0.6] or moves[-1:]


class Lying(Zeros):
    """Names winners by chance."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def evaluate(self, positions: Positions) -> Any:
        return values_of(positions)

    def outcome(self, position: cn.Position) -> float | None:
        low, high = position.value_range
        low, high = max(low, -3.0), min(high, 3.0)
        said = [low, (low + high) / 2, high]
        place = int(chance_at(self.seed, position, "outcome") * 12)
        return said[place] if place < 3 else None


class Both(Narrow, Lying):
    """Does both."""


GUESSES: dict[str, type[Any]] = {"narrow": Narrow, "lying": Lying, "both": Both}
SOME_TIC_TAC_TOE = [position for position in tic_tac_toe() if str(position).count(".") in (3, 4, 5)]
SOURCES: dict[str, Callable[[Random], cn.Position]] = {
    "tic-tac-toe": lambda random: random.choice(SOME_TIC_TAC_TOE),
    "trees": trees,
    "hex": hexes,
}
PROVING = [name for name in SEARCHES if name != "end-game"]


@pytest.mark.parametrize("guess", GUESSES)
@pytest.mark.parametrize("name", PROVING)
def test_a_guess_proves_nothing(name: str, guess: str) -> None:
    """Whatever a search calls proven or won, with an evaluator that is not sound, is so by the rules."""
    exact = Exact()
    for source, make in SOURCES.items():
        random = Random(f"{guess} {source}")
        for seed in range(20):
            position, exact = make(random), Exact() if source == "trees" else exact
            wrong = mistake(position, Way(name, {}), exact, evaluator=GUESSES[guess](seed), expansions=150)
            assert not wrong, f"{wrong}: seed {seed}, {source}, {position}"


ENDS: dict[str, Any] = {"value": 0, "children": [{"value": -1}, {"value": 0}, {"value": 1}]}


@pytest.mark.parametrize("kept", [["0"], ["1"], ["0", "1"]], ids=str)
@pytest.mark.parametrize("name", PROVING)
def test_the_best_move_was_left_out(name: str, kept: list[str]) -> None:
    class Few(Zeros):
        def candidates(self, position: cn.Position) -> Any:
            return kept

    result = cn.search(cn.games.ExplicitTree(ENDS).start(), name, evaluator=Few(), expansions=10)
    assert result.move in kept
    assert result.status != "proven"
    assert result.won is None


@pytest.mark.parametrize("name", PROVING)
def test_a_win_by_the_rules_is_a_win_whatever_is_left_out(name: str) -> None:
    class Column7(Mine):
        def candidates(self, position: cn.Position) -> Any:
            return ["7"]

    start = cn.games.ConnectFour().position("445566")
    assert start.play("7").outcome == 1023.0
    result = cn.search(start, name, evaluator=Column7(), expansions=10)
    assert (result.move, result.value) == ("7", 1023.0)
    assert result.status == "proven" or name not in GROWING


class Oracle(Zeros):
    """Knows the result of every position of tic-tac-toe."""

    exact = Exact()

    def outcome(self, position: cn.Position) -> float | None:
        return self.exact(position)


class SoundOracle(Oracle):
    """The same, and says that it does."""

    sound = True


@pytest.mark.parametrize("name", PROVING)
def test_only_a_sound_word_is_a_proof(name: str) -> None:
    for position in SOME_TIC_TAC_TOE[::40]:
        if cn.search(position, name, evaluator=Zeros(), expansions=1).status == "budget":
            guessed = cn.search(position, name, evaluator=Oracle(), expansions=1)
            assert guessed.status in ("converged", "budget")
            assert guessed.won is None
        sound = cn.search(position, name, evaluator=SoundOracle(), expansions=20)
        assert sound.status in ("proven", "decided")
        if sound.status == "proven":
            assert sound.value == Oracle.exact(position)


@pytest.mark.parametrize("name", PROVING)
def test_a_known_result_is_no_reason_to_throw_it_away(name: str) -> None:
    """To know who wins is not to know the winning move: the move of a proven answer keeps the result."""
    for position in SOME_TIC_TAC_TOE[::40]:
        wrong = mistake(position, Way(name, {}), Oracle.exact, evaluator=SoundOracle(), expansions=20)
        assert wrong == "", f"{wrong}: {position}"


class Useful(Zeros):
    """Leaves out moves of tic-tac-toe that are worse than another."""

    sound = True
    exact = Exact()

    def candidates(self, position: cn.Position) -> Any:
        value = self.exact(position)
        return [move for move in position.moves() if self.exact(position.play(move)) == value]


@pytest.mark.parametrize("name", SEARCHES)
def test_a_sound_evaluator_makes_proofs_short(name: str) -> None:
    start = TIC_TAC_TOE.position("X...O...X")
    if own(name, start) is not None:
        pytest.skip("no such search of this game")
    plain = cn.search(start, name, evaluator=zeros, expansions=5000)
    short = cn.search(start, name, evaluator=Useful(), expansions=5000)
    assert {plain.status, short.status} <= {"proven", "decided"}
    assert short.won == plain.won
    if plain.status == short.status == "proven":
        assert short.value == plain.value == Useful.exact(start)
    assert short.nodes < plain.nodes


def test_an_end_game_needs_a_sound_evaluator() -> None:
    start = end_games(Random(1))
    with pytest.raises(cn.ArgumentError, match="leaves moves out by guess"):
        cn.search(start, "end-game", evaluator=Narrow(1), expansions=10)
    for width in ("segments(width=2)", "segments(width=1)"):
        with pytest.raises(cn.ArgumentError, match="leaves moves out by guess"):
            cn.search(start, "end-game", evaluator=width, expansions=10)


@pytest.mark.parametrize("width", [1, 2, 3])
@pytest.mark.parametrize("name", PROVING)
def test_a_width_proves_nothing(name: str, width: int) -> None:
    for source, evaluator in (("end games", "segments"), ("hex", "resistance"), ("hex", "knowledge")):
        for position, exact in cases(source, 5, 12):
            given = f"{evaluator}(width={width})"
            wrong = mistake(position, Way(name, {}), exact, evaluator=given, expansions=300)
            assert not wrong, f"{wrong}: {given}, {position}"


@pytest.mark.parametrize("evaluator", ["knowledge", "network"])
@pytest.mark.parametrize("name", PROVING)
def test_what_is_known_of_hex_is_sound(name: str, evaluator: str) -> None:
    proven = 0
    for position, exact in cases("hex", 11, 8):
        wrong = mistake(position, Way(name, {}), exact, evaluator=evaluator, expansions=100)
        assert not wrong, f"{wrong}: {position}"
        proven += wrong == ""
    assert proven > 0


@ALL_GROWING
def test_a_guess_stays_a_guess_in_a_file(name: str, tmp_path: Path) -> None:
    start, guess = TIC_TAC_TOE.position("X...O...."), Both(3)
    result = cn.search(start, name, evaluator=guess, expansions=40)
    again = cn.load(result.save(tmp_path / "guess.tree"), position=start, evaluator=guess)
    assert facts(again, tree=False) == facts(result, tree=False)
    one, two = again.resume(expansions=40), result.resume(expansions=40)
    assert facts(one, tree=False) == facts(two, tree=False)
    with pytest.raises(cn.ArgumentError, match="evaluator of yours, Both"):
        cn.load(tmp_path / "guess.tree", position=start)


# 5. The same every time


def warm_up(game: cn.games.NativeGame, evaluator: str) -> None:
    """Search other positions of the same game, before and after the one in question."""
    for moves in ("", "c3 e5 d4 d5", "c3 e5 d4 e3", "a1", "d4 c4 d5"):
        position = game.position(moves)
        cn.search(position, "puct", evaluator=evaluator, expansions=4)
        position.evaluate(evaluator)


RULES = [
    "best-first",
    "conspiracy",
    "sibling-conspiracy",
    "puct",
    "uct",
    "alpha-beta",
    "sibling-conspiracy-table",
]


@pytest.mark.parametrize("evaluator", ["resistance", "knowledge", "network"])
@pytest.mark.parametrize("name", RULES)
def test_what_was_searched_before_changes_nothing(name: str, evaluator: str) -> None:
    slow = evaluator == "network" and name in ("best-first", "conspiracy", "alpha-beta")
    settings: dict[str, Any] = {"evaluator": evaluator, "expansions": 4 if slow else 50, **traced(name)}
    game = cn.games.Hex(size=7)
    position = game.position("c3 e5 d4")
    first = facts(cn.search(position, name, **settings))
    warm_up(game, evaluator)
    assert facts(cn.search(position, name, **settings)) == first
    assert facts(cn.search(cn.games.Hex(size=7).position("c3 e5 d4"), name, **settings)) == first


@pytest.mark.parametrize("evaluator", ["resistance", "knowledge", "network"])
def test_on_a_large_board_too(evaluator: str) -> None:
    game = cn.games.Hex(size=11)
    settings: dict[str, Any] = {"evaluator": evaluator, "expansions": 15, "trace": True}
    position = game.position("c3 e5 d4")
    first = facts(cn.search(position, "puct", **settings))
    warm_up(game, evaluator)
    assert facts(cn.search(position, "puct", **settings)) == first


@pytest.mark.parametrize("evaluator", ["resistance", "knowledge", "knowledge(width=5)", "network"])
def test_what_is_said_of_a_position_stays_the_same(evaluator: str) -> None:
    game = cn.games.Hex(size=7)

    def said(position: cn.Position) -> list[Any]:
        asked = (position.evaluate, position.candidates, position.left_out, position.decided)
        return [ask(evaluator) for ask in (*asked, position.move_scores, position.facts)]

    line = [game.position(moves) for moves in ("", "c3", "c3 e5", "c3 e5 d4", "c3 e5 d4 d5")]
    first = [said(position) for position in line]
    warm_up(game, evaluator)
    assert [said(position) for position in reversed(line)] == first[::-1]


@pytest.mark.parametrize("name", ["best-first", "puct", "sibling-conspiracy"])
def test_little_memory_makes_an_evaluator_forget_and_not_change(name: str) -> None:
    position = cn.games.Hex(size=7).position("c3 e5 d4")
    settings: dict[str, Any] = {"evaluator": "knowledge", "expansions": 60, "trace": True}
    whole = cn.search(position, name, **settings)
    tight = cn.search(position, name, memory=1_000_000, **settings)
    assert tight.expansions > 10
    assert tight.trace == whole.trace[: tight.expansions]
    if tight.expansions == whole.expansions:
        assert facts(tight) == facts(whole)


# 6. Trees with evaluators, saved


SAVED = ["best-first", "conspiracy", "least-certainty", "sibling-conspiracy", "proof-number", "puct", "uct"]


@pytest.mark.parametrize("seed", range(15))
def test_trees_of_hex_can_be_loaded_again(seed: int, tmp_path: Path) -> None:
    position = random_hex(seed)
    for number in range(3):
        name = SAVED[(seed + number) % len(SAVED)]
        evaluator = ("knowledge", "knowledge(width=6)", "resistance")[number]
        settings: dict[str, Any] = {"evaluator": evaluator, "trace": True}
        half = cn.search(position, name, expansions=10, **settings)
        before = facts(half)
        loaded = cn.load(half.save(tmp_path / "hex.tree"))
        assert facts(loaded) == before, name
        loaded.tree.check()
        whole = cn.search(position, name, expansions=20, **settings)
        if before["limit"] == "expansions":
            assert facts(loaded.resume(expansions=10)) == facts(whole), name
        else:
            assert before == facts(whole), name


@pytest.mark.parametrize("name", ["puct", "sibling-conspiracy"])
def test_trees_of_the_network_can_be_loaded_again(name: str, tmp_path: Path) -> None:
    position = random_hex(4)
    settings: dict[str, Any] = {"evaluator": "network", "trace": True}
    half = cn.search(position, name, expansions=10, **settings)
    before = facts(half)
    loaded = cn.load(half.save(tmp_path / "hex.tree"))
    assert facts(loaded) == before
    assert facts(loaded.resume(expansions=10)) == facts(cn.search(position, name, expansions=20, **settings))


# 7. Games know only their rules


def empty_cells(size: int, played: list[str]) -> list[str]:
    cells = [f"{chr(ord('a') + column)}{row + 1}" for row in range(size) for column in range(size)]
    return [cell for cell in cells if cell not in played]


def connected(stones: set[tuple[int, int]], size: int, axis: int) -> bool:
    """Tell whether stones, as (column, row), join the two edges of an axis."""
    reached = {stone for stone in stones if stone[axis] == 0}
    stack = list(reached)
    while stack:
        column, row = stack.pop()
        for step in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)):
            near = (column + step[0], row + step[1])
            if near in stones and near not in reached:
                reached.add(near)
                stack.append(near)
    return any(stone[axis] == size - 1 for stone in reached)


def game_of(position: cn.Position, random: Random) -> Iterator[tuple[cn.Position, list[str]]]:
    """Yield the positions of a random game with the moves so far, the last one over."""
    played: list[str] = []
    while True:
        yield position, played
        if position.outcome is not None:
            return
        played = [*played, random.choice(position.moves())]
        position = position.play(played[-1])


@pytest.mark.parametrize("seed", range(6))
def test_hex_is_legal_wherever_a_cell_is_empty(seed: int) -> None:
    """Whatever evaluators say and searches have found: moves and ends are those of the rules."""
    size = 5 + seed % 3
    game, decided = cn.games.Hex(size=size), 0
    for position, played in game_of(game.start(), Random(seed)):
        stones = [{(ord(cell[0]) - 97, int(cell[1:]) - 1) for cell in played[side::2]} for side in (0, 1)]
        over = connected(stones[0], size, 1) or connected(stones[1], size, 0)
        assert (position.outcome is not None) == over
        if over:
            assert position.outcome == (1.0 if len(played) % 2 else -1.0)
            assert position.moves() == []
            break
        if len(played) % 3 == 0:
            cn.search(position, "puct", evaluator="knowledge", expansions=5)
        decided += position.decided("knowledge") is not None
        assert position.moves() == empty_cells(size, played)
        for move in position.moves():
            assert position.play(move).moves() in ([], empty_cells(size, [*played, move]))
    assert decided > 0, "the evaluator knows it before the rules do"


NARROWING = [
    ("hex", {"size": 5}, "knowledge"),
    ("hex", {"size": 5}, "knowledge(width=3)"),
    ("hex", {"size": 5}, "network(width=3)"),
    ("amazons", {"size": 5}, "territory(width=4)"),
    ("chess", {}, "captures(sort=true)"),
    ("chess", {}, "threats(width=5 sort=true)"),
    ("othello", {}, "mobility(width=2)"),
    ("connect-four", {}, "segments(width=2 sort=true)"),
]


@pytest.mark.parametrize(
    ("name", "options", "evaluator"), NARROWING, ids=[f"{n} {e}" for n, _, e in NARROWING]
)
def test_candidates_and_the_rest_are_all_moves(name: str, options: dict[str, Any], evaluator: str) -> None:
    position, random = cn.games.make(name, **options).start(), Random(2)
    for _ in range(8):
        moves = position.moves()
        kept, left = position.candidates(evaluator), position.left_out(evaluator)
        assert kept
        assert sorted([*kept, *left]) == sorted(moves)
        root = cn.search(position, "best-first", evaluator=evaluator, expansions=1).tree.root
        assert sorted(child.move for child in root.children) == sorted(kept)
        assert position.moves() == moves
        position = position.play(random.choice(moves))
        if position.outcome is not None:
            break


def test_what_a_position_calls_candidates_is_what_a_search_looks_at() -> None:
    """Also where what is yours and what its base leaves have no move in common."""

    class First(Zeros):
        base = "knowledge"

        def candidates(self, position: cn.Position) -> Any:
            return position.moves()[:1]

    def said(position: cn.Position) -> list[Any]:
        return position.candidates(First())

    def looked_at(position: cn.Position) -> list[Any]:
        result = cn.search(position, "best-first", evaluator=First(), expansions=1)
        return [child.move for child in result.tree.root.children]

    def answer(ask: Callable[[cn.Position], list[Any]], position: cn.Position) -> Any:
        try:
            return ask(position)
        except cn.ConspiratorError as error:
            return type(error)

    for seed in range(12):
        position = random_hex(seed, size=6, most=10)
        assert answer(said, position) == answer(looked_at, position), position
