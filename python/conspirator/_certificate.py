"""Certificates: a solution as a strategy in a file, which anybody can check by the rules alone.

docs/proofs.md has the format byte by byte; `proofs/` is the checker, which uses nothing of this.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import sys
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from conspirator import _native
from conspirator._errors import ArgumentError
from conspirator._evaluator import AnyEvaluator
from conspirator._files import replaced
from conspirator._game import Game
from conspirator._native import Position
from conspirator._search import search
from conspirator.proofs import Checked, Rejected, check_file
from conspirator.proofs.checker import MAGIC
from conspirator.proofs.rules import RULES
from conspirator.proofs.rules.own import OwnGame

TABLES = ("df-pn", "sibling-conspiracy-table", "end-game")
"""Searches that know a move in any position after a proof, because they find again what was forgotten."""


@dataclass(frozen=True, repr=False)
class Guarantee:
    """One side's guarantee, and the search that has proven it."""

    kind: Literal["at least", "at most"]
    value: float
    """What Max gets at least, or at most."""
    search: str
    core: _native.Search | None
    """None if it follows from the rules, or has to be searched again."""
    evaluator: AnyEvaluator = None

    def __repr__(self) -> str:
        return f"<Guarantee: Max gets {self.kind} {self.value:g}>"


class Certificate:
    """What a solution can show: for each bound of the value a strategy that keeps it, whatever the other
    does.

    >>> import conspirator as cn, tempfile
    >>> solution = cn.solve(cn.games.Hex(size=3).start())
    >>> solution.proof.claims
    [<Guarantee: Max gets at least 1>]
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     print(cn.verify(solution.proof.save(f"{folder}/hex-3.proof")))
    proven: Max gets at least 1 in hex size=3 (... positions)
    """

    def __init__(self, position: Position, claims: list[Guarantee]) -> None:
        self.position = position
        self.claims = claims

    def save(self, path: str | os.PathLike[str], progress: Callable[[int], object] | None = None) -> Path:
        """Write the strategies to a file; what was there before is replaced only when all is written.

        Whatever an evaluator or a table decided early is searched again, to the end of the game: that may
        take as long as the solution did. `progress` is told how many bytes of choices there are so far; it
        stops the work by returning False.
        """
        if not self.claims:
            raise ArgumentError("nothing is proven, so there is nothing to save: solve without a budget")
        header = _header(self.position, self.claims)
        target = Path(path)
        with replaced(target) as file:
            _write(file, header, self.position, self.claims, progress)
        return target

    def __repr__(self) -> str:
        return f"<Certificate: {', '.join(f'{claim.kind} {claim.value:g}' for claim in self.claims)}>"


def verify(path: str | os.PathLike[str], /, *, position: Position | None = None) -> Checked:
    """Check a certificate by the rules of its game alone, and return what it proves.

    The checker is plain Python with rules of its own: it shares nothing with the searches. A file that does
    not prove what it says is an `ArgumentError`. A game of yours is not in the file: give the `position` that
    was solved.

    >>> import conspirator as cn, tempfile
    >>> solution = cn.solve(cn.games.ConnectFour().position("5441565551"))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     checked = cn.verify(solution.proof.save(f"{folder}/win.proof"))
    >>> checked.game, checked.at_least
    ('connect-four', 1023.0)
    """
    rules = text = None
    if position is not None:
        game, _, text = _statement(position)
        if game not in RULES:
            rules = OwnGame(position.game, position.state, position.to_move == "max")
    try:
        checked = check_file(path, rules, text)
    except Rejected as error:
        raise ArgumentError(f"{path} is rejected: {error}") from None
    except OSError as error:
        raise ArgumentError(f"cannot read {path}: {error.strerror or error}") from None
    if position is not None and (checked.game, checked.options) != _statement(position)[:2]:
        raise ArgumentError(f"{path} is about another game: {checked.game}")
    return checked


