"""R. L. Rivest, "Game tree searching by min/max approximation", Artificial Intelligence 34 (1988) 77-96.

`table_1` is Section 2, `example` Section 3.5; the games of Section 5 are in `rivest_games`.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import conspirator as cn
from conspirator.experiments.report import Cell, Report, yes
from conspirator.experiments.work import Work, grow
from conspirator.rules.penalties import generalized_mean

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PAPER = "R. L. Rivest, Game tree searching by min/max approximation, Artificial Intelligence 34 (1988)"

SEARCH = "minmax-approximation"
EXACT: dict[str, Any] = {"variant": "published", "means": "exact"}

# Section 2

VECTOR = (10, 21, 29, 32)
"""Table 1: the vector a. The sentence before it has 29 twice, which does not give the table."""
TABLE_1 = {
    -32: 10.4, -16: 10.9, -8: 11.9, -4: 13.9, -2: 16.6, -1: 18.7, 0: 21.0,
    1: 23.0, 2: 24.5, 4: 26.5, 8: 28.3, 16: 29.7, 32: 30.7,
}  # fmt: skip
"""Table 1: the generalized means by p."""
GRADIENT = (2e-16, 2e-6, 0.04, 0.90)
"""Section 2: the gradient for p = 32."""


def family(p: float) -> cn.Tree:
    """Return a tree whose root's value is M_p(a): Max moves for a positive p, Min for a negative one."""
    children = [{"value": value} for value in VECTOR]
    data = {"value": 1, "children": children, "to_move": "max" if p > 0 else "min"}
    return cn.Tree.from_dict(data, SEARCH, **EXACT, p=abs(p))


def table_1(work: Work) -> Report:
    """Compute the generalized means of Table 1 and the gradient of Section 2."""
    rows: list[list[Cell]] = []
    for p, printed in TABLE_1.items():
        if p:
            mean = family(p).root.numbers["value"]
        else:  # no player has p = 0: equation 2
            mean = math.exp(generalized_mean([math.log(a) for a in VECTOR], 0))
        rows.append(["M_p(a)", p, None, f"{printed:.1f}", f"{mean:.4f}", yes(round(mean, 1) == printed)])
    slopes = [math.exp(-child.numbers["w"]) for child in family(32).root.children]
    for a, printed, slope in zip(VECTOR, GRADIENT, slopes, strict=True):
        same = math.isclose(printed, slope, rel_tol=0.1)
        rows.append(["dM_p/da_i", 32, a, f"{printed:.2g}", f"{slope:.3g}", yes(same)])
    work.tell(1.0, "Table 1")

    def draw(axes: Axes) -> None:
        ps = [p / 8 for p in range(-40 * 8, 40 * 8 + 1)]
        xs = [math.log(a) for a in VECTOR]
        axes.plot(ps, [math.exp(generalized_mean(xs, p)) for p in ps], label="ours")
        axes.plot(list(TABLE_1), list(TABLE_1.values()), "sk", mfc="white", label="published")
        for end, where in ((min(VECTOR), "bottom"), (max(VECTOR), "top")):
            axes.axhline(end, color="grey", linewidth=0.8)
            axes.annotate("min" if where == "bottom" else "max", (-39, end), va=where)
        axes.set(xlabel="p", ylabel=f"M_p{VECTOR}")
        axes.legend(frameon=False)

    return Report(
        title="Generalized means lie between the minimum and the maximum",
        paper=f"{PAPER}, Section 2, Table 1",
        columns=["what", "p", "a_i", "published", "ours", "agrees"],
        rows=rows,
        agrees=all(row[-1] == "yes" for row in rows),
        draw=draw,
        convention=[
            f"a = {VECTOR}. Ours are the values and weights of a node with these four children in a tree of "
            "the search, with means=exact: a Max node for a positive p, a Min node for a negative one. p = 0 "
            "is the geometric mean.",
            "A mean agrees if it rounds to the printed one, a derivative if it is within a tenth of it.",
        ],
        notes=[
            "The sentence that announces the table has the vector (10, 21, 29, 29, 32); the table's caption "
            "and its numbers are those of four.",
            f"The last component of the gradient is {slopes[-1]:.3f}, printed as 0.90.",
        ],
    )


# Section 3.5

