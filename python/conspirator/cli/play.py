"""`conspirator play`: a game in the terminal."""

from __future__ import annotations

import ast
from typing import Any

import click
from rich.console import Console
from rich.text import Text

import conspirator as cn
from conspirator.cli.board import draw, players, say_player
from conspirator.cli.progress import ProgressLine
from conspirator.cli.request import Request, examples, read_request, request_options
from conspirator.cli.show import make_console
from conspirator.cli.words import favoured, say_line, say_status, say_value, say_verdict
from conspirator.cli.written import written_line

_OTHER = {"max": "min", "min": "max"}


@click.command(
    epilog=examples(
        "conspirator play connect-four --human none --seconds 0.01",
        "conspirator play connect-four --human second --search alpha-beta --seconds 0.5",
        "conspirator play hex --game-option size=5 --human none --level 2",
    )
)
@request_options()
@click.option(
    "--human",
    type=click.Choice(["first", "second", "none"]),
    default="first",
    show_default=True,
    help="Whether you move first or second; none: the engine plays itself.",
)
def play(human: str, quiet: bool, **options: Any) -> None:
    """Play against the engine; the budget is for each of its moves.

    At the prompt, type a move, or: moves, hint, undo, quit. See `conspirator analyze --help` for GAME.
    """
    request = read_request(options)
    request.player.try_out(request.position)  # so that mistakes show before the first move
    Match(request, human, make_console(), quiet=quiet).run()


class Match:
    """One game between a human and the engine, or of the engine against itself."""

    def __init__(self, request: Request, human: str, console: Console, *, quiet: bool) -> None:
        first = request.position.to_move
        self._human = {"first": first, "second": _OTHER[first], "none": None}[human]
        self._request = request
        self._console = console
        self._quiet = quiet
        self._past: list[cn.Position] = []
        self._position = request.position

    def run(self) -> None:
        """Play until the game is over or somebody leaves."""
        if self._human is not None:
            who = say_player(self._request.game, self._human)
            self._console.print(f"You are {who}. Type a move, or: moves, hint, undo, quit.")
        self._show()
        while self._position.outcome is None:
            human = self._position.to_move == self._human
            if not (self._let_human_move() if human else self._let_engine_move()):
                self._console.print("Goodbye.")
                return
            self._show()
        self._say_end()

    def _let_human_move(self) -> bool:
        """Ask until there is a move, and play it; False if the human leaves."""
        while True:
            try:
                text = input("your move> ").strip()
            except (EOFError, KeyboardInterrupt):
                self._console.print()
                return False
            match text:
                case "":
                    continue
                case "quit":
                    return False
                case "moves":
                    self._console.print(
                        say_line([self._position.describe(move) for move in self._position.moves()], most=200)
                    )
                case "hint":
                    self._console.print(self._say_answer("hint", self._think()))
                case "undo":
                    if self._undo():
                        return True
                    self._console.print("there is nothing to undo")
                case _:
                    try:
                        self._advance(find_move(self._position, text))
                    except cn.PositionError as error:
                        self._console.print(str(error), style="red")
                    else:
                        return True

    def _let_engine_move(self) -> bool:
        """Search and play; False if nobody is left who would answer."""
        result = self._think()
        self._console.print(self._say_answer(players(self._request.game)[self._position.to_move], result))
        if self._human is None and result.status == "interrupted":
            return False
        self._advance(result.move)
        return True

    def _think(self) -> cn.Result:
        with ProgressLine(self._request.player.budget, wanted=not self._quiet) as progress:
            return self._request.run(self._position, progress)

    def _advance(self, move: Any) -> None:
        after = self._position.play(move)  # first: an illegal move must leave the past alone
        self._past.append(self._position)
        self._position = after

    def _undo(self) -> bool:
        """Go back to the human's move before this one."""
        for place in range(len(self._past) - 1, -1, -1):
            if self._past[place].to_move == self._human:
                self._position = self._past[place]
                del self._past[place:]
                return True
        return False

    def _show(self) -> None:
        self._console.print()
        self._console.print(draw(self._request.game, str(self._position)))
        self._console.print()

    def _say_answer(self, who: str, result: cn.Result) -> Text:
        side = favoured(result.value, result.position.value_range)
        verdict = say_verdict(side, players(self._request.game), final=result.status == "proven")
        words = written_line(result.position, result.line)
        said = result.position.describe(result.move)
        text = Text(f"{who}: ").append(said, style="bold green")
        text.append(f"  value {say_value(result.value)}{', ' + verdict if verdict else ''}")
        text.append(
            f"  {say_status(result.status, result.limit, self._request.player.budget.given())}", style="dim"
        )
        if len(words) > 1:
            text.append(f"\n   expects {say_line(words[1:], most=20)}", style="dim")
        return text

    def _say_end(self) -> None:
        value = float(self._position.outcome or 0.0)
        side = favoured(value, self._position.value_range)
        verdict = say_verdict(side, players(self._request.game), final=True)
        self._console.print(
            f"The game is over: {verdict + ', ' if verdict else ''}value {say_value(value)}.", style="bold"
        )


def find_move(position: cn.Position, text: str) -> Any:
    """Return the legal move that a text means; the moves of a Python game may be any objects."""
    for move in position.moves():
        if str(move) == text:
            return move
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return text  # the position says what is wrong with it
    return value if value in position.moves() else text
