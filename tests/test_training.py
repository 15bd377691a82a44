"""The program in `training/`: its rules against those of the package, its searches, and what it learns.

It plays thousands of games at once, so every number is a tensor. These tests need PyTorch.
"""

from __future__ import annotations

import csv
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

import conspirator as cn

torch: Any = pytest.importorskip("torch")
ROOT = Path(__file__).parents[1]
sys.path.append(str(ROOT / "training"))

SQUARES = {f"{file}{rank + 1}": 8 * rank + "abcdefgh".index(file) for rank in range(8) for file in "abcdefgh"}
GAMES: dict[str, Any] = {
    "connect-four": cn.games.ConnectFour(),
    "othello": cn.games.Othello(),
    "hex 3": cn.games.Hex(size=3),
    "hex 6": cn.games.Hex(size=6),
}
SMALL = (
    "--games 16 --simulations 4 --considered 3 --window 40 --batch 32 "
    "--channels 8 --blocks 1 --warm 2 --duel 16"
)


@pytest.fixture(autouse=True)
def one_thread() -> None:
    """Tests of other processes run at the same time."""
    torch.set_num_threads(1)


def rules_of(name: str) -> Any:
    """Return the rules of a game of `GAMES`."""
    from boards import rules_of  # type: ignore[import-not-found]

    game, *size = name.split()
    return rules_of(game, *map(int, size))


def outputs(name: str, position: Any) -> dict[int, str]:
    """Return the moves of a position by the policy's outputs."""
    game, *size = name.split()

    def output(move: str) -> int:
        if game == "connect-four":
            return int(move) - 1
        if game == "othello":
            return 64 if move == "pass" else SQUARES[move]
        column, row, n = ord(move[0]) - ord("a"), int(move[1:]) - 1, int(size[0])
        return n * row + column if position.to_move == "max" else n * column + row

    return {output(move): move for move in position.moves()}


def result_of(name: str, position: Any) -> float:
    """Return what the result of a game is for the player to move."""
    outcome = (position.outcome - 512) / 511 if name == "connect-four" else position.outcome
    if name == "othello":
        outcome = float(torch.tanh(torch.tensor(outcome / 16)))
    return float(outcome if position.to_move == "max" else -outcome)


def wins_at_once(name: str, position: Any, move: str) -> bool:
    """Return whether a move wins; in Othello the rules do not look for that."""
    after = position.play(move)
    return name != "othello" and after.outcome is not None and result_of(name, after) == -1.0


@pytest.mark.parametrize("name", GAMES)
def test_random_games(name: str) -> None:
    rules, random = rules_of(name), Random(1)
    for _ in range(12):
        position, state = GAMES[name].start(), rules.start(1)
        while True:
            sight, moves = rules.look(state), outputs(name, position)
            inner = slice(1, -1) if rules.name == "hex" else slice(None)
            assert (rules.planes(state)[:, :, inner, inner].numpy() == GAMES[name].planes([position])).all()
            assert bool(sight.over) == (position.outcome is not None)
            if position.outcome is not None:
                assert float(sight.result) == pytest.approx(result_of(name, position), abs=1e-6)
                break
            assert sight.legal[0].nonzero().flatten().tolist() == sorted(moves)
            wins = [output for output, move in moves.items() if wins_at_once(name, position, move)]
            assert sight.wins[0].nonzero().flatten().tolist() == sorted(wins)
            output = random.choice(sorted(moves))
            position, state = position.play(moves[output]), rules.play(state, torch.tensor([output]))


PERFT = [("connect-four", 5, 7**5), ("othello", 5, 1396), ("hex 3", 4, 9 * 8 * 7 * 6)]


@pytest.mark.parametrize(("name", "depth", "count"), PERFT)
def test_perft(name: str, depth: int, count: int) -> None:
    """All positions of a depth at once, as in `tests/data/perft`."""
    rules = rules_of(name)
    state = rules.start(1)
    for _ in range(depth):
        which, move = rules.look(state).legal.nonzero(as_tuple=True)
        state = rules.play(state[which], move)
    assert len(state) == count


