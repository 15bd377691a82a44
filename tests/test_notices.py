"""The licences of what the wheel links go with it."""

from __future__ import annotations

import importlib.util
import tomllib
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).parent.parent


def notices() -> ModuleType:
    spec = importlib.util.spec_from_file_location("notices", ROOT / "tools" / "notices.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_linked_crate_has_its_licence() -> None:
    made = notices()
    text = made.NOTICES.read_text(encoding="utf-8")
    packages = made.linked()
    assert {"pyo3", "cozy-chess", "mimalloc", "rustix"} <= {package["name"] for package in packages}
    missing = [made.title(package) for package in packages if made.title(package) not in text]
    assert not missing, "make notices"


def test_the_wheel_has_the_notices() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert "LICENSES-THIRD-PARTY" in project["license-files"]
