"""Small checks of what the papers of some searches claim: one JSON object for each.

    python evidence/field/measure.py pn-mcts > evidence/field/pn-mcts.json       # needs open_spiel
    python evidence/field/measure.py unbounded-minimax > evidence/field/unbounded-minimax.json
    python evidence/field/measure.py product-propagation > evidence/field/product-propagation.json
    python evidence/field/measure.py b-star > evidence/field/b-star.json
    python evidence/field/measure.py gumbel > evidence/field/gumbel.json

All budgets are expansions, so that every machine gets the same numbers.
"""

import json
import platform
import sys
from collections.abc import Callable
from random import Random
from typing import Any

import conspirator as cn

Rows = list[dict[str, Any]]
Form = tuple[str, dict[str, Any]]


def play(game: Any, name: str, one: str, two: str, games: int, plies: int) -> dict[str, Any]:
    """Let two players play, and return the points of the second."""
    result = cn.match([f"one={one}", f"two={two}"], game, plies=plies, games=games, seed=3)
    score = result.score("two")
    row = {
        "game": name,
        "one": one,
        "two": two,
        "games": result.games,
        "points of two": round(score.points, 4),
    }
    print(row, file=sys.stderr, flush=True)
    return row


def after_random_moves(game: Any, least: int, most: int) -> list[cn.Position]:
    """Return 200 positions that are not over after so many random moves."""
    found: list[cn.Position] = []
    random = Random(7)
    while len(found) < 200:
        position, moves = game.start(), random.randint(least, most)
        while moves and position.outcome is None:
            position, moves = position.play(random.choice(position.moves())), moves - 1
        if not moves and position.outcome is None:
            found.append(position)
    return found


def proofs(game: Any, name: str, moves: tuple[int, int], searches: dict[str, Form], expansions: int) -> Rows:
    """Return how many of 200 positions each search solves, and with how many expansions in all."""
    rows: Rows = []
    positions = after_random_moves(game, *moves)
    for label, (search, parameters) in searches.items():
        results = [cn.search(p, search, **parameters, expansions=expansions) for p in positions]
        solved = [result for result in results if result.status == "proven" or result.won is not None]
        row = {
            "game": name,
            "random moves": list(moves),
            "search": label,
            "most expansions": expansions,
            "positions": len(positions),
            "solved": len(solved),
            "expansions": sum(result.expansions for result in results),
        }
        print(row, file=sys.stderr, flush=True)
        rows.append(row)
    return rows


def pn_mcts() -> Rows:
    """Compare with `uct` in games and in proofs, at equal expansions; C is the papers' for both."""
    c, rows = 0.7071, []
    for expansions in (200, 1000):
        rows += [
            play(
                "connect-four",
                "connect-four",
                f"uct:exploration={c},expansions={expansions}",
                f"pn-mcts:pn_term={term},expansions={expansions}",
                400,
                4,
            )
            for term in ("rank", "max", "sum")
        ]
    small = cn.games.from_open_spiel("breakthrough(rows=5,columns=5)")
    rows += [
        play(
            small,
            "breakthrough 5x5",
            f"uct:exploration={c},expansions=100",
            f"pn-mcts:pn_term={term},expansions=100",
            100,
            2,
        )
        for term in ("rank", "max", "sum")
    ]
    searches: dict[str, Form] = {"uct": ("uct", {"exploration": c})}
    searches |= {f"pn-mcts {term}": ("pn-mcts", {"pn_term": term}) for term in ("rank", "max", "sum")}
    return rows + proofs(cn.games.ConnectFour(), "connect-four", (18, 26), searches, 3000)


def unbounded_minimax() -> Rows:
    """Compare the safe decision, the best one, and best-first, which has neither visits nor that decision."""
    rows: Rows = []
    for game in ("connect-four", "othello"):
        for expansions in (100, 1000):
            safe = f"unbounded-minimax:expansions={expansions}"
            rows += [
                play(game, game, other, safe, 400, 4)
                for other in (
                    f"unbounded-minimax:decision=best,expansions={expansions}",
                    f"best-first:expansions={expansions}",
                    f"descent:expansions={expansions}",
                )
            ]
    return rows


