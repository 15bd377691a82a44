"""The studio's server: the page, its files, and one socket for each page."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import HTTPConnection, Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from conspirator._errors import ConspiratorError, shortened
from conspirator.studio.desk import Desk
from conspirator.studio.guard import HEADERS, Guard
from conspirator.studio.session import Session
from conspirator.studio.wire import Passing, text_of

PAGE = Path(__file__).parent / "page"
"""The built front end."""
MOST_SOCKETS = 100
"""Pages that are connected at the same time; more are turned away."""
MOST_WAITING = 200
"""Messages that wait for a page that does not read them; then it is cut off."""
LARGEST = 1_000_000
"""Bytes of a message."""


class OnlyOurs:
    """Refuses requests of other pages and machines, and gives every answer its headers."""

    def __init__(self, app: ASGIApp, guard: Guard) -> None:
        self.app, self.guard = app, guard

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        if not self.guard.is_ours(HTTPConnection(scope)):
            await PlainTextResponse("only this machine's own page may ask", 403)(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [
                    *message.get("headers", []),
                    *((name.lower().encode(), value.encode()) for name, value in HEADERS.items()),
                ]
            await send(message)

        await self.app(scope, receive, with_headers)


class Seat:
    """A page that is connected: what waits for it, and which session it watches.

    Pictures have a slot: a new one takes the place of those that were not sent yet, so that a slow page sees
    fewer of them and never old ones. A passing one leaves those alone that say more than it does.
    """

    def __init__(self, socket: WebSocket, loop: asyncio.AbstractEventLoop) -> None:
        self.name = secrets.token_hex(8)
        self.session: Session | None = None
        self._socket, self._loop = socket, loop
        self._waiting: deque[tuple[str | None, bytes | dict[str, Any]]] = deque()
        self._bell = asyncio.Event()
        self.gone = False

    def post(self, message: bytes | dict[str, Any], slot: str | None = None) -> None:
        """Send something soon; from any thread."""
        with suppress(RuntimeError):  # the server is closing
            self._loop.call_soon_threadsafe(self._put, message, slot)

    def _put(self, message: bytes | dict[str, Any], slot: str | None) -> None:
        if slot is not None:
            passing = isinstance(message, Passing)
            kept = [
                (taken, old)
                for taken, old in self._waiting
                if taken != slot or (passing and not isinstance(old, Passing))
            ]
            self._waiting = deque(kept)
        if len(self._waiting) >= MOST_WAITING:
            self.gone = True
        self._waiting.append((slot, message))
        self._bell.set()

    async def send(self) -> None:
        """Send what waits, until the page is gone."""
        while not self.gone:
            await self._bell.wait()
            self._bell.clear()
            while self._waiting:
                _, message = self._waiting.popleft()
                if isinstance(message, bytes):
                    await self._socket.send_bytes(message)
                else:
                    await self._socket.send_text(text_of(message))
        await self._socket.close(1013)


class Sockets:
    """The door of the sockets."""

    def __init__(self, guard: Guard, desk: Desk) -> None:
        self.guard, self.desk = guard, desk
        self.count = 0
        self.pool = ThreadPoolExecutor(8, "desk")

    async def meet(self, socket: WebSocket) -> None:
        """Serve one page until it leaves."""
        if not self.guard.admits(socket):
            await socket.close(1008)  # before it is accepted: the browser sees 403
            return
        if self.count >= MOST_SOCKETS:
            await socket.accept()
            await socket.close(1013, "too many pages are open")
            return
        self.count += 1
        try:
            await socket.accept()
            await self._serve(socket)
        finally:
            self.count -= 1

    async def _serve(self, socket: WebSocket) -> None:
        loop = asyncio.get_running_loop()
        seat = Seat(socket, loop)
        sender = asyncio.create_task(seat.send())
        try:
            while not seat.gone:
                text = await socket.receive_text()
                await loop.run_in_executor(self.pool, self._answer, seat, text)
        except (WebSocketDisconnect, RuntimeError, KeyError):
            pass
        finally:
            sender.cancel()
            if seat.session is not None:
                self.pool.submit(seat.session.leave, seat)  # not awaited: this task may be cancelled

    def _answer(self, seat: Seat, text: str) -> None:
        number: Any = None
        try:
            message = _read(text)
            number = message.get("id")
            said = self.desk.handle(seat, seat.session, message)
            if message.get("do") == "hello":
                if seat.session is not None and seat.session is not said["session"]:
                    seat.session.leave(seat)
                seat.session, said = said["session"], said["told"]
            seat.post({"id": number, "said": said})
        except ConspiratorError as error:
            seat.post({"id": number, "error": shortened(" ".join(str(error).split()))})
        except Exception as error:  # a defect of ours, or of the user's game: the page must not wait
            seat.post({"id": number, "error": shortened(f"{type(error).__name__}: {error}")})


def _read(text: str) -> dict[str, Any]:
    from conspirator._errors import ArgumentError

    if len(text) > LARGEST:
        raise ArgumentError(f"a message has at most {LARGEST:,} characters")
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        raise ArgumentError("this is no message of the page") from None
    if not isinstance(message, dict):
        raise ArgumentError("this is no message of the page")
    return message


def make_app(guard: Guard, desk: Desk) -> Starlette:
    """Return the server as an ASGI application."""

    async def page(_: Request) -> Response:
        if not (PAGE / "index.html").is_file():
            return PlainTextResponse("the page is not built: run `make studio`", 500)
        return FileResponse(PAGE / "index.html", media_type="text/html")

    async def ping(request: Request) -> Response:
        known = guard.knows(request.query_params.get("token"))
        return PlainTextResponse("conspirator" if known else "who are you?", 200 if known else 403)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> Any:
        yield
        desk.close()

    return Starlette(
        routes=[
            Route("/", page),
            Route("/ping", ping),
            WebSocketRoute("/socket", Sockets(guard, desk).meet),
            Mount("/assets", StaticFiles(directory=PAGE / "assets", check_dir=False)),
        ],
        middleware=[Middleware(OnlyOurs, guard=guard)],
        lifespan=lifespan,
    )
