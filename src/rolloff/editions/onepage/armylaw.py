"""What an army may be (ARMY, JOIN, RULE-GEN-1): cards that can be played, lists, units that go together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Final, NamedTuple

from msgspec import Struct

from rolloff.editions.onepage.powers import known_to, powers
from rolloff.editions.onepage.weapons import SINGLE
from rolloff.errors import ArmyError, BadInput
from rolloff.kept import Kept
from rolloff.lengths import INCH, millimetres
from rolloff.rules.citing import cites
from rolloff.table.profile import Base, Card, Model, Rule, Weapon, read_throw

INFANTRY: Final = "infantry"
VEHICLE: Final = "vehicle"
FACTION: Final = "faction:"
"""The keyword that names the book a card was built from."""
FOR_ALL: Final = "all:"
"""The keyword of an upgrade that was bought for every model of a unit."""

PLAIN, NUMBER, DIE = "plain", "number", "die"
"""How a rule is rated: not at all, by a number, or by a number or a die."""

USUAL_MODELS: Final[Mapping[str, Model]] = {
    INFANTRY: Model("usual", base=Base("circle", (millimetres(32),)), height=1 * INCH),  # BASE-1, BASE-2
    VEHICLE: Model("usual", base=Base("rect", (3 * INCH, 5 * INCH)), height=5 * INCH // 2),  # BASE-2
}


class Law(Struct, frozen=True):
    """What one edition allows: its types, its rules and how each is rated, and the limits of a list."""

    edition: str
    types: tuple[str, ...]
    on_units: Mapping[str, str]
    on_weapons: Mapping[str, str]
    instead: Mapping[str, str]
    largest: int
    max_heroes: int


LAW_30: Final = Law(
    edition="onepage-3.0",
    types=(INFANTRY, VEHICLE),  # TYPE-GEN-1
    on_units={
        **dict.fromkeys(("Armored", "Deep Strike", "Fast", "Fear", "Fearless", "Flying", "Furious", "Hero"), PLAIN),
        **dict.fromkeys(("Regeneration", "Scout", "Stealth", "Strider"), PLAIN),
        **dict.fromkeys(("Psyker", "Tough", "Transport"), NUMBER),
        "Impact": DIE,
    },
    on_weapons=dict.fromkeys(
        ("Indirect", "Limited", "Linked", "Piercing", "Poison", "Precise", "Rending", "Unwieldy", SINGLE),
        PLAIN,
    ),
    instead={
        "Scope": "Precise on the weapon",
        "Sniper": "Precise on the weapon",
        "Strikes Last": "Unwieldy on the weapon",
        "Strikes First": "nothing; in this edition the assaulter strikes first",
        "Hatred": "Linked on the weapons",
        "Relentless": "nothing; every unit that holds fires all its weapons",
        "Monster": "infantry with Tough, Armored and Fear",
        "Walker": "infantry with Tough and Armored",
        "Special": "nothing; the edition has no such units",
        "Vehicle": 'the type "vehicle"',
        "Infantry": 'the type "infantry"',
    },
    largest=750,
    max_heroes=1,
)


class Reason(NamedTuple):
    """Why something is not allowed: the clause and a sentence."""

    clause: str
    message: str


class Problem(Struct, frozen=True):
    """One thing wrong with a list: a code, the unit, the clause, a sentence."""

    code: str
    message: str
    where: str
    clause: str


def _unknown(law: Law, rule: Rule, known: Mapping[str, str], elsewhere: Mapping[str, str], where: str) -> ArmyError:
    """RULE-GEN-1: the refusal names what comes nearest."""
    if rule.name in elsewhere:
        near = "a unit, not on a weapon" if elsewhere is law.on_units else "a weapon, not on a unit"
        message, allowed = f"{where}: {rule.name} stands on {near}", ", ".join(sorted(known))
        return ArmyError("misplaced-rule", message, where=where, allowed=allowed, clause="WPN-9")
    by_case = {name.lower(): name for name in (*known, *law.instead)}
    close = get_close_matches(rule.name.lower(), by_case, 1, 0.75)
    near = law.instead.get(rule.name) or (by_case[close[0]] if close else "")
    told = f"; the nearest is {near}" if near else ""
    message = f"{where}: {law.edition} has no rule {rule.name}{told}"
    allowed = near or ", ".join(sorted(known))
    return ArmyError("unknown-rule", message, where=where, allowed=allowed, clause="RULE-GEN-1")


@cites("RULE-GEN-1", off=lambda law, rules, known, elsewhere, where: None)
def _check_rules(law: Law, rules: Iterable[Rule], known: Mapping[str, str], elsewhere: Mapping[str, str], where: str) -> None:
    """RULE-GEN-1: only rules of the edition, where they belong, with the rating they need."""
    for rule in rules:
        if rule.name not in known:
            raise _unknown(law, rule, known, elsewhere, where)
        if not _rated_well(rule, known[rule.name]):
            wanted = {PLAIN: "no rating", NUMBER: "a number from 1 on", DIE: "a number or a die"}[known[rule.name]]
            message = f"{where}: {rule} is not rated as it must be: {rule.name} takes {wanted}"
            raise ArmyError("bad-rating", message, where=where, allowed=wanted, clause="RULE-GEN-1")


def _rated_well(rule: Rule, kind: str) -> bool:
    if kind == PLAIN:
        return rule.rating is None
    if isinstance(rule.rating, int):
        return 1 <= rule.rating <= 1000
    if kind == NUMBER or rule.rating is None:
        return False
    try:
        return read_throw(rule.rating).mean >= 1
    except BadInput:
        return False


def _check_weapon(law: Law, weapon: Weapon, where: str) -> None:
    _check_rules(law, weapon.rules, law.on_weapons, law.on_units, where)
    if weapon.stats:
        raise ArmyError("bad-stats", f"{where}: weapons here have range, attacks and rules only", where=where)


@cites("RULE-PSYKER-9", off=lambda law, card: None)
def _check_powers(law: Law, card: Card) -> None:
    """RULE-PSYKER-9: the powers a profile lists must exist."""
    known = powers(law.edition)
    for name in known_to(card):
        if name not in known:
            message, allowed = f"{card.id}: there is no power {name!r}", ", ".join(known)
            raise ArmyError("unknown-power", message, where=card.id, allowed=allowed, clause="RULE-PSYKER-9")


def check(law: Law, card: Card) -> None:
    """Refuse a card the edition cannot play, naming what is wrong and what would be right."""
    if card.type not in law.types:
        allowed = ", ".join(law.types)
        message = f"{card.id}: no unit type {card.type!r}"
        raise ArmyError("unknown-type", message, where=card.id, allowed=allowed, clause="TYPE-GEN-1")
    if not 2 <= card.quality <= 6:
        message = f"{card.id}: Quality {card.quality} is out of bounds"
        raise ArmyError("bad-quality", message, where=card.id, allowed="2 to 6", clause="DICE-6")
    if card.stats:
        raise ArmyError("bad-stats", f"{card.id}: units here have Quality and no other numbers", where=card.id)
    _check_rules(law, card.rules, law.on_units, law.on_weapons, card.id)
    for model in card.models:
        _check_rules(law, model.rules, law.on_units, law.on_weapons, model.id)
        for weapon in model.weapons:
            _check_weapon(law, weapon, f"{model.id}: {weapon.name}")
    _check_powers(law, card)


def check_card(card: Card) -> None:
    """Refuse a card that 3.0 cannot play."""
    check(LAW_30, card)


_names: Kept[Card, set[str]] = Kept()
"""The names of all rules on cards looked at lately."""


def has_rule(card: Card, name: str) -> bool:
    """Whether the unit or one of its models has a rule."""
    names = _names.get(card)
    if names is None:
        own = {rule.name for rule in card.rules}
        names = _names.put(card, own.union(rule.name for model in card.models for rule in model.rules))
    return name in names


def _word(card: Card, prefix: str) -> tuple[str, ...]:
    return tuple(sorted(word.removeprefix(prefix) for word in card.keywords if word.startswith(prefix)))


_sound: Kept[Card, Law] = Kept()
"""Cards that passed lately."""


def problems(law: Law, cards: Sequence[Card], limit: int, one_faction: bool = False) -> tuple[Problem, ...]:
    """Everything wrong with a list for a game of ``limit`` points; nothing, if it may be played."""
    found = [*_limit(law, cards, limit), *_numbers(law, cards)]
    if one_faction:
        found += _factions(cards)
    for card in cards:
        if _sound.get(card) is law:
            continue
        try:
            check(law, card)
            _sound.put(card, law)
        except ArmyError as error:
            found.append(Problem(error.code, error.message, card.id, error.clause or "RULE-GEN-1"))
    return tuple(found)


def _limit(law: Law, cards: Sequence[Card], limit: int) -> list[Problem]:
    """ARMY-1: any size up to the edition's largest may be agreed; exactly at the limit is legal."""
    if not 1 <= limit <= law.largest:
        message = f"a game of {law.edition} is played with up to {law.largest} points, not with {limit}"
        return [Problem("bad-limit", message, "points", "ARMY-1")]
    total = sum(card.points for card in cards)
    if total > limit:
        return [Problem("over-limit", f"{total} points are more than {limit}", "points", "ARMY-1")]
    return []


