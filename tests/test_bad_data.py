"""Files and data from anywhere: broken, too deep, or random; nothing gets a panic."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import conspirator as cn
from conspirator import games
from helpers import is_one_line, script

FILES: dict[str, tuple[bytes, type[Exception], str]] = {
    "malformed": (b'{"value": 1,', cn.GameError, "not JSON"),
    "empty": (b"", cn.GameError, "not JSON"),
    "number": (b"5", cn.GameError, "dictionary, not int"),
    "nan": (b'{"value": NaN}', cn.GameError, "not nan"),
    "binary": (b"\xff\xfe\x00", cn.ArgumentError, "cannot read"),
    "deep": (b'{"children":[' * 10**6, cn.GameError, "nested too deeply"),
    "many digits": (b'{"value": ' + b"1" * 5000 + b"}", cn.GameError, "JSON|digits|number"),
    "field": (b'{"value": 1, "x": 2}', cn.GameError, "unknown field 'x'"),
}


@pytest.mark.parametrize("name", FILES)
def test_bad_file(name: str, tmp_path: Path) -> None:
    content, kind, pattern = FILES[name]
    path = tmp_path / "tree.json"
    path.write_bytes(content)
    with pytest.raises(kind, match=pattern) as caught:
        games.ExplicitTree.load(path)
    assert is_one_line(caught.value)


@pytest.mark.parametrize("path", ["missing.json", ".", "a\0b"])
def test_a_file_that_cannot_be_read(path: str, tmp_path: Path) -> None:
    with pytest.raises(cn.ArgumentError, match="cannot read"):
        games.ExplicitTree.load(tmp_path / path)


def test_a_good_file(tmp_path: Path) -> None:
    data = {"value": 0, "children": [{"value": "-inf"}, {"value": 2.5}]}
    path = tmp_path / "tree.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    game = games.ExplicitTree.load(str(path))
    assert game == games.ExplicitTree(data)
    assert cn.search(game.start()).value == 2.5


CHAIN = """
import json, sys, time
import conspirator as cn

begun = time.process_time()
data = {"value": 7}
for _ in range(10**6):
    data = {"value": 0, "children": [data]}
"""
DEEP = {
    "read": "answer = len(cn.games.ExplicitTree(data).start().moves())",
    "cycle": """
at = data
for _ in range(10**6 - 1):
    at = at["children"][0]
at["children"] = [data]
try:
    cn.games.ExplicitTree(data)
except cn.GameError as error:
    answer = "cyclic" in str(error)
""",
    "tree": "answer = len(cn.Tree.from_dict(data, 'best-first')) == 10**6 + 1",
    "node": """
node = cn.Tree.from_dict(data, "best-first").root
for _ in range(10**6):
    node = node.children[0]
answer = (node.depth, node.value) == (10**6, 7)
node = None
""",
    "search": """
game = cn.games.ExplicitTree(data)
result = cn.search(game.start(), "best-first", seconds=10)
answer = result.move == "0" and (result.status, len(result.line)) == ("proven", 10**6)
""",
    "alpha-beta": """
result = cn.search(cn.games.ExplicitTree(data).start(), "alpha-beta", seconds=1)
answer = result.move == "0"
""",
    "equal": "answer = cn.games.ExplicitTree(data) == cn.games.ExplicitTree(dict(data))",
}


@pytest.mark.parametrize("name", DEEP)
def test_a_million_plies(name: str) -> None:
    answer, seconds = script(f"{CHAIN}{DEEP[name]}\nprint(json.dumps([answer, time.process_time() - begun]))")
    assert answer
    assert seconds < 60  # nothing quadratic, on any machine


SURVIVE = """
import conspirator as cn
try:
    {call}
except cn.ConspiratorError:
    pass
