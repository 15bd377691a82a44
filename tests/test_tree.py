"""Trees and nodes: made from data, grown by a search, and looked at."""

from __future__ import annotations

import math
from typing import Any

import pytest

import conspirator as cn
import python_games
from conspirator import Tree

DATA: dict[str, Any] = {
    "value": 9,
    "children": [
        {"value": 9, "children": [{"value": 4}, {"value": 2, "terminal": True}]},
        {
            "value": 9,
            "children": [
                {"value": 9, "children": [{"value": 1, "terminal": True}, {"value": 5, "terminal": True}]},
                {"value": 7},
            ],
        },
        {"value": -3},
    ],
}
r"""The values that follow from the leaves:

            max 5
        /     |     \
    min 2   min 5   -3
    /  \     /  \
   4   [2] max 5  7
            / \
          [1] [5]
"""
TREE = Tree.from_dict(DATA, "best-first")

NODES: list[tuple[list[int], dict[str, Any]]] = [
    ([], {"id": 0, "value": 5, "is_max": True, "is_open": False, "is_solved": False}),
    ([0], {"id": 1, "value": 2, "is_max": False, "is_open": False, "is_solved": False}),
    ([1], {"id": 2, "value": 5, "is_max": False, "is_open": False, "is_solved": False}),
    ([2], {"id": 3, "value": -3, "is_max": False, "is_open": True, "is_solved": False}),
    ([0, 0], {"id": 4, "value": 4, "is_max": True, "is_open": True, "is_terminal": False}),
    ([0, 1], {"id": 5, "value": 2, "is_open": False, "is_terminal": True, "is_solved": True}),
    ([1, 0], {"id": 6, "value": 5, "is_max": True, "is_terminal": False, "is_solved": True}),
    ([1, 1], {"id": 7, "value": 7, "is_open": True}),
    ([1, 0, 1], {"id": 9, "value": 5, "is_max": False, "is_terminal": True, "is_solved": True}),
]


@pytest.mark.parametrize(("path", "facts"), NODES)
def test_node(path: list[int], facts: dict[str, Any]) -> None:
    node = TREE.node(path)
    assert {name: getattr(node, name) for name in facts} == facts
    assert node.path == path
    assert node.depth == len(path)
    assert node.place == (path[-1] if path else 0)
    assert node.line == [str(place) for place in path]
    assert node.move == (str(path[-1]) if path else None)
    assert node.tree is TREE
    assert node == TREE.node(tuple(path))
    assert hash(node) == hash(TREE.node(path))
    if path:
        assert node.parent == TREE.node(path[:-1])
        assert node in TREE.node(path[:-1]).children
        lookahead = node.value if TREE.node(path[:-1]).is_max else -node.value
        assert node.numbers == {"lookahead": lookahead}
    else:
        assert (node.parent, node.numbers) == (None, {})
    with pytest.raises(cn.ArgumentError, match="no positions"):
        _ = node.position


def test_tree() -> None:
    assert len(TREE) == 10
    assert TREE.depth_histogram() == [1, 3, 4, 2]
    assert sum(TREE.depth_histogram()) == len(TREE)
    assert TREE.root == TREE.node([])
    assert [child.path for child in TREE.root.children] == [[0], [1], [2]]
    assert TREE.node([2]).children == ()
    assert "10 nodes" in repr(TREE)
    assert repr(TREE.node([1, 0])) == "<Node [1.0] max value 5>"
    TREE.check()


@pytest.mark.parametrize(
    ("path", "words"),
    [([3], "no child 3 where there are 3"), ([2, 0], "no child 0 where there are 0"), ([-1], "child")],
)
def test_there_is_no_such_node(path: list[int], words: str) -> None:
    with pytest.raises(cn.ArgumentError, match=words):
        TREE.node(path)


@pytest.mark.parametrize("path", ["01", [0.5], None, ["0"]])
def test_a_path_is_a_list_of_numbers(path: Any) -> None:
    with pytest.raises((TypeError, cn.ArgumentError)):
        TREE.node(path)


def test_a_single_node() -> None:
    tree = Tree.from_dict({"value": 3, "to_move": "min"}, "best-first")
    assert (len(tree), tree.root.value, tree.root.is_max, tree.root.is_open) == (1, 3, False, True)
    assert Tree.from_dict({"value": 3, "terminal": True}, "best-first").root.is_solved


@pytest.mark.parametrize(("word", "value"), [("inf", math.inf), ("-inf", -math.inf), (2.5, 2.5), (7, 7)])
def test_values_as_data(word: Any, value: float) -> None:
    assert Tree.from_dict({"value": word, "terminal": True}, "best-first").root.value == value


