"""The games of OpenSpiel, an optional package, as games of ours."""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches
from functools import cached_property
from hashlib import blake2b
from typing import Any, Literal

from conspirator._errors import ArgumentError, GameError, PositionError
from conspirator._game import Game
from conspirator._native import Position

MISSING = "OpenSpiel is not installed: pip install open_spiel"

Evaluator = Callable[[Any], float]
"""A function from a state of OpenSpiel's to a static value from the side of its player 0."""


class State:
    """A state of OpenSpiel's that nobody changes, with what has been asked of it.

    Its text is the line of moves that led to it, which `position` reads.
    """

    def __init__(self, state: Any) -> None:
        self.state = state
        """OpenSpiel's own object; do not change it."""

    @cached_property
    def actions(self) -> dict[Any, int]:
        """OpenSpiel's numbers of the legal moves by their names; by themselves if two have one name."""
        numbers = self.state.legal_actions()
        player = self.state.current_player()
        named = {self.state.action_to_string(player, number): number for number in numbers}
        return named if len(named) == len(numbers) else {number: number for number in numbers}

    @cached_property
    def key(self) -> tuple[Any, ...]:
        """What tells states apart.

        The picture does not always: OpenSpiel's pictures of Chinese checkers leave out where a hop began, and
        those of games that end after so many moves leave out their number.
        """
        state = self.state
        return str(state), state.current_player(), state.move_number(), tuple(state.legal_actions())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    def __str__(self) -> str:
        before = self.state.get_game().new_initial_state()
        names = []
        for number in self.state.history():
            names += [str(name) for name, action in State(before).actions.items() if action == number]
            before = before.child(number)
        return " ".join(names)

    def __repr__(self) -> str:
        return repr(str(self))


class OpenSpielGame(Game):
    """A game of OpenSpiel's; `from_open_spiel` makes it."""

    def __init__(self, game: Any, evaluate: Evaluator | None, playouts: int, seed: int) -> None:
        import pyspiel

        self.game = game
        """OpenSpiel's own object."""
        self.value_range = (game.min_utility(), game.max_utility())  # type: ignore[misc]
        self._settings = (str(game), evaluate, playouts, seed)
        self._seed = str(seed).encode()
        self._playouts = playouts
        self._make_player, self._play_game = pyspiel.make_uniform_random_bot, pyspiel.evaluate_bots
        if evaluate is not None:
            self._evaluator = evaluate
            self.evaluate = self._ask_user  # type: ignore[method-assign]
        elif playouts:
            self.evaluate = self._play_out  # type: ignore[method-assign]

    def start(self) -> State:  # type: ignore[override]
        """Return the first state."""
        return State(self.game.new_initial_state())

    def position(self, state: Any = "", to_move: Literal["max", "min"] = "max") -> Position:  # noqa: ARG002
        """Return the position after a line of moves, or that of a state of OpenSpiel's.

        Moves are written as OpenSpiel writes them, or as its numbers, with spaces or commas between them.
        """
        if isinstance(state, str):
            state = self._read(state)
        elif not isinstance(state, State):
            if str(getattr(state, "get_game", lambda: None)()) != str(self.game):
                raise ArgumentError(f"a position is a line of moves or a state of {self.game}, not {state!r}")
            state = State(state.clone())
        return super().position(state)

    def _read(self, text: str) -> State:
        state, rest, number = self.game.new_initial_state(), text.lstrip(" ,"), 1
        while rest:
            actions = {} if state.is_terminal() else State(state).actions
            names = {str(name): action for name, action in actions.items()}
            names = {str(action): action for action in actions.values()} | names
            fitting = [name for name in names if (rest + " ").startswith((f"{name} ", f"{name},"))]
            if not fitting:
                few = ", ".join(list(map(str, actions))[:8])
                legal = f"legal: {few}{', ...' * (len(actions) > 8)}" if actions else "the game is over"
                raise PositionError(f"move {number} of {text!r} is not legal; {legal}")
            name = max(fitting, key=len)
            state = state.child(names[name])
            rest, number = rest[len(name) :].lstrip(" ,"), number + 1
        return State(state)

    def moves(self, state: State) -> list[Any]:
        """Return OpenSpiel's names of the legal moves, or its numbers where the names are not clear."""
        return list(state.actions)

    def play(self, state: State, move: Any) -> State:
        """Return the state after a move."""
        return State(state.state.child(state.actions[move]))

    def outcome(self, state: State) -> float | None:
        """Return what player 0 gets, if the game is over."""
        return float(state.state.player_return(0)) if state.state.is_terminal() else None

    def to_move(self, state: State) -> Literal["max", "min"]:
        """Return who moves; player 0 is Max."""
        return "min" if state.state.current_player() == 1 else "max"

    def key(self, state: State) -> tuple[Any, ...]:
        """Return the picture, the player, the number of moves made, and the legal ones."""
        return state.key

    def show(self, state: State) -> str:
        """Return OpenSpiel's picture."""
        return str(state.state)

    def _ask_user(self, state: State) -> float:
        return self._evaluator(state.state)

    def _play_out(self, state: State) -> float:
        """Return the mean result of random games, drawn to the middle as if one more had ended there.

        So no static value is as high as a win. The same state has the same value in every search.
        """
        digest = blake2b(repr(state.key).encode(), digest_size=4, key=self._seed[:64])
        seed = int.from_bytes(digest.digest(), "big") >> 2
        players = [self._make_player(0, 2 * seed), self._make_player(1, 2 * seed + 1)]
        total = sum(self._play_game(state.state.clone(), players, 0)[0] for _ in range(self._playouts))
        low, high = self.value_range
        return float(total + (low + high) / 2) / (self._playouts + 1)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OpenSpielGame) and self._settings == other._settings

    def __hash__(self) -> int:
        return hash(self._settings[0])

    def __repr__(self) -> str:
        return f"from_open_spiel({self._settings[0]!r})"


