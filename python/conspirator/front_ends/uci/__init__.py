"""Chess over the Universal Chess Interface."""

from conspirator.front_ends.uci.engine import Engine, serve
from conspirator.front_ends.uci.options import Go, Options

__all__ = ["Engine", "Go", "Options", "serve"]
