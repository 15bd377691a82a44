"""`conspirator blunders`: which move of a game threw it away."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

import conspirator as cn
from conspirator._pgn import PgnGame
from conspirator._sgf import read_sgf_file
from conspirator.cli.analysis import plain
from conspirator.cli.blunders_chess import as_pgn, assess_games, read_games
from conspirator.cli.board import players
from conspirator.cli.names import EXPLICIT_TREE
from conspirator.cli.progress import ProgressBar
from conspirator.cli.request import examples, read_budget, read_parameters, read_position, request_options
from conspirator.cli.show import make_console
from conspirator.front_ends.gtp import DIALECTS
from conspirator.matches import MatchResult, Store
from conspirator.review import Judged, Review, Side, replay, review

_SCRIPTS = (".htp", ".gtp")
_STORES = (".db", ".sqlite")


@dataclass
class Played:
    """A game that is to be judged."""

    start: cn.Position
    moves: list[Any]
    winner: Side | None = None


@click.command(
    short_help="Find the move that threw a game away.",
    epilog=examples(
        "conspirator blunders hex 'a2 c2 a1 c3 a3' --game-option size=3",
        "conspirator blunders connect-four 44444365562 --seconds 0.1 --json",
        "conspirator blunders hex 'b2 c1 c2 a1 c3' --game-option size=3 --search df-pn",
        "conspirator blunders chess 'f3 e5 g4 Qh4' --nodes 10k --annotate game.pgn",
    ),
)
@request_options(proves=True, seconds_help="Budget: time for each position; 1 if none is given.")
@click.argument("source", metavar="MOVES|FILE")
@click.option(
    "--number", type=click.IntRange(1), metavar="N", help="Which game of a file: PGN, or of `match --store`."
)
@click.option(
    "--by",
    type=click.Choice(["proof", "evaluation"]),
    help="How to judge moves: by proofs, or by evaluation, the default for chess.",
)
@click.option(
    "--annotate",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="For chess: write the game as PGN with marks, better lines and losses.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object and nothing else.")
def blunders(
    source: str,
    number: int | None,
    by: str | None,
    annotate: Path | None,
    as_json: bool,
    quiet: bool,
    **options: Any,
) -> None:
    """Solve the positions of a game from the last one back; show who was winning, and the move that lost it.

    Give the game as moves with spaces or commas between them, or as a file: .sgf, a script of play commands
    (.htp, .gtp), PGN for chess, or a match (.db) with the --number of the game. The budget is for each
    position. Ctrl-C shows the answer so far.

    Chess games are judged by evaluation instead: the loss of each move in centipawns, with ?! from 50, ? from
    100 and ?? from 300.
    """
    chess = options["game"] == "chess"
    by = by or ("evaluation" if chess else "proof")
    if by == "evaluation" and not chess:
        raise click.UsageError("--by evaluation is for chess, whose values are centipawns: leave it out")
    if annotate is not None and by == "proof":
        raise click.UsageError("--annotate writes games of chess that are judged by evaluation")
    if by == "evaluation":
        if annotate is not None and not annotate.parent.is_dir():
            raise click.UsageError(f"cannot write {annotate}: there is no folder {annotate.parent}")
        listed, starts = _chess_games(source, number, options)
        assess_games(listed, starts, options, annotate=annotate, as_json=as_json, quiet=quiet)
        return
    played = read_game(source, number, options)
    budget = read_budget(options).or_else(seconds=1.0)
    with ProgressBar(wanted=not (quiet or as_json)) as tell:

        def progress(done: int, whole: int) -> None:
            if tell is not None:
                tell(done / whole, f"{done} of {whole} positions")

        found = review(
            played.start,
            played.moves,
            winner=played.winner,
            search=options["search"],
            evaluator=options["evaluator"],
            progress=progress,
            budget=budget,
            **read_parameters(options),
        )
    if as_json:
        facts = {
            "game": options["game"],
            "position": plain(played.start.notation()),
            "answer": say(found, players(options["game"])),
            **found.as_dict(),
        }
        click.echo(json.dumps(facts, indent=2))
    else:
        if chess:
            written = [_written(judged, found.start, played.moves) for judged in found.moves]
            found = replace(found, moves=written)
        print_review(found, players(options["game"]), make_console())


def _chess_games(
    source: str, number: int | None, options: dict[str, Any]
) -> tuple[list[tuple[int, PgnGame]], list[cn.Position]]:
    """Return the games of chess that the user means, and where they begin."""
    if Path(source).suffix.lower() == ".pgn":
        if options["position"] is not None:
            raise click.UsageError(f"{source} says where its games begin: leave out --position")
        listed = read_games(Path(source), number)
        return listed, [game.start(**options["game_options"]) for _, game in listed]
    played = read_game(source, number, options)
    replay(played.start, played.moves)  # or an error
    return [(number or 1, as_pgn(played.start, played.moves))], [played.start]


def _written(judged: Judged, start: cn.Position, moves: list[Any]) -> Judged:
    """Return a judged move as people write it."""
    for move in moves[: judged.number - 1]:
        start = start.play(move)
    better = None if judged.better is None else start.describe(judged.better)
    return replace(judged, move=start.describe(judged.move), better=better)


def read_game(source: str, number: int | None, options: dict[str, Any]) -> Played:
    """Return the game that the user means."""
    path = Path(source)
    if number is not None and path.suffix not in _STORES:
        raise click.UsageError(f"--number goes with games in a file ({', '.join(_STORES)}; .pgn for chess)")
    if path.suffix.lower() == ".pgn":
        raise click.UsageError(
            f"{source} is PGN, which is read for chess by evaluation: give the moves instead"
        )
    if options["tree"] is not None or options["game"] == EXPLICIT_TREE:
        raise click.UsageError(f"{EXPLICIT_TREE} has no games to look back at")
    if path.suffix in _STORES:
        return _from_store(path, number or 1, options)
    if path.suffix in (".sgf", *_SCRIPTS) and options["game"] not in DIALECTS:
        raise click.UsageError(
            f"{source} has colours, and {options['game']} none here: give the moves instead"
        )
    if path.suffix == ".sgf":
        game = read_sgf_file(path)
        if any(game.setup.values()):
            raise click.UsageError(f"{source} begins with stones that were set up: give the moves instead")
        size = {} if game.size is None else {"size": game.size}
        played = _begin(options, size)
        played.moves = _coloured(played.start, game.moves, options["game"])
    elif path.suffix in _SCRIPTS:
        played = _begin(options)
        played.moves = _coloured(played.start, read_script(path), options["game"])
    else:
        played = _begin(options)
        played.moves = read_moves(played.start, source)
    return played


def read_moves(start: cn.Position, text: str) -> list[Any]:
    """Return the moves of a text; letters without spaces are moves where words are not.

    >>> read_moves(cn.games.ConnectFour().start(), "44 5"), read_moves(cn.games.Hex().start(), "a1,b2")
    (['4', '4', '5'], ['a1', 'b2'])
    """
    moves, position = list[Any](), start
    for word in text.split():
        for part in _parts(word, {str(move) for move in position.moves()}):
            moves.append({str(move): move for move in position.moves()}.get(part, part))
            try:
                position = position.play(moves[-1])
            except cn.PositionError:
                return moves  # the review says which is wrong
    return moves


def _parts(word: str, legal: set[str]) -> list[str]:
    """Return the moves in a word: itself, or what is between commas, or its letters."""
    if word in legal:
        return [word]
    if "," in word:
        return [part for part in word.split(",") if part]
    return list(word) if set(word) <= legal else [word]


def read_script(path: Path) -> list[tuple[str, str]]:
    """Return the colours and moves of the play commands in a file."""
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except (OSError, ValueError) as error:
        raise cn.ArgumentError(f"cannot read the game {path}: {error}") from None
    words = (line.partition("#")[0].split() for line in lines)
    named = (found[1:] if found[:1] and found[0].isdecimal() else found for found in words)
    steps = [
        (found[1].lower(), "-".join(found[2:]).lower())
        for found in named
        if found[:1] == ["play"] and found[2:]
    ]
    if not steps:
        raise cn.ArgumentError(f"{path} has no moves: a line is, for instance, play black c7")
    return steps


def _coloured(start: cn.Position, steps: Sequence[tuple[str, str]], game: str) -> list[str]:
    """Return moves that have colours, after a look at whose turn it is."""
    if game not in DIALECTS:
        raise click.UsageError(
            f"{game} is not written with colours: give the moves, with spaces between them"
        )
    dialect, position, moves = DIALECTS[game], start, list[str]()
    for number, (colour, word) in enumerate(steps, 1):
        move = dialect.read_move([word])
        if move == "resign":
            break
        if position.to_move != dialect.player(colour):
            raise cn.PositionError(f"move {number}, {colour} {word}, is not {colour}'s turn")
        moves.append(move)
        if position.outcome is None and move in position.moves():
            position = position.play(move)
    return moves


def _begin(options: dict[str, Any], more: dict[str, Any] | None = None) -> Played:
    given = {**(more or {}), **options["game_options"]}
    return Played(read_position({**options, "game_options": given}), [])


def _from_store(path: Path, number: int, options: dict[str, Any]) -> Played:
    with Store.open(path) as store:
        result = MatchResult.read(store)
    name = result.definition["game"]
    if name != options["game"]:
        raise click.UsageError(f"{path} has games of {name}, not of {options['game']}")
    record = next((record for record in result.records if record.number == number - 1), None)
    if record is None:
        raise click.UsageError(f"{path} has no game {number}; {result.games} have been played")
    opening = result.openings[record.opening]
    settings = {**result.definition["game options"], **options["game_options"]}
    played = _begin({**options, "game_options": settings, "position": opening.notation})
    played.moves = read_moves(played.start, " ".join([*opening.moves, *record.moves]))
    played.winner = {1.0: "max", 0.0: "min"}.get(record.points)  # type: ignore[assignment]
    return played


def say(found: Review, names: dict[str, str]) -> str:
    """Say in a sentence how the game was lost."""
    decisive, between = found.decisive, found.between
    if decisive is not None:
        better = f"; {decisive.better} was right" if decisive.better else ""
        return (
            f"{names[decisive.player]} threw it away with move {decisive.number}, {decisive.move}: "
            f"{decisive.before} before it, {decisive.after} after it{better}."
        )
    if between is not None:
        loser = names["min" if found.winner == "max" else "max"]
        return f"{loser} threw a win away between moves {between[0]} and {between[1]}."
    if any(None in (judged.before, judged.after) for judged in found.moves):
        return "No move is known to have thrown it away."
    return "No move threw anything away."


def print_review(found: Review, names: dict[str, str], console: Console) -> None:
    """Print a line for each move, and the answer."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for header in ("", "player", "move", "before", "after", ""):
        table.add_column(header, justify="right" if not header and not table.columns else "left")
    decisive = found.decisive
    for judged in found.moves:
        note = ""
        if judged.blunder:
            note = f"blunder: {judged.better} was right" if judged.better else "blunder"
        style = "bold red" if judged == decisive else "yellow" if judged.blunder else ""
        words = (judged.before or "unknown", judged.after or "unknown")
        table.add_row(str(judged.number), names[judged.player], judged.move, *words, note, style=style)
    console.print(table)
    console.print()
    if found.interrupted:
        console.print(Text("interrupted: what is known so far", style="dim"))
    console.print(Text(say(found, names), style="bold"))
