"""Error models, stated probabilities, doubts, and searches that stop when they are sure."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner

import conspirator as cn
from conspirator.certainty import Dependence, ErrorModel, Table
from conspirator.certainty.calibrate import calibrate
from conspirator.certainty.scores import Answer, auc, ece, fitted_loss, scores
from conspirator.certainty.truth import Outcomes, Truth
from conspirator.cli import app
from conspirator.front_ends.gtp.server import Server
from conspirator.rules.distributions import best, gain

FOUR = cn.games.ConnectFour()
TREES = [name for name, info in cn.searches().items() if info.tree]
JUDGED = [name for name in TREES if name not in ("uct", "pn-mcts", "puct")]


def model() -> ErrorModel:
    found = ErrorModel.of(FOUR)
    assert found is not None
    return found


@pytest.mark.parametrize("search", JUDGED)
def test_every_growing_search_says_how_sure_it_is(search: str) -> None:
    result = cn.search(FOUR.position("445326"), search, expansions=200)
    assert result.probabilities is not None
    assert list(result.probabilities) == result.position.moves()
    assert all(0 <= p <= 1 for p in result.probabilities.values())
    assert sum(result.probabilities.values()) >= 1 - 1e-9  # one of them is best, and several can be
    assert result.confidence == result.probabilities[result.move]


def test_without_a_model_nobody_knows() -> None:
    result = cn.search(cn.games.Amazons(size=6).start(), "best-first", expansions=50)
    assert result.confidence is None
    assert result.probabilities is None
    assert result.doubts() == []
    assert result.outcome_interval() is None
    with pytest.raises(cn.ArgumentError, match="conspirator calibrate amazons size=6"):
        cn.search(cn.games.Amazons(size=6).start(), "best-first", until=0.9, expansions=50)


def test_a_search_without_a_tree_cannot_tell() -> None:
    result = cn.search(FOUR.position("4453"), "alpha-beta", depth=4)
    assert result.confidence is None
    with pytest.raises(cn.ArgumentError, match="keeps no tree"):
        cn.search(FOUR.position("4453"), "alpha-beta", depth=4, until=0.9)


def test_what_is_proven_is_certain() -> None:
    result = cn.search(FOUR.position("6325772336375326664517155542236277"), "alpha-beta", table=True)
    assert (result.status, result.confidence) == ("proven", 1.0)
    grown = cn.search(FOUR.position("6325772336375326664517155542236277"), "best-first", expansions=5000)
    assert (grown.status, grown.confidence) == ("proven", 1.0)
    assert grown.probabilities is not None
    assert grown.probabilities[grown.move] == 1.0


@pytest.mark.parametrize("search", ["best-first", "relevance", "least-certainty", "conspiracy"])
def test_until_stops_when_the_move_is_sure(search: str) -> None:
    place = FOUR.position("4453246")
    whole = cn.search(place, search, expansions=3000)
    sure = cn.search(place, search, expansions=3000, until=0.8)
    if sure.status == "decided":
        assert sure.expansions < whole.expansions
        assert sure.confidence is not None
        assert sure.confidence >= 0.8
    else:
        assert sure.expansions == whole.expansions
    low = cn.search(place, search, expansions=3000, until="confidence=0.05")
    assert (low.status, low.expansions < 10) == ("decided", True)


def test_until_goes_on_after_a_resume() -> None:
    place = FOUR.position("4453246")
    first = cn.search(place, "relevance", expansions=3000, until=0.3)
    assert first.status == "decided"
    later = first.resume(expansions=3000, until=0.6)
    assert later.status == "budget" or (later.confidence or 0) >= 0.6


@pytest.mark.parametrize("bad", [0, 1.5, -1, "sure", "confidence=2", True, [], float("nan")])
def test_bad_until(bad: Any) -> None:
    with pytest.raises(cn.ArgumentError, match="until"):
        cn.search(FOUR.start(), "best-first", expansions=10, until=bad)


def test_decided_and_proven() -> None:
    assert cn.Budget(until="proven").until is None
    assert cn.Budget(until="decided").until == 1.0
    assert cn.Budget(until="confidence=0.9").until == 0.9
    # one move left: it is the best one, whatever it is worth
    data = {"value": 0, "children": [{"value": 0, "children": [{"value": 1}, {"value": 0}]}]}
    table = Table((0.0, 1.0), (0.0,), (0.0, 1.0), (((0.3,), (0.7,)),), (((0.3,), (0.7,)),))
    own = ErrorModel("mine", None, {"static": table})
    start = cn.games.ExplicitTree(data).start()
    result = cn.search(start, "best-first", error_model=own, until="decided", expansions=10)
    assert (result.status, result.expansions) == ("decided", 1)


def test_distributions_of_nodes() -> None:
    result = cn.search(FOUR.position("445326"), "best-first", expansions=300)
    root = result.tree.root.distribution
    assert root is not None
    assert list(root) == [1.0, 512.0, 1023.0]
    assert sum(root.values()) == pytest.approx(1)
    solved = next((node for node in result.tree.root.children if node.is_solved), None)
    if solved is not None:
        assert solved.distribution is not None
        assert solved.distribution[solved.value] == 1.0


def test_intervals_of_outcomes_are_nested() -> None:
    result = cn.search(FOUR.position("445326"), "best-first", expansions=300)
    wide, narrow = result.outcome_interval(0.99), result.outcome_interval(0.2)
    assert wide is not None
    assert narrow is not None
    assert wide[0] <= narrow[0] <= narrow[1] <= wide[1]
    with pytest.raises(cn.ArgumentError, match="level"):
        result.outcome_interval(1.0)


def test_doubts_are_open_leaves_in_order() -> None:
    result = cn.search(FOUR.position("445326"), "least-certainty", expansions=300)
    doubts = result.doubts(5)
    assert len(doubts) == 5
    assert [doubt.relevance for doubt in doubts] == sorted(
        (doubt.relevance for doubt in doubts), reverse=True
    )
    for doubt in doubts:
        place = result.position
        for move in doubt.line:
            place = place.play(move)
        assert place == doubt.position
        assert place.outcome is None
        assert sum(case.probability for case in doubt.cases) == pytest.approx(1)
        assert [case.outcome for case in doubt.cases] == [1.0, 512.0, 1023.0]
        assert doubt.words(result.move).startswith("after ")
    assert cn.search(FOUR.position("6325772336375326664517155542236277"), "best-first").doubts() == []


def test_doubts_say_what_would_happen() -> None:
    """Two moves, two leaves: if the better one is lost, the other is best."""
    table = Table((0.0, 1.0), (0.0,), (0.0, 1.0), (((0.01,), (0.99,)),), (((0.01,), (0.99,)),))
    own = ErrorModel("mine", None, {"static": table})
    leaf = {"value": 0.5, "children": [{"value": 0}, {"value": 1}]}
    data = {"value": 0, "children": [{**leaf, "value": 0.6}, {**leaf, "value": 0.5}]}
    result = cn.search(cn.games.ExplicitTree(data).start(), "best-first", error_model=own, expansions=1)
    assert result.move == "0"
    first = next(doubt for doubt in result.doubts() if doubt.line == ["0"])
    assert [case.move for case in first.cases] == ["1", "0"]
    assert first.cases[1].confidence == 1.0


def test_a_model_in_a_file(tmp_path: Path) -> None:
    path = model().save(tmp_path / "model.json")
    assert ErrorModel.load(path) == model()
    place = FOUR.position("445326")
    given = cn.search(place, "relevance", expansions=100, error_model=ErrorModel.load(path), trace=True)
    assert given.trace == cn.search(place, "relevance", expansions=100, trace=True).trace


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"conspirator":"error model"}', '{"conspirator":"error model","format":9}', "\x00"],
)
def test_damaged_files(text: str, tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    path.write_text(text)
    with pytest.raises(cn.ArgumentError, match=r"model\.json"):
        ErrorModel.load(path)
    with pytest.raises(cn.ArgumentError, match="cannot read"):
        ErrorModel.load(tmp_path / "none.json")


def test_damage_anywhere_is_one_clear_error(tmp_path: Path) -> None:
    """A part of a file is changed: it loads as another true model, or it is refused."""
    whole = json.loads(model().save(tmp_path / "whole.json").read_text())
    random = Random(1)
    refused = 0
    for _ in range(200):
        data = json.loads(json.dumps(whole))
        table = random.choice(list(data["tables"].values()))
        key = random.choice(list(table))
        broken: Any = random.choice([None, [], "x", [1, 1], [[[2.0, 0.5]]], {"a": 1}, [float("nan")]])
        table[key] = broken
        path = tmp_path / "broken.json"
        path.write_text(json.dumps(data))
        with pytest.raises(cn.ArgumentError, match="damaged"):
            ErrorModel.load(path)
        refused += 1
    assert refused == 200


def test_wrong_arguments() -> None:
    with pytest.raises(cn.ArgumentError, match="error_model"):
        cn.search(FOUR.start(), "best-first", expansions=10, error_model=0.5)  # type: ignore[arg-type]


def test_a_model_of_a_game_of_ones_own(tmp_path: Path) -> None:
    """The same command serves a game in Python: it gets a model, and then confidence."""
    pytest.importorskip("numpy")
    (tmp_path / "nim.py").write_text(
        "import conspirator as cn\n"
        "class Nim(cn.Game):\n"
        "    value_range = (-1, 1)\n"
        "    def start(self): return (9, True)\n"
        "    def to_move(self, state): return 'max' if state[1] else 'min'\n"
        "    def moves(self, state): return [n for n in (1, 2, 3) if n <= state[0]]\n"
        "    def play(self, state, n): return (state[0] - n, not state[1])\n"
        "    def outcome(self, state): return None if state[0] else (-1 if state[1] else 1)\n"
        "    def evaluate(self, state): return 0.1 * (state[0] % 4) - 0.2\n"
    )
    target = tmp_path / "model.json"
    arguments = ["calibrate", f"{tmp_path / 'nim.py'}:Nim", "--plies", "0-3", "--leaves", "600"]
    done = CliRunner().invoke(app, [*arguments, "--positions", "10", "--to", str(target), "--json"])
    assert done.exit_code == 0, done.output
    facts = json.loads(done.output)
    assert facts["outcomes"] == [-1.0, 1.0]
    loss, prior = facts["made"]["log loss"]["static"]
    assert loss < prior


def test_scores_of_a_forecast() -> None:
    random = Random(2)
    stated = [random.random() for _ in range(3000)]
    honest = [Answer(p, random.random() < p) for p in stated]
    boasting = [Answer(min(1.0, p + 0.3), answer.right) for p, answer in zip(stated, honest, strict=True)]
    good, bad = scores(honest), scores(boasting)
    assert good.ece < 2.5 * good.floor
    assert bad.ece > 5 * bad.floor
    assert bad.log_loss > good.log_loss
    assert good.auc == pytest.approx(5 / 6, abs=0.03)
    assert auc([0.5, 0.5], [True, False]) == 0.5
    assert auc([0.5], [True]) is None
    assert ece([1.0], [False]) == 1.0


def test_the_dependence_of_a_search() -> None:
    own = ErrorModel(
        "mine", None, model().tables, {"any": Dependence(0.1, 0.2), "relevance": Dependence(0.3, 0.4)}
    )
    assert own.depends("relevance") == (0.3, 0.4)
    assert own.depends("best-first") == (0.1, 0.2)


def test_the_dependence_may_change_with_the_phase(tmp_path: Path) -> None:
    phased = ((10.0, Dependence(0.2, 0.4)), (20.0, Dependence(0.6, 0.4)))
    own = ErrorModel("mine", None, model().tables, {"relevance": phased})
    told = [own.depends("relevance", phase).siblings for phase in (0, 10, 15, 30)]
    assert told == [0.2, 0.2, 0.4, 0.6]
    assert ErrorModel.load(own.save(tmp_path / "model.json")) == own


def test_late_positions_are_solved_beside_a_deep_search() -> None:
    game = cn.games.Othello()
    truth = Truth(game, deep=200, exact=8)
    late = game.start()
    while (late.moves_left or 0) > 8:
        assert not truth.is_exact(late)
        late = late.play(late.moves()[-1])
    assert truth.is_exact(late)
    assert truth(late) == cn.search(late, "end-game").value
    assert "at most 8 moves left" in truth.described()


def test_analyze_says_it_in_words() -> None:
    run = CliRunner().invoke
    told = run(
        app,
        ["analyze", "connect-four", "--position", "445326", "--search", "relevance", "--expansions", "200"],
    )
    assert told.exit_code == 0, told.output
    assert "is right with" in told.output
    assert "doubts" in told.output
    facts = json.loads(
        run(
            app,
            [
                *("analyze", "connect-four", "--position", "445326", "--search", "relevance"),
                *("--until", "0.5", "--expansions", "9999", "--json"),
            ],
        ).output
    )
    assert facts["status"] == "decided"
    assert facts["confidence"] >= 0.5
    assert {row["move"] for row in facts["moves"]} == set("1234567")
    assert all(0 <= row["best"] <= 1 for row in facts["moves"])


def test_models_are_shipped_whole() -> None:
    """Every shipped file loads and belongs to a game and an evaluator of ours."""
    folder = Path(cn.__file__).parent / "certainty" / "models"
    files = sorted(folder.glob("*.json"))
    assert files
    for path in files:
        shipped = ErrorModel.load(path)
        name, *options = shipped.game.split()
        settings = {key: int(value) for key, value in (option.split("=") for option in options)}
        game = cn.games.make(name, **settings)
        assert ErrorModel.of(game, shipped.evaluator) == shipped
        for losses in shipped.made["log loss"].values():
            assert losses[0] < losses[1]


def test_a_player_and_a_command_take_the_file_of_a_model(tmp_path: Path) -> None:
    game = cn.games.Hex(size=4)
    table = Table((-1.0, 1.0), (0.0,), (-9.0, 9.0), max=(((0.1,), (0.9,)),), min=(((0.1,), (0.9,)),))
    own = ErrorModel("hex size=4", None, {"static": table})
    path = own.save(tmp_path / "model.json")
    player = cn.Player.read(f"relevance:error_model={path},expansions=20")
    assert cn.Player.read(str(player)) == player
    assert player.think(game.start()).expansions == 20
    assert player.but(expansions=10).error_model == str(path)
    with pytest.raises(cn.ArgumentError, match="cannot read"):
        cn.Player("relevance", error_model=tmp_path / "other.json")
    with pytest.raises(cn.ArgumentError, match="error_model"):
        cn.Player("uci", command="engine", error_model=own)
    words = ["analyze", "hex", "--game-option", "size=4", "--search", "relevance"]
    words += ["--error-model", str(path), "--expansions", "20", "--json"]
    said = CliRunner().invoke(app, words)
    assert said.exit_code == 0, said.output
    assert 0 <= json.loads(said.output)["confidence"] <= 1


@pytest.mark.parametrize("search", ["relevance", "best-first", "least-certainty"])
def test_a_search_stops_when_more_is_not_worth_its_cost(search: str) -> None:
    place = FOUR.position("445326")
    cheap = cn.search(place, search, until="cost=0.000001", expansions=20_000)
    dear = cn.search(place, search, until="cost=0.0005", expansions=20_000)
    assert dear.status == "decided"
    assert dear.expansions < cheap.expansions
    assert dear.gain is not None
    assert dear.gain <= 0.0005 * dear.expansions
    with pytest.raises(cn.ArgumentError, match="cost"):
        cn.search(place, search, until="cost=-1", expansions=10)


@pytest.mark.parametrize(
    ("game", "plies"),
    [(FOUR, 4), (FOUR, 6), (FOUR, 9), (cn.games.Hex(size=5), 6), (cn.games.Othello(), 20)],
)
def test_gain_and_probabilities_are_those_of_the_page(game: cn.games.NativeGame, plies: int) -> None:
    """The short pass of the core, the long one, and the page of Python agree: for 1, 2 and 64 thresholds."""
    random, shipped = Random(plies), cn.ErrorModel.of(game)
    assert shipped is not None
    for _ in range(3):
        place = game.start()
        for _ in range(plies):
            place = place.play(random.choice(place.moves()))
        if place.outcome is not None:
            continue
        result = cn.search(place, "best-first", expansions=400)
        if result.status == "proven":
            continue
        depends = shipped.depends("best-first", float(place.phase))
        outcomes = shipped.outcomes
        weights = [(high - low) / (outcomes[-1] - outcomes[0]) for low, high in pairwise(outcomes)]
        family = []
        for child in result.tree.root.children:
            likely = child.distribution
            assert likely is not None
            parts = list(likely.values())
            family.append([sum(parts[k:]) for k in range(1, len(parts))])
        is_max = place.to_move == "max"
        assert result.probabilities is not None
        found = [result.probabilities[child.move] for child in result.tree.root.children]
        assert found == pytest.approx(best(family, is_max, depends.root), abs=1e-9)
        assert result.gain == pytest.approx(gain(family, is_max, depends.root, weights), abs=1e-9)


def test_the_truth_of_a_deep_search() -> None:
    """Who is ahead counts as the winner; other outcomes are told apart by a few of those that were seen."""
    hex_game = cn.games.Hex(size=5)
    truth = Truth(hex_game, deep=50)
    assert truth(hex_game.position("a1 b2")) in (-1.0, 1.0)
    known = truth.moves(hex_game.position("a1 b2"))
    assert known is not None
    assert not known.known  # nothing is searched before somebody asks
    assert known.is_best("c3") in (True, False)
    assert list(known.known) == ["c3"]
    coarse = Outcomes(hex_game.start(), truth, {"a1": 31.0, "b2": 29.0}, best=35.0, apart=(0.0, 30.0))
    assert (coarse.is_best("a1"), coarse.is_best("b2")) == (True, False)


def test_the_truth_by_a_solver_of_ones_own() -> None:
    asked = []

    def solver(position: cn.Position) -> float | None:
        asked.append(position)
        return 1.0 if len(asked) % 2 else None

    truth = Truth(cn.games.Hex(size=3), solver=solver)
    assert truth(cn.games.Hex(size=3).start()) == 1.0
    assert truth.moves(cn.games.Hex(size=3).start()) is None
    assert truth.unsettled == 1
    assert "solver" in truth.described()


def test_calibrate_does_not_depend_on_how_many_truths_are_looked_for_at_once() -> None:
    pytest.importorskip("numpy")

    def made(processes: int) -> cn.ErrorModel:
        game = cn.games.Hex(size=3)
        few: dict[str, Any] = {"leaves": 400, "positions": 6, "expansions": 3, "searches": ["best-first"]}
        return calibrate(game, plies=(0, 5), processes=processes, **few)

    assert made(1) == made(3)


def test_calibrate_takes_the_word_of_a_function(tmp_path: Path) -> None:
    pytest.importorskip("numpy")
    (tmp_path / "known.py").write_text("def outcome(position):\n    return float(position.evaluate() > 0)\n")
    words = ["calibrate", "hex", "--game-option", "size=3", "--plies", "0-3", "--leaves", "400"]
    words += ["--positions", "5", "--expansions", "3", "--search", "best-first", "--json"]
    words += ["--to", str(tmp_path / "m.json"), "--truth"]
    bad = CliRunner().invoke(app, [*words, f"{tmp_path / 'known.py'}:nobody"])
    assert bad.exit_code == 2
    assert "nobody" in bad.output
    assert CliRunner().invoke(app, [*words, "outcome"]).exit_code == 2


def test_losses_of_signals_that_are_no_probabilities() -> None:
    random = Random(4)
    signal = [random.random() for _ in range(400)]
    right = [random.random() < x for x in signal]
    told, noise = fitted_loss(signal, right), fitted_loss([random.random() for _ in signal], right)
    assert told is not None
    assert noise is not None
    assert told < noise < 0.75
    assert fitted_loss([1.0] * 10, [True, False] * 5) is None


def test_notebooks_gtp_and_figures_say_how_sure_a_search_is(tmp_path: Path) -> None:
    result = cn.search(FOUR.position("445326"), "best-first", expansions=200)
    assert "a best move with" in result._repr_html_()
    assert "a best one" in result._repr_html_()
    server = Server("hex", cn.Player("best-first", expansions=50), options={"size": 5})
    assert "confidence 0." in server.answer("conspirator-analyze")
    pytest.importorskip("matplotlib")
    assert result.figure("certainty").save(tmp_path / "c.svg").stat().st_size > 1000
    unknown = cn.search(cn.games.Amazons(size=6).start(), "best-first", expansions=5)
    with pytest.raises(cn.ArgumentError, match="calibrate"):
        unknown.figure("certainty")
