"""The door: only pages of this server may speak to it.

The server listens on loopback, yet any web page in the same browser could send it requests, and a name could
be made to point at it. So the Host must be a loopback name, or one the server was told to answer to, and an Origin, where
the browser sends one, must be that same host.
"""

from __future__ import annotations

import asyncio
from ipaddress import ip_address

import msgspec
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rolloff.errors import BadInput
from rolloff.server.messages import error_json

LOOPBACK = frozenset({"127.0.0.1", "localhost", "[::1]"})
ANY = "*"
"""Among the hosts: any numeric address. No page elsewhere can make a name of its own point at one."""
POLICY_VIOLATION = 1008


def _name(host: str) -> str:
    """The host without its port."""
    head, colon, port = host.rpartition(":")
    return head if colon and port.isdigit() else host


def _is_address(name: str) -> bool:
    try:
        ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


def trouble(headers: Headers, hosts: frozenset[str] = frozenset()) -> str | None:
    """Why these headers may not pass, or None. With ANY among the hosts every address passes, but no name."""
    host = headers.get("host", "").lower()
    name = _name(host)
    if name not in LOOPBACK | hosts and not (ANY in hosts and _is_address(name)):
        return f"this server does not answer to {host or 'no name'!r}"
    origin = headers.get("origin")
    if origin is not None and origin.lower() not in (f"http://{host}", f"https://{host}"):
        return "another site may not speak to this server"
    return None


class Guard:
    """ASGI middleware that turns away what did not come from a page of this server."""

    def __init__(self, app: ASGIApp, hosts: frozenset[str] = frozenset()) -> None:
        """Stand before the application; beside loopback names these hosts are its own."""
        self.app = app
        self.hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let pass, or turn away with a sentence."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        why = trouble(Headers(scope=scope), self.hosts)
        if why is None:
            await self.app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": POLICY_VIOLATION, "reason": why})
        else:
            body = msgspec.json.encode(error_json(BadInput("forbidden", why, where="origin")))
            await Response(body, 403, media_type="application/json")(scope, receive, send)


class Leaving:
    """ASGI middleware for the end of a server: who is still waiting when it stops is told so, and no log is kept of it."""

    def __init__(self, app: ASGIApp) -> None:
        """Stand around the application."""
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer; if the server stops meanwhile, say so to whoever has heard nothing yet."""
        begun = False

        async def sent(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self.app(scope, receive, sent)
        except asyncio.CancelledError:
            if scope["type"] == "http" and not begun:
                error = BadInput("stopping", "the server is being stopped", allowed="ask again when it is back")
                body = msgspec.json.encode(error_json(error))
                await Response(body, 503, media_type="application/json")(scope, receive, send)
