"""Players by name: a search, its parameters, and the form of the game that it searches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Recipe:
    """How a player searches."""

    search: str
    """The search."""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    """Its parameters."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """Options of the game that concern the search alone."""


WITH_TABLE = {"alpha-beta": Recipe("alpha-beta", {"table": True})}
"""The only player of most games."""

_KNOWING = {"knowledge": True}
_TABLE_BYTES = 64 << 20

_SIBLINGS = {"table_bytes": _TABLE_BYTES, "delta": 0.25}

HEX = {
    "network": Recipe("puct", {}, {**_KNOWING, "network": True}),
    "anchored": Recipe("sibling-conspiracy", {**_SIBLINGS, "anchor": 2.0}, _KNOWING),
    "siblings": Recipe("sibling-conspiracy", _SIBLINGS, _KNOWING),
    "alpha-beta": Recipe("alpha-beta", {"table": True}, {**_KNOWING, "width": 15}),
    "monte-carlo": Recipe("uct", {"playouts": 8}, _KNOWING),  # random games are plain
}
"""The players of Hex; the first plays if nobody chooses.

The last three are of the kinds of DeepHex, Wolve and MoHex in Pawlewicz and Hayward 2015.
"""
