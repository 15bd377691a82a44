"""Evaluators around networks: planes, policies, symmetries, ONNX, PyTorch and plain functions."""

from __future__ import annotations

import builtins
import random
from typing import Any

import pytest

np = pytest.importorskip("numpy")

import conspirator as cn  # noqa: E402
from networks import Linear  # noqa: E402

GAMES: dict[str, Any] = {
    "connect-four": cn.games.ConnectFour(),
    "othello": cn.games.Othello(),
    "hex": cn.games.Hex(size=5),
    "hex with swap": cn.games.Hex(size=4, swap=True),
    "amazons": cn.games.Amazons(size=5),
    "chess": cn.games.Chess(),
}


def some(game: Any, count: int = 12) -> list[cn.Position]:
    """Return positions of random games."""
    chance = random.Random(7)
    found: list[cn.Position] = []
    while len(found) < count:
        position = game.start()
        for _ in range(chance.randrange(30)):
            if position.outcome is None:
                position = position.play(chance.choice(position.moves()))
        if position.outcome is None:
            found.append(position)
    return found


# --- planes


def test_connect_four_planes_are_the_picture() -> None:
    game = GAMES["connect-four"]
    for position in some(game):
        own, other = ("X", "O") if position.to_move == "max" else ("O", "X")
        rows = [row.split() for row in str(position).splitlines()[:6]]
        seen = [[[float(cell == mark) for cell in row] for row in rows] for mark in (own, other)]
        assert game.planes([position])[0].tolist() == seen


