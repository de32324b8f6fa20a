"""The page and its files: packed once, kept in memory, and never asked for twice where their name says what they hold."""

from __future__ import annotations

import gzip
import mimetypes
from functools import lru_cache
from pathlib import Path

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

SMALLEST = 1000
"""What is smaller is not packed."""
PACKABLE = ("application/json", "application/jsonl")
POLICY = {
    "Content-Security-Policy": "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}


@lru_cache(256)
def _read(path: Path, changed: int) -> tuple[bytes, bytes]:
    """A file as it is and packed."""
    raw = path.read_bytes()
    return raw, gzip.compress(raw, 9, mtime=0)


def packs(headers: Headers) -> bool:
    """Whether the other end takes packed answers."""
    return "gzip" in headers.get("accept-encoding", "").lower()


class Assets:
    """Serves the built page."""

    def __init__(self, folder: Path) -> None:
        """Serve this folder."""
        self.folder = folder

    def _answer(self, path: Path, headers: Headers, cache: str) -> Response:
        raw, packed = _read(path, path.stat().st_mtime_ns)
        kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
        more = POLICY | {"Cache-Control": cache, "Vary": "Accept-Encoding"}
        if len(packed) < len(raw) and packs(headers):
            return Response(packed, media_type=kind, headers=more | {"Content-Encoding": "gzip"})
        return Response(raw, media_type=kind, headers=more)

    async def index(self, request: Request) -> Response:
        """The page itself."""
        path = self.folder / "index.html"
        if not path.exists():
            return Response("The page is not built yet: run `make page`.\n", 503, media_type="text/plain")
        return self._answer(path, request.headers, "no-cache")

    async def lost(self, request: Request) -> Response:
        """An address that leads nowhere: the page, which says so and leads home; programs get a sentence."""
        if request.url.path.startswith(("/api/", "/ws/")) or "text/html" not in request.headers.get("accept", ""):
            raise HTTPException(404)
        found = await self.index(request)
        found.status_code = 404 if found.status_code == 200 else found.status_code
        return found

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """A file of the page; its name changes with what it holds, so that it may be kept for ever."""
        if scope["type"] != "http" or scope["method"] not in ("GET", "HEAD"):
            raise HTTPException(405)
        name = scope["path"].rsplit("/", 1)[-1]
        path = self.folder / "assets" / name
        if not name or name.startswith(".") or "\\" in name or "\0" in name or not path.is_file():
            raise HTTPException(404)
        answer = self._answer(path, Headers(scope=scope), "public, max-age=31536000, immutable")
        await answer(scope, receive, send)


class Zipped:
    """ASGI middleware that packs long JSON answers for whoever takes them packed."""

    def __init__(self, app: ASGIApp) -> None:
        """Stand before the application."""
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass answers on, long JSON packed."""
        if scope["type"] != "http" or not packs(Headers(scope=scope)):
            await self.app(scope, receive, send)
            return
        begun: Message | None = None

        async def pack(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = message
                return
            if begun is not None:
                headers = MutableHeaders(raw=begun["headers"])
                body = message.get("body", b"")
                kind = headers.get("content-type", "").split(";")[0]
                whole = not message.get("more_body", False)
                if whole and kind in PACKABLE and len(body) >= SMALLEST and "content-encoding" not in headers:
                    body = gzip.compress(body, 5, mtime=0)
                    headers["Content-Encoding"] = "gzip"
                    headers["Content-Length"] = str(len(body))
                    headers.add_vary_header("Accept-Encoding")
                    message = {**message, "body": body}
                await send(begun)
                begun = None
            await send(message)

        await self.app(scope, receive, pack)