def _numbers(law: Law, cards: Sequence[Card]) -> list[Problem]:
    """ARMY-2: at least one unit, and models in each (UNIT-1). ARMY-3: a cap on Heroes."""
    found = []
    if not cards:
        found.append(Problem("no-units", "an army has at least one unit", "units", "ARMY-2"))
    found += [Problem("no-models", f"{c.id}: a unit has at least one model", c.id, "UNIT-1") for c in cards if not c.models]
    heroes = [card.id for card in cards if has_rule(card, "Hero")]
    if len(heroes) > law.max_heroes:
        message = f"{len(heroes)} Heroes are more than {law.max_heroes}"
        found.append(Problem("too-many-heroes", message, heroes[law.max_heroes], "ARMY-3"))
    return found


def _factions(cards: Sequence[Card]) -> list[Problem]:
    """ARMY-2, for tables that agreed on one faction to an army."""
    names = sorted({name for card in cards for name in _word(card, FACTION)})
    if len(names) < 2:
        return []
    return [Problem("mixed-factions", f"one faction to an army, not {', '.join(names)}", "units", "ARMY-2")]


@cites("ARMY-6", off=lambda law, cards, limit, one_faction=False: None)
def check_army(law: Law, cards: Sequence[Card], limit: int, one_faction: bool = False) -> None:
    """ARMY-6: a list is validated before deployment.

    Raises:
        ArmyError: the first thing that is wrong with it.
    """
    found = problems(law, cards, limit, one_faction)
    if found:
        first = found[0]
        raise ArmyError(first.code, first.message, where=first.where, clause=first.clause)


