"""Trees in files: save a search, load it later or elsewhere, and let it grow on.

A file is

    conspirator tree 2      the format and its version, one line
    {"game": ..., ...}      what was searched and how, as JSON, one line
    ...                     the tree, compressed with zlib: crates/core/src/search/saved.rs has its layout
    32 bytes                SHA-256 of all that comes before
"""

from __future__ import annotations

import hashlib
import json
import os
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from conspirator import _native
from conspirator._certain import AnyModel, Known
from conspirator._errors import ArgumentError
from conspirator._evaluator import AnyEvaluator, NamedEvaluator, say_evaluator
from conspirator._files import replaced
from conspirator._native import Position
from conspirator._result import Recipe, Result
from conspirator._rule import GrowthRule
from conspirator._search import Progress

MAGIC = b"conspirator tree "
VERSION = 2
_DIGEST = 32
_LONGEST_HEADER = 1 << 20
_LARGEST_TREE = 1 << 36
MOST_PACKED = 100
"""How many bytes a byte of a file may become: trees are never packed tighter, and traps always are."""


def save(result: Result, path: str | os.PathLike[str]) -> Path:
    """Write a result's tree to a file; what was there before is replaced only when all is written."""
    rule, parameters, evaluator = result._recipe
    tree = result._core.saved()
    if tree is None:
        raise ArgumentError("this search keeps no tree, so there is nothing to save: use a growing search")
    game = result.position.game
    own = _is_own(game)
    header = {
        "game": type(game).__name__ if own else game.name,
        "options": None if own else game._parameters,
        "position": str(result.position) if own else result.position.notation(),
        "search": rule if isinstance(rule, str) else None,
        "parameters": parameters if isinstance(rule, str) else {},
        "rule": None if isinstance(rule, str) else type(rule).__name__,
        "evaluator": say_evaluator(evaluator),
        "own evaluator": _is_own_evaluator(evaluator),
        "bytes": len(tree),
        "version": _native.__version__,
    }
    lines = MAGIC + str(VERSION).encode() + b"\n" + json.dumps(header, default=_plain).encode() + b"\n"
    packed = zlib.compress(tree, 6)
    if len(tree) > MOST_PACKED * len(packed):  # what is packed tighter is refused as a trap when it is read
        packed = zlib.compress(tree, 0)
    content = lines + packed
    target = Path(path)
    with replaced(target) as file:
        file.write(content + hashlib.sha256(content).digest())
    return target


def load(
    path: str | os.PathLike[str],
    /,
    *,
    position: Position | None = None,
    rule: GrowthRule | type[GrowthRule] | None = None,
    evaluator: AnyEvaluator = None,
    error_model: AnyModel = None,
    progress: Progress | None = None,
) -> Result:
    """Return a search that was saved with `Result.save`, as it was; `resume` lets it grow on.

    A game of yours, or a tree given as data, is not in the file: give the `position` that was searched. Nor
    is a growth rule of yours: give the `rule`, whose numbers are computed anew; nor an `evaluator` or an
    `error_model` of yours. The tree grows on as if it had never been saved. `progress` is told how far it
    comes, as in `cn.search`.

    >>> import conspirator as cn, tempfile
    >>> result = cn.search(cn.games.ConnectFour().start(), "conspiracy", expansions=100)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     again = cn.load(result.save(f"{folder}/opening.tree"))
    >>> again.resume(expansions=100).value == result.resume(expansions=100).value
    True
    """
    header, tree = _read_all(Path(path))
    place = _position(header, position)
    search, parameters = _rule(header, rule)
    values = _evaluator(header, evaluator)
    known = Known(place, search, values, error_model, parameters)
    core = _native.Search.restored(place, search, parameters, values, tree, known.at_once())
    return Result(place, core, Recipe(search, parameters, values), progress, error_model)


def advance(result: Result, move: Any) -> Result:
    """Return the search of the position after a move, with the part of the tree that belongs to it."""
    place = result.position.place(move)  # raises if it is no move
    position = result.position.play(move)
    if position.outcome is not None:
        raise ArgumentError(f"the game is over after {move}: nothing is left to search")
    if not result.has_tree:
        raise ArgumentError("this search keeps no tree to go on with: search the new position")
    saved = result._core.saved_below(place)
    rule, parameters, evaluator = result._recipe
    told = Known(position, rule, evaluator, result._error_model, parameters).at_once()
    if saved is None:  # nothing was expanded
        core = _native.Search(position, *result._recipe, False, told)
    else:
        core = _native.Search.restored(position, *result._recipe, saved, told)
    return Result(position, core, result._recipe, result._progress, result._error_model)