@pytest.mark.parametrize("name", ["connect-four", "othello"])
def test_turned_boards(name: str) -> None:
    """A turned board has turned moves."""
    from self_play import random_positions  # type: ignore[import-not-found]

    rules = rules_of(name)
    torch.manual_seed(1)
    state = random_positions(rules, 50, 12)
    planes, legal = rules.planes(state).flatten(2), rules.look(state).legal
    for cells, moves in rules.symmetries():
        turned = (planes[:, :, cells].long() << rules.places).sum(2)
        assert (rules.look(turned).legal == legal[:, moves]).all()


def test_half_a_turn_of_hex() -> None:
    rules, random = rules_of("hex 6"), Random(1)
    cells, moves = rules.symmetries()[1]
    state = turned = rules.start(1)
    while not rules.look(state).over:
        output = random.choice(rules.look(state).legal[0].nonzero().flatten().tolist())
        state = rules.play(state, torch.tensor([output]))
        turned = rules.play(turned, (moves == output).nonzero().flatten())
        assert (rules.planes(turned).flatten(2) == rules.planes(state).flatten(2)[:, :, cells]).all()
    assert rules.look(turned).over


def even(moves: int) -> Callable[[Any], tuple[Any, Any]]:
    """Return a network that knows nothing."""
    return lambda state: (torch.zeros(len(state), moves), torch.zeros(len(state)))


def trees_of(name: str, count: int, simulations: int, considered: int) -> Any:
    """Return room for trees with a network that knows nothing."""
    from gumbel import Trees  # type: ignore[import-not-found]

    rules = rules_of(name)
    return Trees(rules, even(rules.moves), count, simulations, considered)


@pytest.mark.parametrize("considered", [1, 2, 4, 7, 16])
@pytest.mark.parametrize("simulations", [1, 8, 16, 50])
def test_the_plan_is_that_of_the_package(considered: int, simulations: int) -> None:
    from gumbel import plan

    from conspirator.rules.gumbel import GumbelRoot

    root = GumbelRoot(considered=considered, plan=simulations)
    for width in range(1, considered + 1):
        due = [root.due(t, moves=width) for t in range(simulations)]
        assert plan(considered, simulations)[width] == due


def test_completed_values_are_those_of_the_package() -> None:
    from gumbel import SCALE, VISIT, completed, sigma

    from conspirator.rules.gumbel import Arm, GumbelRoot

    priors, visits, totals, own = [0.5, 0.3, 0.2], [3.0, 1.0, 0.0], [1.2, -0.5, 0.0], 0.25
    arms = [
        Arm(prior, count, total / count if count else None)
        for prior, count, total in zip(priors, visits, totals, strict=True)
    ]
    expected = GumbelRoot(c_visit=VISIT, c_scale=SCALE).completed(own, arms)
    rows = [torch.tensor([row]) for row in (priors, visits, totals)]
    logits = rows[0].log()
    q = completed(logits, rows[1], rows[2], torch.tensor([own]))
    assert (logits + sigma(q, rows[1]))[0].tolist() == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("name", GAMES)
def test_numbers_of_trees_agree(name: str) -> None:
    """Visits and values of a node are those of the nodes below, and of itself."""
    from gumbel import gumbel_noise
    from self_play import random_positions

    torch.manual_seed(1)
    trees = trees_of(name, 16, 12, 5)
    rules = trees.rules
    state = random_positions(rules, 16, 6)
    sight = rules.look(state)
    advice = trees.search(state, gumbel_noise((16, rules.moves), "cpu"))
    assert trees.visits[trees.roots].sum(1).tolist() == [12.0] * 16
    assert advice.policy.sum(1).tolist() == pytest.approx([1.0] * 16)
    assert not (advice.policy[~sight.legal] > 0).any()
    assert sight.legal.gather(1, advice.move[:, None]).all()
    for row, move in trees.child.ge(0).nonzero().tolist():
        child = int(trees.child[row, move])
        whole = trees.value[child] + trees.total[child].sum()
        if trees.over[child]:
            assert trees.total[row, move] == pytest.approx(-trees.visits[row, move] * trees.value[child])
        else:
            assert trees.visits[row, move] == 1 + trees.visits[child].sum()
            assert float(trees.total[row, move]) == pytest.approx(-float(whole), abs=1e-4)
    states, values, good = trees.learnt()
    assert len(states) == len(values) == 16 * 13
    assert good.sum() > 16
    assert values.abs().max() <= 1


