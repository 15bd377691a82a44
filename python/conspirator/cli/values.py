"""Values as click reads them: counts, times, and settings such as complete=false."""

from __future__ import annotations

from collections.abc import Sequence

import click

from conspirator._values import Value, read_number, read_value, say_setting


def read_count(context: click.Context, option: click.Parameter, text: str | None) -> int | None:
    """Read a whole number from 1 up, for click."""
    if text is None:
        return None
    number = read_number(text)
    if number is None or number < 1 or number != int(number):
        raise click.BadParameter(
            f"{text!r} is not a whole number from 1 up, such as 5000, 50_000 or 5M", context, option
        )
    return int(number)


def read_seconds(context: click.Context, option: click.Parameter, text: str | None) -> float | None:
    """Read a positive time, for click."""
    if text is None:
        return None
    number = read_number(text)
    if number is None or not 0 < number < float("inf"):
        raise click.BadParameter(
            f"{text!r} is not a positive number of seconds, such as 0.5 or 60", context, option
        )
    return float(number)


def read_settings(context: click.Context, option: click.Parameter, texts: Sequence[str]) -> dict[str, Value]:
    """Read the settings that an option was given, for click."""
    settings = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            raise click.BadParameter(f"{text!r} is not of the form name=value", context, option)
        settings[name.strip().replace("-", "_")] = read_value(value.strip())
    return settings


__all__ = ["Value", "read_count", "read_number", "read_seconds", "read_settings", "read_value", "say_setting"]
