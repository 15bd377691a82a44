"""Benchmarks: ratios measured in one run, because machines are shared and noisy.

`native` compares our searches with the raw rate of the core, `python_games` with games written in Python,
`peers` with other packages (an optional extra), and `signature` tells whether any search has changed its
behaviour. `conspirator bench` prints all of them.
"""

from conspirator.bench.measure import Row
from conspirator.bench.native import native
from conspirator.bench.peers import peers
from conspirator.bench.python_games import python_games
from conspirator.bench.signature import signature

__all__ = ["Row", "native", "peers", "python_games", "signature"]
