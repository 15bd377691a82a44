"""What is known of a position of Hex without searching: connections, inferior cells, energies.

A *connection* joins two ends for one player: stones, empty cells or that player's edges. A full one holds
even if the other player moves first, a semi one if its own player does. Its *carrier* is the empty cells that
it needs. `survives` plays such a claim out, and `replay` answers intrusions into it.

>>> import conspirator as cn
>>> from conspirator.hex import Connection, replay, survives
>>> position = cn.games.Hex(size=5).position("c2")
>>> bridge = Connection("max", ("c2", "top"), True, frozenset(["c1", "d1"]))
>>> survives(position, bridge)
True
>>> list(replay(position, bridge, ["d1"]))
['c1']
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from conspirator._errors import ArgumentError, PositionError
from conspirator._native import Position

Side = Literal["max", "min"]

EDGES: Mapping[str, tuple[str, str]] = {"max": ("top", "bottom"), "min": ("left", "right")}
"""The two edges that each player wants to join."""

MOST_CELLS = 24
"""Carriers of more cells are not played out unless asked for."""

_COLOURS = {"max": "X", "min": "O"}
_NEIGHBOURS = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))


@dataclass(frozen=True)
class Connection:
    """A claim: the player joins the two ends, whatever the other does inside the carrier."""

    player: Side
    """Who joins them."""
    ends: tuple[str, str]
    """Cells, such as 'c3', or edges: 'top', 'bottom', 'left', 'right'."""
    full: bool
    """Whether it holds if the other player moves first; a semi connection needs the first move."""
    carrier: frozenset[str]
    """The empty cells that it needs."""

    def __str__(self) -> str:
        kind = "full" if self.full else "semi"
        cells = " ".join(in_order(self.carrier))
        return f"{self.ends[0]} - {self.ends[1]}  {kind}" + (f"  {cells}" if cells else "")


@dataclass(frozen=True)
class Knowledge:
    """What is known of a position without searching."""

    position: Position
    """The position."""
    winner: Side | None
    """Who wins, if connections tell."""
    filled: Mapping[Side, frozenset[str]]
    """Empty cells that count as a player's stones: they are dead or captured."""
    mustplay: tuple[str, ...] | None
    """The only cells where the player to move can stop the other; None: anywhere."""
    moves: tuple[str, ...]
    """The moves worth considering."""
    inferior: Mapping[str, str]
    """Cells that need not be considered, and why: 'dead', 'captured', 'vulnerable', 'dominated'."""
    energies: Mapping[str, float]
    """How much current flows through each cell: the score of a move."""
    resistance: Mapping[Side, float]
    """Of each player's circuit, from edge to edge."""
    connections: tuple[Connection, ...] = field(repr=False)
    """Those of both players."""
    policy: Mapping[str, float] = field(default_factory=dict)
    """How good the network thinks each move to be, in comparison with the best; if it was asked."""
    value: float | None = None
    """What the network thinks of the position, from -1 to 1, from Black's side; if it was asked."""

    @classmethod
    def read(cls, position: Position, facts: Mapping[str, Any]) -> Knowledge:
        """Return knowledge from plain data, as `position.facts("knowledge")` has it.

        >>> import conspirator as cn
        >>> bridge = {"ends": ["c3", "top"], "full": True, "carrier": ["c2", "d1"]}
        >>> position = cn.games.Hex(size=5).position("c3")
        >>> known = Knowledge.read(position, {"connections": {"max": [bridge], "min": []}})
        >>> print(known.connections[0])
        c3 - top  full  d1 c2
        """
        mustplay = facts.get("mustplay")
        claims: Mapping[Side, Iterable[Mapping[str, Any]]] = facts.get("connections", {})
        return cls(
            position=position,
            winner=facts.get("winner"),
            filled={side: frozenset(cells) for side, cells in facts.get("filled", {}).items()},
            mustplay=None if mustplay is None else tuple(mustplay),
            moves=tuple(facts.get("moves", ())),
            inferior=dict(facts.get("inferior", {})),
            energies=dict(facts.get("energies", {})),
            resistance=dict(facts.get("resistance", {})),
            connections=tuple(
                Connection(side, _pair(claim["ends"]), bool(claim["full"]), frozenset(claim["carrier"]))
                for side, every in claims.items()
                for claim in every
            ),
            policy=dict(facts.get("policy", {})),
            value=facts.get("value"),
        )

    def between(self, player: str, one: str, other: str, *, full: bool) -> list[Connection]:
        """Return a player's full or semi connections of two ends, small carriers first.

        A stone stands for its chain, filled cells included; what is one chain needs no cells.
        """
        ones, others = self._same(player, one), self._same(player, other)
        if other in ones:
            return [Connection(_side(player), (one, other), True, frozenset())] if full else []
        found = [
            c
            for c in self.connections
            if (c.player, c.full) == (player, full)
            and any(c.ends[i] in ones and c.ends[1 - i] in others for i in (0, 1))
        ]
        return sorted(found, key=lambda c: len(c.carrier))

    def connected(self, player: str, end: str, *, full: bool) -> list[str]:
        """Return the ends that a player has connected with an end, fully or not."""
        same = self._same(player, end)
        found = [c.ends for c in self.connections if (c.player, c.full) == (player, full)]
        others = {ends[1 - i] for ends in found for i in (0, 1) if ends[i] in same}
        return in_order(others - same)

    def _same(self, player: str, end: str) -> set[str]:
        """Return the cells and edges that are one with an end: its chain, filled cells included."""
        stones = _stones(self.position, self.filled)
        colour, size = _COLOURS[player], int(self.position.game._complete()["size"])
        chain, todo = {end}, [end]
        if stones.get(end, colour) != colour:
            return chain
        while todo:
            for near in _beside(todo.pop(), size, player):
                if near not in chain and stones.get(near, colour) == colour:
                    chain.add(near)
                    todo.append(near)
        return chain


