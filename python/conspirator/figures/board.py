"""Boards as pictures: what a position looks like to people who play the game."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from math import sqrt
from typing import Any, NamedTuple

from conspirator._errors import ArgumentError
from conspirator._native import Node, Position
from conspirator.figures.small import position_tree
from conspirator.figures.svg import ACCENT, GREY, Picture, picture, tag, words
from conspirator.games import NativeGame

CELL = 36.0
"""How wide a square is."""
EDGE = 20.0
"""Room for coordinates."""


class Marks(NamedTuple):
    """The moves to mark: the one that led to the position, and one that can be made there."""

    last: str | None = None
    move: str | None = None


class Place(NamedTuple):
    """A cell: column and row, from 0, as seen from the top left."""

    column: int
    row: int


def board(this: Position | Node, *, last: Any = None, move: Any = None) -> Picture:
    """Draw a position: a board for the games that have one, the next moves as a small tree for trees.

    Marked are `last`, the move that led there, and `move`, one that can be made. A node of a search tree
    knows its last move itself. Needs no matplotlib. Your own games have no board; notebooks show their text.

    >>> import conspirator as cn
    >>> position = cn.games.Hex(size=5).position("c3 b4")
    >>> picture = board(position, last="b4", move="c2")
    >>> picture.save("hex.svg")                                     # doctest: +SKIP
    PosixPath('hex.svg')
    """
    position = this.position if isinstance(this, Node) else this
    if isinstance(this, Node) and last is None:
        last = this.move
    name = native_name(position)
    marks = Marks(None if last is None else str(last), None)
    if move is not None:
        marks = marks._replace(move=str(position.moves()[position.place(move)]))
    if name in BOARDS:
        return BOARDS[name](position, marks)
    if name in TREES:
        return position_tree(position, move=marks.move)
    raise ArgumentError(f"there is no board for {position.game!r}: print(position) shows it as text")


def has_board(position: Position) -> bool:
    """Return whether there is a picture of this game's positions."""
    return native_name(position) in {*BOARDS, *TREES}


def native_name(position: Position) -> str | None:
    """Return the name of a game of the core; None for games in Python, whatever they are called."""
    return position.game.name if isinstance(position.game, NativeGame) else None


def player_to_move(position: Position) -> str:
    """Return who is to move, by the game's own names.

    >>> import conspirator as cn
    >>> player_to_move(cn.games.Chess().start()), player_to_move(cn.games.UniformTree().start())
    ('White (max)', 'max')
    """
    names = PLAYERS.get(native_name(position))
    return position.to_move if names is None else f"{names[position.to_move == 'min']} ({position.to_move})"


def cells(position: Position) -> list[list[str]]:
    """Return what stands on a board of rows and columns, from the top: the signs of its text."""
    lines = [line.split() for line in str(position).splitlines()]
    rows = [line[1:] for line in lines if line and line[0].isdigit() and not line[-1].isdigit()]
    return rows if rows else [line for line in lines if not line[-1].isdigit()]


def square(text: str, rows: int, *, upwards: bool) -> Place:
    """Return where a square such as 'c3' is; row 1 is at the top, or at the bottom if rows go upwards."""
    number = int(text[1:])
    return Place(ord(text[0]) - ord("a"), rows - number if upwards else number - 1)


def squares(move: str | None, size: int, count: int = 1, *, upwards: bool = True) -> list[Place]:
    """Return the squares that a move names, so many in its order; none for a pass or a swap."""
    if move is None or move in ("pass", "swap"):
        return []
    found = [square(each, size, upwards=upwards) for each in re.findall(r"[a-z]\d+", move)]
    whole = re.fullmatch(rf"([a-z]\d+-?){{{count}}}[qrbn]?", move) is not None
    if not whole or not all(0 <= x < size and 0 <= y < size for x, y in found):
        raise ArgumentError(f"{move!r} is no move of this board: write it as position.moves() does")
    return found


def middle(place: Place) -> tuple[float, float]:
    """Return the middle of a square."""
    return EDGE + (place.column + 0.5) * CELL, (place.row + 0.5) * CELL


def coordinates(rows: int, columns: int, *, upwards: bool) -> Iterator[str]:
    """Yield letters below and numbers at the left."""
    for row in range(rows):
        yield words(EDGE / 2, (row + 0.5) * CELL, rows - row if upwards else row + 1, 11, fill=GREY)
    for column in range(columns):
        yield words(EDGE + (column + 0.5) * CELL, rows * CELL + EDGE / 2, chr(97 + column), 11, fill=GREY)


