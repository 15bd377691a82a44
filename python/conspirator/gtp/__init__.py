"""The Go Text Protocol, version 2, for the board games of this package and any of its searches.

    lines -> server -> dialects, board, clock -> cn.search

>>> from conspirator.gtp import Server
>>> server = Server("connect-four", search="best-first", budget={"expansions": 1_000})
>>> print(server.answer("1 play black 4"), end="")
=1
<BLANKLINE>
>>> print(server.answer("play black 4"), end="")
? it is white's turn, and white cannot pass
<BLANKLINE>
"""

from conspirator.gtp.dialects import DIALECTS
from conspirator.gtp.server import Server

__all__ = ["DIALECTS", "Server"]
