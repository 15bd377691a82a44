"""Sequential halving with Gumbel noise: I. Danihelka and others, "Policy improvement by planning with
Gumbel", 2022.

Where few simulations are made, visits are a poor answer at the root: the move of the best prior gets them.
Here the simulations at the root are planned. Every move has a score, with g(a) from the Gumbel distribution:

    g(a) + logits(a) + sigma(q(a))          sigma(q) = (c_visit + max N) c_scale q          (equation 8)

The m moves of the best g + logits are considered (Gumbel-Top-k trick). Sequential halving gives each of them
the same number of visits, then goes on with the better half by score, until two are left. The answer is the
move of the best score among those with most visits. A move without visits has the completed value (Appendix
D, equation 33):

    v_mix = (v + N sum of pi q over visited moves / sum of pi over visited moves) / (1 + N)    N: all visits

The improved policy is the softmax of logits(a) + sigma(completed q(a)).
"""

from __future__ import annotations

import math
import struct
from typing import NamedTuple

WORD = (1 << 64) - 1


class Arm(NamedTuple):
    """A move at the root."""

    prior: float
    visits: float
    q: float | None
    """Its mean reward for the player to move; None without visits."""


class GumbelRoot:
    """The plan for the root, with the constants of the paper.

    >>> root = GumbelRoot(considered=4, plan=16)
    >>> [root.due(t, moves=9) for t in range(16)]  # four moves twice, then two moves four times
    [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]
    """

    def __init__(
        self,
        considered: int = 16,
        plan: int = 200,
        c_visit: float = 50.0,
        c_scale: float = 1.0,
        noise: float = 1.0,
        seed: int = 0,
    ) -> None:
        self.considered, self.plan, self.seed = considered, plan, seed
        self.c_visit, self.c_scale, self.noise = c_visit, c_scale, noise

    def due(self, t: int, moves: int) -> int:
        """Return how many visits a move has that is looked at in simulation `t`, beginning with 0."""
        width, visits, begin = min(self.considered, moves), 0, 0
        phases = max(1, math.ceil(math.log2(width)))
        while width > 2:
            each = max(1, self.plan // (phases * width))
            if t < begin + each * width:
                break
            begin, visits, width = begin + each * width, visits + each, max(2, width // 2)
        return visits + (t - begin) // width

    def gumbel(self, own: float, place: int) -> float:
        """Return g(a), which depends on the seed, on the root's own reward and on the place of the move."""
        bits = int.from_bytes(struct.pack("<d", own), "little")
        word = splitmix64((splitmix64((self.seed & WORD) ^ bits) + place) & WORD)
        return self.noise * -math.log(-math.log(((word >> 12) + 0.5) / (1 << 52)))

    def sigma(self, q: float, most: float) -> float:
        """Return what a reward adds to a logit, where the most visited move has so many visits."""
        return (self.c_visit + most) * self.c_scale * q

    def completed(self, own: float, arms: list[Arm]) -> list[float]:
        """Return logits + sigma(completed q) of each move; `own` is the root's own reward for its player."""
        visits = weight = mean = most = 0.0
        for arm in arms:
            visits, most = visits + arm.visits, max(most, arm.visits)
            if arm.q is not None:
                weight, mean = weight + arm.prior, mean + arm.prior * arm.q
        mixed = (own + visits * mean / weight) / (1.0 + visits) if weight > 0 else own
        return [
            (math.log(arm.prior) if arm.prior > 0 else -math.inf)
            + self.sigma(mixed if arm.q is None else arm.q, most)
            for arm in arms
        ]


def softmax(logits: list[float]) -> list[float]:
    """Return the probabilities of logits.

    >>> softmax([0.0, 0.0])
    [0.5, 0.5]
    """
    top = max(logits)
    parts = [math.exp(logit - top) for logit in logits]
    whole = 0.0
    for part in parts:  # in this order, and rounded after each step
        whole += part
    return [part / whole for part in parts]


def splitmix64(x: int) -> int:
    """Mix 64 bits (S. Vigna)."""
    z = (x + 0x9E3779B97F4A7C15) & WORD
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & WORD
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & WORD
    return z ^ (z >> 31)