FORCED = [
    ("connect-four", "112233", "4", 1.0),  # a win at once
    ("connect-four", "1223344", "5", None),  # the only way not to lose at once
    ("hex 3", "b1 a1 b2 a3", "b3", 1.0),
]


@pytest.mark.parametrize(("name", "moves", "best", "value"), FORCED)
def test_forced_moves_are_found(name: str, moves: str, best: str, value: float | None) -> None:
    from gumbel import gumbel_noise

    torch.manual_seed(1)
    trees = trees_of(name, 8, 60, 9)
    position, state = GAMES[name].start(), trees.rules.start(8)
    for move in moves.split() if " " in moves else moves:
        output = {text: output for output, text in outputs(name, position).items()}[move]
        position, state = position.play(move), trees.rules.play(state, torch.full((8,), output))
    advice = trees.search(state, gumbel_noise((8, trees.rules.moves), "cpu"))
    assert [outputs(name, position)[move] for move in advice.move.tolist()] == [best] * 8
    if value is not None:
        assert advice.value.tolist() == pytest.approx([value] * 8, abs=1e-3)


def test_games_settle_their_results() -> None:
    """After a game each of its positions has the result for its player; others have none."""
    from self_play import UNKNOWN, Arena

    torch.manual_seed(1)
    trees = trees_of("hex 3", 32, 4, 4)
    arena = Arena(trees.rules, trees, 64)
    for _ in range(30):
        arena.play(resign=False)
    assert arena.ended > 32
    known = arena.result[:30] < UNKNOWN
    assert 0.3 < known.float().mean() < 1
    assert set(arena.result[:30][known].abs().tolist()) == {1.0}
    lessons = arena.sample(64)
    assert lessons.planes.shape == (64, 2, 5, 5)
    assert lessons.policy.sum(1).tolist() == pytest.approx([1.0] * 64, abs=0.01)
    assert not (lessons.policy[~lessons.legal] > 0).any()