def from_open_spiel(
    game: Any, /, *, evaluate: Evaluator | None = None, playouts: int = 4, seed: int = 1
) -> OpenSpielGame:
    """Return a game of OpenSpiel's, by its name, with parameters if there are any, or as its own object.

    Any of its games will do that two players play in turns, with nothing hidden and nothing left to chance,
    and in which one wins what the other loses. Player 0 is Max. Static values come from `evaluate`, a
    function of OpenSpiel's state; without it from `playouts` random games for each position, which `seed`
    decides; with `playouts=0` all are 0. OpenSpiel is an optional package:
    `pip install open_spiel`.

    >>> import conspirator as cn
    >>> game = cn.games.from_open_spiel("breakthrough(rows=5,columns=4)")
    >>> position = game.position("a5a4 b1b2")
    >>> position.to_move, position.moves()[:3]
    ('max', ['b5b4', 'b5c4', 'c5b4'])
    >>> cn.search(position, "best-first", expansions=100).move in position.moves()
    True
    """
    try:
        import pyspiel
    except ImportError:
        raise ArgumentError(MISSING) from None
    for name, number in (("playouts", playouts), ("seed", seed)):
        if isinstance(number, bool) or not isinstance(number, int) or number < 0:
            raise ArgumentError(f"{name} must be a whole number from 0 up, not {number!r}")
    if evaluate is not None and not callable(evaluate):
        raise ArgumentError(f"evaluate must be a function, not {evaluate!r}")
    if isinstance(game, str):
        game = _load(pyspiel, game)
    elif not isinstance(game, pyspiel.Game):
        raise ArgumentError(f"a game of OpenSpiel's is a name or a pyspiel.Game, not {game!r}")
    fault = _fault(pyspiel, game)
    if fault is not None:
        raise GameError(f"{game.get_type().short_name} of OpenSpiel cannot be searched: {fault}")
    return OpenSpielGame(game, evaluate, playouts, seed)


def _load(pyspiel: Any, text: str) -> Any:
    known = pyspiel.registered_names()
    name = text.partition("(")[0]
    if name not in known:  # OpenSpiel itself would print the whole list
        near = get_close_matches(name, known, 1)
        hint = f"did you mean {near[0]!r}?" if near else "pyspiel.registered_names() lists them"
        raise ArgumentError(f"OpenSpiel has no game {name!r}; {hint}")
    try:
        return pyspiel.load_game(text)
    except (pyspiel.SpielError, RuntimeError, ValueError) as error:
        reason = " ".join(str(error).split())
        raise ArgumentError(f"OpenSpiel cannot make {text!r}: {reason}") from None


def _fault(pyspiel: Any, game: Any) -> str | None:
    """Return why a game cannot be searched, or None."""
    about, kinds = game.get_type(), pyspiel.GameType
    if game.num_players() != 2:
        return f"it has {game.num_players()} player{'s' * (game.num_players() != 1)}, not 2"
    if about.dynamics != kinds.Dynamics.SEQUENTIAL:
        return "its players move at the same time, not in turns"
    if about.chance_mode != kinds.ChanceMode.DETERMINISTIC:
        return "it leaves something to chance"
    if about.information != kinds.Information.PERFECT_INFORMATION:
        return "its players do not see everything"
    if about.utility != kinds.Utility.ZERO_SUM:
        return "one player does not win what the other loses (it is not zero-sum)"
    return None


__all__ = ["OpenSpielGame", "from_open_spiel"]
