"""Bots of OpenSpiel as players: `open-spiel:mcts`, and those that it registers."""

from __future__ import annotations

from time import perf_counter
from typing import Any

from conspirator._errors import ArgumentError
from conspirator._native import Position
from conspirator._open_spiel import OpenSpielGame
from conspirator._players import Player
from conspirator.matches.opponents import Answer

MCTS = {"simulations": 1000, "exploration": 2.0, "seed": 1}
"""The settings of OpenSpiel's own Monte Carlo search."""


class Bot:
    """A bot, which sees states and says what it does."""

    def __init__(self, player: Player, game: Any) -> None:
        if not isinstance(game, OpenSpielGame):
            raise ArgumentError(
                f"{player.name} plays games of OpenSpiel only, such as open-spiel:breakthrough"
            )
        import pyspiel

        name, settings = str(player.command), player.parameters
        known = MCTS if name == "mcts" else {}
        if wrong := settings.keys() - known.keys():
            raise ArgumentError(f"the bot {name} has no setting {min(wrong)!r}")
        self._bots: list[Any] = []
        for place in (0, 1):
            if name == "mcts":
                chosen = {**MCTS, **settings}
                evaluator = pyspiel.RandomRolloutEvaluator(1, int(chosen["seed"]))
                bot = pyspiel.MCTSBot(
                    game.game, evaluator, float(chosen["exploration"]), int(chosen["simulations"]),
                    1000, True, int(chosen["seed"]), False,
                )  # fmt: skip
            elif name in pyspiel.registered_bots():
                bot = pyspiel.load_bot(name, game.game, place)
            else:
                names = ", ".join(["mcts", *pyspiel.registered_bots()])
                raise ArgumentError(f"OpenSpiel has no bot {name!r}: there are {names}")
            self._bots.append(bot)

    def begin(self, start: Position, moves: list[Any]) -> None:
        """Nothing to do: a bot is shown the state."""

    def hear(self, position: Position, move: Any) -> None:
        """Nothing to do."""

    def close(self) -> None:
        """Nothing to do."""

    def choose(self, position: Position) -> Answer:
        """Ask the bot."""
        begun = perf_counter()
        state = position.state
        action = self._bots[state.state.current_player()].step(state.state.clone())
        move = next(move for move, number in state.actions.items() if number == action)
        return Answer(move, seconds=perf_counter() - begun)
