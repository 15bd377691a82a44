"""What is known of Hex without searching: connections that are played out, and what is shown of them."""

from __future__ import annotations

import json
from itertools import permutations
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import conspirator as cn
import conspirator.hex
from command_line import Run, complaint_of, facts_of, result_of, runner
from conspirator.front_ends.gtp import Server
from conspirator.hex import Connection, Knowledge, in_order, knowledge, replay, survives
from helpers import random_hex

FACTS: dict[str, Any] = {
    "winner": None,
    "filled": {"max": ["d3"], "min": ["e5"]},
    "mustplay": ["c2", "d1", "c1"],
    "moves": ["c2", "d1"],
    "inferior": {"d3": "captured", "e5": "dead", "a1": "dominated", "e1": "vulnerable"},
    "energies": {"c2": 2.0, "d1": 1.0, "c1": 0.5},
    "resistance": {"max": 0.5, "min": 1.0},
    "connections": {
        "max": [
            {"ends": ["c3", "top"], "full": False, "carrier": ["c2", "c1", "d1"]},
            {"ends": ["c3", "bottom"], "full": True, "carrier": ["b5", "c5", "c4"]},
            {"ends": ["c3", "bottom"], "full": True, "carrier": ["b5", "c4"]},
            {"ends": ["c3", "c2"], "full": True, "carrier": []},
        ],
        "min": [{"ends": ["b4", "left"], "full": True, "carrier": ["a4", "a5"]}],
    },
}
"""Written by hand, to be shown; whether it is true is another matter."""


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> Knowledge:
    """Let the facts above be what is known of every position."""

    monkeypatch.setattr(conspirator.hex, "facts_of", lambda _position, _evaluator: FACTS)
    return knowledge(cn.games.Hex(size=5).position("c3 b4"))


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    return runner(capsys, monkeypatch, tmp_path)


def claim(player: Any, ends: str, carrier: str, *, full: bool = True) -> Connection:
    one, other = ends.split()
    return Connection(player, (one, other), full, frozenset(carrier.split()))


@pytest.mark.parametrize(
    ("moves", "connection", "holds"),
    [
        ("c2", claim("max", "c2 top", "c1 d1"), True),
        ("c2", claim("max", "c2 top", "c1"), False),
        ("c2", claim("max", "c2 top", "c1", full=False), True),
        ("c2", claim("max", "c2 top", "d1", full=False), True),
        ("c2", claim("max", "c2 top", "b1", full=False), False),
        ("c3 a1 d1", claim("max", "c3 d1", "c2 d2"), True),
        ("c3 c2 d1", claim("max", "c3 d1", "c2 d2"), False),
        ("c3 c2 d1", claim("max", "c3 d1", "d2", full=False), True),
        ("a1 b4", claim("min", "b4 left", "a4 a5"), True),
        ("a4 b4", claim("min", "b4 left", "a4 a5"), False),
        ("a1 b4", claim("max", "b4 top", "b3 b2 b1"), False),
        ("c3 a1 c2", claim("max", "c2 c3", ""), True),
        ("", claim("max", "c3 top", "c2 c1 d1", full=False), True),
        ("", claim("max", "c3 c2", ""), True),
        ("", claim("max", "c3 c1", ""), False),
        ("", claim("max", "top bottom", "c1 c2 c3 c4 c5"), False),
        ("c2 a1 b4", claim("max", "top bottom", "c1 d1 c3 b3 b5 a5"), True),
        ("c2 a1 b4", claim("max", "top bottom", "c1 d1 c3 b3 b5"), False),
    ],
)
def test_claims_are_played_out(moves: str, connection: Connection, holds: bool) -> None:
    assert survives(cn.games.Hex(size=5).position(moves), connection) is holds


def test_a_template_of_the_third_row() -> None:
    """The ziggurat joins a stone on the third row to its edge, and none of its cells can be spared."""
    position = cn.games.Hex(size=7).position("d3")
    cells = {"d1", "e1", "f1", "g1", "d2", "e2", "f2", "e3"}
    whole = Connection("max", ("d3", "top"), True, frozenset(cells))
    assert survives(position, whole)
    for cell in cells:
        assert not survives(position, Connection("max", ("d3", "top"), True, frozenset(cells - {cell})))


def test_filled_cells_count_as_stones() -> None:
    position = cn.games.Hex(size=5).position("c3")
    connection = claim("max", "c3 top", "c1 d1")
    assert not survives(position, connection)
    assert survives(position, connection, filled={"max": ["c2"]})
    assert not survives(position, connection, filled={"max": ["c2"], "min": ["c1"]})


