"""The studio as people start it, and a browser to look at it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Any

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


class Server:
    """`conspirator studio` in a process of its own."""

    def __init__(self, folder: Path, *arguments: str, port: int = 0) -> None:
        self.folder, self.arguments, self.port = folder, arguments or ("connect-four",), port
        self.start()

    def start(self) -> None:
        """Start it; the second time at the same port."""
        environment = {**os.environ, "XDG_STATE_HOME": str(self.folder)}
        command = [sys.executable, "-m", "conspirator", "studio", *self.arguments, "--no-browser"]
        self.process = subprocess.Popen(
            [*command, "--port", str(self.port), "--matches", str(self.folder / "matches")],
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )
        assert self.process.stdout is not None
        found = re.search(r"http://127\.0\.0\.1:(\d+)/\?token=\S+", self.process.stdout.readline())
        assert found is not None
        self.address, self.port = found[0], int(found[1])

    @property
    def origin(self) -> str:
        """The address without the token."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def token(self) -> str:
        """The token."""
        return self.address.partition("token=")[2]

    def kill(self) -> None:
        """End it at once."""
        self.process.kill()
        self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()


@contextmanager
def open_browser() -> Iterator[Any]:
    """Yield a browser: Debian's Chromium through Playwright."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        try:
            yield browser
        finally:
            browser.close()


def wait(page: Any, expression: str, seconds: float = 180.0) -> None:
    """Wait until an expression is true in a page; Playwright's own way needs `eval`, which it forbids."""
    ends = monotonic() + seconds
    while not page.evaluate(f"() => Boolean({expression})"):
        assert monotonic() < ends, f"it did not happen: {expression}"
        sleep(0.02)
