"""Collections of chess problems as EPD files, and how many of them a player solves.

A line is a board and what is known of it: `bm` the best moves, `am` moves to avoid, `dm` a mate in so many
moves, `id` a name. Collections differ in their habits, so reading is lenient: semicolons before the first
word, counters of moves, marks apart from their moves.

>>> import conspirator as cn
>>> from conspirator.epd import read_problem, solve_problem
>>> problem = read_problem('6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra8#; id "back rank";')
>>> attempt = solve_problem(problem, cn.Player("alpha-beta", nodes=1000))
>>> problem.name, attempt.move, attempt.solved
('back rank', 'Ra8#', True)
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from time import monotonic
from typing import Any

from conspirator import games
from conspirator._errors import ArgumentError, PositionError
from conspirator._line import written_line
from conspirator._native import Position
from conspirator._players import Player
from conspirator.mates import WIN, find_mate

_OPERATION = re.compile(r'\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+)|(;))')
_BOARD = re.compile(r"\s*(\S+ [wb] \S+ \S+)(?:\s+(\d+)\s+(\d+))?(?=\s|;|$)(.*)", re.DOTALL)
_MARKS = re.compile(r"^[+#!?]+$|[!?]+$")


@dataclass(frozen=True)
class Problem:
    """A position, and what should be found there."""

    name: str
    position: Position
    best: list[str] = field(default_factory=list)
    """One of these moves is wanted; they are written as people do."""
    avoid: list[str] = field(default_factory=list)
    mate: int | None = None
    """A mate in so many moves is wanted."""

    @property
    def wanted(self) -> str:
        """What is wanted, in words.

        >>> read_problem("7k/8/6K1/8/8/8/8/R7 w - - am Ra7 Ra6; dm 1;").wanted
        'mate in 1, not Ra7 Ra6'
        """
        mate = [] if self.mate is None else [f"mate in {self.mate}"]
        best = [" ".join(self.best)] if self.best else []
        return ", ".join([*mate, *best, *([f"not {' '.join(self.avoid)}"] if self.avoid else [])])


@dataclass(frozen=True)
class Attempt:
    """What a player made of a problem."""

    problem: Problem
    move: str
    """The move that was found, as people write it."""
    line: list[str]
    solved: bool
    value: float
    """From White's side."""
    mate: int | None
    """The mate that was found, in moves, if one was looked for."""
    nodes: int
    seconds: float

    def as_dict(self) -> dict[str, Any]:
        """Return everything as plain data."""
        problem = self.problem
        asked = {
            "id": problem.name,
            "position": problem.position.notation(),
            "bm": problem.best,
            "am": problem.avoid,
            "dm": problem.mate,
        }
        return {**asked, **{name: value for name, value in vars(self).items() if name != "problem"}}


def read_problem(line: str, number: int = 1) -> Problem:
    """Read one line of a collection; an error says what is wrong with it.

    >>> read_problem("7k/8/6K1/8/8/8/8/R7 w - - ; bm Ra8 + ; id M.01").best
    ['Ra8#']
    """
    found = _BOARD.match("".join(letter if letter.isprintable() else " " for letter in line))
    if found is None:
        raise PositionError(
            "this is not EPD: write a board, the player to move, castling, en passant, bm MOVE;"
        )
    board, clock, full, rest = found.groups()
    position = games.Chess().position(f"{board} {clock or 0} {full or 1}")
    known = _operations(rest)
    best, avoid = (_moves(position, known.get(code, [])) for code in ("bm", "am"))
    mate = known.get("dm", [""])[0] if known.get("dm") else None
    if mate is not None and not (mate.isdecimal() and int(mate) > 0):
        raise PositionError(f"dm is a number of moves, not {mate}")
    if position.outcome is not None:
        raise PositionError("the game is over there")
    if not best and not avoid and mate is None:
        raise PositionError("nothing is asked: write bm, am or dm")
    name = " ".join(known.get("id", [])) or str(number)
    return Problem(name, position, best, avoid, None if mate is None else int(mate))


def read_problems(path: str | PathLike[str]) -> tuple[list[Problem], dict[int, str]]:
    """Read a file: its problems, and by their numbers the lines that could not be read, with the reasons."""
    try:
        lines = Path(path).read_text(encoding="utf-8-sig", errors="replace").splitlines()
    except (OSError, ValueError) as error:
        raise ArgumentError(f"cannot read the problems {path}: {error}") from None
    problems, wrong = list[Problem](), dict[int, str]()
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            problems.append(read_problem(line, number))
        except PositionError as error:
            wrong[number] = str(error)
    if not problems:
        why = f": line {min(wrong)}: {wrong[min(wrong)]}" if wrong else ""
        raise ArgumentError(f"{path} has no problems{why}")
    return problems, wrong


def solve_problem(problem: Problem, player: Player) -> Attempt:
    """Let a player look for the move, with its budget; for a mate, that is looked for first.

    Ctrl-C ends it with a KeyboardInterrupt: half an attempt is none.
    """
    begun = monotonic()
    if problem.mate is not None:
        given = player.budget.or_else(seconds=1.0).given()
        limits = {unit: given[unit] for unit in ("seconds", "nodes") if unit in given}
        found = find_mate(problem.position, problem.mate, plies=2 * problem.mate - 1, **limits)
        if found is not None and found.wins:
            line = written_line(problem.position, found.line)
            value = WIN if problem.position.to_move == "max" else -WIN
            right = _is_right(problem, line[0]) if problem.avoid else True
            return Attempt(
                problem, line[0], line, right, value, found.moves, found.nodes, monotonic() - begun
            )
    result = player.think(problem.position)
    if result.status == "interrupted":
        raise KeyboardInterrupt
    line = written_line(problem.position, result.line or [result.move])
    solved = problem.mate is None and _is_right(problem, line[0])
    return Attempt(problem, line[0], line, solved, result.value, None, result.nodes, monotonic() - begun)


def _is_right(problem: Problem, move: str) -> bool:
    return move not in problem.avoid and (not problem.best or move in problem.best)


def _operations(text: str) -> dict[str, list[str]]:
    """Return the operands by their codes; the first of equal codes counts."""
    known: dict[str, list[str]] = {}
    words: list[str] = []
    for quoted, word, end in [*_OPERATION.findall(text), ("", "", ";")]:
        if not end:
            words.append(quoted or word)
        elif words:
            known.setdefault(words[0], words[1:])
            words = []
    return known


def _moves(position: Position, words: Sequence[str]) -> list[str]:
    """Return moves as people write them; marks and commas are left out."""
    legal = position.moves()
    moves = [_MARKS.sub("", word.strip(",")) for word in words]
    return [position.describe(legal[position.place(move)]) for move in moves if move]


__all__ = ["Attempt", "Problem", "read_problem", "read_problems", "solve_problem"]
