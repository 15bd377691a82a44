"""The shape of the project: lists agree, names are unique, modules depend only on those above them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import conspirator as cn
from conspirator import rules
from conspirator.bench.signature import RUNS
from oracle import PAGES, VARIANTS

ROOT = Path(__file__).parent.parent
CORE, ADAPTER = ROOT / "crates" / "core" / "src", ROOT / "crates" / "py" / "src"
PACKAGE = ROOT / "python" / "conspirator"
LONGEST = 520
"""Lines of a file."""


def in_words(name: str) -> str:
    """Return the name of a search from that of its class.

    >>> in_words("BestFirst")
    'best-first'
    """
    return re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower()


# Lists that agree


def test_every_rule_has_a_page_of_python() -> None:
    growing = {name for name, info in cn.searches().items() if info.tree}
    assert {in_words(name) for name in rules.__all__} == growing
    assert all(issubclass(getattr(rules, name), cn.GrowthRule) for name in rules.__all__)


@pytest.mark.parametrize("name", rules.__all__)
def test_every_page_is_in_lockstep(name: str) -> None:
    """Some test that is called lockstep runs the page and the native search of the same name."""
    files = [path for path in Path(__file__).parent.glob("test_*.py") if path != Path(__file__)]
    texts = [path.read_text(encoding="utf-8") for path in files]
    found = [text for text in texts if re.search(r"^def test_lockstep", text, re.MULTILINE)]
    assert any(re.search(rf"\brules\.{name}\b", text) and f'"{in_words(name)}"' in text for text in found), (
        f"no lockstep test of {name}"
    )


@pytest.mark.parametrize("name", rules.__all__)
def test_the_page_expands_the_same_leaves(name: str) -> None:
    """Whatever the other tests do: here is one search of each."""
    only_native: dict[str, dict[str, Any]] = {
        "LeastCertainty": {"variant": "published"},
        "MinmaxApproximation": {"variant": "published"},
        "PnMcts": {"playouts": 0},
        "Uct": {"playouts": 0},
    }
    shared: dict[str, dict[str, Any]] = {"LeastCertainty": {"ties": "leftmost"}, "BStar": {"width": 400.0}}
    both = shared.get(name, {})
    start = cn.games.ConnectFour().position("4453")
    page = cn.search(start, getattr(rules, name)(**both), expansions=60, trace=True)
    parameters = {**both, **only_native.get(name, {})}
    native = cn.search(start, in_words(name), expansions=60, trace=True, **parameters)
    assert native.trace == page.trace
    assert len(set(map(tuple, native.trace))) == 60


def test_every_search_is_held_to_exact_values() -> None:
    assert set(VARIANTS) == set(cn.searches())
    assert set(PAGES) == set(rules.__all__)
    assert all(VARIANTS.values())
    assert all(PAGES.values())


@pytest.mark.parametrize("name", cn.searches())
def test_every_search_is_in_the_signature(name: str) -> None:
    assert any(run.search == name for run in RUNS)


@pytest.mark.parametrize("name", [*cn.games.all_games(), "tree"])
def test_every_game_is_in_the_signature(name: str) -> None:
    assert any(run.game == name for run in RUNS)


def test_every_evaluator_is_in_the_signature() -> None:
    """One that is not the usual one of its game is used by some run, by name."""
    used = {(run.game, run.evaluator.partition("(")[0]) for run in RUNS if run.evaluator}
    named = {
        (game, evaluator)
        for game in cn.games.all_games()
        for evaluator in list(cn.games.make(game).evaluators)[1:]
    }
    assert named - used == set()


def test_runs_of_the_signature_are_the_same_everywhere() -> None:
    assert len({run.name for run in RUNS}) == len(RUNS)
    assert all(cn.Budget(**run.budget).is_repeatable for run in RUNS)


# Rust, read as text


def without_comments(text: str) -> str:
    """Return Rust source with comments and the content of strings left out, line for line."""
    pattern = r"""//[^\n]*|/\*.*?\*/|'(?:\\.|[^'\\\n])'|r\#".*?"\#|"(?:\\.|[^"\\])*\""""

    def blank(match: re.Match[str]) -> str:
        return re.sub(r"[^\n]", " ", match[0])

    return re.sub(pattern, blank, text, flags=re.DOTALL)


