"""The door: only pages of this server may speak to it.

The server listens on loopback, yet any web page in the same browser could send it requests, and a name could
be made to point at it. So the Host must be a loopback name, and an Origin, where the browser sends one,
must be that same host.
"""

from __future__ import annotations

import msgspec
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from rolloff.errors import BadInput
from rolloff.server.messages import error_json

LOOPBACK = frozenset({"127.0.0.1", "localhost", "[::1]"})
POLICY_VIOLATION = 1008


def _name(host: str) -> str:
    """The host without its port."""
    head, colon, port = host.rpartition(":")
    return head if colon and port.isdigit() else host


def trouble(headers: Headers) -> str | None:
    """Why these headers may not pass, or None."""
    host = headers.get("host", "").lower()
    if _name(host) not in LOOPBACK:
        return f"this server answers to a loopback name, not to {host or 'no name'!r}"
    origin = headers.get("origin")
    if origin is not None and origin.lower() not in (f"http://{host}", f"https://{host}"):
        return "another site may not speak to this server"
    return None


class Guard:
    """ASGI middleware that turns away what did not come from a page of this server."""

    def __init__(self, app: ASGIApp) -> None:
        """Stand before the application."""
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let pass, or turn away with a sentence."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        why = trouble(Headers(scope=scope))
        if why is None:
            await self.app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": POLICY_VIOLATION, "reason": why})
        else:
            body = msgspec.json.encode(error_json(BadInput("forbidden", why, where="origin")))
            await Response(body, 403, media_type="application/json")(scope, receive, send)
