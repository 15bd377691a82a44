"""Why is least certainty so weak in Othello? Games against best-first minimax with other static values.

    python evidence/papers/utgoff_othello_why.py [GAMES [EXPANSIONS]] > evidence/papers/utgoff-othello-why.csv

Both players have the same values and the same number of expansions for a move. The values:

    mobility     the game's own: places, moves and frontier
    tempo        the same, and a constant for the player to move, so that values rise as much as they fall
                 from ply to ply
    discs        the difference of discs
    smooth       the mean of the value and of that after the reply that looks best: the swing between odd and
                 even plies cancels out
    network      an n-tuple network that has learnt by games
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Callable
from random import Random
from statistics import fmean

import conspirator as cn

Value = Callable[[cn.Position], float]


def own(position: cn.Position) -> float:
    """Return the game's own static value."""
    return position.evaluate("mobility")


def network(position: cn.Position) -> float:
    """Return what the network says."""
    return position.evaluate("network")


def discs(position: cn.Position) -> float:
    """Return Black's discs less White's."""
    board = position.notation().split()[0]
    return float(board.count("X") - board.count("O"))


def sign(position: cn.Position) -> int:
    """Return 1 if Max is to move."""
    return 1 if position.to_move == "max" else -1


def smooth(position: cn.Position) -> float:
    """Return the mean of a value and that after the best reply."""
    after = [own(position.play(move)) for move in position.moves()]
    best = max(after) if position.to_move == "max" else min(after)
    return (own(position) + best) / 2


def swing(value: Value, positions: list[cn.Position]) -> float:
    """Return how much the player to move gains by the best reply, on average: half of it is the tempo."""
    gains = []
    for position in positions:
        after = [sign(position) * value(position.play(move)) for move in position.moves()]
        gains.append(max(after) - sign(position) * value(position))
    return fmean(gains)


def sample(count: int) -> list[cn.Position]:
    """Return positions of random games."""
    random, found = Random(5), []
    while len(found) < count:
        position = cn.games.Othello().start()
        for _ in range(random.randint(6, 50)):
            if position.outcome is None:
                position = position.play(random.choice(position.moves()))
        if position.outcome is None:
            found.append(position)
    return found


class Values(cn.Evaluator):
    """Values of a function."""

    value_range = (-64, 64)

    def __init__(self, value: Value) -> None:
        self.value = value

    def evaluate(self, positions: list[cn.Position]) -> list[float]:
        """Return the values, inside the game's range."""
        return [min(max(self.value(position), -64), 64) for position in positions]


def main() -> None:
    """Print a row for each kind of values and each form of least certainty."""
    games, expansions = (int(word) for word in (sys.argv[1:] + ["60", "100"][len(sys.argv) - 1 :]))
    positions = sample(400)
    tempo = swing(own, positions) / 2
    # with the tempo a position is worth more to the player to move, as much as a move brings
    values: dict[str, Value] = {
        "mobility": own,
        "tempo": lambda position: own(position) + sign(position) * tempo,
        "discs": discs,
        "smooth": smooth,
        "network": network,
    }
    openings = []
    random = Random(3)
    for _ in range(games // 2):
        position = cn.games.Othello().start()
        for _ in range(6):
            position = position.play(random.choice(position.moves()))
        openings.append(position)
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["values", "rises by", "least-certainty", "games", "wins", "losses", "draws"])
    for name, value in values.items():
        rise = swing(value, positions)
        for variant in ("published", "best"):
            evaluator = Values(value)
            least = cn.Player("least-certainty", variant=variant, evaluator=evaluator, expansions=expansions)
            best = cn.Player("best-first", evaluator=evaluator, expansions=expansions)
            points = []
            for opening in openings:
                for first in (least, best):
                    players = {"max": first, "min": best if first is least else least}
                    position = opening
                    while position.outcome is None:
                        position = position.play(players[position.to_move].move(position))
                    points.append((position.outcome > 0) - (position.outcome < 0))
                    points[-1] *= 1 if first is least else -1
            score = [points.count(1), points.count(-1), points.count(0)]
            out.writerow([name, f"{rise:.2f}", variant, len(points), *score])
            sys.stdout.flush()


if __name__ == "__main__":
    main()