@pytest.mark.parametrize(
    ("connection", "message"),
    [
        (claim("max", "c3 left", "b3"), "'left' is no cell of this board, nor an edge of that player"),
        (claim("max", "c3 z9", "b3"), "'z9' is no cell"),
        (claim("max", "c3 top", "f1"), "'f1' is no cell"),
        (claim("max", "c3 top", "a1 b1 c1 d1 e1"), "more than 4: say most=5"),
    ],
)
def test_claims_that_make_no_sense(connection: Connection, message: str) -> None:
    with pytest.raises(cn.ArgumentError, match=message):
        survives(cn.games.Hex(size=5).start(), connection, most=4)


def test_every_order_of_intrusions_is_answered() -> None:
    position = cn.games.Hex(size=5).position("c2 a1 b4")
    connection = claim("max", "top bottom", "c1 d1 c3 b3 b5 a5")
    for intruders in permutations(["c1", "c3", "b5"]):
        assert list(replay(position, connection, intruders)) == [
            {"c1": "d1", "c3": "b3", "b5": "a5"}[cell] for cell in intruders
        ]
    semi = claim("max", "c3 top", "c2 c1 d1", full=False)
    assert list(replay(cn.games.Hex(size=5).start(), semi, ["d1"])) == ["c2", "c1"]


def test_what_cannot_be_replayed() -> None:
    position = cn.games.Hex(size=5).position("c2")
    with pytest.raises(cn.PositionError, match="does not hold: c2 - top  full  c1"):
        next(replay(position, claim("max", "c2 top", "c1"), ["c1"]))
    answers = replay(position, claim("max", "c2 top", "c1 d1"), ["c1", "d1"])
    assert next(answers) == "d1"
    with pytest.raises(cn.ArgumentError, match="'d1' is not an open cell of the carrier"):
        next(answers)


def by_definition(
    position: cn.Position, connection: Connection, own: frozenset[str], free: frozenset[str]
) -> bool:
    """Tell whether a claim holds, move by move, without any of the short cuts."""

    def holds(own: frozenset[str], free: frozenset[str], attacked: bool) -> bool:
        if not free:
            return survives(
                position,
                Connection(connection.player, connection.ends, True, frozenset()),
                filled={connection.player: own},
            )
        each = (holds(own if attacked else own | {cell}, free - {cell}, not attacked) for cell in free)
        return all(each) if attacked else any(each)

    return holds(own, free, connection.full)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6))
def test_short_cuts_change_no_answer(seed: int) -> None:
    random = Random(seed)
    position = cn.games.Hex(size=4).start()
    for _ in range(random.randint(0, 6)):
        position = position.play(random.choice(position.moves()))
        if position.outcome is not None:
            return
    player: Any = random.choice(["max", "min"])
    names = [*position.moves(), *conspirator.hex.EDGES[player]]
    ends = random.sample(names, 2)
    rest = [cell for cell in position.moves() if cell not in ends]
    carrier = frozenset(random.sample(rest, min(len(rest), random.randint(0, 5))))
    connection = Connection(player, (ends[0], ends[1]), random.random() < 0.5, carrier)
    assert survives(position, connection) == by_definition(position, connection, frozenset(), carrier)


def test_reading(known: Knowledge) -> None:
    assert known.winner is None
    assert known.filled == {"max": {"d3"}, "min": {"e5"}}
    assert known.mustplay == ("c2", "d1", "c1")
    assert known.resistance == {"max": 0.5, "min": 1.0}
    assert [str(c) for c in known.between("max", "c3", "bottom", full=True)] == [
        "c3 - bottom  full  c4 b5",
        "c3 - bottom  full  c4 b5 c5",
    ]
    assert known.between("max", "d3", "bottom", full=True), "a filled cell is part of the chain"
    assert known.between("max", "c3", "bottom", full=False) == []
    assert known.connected("max", "c3", full=True) == ["c2", "bottom"]
    assert known.connected("min", "b4", full=True) == ["left"]
    assert in_order(["top", "b2", "a10", "c1"]) == ["c1", "b2", "a10", "top"]


def test_knowledge_is_for_hex() -> None:
    with pytest.raises(cn.ArgumentError, match="knowledge of Hex, not of othello"):
        knowledge(cn.games.Othello().start())


