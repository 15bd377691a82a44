"""The server: one command after the other, and an answer to each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from difflib import get_close_matches
from time import monotonic
from typing import Any

import conspirator as cn
from conspirator._budget import DEFAULT_SECONDS, UNITS, Budget
from conspirator._clock import Clock
from conspirator._players import LEVELS, NO_LIMIT, Player, as_player, default_player, players, weaker
from conspirator._thinking import BESIDE
from conspirator._values import read_value, say_setting
from conspirator.front_ends.gtp.board import RESIGN, Board
from conspirator.front_ends.gtp.dialects import DIALECTS
from conspirator.front_ends.gtp.hex import MENU as HEX_MENU
from conspirator.front_ends.gtp.hex import HexCommands
from conspirator.front_ends.gtp.lines import read_line, write_answer
from conspirator.front_ends.gtp.live import Analysis, Lines

MOST_NODES_TO_QUESTION = 3_000_000
"""Larger trees are not asked for their conspiracies."""

MOST_CONSPIRATORS = 3
"""How far the intervals of an analysis go."""

ENDLESS = 1e9
"""Seconds of an analysis that the next line of input ends."""

MENU = {"Analyse": "conspirator-analyze", "Position": "conspirator-position"}
"""What a graphical program may offer, by the name on its menu."""


class Server:
    """A player of one game who speaks the Go Text Protocol.

    >>> server = Server("othello", "deep:nodes=10_000")
    >>> server.answer("genmove black").startswith("= ")
    True
    """

    def __init__(
        self,
        game: str,
        player: Player | str | None = None,
        *,
        options: Mapping[str, Any] | None = None,
        resign: bool = False,
    ) -> None:
        if game not in DIALECTS:
            raise cn.ArgumentError(f"the protocol speaks of {', '.join(sorted(DIALECTS))}, not of {game!r}")
        self._dialect = DIALECTS[game]
        self._board = Board(self._dialect, dict(options or {}))
        self._player = default_player(game) if player is None else as_player(player, game)
        self._resign = resign
        self._clock = Clock()
        self._input: Lines | None = None
        self._tell: Callable[[str], object] | None = None
        """Who hears of a live analysis at once; None: it is the answer when it is over."""
        self.done = False
        """Whether the server has been told to stop."""
        self._commands: dict[str, Callable[[list[str]], str]] = {
            "protocol_version": lambda _: "2",
            "name": lambda _: "conspirator",
            "version": lambda _: cn.__version__,
            "known_command": lambda words: str(_one(words) in self._commands).lower(),
            "list_commands": lambda _: "\n".join(self._commands),
            "quit": self._quit,
            "boardsize": self._set_size,
            "clear_board": self._clear,
            "komi": self._accept_komi,
            "play": self._play,
            "genmove": self._genmove,
            "reg_genmove": self._reg_genmove,
            "undo": self._undo,
            "showboard": lambda _: self._board.picture(),
            "final_score": lambda _: self._board.score(),
            "all_legal_moves": self._list_moves,
            "time_settings": self._set_clock,
            "time_left": self._tell_clock,
            "set_time": lambda words: self._show_or_set_budget(["seconds", _one(words)]),
            "param_game": self._show_or_set_rules,
            "hexgui-analyze_commands": self._list_analyses,
            "gogui-analyze_commands": self._list_analyses,
            "param_conspirator": self._show_or_set_player,
            "conspirator-search": self._show_or_set_search,
            "conspirator-param": self._show_or_set_parameter,
            "conspirator-budget": self._show_or_set_budget,
            "conspirator-position": self._show_or_set_position,
            "conspirator-analyze": self._analyze,
            **dict.fromkeys(("lz-analyze", "analyze"), self._analyze_live),
            "lz-genmove_analyze": self._genmove_live,
        }
        if game == "hex":
            self._commands |= HexCommands(self._board, self._dialect).commands
        self._player.try_out(self._board.game.start())

    def serve(self, lines: Iterable[str], write: Callable[[str], object]) -> None:
        """Answer lines until one says quit, there are no more, or Ctrl-C is pressed.

        They are read in a thread of their own: a line that comes in ends a live analysis.
        """
        self._input = Lines(lines)
        try:
            while not self.done and (line := self._input.next()) is not None:
                self._answer_live(line, write)
        except KeyboardInterrupt:
            self.done = True
        finally:
            self._input = None

    def _answer_live(self, line: str, write: Callable[[str], object]) -> None:
        """Write the answer to a line; that of a live analysis line by line, as it comes."""
        begun = False
        command = read_line(line)

        def tell(text: str) -> None:
            nonlocal begun
            if not begun:
                write(f"={command.number if command else ''}\n")
            begun = True
            write(f"{text}\n")

        self._tell = tell
        try:
            answer = self.answer(line)
        finally:
            self._tell = None
        # what has been told is the answer already, and only its end is missing
        write("\n" if begun else answer)

    def answer(self, line: str) -> str:
        """Return the answer to a line, with the empty line at its end; no text for a line without command."""
        command = read_line(line)
        if command is None:
            return ""
        try:
            text = self._find(command.name)(command.arguments)
        except cn.ConspiratorError as error:
            return write_answer(command.number, " ".join(str(error).split()), good=False)
        except Exception as error:  # a game is lost by a server that ends, not by an error that is told
            message = f"internal error: {type(error).__name__}: {error}"
            return write_answer(command.number, " ".join(message.split()), good=False)
        return write_answer(command.number, text, good=True)

    def _find(self, name: str) -> Callable[[list[str]], str]:
        if name in self._commands:
            return self._commands[name]
        raise cn.ArgumentError(f"unknown command{_nearest(name, self._commands)}")

    def _quit(self, _: list[str]) -> str:
        self.done = True
        return ""

    # the game

    def _set_size(self, words: list[str]) -> str:
        self._board.restart(**self._dialect.read_size(words))
        return ""

    def _clear(self, _: list[str]) -> str:
        self._board.restart()
        return ""

    def _accept_komi(self, words: list[str]) -> str:
        _number(_one(words))  # there is nothing to add to a score: it is read, and that is all
        return ""

    def _play(self, words: list[str]) -> str:
        if len(words) < 2:
            raise cn.ArgumentError("play needs a colour and a move, such as: play black a1")
        self._board.play(self._dialect.player(words[0]), self._dialect.read_move(words[1:]))
        return ""

    def _undo(self, _: list[str]) -> str:
        self._board.undo()
        return ""

    def _list_moves(self, words: list[str]) -> str:
        """List the moves of a colour, or of the one to move; none once the game is over."""
        player = self._dialect.player(_one(words)) if words else self._board.position.to_move
        over = self._board.resigned is not None or self._board.position.outcome is not None
        moves = [] if over else self._board.turn(player).moves()
        return " ".join(map(self._dialect.write_move, moves))

    def _genmove(self, words: list[str]) -> str:
        player = self._dialect.player(_one(words))
        begun = monotonic()
        move = self._choose(player)
        self._clock.spend(player, monotonic() - begun)
        self._board.play(player, move)
        return self._dialect.write_move(move)

    def _reg_genmove(self, words: list[str]) -> str:
        return self._dialect.write_move(self._choose(self._dialect.player(_one(words))))

    def _choose(self, player: str) -> str:
        """Return a player's move: the only one at once, else what the search says."""
        position = self._board.turn(player)
        moves = position.moves()
        if len(moves) == 1:
            return str(moves[0])
        result = self._think(position, player)
        low, high = position.value_range
        lost = result.value == (low if player == "max" else high)
        return RESIGN if self._resign and lost and result.status == "proven" else str(result.move)

    def _think(self, position: cn.Position, player: str) -> cn.Result:
        share = self._clock.pace(player, self._moves_left(position))
        result = self._player.think(position, budget=self._player.budget.paced(share))
        if result.status == "interrupted":
            raise KeyboardInterrupt
        return result

    def _moves_left(self, position: cn.Position) -> float:
        return self._dialect.length * str(position).count(".") / 2

    # time

    def _set_clock(self, words: list[str]) -> str:
        if len(words) != 3:
            raise cn.ArgumentError("time_settings needs main time, overtime, and stones in it")
        main, overtime, stones = (_number(word, least=0) for word in words)
        self._clock.set(main, overtime, int(stones))
        return ""

    def _tell_clock(self, words: list[str]) -> str:
        if len(words) not in (2, 3):
            raise cn.ArgumentError("time_left needs a colour, seconds, and stones in overtime")
        player, (seconds, *stones) = self._dialect.player(words[0]), map(_number, words[1:])
        self._clock.tell(player, seconds, max(0, int(*stones)))
        return ""

    # settings

    def _show_or_set_rules(self, words: list[str]) -> str:
        """Benzene's name for the rules of a game; the only one here is whether White may swap."""
        if self._dialect.game != "hex":
            raise cn.ArgumentError(f"{self._dialect.game} has no rules to set")
        if not words:
            return f"[bool] allow_swap {int(bool(self._board.options.get('swap')))}"
        if len(words) != 2 or words[0] != "allow_swap" or words[1] not in ("0", "1"):
            raise cn.ArgumentError("say: param_game allow_swap 0, or 1; it begins a new game")
        self._board.restart(swap=words[1] == "1")
        return ""

    def _show_or_set_player(self, words: list[str]) -> str:
        """All settings of the player, in Benzene's way: a line for each, and two words to change one."""
        if not words:
            return "\n".join(_say_parameter(name, value) for name, value in self._settings().items())
        if len(words) != 2:
            raise cn.ArgumentError("say: param_conspirator NAME VALUE, or nothing to see all of them")
        name, value = words
        if name not in self._settings():
            raise cn.ArgumentError(f"there is no setting {name!r}{_nearest(name, self._settings())}")
        match name:
            case "player":
                self._become(value)
            case "max_time":
                self._show_or_set_budget(["seconds", value])
            case "proof":
                self._change(proof=value if value == BESIDE else _between(value, 0, 1))
            case "level":
                self._change(level=_between(value, 1, 10, whole=True))
            case "resign":
                self._resign = bool(_between(value, 0, 1, whole=True))
            case "evaluator":
                self._change(evaluator=None if value == "none" else value)
            case _:
                known = self._known()[name]
                value = _BOOLEANS.get(value, value) if known["type"] == "bool" else value
                self._show_or_set_parameter([name, value])
        return ""

    def _known(self) -> dict[str, Any]:
        """Return the parameters of the player's search."""
        return dict(cn.searches()[str(self._player.search)])

    def _settings(self) -> dict[str, Any]:
        listed = {name: about["default"] for name, about in self._known().items()}
        return {
            **listed,
            **self._player.parameters,
            "player": self._player.name,
            "evaluator": self._player.evaluator,
            "max_time": self._player.budget.seconds or 0.0,
            "proof": self._player.proof,
            "level": self._player.level,
            "resign": self._resign,
        }

    def _change(self, player: Player | None = None, **settings: Any) -> None:
        """Go on with other settings, or another player; mistakes show now, and not at the next move."""
        changed = (player or self._player).but(**settings)
        changed.try_out(self._board.game.start())
        self._player = changed

    def _become(self, name: str) -> None:
        """Go on as another player, with the same budget."""
        known = players(self._dialect.game)
        if name not in known:
            raise cn.ArgumentError(
                f"{self._dialect.game} has no player {name!r}; there are {', '.join(known)}"
            )
        self._change(known[name], **self._player.budget.given())

    def _show_or_set_search(self, words: list[str]) -> str:
        if not words:
            return str(self._player.search)
        self._change(Player(_one(words), budget=self._player.budget))
        return ""

    def _show_or_set_parameter(self, words: list[str]) -> str:
        known = self._known()
        if not words:
            settings = {name: about["default"] for name, about in known.items()} | self._player.parameters
            return "\n".join(f"[string] {name} {say_setting(value)}" for name, value in settings.items())
        if len(words) != 2:
            raise cn.ArgumentError("conspirator-param needs a name and a value, or nothing")
        if words[0] not in known:  # nor is a part of the budget
            message = f"{self._player.search} has no parameter {words[0]!r}"
            raise cn.ArgumentError(message + _nearest(words[0], known))
        setting: dict[str, Any] = {words[0]: read_value(words[1])}
        self._change(**setting)
        return ""

    def _show_or_set_budget(self, words: list[str]) -> str:
        if not words:
            limits = self._player.budget.given().items()
            return "\n".join(f"[string] {unit} {say_setting(amount)}" for unit, amount in limits)
        if len(words) != 2:
            raise cn.ArgumentError("conspirator-budget needs a unit and an amount, or nothing")
        if words[0] not in UNITS:
            raise cn.ArgumentError(f"{words[0]!r} is no unit; nodes, seconds and memory are")
        limit: dict[str, Any] = {words[0]: read_value(words[1])}
        self._player = self._player.with_budget(replace(self._player.budget, **limit))
        return ""

    # looking into positions

    def _show_or_set_position(self, words: list[str]) -> str:
        if not words:
            return str(self._board.ordinary().notation())
        self._board.set_up(" ".join(words))
        return ""

    def _analyze(self, words: list[str]) -> str:
        """Search without playing: the move, its value, how far that can go, and the line."""
        if words:
            raise cn.ArgumentError("conspirator-analyze takes no arguments")
        position = self._board.turn(self._board.position.to_move)
        result = self._think(position, position.to_move)
        lines = [
            f"move {self._dialect.write_move(result.move)}",
            f"value {result.value:g}",
            f"status {result.status}",
            f"line {' '.join(map(self._dialect.write_move, result.line))}",
            f"depth {result.depth}",
            f"nodes {result.nodes}",
        ]
        if result.has_tree and result.nodes <= MOST_NODES_TO_QUESTION:
            for count in range(MOST_CONSPIRATORS + 1):
                low, high = result.interval(count)
                lines.append(f"interval {count} {low:g} {high:g}")
            if result.confidence is not None:
                lines.append(f"confidence {result.confidence:.4f}")
                likely = sorted((result.probabilities or {}).items(), key=lambda row: -row[1])
                lines += [f"best {self._dialect.write_move(move)} {p:.4f}" for move, p in likely if p >= 0.01]
        return "\n".join(lines)

    def _analyze_live(self, words: list[str]) -> str:
        """Analyse until the next line comes in; without a stream of lines, within the budget."""
        player, interval = self._read_live(words)
        told: list[str] = []
        budget = self._player.budget
        if self._input is not None:
            budget = Budget(seconds=ENDLESS, memory=budget.memory)
        self._live(player, interval, told, budget)
        if self._input is not None:
            self._input.wait()  # who asked may go on looking at what is known
        return "\n".join(told[-1:])

    def _genmove_live(self, words: list[str]) -> str:
        """Choose a move within the budget, play it, and tell of the others meanwhile."""
        player, interval = self._read_live(words)
        share = self._clock.allot(player, self._moves_left(self._board.turn(player)))
        begun, told = monotonic(), list[str]()
        move = self._live(player, interval, told, self._player.budget.within(share), whole=True)
        self._clock.spend(player, monotonic() - begun)
        self._board.play(player, move)
        last = f"play {self._dialect.write_move(move)}"
        if self._tell is not None:
            self._tell(last)
        return "\n".join([*told[-1:], last])

    def _live(
        self, player: str, interval: float, told: list[str], budget: Budget, *, whole: bool = False
    ) -> str:
        """Analyse, until a line comes in unless it must be a `whole` thought; return the best move."""
        lines, thinker = self._input, self._player
        if whole and thinker.level != LEVELS[-1]:  # what is only shown need not be weak
            budget, evaluator = weaker(thinker.level, budget, thinker.evaluator)
            thinker = thinker.but(evaluator=evaluator)
        if thinker.parameters.get("depth") is not None:
            budget = budget.or_else(nodes=NO_LIMIT)
        analysis = Analysis(
            thinker,
            self._board.turn(player),
            self._tell or told.append,
            self._dialect.write_move,
            interval=interval,
            stopped=lambda: not whole and lines is not None and lines.is_waiting(),
        )
        return analysis.run(budget.or_else(seconds=DEFAULT_SECONDS))

    def _read_live(self, words: list[str]) -> tuple[str, float]:
        """Return the player and the seconds of: [COLOUR] [interval] [CENTISECONDS]."""
        rest = [word for word in words if word.lower() != "interval"]
        player: str = self._board.position.to_move
        if rest and not rest[0].isdecimal():
            player = self._dialect.player(rest.pop(0))
        if len(rest) > 1:
            raise cn.ArgumentError("say a colour and hundredths of a second, such as: lz-analyze black 50")
        return player, max(1.0, _number(rest[0], least=0)) / 100 if rest else 1.0

    def _list_analyses(self, _: list[str]) -> str:
        entries = [f"string/{label}/{command}" for label, command in MENU.items()]
        entries += ["param/Player/param_conspirator", "param/Budget/conspirator-budget"]
        if self._dialect.game == "hex":
            entries += ["param/Rules/param_game", *HEX_MENU]
        return "\n".join(entries)


