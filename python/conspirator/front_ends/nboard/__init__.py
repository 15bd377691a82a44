"""NBoard's protocol, version 2, for Othello: a player and an analyst for graphical programs.

    ggf -> server -> a player

>>> from conspirator.front_ends.nboard import Server
>>> said = []
>>> server = Server(said.append)
>>> server.hear("nboard 2")
>>> server.hear("set depth 6")
>>> server.hear("ping 1")
>>> said
['set myname conspirator', 'set myname conspirator6', 'pong 1']
"""

from conspirator.front_ends.nboard.ggf import Record, read_game
from conspirator.front_ends.nboard.server import Server

__all__ = ["Record", "Server", "read_game"]
