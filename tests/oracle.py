"""An oracle on moves: what every search proves, against exact values found by plain minimax.

A proven answer is a theorem: the move, the value and every move of the line keep the exact value. With a
`delta` they keep it up to that; with `goal="move"` it is the move that is proven. A proof of a goal is a
theorem about the goal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import inf
from random import Random
from typing import Any, NamedTuple

import conspirator as cn
from conspirator import rules
from conspirator.certainty import ErrorModel, Table
from helpers import random_tree, unfinished, with_scores


class Way(NamedTuple):
    """A search with parameters: by name, or the class of a rule in Python."""

    rule: str | type[cn.GrowthRule]
    parameters: dict[str, Any]

    @property
    def name(self) -> str:
        """Return what tells it apart from the others."""
        rule = self.rule if isinstance(self.rule, str) else f"rules.{self.rule.__name__}"
        return " ".join([rule, *(f"{name}={value}" for name, value in self.parameters.items())])


CONSPIRACY: list[dict[str, Any]] = [
    {},
    {"threshold": 2},
    {"threshold": 1, "iterative": False},
    {"delta": 2},
    *({"goal": "move", "strategy": strategy} for strategy in ("prove", "disprove", "alternate", "fewest")),
    {"goal": "move", "threshold": 2},
]

_ROW = tuple(tuple(0.9 - 0.1 * k - 0.02 * (20 - v) for k in range(4)) for v in range(0, 21, 4))
MODEL = ErrorModel(
    "any game",
    None,
    {
        "static": Table(
            (-2.0, -1.0, 0.0, 1.0, 2.0), (0.0,), (-3.0, -1.0, 0.0, 1.0, 3.0, 600.0), (_ROW,), (_ROW,)
        )
    },
)
"""An error model for all games here: right or wrong, it must not matter for what is proven."""

VARIANTS: dict[str, list[dict[str, Any]]] = {
    "best-first": [{}, {"complete": False}],
    "unbounded-minimax": [{}, {"decision": "best"}],
    "descent": [{}, {"decision": "best"}],
    "b-star": [{}, {"width": 0.5, "strategy": "disprove"}, {"width": 0.0, "strategy": "prove"}],
    "conspiracy": [*CONSPIRACY, {"transpositions": True}, {"transpositions": True, "goal": "move"}],
    "improved-conspiracy": [*CONSPIRACY, {"transpositions": True}],
    "minmax-approximation": [
        {},
        {"variant": "published", "shift": 9},
        {"means": "exact"},
        {"means": "exact", "choice": "approximate"},
        {"means": "reverse", "variant": "published", "shift": 9},
        {"means": "floyd", "redescend": True},
        {"transpositions": True},
    ],
    "least-certainty": [{}, {"variant": "published"}, {"ties": "random", "seed": 3}],
    "sibling-conspiracy": [
        {},
        {"pmax": 2, "dmax": 3, "delta": 0.5},
        {"interval": "strict", "choice": "value"},
        {"evaluation": "global"},
        {"foresight": True},
        {"transpositions": True},
    ],
    "sibling-conspiracy-table": [
        {},
        {"pmax": 2, "dmax": 3, "delta": 0.5},
        {"interval": "strict", "table_bytes": 1024},
        {"anchor": 2.0},
        {"foresight": True, "epsilon": 0.0},
        {"threads": 2},
    ],
    "relevance": [
        {"error_model": MODEL},
        {"error_model": MODEL, "gulp": 0.0, "rho": 0.5},
        {"error_model": MODEL, "choice": "value"},
    ],
    "proof-number": [{}, {"ties": "scores"}, {"foresight": True}, {"transpositions": True}, {"goal": 0}],
    "product-propagation": [{}, {"leaves": "values"}, {"goal": 0}, {"goal": 1, "leaves": "values"}],
    "uct": [{}, {"playouts": 0}, {"playouts": 3, "seed": 7}],
    "pn-mcts": [
        {},
        {"playouts": 0},
        {"playouts": 0, "pn_term": "max", "c_pn": 2.0},
        {"pn_term": "sum", "playouts": 2, "seed": 7},
    ],
    "puct": [
        {},
        {"exploration": 3},
        {"choice": "visits"},
        {"root": "gumbel"},
        {"root": "gumbel", "considered": 3, "plan": 20, "noise": 0.0},
    ],
    "prior-penalty": [{}, {"steepness": 4.0, "shrink": 0.0, "ply": 1.0}],
    "df-pn": [{}, {"table_bytes": 1024}, {"foresight": True}, {"goal": 0}, {"threads": 2}],
    "alpha-beta": [
        {},
        {"table": True},
        {"ordering": "all"},
        {"table": True, "table_depth": 1},
        {"selective": True, "table": True},
        {"variant": "modern"},
        {"variant": "modern", "table_bytes": 1024, "first_depth": 1},
    ],
    "mtd-f": [{}, {"driver": "sss"}, {"driver": "dual", "first_depth": 1}, {"table_bytes": 1024}],
    "end-game": [{}, {"table_bytes": 1024}],
}
"""Every search, in every form that answers differently."""

PAGES: dict[str, list[dict[str, Any]]] = {
    "BStar": [{}, {"width": 0.5}],
    "BestFirst": [{}],
    "Conspiracy": CONSPIRACY,
    "Descent": [{}],
    "ImprovedConspiracy": CONSPIRACY[:4],
    "LeastCertainty": [{}],
    "MinmaxApproximation": [{"shift": 9}, {"means": "exact", "shift": 9}],
    "ProductPropagation": [{}, {"leaves": "values", "goal": 0}],
    "ProofNumber": [{}, {"goal": 0}],
    "PnMcts": [{}, {"pn_term": "max"}],
    "PriorPenalty": [{}],
    "Puct": [{}, {"root": "gumbel", "plan": 20}],
    "Relevance": [{"table": MODEL.tables["static"]}],
    "SiblingConspiracy": [{}, {"pmax": 2, "dmax": 2}],
    "Uct": [{}],
    "UnboundedMinimax": [{}],
}
"""The pages of Python."""


def ways() -> list[Way]:
    """Return every search, native and in Python; one that has no entry above is a mistake."""
    native = [Way(name, form) for name in cn.searches() for form in VARIANTS[name]]
    return native + [Way(getattr(rules, name), form) for name in rules.__all__ for form in PAGES[name]]


class Exact:
    """Exact values of a game's positions, each computed once."""

    def __init__(self) -> None:
        self.known: dict[Any, float] = {}

    def __call__(self, position: cn.Position) -> float:
        """Return the value with best play."""
        if (outcome := position.outcome) is not None:
            return outcome
        key = (str(position), position.to_move)
        if key not in self.known:
            best = max if position.to_move == "max" else min
            self.known[key] = best(self(position.play(move)) for move in position.moves())
        return self.known[key]