def tiles(rows: int, columns: int, light: str, dark: str, tinted: list[Place]) -> Iterator[str]:
    """Yield a chequered board; squares of the last move are yellow."""
    for row in range(rows):
        for column in range(columns):
            colour = light if (row + column) % 2 == 0 else dark
            if Place(column, row) in tinted:
                colour = "#f2d75c" if (row + column) % 2 == 0 else "#d9b93b"
            yield tag("rect", x=EDGE + column * CELL, y=row * CELL, width=CELL, height=CELL, fill=colour)


def arrow(start: Place, end: Place, *, dashed: bool = False) -> str:
    """Return a line from square to square, with a point at its end."""
    (x, y), (to_x, to_y) = middle(start), middle(end)
    style = {"stroke": ACCENT, "stroke_width": 4, "stroke_opacity": 0.75, "stroke_linecap": "round"}
    line = tag(
        "line", x1=x, y1=y, x2=to_x, y2=to_y, **style, **({"stroke_dasharray": "2 8"} if dashed else {})
    )
    return line + tag("circle", cx=to_x, cy=to_y, r=6, fill=ACCENT, fill_opacity=0.75)


def glyph(place: Place, sign: str, *, white: bool) -> str:
    """Return a piece of chess: the full glyph for both colours, as outlines are hard to see."""
    x, y = middle(place)
    fill, stroke = ("#ffffff", "#222222") if white else ("#1a1a1a", "#1a1a1a")
    # the variation selector keeps browsers from drawing a pawn as a coloured sign
    return words(
        x, y, sign + "\ufe0e", 0.8 * CELL, fill=fill, stroke=stroke, stroke_width=1.2, paint_order="stroke"
    )


def disc(x: float, y: float, radius: float, fill: str, stroke: str, *, ghost: bool = False) -> str:
    """Return a stone; a ghost is one that would be placed."""
    if not ghost:
        return tag("circle", cx=x, cy=y, r=radius, fill=fill, stroke=stroke, stroke_width=1.2)
    return tag(
        "circle", cx=x, cy=y, r=radius, fill=fill, fill_opacity=0.35, stroke=ACCENT, stroke_width=2.5,
        stroke_dasharray="4 3",
    )  # fmt: skip


def dot(x: float, y: float) -> str:
    """Return the mark of the last stone."""
    return tag("circle", cx=x, cy=y, r=4.5, fill=ACCENT)


def whole(position: Position, rows: int, columns: int, parts: list[str]) -> Picture:
    """Return a board with its coordinates."""
    size = EDGE + columns * CELL + 2, rows * CELL + EDGE
    return picture(*size, parts, f"{position.game!r}: {player_to_move(position)} to move")


def chess(position: Position, marks: Marks) -> Picture:
    """Draw pieces; the last move tints its squares, a move to make is an arrow."""
    rows = cells(position)
    last = marks.last or last_of_chess(str(position.notation()))
    parts = list(tiles(8, 8, "#f0e2c6", "#b98d62", squares(last, 8, 2)))
    for y, row in enumerate(rows):
        for x, sign in enumerate(row):
            if sign != ".":
                parts.append(glyph(Place(x, y), CHESS[sign.lower()], white=sign.isupper()))
    if marks.move is not None:
        parts.append(arrow(*squares(marks.move, 8, 2)))
    return whole(position, 8, 8, [*parts, *coordinates(8, 8, upwards=True)])


CHESS = dict(zip("kqrbnp", "♚♛♜♝♞♟", strict=True))


def last_of_chess(notation: str) -> str | None:
    """Return the last move where a board's notation tells it: by its moves, or a pawn's two steps.

    >>> last_of_chess("rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 2")
    'c7c5'
    """
    board, _, moves = notation.partition(" moves ")
    if moves:
        return moves.split()[-1]
    passant = (board.split() + ["-"] * 4)[3]
    if passant == "-":
        return None
    start, end = ("7", "5") if passant[1] == "6" else ("2", "4")
    return f"{passant[0]}{start}{passant[0]}{end}"


