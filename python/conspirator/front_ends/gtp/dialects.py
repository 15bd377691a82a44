"""How each game is spoken: colours, moves, sizes, results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import conspirator as cn

_NUMBERS = {str(number) for number in range(1, 100)}


@dataclass(frozen=True)
class Dialect:
    """One game as the protocol speaks of it."""

    game: str
    """Its name on the command line."""
    first: str
    """The colour of Max, who begins."""
    second: str
    """The colour of Min."""
    words: Mapping[str, str] = field(default_factory=dict)
    """Moves that are written in another way here than in the package."""
    only_size: int | None = None
    """The size of a board that has no other."""
    counts: bool = False
    """Whether a result has a margin."""
    length: float = 1.0
    """The part of the empty cells that games fill, for the clock."""

    @property
    def colours(self) -> dict[str, str]:
        """The colours of the players."""
        return {"max": self.first, "min": self.second}

    def player(self, text: str) -> str:
        """Return which player a colour is.

        >>> DIALECTS["hex"].player("B"), DIALECTS["amazons"].player("b")
        ('max', 'min')
        """
        for player, colour in self.colours.items():
            if text.lower() in (colour, colour[0]):
                return player
        raise cn.ArgumentError(f"{text!r} is no colour; say black or white")

    def read_move(self, words: Sequence[str]) -> str:
        """Return a move as the package writes it.

        >>> DIALECTS["hex"].read_move(["swap-pieces"]), DIALECTS["amazons"].read_move(["D1-D7/G7"])
        ('swap', 'd1-d7-g7')
        """
        text = "-".join(words).lower()
        if self.game == "amazons":
            text = text.replace("/", "-")
        return self.words.get(text, text)

    def write_move(self, move: str) -> str:
        """Return a move as the protocol writes it.

        >>> DIALECTS["hex"].write_move("swap")
        'swap-pieces'
        """
        return next((word for word, meaning in self.words.items() if meaning == move), move)

    def read_size(self, words: Sequence[str]) -> dict[str, int]:
        """Return the options of the game that `boardsize` asks for: one number, or two equal ones."""
        numbers = [int(word) if word in _NUMBERS else None for word in words]
        if self.only_size is not None:
            allowed: list[list[int | None]] = [[self.only_size], [self.only_size] * 2]
            if self.game == "connect-four":
                allowed[1] = [7, 6]
            if numbers not in allowed:
                raise cn.ArgumentError(f"unacceptable size; {self.game} has only {self.only_size}")
            return {}
        if not numbers or numbers[0] is None or numbers not in ([numbers[0]], [numbers[0]] * 2):
            raise cn.ArgumentError("unacceptable size; say one number, such as 8, or the same one twice")
        return {"size": numbers[0]}

    def score(self, position: cn.Position) -> str:
        """Return the result of a finished game: who won, in discs where discs count.

        >>> DIALECTS["connect-four"].score(cn.games.ConnectFour().position("1213141"))
        'B+'
        """
        value = position.outcome
        if value is None:
            raise cn.PositionError("cannot score, the game is not over")
        low, high = position.value_range
        margin = value - (low + high) / 2
        if margin == 0:
            return "0"
        return f"{self.letter('max' if margin > 0 else 'min')}+{f'{abs(margin):g}' if self.counts else ''}"

    def letter(self, player: str) -> str:
        """Return the letter of a player's colour."""
        return self.colours[player][0].upper()


DIALECTS = {
    dialect.game: dialect
    for dialect in (
        Dialect("hex", "black", "white", words={"swap-pieces": "swap"}, length=0.6),
        Dialect("othello", "black", "white", only_size=8, counts=True),
        Dialect("amazons", "white", "black"),
        Dialect("connect-four", "black", "white", only_size=7),
    )
}
"""The games that can be spoken of, by name."""
