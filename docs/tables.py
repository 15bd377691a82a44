"""Write the tables of README.md and docs/*.md that follow from the code.

A table stands between `<!-- begin: NAME -->` and `<!-- end: NAME -->`. NAME is `searches`, `games`,
`players`, `parameters of SEARCH`, `options of GAME`, `evaluators of GAME`, `players of GAME`. Others are made
from stored measurements: `certainty` from evidence/certainty/; `speed` and `speed of TABLE` from
evidence/speed/bench.json, which `conspirator bench --peers --json` prints; `expansions` from
docs/data/sibling-expansions.csv, which `conspirator reproduce sibling-expansions --out docs/data` writes;
`report of NAME` is docs/data/NAME.csv as it stands; `field` and `field over all` are from
evidence/field/field.csv, which `conspirator reproduce field` writes.
Run as `python docs/tables.py`; with `--check`, exit code 1 says that a file is out of date.
"""

from __future__ import annotations

import csv
import json
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import conspirator as cn

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
MARKED = re.compile(r"<!-- begin: (?P<name>[^>]+?) -->\n(?P<body>.*?)<!-- end: (?P=name) -->", re.DOTALL)
REPORTS = (
    "lister-chess", "rivest-table-2", "rivest-beyond",
    "utgoff-figure-3", "utgoff-figure-4", "utgoff-figure-5", "utgoff-expansions",
)  # fmt: skip
SPEEDS = (
    "generate and evaluate", "best-first, 1,000 expansions", "best-first, 10,000 expansions",
    "best-first, 100,000 expansions", "alpha-beta", "random tree, conspiracy", "OpenSpiel MCTS (C++)",
    "OpenSpiel MCTS (Python)", "easyAI Negamax, its own game",
)  # fmt: skip
"""The rows of the benchmark that the first table of speeds has."""
KEPT = "moves that keep the result, by BitBully"
TABLES = ("native", "siblings", "peers", "python_games", "matches")
CERTAINTY = {
    "connect-four-random": "Connect-Four after 10 to 18 random moves",
    "connect-four": "Connect-Four, half of the moves by searches",
    "connect-four-network-random": "Connect-Four after 10 to 18 random moves, `network`",
    "connect-four-network": "Connect-Four, half of the moves by searches, `network`",
    "othello": "Othello with 12 to 16 empties",
    "othello-network": "Othello with 12 to 16 empties, `network`",
    "hex-5x5": "Hex 5x5",
    "hex-6x6": "Hex 6x6",
    "random-tree": "random trees (width 8, depth 6)",
    "chess": "chess, against 300,000 nodes",
}
"""The files of evidence/certainty that have stated probabilities against the truth."""
UNPAIRED = re.compile(r"<!-- (?:begin|end): [^>]+? -->")


class Problem(Exception):
    """Something in a file that this script cannot work with."""


def cell(text: object) -> str:
    """Return a text that stays inside one cell of a table.

    >>> cell("one|two")
    'one\\\\|two'
    """
    return str(text).replace("|", "\\|")