def knowledge(position: Position, *, network: bool = False) -> Knowledge:
    """Return what is known of a position of Hex.

    With `network`, also what the network says of it.

    >>> import conspirator as cn
    >>> knowledge(cn.games.Hex().start(), network=True).value > 0.5
    True
    >>> knowledge(cn.games.ConnectFour().start())
    Traceback (most recent call last):
    ...
    conspirator._errors.ArgumentError: there is knowledge of Hex, not of connect-four
    """
    game = position.game
    if getattr(game, "name", None) != "hex":
        raise ArgumentError(f"there is knowledge of Hex, not of {getattr(game, 'name', game)}")
    return Knowledge.read(position, facts_of(position, "network" if network else "knowledge"))


def facts_of(position: Position, evaluator: str) -> Mapping[str, Any]:
    """Return what an evaluator knows of a position; nothing is known of a game that is over."""
    return position.facts(evaluator) or {}


def survives(
    position: Position,
    connection: Connection,
    *,
    filled: Mapping[Side, Iterable[str]] | None = None,
    most: int = MOST_CELLS,
) -> bool:
    """Tell whether a claimed connection holds, by playing all games inside its carrier.

    An end that is an empty cell counts as a stone of the player, and so do the player's edges. `filled` cells
    count as stones of whom they are filled for. Carriers of more than `most` cells are refused: a proof may
    take time that doubles with every cell.
    """
    return _Fight(position, connection, filled or {}, most).holds()


def replay(
    position: Position,
    connection: Connection,
    intrusions: Iterable[str],
    *,
    filled: Mapping[Side, Iterable[str]] | None = None,
    most: int = MOST_CELLS,
) -> Iterator[str | None]:
    """Yield the player's answer to each intrusion into a connection; None once the ends are joined.

    A semi connection begins with the player's own first move. An error if the claim does not hold.
    """
    fight = _Fight(position, connection, filled or {}, most)
    if not fight.holds():
        raise PositionError(f"the connection does not hold: {connection}")
    if not connection.full:
        yield fight.answer(None)
    for cell in intrusions:
        yield fight.answer(cell)


class _Fight:
    """A connection being attacked. Sets of the carrier's cells are bits of a number."""

    def __init__(
        self, position: Position, connection: Connection, filled: Mapping[Side, Iterable[str]], most: int
    ) -> None:
        size = int(position.game._complete()["size"])
        mine, theirs = sorted(_COLOURS.values(), key=lambda stone: stone != _COLOURS[connection.player])
        stones = _stones(position, filled)
        for name in (*connection.carrier, *connection.ends):
            if name not in stones and name not in EDGES[connection.player]:
                raise ArgumentError(f"{name!r} is no cell of this board, nor an edge of that player")
        self.full = connection.full
        own = {cell for cell, stone in stones.items() if stone == mine}
        own |= {*connection.ends, *EDGES[connection.player]}
        self._lost = any(stones.get(end) == theirs for end in connection.ends)
        open_cells = (cell for cell in connection.carrier if cell not in own and stones[cell] != theirs)
        self._names = in_order(open_cells)
        if len(self._names) > most:
            raise ArgumentError(
                f"the carrier has {len(self._names)} cells, more than {most}: say most={len(self._names)}"
            )
        self._free = (1 << len(self._names)) - 1
        self._own = 0
        self._graph = _Graph(size, connection, own, self._names)
        self._known: dict[tuple[int, int, bool], int | None] = {}

    def holds(self) -> bool:
        """Tell whether the claim is true."""
        return not self._lost and self._needs(self._own, self._free, attacked=self.full) is not None

    def answer(self, cell: str | None) -> str | None:
        """Return the move that keeps the connection after an intrusion, and make both."""
        if cell is not None:
            place = self._names.index(cell) if cell in self._names else -1
            if place < 0 or not self._free >> place & 1:
                raise ArgumentError(f"{cell!r} is not an open cell of the carrier")
            self._free &= ~(1 << place)
        if self._graph.joined(self._own):
            return None
        for bit in self._graph.likely(self._own, self._free):
            if self._needs(self._own | bit, self._free & ~bit, attacked=True) is not None:
                self._own |= bit
                self._free &= ~bit
                return self._names[bit.bit_length() - 1]
        raise PositionError("the connection is broken")  # not after a claim that holds

    def _needs(self, own: int, free: int, *, attacked: bool) -> int | None:
        """Return the free cells that a connection needs; None if there is none.

        An attacker must play where every known way of joining the ends passes.
        """
        if self._graph.joined(own):
            return 0
        if not self._graph.joined(own | free):
            return None
        key = (own, free, attacked)
        if key not in self._known:
            self._known[key] = (self._defend if attacked else self._join)(own, free)
        return self._known[key]

    def _join(self, own: int, free: int) -> int | None:
        for bit in self._graph.likely(own, free):
            rest = self._needs(own | bit, free & ~bit, attacked=True)
            if rest is not None:
                return rest | bit
        return None

    def _defend(self, own: int, free: int) -> int | None:
        way = self._needs(own, free, attacked=False)
        if way is None:
            return None
        needed = must = way
        while must:
            intrusion = must & -must
            way = self._needs(own, free & ~intrusion, attacked=False)
            if way is None:
                return None
            needed |= way
            must &= way
        return needed


