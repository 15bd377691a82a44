"""Guided tours: the worked examples of the papers, step by step, each with its text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from conspirator._players import Player
from conspirator.experiments import mcallester_1988, pawlewicz_2015, rivest_1988, utgoff_2001
from conspirator.studio.looks import Path


@dataclass(frozen=True)
class Stop:
    """One step of a tour: how far the tree has grown, where to look, and what to say."""

    text: str
    expansions: int = 0
    """Of a tree that grows; a tree from data has all its nodes from the beginning."""
    node: Path = ()


@dataclass(frozen=True)
class Tour:
    """A worked example of a paper."""

    name: str
    title: str
    paper: str
    rule: str
    parameters: dict[str, Any]
    stops: tuple[Stop, ...]
    names: dict[Path, str]
    game: dict[str, Any] | None = None
    """A game that is searched."""
    tree: dict[str, Any] | None = None
    """Or a tree that is there as a whole, all of its leaves open."""

    def listed(self) -> dict[str, Any]:
        """Return what a list of tours says."""
        return {
            "name": self.name,
            "title": self.title,
            "paper": self.paper,
            "rule": self.rule,
            "stops": [stop.text for stop in self.stops],
        }

    @property
    def expansions(self) -> int:
        """How many expansions the tour goes through."""
        return max(stop.expansions for stop in self.stops)

    def player(self) -> Player:
        """Return the search as a player."""
        return Player(self.rule, **self.parameters)


def mcallester() -> Tour:
    """Return McAllester 1988, Section 6: sixteen expansions after the root's."""
    data = mcallester_1988.section_6()
    names = {tuple(path): name for path, name in zip(data["expansions"], data["names"], strict=True)}
    stops = [
        Stop(
            "The root A is expanded. With up to two leaves wrong its value can be anything from 0 up: the "
            "interval is [0, inf]. The procedure now tries to close it.",
            1,
        )
    ]
    for count, (path, name) in enumerate(zip(data["expansions"], data["names"], strict=True), 1):
        printed = data["intervals_after"].get(str(count))
        text = f"Expansion {count}: the leaf {name}. "
        if printed is not None:
            text += (
                f"Now the likely values under two conspirators are [{printed[0]}, {printed[1]}], as printed. "
            )
        if count == len(data["names"]):
            text += (
                "The interval is a single value: more than two leaves would have to be wrong to change it."
            )
        stops.append(Stop(text.strip(), count + 1, tuple(path)))
    return Tour(
        "mcallester",
        "Conspiracy numbers close the interval",
        "D. A. McAllester 1988, Section 6, Figures 3 to 9",
        "conspiracy",
        {"threshold": 2, "iterative": False},
        tuple(stops),
        {(): "A", **names},
        game=data["game"],
    )


def rivest() -> Tour:
    """Return Rivest 1988, Figures 2 to 6."""
    names = {path: name for name, path in rivest_1988.NAMES.items()}
    return Tour(
        "rivest",
        "The leaf of least penalty is expanded",
        "R. L. Rivest 1988, Section 3.5, Figures 2 to 6",
        rivest_1988.SEARCH,
        {**rivest_1988.EXACT, "p": 10.0},
        (
            Stop("Figure 2: the root s is expanded; its children are t and u. Max, to move, prefers u.", 1),
            Stop(
                "Figures 3 and 4: u is expanded. The penalty of a leaf is the sum of the weights w on its "
                "way; the arrows lead to w, the leaf of least penalty.",
                2,
                (1, 0),
            ),
            Stop(
                "Figures 5 and 6: w is expanded, with y and z below. Now P(x) = 1.34 and P(y) = 1.07: the "
                "arrows lead to y.",
                3,
                (1, 0, 0),
            ),
            Stop(
                "y is the next leaf: a small change there changes the root's approximated value most.",
                4,
                (1, 0, 0),
            ),
        ),
        names,
        game=rivest_1988.GAME,
    )


