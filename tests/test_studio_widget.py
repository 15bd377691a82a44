"""The view of a tree in notebooks."""

from __future__ import annotations

import json
import struct
from typing import Any

import pytest

import conspirator as cn
from conspirator._widget import TreeView


def head_of(data: bytes) -> dict[str, Any]:
    (length,) = struct.unpack_from("<I", data)
    head: dict[str, Any] = json.loads(data[4 : 4 + length])
    return head


@pytest.fixture
def result() -> cn.Result:
    return cn.search(cn.games.ConnectFour().start(), "minmax-approximation", expansions=200)


@pytest.mark.parametrize(
    ("asked", "path", "left"),
    [
        ({"do": "select", "path": [3, 2]}, [3, 2], 0.0),
        ({"do": "view", "left": 0.25, "right": 0.5}, [], 0.25),
        ({"do": "select", "path": [99]}, [], 0.0),
        ({"do": "select", "path": "<script>"}, [], 0.0),
        ({"do": "view", "left": 2, "right": 1}, [], 0.0),
        ("nonsense", [], 0.0),
    ],
)
def test_what_a_widget_answers(result: cn.Result, asked: Any, path: list[int], left: float) -> None:
    head = head_of(TreeView(result).answer(asked))
    assert head["node"]["path"] == path
    assert head["left"] == left
    assert (head["nodes"], head["draw"]) == (result.nodes, 512)


def test_a_result_is_a_widget_where_there_are_some(result: cn.Result) -> None:
    pytest.importorskip("anywidget")
    shown = result.widget()
    sent: list[Any] = []
    shown.send = lambda message, buffers: sent.append((message, buffers))
    shown._handle_custom_msg({"do": "view", "left": 0, "right": 1}, [])
    assert sent[0][0] == {"push": "frame"}
    assert head_of(sent[0][1][0])["rule"] == "minmax-approximation"
    assert "application/vnd.jupyter.widget-view+json" in result._repr_mimebundle_()
    assert result._repr_html_().startswith("<div")


def test_without_a_tree_there_is_no_widget() -> None:
    result = cn.search(cn.games.ConnectFour().start(), "alpha-beta", depth=3)
    assert result._repr_mimebundle_() == {}
    with pytest.raises(cn.ArgumentError):
        result.widget()
