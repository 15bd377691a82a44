"""The built page: it is that of the sources, small, and needs nothing from elsewhere."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "python" / "conspirator" / "studio" / "page"
SOURCES = ROOT / "studio"
TOP = ("index.html", "package.json", "package-lock.json", "tsconfig.json", "vite.config.mjs", "sources.mjs")
LICENCES = {"MIT", "ISC", "BSD-3-Clause", "BSD-2-Clause", "Apache-2.0", "0BSD", "BlueOak-1.0.0"}


def files() -> list[Path]:
    return [path for path in PAGE.rglob("*") if path.is_file()]


def test_the_page_is_built_from_these_sources() -> None:
    names = sorted([*TOP, *(f"src/{path.name}" for path in (SOURCES / "src").iterdir())])
    total = hashlib.sha256()
    for name in names:
        total.update(name.encode() + b"\0" + (SOURCES / name).read_bytes() + b"\0")
    built = (PAGE / "sources.sha256").read_text(encoding="ascii").strip()
    assert built == total.hexdigest(), "the sources have changed: run `make studio`"


def test_the_page_is_small() -> None:
    assert sum(len(gzip.compress(path.read_bytes())) for path in files()) < 1_000_000


def test_the_page_asks_nobody_else() -> None:
    known = ("http://www.w3.org/",)
    for path in files():
        if path.name == "LICENSES":
            continue
        for address in re.findall(r"https?://[^\s\"'`)]+", path.read_text(encoding="utf-8")):
            assert address.startswith(known), f"{path.name} has {address}"


def test_what_is_linked_into_the_page_has_a_free_licence() -> None:
    lock = json.loads((SOURCES / "package-lock.json").read_text(encoding="utf-8"))
    linked = {name: entry for name, entry in lock["packages"].items() if name and not entry.get("dev")}
    assert linked
    for name, entry in linked.items():
        assert entry["license"] in LICENCES, name
        title = f"{name.removeprefix('node_modules/')} {entry['version']}: {entry['license']}"
        assert title in (PAGE / "LICENSES").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["index.html", "widget.js", "widget.css"])
def test_the_files_are_there(name: str) -> None:
    assert (PAGE / name).is_file()
