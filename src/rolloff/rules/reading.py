"""Rules and weapons of a unit as anybody may write them, read by an edition; what was read otherwise is noted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from rolloff.errors import BadInput
from rolloff.identity_cache import FormCache, IdentityCache
from rolloff.rules.edition import Edition
from rolloff.rules.learnt import Learnt
from rolloff.rules.notation import Tidier
from rolloff.rules.notes import Note
from rolloff.rules.rule_lists import UNKNOWN
from rolloff.rules.rule_names import RuleNames, is_nothing
from rolloff.table.profile import Rule, Weapon, read_rule

_names: IdentityCache[Edition, RuleNames] = IdentityCache()
"""The rules of editions, by all their names."""


def _names_of(edition: Edition) -> RuleNames:
    return _names.get(edition) or _names.put(edition, RuleNames(edition.specials))


_learnt: FormCache[Edition, Learnt] = FormCache()
"""What readers of editions have learnt: those that leave out what nobody knows, and the others."""


def _learnt_of(edition: Edition, ignore_unknown: bool) -> Learnt:
    return _learnt.get(edition, ignore_unknown) or _learnt.put(edition, ignore_unknown, Learnt(edition.notation))


class CardReader:
    """Reads what stands on one unit's card, and keeps notes of what was read otherwise than written."""

    def __init__(self, edition: Edition, ignore_unknown: bool = False) -> None:
        """``ignore_unknown``: rules nobody knows are left out and noted instead of refused."""
        self.edition = edition
        self.learnt = _learnt_of(edition, ignore_unknown)
        self.tidier = Tidier(self.learnt, ignore_unknown, self._own, self._known)
        self.names = _names_of(edition)
        self._lines: dict[str, Weapon] = {}

    def _own(self, text: str, where: str) -> None:
        """Refuse a text that is no weapon in the edition's own form, or has an empty rule, or two in one place."""
        weapon = self.edition.read_weapon(text, where)
        for rule in weapon.rules:
            if rule in self.learnt.single:
                continue
            if is_nothing(rule.name) or not any(map(str.isalpha, rule.name)):
                raise BadInput("bad-weapon", f"{where}: {text[:80]!r} has an empty rule", where=where)
            if len(self.tidier.parts(str(rule), where)) > 1:
                raise BadInput("bad-weapon", f"{where}: {str(rule)[:80]!r} are several rules", where=where)
            self.learnt.single.keep(rule, True)
        self._lines[text] = weapon

    def _known(self, text: str, where: str) -> None:
        """Refuse a rule the edition does not have, or with more behind its name than a rating."""
        rule = read_rule(text, where)
        found = (rule.name, "") if rule.name in self.edition.specials else self.names.find(rule.name)
        if found is None or (found[1] and not found[1].isdecimal()):
            raise self.names.unknown(text, where)

    def rules(self, texts: Sequence[str], where: str) -> tuple[Rule, ...]:
        """The rules of a unit or model, by the edition's names for them."""
        if not texts:
            return ()
        found = self.tidier.rules(texts, f"{where}.rules")
        return self.named(tuple(read_rule(text, f"{where}.rules") for text in found), where)

    def named(self, rules: tuple[Rule, ...], where: str) -> tuple[Rule, ...]:
        """Rules by their names in the edition, however those were written; unknown ones left out if that is asked."""
        specials = self.edition.specials
        if self.edition.notation.reads is not None or all(rule.name in specials for rule in rules):
            return rules
        kept = []
        for rule in rules:
            known = (rule.name, "") if rule.name in self.edition.specials else self.names.find(rule.name)
            if known is None and self.tidier.ignore_unknown:
                self.tidier.note(f"{where}.rules", str(rule), None, UNKNOWN)
                continue
            if known is None or known[0] == rule.name:
                kept.append(rule)
                continue
            read = read_rule(f"{known[0]}({known[1]})" if known[1] else known[0], where)
            self.tidier.note(f"{where}.rules", rule.name, known[0], "the same rule")
            kept.append(read if known[1] else Rule(known[0], rule.rating))
        return tuple(kept)

    def weapons(self, given: object, stats: Mapping[str, Any], where: str) -> list[Weapon]:
        """A weapon, as often as is written; ``stats`` are the unit's characteristics as they were written."""
        found = []
        for tidied in self.tidier.weapons(given, where):
            skilled = self.tidier.skilled(tidied, stats) if isinstance(tidied, dict) else tidied
            weapon = (self._lines.get(tidied) if isinstance(tidied, str) else None) or self.edition.read_weapon(skilled, where)
            if isinstance(tidied, str) and weapon.name.casefold() not in tidied.casefold():
                self.tidier.note(where, tidied, weapon.name, "its name in the tables")
            rules = self.named(weapon.rules, where)
            found.append(weapon if rules is weapon.rules else replace(weapon, rules=rules))
        return found


def read_weapons(edition: Edition, given: object, where: str) -> tuple[list[Weapon], tuple[Note, ...]]:
    """A weapon by itself, as often as is written, and what was read otherwise than written.

    Raises:
        BadInput: the edition cannot read it.
    """
    reader = CardReader(edition)
    weapons = reader.weapons(given, {}, where)
    for rule in {rule for weapon in weapons for rule in weapon.rules if edition.specials and rule.name not in edition.specials}:
        of_weapons = RuleNames(name for name, special in edition.specials.items() if special.on_weapon)
        raise of_weapons.unknown(rule, f"{where}.rules", instead=edition.notation.instead.get(rule.name, ""))
    return weapons, tuple(reader.tidier.notes)
