"""D. A. McAllester, "Conspiracy numbers for min-max search", Artificial Intelligence 35 (1988) 287-310.

`example` is Section 6, `uniform` Section 7, `table_1` Section 8.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from functools import partial
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import conspirator as cn
from conspirator.experiments.report import Cell, Mean, Report, numbers, yes
from conspirator.experiments.work import Work, grow

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PAPER = "D. A. McAllester, Conspiracy numbers for min-max search, Artificial Intelligence 35 (1988)"

NODES = (100, 300, 1_000, 3_000, 10_000)
"""Table 1: where the error was measured."""
PUBLISHED = {"alpha-beta": (1.45, 1.80, 0.80, 0.95, 0.0), "conspiracy": (1.52, 0.95, 0.15, 0.02, 0.0)}
"""Table 1: the mean errors."""
PUBLISHED_GAMES = 40
"""Table 1: of so many games."""
BRANCHING, PLIES = 10, 6
"""Section 8: the size of a game."""


# Section 6


def section_6() -> Any:
    """Return the game of Section 6, the expansions with their names, and the printed intervals."""
    data = files("conspirator.experiments") / "data" / "mcallester_section_6.json"
    return json.loads(data.read_text(encoding="utf-8"))


def example(work: Work) -> Report:
    """Grow the tree of Section 6 one expansion at a time."""
    data = section_6()
    position = cn.games.ExplicitTree(data["game"]).start()
    names = {tuple(path): name for path, name in zip(data["expansions"], data["names"], strict=True)}
    last_six = set(data["names"][10:])
    rows: list[list[Cell]] = []
    intervals: list[tuple[float, float]] = []
    agrees = True
    for count in range(len(names) + 1):
        result = grow(position, "conspiracy", threshold=2, iterative=False, expansions=count + 1, trace=True)
        path = tuple(result.trace[-1])
        node = names.get(path, str(list(path))) if path else "A"
        printed_node = "A" if count == 0 else data["names"][count - 1] if count <= 10 else "in Fig. 9"
        printed = data["intervals_after"].get(str(count))
        interval = result.interval(2)
        intervals.append(interval)
        same = node == printed_node if count <= 10 else node in last_six
        last_six.discard(node)
        same = same and printed in (None, [_json_number(end) for end in interval])
        agrees = agrees and same
        rows.append([count, printed_node, node, printed and _say(printed), _say(interval), yes(same)])
        work.tell(count / len(names), f"{count} of {len(names)} expansions")
    agrees = agrees and not last_six and result.resume(expansions=1).expansions == len(names) + 1

    def draw(axes: Axes) -> None:
        far = 4.5
        low, high = ([max(-far, min(far, interval[end])) for interval in intervals] for end in (0, 1))
        places = range(len(intervals))
        axes.fill_between(places, low, high, step="mid", alpha=0.25, label="likely values, ours")
        for count, (least, most) in data["intervals_after"].items():
            ends = [max(-far, min(far, float(end))) for end in (least, most)]
            label = "published" if count == "0" else None
            axes.plot([int(count)] * 2, ends, "_k", markersize=12, label=label)
        axes.axhline(0, color="grey", linewidth=0.8)
        axes.set_xticks(places, [str(row[2]) for row in rows])
        axes.set_ylim(-2, far)
        axes.set(xlabel="node expanded", ylabel="value (the top is infinity)")
        axes.legend(frameon=False)

    return Report(
        title="McAllester's example: the interval of likely values closes in sixteen expansions",
        paper=f"{PAPER}, Section 6, Figures 3 to 9",
        columns=[
            "expansion",
            "node, published",
            "node, ours",
            "interval, published",
            "interval, ours",
            "agrees",
        ],
        rows=rows,
        agrees=agrees,
        draw=draw,
        convention=[
            "The basic procedure of Section 5 with N_t = 2 and Delta = 0.",
            "The expansion of the root A is not counted: the paper begins with the tree of Fig. 3.",
        ],
        notes=[
            "The paper prints its game only in part; this is one of many games that fit its prose.",
            "It names the first ten nodes in order. Of the last six it shows that they were expanded (Fig. "
            "9), not in which order; X1, X2, X3 are the successors of X.",
            "Intervals are published after 0, 1, 3, 4, 6, 9 and 16 expansions.",
        ],
    )


def _say(interval: Any) -> str:
    return f"[{float(interval[0]):g}, {float(interval[1]):g}]"


def _json_number(number: float) -> float | str:
    return number if math.isfinite(number) else str(number)


# Section 7


def uniform(work: Work) -> Report:
    """Grow uniform trees until the procedure ends, and compare the depths of the strategies in them."""
    widths, thresholds = (2, 3, 4, 10), (1, 2, 3, 4, 6, 8, 10, 12)
    rows: list[list[Cell]] = []
    for width in widths:
        for threshold in thresholds[:5] if work.quick else thresholds:
            d_max = 2 * ((threshold - 1) // (width - 1))
            printed = 10 if (width, threshold) == (2, 3) else None
            position = cn.games.UniformTree(width=width).start()
            whole = grow(position, "conspiracy", threshold=threshold, iterative=False)
            first = _max_strategy(position, threshold, whole.expansions)
            ours = [first.depth - 1, whole.depth - 1]
            same = ours == [d_max, d_max + 1] and printed in (None, first.expansions)
            depths = (d_max, ours[0], d_max + 1, ours[1])
            counts = (printed, first.expansions, whole.expansions)
            rows.append([width, threshold, *depths, *counts, yes(same)])
        work.tell((widths.index(width) + 1) / len(widths), f"width {width}")

    def draw(axes: Axes) -> None:
        for width in widths:
            mine = [row for row in rows if row[0] == width]
            counts = range(1, int(max(numbers(mine, 1))) + 1)
            depths = [2 * ((count - 1) // (width - 1)) for count in counts]
            (line,) = axes.plot(counts, depths, drawstyle="steps-post", linewidth=1)
            axes.plot(numbers(mine, 1), numbers(mine, 3), "o", color=line.get_color(), label=f"b = {width}")
        axes.set(xlabel="conspiracy threshold N_t", ylabel="depth of the max strategy (line: published)")
        axes.legend(frameon=False)

    return Report(
        title="Constant evaluation: conspiracy search grows strategies of one depth",
        paper=f"{PAPER}, Section 7: d_max = 2 floor((N_t - 1) / (b - 1)), d_min = d_max + 1",
        columns=[
            "b",
            "N_t",
            *("d_max, published", "d_max, ours", "d_min, published", "d_min, ours"),
            *("expansions, published", "expansions, ours", "all expansions", "agrees"),
        ],
        rows=rows,
        agrees=all(row[-1] == "yes" for row in rows),
        draw=draw,
        convention=[
            "The basic procedure of Section 5 on an infinite tree in which every static value is 0.",
            "The depth of a strategy is that of its deepest expanded node: Fig. 11 shows only these.",
            "The max strategy is complete at the first tree with a finite V_min; its expansions are counted "
            "with the root's, as in Figures 10 and 11.",
        ],
        notes=["The paper prints the number of expansions for one example: b = 2, N_t = 3, ten expansions."],
    )


def _max_strategy(position: cn.Position, threshold: int, most: int) -> cn.Result:
    """Return the first tree in which -infinity is ruled out: with constant values it stays so."""
    least = 1
    while True:
        middle = (least + most) // 2
        result = grow(position, "conspiracy", threshold=threshold, iterative=False, expansions=middle)
        if math.isfinite(result.interval(threshold)[0]):
            most = middle
        else:
            least = middle + 1
        if least == most:
            return grow(position, "conspiracy", threshold=threshold, iterative=False, expansions=most)


# Section 8


@dataclass(frozen=True)
class Variant:
    """One way to read "number of nodes" in Table 1."""

    search: str
    count: str
    fits: bool = False
    """Whether this is the reading whose agreement counts."""


VARIANTS = (
    Variant("alpha-beta", "nodes of the iteration's own tree", fits=True),
    Variant("alpha-beta", "nodes generated by all iterations"),
    Variant("alpha-beta", "moves played by all iterations"),
    Variant("conspiracy", "the last tree of at most n nodes", fits=True),
    Variant("conspiracy", "the first tree of at least n nodes"),
)


def table_1(work: Work) -> Report:
    """Measure the error of the root value against the size of the search."""
    seeds = range(1, work.games + 1)
    errors = {
        sort: work.over(partial(errors_of, sort), seeds, f"games, {_word(sort)}") for sort in (True, False)
    }
    means: dict[tuple[Variant, bool], list[Mean]] = {
        (variant, sort): [
            Mean.of([game[variant][place] for game in errors[sort]]) for place in range(len(NODES))
        ]
        for variant in VARIANTS
        for sort in (True, False)
    }
    rows: list[list[Cell]] = []
    for search, published in PUBLISHED.items():
        rows.append([search, "published", f"{PUBLISHED_GAMES} games", *published, None])
        for (variant, sort), row in means.items():
            if variant.search == search:
                far = max(map(distance, row, published, [work.games] * len(NODES)))
                rows.append([search, _word(sort), variant.count, *row, far])
    main = {variant.search: means[variant, True] for variant in VARIANTS if variant.fits}
    limit = 3 + 7.5 / (work.games - 1)  # Student's t where the normal distribution has 3
    agrees = all(
        distance(mean, value, work.games) <= limit
        for search, row in main.items()
        for mean, value in zip(row, PUBLISHED[search], strict=True)
    )

    def draw(axes: Axes) -> None:
        for search, row in main.items():
            heights, bars = [mean.value for mean in row], [2 * mean.error for mean in row]
            line = axes.errorbar(NODES, heights, bars, marker="o", capsize=3, label=f"{search}, ours")
            colour = line.lines[0].get_color()
            axes.plot(
                NODES, PUBLISHED[search], "s--", mfc="white", color=colour, label=f"{search}, published"
            )
        axes.set(
            xscale="log", xlabel="nodes", ylabel="mean error of the root value (bars: 2 standard errors)"
        )
        axes.set_ylim(bottom=0)
        axes.legend(frameon=False)

    return Report(
        title=f"Mean error against nodes, {work.games} random games",
        paper=f"{PAPER}, Section 8, Table 1",
        columns=["search", "moves", "what counts as n nodes", *(f"{n:,}" for n in NODES), "farthest"],
        rows=rows,
        agrees=agrees,
        draw=draw,
        convention=[
            f"Random games: branching {BRANCHING}, {PLIES} plies, values vary by 7 - ply; the error is the "
            "distance of the root's minimax value from its true value, which is that of alpha-beta to the "
            "full depth.",
            "sorted: the game's moves stand in the order of their static values, best first for the player "
            "to move, as in the paper's Section 6; unsorted: as they were generated. Alpha-beta orders "
            "moves by static value in any case, except at its last ply.",
            "Alpha-beta deepens by one ply at a time from ply 1, and its value is that of the last completed "
            "iteration. Its nodes are those that it generates, all children of an inner node at once; it "
            "plays most moves twice, to order them and to search them.",
            "conspiracy: the iterative procedure of Section 8, Delta = 0; all nodes of the tree are counted.",
            "a ± b: mean and standard error. farthest: the largest distance from the published row, in "
            f"standard errors of the difference between a sample of {PUBLISHED_GAMES} games and ours.",
        ],
        notes=[
            "The paper does not say which nodes of alpha-beta it counts. Of three readings, all shown, its "
            "row fits the one in which only the tree of the current iteration counts: it is then the "
            "error of depths 2, 3, 4, 5 and 6. With the nodes of all iterations, depth 6 is often not done "
            "within 10,000, and with their moves played hardly ever: a mean of 0 over 40 games would be "
            "very unlikely.",
            "That reading was chosen after 400 games had been seen; it favours alpha-beta. For conspiracy "
            "search both readings fit.",
            "Agreement means: no cell of the first line below a published one is farther from it than "
            f"{limit:.2f} standard errors (3, widened for the size of the sample).",
        ],
        seeds=f"seeds 1 to {work.games}",
    )


def errors_of(sort: bool, seed: int) -> dict[Variant, list[float]]:
    """Return the errors of one game at every number of nodes, by variant."""
    game = cn.games.RandomTree(branching=BRANCHING, depth=PLIES, seed=seed, kind="mcallester", sort=sort)
    start = game.start()
    iterations = [grow(start, "alpha-beta", depth=ply, first_depth=ply) for ply in range(1, PLIES + 1)]
    true = iterations[-1].value
    own = [result.nodes for result in iterations]
    calls = [result.move_calls for result in iterations]
    sizes = (
        own,
        [1 + sum(own[:count]) - count for count in range(1, PLIES + 1)],  # the root is generated once
        [sum(calls[:count]) for count in range(1, PLIES + 1)],
    )
    values = [[_last_within(n, size, iterations) for n in NODES] for size in sizes]
    values.append([grow(start, "conspiracy", nodes=n).value for n in NODES])
    values.append([grow(start, "conspiracy", expansions=-(-(n - 1) // BRANCHING)).value for n in NODES])
    return {
        variant: [abs(value - true) for value in row] for variant, row in zip(VARIANTS, values, strict=True)
    }


def _word(sort: bool) -> str:
    return "sorted" if sort else "unsorted"


def _last_within(nodes: int, sizes: list[int], iterations: list[cn.Result]) -> float:
    """Return the value of the last iteration that was done when so many nodes were."""
    return [result.value for size, result in zip(sizes, iterations, strict=True) if size <= nodes][-1]


def distance(ours: Mean, published: float, games: int) -> float:
    """Return how far apart two means are, in standard errors of their difference.

    The variance of one game's error is that of our sample. If all our games have the same error, it is
    taken to be the larger mean, as if errors were rare and of size 1.
    """
    gap = abs(ours.value - published)
    if not gap:
        return 0.0
    variance = games * ours.error**2 or max(ours.value, published)
    return gap / math.sqrt(variance / games + variance / PUBLISHED_GAMES)
