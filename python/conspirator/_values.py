"""Values as they are typed: numbers such as 5M or 50_000, and words such as true."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

Value = bool | int | float | str | None

_FACTORS = {"k": 10**3, "M": 10**6, "G": 10**9}
_WORDS: dict[str, Value] = {
    "true": True,
    "false": False,
    "none": None,
    "inf": float("inf"),
    "-inf": float("-inf"),
}
_MOST = 2**63 - 1


def read_number(text: str) -> int | float | None:
    """Return the number that a text means, with underscores and the suffixes k, M and G; else None.

    >>> read_number("50_000"), read_number("2.5M"), read_number("0.1"), read_number("many")
    (50000, 2500000, 0.1, None)
    """
    factor = _FACTORS.get(text[-1:], 1)
    try:
        number = Decimal(text[:-1] if factor > 1 else text) * factor
    except ArithmeticError:
        return None
    if not number.is_finite():
        return None
    whole = abs(number) <= _MOST and number == int(number)
    plain = factor > 1 or "." not in text
    return int(number) if whole and plain else float(number)


def read_value(text: str) -> Value:
    """Return a setting's value: true, false, none, a number, or else the text itself.

    >>> read_value("false"), read_value("3"), read_value("0.5"), read_value("lean")
    (False, 3, 0.5, 'lean')
    """
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    number = read_number(text)
    return text if number is None else number


def say_setting(value: Any) -> str:
    """Say a value as it would be typed.

    >>> say_setting(None), say_setting(True), say_setting(0.05)
    ('none', 'true', '0.05')
    """
    return str(value).lower() if value is None or isinstance(value, bool) else str(value)
