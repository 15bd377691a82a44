"""Games written in Python."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, ClassVar, Literal, Self, TypeVar

from conspirator._errors import ArgumentError, GameError
from conspirator._native import Position

_Method = TypeVar("_Method", bound=Callable[..., Any])


def not_written(method: _Method) -> _Method:
    """Mark a method of the base class, so that the search knows that the user did not write it."""
    method._not_written = True  # type: ignore[attr-defined]
    return method


class Game:
    """A two-player zero-sum game with perfect information, written in Python.

    Three methods make a game: `moves`, `play`, and `evaluate` or `outcome` (or both). A *state* is any
    object of yours that no method changes. Max moves first and the players alternate, unless you write
    `to_move`. All values are from Max's side.

    >>> import conspirator as cn
    >>> class Nim(cn.Game):
    ...     '''Take 1 to 3 matches; whoever takes the last one wins.'''
    ...     value_range = (-1, +1)
    ...     def moves(self, state):
    ...         matches, _ = state
    ...         return [n for n in (1, 2, 3) if n <= matches]
    ...     def play(self, state, move):
    ...         matches, player = state
    ...         return matches - move, -player
    ...     def outcome(self, state):
    ...         matches, player = state
    ...         return -player if matches == 0 else None
    >>> result = cn.search(Nim().position((17, +1)), "best-first", expansions=10_000)
    >>> result.move, result.value, result.status
    (1, 1.0, 'proven')

    Optional methods: `start`, `to_move`, `evaluate_many`, `move_scores`, `key`, `show`, `move_name`,
    `parse_move`; `encode` and `output` for networks that learn the game; optional attributes:
    `value_range`, `results`, `tempo`, `outputs`. `cn.check(game)` tells whether a game keeps the promises
    that searches rely on.
    """

    value_range: ClassVar[tuple[float, float]] = (float("-inf"), float("inf"))
    """The least and the greatest value of any position. Declaring it lets a proven win end the search of
    a subtree at once."""

    results: ClassVar[Sequence[float] | None] = None
    """All values that `outcome` can return, if they are few. With them, a proof can give the exact value."""

    tempo: ClassVar[float] = 0.0
    """What a move gains for its player on average, if static values do not know who is to move. The best
    variant of `least-certainty` compares leaves of different depths with it."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Let `start` return a plain state and give the caller a position."""
        super().__init_subclass__(**kwargs)
        written = cls.__dict__.get("start")
        if written is not None:

            def start(self: Game) -> Position:
                state = written(self)
                return state if isinstance(state, Position) else self.position(state)

            start.__doc__ = written.__doc__
            start.__wrapped__ = written  # type: ignore[attr-defined]
            cls.start = start  # type: ignore[method-assign]

    def start(self) -> Position:
        """Return the start position. Write it to return your first state; callers get a position."""
        raise GameError(
            f"{type(self).__name__} has no start(): write one that returns the first state, "
            "or use position(state)"
        )

    def position(self, state: Any, to_move: Literal["max", "min"] = "max") -> Position:
        """Return the position of a state of yours; `to_move` matters only without a `to_move` method."""
        if to_move not in ("max", "min"):
            raise ArgumentError(f"to_move must be 'max' or 'min', not {to_move!r}")
        return Position.of_python(self, state, to_move == "max")

    @not_written
    def moves(self, state: Any) -> Iterable[Any]:
        """Return the legal moves, any objects, in a fixed order; none where the game is over."""
        raise NotImplementedError

    @not_written
    def play(self, state: Any, move: Any) -> Any:
        """Return the state after a move; the old state must stay as it is."""
        raise NotImplementedError

    @not_written
    def outcome(self, state: Any) -> float | None:
        """Return None while the game goes on, else its value; infinities are allowed.

        Without this method the game is over where there are no moves, with the value of `evaluate`.
        """
        raise NotImplementedError

    @not_written
    def evaluate(self, state: Any) -> float | tuple[float, list[float], list[float]]:
        """Return a static value, a finite number from Max's side. Without it every value is 0.

        It may also return (value, upper, lower): how far the value can go up and down with 0, 1, 2, ...
        conspirators (McAllester 1988, Section 10). Both lists begin with the value.
        """
        raise NotImplementedError

    @not_written
    def evaluate_many(self, states: list[Any]) -> Sequence[float]:
        """Return the static values of a whole expansion at once: a list or an array."""
        raise NotImplementedError

    @not_written
    def move_scores(self, state: Any) -> Sequence[float]:
        """Return a positive score for every move, in the order of `moves`: how good it is for its player.

        Only scores of the same state are compared: the probabilities of a policy network are such scores.
        They guide `sibling-conspiracy`; without this method it compares the children's static values.
        """
        raise NotImplementedError

    @not_written
    def key(self, state: Any) -> Any:
        """Return what tells this state apart from all others: a number, a string, bytes, or a tuple of them.

        States with the same key (and the same player to move) are one position. Searches with tables and
        `transpositions` share work through it, and proofs see repetitions, which count as draws.
        """
        raise NotImplementedError

    @not_written
    def to_move(self, state: Any) -> Literal["max", "min"]:
        """Return who moves, for games in which the players do not simply alternate."""
        raise NotImplementedError

    outputs: ClassVar[int] = 0
    """How many outputs a policy of a network has, for games that `cn.learn` learns."""

    @not_written
    def encode(self, state: Any) -> Any:
        """Return a state as a network sees it: planes x rows x columns of numbers, or a row of numbers.

        It is best seen from the side of the player to move: own stones first, then the other's.
        """
        raise NotImplementedError

    @not_written
    def output(self, state: Any, move: Any) -> int:
        """Return which output of a network's policy is this move: a number below `outputs`."""
        raise NotImplementedError

    @property
    def evaluators(self) -> dict[str, dict[str, Any]]:
        """The evaluators by name: one, `own`, which is what the methods say."""
        return {"own": {"summary": "the game's own methods", "paper": "", "parameters": {}}}

    def show(self, state: Any) -> str:
        """Return a picture of the state for people."""
        return str(state)

    def move_name(self, state: Any, move: Any) -> str:  # noqa: ARG002 - a game may need it
        """Return a move as people read it, on one line; no two moves of a state have the same name."""
        return str(move)

    def parse_move(self, state: Any, text: str) -> Any:
        """Return the legal move that a person means by a text; None if there is none."""
        for move in self.moves(state):
            if text in (self.move_name(state, move), str(move)):
                return move
        return None

    def __new__(cls, *arguments: Any, **options: Any) -> Self:
        """Remember what the game was made with, so that it can say so."""
        game = super().__new__(cls)
        object.__setattr__(game, "_made_with", (arguments, options))
        return game

    def __repr__(self) -> str:
        arguments, options = self.__dict__.get("_made_with", ((), {}))
        words = [*map(repr, arguments), *(f"{name}={value!r}" for name, value in options.items())]
        return f"{type(self).__name__}({', '.join(words)})"
