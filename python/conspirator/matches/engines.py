"""Engines that are programs of their own, spoken to in UCI or GTP."""

from __future__ import annotations

import re
import shlex
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from queue import Empty, Queue
from threading import Thread
from time import monotonic, perf_counter
from typing import Any

from conspirator._errors import ConspiratorError
from conspirator._native import Position
from conspirator._players import Player
from conspirator._values import say_setting
from conspirator.games import NativeGame
from conspirator.matches.opponents import Answer, Opponent

PATIENCE = 30.0
"""Seconds that an engine may take to answer anything but a request for a move."""
LATEST = 30.0
"""Seconds that a move may take beyond its budget."""
SOME_TIME = 3600.0
"""The budget of a move without a limit on time."""
LONGEST_LINE, MOST_LINES = 1 << 14, 1 << 10
"""Of what an engine says: characters, and lines."""
MATE = 30_000.0
"""Centipawns that stand for a mate; the moves to it are subtracted."""

_SCORE = re.compile(r"\bscore (?P<kind>cp|mate) (?P<number>-?\d{1,9})\b")
_NODES = re.compile(r"\bnodes (?P<number>\d{1,18})\b")


class EngineError(ConspiratorError):
    """An engine that does not start, does not answer, or makes a move that is not legal."""


class EngineTimeout(EngineError):
    """An engine that is asked something and has not answered in time, whatever else it says."""


