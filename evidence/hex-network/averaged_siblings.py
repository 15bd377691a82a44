"""Sibling conspiracy on averaged values: an honest try against `puct`, Hex 9x9 with the network.

    python evidence/hex-network/averaged_siblings.py 100 60

Means over n values are off by about SPREAD (1 - q^2) n^-0.2. So it takes an error of d = q_best - q_i, in
such units, for move i to be the best: its cost is d^2 / 2, by which -ln of a normal density grows. A move
that was not looked at has the mean of its parent and costs -ln of its probability more. Costs add up along a
line, with a constant for each ply, and the cheapest leaf is expanded: conspirators of least total error.
Back-up and choice are those of `prior-penalty`. Numbers: expansions a move, games. It prints a row for each
SPREAD.
"""

from __future__ import annotations

import sys

import conspirator as cn
from conspirator.matches.openings import after_plies, balanced, evenly
from conspirator.rules.prior_penalty import PriorPenalty
from conspirator.rules.puct import is_lost

SPREADS = (0.5, 0.25)


class AveragedSiblings(PriorPenalty):
    """The cheapest leaf by errors of averaged values."""

    spread = 1.3

    def __init__(self) -> None:
        super().__init__(sharpness=0.6)

    def update(self, tree: cn.Tree, node: cn.Node) -> bool:
        """Compute the reward as `prior-penalty` does, and the costs of moves anew."""
        super().update(tree, node)
        if node.is_solved:
            return True
        usable = [child for child in node.children if not is_lost(tree, node, child)]

        def seen(reward: float) -> float:
            return 2 * (reward if node.is_max else 1.0 - reward) - 1

        mean = seen(self.reward[node.id])
        q = {child.id: seen(self.reward[child.id]) if self.visits[child.id] else mean for child in usable}
        top = max(q.values())
        costs = []
        for child in usable:
            if child.is_solved:
                continue
            n = max(1.0, self.visits[child.id])
            error = self.spread * max(0.05, (1 - q[child.id] ** 2) / 2) * n**-0.2
            cost = ((top - q[child.id]) / error) ** 2 / 2
            if self.visits[child.id]:
                cost += self.ply + self.penalty[child.id]
            else:
                cost -= self.prior[child.id]
            costs.append((cost, child))
        if costs:
            self.penalty[node.id], self.next[node.id] = min(costs, key=lambda pair: pair[0])
        return True


def points(position: cn.Position, black: cn.Player, white: cn.Player) -> float:
    """Return 1 if Black wins."""
    while position.outcome is None:
        position = position.play((black if position.to_move == "max" else white).move(position))
    return float(position.outcome > 0)


def main() -> None:
    """Play the games."""
    expansions, games = int(sys.argv[1]), int(sys.argv[2])
    game = cn.games.Hex(size=9)
    judge = cn.Player("puct", evaluator="network", expansions=8)
    found = evenly(balanced(game, after_plies(game, 2, 4 * games, 5), 0.7, judge), games // 2)
    puct = cn.Player("puct", evaluator="network", expansions=expansions)
    print("spread,games,points")
    for spread in SPREADS:
        rule = type("AveragedSiblings", (AveragedSiblings,), {"spread": spread})
        ours = 0.0
        for opening in found:
            start = game.position(" ".join(opening.moves))
            for black in (True, False):
                mine = cn.Player(rule, evaluator="network", expansions=expansions)
                won = points(start, mine, puct) if black else 1 - points(start, puct, mine)
                ours += won
        print(f"{spread},{2 * len(found)},{ours}", flush=True)


if __name__ == "__main__":
    main()
