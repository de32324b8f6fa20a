"""Cards of the edition (CF-PROF): profiles with Wounds or with armour and Hull Points, types, and where rules may stand."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from msgspec import Struct

from rolloff.editions.compendium.matchup import CHARACTER, INDEPENDENT, MONSTER, PSYKER, VEHICLE, singular
from rolloff.editions.compendium.names import READER, collapsed
from rolloff.editions.compendium.weapons import NONE, checked, whole
from rolloff.errors import BadInput
from rolloff.identity_cache import FormCache, Recent
from rolloff.rules.citing import cites
from rolloff.table.profile import Card, Rule, Stat

NO_SAVE = 7
NEEDED = ("WS", "CT", "S", "T", "W", "I", "A")
FLESH = (*NEEDED, "M", "Ld", "Sv", "Inv", "Cover")
HULL_NEEDED = ("CT", "AV", "HP")
HULL = (*HULL_NEEDED, "M", "WS", "S", "I", "A", "Sv", "Inv", "Cover", "Ld")
MOST_WOUNDS = 1000

# Types that bring others with them.
ALSO: Mapping[str, tuple[str, ...]] = {
    "flying monster": (MONSTER,),
    INDEPENDENT: (CHARACTER,),
    "psychic pilot": (PSYKER,),  # SR-PSYCHIC-PILOT-1
    "brotherhood of psyker": (PSYKER,),  # SR-BROTHERHOOD-5
}
PSYKERS = "Psyker"  # SR-PSYKER-1
TYPE_RULES = frozenset(
    singular(name)
    for name in (
        "Chariot", "Daemon", "Fast", "Flyer", "Heavyweights", "Independent Character", "Open-topped", "Psychic Pilot",
        "Brotherhood of Psykers", PSYKERS, "Skimmer", "Squadron", "Swarms", "Tank",
        "Transport", "Walker",
    )
)  # fmt: skip


INNATE: Mapping[str, tuple[str, ...]] = {
    "daemon": ("Daemon",),
    "swarm": ("Swarms",),
    "walker": ("Hammer of Wrath",),  # SR-WALKER-9
    "chariot": ("Hammer of Wrath",),  # SR-CHARIOT-11
}
"""Rules that a model has for being of a type."""


class Profile(Struct, frozen=True):
    """The numbers of a card: 0 is none; a save of 7 is none. ``hull`` is the Armour Values front, side, rear."""

    weapon_skill: int = 0
    aim: int = 0
    strength: int = 0
    toughness: int = 0
    wounds: int = 1
    initiative: int = 0
    attacks: int = 0
    leadership: int = 0
    armour: int = NO_SAVE
    invulnerable: int = NO_SAVE
    cover: int = NO_SAVE
    hull: tuple[int, int, int] | None = None


def _bad(where: str, message: str, allowed: str) -> BadInput:
    return BadInput("bad-stat", f"{where}: {message}", where=where, allowed=allowed)


def _figure(stats: Mapping[str, Stat], name: str, where: str, high: int = 10) -> int:
    given = stats.get(name)
    if given in NONE or given is None:
        return 0
    return whole(given, f"{where}.stats.{name}", 0, high)


def _save(stats: Mapping[str, Stat], name: str, where: str) -> int:
    """A target number such as ``3+``; a dash is none."""
    given = stats.get(name)
    if given in NONE or given is None:
        return NO_SAVE
    text = given.strip().removesuffix("+") if isinstance(given, str) else given
    return whole(text, f"{where}.stats.{name}", 2, NO_SAVE)


def _armour_values(given: Stat, where: str) -> tuple[int, int, int]:
    parts = given.split("/") if isinstance(given, str) else given
    if not isinstance(parts, tuple | list) or len(parts) != 3:
        raise _bad(f"{where}.stats.AV", f"{given!r} are no Armour Values", "[front, side, rear], as [14, 13, 10]")
    front, side, rear = (whole(part, f"{where}.stats.AV", 1, 20) for part in parts)
    return front, side, rear


_profiles: FormCache[Mapping[str, Stat], Profile] = FormCache()
"""The numbers of cards read lately, by their characteristics, which cards alike share, and by whether they are vehicles'."""


def is_hull(card: Card) -> bool:
    """Whether a card is a vehicle's."""
    return "AV" in card.stats or VEHICLE in _words(card)


def profile_of(card: Card) -> Profile:
    """The numbers of a card; `BadInput` names the one that is missing or out of bounds."""
    hull = is_hull(card)
    return _profiles.get(card.stats, hull) or _profiles.put(card.stats, hull, _new_profile(card, hull))


