"""Small checks of what the papers of some searches claim: one JSON object for each.

    python evidence/field/measure.py pn-mcts > evidence/field/pn-mcts.json       # needs open_spiel
    python evidence/field/measure.py unbounded-minimax > evidence/field/unbounded-minimax.json
    python evidence/field/measure.py product-propagation > evidence/field/product-propagation.json

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


EXPERIMENTS: dict[str, Callable[[], Rows]] = {
    "pn-mcts": pn_mcts,
    "unbounded-minimax": unbounded_minimax,
    "product-propagation": product_propagation,
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
