"""The names of special rules as people write them: any case, with spaces, dashes or underscores, in the plural, in brackets."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches

from rolloff.errors import BadInput

NEAR = 3
"""How many names a refusal offers."""

_CHUNK, _PART = re.compile(r"[^\s_:]+"), re.compile(r"^-\d[^-]*|[^-]+")
_GLUED = re.compile(r"(?<=[A-Za-z])(?=\d)")
_DASHES = str.maketrans("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u00d7\u2019", "-------x'")


def even(text: str) -> str:
    """A text with one kind of dash, cross and apostrophe, without brackets and marks around it."""
    found = text.translate(_DASHES).strip(" \t.;*")
    if found.startswith("[") and found.endswith("]"):
        found = found[1:-1].strip()
    return found


def words_of(text: str) -> list[tuple[str, int]]:
    """The words of a name in small letters, each with the place where it ends; a dash between letters parts words."""
    found = []
    for chunk in _CHUNK.finditer(text):
        found += [(part.group().casefold(), chunk.start() + part.end()) for part in _PART.finditer(chunk.group())]
    return found


class RuleNames:
    """The rules of an edition by all their names."""

    def __init__(self, names: Iterable[str], aliases: Mapping[str, str] | None = None) -> None:
        """Know the names, and other names for some of them."""
        self.names = tuple(sorted(names))
        self._known = {self.plain(name): name for name in self.names}
        self._known |= {self.plain(other): name for other, name in (aliases or {}).items()}

    @staticmethod
    def plain(name: str) -> str:
        """A name as it is compared."""
        return " ".join(word for word, _ in words_of(even(name)))

    def find(self, text: str) -> tuple[str, str] | None:
        """The rule a text begins with, and what stands behind its name; the longest name counts."""
        return self._find(text) or self._find(_GLUED.sub(" ", text))

    def _find(self, text: str) -> tuple[str, str] | None:
        words = words_of(text)
        for count in range(len(words), 0, -1):
            said = " ".join(word for word, _ in words[:count])
            name = self._known.get(said) or self._known.get(said.removesuffix("s")) or self._known.get(said + "s")
            if name is not None:
                rest = text[words[count - 1][1] :]
                return name, (rest[1:] if rest[:1] == "-" else rest).strip(" :_")
        return None

    def nearest(self, text: str) -> list[str]:
        """The names that look most like a text."""
        said = " ".join(word for word, _ in words_of(even(text)) if not any(letter.isdigit() for letter in word))
        found = get_close_matches(said, self._known, NEAR, 0.6)
        return list(dict.fromkeys(self._known[name] for name in found))

    def unknown(self, text: object, where: str, what: str = "rule") -> BadInput:
        """The refusal of a name nobody knows: the nearest names, and all there are."""
        near = self.nearest(str(text))
        message = f"{where}: there is no {what} {str(text)[:80]!r}" + (f"; the nearest is {near[0]}" if near else "")
        rest = (name for name in self.names if name not in near)
        return BadInput("unknown-rule", message, where=where, allowed=", ".join((*near, *rest)))
