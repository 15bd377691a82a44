"""Games between two searches: who chooses which move, how the game ends, and the score of many games."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import conspirator as cn
from conspirator.experiments.work import grow


@dataclass(frozen=True)
class Player:
    """A search with its parameters, and what it may spend on each of its moves.

    >>> import conspirator as cn
    >>> Player("best-first", "best-first", {"expansions": 100}).move(cn.games.ConnectFour().start())
    '4'
    """

    name: str
    """What tables call it."""
    search: str
    """The name of the search, one of `cn.searches()`."""
    budget: Mapping[str, float]
    """Limits as `cn.search` takes them: expansions, nodes, move_calls, seconds, ...; may be none at all."""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    """The search's own parameters."""

    def move(self, position: cn.Position) -> Any:
        """Return the move that the player makes."""
        moves = position.moves()
        if len(moves) == 1:  # nothing to think about
            return moves[0]
        return grow(position, self.search, **self.budget, **self.parameters).move


@dataclass(frozen=True)
class Game:
    """A game that has been played."""

    moves: tuple[Any, ...]
    """The moves after the opening."""
    outcome: float
    """The value of its end, from Max's side."""


def play(opening: cn.Position, max_player: Player, min_player: Player) -> Game:
    """Play a game from a position to its end.

    Nothing is kept from one move to the next. Unless a budget is in seconds, the same players play the same
    game every time.

    >>> import conspirator as cn
    >>> black = Player("deep", "alpha-beta", {}, {"depth": 4})
    >>> red = Player("shallow", "alpha-beta", {}, {"depth": 1, "first_depth": 1})
    >>> game = play(cn.games.ConnectFour().position("44"), black, red)
    >>> game.outcome, len(game.moves)
    (1023.0, 9)
    """
    position, moves = opening, []
    while (outcome := position.outcome) is None:
        move = (max_player if position.to_move == "max" else min_player).move(position)
        moves.append(move)
        position = position.play(move)
    return Game(tuple(moves), float(outcome))


@dataclass(frozen=True)
class Score:
    """How many games one side has won, lost and drawn."""

    wins: int = 0
    losses: int = 0
    draws: int = 0

    def __add__(self, other: Score) -> Score:
        return Score(self.wins + other.wins, self.losses + other.losses, self.draws + other.draws)

    def __str__(self) -> str:
        return f"{self.wins}-{self.losses}-{self.draws}"

    @property
    def games(self) -> int:
        """How many games there were."""
        return self.wins + self.losses + self.draws

    @property
    def points(self) -> float:
        """The part of the points that was won: a draw is half a win.

        >>> Score(2, 1, 1).points
        0.625
        """
        return (self.wins + self.draws / 2) / self.games

    @property
    def error(self) -> float:
        """The standard error of the points, as if all games were independent."""
        mean, wins, draws = self.points, self.wins / self.games, self.draws / self.games
        variance = wins + draws / 4 - mean**2
        return float((variance / self.games) ** 0.5)


def play_pair(opening: cn.Position, player: Player, opponent: Player, level: float = 0.0) -> Score:
    """Play two games, each player beginning one; return the player's score.

    A game is won for Max if its value is above the level, and drawn if it is that.
    """
    ends = (
        play(opening, player, opponent).outcome - level,
        level - play(opening, opponent, player).outcome,
    )
    return total(Score(end > 0, end < 0, end == 0) for end in ends)


def total(scores: Iterable[Score]) -> Score:
    """Return the sum of scores.

    >>> print(total([Score(2, 0, 0), Score(0, 1, 1)]))
    2-1-1
    """
    return sum(scores, Score())
