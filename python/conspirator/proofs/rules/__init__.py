"""The rules of each game, written again for the checker: nothing here is shared with the core."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .amazons import Amazons
from .chess import Chess
from .connect_four import ConnectFour
from .explicit_tree import ExplicitTree
from .hex import Hex
from .othello import Othello
from .random_tree import RandomTree

RULES: dict[str, Callable[[dict[str, str]], Any]] = {
    "amazons": Amazons,
    "chess": Chess,
    "connect-four": ConnectFour,
    "explicit-tree": ExplicitTree,
    "hex": Hex,
    "othello": Othello,
    "random-tree": RandomTree,
}
"""Each takes the options of a certificate, and raises ValueError if it does not know one of them."""
