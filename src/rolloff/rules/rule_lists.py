"""The rules of a weapon or unit however they are listed: names in a text, a list, objects; what was changed is noted."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from typing import Any

from rolloff.errors import BadInput
from rolloff.identity_cache import Recent
from rolloff.pattern import SHORT, remembered
from rolloff.rules.notes import Note
from rolloff.rules.rule_names import even, glued_apart, is_nothing
from rolloff.table.profile import Rule

MOST_WORDS = 16
_JOINTS = re.compile(r"\s(?:and|&|\+|\|)\s|[|\u2022]", re.IGNORECASE)
HEADINGS = frozenset({"melee", "ranged", "melee weapon", "melee weapons", "ranged weapon", "ranged weapons"})
UNKNOWN = "nobody knows this rule; it was left out as asked"

Reads = Callable[[str, str], object]
"""Reads one rule; what the edition does not have is refused."""


@remembered
def _spelt(text: str) -> str:
    """The letters of a name."""
    return "".join(letter for letter in even(text).casefold() if letter.isalpha())


def split(text: str) -> list[str]:
    """Names in a text: at commas, semicolons and line ends that stand in no parentheses, and between brackets."""
    return [part.strip(" []*") for part in re.split(r"(?:[,;\n|\u2022]|\s/\s|<br\s*/?>)(?![^(]*\))|\]\s*\[", text)]


class RuleLists:
    """Reads lists of rules, and keeps the notes."""

    def __init__(
        self, reads: Reads | None, refuses: Reads | None, ignore_unknown: bool, plainly: Recent[str, list[str]] | None = None
    ) -> None:
        """``reads`` knows the rules; with ``ignore_unknown`` those that ``refuses`` does not know are left out and noted.

        ``plainly`` are entries that all readers of the same rules have read without a note, and the rules they stand for.
        """
        self.reads, self.refuses, self.ignore_unknown = reads, refuses, ignore_unknown
        self.plainly: Recent[str, list[str]] = Recent() if plainly is None else plainly
        self.notes: list[Note] = []

    def note(self, where: str, given: object, read: object, why: str) -> None:
        """Keep a note."""
        self.notes.append(Note(where, given, read, why))

    def rules(self, given: object, where: str) -> list[Any]:
        """The rules of a weapon or unit: a list, or names in a text; empty ones are left out."""
        if given is None:
            return []
        if not isinstance(given, str | list | tuple):
            raise BadInput("bad-rule", f"{where}: {str(given)[:80]!r} are no rules", where=where, allowed="a list of names")
        entries = [given] if isinstance(given, str) else given
        plainly = [self.plainly.get(one) if isinstance(one, str) else None for one in entries]
        if None not in plainly:
            return list(chain.from_iterable(plainly))  # type: ignore[arg-type]  # none of them is None
        before, parts = len(self.notes), [self.parts(one, where) for one in entries]
        found = self._kept(list(chain.from_iterable(parts)), where)
        if len(self.notes) == before:
            self._remember(entries, parts)
        return found

    def _remember(self, entries: Sequence[object], parts: list[list[object]]) -> None:
        """Keep what entries stand for that were read without a note."""
        for one, texts in zip(entries, parts, strict=True):
            if isinstance(one, str) and len(one) <= SHORT:
                self.plainly.keep(one, [even(text) for text in texts if isinstance(text, str)])

    def _kept(self, texts: list[object], where: str) -> list[Any]:
        """The rules among some texts; what is none is noted."""
        found: list[Any] = []
        for k, text in enumerate(texts):
            if is_nothing(text):
                self.note(f"{where}[{k}]", text, None, "no rule")
            elif self._is_kind(text, where):
                self.note(f"{where}[{k}]", text, None, "it says how the weapon attacks")
            elif self._known(text, f"{where}[{k}]"):
                found.append(even(text) if isinstance(text, str) else text)
                self._note_short(text, f"{where}[{k}]")
        return found

    def _note_short(self, text: object, where: str) -> None:
        """Keep a note of a rule that was known by less than its name."""
        with suppress(BadInput):
            read = self.reads(even(text), where) if self.reads is not None and isinstance(text, str) else None
            if isinstance(read, Rule) and not _spelt(str(text)).startswith(_spelt(read.name).removesuffix("s")):
                self.note(where, text, str(read), "the same rule")

    def _is_kind(self, text: object, where: str) -> bool:
        """Whether a text among the rules is only the heading a weapon stands under, no rule of the edition."""
        return isinstance(text, str) and even(text).casefold() in HEADINGS and not self._reads(text, where)

    def parts(self, one: object, where: str) -> list[object]:
        """The rules of one entry of a list: one that the edition reads as it stands, or several behind one another."""
        if isinstance(one, Mapping):
            rating = next((one[key] for key in ("rating", "value") if not is_nothing(one.get(key))), "")
            return [f"{one.get('name', '')} {rating}".strip()]
        if not isinstance(one, str) or is_nothing(one):
            return [one]
        parts = split(one)
        if all(is_nothing(part) or self._reads(part, where) for part in parts):
            return list(parts)
        whole = next((text for text in (one, glued_apart(one)) if self._reads(text, where)), None)
        if whole is not None:
            return [whole]
        pieces = [piece for part in parts for piece in self._pieces(part, where)]
        if len(pieces) > len(parts):
            self.note(where, one, ", ".join(pieces), "several rules")
        return list(pieces)

    def _reads(self, text: str, where: str) -> bool:
        """Whether the edition has this rule, with such a rating."""
        if self.reads is not None:
            with suppress(BadInput):
                self.reads(even(text), where)
                return True
        return False

    def _pieces(self, text: str, where: str) -> list[str]:
        """A text of rules with nothing but spaces, "and" or a mark between them, rule by rule; itself if it is none."""
        if self._reads(text, where):
            return [text]
        words = [word.strip(".,") for word in _JOINTS.sub(" ", text).split()]
        found = self._partition([word for word in words if word], where) if 1 < len(words) <= MOST_WORDS else None
        return [text] if found is None else found

    def _partition(self, words: list[str], where: str) -> list[str] | None:
        """Words as rules behind one another, each as long as can be; None if that leaves something over."""
        for count in range(len(words), 0, -1):
            head = " ".join(words[:count])
            if self._reads(head, where):
                rest = self._partition(words[count:], where) if count < len(words) else []
                if rest is not None:
                    return [head, *rest]
        return None

    def _known(self, text: object, where: str) -> bool:
        """Whether a rule is to be kept: what is unknown is refused later, unless it may be ignored."""
        if not self.ignore_unknown or self.refuses is None or not isinstance(text, str):
            return True
        try:
            self.refuses(even(text), where)
        except BadInput as error:
            if error.code != "unknown-rule":
                raise
            self.note(where, text, None, UNKNOWN)
            return False
        return True