def _statement(position: Position) -> tuple[str, dict[str, str], str]:
    """Return game, options and position as a certificate states them."""
    game = position.game
    if isinstance(game, Game):
        return f"own {type(game).__name__}", {}, json.dumps(str(position))
    options, notation = game._complete(), position.notation()
    match game.name:
        case "hex":
            if options["swap"] or options["size"] > 11:
                raise ArgumentError("certificates of Hex are for boards up to 11 x 11, without swap")
            options = {"size": options["size"]}
        case "chess":
            if " moves " in notation:
                raise ArgumentError(
                    "certificates of chess are for positions without a past: set the board up, such as "
                    "cn.games.Chess().position(fen)"
                )
            if options["chess960"] and notation.split()[2] != "-":
                raise ArgumentError("certificates of Chess960 are for positions in which nobody can castle")
            options = {}
        case "random-tree":
            usual = 64 if options["kind"] == "utgoff" else 6
            options = options | {"depth": usual if options["depth"] is None else options["depth"]}
        case "explicit-tree":
            data = json.dumps(options["data"], sort_keys=True, separators=(",", ":"))
            options = {"data": data}
        case name if name not in RULES:
            raise ArgumentError(f"there is no checker of {name}")
    return game.name, {key: _text(value) for key, value in sorted(options.items())}, notation


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _header(position: Position, claims: list[Guarantee]) -> bytes:
    game, options, text = _statement(position)
    if game == "chess" and any(
        claim.value != (20000 if claim.kind == "at least" else -20000) for claim in claims
    ):
        raise ArgumentError("certificates of chess are for mates: this position is no proven win")
    lines = [f"game {game}", *(f"option {name} {value}" for name, value in options.items())]
    lines += [f"position {text}" if text else "position"]
    lines += [f"claim {claim.kind} {float(claim.value)!r}" for claim in claims]
    return MAGIC + "".join(f"{line}\n" for line in [*lines, ""]).encode("ascii")


def _write(
    file: Any,
    header: bytes,
    position: Position,
    claims: list[Guarantee],
    progress: Callable[[int], object] | None,
) -> None:
    """Write header, choices and trailer, piece by piece."""
    digest = hashlib.sha256()
    pack = zlib.compressobj(9)
    written = 0

    def put(piece: bytes) -> None:
        digest.update(piece)
        file.write(piece)

    def sink(piece: bytes) -> bool:
        nonlocal written
        written += len(piece)
        put(pack.compress(piece))
        return progress is None or progress(written) is not False

    put(header)
    positions = choices = 0
    for claim in claims:
        core = _adviser(position, claim)
        counts = _native.export(position, core, claim.value, claim.kind == "at least", sink)
        positions, choices = positions + counts[0], choices + counts[1]
    put(pack.flush())
    put(positions.to_bytes(8, "little") + choices.to_bytes(8, "little"))
    file.write(digest.digest())


def _adviser(position: Position, claim: Guarantee) -> _native.Search | None:
    """Return a search that knows the moves of a strategy; None for the shortest one.

    Where positions can come back, only the shortest win is sure to get somewhere.
    """
    game = position.game
    if getattr(game, "name", None) == "chess":
        return None
    if isinstance(game, Game):
        own = OwnGame(game, position.state, position.to_move == "max")
        holds = own.middle >= claim.value if claim.kind == "at least" else own.middle <= claim.value
        if own.repeats and not holds:
            return None
    if position.outcome is not None:
        return None
    if claim.search in TABLES and claim.core is not None:
        return claim.core
    settings: dict[str, Any] = {"delta": 0.25} if getattr(game, "name", None) == "amazons" else {}
    name = "sibling-conspiracy-table" if settings else "df-pn"
    goal = claim.value if claim.kind == "at least" else _above(position, claim.value)
    most = sys.float_info.max
    limits: dict[str, Any] = {"expansions": 2**63 - 1, "goal": min(max(goal, -most), most)}
    return search(position, name, evaluator=claim.evaluator, **limits, **settings)._core


def _above(position: Position, value: float) -> float:
    """Return the least result above a value: what Max does not get."""
    better = [result for result in position.results or [] if result > value]
    return min(better) if better else math.nextafter(value, math.inf)


__all__ = ["Certificate", "Guarantee", "verify"]