def _new_profile(card: Card, hull: bool) -> Profile:
    where, stats = card.id, card.stats
    allowed = HULL if hull else FLESH
    for name in stats:
        if name not in allowed:  # CF-PROF-1, CF-PROF-2
            raise _bad(f"{where}.stats.{name}", f"there is no {name!r} on such a profile", ", ".join(allowed))
    for name in HULL_NEEDED if hull else NEEDED:
        if name not in stats:  # CF-PROF-1, CF-PROF-2
            raise _bad(f"{where}.stats.{name}", f"the profile lacks {name}", ", ".join(HULL_NEEDED if hull else NEEDED))
    wounds = whole(stats["HP" if hull else "W"], f"{where}.stats.{'HP' if hull else 'W'}", 1, MOST_WOUNDS)
    return Profile(
        weapon_skill=_figure(stats, "WS", where),
        aim=_figure(stats, "CT", where),
        strength=_figure(stats, "S", where),
        toughness=0 if hull else whole(stats["T"], f"{where}.stats.T", 1, 10),
        wounds=wounds,
        initiative=_figure(stats, "I", where),
        attacks=_figure(stats, "A", where, 100),
        leadership=_figure(stats, "Ld", where),
        armour=_save(stats, "Sv", where),
        invulnerable=_save(stats, "Inv", where),
        cover=_save(stats, "Cover", where),
        hull=_armour_values(stats["AV"], where) if hull else None,
    )


_NUMBER = re.compile(r"\s*\(?\s*\d+\s*\)?\s*$")


def _bare(word: str) -> str:
    """A type without the number behind it: ``Transport 10``, ``Psyker (2)``."""
    return _NUMBER.sub("", word)


def _words(card: Card) -> frozenset[str]:
    return _said(card.type, card.keywords)


@lru_cache(maxsize=1024)
def _said(unit_type: str, keywords: tuple[str, ...]) -> frozenset[str]:
    return frozenset([singular(_bare(word)) for word in (*unit_type.split(","), *keywords) if word.strip()])


_in_force: Recent[tuple[str, tuple[str, ...]], bool] = Recent()
"""The types and keywords of cards that passed lately."""


def _known(card: Card) -> None:
    """CF-PROF-9: no type and no keyword is the name of something that is still planned."""
    if (card.type, card.keywords) in _in_force:
        return
    for field, words in (("type", card.type.split(",")), ("keywords", card.keywords)):
        for word in words:
            READER.word(_bare(word), f"{card.id}.{field}")
    _in_force.keep((card.type, card.keywords), True)


def rules_of(card: Card, model: int) -> tuple[Rule, ...]:
    """The rules of one model of a card, its unit's among them (CF-DICE-9)."""
    where = card.models[model].id
    written = tuple([READER.printed(rule, f"{where}.rules") for rule in (*card.rules, *card.models[model].rules)])
    return _with_innate(written, _words(card))


@lru_cache(maxsize=1024)
def _with_innate(written: tuple[Rule, ...], words: frozenset[str]) -> tuple[Rule, ...]:
    """Rules, and those that come with the type (CF-PROF-5)."""
    types = words | {singular(rule.name) for rule in written}
    innate = (Rule(name) for kind, names in INNATE.items() if kind in types for name in names)
    return collapsed((*written, *innate))  # CF-PROF-5


def types_of(card: Card, rules: tuple[Rule, ...]) -> frozenset[str]:
    """What a model is: its unit's type, keywords and name, and the types among its rules (CF-PROF-5)."""
    return _types(_words(card), rules, is_hull(card), card.name)


@lru_cache(maxsize=1024)
def _types(words: frozenset[str], rules: tuple[Rule, ...], hull: bool, name: str) -> frozenset[str]:
    found = set(words) | {singular(rule.name) for rule in rules if singular(rule.name) in TYPE_RULES}
    if hull:
        found.add(VEHICLE)
    if name:
        found.add(singular(name))
    for kind, more in ALSO.items():
        if kind in found:
            found.update(more)
    return frozenset(found)


@cites("CF-PROF-6")
def _placed(rules: tuple[Rule, ...], where: str) -> None:
    """CF-PROF-6: a rule of weapons means nothing on a unit."""
    for rule in rules:
        if not READER.specials[rule.name].stands_on_models():
            allowed = ", ".join(sorted(name for name, one in READER.specials.items() if one.stands_on_models()))
            raise BadInput("not-on-units", f"{where}.rules: {rule} stands on weapons", where=f"{where}.rules", allowed=allowed)


def check_card(card: Card) -> None:
    """Raise `BadInput` for a card the edition cannot use, naming the field."""
    if not card.models:
        raise BadInput("no-models", f"{card.id}: a unit has models", where=card.id, allowed="at least one model")
    _known(card)
    profile_of(card)
    own = next((model for model in card.models if model.stats), None)
    if own is not None:
        raise _bad(
            f"{own.id}.stats", f"{own.id} has the numbers of its unit, as every model of it", "numbers of the unit alone"
        )
    for k, model in {(model.rules, model.weapons): (k, model) for k, model in reversed([*enumerate(card.models)])}.values():
        _placed(rules_of(card, k), model.id)
        for at, weapon in enumerate(model.weapons):
            checked(weapon, f"{model.id}.weapons[{at}]")


__all__ = ["Profile", "check_card", "is_hull", "profile_of", "rules_of", "types_of"]
