"""Games in Python: the user's, module:Class or path/to/file.py:Class, and open-spiel:name."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import inspect
import os
import sys
from collections.abc import Callable
from difflib import get_close_matches
from pathlib import Path
from types import ModuleType
from typing import Any

import click

import conspirator as cn

OPEN_SPIEL = "open-spiel:"
"""What the names of OpenSpiel's games begin with."""


def is_user_game(name: str) -> bool:
    """Tell whether a game's name means a class in a Python file, or a game of OpenSpiel's."""
    return ":" in name


def find_position(name: str, options: dict[str, Any], text: str | None) -> cn.Position:
    """Return the start of such a game, or the position that a text describes."""
    game = load_game(name, options)
    if name.startswith(OPEN_SPIEL):
        return game.position(text or "")
    return game.start() if text is None else game.position(read_state(text))


def load_game(name: str, options: dict[str, Any]) -> cn.Game:
    """Return such a game."""
    if name.startswith(OPEN_SPIEL):
        return _load_open_spiel(name.removeprefix(OPEN_SPIEL), dict(options))
    return load_user_game(name, options)


def _load_open_spiel(name: str, options: dict[str, Any]) -> cn.Game:
    """Return a game of OpenSpiel's; options that are not ours are its own parameters."""
    ours = {key: options.pop(key) for key in ("playouts", "seed") if key in options}
    if options:
        if "(" in name:
            raise click.UsageError(f"write the parameters of {name} in one place, not two")
        words = [f"{key}={value}" for key, value in options.items()]
        name = f"{name}({','.join(words)})"
    return cn.games.from_open_spiel(name, **ours)


def load_user_game(name: str, options: dict[str, Any]) -> cn.Game:
    """Return an object of the user's class, made with the options."""
    place, _, class_name = name.rpartition(":")
    module = _load_file(Path(place)) if place.endswith(".py") else _load_module(place)
    cls = getattr(module, class_name, None)
    if not (isinstance(cls, type) and issubclass(cls, cn.Game)):
        raise click.UsageError(
            f"there is no game class {class_name!r} in {place}{_nearest(module, class_name)}"
        )
    try:
        inspect.signature(cls).bind(**options)
    except TypeError as error:
        raise click.UsageError(f"--game-option does not fit {class_name}: {error}") from None
    return cls(**options)


def load_function(name: str) -> Callable[..., Any]:
    """Return a function of a Python file or module, written as file.py:name."""
    place, _, function = name.rpartition(":")
    if not place:
        raise click.UsageError(f"a function is written as file.py:name, not as {name!r}")
    module = _load_file(Path(place)) if place.endswith(".py") else _load_module(place)
    found = getattr(module, function, None)
    if not callable(found):
        raise click.UsageError(f"there is no function {function!r} in {place}")
    return found  # type: ignore[no-any-return]


def read_state(text: str) -> Any:
    """Return the state that a Python literal describes."""
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        raise click.UsageError(
            f"the position {text!r} is not a Python literal, such as (21, 1) or 'abc'"
        ) from None


def _load_file(path: Path) -> ModuleType:
    if not (path.is_file() and os.access(path, os.R_OK)):
        raise click.UsageError(f"there is no readable file {path}")
    # a name of its own: the user's random.py must not replace Python's
    spec = importlib.util.spec_from_file_location(f"user_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(path.parent.resolve()))  # its neighbours, as `python file.py` would find them
    sys.modules[spec.name] = module  # dataclasses and pickles look for it there
    spec.loader.exec_module(module)
    return module


def _load_module(name: str) -> ModuleType:
    sys.path.insert(0, str(Path.cwd()))  # a console script does not look here by itself
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is None or not (name + ".").startswith(error.name + "."):
            raise  # the module is there; something that it needs is not
        raise click.UsageError(f"there is no Python module {name!r}") from None
    except (ValueError, TypeError):
        raise click.UsageError(f"there cannot be a Python module {name!r}") from None


def _nearest(module: ModuleType, wanted: str) -> str:
    found = [
        name
        for name, thing in vars(module).items()
        if isinstance(thing, type) and issubclass(thing, cn.Game) and thing is not cn.Game
    ]
    near = get_close_matches(wanted, found, 1) or found[:1]
    return f"; did you mean {near[0]!r}?" if near else ": write a subclass of conspirator.Game"
