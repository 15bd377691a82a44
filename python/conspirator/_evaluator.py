"""Evaluators: what a position is worth, how its moves rank, and which of them need not be looked at."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from conspirator._errors import ArgumentError
from conspirator._game import not_written
from conspirator._native import Position
from conspirator._values import read_value, say_setting

_WRITTEN = re.compile(r"\s*(?P<name>[\w-]*)\s*(?:\((?P<parameters>[^()]*)\))?\s*")


LEARNT = "learnt"
"""The name of evaluators that `cn.learn` made: `learnt(folder=FOLDER)`."""


class Evaluator:
    """An evaluator written in Python, for any game: native, of OpenSpiel, or yours.

    `evaluate` gets whole batches. All values are from Max's side. A function does as well, where nothing
    but values, or values and scores, is to be said.

    >>> import conspirator as cn
    >>> class Centre(cn.Evaluator):
    ...     '''The fewer stones, the better for Max; moves to the middle first.'''
    ...     value_range = (-1, 1)
    ...     def evaluate(self, positions):
    ...         values = [0.01 * len(position.moves()) for position in positions]
    ...         scores = [[1 / (1 + abs(int(m) - 4)) for m in p.moves()] for p in positions]
    ...         return values, scores
    >>> result = cn.search(cn.games.ConnectFour().start(), "puct", evaluator=Centre(), expansions=20)
    >>> result.move
    '4'
    """

    value_range: ClassVar[tuple[float, float] | None] = None
    """The least and the greatest value that `evaluate` returns, which stand for those of the game; None:
    values are in the game's own unit, between the ends of its range."""

    sound: ClassVar[bool] = False
    """Whether what `candidates` leaves out cannot be better than the rest, and what `outcome` says is so.
    Only then can a search with this evaluator prove that something is lost."""

    base: str | None = None
    """One of the game's own evaluators, which says what this one does not: candidates and decided games."""

    @not_written
    def evaluate(
        self, positions: list[Position]
    ) -> Sequence[float] | tuple[Sequence[float], Sequence[Sequence[float]]]:
        """Return the static values of positions that are not over; and perhaps a list of scores for each.

        A score is a positive number for a legal move, in the order of `position.moves()`: how good it is in
        comparison with its siblings, such as the probability of a policy network.
        """
        raise NotImplementedError

    @not_written
    def candidates(self, position: Position) -> Sequence[Any] | None:
        """Return the moves that are worth looking at; None: all of them."""
        raise NotImplementedError

    @not_written
    def bytes(self) -> int:
        """Return how many bytes it remembers things in; a search counts them for its budget of memory."""
        raise NotImplementedError

    @not_written
    def shrink(self, room: int | None) -> None:
        """Remember no more than so many bytes from now on; None: as many as it likes. Goes with `bytes`."""
        raise NotImplementedError

    @not_written
    def outcome(self, position: Position) -> float | None:
        """Return the value of the game where it is known although the game goes on; else None."""
        raise NotImplementedError


@dataclass(frozen=True)
class NamedEvaluator:
    """One of a game's own evaluators, with parameters.

    >>> print(NamedEvaluator.read("network(width=15)"))
    network(width=15)
    """

    name: str
    parameters: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def read(cls, text: str) -> NamedEvaluator:
        """Return the evaluator that a text means: NAME, or NAME(PARAMETER=VALUE, ...)."""
        match = _WRITTEN.fullmatch(text)
        if match is None:
            raise ArgumentError(f"an evaluator is written as NAME or NAME(width=10), not as {text!r}")
        parameters = {}
        for part in filter(None, re.split(r"[,\s]+", match["parameters"] or "")):
            name, equals, value = part.partition("=")
            if not equals:
                raise ArgumentError(f"{part!r} in the evaluator {text!r} is not of the form name=value")
            parameters[name] = read_value(value)
        return cls(match["name"], parameters)

    def __str__(self) -> str:
        words = " ".join(f"{name}={say_setting(value)}" for name, value in self.parameters.items())
        return f"{self.name}({words})" if words else self.name

    def __hash__(self) -> int:
        return hash(str(self))


AnyEvaluator = str | NamedEvaluator | Evaluator | Callable[[list[Position]], Any] | None
"""What can be given as an evaluator: a name, with parameters or not, an object, or a function."""


def resolve(given: AnyEvaluator) -> tuple[str | None, dict[str, Any], Any]:
    """Return an evaluator as the core takes it: a name or None, parameters, an object or None.

    >>> resolve("territory(width=9)"), resolve(None)
    (('territory', {'width': 9}, None), (None, {}, None))
    """
    if isinstance(given, str):
        given = NamedEvaluator.read(given)
    if given is None:
        return None, {}, None
    if isinstance(given, NamedEvaluator) and given.name == LEARNT:
        from conspirator.learning import learnt

        if given.parameters.keys() != {"folder"}:
            raise ArgumentError(f"write {LEARNT}(folder=FOLDER), where conspirator train has put a network")
        return None, {}, learnt(str(given.parameters["folder"]))
    if isinstance(given, NamedEvaluator):
        return given.name or None, dict(given.parameters), None
    if isinstance(given, Evaluator):
        name, parameters, _ = resolve(given.base)
        if hasattr(type(given).evaluate, "_not_written"):
            raise ArgumentError(f"{type(given).__name__} needs a method evaluate(self, positions)")
        return name, parameters, given
    if callable(given) and not isinstance(given, type):
        return None, {}, given
    raise ArgumentError(
        f"an evaluator is a name such as 'network', an object of yours or a function, not {given!r}"
    )


def guesses(given: AnyEvaluator) -> bool:
    """Return whether an evaluator leaves out moves or decides games without proof: then nothing is proven.

    >>> guesses("knowledge"), guesses("knowledge(width=9)")
    (False, True)
    """
    _, parameters, own = resolve(given)
    if parameters.get("width") is not None:
        return True
    if not isinstance(own, Evaluator) or own.sound:
        return False
    return any(not hasattr(method, "_not_written") for method in (own.candidates, own.outcome))


def say_evaluator(given: AnyEvaluator) -> str | None:
    """Return what to call an evaluator; None for the usual one.

    >>> say_evaluator("network"), say_evaluator(None), say_evaluator(len)
    ('network', None, 'len')
    """
    if given is None:
        return None
    if isinstance(given, (str, NamedEvaluator)):
        return str(NamedEvaluator.read(given) if isinstance(given, str) else given)
    return getattr(given, "__name__", type(given).__name__)
