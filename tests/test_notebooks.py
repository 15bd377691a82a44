"""The notebooks of examples/: they run, and what stands in them is what comes out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from helpers import HERE

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")
pytest.importorskip("matplotlib")

NOTEBOOKS = sorted((HERE.parent / "examples").glob("*.ipynb"))
MOST_BYTES = 250_000


def texts(notebook: Any) -> list[tuple[int, str]]:
    """Return what the cells say, as text or as tables; drawings depend on matplotlib's version."""
    found = []
    for place, cell in enumerate(notebook.cells):
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if "image/svg+xml" not in data:
                text = output.get("text") or data.get("text/html") or data["text/plain"]
                found.append((place, text))
    return found


def test_there_are_four() -> None:
    stems = [path.stem for path in NOTEBOOKS]
    assert stems == ["a-match", "a-position", "your-own-game", "your-own-network"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_are_small_and_whole(path: Path) -> None:
    data = json.loads(path.read_text(encoding="utf-8"))
    assert path.stat().st_size < MOST_BYTES
    code = [cell for cell in data["cells"] if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in code] == list(range(1, len(code) + 1))
    assert {output["output_type"] for cell in code for output in cell["outputs"]} <= {
        "execute_result", "stream",
    }  # fmt: skip


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_say_what_they_say(path: Path) -> None:
    written = nbformat.read(path, as_version=4)
    run = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(run, timeout=600, kernel_name="python3").execute()
    assert texts(run) == texts(written)
    assert len(texts(run)) >= 3
