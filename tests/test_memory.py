"""Memory: what a process grows by, and what happens where the machine has none left."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import conspirator as cn

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="asks the kernel of Linux")

MEMORY = 50_000_000

GROWTH = """
import json, sys
import conspirator as cn

def resident(what):
    lines = open("/proc/self/status", encoding="ascii").read().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(what))

game, search, settings, memory = json.loads(sys.argv[1])
name, options = game
position = cn.games.make(name, **options).start()
cn.search(position, search, expansions=3, **settings)  # what is there once for all
before = resident("VmRSS")
result = cn.search(position, search, memory=memory, nodes=3_000_000, **settings)
print(json.dumps([resident("VmHWM") - before, result.limit]))
"""

LIMITED = """
import json, resource, sys
import conspirator as cn

search, settings, path = json.loads(sys.argv[1])
if path is not None:
    resource.setrlimit(resource.RLIMIT_AS, (1_500_000_000, 1_500_000_000))
    try:
        cn.load(path)
        print("loaded")
    except cn.ArgumentError as error:
        print("refused" if "no memory" in str(error) else error)
else:
    resource.setrlimit(resource.RLIMIT_AS, (1_500_000_000, 1_500_000_000))
    result = cn.search(cn.games.ConnectFour().start(), search, nodes=30_000_000, **settings)
    print(result.status, result.limit, result.move in cn.games.ConnectFour().start().moves())
"""


def run(script: str, given: Any) -> str:
    """Run a script in a process of its own, and return what it prints."""
    done = subprocess.run(
        [sys.executable, "-c", script, json.dumps(given)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{given}: {done.returncode} {done.stderr[-500:]}"
    return done.stdout.strip()


FOUR: tuple[str, dict[str, Any]] = ("connect-four", {})
WIDE = ("uniform-tree", {"width": 10})
DEEP = ("uniform-tree", {"width": 1})


@pytest.mark.parametrize(
    ("game", "search", "settings"),
    [
        (FOUR, "best-first", {}),
        (FOUR, "conspiracy", {}),
        (FOUR, "conspiracy", {"transpositions": True}),
        (FOUR, "minmax-approximation", {}),
        (FOUR, "sibling-conspiracy", {"transpositions": True}),
        (FOUR, "proof-number", {}),
        (FOUR, "puct", {}),
        (FOUR, "df-pn", {}),
        (FOUR, "alpha-beta", {"table": True}),
        (WIDE, "best-first", {}),
        (WIDE, "improved-conspiracy", {}),
        (WIDE, "sibling-conspiracy", {}),
        (WIDE, "proof-number", {}),
        (DEEP, "best-first", {}),
        (DEEP, "df-pn", {}),
    ],
)
def test_the_process_grows_by_no_more_than_the_budget(
    game: tuple[str, dict[str, Any]], search: str, settings: dict[str, Any]
) -> None:
    grown, limit = json.loads(run(GROWTH, [game, search, settings, MEMORY]))
    assert grown <= 1.15 * MEMORY, f"{grown / MEMORY:.2f} times the budget"
    assert limit in ("memory", "nodes", None)


@pytest.mark.parametrize("settings", [{}, {"memory": 10**12}])
@pytest.mark.parametrize("search", ["best-first", "conspiracy", "sibling-conspiracy", "minmax-approximation"])
def test_a_machine_without_memory_still_gets_an_answer(search: str, settings: dict[str, Any]) -> None:
    assert run(LIMITED, [search, settings, None]) in ("budget memory True", "budget nodes True")


def test_a_file_that_does_not_fit_is_refused(tmp_path: Path) -> None:
    path = cn.search(cn.games.ConnectFour().start(), "conspiracy", nodes=5_000_000).save(tmp_path / "tree")
    assert run(LIMITED, ["conspiracy", {}, str(path)]) == "refused"
