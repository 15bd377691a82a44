"""Who may talk to the studio: this machine, the studio's own page, and only with the token."""

from __future__ import annotations

import json
import os
import secrets
from hmac import compare_digest
from pathlib import Path
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection

LOOPBACK = ("127.0.0.1", "localhost", "[::1]", "::1")
"""The names of this machine; another name in a request means that somebody else's page made it."""
HEADERS = {
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; "
    "frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-cache",
}
"""What every answer says: no script but ours, no frames, no token in a referrer."""


class Guard:
    """The token of a studio, and the checks that every request must pass.

    >>> guard = Guard("secret")
    >>> guard.knows("secret"), guard.knows("guess"), guard.knows(None)
    (True, False, False)
    """

    def __init__(self, token: str) -> None:
        self.token = token
        """What a request must bring to be heard."""

    def knows(self, token: str | None) -> bool:
        """Tell whether a token is the right one, in a time that does not depend on the answer."""
        return token is not None and compare_digest(token.encode(), self.token.encode())

    def is_ours(self, connection: HTTPConnection) -> bool:
        """Tell whether a request comes from this machine's own page, or from no page at all."""
        host = connection.headers.get("host", "")
        if host_name(host) not in LOOPBACK:
            return False
        origin = connection.headers.get("origin")
        if origin is None:
            return connection.headers.get("sec-fetch-site", "none") in ("none", "same-origin", "same-site")
        return urlsplit(origin).netloc == host and urlsplit(origin).scheme == "http"

    def admits(self, connection: HTTPConnection) -> bool:
        """Tell whether a request may start a search or read a tree."""
        return self.is_ours(connection) and self.knows(connection.query_params.get("token"))


def host_name(host: str) -> str:
    """Return a host without its port.

    >>> host_name("127.0.0.1:8300"), host_name("[::1]:8300"), host_name("localhost")
    ('127.0.0.1', '[::1]', 'localhost')
    """
    return host[: host.index("]") + 1] if host.startswith("[") and "]" in host else host.partition(":")[0]


def state_folder() -> Path:
    """Return where the studio keeps what outlives it: its token and the matches that it starts."""
    base = os.environ.get("XDG_STATE_HOME")
    return (Path(base) if base else Path.home() / ".local" / "state") / "conspirator"


def kept_token(*, fresh: bool = False) -> str:
    """Return this user's token: random, in a file that nobody else can read.

    It is kept so that a page that is open finds a studio that was started again.
    """
    path = state_folder() / "studio.json"
    if not fresh:
        try:
            if path.stat().st_mode & 0o077 == 0 or os.name == "nt":
                token = json.loads(path.read_text(encoding="utf-8"))["token"]
                if isinstance(token, str) and len(token) >= 32:
                    return token
        except (OSError, ValueError, KeyError, TypeError):
            pass
    token = secrets.token_urlsafe(32)
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        path.unlink(missing_ok=True)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            json.dump({"token": token}, file)
    except OSError:
        pass  # a token for this time only
    return token
