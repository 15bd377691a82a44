"""Boards as SVG: everything that stands on a board is drawn, at its place, and moves are marked."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import conspirator as cn
from conspirator.figures import Picture, board
from conspirator.figures.board import BOARDS, TREES, cells, last_of_chess
from conspirator.figures.small import position_tree, search_tree
from conspirator.figures.svg import ACCENT
from helpers import Line, is_one_line

SVG = "{http://www.w3.org/2000/svg}"
DATA = {"value": 0, "children": [{"value": 3, "children": [{"value": -2}, {"value": "inf"}]}, {"value": 5}]}


def elements(picture: Picture, name: str) -> list[dict[str, str]]:
    return [dict(each.attrib) for each in ElementTree.fromstring(picture.text).iter(SVG + name)]


def texts(picture: Picture) -> list[str]:
    return [each.text or "" for each in ElementTree.fromstring(picture.text).iter(SVG + "text")]


def played(game: Any, count: int) -> cn.Position:
    """Return a position after some moves, not all of them the first."""
    position: cn.Position = game.start()
    for ply in range(count):
        moves = position.moves()
        if not moves:
            break
        position = position.play(moves[(7 * ply + 3) % len(moves)])
    return position


def test_every_game_has_a_picture() -> None:
    """A game that is added to the core needs one here, too."""
    assert {*BOARDS, *TREES} == {*cn.games.all_games(), "explicit-tree"}


@pytest.mark.parametrize("name", cn.games.all_games())
@pytest.mark.parametrize("count", [0, 1, 12, 1000])
def test_positions_draw_themselves(name: str, count: int) -> None:
    if name == "uniform-tree" and count == 1000:
        count = 100
    view = played(cn.games.make(name), count)._repr_html_()
    assert view.startswith("<svg ")
    assert "<pre>" not in view
    ElementTree.fromstring(view[: view.index("</svg>") + 6])


@pytest.mark.parametrize("count", [0, 1, 12, 1000])
@pytest.mark.parametrize(
    ("game", "fills"),
    [
        (cn.games.Hex(size=5), {"X": "#111111", "O": "#ffffff"}),
        (cn.games.Hex(size=19), {"X": "#111111", "O": "#ffffff"}),
        (cn.games.Othello(), {"X": "#111111", "O": "#fafafa"}),
        (cn.games.ConnectFour(), {"X": "#d94a3d", "O": "#f4c430", ".": "#e8eef6"}),
    ],
)
def test_stones(game: Any, fills: dict[str, str], count: int) -> None:
    position = played(game, count)
    signs = Counter(sign for row in cells(position) for sign in row)
    drawn = Counter(each["fill"] for each in elements(board(position), "circle"))
    assert {sign: drawn[fill] for sign, fill in fills.items()} == {sign: signs[sign] for sign in fills}
    assert sum(drawn.values()) == sum(signs[sign] for sign in fills)
    if game.name == "hex":
        assert len(elements(board(position), "polygon")) == game._complete()["size"] ** 2


@pytest.mark.parametrize("count", [0, 1, 12, 1000])
def test_pieces(count: int) -> None:
    signs = dict(zip("kqrbnp", "♚♛♜♝♞♟", strict=True))
    position = played(cn.games.Chess(), count)
    # one text each, and none of them twice at one place
    pieces = [sign for row in cells(position) for sign in row if sign != "."]
    drawn = Counter(text[0] for text in texts(board(position)) if text[0] in signs.values())
    assert drawn == Counter(signs[piece.lower()] for piece in pieces)
    fields = str(position).splitlines()[0].split()[1:]
    assert cells(position)[0] == fields


@pytest.mark.parametrize("size", [4, 6, 10])
def test_amazons_and_arrows(size: int) -> None:
    position = played(cn.games.Amazons(size=size), 5)
    signs = Counter(sign for row in cells(position) for sign in row)
    drawn = Counter(texts(board(position)))
    assert drawn["♛\ufe0e"] == signs["W"] + signs["B"]
    assert drawn["×"] == signs["x"] > 0


@pytest.mark.parametrize(
    ("position", "last", "move", "places"),
    [  # the middles of what is marked, in squares from the top left; first the last move, then the next one
        (cn.games.Othello().position("f5d6c3"), "c3", "d3", [(2.5, 2.5), (3.5, 2.5)]),
        (cn.games.Chess().position("g1f3"), None, "e7e5", [(4.5, 3.5)]),
        (cn.games.Chess().position("g1f3"), None, "Nc6", [(2.5, 2.5)]),
        (cn.games.ConnectFour().position("4453"), None, "4", [(3.5, 3.5)]),
        (cn.games.Amazons(size=5).start(), None, "b1-b3-d3", [(1.5, 2.5), (3.5, 2.5)]),
    ],
)
def test_marks(position: cn.Position, last: str | None, move: str, places: list[tuple[float, float]]) -> None:
    def marked(each: dict[str, str]) -> bool:
        return ACCENT in (each.get("fill"), each.get("stroke"))

    drawn = filter(marked, elements(board(position, last=last, move=move), "circle"))
    found = [((float(each["cx"]) - 20) / 36, float(each["cy"]) / 36) for each in drawn]
    assert [pytest.approx(place) for place in places] == found
    assert not any(map(marked, elements(board(position), "circle")))


def test_the_last_move_is_known_to_nodes_and_to_some_boards_of_chess() -> None:
    result = cn.search(cn.games.Othello().start(), expansions=5)
    node = result.tree.root.children[2]
    assert board(node).text == board(node.position, last=node.move).text != board(node.position).text
    position = cn.games.Chess().start()
    for move in ("g1f3", "g8f6", "f3g1", "f6g8"):
        position = position.play(move)
    assert last_of_chess(position.notation()) == "f6g8"
    yellow = [each for each in elements(board(position), "rect") if each["fill"] in ("#f2d75c", "#d9b93b")]
    assert [(float(each["x"]), float(each["y"])) for each in yellow] == [(20 + 6 * 36, 0), (20 + 5 * 36, 72)]


@pytest.mark.parametrize(
    ("game", "moves"),
    [(cn.games.Hex(size=5, swap=True), ["b4", "swap"]), (cn.games.Othello(), None)],
)
def test_moves_without_a_place_mark_nothing(game: Any, moves: list[str] | None) -> None:
    position = game.start()
    if moves is None:  # play until somebody passes
        while position.moves() != ["pass"]:
            position = position.play(position.moves()[0])
    else:
        position = position.play(moves[0])
    assert board(position, move=moves[1] if moves else "pass").text == board(position).text


def test_a_game_of_yours_may_have_any_name() -> None:
    class Chess(Line):
        name = "chess"

    view = Chess().position("")._repr_html_()
    assert "<svg" not in view
    assert view.endswith("<p>max to move</p>")


def test_trees_are_small() -> None:
    """A ply is drawn whole or not at all; what is left out is counted."""
    shown = texts(position_tree(cn.games.ExplicitTree(DATA).start()))
    assert sorted(shown) == sorted(["0", "0", "3", "0", "-2", "1", "∞", "1", "5"])
    wide = texts(position_tree(cn.games.UniformTree(width=10).start()))
    assert wide.count("10 below") == 6
    assert "+4" in wide
    three = position_tree(cn.games.RandomTree(branching=3, depth=6).start())
    assert len(elements(three, "rect")) == 1 + 3 + 9


def test_the_top_of_a_searched_tree_shows_the_chosen_move() -> None:
    result = cn.search(cn.games.Chess().start(), "puct", expansions=100)
    chosen = result.position.place(result.move)
    drawing = search_tree(result.tree, chosen)
    bold = [
        each.text
        for each in ElementTree.fromstring(drawing.text).iter(SVG + "text")
        if each.get("font-weight") == "bold"
    ]
    assert bold[0] == result.move
    assert float(elements(drawing, "svg")[0]["width"]) < 1000


def test_files(tmp_path: Path) -> None:
    picture = board(cn.games.Hex(size=3).start())
    assert picture.save(tmp_path / "hex.svg").read_text(encoding="utf-8") == picture.text + "\n"
    assert picture._repr_svg_() == picture.text
    assert picture == board(cn.games.Hex(size=3).start())


@pytest.mark.parametrize(
    ("wrong", "error", "words"),
    [
        (lambda: board(Line().position("")), cn.ArgumentError, "there is no board for"),
        (lambda: board(cn.games.Hex(size=3).start(), move="d4"), cn.PositionError, "not a legal move"),
        (
            lambda: board(cn.games.Hex(size=3).start(), last="d4"),
            cn.ArgumentError,
            "is no move of this board",
        ),
        (lambda: board(cn.games.Chess().start(), last="Nf3"), cn.ArgumentError, "is no move of this board"),
        (lambda: board(cn.games.ConnectFour().start(), last="9"), cn.ArgumentError, "it has 1 to 7"),
        (lambda: board(cn.games.Hex(size=3).start()).save("a.png"), cn.ArgumentError, "is written as .svg"),
        (lambda: board(cn.games.Hex(size=3).start()).save("no/a.svg"), cn.ArgumentError, "cannot write"),
    ],
)
def test_mistakes(wrong: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error) as caught:
        wrong()
    assert words in str(caught.value)
    assert is_one_line(caught.value)