class Program:
    """A program that reads and writes lines; a thread of its own waits for what it writes.

    What it writes is bounded: a line is cut at `LONGEST_LINE` characters, and a program that has written
    `MOST_LINES` which nobody has asked for yet has to wait.
    """

    def __init__(self, command: str) -> None:
        self.command = command
        self._asked = ""
        try:
            self._process = subprocess.Popen(
                shlex.split(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # Ctrl-C is for us
            )
        except (OSError, ValueError, IndexError) as error:
            raise EngineError(f"cannot start the engine {command!r}: {error}") from None
        self._lines: Queue[str | None] = Queue(MOST_LINES)
        Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        read, whole = self._process.stdout.readline, True
        with suppress(ValueError):  # closed by us
            while line := read(LONGEST_LINE):
                if whole:  # the rest of a line that is too long is passed over
                    self._lines.put(line.decode("utf-8", "replace").rstrip("\r\n"))
                whole = line.endswith(b"\n")
        self._lines.put(None)

    def say(self, line: str) -> None:
        """Send a line."""
        assert self._process.stdin is not None
        self._asked = line
        try:
            self._process.stdin.write(line.encode() + b"\n")
            self._process.stdin.flush()
        except (OSError, ValueError):
            raise self._gone() from None

    def answers(self, patience: float | None = None) -> Iterator[str]:
        """Yield what it says, for so many seconds in all; then it is too late."""
        patience = PATIENCE if patience is None else patience
        end = monotonic() + patience
        while True:
            try:
                line = self._lines.get(timeout=max(0.0, end - monotonic()))
            except Empty:
                line = ""
            if monotonic() >= end:
                raise EngineTimeout(
                    f"the engine {self.command!r} has not answered {self._asked!r} in {patience:g} seconds"
                )
            if line is None:
                raise self._gone()
            yield line

    def _gone(self) -> EngineError:
        return EngineError(f"the engine {self.command!r} ended after {self._asked!r}")

    def close(self) -> None:
        """Ask it to leave; show it the door after a second."""
        asking = Thread(target=self._ask_to_leave, daemon=True)  # a program that does not read blocks it
        asking.start()
        try:
            self._process.wait(1)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        with suppress(Empty):  # whoever waits for room may end
            while True:
                self._lines.get_nowait()

    def _ask_to_leave(self) -> None:
        with suppress(EngineError):
            self.say("quit")


class Uci:
    """An engine that speaks UCI; positions and moves are the game's notation."""

    def __init__(self, player: Player) -> None:
        self._player, self._program = player, Program(str(player.command))
        self._position, self._moves = "startpos", list[str]()
        depth = player.parameters.get("depth")
        words = {"movetime": _milliseconds(player), "nodes": player.budget.nodes, "depth": depth}
        self._go = " ".join(f"{word} {value}" for word, value in words.items() if value is not None)
        self._program.say("uci")
        self._await("uciok")
        for name, value in player.parameters.items():
            if name != "depth":
                self._program.say(f"setoption name {name} value {say_setting(value)}")

    def begin(self, start: Position, moves: list[Any]) -> None:
        """Tell it about the new game."""
        self._position, self._moves = _notation(start), [str(move) for move in moves]
        self._program.say("ucinewgame")
        self._program.say("isready")
        self._await("readyok")

    def hear(self, position: Position, move: Any) -> None:  # noqa: ARG002
        """Remember the move."""
        self._moves.append(str(move))

    def choose(self, position: Position) -> Answer:
        """Ask for a move."""
        line = f"position {self._position}"
        self._program.say(f"{line} moves {' '.join(self._moves)}" if self._moves else line)
        self._program.say(f"go {self._go}")
        begun, value, nodes = perf_counter(), None, None
        patience = LATEST + (self._player.budget.seconds or SOME_TIME)
        last = ""
        for last in self._until("bestmove", patience):
            if score := _SCORE.search(last):
                number = int(score["number"])
                mate = MATE - number if number > 0 else -MATE - number
                value = float(number if score["kind"] == "cp" else mate)
            if count := _NODES.search(last):
                nodes = int(count["number"])
        spent = perf_counter() - begun
        if value is not None and position.to_move == "min":
            value = -value
        move = find_move(position, [*last.split(), ""][1], self._player)
        return Answer(move, value, spent, None, nodes)

    def close(self) -> None:
        """Stop the program."""
        self._program.close()

    def _until(self, word: str, patience: float | None = None) -> Iterator[str]:
        """Yield what it says up to the line that begins with the word."""
        for line in self._program.answers(patience):
            yield line
            if line.split()[:1] == [word]:
                return

    def _await(self, word: str) -> None:
        for _ in self._until(word):
            pass


class Gtp:
    """An engine that speaks GTP; Max is black, who moves first."""

    def __init__(self, player: Player, size: int | None) -> None:
        self._player, self._program, self._size = player, Program(str(player.command)), size
        self._knows = False
        try:
            for command in filter(None, map(str.strip, str(player.parameters.get("setup", "")).split(";"))):
                self._ask(command)
            if player.budget.seconds is not None:
                self._ask(f"time_settings 0 {player.budget.seconds:g} 1", must=False)
        except EngineError:
            self._program.close()
            raise

    def begin(self, start: Position, moves: list[Any]) -> None:
        """Tell it about the new game; the opening must be moves from the start, or be written as such."""
        start, moves = _from_the_start(start, moves)
        if self._size is not None:
            self._ask(f"boardsize {self._size}")
        self._ask("clear_board")
        self._knows = False
        for move in moves:
            self.hear(start, move)
            start = start.play(move)

    def hear(self, position: Position, move: Any) -> None:
        """Tell it the other's move; its own it knows."""
        if not self._knows:
            self._ask(f"play {_colour(position)} {move}")
        self._knows = False

    def choose(self, position: Position) -> Answer:
        """Ask for a move, which it plays by itself."""
        begun = perf_counter()
        patience = LATEST + (self._player.budget.seconds or SOME_TIME)
        word = self._ask(f"genmove {_colour(position)}", patience=patience)
        spent = perf_counter() - begun
        self._knows = True
        gives_up = word.lower() == "resign"
        return Answer(None if gives_up else find_move(position, word, self._player), None, spent)

    def close(self) -> None:
        """Stop the program."""
        self._program.close()

    def _ask(self, command: str, *, must: bool = True, patience: float | None = None) -> str:
        """Return the answer to a command: lines after = or ?, up to an empty one."""
        self._program.say(command)
        lines = list[str]()
        for line in self._program.answers(patience):
            if not line and lines:
                break
            if line and len(lines) < MOST_LINES:
                lines.append(line)
        text = " ".join(lines).strip()
        if text.startswith("=") or not must:
            return text[1:].strip()
        raise EngineError(f"the engine {self._program.command!r} answers {command!r} with {text!r}")


def _colour(position: Position) -> str:
    return "black" if position.to_move == "max" else "white"


def open_engine(player: Player, game: Any) -> Opponent:
    """Start an engine, or make a bot."""
    if player.search == "open-spiel":
        from conspirator.matches.bots import Bot

        return Bot(player, game)
    if player.search == "uci":
        return Uci(player)
    size = game._complete().get("size") if isinstance(game, NativeGame) else getattr(game, "size", None)
    return Gtp(player, size)


def find_move(position: Position, text: str, player: Player) -> Any:
    """Return the legal move that an engine means, in small or large letters."""
    for move in position.moves():
        if str(move).lower() == text.lower():
            return move
    raise EngineError(f"{player.name} makes the move {text!r}, which is not legal in {position.notation()!r}")


def _milliseconds(player: Player) -> int | None:
    seconds = player.budget.seconds
    return None if seconds is None else max(1, round(1000 * seconds))


def _from_the_start(start: Position, moves: list[Any]) -> tuple[Position, list[Any]]:
    """Return the usual start and all moves from there; in some games a position is written as its moves."""
    if _notation(start) == "startpos":
        return start, moves
    usual, words = start.game.start(), str(start.notation()).split()
    try:
        position = usual
        for word in words:
            position = position.play(word)
    except ConspiratorError:
        position = usual
    if position != start:
        raise EngineError(f"a gtp engine begins with moves: use plies, not {start.notation()!r}")
    return usual, [*words, *moves]


def _notation(start: Position) -> str:
    """Return a position as UCI says it."""
    try:
        usual = start == start.game.start()
    except ConspiratorError:
        usual = False
    return "startpos" if usual else f"fen {start.notation()}"
