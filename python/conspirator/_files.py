"""Files that are replaced whole, or not at all."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO

from conspirator._errors import ArgumentError

_DIGEST = 32


@contextmanager
def replaced(target: Path) -> Iterator[IO[bytes]]:
    """Open a file to write; what was there before is replaced only when all is written.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with replaced(Path(folder) / "note") as file:
    ...         file.write(b"whole")
    ...     (Path(folder) / "note").read_bytes()
    5
    b'whole'
    """
    try:
        with NamedTemporaryFile(dir=target.parent, prefix=f".{target.name}.", delete=False) as file:
            try:
                yield file
                file.flush()
                os.fsync(file.fileno())
                Path(file.name).replace(target)
            except BaseException:
                Path(file.name).unlink(missing_ok=True)
                raise
    except OSError as error:
        raise ArgumentError(f"cannot write {target}: {error.strerror or error}") from None


def write_sealed(target: Path, content: bytes) -> None:
    """Write a file with its SHA-256 at the end. What was there before is replaced when all is written.

    There is one name for what is being written: who is killed while writing leaves no litter behind.
    """
    try:
        beside = target.with_name(f".{target.name}.new")
        with beside.open("wb") as file:
            file.write(content + hashlib.sha256(content).digest())
            file.flush()
            os.fsync(file.fileno())
        beside.replace(target)
    except OSError as error:
        raise ArgumentError(f"cannot write {target}: {error.strerror or error}") from None


def read_sealed(path: Path, magic: bytes, what: str) -> bytes:
    """Return what follows the first words of a file that `write_sealed` wrote; `what` it should have.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_sealed(Path(folder) / "note", b"note 1: whole")
    ...     read_sealed(Path(folder) / "note", b"note 1: ", "no note")
    b'whole'
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ArgumentError(f"cannot read {path}: {error.strerror or error}") from None
    body, digest = content[:-_DIGEST], content[-_DIGEST:]
    if not content.startswith(magic) or hashlib.sha256(body).digest() != digest:
        raise ArgumentError(f"{path} {what}, or it is damaged: give another file")
    return body[len(magic) :]