def near(a: float, b: float, delta: float) -> bool:
    """Tell whether two values are the same, up to delta."""
    return a == b or abs(a - b) <= delta


def mistake(position: cn.Position, way: Way, exact: Exact, **budget: Any) -> str | None:
    """Search, and return what is wrong with what was proven; '' if nothing is, None if nothing was proven."""
    result = cn.search(position, way.rule, **way.parameters, **budget)
    if result.status == "decided" and result.won is not None:
        return _goal(position, result, way, exact)
    if result.status != "proven":
        return None
    delta = way.parameters.get("delta", 0.0) if "threshold" not in way.parameters else 0.0
    delta = 0.0 if isinstance(way.rule, str) and way.rule == "sibling-conspiracy" else delta
    truth = exact(position)
    if way.parameters.get("goal") != "move" and not near(result.value, truth, delta):
        return f"value {result.value} is {truth}"
    if result.line[0] != result.move:
        return f"line {result.line} begins with another move than {result.move}"
    after = position
    for move in result.line:
        before, after = exact(after), after.play(move)
        if not near(exact(after), truth if delta else before, delta):
            return f"move {move} of the line {result.line} has {exact(after)}, not {before}"
    return ""


def _goal(position: cn.Position, result: cn.Result, way: Way, exact: Exact) -> str:
    """Return what is wrong with a proof about a goal."""
    goal = way.parameters.get("goal")
    low, high = position.value_range
    middle = (low + high) / 2 if -inf < low and high < inf else min(max(0.0, low), high)

    def won(value: float) -> bool:
        if goal is not None:
            return bool(value >= goal)
        return value > middle if position.to_move == "max" else value >= middle

    if won(exact(position)) != result.won:
        return f"{exact(position)} counts as won={result.won}"
    after = position
    for move in result.line:
        after = after.play(move)
        if won(exact(after)) != result.won:
            return f"after {move} of the line {result.line} it is {exact(after)}"
    return ""


