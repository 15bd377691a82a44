"""One game in the terminal: whose turn it is, what the commands do, and how it ends."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

import conspirator as cn
from conspirator._budget import Budget
from conspirator._line import written, written_line
from conspirator._players import LEVELS
from conspirator._record import GameRecord
from conspirator.cli.analysis import MOST_NODES_TO_QUESTION, describe, limits_of
from conspirator.cli.board import draw, marks, players, say_player
from conspirator.cli.moves import find_move, nearest
from conspirator.cli.names import EXPLICIT_TREE
from conspirator.cli.play_clock import GameClock
from conspirator.cli.progress import ProgressLine
from conspirator.cli.request import Request
from conspirator.cli.show import print_analysis
from conspirator.cli.values import say_setting
from conspirator.cli.words import favoured, say_line, say_status, say_value, say_verdict

_OTHER = {"max": "min", "min": "max"}
PROMPT = "your move> "
OVER = "game over> "


class Leave(Exception):
    """Somebody has had enough."""


@dataclass(frozen=True)
class PlayCommand:
    """What can be typed besides moves."""

    usage: str
    meaning: str
    words: tuple[str, ...]
    """The command's name, and what else people call it."""


COMMANDS = (
    PlayCommand("help", "this list", ("help", "?", "commands")),
    PlayCommand("moves", "all legal moves", ("moves",)),
    PlayCommand("hint", "what the engine would play, and how sure it is", ("hint",)),
    PlayCommand("analyse", "what the engine sees here: values of moves, its tree", ("analyse", "analyze")),
    PlayCommand("show", "the board", ("show", "board")),
    PlayCommand("undo", "take back your last move and the answer to it", ("undo", "takeback", "take back")),
    PlayCommand("level N", "how strong the engine is, from 1 to 10", ("level",)),
    PlayCommand("clock", "each side's time", ("clock", "time")),
    PlayCommand("save FILE", "the game as .sgf (Hex, Othello), .pgn (chess) or plain text", ("save",)),
    PlayCommand("resign", "give up", ("resign",)),
    PlayCommand("quit", "leave; so do Ctrl-C and Ctrl-D", ("quit", "exit", "q", "bye")),
)
"""All commands, in the order of `help`."""
_WORDS = {word: command.words[0] for command in COMMANDS for word in command.words}


