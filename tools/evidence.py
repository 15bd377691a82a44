"""The data behind the figures of README and docs: what there is, how to make it again, whether they agree.

    python tools/evidence.py                # lists what there is
    python tools/evidence.py run speed      # makes the files of evidence/speed again
    python tools/evidence.py check          # exit code 1 if a page and its data differ, or a figure has none

Every folder of evidence/ has a file `evidence.toml`:

    what = "one line"
    version = "0.2.0"                # of the package that made it
    machine = "2 cores, x86-64"      # what it ran on
    [files]                          # each file, with the command that makes it
    "a.json" = "conspirator ..."
    [[figures]]                      # what a page says; each name in braces is read from the data
    page = "docs/uci.md"
    says = "{points:.1f} % &plusmn; {half:.1f}"
    points = ["score", "a.pgn.gz", "positional", "points"]

The output of a command is its file, unless the command says {file}. A command in parentheses is for people:
it tells in words what was done. A *reading* is a list: `["score", FILE, PLAYER, FIELD]` of the games of a
file; `["json", FILE, KEY, ...]`, where a text that stands for a list picks the entry with that name;
`["csv", FILE, ROW, COLUMN]`, the row by its first cells.
"""

from __future__ import annotations

import csv
import gzip
import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
MOST_BYTES = 20_000_000
"""Of all data together."""
NOT_DATA = {"README.md", "evidence.toml"}
MEASURED = re.compile(
    r"&plusmn;|±|\b\d+-\d+-\d+\b|\b\d+ of \d+ (?:games|problems)|won \d+ of|\d (?:M|k) (?:nodes|lines|move)"
    r"|\b[\d.,]+ times\b|\bCPU seconds\b|\d %|\bmicroseconds\b"
)
"""What a line looks like that states a measurement."""
HEADING = re.compile(r"^#+ (?P<title>.+)$")
STORED = re.compile(r"evidence/(?P<name>[a-z0-9-]+)|<!-- begin: (?:report of|speed|expansions|evidence)")
"""Where a section says which data it rests on; some tables are made from data."""
NOT_KEPT = "were not kept"
"""The words of a section whose data is lost: a named gap."""


@dataclass(frozen=True)
class Evidence:
    """A folder of data."""

    folder: Path
    facts: dict[str, Any]

    @property
    def files(self) -> dict[str, str]:
        """The files with their commands."""
        return dict(self.facts.get("files", {}))


def load(root: Path) -> list[Evidence]:
    """Return all folders of evidence, in the order of their names."""
    found = sorted((root / "evidence").glob("*/evidence.toml"))
    return [Evidence(path.parent, tomllib.loads(path.read_text(encoding="utf-8"))) for path in found]


# Readings


def text_of(path: Path) -> str:
    """Return a file's text, unpacked."""
    if path.suffix == ".gz":
        return gzip.decompress(path.read_bytes()).decode()
    return path.read_text(encoding="utf-8")


def results_of(path: Path, player: str) -> list[float]:
    """Return the points of a player in each game of a PGN file, a list of games (CSV), or a match (JSON)."""
    text = text_of(path)
    name = path.name.removesuffix(".gz")
    if name.endswith(".json"):
        pair = json_of(path, "players", player)
        return [1.0] * pair["wins"] + [0.5] * pair["draws"] + [0.0] * pair["losses"]
    points = []
    if name.endswith(".pgn"):
        tags = re.findall(r'^\[(White|Black|Result) "(.*)"\]$', text, re.MULTILINE)
        for at in range(0, len(tags), 3):
            (_, white), (_, _), (_, result) = tags[at : at + 3]
            of_white = {"1-0": 1.0, "0-1": 0.0}.get(result, 0.5)
            points.append(of_white if white.startswith(player) else 1 - of_white)
        return points
    for line in csv.DictReader(text.splitlines()):
        if player in (line["max_player"], line["min_player"]):
            of_max = float(line["points"])
            points.append(of_max if line["max_player"] == player else 1 - of_max)
    return points


def score(path: Path, player: str, field: str) -> float:
    """Return wins, losses, draws, points in percent, or half of the 95 percent interval of them."""
    points = results_of(path, player)
    count, mean = len(points), sum(points) / len(points)
    spread = sqrt(sum((point - mean) ** 2 for point in points) / (count - 1))
    return {
        "wins": points.count(1.0),
        "losses": points.count(0.0),
        "draws": points.count(0.5),
        "games": count,
        "points": 100 * mean,
        "half": 196 * spread / sqrt(count),
    }[field]


def json_of(path: Path, *keys: str | int) -> Any:
    """Return an entry; a text picks from a list the object with that name, or of that player."""
    found: Any = json.loads(text_of(path))
    for key in keys:
        if isinstance(found, list) and isinstance(key, str):
            found = next(entry for entry in found if key in (entry.get("name"), entry.get("player")))
        else:
            found = found[key]
    return found


