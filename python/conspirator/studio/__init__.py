"""The studio: a page in the browser to play, to watch a tree grow, and to compare searches.

`conspirator studio` starts it. It listens on this machine only, and answers who knows its token.

    guard -> app (sockets) -> desk -> session (game, players) -> lane (a search) -> looks, explain

Needs `pip install conspirator[studio]`.
"""
