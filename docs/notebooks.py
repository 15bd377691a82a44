"""Run the notebooks of examples/, and write their results into them: `python docs/notebooks.py`."""

from __future__ import annotations

from pathlib import Path

import nbformat
from nbclient import NotebookClient

EXAMPLES = Path(__file__).parent.parent / "examples"


def main() -> None:
    """Run them all; without times and addresses, so that the same results give the same files."""
    for path in sorted(EXAMPLES.glob("*.ipynb")):
        notebook = nbformat.read(path, as_version=4)
        NotebookClient(notebook, timeout=120, kernel_name="python3", record_timing=False).execute()
        for cell in notebook.cells:
            for output in cell.get("outputs", []):
                if len(data := output.get("data", {})) > 1:  # where there is more to see than plain text
                    del data["text/plain"]
        notebook.metadata = {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        }
        nbformat.write(notebook, path)


if __name__ == "__main__":
    main()
