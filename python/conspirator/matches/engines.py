"""Engines that are programs of their own, spoken to in UCI or GTP."""

from __future__ import annotations

import re
import shlex
import subprocess
from collections import deque
from queue import Empty, Queue
from threading import Thread
from time import monotonic, perf_counter
from typing import Any

from conspirator._errors import ConspiratorError
from conspirator._native import Position
from conspirator._values import say_setting
from conspirator.games import NativeGame
from conspirator.matches.players import Answer, Opponent, Player

PATIENCE = 30.0
"""Seconds that an engine may be silent, beyond its budget."""
SOME_TIME = 3600.0
"""The same for a move without a limit on time."""
MATE = 30_000.0
"""Centipawns that stand for a mate; the moves to it are subtracted."""

_SCORE = re.compile(r"\bscore (?P<kind>cp|mate) (?P<number>-?\d{1,9})\b")
_NODES = re.compile(r"\bnodes (?P<number>\d{1,18})\b")


class EngineError(ConspiratorError):
    """An engine that does not start, does not answer, or makes a move that is not legal."""


class Program:
    """A program that reads and writes lines; a thread of its own waits for what it writes."""

    def __init__(self, command: str) -> None:
        self.command = command
        self._last: deque[str] = deque(maxlen=1)
        try:
            self._process = subprocess.Popen(
                shlex.split(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                encoding="utf-8",
                errors="replace",
                bufsize=1,
                start_new_session=True,  # Ctrl-C is for us
            )
        except (OSError, ValueError, IndexError) as error:
            raise EngineError(f"cannot start the engine {command!r}: {error}") from None
        self._lines: Queue[str | None] = Queue()
        Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line.rstrip("\r\n"))
        self._lines.put(None)

    def say(self, line: str) -> None:
        """Send a line."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
        except (OSError, ValueError):
            raise self._gone(line) from None
        self._last.append(line)

    def hear(self, patience: float = PATIENCE) -> str:
        """Return the next line."""
        try:
            line = self._lines.get(timeout=patience)
        except Empty:
            asked = "".join(self._last)
            raise EngineError(
                f"the engine {self.command!r} said nothing for {patience:g} seconds after {asked!r}"
            ) from None
        if line is None:
            raise self._gone("".join(self._last))
        return line

    def _gone(self, asked: str) -> EngineError:
        return EngineError(f"the engine {self.command!r} ended after {asked!r}")

    def close(self) -> None:
        """Ask it to leave; show it the door after a second."""
        try:
            self.say("quit")
            self._process.wait(1)
        except (EngineError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()


class Uci:
    """An engine that speaks UCI; positions and moves are the game's notation."""

    def __init__(self, player: Player) -> None:
        self._player, self._program = player, Program(str(player.command))
        self._position, self._moves = "startpos", list[str]()
        depth = player.parameters.get("depth")
        words = {"movetime": _milliseconds(player), "nodes": player.budget.get("nodes"), "depth": depth}
        self._go = " ".join(f"{word} {value}" for word, value in words.items() if value is not None)
        self._program.say("uci")
        self._until("uciok")
        for name, value in player.parameters.items():
            if name != "depth":
                self._program.say(f"setoption name {name} value {say_setting(value)}")

    def begin(self, start: Position, moves: list[Any]) -> None:
        """Tell it about the new game."""
        self._position, self._moves = _notation(start), [str(move) for move in moves]
        self._program.say("ucinewgame")
        self._program.say("isready")
        self._until("readyok")

    def hear(self, position: Position, move: Any) -> None:  # noqa: ARG002
        """Remember the move."""
        self._moves.append(str(move))

    def choose(self, position: Position) -> Answer:
        """Ask for a move."""
        line = f"position {self._position}"
        self._program.say(f"{line} moves {' '.join(self._moves)}" if self._moves else line)
        self._program.say(f"go {self._go}")
        begun, value, nodes = perf_counter(), None, None
        patience = PATIENCE + self._player.budget.get("seconds", SOME_TIME)
        for words in self._until("bestmove", patience):
            if score := _SCORE.search(words):
                number = int(score["number"])
                mate = MATE - number if number > 0 else -MATE - number
                value = float(number if score["kind"] == "cp" else mate)
            if count := _NODES.search(words):
                nodes = int(count["number"])
            last = words
        spent = perf_counter() - begun
        if value is not None and position.to_move == "min":
            value = -value
        move = find_move(position, [*last.split(), ""][1], self._player)
        return Answer(move, value, spent, None, nodes)

    def close(self) -> None:
        """Stop the program."""
        self._program.close()

    def _until(self, word: str, patience: float = PATIENCE) -> list[str]:
        """Return what it says up to the line that begins with the word."""
        lines, end = [""], monotonic() + patience
        while lines[-1].split()[:1] != [word]:
            lines.append(self._program.hear(max(0.1, end - monotonic())))
        return lines[1:]


class Gtp:
    """An engine that speaks GTP; Max is black, who moves first."""

    def __init__(self, player: Player, size: int | None) -> None:
        self._player, self._program, self._size = player, Program(str(player.command)), size
        self._knows = False
        try:
            for command in filter(None, map(str.strip, str(player.parameters.get("setup", "")).split(";"))):
                self._ask(command)
        except EngineError:
            self._program.close()
            raise
        if "seconds" in player.budget:
            self._ask(f"time_settings 0 {player.budget['seconds']:g} 1", must=False)

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
        patience = PATIENCE + self._player.budget.get("seconds", SOME_TIME)
        word = self._ask(f"genmove {_colour(position)}", patience=patience)
        spent = perf_counter() - begun
        self._knows = True
        gives_up = word.lower() == "resign"
        return Answer(None if gives_up else find_move(position, word, self._player), None, spent)

    def close(self) -> None:
        """Stop the program."""
        self._program.close()

    def _ask(self, command: str, *, must: bool = True, patience: float = PATIENCE) -> str:
        """Return the answer to a command: lines after = or ?, up to an empty one."""
        self._program.say(command)
        end, lines = monotonic() + patience, list[str]()
        while not lines or lines[-1]:
            lines.append(self._program.hear(max(0.1, end - monotonic())))
            if lines == [""]:
                lines.clear()
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
    seconds = player.budget.get("seconds")
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
