"""Ratings: maximum likelihood in the model of Bradley and Terry, with Davidson's draws.

Davidson (1970, "On extending the Bradley-Terry model to accommodate ties"): with strengths exp(a) and exp(b)
the first wins with a probability in proportion to exp(a), the second to exp(b), and a draw to
nu exp((a + b) / 2). This is an exponential family: at the maximum every player has as many points, and there
are as many draws, as expected. The logarithm of the likelihood is concave, so that Newton's method finds it;
its second derivatives are the covariances of one game's points and draw, summed over the games, and their
inverse gives the errors.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from conspirator.matches.scores import Score

ELO = 400 / math.log(10)
"""Points of rating for each unit of a logarithm of strength: 400 points are odds of ten to one."""
NORMAL_95 = 1.959964
"""Standard errors that a two-sided interval of 95 percent has on each side."""
VIRTUAL = 0.5
"""Games that are added to each side of a pairing if without them some rating would be infinite."""

Matrix = list[list[float]]
Table = Mapping[tuple[int, int], tuple[float, float, float]]
"""Wins, losses and draws of the first of two players against the second."""


@dataclass(frozen=True)
class Ratings:
    """Ratings of all players; their mean is 0."""

    elo: list[float]
    covariance: Matrix
    """Of the ratings, in squares of Elo."""
    draws: float
    """Davidson's nu: between equals, draws for each win."""
    bounded: bool = False
    """Whether virtual games were added: some player, or group, has won or lost all games."""

    def interval(self, player: int) -> float:
        """Return half the width of a player's interval of 95 percent, about the mean of all."""
        return NORMAL_95 * math.sqrt(self.covariance[player][player])

    def error(self, one: int, other: int) -> float:
        """Return the standard error of the difference of two ratings."""
        c = self.covariance
        return math.sqrt(max(0.0, c[one][one] + c[other][other] - 2 * c[one][other]))

    def superiority(self, one: int, other: int) -> float:
        """Return the likelihood of superiority: that the first is stronger, given the games.

        >>> rated = rate(2, {(0, 1): Score(60, 40, 0)})
        >>> round(rated.superiority(0, 1), 3)
        0.977
        """
        error = self.error(one, other)
        return normal((self.elo[one] - self.elo[other]) / error) if error > 0 else 0.5


def normal(x: float) -> float:
    """Return the probability of less than x, in a normal distribution."""
    return math.erfc(-x / math.sqrt(2)) / 2


def likelihood_of_superiority(score: Score) -> float:
    """Return the probability that the side with this score is the stronger one; draws say nothing.

    >>> round(likelihood_of_superiority(Score(60, 40, 17)), 3)
    0.977
    """
    decided = score.wins + score.losses
    return normal((score.wins - score.losses) / math.sqrt(decided)) if decided else 0.5


def rate(players: int, scores: Mapping[tuple[int, int], Score]) -> Ratings:
    """Return the ratings of players from the scores of pairs of them.

    Between two players the answer is simple: the odds are wins to losses.

    >>> rated = rate(2, {(0, 1): Score(20, 10, 6)})
    >>> round(rated.elo[0] - rated.elo[1], 2), round(400 * math.log10(20 / 10), 2)
    (120.41, 120.41)
    >>> round(rated.draws, 6), round(6 / math.sqrt(20 * 10), 6)
    (0.424264, 0.424264)
    """
    table = {pair: (float(s.wins), float(s.losses), float(s.draws)) for pair, s in scores.items() if s.games}
    bounded = not _has_maximum(players, table)
    if bounded:
        table = {pair: (w + VIRTUAL, x + VIRTUAL, d) for pair, (w, x, d) in table.items()}
        if not _has_maximum(players, table):  # some have not met, not even through others
            for pair in combinations(range(players), 2):
                if not {pair, pair[::-1]} & table.keys():
                    table[pair] = (VIRTUAL, VIRTUAL, 0.0)
    some_draws = any(d for _, _, d in table.values())
    strengths, log_nu = [0.0] * players, 0.0 if some_draws else -math.inf
    for _ in range(200):
        value, gradient, information = _likelihood(strengths, log_nu, table)
        step = _solve(information, gradient)
        gain = math.fsum(g * d for g, d in zip(gradient, step, strict=True))
        if gain < 1e-18:
            break
        size = 1.0
        while size > 1e-9:  # half steps, where Newton's is too long
            moved = [s + size * d for s, d in zip(strengths, [*step[: players - 1], 0.0], strict=True)]
            moved_nu = log_nu + size * step[players - 1] if some_draws else log_nu
            if gain < 1e-4 or _likelihood(moved, moved_nu, table)[0] >= value:  # near the top it is right
                break
            size /= 2
        else:
            break
        strengths, log_nu = moved, moved_nu
    mean = math.fsum(strengths) / players
    return Ratings(
        [ELO * (s - mean) for s in strengths],
        _covariance(_likelihood(strengths, log_nu, table)[2], players),
        math.exp(log_nu),
        bounded,
    )


