"""How good stated probabilities are on sampled positions: one table as CSV.

    python evidence/certainty/measure.py connect-four 400 > connect-four.csv      # needs bitbully
    python evidence/certainty/measure.py connect-four-random 1000 > connect-four-random.csv
    python evidence/certainty/measure.py 'connect-four network' 400 > connect-four-network.csv
    python evidence/certainty/measure.py random-tree 400 > random-tree.csv
    python evidence/certainty/measure.py othello 60 > othello.csv                # any field of it

Positions are those of `conspirator reproduce calibration`; the truth about Connect-Four is bitbully's. Those
of `connect-four-random` and `connect-four network-random` are after 10 to 18 moves, all of them random;
nothing was fitted on them.
"""

import csv
import platform
import sys
from pathlib import Path
from random import Random

import conspirator as cn
from conspirator.certainty.calibrate import Root, Sampler
from conspirator.certainty.truth import Truth
from conspirator.experiments.calibration import FIELDS, SEED, judge, row

COLUMNS = (
    "game,search,expansions,positions,right,stated,ECE,ECE by chance,log loss,loss of margin,loss of share,"
    "loss of leaves,AUC,AUC of margin,AUC of share,AUC of leaves,open,AUC of open,open AUC of margin,"
    "log loss of open"
)


def roots_of(name: str, count: int) -> tuple[list[Root], dict, str | None]:
    """Return positions with the truth about them, the searches, and the evaluator."""
    field = next(field for field in FIELDS if field.title == name.removesuffix("-random"))
    if not name.startswith("connect-four"):
        found = [root for number in range(count) if (root := field.root(number)) is not None]
        return found, field.searches, field.evaluator
    sys.path.insert(0, str(Path(__file__).parents[2] / "examples"))
    from bitbully_truth import outcome

    game = field.game(0)
    truth = Truth(game, solver=outcome)
    if name.endswith("-random"):
        chosen = (random_position(game, Random(SEED * 1000 + n)) for n in range(count))
        solved = ((position, truth.moves(position)) for position in chosen)
        found = [Root(position, all_) for position, all_ in solved if all_]
    else:
        samplers = (
            Sampler(game, field.evaluator, truth, (10, 22), Random(SEED * 1000 + n)) for n in range(count)
        )
        found = [root for sampler in samplers if (root := sampler.root())]
    return found, field.searches, field.evaluator


def random_position(game: cn.games.NativeGame, random: Random) -> cn.Position:
    """Return a position of random play that is not over."""
    while True:
        position = game.start()
        for _ in range(random.randint(10, 18)):
            if position.outcome is None:
                position = position.play(random.choice(position.moves()))
        if position.outcome is None:
            return position


def main(name: str, count: int, budgets: list[int]) -> None:
    """Write the table."""
    roots, searches, evaluator = roots_of(name, count)
    out = csv.writer(sys.stdout)
    print(f"# python evidence/certainty/measure.py {' '.join(sys.argv[1:])}")
    print(f"# conspirator {cn.__version__}, {platform.machine()}, Python {platform.python_version()}")
    print(COLUMNS)
    for search, settings in searches.items():
        for budget in budgets:
            judged = [judge(root, search, settings, budget, evaluator) for root in roots]
            out.writerow(row(name, search, budget, [one for one in judged if one is not None]))
            sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), [int(n) for n in sys.argv[3:]] or [300])
