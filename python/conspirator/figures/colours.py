"""Colours of values: white is a draw, blue is good for Max, red is good for Min."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import isfinite

LOW, MIDDLE, HIGH = (0xD6, 0x60, 0x4D), (0xF7, 0xF7, 0xF7), (0x43, 0x93, 0xC3)
"""Red, white and blue, all of them light enough for black words."""


@dataclass(frozen=True)
class Scale:
    """Which value is in the middle, and how far the colours go on both sides of it."""

    draw: float
    """The value of a draw."""
    half: float
    """What is further away than that has the colour of the end."""

    @classmethod
    def of(cls, values: Iterable[float], value_range: tuple[float, float]) -> Scale:
        """Return a scale for some values of a game; won games do not count, unless there is nothing else.

        >>> Scale.of([480, 530, 1023], (1.0, 1023.0))
        Scale(draw=512.0, half=32.0)
        """
        low, high = value_range
        draw = (low + high) / 2 if isfinite(low) and isfinite(high) else 0.0
        finite = [value for value in values if isfinite(value)]
        open_values = [value for value in finite if low < value < high]
        half = max((abs(value - draw) for value in open_values), default=0.0)
        return cls(draw, half or max((abs(value - draw) for value in finite), default=0.0) or 1.0)

    def place(self, value: float) -> float:
        """Return where a value lies, from 0 to 1.

        >>> Scale(0.0, 10.0).place(5.0), Scale(0.0, 10.0).place(float("-inf"))
        (0.75, 0.0)
        """
        return min(1.0, max(0.0, 0.5 + (value - self.draw) / (2 * self.half)))

    def colour(self, value: float) -> str:
        """Return the colour of a value, light enough for black words.

        >>> Scale(0.0, 10.0).colour(0.0), Scale(0.0, 10.0).colour(10.0)
        ('#f7f7f7', '#4393c3')
        """
        place = self.place(value)
        end, part = (HIGH, 2 * place - 1) if place >= 0.5 else (LOW, 1 - 2 * place)
        return "#" + "".join(f"{round(a + (b - a) * part):02x}" for a, b in zip(MIDDLE, end, strict=True))

    def colours(self) -> list[str]:
        """Return the colours from the least value to the greatest."""
        return [self.colour(self.draw + side * self.half) for side in (-1, 0, 1)]


def number(value: float) -> str:
    """Return a value in a few digits.

    >>> number(682.1915), number(-20000.0), number(float("inf")), number(-0.0123456)
    ('682.2', '-20000', '∞', '-0.01235')
    """
    if not isfinite(value):
        return "∞" if value > 0 else "-∞" if value < 0 else "?"
    return f"{value:.0f}" if value == round(value) and abs(value) < 1e7 else f"{value:.4g}"