def _likelihood(strengths: Sequence[float], log_nu: float, table: Table) -> tuple[float, list[float], Matrix]:
    """Return the log-likelihood, its gradient and minus its second derivatives.

    The variables are all strengths but the last, which stays 0, and log nu if it is finite.
    """
    players = len(strengths)
    draws = math.isfinite(log_nu)
    size = players - 1 + draws
    value, gradient, information = 0.0, [0.0] * size, [[0.0] * size for _ in range(size)]
    for (i, j), counts in table.items():
        logs = (strengths[i], strengths[j], log_nu + (strengths[i] + strengths[j]) / 2)
        top = max(logs)
        norm = top + math.log(math.fsum(math.exp(x - top) for x in logs))
        games = math.fsum(counts)
        chances = [math.exp(x - norm) for x in logs]
        value += math.fsum(n * (x - norm) for n, x in zip(counts, logs, strict=True) if n)
        # what one game adds to: the first's points, the second's, the draws
        rows = [(i, (1.0, 0.0, 0.5)), (j, (0.0, 1.0, 0.5))]
        rows = [row for row in rows if row[0] < players - 1]
        if draws:
            rows.append((players - 1, (0.0, 0.0, 1.0)))
        means = [math.fsum(p * x for p, x in zip(chances, row, strict=True)) for _, row in rows]
        for (a, row), mean in zip(rows, means, strict=True):
            gradient[a] += math.fsum(n * x for n, x in zip(counts, row, strict=True)) - games * mean
            for (b, other), other_mean in zip(rows, means, strict=True):
                both = math.fsum(p * x * y for p, x, y in zip(chances, row, other, strict=True))
                information[a][b] += games * (both - mean * other_mean)
    return value, gradient, information


def _covariance(information: Matrix, players: int) -> Matrix:
    """Return the covariance of the ratings about their mean."""
    size = len(information)
    inverse = [_solve(information, [float(a == b) for b in range(size)]) for a in range(size)]
    last = players - 1
    full = [[inverse[a][b] if a < last and b < last else 0.0 for b in range(players)] for a in range(players)]
    rows = [math.fsum(row) / players for row in full]
    whole = math.fsum(rows) / players
    return [
        [ELO**2 * (full[a][b] - rows[a] - rows[b] + whole) for b in range(players)] for a in range(players)
    ]


def _solve(matrix: Matrix, right: Sequence[float]) -> list[float]:
    """Solve linear equations by elimination."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    size = len(rows)
    for place in range(size):
        pivot = max(range(place, size), key=lambda row: abs(rows[row][place]))
        rows[place], rows[pivot] = rows[pivot], rows[place]
        head = rows[place][place] or 1e-300
        for row in range(place + 1, size):
            factor = rows[row][place] / head
            if factor:
                rows[row] = [x - factor * y for x, y in zip(rows[row], rows[place], strict=True)]
    answer = [0.0] * size
    for place in reversed(range(size)):
        known = math.fsum(rows[place][k] * answer[k] for k in range(place + 1, size))
        answer[place] = (rows[place][size] - known) / (rows[place][place] or 1e-300)
    return answer


def _has_maximum(players: int, table: Table) -> bool:
    """Tell whether the likelihood has one, or grows for ever in some direction.

    It does with nu fixed if some players have only won against the others: somebody cannot be reached
    through wins and draws (Zermelo 1929; Ford 1957). It does with growing nu if there are strengths that
    differ by 2 or more where somebody won, and by 2 or less where there was a draw: unless the differences,
    taken round a circle, contradict each other.
    """
    edges: list[tuple[int, int, int]] = []
    for (i, j), (wins, losses, draws) in table.items():
        edges += [(i, j, -2)] * bool(wins) + [(j, i, -2)] * bool(losses)
        edges += [(i, j, 2), (j, i, 2)] * bool(draws)
    some_draws = any(weight > 0 for _, _, weight in edges)
    return _is_connected(players, edges) and (not some_draws or _is_contradictory(players, edges))


def _is_connected(players: int, edges: list[tuple[int, int, int]]) -> bool:
    """Tell whether everybody is reached from everybody."""

    def reached(pairs: list[tuple[int, int]]) -> int:
        found, todo = {0}, [0]
        while todo:
            one = todo.pop()
            new = {to for at, to in pairs if at == one} - found
            found |= new
            todo += new
        return len(found)

    there, back = [(i, j) for i, j, _ in edges], [(j, i) for i, j, _ in edges]
    return reached(there) == reached(back) == players


def _is_contradictory(players: int, edges: list[tuple[int, int, int]]) -> bool:
    """Tell whether some circle has a negative sum (Bellman and Ford)."""
    sums = [0] * players
    for _ in range(players + 1):
        changed = False
        for i, j, weight in edges:
            if sums[i] + weight < sums[j]:
                sums[j], changed = sums[i] + weight, True
        if not changed:
            return False
    return True
