"""A page without a browser: it talks to the studio's socket as the real one does."""

from __future__ import annotations

import json
import struct
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient, WebSocketTestSession
from starlette.websockets import WebSocketDisconnect

from conspirator.studio.app import make_app
from conspirator.studio.choice import Games
from conspirator.studio.desk import Desk
from conspirator.studio.guard import Guard
from conspirator.studio.lab import Lab

TOKEN = "t" * 40
HOST = "127.0.0.1:8330"


class Refused(Exception):
    """What the studio says to a mistake."""


class Page:
    """One socket: questions with answers, and what is heard meanwhile."""

    def __init__(self, socket: WebSocketTestSession) -> None:
        self.socket = socket
        self.frames: list[dict[str, Any]] = []
        self.blocks: list[bytes] = []
        self.news: list[dict[str, Any]] = []
        self.told: dict[str, Any] = {}
        self._next = 0

    def ask(self, what: str, **more: Any) -> Any:
        """Ask, and wait for the answer; an error of the studio is raised."""
        self._next += 1
        self.socket.send_text(json.dumps({"id": self._next, "do": what, **more}))
        while True:
            heard = self._hear()
            if heard is not None and heard.get("id") == self._next:
                if "error" in heard:
                    raise Refused(heard["error"])
                return heard["said"]

    def _hear(self) -> dict[str, Any] | None:
        message = self.socket.receive()
        if message["type"] == "websocket.close":
            raise WebSocketDisconnect(message["code"])
        if message.get("text") is not None:
            heard: dict[str, Any] = json.loads(message["text"])
            if "push" in heard:
                self.news.append(heard)
            return heard
        data = message["bytes"]
        (length,) = struct.unpack_from("<I", data)
        self.frames.append(json.loads(data[4 : 4 + length]))
        self.blocks.append(data[4 + length :])
        return None

    def until(self, true: Callable[[], bool]) -> None:
        """Listen until something is true; a test that waits for ever fails by its time limit."""
        ends = time.monotonic() + 180
        while not true():
            assert time.monotonic() < ends, "it did not happen"
            self.ask("matches")  # an answer surely comes, whatever else does
            time.sleep(0.01)

    @property
    def state(self) -> dict[str, Any]:
        """The newest state."""
        states: list[dict[str, Any]] = [each["state"] for each in self.news if each["push"] == "state"]
        return states[-1]


def make_desk(folder: Path, **first: Any) -> Desk:
    """Return a desk that begins with Connect-Four."""
    begin = {"game": "connect-four", "options": {}, "position": None, **first}
    return Desk(Games(), begin, Lab(folder))


@contextmanager
def studio(desk: Desk) -> Iterator[Callable[..., Any]]:
    """Yield a function that opens a page of a studio."""
    client = TestClient(make_app(Guard(TOKEN), desk), base_url=f"http://{HOST}")

    @contextmanager
    def open_page(token: str = TOKEN, **headers: str) -> Iterator[Page]:
        address = f"ws://{HOST}/socket?token={token}"
        with client.websocket_connect(address, headers=headers) as socket:
            yield Page(socket)

    with client:
        yield open_page
