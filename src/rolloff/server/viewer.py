"""Somebody who looks on: a seat, and what it has yet to be told."""

from __future__ import annotations

import asyncio
from collections import deque

BACKLOG = 256
MOST_QUEUED = 4 * 1024 * 1024
"""A viewer this many messages or bytes behind is let go; it is told everything anew when it comes back."""


class Viewer:
    """One connection to a battle."""

    def __init__(self, seat: str, owner: bool = False) -> None:
        """Begin with nothing to tell."""
        self.seat = seat
        self.owner = owner
        self._waiting: deque[bytes] = deque()
        self._bytes = 0
        self._behind = False
        self._news = asyncio.Event()

    def tell(self, message: bytes) -> None:
        """Put a message in line; a viewer too far behind gets no more. One message may be as long as it must be."""
        if self._behind:
            return
        late = bool(self._waiting) and self._bytes + len(message) > MOST_QUEUED
        if late or len(self._waiting) >= BACKLOG:
            self._behind = True
            self._waiting.clear()
            self._bytes = 0
        else:
            self._waiting.append(message)
            self._bytes += len(message)
        self._news.set()

    def drop(self) -> None:
        """Tell no more: the battle is gone."""
        self._behind = True
        self._waiting.clear()
        self._news.set()

    async def heard(self) -> bytes | None:
        """The next message; None if the viewer is too far behind to be told any more."""
        while not self._waiting and not self._behind:
            self._news.clear()
            await self._news.wait()
        if self._behind:
            return None
        message = self._waiting.popleft()
        self._bytes -= len(message)
        return message

    def left(self) -> list[bytes]:
        """All that is still in line, taken out of it."""
        found = list(self._waiting)
        self._waiting.clear()
        self._bytes = 0
        return found
