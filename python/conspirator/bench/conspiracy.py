"""Conspiracy numbers: their cost beside the raw rate, in growing trees, and against the specification."""

from __future__ import annotations

from time import perf_counter
from typing import Any

import conspirator as cn
from conspirator._budget import default_memory
from conspirator.bench.measure import Row, best_rate

SEARCHES = ("conspiracy", "improved-conspiracy")
SEEDS = range(1, 9)
"""Random trees that are searched; one alone is a matter of luck."""
SIZES = (1_000, 10_000, 100_000, 300_000, 1_000_000)
"""Nodes of the Connect-Four tree at which the time of an expansion is taken."""
LONG = 0.5
"""With fewer seconds for a row, the tree of 13 million nodes is left out, and that of Connect-Four is grown
once instead of three times."""
LARGE = 5.0
"""With so many, Lister and Schaeffer's tree of 134 million nodes is grown too, where it fits into memory."""
LARGE_BYTES = 6 * 10**9


def conspiracy(seconds: float = 1.0) -> list[Row]:
    """Return the rates of the two rules; a row takes about `seconds`, or as long as its tree takes."""
    return [
        *_random_trees(seconds),
        *_uniform_trees(seconds),
        *_connect_four(seconds),
        *_specification(seconds),
    ]


def _random_tree(seed: int) -> cn.Position:
    return cn.games.RandomTree(branching=10, depth=6, seed=seed).start()


def _random_trees(seconds: float) -> list[Row]:
    """McAllester's random trees: the rules beside generating and valuing the whole tree."""
    raw = best_rate(lambda: _random_tree(1).survey(6)[0], seconds)
    rows = [Row("random tree, generate and evaluate", raw, "nodes/s", note="b=10, depth 6, nothing kept")]
    for search in SEARCHES:
        best, begun, runs = 0.0, perf_counter(), 0
        while runs < 3 or perf_counter() - begun < seconds:
            results = [
                cn.search(_random_tree(seed), search, threshold=4, iterative=False, nodes=10**12)
                for seed in SEEDS
            ]
            nodes = sum(result.nodes for result in results)
            best, runs = max(best, nodes / sum(result.seconds for result in results)), runs + 1
        size = f"threshold 4, {nodes:,} nodes in {len(SEEDS)} trees"
        note = f"{size}; by the search's own clock, as they are small"
        rows.append(Row(f"random tree, {search}", best, "nodes/s", best / raw, "raw", note))
    return rows


def _uniform_trees(seconds: float) -> list[Row]:
    """Lister and Schaeffer's constant evaluation: large trees, and what a node takes."""
    rows = []
    for search, width, ct in (
        ("conspiracy", 10, 40),
        ("conspiracy", 10, 50),
        ("conspiracy", 10, 60),
        ("improved-conspiracy", 40, 100),
    ):
        if ct == 50 and seconds < LONG:
            continue
        if ct == 60 and (seconds < LARGE or default_memory() < LARGE_BYTES):
            continue
        position = cn.games.UniformTree(width=width).start()
        result = cn.search(position, search, ct=ct, iterative=False, nodes=10**12)
        rate = result.nodes / result.seconds
        if ct not in (50, 60):  # one run of the largest trees is enough

            def grow(position: cn.Position = position, search: str = search, ct: int = ct) -> float:
                return _grow(position, search, ct=ct, iterative=False)

            rate = max(rate, best_rate(grow, seconds))
        size, time = f"{result.bytes_per_node:.0f} bytes a node", f"{result.nodes / rate * 1e3:,.1f} ms"
        note = f"{result.nodes:,} nodes in {time}, {size}"
        rows.append(Row(f"uniform tree, width {width}, {search} CT={ct}", rate, "nodes/s", note=note))
    return rows