def utgoff() -> Tour:
    """Return Utgoff and Cochran 2001, Figure 1."""
    paths = [(0,), (0, 0), (0, 1), (0, 2), (1,), (1, 0), (1, 1), (1, 2), (2,), (2, 0), (2, 1), (2, 2)]
    names: dict[Path, str] = {(): "A", **dict(zip(paths, utgoff_2001.FIGURE_1, strict=True))}
    return Tour(
        "utgoff",
        "Least certainty: the smallest swing decides",
        "P. E. Utgoff and R. P. Cochran 2001, Section 4, Figure 1",
        utgoff_2001.LCF,
        utgoff_2001.PUBLISHED,
        (
            Stop("Max chooses at A. B is worth 8, C 6 and D 3: B is the choice, C the second best."),
            Stop(
                "How certain is that? B would have to fall to 6. One of its leaves is enough: E, from 8 "
                "to 6, a swing of 2.",
                node=(0,),
            ),
            Stop(
                "C would have to rise to 8. Min moves there, so all leaves below 8 must rise: H by 2 and I "
                "by 1, a swing of 3.",
                node=(1,),
            ),
            Stop("D needs 5 + 4 + 3 = 12: it is out of the question.", node=(2,)),
            Stop(
                "The least swing is that of B, and in it of E: the decision is least certain there.",
                node=(0, 0),
            ),
        ),
        names,
        tree=utgoff_2001.TREE,
    )


def pawlewicz() -> Tour:
    """Return Pawlewicz and Hayward 2015, Section 3.1."""
    names = {path: name for name, path in pawlewicz_2015.NAMES.items()}
    stops = []
    for count, printed in enumerate(pawlewicz_2015.PRINTED[:-1]):
        name = str(printed.expanded)
        if count == 0:
            text = "The root r is expanded: its moves a and b have the relative errors 0 and 1."
        else:
            low, high = printed.interval
            claims = ", ".join(f"{f}_{n}({v:g}) = {value:g}" for f, n, v, value in printed.statements)
            text = f"Iteration {count}: v_min = {low:g}, v_max = {high:g}. {claims}: so {name} is expanded."
        stops.append(Stop(text, count + 1, pawlewicz_2015.NAMES[name]))
    return Tour(
        "pawlewicz",
        "Sibling conspiracy numbers: a leaf that counts for both ends",
        "J. Pawlewicz and R. Hayward 2015, Section 3.1",
        "sibling-conspiracy",
        {},
        tuple(stops),
        names,
        game=pawlewicz_2015.EXAMPLE,
    )


FIGURE_1: dict[str, Any] = {
    "value": 1,
    "children": [
        {
            "value": 1,
            "children": [{"value": 1, "children": [{"value": 1}, {"value": 0}]}, {"value": 2}],
        },
        {"value": 0, "children": [{"value": 0}, {"value": 1}]},
    ],
}
"""Lister and Schaeffer 1994, Figure 1: all leaves can be expanded."""


def lister() -> Tour:
    """Return Lister and Schaeffer 1994, Figure 1 and Table 1."""
    names: dict[Path, str] = {
        (): "A", (0,): "B", (1,): "C", (0, 0): "D", (0, 1): "E", (1, 0): "F", (1, 1): "G",
        (0, 0, 0): "J", (0, 0, 1): "K",
    }  # fmt: skip
    return Tour(
        "lister",
        "How many leaves must change?",
        "L. Lister and J. Schaeffer 1994, Figure 1 and Table 1",
        "conspiracy",
        {},
        (
            Stop("The root A is worth 1. No leaf must change for that: its conspiracy number for 1 is 0."),
            Stop("One leaf is enough for A to be worth 0: E or J, which B, worth 1, rests on.", node=(0,)),
            Stop("One leaf is enough for 2: J or K, if it rises; E is 2 already.", node=(0, 0)),
            Stop(
                "For 3 it takes two: E and J, or E and K, or F and G, which are all of C's leaves.", node=(1,)
            ),
            Stop(
                "For -1 it takes two: E and F, or E and G: both of the root's moves must fall.", node=(0, 1)
            ),
        ),
        names,
        tree=FIGURE_1,
    )


TOURS: tuple[Callable[[], Tour], ...] = (mcallester, rivest, utgoff, lister, pawlewicz)
"""All tours, in the order of the list."""


def tours() -> dict[str, Tour]:
    """Return the tours by name.

    >>> list(tours())
    ['mcallester', 'rivest', 'utgoff', 'lister', 'pawlewicz']
    """
    return {made.name: made for made in (make() for make in TOURS)}
