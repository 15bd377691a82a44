"""The games of a match in formats of others: CSV, Parquet, PGN, SGF."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from conspirator import games
from conspirator._errors import ArgumentError
from conspirator._line import written_line
from conspirator.matches.openings import Opening
from conspirator.matches.standings import MatchResult
from conspirator.matches.store import Record

COLUMNS = (
    "number", "max_player", "min_player", "opening", "seed", "points", "outcome", "reason", "plies", "moves",
    "seconds", "max_seconds", "min_seconds", "max_nodes", "min_nodes", "version", "ended", "statistics",
)  # fmt: skip
"""The columns of a table of games."""
PGN_RESULTS = {1: "1-0", 0: "0-1", 0.5: "1/2-1/2"}
SGF_GAMES = {"hex": 11}
"""The numbers that SGF has for games; it has none of Connect-Four, and no points for Othello's."""


def export(result: MatchResult, path: str | Path) -> int:
    """Write all games of a match to a file; its ending says how. Return how many there were.

    >>> import conspirator as cn, tempfile
    >>> result = cn.match(["A=best-first:nodes=9", "B=best-first:nodes=99"], games=4)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     export(result, f"{folder}/games.csv")
    4
    """
    path = Path(path)
    if path.suffix not in KINDS:
        raise ArgumentError(f"games are written as {', '.join(KINDS)}, not as {path.name}")
    try:
        KINDS[path.suffix](result, path)
    except OSError as error:
        raise ArgumentError(f"cannot write {path}: {error.strerror or error}") from None
    return len(result.records)


def rows(result: MatchResult) -> Iterator[dict[str, Any]]:
    """Yield every game as a row of a table."""
    for record in result.records:
        opening = result.openings[record.opening]
        row = {name: getattr(record, name) for name in COLUMNS if hasattr(record, name)}
        row |= {
            "number": record.number + 1,  # people count from one
            "max_player": result.names[record.max_player],
            "min_player": result.names[record.min_player],
            "opening": str(opening),
            "plies": len(record.moves),
            "moves": " ".join(record.moves),
            "statistics": json.dumps(record.statistics),
        }
        spent = list(zip(*(record.statistics[name] for name in ("side", "seconds", "nodes")), strict=True))
        for side in ("max", "min"):
            row[f"{side}_seconds"] = sum(seconds for mover, seconds, _ in spent if mover == side)
            row[f"{side}_nodes"] = sum(nodes or 0 for mover, _, nodes in spent if mover == side)
        yield {name: row[name] for name in COLUMNS}


def _write_csv(result: MatchResult, path: Path) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows(rows(result))


def _write_parquet(result: MatchResult, path: Path) -> None:
    try:
        arrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError:
        raise ArgumentError("Parquet needs pyarrow: pip install pyarrow") from None
    parquet.write_table(arrow.Table.from_pylist(list(rows(result))), path)


def _write_pgn(result: MatchResult, path: Path) -> None:
    """Write games as PGN: tags, moves as people write them, the result."""
    with path.open("w", encoding="utf-8") as file:
        for record in result.records:
            opening = result.openings[record.opening]
            ended = PGN_RESULTS[record.points]
            tags = {
                "Event": f"conspirator match, {result.definition['game']}",
                "Site": "?",
                "Date": (record.ended or "????-??-??")[:10].replace("-", "."),
                "Round": str(record.number + 1),
                "White": result.names[record.max_player],
                "Black": result.names[record.min_player],
                "Result": ended,
            }
            if result.definition["game"] != "chess":
                tags["Variant"] = result.definition["game"]
            if opening.notation is not None:
                tags |= {"SetUp": "1", "FEN": opening.notation}
            tags["Termination"] = "normal" if record.reason == "over" else f"adjudication: {record.reason}"
            for name, value in tags.items():
                escaped = value.replace("\\", "\\\\").replace('"', '\\"')
                file.write(f'[{name} "{escaped}"]\n')
            moves = _described(result, opening, [*opening.moves, *record.moves])
            first_is_max = _first_is_max(record, opening)
            file.write("\n" + _fill([*_numbered(moves, first_is_max), ended]) + "\n\n")


def _described(result: MatchResult, opening: Opening, moves: list[str]) -> list[str]:
    """Return moves of chess in algebraic notation, which PGN asks for; those of other games as they are."""
    if result.definition["game"] != "chess":
        return moves
    position = games.make("chess", **result.definition["game options"]).position(opening.notation or "")
    return written_line(position, moves)


def _first_is_max(record: Record, opening: Opening) -> bool:
    """Tell who moved first in the opening; players alternate there."""
    sides = record.statistics["side"]
    return (sides[0] == "max") == (len(opening.moves) % 2 == 0) if sides else True


def _numbered(moves: list[str], first_is_max: bool) -> list[str]:
    """Return the words of a list of moves.

    >>> _numbered(["d4", "d5", "c4"], True), _numbered(["d5", "c4"], False)
    (['1.', 'd4', 'd5', '2.', 'c4'], ['1...', 'd5', '2.', 'c4'])
    """
    words: list[str] = []
    for ply, move in enumerate(moves, 0 if first_is_max else 1):
        if ply % 2 == 0:
            words.append(f"{ply // 2 + 1}.")
        elif not words:
            words.append(f"{ply // 2 + 1}...")
        words.append(move)
    return words


def _fill(words: list[str], width: int = 79) -> str:
    lines = [""]
    for word in words:
        if len(lines[-1]) + len(word) + 1 > width:
            lines.append("")
        lines[-1] += f" {word}" if lines[-1] else word
    return "\n".join(lines)


def _write_sgf(result: MatchResult, path: Path) -> None:
    """Write games as a collection of SGF: for games whose moves are points, such as d4."""
    name = result.definition["game"]
    if name not in SGF_GAMES:
        raise ArgumentError(f"SGF is for {' and '.join(SGF_GAMES)}, not for {name}: use .pgn or .csv")
    size = result.definition["game options"]["size"]
    with path.open("w", encoding="utf-8") as file:
        for record in result.records:
            opening = result.openings[record.opening]
            if opening.notation is not None:
                raise ArgumentError("SGF is for games from the usual start: use .pgn or .csv")
            winner = {1: "B+", 0: "W+", 0.5: "Draw"}[record.points]
            names = [result.names[place] for place in (record.max_player, record.min_player)]
            head = {
                "FF": "4",
                "GM": str(SGF_GAMES[name]),
                "CA": "UTF-8",
                "SZ": str(size),
                "AP": "conspirator",
            }
            head |= {"PB": names[0], "PW": names[1], "RE": winner}
            text = "".join(f"{key}[{_escape_sgf(value)}]" for key, value in head.items())
            sides = [side == "max" for side in record.statistics["side"]]
            black = _first_is_max(record, opening)
            before = [black if ply % 2 == 0 else not black for ply in range(len(opening.moves))]
            nodes = zip([*before, *sides], [*opening.moves, *record.moves], strict=True)
            for is_max, move in nodes:
                text += f";{'B' if is_max else 'W'}[{_escape_sgf(move)}]"
            file.write(f"(;{text})\n")


def _escape_sgf(text: str) -> str:
    return text.replace("\\", "\\\\").replace("]", "\\]").replace(":", "\\:")


KINDS: dict[str, Callable[[MatchResult, Path], None]] = {
    ".csv": _write_csv,
    ".parquet": _write_parquet,
    ".pgn": _write_pgn,
    ".sgf": _write_sgf,
}
"""How games can be written, by the ending of the file."""
