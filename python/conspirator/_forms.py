"""A game in two forms: by its rules, and as it is searched.

Some options concern the search and nothing else: which moves it looks at, and what it knows. A rival need not
play among those moves, so games are kept by the rules, and positions are carried over to be searched.
"""

from __future__ import annotations

from typing import Any

from conspirator import games
from conspirator._native import Position

SEARCH_ONLY = ("width", "knowledge")
"""Options of games that concern the search and not the rules."""


class Forms:
    """Both forms of a game; each is one object, so that what it learns of positions stays.

    >>> forms = Forms("amazons", {"size": 6, "width": 3})
    >>> start = forms.rules.start()
    >>> len(start.moves()), len(forms.searched(start).moves())
    (490, 3)
    """

    def __init__(self, game: str, options: dict[str, Any]) -> None:
        self.form = games.make(game, **options)
        """The game as it is searched."""
        lawful = {name: value for name, value in options.items() if name not in SEARCH_ONLY}
        self.rules = self.form if lawful == options else games.make(game, **lawful)
        """The game by its rules."""

    def searched(self, position: Position) -> Position:
        """Return a position of the game in the form that is searched."""
        return position if self.rules is self.form else self.form.position(position.notation())