def table(header: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """Return a table in Markdown.

    >>> print(table(["a", "b"], [[1, 2]]), end="")
    | a | b |
    |---|---|
    | 1 | 2 |
    """
    header = list(header)
    lines = [header, *([cell(entry) for entry in row] for row in rows)]
    text = [f"| {' | '.join(line)} |" for line in lines]
    text.insert(1, "|" + "---|" * len(header))
    return "\n".join(text) + "\n"


def list_of(entries: Mapping[str, Mapping[str, Any]], kind: str, what: str) -> str:
    """Return the table of all searches or games, or of a game's evaluators."""
    return table(
        [kind, what, "source", "parameters"],
        (
            [
                f"`{name}`",
                info["summary"],
                info["paper"],
                ", ".join(f"`{key}`" for key in info["parameters"]) or "none",
            ]
            for name, info in entries.items()
        ),
    )


def parameters_of(info: Mapping[str, Any]) -> str:
    """Return the table of one search's or game's parameters."""
    if not info["parameters"]:
        return "It has no parameters.\n"

    def values(entry: Mapping[str, Any]) -> str:
        if "choices" in entry:
            return ", ".join(f'`"{choice}"`' for choice in entry["choices"])
        return f"`{entry['type']}`"

    return table(
        ["parameter", "values", "default", "meaning"],
        (
            [f"`{key}`", values(entry), f"`{text(entry['default'])}`", entry["meaning"]]
            for key, entry in info["parameters"].items()
        ),
    )


def text(value: object) -> str:
    """Return a default as it is written in Python."""
    return f'"{value}"' if isinstance(value, str) else repr(value)


def players_of(known: Mapping[str, cn.Player]) -> str:
    """Return the table of one game's players; the first plays if nothing is said."""
    return table(
        ["player", "what it is", "the same as text"],
        ([f"`{name}`", player.description, f"`{player.spec}`"] for name, player in known.items()),
    )


def all_players(games: Iterable[str]) -> str:
    """Return the table of all games with the names of their players, in order."""
    return table(
        ["game", "plays if nothing is said", "others"],
        (
            [f"`{game}`", f"`{first}`", ", ".join(f"`{name}`" for name in rest) or "none"]
            for game, (first, *rest) in ((game, cn.players(game)) for game in games)
        ),
    )


def speed() -> str:
    """Return the table of speeds: some rows of the benchmark, without their notes."""
    return rates(row for rows in bench().values() for row in rows if row["name"] in SPEEDS)


def speed_of(name: str) -> str:
    """Return one whole table of the benchmark, but for what `right_moves` shows."""
    return rates((row for row in bench()[name] if row["reference"] != KEPT), notes=True)


def right_moves() -> str:
    """Return how many moves keep the result, by search and time."""
    found: dict[str, dict[str, str]] = {}
    for row in bench()["peers"]:
        if row["reference"] == KEPT:
            search, _, time = row["name"].rpartition(", ")
            found.setdefault(search, {})[time] = f"{row['ratio']:.3f}"
    times = list(next(iter(found.values())))
    return table(
        ["search", *times], ([search, *(shares[time] for time in times)] for search, shares in found.items())
    )


def bench() -> dict[str, list[dict[str, Any]]]:
    """Return what `conspirator bench --peers --json` has measured."""
    facts = json.loads(read(ROOT / "evidence" / "speed" / "bench.json"))
    return {name: rows for name, rows in facts.items() if isinstance(rows, list)}


def rates(rows: Iterable[Mapping[str, Any]], notes: bool = False) -> str:
    """Return rows of a benchmark as a table."""
    return table(
        ["what", "rate", "compared", *(["notes"] if notes else [])],
        (
            [
                row["name"],
                f"{short(row['rate'])} {row['unit']}",
                compared(row),
                *([row["note"]] if notes else []),
            ]
            for row in rows
        ),
    )


def short(rate: float) -> str:
    """Return a rate with two or three digits.

    >>> [short(rate) for rate in (169_400_000, 5_550, 12.3, 0.5)]
    ['169 M', '5.55 k', '12.3', '0.5']
    """
    for size, letter in ((1e6, " M"), (1e3, " k")):
        if rate >= size:
            return f"{rate / size:.3g}{letter}"
    return f"{rate:.3g}"


def compared(row: Mapping[str, Any]) -> str:
    """Return a ratio in words.

    >>> compared({"ratio": 0.231, "reference": "raw"})
    '23 % of raw'
    >>> compared({"ratio": 151.4, "reference": "ours are this many times as many"})
    '151: ours are this many times as many'
    """
    if row["ratio"] is None:
        return ""
    if row["reference"] in ("raw", "all CPU time"):
        return f"{100 * row['ratio']:.2g} % of {row['reference']}"
    return (
        f"{row['ratio']:,.3g}: {row['reference']}"
        if row["ratio"] < 1000
        else (f"{round(row['ratio'], -2):,.0f}: {row['reference']}")
    )


def expansions() -> str:
    """Return the comparison of searches that prove, with one column for each set of positions."""
    with (Path(__file__).parent / "data" / "sibling-expansions.csv").open(encoding="utf-8") as file:
        lines = list(csv.DictReader(file))
    sets = list(dict.fromkeys(line["positions"] for line in lines))
    searches: dict[str, list[str]] = {}
    for line in lines:
        entry = f"{int(line['expansions']):,}"
        if line["independent"]:
            entry += f" ({int(line['independent']):,})"
        if line["open"] != "0":
            entry += f", {line['open']} open"
        searches.setdefault(f"{line['search']}, {line['form']}", []).append(entry)
    return table(["search", *sets], ([name, *entries] for name, entries in searches.items()))


def thousandths(number: str) -> str:
    """Return a share with three places.

    >>> thousandths("0.15"), thousandths("1.0"), thousandths("")
    ('.150', '1.000', '-')
    """
    try:
        return f"{float(number):.3f}".removeprefix("0")
    except ValueError:
        return "-"


def certainty() -> str:
    """Return how good stated probabilities are, from all positions that were judged."""
    rows = []
    for name, title in CERTAINTY.items():
        path = ROOT / "evidence" / "certainty" / f"{name}.csv"
        lines = [line for line in read(path).splitlines() if not line.startswith("#")]
        judged = list(csv.DictReader(lines))
        usual = "300" if any(line["expansions"] == "300" for line in judged) else "100"
        for line in judged:
            if line["expansions"] != usual:
                continue
            of = {key: thousandths(value) for key, value in line.items()}
            rows.append(
                [
                    title,
                    line["search"],
                    *(line[key] for key in ("expansions", "positions")),
                    *(of[key] for key in ("right", "stated")),
                    f"{of['ECE']} ({of['ECE by chance']})",
                    of["log loss"],
                    f"{of['AUC']} / {of['AUC of margin']}",
                    f"{of['AUC of open']} / {of['open AUC of margin']}",
                ]
            )
    return table(
        [
            *(
                "positions",
                "search",
                "expansions",
                "how many",
                "right",
                "stated",
                "ECE (by chance)",
                "log loss",
            ),
            *("AUC of P / margin", "the same, open positions"),
        ],
        rows,
    )


def report_of(name: str) -> str:
    """Return the table of an experiment, as it was saved."""
    with (Path(__file__).parent / "data" / f"{name}.csv").open(encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    return table(header, rows)


def field_rows() -> list[dict[str, str]]:
    """Return the rows of the great round robin."""
    with (ROOT / "evidence/field/field.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def rating(row: Mapping[str, str]) -> str:
    """Return an Elo rating with the half width of its interval."""
    return f"{row['Elo']} &plusmn; {row['95 %']}"


def field_first() -> str:
    """Return who is first in each game at each time, and who comes next."""
    rows = [row for row in field_rows() if row["game"] != "all"]
    kinds = dict.fromkeys((row["game"], row["ms a move"]) for row in rows)
    out = []
    for kind in kinds:
        players = [row for row in rows if (row["game"], row["ms a move"]) == kind]
        games = sum(int(row["games"].replace(",", "")) for row in players) // 2
        first = [f"`{row['player']}` {rating(row)}" for row in players[:4]]
        out.append([*kind, f"{games:,}", *first])
    return table(["game", "ms a move", "games", "first", "second", "third", "fourth"], out)


def field_over_all() -> str:
    """Return the ratings over all games."""
    rows = [row for row in field_rows() if row["game"] == "all"]
    return table(
        ["player", "Elo", "games"], ([f"`{row['player']}`", rating(row), row["games"]] for row in rows)
    )


def all_tables() -> dict[str, Callable[[], str]]:
    """Return how to make each table, by the name in its markers."""
    searches = {name: info.as_dict() for name, info in cn.searches().items()}
    games = cn.games.all_games()
    tables: dict[str, Callable[[], str]] = {
        "searches": lambda: list_of(searches, "search", "what it does"),
        "games": lambda: list_of(games, "game", "what it is"),
        "players": lambda: all_players(games),
        "speed": speed,
        "speed of right moves": right_moves,
        "expansions": expansions,
        "certainty": certainty,
        "field": field_first,
        "field over all": field_over_all,
    }
    for name in TABLES:
        tables[f"speed of {name}"] = lambda name=name: speed_of(name)  # type: ignore[misc]
    for name in REPORTS:
        tables[f"report of {name}"] = lambda name=name: report_of(name)  # type: ignore[misc]
    for name, info in searches.items():
        tables[f"parameters of {name}"] = lambda info=info: parameters_of(info)  # type: ignore[misc]
    for name, info in games.items():
        known = cn.games.make(name).evaluators
        tables[f"options of {name}"] = lambda info=info: parameters_of(info)  # type: ignore[misc]
        tables[f"evaluators of {name}"] = (
            lambda known=known: list_of(known, "evaluator", "what it does")  # type: ignore[misc]
        )
        tables[f"players of {name}"] = lambda name=name: players_of(cn.players(name))  # type: ignore[misc]
    return tables


def read(path: Path) -> str:
    """Return a file's text."""
    return path.read_text(encoding="utf-8")


def render(path: Path) -> str:
    """Return the text that a file should have."""
    tables = all_tables()
    content = read(path)

    def replace(match: re.Match[str]) -> str:
        name = match["name"]
        if name not in tables:
            raise Problem(f"{path.name}: no table is called {name!r}; known: {', '.join(tables)}")
        return f"<!-- begin: {name} -->\n{tables[name]()}<!-- end: {name} -->"

    if lost := UNPAIRED.search(MARKED.sub("", content)):
        raise Problem(f"{path.name}: {lost[0]} has no partner")
    return MARKED.sub(replace, content)


def main(arguments: list[str]) -> int:
    """Write the tables, or compare them with what would be written."""
    if arguments not in ([], ["--check"]):
        print(__doc__, file=sys.stderr)
        return 2
    try:
        old = [path for path in (README, *sorted(ROOT.glob("docs/*.md"))) if render(path) != read(path)]
        for path in old:
            if arguments:
                print(f"{path.relative_to(ROOT)} is out of date: run python docs/tables.py", file=sys.stderr)
            else:
                path.write_text(render(path), encoding="utf-8")
    except Problem as problem:
        print(f"error: {problem}", file=sys.stderr)
        return 2
    return 1 if old and arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