def test_chess_planes_agree_with_python_chess() -> None:
    chess = pytest.importorskip("chess")
    game = GAMES["chess"]
    for position in [*some(game), game.position("r3k2r/8/8/8/3pP3/8/8/R3K2R b KQ e3 7 9")]:
        fen, _, line = position.notation().partition(" moves ")
        board = chess.Board(fen)
        for move in line.split():
            board.push_uci(move)
        board = board if board.turn else board.mirror()
        planes = np.zeros((18, 8, 8))
        for square, piece in board.piece_map().items():
            planes[piece.piece_type - 1 + 6 * (not piece.color), square // 8, square % 8] = 1
        rights = [f(side) for side in (True, False) for f in
                  (board.has_kingside_castling_rights, board.has_queenside_castling_rights)]  # fmt: skip
        for plane, right in enumerate(rights, 12):
            planes[plane] = right
        if board.has_legal_en_passant():
            planes[16, board.ep_square // 8, board.ep_square % 8] = 1
        planes[17] = board.halfmove_clock / 100
        assert np.allclose(game.planes([position])[0], planes)


def test_hex_planes_turn_with_the_player() -> None:
    game = GAMES["hex"]
    black, white = game.planes([game.position("b1 d4"), game.position("b1")])
    assert black[0].nonzero() == (0, 1)  # Black's stone in row 0, column 1
    assert black[1].nonzero() == (3, 3)
    assert white[1].nonzero() == (1, 0)  # the same stone, mirrored, for White
    edges = game.planes([game.position("b1")], edges=True)[0]
    assert edges.shape == (2, 7, 7)
    assert edges[0].sum() == 10
    assert edges[0, [0, -1], 1:-1].all()
    assert edges[1].sum() == 11
    assert edges[1, 1:-1, [0, -1]].all()
    legal = game.planes([game.position("b1")], legal=True)[0, 2]
    assert legal.sum() == 24
    assert legal[1, 0] == 0


@pytest.mark.parametrize("name", GAMES)
def test_every_move_has_its_places(name: str) -> None:
    from conspirator._planes import policy_places

    game = GAMES[name]
    shape = game.network
    for position in some(game, 6):
        places, counts = policy_places([position], shape.parts)
        assert counts == [len(position.moves())]
        assert len({tuple(row) for row in places.tolist()}) == counts[0]  # all different
        assert places.min() >= 0
        assert places.max() < shape.policy
    assert game.planes(some(game, 3)).shape == (3, *shape.planes)
    assert game.planes(some(game, 3)).dtype == np.float32


@pytest.mark.parametrize("name", ["connect-four", "othello", "hex", "amazons"])
def test_symmetries_turn_positions_into_positions(name: str) -> None:
    """After a move and its image the planes are images too: so planes and moves turn alike."""
    from conspirator._planes import policy_places

    game = GAMES[name]
    known = {game.planes([p]).tobytes() for p in [game.start()]}
    for symmetry in game.symmetries:
        one = two = game.start()
        if symmetry.turn(game.planes([one])).tobytes() not in known:
            continue  # the start itself is not symmetric in this way
        chance = random.Random(3)
        for _ in range(8):
            if one.outcome is not None:
                break
            planes = [game.planes([p])[0] for p in (one, two)]
            assert (symmetry.turn(planes[0]) == planes[1]).all()
            flat = planes[0].reshape(len(planes[0]), -1)
            assert (flat[:, symmetry.cells] == planes[1].reshape(flat.shape)).all()
            places = policy_places([one], game.network.parts)[0]
            images = {
                tuple(row): at for at, row in enumerate(policy_places([two], game.network.parts)[0].tolist())
            }
            at = chance.randrange(len(places))
            inverse = np.argsort(symmetry.moves)
            one = one.play(one.moves()[at])
            two = two.play(two.moves()[images[tuple(inverse[places[at]].tolist())]])


# --- evaluators


@pytest.mark.parametrize("name", ["connect-four", "othello", "hex", "hex with swap", "amazons", "chess"])
def test_onnx_says_what_the_network_says(name: str) -> None:
    pytest.importorskip("onnxruntime")
    pytest.importorskip("onnx")
    game = GAMES[name]
    linear = Linear(game.network.planes, game.network.policy)
    by_file = cn.evaluators.onnx(linear.onnx())
    by_function = cn.evaluators.network(linear)
    positions = some(game, 5)
    one, two = by_file.evaluate(positions), by_function.evaluate(positions)
    assert np.allclose(one[0], two[0], atol=1e-5)
    for first, second, position in zip(one[1], two[1], positions, strict=True):
        assert len(first) == len(position.moves())
        assert np.allclose(first, second, atol=1e-4)
        assert abs(sum(first) - 1) < 1e-6
    result = cn.search(positions[0], "puct", evaluator=by_file, expansions=30, batch=8)
    assert result.expansions == 30 or result.status == "proven"


def test_the_value_is_the_movers_or_maxs() -> None:
    game = GAMES["connect-four"]
    positions = [game.position(""), game.position("4")]
    mover = cn.evaluators.network(lambda planes: (None, [0.5] * len(planes)))
    at_max = cn.evaluators.network(lambda planes: (None, [0.5] * len(planes)), value_from="max")
    chance = cn.evaluators.network(lambda planes: (None, [0.75] * len(planes)), value_range=(0, 1))
    assert mover.evaluate(positions) == [0.5, -0.5]
    assert at_max.evaluate(positions) == [0.5, 0.5]
    assert chance.evaluate(positions) == [0.75, 0.25]


def test_symmetries_are_averaged() -> None:
    game = GAMES["connect-four"]
    linear = Linear((2, 6, 7), 7)
    plain, mean = cn.evaluators.network(linear), cn.evaluators.network(linear, symmetries=True)
    position, mirrored = game.position("1127"), game.position("7761")
    (one, two), (both, same) = plain.evaluate([position, mirrored])[0], mean.evaluate([position, mirrored])[0]
    assert both == pytest.approx(same)
    assert both == pytest.approx((one + two) / 2)
    scores = plain.evaluate([position, mirrored])[1]
    assert mean.evaluate([position])[1][0] == pytest.approx((scores[0] + scores[1][::-1]) / 2)


def test_a_policy_of_probabilities_and_one_of_logits() -> None:
    position = GAMES["connect-four"].start()
    likely = np.array([[1, 2, 3, 4, 3, 2, 1]]) / 16
    by_likely = cn.evaluators.network(lambda planes: (likely, [0.0]), probabilities=True)
    by_logits = cn.evaluators.network(lambda planes: (np.log(likely), [0.0]))
    assert by_likely.evaluate([position])[1][0] == pytest.approx(likely[0])
    assert by_logits.evaluate([position])[1][0] == pytest.approx(likely[0])


def test_moves_and_encode_of_your_own() -> None:
    class Nim(cn.Game):
        value_range = (-1, 1)

        def moves(self, state: int) -> list[int]:
            return [n for n in (1, 2, 3) if n <= state]

        def play(self, state: int, move: int) -> int:
            return state - move

        def outcome(self, state: int) -> float | None:
            return None if state else 0.0

    evaluator = cn.evaluators.network(
        lambda states: ([[0.0, 1.0, 2.0]] * len(states), np.zeros(len(states))),
        encode=lambda positions: [[p.state] for p in positions],
        moves=lambda position: [move - 1 for move in position.moves()],
    )
    values, scores = evaluator.evaluate([Nim().position(2)])
    assert values == [0.0]
    assert scores[0][1] / scores[0][0] == pytest.approx(np.e)
    with pytest.raises(cn.ArgumentError, match="give encode= and moves="):
        cn.evaluators.network(lambda planes: (None, [0.0])).evaluate([Nim().position(2)])


def test_the_cache_is_bounded_and_counts_for_memory() -> None:
    linear = Linear((2, 6, 7), 7)
    evaluator = cn.evaluators.network(linear, cache=50)
    start = GAMES["connect-four"].start()
    cn.search(start, "puct", evaluator=evaluator, expansions=100, batch=4)
    shown = evaluator.positions
    assert 0 < len(evaluator.cache) <= 50
    assert evaluator.cache.found > 0  # other orders of the same moves
    assert evaluator.cache.bytes > 50 * 7 * 8
    again = cn.evaluators.network(linear, cache=10**6)
    one = cn.search(start, "puct", evaluator=again, expansions=100)
    before = again.positions
    two = cn.search(start, "puct", evaluator=again, expansions=100)
    assert again.positions == before < shown + 100
    assert one.tree.root.numbers == two.tree.root.numbers
    cn.search(start, "puct", evaluator=again, memory=100_000)
    assert again.cache.bytes <= 100_000 / 2


def test_half_precision_and_large_batches_in_pieces() -> None:
    pytest.importorskip("onnxruntime")
    pytest.importorskip("onnx")
    game = GAMES["connect-four"]
    linear, positions = Linear((2, 6, 7), 7), some(game, 10)
    exact = cn.evaluators.onnx(linear.onnx())
    half = cn.evaluators.onnx(linear.onnx(half=True), largest=3)
    assert np.allclose(exact.evaluate(positions)[0], half.evaluate(positions)[0], atol=0.01)
    assert (exact.calls, half.calls) == (1, 4)


def test_torch_says_what_the_network_says() -> None:
    torch = pytest.importorskip("torch")
    game = GAMES["connect-four"]
    linear = Linear((2, 6, 7), 7)

    base: Any = torch.nn.Module

    class Module(base):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.policy = torch.nn.Linear(84, 7, bias=False)
            self.value = torch.nn.Linear(84, 1, bias=False)
            self.policy.weight.data = torch.from_numpy(linear.weights.T.copy())
            self.value.weight.data = torch.from_numpy(linear.direction.T.copy())

        def forward(self, planes: Any) -> Any:
            flat = planes.flatten(1)
            return torch.tanh(self.value(flat)), self.policy(flat)

    positions = some(game, 5)
    wanted = cn.evaluators.network(linear).evaluate(positions)
    for evaluator, near in (
        (cn.evaluators.torch(Module()), 1e-5),
        (cn.evaluators.torch(Module(), policy=1, value=0), 1e-5),
        (cn.evaluators.torch(Module(), half=True), 0.05),
    ):
        values, scores = evaluator.evaluate(positions)
        assert np.allclose(values, wanted[0], atol=near)
        assert np.allclose(np.concatenate(scores), np.concatenate(wanted[1]), atol=near)
    if not torch.cuda.is_available():
        with pytest.raises(cn.ArgumentError, match="sees no GPU"):
            cn.evaluators.torch(Module(), device="cuda")
    with pytest.raises(cn.ArgumentError, match=r"torch\.nn\.Module is wanted"):
        cn.evaluators.torch(linear)


# --- mistakes

WRONG: dict[str, tuple[Any, dict[str, Any], str]] = {
    "not a number": (lambda p: (None, [np.nan]), {}, "value is not a number"),
    "policy not a number": (lambda p: ([[np.nan] * 7], [0.0]), {}, "policy is not a number"),
    "too many values": (lambda p: (None, [0.0, 0.0]), {}, r"value has shape \(2,\) for 1 positions"),
    "too few outputs": (lambda p: ([[0.0] * 6], [0.0]), {}, "policy has 6 outputs, and a move is number 6"),
    "wide value": (lambda p: (None, [[0.0, 1.0]]), {}, "one number for each position"),
    "out of range": (lambda p: (None, [3.0]), {}, "value 3 is outside -1 to 1"),
    "logits as probabilities": (
        lambda p: ([[-1.0] * 7], [0.0]),
        {"probabilities": True},
        "leave probabilities out",
    ),
    "words": (lambda p: (None, ["x"]), {}, "no array of numbers"),
    "encode": (lambda p: (None, [0.0]), {"encode": lambda ps: np.zeros((2, 2))}, "encode returned an array"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_outputs_are_told(name: str) -> None:
    function, options, text = WRONG[name]
    with pytest.raises(cn.GameError, match=text):
        cn.evaluators.network(function, **options).evaluate([GAMES["connect-four"].start()])


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"value_from": "me"}, "value_from must be"),
        ({"value_range": (1, 1)}, "value_range must be"),
        ({"cache": -1}, "cache must be a whole number"),
        ({"largest": 0}, "largest must be a whole number"),
        ({"encode": 3}, "encode must be a function"),
    ],
)
def test_wrong_options_are_told(options: dict[str, Any], text: str) -> None:
    with pytest.raises(cn.ArgumentError, match=text):
        cn.evaluators.network(len, **options)


