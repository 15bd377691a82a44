"""An evaluator around a function from arrays to arrays: what all kinds of networks have in common."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

from conspirator._errors import ArgumentError, GameError
from conspirator._evaluator import Evaluator
from conspirator._native import Position
from conspirator._planes import numpy, policy_places, shape_of, symmetries_of
from conspirator.evaluators._cache import Cache

Encode = Callable[[list[Position]], Any]
"""Positions as an array, the first axis of which counts them."""
Moves = Callable[[Position], Sequence[int] | Sequence[Sequence[int]]]
"""The policy's outputs of a position's legal moves, in the order of `position.moves()`."""
Heads = tuple[Any, Any]
"""The policy, or None; the values, or None."""
Head = str | int | None

LEAST_SCORE = 1e-9
"""A score is a positive number: no move is impossible."""


class NetworkEvaluator(Evaluator):
    """An evaluator around a network; `cn.evaluators.onnx`, `torch` and `network` make one.

    >>> import conspirator as cn
    >>> blind = cn.evaluators.network(lambda planes: (None, [0.25] * len(planes)), value_from="max")
    >>> cn.games.ConnectFour().start().evaluate(blind)                # a quarter of the way from draw to win
    639.75
    """

    def __init__(
        self,
        run: Callable[[Any], Heads],
        *,
        encode: Encode | None = None,
        moves: Moves | None = None,
        probabilities: bool = False,
        value_from: Literal["mover", "max"] = "mover",
        value_range: tuple[float, float] = (-1.0, 1.0),
        symmetries: bool = False,
        cache: int = 0,
        largest: int = 1024,
        base: str | None = None,
    ) -> None:
        if value_from not in ("mover", "max"):
            raise ArgumentError(f"value_from must be 'mover' or 'max', not {value_from!r}")
        if not value_range[0] < value_range[1]:
            raise ArgumentError(f"value_range must be (least, greatest), not {value_range!r}")
        for name, number, least in (("cache", cache, 0), ("largest", largest, 1)):
            if isinstance(number, bool) or not isinstance(number, int) or number < least:
                raise ArgumentError(f"{name} must be a whole number from {least} up, not {number!r}")
        for name, function in (("encode", encode), ("moves", moves)):
            if function is not None and not callable(function):
                raise ArgumentError(f"{name} must be a function, not {function!r}")
        self._run = run
        self._encode = encode
        self._moves = moves
        self._probabilities = probabilities
        self._for_max = value_from == "max"
        self._symmetries = symmetries
        self._largest = largest
        self._range = (float(value_range[0]), float(value_range[1]))
        self.value_range = self._range  # type: ignore[misc]
        self.base = base
        self.cache = Cache(cache)
        """What it has said of positions before."""
        self.calls = 0
        """How often the network has run."""
        self.positions = 0
        """How many positions it has been shown, turned ones included."""

    def evaluate(self, positions: list[Position]) -> Any:
        """Return values from Max's side, and scores if there is a policy."""
        if not self.cache.most:
            answers = self._ask_all(positions)
        else:
            keys = [position.key for position in positions]
            known = [self.cache.get(key) for key in keys]
            fresh = self._ask_all([p for p, answer in zip(positions, known, strict=True) if answer is None])
            rest = iter(fresh)
            answers = [next(rest) if answer is None else answer for answer in known]
            for key, old, answer in zip(keys, known, answers, strict=True):
                if old is None:
                    self.cache.put(key, answer)
        values = [value for value, _ in answers]
        scores = [scores for _, scores in answers]
        return values if any(each is None for each in scores) else (values, scores)

    def bytes(self) -> int:
        """Return what the cache takes; a search counts it for its memory."""
        return self.cache.bytes

    def shrink(self, room: int | None) -> None:
        """Remember no more than so many bytes; None: as many as `cache` allows."""
        self.cache.shrink(room)

    def _ask_all(self, positions: list[Position]) -> list[tuple[float, Any]]:
        answers: list[tuple[float, Any]] = []
        for first in range(0, len(positions), self._largest):
            answers += self._ask(positions[first : first + self._largest])
        return answers

    def _ask(self, positions: list[Position]) -> list[tuple[float, Any]]:
        """Run the network once for some positions, for each in all of its symmetries."""
        np = numpy()
        count = len(positions)
        planes = np.asarray(self._planes(positions))
        if planes.ndim < 1 or planes.shape[0] != count:
            raise GameError(f"encode returned an array of shape {planes.shape} for {count} positions")
        turns = self._turns(positions[0])
        if len(turns) > 1:
            if planes.ndim != 4:
                raise GameError(
                    f"symmetries turn planes of shape (positions, planes, rows, columns), not {planes.shape}"
                    ": leave symmetries out"
                )
            planes = np.concatenate([turn.turn(planes) for turn in turns])
        self.calls += 1
        self.positions += len(planes)
        policies, values = self._run(np.ascontiguousarray(planes))
        values = self._values(values, positions, len(turns))
        if policies is None:
            return [(value, None) for value in values]
        policies = self._array(policies, "policy", len(planes))
        policies = policies.reshape(len(turns), count, -1)
        scores = self._scores(policies, positions, turns)
        return list(zip(values, scores, strict=True))

    def _planes(self, positions: list[Position]) -> Any:
        if self._encode is not None:
            return self._encode(positions)
        planes = getattr(positions[0].game, "planes", None)
        if planes is None or shape_of(positions[0]) is None:
            raise ArgumentError("this game has no planes of its own: give encode= and moves=")
        return planes(positions)

    def _turns(self, position: Position) -> tuple[Any, ...]:
        if not self._symmetries:
            return (None,)
        shape = shape_of(position)
        if shape is None:
            raise ArgumentError("this game names no symmetries: leave symmetries out")
        return symmetries_of(position.game.name, shape)

    def _array(self, given: Any, name: str, count: int) -> Any:
        np = numpy()
        try:
            array = np.asarray(given, dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise GameError(f"the network's {name} is no array of numbers: {error}") from error
        if array.ndim < 1 or array.shape[0] != count:
            raise GameError(f"the network's {name} has shape {array.shape} for {count} positions")
        if np.isnan(array).any():
            raise GameError(f"the network's {name} is not a number (NaN) for some position")
        return array

    def _values(self, given: Any, positions: list[Position], turns: int) -> list[float]:
        """Return values from Max's side."""
        np = numpy()
        low, high = self._range
        if given is None:
            return [(low + high) / 2] * len(positions)
        values = self._array(given, "value", turns * len(positions))
        if values.size != values.shape[0]:
            raise GameError(
                f"the network's value has shape {values.shape}: it must be one number for each position; "
                "say which output is which by policy= and value="
            )
        values = values.reshape(turns, len(positions)).mean(axis=0)
        slack = 1e-3 * (high - low)  # half precision rounds
        if (values < low - slack).any() or (values > high + slack).any():
            worst = values[np.abs(values - (low + high) / 2).argmax()]
            raise GameError(
                f"the network's value {worst:g} is outside {low:g} to {high:g}: "
                "give value_range=(least, greatest)"
            )
        if not self._for_max:
            sides = np.array([position.to_move == "max" for position in positions])
            values = np.where(sides, values, low + high - values)
        clipped: list[float] = np.clip(values, low, high).tolist()
        return clipped

    def _scores(self, policies: Any, positions: list[Position], turns: tuple[Any, ...]) -> list[Any]:
        """Return a positive score for each legal move of each position."""
        np = numpy()
        places, counts = self._places(positions)
        if places.size and (places.min() < 0 or places.max() >= policies.shape[2]):
            raise GameError(
                f"the network's policy has {policies.shape[2]} outputs, and a move is number {places.max()}: "
                "give moves= to say which output is which move"
            )
        rows = np.repeat(np.arange(len(positions)), counts)
        total = 0.0
        for turn, policy in zip(turns, policies, strict=True):
            if turn is not None:
                if len(turn.moves) != policies.shape[2]:
                    raise GameError(
                        f"symmetries need a policy of {len(turn.moves)} outputs, not {policies.shape[2]}"
                    )
                # output k of the turned board is output moves[k] of the board as it is
                straight = np.empty_like(policy)
                straight[:, turn.moves] = policy
                policy = straight
            total = total + self._likely(policy, places, rows, counts)
        likely = np.maximum(total / len(turns), LEAST_SCORE)
        return list(np.split(likely, np.cumsum(counts)[:-1]))

    def _likely(self, policy: Any, places: Any, rows: Any, counts: list[int]) -> Any:
        """Return how likely each legal move is, as parts of one for each position."""
        np = numpy()
        picked = policy[rows[:, None], places]
        if self._probabilities:
            if (picked < 0).any():
                raise GameError(
                    "the network's policy is negative: it gives logits, so leave probabilities out"
                )
            likely = picked.prod(axis=1)
        else:
            logits = picked.sum(axis=1)
            starts = np.cumsum([0, *counts[:-1]])
            if not np.isfinite(np.maximum.reduceat(logits, starts)).all():
                raise GameError("the network's policy is infinite for all moves of some position")
            likely = np.exp(logits - np.repeat(np.maximum.reduceat(logits, starts), counts))
        starts = np.cumsum([0, *counts[:-1]])
        sums = np.add.reduceat(likely, starts)
        return likely / np.repeat(np.where(sums > 0, sums, 1.0), counts)

    def _places(self, positions: list[Position]) -> tuple[Any, list[int]]:
        """Return the policy's outputs of all legal moves, one row a move, and how many each position has."""
        np = numpy()
        if self._moves is None:
            shape = shape_of(positions[0])
            if shape is None:
                raise ArgumentError(
                    "this game has no usual policy: give moves= to say which output is which move"
                )
            return policy_places(positions, shape.parts)
        listed = [np.asarray(self._moves(position), dtype=np.int64) for position in positions]
        for position, places in zip(positions, listed, strict=True):
            if len(places) != len(position.moves()):
                raise GameError(f"moves gave {len(places)} outputs for {len(position.moves())} legal moves")
        together = np.concatenate(listed)
        return together.reshape(len(together), -1), [len(places) for places in listed]


def choose_heads(
    outputs: Sequence[Any] | Mapping[str, Any], names: Sequence[str], policy: Head, value: Head
) -> Heads:
    """Return (policy, value) of a network's outputs: by name, by place, or as they look.

    What is not said: an output with 'policy' or 'value' in its name is that; else one number for each
    position is the value and several are the policy.

    >>> import numpy as np
    >>> choose_heads([np.zeros((2, 1)), np.zeros((2, 7))], ["a", "b"], None, None)[0].shape
    (2, 7)
    """
    if isinstance(outputs, Mapping):
        names, outputs = list(outputs), list(outputs.values())

    def named(head: Head, word: str) -> int | None:
        if isinstance(head, int):
            if not -len(outputs) <= head < len(outputs):
                raise ArgumentError(f"{word}={head}: the network has {len(outputs)} outputs")
            return head % len(outputs)
        if isinstance(head, str):
            if head not in names:
                raise ArgumentError(
                    f"{word}={head!r}: the network's outputs are {', '.join(names) or 'not named'}"
                )
            return list(names).index(head)
        hits = [at for at, name in enumerate(names) if word in name.lower()]
        return hits[0] if len(hits) == 1 else None

    policy_at, value_at = named(policy, "policy"), named(value, "value")
    left = [at for at in range(len(outputs)) if at not in (policy_at, value_at)]
    for at in left:
        array = outputs[at]
        if array is None:
            continue
        shape = getattr(array, "shape", None)
        single = shape is not None and (len(shape) == 1 or all(axis == 1 for axis in shape[1:]))
        if single and value_at is None:
            value_at = at
        elif not single and policy_at is None:
            policy_at = at
    take = (None if at is None else outputs[at] for at in (policy_at, value_at))
    return next(take), next(take)


def network(
    function: Callable[[Any], Any], *, policy: Head = None, value: Head = None, **options: Any
) -> NetworkEvaluator:
    """Return an evaluator around a function from an array to outputs: one of JAX, of NumPy, or of anything.

    `function` gets what `encode` makes of the positions, the usual planes if there is none, and returns a
    pair (policy, value), either of which may be None; a dictionary of outputs by name; or one output. The
    options are those of `cn.evaluators.onnx`.

    >>> import conspirator as cn
    >>> evaluator = cn.evaluators.network(lambda planes: (None, planes[:, 0].sum(axis=(1, 2)) / 42))
    >>> cn.games.ConnectFour().position("1").evaluate(evaluator)      # no stone of Red's, who is to move
    512.0
    """
    if not callable(function):
        raise ArgumentError(f"a network is a function of an array, not {function!r}")

    def run(planes: Any) -> Heads:
        outputs = function(planes)
        if isinstance(outputs, Mapping):
            return choose_heads(outputs, [], policy, value)
        if not isinstance(outputs, (tuple, list)) or (outputs and isinstance(outputs[0], (int, float))):
            return choose_heads([numpy().asarray(outputs)], [], policy, value)
        if len(outputs) == 2 and policy is None and value is None:
            return outputs[0], outputs[1]
        return choose_heads(list(outputs), [], policy, value)

    return NetworkEvaluator(run, **options)