_BOOLEANS = {"0": "false", "1": "true"}


def _say_parameter(name: str, value: Any) -> str:
    """Return a setting as Benzene lists it.

    >>> _say_parameter("resign", True), _say_parameter("max_time", 2.0)
    ('[bool] resign 1', '[string] max_time 2.0')
    """
    if isinstance(value, bool):
        return f"[bool] {name} {int(value)}"
    return f"[string] {name} {say_setting(value)}"


def _nearest(name: str, known: Iterable[str]) -> str:
    near = get_close_matches(name, list(known), 1)
    return f"; did you mean {near[0]!r}?" if near else ""


def _one(words: list[str]) -> str:
    if len(words) != 1:
        raise cn.ArgumentError(f"this command needs one argument, not {len(words)}")
    return words[0]


def _number(text: str, least: float = -1e9) -> float:
    """Return a number of a size that times and komi have."""
    try:
        number = float(text)
    except ValueError:
        number = float("nan")
    if not least <= number <= 1e9:
        raise cn.ArgumentError(f"{text!r} is not a number{' from 0 up' if least == 0 else ''}")
    return number


def _between(text: str, least: int, most: int, *, whole: bool = False) -> Any:
    """Return a number that lies between two."""
    number = _number(text)
    if not least <= number <= most or (whole and number != int(number)):
        kind = "whole number" if whole else "number"
        raise cn.ArgumentError(f"{text!r} is not a {kind} from {least} to {most}")
    return int(number) if whole else number
