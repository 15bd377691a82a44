"""Lines of the protocol: commands as they come in, answers as they go out."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Command:
    """One command with its arguments, and the number that its answer must carry, if there is one."""

    number: str
    name: str
    arguments: list[str]


def read_line(line: str) -> Command | None:
    """Return the command on a line; None where there is nothing but space and comments.

    Control characters vanish, and tabs are spaces.

    >>> read_line("12 play black c7  # the third row")
    Command(number='12', name='play', arguments=['black', 'c7'])
    """
    text, _, _ = line.replace("\t", " ").partition("#")
    words = "".join(sign for sign in text if sign >= " " and sign != "\x7f").split()
    number = words.pop(0) if words and words[0].isascii() and words[0].isdigit() else ""
    if not words and not number:
        return None
    return Command(number, words[0] if words else "", words[1:])


def write_answer(number: str, text: str, *, good: bool) -> str:
    """Return an answer, which ends with an empty line and has none before, in plain characters.

    >>> write_answer("12", "cannot undo", good=False)
    '?12 cannot undo\\n\\n'
    """
    plain = text.encode("ascii", "replace").decode()
    lines = [line.rstrip() for line in plain.split("\n") if line.strip()]
    several = len(lines) > 1
    first = f"{'=' if good else '?'}{number}"
    return first + ("\n" if several else " " if lines else "") + "\n".join(lines) + "\n\n"
