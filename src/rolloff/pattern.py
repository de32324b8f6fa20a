"""What texts are looked at with: expressions compiled when they are first used, and answers about short texts kept."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache, wraps
from typing import Protocol, TypeVar

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


class Looks(Protocol):
    """Looks for a match in a text, from a place on."""

    def __call__(self, text: str, at: int = 0, /) -> re.Match[str] | None:
        """The match, or None."""


class Pattern:
    """A regular expression, compiled by whoever asks for a match first."""

    def __init__(self, text: str, flags: int = 0) -> None:
        """Remember what to compile."""
        self.text, self.flags = text, flags

    @lazy
    def compiled(self) -> re.Pattern[str]:
        """The expression itself."""
        return re.compile(self.text, self.flags)

    @lazy
    def match(self) -> Looks:
        """A match that begins at a place."""
        return self.compiled.match

    @lazy
    def search(self) -> Looks:
        """The first match in a text."""
        return self.compiled.search

    @lazy
    def fullmatch(self) -> Looks:
        """A match of a whole text."""
        return self.compiled.fullmatch

    def sub(self, by: str, text: str) -> str:
        """A text with every match replaced."""
        return self.compiled.sub(by, text)

    def split(self, text: str) -> list[str]:
        """What stands between matches."""
        return self.compiled.split(text)

    def findall(self, text: str) -> list[str]:
        """What every match, or its only group, holds."""
        return self.compiled.findall(text)

    def places(self, text: str) -> list[tuple[int, int]]:
        """Where every match begins and ends."""
        return [match.span() for match in self.compiled.finditer(text)]


def either(patterns: Iterable[Pattern], form: str = "(?:{})") -> Pattern:
    """The first of some patterns that matches, asked at once, in any case; `which` tells which it was.

    Each has one group, with a name. ``form`` says with ``{}`` for them what else must match there.
    """
    joined = "|".join([_GROUP.sub(f"(?P<of{k}>", pattern.text) for k, pattern in enumerate(patterns)])
    return Pattern(form.replace("{}", joined), re.IGNORECASE)


def which(match: re.Match[str]) -> int:
    """Which of the patterns put together by `either` has matched."""
    return int((match.lastgroup or "of0").removeprefix("of"))


_GROUP = re.compile(r"\(\?P<\w+>")
