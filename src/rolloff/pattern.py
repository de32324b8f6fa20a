"""Regular expressions that are compiled when they are first used: a command that reads one line needs few of many."""

from __future__ import annotations

import re

from rolloff.lazy import lazy


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

    def fullmatch(self, text: str) -> re.Match[str] | None:
        """A match of a whole text."""
        return self.compiled.fullmatch(text)

    def sub(self, by: str, text: str) -> str:
        """A text with every match replaced."""
        return self.compiled.sub(by, text)

    def findall(self, text: str) -> list[str]:
        """What every match, or its only group, holds."""
        return self.compiled.findall(text)
