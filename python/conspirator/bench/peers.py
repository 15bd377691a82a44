"""Other packages on the same game, in the same run: `pip install bitbully easyAI open_spiel numpy`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import conspirator as cn
from conspirator.bench import bitboards
from conspirator.bench.judge import judge
from conspirator.bench.measure import Row, best_rate
from conspirator.bench.perft import perft
from conspirator.bench.python_games import python_games
from conspirator.bench.siblings import solvers

MISSING = "the peers are not installed: pip install bitbully easyAI open_spiel numpy"


def peers(seconds: float = 1.0) -> list[Row]:
    """Return what other packages do in a second and how often that goes into ours, mostly on Connect-Four."""
    try:
        import bitbully  # noqa: F401
        import easyAI  # noqa: F401
        import pyspiel  # noqa: F401
    except ImportError:
        raise cn.ArgumentError(MISSING) from None
    start = cn.games.ConnectFour().start()
    ours = best_rate(lambda: cn.search(start, "best-first", expansions=100_000).nodes, seconds)
    rows = [Row("conspirator best-first", ours, "nodes/s", note="100,000 expansions")]
    for name, note, work in (
        ("OpenSpiel MCTS (C++)", "20,000 simulations, one random playout each", _open_spiel_native()),
        ("OpenSpiel MCTS (Python)", "500 simulations, one random playout each", _open_spiel_python()),
        ("easyAI Negamax, its own game", "depth 4; nodes are calls of make_move", _easy_ai(own_game=True)),
    ):
        rate = best_rate(work, seconds, least=2)
        rows.append(Row(name, rate, "nodes/s", ours / rate, "ours are this many times as many", note))
    easy = best_rate(_easy_ai(own_game=False), seconds, least=2)
    note = "depth 5; the same bitboards in Python"
    rows.append(Row("easyAI Negamax, bitboards", easy, "nodes/s", ours / easy, rows[-1].reference, note))
    for row in python_games(seconds):
        rows.append(Row(row.name, row.rate, row.unit, row.rate / easy, "times easyAI on bitboards", row.note))
    return [*rows, *perft(seconds), *solvers(seconds), *judge(seconds)]


def _count_nodes(root: Any) -> int:
    count, pending = 0, [root]
    while pending:
        node = pending.pop()
        count += 1
        pending.extend(node.children)
    return count


def _open_spiel_native() -> Callable[[], float]:
    import pyspiel

    game = pyspiel.load_game("connect_four")
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)

    def work() -> float:
        bot = pyspiel.MCTSBot(game, evaluator, 2.0, 20_000, 1_000, True, 1, False)
        return _count_nodes(bot.mcts_search(game.new_initial_state()))

    return work


def _open_spiel_python() -> Callable[[], float]:
    import numpy as np
    import pyspiel
    from open_spiel.python.algorithms import mcts

    game = pyspiel.load_game("connect_four")
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))

    def work() -> float:
        bot = mcts.MCTSBot(game, 2.0, 500, evaluator, solve=True)
        return _count_nodes(bot.mcts_search(game.new_initial_state()))

    return work


def _easy_ai(own_game: bool) -> Callable[[], float]:
    import easyAI
    from easyAI.games import ConnectFour

    base: Any = ConnectFour if own_game else _easy_ai_bitboards()

    class Counting(base):  # type: ignore[misc]
        count = 0

        def make_move(self, move: Any) -> Any:
            Counting.count += 1
            return super().make_move(move)

    depth = 4 if own_game else 5

    def work() -> float:
        Counting.count = 0
        ai = easyAI.Negamax(depth)
        Counting([easyAI.AI_Player(ai), easyAI.AI_Player(ai)]).get_move()
        return Counting.count

    return work


def _easy_ai_bitboards() -> Any:
    from easyAI import TwoPlayerGame

    class Bitboards(TwoPlayerGame):  # type: ignore[misc]
        """The bitboards of `PythonConnectFour` in easyAI's style: moves are made and taken back."""

        def __init__(self, players: Any) -> None:
            self.players = players
            self.current_player = 1
            self.stones = [0, 0]
            self.history: list[int] = []

        def possible_moves(self) -> list[int]:
            taken = self.stones[0] | self.stones[1]
            return [column for column, top in bitboards.TOPS if not taken & top]

        def make_move(self, column: int) -> None:
            taken = self.stones[0] | self.stones[1]
            cell = taken + (1 << 7 * column) & 0x3F << 7 * column & ~taken
            self.stones[self.current_player - 1] |= cell
            self.history.append(cell)

        def unmake_move(self, _: int) -> None:
            self.stones[self.current_player - 1] ^= self.history.pop()

        def lost(self) -> bool:
            return bitboards.has_four(self.stones[2 - self.current_player])

        def is_over(self) -> bool:
            return self.lost() or self.stones[0] | self.stones[1] == bitboards.CELLS

        def scoring(self) -> float:
            black_to_move = self.current_player == 1
            if self.lost():
                return -511
            value = bitboards.evaluate(self.stones[0], self.stones[1], black_to_move) - 512
            return value if black_to_move else -value

        def show(self) -> None:
            """Print nothing."""

    return Bitboards
