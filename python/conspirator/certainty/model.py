"""Error models of evaluators: files, and which of them belongs to a search."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import chain, pairwise
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

from conspirator import _native
from conspirator._errors import ArgumentError
from conspirator._files import replaced

FORMAT = 1
FOLDER = Path(__file__).with_name("models")
MOST_KEPT = 8
"""Thresholds that `relevance` keeps for every node; of a model with more it takes some."""
_FIELDS = {"outcomes", "phases", "values", "max", "min"}


class Dependence(NamedTuple):
    """How much siblings depend on each other: 0 not at all, 1 entirely."""

    siblings: float
    """Between the children of a node."""
    root: float
    """Between the moves at the root, for the question which of them is best."""

    def towards(self, other: Dependence, share: float) -> Dependence:
        """Return what lies between this and another.

        >>> Dependence(0.2, 0.5).towards(Dependence(0.6, 0.5), 0.25)
        Dependence(siblings=0.3, root=0.5)
        """
        between = (a + share * (b - a) for a, b in zip(self, other, strict=True))
        return Dependence(*(round(part, 6) for part in between))


Phased = tuple[tuple[float, Dependence], ...]
"""Dependence at some phases of the root, in rising order: linear between them, and constant beyond."""


@dataclass(frozen=True)
class Table:
    """P(outcome >= x) for each outcome x but the least, by side to move, phase and value; linear between
    knots.

    >>> half = Table((0, 1), (0,), (-1, 1), max=(((0.2,), (0.8,)),), min=(((0.1,), (0.7,)),))
    >>> [round(p, 3) for p in half.distribution(0.5, phase=0, to_move="max")]
    [0.35, 0.65]
    """

    outcomes: tuple[float, ...]
    """All outcomes that it tells apart, in rising order."""
    phases: tuple[float, ...]
    """The knots of the phase: how many moves the longest game still has."""
    values: tuple[float, ...]
    """The knots of the static value."""
    max: tuple[tuple[tuple[float, ...], ...], ...]
    """With Max to move: for each phase, for each value, one probability for each outcome but the least."""
    min: tuple[tuple[tuple[float, ...], ...], ...]
    """With Min to move."""
    most_kept: int = MOST_KEPT
    """How many thresholds `relevance` keeps for every node at the most."""

    @cached_property
    def native(self) -> _native.ErrorTable:
        """The same for the core, which checks it."""
        cells = chain.from_iterable(chain(self.max, self.min))
        flat = list(chain.from_iterable(cells))
        if any(len(row) != len(self.values) for row in chain(self.max, self.min)):
            raise ArgumentError("this is no error model: every phase must have a row of all values")
        knots = list(self.phases), list(self.values)
        return _native.ErrorTable(list(self.outcomes), *knots, flat, list(self.kept))

    @cached_property
    def kept(self) -> tuple[int, ...]:
        """The places of the thresholds that `relevance` keeps for every node, if they are not all.

        They lie equally thick, by the mean of all cells.

        >>> Table((0, 1), (0,), (-1, 1), max=(((0.2,), (0.8,)),), min=(((0.1,), (0.7,)),)).kept
        ()
        """
        if len(self.outcomes) - 1 <= self.most_kept:
            return ()
        cells = list(chain.from_iterable(chain(self.max, self.min)))
        means = [sum(s) / len(cells) for s in zip(*cells, strict=True)]
        aims = [1 - (at + 1) / (self.most_kept + 1) for at in range(self.most_kept)]
        near = {min(range(len(means)), key=lambda at: abs(means[at] - aim)) for aim in aims}
        return tuple(sorted(near))

    @cached_property
    def coarse(self) -> Table:
        """The same with the thresholds that `relevance` keeps."""
        if not self.kept:
            return self
        least, *others = self.outcomes
        above, below = (
            tuple(tuple(tuple(s[at] for at in self.kept) for s in row) for row in side)
            for side in (self.max, self.min)
        )
        told = (least, *(others[at] for at in self.kept))
        return Table(told, self.phases, self.values, above, below)

    def distribution(self, value: float, phase: float, to_move: str) -> list[float]:
        """Return the probability of every outcome, for an open position."""
        beyond = [1.0, *self.native.distribution(value, phase, to_move == "max"), 0.0]
        return [high - low for high, low in pairwise(beyond)]


@dataclass(frozen=True)
class ErrorModel:
    """How far the values of an evaluator can be trusted: fitted by `conspirator calibrate`, kept in a file.

    Searches value their leaves in different ways (as they are, a move further on, ...); there is a table for
    each.
    """

    game: str
    """The game that it belongs to, as a command writes it, such as 'hex size=5'."""
    evaluator: str | None
    """The evaluator; None: the usual one."""
    tables: Mapping[str, Table]
    """By how leaves are valued: 'static', 'foresight', 'aligned-max', ..."""
    dependence: Mapping[str, Dependence | Phased] = field(default_factory=dict)
    """By the name of a search; 'any' for all others. It may depend on the phase of the root."""
    made: Mapping[str, Any] = field(default_factory=dict)
    """From how many positions, with which command, how good it was on other positions."""

    @property
    def outcomes(self) -> tuple[float, ...]:
        """The outcomes that it tells apart, from Max's worst to Max's best."""
        return next(iter(self.tables.values())).outcomes

    def table(self, leaves: str, to_move: str) -> Table | None:
        """Return the table for leaves that are valued in this way, below a root with this player to move."""
        return self.tables.get(leaves) or self.tables.get(f"{leaves}-{to_move}")

    def depends(self, search: str, phase: float = 0.0) -> Dependence:
        """Return the dependence of siblings in trees of a search from a root of this phase."""
        found = self.dependence.get(search) or self.dependence.get("any") or Dependence(0.0, 0.0)
        return found if isinstance(found, Dependence) else at_phase(found, phase)

    def save(self, path: str | PathLike[str]) -> Path:
        """Write the model to a file; return its path.

        >>> import conspirator as cn, tempfile
        >>> model = cn.ErrorModel.of(cn.games.ConnectFour())
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     cn.ErrorModel.load(model.save(f"{folder}/model.json")) == model
        True
        """
        data = {
            "conspirator": "error model",
            "format": FORMAT,
            "game": self.game,
            "evaluator": self.evaluator,
            "made": dict(self.made),
            "dependence": {name: written_dependence(pair) for name, pair in self.dependence.items()},
            "tables": {
                name: {key: getattr(table, key) for key in sorted(_FIELDS)}
                for name, table in self.tables.items()
            },
        }
        target = Path(path)
        with replaced(target) as file:
            file.write(json.dumps(data, separators=(",", ":")).encode() + b"\n")
        return target

    @classmethod
    def load(cls, path: str | PathLike[str]) -> ErrorModel:
        """Read a model from a file that `save` or `conspirator calibrate` wrote."""
        try:
            data = json.loads(Path(path).read_text(encoding="utf-8"))
        except OSError as error:
            raise ArgumentError(f"cannot read {path}: {error.strerror or error}") from None
        except ValueError:
            raise ArgumentError(f"{path} is no error model: it is no JSON") from None
        if not isinstance(data, dict) or data.get("conspirator") != "error model":
            raise ArgumentError(f"{path} is no error model: make one with `conspirator calibrate`")
        if data.get("format") != FORMAT:
            raise ArgumentError(f"{path} has format {data.get('format')!r}, this version reads {FORMAT}")
        try:
            tables = {str(name): _table(entry) for name, entry in data["tables"].items()}
            dependence = {str(n): _dependence(entry) for n, entry in data["dependence"].items()}
            model = cls(str(data["game"]), data["evaluator"], tables, dependence, dict(data["made"]))
            if not tables or len({table.outcomes for table in tables.values()}) != 1:
                raise ArgumentError("all tables must tell the same outcomes apart")
            for table in tables.values():
                table.native  # noqa: B018 -- the core checks it
        except (ArgumentError, AttributeError, KeyError, TypeError, ValueError) as error:
            raise ArgumentError(f"{path} is a damaged error model: {error}") from None
        return model

    @classmethod
    def of(cls, game: Any, evaluator: Any = None) -> ErrorModel | None:
        """Return the model that is shipped for a game's evaluator; None if there is none.

        >>> import conspirator as cn
        >>> cn.ErrorModel.of(cn.games.Amazons(size=6)) is None
        True
        """
        if getattr(game, "name", None) == "random-tree" and evaluator is None:
            from conspirator.certainty.random_trees import random_tree_model

            return random_tree_model(game._complete())
        name = written_game(game)
        if name is None or not (evaluator is None or isinstance(evaluator, str)):
            return None
        usual = next(iter(getattr(game, "evaluators", None) or [None]))
        return _shipped(name, None if evaluator == usual else evaluator)


def at_phase(known: Phased, phase: float) -> Dependence:
    """Return the dependence at a phase.

    >>> at_phase(((10.0, Dependence(0.2, 0.4)), (20.0, Dependence(0.6, 0.4))), 15)
    Dependence(siblings=0.4, root=0.4)
    """
    if phase <= known[0][0]:
        return known[0][1]
    for (low, before), (high, after) in pairwise(known):
        if phase <= high:
            return before.towards(after, (phase - low) / (high - low))
    return known[-1][1]


def written_dependence(given: Dependence | Phased) -> list[Any]:
    """Return a dependence as files have it: two numbers, or three for each phase."""
    if isinstance(given, Dependence):
        return list(given)
    return [[phase, *pair] for phase, pair in given]


def written_game(game: Any) -> str | None:
    """Return a native game as a command writes it, with the options that are not the usual ones.

    >>> import conspirator as cn
    >>> written_game(cn.games.Hex(size=5)), written_game(cn.games.ConnectFour())
    ('hex size=5', 'connect-four')
    """
    given = getattr(game, "_parameters", None)
    name = getattr(game, "name", None)
    if not isinstance(given, dict) or name not in _native.games():
        return None
    listed = _native.games()[name]["parameters"]
    other = {key: value for key, value in given.items() if value != listed[key]["default"]}
    return " ".join([str(name), *(f"{key}={str(value).lower()}" for key, value in sorted(other.items()))])


def shipped_file(game: str, evaluator: str | None) -> Path:
    """Return where the model of a game's evaluator is shipped."""
    words = f"{game} {evaluator or ''}".replace("=", "-").replace("(", "-").replace(")", "").split()
    return FOLDER / f"{'-'.join(words)}.json"


