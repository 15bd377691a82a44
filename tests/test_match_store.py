"""The store of a match: nothing is lost or doubled, whatever is killed and whoever shares the file."""

from __future__ import annotations

import os
import random
import resource
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from time import monotonic, sleep, time

import pytest

import conspirator as cn
from command_line import program
from conspirator.matches import Store
from conspirator.matches.plan import Task
from conspirator.matches.store import LEASE
from helpers import is_one_line
from test_match import PLAYERS, games_of

GAMES = 200
MATCH = ["A=best-first:expansions=300", "B=alpha-beta:nodes=2k"]
"""Games of some milliseconds: a slow test must not miss the whole match."""
SCRIPT = f"""
import sys
import conspirator as cn
cn.match({MATCH!r}, plies=3, games={GAMES}, store=sys.argv[1], concurrency=int(sys.argv[2]))
"""


def start(path: Path, processes: int = 1) -> subprocess.Popen[bytes]:
    """Begin the match, or go on with it, in a process of its own."""
    return subprocess.Popen([sys.executable, "-c", SCRIPT, str(path), str(processes)])


def count(path: Path) -> int:
    """Return how many games a file has."""
    try:
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as db:
            return int(db.execute("SELECT count(points) FROM games").fetchone()[0])
    except sqlite3.OperationalError:  # it is not there yet
        return 0


def wait_for(path: Path, games: int, process: subprocess.Popen[bytes]) -> None:
    """Wait until a file has so many games, or the process has ended."""
    end = monotonic() + 180
    while count(path) < games and process.poll() is None:
        assert monotonic() < end, "the match does not go on"
        sleep(0.001)


def test_twenty_kills_lose_nothing(tmp_path: Path) -> None:
    lot = random.Random(5)
    path = tmp_path / "games.db"
    kills = games = 0
    while kills < 20:
        process = start(path, lot.choice([1, 2]))
        wait_for(path, games + lot.randint(0, 6), process)
        sleep(lot.random() * 0.005)
        if process.poll() is not None:  # it was faster than we are
            break
        process.kill()
        process.wait()
        kills += 1
        assert count(path) >= games, "a game was lost"
        games = count(path)
    assert kills == 20
    assert 0 < games < GAMES
    assert start(path, 2).wait(180) == 0
    with Store.open(path) as store:
        played = cn.MatchResult.read(store)
    assert [record.number for record in played.records] == list(range(GAMES))
    assert games_of(played) == games_of(cn.match(MATCH, plies=3, games=GAMES))


def test_two_processes_share_a_file(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    processes = [start(path) for _ in range(2)]
    assert [process.wait(180) for process in processes] == [0, 0]
    db = sqlite3.connect(path)
    assert db.execute("SELECT count(*), count(points), count(DISTINCT owner) FROM games").fetchone() == (
        GAMES, GAMES, 2,
    )  # fmt: skip
    with Store.open(path) as store:
        assert games_of(cn.MatchResult.read(store)) == games_of(cn.match(MATCH, plies=3, games=GAMES))


def test_workers_end_with_a_killed_parent(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    code = SCRIPT.replace("expansions=300", "seconds=30")
    process = subprocess.Popen([sys.executable, "-c", code, str(path), "2"])
    children: list[str] = []
    while len(children) < 2:
        sleep(0.01)
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    process.kill()
    process.wait()
    end = monotonic() + 180
    while any(Path(f"/proc/{child}").exists() for child in children):
        assert monotonic() < end
        sleep(0.05)


def test_ctrl_c_keeps_what_was_played(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    process = start(path, 2)
    wait_for(path, 3, process)
    process.send_signal(signal.SIGINT)
    process.wait(180)
    with sqlite3.connect(path) as db:
        assert db.execute(
            "SELECT count(*) FROM games WHERE points IS NULL AND owner IS NOT NULL"
        ).fetchone() == (0,)
    assert count(path) >= 3


def test_a_finished_match_is_only_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "games.db"
    first = cn.match(PLAYERS, plies=1, store=path)
    monkeypatch.setattr(
        "conspirator.matches.run.make_workers", lambda *_: pytest.fail("nothing is to be played")
    )
    again = cn.match(PLAYERS, plies=1, store=path)
    assert again.records == first.records
    assert str(again) == str(first)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"players": ["A=best-first:expansions=41", PLAYERS[1]]}, "players"),
        ({"plies": 2}, "openings"),
        ({"seed": 3}, "seed"),
        ({"games": 4}, "games"),
        ({"adjudication": {"max_plies": 9}}, "adjudication"),
        ({"game": cn.games.Hex(size=3)}, "game"),
        ({"sprt": {"elo0": 0, "elo1": 5}}, "sprt"),
    ],
)
def test_another_match_is_an_error(tmp_path: Path, change: dict[str, object], words: str) -> None:
    path = tmp_path / "games.db"
    arguments: dict[str, object] = {"players": PLAYERS, "plies": 1, "store": path}
    cn.match(**arguments)  # type: ignore[arg-type]
    with pytest.raises(cn.ArgumentError, match=f"has another match: {words} there") as error:
        cn.match(**arguments | change)  # type: ignore[arg-type]
    assert is_one_line(error.value)
    assert count(path) == 14