def end_of_block(text: str, start: int) -> int:
    """Return where the block ends whose first brace comes after a place."""
    depth, at = 0, text.index("{", start)
    while True:
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        at += 1
        if depth == 0:
            return at


TEST_ONLY = re.compile(r"#\[cfg\(test\)\]\s*(?:#\[[^\]]*\]\s*)*(?:pub(?:\([^)]*\))?\s+)?(mod (\w+)\s*;)?")


def without_tests(text: str) -> str:
    """Return Rust source without the items that are compiled for tests only."""
    while match := TEST_ONLY.search(text):
        end = match.end()
        if match[1] is None:
            semicolon, brace = text.find(";", end), text.find("{", end)
            one_line = semicolon != -1 and (brace == -1 or semicolon < brace)
            end = semicolon + 1 if one_line else end_of_block(text, end)
        text = text[: match.start()] + text[end:]
    return text


def module_of(path: Path) -> tuple[str, ...]:
    """Return the module that a file of the core is."""
    parts = path.relative_to(CORE).with_suffix("").parts
    return parts[:-1] if parts[-1] in ("mod", "lib") else parts


def modules_for_tests() -> set[tuple[str, ...]]:
    """Return the modules of the core that are compiled for tests only."""
    found = set()
    for path in sorted(CORE.rglob("*.rs")):
        for match in TEST_ONLY.finditer(without_comments(path.read_text(encoding="utf-8"))):
            if match[2] is not None:
                found.add((*module_of(path), match[2]))
    return found


def rust_files() -> Iterator[tuple[tuple[str, ...], Path]]:
    """Yield the modules of the core with their files, without those that are for tests only."""
    skipped = modules_for_tests()
    for path in sorted(CORE.rglob("*.rs")):
        module = module_of(path)
        if not any(module[: len(other)] == other for other in skipped):
            yield module, path


def split_group(text: str) -> list[str]:
    """Return the parts of a list with braces in it.

    >>> split_group("a::{b, c}, d")
    ['a::{b, c}', ' d']
    """
    parts, depth, last = [], 0, 0
    for at, character in enumerate(text):
        depth += {"{": 1, "}": -1}.get(character, 0)
        if character == "," and depth == 0:
            parts.append(text[last:at])
            last = at + 1
    return [*parts, text[last:]]


def paths_in(text: str) -> Iterator[str]:
    """Yield all paths that begin with `crate` or `super`, groups taken apart.

    >>> list(paths_in("use crate::{tree::Tree, search::{self, grow}}; let x = super::super::mix::f(1);"))
    ['crate::tree::Tree', 'crate::search::self', 'crate::search::grow', 'super::super::mix::f']
    """
    for match in re.finditer(r"\b(?:crate|super)(?:\s*::\s*\w+)*(\s*::\s*\{)?", text):
        path = re.sub(r"\s|::\s*\{$", "", match[0])
        if match[1] is None:
            yield path
        else:
            inside = text[match.end() - 1 : end_of_block(text, match.end() - 1)][1:-1]
            yield from _members(path, inside)


def _members(path: str, inside: str) -> Iterator[str]:
    for part in filter(str.strip, split_group(inside)):
        head, brace, rest = part.strip().partition("{")
        whole = f"{path}::{head.strip().removesuffix('::')}"
        if brace:
            yield from _members(whole, rest.rpartition("}")[0])
        else:
            yield whole.split(" as ")[0]


def modules_used(module: tuple[str, ...], text: str) -> set[str]:
    """Return the topmost modules of the core that a module's source names."""
    used = set()
    for path in paths_in(without_tests(without_comments(text))):
        steps = path.split("::")
        ups = next((at for at, step in enumerate(steps) if step != "super"), len(steps))
        base = () if steps[0] == "crate" else module[: len(module) - ups]
        rest = steps[1:] if steps[0] == "crate" else steps[ups:]
        absolute = (*base, *rest)
        if absolute and absolute[0] not in ("self", "*"):
            used.add(absolute[0])
    return used