@pytest.mark.parametrize("name", ["connect-four", "othello"])
def test_tuples_have_the_symmetries_and_can_be_read_again(name: str, tmp_path: Path) -> None:
    from tuple_network import TupleNetwork  # type: ignore[import-not-found]

    network = TupleNetwork(rules_of(name))
    torch.manual_seed(1)
    network.weights.normal_()
    network.refresh()
    mover, other = (0b1011, 0b100 << 7) if name == "connect-four" else (0x10_0800_0000, 0x08_1000_0100)

    def mirror(c: int) -> int:
        return 7 * (6 - c // 7) + c % 7 if name == "connect-four" else 8 * (c % 8) + c // 8

    def mirrored(x: int) -> int:
        return sum(1 << mirror(c) for c in range(49 if name == "connect-four" else 64) if x >> c & 1)

    state = torch.tensor([[mover, other], [mirrored(mover), mirrored(other)]])
    values = network.values(state)
    assert values[0] == pytest.approx(float(values[1]), abs=1e-4)
    assert float(values[0]) != 0
    network.export(tmp_path / "tuples.bin")
    again = TupleNetwork(rules_of(name))
    again.load(tmp_path / "tuples.bin")
    again.export(tmp_path / "again.bin")
    assert (tmp_path / "again.bin").read_bytes()[400:] == (tmp_path / "tuples.bin").read_bytes()[400:]


@pytest.mark.parametrize("name", ["connect-four", "othello"])
def test_the_shipped_tuples_say_the_same_here(name: str) -> None:
    """The sums of PyTorch are those of the package."""
    from tuple_network import TupleNetwork

    network, random = TupleNetwork(rules_of(name)), Random(1)
    file = name.replace("-", "_")
    network.load(ROOT / f"crates/core/src/evaluators/data/{file}.bin")
    position, state = GAMES[name].start(), network.rules.start(1)
    for _ in range(12):
        output, move = random.choice(sorted(outputs(name, position).items()))
        position, state = position.play(move), network.rules.play(state, torch.tensor([output]))
        total = float(torch.atanh(network.values(state).double())) * network.shape.spread
        said = position.evaluate(evaluator="network")
        if name == "connect-four":
            total, said = 510 * total / (total**2 + 4) ** 0.5, said - 512
        sign = 1 if position.to_move == "max" else -1
        assert said == pytest.approx(sign * total, abs=0.6)


@pytest.mark.parametrize("name", ["connect-four", "othello"])
def test_tuples_play(name: str) -> None:
    """A position is worth what its best move is, and that move is the likeliest."""
    from self_play import random_positions
    from tuple_network import OnePly, TupleNetwork

    network = TupleNetwork(rules_of(name))
    torch.manual_seed(1)
    network.weights.normal_(std=0.05)
    network.refresh()
    state = random_positions(network.rules, 20, 12)
    logits, odds = OnePly(network)(state)
    for row in range(20):
        values = []
        for move in network.rules.look(state[row : row + 1]).legal[0].nonzero().flatten():
            after = network.rules.play(state[row : row + 1], move[None])
            sight = network.rules.look(after)
            value = -float(sight.result if sight.over else network.values(after))
            values.append((-1.0 if sight.wins.any() else value, int(move)))
        assert float(torch.tanh(odds[row] / 2)) == pytest.approx(max(values)[0], abs=1e-3)
        assert float(logits[row, max(values)[1]]) == pytest.approx(float(logits[row].max()), abs=1e-4)


def test_tuples_learn_by_themselves(tmp_path: Path) -> None:
    program = [sys.executable, str(ROOT / "training/train.py"), "connect-four", str(tmp_path / "run")]
    more = "--player tuples --student-batch 64 --minutes 0.05 --tell 0.5 --judge 100 --simulations 2"
    subprocess.run([*program, *SMALL.split(), *more.split()], check=True)
    subprocess.run([*program, "--export"], check=True)
    assert (tmp_path / "run/tuples.bin").exists()


@pytest.mark.parametrize("game", ["connect-four", "othello", "hex"])
def test_a_course(game: str, tmp_path: Path) -> None:
    """It begins, goes on, and writes networks that the package reads."""
    folder = tmp_path / "run"
    program = [sys.executable, str(ROOT / "training/train.py"), game, str(folder)]
    times = "--minutes 0.03 --total 0.1 --tell 0.5 --judge 100"
    more = "--sizes 3" if game == "hex" else "--student-batch 64 --student new"
    for run in (1, 2):
        subprocess.run([*program, *SMALL.split(), *times.split(), *more.split()], check=True)
        rows = list(csv.DictReader((folder / "curve.csv").open()))
        assert int(rows[-1]["rounds"]) > 0
        state = torch.load(folder / "state.pt")
        assert state["rounds"] >= run
        assert 1.5 * run < state["seconds"]
    assert float(rows[-1]["seconds"]) > float(rows[0]["seconds"])
    subprocess.run([*program, "--export"], check=True)
    if game == "hex":
        head, taps = 8 * 32 + 32, 7 * 8
        size = 16 + 2 * (taps * 2 + 8) + 2 * (4 + 8 * 8 + taps * 8) + 2 * (2 * head + 33 + 64 * 65 + 65)
        assert (folder / "neural.bin").stat().st_size == size
        return
    shipped = ROOT / f"crates/core/src/evaluators/data/{game.replace('-', '_')}.bin"
    assert (folder / "tuples.bin").stat().st_size == shipped.stat().st_size
    pytest.importorskip("onnxruntime")
    evaluator = cn.evaluators.onnx(str(folder / "tower.onnx"))
    found = cn.search(GAMES[game].start(), "puct", evaluator=evaluator, expansions=20, batch=4)
    assert found.move in GAMES[game].start().moves()