@pytest.mark.usefixtures("known")
@pytest.mark.parametrize(
    ("what", "words"),
    [
        (
            "connections",
            ["  2  . . . . .", "    4  o O x . .", "X  c3 - bottom  full  c4 b5", "O  b4 - left"],
        ),
        ("inferior", [" 1  - . . . v", "   3  . . X c .", "e1  vulnerable"]),
        ("mustplay", [" 1  . . * * .", "c1 d1 c2"]),
        ("energies", [" 1  . . 2 5 .", "c2  2\nd1  1\nc1  0.5"]),
    ],
)
def test_the_command_shows_a_picture_and_a_list(run: Run, what: str, words: list[str]) -> None:
    output = result_of(run, f"analyze hex --game-option size=5 --position 'c3 b4' --show {what}")
    for text in words:
        assert text in output


@pytest.mark.usefixtures("known")
def test_the_command_as_json(run: Run) -> None:
    facts = facts_of(run, "analyze hex --game-option size=5 --position 'c3 b4' --show mustplay")
    assert facts["mustplay"] == ["c1", "d1", "c2"]
    assert facts["connections"][2] == {
        "player": "max", "ends": ["c3", "bottom"], "full": True, "carrier": ["c4", "b5"]
    }  # fmt: skip
    assert json.loads(json.dumps(facts)) == facts


def test_what_cannot_be_shown(run: Run) -> None:
    assert "knowledge of Hex" in complaint_of(run, "analyze connect-four --show mustplay")
    assert "leave out --figure and --save" in complaint_of(run, "analyze hex --show mustplay --save x.tree")
    assert "is not one of" in complaint_of(run, "analyze hex --show secrets")


# what the core knows


@pytest.mark.parametrize("seed", range(12))
def test_connections_of_the_core_survive(seed: int) -> None:
    position = random_hex(seed, 4 + seed % 4, 12)
    found = knowledge(position)
    small = [c for c in found.connections if len(c.carrier) <= 9]
    for connection in Random(seed).sample(small, min(60, len(small))):
        assert survives(position, connection, filled=found.filled), connection


@pytest.mark.parametrize("seed", range(20))
def test_what_the_core_knows_is_true(seed: int) -> None:
    """Who wins is what the solver says, and if the player to move does, one of the moves left wins."""
    position = random_hex(seed, 4, 8)
    found, solution = knowledge(position), cn.solve(position)
    wins = solution.outcome == "win"
    winner = position.to_move if wins else {"max": "min", "min": "max"}[position.to_move]
    assert found.winner in (None, winner)
    if wins and found.winner is None:
        kept = [move for move in found.moves if cn.solve(position.play(move)).outcome == "loss"]
        assert kept
        assert found.mustplay is None or set(kept) <= set(found.mustplay)


@pytest.mark.parametrize("seed", range(20))
def test_a_decided_game_comes_to_an_end(seed: int) -> None:
    """Whoever wins does not play on elsewhere, and neither does the one who loses."""
    random, position = Random(seed), cn.games.Hex(size=6).start()
    while (winner := knowledge(position).winner) is None:
        position = position.play(random.choice(position.candidates("knowledge")))
    steps = 0
    while position.outcome is None:
        position, steps = position.play(position.candidates("knowledge")[0]), steps + 1
    assert position.outcome == (1.0 if winner == "max" else -1.0)
    assert steps <= 18  # as many stones as it takes to fill half of the board


def test_a_finished_game_has_no_knowledge() -> None:
    found = knowledge(cn.games.Hex(size=2).position("a1 b1 a2"))
    assert (found.moves, found.connections, found.winner) == ((), (), None)


def test_the_command_on_what_the_core_knows(run: Run) -> None:
    output = result_of(run, "analyze hex --game-option size=5 --position c3 --show connections")
    assert "X wins" in output
    assert "X  top - bottom  full" in output
    for what in ("inferior", "mustplay", "energies", "policy"):
        assert result_of(run, f"analyze hex --position 'f6 d5' --show {what}").count("\n") > 13


def test_the_protocol_on_what_the_core_knows() -> None:
    player = Server("hex", "network:expansions=1")
    player.answer("play-game f6 d5 e8 j2 g10")
    assert "black f6 e8 full or [ e7 f7 ] [ ]" in player.answer("vc-between-cells-full black f6 e8")
    assert player.answer("vc-between-cells-full b g10 south") == "= black g10 south full or [ ] [ ]\n\n"
    assert {"f6", "j11"} & set(player.answer("vc-connected-to-full black e8").split())
    built = player.answer("vc-build white").split()
    assert {"f11", "g11"} <= set(built), "the cells between g10 and its edge are captured"
    assert built[built.index("g11") + 1] == "fcb"


