"""How objects show themselves in a notebook: HTML that is whole, escaped, and without scripts."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any

import pytest

import conspirator as cn
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
        assert attrs == []
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
    assert view.seen <= {"table", "tr", "th", "td", "p", "pre", "strong", "br"}
    assert view.text.strip()


def test_what_is_shown() -> None:
    text = {name: Balanced(thing._repr_html_()).text for name, thing in VIEWS.items()}
    result = VIEWS["result"]
    assert " ".join(result.line) in text["result"]
    assert "if one leaf is wrong" in text["result"]
    assert "if one leaf is wrong" not in text["no tree"]
    assert "agrees with the paper" in text["report"]
    assert "<script>" in text["match"]
    assert f"{len(result.tree):,}" in text["tree"]
    over = cn.games.ConnectFour().position("1212121")
    assert "over: 1023" in over._repr_html_()
