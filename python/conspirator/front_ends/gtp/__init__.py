"""The Go Text Protocol, version 2, for the board games of this package and any of its searches.

    lines -> server -> dialects, board, sides, clock -> a player -> live

>>> from conspirator.front_ends.gtp import Server
>>> server = Server("connect-four", "best-first:expansions=1000")
>>> print(server.answer("1 play black 4"), end="")
=1
<BLANKLINE>
>>> print(server.answer("play black 4"), end="")
? the other side is to move, and there is no such position: 1 X and 0 O with X to move; ...
<BLANKLINE>
"""

from conspirator.front_ends.gtp.dialects import DIALECTS
from conspirator.front_ends.gtp.server import Server

__all__ = ["DIALECTS", "Server"]
