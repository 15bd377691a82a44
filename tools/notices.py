"""Write the licences of the crates that the wheel links into LICENSES-THIRD-PARTY: `make notices`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
NOTICES = ROOT / "LICENSES-THIRD-PARTY"
BUILT_WITH = {"proc-macro"}
"""What only takes part in the build is not in the wheel."""


def linked() -> list[dict[str, str]]:
    """Return the packages that the wheel links, on every system that we build for."""
    command = ["cargo", "metadata", "--format-version", "1", "--locked"]
    facts = json.loads(subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout)
    packages = {package["id"]: package for package in facts["packages"]}
    needs = {node["id"]: node["deps"] for node in facts["resolve"]["nodes"]}
    (root,) = (key for key, package in packages.items() if package["name"] == "conspirator-py")
    found, left = set[str](), [root]
    while left:
        key = left.pop()
        kinds = {kind for target in packages[key]["targets"] for kind in target["kind"]}
        if key in found or kinds & BUILT_WITH:
            continue
        found.add(key)
        for need in needs[key]:
            wanted = (kind for kind in need["dep_kinds"] if kind["kind"] is None)
            if any(kind["target"] != "cfg(loom)" for kind in wanted):
                left.append(need["pkg"])
    ours = (packages[key] for key in found if not packages[key]["name"].startswith("conspirator"))
    return sorted(ours, key=lambda package: package["name"])


def title(package: dict[str, str]) -> str:
    """Return the line that a package's notice begins with."""
    return f"{package['name']} {package['version']}: {package['license']}"


def texts(package: dict[str, str]) -> list[str]:
    """Return a package's licence texts; the MIT one alone where it offers that."""
    folder = Path(package["manifest_path"]).parent
    files = sorted(path for path in folder.iterdir() if path.name.upper().startswith(("LICENSE", "COPYING")))
    mit = [path for path in files if "MIT" in path.name.upper()]
    return [path.read_text(encoding="utf-8").strip() for path in mit or files]


def main() -> None:
    """Write the file."""
    parts = ["The core of conspirator links these Rust crates.\n"]
    for package in linked():
        found = texts(package) or [f"Its licence is {package['license']}."]
        parts.append("\n".join(["=" * 80, title(package), "=" * 80, *found, ""]))
    NOTICES.write_text("\n".join(parts), encoding="utf-8")
    sys.stdout.write(f"{NOTICES.name}: {len(parts) - 1} crates\n")


if __name__ == "__main__":
    main()
