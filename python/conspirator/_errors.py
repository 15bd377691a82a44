"""The package's exceptions: every mistake has one type, one line of text, and the fix in it."""

LONGEST = 600
"""Characters of a message: what a user gave is told in part if it is long."""


def shortened(text: str) -> str:
    """Return a message without its middle, if it is long.

    >>> len(shortened("x" * 10**6)) == LONGEST, shortened("short")
    (True, 'short')
    """
    if len(text) <= LONGEST:
        return text
    half = (LONGEST - 5) // 2
    return f"{text[: LONGEST - 5 - half]} ... {text[-half:]}"


class ConspiratorError(Exception):
    """The base of all errors that this package raises itself.

    >>> import conspirator as cn
    >>> try:
    ...     cn.games.ConnectFour().position("48")
    ... except cn.ConspiratorError as error:
    ...     print(type(error).__name__)
    PositionError
    """

    def __init__(self, *arguments: object) -> None:
        super().__init__(*(shortened(text) if isinstance(text, str) else text for text in arguments))


class ArgumentError(ConspiratorError, ValueError):
    """An unknown name, a parameter of the wrong kind, a budget of nothing.

    >>> import conspirator as cn
    >>> cn.search(cn.games.ConnectFour().start(), "best-frist")
    Traceback (most recent call last):
    ...
    conspirator._errors.ArgumentError: unknown search 'best-frist'; did you mean 'best-first'?
    """


class PositionError(ConspiratorError, ValueError):
    """A position or a move that cannot be read, is impossible, or is already over.

    >>> import conspirator as cn
    >>> cn.games.UniformTree(width=2).start().play("7")
    Traceback (most recent call last):
    ...
    conspirator._errors.PositionError: '7' is not a legal move here; legal: 0, 1
    """


class GameError(ConspiratorError, RuntimeError):
    """A game, a tree given as data, or a growth rule that breaks its contract.

    >>> import conspirator as cn
    >>> cn.games.ExplicitTree({"children": [{}]})
    Traceback (most recent call last):
    ...
    conspirator._errors.GameError: a node without children needs a value (at node 0)
    """
