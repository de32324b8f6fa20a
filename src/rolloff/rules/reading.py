"""Rules and weapons of a unit as anybody may write them, read by an edition; what was read otherwise is noted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from msgspec.structs import replace

from rolloff.rules.edition import Edition
from rolloff.rules.notation import UNKNOWN, Note, Tidier
from rolloff.rules.rule_names import RuleNames
from rolloff.table.profile import Rule, Weapon, read_rule


@lru_cache(maxsize=64)
def _names(known: frozenset[str]) -> RuleNames:
    return RuleNames(known)


class CardReader:
    """Reads what stands on one unit's card, and keeps notes of what was read otherwise than written."""

    def __init__(self, edition: Edition, ignore_unknown: bool = False) -> None:
        """``ignore_unknown``: rules nobody knows are left out and noted instead of refused."""
        self.edition = edition
        self.tidier = Tidier(edition.notation, ignore_unknown)
        self.names = _names(frozenset(edition.specials))

    def rules(self, texts: Sequence[str], where: str) -> tuple[Rule, ...]:
        """The rules of a unit or model, by the edition's names for them."""
        found = self.tidier.rules(texts, f"{where}.rules")
        return self.named(tuple(read_rule(text, f"{where}.rules") for text in found), where)

    def named(self, rules: tuple[Rule, ...], where: str) -> tuple[Rule, ...]:
        """Rules by their names in the edition, however those were written; unknown ones left out if that is asked."""
        if self.edition.notation.reads is not None:
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
            weapon = self.edition.read_weapon(skilled, where)
            found.append(replace(weapon, rules=self.named(weapon.rules, where)))
        return found


def read_weapons(edition: Edition, given: object, where: str) -> tuple[list[Weapon], tuple[Note, ...]]:
    """A weapon by itself, as often as is written, and what was read otherwise than written.

    Raises:
        BadInput: the edition cannot read it.
    """
    reader = CardReader(edition)
    return reader.weapons(given, {}, where), tuple(reader.tidier.notes)
