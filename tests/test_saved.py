"""Saving, loading and re-rooting: growth goes on as if nothing had happened; damage is one clear error."""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import conspirator as cn
import python_games
from command_line import Run, complaint_of, facts_of, result_of, runner
from conspirator import _saved
from conspirator._certain import NEED_A_MODEL
from helpers import is_one_line, random_tree, unfinished

FORMS: dict[str, tuple[str, dict[str, Any]]] = {
    "best-first": ("best-first", {}),
    "pure best-first": ("best-first", {"complete": False}),
    "conspiracy": ("conspiracy", {}),
    "conspiracy, threshold 3": ("conspiracy", {"threshold": 3}),
    "conspiracy, basic": ("conspiracy", {"threshold": 12, "iterative": False}),
    "conspiracy, move": ("conspiracy", {"goal": "move", "strategy": "alternate"}),
    "conspiracy, bounds": ("conspiracy", {"leaf_delta": 2.0}),
    "conspiracy, shared": ("conspiracy", {"transpositions": True}),
    "improved": ("improved-conspiracy", {}),
    "improved, move": ("improved-conspiracy", {"goal": "move", "strategy": "fewest"}),
    "penalties": ("minmax-approximation", {"shift": 2000.0}),
    "penalties, published": ("minmax-approximation", {"shift": 2000.0, "variant": "published"}),
    "penalties, exact": ("minmax-approximation", {"shift": 2000.0, "means": "exact"}),
    "penalties, shared": ("minmax-approximation", {"shift": 2000.0, "transpositions": True}),
    "swings": ("least-certainty", {}),
    "swings, published": ("least-certainty", {"variant": "published", "seed": 3}),
    "siblings": ("sibling-conspiracy", {}),
    "siblings, functions": ("sibling-conspiracy", {"pmax": 3, "dmax": 2, "delta": 0.25}),
    "siblings, shared": ("sibling-conspiracy", {"transpositions": True, "foresight": True}),
    "uct": ("uct", {"seed": 5}),
    "uct, static": ("uct", {"playouts": 0}),
    "puct": ("puct", {}),
    "puct, curious": ("puct", {"exploration": 3.0, "sharpness": 0.2}),
    "proof numbers": ("proof-number", {}),
    "proof numbers, shared": ("proof-number", {"transpositions": True, "foresight": True}),
}
ALL_FORMS = pytest.mark.parametrize("form", FORMS)


def explicit(seed: int) -> cn.Position:
    return cn.games.ExplicitTree(random_tree(Random(seed), 7)).start()


GAMES: dict[str, Callable[[int], cn.Position]] = {
    "connect-four": lambda seed: unfinished("connect-four", seed, 0, 20),
    "othello": lambda seed: unfinished("othello", seed, 4, 30),
    "hex": lambda seed: cn.games.Hex(size=4 + seed % 2).start(),
    "random tree": lambda seed: cn.games.RandomTree(branching=4, depth=9, seed=seed).start(),
    "explicit": explicit,
    "again": lambda seed: python_games.Again().position((12 + seed, 0, "max")),
}


def own(position: cn.Position) -> dict[str, Any]:
    """Return what `load` needs for a game that is not in the file."""
    return {"position": position} if _saved._is_own(position.game) else {}


@ALL_FORMS
@pytest.mark.parametrize("game", GAMES)
def test_growth_goes_on_as_if_it_had_never_been_saved(form: str, game: str, tmp_path: Path) -> None:
    search, parameters = FORMS[form]
    for seed in range(3):
        position = GAMES[game](seed)
        random = Random(seed)
        for _ in range(3):
            before, after = random.choice([(1, 40), (30, 60), (257, 300), (100, 1)])
            whole = cn.search(position, search, expansions=before + after, trace=True, **parameters)
            first = cn.search(position, search, expansions=before, trace=True, **parameters)
            loaded = cn.load(first.save(tmp_path / "tree"), **own(position))
            assert report(loaded) == report(first)
            loaded.tree.check()
            again = loaded.resume(expansions=after)
            assert again.trace == whole.trace
            assert report(again) == report(whole)
            again.tree.check()


def report(result: cn.Result) -> dict[str, Any]:
    """Return everything but the time, and the limit of a budget that was given in pieces."""
    leave_out = {"seconds": 0, "bytes_per_node": 0, "limit": None}
    return {**result._report, **leave_out}


def numbers(node: cn.Node) -> list[Any]:
    """Return everything that a tree shows of itself."""
    found, stack = [], [node]
    while stack:
        node = stack.pop()
        found.append((node.move, node.value, node.numbers, len(node.children)))
        stack += node.children
    return found


@ALL_FORMS
def test_numbers_are_the_same(form: str, tmp_path: Path) -> None:
    search, parameters = FORMS[form]
    result = cn.search(cn.games.ConnectFour().start(), search, expansions=60, **parameters)
    loaded = cn.load(result.save(tmp_path / "tree"))
    assert numbers(loaded.tree.root) == numbers(result.tree.root)
    assert loaded.interval(2) == result.interval(2)


