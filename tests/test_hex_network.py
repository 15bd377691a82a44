"""The network of the Hex player: what it says, what it is for, and how it is taught."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

import conspirator as cn
from conspirator.hex import knowledge

ROOT = Path(__file__).parent.parent
CASES = json.loads((ROOT / "tests/golden/hex_network.json").read_text())["cases"]


NETWORK = "network"


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['size']} {case['moves']}")
def test_it_says_what_it_has_learnt(case: dict[str, Any]) -> None:
    position = cn.games.Hex(size=case["size"]).position(case["moves"])
    logits: dict[str, float] = case["policy"]
    sign = 1 if position.to_move == "max" else -1
    if knowledge(position).winner is not None:  # decided by connections: the network has to agree
        assert (sign * position.evaluate(NETWORK) > 0) == (case["value"] > 0)
        return
    assert sign * 2 * math.atanh(position.evaluate(NETWORK)) == pytest.approx(case["value"], abs=0.03)
    moves, scores = position.moves(), position.move_scores(NETWORK)
    assert scores is not None
    by_move, kept = dict(zip(moves, scores, strict=True)), position.candidates(NETWORK)
    found = [by_move[move] for move in kept]
    assert found == sorted(found, reverse=True)
    assert found[0] == 1.0
    for move, score in zip(kept, found, strict=True):
        if score > 1e-5:
            assert math.log(score) == pytest.approx(logits[move] - logits[kept[0]], abs=0.05)


def test_colours_are_alike() -> None:
    game = cn.games.Hex()
    for moves in ("c3 h8 d5", "f6 e6 e7 g4"):
        position = game.position(moves)
        other = position.swapped()
        assert other is not None
        assert position.evaluate(NETWORK) == pytest.approx(-other.evaluate(NETWORK), abs=1e-5)


def test_the_openings_it_believes_in() -> None:
    game, openings = cn.games.Hex(), ("f6", "d4", "a1", "f1", "b1", "k11")
    values = {move: game.position(move).evaluate(NETWORK) for move in openings}
    assert values["f6"] > 0.5
    assert values["d4"] > 0.5
    assert max(values["a1"], values["f1"], values["b1"], values["k11"]) < -0.5


def test_decided_games_are_still_seen() -> None:
    position = cn.games.Hex(size=5).position("c3")
    result = cn.search(position, "puct", evaluator=NETWORK, expansions=10)
    assert (result.value, result.status) == (1.0, "proven")


def test_what_is_known() -> None:
    position = cn.games.Hex(size=11).position("f6 d5 g4")
    one, two = knowledge(position), knowledge(position, network=True)
    assert (one.resistance, one.energies) == (two.resistance, two.energies)
    assert set(one.energies) == set(two.policy) == set(one.moves)
    assert (one.policy, one.value) == ({}, None)
    assert max(two.policy.values()) == 1.0
    assert two.value == pytest.approx(position.evaluate(NETWORK))


@pytest.mark.parametrize("search", ["puct", "sibling-conspiracy", "alpha-beta", "uct", "best-first"])
def test_all_searches_take_it(search: str) -> None:
    position = cn.games.Hex(size=7).position("b6")
    result = cn.search(position, search, evaluator=NETWORK, nodes=2000)
    assert result.move in position.moves()


def test_it_is_no_option_of_the_game() -> None:
    with pytest.raises(cn.ArgumentError, match="evaluator='network'"):
        cn.games.make("hex", network=True)


def test_it_beats_the_circuits() -> None:
    """A few visits with the network against many with circuits, from a fair opening, both colours."""
    rules = cn.games.Hex(size=7)
    won = 0
    for opening in ("a2", "b6", "c1", "g2"):
        for side in ("max", "min"):
            position = rules.position(opening)
            while position.outcome is None:
                ours = position.to_move == side
                form: dict[str, Any] = {"evaluator": NETWORK}
                if not ours:
                    form = {"evaluator": "knowledge", "sharpness": 4.4}
                position = position.play(cn.search(position, "puct", expansions=40, **form).move)
            won += (position.outcome > 0) == (side == "max")
    assert won >= 5