class TicTacToe(cn.Game):
    """Nine cells; a state is what they hold, and X moves first."""

    value_range = (-1, 1)
    results = (-1, 0, 1)
    lines = ("012", "345", "678", "036", "147", "258", "048", "246")

    def start(self) -> Any:
        return "." * 9

    def to_move(self, state: str) -> Any:
        return "max" if state.count("X") == state.count("O") else "min"

    def moves(self, state: str) -> list[int]:
        return [cell for cell in range(9) if state[cell] == "."]

    def play(self, state: str, move: int) -> str:
        return state[:move] + ("X" if self.to_move(state) == "max" else "O") + state[move + 1 :]

    def outcome(self, state: str) -> float | None:
        rows = ["".join(state[int(cell)] for cell in line) for line in self.lines]
        if "XXX" in rows or "OOO" in rows:
            return 1 if "XXX" in rows else -1
        return None if "." in state else 0

    def key(self, state: str) -> str:
        return state


class Graph(cn.Game):
    """Layers of positions, with random moves from each to the next: most can be reached in several ways."""

    def __init__(self, seed: int) -> None:
        random = Random(seed)
        self.layers = random.randint(2, 6)
        width = random.randint(1, 6)
        size = range(width)
        self.targets = [
            [[random.randrange(width) for _ in range(random.randint(1, 4))] for _ in size]
            for _ in range(self.layers)
        ]
        over = [random.random() < 0.3 for _ in range(self.layers * width)]
        self.ends = {
            (layer, at) for layer in range(1, self.layers) for at in size if over[layer * width + at]
        }
        self.values = [[random.randint(-2, 2) for _ in size] for _ in range(self.layers + 1)]
        self.turns = [random.choice(["max", "min"]) for _ in range(self.layers + 1)]

    def moves(self, state: tuple[int, int]) -> range:
        return range(len(self.targets[state[0]][state[1]]))

    def play(self, state: tuple[int, int], move: int) -> tuple[int, int]:
        return state[0] + 1, self.targets[state[0]][state[1]][move]

    def outcome(self, state: tuple[int, int]) -> float | None:
        over = state[0] == self.layers or state in self.ends
        return self.values[state[0]][state[1]] if over else None

    def evaluate(self, state: tuple[int, int]) -> float:
        return self.values[state[0]][state[1]]

    def to_move(self, state: tuple[int, int]) -> Any:
        return self.turns[state[0]]

    def key(self, state: tuple[int, int]) -> tuple[int, int]:
        return state


def trees(random: Random) -> cn.Position:
    """Return the root of a random tree as data, with scores or without."""
    data = random_tree(random, random.randint(1, 5), skewed=random.random() < 0.3)
    return cn.games.ExplicitTree(with_scores(data, random)).start()


def graphs(random: Random) -> cn.Position:
    """Return the root of a random graph."""
    return Graph(random.randrange(1 << 30)).position((0, 0))


def end_games(random: Random) -> cn.Position:
    """Return a position of Connect-Four with few empty cells."""
    return unfinished("connect-four", random.randrange(1 << 30), 32, 40)


def hexes(random: Random) -> cn.Position:
    """Return a position of small Hex that is not over."""
    position = cn.games.Hex(size=random.choice([2, 3, 3])).start()
    for _ in range(random.randint(0, 6)):
        after = position.play(random.choice(position.moves()))
        if after.outcome is not None:
            break
        position = after
    return position


TIC_TAC_TOE = TicTacToe()


def tic_tac_toe() -> list[cn.Position]:
    """Return all positions of tic-tac-toe that are not over."""
    found: dict[str, cn.Position] = {}
    stack = [TIC_TAC_TOE.start()]
    while stack:
        position = stack.pop()
        if str(position) not in found and position.outcome is None:
            found[str(position)] = position
            stack += [position.play(move) for move in position.moves()]
    return [found[name] for name in sorted(found)]


SOURCES: dict[str, Callable[[Random], cn.Position]] = {
    "trees": trees,
    "graphs": graphs,
    "end games": end_games,
    "hex": hexes,
}
"""Random positions to search; each position of a kind has a game of its own, or shares one of a few."""


def cases(source: str, seed: int, count: int) -> Iterator[tuple[cn.Position, Exact]]:
    """Yield random positions, with exact values that those of one game share."""
    random = Random(seed)
    shared = Exact()
    for _ in range(count):
        position = SOURCES[source](random)
        own = source in ("trees", "graphs")
        yield position, Exact() if own else shared
