"""The store: one SQLite file that has the match, its schedule, and every game as soon as it ends.

The schedule is the table `games`: a row for every game, written when the match begins. A process claims a
row, plays the game, and fills the row in. So no game can be there twice, whatever is killed and whoever
shares the file; a claim ends when its process does, or when it is not renewed.

    match     what the match is: the definition, the version of this format
    openings  position, moves
    games     number, who is Max and Min, opening, seed | owner, renewed | points, moves, statistics, ...
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import sqlite3
import uuid
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from time import time
from typing import Any

from conspirator._errors import ArgumentError, ConspiratorError
from conspirator.matches.openings import Opening
from conspirator.matches.plan import Plan, Task

FORMAT = 1
APPLICATION = 0x434E4D31
"""What SQLite's header says that the file is for."""
LEASE = 600.0
"""Seconds after which a claim that is not renewed ends, if nothing else tells that its process is gone. The
clocks of two machines may differ by as much."""

_HOPELESS = 10_000
"""So many games in a row that are not there, or cannot be read, are the end."""

_LARGEST = 1 << 36
"""Bytes of a file that may be rescued."""

_TABLES = """
CREATE TABLE match (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE openings (number INTEGER PRIMARY KEY, notation TEXT, moves TEXT NOT NULL);
CREATE TABLE games (
    number INTEGER PRIMARY KEY,
    max_player INTEGER NOT NULL, min_player INTEGER NOT NULL, opening INTEGER NOT NULL, seed INTEGER NOT NULL,
    owner TEXT, renewed REAL,
    points REAL, outcome REAL, reason TEXT, moves TEXT, statistics TEXT, seconds REAL, version TEXT,
    ended TEXT
);
CREATE INDEX open_games ON games (number) WHERE points IS NULL;
"""


@dataclass(frozen=True)
class Record:
    """A game that has been played, as it is written down."""

    number: int
    max_player: int
    min_player: int
    opening: int
    seed: int
    points: float
    """Max's: 1, 0.5 or 0."""
    outcome: float | None
    reason: str
    moves: list[str]
    """After the opening."""
    statistics: dict[str, list[Any]]
    """For each move: side, seconds, expansions, nodes, value."""
    seconds: float
    version: str
    ended: str | None = None


_FIELDS = tuple(field.name for field in fields(Record))


