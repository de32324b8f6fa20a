"""What an army may be (ARMY, JOIN, RULE-GEN-1): cards that can be played, lists, units that go together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from rolloff.editions.onepage.powers import known_to, powers
from rolloff.errors import ArmyError
from rolloff.identity_cache import IdentityCache
from rolloff.lengths import INCH, millimetres
from rolloff.rules.army_law import ArmyLaw, Cap, LawClauses, Problem, known_rules, problems, refuse_first
from rolloff.rules.citing import cites
from rolloff.table.profile import Base, Card, Model, Weapon

INFANTRY: Final = "infantry"
VEHICLE: Final = "vehicle"
FACTION: Final = "faction:"
"""The keyword that names the book a card was built from."""
FOR_ALL: Final = "all:"
"""The keyword of an upgrade that was bought for every model of a unit."""

CLAUSES: Final = LawClauses(type="TYPE-GEN-1", rule="RULE-GEN-1", place="WPN-9", size="ARMY-1", units="ARMY-2", models="UNIT-1")


USUAL_MODELS: Final[Mapping[str, Model]] = {
    INFANTRY: Model("usual", base=Base("circle", (millimetres(32),)), height=1 * INCH),  # BASE-1, BASE-2
    VEHICLE: Model("usual", base=Base("rect", (3 * INCH, 5 * INCH)), height=5 * INCH // 2),  # BASE-2
}


class Reason(NamedTuple):
    """Why something is not allowed: the clause and a sentence."""

    clause: str
    message: str


@cites("RULE-GEN-1")
def rules_of_the_edition(law: ArmyLaw, card: Card) -> None:
    """RULE-GEN-1: only rules of the edition, where they belong, with the rating they need."""
    known_rules(law, card)


def quality_alone(law: ArmyLaw, card: Card) -> None:
    """DICE-6: units have a Quality and no other numbers, weapons range, attacks and rules."""
    if not 2 <= card.quality <= 6:
        message = f"{card.id}: Quality {card.quality} is out of bounds"
        raise ArmyError("bad-quality", message, where=card.id, allowed="2 to 6", clause="DICE-6")
    if card.stats:
        raise ArmyError("bad-stats", f"{card.id}: units here have Quality and no other numbers", where=card.id)
    for model in card.models:
        if model.stats:
            raise ArmyError("bad-stats", f"{model.id}: models here have no numbers of their own", where=model.id)
        for weapon in model.weapons:
            if weapon.stats:
                where = f"{model.id}: {weapon.name}"
                raise ArmyError("bad-stats", f"{where}: weapons here have range, attacks and rules only", where=where)


@cites("RULE-PSYKER-9")
def known_powers(law: ArmyLaw, card: Card) -> None:
    """RULE-PSYKER-9: the powers a profile lists must exist."""
    known = powers(law.edition)
    for name in known_to(card):
        if name not in known:
            message, allowed = f"{card.id}: there is no power {name!r}", ", ".join(known)
            raise ArmyError("unknown-power", message, where=card.id, allowed=allowed, clause="RULE-PSYKER-9")


_names: IdentityCache[Card, set[str]] = IdentityCache()
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


def is_hero(card: Card) -> bool:
    """ARMY-3: whether a unit counts against the cap on Heroes."""
    return has_rule(card, "Hero")


@cites("ARMY-3")
def heroes(most: int) -> Cap:
    """ARMY-3: the cap on units with the Hero rule."""
    return Cap("too-many-heroes", "Heroes", most, is_hero, "ARMY-3")


FAMILY_LAW: Final = ArmyLaw(
    edition="",
    types=(INFANTRY, VEHICLE),  # TYPE-GEN-1
    specials={},
    largest=750,  # ARMY-1
    clauses=CLAUSES,
    caps=(heroes(1),),
    cards=(quality_alone, rules_of_the_edition, known_powers),
)
"""What the editions of the family have in common; each names its rules and what differs."""


def _factions(cards: Sequence[Card]) -> list[Problem]:
    """ARMY-2, for tables that agreed on one faction to an army."""
    names = sorted({name for card in cards for name in _word(card, FACTION)})
    if len(names) < 2:
        return []
    return [Problem("mixed-factions", f"one faction to an army, not {', '.join(names)}", "units", "ARMY-2")]


def list_problems(law: ArmyLaw, cards: Sequence[Card], limit: int, one_faction: bool = False) -> tuple[Problem, ...]:
    """Everything wrong with a list; one faction to an army only where the players agreed on it (ARMY-2)."""
    return (*problems(law, cards, limit), *(_factions(cards) if one_faction else ()))


@cites("ARMY-6")
def check_army(law: ArmyLaw, cards: Sequence[Card], limit: int, one_faction: bool = False) -> None:
    """ARMY-6: a list is validated before deployment.

    Raises:
        ArmyError: the first thing that is wrong with it.
    """
    refuse_first(list_problems(law, cards, limit, one_faction))


@cites("JOIN-1", "TYPE-INF-2")
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


@cites("JOIN-2")
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


def joins_units(card: Card) -> bool:
    """JOIN-3: whether a unit is one that may start inside another."""
    return has_rule(card, "Hero") or has_rule(card, "Psyker")


@cites("JOIN-3", "TYPE-HERO-1", "TYPE-INF-2")
def may_join(guest: Card, host: Card) -> Reason | None:
    """Why a unit may not start inside another, or None: Heroes and Psykers join Infantry of their Quality."""
    if guest.id == host.id or guest.side != host.side:
        return Reason("JOIN-3", "it joins another unit of its own army")
    if not joins_units(guest):
        return Reason("JOIN-3", "only a Hero or a Psyker joins a unit")
    if guest.type != INFANTRY or host.type != INFANTRY:
        return Reason("TYPE-INF-2", "only Infantry joins, and only Infantry")
    if guest.quality != host.quality:
        return Reason("JOIN-3", f"Quality {guest.quality} does not join Quality {host.quality}")
    return None
