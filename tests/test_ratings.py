"""Ratings and the sequential test: published numbers, closed forms, and simulated players."""

from __future__ import annotations

import math
import random
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conspirator.matches.ratings import ELO, Ratings, likelihood_of_superiority, rate
from conspirator.matches.scores import Score, total
from conspirator.matches.sprt import OUTCOMES, Sprt, _tilt, expected_score

TENNIS = {
    (0, 1): (9, 6), (0, 2): (14, 3), (0, 3): (9, 2), (0, 4): (4, 3), (1, 2): (5, 0),
    (1, 3): (5, 1), (1, 4): (7, 2), (2, 3): (2, 4), (2, 4): (2, 2), (3, 4): (4, 3),
}  # fmt: skip
"""Matches of five tennis players in 2014 to 2018 (Agresti, An Introduction to Categorical Data Analysis)."""


def davidson(a: float, b: float, nu: float) -> tuple[float, float, float]:
    """Return the chances of a win, a loss and a draw."""
    weights = (math.exp(a), math.exp(b), nu * math.exp((a + b) / 2))
    return weights[0] / sum(weights), weights[1] / sum(weights), weights[2] / sum(weights)


def simulate(
    strengths: list[float], nu: float, games: int, lot: random.Random
) -> dict[tuple[int, int], Score]:
    scores = {}
    for i, j in combinations(range(len(strengths)), 2):
        drawn = lot.choices((0, 1, 2), davidson(strengths[i], strengths[j], nu), k=games)
        scores[i, j] = Score(drawn.count(0), drawn.count(1), drawn.count(2))
    return scores


def test_published_estimates_and_errors() -> None:
    """The fit with the last player at 0, and its standard errors, as the book has them."""
    rated = rate(5, {pair: Score(*wins) for pair, wins in TENNIS.items()})
    logits = [(rated.elo[place] - rated.elo[4]) / ELO for place in range(4)]
    errors = [rated.error(place, 4) / ELO for place in range(4)]
    assert logits == pytest.approx([1.1761, 1.1358, -0.5685, -0.0619], abs=6e-5)
    assert errors == pytest.approx([0.4995, 0.5109, 0.5683, 0.5149], abs=6e-5)
    assert not rated.bounded


@given(st.integers(1, 500), st.integers(1, 500), st.integers(0, 500))
def test_two_players_have_a_closed_form(wins: int, losses: int, draws: int) -> None:
    rated = rate(2, {(0, 1): Score(wins, losses, draws)})
    assert rated.elo[0] - rated.elo[1] == pytest.approx(400 * math.log10(wins / losses), abs=1e-6)
    assert rated.draws == pytest.approx(draws / math.sqrt(wins * losses), rel=1e-6)
    # the difference is a log-odds: its variance is that of a multinomial
    assert rated.error(0, 1) == pytest.approx(ELO * math.sqrt(1 / wins + 1 / losses), rel=1e-6)
    assert sum(rated.elo) == pytest.approx(0, abs=1e-9)


@given(st.lists(st.tuples(*[st.integers(0, 20)] * 3), min_size=6, max_size=6))
def test_points_and_draws_are_as_expected(counts: list[tuple[int, int, int]]) -> None:
    """At the maximum of the likelihood every player has the points that the model expects."""
    scores = {pair: Score(*count) for pair, count in zip(combinations(range(4), 2), counts, strict=True)}
    rated = rate(4, scores)
    assert all(math.isfinite(elo) for elo in rated.elo)
    assert all(rated.interval(place) > 0 for place in range(4))
    if rated.bounded:
        return
    expected, draws = [0.0] * 4, 0.0
    for (i, j), score in scores.items():
        win, loss, draw = davidson(rated.elo[i] / ELO, rated.elo[j] / ELO, rated.draws)
        expected[i] += score.games * (win + draw / 2)
        expected[j] += score.games * (loss + draw / 2)
        draws += score.games * draw
    for place in range(4):
        mine = total(s if pair[0] == place else -s for pair, s in scores.items() if place in pair)
        assert expected[place] == pytest.approx(mine.wins + mine.draws / 2, abs=1e-4)
    assert draws == pytest.approx(sum(score.draws for score in scores.values()), abs=1e-4)


def test_intervals_cover_the_truth_as_often_as_they_say() -> None:
    lot = random.Random(11)
    truth = [0.6, 0.1, -0.2, -0.5]
    mean = sum(truth) / 4
    covered = several = 0
    for _ in range(300):
        rated = rate(4, simulate(truth, 0.7, 60, lot))
        for place, strength in enumerate(truth):
            covered += abs(rated.elo[place] - ELO * (strength - mean)) <= rated.interval(place)
            several += 1
    assert 0.92 < covered / several < 0.975


