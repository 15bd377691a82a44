"""Fitting error models: from leaves with their true outcomes to tables of probabilities.

For each player to move and each threshold between two outcomes one logistic regression says how likely the
truth is to lie above it, from the static value in three degrees of coarseness, the phase, and their products.
What it says at a few knots makes the table; between knots a table is linear. So the core needs no more than
additions and multiplications, and gives the same numbers on every machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from conspirator._errors import ArgumentError
from conspirator.certainty.model import Table

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]

FEWEST = 30
"""Leaves that a fit needs for each side to move."""
_WIDTHS = (0.5, 1.0, 4.0)
_RIDGE = 1.0
_LEAST = 1e-3
_VALUE_KNOTS = 41
_PHASE_KNOTS = 9
_MANY = 4
"""With more outcomes than these a table has half as many knots, so that files stay small."""


@dataclass(frozen=True)
class Leaf:
    """An open leaf as a search values it, and the truth."""

    value: float
    phase: float
    to_move: str
    outcome: float


def numpy() -> Any:
    """Return the module NumPy, or say how to get it."""
    try:
        import numpy as np
    except ImportError:
        raise ArgumentError("calibration needs NumPy: pip install numpy") from None
    return np


def fit(leaves: Sequence[Leaf], outcomes: Sequence[float]) -> Table:
    """Return the table that fits these leaves.

    >>> leaves = [Leaf(v / 10, 0, side, float(v > 3)) for v in range(-20, 40) for side in ("max", "min")] * 2
    >>> table = fit(leaves, (0.0, 1.0))
    >>> table.distribution(-1, 0, "max")[1] < 0.1, table.distribution(3, 0, "min")[1] > 0.9
    (True, True)
    """
    np = numpy()
    values = np.array([leaf.value for leaf in leaves], dtype=float)
    phases = np.array([leaf.phase for leaf in leaves], dtype=float)
    sides = np.array([leaf.to_move == "max" for leaf in leaves])
    truth = np.array([leaf.outcome for leaf in leaves], dtype=float)
    for side, name in ((True, "Max"), (False, "Min")):
        if (sides == side).sum() < FEWEST:
            raise ArgumentError(
                f"only {(sides == side).sum()} leaves with {name} to move were settled, not {FEWEST}: "
                "take more positions, or more time for each"
            )
    scaled = _Scale.of(values, phases)
    sparse = 2 if len(outcomes) > _MANY else 1
    places = _VALUE_KNOTS // (2 * sparse) + 1
    knots = np.unique(
        np.concatenate(
            [
                np.quantile(values, np.linspace(0, 1, places)),
                np.linspace(values.min(), values.max(), places),
            ]
        ).round(6)
    )
    low, high = phases.min(), phases.max()
    rows = np.unique(np.linspace(low, high, _PHASE_KNOTS // sparse + sparse - 1).round(3))
    grid = np.array([(value, phase) for phase in rows for value in knots])
    at_knots = scaled.features(grid[:, 0], grid[:, 1])
    tables = []
    for side in (True, False):
        mine = sides == side
        seen = scaled.features(values[mine], phases[mine])
        beyond = [regress(seen, truth[mine] >= outcome) for outcome in outcomes[1:]]
        s = np.stack([1 / (1 + np.exp(-at_knots @ weights)) for weights in beyond], axis=-1)
        s = np.minimum.accumulate(s.clip(_LEAST, 1 - _LEAST), axis=-1).round(4)
        shaped = s.reshape(len(rows), len(knots), len(outcomes) - 1)
        tables.append(tuple(tuple(tuple(map(float, cell)) for cell in row) for row in shaped))
    return Table(
        tuple(map(float, outcomes)), tuple(map(float, rows)), tuple(map(float, knots)), tables[0], tables[1]
    )


@dataclass(frozen=True)
class _Scale:
    """Values and phases as numbers of about the same size."""

    middle: float
    unit: float
    start: float
    length: float

    @classmethod
    def of(cls, values: Numbers, phases: Numbers) -> _Scale:
        np = numpy()
        low, high = np.quantile(values, [0.1, 0.9])
        return cls(
            float(np.median(values)),
            float(high - low) / 4 or 1.0,
            float(phases.min()),
            float(phases.max() - phases.min()) or 1.0,
        )

    def features(self, values: Numbers, phases: Numbers) -> Numbers:
        np = numpy()
        s = (values - self.middle) / self.unit
        phase = (phases - self.start) / self.length
        bends = [np.tanh(s / width) for width in _WIDTHS]
        columns = [np.ones_like(s), *bends, phase, phase**2, *(phase * bend for bend in bends)]
        features: Numbers = np.stack(columns, axis=-1)
        return features


def regress(features: Numbers, truth: Numbers) -> Numbers:
    """Return the weights of a logistic regression, by Newton's method, with a little ridge."""
    np = numpy()
    weights: Numbers = np.zeros(features.shape[1])
    ridge = _RIDGE * np.eye(features.shape[1])
    for _ in range(50):
        p = 1 / (1 + np.exp(-(features @ weights).clip(-30, 30)))
        slope = features.T @ (truth - p) - ridge @ weights
        curve = (features * (p * (1 - p))[:, None]).T @ features + ridge
        step = np.linalg.solve(curve, slope)
        weights = weights + step
        if abs(step).max() < 1e-8:
            break
    return weights


def log_loss(leaves: Sequence[Leaf], table: Table) -> float:
    """Return the mean of -ln of the probability that the table gave to the true outcomes."""
    np = numpy()
    losses = []
    for leaf in leaves:
        likely = table.distribution(leaf.value, leaf.phase, leaf.to_move)
        at = sum(leaf.outcome >= outcome for outcome in table.outcomes[1:])
        losses.append(-np.log(max(likely[at], 1e-12)))
    return float(np.mean(losses))


def prior_loss(leaves: Sequence[Leaf], outcomes: Sequence[float]) -> float:
    """Return the log loss of the plain frequencies of outcomes, for comparison."""
    np = numpy()
    places = [sum(leaf.outcome >= outcome for outcome in outcomes[1:]) for leaf in leaves]
    shares = np.bincount(places, minlength=len(outcomes)) / len(places)
    return float(-sum(share * np.log(share) for share in shares if share > 0))