@ALL_FORMS
@pytest.mark.parametrize("game", GAMES)
def test_advance_keeps_the_subtree(form: str, game: str) -> None:
    search, parameters = FORMS[form]
    for seed in range(3):
        result = cn.search(GAMES[game](seed), search, expansions=300, **parameters)
        for node in result.tree.root.children:
            after = result.position.play(node.move)
            if after.outcome is not None:
                with pytest.raises(cn.ArgumentError, match="game is over"):
                    result.advance(node.move)
                continue
            reply = result.advance(node.move)
            assert reply.position == after
            if not node.is_terminal:  # a foreseen win is searched anew
                assert reply.tree.root.value == node.value
                assert shape(reply.tree.root) == shape(node)
            reply.tree.check()
            grown = reply.resume(expansions=50)
            assert grown.expansions <= reply.expansions + 50
            grown.tree.check()
            assert grown.move in after.moves()


def shape(node: cn.Node) -> list[Any]:
    found, stack = [], [node]
    while stack:
        node = stack.pop()
        found.append((node.value, len(node.children)))
        stack += node.children
    return found


def test_a_game_played_with_one_tree() -> None:
    result = cn.search(cn.games.ConnectFour().start(), "best-first", expansions=200)
    while result.position.play(result.move).outcome is None:
        result = result.advance(result.move).resume(expansions=200)
    assert result.position.play(result.move).outcome is not None


class Leftmost(cn.GrowthRule):
    """Expands the first open leaf."""

    def choose(self, tree: cn.Tree) -> cn.Node | None:
        stack = [tree.root]
        while stack:
            node = stack.pop()
            if node.is_open:
                return node
            stack += reversed(node.children)
        return None


def test_rules_of_yours(tmp_path: Path) -> None:
    start = cn.games.ConnectFour().start()
    result = cn.search(start, Leftmost, expansions=20, trace=True)
    path = result.save(tmp_path / "tree")
    with pytest.raises(cn.ArgumentError, match=r"rule of yours, Leftmost: give rule="):
        cn.load(path)
    loaded = cn.load(path, rule=Leftmost)
    assert loaded.resume(expansions=10).trace == result.resume(expansions=10).trace
    other = cn.search(start, "best-first", expansions=3).save(tmp_path / "other")
    with pytest.raises(cn.ArgumentError, match="needs no rule="):
        cn.load(other, rule=Leftmost)


def test_what_cannot_be_saved_or_loaded(tmp_path: Path) -> None:
    start = cn.games.ConnectFour().start()
    for search in (name for name, info in cn.searches().items() if not info.tree):
        result = cn.search(start, search, expansions=10)
        with pytest.raises(cn.ArgumentError, match="keeps no tree"):
            result.save(tmp_path / "tree")
        with pytest.raises(cn.ArgumentError, match="keeps no tree"):
            result.advance("4")
    result = cn.search(start, "best-first", expansions=10)
    with pytest.raises(cn.ArgumentError, match="cannot write"):
        result.save(tmp_path / "no folder" / "tree")
    with pytest.raises(cn.ArgumentError, match="cannot read"):
        cn.load(tmp_path / "nothing")
    path = result.save(tmp_path / "tree")
    with pytest.raises(cn.ArgumentError, match="another position"):
        cn.load(path, position=start.play("4"))
    assert cn.load(path, position=start).expansions == 10
    nim = python_games.Nim()
    path = cn.search(nim.start(), "best-first", expansions=10).save(tmp_path / "nim")
    with pytest.raises(cn.ArgumentError, match=r"game of yours, Nim: give position="):
        cn.load(path)
    with pytest.raises(cn.PositionError):
        result.advance("8")
    path.write_bytes(path.read_bytes().replace(b"tree 2\n", b"tree 3\n", 1))
    with pytest.raises(cn.ArgumentError, match="another version"):
        cn.load(path)
    assert {file.name for file in tmp_path.iterdir()} == {"tree", "nim"}


def test_parameters_of_numpy(tmp_path: Path) -> None:
    np = pytest.importorskip("numpy")
    start = cn.games.ConnectFour().start()
    result = cn.search(start, "conspiracy", threshold=np.int64(3), delta=np.float64(2), expansions=50)
    loaded = cn.load(result.save(tmp_path / "tree"))
    assert report(loaded.resume(expansions=20)) == report(result.resume(expansions=20))


def test_advance_reads_any_notation() -> None:
    result = cn.search(cn.games.Chess().start(), "best-first", expansions=30)
    assert result.advance("Nf3").position == result.advance("g1f3").position


def test_a_full_disk_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = cn.search(cn.games.ConnectFour().start(), "best-first", expansions=10)
    path = result.save(tmp_path / "tree")
    before = path.read_bytes()

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(cn.ArgumentError, match="No space left"):
        result.resume(expansions=10).save(path)
    assert path.read_bytes() == before
    assert len(list(tmp_path.iterdir())) == 1


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    folder = tmp_path_factory.mktemp("saved")
    files = {}
    for form, (search, parameters) in FORMS.items():
        result = cn.search(cn.games.Hex(size=3).start(), search, expansions=12, trace=True, **parameters)
        files[form] = result.save(folder / "tree").read_bytes()
    return files


