"""Benchmarks: ratios measured in one run, because machines are shared and noisy.

`native` compares our searches with the raw rate of the core, `conspiracy` does the same for conspiracy
numbers, `siblings` for proof numbers and sibling conspiracy numbers, `python_games` looks at games written
in Python, `matches` at what a match costs beside its searches, `peers` at other packages (an optional extra),
`judge` at how good the moves are by one of them, `punctuality` at how late searches end, and `batches` at
networks that see many positions at once. `signature` tells whether any search has changed its behaviour.
`conspirator bench` prints all of them.
"""

from conspirator.bench.conspiracy import conspiracy, draw_costs
from conspirator.bench.matches import matches
from conspirator.bench.measure import Row
from conspirator.bench.native import native
from conspirator.bench.networks import batches
from conspirator.bench.peers import peers
from conspirator.bench.punctuality import Lateness, punctuality
from conspirator.bench.python_games import python_games
from conspirator.bench.siblings import siblings
from conspirator.bench.signature import signature

__all__ = [
    "Lateness",
    "Row",
    "batches",
    "conspiracy",
    "draw_costs",
    "matches",
    "native",
    "peers",
    "punctuality",
    "python_games",
    "siblings",
    "signature",
]
