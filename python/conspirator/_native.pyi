"""The native part of `conspirator`; use the public package instead."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, final

from conspirator._evaluator import AnyEvaluator
from conspirator._rule import GrowthRule
from conspirator.figures.drawing import Drawing

__all__ = [
    "TABLE_BYTES",
    "ErrorTable",
    "NativeGame",
    "Node",
    "Position",
    "Search",
    "Tree",
    "__version__",
    "export",
    "games",
    "network_shape",
    "overview",
    "planes",
    "policy_places",
    "searches",
    "shortest",
]

__version__: str
TABLE_BYTES: int

@final
class NativeGame:
    """A game of the Rust core."""

    @staticmethod
    def make(name: str, params: dict[str, Any]) -> NativeGame: ...
    @staticmethod
    def explicit(data: Mapping[str, Any]) -> NativeGame: ...
    def evaluators(self) -> dict[str, dict[str, Any]]: ...
    def start(self, game: object) -> Position: ...
    def position(self, game: object, notation: str) -> Position: ...

@final
class Position:
    """A position of any game, native or written in Python."""

    @staticmethod
    def of_python(game: object, state: Any, max_to_move: bool | None = None) -> Position: ...
    @property
    def game(self) -> Any:
        """The game that the position belongs to."""

    @property
    def state(self) -> Any:
        """The state object of a game written in Python; None for a native game."""

    def moves(self) -> list[Any]:
        """Return the legal moves in the game's fixed order; none if the game is over."""

    def play(self, move: Any) -> Position:
        """Return the position after a legal move."""

    def place(self, move: Any) -> int:
        """Return the place of a legal move among `moves()`, in any of its notations."""

    def describe(self, move: Any) -> str:
        """Return a legal move as people write it: in chess 'Nf3' for 'g1f3', elsewhere its name."""

    @property
    def to_move(self) -> Literal["max", "min"]:
        """Who moves: 'max', the player who wants high values and usually moves first, or 'min'."""

    @property
    def outcome(self) -> float | None:
        """None while the game goes on, else its value from Max's side."""

    def evaluate(self, evaluator: AnyEvaluator = None) -> float:
        """Return the static value from Max's side; the outcome if the game is over.

        It is by one of the game's evaluators, or yours; as everywhere, the usual one if none is given.
        """

    def notation(self) -> Any:
        """Return the position in a form that the game's `position` method reads back."""

    @property
    def key(self) -> int | None:
        """A number that is equal for equal positions; None if the game has no transpositions."""

    def play_on(self) -> Position:
        """Return the position as it is when the game goes on although a player could claim a draw.

        Then it has moves, and can be searched. A position where the game is not over is that anyway.
        """

    def swapped(self) -> Position | None:
        """Return the same position with the players' roles exchanged, where the game has that symmetry."""

    @property
    def results(self) -> list[float] | None:
        """All results that a finished game can have, in rising order; None if they are not known."""

    @property
    def moves_left(self) -> int | None:
        """At most how many moves can still be made, passes apart; None if that is not known."""

    @property
    def phase(self) -> int:
        """How far the game is from its end, for error models; 0 where moves do not bring it nearer."""

    def _evaluators(self) -> dict[str, dict[str, Any]]: ...
    def facts(self, evaluator: AnyEvaluator = None) -> dict[str, Any] | None:
        """Return what an evaluator knows of the position without searching it; None: nothing but a value."""

    def candidates(self, evaluator: AnyEvaluator = None) -> list[Any]:
        """Return the moves that a search with an evaluator would look at, in that order."""

    def left_out(self, evaluator: AnyEvaluator = None) -> dict[Any, str]:
        """Return the other moves, each with the reason why it need not be looked at."""

    def decided(self, evaluator: AnyEvaluator = None) -> float | None:
        """Return the value of the game as far as an evaluator knows it, over or not; None if it does not."""

    def move_scores(self, evaluator: AnyEvaluator = None) -> list[float] | None:
        """Return the positive scores of the moves, in their order; None if the evaluator has none.

        A score tells how good a move is, for the player who makes it, in comparison with the others.
        """

    @property
    def value_range(self) -> tuple[float, float]:
        """The least and the greatest value that any position of the game can have."""

    def perft(self, depth: int) -> int:
        """Return the number of lines of exactly this many moves; a finished game has no successors."""

    def survey(self, depth: int) -> tuple[int, float]:
        """Return how many positions there are down to a depth, all valued, and the sum of their values."""

    def _repr_html_(self) -> str: ...
    def __eq__(self, value: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Search:
    """A search that can be run, asked, and run on."""

    def __new__(
        cls,
        position: Position,
        rule: object,
        params: dict[str, Any],
        evaluator: AnyEvaluator,
        trace: bool,
        certainty: tuple[ErrorTable, float, float, float] | None = None,
    ) -> Search: ...
    def run(
        self,
        budget: dict[str, Any],
        *,
        progress: Callable[[dict[str, Any]], object] | None = None,
        lines: Callable[[dict[str, Any]], object] | None = None,
    ) -> None: ...
    @staticmethod
    def restored(
        position: Position,
        rule: object,
        params: dict[str, Any],
        evaluator: AnyEvaluator,
        saved: bytes,
        certainty: tuple[ErrorTable, float, float, float] | None = None,
    ) -> Search: ...
    def inform(self, certainty: tuple[ErrorTable, float, float, float]) -> None: ...
    @property
    def leaves(self) -> str | None:
        """How new leaves are valued, by a word; None if the search keeps no tree."""

    def saved(self) -> bytes | None: ...
    def saved_below(self, place: int) -> bytes | None: ...
    def stop(self) -> None:
        """End the run that is under way in another thread within milliseconds, or else the next one."""

    def report(self) -> dict[str, Any]: ...
    def replies(self, line: Sequence[int], budget: dict[str, Any]) -> list[int]: ...
    def facts(self, least: int = 0, keys: Sequence[int] = ...) -> bytes: ...
    def learn(self, facts: bytes) -> None: ...
    def standing(self) -> tuple[int, int, int, int] | None: ...
    def trace(self) -> list[list[int]] | None: ...
    def tree(self) -> Tree | None: ...

@final
class ErrorTable:
    """The table of an error model; `conspirator.ErrorModel` has the rest."""

    def __new__(
        cls,
        outcomes: list[float],
        phases: list[float],
        values: list[float],
        table: list[float],
        coarse: list[int] = ...,
    ) -> ErrorTable: ...
    def distribution(self, value: float, phase: float, max_to_move: bool) -> list[float]: ...

@final
class Tree:
    """A grown game tree."""

    @staticmethod
    def from_dict(data: Mapping[str, Any], rule: str | GrowthRule, **params: Any) -> Tree:
        """Return a search tree given as nested dictionaries, with the numbers of the rule `rule`."""

    @property
    def root(self) -> Node:
        """The root node."""

    def node(self, path: Sequence[int]) -> Node:
        """Return the node at the end of a path of places among siblings; `[]` is the root."""

    @property
    def value_range(self) -> tuple[float, float]:
        """The least and the greatest value that any position of the game can have."""

    def child_sizes(self, node: Node) -> list[int]:
        """Return how many nodes stand at and below each child of a node."""

    def depth_histogram(self) -> list[int]:
        """Return the number of nodes at every ply, the root's first."""

    def conspiracy(self, node: Node, value: float) -> float:
        """Return how many leaves must change for a node to reach a value; infinity if none suffice."""

    def single_conspiracy(self, node: Node, threshold: float) -> float:
        """Return how many leaves must change for a node to be worth `threshold` or more; 0 if it is."""

    def ladder(self, most: int) -> list[tuple[float, float]]:
        """Return (Vmin, Vmax) of the root under 0, 1, ... `most` conspirators."""

    def interval(self, n: int) -> tuple[float, float]:
        """Return (Vmin, Vmax): how far the root's value can go if at most `n` leaves are wrong."""

    def figure(self, kind: str = "tree", path: Sequence[int] = ()) -> Drawing:
        """Draw a figure: 'tree', 'ladder' or 'numbers', as `Result.figure` does. Needs matplotlib."""

    @property
    def outcomes(self) -> list[float] | None:
        """The outcomes that the error model tells apart; None without one."""

    @property
    def probabilities(self) -> list[tuple[int, float]] | None:
        """For each root move, by its place, how likely it is a best one; None without an error model."""

    def _gain(self) -> float | None: ...
    def _probabilities(
        self, certainty: tuple[ErrorTable, float, float, float] | None = None
    ) -> list[tuple[int, float]] | None: ...
    def _distribution(self, id: int) -> list[float] | None: ...
    def _doubts(self, most: int) -> list[tuple[list[int], float, list[tuple[float, int, float]]]] | None: ...
    def conspirators(self, value: float) -> list[Node] | None:
        """Return a smallest set of leaves that must change for the root to reach a value, if any."""

    def check(self) -> None:
        """Recompute every number from the leaves and raise an error at the first difference."""

    def _repr_html_(self) -> str: ...
    def __len__(self) -> int: ...

@final
class Node:
    """One node of a tree: a view, read from the tree when asked."""

    @property
    def id(self) -> int:
        """Index in the tree: 0 for the root, in the order of creation."""

    @property
    def place(self) -> int:
        """Place among its siblings, from 0."""

    @property
    def distribution(self) -> dict[float, float] | None:
        """The probability of every outcome with best play from here; None without an error model."""

    @property
    def legal_place(self) -> int:
        """Place of the move that led here among the legal moves; which some may be left out of."""

    @property
    def depth(self) -> int:
        """Number of moves from the root."""

    @property
    def value(self) -> float:
        """The minimax value from Max's side; the static value while the node is a leaf."""

    @property
    def is_max(self) -> bool:
        """Whether Max, who wants high values, is to move."""

    @property
    def error(self) -> float:
        """The relative error of the move that led here, ln(E_best / E), in multiples of 1/4096.

        It is 0 for the root, and wherever the rule does not ask for errors.
        """

    @property
    def bounds(self) -> tuple[list[float], list[float]] | None:
        """What the evaluator said of an open leaf beyond its value: (upper, lower), or None."""

    @property
    def is_terminal(self) -> bool:
        """Whether the game is over here."""

    @property
    def is_solved(self) -> bool:
        """Whether the value can no longer change."""

    @property
    def is_held(self) -> bool:
        """Whether it is solved only because the expansion of leaves is under way: see `batch`."""

    @property
    def is_open(self) -> bool:
        """Whether the node is a leaf that can be expanded."""

    @property
    def children(self) -> tuple[Node, ...]:
        """The children in the game's order; empty for a leaf."""

    @property
    def parent(self) -> Node | None:
        """The parent; None for the root."""

    @property
    def tree(self) -> Tree:
        """The tree that the node belongs to."""

    @property
    def path(self) -> list[int]:
        """Places among siblings from the root to this node."""

    @property
    def position(self) -> Position:
        """The position at this node, found by playing the moves from the root."""

    @property
    def move(self) -> Any:
        """The move that led here; None for the root."""

    @property
    def line(self) -> list[Any]:
        """The moves from the root to this node."""

    @property
    def numbers(self) -> dict[str, Any]:
        """The rule's own numbers, by the names of its paper."""

    def __eq__(self, value: object, /) -> bool: ...
    def __hash__(self) -> int: ...

def games() -> dict[str, dict[str, Any]]:
    """Return every native game by name, with its parameters."""

def searches() -> dict[str, dict[str, Any]]:
    """Return every search by name, with its parameters."""

def overview(
    tree: Tree,
    paths: Sequence[Sequence[int]],
    *,
    left: float = 0.0,
    right: float = 1.0,
    least: float = 0.001,
    most: int = 2000,
) -> tuple[bytes, list[list[int]]]:
    """Return a tree as blocks for a picture, in columns of four bytes, and the sizes below some nodes."""

def export(
    position: Position,
    search: Search | None,
    value: float,
    at_least: bool,
    sink: Callable[[bytes], object],
) -> tuple[int, int]:
    """Hand the choices of a strategy to `sink`, and return how many positions and choices there are."""

def shortest(position: Position, value: float, at_least: bool) -> tuple[int, int] | None:
    """Return in how few moves a claim can be kept, and the place of the first; None if it cannot be."""

def network_shape(position: Position) -> tuple[list[int], int, int] | None:
    """Return planes, rows and columns; a policy's outputs; how many each move has. None: no usual ones."""

def planes(positions: list[Position]) -> bytes:
    """Return the planes of positions of one game, as 32-bit floats."""

def policy_places(positions: list[Position]) -> tuple[bytes, list[int]]:
    """Return the policy's outputs of all legal moves, as 32-bit whole numbers, and the numbers of moves."""