def amazons(position: Position, marks: Marks) -> Picture:
    """Draw queens and burnt squares; a move is an arrow, and its shot a dotted one."""
    rows = cells(position)
    size = len(rows)
    parts = list(tiles(size, size, "#f0e2c6", "#d9bf95", squares(marks.last, size, 3)))
    for y, row in enumerate(rows):
        for x, sign in enumerate(row):
            if sign == "x":
                left, top = EDGE + x * CELL, y * CELL
                parts.append(
                    tag("rect", x=left + 4, y=top + 4, width=CELL - 8, height=CELL - 8, rx=4, fill="#5b5f66")
                )
                parts.append(words(left + CELL / 2, top + CELL / 2, "×", 22, fill="#c9ccd1"))
            elif sign in "WB":
                parts.append(glyph(Place(x, y), CHESS["q"], white=sign == "W"))
    if marks.move is not None:
        start, end, shot = squares(marks.move, size, 3)
        parts += [arrow(start, end), arrow(end, shot, dashed=True)]
    return whole(position, size, size, [*parts, *coordinates(size, size, upwards=True)])


def othello(position: Position, marks: Marks) -> Picture:
    """Draw discs on green; the last one has a dot."""
    rows = cells(position)
    parts = [tag("rect", x=EDGE, y=0, width=8 * CELL, height=8 * CELL, fill="#2e8b57")]
    for n in range(9):
        line = {"stroke": "#1d5c39", "stroke_width": 1}
        parts.append(tag("line", x1=EDGE + n * CELL, y1=0, x2=EDGE + n * CELL, y2=8 * CELL, **line))
        parts.append(tag("line", x1=EDGE, y1=n * CELL, x2=EDGE + 8 * CELL, y2=n * CELL, **line))
    colours = {"X": ("#111111", "#000000"), "O": ("#fafafa", "#777777")}
    for y, row in enumerate(rows):
        for x, sign in enumerate(row):
            if sign in colours:
                parts.append(disc(*middle(Place(x, y)), 0.41 * CELL, *colours[sign]))
    parts += [dot(*middle(place)) for place in squares(marks.last, 8, upwards=False)]
    ghost = colours["X" if position.to_move == "max" else "O"]
    for place in squares(marks.move, 8, upwards=False):
        parts.append(disc(*middle(place), 0.41 * CELL, *ghost, ghost=True))
    return whole(position, 8, 8, [*parts, *coordinates(8, 8, upwards=False)])


def connect_four(position: Position, marks: Marks) -> Picture:
    """Draw discs in a frame; they have letters too, as not everybody tells red from yellow."""
    rows = cells(position)
    high, wide = len(rows), len(rows[0])
    parts = [tag("rect", x=EDGE, y=0, width=wide * CELL, height=high * CELL, rx=6, fill="#2f5f9e")]
    colours = {"X": ("#d94a3d", "#8f2a21"), "O": ("#f4c430", "#a8841a"), ".": ("#e8eef6", "#24497a")}
    for y, row in enumerate(rows):
        for x, sign in enumerate(row):
            parts.append(disc(*middle(Place(x, y)), 0.4 * CELL, *colours[sign]))
            if sign != ".":
                parts.append(words(*middle(Place(x, y)), sign, 13, fill="#000000", fill_opacity=0.55))
    last, move = (column_of(name, wide) for name in marks)
    if last is not None:
        top = next((y for y in range(high) if rows[y][last] != "."), high - 1)
        across, down = middle(Place(last, top))
        parts.append(
            tag("circle", cx=across, cy=down, r=0.4 * CELL, fill="none", stroke="#ffffff", stroke_width=3)
        )
    if move is not None:
        free = max(y for y in range(high) if rows[y][move] == ".")
        ghost = colours["X" if position.to_move == "max" else "O"]
        parts.append(disc(*middle(Place(move, free)), 0.4 * CELL, *ghost, ghost=True))
    for column in range(wide):
        parts.append(words(EDGE + (column + 0.5) * CELL, high * CELL + EDGE / 2, column + 1, 11, fill=GREY))
    return whole(position, high, wide, parts)


def column_of(move: str | None, columns: int) -> int | None:
    """Return the place of a column that is named from 1."""
    if move is None:
        return None
    if not (move.isdecimal() and 1 <= int(move) <= columns):
        raise ArgumentError(f"{move!r} is no column of this board: it has 1 to {columns}")
    return int(move) - 1