GAME: dict[str, Any] = {
    "value": 5,
    "children": [
        {"value": 2, "children": [{"value": 1}, {"value": 1}]},
        {
            "value": 5,
            "children": [
                {
                    "value": 10,
                    "children": [
                        {"value": 11, "children": [{"value": 1}, {"value": 1}]},
                        {"value": 11, "children": [{"value": 1}, {"value": 1}]},
                    ],
                },
                {"value": 12, "children": [{"value": 1}, {"value": 1}]},
            ],
        },
    ],
}
"""Figures 2 to 6. The leaves below t, x, y and z are ours: the paper's tree goes on after it."""
NAMES: dict[str, tuple[int, ...]] = {
    "s": (), "t": (0,), "u": (1,), "w": (1, 0), "x": (1, 1), "y": (1, 0, 0), "z": (1, 0, 1),
}  # fmt: skip
PRINTED = {"x": 1.34, "y": 1.07}
"""Section 3.5: the penalties in Figure 6 that the text mentions."""


def penalty(tree: cn.Tree, path: tuple[int, ...]) -> float:
    """Return P(c): the sum of the weights between a node and the root (Section 3.4)."""
    return math.fsum(tree.node(path[:end]).numbers["w"] for end in range(1, len(path) + 1))


def example(work: Work) -> Report:
    """Grow the tree of Figures 2 to 6, and compare the penalties of its leaves."""
    start = cn.games.ExplicitTree(GAME).start()
    names = {path: name for name, path in NAMES.items()}
    rows: list[list[Cell]] = []
    drawn: dict[str, dict[str, float]] = {}
    for figure, expansions, chosen in (("4", 2, "w"), ("6", 3, "y")):
        tree = grow(start, SEARCH, **EXACT, p=10.0, expansions=expansions).tree
        leaves = {name: tree.node(path) for name, path in NAMES.items() if is_open(tree, path)}
        drawn[figure] = {name: penalty(tree, NAMES[name]) for name in leaves}
        for name, P in drawn[figure].items():
            printed = PRINTED.get(name) if figure == "6" else None
            same = None if printed is None else yes(math.floor(100 * P) == round(100 * printed))
            rows.append([f"Fig. {figure}", f"P({name})", printed and f"{printed:.2f}", f"{P:.4f}", same])
        ours = names[tuple(grow(start, SEARCH, **EXACT, expansions=expansions + 1, trace=True).trace[-1])]
        rows.append([f"Fig. {figure}", "leaf expanded next", chosen, ours, yes(ours == chosen)])
    for second in (35, 30):
        mean = math.exp(generalized_mean([math.log(second), math.log(40)], 10))
        rows.append(["Section 4", f"M_10({second}, 40)", None, f"{mean:.4f}", None])
    wider = float(str(rows[-2][3])) > float(str(rows[-1][3]))
    rows.append(["Section 4", "M_10(35, 40) > M_10(30, 40)", "yes", yes(wider).lower(), yes(wider)])
    work.tell(1.0, "Figures 2 to 6")

    def draw(axes: Axes) -> None:
        for place, (figure, penalties) in enumerate(drawn.items()):
            for name, P in penalties.items():
                axes.plot([place], [P], "o", color="C0")
                axes.annotate(name, (place, P), xytext=(8, -3), textcoords="offset points")
            for name in PRINTED if figure == "6" else ():
                label = "published" if name == "x" else None
                axes.plot([place], [PRINTED[name]], "_k", markersize=16, label=label)
        axes.set_xticks(range(len(drawn)), [f"Figure {figure}" for figure in drawn])
        axes.set_xlim(-0.5, len(drawn) - 0.5)
        axes.set(yscale="log", ylabel="penalty of a leaf, P; the least is expanded")
        axes.legend(frameon=False)

    return Report(
        title="Rivest's example: the leaf of least penalty is expanded",
        paper=f"{PAPER}, Section 3.5, Figures 2 to 6",
        columns=["where", "what", "published", "ours", "agrees"],
        rows=rows,
        agrees=all(row[-1] != "NO" for row in rows),
        draw=draw,
        convention=[
            "means=exact, p = 10, natural logarithms. P(c) is the sum of the weights w from the root to c.",
            "Figure 4 is the tree with the leaves t, w and x, Figure 6 the one after w's expansion, with y "
            "and z. Compared is what the text says, not what the figures show.",
        ],
        notes=[
            "The text has no values for y and z; with 11 for both, v(w) = 11 as in Figure 3, and the printed "
            "penalties come out: P(x) as printed, and P(y), printed as 1.07, if its decimals were cut off.",
        ],
    )


def is_open(tree: cn.Tree, path: tuple[int, ...]) -> bool:
    """Tell whether a node is there and an open leaf."""
    node = tree.root
    for place in path:
        if place >= len(node.children):
            return False
        node = node.children[place]
    return node.is_open


__all__ = ["example", "table_1"]