class Store:
    """A match in a file, or in memory if there is none.

    Use it as a context manager. Everything that SQLite has to complain about is one of our errors.
    """

    def __init__(self, path: str | Path | None, *, reading: bool = False) -> None:
        self.path = None if path is None else Path(path)
        self.owner = f"{socket.gethostname()}/{os.getpid()}/{_born(os.getpid())}/{uuid.uuid4().hex[:8]}"
        self._renewed = time()
        with self._errors():
            if self.path is not None and self.path.is_dir():
                raise ArgumentError(f"{self.path} is a folder: name a file for the games")
            if self.path is not None and reading:
                self._db = _open_to_read(self.path)
                return
            place = ":memory:" if self.path is None else self.path
            self._db = sqlite3.connect(place, timeout=30.0, isolation_level=None)
            self._db.execute("PRAGMA journal_mode=WAL")
            # kill -9 loses nothing; a power cut may lose the last games, and nothing else
            self._db.execute("PRAGMA synchronous=NORMAL")

    @classmethod
    def open(cls, path: str | Path) -> Store:
        """Open a file that has a match, to read it."""
        if not Path(path).is_file():
            raise ArgumentError(f"there is no file {path}; `conspirator match ... --store {path}` makes it")
        store = cls(path, reading=True)
        with store._errors():
            if not store._is_ours():
                raise ArgumentError(f"{path} has no match in it")
            store._check()
        return store

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Give back what is claimed, and close the file."""
        with suppress(ConspiratorError):  # its reason has been told, or there is nothing to give back
            self.give_back()
        self._db.close()

    def begin(self, plan: Plan) -> None:
        """Write a new match into the file, or see that it is the one that is there."""
        with self._errors():
            if self._is_ours():
                self._check()
            else:
                openings = plan.find_openings()  # may take long: nobody waits for it
                tasks = plan.tasks(len(openings))
                with self._transaction():
                    if not self._is_ours():  # or else another process was faster
                        self._write(plan, openings, tasks)
            there, here = self.definition, plan.definition
            if different := [key for key in here if there.get(key) != here[key]]:
                key = different[0]
                raise ArgumentError(
                    f"{self.path} has another match: {key} there {_short(there.get(key))}, here "
                    f"{_short(here[key])}; use another file"
                )

    def _write(self, plan: Plan, openings: list[Opening], tasks: list[Task]) -> None:
        for statement in _TABLES.split(";"):
            self._db.execute(statement)
        self._db.execute(f"PRAGMA application_id={APPLICATION}")
        self._db.execute(f"PRAGMA user_version={FORMAT}")
        facts = {"definition": json.dumps(plan.definition), "begun": _now()}
        self._db.executemany("INSERT INTO match VALUES (?, ?)", facts.items())
        self._db.executemany(
            "INSERT INTO openings VALUES (?, ?, ?)",
            ((k, opening.notation, json.dumps(opening.moves)) for k, opening in enumerate(openings)),
        )
        self._db.executemany(
            "INSERT INTO games (number, max_player, min_player, opening, seed) VALUES (?, ?, ?, ?, ?)",
            ((t.number, t.max_player, t.min_player, t.opening, t.seed) for t in tasks),
        )

    def _is_ours(self) -> bool:
        application, tables = (
            self._db.execute(query).fetchone()[0]
            for query in ("PRAGMA application_id", "SELECT count(*) FROM sqlite_master")
        )
        if application == APPLICATION:
            if (version := self._db.execute("PRAGMA user_version").fetchone()[0]) != FORMAT:
                raise ArgumentError(f"{self.path} is of format {version}; this version reads format {FORMAT}")
            return True
        if tables:
            raise ArgumentError(f"{self.path} is an SQLite file of something else: use another file")
        return False

    def _check(self) -> None:
        """Raise if the file is damaged, and say how to save what is there."""
        verdict = self._db.execute("PRAGMA integrity_check(1)").fetchone()[0]
        if verdict != "ok":
            raise sqlite3.DatabaseError(verdict.splitlines()[-1])

    def rescue(self, path: str | Path) -> int:
        """Take over the games that can be read of a damaged file of the same match; return how many."""
        kept = 0
        for record in _readable(Path(path)):
            task = (record.max_player, record.min_player, record.opening, record.seed)
            with self._errors():
                there = self._db.execute(
                    "SELECT max_player, min_player, opening, seed FROM games WHERE number = ?",
                    (record.number,),
                ).fetchone()
            kept += there == task and self.write(record)
        return kept

    # Reading

    @property
    def definition(self) -> dict[str, Any]:
        """What the match is, as data."""
        with self._errors():
            row = self._db.execute("SELECT value FROM match WHERE key = 'definition'").fetchone()
            return dict(json.loads(row[0]))

    def openings(self) -> list[Opening]:
        """Return all openings."""
        with self._errors():
            rows = self._db.execute("SELECT notation, moves FROM openings ORDER BY number").fetchall()
            return [Opening(notation, tuple(json.loads(moves))) for notation, moves in rows]

    def count(self) -> tuple[int, int]:
        """Return how many games have ended, and how many there are in all."""
        with self._errors():
            ended, whole = self._db.execute("SELECT count(points), count(*) FROM games").fetchone()
            return int(ended), int(whole)

    def results(self) -> list[tuple[int, int, int, float]]:
        """Return number, Max's and Min's player and Max's points of all games that have ended, in order."""
        with self._errors():
            return self._db.execute(
                "SELECT number, max_player, min_player, points FROM games WHERE points IS NOT NULL "
                "ORDER BY number"
            ).fetchall()

    def spent(self, most: float) -> float:
        """Return the seconds of all moves together, where no move counts for more than `most`.

        With a budget in CPU time a move's wall time may be longer, on a busy machine.
        """
        with self._errors():
            query = "SELECT total(min(value, ?)) FROM games, json_each(statistics, '$.seconds')"
            return float(self._db.execute(f"{query} WHERE points IS NOT NULL", (most,)).fetchone()[0])

    def records(self) -> Iterator[Record]:
        """Yield all games that have ended, in order."""
        with self._errors():
            for row in self._db.execute(
                f"SELECT {', '.join(_FIELDS)} FROM games WHERE points IS NOT NULL ORDER BY number"
            ):
                yield _record(row)

    # Claiming

    def claim(self, before: int | None = None, players: tuple[int, int] | None = None) -> Task | None:
        """Return the next game that nobody plays, now claimed; None if there is none.

        It is one below the number `before`, if one is given, and one of these two `players`.
        """
        one, other = players or (0, 0)
        with self._errors(), self._transaction():
            now = time()
            row = self._db.execute(
                "SELECT number, max_player, min_player, opening, seed FROM games WHERE points IS NULL "
                "AND (owner IS NULL OR NOT renewed BETWEEN ? AND ?) AND number < ? "
                "AND (? OR max_player = ? AND min_player = ? OR max_player = ? AND min_player = ?) "
                "ORDER BY number LIMIT 1",
                (
                    *(now - LEASE, now + LEASE, 2**62 if before is None else before),
                    *(players is None, one, other, other, one),
                ),
            ).fetchone()
            if row is None:
                return None
            self._db.execute(
                "UPDATE games SET owner = ?, renewed = ? WHERE number = ?", (self.owner, now, row[0])
            )
            return Task(*row)

    def release_dead(self) -> None:
        """End the claims of processes of this machine that are no more."""
        with self._errors():
            owners = self._db.execute(
                "SELECT DISTINCT owner FROM games WHERE points IS NULL AND owner IS NOT NULL"
            ).fetchall()
            for (owner,) in owners:
                if _is_dead(owner):
                    self._db.execute(
                        "UPDATE games SET owner = NULL WHERE owner = ? AND points IS NULL", (owner,)
                    )

    def renew(self) -> None:
        """Say that what is claimed is still being played."""
        with self._errors():
            self._db.execute(
                "UPDATE games SET renewed = ? WHERE owner = ? AND points IS NULL", (time(), self.owner)
            )

    def renew_sometimes(self) -> None:
        """The same, if it is time."""
        if time() - self._renewed > LEASE / 20:
            self._renewed = time()
            self.renew()

    def give_back(self) -> None:
        """End all claims of this process."""
        with self._errors():
            if self._is_ours():
                self._db.execute(
                    "UPDATE games SET owner = NULL WHERE owner = ? AND points IS NULL", (self.owner,)
                )

    def write(self, record: Record) -> bool:
        """Write a game down; False if another process has done so before, and this one is forgotten."""
        with self._errors():
            done = self._db.execute(
                "UPDATE games SET owner = ?, points = ?, outcome = ?, reason = ?, moves = ?, statistics = ?, "
                "seconds = ?, version = ?, ended = ? WHERE number = ? AND points IS NULL",
                (
                    self.owner,
                    record.points,
                    record.outcome,
                    record.reason,
                    json.dumps(record.moves),
                    json.dumps(record.statistics, separators=(",", ":")),
                    record.seconds,
                    record.version,
                    record.ended or _now(),
                    record.number,
                ),
            )
            return done.rowcount == 1

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """Say in one line what SQLite complains about, and what to do."""
        try:
            yield
        except (sqlite3.Error, ValueError, TypeError) as error:
            if isinstance(error, ConspiratorError):
                raise
            raise ConspiratorError(f"cannot use {self.path}: {_explain(error, self.path)}") from None


