"""The same board with either side to move, as clients ask for it when they set up positions.

Hex counts stones to know whose turn it is. Where one side has more stones than turns can explain, the
position stands on a board that is one larger, or more. A row of Black's stones at the bottom and a column of
White's at the right are then the edges of the real board, and some of their cells are of no use to anybody.
Such a cell can be given to either side, so that the numbers of stones fit, and nobody's chances change:

       a b c d
     1  . . . O        3 rows and columns in 4: row 4 and column d are filled.
      2  . . . O       d4 is the corner between them, and touches no real cell.
       3  . . . O      b4 touches b3 and c3 only, which touch each other and the
        4  X . X ?     black stones a4 and c4: O on b4 is as good as X.
"""

from __future__ import annotations

from collections.abc import Iterator

import conspirator as cn
from conspirator._record import cells

_OTHER = {"max": "min", "min": "max"}
_LETTERS = {"othello": "XO", "amazons": "wb", "connect-four": "XO"}
LARGEST_HEX = 19
"""Rows of the largest board that Hex has."""


def turned(game: str, position: cn.Position, player: str, size: int = 0) -> cn.Position:
    """Return the position with a player to move; `size` is that of the real board in Hex.

    >>> hexagons = cn.games.Hex(size=3)
    >>> turned("hex", hexagons.position("a1 b2"), "min", 3).notation()
    'white b2 a1'
    >>> turned("hex", hexagons.position("a1"), "max", 3).moves() == hexagons.position("a1").moves()
    True
    """
    if position.to_move == player and (game != "hex" or not is_enlarged(position, size)):
        return position
    if game == "hex":
        return _hex(position, player, size)
    board, _, _ = str(position.notation()).rpartition(" ")
    try:
        other: cn.Position = position.game.position(f"{board} {_LETTERS[game][player == 'min']}")
        return other
    except cn.PositionError as error:
        raise cn.PositionError(f"the other side is to move, and there is no such position: {error}") from None


def is_enlarged(position: cn.Position, size: int) -> bool:
    """Tell whether a position of Hex stands on a board that is larger than the real one."""
    return len(str(position).split("\n")) - 1 > size


def picture(position: cn.Position, size: int) -> str:
    """Return the picture of the real board in Hex.

    >>> print(picture(turned("hex", cn.games.Hex(size=2).position("a1"), "max", 2), 2))
       a b
     1  X .
      2  . .
    """
    lines = str(position).split("\n")
    extra = len(lines) - 1 - size
    return "\n".join(line[: len(line) - 2 * extra] for line in lines[: size + 1])


def _hex(position: cn.Position, player: str, size: int) -> cn.Position:
    stones: dict[str, list[str]] = {"max": [], "min": []}
    for cell, sign in cells(picture(position, size)).items():
        if sign in "XO":
            stones["max" if sign == "X" else "min"].append(cell)
    while _surplus(stones, player):
        if size == LARGEST_HEX:
            raise cn.PositionError("one side has too many stones more than the other on a board of this size")
        stones = min(_edges(stones, size), key=lambda filled: _surplus(filled, player))
        size += 1  # and once more if there are still too many
    return cn.games.Hex(size=size).position(_moves(stones, player))


def _surplus(stones: dict[str, list[str]], player: str) -> int:
    """Return 0 if turns explain the stones, else by how many they do not.

    When a player is to move, the other side has as many stones or one more.
    """
    more = len(stones[_OTHER[player]]) - len(stones[player])
    return max(-more, more - 1, 0)


def _moves(stones: dict[str, list[str]], player: str) -> str:
    """Return the stones as moves in turns, after which a player is to move."""
    even = len(stones["max"]) == len(stones["min"])
    first = player if even else _OTHER[player]
    words = ["white"] if first == "min" else []
    for number, cell in enumerate(stones[first]):
        words += [cell, *stones[_OTHER[first]][number : number + 1]]
    return " ".join(words)


def _edges(stones: dict[str, list[str]], size: int) -> Iterator[dict[str, list[str]]]:
    """Yield the stones with those beside the real board, in all numbers that can be had."""
    letters = [chr(ord("a") + place) for place in range(size + 1)]
    sides = {
        "max": [f"{letter}{size + 1}" for letter in letters[:-1]],
        "min": [f"{letters[-1]}{row}" for row in range(1, size + 1)],
    }
    corner = f"{letters[-1]}{size + 1}"
    for giver in ("max", "min"):
        free = sides[giver][1::2]  # no two beside each other, nor the first, which touches the rival's edge
        for count in range(len(free) + 1):
            given = free[:count]
            kept = [cell for cell in sides[giver] if cell not in given]
            taker = _OTHER[giver]
            for side in ("max", "min"):
                yield {
                    giver: stones[giver] + kept + [corner] * (side == giver),
                    taker: stones[taker] + sides[taker] + given + [corner] * (side == taker),
                }
