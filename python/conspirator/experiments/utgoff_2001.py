"""P. E. Utgoff and R. P. Cochran, "A least-certainty heuristic for selective search", 2001.

`example` is Figure 1, `expansions` Figures 6 and 7; the games of Figures 3 to 5 are in `utgoff_games`.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import conspirator as cn
from conspirator.experiments.report import Cell, Report, yes
from conspirator.experiments.work import Work
from conspirator.figures.growth import Growth, figure_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PAPER = "P. E. Utgoff and R. P. Cochran, A least-certainty heuristic for selective search (2001)"

LCF = "least-certainty"
PUBLISHED: dict[str, Any] = {"variant": "published"}

# Figure 1

TREE: dict[str, Any] = {
    "value": 0,
    "children": [
        {"value": 8, "children": [{"value": 8}, {"value": 10}, {"value": 13}]},
        {"value": 6, "children": [{"value": 6}, {"value": 7}, {"value": 13}]},
        {"value": 3, "children": [{"value": 3}, {"value": 4}, {"value": 5}]},
    ],
}
"""Figure 1, with values from the side of the player at the root."""
FIGURE_1 = {
    "B": (8, 2), "E": (-8, 2), "F": (-10, 4), "G": (-13, 7),
    "C": (6, 3), "H": (-6, 2), "I": (-7, 1), "J": (-13, 0),
    "D": (3, 12), "K": (-3, 5), "L": (-4, 4), "M": (-5, 3),
}  # fmt: skip
"""Figure 1 and Section 4: value and swing of every node, as the paper counts them."""


def example(work: Work) -> Report:
    """Compute the swings of Figure 1."""
    tree = cn.Tree.from_dict(TREE, LCF, **PUBLISHED)
    nodes = [node for child in tree.root.children for node in (child, *child.children)]
    rows: list[list[Cell]] = []
    for node, (name, (value, swing)) in zip(nodes, FIGURE_1.items(), strict=True):
        lookahead, ours = node.numbers["lookahead"], node.numbers["swing"]
        same = (lookahead, ours) == (value, swing)
        rows.append([name, value, round(lookahead), swing, round(ours), yes(same)])
    work.tell(1.0, "Figure 1")

    def draw(axes: Axes) -> None:
        places = range(len(rows))
        axes.bar(places, [node.numbers["swing"] for node in nodes], color="C0", alpha=0.5, label="ours")
        axes.plot(places, [swing for _, swing in FIGURE_1.values()], "_k", markersize=16, label="published")
        axes.set_xticks(places, list(FIGURE_1))
        axes.set(xlabel="node of Figure 1", ylabel="swing")
        axes.legend(frameon=False)

    return Report(
        title="The swings of Figure 1",
        paper=f"{PAPER}, Section 4, Figure 1",
        columns=["node", "value, published", "value, ours", "swing, published", "swing, ours", "agrees"],
        rows=rows,
        agrees=all(row[-1] == "yes" for row in rows),
        draw=draw,
        convention=[
            "Values are those for the player who moved to the node, as in the paper. B must fall to 6, C and "
            "D must rise to 8; below C and D all children must follow, below B one is enough.",
        ],
        notes=["The figure itself is not in our copy of the paper; its numbers are those of the text."],
    )


# Figures 6 and 7

BRANCHING, DEPTH, ARTIFICIAL_TIME = 10, 64, 100_000
"""The paper does not say which game Figures 6 and 7 show; with these, best-first has as many expansions."""
EXPANSIONS = {LCF: 74, "best-first": 88}
"""Section 5.1: leaves expanded in the same time."""
QUICK_TIME = 20_000
"""Artificial time for a quick look."""


def expansions(work: Work) -> Report:
    """Watch both searches at the first move of a random-tree game."""
    time = QUICK_TIME if work.quick else ARTIFICIAL_TIME
    start = cn.games.RandomTree(branching=BRANCHING, depth=DEPTH, seed=1, kind="utgoff").start()
    searches: dict[str, dict[str, Any]] = {LCF: PUBLISHED, "best-first": {}}
    growths = {
        name: Growth.of(start, name, artificial_time=time, **parameters, title=name, most_rows=200)
        for name, parameters in searches.items()
    }
    rows: list[list[Cell]] = []
    for name, growth in growths.items():
        last = growth.rows[-1]
        chosen = [row.chosen for row in growth.rows[:-1]]
        turns = sum(one != two for one, two in pairwise(chosen))
        shares = sorted(enumerate(last.shares), key=lambda share: -share[1])[:3]
        rows.append(
            [
                name,
                EXPANSIONS[name],
                growth.expansions,
                len(set(chosen)),
                turns,
                " ".join(f"{place}: {share:.0%}" for place, share in shares),
                len(last.depths),
                ", ".join(str(place) for place in sorted(last.best)),
            ]
        )
    work.tell(1.0, "Figures 6 and 7")
    lcf, best = (growths[name].expansions for name in searches)
    deepest = {name: len(growth.rows[-1].depths) for name, growth in growths.items()}
    return Report(
        title="Where two searches grow the same tree",
        paper=f"{PAPER}, Section 5.1, Figures 6 and 7",
        columns=["search", "published", "ours", "tried", "turns", "most nodes below", "depth", "best"],
        rows=rows,
        agrees=lcf < best,
        draw=lambda _axes: None,
        picture=lambda: figure_of(list(growths.values())),
        convention=[
            f"The first move of a random-tree game, b = {BRANCHING}, depth {DEPTH}, seed 1, "
            f"{time:,} units of artificial time: 1 for every node looked at, 100 for every node generated.",
            "The figure: expansions go down. Left, the part of the nodes below each of the root's moves; "
            "right, at each depth; two lines bound a part. Middle, the root's moves: a triangle "
            "up has the best value, a triangle down the least swing, a box both, a circle neither; filled is "
            "the move below which the next leaf was expanded.",
            "published and ours: leaves expanded. tried: of the root's moves, how many had leaves expanded "
            "below them; turns: how often the search went from one move to another; most nodes below: of all "
            "nodes at the end; best: the move of the best value at the end.",
            "Agreement: the least-certainty search expands fewer leaves in the same time.",
        ],
        notes=[
            "The paper's game is another one: it says neither its branching factor nor its time. Those here "
            f"were chosen so that best-first expands about {EXPANSIONS['best-first']} leaves; "
            f"the ratio is {lcf / best:.2f}, in the paper {74 / 88:.2f}.",
            f"The trees are {deepest[LCF]} and {deepest['best-first']} plies deep; in the paper that of "
            "best-first becomes narrower and deeper.",
            "conspirator analyze GAME --figure growth=FILE draws this figure for any search on any position.",
        ],
        seeds="seed 1",
    )
