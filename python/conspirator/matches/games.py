"""One game: who chooses which move, when it is over, and what is written down."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from conspirator._errors import ArgumentError
from conspirator._native import Position
from conspirator._players import Player
from conspirator._solve_proof import middle
from conspirator.matches.engines import EngineError, EngineTimeout
from conspirator.matches.opponents import Answer, Opponent
from conspirator.matches.scores import Score, total


@dataclass(frozen=True)
class Adjudication:
    """When a game ends before its end.

    >>> Adjudication(max_plies=60, value=300, plies=4)
    Adjudication(max_plies=60, value=300, plies=4, proven=False, forfeits=False)
    """

    max_plies: int | None = None
    """A game with so many moves after the opening is a draw."""
    value: float | None = None
    """Won, once both players have seen a value so far beyond a draw, for the same side ..."""
    plies: int = 4
    """... on so many moves in a row."""
    proven: bool = False
    """Over, once a search has proven its value."""
    forfeits: bool = False
    """Lost for an engine that ends or makes a move that is not legal; else that ends the match. One that does
    not answer in time loses the game in any case."""

    def __post_init__(self) -> None:
        for name, limit, least in (("max_plies", self.max_plies, 1), ("plies", self.plies, 2)):
            if limit is not None and not (isinstance(limit, int) and limit >= least):
                raise ArgumentError(
                    f"{name} of the adjudication must be a whole number from {least} up, not {limit!r}"
                )
        if self.value is not None and not self.value > 0:
            raise ArgumentError(f"the value of the adjudication must be above 0, not {self.value!r}")


NO_ADJUDICATION = Adjudication()
FORFEIT = "forfeit"
"""How the reason begins why a game ended that an engine did not play to its end."""


def is_forfeit(reason: str) -> bool:
    """Tell whether an engine did not play a game to its end.

    >>> is_forfeit("forfeit: the engine 'x' ended after 'go'"), is_forfeit("over")
    (True, False)
    """
    return reason.startswith(FORFEIT)


@dataclass
class Played:
    """A game that has been played."""

    moves: list[Any] = field(default_factory=list)
    """The moves after the opening."""
    sides: list[str] = field(default_factory=list)
    """Who made each of them: 'max' or 'min'."""
    answers: list[Answer] = field(default_factory=list)
    """What was said with each of them."""
    outcome: float | None = None
    """The value of its end, from Max's side; None if it was not played to the end."""
    points: float = 0.5
    """Max's points: 1, 0.5 or 0."""
    reason: str = ""
    """Why it ended: 'over', 'proven', 'value', 'max plies', 'resigned', or 'forfeit: ' and what happened."""


def play(
    opening: Position,
    max_player: Player,
    min_player: Player,
    *,
    adjudication: Adjudication = NO_ADJUDICATION,
    seed: int | None = None,
    level: float | None = None,
    opponents: tuple[Opponent, Opponent] | None = None,
    start: tuple[Position, list[Any]] | None = None,
    tick: Callable[[], object] = lambda: None,
) -> Played:
    """Play a game from a position to its end.

    Nothing is kept from one move to the next. Unless a budget is in seconds, the same players play the same
    game every time. `level` is the value of a draw: the middle of the game's values unless given. Engines
    that are running already come as `opponents`; they are told where the game began, `start`. `tick` is
    called before every move.

    >>> import conspirator as cn
    >>> deep = cn.Player("alpha-beta", depth=4)
    >>> shallow = cn.Player("alpha-beta", depth=1, first_depth=1)
    >>> game = play(cn.games.ConnectFour().position("44"), deep, shallow)
    >>> game.outcome, len(game.moves), game.points, game.reason
    (1023.0, 9, 1, 'over')
    """
    if level is None:
        level = middle(*opening.value_range)
    players = (max_player, min_player)
    both = opponents or tuple(player.open(opening.game, seed) for player in players)
    try:
        return _play(opening, both[0], both[1], adjudication, level, start or (opening, []), tick)
    finally:
        if opponents is None:
            for one in both:
                one.close()


def _play(
    position: Position,
    max_player: Opponent,
    min_player: Opponent,
    adjudication: Adjudication,
    level: float,
    start: tuple[Position, list[Any]],
    tick: Callable[[], object],
) -> Played:
    played, seen = Played(), list[tuple[bool, float]]()
    for one in (max_player, min_player):
        one.begin(*start)
    while (outcome := position.outcome) is None:
        tick()
        is_max = position.to_move == "max"
        try:
            answer = (max_player if is_max else min_player).choose(position)
        except EngineError as error:
            return _forfeited(played, float(not is_max), error, adjudication)
        if answer.move is None:
            played.points, played.reason = float(not is_max), "resigned"
            return played
        played.moves.append(answer.move)
        played.sides.append(position.to_move)
        played.answers.append(answer)
        if answer.value is not None:  # a move without a choice says nothing, and is passed over
            seen.append((is_max, answer.value))
        for one in (max_player, min_player):
            try:
                one.hear(position, answer.move)
            except EngineError as error:
                return _forfeited(played, float(one is min_player), error, adjudication)
        position = position.play(answer.move)
        if (verdict := _adjudge(played, seen, adjudication, level)) and position.outcome is None:
            played.points, played.reason = verdict
            return played
    played.outcome, played.reason = float(outcome), "over"
    played.points = points_of(played.outcome, level)
    return played


def _forfeited(played: Played, points: float, error: EngineError, rules: Adjudication) -> Played:
    """Return a game that an engine has not played to its end, if that is no reason to end the match."""
    if not rules.forfeits and not isinstance(error, EngineTimeout):
        raise error
    played.points, played.reason = points, f"{FORFEIT}: {error}"
    return played


def points_of(value: float, level: float) -> float:
    """Return Max's points for a value: 1 above the level, 0 below it, half for a draw."""
    return 1 if value > level else 0 if value < level else 0.5


def _adjudge(
    played: Played, seen: list[tuple[bool, float]], rules: Adjudication, level: float
) -> tuple[float, str] | None:
    """Return Max's points and the reason, if the game ends after its last move."""
    last = played.answers[-1]
    if rules.proven and last.proven and last.value is not None:
        return points_of(last.value, level), "proven"
    if rules.value is not None and len(seen) >= rules.plies:
        sides, values = zip(*seen[-rules.plies :], strict=True)
        if len(set(sides)) == 2 and min(values) - level >= rules.value:
            return 1, "value"
        if len(set(sides)) == 2 and level - max(values) >= rules.value:
            return 0, "value"
    if rules.max_plies is not None and len(played.moves) >= rules.max_plies:
        return 0.5, "max plies"
    return None


def play_pair(opening: Position, player: Player, opponent: Player, level: float = 0.0) -> Score:
    """Play two games, each player beginning one; return the player's score.

    A game is won for Max if its value is above the level, and drawn if it is that.
    """
    first = play(opening, player, opponent, level=level)
    second = play(opening, opponent, player, level=level)
    return total([Score.of(first.points), -Score.of(second.points)])