class _Graph:
    """The open cells of a carrier; stones of the player join the cells around them."""

    def __init__(self, size: int, connection: Connection, own: set[str], names: list[str]) -> None:
        bit_of = {name: 1 << place for place, name in enumerate(names)}

        def reach(name: str) -> tuple[int, set[str]]:
            """Return the open cells beside a cell or an end, through stones, and those stones."""
            cells, seen, todo = 0, {name}, [name]
            while todo:
                for near in _beside(todo.pop(), size, connection.player):
                    if near in bit_of:
                        cells |= bit_of[near]
                    elif near in own and near not in seen:
                        seen.add(near)
                        todo.append(near)
            return cells, seen

        self._near = [reach(name)[0] for name in names]
        self._first, chain = reach(connection.ends[0])
        self._last = reach(connection.ends[1])[0]
        self._always = connection.ends[1] in chain

    def joined(self, held: int) -> bool:
        """Tell whether the ends are joined by these cells."""
        return self._always or bool(self._flood(self._first & held, held) & self._last)

    def _flood(self, seen: int, held: int) -> int:
        todo = seen
        while todo:
            bit = todo & -todo
            fresh = self._near[bit.bit_length() - 1] & held & ~seen
            seen |= fresh
            todo = (todo ^ bit) | fresh
        return seen

    def likely(self, held: int, free: int) -> list[int]:
        """Return the free cells, those on the shortest ways first."""
        steps = [self._steps(border, held, free) for border in (self._first, self._last)]
        far = 2 * len(self._near)
        return sorted(_bits(free), key=lambda bit: steps[0].get(bit, far) + steps[1].get(bit, far))

    def _steps(self, border: int, held: int, free: int) -> dict[int, int]:
        """Return how many free cells a way from an end to each of them has."""
        steps: dict[int, int] = {}
        seen, count = 0, 1
        while True:
            through = self._flood(border & held, held)
            for bit in _bits(through):
                border |= self._near[bit.bit_length() - 1]
            fresh = border & free & ~seen
            if not fresh:
                return steps
            for bit in _bits(fresh):
                steps[bit] = count
                border |= self._near[bit.bit_length() - 1]
            seen |= fresh
            count += 1


def _beside(name: str, size: int, player: str) -> Iterator[str]:
    """Yield the neighbours of a cell or an edge: for a player, an edge has the cells along it."""
    low, high = EDGES[player]
    across = range(size)
    if name in (low, high):
        last = 0 if name == low else size - 1
        yield from (_cell(c, last) if player == "max" else _cell(last, c) for c in across)
        return
    column, row = _order(name)[1:]
    depth = row if player == "max" else column
    if depth == 0:
        yield low
    if depth == size - 1:
        yield high
    for x, y in _NEIGHBOURS:
        if column + x in across and row + y in across:
            yield _cell(column + x, row + y)


def _stones(position: Position, filled: Mapping[Side, Iterable[str]]) -> dict[str, str]:
    """Return what is on every cell: X, O or a dot; filled cells count as stones."""
    stones = {
        _cell(column, row): stone
        for row, line in enumerate(str(position).splitlines()[1:])
        for column, stone in enumerate(line.split()[1:])
    }
    for side, cells in filled.items():
        stones.update(dict.fromkeys(cells, _COLOURS[side]))
    return stones


def in_order(ends: Iterable[str]) -> list[str]:
    """Return cells by rows, and edges after them."""
    return sorted(ends, key=_order)


def _cell(column: int, row: int) -> str:
    return f"{chr(ord('a') + column)}{row + 1}"


def _order(name: str) -> tuple[int, int, int]:
    """Return what sorts cells by rows; edges come last. The second and third are column and row."""
    row = int(name[1:]) - 1 if name[1:].isdigit() else 99
    return row, ord(name[0]) - ord("a"), row


def _side(player: str) -> Side:
    return "max" if player == "max" else "min"


def _pair(ends: Iterable[str]) -> tuple[str, str]:
    one, other = ends
    return one, other


def _bits(cells: int) -> Iterator[int]:
    while cells:
        bit = cells & -cells
        yield bit
        cells ^= bit


__all__ = ["Connection", "Knowledge", "in_order", "knowledge", "replay", "survives"]
