"""Sequential halving with Gumbel noise at the root of `puct`: lockstep, plan, noise, improved policy."""

from __future__ import annotations

import math
from random import Random
from typing import Any

import pytest

import conspirator as cn
from conspirator.rules.gumbel import Arm, GumbelRoot, softmax
from helpers import all_nodes, in_pieces, minimax
from test_puct import FAMILIES, explicit


@pytest.mark.parametrize("family", FAMILIES)
def test_lockstep(family: str) -> None:
    make, count = FAMILIES[family]
    for seed in range(count):
        start = make(seed)
        if start.outcome is not None:
            continue
        random = Random(seed)
        parameters: dict[str, Any] = {
            "root": "gumbel",
            "considered": random.choice([1, 2, 3, 16]),
            "plan": random.choice([1, 20, 100]),
            "c_visit": random.choice([0.0, 50.0]),
            "c_scale": random.choice([0.1, 1.0]),
            "noise": random.choice([0.0, 1.0]),
            "seed": random.choice([-1, 0, 12345]),
        }
        form: dict[str, Any] = {"expansions": 80, "trace": True}
        if family == "hex" and seed % 2 == 0:
            form["evaluator"] = "knowledge"
        native = cn.search(start, "puct", **parameters, **form)
        page = cn.search(start, cn.rules.Puct(**parameters), **form)
        assert native.trace == page.trace
        assert (native.move, native.status) == (page.move, page.status)
        for one, two in zip(all_nodes(native.tree), all_nodes(page.tree), strict=True):
            assert one.numbers == two.numbers
        native.tree.check()


def halving(width: int, plan: int) -> list[int]:
    """Return visits by sequential halving: each phase gives every move that is left the same number."""
    visits, left = [0] * width, width
    phases = max(1, math.ceil(math.log2(width)))
    while sum(visits) < plan:
        for _ in range(max(1, plan // (phases * left))):
            for move in range(left):
                if sum(visits) < plan:
                    visits[move] += 1
        left = max(min(2, width), left // 2)
    return visits


@pytest.mark.parametrize("considered", [1, 2, 3, 4, 8, 16])
@pytest.mark.parametrize("plan", [1, 16, 50, 200])
def test_the_plan(considered: int, plan: int) -> None:
    """The visits of the root's moves are those of sequential halving."""
    result = cn.search(
        cn.games.Hex(size=5).start(),
        "puct",
        root="gumbel",
        considered=considered,
        plan=plan,
        expansions=plan + 1,
    )
    visits = sorted((child.numbers["visits"] for child in result.tree.root.children), reverse=True)
    assert [count for count in visits if count] == [count for count in halving(considered, plan) if count]


def test_the_usual_root_is_as_it_was() -> None:
    start = cn.games.ConnectFour().position("4453")
    usual = cn.search(start, "puct", expansions=300, trace=True)
    assert usual.trace == cn.search(start, "puct", root="puct", seed=7, expansions=300, trace=True).trace
    assert usual.trace != cn.search(start, "puct", root="gumbel", expansions=300, trace=True).trace
    assert "policy" not in usual.tree.root.children[0].numbers


def test_the_noise() -> None:
    start = cn.games.Hex(size=5).start()
    form: dict[str, Any] = {"root": "gumbel", "considered": 4, "plan": 16, "expansions": 17, "trace": True}
    traces = [cn.search(start, "puct", seed=seed, **form).trace for seed in range(5)]
    assert len({str(trace) for trace in traces}) == 5
    assert traces[3] == cn.search(start, "puct", seed=3, **form).trace
    silent = [cn.search(start, "puct", seed=seed, noise=0.0, **form).trace for seed in range(3)]
    assert silent[0] == silent[1] == silent[2]
    drawn = [GumbelRoot(seed=seed).gumbel(0.3, place) for seed in range(100) for place in range(100)]
    assert sum(drawn) / len(drawn) == pytest.approx(0.5772, abs=0.05)  # Euler's constant
    assert sum(g < 0 for g in drawn) / len(drawn) == pytest.approx(math.exp(-1), abs=0.02)


def test_the_policy_is_an_improvement() -> None:
    """Whatever the visits, the improved policy expects at least what the prior does, of completed values."""
    gained = 0
    for seed in range(200):
        random = Random(seed)
        parts = [random.random() for _ in range(random.randint(1, 6))]
        priors = [part / sum(parts) for part in parts]
        visits = [random.choice([0, 0, 1, 5]) for _ in parts]
        arms = [Arm(p, n, random.random() if n else None) for p, n in zip(priors, visits, strict=True)]
        own = random.random()
        seen = [(arm.prior, arm.q) for arm in arms if arm.q is not None]
        mixed = own
        if seen:
            mean = sum(p * q for p, q in seen) / sum(p for p, _ in seen)
            mixed = (own + sum(visits) * mean) / (1 + sum(visits))
        values = [mixed if arm.q is None else arm.q for arm in arms]
        plan = GumbelRoot(c_visit=random.choice([1.0, 50.0]), c_scale=random.choice([0.1, 1.0]))
        logits = plan.completed(own, arms)
        sigma = (plan.c_visit + max(visits)) * plan.c_scale
        assert logits == pytest.approx([math.log(p) + sigma * q for p, q in zip(priors, values, strict=True)])
        policy = softmax(logits)
        before, after = (sum(p * q for p, q in zip(some, values, strict=True)) for some in (priors, policy))
        assert after >= before - 1e-12
        gained += after > before + 1e-6
    assert gained > 100


def test_the_policy_is_shown() -> None:
    result = cn.search(cn.games.Hex(size=5).start(), "puct", root="gumbel", expansions=50)
    assert sum(child.numbers["policy"] for child in result.tree.root.children) == pytest.approx(1)
    assert "policy" not in result.tree.root.numbers


def test_proofs_are_right() -> None:
    for seed in range(100):
        start = explicit(seed)
        result = cn.search(start, "puct", root="gumbel", seed=seed, expansions=10_000)
        assert (result.value, result.status) == (minimax(start), "proven")


def test_in_pieces() -> None:
    start = cn.games.ConnectFour().position("4453")
    whole = cn.search(start, "puct", root="gumbel", seed=5, expansions=100, trace=True)
    assert in_pieces(start, "puct", 100, Random(3), root="gumbel", seed=5).trace == whole.trace


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"root": "best"}, "root"),
        ({"root": "gumbel", "considered": 0}, "considered"),
        ({"root": "gumbel", "plan": 0}, "plan"),
        ({"root": "gumbel", "noise": -1.0}, "noise must not be negative"),
    ],
)
def test_mistakes(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(cn.ArgumentError, match=message):
        cn.search(cn.games.ConnectFour().start(), "puct", expansions=5, **parameters)