def test_wrong_models_are_told(tmp_path: Any) -> None:
    pytest.importorskip("onnxruntime")
    pytest.importorskip("onnx")
    linear = Linear((2, 6, 7), 7)
    with pytest.raises(cn.ArgumentError, match="as an ONNX model"):
        cn.evaluators.onnx(tmp_path / "none.onnx")
    with pytest.raises(cn.ArgumentError, match="onnxruntime sees no device 'cuda'"):
        cn.evaluators.onnx(linear.onnx(), device="cuda")
    with pytest.raises(cn.GameError, match="takes 2 x 6 x 7 for a position, and encode gives 2 x 5 x 5"):
        cn.evaluators.onnx(linear.onnx()).evaluate([GAMES["hex"].start()])
    with pytest.raises(cn.ArgumentError, match="the network's outputs are policy, value"):
        cn.evaluators.onnx(linear.onnx(), value="worth").evaluate([GAMES["connect-four"].start()])
    other = cn.evaluators.onnx(linear.onnx(names=("a", "b")), policy="a", value=1)
    assert other.evaluate([GAMES["connect-four"].start()])[0] == [0.0]
    with pytest.raises(cn.ArgumentError, match="no planes"):
        cn.games.UniformTree(width=2).planes([])


@pytest.mark.parametrize(("package", "make"), [("onnxruntime", "onnx"), ("torch", "torch")])
def test_a_missing_package_is_told(package: str, make: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = builtins.__import__

    def absent(name: str, *rest: Any) -> Any:
        if name == package:
            raise ImportError(name)
        return found(name, *rest)

    monkeypatch.setattr(builtins, "__import__", absent)
    with pytest.raises(cn.ArgumentError, match=rf"pip install 'conspirator\[{make}\]'"):
        getattr(cn.evaluators, make)("model")