def _connect_four(seconds: float) -> list[Row]:
    """One growing tree: how much more an expansion costs as it grows."""
    costs = expansion_costs(3 if seconds >= LONG else 1)
    rows: list[Row] = []
    for size, (rate, ply) in costs.items():
        ratio, reference = (rate / rows[0].rate, f"at {SIZES[0]:,} nodes") if rows else (None, "")
        note = f"{1e6 / rate:.2f} us an expansion, nodes at ply {ply:.1f} on average"
        name = f"Connect-Four, conspiracy threshold 3, {size:,} nodes"
        rows.append(Row(name, rate, "expansions/s", ratio, reference, note))
    return rows


def expansion_costs(runs: int) -> dict[int, tuple[float, float]]:
    """Return the best rate of expansions, and the mean ply of a node, at every size of the tree."""
    found = [_expansions() for _ in range(runs)]
    return {size: (max(run[size][0] for run in found), ply) for size, (_, ply) in found[0].items()}


def draw_costs(path: str) -> None:
    """Draw the time of an expansion against the size of the tree, and the depth of the tree beside it."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise cn.ArgumentError("figures need matplotlib: pip install matplotlib") from None
    costs = expansion_costs(3)
    figure = Figure(figsize=(7, 4.5), layout="constrained")
    axes = figure.subplots()
    first_rate, first_ply = next(iter(costs.values()))
    times = [first_rate / rate for rate, _ in costs.values()]
    plies = [ply / first_ply for _, ply in costs.values()]
    axes.plot(list(costs), times, "o-", label=f"time of an expansion (first: {1e6 / first_rate:.2f} µs)")
    axes.plot(list(costs), plies, "s--", label=f"mean ply of a node (first: {first_ply:.1f})")
    axes.set(xscale="log", ylim=(0, None), xlabel="nodes of the tree", ylabel="relative to the smallest tree")
    axes.set_title("Connect-Four, conspiracy, threshold 3", loc="left")
    axes.legend()
    try:
        figure.savefig(path)
    except (OSError, ValueError) as error:
        raise cn.ArgumentError(f"cannot write the figure {path}: {error}") from error


def _expansions() -> dict[int, tuple[float, float]]:
    """Return expansions a second and the mean ply of a node at every size; fewer if the search ends."""
    found: dict[int, tuple[float, float]] = {}
    result = cn.search(cn.games.ConnectFour().start(), "conspiracy", threshold=3, expansions=1)
    for size in SIZES:
        if size > result.nodes:
            result = result.resume(nodes=size - result.nodes)
        before, begun = result.expansions, perf_counter()
        result = result.resume(expansions=max(500, size // 20))
        if result.expansions == before:
            break
        rate = (result.expansions - before) / (perf_counter() - begun)
        counts = result.tree.depth_histogram()
        found[size] = rate, sum(ply * count for ply, count in enumerate(counts)) / sum(counts)
    return found


def _specification(seconds: float) -> list[Row]:
    """The native rules against the same rules in Python, leaf for leaf the same trees."""
    rows = []
    for search, name in zip(SEARCHES, ("Conspiracy", "ImprovedConspiracy"), strict=True):
        rule: Any = getattr(cn.rules, name, None)
        if rule is None:
            continue
        setting: dict[str, Any] = {"threshold": 4, "iterative": False}

        def native(search: str = search, setting: dict[str, Any] = setting) -> float:
            return _grow(_random_tree(1), search, **setting)

        def python(rule: Any = rule, setting: dict[str, Any] = setting) -> float:
            return _grow(_random_tree(1), rule(**setting))

        slow = best_rate(python, seconds, least=1)
        ratio = best_rate(native, seconds) / slow
        note = "random tree, threshold 4"
        reference = "the native rule is this many times as fast"
        rows.append(Row(f"{search} in Python", slow, "nodes/s", ratio, reference, note))
    return rows


def _grow(position: cn.Position, rule: Any, **parameters: Any) -> int:
    return cn.search(position, rule, nodes=10**12, **parameters).nodes
