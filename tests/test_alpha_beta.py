"""Alpha-beta with iterative deepening: golden iterations, plain minimax, budgets."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

import conspirator as cn
import python_games
from helpers import golden, minimax, random_tree, unfinished

FORMS: dict[str, dict[str, Any]] = {
    "lean": {"ordering": "lean"},
    "all": {"ordering": "all"},
    "table": {"table": True, "table_bytes": 1 << 18},
    "table-all": {"table": True, "table_bytes": 1 << 18, "ordering": "all"},
    "tiny-table": {"table": True, "table_bytes": 1024},
    "last-ply": {"table": True, "table_bytes": 1 << 18, "table_depth": 1},
}
ALL_FORMS = pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)


@pytest.mark.parametrize("case", golden("penalty_lcf/connect_four")["alpha_beta"])
def test_golden_iterations(case: dict[str, Any]) -> None:
    start = cn.games.ConnectFour().position("".join(str(int(column) + 1) for column in case["moves"]))
    expected = [done | {"move": str(done["move"] + 1)} for done in case["iterations"]]
    result = cn.search(start, "alpha-beta", first_depth=2, depth=expected[-1]["depth"])
    assert result.iterations == expected
    assert result.move_calls == sum(done["move_calls"] for done in expected)
    assert (result.depth, result.value) == (expected[-1]["depth"], expected[-1]["value"])
    assert (result.status, result.limit) == ("converged", None)


def explicit(seed: int) -> cn.Position:
    return cn.games.ExplicitTree(random_tree(Random(seed), 5, skewed=seed % 3 == 0)).start()


def mcallester(seed: int) -> cn.Position:
    return cn.games.RandomTree(branching=1 + seed % 4, depth=5, seed=seed, sort=seed % 2 == 0).start()


def utgoff(seed: int) -> cn.Position:
    return cn.games.RandomTree(branching=3, seed=seed, kind="utgoff").start()


def connect_four(seed: int) -> cn.Position:
    return unfinished("connect-four", seed, 0, 34)


def again(seed: int) -> cn.Position:
    return python_games.Again().position((4 + seed, 0, "min" if seed % 2 else "max"))


POSITIONS: dict[str, tuple[Callable[[int], cn.Position], int, int]] = {
    "explicit": (explicit, 80, 6),
    "mcallester": (mcallester, 20, 6),
    "utgoff": (utgoff, 10, 5),
    "connect-four": (connect_four, 30, 5),
    "again": (again, 6, 6),
}


@ALL_FORMS
@pytest.mark.parametrize("name", POSITIONS)
def test_every_iteration_is_plain_minimax(name: str, form: dict[str, Any]) -> None:
    make, count, depth = POSITIONS[name]
    for seed in range(count):
        start = make(seed)
        result = cn.search(start, "alpha-beta", first_depth=1, depth=depth, **form)
        assert result.iterations
        for done in result.iterations:
            value = minimax(start, done["depth"])
            assert done["value"] == value
            assert minimax(start.play(done["move"]), done["depth"] - 1) == value
        assert result.value == result.iterations[-1]["value"]
        assert result.move == result.iterations[-1]["move"] == result.line[0]


@ALL_FORMS
@pytest.mark.parametrize("seed", range(20))
def test_the_line_leads_to_the_value(seed: int, form: dict[str, Any]) -> None:
    start = utgoff(seed)
    result = cn.search(start, "alpha-beta", depth=4, **form)
    position = start
    for move in result.line:
        position = position.play(move)
    assert (len(result.line), position.evaluate()) == (4, result.value)


@ALL_FORMS
@pytest.mark.parametrize("seed", range(40))
def test_small_trees_are_proven(seed: int, form: dict[str, Any]) -> None:
    start = explicit(seed)
    result = cn.search(start, "alpha-beta", **form)
    assert (result.status, result.value) == ("proven", minimax(start))


def test_a_static_value_at_the_end_of_the_range_proves_nothing() -> None:
    class Hopeful(cn.Game):
        """Looks won for Max for ever, until it turns out lost."""

        value_range = (-1, 1)

        def moves(self, state: int) -> list[int]:
            return [1, 2]

        def play(self, state: int, move: int) -> int:
            return state + 1

        def evaluate(self, state: int) -> float:
            return 1

        def outcome(self, state: int) -> float | None:
            return -1 if state == 6 else None

    start = Hopeful().position(0)
    assert cn.search(start, "alpha-beta", depth=3).status == "converged"
    assert cn.search(start, "alpha-beta").value == -1


@ALL_FORMS
@pytest.mark.parametrize("move_calls", [1, 5, 13, 14, 44, 45, 46, 194, 195, 196, 1000, 2500])
def test_move_calls_are_never_exceeded(move_calls: int, form: dict[str, Any]) -> None:
    start = cn.games.ConnectFour().position("44")
    result = cn.search(start, "alpha-beta", move_calls=move_calls, **form)
    assert result.move_calls <= move_calls
    assert sum(done["move_calls"] for done in result.iterations) <= result.move_calls
    assert (result.status, result.limit) == ("budget", "move_calls")
    assert result.move in start.moves()


@pytest.mark.parametrize(("move_calls", "completed"), [(44, 0), (45, 1), (194, 1), (195, 2)])
def test_an_iteration_that_fits_exactly_is_completed(move_calls: int, completed: int) -> None:
    start = cn.games.ConnectFour().position("44")
    assert len(cn.search(start, "alpha-beta", move_calls=move_calls).iterations) == completed


@ALL_FORMS
@pytest.mark.parametrize("budget", [{"expansions": 1}, {"nodes": 1}, {"move_calls": 1}, {"seconds": 1e-9}])
def test_a_budget_for_nothing_still_gives_a_move(budget: dict[str, Any], form: dict[str, Any]) -> None:
    start = cn.games.ConnectFour().position("1111112")
    result = cn.search(start, "alpha-beta", **budget, **form)
    assert result.iterations == []
    assert result.move in start.moves()
    assert result.value == start.evaluate()
    assert (result.status, result.depth) == ("budget", 0)


@pytest.mark.parametrize("unit", ["expansions", "nodes", "move_calls"])
def test_units_of_the_budget(unit: str) -> None:
    for limit in range(1, 400, 7):
        budget: dict[str, Any] = {unit: limit}
        result = cn.search(cn.games.ConnectFour().start(), "alpha-beta", **budget)
        assert getattr(result, unit) <= limit
        assert result.limit == unit


def test_resuming_goes_on_with_the_next_depth() -> None:
    start = cn.games.ConnectFour().start()
    result = cn.search(start, "alpha-beta", move_calls=1000)
    further = result.resume(move_calls=20_000)
    assert further.iterations[: len(result.iterations)] == result.iterations
    assert further.depth > result.depth
    assert result.move_calls < further.move_calls <= 21_000


def test_families_beyond_the_limit_are_refused() -> None:
    class Wide(cn.Game):
        """The last of 70,000 moves is the best."""

        def moves(self, state: int) -> range:
            return range(70_000) if state == 0 else range(1)

        def play(self, state: int, move: int) -> int:
            return state + move + 1

        def evaluate(self, state: int) -> float:
            return state

    for search in ("best-first", "alpha-beta"):
        with pytest.raises(cn.GameError, match="65535 moves"):
            cn.search(Wide().position(0), search, expansions=10)


def test_there_is_no_tree_and_no_trace() -> None:
    result = cn.search(cn.games.ConnectFour().start(), "alpha-beta", depth=2)
    with pytest.raises(cn.ArgumentError, match="keeps no tree"):
        _ = result.tree
    with pytest.raises(cn.ArgumentError, match="trace"):
        _ = result.trace
    assert result.bytes_per_node is None


@pytest.mark.parametrize("evaluator", ["captures(sort=true)", "positional(sort=true)", "material"])
@pytest.mark.parametrize(
    ("fen", "best"),
    [
        ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "d1d8"),
        ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", "f6a6"),
        ("7k/8/8/8/8/8/R7/1R2K3 w - - 0 1", "b1b7"),
    ],
)
def test_the_selective_form_proves_mates(fen: str, best: str, evaluator: str) -> None:
    game = cn.games.Chess(keys="board")
    settings: dict[str, Any] = {"table": True, "selective": True, "first_depth": 1, "nodes": 3_000_000}
    result = cn.search(game.position(fen), "alpha-beta", evaluator=evaluator, **settings)
    assert (result.value, result.status) == (20_000, "proven")
    if best != "b1b7":  # there are several ways
        assert result.move == best


def test_the_selective_form_looks_deeper() -> None:
    position = cn.games.Chess(keys="board").start()
    settings: dict[str, Any] = {"evaluator": "captures(sort=true)", "table": True, "nodes": 100_000}
    whole = cn.search(position, "alpha-beta", **settings)
    selective = cn.search(position, "alpha-beta", selective=True, **settings)
    assert selective.depth >= whole.depth + 2


MODERN: dict[str, Any] = {"variant": "modern", "first_depth": 1}
MANY = 10**9


@pytest.mark.parametrize("seed", range(40))
def test_the_modern_form_proves_small_trees(seed: int) -> None:
    start = explicit(seed)
    result = cn.search(start, "alpha-beta", nodes=MANY, **MODERN)
    assert (result.status, result.value) == ("proven", minimax(start))
    assert minimax(start.play(result.move)) == result.value


@pytest.mark.parametrize("name", POSITIONS)
def test_two_plies_of_the_modern_form_are_minimax(name: str) -> None:
    """Nothing is reduced so near the horizon."""
    make, count, _ = POSITIONS[name]
    for seed in range(count):
        start = make(seed)
        result = cn.search(start, "alpha-beta", depth=2, nodes=MANY, **MODERN)
        assert result.iterations
        for done in result.iterations:
            assert done["value"] == minimax(start, done["depth"])


@pytest.mark.parametrize(
    ("game", "nodes"),
    [
        (cn.games.ConnectFour(), 2_000_000),
        (cn.games.Othello(), 300_000),
        (cn.games.Amazons(size=6), 300_000),
    ],
    ids=str,
)
def test_the_modern_form_looks_deeper(game: Any, nodes: int) -> None:
    whole = cn.search(game.start(), "alpha-beta", table=True, nodes=nodes)
    modern = cn.search(game.start(), "alpha-beta", **MODERN, nodes=nodes)
    assert modern.depth > whole.depth


def test_the_modern_form_of_chess_is_the_selective_one() -> None:
    start = cn.games.Chess(keys="board").start()
    budget: dict[str, Any] = {"evaluator": "positional", "nodes": 30_000}
    modern = cn.search(start, "alpha-beta", variant="modern", **budget)
    selective = cn.search(start, "alpha-beta", selective=True, table=True, **budget)
    assert modern.iterations == selective.iterations
    assert (modern.nodes, modern.line) == (selective.nodes, selective.line)


@pytest.mark.parametrize("game", [python_games.Again(), cn.games.ConnectFour(), cn.games.Hex(size=4)])
@pytest.mark.parametrize("unit", ["expansions", "nodes", "move_calls"])
def test_the_modern_form_keeps_its_budget_and_repeats_itself(game: Any, unit: str) -> None:
    start = game.position((9, 0, "max")) if isinstance(game, cn.Game) else game.start()
    for limit in (1, 2, 10, 100, 1000, 5000):
        budget: dict[str, Any] = {unit: limit}
        one, two = (cn.search(start, "alpha-beta", **MODERN, **budget) for _ in range(2))
        assert getattr(one, unit) <= limit
        assert one.move in start.moves()
        assert (one.line, one.value, one.nodes) == (two.line, two.value, two.nodes)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"selective": True}, "leave selective out"),
        ({"ordering": "all"}, "leave ordering out"),
        ({"variant": "future"}, "must be one of plain, modern, not 'future'"),
    ],
)
def test_mistakes_with_the_modern_form(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(cn.ArgumentError, match=message):
        cn.search(cn.games.ConnectFour().start(), "alpha-beta", nodes=9, **{"variant": "modern", **settings})


class Sanguine(cn.Game):
    """Every position that is not over looks won, and none is: all games are draws."""

    value_range = (-1, 1)

    def start(self) -> Any:
        return ()

    def moves(self, state: Any) -> list[int]:
        return [0, 1, 2, 3, 4]

    def play(self, state: Any, move: int) -> Any:
        return (*state, move)

    def outcome(self, state: Any) -> float | None:
        return 0 if len(state) == 7 else None

    def evaluate(self, state: Any) -> float:
        return 1


@pytest.mark.parametrize("form", [{"selective": True}, {"variant": "modern"}], ids=str)
@pytest.mark.parametrize("depth", range(1, 7))
def test_no_guess_counts_as_a_win(depth: int, form: dict[str, Any]) -> None:
    result = cn.search(Sanguine().start(), "alpha-beta", depth=depth, nodes=10**6, **form)
    assert result.status != "proven"