def _plain(value: Any) -> Any:
    """Return a number of NumPy's as one of Python's."""
    return value.item() if hasattr(value, "item") else str(value)


def _is_own(game: Any) -> bool:
    """Tell whether a game cannot be made again from its name and its options."""
    from conspirator.games import ExplicitTree, NativeGame

    return isinstance(game, ExplicitTree) or not isinstance(game, NativeGame)


def _is_own_evaluator(evaluator: AnyEvaluator) -> bool:
    """Tell whether an evaluator cannot be made again from its name."""
    return evaluator is not None and not isinstance(evaluator, (str, NamedEvaluator))


def _evaluator(header: Mapping[str, Any], given: AnyEvaluator) -> AnyEvaluator:
    """Return the evaluator that a tree was grown with: the one in the file, or the user's own."""
    name, own = header.get("evaluator"), header.get("own evaluator")
    if own and given is None:
        raise ArgumentError(
            f"the tree was grown with an evaluator of yours, {name}: give evaluator= to load it"
        )
    if given is not None:
        return given
    if name is not None and not isinstance(name, str):
        raise ArgumentError("the saved tree is damaged: no evaluator")
    return name


def _damaged(path: Path, what: str) -> ArgumentError:
    return ArgumentError(f"{path} is no saved tree, or it is damaged: {what}")


def _read_all(path: Path) -> tuple[Mapping[str, Any], bytes]:
    try:
        return _read(path)
    except MemoryError:
        raise ArgumentError(f"no memory for the tree of {path}") from None


def _read(path: Path) -> tuple[Mapping[str, Any], bytes]:
    """Return the header and the tree of a file, of which nothing is taken on trust."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ArgumentError(f"cannot read {path}: {error.strerror or error}") from None
    if not content.startswith(MAGIC):
        raise _damaged(path, "it does not begin like one")
    first, _, rest = content.partition(b"\n")
    if first != MAGIC + str(VERSION).encode():
        raise ArgumentError(
            f"{path} was written by another version of conspirator: this one reads version {VERSION}"
        )
    content, digest = content[:-_DIGEST], content[-_DIGEST:]
    if hashlib.sha256(content).digest() != digest:
        raise _damaged(path, "the checksum is wrong")
    line, _, body = rest[:-_DIGEST].partition(b"\n")
    try:
        if len(line) > _LONGEST_HEADER:
            raise ValueError("its header is too long")
        header = json.loads(line)
        size = header["bytes"]
        if type(size) is not int or not 0 <= size <= min(_LARGEST_TREE, MOST_PACKED * len(body)):
            raise ValueError("the size of its tree is impossible")
        inflate = zlib.decompressobj()
        tree = inflate.decompress(body, size + 1)  # no more, whatever the file says
        if len(tree) != size or not inflate.eof:
            raise ValueError("its tree is not as long as it says")
    except (ValueError, KeyError, TypeError, RecursionError, zlib.error) as error:
        raise _damaged(path, str(error)) from None
    return header, tree


def _position(header: Mapping[str, Any], given: Position | None) -> Position:
    from conspirator import games

    name, options, notation = (header.get(key) for key in ("game", "options", "position"))
    if given is not None:
        written = given.notation() if not _is_own(given.game) else str(given)
        if written != notation:
            raise ArgumentError(f"the tree was saved for another position: {notation}")
        return given
    if options is None:
        raise ArgumentError(f"the tree is of a game of yours, {name}: give position= to load it")
    if not isinstance(name, str) or not isinstance(options, dict) or not isinstance(notation, str):
        raise ArgumentError("the saved tree is damaged: no game, or no position")
    return games.make(name, **options).position(notation)


def _rule(
    header: Mapping[str, Any], given: GrowthRule | type[GrowthRule] | None
) -> tuple[str | GrowthRule, dict[str, Any]]:
    search, parameters = header.get("search"), header.get("parameters")
    if isinstance(given, type):
        given = given()
    if given is not None:
        if not isinstance(given, GrowthRule):
            raise ArgumentError(f"rule must be a growth rule, not {given!r}")
        if search is not None:
            raise ArgumentError(f"the tree was grown by {search}: it needs no rule=")
        return given, {}
    if search is None:
        raise ArgumentError(
            f"the tree was grown by a rule of yours, {header.get('rule')}: give rule= to load it"
        )
    if not isinstance(search, str) or not isinstance(parameters, dict):
        raise ArgumentError("the saved tree is damaged: no search, or no parameters")
    return search, parameters
