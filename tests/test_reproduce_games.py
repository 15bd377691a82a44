"""The experiments of Rivest and of Utgoff and Cochran, and the games between searches in them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import conspirator as cn
from command_line import Run, facts_of, runner
from conspirator._players import Player
from conspirator.experiments import (
    Report,
    rivest_1988,
    rivest_beyond,
    rivest_games,
    utgoff_2001,
    utgoff_games,
    utgoff_tournaments,
)
from conspirator.experiments.work import Work
from conspirator.matches.games import play, play_pair
from conspirator.matches.scores import Score, total
from helpers import golden as read_golden

FOUR = read_golden("penalty_lcf/connect_four")
PUBLISHED = read_golden("penalty_lcf/published")


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    return runner(capsys, monkeypatch, tmp_path)


def column(report: Report, name: str) -> list[Any]:
    place = report.columns.index(name)
    return [row[place] for row in report.rows]


# Players


@pytest.mark.parametrize("game", FOUR["games"], ids=lambda game: f"{game['opening']}-{game['black']}")
def test_golden_games(game: dict[str, Any]) -> None:
    """Whole games by calls of move, as an independent prototype played them; its columns count from 0."""
    calls = game["bound_moves"]
    mm = Player("minmax-approximation", name="MM", move_calls=calls, variant="published")
    ab = Player("alpha-beta", name="AB", move_calls=calls, ordering="lean", first_depth=2)
    black, red = (mm, ab) if game["black"] == "MM" else (ab, mm)
    opening = "".join(str(int(column) + 1) for column in game["opening"])
    played = play(cn.games.ConnectFour().position(opening), black, red)
    moves = game["opening"] + "".join(str(int(move) - 1) for move in played.moves)
    assert moves == game["moves"]
    assert played.outcome == {1: 1023, 0: 512, -1: 1}[game["result"]]


def test_the_same_players_play_the_same_game() -> None:
    start = cn.games.RandomTree(branching=3, depth=20, seed=5, kind="utgoff").start()
    one = Player("least-certainty", artificial_time=3_000, seed=4)
    two = Player("best-first", nodes=50)
    games = [play(start, one, two) for _ in range(2)]
    assert games[0].moves == games[1].moves
    assert len(games[0].moves) == 20
    end = start
    for move in games[0].moves:
        end = end.play(move)
    assert end.outcome == games[0].outcome


def test_scores() -> None:
    score = total([Score(2, 0, 0), Score(0, 1, 1)])
    assert (score, str(score), score.games, score.points) == (Score(2, 1, 1), "2-1-1", 4, 0.625)
    assert score.error == pytest.approx(((0.5 + 0.25 / 4 - 0.625**2) / 4) ** 0.5)
    assert Score(3, 0, 0).error == 0


def test_a_pair_of_games_is_seen_from_the_players_side() -> None:
    start = cn.games.RandomTree(branching=4, depth=10, seed=2, kind="utgoff").start()
    deep = Player("alpha-beta", depth=10, first_depth=10)
    shallow = Player("alpha-beta", depth=1, first_depth=1)
    score, other = play_pair(start, deep, shallow), play_pair(start, shallow, deep)
    assert (score.wins, score.losses, score.draws) == (other.losses, other.wins, other.draws)
    assert play_pair(start, deep, deep).points == 0.5
    outcome = play(start, deep, shallow).outcome
    assert outcome is not None
    assert play_pair(start, deep, shallow, level=outcome).draws >= 1


# Rivest


def test_published_numbers_are_those_of_the_paper() -> None:
    table = PUBLISHED["rivest_table1"]
    assert dict(zip(table["p"], table["printed"], strict=True)) == rivest_1988.TABLE_1
    assert list(rivest_1988.VECTOR) == table["vector"]
    assert list(rivest_1988.GRADIENT) == PUBLISHED["rivest_gradient_p32"]["printed"]
    figure = PUBLISHED["rivest_fig6"]["printed"]
    assert {f"P({name})": value for name, value in rivest_1988.PRINTED.items()} == figure
    halves = (
        (rivest_games.MOVES, PUBLISHED["rivest_table2_moves"], "bounds"),
        (rivest_games.SECONDS, PUBLISHED["rivest_table2_time"], "seconds"),
    )
    for ours, theirs, name in halves:
        assert list(ours) == theirs[name]
        scores = [[score.wins, score.losses, score.draws] for score in ours.values()]
        assert scores == theirs["mm_ab_ties"]
        assert str(total(ours.values())) == "-".join(map(str, theirs["total"]))


def test_table_1_and_the_example() -> None:
    means = cn.reproduce("rivest-table-1")
    assert means.agrees
    exact = PUBLISHED["rivest_table1"]["exact"] + PUBLISHED["rivest_gradient_p32"]["exact"]
    for text, value in zip(column(means, "ours"), exact, strict=True):
        assert float(text) == pytest.approx(value, rel=5e-3)
    figures = cn.reproduce("rivest-example")
    assert figures.agrees
    assert column(figures, "agrees").count("yes") == 5
    assert figures.rows[3][1:4] == ["leaf expanded next", "w", "w"]


def test_openings() -> None:
    whole = rivest_games.openings(49)
    assert len(set(whole)) == 49
    assert len(set(rivest_games.openings(10))) == 10
    with pytest.raises(cn.ArgumentError, match="49 openings of two moves"):
        rivest_games.openings(50)


def test_table_2_by_moves_is_the_same_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    by_moves = tuple(pairing for pairing in rivest_games.PAIRINGS if pairing.limit == "move_calls")
    scores = {}
    for processes in (1, 3):
        monkeypatch.setattr(rivest_games, "PAIRINGS", (*by_moves, *by_moves, *by_moves))
        report = rivest_games.table_2(Work(quick=True, games=2, processes=processes))
        scores[processes] = column(report, "ours")
    assert scores[1] == scores[3]


def test_a_quick_table_2() -> None:
    report = cn.reproduce("rivest-table-2", games=2, seconds=0.0001)
    assert report.command == "conspirator reproduce rivest-table-2 --games 2 --seconds 0.0001"
    assert len(report.rows) == 6 * len(rivest_games.PAIRINGS)
    for row in report.rows:
        wins, losses, ties = map(int, str(row[4]).split("-"))
        assert wins + losses + ties == (20 if row[0] == "total" else 4)
    assert {row[3] is None for row in report.rows if row[1] == "best" or row[2] == "table"} == {True}
    assert column(report, "bound a turn")[12:14] == ["0.1 ms", "0.2 ms"]


def test_openings_that_lead_to_the_same_position_count_once() -> None:
    every = rivest_beyond.openings(4, 7**4)
    assert len(set(every)) == 2401
    assert len({rivest_beyond.same(opening) for opening in every}) == 568
    assert len(set(rivest_beyond.openings(5, 1201))) == 1201
    with pytest.raises(cn.ArgumentError, match="2,401 openings of 4 moves"):
        rivest_beyond.openings(4, 2402)
    once = {"1234": Score(2, 0), "4444": Score(0, 2), "5123": Score(1, 1)}
    again = {"3214": Score(2, 0), "4444": Score(0, 4), "3765": Score(1, 1)}  # other orders, reflections
    assert rivest_beyond.points_of(once | again) == rivest_beyond.points_of(once)


def test_a_tiny_match_beyond_table_2() -> None:
    report = cn.reproduce("rivest-beyond", games=2, seconds=0.00005)
    assert report.command == "conspirator reproduce rivest-beyond --games 2 --seconds 5e-05"
    assert len(report.rows) == 18
    for row in report.rows:
        assert (
            row[4] == sum(map(int, str(row[5]).split("-"))) == (4 if row[:2] == ["4 moves", "0.05 ms"] else 2)
        )
    assert set(column(report, "time a move")) == {"0.05 ms", "0.25 ms"}
    assert set(column(report, "MM")) == set(rivest_beyond.MM)
    assert "186-239-65" in report.notes[0]
    assert len(report.figure().axes) == 1


# Utgoff and Cochran


def test_the_swings_of_figure_1() -> None:
    report = cn.reproduce("utgoff-example")
    assert report.agrees
    figure = PUBLISHED["lcf_fig1"]
    for name in "BCD":
        assert list(utgoff_2001.FIGURE_1[name]) == figure[name]
    assert set(column(report, "agrees")) == {"yes"}


def test_figures_6_and_7() -> None:
    report = cn.reproduce("utgoff-expansions")
    printed = PUBLISHED["lcf_fig6_7"]
    assert column(report, "published") == [printed["lcf_expansions"], printed["bfmm_expansions"]]
    lcf, best = column(report, "ours")
    assert report.agrees
    assert lcf < best
    assert len(report.figure().axes) == 6


@pytest.mark.parametrize(
    ("b", "t", "k"),
    [(2, 1_000, 4), (2, 100_000, 13), (5, 100_000, 5), (10, 100_000, 4), (20, 1_000, 1), (20, 100, 1)],
)
def test_the_depth_of_alpha_beta(b: int, t: int, k: int) -> None:
    assert utgoff_games.alpha_beta_depth(b, t) == k
    assert k == 1 or b ** (0.75 * k) <= t / 100
    assert b ** (0.75 * (k + 1)) > t / 100


@pytest.mark.parametrize("number", [3, 4, 5])
def test_quick_figures(number: int) -> None:
    report = cn.reproduce(f"utgoff-figure-{number}", quick=True)
    figure = getattr(utgoff_games, f"FIGURE_{number}")
    assert len(report.rows) == 4 * len(figure.lines)
    for row in report.rows:
        for cell in row[3:6]:
            wins, losses = map(int, str(cell).split("-"))
            assert wins + losses <= 30
    shapes = [cell for cell in column(report, "shape") if cell is not None]
    assert len(shapes) == len(figure.shape)
    assert report.agrees == (set(shapes) == {"yes"})


def test_figures_do_not_depend_on_the_number_of_threads() -> None:
    one, two = (cn.reproduce("utgoff-figure-5", quick=True, processes=count) for count in (1, 3))
    assert one.rows == two.rows


LOW, EVEN, HIGH, ALL = Score(20, 180), Score(100, 100), Score(150, 50), Score(198, 2)


@pytest.mark.parametrize(
    ("shape", "scores", "expected"),
    [
        (utgoff_games.wins_nearly_all, [ALL, ALL], True),
        (utgoff_games.wins_nearly_all, [HIGH, ALL], False),
        (utgoff_games.behind_then_wins_nearly_all, [LOW, HIGH, ALL], True),
        (utgoff_games.behind_then_wins_nearly_all, [EVEN, LOW, ALL], True),
        (utgoff_games.behind_then_wins_nearly_all, [LOW, HIGH], False),
        (utgoff_games.behind_then_ahead, [LOW, HIGH], True),
        (utgoff_games.behind_then_ahead, [EVEN, EVEN, HIGH], False),
        (utgoff_games.ahead, [HIGH, ALL], True),
        (utgoff_games.ahead, [EVEN, ALL], False),
        (utgoff_games.ahead_then_behind, [EVEN, HIGH, LOW], True),
        (utgoff_games.ahead_then_behind, [EVEN, EVEN, LOW], False),
        (utgoff_games.ahead_then_behind, [HIGH, HIGH], False),
    ],
)
def test_shapes(shape: Callable[[list[Score]], bool], scores: list[Score], expected: bool) -> None:
    assert shape(scores) == expected


def test_least_certainty_loses_ground_as_in_figure_5() -> None:
    """The finding of the paper that holds: with more time best-first overtakes it."""

    def score(t: int) -> Score:
        lcf, best = (kind.player(10, t, 1) for kind in (utgoff_games.LEAST, utgoff_games.BFMM))
        games = (
            cn.games.RandomTree(branching=10, depth=64, seed=seed, kind="utgoff") for seed in range(1, 41)
        )
        return total(play_pair(game.start(), lcf, best) for game in games)

    assert score(3_000).points > 0.75
    assert score(100_000).points < 0.5


# The command


def test_seconds_are_for_experiments_with_bounds_on_time(run: Run) -> None:
    for line, words in (
        ("reproduce utgoff-example --seconds 1", "has no bounds on time"),
        ("reproduce rivest-table-2 --seconds 7200", "less than an hour"),
        ("reproduce rivest-table-2 --games 50", "there are 49 openings"),
        ("reproduce --seconds 1", "name an experiment"),
    ):
        code, output, errors = run(line)
        assert (code, output, errors.count("\n")) == (2, "", 1)
        assert words in errors
    facts = facts_of(run, "reproduce rivest-table-2 --games 2 --seconds 0.00005")
    assert facts["command"].endswith("--games 2 --seconds 5e-05")


@pytest.mark.parametrize("name", ["amazons", "othello"])
def test_tournaments(name: str) -> None:
    report = cn.reproduce(f"utgoff-{name}", games=2, seconds=1e-5)
    assert [tuple(row[:2]) for row in report.rows] == list(utgoff_tournaments.PAIRS)
    for row in report.rows:
        # two openings, both colours, four times
        assert sum(map(int, str(row[6]).split("-"))) == 16
        assert all(str(cell).split(" ")[0].count("-") == 2 for cell in row[2:6])


def test_the_published_tournaments_are_those_of_the_text() -> None:
    published = utgoff_tournaments.AMAZONS.published
    wins: dict[str, int] = {}
    for ((player, opponent), _), score in published.items():
        wins[player] = wins.get(player, 0) + score.wins
        wins[opponent] = wins.get(opponent, 0) + score.losses
    assert wins == {"LCF": 5, "BFMM": 9, "AB": 10}
    othello = utgoff_tournaments.OTHELLO.published
    against_best_first = [score for (pair, _), score in othello.items() if pair == ("LCF", "BFMM")]
    assert total(against_best_first) == Score(21, 18)
