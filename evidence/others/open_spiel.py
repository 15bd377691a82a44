"""Plays the first player of a game against OpenSpiel's Monte Carlo tree search in C++, at equal CPU time.

    python evidence/others/open_spiel.py GAME [GAMES [SECONDS]] > evidence/others/open-spiel-GAME.csv

GAME is connect-four, othello, hex, amazons, chess, or a game that only OpenSpiel has: breakthrough, clobber.
There our player is `prior-penalty` with four random games for each position, because a static value is
missing.

OpenSpiel's search has random games as evaluation, one for each simulation, an exploration constant of 2, and
proves what it can. It gets simulations and not time, so many that its CPU time follows ours: after every move
the number is corrected by what was measured. The last columns are the CPU seconds that both took. Each
opening of random moves is played twice, with the colours swapped. Results are by OpenSpiel's rules. It needs
open_spiel and chess.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Callable
from random import Random
from time import process_time
from typing import Any

import chess
import pyspiel

import conspirator as cn

PLAYER, RIVAL = "conspirator", "open-spiel"


def amazons_actions(state: Any, move: str) -> list[int]:
    """Return the three actions of a move such as d1-d7-g7; OpenSpiel counts rows from the top."""
    actions = []
    for square in move.split("-"):
        place = f"({11 - int(square[1:])}, {ord(square[0]) - ord('a') + 1})"
        found = [a for a in state.legal_actions() if state.action_to_string(a).endswith(place)]
        actions += found
        state = state.clone()
        state.apply_action(found[0])
    return actions


def chess_actions(state: Any, move: str) -> list[int]:
    """Return the action that leads to the same board."""
    board = chess.Board(str(state))
    board.push_uci(move)
    after = board.fen().split()[:2]
    for action in state.legal_actions():
        if str(state.child(action)).split()[:2] == after:
            return [action]
    raise SystemExit(f"OpenSpiel has no move {move} in {state}")


def named_actions(state: Any, move: str) -> list[int]:
    """Return the action of that name."""
    return [a for a in state.legal_actions() if state.action_to_string(a).lower() == move]


Table = dict[str, tuple[str, Any, Callable[[Any, str], list[int]], int]]
GAMES: Table = {
    "connect-four": ("connect_four", cn.games.ConnectFour(), lambda _, move: [int(move) - 1], 4),
    "othello": ("othello", cn.games.Othello(), named_actions, 6),
    "hex": ("hex(board_size=11)", cn.games.Hex(size=11), named_actions, 2),
    "amazons": ("amazons", cn.games.Amazons(), amazons_actions, 2),
    "chess": ("chess", cn.games.Chess(), chess_actions, 4),
    "breakthrough": ("breakthrough", None, named_actions, 4),
    "clobber": ("clobber(rows=5,columns=6)", None, named_actions, 2),
}


class Rival:
    """OpenSpiel's search, kept at a CPU time for each turn."""

    def __init__(self, game: Any, seed: int) -> None:
        self.game, self.seed = game, seed
        self.rate = 2000.0

    def actions(self, state: Any, seconds: float) -> list[int]:
        """Return the actions of one turn: in Amazons there are three."""
        actions: list[int] = []
        mover, state = state.current_player(), state.clone()
        parts = 3 if self.game.get_type().short_name == "amazons" else 1
        while not state.is_terminal() and state.current_player() == mover and len(actions) < parts:
            legal = state.legal_actions()
            if len(legal) == 1:
                action = legal[0]
            else:
                self.seed += 1
                evaluator = pyspiel.RandomRolloutEvaluator(1, self.seed)
                count = max(int(self.rate * seconds / parts), 2)
                bot = pyspiel.MCTSBot(self.game, evaluator, 2.0, count, 1000, True, self.seed, False)
                begun = process_time()
                action = bot.step(state)
                took = process_time() - begun
                # a search that has a proof ends early, and must not raise the number much
                self.rate += 0.5 * (min(count / took, 2 * self.rate) - self.rate)
            actions.append(action)
            state.apply_action(action)
        return actions


def main() -> None:
    """Print a row for each game."""
    name, games, seconds = sys.argv[1], int((sys.argv[2:] or ["20"])[0]), float((sys.argv[3:] or ["0.1"])[0])
    theirs, native, actions_of, plies = GAMES[name]
    game = pyspiel.load_game(theirs)
    ours = native or cn.games.from_open_spiel(theirs)
    if native:
        player = next(iter(cn.players(name).values())).but(cpu_seconds=seconds)
    else:
        player = cn.Player("prior-penalty", cpu_seconds=seconds)
    out = csv.writer(sys.stdout, lineterminator="\n")
    head = ["max_player", "min_player", "opening", "points", "moves", "max_seconds", "min_seconds"]
    out.writerow(head)
    random, rival = Random(7), Rival(game, 1)
    for _ in range((games + 1) // 2):
        opening = ours.start()
        played: list[str] = []
        while len(played) < plies:
            move = random.choice(opening.moves())
            played.append(str(move))
            opening = opening.play(move)
        for swapped in (False, True):
            position, state, moves, spent = opening, game.new_initial_state(), list(played), [0.0, 0.0]
            for move in played:
                for action in actions_of(state, move):
                    state.apply_action(action)
            while not state.is_terminal():
                first = position.to_move == "max"
                begun = process_time()
                if first != swapped:
                    move = player.move(position)
                    spent[not first] += process_time() - begun
                    actions = actions_of(state, str(move))
                else:
                    actions = rival.actions(state, seconds)
                    spent[not first] += process_time() - begun
                    move = next(m for m in position.moves() if actions_of(state, str(m)) == actions)
                for action in actions:
                    state.apply_action(action)
                position = position.play(move)
                moves.append(str(move))
            points = (state.player_return(0) + 1) / 2
            if name == "chess":  # OpenSpiel's player 0 is Black
                points = (state.player_return(1) + 1) / 2
            names = (RIVAL, PLAYER) if swapped else (PLAYER, RIVAL)
            times = [f"{x:.2f}" for x in spent]
            out.writerow([*names, " ".join(played), points, " ".join(moves[plies:]), *times])
            sys.stdout.flush()


if __name__ == "__main__":
    main()
