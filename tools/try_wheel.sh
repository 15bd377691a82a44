#!/bin/sh
# Builds the wheel, and runs the demo from it in a bare environment without network, cargo or this checkout.
set -eu
cd "$(dirname "$0")/.."
make --no-print-directory wheel
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# what the wheel needs besides, fetched before the network goes away
.venv/bin/pip download --quiet --disable-pip-version-check --dest "$folder/wheels" "$(ls -t dist/*.whl | head -1)"
"${PYTHON:-python3}" -m venv "$folder/bare"
cd "$folder"
env -i PATH=/usr/bin:/bin HOME="$folder" PIP_NO_INDEX=1 \
  bare/bin/pip install --quiet --disable-pip-version-check --find-links wheels conspirator
env -i PATH=/nowhere HOME="$folder" "$folder/bare/bin/python" -m conspirator analyze connect-four --position 4453 \
  --search conspiracy --set goal=move --set threshold=3 --seconds 5
env -i PATH=/nowhere HOME="$folder" "$folder/bare/bin/python" -c '
import conspirator as cn
from importlib.metadata import distribution
files = [str(file) for file in distribution("conspirator").files]
assert any(file.endswith("LICENSES-THIRD-PARTY") for file in files), files
assert cn.search(cn.games.Hex(size=5).start(), "puct", evaluator="network", expansions=20).move
print("the wheel works: conspirator", cn.__version__)'