def refused_or_right(path: Path) -> None:
    """Load a file: either it is refused with one line, or it is a tree that can be looked at and grown."""
    refusal = None
    try:
        result = cn.load(path)
        str(result.resume(expansions=5))
    except cn.ConspiratorError as error:
        refusal = error
    assert refusal is None or is_one_line(refusal)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_damaged_files(saved: dict[str, bytes], tmp_path: Path, data: st.DataObject) -> None:
    content = bytearray(saved[data.draw(st.sampled_from(sorted(saved)))])
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(content) - 1))
        content[at] = data.draw(st.integers(0, 255))
    path = tmp_path / "tree"
    path.write_bytes(bytes(content[: data.draw(st.integers(0, len(content)))]))
    refused_or_right(path)


@settings(max_examples=500, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_hostile_files(saved: dict[str, bytes], tmp_path: Path, data: st.DataObject) -> None:
    """The checksum is right, what is inside is not."""
    whole = saved[data.draw(st.sampled_from(sorted(saved)))][:-32]
    magic, line, body = whole.split(b"\n", 2)
    tree = bytearray(zlib.decompress(body))
    for _ in range(data.draw(st.integers(0, 4))):
        at = data.draw(st.integers(0, len(tree) - 1))
        tree[at] = data.draw(st.one_of(st.integers(0, 255), st.sampled_from([0, 1, 255])))
    header = json.loads(line)
    key = data.draw(st.sampled_from([None, None, *header]))
    if key is not None:
        header[key] = data.draw(st.one_of(st.none(), st.integers(), st.text(), st.just({}), st.just("hex")))
    content = b"\n".join([magic, json.dumps(header).encode(), zlib.compress(bytes(tree))])
    path = tmp_path / "tree"
    path.write_bytes(content + hashlib.sha256(content).digest())
    refused_or_right(path)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    return runner(capsys, monkeypatch, tmp_path)


def test_on_the_command_line(run: Run, tmp_path: Path) -> None:
    saved = "--search conspiracy --expansions 100 --quiet --save four.tree"
    assert "written: four.tree" in result_of(run, f"analyze connect-four {saved}")
    whole = cn.search(cn.games.ConnectFour().start(), "conspiracy", expansions=150)
    facts = facts_of(run, "resume four.tree --expansions 50")
    assert (facts["search"], facts["game"]) == ("conspiracy", "connect-four")
    assert (facts["value"], facts["line"]) == (whole.value, whole.line)
    assert facts["spent"]["expansions"] == 150
    followed = result_of(run, "resume four.tree --play 4 --play 4 --expansions 5 --quiet --save two.tree")
    assert "written: two.tree" in followed
    assert cn.load(tmp_path / "two.tree").position == cn.games.ConnectFour().position("44")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("nothing.tree", "cannot read nothing.tree"),
        ("four.tree --play 9", "9"),
        ("four.tree --expansions 5 --quiet --save no/where.tree", "cannot write"),
    ],
)
def test_mistakes_on_the_command_line(run: Run, line: str, message: str) -> None:
    result_of(run, "analyze connect-four --expansions 10 --quiet --save four.tree")
    assert message in complaint_of(run, f"resume {line}")


def test_a_file_that_swells_is_refused_before_it_does(tmp_path: Path) -> None:
    path = cn.search(cn.games.ConnectFour().start(), "best-first", expansions=10).save(tmp_path / "tree")
    magic, header, _ = path.read_bytes().split(b"\n", 2)
    promised = json.loads(header) | {"bytes": 1 << 30}
    content = b"\n".join([magic, json.dumps(promised).encode(), zlib.compress(bytes(1 << 22), 9)])
    path.write_bytes(content + hashlib.sha256(content).digest())
    with pytest.raises(cn.ArgumentError, match="the size of its tree is impossible"):
        cn.load(path)


def test_a_tree_that_packs_well_can_be_loaded_again(tmp_path: Path) -> None:
    same: dict[str, Any] = {"value": 0, "children": [{"value": 0}] * 20_000}
    result = cn.search(cn.games.ExplicitTree(same).start(), "best-first", expansions=1)
    path = result.save(tmp_path / "tree")
    assert cn.load(path, position=result.position).nodes == 20_001


@pytest.mark.parametrize(
    "search", [name for name, info in cn.searches().items() if info.tree and name not in NEED_A_MODEL]
)
def test_a_search_that_was_stopped_at_once_can_be_loaded(search: str, tmp_path: Path) -> None:
    position = cn.games.Hex(size=4).start()
    result = cn.search(position, search, nodes=1)
    assert result.expansions == 0
    loaded = cn.load(result.save(tmp_path / "root"))
    assert (loaded.value, loaded.move) == (result.value, result.move)
