"""Whether a game written in Python keeps its promises: what `conspirator check` and `cn.check` tell.

A search trusts a game: that `play` leaves the old state alone, that the same state always has the same moves,
that equal keys mean equal positions. A game that breaks such a promise gives answers that look sure and are
wrong.
"""

from __future__ import annotations

import math
import pickle
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random
from time import perf_counter
from typing import Any

from conspirator._errors import ArgumentError, ConspiratorError
from conspirator._game import Game
from conspirator._native import Position

GAMES = 100
"""Random games that are played."""
LONGEST = 300
"""Moves of a random game; then the next one begins."""
PERFT = 20_000
"""Positions that the perft table may count at the most, for each depth."""
METHODS = ("moves", "play", "outcome", "evaluate", "evaluate_many", "move_scores", "key", "to_move", "show")


@dataclass(frozen=True)
class Breach:
    """A promise that a game does not keep."""

    promise: str
    """What a game must do."""
    found: str
    """What this one did, and where."""
    advice: str
    """What to do about it."""

    def __str__(self) -> str:
        return f"{self.promise}: {self.found}; {self.advice}"


@dataclass
class Check:
    """What was found about a game."""

    game: str
    breaches: list[Breach] = field(default_factory=list)
    """The promises that it does not keep: empty for a sound game."""
    games: int = 0
    positions: int = 0
    longest: int = 0
    """Moves of the longest random game."""
    unfinished: int = 0
    """Random games that were given up as too long."""
    perft: list[int] = field(default_factory=list)
    """Lines of 1, 2, 3, ... moves from the start."""
    microseconds: dict[str, float] = field(default_factory=dict)
    """What one call of each method takes."""

    @property
    def ok(self) -> bool:
        """Whether all promises were kept."""
        return not self.breaches


def check(game: Game, *, games: int = GAMES, seed: int = 1, start: Position | None = None) -> Check:
    """Play random games of a game written in Python and look for promises that it breaks.

    >>> import conspirator as cn
    >>> class Race(cn.Game):
    ...     '''Add 1 or 2; whoever reaches 10 wins.'''
    ...     value_range = (-1, 1)
    ...     def start(self):
    ...         return [0, 1]
    ...     def moves(self, state):
    ...         return [1, 2] if state[0] < 10 else []
    ...     def play(self, state, move):
    ...         state[0] += move
    ...         return [state[0], -state[1]]
    ...     def outcome(self, state):
    ...         return -state[1] if state[0] >= 10 else None
    >>> print(check(Race(), games=3).breaches[0].promise)
    play leaves the old state as it was
    """
    if not isinstance(game, Game):
        raise ArgumentError(f"check takes a game written in Python, an object of a cn.Game, not {game!r}")
    found = Check(repr(game))
    watch = _Watch(game, found)
    random = Random(seed)
    try:
        begin = (game.start() if start is None else start).state
        watch.look(begin)
        while found.games < games and found.ok:
            _play_at_random(begin, watch, random)
            found.games += 1
        if found.ok:
            found.perft = list(_perft(game, begin))
    except ConspiratorError as error:
        found.breaches.append(Breach("no method fails", str(error), "the line names where"))
    except Exception as error:
        text = f"{type(error).__name__}: {error}"
        found.breaches.append(Breach("no method fails", text, "run the same calls in a debugger"))
    found.positions = watch.positions
    found.microseconds = {name: 1e6 * spent / count for name, (spent, count) in watch.times.items()}
    return found


def _play_at_random(state: Any, watch: _Watch, random: Random) -> None:
    for ply in range(LONGEST):
        moves = watch.look(state)
        if not moves or not watch.found.ok:
            watch.found.longest = max(watch.found.longest, ply)
            return
        state = watch.play(state, random.choice(moves))
    watch.found.unfinished += 1
    watch.found.longest = LONGEST


def _perft(game: Game, state: Any) -> Iterator[int]:
    count, depth = 1, 0
    position = game.position(state)
    while 0 < count <= PERFT and depth < 12:
        depth += 1
        count = position.perft(depth)
        if count:
            yield count


