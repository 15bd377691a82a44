"""Texts that come from outside: players, games of others, lines of protocols, explicit trees, saved files.

Each is read, or refused by one of our errors. Run it with `make fuzz`; by itself:
`python fuzz/python/texts.py -max_total_time=60`.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["conspirator"]):
    import conspirator as cn
    from conspirator._sgf import read_sgf
    from conspirator.front_ends.gtp import Server
    from conspirator.front_ends.nboard.ggf import read_game
    from conspirator.front_ends.uci import serve
    from conspirator.matches.openings import from_texts
    from conspirator.matches.tune import read_space

FOLDER = tempfile.TemporaryDirectory(prefix="conspirator-fuzz-")
SAVED = Path(FOLDER.name) / "tree.conspirator"
cn.search(cn.games.ConnectFour().start(), "best-first", expansions=20).save(SAVED)
WHOLE = SAVED.read_bytes()


def uci(text: str) -> None:
    """Obey some lines; those that would think for long think briefly."""
    brief = ("go nodes 20" if line.lstrip().startswith("go") else line for line in text.splitlines())
    serve(brief, lambda _: None)


def gtp(text: str) -> None:
    """Answer some lines; those that name files do not get to them."""
    server = Server("hex", "best-first:nodes=50")
    for line in text.splitlines():
        answer = "" if "sgf" in line else server.answer(line)
        if answer and not answer.endswith("\n\n"):
            raise AssertionError(f"no whole answer to {line!r}")


def tree(text: str) -> None:
    """Search an explicit tree."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return
    cn.search(cn.games.ExplicitTree(data).start(), "conspiracy", expansions=10)


def saved(text: str) -> None:
    """Load a file of which some bytes have changed."""
    changes = text.encode("utf-8", "surrogatepass")
    data = bytearray(WHOLE)
    for at, byte in zip(changes[::2], changes[1::2], strict=False):
        data[at * len(data) // 256] ^= byte
    SAVED.write_bytes(bytes(data))
    cn.load(SAVED).tree.check()


READERS: list[Callable[[str], object]] = [
    lambda text: cn.Player.read(text, "hex"),
    lambda text: cn.Player.read(text, "chess"),
    read_sgf,
    read_game,
    read_space,
    lambda text: from_texts(cn.games.Othello(), text.splitlines()),
    uci,
    gtp,
    tree,
    saved,
]


def one_input(data: bytes) -> None:
    """Let the first byte choose the reader, and the rest be the text."""
    if not data:
        return
    text = atheris.FuzzedDataProvider(data[1:]).ConsumeUnicode(len(data))
    try:
        READERS[data[0] % len(READERS)](text)
    except cn.ConspiratorError:
        return


if __name__ == "__main__":
    atheris.Setup(sys.argv, one_input)
    atheris.Fuzz()
