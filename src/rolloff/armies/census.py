"""A census: which rules, weapons and powers some cards carry, for proving that an edition's content uses all of it."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from rolloff.table.profile import Card

KNOWS = "power:"


class Census(Struct, frozen=True):
    """The names of all special rules, weapons and powers found, sorted."""

    rules: tuple[str, ...]
    weapons: tuple[str, ...]
    powers: tuple[str, ...]


def census(cards: Iterable[Card]) -> Census:
    """Look at every unit, model and weapon."""
    rules: set[str] = set()
    weapons: set[str] = set()
    powers: set[str] = set()
    for card in cards:
        rules.update(rule.name for rule in card.rules)
        powers.update(word.removeprefix(KNOWS) for word in card.keywords if word.startswith(KNOWS))
        for model in card.models:
            rules.update(rule.name for rule in model.rules)
            for weapon in model.weapons:
                weapons.add(weapon.name)
                rules.update(rule.name for rule in weapon.rules)
    return Census(tuple(sorted(rules)), tuple(sorted(weapons)), tuple(sorted(powers)))