def test_much_data_finds_the_truth() -> None:
    truth = [0.5, 0.0, -0.5]
    rated = rate(3, simulate(truth, 1.5, 40_000, random.Random(3)))
    assert rated.elo == pytest.approx([ELO * strength for strength in truth], abs=6)
    assert rated.draws == pytest.approx(1.5, abs=0.05)


@pytest.mark.parametrize(
    ("players", "scores"),
    [
        (2, {(0, 1): Score(5, 0, 0)}),
        (2, {(0, 1): Score(0, 0, 4)}),
        (2, {}),
        (3, {(0, 1): Score(5, 3, 0)}),
        (3, {(0, 1): Score(5, 0, 1), (1, 2): Score(4, 0, 0), (0, 2): Score(6, 0, 0)}),
        (4, {(0, 1): Score(5, 5, 1), (2, 3): Score(4, 4, 0)}),
    ],
)
def test_ratings_without_a_maximum_are_bounded(players: int, scores: dict[tuple[int, int], Score]) -> None:
    rated = rate(players, scores)
    assert rated.bounded
    assert all(math.isfinite(elo) for elo in rated.elo)
    for (i, j), score in scores.items():
        if score.wins > score.losses:
            assert rated.elo[i] > rated.elo[j]


def test_superiority() -> None:
    assert likelihood_of_superiority(Score(0, 0, 9)) == 0.5
    assert likelihood_of_superiority(Score(7, 5, 3)) == pytest.approx(
        1 - likelihood_of_superiority(Score(5, 7, 3))
    )
    equal = Ratings([0.0, 0.0], [[0.0, 0.0], [0.0, 0.0]], 0.0)
    assert equal.superiority(0, 1) == 0.5
    rated = rate(2, {(0, 1): Score(70, 30, 20)})
    assert rated.superiority(0, 1) == pytest.approx(likelihood_of_superiority(Score(70, 30, 20)), abs=0.002)


# The sequential test


@given(
    st.lists(st.floats(0.01, 1), min_size=5, max_size=5),
    st.floats(-300, 300),
)
def test_the_tilted_distribution_has_the_mean(weights: list[float], elo: float) -> None:
    chances = [weight / sum(weights) for weight in weights]
    tilted = _tilt(chances, OUTCOMES, expected_score(elo))
    assert all(chance > 0 for chance in tilted)
    assert sum(tilted) == pytest.approx(1, abs=1e-6)
    assert sum(p * a for p, a in zip(tilted, OUTCOMES, strict=True)) == pytest.approx(
        expected_score(elo), abs=1e-6
    )


def test_without_draws_it_is_walds_test() -> None:
    """With wins and losses alone, the ratio is that of two binomial distributions."""
    test = Sprt(0, 30)
    p0, p1 = expected_score(0), expected_score(30)
    for wins, losses in ((30, 10), (10, 30), (200, 180)):
        exact = wins * math.log(p1 / p0) + losses * math.log((1 - p1) / (1 - p0))
        assert test.ratio([losses, wins], [0.0, 1.0]) == pytest.approx(exact, abs=1e-9)


@pytest.mark.parametrize(("elo", "wrong"), [(0.0, "elo1"), (40.0, "elo0")])
def test_errors_are_as_rare_as_promised(elo: float, wrong: str) -> None:
    lot = random.Random(17)
    test = Sprt(0, 40, alpha=0.05, beta=0.05)
    extra = expected_score(elo) - 0.5
    chances = (0.15 - extra, 0.1, 0.5, 0.1, 0.15 + extra)
    verdicts = [test.verdict(lot.choices(OUTCOMES, chances, k=1000)) for _ in range(200)]
    assert all(verdict.accepted is not None for verdict in verdicts)
    assert sum(verdict.accepted == wrong for verdict in verdicts) / len(verdicts) <= 0.08
    assert sum(verdict.pairs for verdict in verdicts) / len(verdicts) < 200


def test_what_comes_after_the_verdict_does_not_count() -> None:
    test = Sprt(0, 50)
    won = test.verdict([1.0] * 100)
    assert won.accepted == "elo1"
    assert won.pairs < 100
    assert test.verdict([1.0] * 100 + [0.0] * 1000) == won
    assert test.verdict([]).ratio == 0
    assert test.ratio([0, 0], [0.0, 1.0]) == 0
