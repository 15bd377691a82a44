"""J. Pawlewicz and R. Hayward, "Sibling conspiracy number search", Symposium on Combinatorial Search 2015.

`example` is Section 3.1. `expansions` compares what proofs cost with proof numbers, conspiracy numbers and
sibling conspiracy numbers; the paper, whose experiments are matches between Hex programs, has no such table.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from itertools import pairwise
from math import inf
from random import Random
from typing import TYPE_CHECKING, Any

import conspirator as cn
from conspirator.experiments.report import Cell, Report, numbers, yes
from conspirator.experiments.work import Work, grow

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PAPER = "J. Pawlewicz and R. Hayward, Sibling conspiracy number search, SoCS 2015"

Steps = list[tuple[float, float]]


# Section 3.1

_WON: dict[str, Any] = {"error": 0, "children": [{"error": 0, "value": "inf"}]}
_LOST: dict[str, Any] = {"error": 0, "children": [{"error": 0, "value": "-inf"}]}
EXAMPLE: dict[str, Any] = {
    "children": [
        {  # a
            "error": 0,
            "children": [
                {  # c: its children are h and i
                    "error": 0,
                    "children": [_LOST, {"error": 3, "children": [_WON, {**_WON, "error": 2}]}],
                },
                {**_WON, "error": 3},  # d
                {**_WON, "error": 4},  # e
            ],
        },
        {"error": 1, "children": [_WON, {**_WON, "error": 2}]},  # b: its children are f and g
    ]
}
"""The game of Section 3.1: a tree with the relative error of every move."""
NAMES = {
    "r": (), "a": (0,), "b": (1,), "c": (0, 0), "d": (0, 1), "e": (0, 2), "f": (1, 0), "g": (1, 1),
    "h": (0, 0, 0), "i": (0, 0, 1), "j": (0, 0, 0, 0), "k": (0, 0, 1, 0), "l": (0, 0, 1, 1),
}  # fmt: skip
"""The nodes in the figures; k and l have no names in the paper."""


@dataclass(frozen=True)
class Iteration:
    """What the text says of one iteration."""

    expanded: str | None
    """The leaf."""
    interval: tuple[float | None, float | None] = (None, None)
    """(v_min, v_max), as far as they are printed."""
    statements: tuple[tuple[str, str, float, float], ...] = ()
    """Function, node, v, value: ("p", "a", 3, 1) is p_a(3) = 1."""
    branch: str = ""
    """Where it goes, if no leaf is named."""


PRINTED = (
    Iteration("r"),
    Iteration("a", (-1, inf), (("p", "a", inf, 1), ("p", "b", inf, 1))),
    Iteration("b", (-1, inf), (("p", "a", inf, 3), ("p", "b", inf, 1))),
    Iteration(
        "c",
        (-1, 3),
        (("p", "a", 3, 1), ("p", "b", 3, 2), ("d", "c", -1, 1), ("d", "d", -1, 1), ("d", "e", -1, 1)),
    ),
    Iteration("h", (-1, 3), (("d", "c", -1, 1), ("d", "d", -1, 1), ("d", "e", -1, 1))),
    Iteration("i", (-3, 3), (("p", "a", 3, 1), ("p", "b", 3, 2), ("d", "c", -3, 1))),
    Iteration(None, (None, 1), (("p", "a", 1, 2), ("p", "b", 1, 1)), branch="b"),
)
"""Section 3.1: the initial tree, five iterations, and what is said of the next one."""
MISPRINT = (5, ("d", "c", -3, 1))
"""Printed as 1 in iteration 5. By equations 4 and 5 it is 0: -3 is the value of c."""


def example(work: Work) -> Report:
    """Grow the tree of Section 3.1 one iteration at a time."""
    start = cn.games.ExplicitTree(EXAMPLE).start()
    names = {path: name for name, path in NAMES.items()}
    rows: list[list[Cell]] = []
    intervals: list[tuple[float, float, float]] = []
    known: dict[str, str] = {}
    for count, printed in enumerate(PRINTED):
        if count:  # what the iteration sees before it expands a leaf
            tree = grow(start, "sibling-conspiracy", expansions=count).tree
            low, high = (tree.root.numbers[end] for end in ("vmin", "vmax"))
            intervals.append((low, high, tree.root.numbers["minimax"]))
            for end, theirs, ours in zip(("v_min", "v_max"), printed.interval, (low, high), strict=True):
                same = None if theirs is None else yes(theirs == ours)
                rows.append([count, end, None if theirs is None else f"{theirs:g}", f"{ours:g}", same])
            for statement in printed.statements:
                function, name, v, value = statement
                number = value_at(tree.node(NAMES[name]).numbers[function], v, function)
                word = yes(number == value)
                if (count, statement) == MISPRINT and number == 0:
                    word = "misprint"
                rows.append([count, f"{function}_{name}({v:g})", f"{value:g}", f"{number:g}", word])
        result = grow(start, "sibling-conspiracy", expansions=count + 1, trace=True)
        path = tuple(result.trace[-1])
        if printed.expanded is not None:
            rows.append([count, "leaf", printed.expanded, names[path], yes(names[path] == printed.expanded)])
        else:
            branch = names[path[:1]]
            rows.append([count, "branch", printed.branch, branch, yes(branch == printed.branch)])
            break
        for name, place in NAMES.items():
            if _is_there(result.tree, place):
                function = notation(result.tree.node(place).numbers)
                if known.get(name) != function:
                    rows.append([count, f"{name} after it", None, function, None])
                known[name] = function
        work.tell((count + 1) / len(PRINTED), f"{count} of {len(PRINTED) - 1} iterations")

    def draw(axes: Axes) -> None:
        far = 4.5
        places = range(1, len(intervals) + 1)
        low, high = ([max(-far, min(far, interval[end])) for interval in intervals] for end in (0, 1))
        axes.fill_between(places, low, high, step="mid", alpha=0.25, label="search interval, ours")
        axes.step(places, [interval[2] for interval in intervals], where="mid", label="value of the root")
        for place, printed in zip(places, PRINTED[1:], strict=True):
            for end in printed.interval:
                if end is not None:
                    label = "published" if place == 1 and end < 0 else None
                    axes.plot([place], [min(far, end)], "_k", markersize=14, label=label)
        axes.set_ylim(-far, far)
        axes.set(xlabel="iteration", ylabel="value (the top is infinity)")
        axes.legend(frameon=False)

    return Report(
        title="The example of sibling conspiracy numbers: five iterations",
        paper=f"{PAPER}, Section 3.1, Figures 3 to 8",
        columns=["iteration", "what", "published", "ours", "agrees"],
        rows=rows,
        agrees=all(row[-1] != "NO" for row in rows),
        draw=draw,
        convention=[
            "P_max = D_max = 1, leaves by equation 4, the interval by equation 6 as it stands; among equal "
            "numbers the least relative error.",
            "Iteration 0 expands the root. v_min, v_max, p and d are those by which an iteration chooses its "
            "leaf. After its expansion stand the functions that are new, in the notation of Definition 7: "
            "<-1 [0] 3>, with the value of the node marked.",
        ],
        notes=[
            "Compared is what the text says, not what the figures show. The errors are those that the text "
            "forces: r-a 0, r-b 1, a-c 0, a-d and a-e at least 3, b-f 0, b-g 2, c-h 0, c-i 3; the rest of "
            "the game is ours.",
            "Iteration 5 prints d_c(-3) = 1. Equations 4 and 5 give 0, because -3 is the value of c; the "
            "choice is the same.",
            "Of the iteration after Figure 8 the paper says that it goes to branch b.",
        ],
    )


def value_at(steps: Steps, v: float, function: str) -> float:
    """Return p(v) or d(v), given a function's steps.

    >>> value_at([(0, 1), (3, 2)], 3, "p"), value_at([(0, 1), (-1, 2)], -3, "d")
    (1, 2)
    """
    return max((h for x, h in steps if (x < v if function == "p" else x > v)), default=0)


def notation(functions: dict[str, Any]) -> str:
    """Return a node's functions as Definitions 7 and 8 write them.

    >>> notation({"p": [(0, 1), (3, 2)], "d": [(0, 1), (-1, 2)]})
    '<-1 [0] 3>'
    """
    p, d = functions["p"], functions["d"]
    if not p or not d:
        return "<-inf>" if p else "<+inf>"
    words = [f"[{p[0][0]:g}]"]
    for (_, last), (x, height) in pairwise(p):
        words += [f"{x:g}"] * int(height - last)
    for (_, last), (x, height) in pairwise(d):
        words = [f"{x:g}"] * int(height - last) + words
    return f"<{' '.join(words)}>"


def _is_there(tree: cn.Tree, path: tuple[int, ...]) -> bool:
    node = tree.root
    for place in path:
        if place >= len(node.children):
            return False
        node = node.children[place]
    return True


# Expansions to prove


@dataclass(frozen=True)
class Contender:
    """One search of the comparison."""

    name: str
    form: str
    search: str
    parameters: dict[str, Any] = field(default_factory=dict)
    independent: int | None = None
    """Expansions to prove the empty 4x4 board, by an implementation that shares no code with this one."""


TABLE = 64 << 20
"""Bytes of the table of a depth-first search."""
WIDE: dict[str, Any] = {"pmax": 20, "dmax": 20}


def contenders() -> list[Contender]:
    """Return all searches that are compared."""
    sibling = "sibling-conspiracy"
    forms: dict[str, dict[str, Any]] = {"tree": {}, "shared": {"transpositions": True}}
    found: list[Contender] = []

    def add(name: str, search: str, parameters: dict[str, Any], independent: tuple[int, int] | None) -> None:
        for place, (form, shared) in enumerate(forms.items()):
            count = independent and independent[place]
            found.append(Contender(name, form, search, parameters | shared, count))

    add("PNS", "proof-number", {}, None)
    add("PNS, scores", "proof-number", {"ties": "scores"}, (98_117, 41_039))
    for name, ties in (("PNS", "leftmost"), ("PNS, scores", "scores")):
        found.append(Contender(name, "table", "df-pn", {"ties": ties, "table_bytes": TABLE}))
    add("CNS", sibling, {"evaluation": "global"}, (17_932, 9_677))
    add("SCNS", sibling, {}, (7_449, 4_434))
    deltas = {1.0: (5_545, 3_261), 0.5: (4_673, 2_621), 0.25: (4_156, 2_217)}
    for delta, independent in deltas.items():
        add(f"SCNS delta={delta:g}", sibling, {"delta": delta}, independent)
    table = "sibling-conspiracy-table"
    for form, search, own in (
        ("shared", sibling, {"transpositions": True}),
        ("table", table, {"table_bytes": TABLE}),
    ):
        for delta in deltas:
            for eta in (0.0, 0.25):
                name = f"SCNS delta={delta:g} eta={eta:g} P=20"
                found.append(Contender(name, form, search, {"delta": delta, "eta": eta, **WIDE, **own}))
    return found


BLACK_WINS = {
    4: ("d1", "c2", "b3", "a4"),
    5: ("e1", "b2", "c2", "d2", "e2", "b3", "c3", "d3", "a4", "b4", "c4", "d4", "a5"),
}
"""Openings of Hex that win for Black, who has made them; known from exhaustive search."""
OPENINGS_5 = ("c1", "c3")
"""Of 5x5 Hex: the easiest for White and the easiest for Black."""
CAP_5 = 250_000
"""Expansions for an opening of 5x5 Hex."""
CAP_4 = 2_000_000
"""The same for 4x4 Hex, where it is never reached."""
CAP_STONES = 50_000
"""The same for a position of Connect-Four."""
STONES = (14, 24)
"""How many stones lie in the positions of Connect-Four."""


@dataclass(frozen=True)
class Task:
    """A position to be solved."""

    group: str
    name: str
    position: cn.Position
    cap: int
    known: bool | None = None
    """Whether the player to move wins, where that is known."""


GROUPS = ("5x5", "4x4", "openings", "four")
"""Long ones first, so that no core waits for the last."""
TITLES = {
    "4x4": "4x4", "openings": "4x4 openings", "5x5": "5x5 openings", "four": "Connect-Four",
}  # fmt: skip


def tasks(quick: bool, games: int) -> list[Task]:
    """Return all positions."""
    four, five = (cn.games.Hex(size=size).start() for size in (4, 5))
    found = [Task("4x4", "empty", four, CAP_4, known=True)]
    for move in four.moves()[:2] if quick else four.moves():
        found.append(Task("openings", move, four.play(move), CAP_4, known=move not in BLACK_WINS[4]))
    for move in OPENINGS_5:
        cap = 1_000 if quick else CAP_5
        found.append(Task("5x5", move, five.play(move), cap, known=move not in BLACK_WINS[5]))
    for seed in range(1, games + 1):
        found.append(Task("four", f"seed {seed}", stones(seed), 2_000 if quick else CAP_STONES))
    return found


def stones(seed: int) -> cn.Position:
    """Return a position of Connect-Four by random moves, in which nobody can win at once."""
    random = Random(seed)
    count = random.randint(*STONES)
    while True:
        position = cn.games.ConnectFour().start()
        for _ in range(count):
            position = position.play(random.choice(position.moves()))
            if position.outcome is not None:
                break
        else:
            following = [position.play(move) for move in position.moves()]
            if all(after.outcome is None for after in following):
                return position


@dataclass(frozen=True)
class Proof:
    """What one search needed for one position."""

    won: bool | None
    """Whether the player to move wins; None if the cap came first."""
    expansions: int
    seconds: float


def prove(contender: Contender, task: Task) -> Proof:
    """Ask whether the player to move wins."""
    result = grow(task.position, contender.search, expansions=task.cap, **contender.parameters)
    low, high = task.position.value_range
    win = high if task.position.to_move == "max" else low
    # a win is the end of the range, so its proof is one of the value; if there is no win, there may be two
    # results left
    won = None if result.status == "budget" else result.status == "proven" and result.value == win
    return Proof(won, result.expansions, result.seconds)


def expansions(work: Work) -> Report:
    """Count the expansions of all searches on all positions."""
    searches, positions = contenders(), tasks(work.quick, work.games)
    positions.sort(key=lambda task: GROUPS.index(task.group))
    pairs = [(contender, task) for task in positions for contender in searches]
    proofs = dict(
        zip(
            [(searches.index(contender), task) for contender, task in pairs],
            work.over(lambda pair: prove(*pair), pairs, "searches"),
            strict=True,
        )
    )
    answers: defaultdict[Task, set[bool]] = defaultdict(set)
    for (_, task), proof in proofs.items():
        if proof.won is not None:
            answers[task].add(proof.won)
        if task.known is not None:
            answers[task].add(task.known)
    rows: list[list[Cell]] = []
    for group, title in TITLES.items():
        mine = [task for task in positions if task.group == group]
        for place, contender in enumerate(searches):
            found = [proofs[place, task] for task in mine]
            unsolved = sum(proof.won is None for proof in found)
            same = all(
                proof.won is None or len(answers[task]) == 1 for task, proof in zip(mine, found, strict=True)
            )
            seconds = round(sum(proof.seconds for proof in found), 3)
            independent = contender.independent if group == "4x4" else None
            effort = sum(proof.expansions for proof in found)
            rows.append(
                [title, contender.name, contender.form, independent, effort, seconds, unsolved, yes(same)]
            )
    counts = {group: sum(task.group == group for task in positions) for group in TITLES}
    open_tasks = sum(not answers[task] for task in positions)
    agrees = all(row[-1] == "yes" for row in rows)
    trees = [row for row in rows if row[2] == "tree" and row[3] is not None]
    exact = sum(row[3] == row[4] for row in trees)
    caps = {task.group: task.cap for task in positions}

    return Report(
        title="Expansions that a proof takes, by search",
        paper=f"{PAPER}, Sections 2 and 3; the paper prints no table of this kind",
        columns=["positions", "search", "form", "independent", "expansions", "seconds", "open", "agrees"],
        rows=rows,
        agrees=agrees,
        reference="what is known, and among the searches",
        draw=lambda axes: _draw(axes, rows),
        convention=[
            "Asked is whether the player to move wins. An expansion generates all children of one leaf, the "
            "root's is counted; expansions and seconds are sums over the positions.",
            f"Hex: the empty 4x4 board, {counts['openings']} openings of 4x4, {counts['5x5']} of 5x5 "
            f"({', '.join(OPENINGS_5)}) with {caps['5x5']:,} expansions each at the most. Connect-Four: "
            f"{counts['four']} positions after {STONES[0]} to {STONES[1]} random moves, in which nobody wins "
            f"at once, with {caps['four']:,} expansions each. open: of so many the cap came before the "
            "answer; their expansions are in the sum.",
            "PNS: proof numbers, ties leftmost or by the game's scores. CNS: Algorithm 3 with static values. "
            "SCNS: errors on the way to a leaf, leaves by equation 4, or with delta by equation 14 (16 "
            "heights); P_max = D_max = 1 unless P=20 stands there: both are 20 then; eta is that of equation "
            "7.",
            "tree: best-first, every line its own nodes. shared: positions that are reached by several "
            "orders of moves share one subtree, and each is expanded once. "
            f"table: depth-first in a table of {TABLE >> 20} MiB (PNS is then df-pn, epsilon "
            "0.25).",
        ],
        notes=[
            f"All answers agree with the known ones for Hex and with each other: {yes(agrees).lower()}. "
            f"Positions that no search has solved: {open_tasks} of {len(positions)}.",
            "independent: the same counts by an independent implementation, a prototype that shares no "
            f"code with this package; they are not published ones. {exact} of its {len(trees)} counts for "
            "trees are ours to the expansion. For CNS it has static values of its own: these are to be "
            "compared in size only.",
            f"Seconds are those of this machine, with up to {work.processes} searches at once; nothing else "
            "in the table depends on it.",
        ],
        seeds=f"Connect-Four: seeds 1 to {work.games}",
    )


def _draw(axes: Axes, rows: list[list[Cell]]) -> None:
    """Draw expansions, one line for each search; a white mark if not everything was solved."""
    names = [f"{row[1]}, {row[2]}" for row in rows if row[0] == rows[0][0]]
    heights = range(len(names), 0, -1)
    for title in TITLES.values():
        mine = [row for row in rows if row[0] == title]
        (line,) = axes.plot([], [], "o", markersize=4, label=title)
        for solved, face in ((True, line.get_color()), (False, "white")):
            shown = [height for row, height in zip(mine, heights, strict=True) if (row[6] == 0) == solved]
            counts = numbers([row for row in mine if (row[6] == 0) == solved], 4)
            axes.plot(counts, shown, "o", markersize=4, color=line.get_color(), mfc=face)
    known = [height for row, height in zip(rows, heights, strict=False) if row[3] is not None]
    axes.plot(numbers(rows, 3), known, "|k", markersize=7, label="4x4, independent")
    axes.set_yticks(list(heights), names, fontsize=6)
    axes.set(xscale="log", xlabel="expansions (white: not all were solved)")
    axes.grid(axis="y", linewidth=0.3)
    axes.legend(frameon=False, fontsize=7)