@lru_cache(maxsize=64)
def _shipped(game: str, evaluator: str | None) -> ErrorModel | None:
    path = shipped_file(game, evaluator)
    return ErrorModel.load(path) if path.is_file() else None


def _table(entry: Mapping[str, Any]) -> Table:
    if entry.keys() != _FIELDS:
        raise ArgumentError(f"a table has {', '.join(sorted(_FIELDS))}")
    outcomes, phases, values = (_numbers(entry[key]) for key in ("outcomes", "phases", "values"))
    above, below = (tuple(tuple(_numbers(s) for s in row) for row in entry[key]) for key in ("max", "min"))
    return Table(outcomes, phases, values, above, below)


def _numbers(given: Sequence[Any]) -> tuple[float, ...]:
    return tuple(map(float, given))


def _dependence(entry: Sequence[Any]) -> Dependence | Phased:
    if not isinstance(entry[0], list):
        return Dependence(*map(_part, entry))
    known = tuple((float(phase), Dependence(*map(_part, pair))) for phase, *pair in entry)
    if any(not low < high for (low, _), (high, _) in pairwise(known)):
        raise ArgumentError("the phases of a dependence must rise")
    return known


def _part(given: Any) -> float:
    number = float(given)
    if not 0 <= number <= 1:
        raise ArgumentError(f"a dependence lies within 0 and 1, not {number}")
    return number
