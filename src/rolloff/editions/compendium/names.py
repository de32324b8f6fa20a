"""Rules as their owners write them, read into one form: ``Rapid Fire 1``, ``Anti-Monster``, ``feel_no_pain(5+)``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from rolloff.editions.compendium.abilities import ALIASES, SPECIALS
from rolloff.editions.compendium.ability import Ability, Planned, Worded
from rolloff.errors import BadInput
from rolloff.identity_cache import Recent
from rolloff.pattern import SHORT
from rolloff.rules.citing import cites
from rolloff.rules.rule_names import RuleNames, even
from rolloff.table.profile import Rule

_TEXT = re.compile(r"^\s*(?P<name>[^()]*?)\s*(?:\((?P<rating>[^()]*)\))?\s*$")

MOST_LETTERS = 200
_KINDS = ("weapon", "vehicle", "tag", "how")
"""What the book writes behind some names to say what kind of rule they are."""


class Reader:
    """Reads rules by the registry of an edition."""

    def __init__(self, specials: Mapping[str, Ability], aliases: Mapping[str, str]) -> None:
        """Know the rules by all their names."""
        self.specials = specials
        self.names = RuleNames(specials, aliases)
        self._read: Recent[str, Rule] = Recent(1024)
        self._printed: Recent[Rule, Rule] = Recent(1024)

    def rule(self, text: object, where: str) -> Rule:
        """One rule; `BadInput` names one the book lacks, or a rating that does not fit it."""
        known = self._read.get(text) if isinstance(text, str) else None
        return self._new_rule(text, where) if known is None else known

    def _new_rule(self, text: object, where: str) -> Rule:
        match = _TEXT.match(even(text)) if isinstance(text, str) and len(text) <= MOST_LETTERS else None
        if match is None or not match["name"]:
            raise BadInput("bad-rule", f"{where}: {str(text)[:80]!r} is no rule", where=where, allowed="Name or Name(X)")
        found = self.names.find(match["name"])
        if found is None:
            raise self.names.unknown(text, where)
        name, implied = _parted(found[0])
        tail = ("" if found[1].casefold() in _KINDS else found[1]) or implied
        self._in_force(name, where)
        behind = match["rating"] or ""
        if behind.casefold() in _KINDS and not isinstance(self.specials[name], Worded):
            behind = ""
        read = Rule(name, self.specials[name].read(" ".join(part for part in (tail, behind) if part), where))
        return self._read.keep(text, read) if isinstance(text, str) and len(text) <= SHORT else read

    @cites("CF-PROF-9")
    def _in_force(self, name: str, where: str) -> None:
        """CF-PROF-9: a rule that is planned is refused by name, never passed over."""
        if isinstance(self.specials[name], Planned):
            allowed = ", ".join(sorted(one for one, special in self.specials.items() if not isinstance(special, Planned)))
            message = f"{where}: {name} is planned and not in force yet"
            raise BadInput("rule-planned", message, where=where, allowed=allowed, clause="CF-PROF-9")

    def word(self, text: str, where: str) -> None:
        """CF-PROF-9: a type or keyword that is the name of a planned rule is refused as the rule is."""
        found = self.names.find(even(text))
        if found is not None and not found[1]:
            self._in_force(_parted(found[0])[0], where)

    def printed(self, rule: Rule, where: str) -> Rule:
        """A rule that was read as plain text, read again by this book."""
        return self._printed.get(rule) or self._printed.keep(rule, self.rule(str(rule), where))


def _parted(stands_for: str) -> tuple[str, str]:
    """What a name stands for: a rule, and the rating it implies."""
    name, _, rating = stands_for.partition("(")
    return name, rating.removesuffix(")")


READER = Reader(SPECIALS, ALIASES)


@cites("CF-DICE-9")
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
