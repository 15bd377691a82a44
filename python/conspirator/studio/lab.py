"""The laboratory: matches in a folder, while they run and afterwards, and new ones."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import conspirator as cn
from conspirator._errors import ArgumentError
from conspirator._line import replay
from conspirator.matches.standings import MatchResult
from conspirator.matches.store import Store
from conspirator.studio import boards
from conspirator.studio.choice import UNITS, read_choice, short_text, simple

SUFFIXES = (".db", ".sqlite")
"""How the files of matches are called."""
MOST_RUNNING = 2
"""Matches that run at the same time."""
MOST_LISTED = 400
"""Games in the list of a match."""
PATIENCE = 20.0
"""Seconds until a match that was started must have written its first line."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 _.-]{0,60}")


class Lab:
    """The matches of one folder; the page names them by file name, and never leaves the folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._running: dict[str, subprocess.Popen[bytes]] = {}

    def listed(self) -> list[dict[str, Any]]:
        """Return the matches there are, the newest first."""
        files = [path for path in self.folder.glob("*") if path.suffix in SUFFIXES and path.is_file()]
        listed = []
        for path in sorted(files, key=lambda path: -path.stat().st_mtime):
            try:
                with Store.open(path) as store:
                    done, planned = store.count()
                    definition = store.definition
            except cn.ConspiratorError:
                continue
            listed.append(
                {
                    "file": path.name,
                    "game": definition["game"],
                    "players": definition["players"],
                    "done": done,
                    "planned": planned,
                    "running": self.is_running(path.name),
                }
            )
        return listed

    def is_running(self, name: str) -> bool:
        """Tell whether this studio is playing a match."""
        process = self._running.get(name)
        return process is not None and process.poll() is None

    def path(self, name: Any) -> Path:
        """Return the file of a match, if it is one of this folder."""
        text = short_text(name, "the match")
        path = self.folder / text
        if Path(text).name != text or path.suffix not in SUFFIXES or not path.is_file():
            raise ArgumentError(f"there is no match {text!r} here")
        return path

    def table(self, name: Any) -> dict[str, Any]:
        """Return how a match stands: ratings with intervals, the crosstable, and its games."""
        path = self.path(name)
        with Store.open(path) as store:
            result = MatchResult.read(store)
        table = result.to_dict()
        names = result.names
        cross: dict[str, dict[str, float]] = {each: {} for each in names}
        for (one, other), score in result.pairs().items():
            if score.games:
                cross[names[one]][names[other]] = score.points
                cross[names[other]][names[one]] = 1 - score.points
        games = [
            {
                "number": record.number,
                "max": names[record.max_player],
                "min": names[record.min_player],
                "points": record.points,
                "reason": record.reason,
                "moves": len(record.moves),
            }
            for record in result.records[-MOST_LISTED:][::-1]
        ]
        return {
            "file": path.name,
            "game": result.definition["game"],
            "players": table["players"],
            "games": result.games,
            "planned": result.planned,
            "note": result.rating_note,
            "cross": cross,
            "list": games,
            "running": self.is_running(path.name),
        }

    def game(self, name: Any, number: Any) -> dict[str, Any]:
        """Return a game of a match: where it began, its moves, and what both players thought."""
        path = self.path(name)
        with Store.open(path) as store:
            result = MatchResult.read(store)
        record = next((each for each in result.records if each.number == number), None)
        if record is None:
            raise ArgumentError(f"there is no game {number!r} in this match")
        definition = result.definition
        game = cn.games.make(definition["game"], **definition["game options"])
        start = result.openings[record.opening].position(game)
        positions = list(replay(start, record.moves))
        values = record.statistics.get("value", [])
        return {
            "game": definition["game"],
            "number": number,
            "players": {"max": result.names[record.max_player], "min": result.names[record.min_player]},
            "reason": record.reason,
            "start": str(start.notation()),
            "moves": record.moves,
            "values": values,
            "movers": [position.to_move for position in positions[: len(record.moves)]],
            "boards": [
                boards.picture(position, last)
                for position, last in zip(positions, [None, *record.moves], strict=False)
            ],
        }

    def start(self, given: Any) -> str:
        """Start a match in a process of its own; return its file's name."""
        given = simple(given)
        self._running = {name: p for name, p in self._running.items() if p.poll() is None}
        if len(self._running) >= MOST_RUNNING:
            raise ArgumentError(f"{MOST_RUNNING} matches are running already: stop one")
        game = short_text(given.get("game"), "the game")
        position = cn.games.make(game, **simple(given.get("options"))).start()
        name = short_text(given.get("name") or "match", "the name")
        if _NAME.fullmatch(name) is None:
            raise ArgumentError("a match's name has letters, digits, spaces, '-', '_' and '.' only")
        chosen = given.get("players")
        if not isinstance(chosen, list) or not 2 <= len(chosen) <= 8:
            raise ArgumentError("a match needs two to eight players")
        players, seen = [], set()
        for each in chosen:
            player = read_choice(position.game, each)
            word = player.name if player.name != player.spec else str(player.search)
            while word in seen:
                word += "'"
            seen.add(word)
            limits = player.budget.given()
            if set(limits) - set(UNITS):
                raise ArgumentError(f"a budget here is in {', '.join(UNITS)}")
            players.append(f"{word}={player.spec}")
        games = given.get("games", 20)
        if type(games) is not int or not 2 <= games <= 10_000:
            raise ArgumentError("games must be a whole number from 2 to 10000")
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self._fresh(name)
        options = [f"--game-option={key}={value}" for key, value in simple(given.get("options")).items()]
        command = [sys.executable, "-m", "conspirator", "match", "run", *options, "--quiet"]
        command += ["--games", str(games), "--store", str(path), "--", game, *players]
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )
        self._running[path.name] = process
        ends = monotonic() + PATIENCE
        while process.poll() is None and not _has_match(path) and monotonic() < ends:
            sleep(0.02)
        if process.poll() and process.stderr is not None:
            said = process.stderr.read().decode(errors="replace").strip().splitlines()
            raise ArgumentError(said[-1].removeprefix("error: ") if said else "the match could not begin")
        return path.name

    def stop(self, name: Any) -> None:
        """Stop a match of this studio; its games are kept, and the same command goes on with it."""
        process = self._running.get(self.path(name).name)
        if process is not None:
            process.terminate()

    def close(self) -> None:
        """Stop all matches of this studio."""
        for process in self._running.values():
            if process.poll() is None:
                process.terminate()

    def _fresh(self, name: str) -> Path:
        path, number = self.folder / f"{name}.db", 1
        while path.exists():
            number += 1
            path = self.folder / f"{name}-{number}.db"
        return path


def _has_match(path: Path) -> bool:
    try:
        with Store.open(path):
            return True
    except cn.ConspiratorError:
        return False