print(1)
"""


@pytest.mark.parametrize(
    "call",
    [
        "cn.games.UniformTree(width=1).start().perft(10**7)",
        "cn.games.UniformTree(width=1).start().survey(10**7)",
        "cn.search(cn.games.ConnectFour().start(), 'alpha-beta', table=True, table_bytes=2**50)",
    ],
    ids=["perft", "survey", "table"],
)
def test_the_process_survives(call: str) -> None:
    assert script(SURVIVE.format(call=call)) == 1


def test_one_dictionary_in_many_places_is_read_in_reasonable_time() -> None:
    code = """
import json, time
import conspirator as cn
leaf = {"value": 1}
data = leaf
for _ in range(50_000):
    data = {"value": 0, "children": [data, leaf]}
begun = time.process_time()
cn.games.ExplicitTree(data)
print(json.dumps(time.process_time() - begun))
"""
    assert script(code) < 5


def only_our_exceptions(call: Callable[[], object]) -> None:
    """Call; an exception of any other type, or a panic, fails the test."""
    raised: BaseException | None = None
    try:
        call()
    except BaseException as error:  # a panic derives from this
        raised = error
    assert raised is None or isinstance(raised, cn.ConspiratorError), repr(raised)
    assert raised is None or is_one_line(raised), repr(raised)


TEXT = st.one_of(
    st.text(max_size=20),
    st.text("1234567 \n", max_size=45),
    st.text("X.O/ \n", max_size=60),
    st.lists(st.text("X.O", min_size=7, max_size=7), min_size=6, max_size=6).map("/".join),
    st.text("0123456789.@/-abcdef", max_size=30),
    st.lists(st.from_regex("[a-d][1-4](-[a-d][1-4]){2}", fullmatch=True), max_size=3).map(" ".join),
    st.lists(st.text("wbx.", min_size=4, max_size=4), min_size=4, max_size=4)
    .map("/".join)
    .map("{} b".format),
    st.lists(st.from_regex("[a-h][1-8]|pass|,", fullmatch=True), max_size=14).map("".join),
    st.builds("{} {}".format, st.text("XO-", min_size=64, max_size=64), st.sampled_from("XO*;")),
    st.lists(st.from_regex("[a-d][1-4]|swap|white|,", fullmatch=True), max_size=14).map(" ".join),
)
FUZZED: list[Any] = [
    games.ConnectFour(),
    games.RandomTree(),
    games.RandomTree(kind="utgoff", sort=True),
    games.UniformTree(width=3),
    games.Hex(size=3),
    games.Hex(size=4, swap=True),
    games.Othello(),
    games.Amazons(size=4),
]
FIELDS = {
    "value": st.one_of(st.floats(), st.integers(), st.sampled_from(["inf", "-inf", "x", None, True])),
    "to_move": st.sampled_from(["max", "min", "x", 5]),
    "terminal": st.sampled_from([True, False, 1]),
    "score": st.floats(),
    "other": st.none(),
}
NODES = st.recursive(
    st.fixed_dictionaries({}, optional=FIELDS),
    lambda inner: st.fixed_dictionaries(
        {"children": st.one_of(st.lists(inner, max_size=4), inner)}, optional=FIELDS
    ),
    max_leaves=12,
)
QUICK = settings(max_examples=300, deadline=None, database=None, derandomize=True)


@QUICK
@given(text=TEXT)
@pytest.mark.parametrize("game", FUZZED, ids=repr)
def test_fuzz_notation(game: Any, text: str) -> None:
    def use() -> None:
        position: cn.Position = game.position(text)
        assert game.position(position.notation()) == position
        assert str(position)
        position.evaluate()
        for move in position.moves():
            position.play(move).evaluate()
        if position.outcome is None:
            cn.search(position, "best-first", expansions=20).tree.check()
            cn.search(position, "alpha-beta", expansions=20)

    only_our_exceptions(use)


@QUICK
@given(data=NODES)
def test_fuzz_data(data: Any) -> None:
    def use() -> None:
        start = games.ExplicitTree(data).start()
        cn.search(start, "best-first", expansions=50).tree.check()
        cn.search(start, "alpha-beta", expansions=50)

    only_our_exceptions(use)
    only_our_exceptions(lambda: cn.Tree.from_dict(data, "best-first").check())