def _open_to_read(path: Path) -> sqlite3.Connection:
    """Open a file that may be read-only, and that another process may be writing to."""
    for how in ("mode=ro", "immutable=1"):  # the latter needs no writable folder beside it
        place = f"{path.absolute().as_uri()}?{how}"
        db = sqlite3.connect(place, timeout=30.0, isolation_level=None, uri=True)
        try:
            db.execute("SELECT count(*) FROM sqlite_master")
        except sqlite3.OperationalError:
            db.close()
            continue
        return db
    raise sqlite3.OperationalError("unable to open")


def _record(row: tuple[Any, ...]) -> Record:
    """Return a game from its row."""
    entry = dict(zip(_FIELDS, row, strict=True))
    for name in ("moves", "statistics"):
        entry[name] = json.loads(entry[name])
    return Record(**entry)


def _readable(path: Path) -> Iterator[Record]:
    """Yield the games that have ended, row by row, and pass over what cannot be read."""
    if not path.is_file():
        raise ArgumentError(f"there is no file {path} to rescue games from")
    query = f"SELECT {', '.join(_FIELDS)} FROM games WHERE number = ? AND points IS NOT NULL"
    with TemporaryDirectory() as folder, closing(sqlite3.connect(_padded(path, Path(folder)))) as db:
        missing, number = 0, 0
        while missing < _HOPELESS:
            try:
                row = db.execute(query, (number,)).fetchone()
                record = None if row is None else _record(row)
            except (sqlite3.Error, ValueError, TypeError):
                record = None
            number += 1
            missing = missing + 1 if record is None else 0
            if record is not None:
                yield record