def test_claims(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "games.db"
    cn.match(PLAYERS, plies=1, store=path)
    with sqlite3.connect(path) as db:
        db.execute("UPDATE games SET points = NULL, owner = NULL WHERE number < 3")
    with Store(path) as one, Store(path) as other:
        first = one.claim()
        assert isinstance(first, Task)
        assert first.number == 0
        assert [task.number for task in (other.claim(), other.claim()) if task] == [1, 2]
        assert one.claim() is other.claim() is None
        other.release_dead()  # nobody is dead
        assert other.claim() is None
        one.give_back()
        assert (task := other.claim())
        assert task.number == 0
        # a process whose number was given to another one
        with sqlite3.connect(path) as db:
            owner = other.owner.replace(f"/{os.getpid()}/", f"/{os.getpid()}/0")
            db.execute("UPDATE games SET owner = ? WHERE number = 0", (owner,))
        one.release_dead()
        assert (task := one.claim())
        assert task.number == 0
        # a process on another machine that is silent for long
        with sqlite3.connect(path) as db:
            db.execute("UPDATE games SET owner = 'elsewhere/1/2/3' WHERE number = 0")
        one.release_dead()
        assert one.claim() is None
        now = monotonic()
        monkeypatch.setattr("conspirator.matches.store.time", lambda: 2e9 + now + LEASE)
        assert one.claim() is not None


def test_a_game_is_written_once(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    result = cn.match(PLAYERS, plies=1, store=path)
    with Store(path) as store:
        assert not store.write(result.records[0])
        assert store.count() == (14, 14)


# Files that do not work


def failing(path: Path) -> str:
    with pytest.raises(cn.ConspiratorError) as error:
        cn.match(PLAYERS, plies=1, store=path)
    assert is_one_line(error.value)
    return str(error.value)


def test_files_of_another_kind(tmp_path: Path) -> None:
    text = tmp_path / "text.db"
    text.write_text("no database at all, and long enough to be seen as none by SQLite: " + 100 * "x")
    assert "it is no SQLite file" in failing(text)
    assert "is a folder" in failing(tmp_path)
    assert "is its folder there" in failing(tmp_path / "nowhere" / "games.db")
    other = tmp_path / "other.db"
    with sqlite3.connect(other) as db:
        db.execute("CREATE TABLE mine (x)")
    assert "of something else" in failing(other)
    with sqlite3.connect(other) as db:
        assert db.execute("SELECT name FROM sqlite_master").fetchall() == [("mine",)], "it is left alone"
    newer = tmp_path / "newer.db"
    cn.match(PLAYERS, plies=1, store=newer)
    with sqlite3.connect(newer) as db:
        db.execute("PRAGMA user_version=99")
    assert "is of format 99" in failing(newer)
    with pytest.raises(cn.ArgumentError, match="there is no file"):
        Store.open(tmp_path / "nothing.db")
    (tmp_path / "empty.db").touch()
    with pytest.raises(cn.ArgumentError, match="has no match in it"):
        Store.open(tmp_path / "empty.db")


def test_a_damaged_file(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    cn.match(PLAYERS, plies=2, store=path)
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    content = bytearray(path.read_bytes())
    content[4096:] = random.Random(1).randbytes(len(content) - 4096)
    path.write_bytes(content)
    assert "it is damaged" in failing(path)


def test_a_read_only_file(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    cn.match(PLAYERS, plies=1, store=path)
    with Store(path) as store:
        store._db.execute("UPDATE games SET points = NULL, owner = NULL WHERE number = 0")
        store._db.execute("PRAGMA query_only=1")  # what the superuser may do too
        with pytest.raises(cn.ConspiratorError, match="read-only") as error:
            store.claim()
    assert is_one_line(error.value)
    path.chmod(0o444)
    tmp_path.chmod(0o555)
    try:
        with Store.open(path) as store:
            assert store.count() == (13, 14)
    finally:
        tmp_path.chmod(0o755)


def test_a_full_disk(tmp_path: Path) -> None:
    """The file may not grow beyond 60 kB: what SQLite says then is what it says of a full disk."""
    path = tmp_path / "games.db"

    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))

    line = ["match", "connect-four", *MATCH, "--plies", "3", "--games", str(GAMES), "--store", str(path)]
    process = program(*line, preexec_fn=limit, stderr=subprocess.PIPE)
    errors = process.communicate(timeout=180)[1].decode()
    assert process.returncode == 2
    assert errors.startswith("error: cannot use ")
    assert "full" in errors
    assert errors.count("\n") == 1
    kept = count(path)
    assert start(path).wait(180) == 0, "there is space again"
    assert count(path) == GAMES >= kept


@pytest.mark.parametrize("part", [0.3, 0.6, 0.9])
def test_a_store_that_was_cut_short_says_so_and_can_be_saved(tmp_path: Path, part: float) -> None:
    path, new = tmp_path / "games.db", tmp_path / "new.db"
    whole = cn.match(MATCH, plies=3, games=60, store=path)
    content = path.read_bytes()
    path.write_bytes(content[: int(part * len(content))])
    with pytest.raises(cn.ConspiratorError, match="is damaged") as error:
        cn.match(MATCH, plies=3, games=60, store=path)
    assert is_one_line(error.value)
    with pytest.raises(cn.ConspiratorError):
        Store.open(path)
    again = cn.match(MATCH, plies=3, games=60, store=new, rescue=path)
    assert games_of(again) == games_of(whole)
    kept = [record.ended for record in again.records if record in whole.records]  # with the time of its end
    assert ("--rescue games.db" in str(error.value)) == bool(kept)
    assert part < 0.9 or 0 < len(kept) < 60


def test_a_claim_of_the_future_ends(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    whole = cn.match(PLAYERS, plies=1, store=path)
    with closing(sqlite3.connect(path)) as db:
        future = time() + 10 * LEASE
        db.execute("UPDATE games SET owner = 'elsewhere/1/1/1', renewed = ?, points = NULL", (future,))
        db.commit()
    assert games_of(cn.match(PLAYERS, plies=1, store=path)) == games_of(whole)