def hex_radius(size: int) -> float:
    """Return from the middle of a hexagon to its corners, on a board of a size."""
    return 19.0 if size <= 13 else 15.0


def hex_centre(place: Place, size: int) -> tuple[float, float]:
    """Return the middle of a hexagon."""
    radius = hex_radius(size)
    across = (place.column + place.row / 2 + 0.5) * radius * sqrt(3)
    return 2.2 * radius + across, 2.4 * radius + place.row * 1.5 * radius


def hex_board(position: Position, marks: Marks) -> Picture:
    """Draw hexagons in a rhombus; Black's edges are above and below, White's at the sides."""
    rows = cells(position)
    size = len(rows)
    radius = hex_radius(size)
    step = radius * sqrt(3)

    def centre(place: Place) -> tuple[float, float]:
        return hex_centre(place, size)

    def corner(place: Place, n: int, far: float = 1.0) -> tuple[float, float]:
        x, y = centre(place)
        across, down = CORNERS[n]
        return x + far * across * step / 2, y + far * down * radius

    def line(places: list[Place], corners: tuple[int, ...]) -> str:
        return " ".join(
            f"{x:.4g},{y:.4g}" for x, y in (corner(place, n) for place in places for n in corners)
        )

    parts = []
    ends = range(size)
    for along, corners, colour in (
        ([Place(n, 0) for n in ends], (5, 0, 1), "#111111"),
        ([Place(n, size - 1) for n in reversed(ends)], (2, 3, 4), "#111111"),
        ([Place(0, n) for n in reversed(ends)], (3, 4, 5), "#ffffff"),
        ([Place(size - 1, n) for n in ends], (0, 1, 2), "#ffffff"),
    ):
        style = {"fill": "none", "stroke_linejoin": "round", "stroke_linecap": "round"}
        points = line(along, corners)
        parts.append(tag("polyline", points=points, stroke="#777777", stroke_width=11, **style))
        parts.append(tag("polyline", points=points, stroke=colour, stroke_width=9, **style))
    colours = {"X": ("#111111", "#000000"), "O": ("#ffffff", "#555555")}
    for y, row in enumerate(rows):
        for x, sign in enumerate(row):
            place = Place(x, y)
            parts.append(
                tag("polygon", points=line([place], (0, 1, 2, 3, 4, 5)), fill="#e9cf9d", stroke="#9a7b45")
            )
            if sign in colours:
                parts.append(disc(*centre(place), 0.66 * radius, *colours[sign]))
    parts += [dot(*centre(place)) for place in squares(marks.last, size, upwards=False)]
    ghost = colours["X" if position.to_move == "max" else "O"]
    for place in squares(marks.move, size, upwards=False):
        parts.append(disc(*centre(place), 0.66 * radius, *ghost, ghost=True))
    for n in ends:
        across, down = centre(Place(n, 0))
        parts.append(words(across - 0.2 * step, down - 1.75 * radius, chr(97 + n), 11, fill=GREY))
        across, down = centre(Place(0, n))
        parts.append(words(across - 1.05 * step, down + 0.1 * radius, n + 1, 11, fill=GREY))
    right, bottom = corner(Place(size - 1, size - 1), 1)[0], corner(Place(0, size - 1), 3)[1]
    words_of = f"{position.game!r}: {player_to_move(position)} to move"
    return picture(round(right + 10), round(bottom + 10), parts, words_of)


CORNERS = ((0.0, -1.0), (1.0, -0.5), (1.0, 0.5), (0.0, 1.0), (-1.0, 0.5), (-1.0, -0.5))
"""The corners of a hexagon, clockwise from the top, in halves of its width and height."""

BOARDS: dict[str | None, Callable[[Position, Marks], Picture]] = {
    "amazons": amazons,
    "chess": chess,
    "connect-four": connect_four,
    "hex": hex_board,
    "othello": othello,
}
"""How the board of a game is drawn."""
TREES = ("explicit-tree", "random-tree", "uniform-tree")
"""Games that are trees and nothing else."""
PLAYERS: dict[str | None, tuple[str, str]] = {
    "amazons": ("White", "Black"),
    "chess": ("White", "Black"),
    "connect-four": ("X", "O"),
    "hex": ("Black", "White"),
    "othello": ("Black", "White"),
}
"""What Max and Min are called in a game."""
