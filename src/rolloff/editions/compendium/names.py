"""Rules as their owners write them, read into one form: ``Rapid Fire 1``, ``Anti-Monster``, ``feel_no_pain(5+)``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from rolloff.editions.compendium.abilities import ALIASES, SPECIALS
from rolloff.editions.compendium.ability import Ability, Worded
from rolloff.errors import BadInput
from rolloff.rules.citing import cites
from rolloff.table.profile import Rule

_TEXT = re.compile(r"^\s*(?P<name>[^()]*?)\s*(?:\((?P<rating>[^()]*)\))?\s*$")

_KINDS = ("weapon", "vehicle", "tag", "how")
"""What the book writes behind some names to say what kind of rule they are."""


def plain(name: str) -> str:
    """A name as it is compared: without case, underscores and dashes."""
    return " ".join(re.sub(r"[_\-\u2010-\u2015]", " ", name.casefold().replace("\u2019", "'")).split())


class Reader:
    """Reads rules by the registry of an edition."""

    def __init__(self, specials: Mapping[str, Ability], aliases: Mapping[str, str]) -> None:
        """Know the rules by all their names."""
        self.specials = specials
        self._names = {plain(name): name for name in specials} | dict(aliases)
        self._longest = sorted(self._names, key=len, reverse=True)

    def rule(self, text: object, where: str) -> Rule:
        """One rule; `BadInput` names one the book lacks, or a rating that does not fit it."""
        match = _TEXT.match(text) if isinstance(text, str) else None
        if match is None or not match["name"] or len(str(text)) > 200:
            raise BadInput("bad-rule", f"{where}: {str(text)[:80]!r} is no rule", where=where, allowed="Name or Name(X)")
        said = plain(match["name"])
        for known in self._longest:
            rest = said[len(known) :]
            if said.startswith(known) and (not rest or rest[0] == " "):
                tail = _tail(match["name"], rest)
                name = self._names[known]
                behind = match["rating"] or ""
                if behind.casefold() in _KINDS and not isinstance(self.specials[name], Worded):
                    behind = ""
                rating = " ".join(part for part in (tail, behind) if part)
                return Rule(name, self.specials[name].read(rating, where))
        allowed = ", ".join(sorted(self.specials))
        raise BadInput("unknown-rule", f"{where}: there is no rule {str(text)[:80]!r}", where=where, allowed=allowed)

    def printed(self, rule: Rule, where: str) -> Rule:
        """A rule that was read as plain text, read again by this book."""
        return self.rule(str(rule), where)


def _tail(name: str, rest: str) -> str:
    """What stands behind a name as it was written."""
    count = len(rest.split())
    words = re.split(r"[\s_]+|(?<=[^\W\d])-", name.strip())
    return " ".join(words[-count:]) if count else ""


READER = Reader(SPECIALS, ALIASES)


@cites("CF-DICE-9", off=tuple)
def collapsed(rules: Iterable[Rule], specials: Mapping[str, Ability] = SPECIALS) -> tuple[Rule, ...]:
    """CF-DICE-9: two copies of a rule do not add up; of two numbered copies the better is used."""
    kept: dict[tuple[str, str], Rule] = {}
    for rule in rules:
        special = specials[rule.name]
        key = (rule.name, special.same_as(rule.rating))
        old = kept.get(key)
        if old is None or special.worth(rule.rating) > special.worth(old.rating):
            kept[key] = rule
    return tuple(kept[key] for key in sorted(kept))
