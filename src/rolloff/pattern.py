"""What texts are looked at with: expressions compiled when they are first used, and answers about short texts kept."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache, wraps
from typing import TypeVar

from rolloff.lazy import lazy

T = TypeVar("T")

SHORT = 80
"""The longest text of which an answer is kept."""


def remembered(said: Callable[[str], T]) -> Callable[[str], T]:
    """A function of one text that keeps its answers about short ones, of which the same come again and again.

    Whoever asks for an answer must not change it.
    """
    kept = lru_cache(maxsize=4096)(said)

    @wraps(said)
    def asked(text: str) -> T:
        return kept(text) if len(text) <= SHORT else said(text)

    return asked


class Pattern:
    """A regular expression, compiled by whoever asks for a match first."""

    def __init__(self, text: str, flags: int = 0) -> None:
        """Remember what to compile."""
        self.text, self.flags = text, flags

    @lazy
    def compiled(self) -> re.Pattern[str]:
        """The expression itself."""
        return re.compile(self.text, self.flags)

    def match(self, text: str, at: int = 0) -> re.Match[str] | None:
        """A match that begins at a place."""
        return self.compiled.match(text, at)

    def search(self, text: str) -> re.Match[str] | None:
        """The first match in a text."""
        return self.compiled.search(text)

    def fullmatch(self, text: str) -> re.Match[str] | None:
        """A match of a whole text."""
        return self.compiled.fullmatch(text)

    def sub(self, by: str, text: str) -> str:
        """A text with every match replaced."""
        return self.compiled.sub(by, text)

    def findall(self, text: str) -> list[str]:
        """What every match, or its only group, holds."""
        return self.compiled.findall(text)
