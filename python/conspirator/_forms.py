"""A game in two forms: by its rules, and as it is searched.

Some options concern the search and nothing else: which moves it looks at, and what it knows. A rival need not
play among those moves, so games are kept by the rules, and positions are carried over to be searched.
"""

from __future__ import annotations

from typing import Any

from conspirator import games
from conspirator._native import Position

SEARCH_ONLY: dict[str, Any] = {"width": None, "knowledge": False, "network": False}
"""Options of games that concern the search and not the rules, and their values if nothing is said."""


class Forms:
    """Both forms of a game; each is one object, so that what it learns of positions stays.

    >>> forms = Forms("amazons", {"size": 6, "width": 3})
    >>> start = forms.rules.start()
    >>> len(start.moves()), len(forms.searched(start).moves())
    (490, 3)
    """

    def __init__(self, game: str, options: dict[str, Any]) -> None:
        lawful = {name: value for name, value in options.items() if name not in SEARCH_ONLY}
        self.rules = games.make(game, **lawful)
        """The game by its rules."""
        self.swaps = bool(options.get("swap") and options.get("knowledge"))
        """Whether it is Hex with the swap rule, which knowledge knows nothing about."""
        self.learnt = bool(options.get("network"))
        """Whether a network values positions."""
        form = {**options, "swap": False} if self.swaps else options
        self._form = self.rules if lawful == form else games.make(game, **form)
        # a network ranks moves for a player, and takes too long for a proof
        aside = {name: SEARCH_ONLY[name] for name in ("width", "network") if form.get(name)}
        whole = {**form, **aside}
        self._whole = self._form if whole == form else games.make(game, **whole)
        self.proves = not form.get("width")
        """Whether what a search proves is so: none of its moves are left out but by proof."""

    def searched(self, position: Position) -> Position:
        """Return a position of the game in the form that is searched.

        Where there is a choice to swap, a network values what happens without it.
        """
        return self._in(self._form, position, swaps=not self.learnt)

    def whole(self, position: Position) -> Position:
        """Return a position in a form that leaves no move out that matters, for proofs.

        >>> forms = Forms("amazons", {"size": 6, "width": 3})
        >>> len(forms.whole(forms.rules.start()).moves())
        490
        """
        return self._in(self._whole, position, swaps=True)

    def _in(self, form: games.NativeGame, position: Position, *, swaps: bool) -> Position:
        if form is self.rules or (self.swaps and swaps and "swap" in position.moves()):
            return position
        notation = position.notation()
        return form.position(_without_swap(notation) if self.swaps else notation)


def _without_swap(notation: str) -> str:
    """Return how a position of Hex is written where nobody may swap.

    >>> _without_swap("b4 swap c3"), _without_swap("b4 c3")
    ('white d2 c3', 'b4 c3')
    """
    words = notation.split()
    if words[1:2] != ["swap"]:
        return notation
    column, row = ord(words[0][0]) - ord("a"), int(words[0][1:])
    return " ".join(["white", f"{chr(ord('a') + row - 1)}{column + 1}", *words[2:]])
