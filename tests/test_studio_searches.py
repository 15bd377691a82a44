"""The studio's searches without a browser: slices, questions, replays, side by side, tours."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette")
pytest.importorskip("httpx")

import conspirator as cn
from studio_client import Page, Refused, make_desk, studio


@pytest.fixture
def page(tmp_path: Path) -> Iterator[Page]:
    with studio(make_desk(tmp_path)) as open_page, open_page() as page:
        page.told = page.ask("hello")
        yield page


def search(page: Page, rule: str, expansions: int, **parameters: Any) -> dict[str, Any]:
    page.ask("analyse", choice={"search": rule, "parameters": parameters}, budget={"expansions": expansions})
    page.ask("view", lane="main", left=0, right=1)
    page.until(lambda: bool(page.frames) and not page.frames[-1]["running"] and "node" in page.frames[-1])
    return page.frames[-1]


def test_slices_grow_the_tree_of_one_search(page: Page) -> None:
    head = search(page, "conspiracy", 5000)
    alone = cn.search(cn.games.ConnectFour().start(), "conspiracy", expansions=5000)
    assert (head["expansions"], head["nodes"], head["value"]) == (5000, alone.nodes, alone.value)
    assert head["move"] == alone.move
    assert sum(head["shares"]) == alone.nodes - 1


def test_a_budget_whose_rest_is_too_small_for_a_family_ends(page: Page) -> None:
    page.ask("analyse", choice={"search": "best-first"}, budget={"nodes": 1001})
    page.ask("view", lane="main")
    page.until(lambda: bool(page.frames) and not page.frames[-1]["running"] and "node" in page.frames[-1])
    assert 994 < page.frames[-1]["nodes"] <= 1001


TREES = [name for name, info in cn.searches().items() if info.tree]


@pytest.mark.parametrize("rule", TREES)
def test_every_rule_can_be_asked_and_replayed(page: Page, rule: str) -> None:
    head = search(page, rule, 60)
    assert head["node"]["kids"]
    assert page.ask("why", lane="main", path=[0])
    assert page.ask("why", lane="main", path=[])
    for kind in ("principal", "least"):
        (mark,) = page.ask("marks", lane="main", kind=kind)
        assert len(mark["line"]) == len(mark["path"]) > 0
    selected = page.ask("select", lane="main", path=head["node"]["kids"][0]["path"])
    assert selected["board"]["svg"].startswith("<svg")
    recorded = cn.search(cn.games.ConnectFour().start(), rule, expansions=60, trace=True).trace
    assert page.ask("replay", lane="main")["of"] == len(recorded)
    for step in (1, 7, 6, len(recorded)):
        said = page.ask("seek", step=step)
        assert said["leaf"] == recorded[step - 1]
        assert "chose it" not in said["why"]


def test_conspirators_are_what_the_tree_says(page: Page) -> None:
    search(page, "conspiracy", 300)
    tree = cn.search(cn.games.ConnectFour().start(), "conspiracy", expansions=300).tree
    value = tree.interval(1)[1]
    marks = page.ask("marks", lane="main", kind="conspirators", value=value)
    assert [mark["path"] for mark in marks] == [leaf.path for leaf in tree.conspirators(value) or []]


def test_what_a_result_says_of_certainty_is_shown(page: Page) -> None:
    head = search(page, "best-first", 50)
    result = cn.search(cn.games.ConnectFour().start(), "best-first", expansions=50)
    assert (head["confidence"], head["probabilities"]) == (result.confidence, result.probabilities)
    assert head["doubts"]
    marks = page.ask("marks", lane="main", kind="doubts")
    assert [mark["path"] for mark in marks] == [doubt.path for doubt in result.doubts(9)]


def test_the_chances_of_a_node_are_its_own(page: Page) -> None:
    search(page, "relevance", 300)
    page.ask("select", lane="main", path=[3])
    page.until(lambda: page.frames[-1]["node"]["path"] == [3])
    result = cn.search(cn.games.ConnectFour().start(), "relevance", expansions=300)
    likely = result.tree.node([3]).distribution
    assert likely is not None
    assert page.frames[-1]["node"]["chances"] == [list(each) for each in likely.items()]


def test_charts_have_samples(page: Page) -> None:
    search(page, "best-first", 20_000)
    said = page.ask("samples", lane="main")
    assert said["samples"][-1]["expansions"] <= 20_000
    assert len(said["moves"]) == 7
    assert sum(said["histogram"]) == page.frames[-1]["nodes"]


def test_a_search_stops_and_goes_on(page: Page) -> None:
    page.ask("analyse", choice={"search": "best-first"})
    page.ask("view", lane="main")
    page.until(lambda: len(page.frames) > 2)
    page.ask("halt", lane="main")
    page.until(lambda: not page.frames[-1]["running"])
    before = page.frames[-1]["nodes"]
    page.ask("resume", lane="main")
    page.until(lambda: page.frames[-1]["nodes"] > before)


def test_side_by_side(page: Page) -> None:
    names = page.ask(
        "compare", choices=[{"search": "best-first"}, {"search": "uct"}], budget={"expansions": 200}
    )
    for name in names:
        page.ask("view", lane=name)

    def done(name: str) -> bool:
        return any(f["lane"] == name and not f["running"] and f.get("expansions") == 200 for f in page.frames)

    page.until(lambda: all(done(name) for name in names))


@pytest.mark.parametrize("unit", ["expansions", "nodes"])
def test_sides_grow_and_go_back_in_step(page: Page, unit: str) -> None:
    rules = ("best-first", "minmax-approximation")
    choices = [{"search": rule} for rule in rules]
    names = page.ask("compare", choices=choices, budget={unit: 4000})
    page.until(lambda: all(_last(page, name).get("running") is False for name in names))
    grown = [[f[unit] for f in page.frames if f["lane"] == name] for name in names]
    if unit == "expansions":  # nearly every picture of one has its picture of the other
        assert len(set(grown[0]) ^ set(grown[1])) <= 2  # a picture that nobody had time to fetch is skipped
        assert len(set(grown[0]) & set(grown[1])) > 5
        assert len(set(grown[0])) > 3
    else:  # a family does not always fit into what is left
        assert abs(grown[0][-1] - grown[1][-1]) < 20
    page.ask("sides", step=30)
    for name, rule in zip(names, rules, strict=True):
        page.until(lambda name=name: _last(page, name)["expansions"] == 30)  # type: ignore[misc]
        alone = cn.search(cn.games.ConnectFour().start(), rule, expansions=30, trace=True)
        assert _last(page, name)["replay"]["leaf"] == alone.trace[-1]
        assert _last(page, name)["value"] == alone.value
    page.ask("sides", step="go")  # from where the searches stood, not from where they were shown
    page.until(lambda: all(_last(page, name)[unit] > 7900 for name in names))


def test_sides_stop_together(page: Page) -> None:
    names = page.ask("compare", choices=[{"search": "best-first"}, {"search": "uct"}], budget=None)
    page.until(lambda: all(_last(page, name).get("expansions", 0) > 100 for name in names))
    page.ask("sides", step="halt")
    page.until(lambda: all(not _last(page, name)["running"] for name in names))
    one, other = (_last(page, name)["expansions"] for name in names)
    assert one == other
    with pytest.raises(Refused, match="whole number"):
        page.ask("sides", step="<script>")


def _last(page: Page, lane: str) -> dict[str, Any]:
    """Return the newest picture of a lane, as far as there is one."""
    found: list[dict[str, Any]] = [each for each in page.frames if each["lane"] == lane]
    return found[-1] if found else {}


def test_a_search_that_keeps_no_tree(page: Page) -> None:
    page.ask("analyse", choice={"search": "alpha-beta", "parameters": {"depth": 3}})
    page.until(lambda: any(each.get("status") for each in page.news))
    with pytest.raises(Refused, match="keeps no tree"):
        page.ask("replay", lane="main")


# tours


def test_tours_show_the_numbers_of_the_papers(page: Page) -> None:
    for tour in page.told["tours"]:
        page.ask("tour", name=tour["name"])
        for stop in range(len(tour["stops"])):
            said = page.ask("stop", stop=stop)
            assert said["text"] == tour["stops"][stop]
    page.ask("tour", name="utgoff")
    page.ask("stop", stop=4)
    page.until(lambda: page.frames[-1].get("node", {}).get("path") == [0, 0])
    assert page.frames[-1]["node"]["numbers"]["swing"] == 2
    page.ask("tour", name="rivest")
    page.ask("stop", stop=2)
    page.until(lambda: page.frames[-1]["lane"] == "tour" and page.frames[-1].get("expansions") == 3)
