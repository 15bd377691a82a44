"""Chess over the Universal Chess Interface."""

from conspirator.front_ends.uci.engine import Engine, Go, Options, serve

__all__ = ["Engine", "Go", "Options", "serve"]