class _Watch:
    """Asks a game everything, twice, and compares."""

    def __init__(self, game: Game, found: Check) -> None:
        self.game = game
        self.found = found
        self.positions = 0
        self.times: dict[str, tuple[float, int]] = {}
        self._written = {name for name in METHODS if not hasattr(getattr(type(game), name), "_not_written")}
        self._by_key: dict[Any, tuple[Any, str]] = {}

    def call(self, name: str, *arguments: Any) -> Any:
        """Call a method and note how long it took."""
        begun = perf_counter()
        answer = getattr(self.game, name)(*arguments)
        spent, count = self.times.get(name, (0.0, 0))
        self.times[name] = (spent + perf_counter() - begun, count + 1)
        return answer

    def breach(self, promise: str, found: str, advice: str) -> None:
        """Note a broken promise, once."""
        if all(known.promise != promise for known in self.found.breaches):
            self.found.breaches.append(Breach(promise, found, advice))

    def look(self, state: Any) -> list[Any]:
        """Ask everything about a state; return its moves, none if the game is over."""
        self.positions += 1
        before = _frozen(state)
        outcome = self.call("outcome", state) if "outcome" in self._written else None
        moves = list(self.call("moves", state)) if outcome is None else []
        if outcome is None:
            self._moves(state, moves)
        value = self._value(state)
        self._ends(state, outcome, moves)
        self._in_range(state, "outcome", outcome)
        self._in_range(state, "evaluate", value)
        if "key" in self._written:
            self._key(state, moves, outcome, value)
        if "to_move" in self._written and self.call("to_move", state) not in ("max", "min"):
            given = self.game.to_move(state)
            self.breach(
                "to_move answers 'max' or 'min'", f"{given!r} in {_short(state)}", "return one of the two"
            )
        if _frozen(state) != before:
            text = f"{_short(state)} was {_short_frozen(before)} before it was asked"
            self.breach("asking changes nothing", text, "work on a copy")
        return moves

    def play(self, state: Any, move: Any) -> Any:
        """Make a move, twice."""
        before = _frozen(state)
        after = self.call("play", state, move)
        if _frozen(state) != before or after is state:
            text = f"move {move!r} has changed {_short_frozen(before)}"
            advice = "return a new state: copy the old one first"
            self.breach("play leaves the old state as it was", text, advice)
            return after
        again = self.game.play(state, move)
        if _frozen(again) != _frozen(after):
            text = f"move {move!r} in {_short(state)} leads to two states"
            self.breach("the same move leads to the same state", text, "no chance, and no memory, in play")
        return after

    def _moves(self, state: Any, moves: list[Any]) -> None:
        again = list(self.game.moves(state))
        if again != moves:
            text = f"{_short(moves)}, then {_short(again)}, in {_short(state)}"
            self.breach(
                "the moves of a state stay the same", text, "list them in a fixed order, not from a set"
            )
        if len({repr(move) for move in moves}) < len(moves):
            self.breach(
                "moves differ from each other", f"{_short(moves)} in {_short(state)}", "list each once"
            )
        for move in moves:
            name = self.game.move_name(state, move)
            if self.game.parse_move(state, name) != move:
                text = f"{name!r} is not read as {move!r} in {_short(state)}"
                self.breach("parse_move reads what move_name writes", text, "let the two fit")

    def _value(self, state: Any) -> float | None:
        if "evaluate" not in self._written:
            return None
        answers = [self.call("evaluate", state), self.game.evaluate(state)]
        first, again = (answer[0] if isinstance(answer, tuple) else answer for answer in answers)
        if first != again:
            text = f"{first!r}, then {again!r}, in {_short(state)}"
            self.breach("evaluate answers the same again", text, "no chance in evaluate")
        if "evaluate_many" in self._written:
            (many,) = self.call("evaluate_many", [state])
            if not math.isclose(float(many), first, rel_tol=1e-5, abs_tol=1e-6):
                text = f"{first!r} and {many!r} in {_short(state)}"
                self.breach("evaluate_many agrees with evaluate", text, "let one call the other")
        return float(first)

    def _ends(self, state: Any, outcome: float | None, moves: list[Any]) -> None:
        if "outcome" in self._written and outcome is None and not moves:
            advice = "let outcome answer there, or list a pass"
            self.breach("a game that goes on has a move", f"there is none in {_short(state)}", advice)

    def _in_range(self, state: Any, name: str, value: float | None) -> None:
        low, high = self.game.value_range
        if value is not None and not low <= value <= high:
            text = f"{name} is {value!r} in {_short(state)}"
            self.breach(f"values are within {low:g} and {high:g}", text, "widen value_range")

    def _key(self, state: Any, moves: list[Any], outcome: float | None, value: float | None) -> None:
        key = self.call("key", state)
        if self.game.key(state) != key:
            self.breach("key answers the same again", f"{key!r} in {_short(state)}", "no chance in key")
        player = self.game.to_move(state) if "to_move" in self._written else None
        # where the players simply alternate, one key may serve both, with different static values
        said = repr((moves, outcome, value if player is not None else None))
        known = self._by_key.setdefault((key, player), (state, said))
        if known[1] != said:
            text = f"{_short(known[0])} and {_short(state)} have the key {_short(key)}"
            advice = "put all that matters into the key, also who is to move"
            self.breach("states with one key have the same moves and values", text, advice)


def _frozen(state: Any) -> Any:
    """Return what tells whether a state has changed."""
    try:
        return pickle.dumps(state, protocol=5)
    except Exception:  # an object that cannot be written: its text must do
        return repr(state)


def _short_frozen(before: Any) -> str:
    return _short(pickle.loads(before)) if isinstance(before, bytes) else _short(before)


def _short(value: Any) -> str:
    text = " ".join(repr(value).split())
    return text if len(text) <= 80 else text[:77] + "..."


class RootWatch:
    """Notices that a search has changed the state at its root: then no answer is sure."""

    def __init__(self, position: Position) -> None:
        self._ask: Callable[[], Any] | None = None
        if isinstance(position.game, Game) and type(position.state) not in _UNCHANGING:
            self._ask = lambda: (str(position), position.moves(), position.outcome)
            self._before = self._ask()

    def changed(self) -> bool:
        """Tell whether the root is not what it was."""
        if self._ask is None:
            return False
        try:
            return bool(self._ask() != self._before)
        except Exception:  # what could be asked before fails now
            return True


_UNCHANGING = (str, bytes, int, float, frozenset, bool)
"""Types of states that nobody can change."""

__all__ = ["Breach", "Check", "RootWatch", "check"]
