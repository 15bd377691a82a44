"""A match as one HTML page that needs nothing else: tables, a figure, and all games to play through."""

from __future__ import annotations

import json
import math
from html import escape
from pathlib import Path
from typing import Any

from conspirator._errors import ArgumentError, ConspiratorError
from conspirator._html import inline, page, table
from conspirator._native import __version__
from conspirator.figures.elo import budgets, draw_ratings
from conspirator.figures.files import svg_of
from conspirator.matches.openings import replay
from conspirator.matches.ratings import likelihood_of_superiority
from conspirator.matches.standings import MatchResult
from conspirator.matches.store import Record

MOST_PICTURES = 20_000
"""Positions that are drawn; games beyond that have their moves only."""
STYLE = (Path(__file__).parent / "report.css").read_text(encoding="utf-8")
SCRIPT = (Path(__file__).parent / "report.js").read_text(encoding="utf-8")


def write_report(result: MatchResult, path: str | Path, game: Any = None) -> Path:
    """Write the page; with the game, positions are drawn."""
    path = Path(path)
    try:
        path.write_text(page_of(result, game), encoding="utf-8")
    except OSError as error:
        raise ArgumentError(f"cannot write {path}: {error.strerror or error}") from None
    return path


def page_of(result: MatchResult, game: Any = None) -> str:
    """Return the page as text.

    >>> import conspirator as cn
    >>> result = cn.match(["A=best-first:nodes=9", "<B>=best-first:nodes=99"], games=2)
    >>> page = page_of(result)
    >>> "&lt;B&gt;" in page, "<B>" in page
    (True, False)
    """
    definition = result.definition
    options = ", ".join(f"{key} {value}" for key, value in definition["game options"].items())
    title = f"{definition['game']}{f' ({options})' if options else ''}: {len(result.names)} players"
    parts = [
        f"<h1>{escape(title)}</h1>",
        f"<p>{result.games:,} of {result.planned:,} games. conspirator {escape(__version__)}.</p>",
        _test(result),
        "<h2>Ratings</h2>",
        _ratings(result),
        "<h2>Crosstable</h2>",
        "<p>Wins, losses and draws of the row's player, and how likely it is the stronger one.</p>",
        _crosstable(result),
        _figure(result),
        "<h2>Games</h2>",
        _games(result),
        "<h2>The match</h2>",
        f"<pre>{escape(json.dumps(definition, indent=2))}</pre>",
    ]
    data = json.dumps(_data(result, game), separators=(",", ":")).replace("<", "\\u003c")
    scripts = f'<script type="application/json" id="data">{data}</script>\n<script>\n{SCRIPT}</script>'
    return page(title, [*parts, scripts], STYLE)


def _test(result: MatchResult) -> str:
    verdict, test = result.verdict, result.sprt
    if verdict is None or test is None:
        return ""
    low, high = test.bounds
    words = f"Test of Elo {test.elo0:g} against {test.elo1:g}: log likelihood ratio {verdict.ratio:.2f}, "
    words += f"bounds {low:.2f} and {high:.2f}. "
    words += "Open." if verdict.accepted is None else f"Accepted: {getattr(test, verdict.accepted):g}."
    return f"<p>{escape(words)}</p>"


def _ratings(result: MatchResult) -> str:
    header = ["player", "Elo", "± 95 %", "games", "wins", "losses", "draws", "points", "seconds a move"]
    times = _seconds_a_move(result)
    rows = []
    for row in result.rows():
        s = row.score
        points = f"{100 * s.points:.1f} %" if s.games else ""
        counts = [f"{count:,}" for count in (s.games, s.wins, s.losses, s.draws)]
        time = times.get(row.place)
        seconds = "" if time is None else f"{time:.4g}"
        rows.append([row.name, f"{round(row.elo):+d}", f"{row.interval:.0f}", *counts, points, seconds])
    note = f"<p>{result.rating_note}</p>" if result.rating_note else ""
    return table(header, rows) + note


def _seconds_a_move(result: MatchResult) -> dict[int, float]:
    """Return the mean time of a move of each player, of moves that had a choice."""
    spent: dict[int, list[float]] = {}
    for record in result.records:
        for side, seconds in zip(record.statistics["side"], record.statistics["seconds"], strict=True):
            if seconds:
                spent.setdefault(record.max_player if side == "max" else record.min_player, []).append(
                    seconds
                )
    return {place: math.fsum(times) / len(times) for place, times in spent.items()}


def _crosstable(result: MatchResult) -> str:
    order = [row.place for row in result.rows()]
    pairs = result.pairs()
    rows = []
    for one in order:
        cells = [result.names[one]]
        for other in order:
            score = pairs.get((one, other)) or (-pairs[other, one] if (other, one) in pairs else None)
            words = "" if score is None else f"{score}, {100 * likelihood_of_superiority(score):.0f} %"
            cells.append(words)
        rows.append(cells)
    return table(["", *(result.names[place] for place in order)], rows)


def _figure(result: MatchResult) -> str:
    """Return Elo against the budget as SVG, where players differ by it."""
    if budgets(result) is None:
        return ""
    try:
        drawing = svg_of(draw_ratings(result), "match")
    except ArgumentError as error:
        return f"<p>{escape(str(error))}</p>"
    return f"<h2>Elo against the budget</h2>\n<figure>{inline(drawing, 'elo')}</figure>"


def _games(result: MatchResult) -> str:
    rows = []
    for record in result.records:
        names = [result.names[place] for place in (record.max_player, record.min_player)]
        ended = {1: "1-0", 0: "0-1", 0.5: "½-½"}[record.points]
        opening = str(result.openings[record.opening])
        cells = [str(record.number + 1), *names, opening, ended, str(len(record.moves)), record.reason]
        rows.append(cells)
    viewer = (
        '<div id="viewer" hidden><h3 id="title"></h3><div id="buttons"><button id="first">|&lt;</button>'
        '<button id="back">&lt;</button><button id="next">&gt;</button><button id="last">&gt;|</button>'
        '<span id="said"></span></div><pre id="board"></pre><p id="moves"></p></div>'
    )
    header = ["game", "Max", "Min", "opening", "result", "plies", "end"]
    return f'<p>Click a game to play through it.</p>{viewer}<div id="games">{table(header, rows)}</div>'


def _data(result: MatchResult, game: Any) -> list[dict[str, Any]]:
    """Return what the viewer shows: moves, what was said with each, and pictures."""
    left = MOST_PICTURES
    games = []
    for record in result.records:
        pictures = _pictures(result, record, game) if game is not None and left > 0 else []
        left -= len(pictures)
        statistics = {
            name: [_plain(value) for value in record.statistics[name]]
            for name in ("seconds", "expansions", "nodes", "value")
        }
        title = (
            f"Game {record.number + 1}: {result.names[record.max_player]} - {result.names[record.min_player]}"
        )
        games.append(
            {
                "title": title,
                "opening": list(result.openings[record.opening].moves),
                "moves": record.moves,
                "pictures": pictures,
                **statistics,
            }
        )
    return games


def _pictures(result: MatchResult, record: Record, game: Any) -> list[str]:
    opening = result.openings[record.opening]
    try:
        positions = replay(opening.start(game), [*opening.moves, *record.moves])
    except ConspiratorError:
        return []
    return [str(position) for position in positions]


def _plain(value: Any) -> Any:
    """Return a number that JSON has, or its text."""
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value
