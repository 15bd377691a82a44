"""The tables and figures of the papers that no experiment reproduces, and why.

A figure that only explains, and has no numbers that could come out otherwise, says what stands for it.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class NotDone:
    """A table or a figure without an experiment."""

    summary: str
    """What it shows, in one line."""
    why: str
    """Why there is none."""

    @property
    def state(self) -> str:
        """The same in the words of the list."""
        return f"not done: {self.why}"


NOT_DONE = {
    "mcallester-figure-1": NotDone(
        "McAllester 1988, Figures 1 and 2: a two-ply tree and its conspirators",
        "it defines the numbers, which are tested against brute force",
    ),
    "lister-table-1": NotDone(
        "Lister and Schaeffer 1994, Table 1 and Figure 1: the conspirators of a small tree",
        "it defines the numbers, which are tested on that tree",
    ),
    "lister-figures-2-9": NotDone(
        "Lister and Schaeffer 1994, Figures 2 to 9: the shapes of trees under constant evaluation",
        "their sizes are what lister-table-2 and lister-table-3 count",
    ),
    "utgoff-figure-2": NotDone(
        "Utgoff and Cochran 2001, Figure 2: how least certainty selects a move",
        "a procedure, not a result; conspirator.rules.LeastCertainty is the same page",
    ),
    "utgoff-figures-8-11": NotDone(
        "Utgoff and Cochran 2001, Figures 8 to 11: where two searches grow trees of Amazons and Othello",
        "the paper tells neither evaluation nor time; conspirator analyze --figure growth=FILE draws such",
    ),
    "sibling-figure-1": NotDone(
        "Pawlewicz and Hayward 2015, Figures 1, 9 and 10: proof functions as staircases",
        "they define the functions; conspirator analyze --figure numbers=FILE draws those of any search",
    ),
    "sibling-figure-12": NotDone(
        "Pawlewicz and Hayward 2015, Figure 12: a game of DeepHex against MoHex",
        "one game of two programs that cannot be run here; pawlewicz-hex plays many of ours",
    ),
}
"""Every table and figure without an experiment, by the name that it would have."""