def test_nodes_say_who_moves() -> None:
    data = {
        "value": 0,
        "to_move": "min",
        "children": [
            {"value": 0, "to_move": "min", "children": [{"value": 1}, {"value": 2}]},
            {"value": 0, "children": [{"value": 0.5}, {"value": 3}]},
        ],
    }
    tree = Tree.from_dict(data, "best-first")
    assert [tree.node(path).is_max for path in ([], [0], [1], [0, 0], [1, 0])] == [
        False,
        False,
        True,
        True,
        False,
    ]
    assert [tree.node(path).value for path in ([], [0], [1])] == [1, 1, 3]


def test_bounds_scores_and_errors_are_allowed() -> None:
    for field in ("score", "error"):
        leaf = {"value": 3, "upper": [3, 4], "lower": [3, 1], field: 0.5}
        assert Tree.from_dict({"value": 0, "children": [leaf]}, "best-first").root.value == 3


def test_a_win_solves_its_parent() -> None:
    win = {"value": "inf", "terminal": True}
    data = {"value": 0, "children": [{"value": 0}, win]}
    assert Tree.from_dict(data, "best-first").root.is_solved
    assert not Tree.from_dict(data | {"to_move": "min"}, "best-first").root.is_solved


@pytest.mark.parametrize(
    "start", [cn.games.ConnectFour().position("44"), python_games.Again().start(), python_games.Nim().start()]
)
@pytest.mark.parametrize("rule", ["best-first", cn.rules.BestFirst()])
def test_a_grown_tree_knows_its_positions(start: cn.Position, rule: Any) -> None:
    result = cn.search(start, rule, expansions=60)
    tree = result.tree
    seen = 0
    stack = [tree.root]
    while stack:
        node = stack.pop()
        stack += node.children
        seen += 1
        position = start
        for move in node.line:
            position = position.play(move)
        assert node.position == position
        assert node.is_max == (position.to_move == "max")
        assert node.is_terminal == (position.outcome is not None)
        assert node.move == (node.line[-1] if node.line else None)
        if not node.children:
            assert node.value == position.evaluate()
        else:
            assert len(node.children) == len(position.moves())
    assert seen == len(tree) == result.nodes
    assert len(tree.depth_histogram()) == result.depth + 1
    assert result.line == tree.node([position_index(start, result.move)]).line + result.line[1:]


def position_index(position: cn.Position, move: Any) -> int:
    """Return the place of a move among the legal ones."""
    return position.moves().index(move)


@pytest.mark.parametrize("rule", ["best-first", cn.rules.BestFirst()])
def test_a_result_has_one_tree(rule: Any) -> None:
    result = cn.search(cn.games.ConnectFour().start(), rule, expansions=5)
    assert result.tree.root == result.tree.root
    assert result.tree.node([3]) in result.tree.root.children
    assert result.tree.root != cn.search(cn.games.ConnectFour().start(), rule, expansions=5).tree.root


class Counting(cn.rules.BestFirst):
    """Keeps a number for every node it has seen, in a dictionary of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.born: dict[cn.Node, int] = {}

    def initialise(self, tree: cn.Tree, leaves: list[cn.Node]) -> None:
        self.born.update({leaf: len(tree) for leaf in leaves})

    def numbers(self, node: cn.Node) -> dict[str, float]:
        return {"born": self.born[node]}


def test_a_python_rule_finds_its_nodes_again() -> None:
    result = cn.search(cn.games.ConnectFour().start(), Counting(), expansions=5)
    assert result.tree.root.numbers == {"born": 1}
    assert result.tree.node([0]).numbers == {"born": 8}


def test_nodes_that_a_rule_kept_show_the_grown_tree() -> None:
    rule = Counting()
    result = cn.search(cn.games.ConnectFour().start(), rule, expansions=5)
    root = next(iter(rule.born))
    assert (root.value, len(root.children)) == (result.value, 7)


@pytest.mark.parametrize("words", ["converged", "decided"])
def test_a_rule_may_end_the_search(words: str) -> None:
    class Short(cn.rules.BestFirst):
        """Ends after three expansions."""

        def choose(self, tree: cn.Tree) -> cn.Node | str | None:
            return words if len(tree) > 21 else super().choose(tree)

    result = cn.search(cn.games.ConnectFour().start(), Short(), expansions=100)
    assert (result.status, result.limit, result.expansions) == (words, None, 3)