def csv_of(path: Path, row: str, column: str, form: str = "") -> float | str:
    """Return a cell: the row by its first cells, with commas between; `short`: .123 instead of 0.123."""
    lines = [line for line in text_of(path).splitlines() if not line.startswith("#")]
    for line in csv.DictReader(lines):
        if f"{','.join(line.values())},".startswith(f"{row},"):
            try:
                value = float(line[column])
                return f"{value:.3f}".removeprefix("0") if form == "short" else value
            except ValueError:
                return line[column]
    raise KeyError(row)


READINGS: dict[str, Callable[..., Any]] = {"score": score, "json": json_of, "csv": csv_of}


# Checks


def problems(root: Path) -> Iterator[str]:
    """Yield what is wrong, one line each."""
    known = load(root)
    total = 0
    for evidence in known:
        name = evidence.folder.name
        for key in ("what", "version", "machine", "files"):
            if not evidence.facts.get(key):
                yield f"evidence/{name}: evidence.toml has no {key}"
        there = {path.name for path in evidence.folder.iterdir()} - NOT_DATA
        total += sum((evidence.folder / file).stat().st_size for file in there)
        yield from (
            f"evidence/{name}: {file} has no command" for file in sorted(there - evidence.files.keys())
        )
        yield from (f"evidence/{name}: {file} is missing" for file in sorted(evidence.files.keys() - there))
        yield from differences(root, evidence)
    if total > MOST_BYTES:
        yield f"evidence: {total:,} bytes, more than {MOST_BYTES:,}"
    names = {evidence.folder.name for evidence in known}
    folders = {path.name for path in (root / "evidence").iterdir() if path.is_dir()}
    yield from (f"evidence/{name}: no evidence.toml" for name in sorted(folders - names))
    for page in [root / "README.md", *sorted((root / "docs").glob("*.md"))]:
        yield from unfounded(page, names)


def differences(root: Path, evidence: Evidence) -> Iterator[str]:
    """Yield the figures that a page states otherwise than the data."""
    for figure in evidence.facts.get("figures", []):
        values = {}
        for name, reading in figure.items():
            if isinstance(reading, list):
                kind, file, *keys = reading
                try:
                    values[name] = READINGS[kind](evidence.folder / file, *keys)
                except (KeyError, IndexError, OSError, StopIteration, TypeError, ZeroDivisionError) as error:
                    yield f"evidence/{evidence.folder.name}: cannot read {reading}: {error!r}"
                    return
        says = figure["says"].format(**values)
        page = root / figure["page"]
        if says not in page.read_text(encoding="utf-8"):
            yield f"{figure['page']}: does not say {says!r}, as evidence/{evidence.folder.name} has it"


def sections(page: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield the sections of a page without its examples: the title, and the lines."""
    title, lines, is_code = "", list[str](), False
    for line in page.read_text(encoding="utf-8").splitlines():
        if line.lstrip().startswith("```"):
            is_code = not is_code
        elif not is_code and (heading := HEADING.match(line)):
            yield title, lines
            title, lines = heading["title"], []
        elif not is_code:
            lines.append(line)
    yield title, lines


def unfounded(page: Path, names: set[str]) -> Iterator[str]:
    """Yield the sections that state measurements, and neither name their data nor say that there is none."""
    for title, lines in sections(page):
        text = "\n".join(lines)
        named = [match["name"] for match in STORED.finditer(text)]
        yield from (
            f"{page.name}: there is no evidence/{name}" for name in named if name and name not in names
        )
        measured = next((line for line in lines if MEASURED.search(line)), None)
        if measured is not None and not named and NOT_KEPT not in text.replace("\n", " "):
            yield f"{page.name}, {title!r}: no evidence is named for {measured.strip()[:80]!r}"


# Commands


def run(root: Path, name: str) -> int:
    """Make the files of a folder again."""
    evidence = next((entry for entry in load(root) if entry.folder.name == name), None)
    if evidence is None:
        known = ", ".join(entry.folder.name for entry in load(root))
        print(f"there is no evidence called {name!r}; known: {known}", file=sys.stderr)
        return 2
    path = os.pathsep.join([str(root / ".venv" / "bin"), os.environ.get("PATH", "")])
    for file, command in evidence.files.items():
        print(f"{file}: {command}", file=sys.stderr)
        if command.startswith("("):  # told in words
            continue
        target = evidence.folder / file
        line = command.format(file=target) if "{file}" in command else command
        done = subprocess.run(
            line, shell=True, cwd=root, env={**os.environ, "PATH": path}, stdout=subprocess.PIPE, check=False
        )
        if done.returncode:
            print(f"it ended with exit code {done.returncode}; {file} is as it was", file=sys.stderr)
            return 1
        if "{file}" not in command:
            target.write_bytes(gzip.compress(done.stdout, mtime=0) if file.endswith(".gz") else done.stdout)
    return 0


def main(arguments: list[str]) -> int:
    """List, run or check."""
    match arguments:
        case []:
            for evidence in load(ROOT):
                print(f"{evidence.folder.name:18} {evidence.facts.get('what', '')}")
            return 0
        case ["run", name]:
            return run(ROOT, name)
        case ["check"]:
            found = list(problems(ROOT))
            print("\n".join(found) if found else "every figure has its data")
            return 1 if found else 0
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