ANSWERS = [
    ("vc-between-cells-full black c3 south",
     "=\nblack c3 south full or [ c4 b5 ] [ ]\nblack c3 south full or [ c4 b5 c5 ] [ ]"),
    ("vc-between-cells-semi b north C3", "= black north c3 semi and [ c1 d1 c2 ] [ ]"),
    ("vc-between-cells-full white a1 b2", "="),
    ("vc-connected-to-full b c3", "= c2 south"),
    ("vc-connected-to-semi b c3", "= north"),
    ("vc-intersection-full b c3 south", "= c4 b5"),
    ("vc-union-full b c3 south", "= c4 b5 c5"),
    ("vc-union-semi w c3 west", "="),
    ("vc-build b", "= a1 id[a1] b1 x c1 x e1 iv[e1]"),
    ("vc-get-mustplay b", "= a1 x b1 x e1 x a2 x"),
    ("vc-get-mustplay w", "= a1 x b1 x e1 x a2 x"),
    ("compute-inferior black", "= a1 id[a1] e1 iv[e1] d3 fcb e5 fdw"),
    ("compute-fillin black", "= d3 fcb e5 fdw"),
    ("eval-resist b", "= res 0.693 rew 1.000 reb 0.500"),
    ("eval-resist-cells b", "= c1 0.500 d1 1.000 c2 2.000"),
    ("vc-between-cells-full black c3", "? say a colour and two cells, such as: black c3 north"),
    ("vc-between-cells-full red c3 c4", "? 'red' is no colour; say black or white"),
    ("vc-connected-to-full b f1", "? 'f1' is no cell of this board, nor north, south, west or east"),
    ("vc-connected-to-full b c03", "? 'c03' is no cell of this board, nor north, south, west or east"),
    ("vc-build", "? this command needs a colour, not 0 words"),
]  # fmt: skip


@pytest.mark.usefixtures("known")
@pytest.mark.parametrize(("line", "answer"), ANSWERS)
def test_commands_of_the_protocol(line: str, answer: str) -> None:
    player = Server("hex", "best-first:expansions=1", options={"size": 5})
    player.answer("play-game c3 b4")
    given = player.answer(line).removesuffix("\n\n")
    if line.startswith(("vc-build", "vc-get")) and given.startswith("="):
        assert given.startswith(answer)
    else:
        assert given == answer


def _openings(size: int) -> list[Any]:
    """Every opening that is no other one turned by half, and who wins after it."""
    table = json.loads((Path(__file__).parent / "data" / "hex" / "solved_openings.json").read_text())
    black = set(table[f"{size}x{size}"]["black_wins"])
    names = [f"{chr(97 + cell % size)}{cell // size + 1}" for cell in range((size * size + 1) // 2)]
    return [(size, name, 1.0 if name in black else -1.0) for name in names]


@pytest.mark.parametrize(
    ("size", "opening", "value"),
    [
        *(case for size in (3, 4, 5, 6) for case in _openings(size)),
        *(pytest.param(*case, marks=pytest.mark.verify) for case in _openings(7)),
        pytest.param(*_openings(8)[0], marks=pytest.mark.verify),
    ],
)
def test_openings_are_solved_as_published(size: int, opening: str, value: float) -> None:
    position = cn.games.Hex(size=size).position(opening)
    result = cn.search(position, "df-pn", evaluator="knowledge", seconds=600)
    assert (result.status, result.value) == ("proven", value)


@pytest.mark.parametrize("size", [4, 5])
def test_proofs_agree_however_they_are_found(size: int) -> None:
    """Areas of results, threads and the order of moves change how a proof is found, and never who wins."""
    chance, game = Random(size), cn.games.Hex(size=size)
    ways: list[dict[str, Any]] = [
        {"evaluator": evaluator, "threads": threads}
        for evaluator in ("knowledge", "knowledge(sort=true)", "network")
        for threads in (1, 2)
    ]
    for _ in range(40):
        position = game.start()
        for _ in range(chance.randrange(6 * size - 21, 3 * size)):
            if position.outcome is None:
                position = position.play(chance.choice(position.moves()))
        if position.outcome is not None:
            continue
        plain = cn.search(position, "df-pn", evaluator="resistance", expansions=300_000)
        assert plain.status == "proven"
        for way in ways:
            found = cn.search(position, "df-pn", expansions=300_000, **way)
            assert (found.status, found.won) == ("proven", plain.won), (str(position), way)
