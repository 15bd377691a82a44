"""How a search learns how far its evaluator can be trusted."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any

from conspirator._errors import ArgumentError
from conspirator.certainty.model import ErrorModel, written_game

if TYPE_CHECKING:
    from conspirator import _native
    from conspirator._native import Position


AnyModel = ErrorModel | str | PathLike[str] | None
"""An error model, or the file that it is kept in; None: the one that is shipped, if there is one."""

NEED_A_MODEL = frozenset({"relevance"})
"""Searches that cannot begin without an error model; their parameter `leaves` says how they value leaves."""


class Known:
    """What is known of the evaluator of a search: a model that was given, or the one that is shipped."""

    def __init__(
        self,
        position: Position,
        rule: Any,
        evaluator: Any,
        model: AnyModel,
        settings: Mapping[str, Any] | None = None,
    ) -> None:
        self._position, self._rule, self._evaluator = position, rule, evaluator
        self._leaves = str((settings or {}).get("leaves", "static"))
        self._model = read_model(model)

    def model(self) -> ErrorModel | None:
        """Return the model; None if there is none."""
        return self._model or ErrorModel.of(self._position.game, self._evaluator)

    def told(self, leaves: str | None) -> tuple[_native.ErrorTable, float, float, float] | None:
        """Return what the core is told for leaves that are valued in this way; None if nothing is known."""
        model = self.model()
        table = None if model is None or leaves is None else model.table(leaves, self._position.to_move)
        if model is None or table is None:
            return None
        phase = float(self._position.phase)
        depends = model.depends(self._rule if isinstance(self._rule, str) else "any", phase)
        return table.native, phase, depends.siblings, depends.root

    def at_once(self) -> tuple[_native.ErrorTable, float, float, float] | None:
        """Return what the core must be told before it begins; None if it can be told when somebody asks."""
        return self.told(self._leaves) if self._rule in NEED_A_MODEL else None

    def inform(self, core: _native.Search) -> None:
        """Tell a search that is to stop when it is sure, or say why it never can be."""
        if core.leaves is None:
            raise ArgumentError("a search that keeps no tree cannot tell how sure it is: leave until= out")
        told = self.told(core.leaves)
        if told is None:
            raise ArgumentError(f"nobody knows how sure this search can be: {self.remedy()}")
        core.inform(told)

    def remedy(self) -> str:
        """Return how to get a model."""
        game = written_game(self._position.game)
        if isinstance(self._evaluator, str) and game is not None:
            game += f" --evaluator {self._evaluator!r}"
        command = f"conspirator calibrate {game or 'my_game.py:MyGame'}"
        return f"make an error model with `{command} --to model.json` and give it as error_model"


def read_model(given: AnyModel) -> ErrorModel | None:
    """Return the model that was given, read from its file if need be."""
    if given is None or isinstance(given, ErrorModel):
        return given
    if not isinstance(given, (str, PathLike)):
        raise ArgumentError(f"error_model must be a cn.ErrorModel or its file, not {type(given).__name__}")
    return _read(fspath(given))


_read = lru_cache(maxsize=8)(ErrorModel.load)
"""Players search with the same file again and again."""
