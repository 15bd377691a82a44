"""The package's exceptions: every mistake has one type, one line of text, and the fix in it."""


class ConspiratorError(Exception):
    """The base of all errors that this package raises itself.

    >>> import conspirator as cn
    >>> try:
    ...     cn.games.ConnectFour().position("48")
    ... except cn.ConspiratorError as error:
    ...     print(type(error).__name__)
    PositionError
    """


class ArgumentError(ConspiratorError, ValueError):
    """An unknown name, a parameter of the wrong kind, a budget of nothing.

    >>> import conspirator as cn
    >>> cn.search(cn.games.ConnectFour().start(), "best-frist")
    Traceback (most recent call last):
    ...
    conspirator._errors.ArgumentError: unknown search 'best-frist'; did you mean 'best-first'?
    """


class PositionError(ConspiratorError, ValueError):
    """A position or a move that cannot be read, is impossible, or is already over."""


class GameError(ConspiratorError, RuntimeError):
    """A game, a tree given as data, or a growth rule that breaks its contract."""