class Match:
    """One game between a human and the engine, or of the engine against itself."""

    def __init__(
        self,
        request: Request,
        human: str,
        console: Console,
        *,
        quiet: bool,
        clock: GameClock | None = None,
    ) -> None:
        first = request.position.to_move
        self._human = {"first": first, "second": _OTHER[first], "none": None}[human]
        self._request = request
        self._console = console
        self._quiet = quiet
        self._clock = clock
        self._past: list[tuple[cn.Position, Any]] = []
        self._position = request.position
        self._lost: tuple[str, str] | None = None
        """Who has lost although the game on the board goes on, and how: 'resign' or 'time'."""
        self._saved: set[Path] = set()
        self._commands: dict[str, Callable[[str], object]] = {
            "help": self._help,
            "moves": lambda _: self._say(say_line(self._all_moves(), most=400)),
            "hint": self._hint,
            "analyse": self._analyse,
            "show": lambda _: self._show(),
            "undo": self._undo,
            "level": self._set_level,
            "clock": lambda _: self._say_clock(),
            "save": self._save,
            "resign": self._resign,
            "quit": self._quit,
        }

    def run(self) -> None:
        """Play until the game is over and everything is said, or somebody leaves."""
        if self._human is not None:
            who = say_player(self._request.game, self._human)
            self._say(f"You are {who}. Type a move, or: help, hint, undo, save FILE, quit.")
            _edit_lines(self._complete)
        self._show()
        try:
            while self._human is not None or not self._is_over:
                self._turn()
        except Leave:
            self._say_goodbye()

    # turns

    @property
    def _is_over(self) -> bool:
        return self._lost is not None or self._position.outcome is not None

    def _turn(self) -> None:
        """Let somebody move; or, when all is over, let the human save the game or take a move back."""
        if self._clock is not None and not self._is_over:
            self._clock.start(self._position.to_move)
        if not self._is_over and self._position.to_move != self._human:
            self._let_engine_move()
        elif not self._ask(OVER if self._is_over else PROMPT):
            return
        self._show()
        if self._is_over:
            self._say_end()

    def _ask(self, prompt: str) -> bool:
        """Read a line and do what it says; tell whether the game has moved, forward or back."""
        try:
            text = " ".join(input(prompt).split())
        except (EOFError, KeyboardInterrupt):
            self._console.print()
            raise Leave from None
        before = len(self._past), self._lost
        try:
            self._obey(text)
        except cn.ConspiratorError as error:
            self._say(str(error), "red")
        return (len(self._past), self._lost) != before

    def _obey(self, text: str) -> None:
        """Do what a line says: a command, or a move."""
        if not text or self._plays(text):
            return
        lower = text.lower()
        # the longest first: take back, and not a command 'take'
        name = next(
            (word for word in sorted(_WORDS, key=len)[::-1] if f"{lower} ".startswith(f"{word} ")), ""
        )
        if name:
            self._commands[_WORDS[name]](text[len(name) :].strip())
            return
        if self._is_over:
            raise cn.PositionError("the game is over; type: save FILE, undo or quit")
        try:
            move = find_move(self._position, text)
        except cn.PositionError as error:
            near = nearest(lower.split()[0], list(_WORDS))
            raise cn.PositionError(f"{error}{f' (or did you mean {near!r}?)' if near else ''}") from None
        self._move(move)

    def _plays(self, text: str) -> bool:
        """Play the move of exactly this name, whatever commands there are."""
        named = [] if self._is_over else [move for move in self._position.moves() if str(move) == text]
        if named:
            self._move(named[0])
        return bool(named)

    def _let_engine_move(self) -> None:
        budget = self._budget()
        result = self._think(budget)
        self._console.print(
            self._say_answer(players(self._request.game)[self._position.to_move], result, budget)
        )
        if self._human is None and result.status == "interrupted":
            raise Leave
        self._move(result.move)

    def _budget(self) -> Budget:
        """Return what a move of the engine may take: its budget, and its share of the clock."""
        budget = self._request.player.budget
        if self._clock is None:
            return budget
        position = self._position
        return budget.paced(self._clock.pace(position.to_move, position.moves_left))

    def _think(self, budget: Budget | None = None) -> cn.Result:
        budget = budget or self._request.player.budget
        with ProgressLine(budget, wanted=not self._quiet) as progress:
            return self._request.run(self._position, progress, budget)

    def _move(self, move: Any) -> None:
        after = self._position.play(move)  # first: an illegal move must leave the past alone
        if self._clock is not None:
            self._clock.stop()
            if self._clock.left(self._position.to_move) <= 0:
                self._lost = (self._position.to_move, "time")
                return
        self._past.append((self._position, move))
        self._position = after

    # commands

    def _help(self, _: str) -> None:
        self._say("A move, such as " + ", ".join(self._all_moves()[:3]) + ", or:")
        for command in COMMANDS:
            also = [word for word in command.words[1:] if len(word) > 1]
            text = Text(f"  {command.usage:<10}", style="bold")
            text.append(command.meaning, style="not bold")
            text.append(f" (also: {', '.join(also)})" if also else "", style="not bold dim")
            self._console.print(text, soft_wrap=True)

    def _all_moves(self) -> list[str]:
        return [written(self._position, move) for move in self._position.moves()]

    def _hint(self, _: str) -> None:
        self._refuse_when_over()
        result = self._think()
        self._console.print(self._say_answer("hint", result, self._request.player.budget))
        self._say(f"   {_how_sure(result)}", "dim")

    def _analyse(self, _: str) -> None:
        self._refuse_when_over()
        here = replace(self._request, position=self._position)
        print_analysis(describe(here, self._think()), self._console)

    def _refuse_when_over(self) -> None:
        if self._is_over:
            raise cn.PositionError("the game is over; type: save FILE, undo or quit")

    def _undo(self, _: str) -> None:
        """Go back to the human's move before this one; or to before somebody gave up or was late."""
        if self._lost is not None:
            if self._lost[1] == "time":
                raise cn.PositionError("there is no way back: the time is over; type: save FILE or quit")
            self._lost = None
            return
        for place in range(len(self._past) - 1, -1, -1):
            if self._past[place][0].to_move == self._human:
                self._position = self._past[place][0]
                del self._past[place:]
                return
        raise cn.PositionError("there is nothing to undo")

    def _set_level(self, text: str) -> None:
        player = self._request.player
        if text:
            if not (text.isascii() and text.isdigit() and int(text[:9]) in LEVELS):
                raise cn.ArgumentError(f"{text!r} is no level; type a number from 1 to 10, such as: level 3")
            player = player.but(level=int(text))
            self._request = replace(self._request, player=player)
        self._say(f"{player.name} plays at level {player.level} of {LEVELS[-1]}")

    def _say_clock(self) -> None:
        if self._clock is None:
            self._say("there is no clock; start with one: conspirator play --clock 5+3")
            return
        names = players(self._request.game)
        self._say("  ".join(f"{names[side]} {self._clock.say(side)}" for side in ("max", "min")))

    def _save(self, text: str) -> None:
        names = shlex.split(text) if text.count('"') % 2 == text.count("'") % 2 == 0 else [text]
        if len(names) != 1:
            raise cn.ArgumentError(f"type one name, such as: save {self._usual_file()}")
        path = Path(names[0]).expanduser()
        if path.exists() and path.resolve() not in self._saved:
            raise cn.ArgumentError(f"there is already a file {path}; choose another name")
        self._record().save(path)
        self._saved.add(path.resolve())
        self._say(f"saved: {path}")

    def _usual_file(self) -> str:
        return {"chess": "game.pgn", "hex": "game.sgf", "othello": "game.sgf"}.get(
            self._request.game, "game.txt"
        )

    def _record(self) -> GameRecord:
        winner, how = self._result()
        engine = f"conspirator {self._request.player.name}"
        names = {side: "human" if side == self._human else engine for side in ("max", "min")}
        moves = [move for _, move in self._past]
        request = self._request
        return GameRecord(request.game, request.position, moves, names, winner, how, request.game_options)

    def _result(self) -> tuple[str | None, str]:
        """Return who has won, and how if not on the board."""
        if self._lost is not None:
            return _OTHER[self._lost[0]], self._lost[1]
        outcome = self._position.outcome
        return (None if outcome is None else favoured(outcome, self._position.value_range)), ""

    def _resign(self, _: str) -> None:
        self._refuse_when_over()
        assert self._human is not None
        self._lost = (self._human, "resign")

    def _quit(self, _: str) -> None:
        raise Leave

    # what is said

    def _say(self, text: str, style: str = "") -> None:
        self._console.print(text, style=style, soft_wrap=True)

    def _show(self) -> None:
        game, marked = self._request.game, frozenset[tuple[int, int]]()
        if self._past:
            marked = marks(*self._past[-1], self._position)
        self._console.print()
        self._console.print(draw(game, str(self._position), marked=marked))
        if self._past:
            before, move = self._past[-1]
            words = f"last move: {players(game)[before.to_move]} {written(before, move)}"
            self._say(words + (f"  ({self._times()})" if self._clock else ""), "dim")
        self._console.print()

    def _times(self) -> str:
        assert self._clock is not None
        names = players(self._request.game)
        return ", ".join(f"{names[side]} {self._clock.say(side)}" for side in ("max", "min"))

    def _say_answer(self, who: str, result: cn.Result, budget: Budget) -> Text:
        position = result.position
        side = favoured(result.value, position.value_range)
        verdict = say_verdict(side, players(self._request.game), final=result.status == "proven")
        text = Text(f"{who}: ").append(written(position, result.move), style="bold green")
        text.append(f"  value {say_value(result.value)}{', ' + verdict if verdict else ''}")
        limits = limits_of(self._request.player, budget)
        text.append(f"  {say_status(result.status, result.limit, limits)}", style="dim")
        if len(result.line) > 1:
            line = written_line(position, result.line)[1:]
            text.append(f"\n   expects {say_line(line, most=20)}", style="dim")
        return text

    def _say_end(self) -> None:
        names = players(self._request.game)
        if self._lost is not None:
            loser, how = self._lost
            why = "resigns" if how == "resign" else "has no time left"
            self._say(f"The game is over: {names[loser]} {why}, {names[_OTHER[loser]]} wins.", "bold")
        else:
            value = float(self._position.outcome or 0.0)
            verdict = say_verdict(favoured(value, self._position.value_range), names, final=True)
            self._say(
                f"The game is over: {verdict + ', ' if verdict else ''}value {say_value(value)}.", "bold"
            )
        if self._human is not None:
            self._say(f"Type: save {self._usual_file()} to keep it, undo, or quit.", "dim")

    def _say_goodbye(self) -> None:
        """Take leave, and say how a game that is not over could go on."""
        native = self._position.state is None and self._request.game != EXPLICIT_TREE
        if self._past and not self._is_over and not self._saved and native:
            given = self._request.game_options.items()
            options = [f"--game-option {name}={say_setting(value)} " for name, value in given]
            position = shlex.quote(str(self._position.notation()))
            again = f"conspirator play {self._request.game} {''.join(options)}--position {position}"
            self._say(f"To go on later: {again}")
            self._say(f"To keep the moves as a file, type before you leave: save {self._usual_file()}")
        self._say("Goodbye.")

    def _complete(self) -> list[str]:
        return [*self._commands, *([] if self._is_over else self._all_moves())]


def _how_sure(result: cn.Result) -> str:
    """Say how much can be relied on.

    >>> _how_sure(cn.search(cn.games.ConnectFour().position("112233"), "best-first", expansions=50))
    'sure: it is proven'
    """
    if result.status == "proven":
        return "sure: it is proven"
    if not result.has_tree:
        return f"as far as it sees: {result.depth} moves deep, {result.nodes:,} nodes"
    seen = f"from {result.nodes:,} nodes"
    if result.nodes > MOST_NODES_TO_QUESTION:
        return seen
    low, high = map(say_value, result.interval(1))
    if low == high:
        return f"{seen}; no single mistake in its tree would change the value"
    return f"{seen}; one mistake in its tree could bring the value to between {low} and {high}"


def _edit_lines(words: Callable[[], list[str]]) -> None:
    """Where there is readline: arrow keys edit lines and bring earlier ones back, Tab completes."""
    with suppress(ImportError):
        import readline

        def complete(text: str, state: int) -> str | None:
            found = [word for word in words() if word.lower().startswith(text.lower())]
            return found[state] if state < len(found) else None

        readline.set_completer(complete)
        readline.set_completer_delims(" ")
        readline.parse_and_bind("tab: complete")


__all__ = ["COMMANDS", "Match"]
