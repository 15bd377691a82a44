"""The stubs agree with the built module and with the core's list of games."""

from __future__ import annotations

import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import conspirator
from conspirator import _native, _stubs, games

PACKAGE = Path(conspirator.__file__).parent


def run(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run a module of Python's."""
    return subprocess.run(
        [sys.executable, "-m", *arguments], capture_output=True, text=True, check=False, cwd=cwd
    )


@pytest.mark.parametrize("module", ["conspirator._native", "conspirator.games"])
def test_stub_and_module_agree(module: str, tmp_path: Path) -> None:
    allowed = tmp_path / "allowed.txt"
    # games.py gives its classes a signature for help(); a stub has it in __init__
    allowed.write_text(r"conspirator\.games\.\w+\.__signature__", encoding="utf-8")
    options = ["--concise", "--ignore-unused-allowlist", "--allowlist", str(allowed)]
    done = run("mypy.stubtest", module, *options, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("name", ["NativeGame", "Node", "Position", "Tree"])
def test_classes_of_the_native_module_are_immutable(name: str) -> None:
    cls = getattr(_native, name)
    with pytest.raises(TypeError):
        cls()
    tree = conspirator.Tree.from_dict({"value": 1}, "best-first")
    native = _native.NativeGame.make("connect-four", {})
    for instance in (tree, tree.root, games.ConnectFour().start(), native):
        for attribute in ("value", "attribute"):
            with pytest.raises(AttributeError):
                setattr(instance, attribute, 1)


def test_games_stub_is_up_to_date() -> None:
    done = run("conspirator._stubs", "--check", cwd=PACKAGE.parent)
    assert (done.returncode, done.stderr) == (0, "")


def test_an_old_games_stub_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(_stubs, "TARGET", tmp_path / "games.pyi")
    assert _stubs.main(["--check"]) == 1
    assert "out of date" in capsys.readouterr().err
    assert _stubs.main([]) == 0
    assert _stubs.main(["--check"]) == 0
    assert _stubs.main(["--chek"]) == 2


@pytest.mark.parametrize("name", games.all_games())
def test_every_game_tells_its_parameters(name: str) -> None:
    info = games.all_games()[name]
    cls = type(games.make(name))
    shown = {key: p.default for key, p in inspect.signature(cls).parameters.items()}
    assert shown == {key: entry["default"] for key, entry in info["parameters"].items()}
    assert cls.__name__ in games.__all__
    assert f"class {cls.__name__}(NativeGame)" in (PACKAGE / "games.pyi").read_text(encoding="utf-8")
    assert (cls.__doc__ or "").count("\n") >= len(shown)
    assert cls(**shown).start() == cls().start()
