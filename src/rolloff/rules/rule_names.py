"""The names of special rules as people write them: any case, with spaces, dashes or underscores, in the plural, in brackets."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from rolloff.errors import BadInput
from rolloff.pattern import remembered

NEAR = 3
"""How many names a refusal offers."""

_CHUNK, _PART = re.compile(r"[^\s_:]+"), re.compile(r"^-\d[^-]*|[^-]+")
_GLUED = re.compile(r"(?<=[A-Za-z])(?=\d)")
_DASHES = str.maketrans("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u00d7\u2019", "-------x'")

NOTHING = frozenset(
    {"", "-", "--", "n/a", "na", "n.a", "none", "nil", "null", "no", "no keywords", "no special rules", "no rules"}
)
"""What stands in a column where there is nothing."""

_RATING = re.compile(r"[\W\d]*(?:[dD][\W\d]+)?")
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
LEAST_LETTERS = 3
"""How many letters of a word are enough to know it by."""


@remembered
def even(text: str) -> str:
    """A text with one kind of dash, cross and apostrophe, without brackets and marks around it."""
    found = text.translate(_DASHES).strip(" \t.;!*")
    if found.startswith("[") and found.endswith("]"):
        found = found[1:-1].strip()
    return found


def parted(text: str) -> str:
    """A text whose words stand apart, though they were joined by capital letters: ``specialRules``."""
    return _HUMP.sub(" ", text)


def glued_apart(text: str) -> str:
    """A text whose numbers stand apart from the words before them: ``Melta2``."""
    return _GLUED.sub(" ", text)


def is_nothing(value: object) -> bool:
    """Whether a column is empty, in whatever way that is written."""
    return value is None or (isinstance(value, str) and even(value).casefold() in NOTHING)


def words_of(text: str) -> list[tuple[str, int]]:
    """The words of a name in small letters, each with the place where it ends; a dash between letters parts words."""
    found = []
    for chunk in _CHUNK.finditer(text):
        found += [(part.group().casefold(), chunk.start() + part.end()) for part in _PART.finditer(chunk.group())]
    return found


def _begins(name: list[str], words: list[str]) -> bool:
    """Whether each word is the beginning of the word at its place in a name."""
    return len(name) == len(words) and all(full.startswith(word) for full, word in zip(name, words, strict=True))


def _initials(known: Mapping[str, str]) -> dict[str, str]:
    """Rules of several words by the first letters of those, where only one has them: ``RF``."""
    means: dict[str, set[str]] = {}
    for said, name in known.items():
        if " " in said:
            means.setdefault("".join(word[0] for word in said.split()), set()).add(name)
    return {letters: names.pop() for letters, names in means.items() if len(names) == 1}


class RuleNames:
    """The rules of an edition by all their names."""

    def __init__(self, names: Iterable[str], aliases: Mapping[str, str] | None = None) -> None:
        """Know the names, and other names for some of them."""
        self.names = tuple(sorted(names))
        self._known = {self.plain(name): name for name in self.names}
        self._known |= {self.plain(other): name for other, name in (aliases or {}).items()}
        self._initials = _initials(self._known)
        self._joined = {name.replace(" ", ""): known for name, known in self._known.items()}
        self.find = remembered(self._found)

    @staticmethod
    def plain(name: str) -> str:
        """A name as it is compared."""
        return " ".join(word for word, _ in words_of(even(name)))

    def _found(self, text: str) -> tuple[str, str] | None:
        """The rule a text begins with, and what stands behind its name; the longest name counts."""
        apart = glued_apart(parted(text))
        found = self._find(text, self._exact) or self._find(apart, self._exact)
        short = None if found else self._find(apart, self._short)
        return found or (short if short and _RATING.fullmatch(short[1]) else None)

    def _find(self, text: str, named: Callable[[list[str]], str | None]) -> tuple[str, str] | None:
        words = words_of(text)
        for count in range(len(words), 0, -1):
            name = named([word for word, _ in words[:count]])
            if name is not None:
                rest = text[words[count - 1][1] :]
                return name, (rest[1:] if rest[:1] == "-" else rest).strip(" :_")
        return None

    def _exact(self, words: list[str]) -> str | None:
        """A name by its words, in the plural or not, or with its words joined."""
        said = " ".join(words)
        known = self._known.get(said) or self._known.get(said.removesuffix("s")) or self._known.get(said + "s")
        return known or (self._joined.get(said) if len(words) == 1 else None)

    def _short(self, words: list[str]) -> str | None:
        """The one name that some first letters of each of its words, their initials, or its first word alone, can only mean."""
        if len(words) == 1 and 1 < len(words[0]) <= LEAST_LETTERS and words[0] in self._initials:
            return self._initials[words[0]]
        if any(len(word) < LEAST_LETTERS for word in words):
            return None
        if len(words) == 1:
            said = (f"{words[0]} ", f"{words[0].removesuffix('s')} ")
            means = {name for known, name in self._known.items() if known.startswith(said)}
        else:
            means = {name for known, name in self._known.items() if _begins(known.split(), words)}
        return means.pop() if len(means) == 1 else None

    def nearest(self, text: str) -> list[str]:
        """The names that look most like a text."""
        said = " ".join(word for word, _ in words_of(even(text)) if not any(letter.isdigit() for letter in word))
        from difflib import get_close_matches

        found = get_close_matches(said, self._known, NEAR, 0.6) or get_close_matches(said, self._known, 1, 0.0)
        return list(dict.fromkeys(self._known[name] for name in found))

    def unknown(self, text: object, where: str, what: str = "rule", instead: str = "") -> BadInput:
        """The refusal of a name nobody knows: the nearest name, or what stands for it here, and all there are."""
        near = [] if instead else self.nearest(str(text))
        message = f"{where}: there is no {what} {str(text)[:80]!r}" + (
            f"; the nearest is {instead or near[0]}" if instead or near else ""
        )
        rest = (name for name in self.names if name not in near)
        return BadInput("unknown-rule", message, where=where, allowed=", ".join((*near, *rest)))
