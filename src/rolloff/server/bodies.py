"""The bodies of requests: read with limits, on their kind, their length and their time."""

from __future__ import annotations

import asyncio
from typing import TypeVar

from starlette.requests import Request

from rolloff.errors import BadInput
from rolloff.server.messages import LARGEST, read

PATIENCE = 10.0
"""Seconds a body may take to come in."""

T = TypeVar("T")


async def read_body(request: Request, form: type[T], most: int = LARGEST) -> T:
    """The body as the form: not too long, not too slow, and surely JSON, which no form of another site can send."""
    return read(await read_raw(request, "application/json", most) or b"{}", form)


async def read_raw(request: Request, kind: str, most: int) -> bytes:
    """The bytes of a body of a kind; `BadInput` if they are too many, come too slowly, or are of another kind."""
    if request.headers.get("content-type", "").split(";")[0].strip().lower() != kind:
        raise BadInput("bad-type", f"send {kind}", where="content-type", allowed=kind)
    body = bytearray()
    try:
        async with asyncio.timeout(PATIENCE):
            async for part in request.stream():
                body += part
                if len(body) > most:
                    raise BadInput("too-large", "this is too long", where="body", allowed=f"{most} bytes")
    except TimeoutError:
        raise BadInput("too-slow", "this took too long to come in", where="body", allowed=f"{PATIENCE:.0f} s") from None
    return bytes(body)
