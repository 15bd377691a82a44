"""How objects show themselves in a notebook: HTML that is whole, escaped, and without scripts."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any

import pytest

import conspirator as cn
from conspirator.figures.colours import number
from helpers import Line


class Hostile(Line):
    """Every text of it could break a page."""

    def moves(self, state: str) -> Any:
        return ["<script>", "&amp;\"'"] if len(state) < 30 else []

    def show(self, state: str) -> str:
        return "<img src=x onerror=alert(1)>"


def views() -> dict[str, Any]:
    position = Hostile().position("")
    result = cn.search(position, expansions=4)
    experiment = cn.reproduce("lister-table-3", quick=True)
    experiment.title = "<script>alert(1)</script>"
    return {
        "position": position,
        "result": result,
        "tree": result.tree,
        "solution": cn.solve(position, expansions=5),
        "report": experiment,
        "match": cn.match(["<script>=best-first:nodes=9", "B=best-first:nodes=20"], plies=1, games=2),
        "no tree": cn.search(cn.games.ConnectFour().start(), "alpha-beta", nodes=1000),
    }


VIEWS = views()
STYLE = {"style"}
"""What an element of the page itself may have."""


class Balanced(HTMLParser):
    """Checks that every tag is closed, and keeps their names and the text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.seen: set[str] = set()
        self.open: list[str] = []
        self.text = ""
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        allowed = STYLE if "svg" not in [*self.open, tag] else set(dict(attrs)) - {"style", "href"}
        assert {name for name, _ in attrs} <= allowed
        assert not any(name.startswith("on") for name, _ in attrs)
        self.seen.add(tag)
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data + " "


@pytest.mark.parametrize("name", VIEWS)
def test_views_are_whole_and_escaped(name: str) -> None:
    view = Balanced(VIEWS[name]._repr_html_())
    page = {"table", "tr", "th", "td", "p", "pre", "strong", "br", "div"}
    drawing = {"svg", "title", "text", "rect", "line", "circle", "polygon", "polyline"}
    assert view.seen <= page | drawing
    assert view.text.strip()


def test_what_is_shown() -> None:
    text = {name: Balanced(thing._repr_html_()).text for name, thing in VIEWS.items()}
    result = VIEWS["result"]
    assert " ".join(result.line) in text["result"]
    for n in range(5):
        low, high = result.interval(n)
        assert (number(low) if low == high else f"{number(low)} ... {number(high)}") in text["result"]
    assert "numbers of the search" in text["result"]
    assert "leaves that may be wrong" in text["result"]
    assert "leaves that may be wrong" in text["tree"]
    assert "leaves that may be wrong" not in text["no tree"]
    assert "agrees with the paper" in text["report"]
    assert "<script>" in text["match"]
    assert f"{len(result.tree):,}" in text["tree"]
    over = cn.games.ConnectFour().position("1212121")
    assert "over: 1023" in over._repr_html_()


def test_the_moves_of_the_root() -> None:
    """The chosen one is first and in bold; the others come by value, and what is left out is counted."""
    result = cn.search(cn.games.Chess().start(), "puct", expansions=30)
    table = result._repr_html_().split("numbers of the search")[1].split("</table>")[0]
    rows = table.split("<tr>")[1:]
    assert rows[0].startswith(f"<td><strong>{result.move}</strong></td>")
    values = [float(row.split("</td><td>")[1]) for row in rows[1:-1]]
    assert values == sorted(values, reverse=True)
    assert len(rows) == 11
    assert rows[-1].startswith("<td>10 more</td>")


def test_moves_left_out_do_not_shift_the_chosen_one() -> None:
    """An evaluator may leave moves out: places in the tree are not places among the legal moves."""
    position = cn.games.Hex(size=7).position("d4")
    result = cn.search(position, "best-first", evaluator="knowledge", expansions=20)
    assert len(result.tree.root.children) < len(position.moves())
    assert f"<strong>{result.move}</strong>" in result._repr_html_()


def test_your_own_games_are_shown_as_text() -> None:
    view = Balanced(VIEWS["position"]._repr_html_())
    assert "pre" in view.seen
    assert "svg" not in view.seen
