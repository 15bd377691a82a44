"""Chess, for mates: White mates 20000, Black mates -20000, stalemate 0.

A state is (64 squares from a1, whether White is to move, castling rights, square of a capture in passing or
-1). A strategy that never comes back to a position, and mates before fifty moves have passed, wins whatever
could be claimed on the way: so a state has no past, and there are no rules for other draws.
"""

from __future__ import annotations

from collections.abc import Iterator

State = tuple[str, bool, str, int]
STEPS = {"R": [(0, 1), (1, 0), (0, -1), (-1, 0)], "B": [(1, 1), (1, -1), (-1, -1), (-1, 1)]}
STEPS |= {"Q": STEPS["R"] + STEPS["B"], "K": STEPS["R"] + STEPS["B"]}
STEPS["N"] = [(x, y) for x in (-2, -1, 1, 2) for y in (-2, -1, 1, 2) if abs(x) != abs(y)]
NAMES = [file + rank for rank in "12345678" for file in "abcdefgh"]
CASTLING = {"K": (4, 6, 7, 5), "Q": (4, 2, 0, 3), "k": (60, 62, 63, 61), "q": (60, 58, 56, 59)}


class Chess:
    """The rules; a position is in Forsyth-Edwards notation."""

    repeats, middle, longest = False, 0.0, 0

    def __init__(self, options: dict[str, str]) -> None:
        if options:
            raise ValueError("chess has no options here")

    def read(self, text: str) -> State:
        """Return the state that a text describes."""
        board, mover, rights, passing, clock, _ = text.split(" ")
        squares = "".join("." * int(c) if c.isdigit() else c for c in "".join(board.split("/")[::-1]))
        if (
            set(rights) - set("KQkq-")
            or len(squares) != 64
            or set(squares) - set("KQRBNPkqrbnp.")
            or mover not in ("w", "b")
        ):
            raise ValueError("a board is 64 squares, and the player to move")
        self.longest = 99 - int(clock)
        state = squares, mover == "w", rights.strip("-"), NAMES.index(passing) if passing != "-" else -1
        if any(squares.count(king) != 1 for king in "Kk") or hit(squares, not state[1]):
            raise ValueError("one king each, and none that can be taken")
        return with_passing(state)

    def max_to_move(self, state: State) -> bool:
        """Tell whether White is to move."""
        return state[1]

    def outcome(self, state: State) -> float | None:
        """Return the value if there is no move."""
        if next(legal(state), None):
            return None
        return 0.0 if not hit(state[0], state[1]) else -20000.0 if state[1] else 20000.0

    def moves(self, state: State) -> list[tuple[str, State]]:
        """Return the moves in the order of their names, each with where it leads."""
        return sorted(legal(state))

    def play(self, state: State, move: tuple[str, State]) -> State:  # noqa: ARG002 - other games need it
        """Return the state after a move."""
        return with_passing(move[1])

    def key(self, state: State) -> State:
        """Return what tells a state apart."""
        return state


def rays(squares: str, at: int, kind: str) -> Iterator[int]:
    """Yield the squares that a piece sees, up to and with the first that is taken."""
    for right, up in STEPS[kind]:
        x, y = at % 8 + right, at // 8 + up
        while 0 <= x < 8 and 0 <= y < 8:
            yield 8 * y + x
            if squares[8 * y + x] != "." or kind in "NK":
                break
            x, y = x + right, y + up


def hit(squares: str, white: bool, at: int | None = None) -> bool:
    """Tell whether the other side attacks a square: the king's, if none is given."""
    at = squares.index("K" if white else "k") if at is None else at
    for kind in STEPS:
        if any(squares[to] == (kind.lower() if white else kind) for to in rays(squares, at, kind)):
            return True
    ahead, pawn = (at + 8, "p") if white else (at - 8, "P")
    sides = [ahead + side for side in (-1, 1) if 0 <= at % 8 + side < 8 and 0 <= ahead < 64]
    return any(squares[to] == pawn for to in sides)


def tries(state: State) -> Iterator[tuple[int, int, str]]:
    """Yield moves by the way pieces go, whatever becomes of the king."""
    squares, white, rights, passing = state
    for at, piece in enumerate(squares):
        if piece == "." or piece.isupper() != white:
            continue
        if piece in "Pp":
            step = 8 if white else -8
            goes = [at + step] if squares[at + step] == "." else []
            if goes and at // 8 == (1 if white else 6) and squares[at + 2 * step] == ".":
                goes.append(at + 2 * step)
            goes += [
                at + step + side
                for side in (-1, 1)
                if 0 <= at % 8 + side < 8
                and (at + step + side == passing or takes(squares[at + step + side], white))
            ]
            yield from ((at, to, new) for to in goes for new in ("qrbn" if to // 8 in (0, 7) else [""]))
        else:
            yield from (
                (at, to, "")
                for to in rays(squares, at, piece.upper())
                if squares[to] == "." or takes(squares[to], white)
            )
    for right in rights:
        king, to, rook, between = CASTLING[right]
        free = squares[min(king, rook) + 1 : max(king, rook)].strip(".") == ""
        if (
            right.isupper() == white
            and free
            and not any(hit(squares, white, at) for at in (king, between, to))
        ):
            yield king, to, ""


def takes(piece: str, white: bool) -> bool:
    """Tell whether a piece is the other side's."""
    return piece != "." and piece.isupper() != white


def legal(state: State) -> Iterator[tuple[str, State]]:
    """Yield the names of moves that leave the king safe, and where they lead."""
    white = state[1]
    for at, to, new in tries(state):
        board, piece = list(state[0]), state[0][at]
        board[to], board[at] = (new.upper() if white else new) or piece, "."
        if piece in "Pp" and to == state[3]:
            board[to - 8 if white else to + 8] = "."
        for king, goal, rook, between in CASTLING.values():
            if piece in "Kk" and (at, to) == (king, goal):
                board[between], board[rook] = board[rook], "."
        rights = "".join(r for r in state[2] if not {at, to} & {CASTLING[r][0], CASTLING[r][2]})
        passing = (at + to) // 2 if piece in "Pp" and abs(at - to) == 16 else -1
        if not hit("".join(board), white):
            yield NAMES[at] + NAMES[to] + new, ("".join(board), not white, rights, passing)


def with_passing(state: State) -> State:
    """Return the state without the square of a capture in passing, if there is no such capture."""
    pawn, to = "P" if state[1] else "p", NAMES[state[3]]
    found = state[3] >= 0 and any(
        name[2:] == to and state[0][NAMES.index(name[:2])] == pawn for name, _ in legal(state)
    )
    return state if found else (*state[:3], -1)