@cites("JOIN-1", "TYPE-INF-2", off=lambda a, b: None)
def _same_unit(a: Card, b: Card) -> Reason | None:
    """JOIN-1: two copies of the same Infantry unit of one army."""
    if a.id == b.id or a.side != b.side:
        return Reason("JOIN-1", "two units of one army merge")
    if INFANTRY not in (a.type, b.type) or a.type != b.type:
        return Reason("TYPE-INF-2", "only Infantry may be merged")
    if (a.name, a.quality, _word(a, FACTION)) != (b.name, b.quality, _word(b, FACTION)):
        return Reason("JOIN-1", "only two copies of the same unit may be merged")
    return None


def _things(card: Card, model: Model) -> set[object]:
    return {*card.rules, *model.rules, *model.weapons}


def _carried(card: Card) -> dict[object, int]:
    """How many models carry each rule and weapon."""
    count: dict[object, int] = {}
    for model in card.models:
        for thing in _things(card, model):
            count[thing] = count.get(thing, 0) + 1
    return count


def _lacking(a: Card, b: Card) -> object | None:
    """Something every model of one copy has and most of the other do not: an upgrade for all, bought once."""
    ours, theirs = _carried(a), _carried(b)
    for thing in sorted(ours, key=str):
        if ours[thing] == len(a.models) and 2 * theirs.get(thing, 0) < len(b.models):
            return thing
    return None


@cites("JOIN-2", off=lambda a, b: None)
def _same_kit(a: Card, b: Card) -> Reason | None:
    """JOIN-2: upgrades for all models must be bought for both copies; those of single models may differ.

    A card from a book says what was bought for all its models. Of any other card the models are looked at.
    """
    if _word(a, FACTION) and _word(b, FACTION):
        lack: object | None = set(_word(a, FOR_ALL)) ^ set(_word(b, FOR_ALL))
    else:
        lack = _lacking(a, b) or _lacking(b, a)
    if not lack:
        return None
    what = lack.name if isinstance(lack, Weapon) else ", ".join(sorted(lack)) if isinstance(lack, set) else lack
    return Reason("JOIN-2", f"only one of the two has {what} for all its models")


def may_merge(a: Card, b: Card) -> Reason | None:
    """Why two units may not be deployed as one, or None if they may (JOIN-1, JOIN-2)."""
    return _same_unit(a, b) or _same_kit(a, b)


@cites("JOIN-3", "TYPE-HERO-1", "TYPE-INF-2", off=lambda guest, host: None)
def may_join(guest: Card, host: Card) -> Reason | None:
    """Why a unit may not start inside another, or None: Heroes and Psykers join Infantry of their Quality."""
    if guest.id == host.id or guest.side != host.side:
        return Reason("JOIN-3", "it joins another unit of its own army")
    if not (has_rule(guest, "Hero") or has_rule(guest, "Psyker")):
        return Reason("JOIN-3", "only a Hero or a Psyker joins a unit")
    if guest.type != INFANTRY or host.type != INFANTRY:
        return Reason("TYPE-INF-2", "only Infantry joins, and only Infantry")
    if guest.quality != host.quality:
        return Reason("JOIN-3", f"Quality {guest.quality} does not join Quality {host.quality}")
    return None