MAP: dict[str, set[str]] = {
    "game": {"games", "evaluator", "evaluators", "judge", "expander", "tree", "numbers", "growth", "search"},
    "games": {"evaluators", "judge", "expander", "tree", "numbers", "growth", "search", "registry"},
    "evaluator": {
        "games",
        "evaluators",
        "judge",
        "expander",
        "tree",
        "numbers",
        "growth",
        "search",
        "registry",
    },
    "evaluators": {"expander", "tree", "numbers", "growth", "search", "registry"},
    "judge": {"games", "evaluators", "expander", "tree", "numbers", "growth", "search", "registry"},
    "expander": {"games", "evaluators", "tree", "numbers", "growth", "search", "registry"},
    "tree": {"games", "evaluators", "judge", "numbers", "growth", "search", "registry"},
    "numbers": {"games", "evaluators", "judge", "growth", "search", "registry"},
    "growth": {"games", "evaluators", "judge", "search", "registry"},
    "search": {"games", "evaluators", "registry"},
}
"""What each part of the core must not know."""


@pytest.mark.parametrize("part", MAP)
def test_modules_depend_on_those_above_them(part: str) -> None:
    looked_at, wrong = 0, []
    for module, path in rust_files():
        if module[:1] == (part,):
            looked_at += 1
            used = modules_used(module, path.read_text(encoding="utf-8")) & MAP[part]
            wrong += [f"{path.relative_to(ROOT)} uses {other}" for other in sorted(used)]
    assert looked_at > 0
    assert wrong == []


def test_the_reader_of_rust_sees_what_is_there() -> None:
    """The tests above would pass if nothing were found: these uses are real."""
    text = "//! [`crate::search`]\nuse crate::tree::Tree;\n"
    text += "#[cfg(test)]\nmod tests {\n    use crate::search::X;\n}\n"
    assert modules_used(("growth", "uct"), text) == {"tree"}
    assert modules_used(("tree", "line"), "use super::super::growth::Status;") == {"growth"}
    assert modules_used(("tree",), "use crate::{search::{Budget, grow}, error::Error};") == {
        "search",
        "error",
    }
    assert modules_used(("tree",), "fn f(x: crate::games::Hex) {}") == {"games"}
    assert modules_used(("games",), "pub mod hex;\n#[cfg(test)]\nmod tests;\nuse crate::game::Rules;") == {
        "game"
    }
    sources = dict(rust_files())
    growing = modules_used(("growth",), sources["growth", "conspiracy"].read_text(encoding="utf-8"))
    assert {"tree", "numbers", "error"} <= growing
    assert ("games", "hex", "tests") in modules_for_tests()
    assert len(sources) > 60


TYPE = re.compile(
    r"^(?P<indent> *)(?:pub(?:\([^)]*\))? +)?(?:unsafe +)?"
    r"(?P<kind>struct|enum|union|trait|type) +(?P<name>[A-Z]\w*)",
    re.MULTILINE,
)


def types() -> dict[str, list[str]]:
    """Return where the types of both crates are defined, by name; types that belong to traits apart."""
    found: dict[str, list[str]] = defaultdict(list)
    for folder in (CORE, ADAPTER):
        for path in sorted(folder.rglob("*.rs")):
            text = without_comments(path.read_text(encoding="utf-8"))
            for match in TYPE.finditer(text):
                if match["kind"] != "type" or not match["indent"]:
                    line = text.count("\n", 0, match.start()) + 1
                    found[match["name"]].append(f"{path.relative_to(ROOT)}:{line}")
    return found


def test_the_name_of_a_type_is_unique() -> None:
    found = types()
    assert len(found) > 150
    assert {"ConnectFour", "Tree", "Evaluator", "PythonGame"} <= found.keys()
    assert {name: places for name, places in found.items() if len(places) > 1} == {}


def test_no_file_is_long() -> None:
    folders = [path for path in (ROOT / "crates").glob("*/src") if path.is_dir()]
    files = [path for folder in folders for path in folder.rglob("*.rs")]
    files += [path for pattern in ("*.py", "*.pyi") for path in PACKAGE.rglob(pattern)]
    assert len(files) > 150
    lengths = {
        str(path.relative_to(ROOT)): len(path.read_text(encoding="utf-8").splitlines()) for path in files
    }
    assert {path: lines for path, lines in lengths.items() if lines > LONGEST} == {}
