"""The network of the Hex player: what it says, what it is for, and how it is taught."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import conspirator as cn
from conspirator.hex import knowledge

ROOT = Path(__file__).parent.parent
CASES = json.loads((ROOT / "tests/golden/hex_network.json").read_text())["cases"]


def network(size: int) -> Any:
    return cn.games.Hex(size=size, knowledge=True, network=True)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['size']} {case['moves']}")
def test_it_says_what_it_has_learnt(case: dict[str, Any]) -> None:
    position = network(case["size"]).position(case["moves"])
    logits: dict[str, float] = case["policy"]
    sign = 1 if position.to_move == "max" else -1
    if knowledge(position).winner is not None:  # decided by connections: the network has to agree
        assert (sign * position.evaluate() > 0) == (case["value"] > 0)
        return
    assert sign * 2 * math.atanh(position.evaluate()) == pytest.approx(case["value"], abs=0.03)
    moves, scores = position.moves(), position.move_scores()
    assert scores is not None
    assert scores == sorted(scores, reverse=True)
    assert scores[0] == 1.0
    for move, score in zip(moves, scores, strict=True):
        if score > 1e-5:
            assert math.log(score) == pytest.approx(logits[move] - logits[moves[0]], abs=0.05)


def test_colours_are_alike() -> None:
    game = network(11)
    for moves in ("c3 h8 d5", "f6 e6 e7 g4"):
        position = game.position(moves)
        other = position.swapped()
        assert other is not None
        assert position.evaluate() == pytest.approx(-other.evaluate(), abs=1e-5)


def test_the_openings_it_believes_in() -> None:
    game = network(11)
    values = {move: game.position(move).evaluate() for move in ("f6", "d4", "a1", "f1", "b1", "k11")}
    assert values["f6"] > 0.5
    assert values["d4"] > 0.5
    assert max(values["a1"], values["f1"], values["b1"], values["k11"]) < -0.5


def test_decided_games_are_still_seen() -> None:
    position = network(5).position("c3")
    result = cn.search(position, "puct", expansions=10)
    assert (result.value, result.status) == (1.0, "proven")


def test_what_is_known() -> None:
    position = cn.games.Hex(size=11).position("f6 d5 g4")
    one, two = knowledge(position), knowledge(position, network=True)
    assert two.policy == knowledge(network(11).position("f6 d5 g4")).policy
    assert (one.resistance, one.energies) == (two.resistance, two.energies)
    assert set(one.energies) == set(two.policy) == set(one.moves)
    assert (one.policy, one.value) == ({}, None)
    assert max(two.policy.values()) == 1.0
    assert two.value == pytest.approx(network(11).position("f6 d5 g4").evaluate())


@pytest.mark.parametrize("search", ["puct", "sibling-conspiracy", "alpha-beta", "uct", "best-first"])
def test_all_searches_take_it(search: str) -> None:
    position = network(7).position("b6")
    result = cn.search(position, search, nodes=2000)
    assert result.move in position.moves()


def test_it_needs_knowledge() -> None:
    with pytest.raises(cn.ArgumentError, match="network needs knowledge"):
        cn.games.Hex(network=True)


def test_it_beats_the_circuits() -> None:
    """A few visits with the network against many with circuits, from a fair opening, both colours."""
    learnt, measured = network(7), cn.games.Hex(size=7, knowledge=True)
    rules = cn.games.Hex(size=7)
    won = 0
    for opening in ("a2", "b6", "c1", "g2"):
        for side in ("max", "min"):
            position = rules.position(opening)
            while position.outcome is None:
                ours = position.to_move == side
                form = (learnt if ours else measured).position(position.notation())
                parameters: dict[str, Any] = {} if ours else {"sharpness": 4.4}
                position = position.play(cn.search(form, "puct", expansions=40, **parameters).move)
            won += (position.outcome > 0) == (side == "max")
    assert won >= 5


def test_it_can_be_taught(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    saved, exported = tmp_path / "hex.pt", tmp_path / "hex.bin"
    script = str(ROOT / "training/hex_train.py")
    small = "--minutes 0.1 --total 0.1 --sizes 3 --games 16 --batch 16 --channels 8 --blocks 1 --window 40"
    subprocess.run([sys.executable, script, *small.split(), "--out", str(saved)], check=True)
    subprocess.run([sys.executable, script, "--export", str(saved), str(exported)], check=True)
    head, taps = 8 * 32 + 32, 7 * 8
    numbers = taps * 2 + 8 + 2 * (taps * 8 + 8) + head + 33 + head + 64 * 64 + 64 + 65
    assert exported.stat().st_size == 16 + 2 * numbers
