"""Army law: which cards an edition can play and which lists its players may bring. Editions give the limits and the clauses."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from rolloff.errors import ArmyError, BadInput
from rolloff.identity_cache import IdentityCache
from rolloff.rules.component import Component
from rolloff.table.profile import Card, Rule, read_roll

if TYPE_CHECKING:
    from rolloff.rules.hooks import Special

MOST_RATING = 1000


class Cap(Component, frozen=True):
    """No more than so many units of some kind in an army."""

    code: str
    what: str
    most: int
    counts: Callable[[Card], bool]
    clause: str


class LawClauses(Component, frozen=True):
    """The clauses that say no: to a type, a rule, a rule in the wrong place, a size, an empty list, an empty unit."""

    type: str
    rule: str
    place: str
    size: str
    units: str
    models: str


class ArmyLaw(Component, frozen=True):
    """What one edition allows.

    Rules are its special rules, each where it may stand and rated as it must be; ``instead`` says what comes nearest to
    what the edition does not have; ``cards`` are the checks of a card beyond its type.
    """

    edition: str
    types: tuple[str, ...]
    specials: Mapping[str, Special]
    largest: int
    clauses: LawClauses
    caps: tuple[Cap, ...] = ()
    instead: Mapping[str, str] = {}
    cards: tuple[Callable[[ArmyLaw, Card], None], ...] = ()

    @property
    def on_units(self) -> Mapping[str, Special]:
        """The rules a unit or a model may have."""
        return {name: special for name, special in self.specials.items() if special.on_unit}

    @property
    def on_weapons(self) -> Mapping[str, Special]:
        """The rules a weapon may have."""
        return {name: special for name, special in self.specials.items() if special.on_weapon}


class Problem(Struct, frozen=True):
    """One thing wrong with a list: a code, the unit, the clause, a sentence."""

    code: str
    message: str
    where: str
    clause: str


def _unknown(law: ArmyLaw, rule: Rule, on_weapon: bool, where: str) -> ArmyError:
    """The refusal of a rule names what comes nearest."""
    known, elsewhere = (law.on_weapons, law.on_units) if on_weapon else (law.on_units, law.on_weapons)
    if rule.name in elsewhere:
        near = "a unit, not on a weapon" if on_weapon else "a weapon, not on a unit"
        message, allowed = f"{where}: {rule.name} stands on {near}", ", ".join(sorted(known))
        return ArmyError("misplaced-rule", message, where=where, allowed=allowed, clause=law.clauses.place)
    by_case = {name.lower(): name for name in (*known, *law.instead)}
    said = rule.name.lower()
    from difflib import get_close_matches

    close = get_close_matches(said, by_case, 1, 0.75) or get_close_matches(said, [name.lower() for name in known], 1, 0.0)
    near = law.instead.get(rule.name) or (by_case[close[0]] if close else "")
    hint = f"; the nearest is {near}" if near else ""
    message = f"{where}: {law.edition} has no rule {rule.name}{hint}"
    allowed = ", ".join(dict.fromkeys((*((near,) if near else ()), *sorted(known))))
    return ArmyError("unknown-rule", message, where=where, allowed=allowed, clause=law.clauses.rule)


def check_rules(law: ArmyLaw, rules: Iterable[Rule], on_weapon: bool, where: str) -> None:
    """Only rules of the edition, where they belong, with the rating they need."""
    for rule in rules:
        special = law.specials.get(rule.name)
        if special is None or not (special.on_weapon if on_weapon else special.on_unit):
            raise _unknown(law, rule, on_weapon, where)
        if not _rated_well(rule, special):
            wanted = "no rating" if not special.rated else "a number or a die" if special.by_dice else "a number from 1 on"
            message = f"{where}: {rule} is not rated as it must be: {rule.name} takes {wanted}"
            raise ArmyError("bad-rating", message, where=where, allowed=wanted, clause=law.clauses.rule)


def _rated_well(rule: Rule, special: Special) -> bool:
    if not special.rated:
        return rule.rating is None
    if isinstance(rule.rating, int):
        return 1 <= rule.rating <= MOST_RATING
    if not special.by_dice or rule.rating is None:
        return False
    try:
        return read_roll(rule.rating).mean >= 1
    except BadInput:
        return False


def check_card(law: ArmyLaw, card: Card) -> None:
    """Refuse a card the edition cannot play, naming what is wrong and what would be right."""
    if card.type not in law.types:
        nearest = law.instead.get(card.type.capitalize(), "")
        also = f"; the nearest is {nearest}" if nearest else ""
        allowed, message = ", ".join(law.types), f"{card.id}: no unit type {card.type!r}{also}"
        raise ArmyError("unknown-type", message, where=card.id, allowed=allowed, clause=law.clauses.type)
    for check in law.cards:
        check(law, card)


def known_rules(law: ArmyLaw, card: Card) -> None:
    """Only rules of the edition on the unit, its models and their weapons."""
    check_rules(law, card.rules, False, card.id)
    rules: object = None
    weapons: object = None
    for model in card.models:
        if model.rules is rules and model.weapons is weapons:  # as the model before it
            continue
        rules, weapons = model.rules, model.weapons
        check_rules(law, model.rules, False, model.id)
        for weapon in model.weapons:
            check_rules(law, weapon.rules, True, f"{model.id}: {weapon.name}")


_sound: IdentityCache[Card, ArmyLaw] = IdentityCache()
"""Cards that passed lately."""


def problems(law: ArmyLaw, cards: Sequence[Card], limit: int) -> tuple[Problem, ...]:
    """Everything wrong with a list for a game of ``limit`` points; nothing, if it may be played."""
    found = [*_size(law, cards, limit), *_numbers(law, cards)]
    for card in cards:
        if _sound.get(card) is law:
            continue
        try:
            check_card(law, card)
            _sound.put(card, law)
        except ArmyError as error:
            found.append(Problem(error.code, error.message, card.id, error.clause or law.clauses.rule))
    return tuple(found)


def _size(law: ArmyLaw, cards: Sequence[Card], limit: int) -> list[Problem]:
    """Any size up to the edition's largest may be agreed; exactly at the limit is legal."""
    if not 1 <= limit <= law.largest:
        message = f"a game of {law.edition} is played with up to {law.largest} points, not with {limit}"
        return [Problem("bad-limit", message, "points", law.clauses.size)]
    total = sum(card.points for card in cards)
    if total > limit:
        return [Problem("over-limit", f"{total} points are more than {limit}", "points", law.clauses.size)]
    return []


def _numbers(law: ArmyLaw, cards: Sequence[Card]) -> list[Problem]:
    """At least one unit, models in each, and no more of a kind than its cap."""
    found = []
    if not cards:
        found.append(Problem("no-units", "an army has at least one unit", "units", law.clauses.units))
    empty = [card.id for card in cards if not card.models]
    found += [Problem("no-models", f"{id}: a unit has at least one model", id, law.clauses.models) for id in empty]
    for cap in law.caps:
        counted = [card.id for card in cards if cap.counts(card)]
        if len(counted) > cap.most:
            message = f"{len(counted)} {cap.what} are more than {cap.most}"
            found.append(Problem(cap.code, message, counted[cap.most], cap.clause))
    return found


def refuse_first(found: Sequence[Problem]) -> None:
    """Raise `ArmyError` for the first thing that is wrong with a list."""
    if found:
        first = found[0]
        raise ArmyError(first.code, first.message, where=first.where, clause=first.clause)