def _padded(path: Path, folder: Path) -> Path:
    """Return a copy of an SQLite file that is as long as its header says: SQLite reads no other."""
    copy = folder / "copy.db"
    for ending in ("", "-wal"):
        if (part := Path(f"{path}{ending}")).is_file():
            shutil.copyfile(part, f"{copy}{ending}")
    with copy.open("r+b") as file:
        header = file.read(100)
        page = int.from_bytes(header[16:18], "big")
        pages = int.from_bytes(header[28:32], "big")
        length = (65536 if page == 1 else page) * pages
        if copy.stat().st_size < length < _LARGEST:
            file.truncate(length)
    return copy


def _explain(error: Exception, path: Path | None) -> str:
    text = str(error)
    ways: Mapping[str, str] = {
        "full": "the disk is full; free some space and run the same command again: no game is lost",
        "readonly": "it is read-only; allow writing or use another file",
        "unable to open": "it cannot be opened or made; is its folder there, and may you write to it?",
        "not a database": "it is no SQLite file; use another file",
        "locked": "another process keeps it locked; run the same command again",
        "disk I/O": "the disk does not work or is full; run the same command again when it does",
    }
    for word, way in ways.items():
        if word in text:
            return way
    count = 0 if path is None else sum(1 for _ in _readable(path)) if path.is_file() else 0
    if not count:
        return f"it is damaged ({text}); restore it or use another file"
    games = "one game" if count == 1 else f"{count} games"
    name = path.name if path else ""
    return f"it is damaged ({text}); {games} can be read: --store NEW --rescue {name} keeps them"


def _is_dead(owner: str) -> bool:
    """Tell whether a process is known to be gone: its number is free, or belongs to a younger one."""
    host, pid, born, _ = owner.rsplit("/", 3)
    if host != socket.gethostname() or os.name != "posix":
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except (OSError, ValueError):
        return False
    return _born(int(pid)) != born


def _born(pid: int) -> str:
    """Return when a process began, in the system's own units; nothing where it does not say."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[19]
    except (OSError, ValueError, IndexError):
        return ""


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _short(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 60 else text[:57] + "..."
