"""`conspirator blunders chess`: mistakes by what they cost, and games annotated with them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

import conspirator as cn
from conspirator._pgn import PgnGame, Piece, Remark, first_half, numbered, read_pgn_file, say_place
from conspirator.assess import NAGS, Assessed, Assessment, assess, say_pawns
from conspirator.cli.analysis import plain
from conspirator.cli.board import players
from conspirator.cli.progress import ProgressBar
from conspirator.cli.request import read_player
from conspirator.cli.show import make_console
from conspirator.matches.export import PGN_RESULTS
from conspirator.matches.games import points_of

_STYLES = {"??": "bold red", "?": "yellow", "?!": ""}


@dataclass
class Annotated:
    """A game, and what its moves cost."""

    pgn: PgnGame
    number: int
    found: Assessment

    def half(self, judged: Assessed) -> int:
        """Return where a move stands, in half moves."""
        return first_half(str(self.found.start.notation())) + judged.number - 1

    def text(self) -> str:
        """Return the game as PGN, with a remark on every mistake."""
        remarks = {}
        for judged in self.found.mistakes:
            better = f"better {numbered(judged.better, self.half(judged))}"
            values = f"{say_pawns(judged.after)} instead of {say_pawns(judged.before)}"
            remark = f"loses {judged.loss} centipawns, {values}; {better}"
            remarks[judged.number] = Remark(NAGS[judged.mark], remark)
        return self.pgn.with_remarks(remarks)


def read_games(path: Path, number: int | None) -> list[tuple[int, PgnGame]]:
    """Return the games of a file with their numbers, or one of them."""
    found = list(enumerate(read_pgn_file(path), 1))
    if number is None:
        return [(place, game) for place, game in found if game.moves]
    if number > len(found):
        raise click.UsageError(f"{path} has no game {number}; it has {len(found)}")
    return [found[number - 1]]


def as_pgn(start: cn.Position, moves: Sequence[str]) -> PgnGame:
    """Return moves as a game that can be written."""
    game = PgnGame({"Event": "?", "White": "?", "Black": "?", "Result": "*"})
    fen = str(start.notation()).partition(" moves ")[0]
    if start != cn.games.Chess().start():
        game.tags |= {"SetUp": "1", "FEN": fen}
    half, position = first_half(fen), start
    for place, move in enumerate(moves, half):
        if place % 2 == 0 or place == half:
            game.pieces.append(Piece("number", say_place(place)))
        game.pieces.append(Piece("move", position.describe(move)))
        position = position.play(move)
    points = None if position.outcome is None else points_of(position.outcome, 0.0)
    game.tags["Result"] = "*" if points is None else PGN_RESULTS[points]
    game.pieces.append(Piece("result", game.tags["Result"]))
    return game


def assess_games(
    listed: list[tuple[int, PgnGame]],
    starts: list[cn.Position],
    options: dict[str, Any],
    *,
    annotate: Path | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Assess games, print what was found, and write them annotated."""
    player = read_player(options, "chess")
    player.try_out(starts[0])
    done: list[Annotated] = []
    whole = sum(len(game.moves) + 1 for _, game in listed)
    with ProgressBar(wanted=not (quiet or as_json)) as tell:
        for (number, game), start in zip(listed, starts, strict=True):
            before = sum(len(one.pgn.moves) + 1 for one in done)

            def progress(count: int, _: int, before: int = before) -> None:
                if tell is not None:
                    tell((before + count) / whole, f"{before + count} of {whole} positions")

            try:
                found = assess(start, game.moves, player, progress=progress)
            except cn.PositionError as error:
                raise cn.PositionError(f"game {number}: {error}" if len(listed) > 1 else str(error)) from None
            done.append(Annotated(game, number, found))
            if found.interrupted:
                break
    if annotate is not None:
        try:
            annotate.write_text("\n\n".join(one.text() for one in done) + "\n", encoding="utf-8")
        except OSError as error:
            raise cn.ArgumentError(f"cannot write {annotate}: {error.strerror or error}") from None
    if as_json:
        facts = [
            {
                "number": one.number,
                "tags": one.pgn.tags,
                "position": plain(one.found.start.notation()),
                **one.found.as_dict(),
            }
            for one in done
        ]
        click.echo(json.dumps({"game": "chess", "player": player.spec, "games": facts}, indent=2))
        return
    console = make_console()
    for one in done:
        print_game(one, console, titled=bool(one.pgn.tags.get("White", "?") != "?" or len(done) > 1))
    if annotate is not None:
        console.print(f"written: {annotate}", soft_wrap=True)


def print_game(one: Annotated, console: Console, *, titled: bool) -> None:
    """Print the mistakes of a game, and how both sides have played."""
    names = players("chess")
    if titled:
        console.print(Text(f"{one.number}. {one.pgn}", style="bold"))
        console.print()
    table = _table("", "player", "move", "value", "best", "loss", "better")
    for judged in one.found.mistakes:
        table.add_row(
            say_place(one.half(judged)),
            names[judged.player],
            judged.san + judged.mark,
            say_pawns(judged.after),
            say_pawns(judged.before),
            str(judged.loss),
            numbered(judged.better, one.half(judged)),
            style=_STYLES[judged.mark],
        )
    if one.found.mistakes:
        console.print(table)
        console.print()
    sums = _table("", "moves", "mean loss", "?!", "?", "??")
    for side in ("max", "min"):
        summary = one.found.summary(side)
        mean = "" if summary.mean_loss is None else f"{summary.mean_loss:.0f}"
        marks = [str(count) for count in summary.marks.values()]
        sums.add_row(names[side], str(summary.moves), mean, *marks)
    console.print(sums)
    if not one.found.mistakes:
        console.print(Text("No mistakes were found.", style="bold"))
    if one.found.interrupted:
        console.print(Text("interrupted: what is known so far", style="dim"))
    console.print()


def _table(*headers: str) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    words = ("", "player", "move", "better")
    for header in headers:
        table.add_column(header, justify="left" if header in words else "right")
    return table
