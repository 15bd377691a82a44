"""Random trees: a key and a generator define every node. Nodes at the last ply end the game with their
value."""

from __future__ import annotations

from typing import Any

MASK = (1 << 64) - 1


def splitmix64(z: int) -> int:
    """Return the finaliser of the generator of this name (Steele, Lea and Flood 2014) after its step."""
    z = (z + 0x9E3779B97F4A7C15) & MASK
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK
    return z ^ z >> 31


class RandomTree:
    """A state is (key, ply, value); a position is '@key/ply/value', the key in hexadecimal."""

    repeats, middle, longest = False, 0.0, None

    def __init__(self, options: dict[str, str]) -> None:
        names = ["branching", "depth", "kind", "seed", "sort", "spread", "spread_min"]
        if sorted(options) != names or options["kind"] not in ("mcallester", "utgoff"):
            raise ValueError(f"a random tree has the options {', '.join(names)}")
        self.branching, self.depth, self.seed, self.spread, self.least = (
            int(options[name]) for name in ("branching", "depth", "seed", "spread", "spread_min")
        )
        self.utgoff, self.sort = options["kind"] == "utgoff", options["sort"] == "true"
        if options["sort"] not in ("true", "false") or not 1 <= self.branching <= 0xFFFF:
            raise ValueError("sort is true or false, and branching from 1 to 65535")

    def read(self, text: str) -> tuple[int, int, int]:
        """Return the state that a text describes."""
        key, ply, value = text.removeprefix("@").split("/")
        return int(key, 16), int(ply), int(value)

    def max_to_move(self, state: tuple[int, int, int]) -> bool:
        """Tell whether Max is to move: at even plies."""
        return state[1] % 2 == 0

    def outcome(self, state: tuple[int, int, int]) -> float | None:
        """Return the value at the last ply."""
        return float(state[2]) if self.depth and state[1] >= self.depth else None

    def moves(self, state: tuple[int, int, int]) -> list[tuple[int, int, int]]:
        """Return the children: a move is where it leads to."""
        children = [self.child(state, place) for place in range(self.branching)]
        sign = -1 if self.max_to_move(state) else 1
        return sorted(children, key=lambda child: sign * child[2]) if self.sort else children

    def child(self, state: tuple[int, int, int], place: int) -> tuple[int, int, int]:
        """Return a child in the generator's own order."""
        key, ply, value = state
        if self.utgoff:
            key = (key * self.branching + place + 1) & 0xFFFFFFFF
            mixed = splitmix64((self.seed * 0x9E3779B97F4A7C15 + key + 0x632BE59BD9B4E019) & MASK)
            return key, ply + 1, value + (mixed >> 49) - 16384
        key = splitmix64(key ^ (place + 1) * 0xD1342543DE82EF95 & MASK)
        most = max(self.least, self.spread - ply - 1)
        return key, ply + 1, value + key % (2 * most + 1) - most

    def play(self, state: Any, child: Any) -> Any:  # noqa: ARG002 - the rules of other games need it
        """Return the child."""
        return child

    def key(self, state: Any) -> None:
        """Share no positions."""
