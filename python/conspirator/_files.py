"""Files that are replaced whole, or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO

from conspirator._errors import ArgumentError


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
