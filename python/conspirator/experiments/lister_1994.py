"""L. Lister and J. Schaeffer, "An analysis of the conspiracy numbers algorithm", 1994.

`table_2` is the growth of McAllester's rule, `table_3` that of the improved rule, both with an evaluation
that always gives the same value. A cell is the depth of the final tree and its number of nodes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import conspirator as cn
from conspirator._budget import default_memory
from conspirator.experiments.report import Cell, Report, numbers, yes
from conspirator.experiments.work import Work, grow

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PAPER = "L. Lister and J. Schaeffer, An analysis of the conspiracy numbers algorithm, 1994"

WIDTHS = (10, 20, 30, 40)
"""The columns of both tables."""

TABLE_2 = {
    10: ((2, 111), (2, 421), (2, 931), (2, 1_641)),
    20: ((6, 13_381), (2, 421), (2, 931), (2, 1_641)),
    30: ((8, 134_361), (4, 9_201), (2, 931), (2, 1_641)),
    40: ((10, 1_344_341), (6, 185_561), (4, 29_701), (2, 1_641)),
    50: ((12, 13_444_321), (6, 185_561), (4, 29_701), (4, 68_801)),
    60: ((14, 134_444_301), (8, 3_713_521), (6, 894_541), (4, 68_801)),
    70: ((16, 1_344_444_281), (8, 3_713_521), (6, 894_541), (4, 68_801)),
    80: ((18, 13_444_444_261), (10, 74_273_481), (6, 894_541), (6, 2_758_321)),
    90: ((20, 134_444_444_241), (10, 74_273_481), (8, 26_841_481), (6, 2_758_321)),
    100: ((22, 1_344_444_444_221), (12, 1_485_473_441), (8, 26_841_481), (6, 2_758_321)),
}
"""Table 2: (depth, nodes) by CT, for each width."""

TABLE_3 = {
    10: ((2, 111), (2, 421), (2, 931), (2, 1_641)),
    20: ((4, 2_471), (2, 421), (2, 931), (2, 1_641)),
    30: ((4, 3_621), (4, 9_201), (2, 931), (2, 1_641)),
    40: ((4, 4_751), (4, 17_941), (4, 29_701), (2, 1_641)),
    50: ((4, 5_861), (4, 17_941), (4, 29_701), (4, 68_801)),
    60: ((4, 6_951), (4, 26_641), (4, 58_411), (4, 68_801)),
    70: ((4, 8_021), (4, 26_641), (4, 58_411), (4, 68_801)),
    80: ((4, 9_071), (4, 35_301), (4, 58_411), (4, 135_881)),
    90: ((4, 10_101), (4, 35_301), (4, 87_061), (4, 135_881)),
    100: ((4, 11_111), (4, 43_921), (4, 87_061), (4, 135_881)),
}
"""Table 3: the same for the improved rule."""

LARGEST = 134_444_301
"""Trees of so many nodes are still grown."""
LARGEST_QUICK = 4_000_000
"""The same for a quick look."""
BYTES_A_NODE = 45
"""Memory that must be free for every node: a tree has 33 bytes a node, and there must be room beside it."""


def steps(width: int, ct: int) -> int:
    """Return m = ceil((CT - w) / (w - 1)), equation 6: how many times each strategy is deepened."""
    return -((width - ct) // (width - 1))


def mcallester_tree(width: int, ct: int) -> tuple[int, int]:
    """Return depth and nodes of the final tree by Theorems 3 and 4.

    N = ((w + 1)^2 w^(m + 1) - 4) / (w - 1) - 2 (m + 1) w - 3, and the depth is 2 m + 2.

    >>> mcallester_tree(10, 20)
    (6, 13381)
    """
    m = steps(width, ct)
    nodes = ((width + 1) ** 2 * width ** (m + 1) - 4) // (width - 1) - 2 * (m + 1) * width - 3
    return 2 * m + 2, nodes


def improved_tree(width: int, ct: int) -> tuple[int, int]:
    """Return depth and nodes of the final tree of the improved rule, for CT up to w^2.

    The paper prints no such formula; this one follows from its two stages. All nodes of ply 1 are expanded.
    To rule out -infinity, m of them get all w children expanded: the number of conspirators is then
    m w + (w - m). To rule out +infinity, every node of ply 1 gets m of its subtrees grown to ply 4, which
    gives each the same number. So N = 1 + w + w^2 + w m (2 w - m) + w^3 m.

    >>> improved_tree(10, 100)
    (4, 11111)
    """
    if ct > width**2:
        raise ValueError(f"the formula holds for CT up to {width**2}, not for {ct}")
    m = steps(width, ct)
    nodes = 1 + width + width**2 + width * m * (2 * width - m) + width**3 * m
    return 4 if m else 2, nodes


def table_2(work: Work) -> Report:
    """Grow the trees of Table 2, as far as they fit."""
    largest = LARGEST_QUICK if work.quick else LARGEST
    return _table(
        work, "conspiracy", TABLE_2, mcallester_tree, largest,
        title="McAllester's rule, constant evaluation: nodes grow exponentially with the threshold",
        where="Table 2; closed form: Theorems 3 and 4, equation 18",
        notes=["The text above Table 3 compares two cells as those of w = 20, CT = 100; they are of w = 10."],
    )  # fmt: skip


def table_3(work: Work) -> Report:
    """Grow all trees of Table 3."""
    return _table(
        work, "improved-conspiracy", TABLE_3, improved_tree, LARGEST,
        title="The improved rule, constant evaluation: nodes grow quadratically with the threshold",
        where="Table 3",
        notes=["The closed form is ours, for CT up to the square of w; the paper prints only O(CT^2)."],
    )  # fmt: skip


def _table(
    work: Work,
    search: str,
    published: Mapping[int, tuple[tuple[int, int], ...]],
    closed_form: Callable[[int, int], tuple[int, int]],
    largest: int,
    *,
    title: str,
    where: str,
    notes: list[str],
) -> Report:
    cells = {
        (ct, width): cell for ct, row in published.items() for width, cell in zip(WIDTHS, row, strict=True)
    }
    total = sum(nodes for _, nodes in cells.values() if nodes <= largest)
    done = 0
    rows: list[list[Cell]] = []
    too_large: list[str] = []
    for (ct, width), (depth, nodes) in cells.items():
        ours, how = closed_form(width, ct), "closed form"
        formula_agrees = ours == (depth, nodes)
        if nodes <= largest:
            free = default_memory() * 4 // 3
            if nodes * BYTES_A_NODE > free:
                too_large.append(f"w = {width}, CT = {ct}")
            else:

                def tell(
                    facts: dict[str, Any], done: int = done, cell: str = f"w = {width}, CT = {ct}"
                ) -> None:
                    work.tell((done + facts["nodes"]) / total, f"{cell}: {facts['nodes']:,} nodes")

                position = cn.games.UniformTree(width=width).start()
                result = grow(position, search, ct=ct, iterative=False, memory=free, progress=tell)
                ours, how = (result.depth, result.nodes), "grown"
                if result.status != "converged":  # somebody else took the memory
                    how = "grown in part"
            done += nodes
            work.tell(done / total, f"w = {width}, CT = {ct}")
        same = formula_agrees and ours == (depth, nodes)
        rows.append([width, ct, depth, ours[0], nodes, ours[1], how, yes(same)])
    rows.sort(key=lambda row: (row[0], row[1]))
    grown = sum(row[6] == "grown" for row in rows)
    if too_large:
        need = f"{BYTES_A_NODE} bytes a node"
        notes = [*notes, f"Not grown because memory was short ({need} must be free): {'; '.join(too_large)}."]
    agrees = all(row[-1] == "yes" for row in rows)
    verdict = "all published cells" if agrees else "not all published cells"
    return Report(
        title=title,
        paper=f"{PAPER}, {where}",
        columns=[
            "w",
            "CT",
            "depth, published",
            "depth, ours",
            "nodes, published",
            "nodes, ours",
            "how",
            "agrees",
        ],
        rows=rows,
        agrees=agrees,
        draw=lambda axes: _draw(axes, rows, closed_form),
        convention=[
            "CT = N_t + 1: a value is likely if fewer than CT leaves must change for it.",
            "The basic procedure (no iterative deepening), infinite trees of width w, every static value "
            "0, a max node as root; the depth is the ply of the deepest node, the root is counted as a "
            "node.",
        ],
        notes=[
            f"{grown} of {len(rows)} cells were grown, node by node; the closed form equals {verdict}.",
            *notes,
        ],
    )


def _draw(axes: Axes, rows: list[list[Cell]], closed_form: Callable[[int, int], tuple[int, int]]) -> None:
    """Draw nodes against the threshold: the closed form, the published cells, and those that were grown."""
    for width in WIDTHS:
        mine = [row for row in rows if row[0] == width]
        thresholds = range(10, 101)
        (line,) = axes.plot(
            thresholds, [closed_form(width, ct)[1] for ct in thresholds], linewidth=1, label=f"w = {width}"
        )
        axes.plot(numbers(mine, 1), numbers(mine, 4), "o", mfc="white", color=line.get_color())
        grown = [row for row in mine if row[6] == "grown"]
        axes.plot(numbers(grown, 1), numbers(grown, 5), "x", color=line.get_color())
    axes.set(
        yscale="log", xlabel="conspiracy threshold CT", ylabel="nodes (o published, x grown, line: formula)"
    )
    axes.legend(frameon=False)