def product_propagation() -> Rows:
    """Compare with proof-number search: how many positions are solved."""
    searches: dict[str, Form] = {
        "proof-number": ("proof-number", {}),
        "product-propagation": ("product-propagation", {}),
        "product-propagation values": ("product-propagation", {"leaves": "values"}),
    }
    four, othello = cn.games.ConnectFour(), cn.games.Othello()
    return [
        *proofs(four, "connect-four", (18, 26), searches, 3000),
        *proofs(four, "connect-four", (12, 18), searches, 20_000),
        *proofs(cn.games.Hex(size=5), "hex 5x5", (6, 12), searches, 3000),
        *proofs(othello, "othello", (46, 50), searches, 3000),
        *proofs(cn.games.Amazons(size=4), "amazons 4x4", (2, 5), searches, 3000),
    ]


class Nested(cn.Game):
    """A tree of bounds: each one lies up to 30 % of the way to the other inside those of its parent."""

    def __init__(self, seed: int, branching: int) -> None:
        self.seed, self.branching = seed, branching

    def start(self) -> Any:
        """The path to a position, and its bounds."""
        return ((), 0, 6400)

    def to_move(self, state: Any) -> Any:
        """Max begins."""
        return "max" if len(state[0]) % 2 == 0 else "min"

    def moves(self, state: Any) -> range:  # noqa: ARG002
        """Always as many."""
        return range(self.branching)

    def play(self, state: Any, move: int) -> Any:
        """Draw the bounds of a child."""
        path, low, high = state
        random = Random(f"{self.seed} {path} {move}")
        step = 3 * (high - low) // 10
        return (*path, move), low + random.randint(0, step), high - random.randint(0, step)

    def outcome(self, state: Any) -> float | None:
        """The game is over where the bounds are nearly the same."""
        return float(state[1]) if state[2] - state[1] < 4 else None

    def evaluate(self, state: Any) -> Any:
        """The middle, and both bounds."""
        value = (state[1] + state[2]) / 2
        return value, [value, float(state[2])], [value, float(state[1])]


def b_star() -> Rows:
    """Compare strategies at the root on artificial trees: expansions until a move is separated."""
    rows: Rows = []
    for branching in (3, 5):
        for strategy in ("prove", "disprove", "depth"):
            for alternatives in (1, 2, 3) if strategy == "depth" else (2,):
                results = [
                    cn.search(
                        Nested(seed, branching).start(),
                        "b-star",
                        strategy=strategy,
                        alternatives=alternatives,
                        expansions=1000,
                    )
                    for seed in range(100)
                ]
                row = {
                    "branching": branching,
                    "strategy": strategy,
                    "alternatives": alternatives if strategy == "depth" else None,
                    "trees": len(results),
                    "most expansions": 1000,
                    "separated": sum(result.status in ("decided", "proven") for result in results),
                    "expansions": sum(result.expansions for result in results),
                }
                print(row, file=sys.stderr, flush=True)
                rows.append(row)
    return rows


def gumbel() -> Rows:
    """Compare the root of `puct` with sequential halving, without noise, at few simulations."""
    rows: Rows = []
    for game in ("connect-four", "othello"):
        for simulations in (8, 16, 32, 64):
            usual = f"puct:evaluator=network,expansions={simulations + 1}"
            planned = (
                f"puct:root=gumbel,plan={simulations},noise=0,evaluator=network,expansions={simulations + 1}"
            )
            rows.append(play(game, game, usual, planned, 400, 4))
    return rows


EXPERIMENTS: dict[str, Callable[[], Rows]] = {
    "pn-mcts": pn_mcts,
    "unbounded-minimax": unbounded_minimax,
    "product-propagation": product_propagation,
    "b-star": b_star,
    "gumbel": gumbel,
}


def main(name: str) -> None:
    """Print the numbers of one experiment."""
    made = {
        "command": f"python evidence/field/measure.py {name}",
        "version": cn.__version__,
        "machine": f"{platform.machine()}, Python {platform.python_version()}",
    }
    print(json.dumps({"made": made, "rows": EXPERIMENTS[name]()}, indent=1))


if __name__ == "__main__":
    main(sys.argv[1])
