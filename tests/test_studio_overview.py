"""The blocks of a tree: against the nodes themselves, one by one."""

from __future__ import annotations

import struct
from typing import Any

import pytest

import conspirator as cn
from conspirator._native import overview

MAX, TERMINAL, SOLVED, LEAF, MERGED = 1, 2, 4, 8, 16
COLUMNS = ("I", "I", "f", "f", "f", "I", "I", "I")


def blocks(tree: cn.Tree, **window: Any) -> list[dict[str, Any]]:
    data, _ = overview(tree, [], **window)
    count = len(data) // 32
    columns = [struct.unpack_from(f"<{count}{kind}", data, 4 * count * n) for n, kind in enumerate(COLUMNS)]
    names = ("parent", "place", "left", "width", "value", "size", "mark", "merged")
    return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]


def node_of(tree: cn.Tree, all_blocks: list[dict[str, Any]], block: int) -> cn.Node:
    path: list[int] = []
    while block:
        path.append(all_blocks[block]["place"])
        block = all_blocks[block]["parent"]
    return tree.node(path[::-1])


def size(node: cn.Node) -> int:
    return 1 + sum(size(child) for child in node.children)


def grown(rule: str = "best-first", expansions: int = 150, **more: Any) -> cn.Tree:
    return cn.search(cn.games.ConnectFour().position("4453"), rule, expansions=expansions, **more).tree


@pytest.mark.parametrize("rule", ["best-first", "conspiracy", "puct"])
def test_every_block_is_its_node(rule: str) -> None:
    tree = grown(rule)
    found = blocks(tree, least=1e-9, most=100_000)
    assert len(found) == len(tree)  # nothing is merged
    for number, block in enumerate(found):
        node = node_of(tree, found, number)
        assert block["size"] == size(node)
        assert block["value"] == node.value
        assert block["mark"] >> 8 == node.depth
        assert bool(block["mark"] & MAX) == node.is_max
        assert bool(block["mark"] & SOLVED) == node.is_solved
        assert bool(block["mark"] & LEAF) == (not node.children)


def test_children_fill_their_parent_in_order() -> None:
    tree = grown()
    found = blocks(tree, least=1e-9, most=100_000)
    for number, block in enumerate(found):
        family = [each for each in found[1:] if each["parent"] == number]
        if family:
            assert sum(each["width"] for each in family) == pytest.approx(block["width"], rel=1e-5)
            assert family[0]["left"] == pytest.approx(block["left"], abs=1e-6)
            assert [each["place"] for each in family] == sorted(each["place"] for each in family)


@pytest.mark.parametrize("most", [1, 8, 50, 400])
def test_narrow_blocks_are_merged_and_none_is_lost(most: int) -> None:
    tree = grown(expansions=3000)
    found = blocks(tree, least=0.02, most=most)
    assert len(found) <= max(most, 1) + 64
    for number, block in enumerate(found):
        family = [each for each in found[1:] if each["parent"] == number]
        if family:
            assert sum(each["size"] for each in family) == block["size"] - 1
            assert sum(each["merged"] for each in family) == len(node_of(tree, found, number).children)
        assert (block["merged"] > 1) == bool(block["mark"] & MERGED)


def test_a_window_shows_its_part_finer() -> None:
    tree = grown(expansions=3000)
    whole, part = blocks(tree, most=300), blocks(tree, most=300, left=0.5, right=0.52)
    assert all(block["left"] < 1 and block["left"] + block["width"] > 0 for block in part)
    before = [block for block in whole if block["left"] < 0.52 and block["left"] + block["width"] > 0.5]
    assert len(part) > len(before)


def test_shared_positions_count_once() -> None:
    tree = grown("minmax-approximation", 2000, transpositions=True)
    assert blocks(tree)[0]["size"] == len(tree)
    _, (family,) = overview(tree, [()])
    assert sum(family) == len(tree) - 1


def test_sizes_of_families() -> None:
    tree = grown()
    _, sizes = overview(tree, [(), (3,), (99,)])
    assert sizes[0] == [size(child) for child in tree.root.children]
    assert sizes[1] == [size(child) for child in tree.node((3,)).children]
    assert sizes[2] == []


@pytest.mark.parametrize(
    "window", [{"left": 1.0}, {"left": 0.5, "right": 0.5}, {"right": 2.0}, {"least": 0.0}, {"left": -1.0}]
)
def test_windows_that_are_none(window: dict[str, Any]) -> None:
    with pytest.raises(cn.ArgumentError):
        overview(grown(), [], **window)
