"""A weapon as an object of whatever program it was saved by: the names of its fields, and profiles within profiles."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rolloff.pattern import remembered
from rolloff.rules.rule_names import even, parted
from rolloff.rules.weapon_lines import AP, ATTACKS, DAMAGE, NAME, RANGE, RULES, STRENGTH

Json = dict[str, Any]

FIELDS: Mapping[str, str] = {
    **dict.fromkeys(("range", "rng", "reach", "range inches", "max range"), RANGE),
    **dict.fromkeys(
        ("a", "att", "atk", "attack", "attacks", "no. of attacks", "num attacks", "number of attacks", "shots"), ATTACKS
    ),
    **dict.fromkeys(("rules", "keyword", "keywords", "weapon keywords", "tags", "spe", "special", "special rules"), RULES),
    **dict.fromkeys(("abilities", "weapon abilities", "ability", "attributes", "traits"), RULES),
    **dict.fromkeys(("name", "weapon", "weapon name", "profile", "profile name", "ranged weapons", "melee weapons"), NAME),
}
"""Names of fields that every rulebook's weapons have."""
STRENGTHS = dict.fromkeys(("s", "str", "str.", "strength"), STRENGTH)
PIERCINGS = dict.fromkeys(
    ("ap", "armour penetration", "armor penetration", "armour piercing", "armor piercing", "armour pen", "armor pen"), AP
)
DAMAGES = dict.fromkeys(("d", "dmg", "dmg.", "dam", "dam.", "damage"), DAMAGE)
SKILLS = (
    *("bs", "ws", "bs/ws", "ws/bs", "bs ws", "ws bs", "skill", "ballistic skill", "weapon skill", "hit skill"),
    *("to hit", "hit", "hits on", "hit on"),
)
"""Names of fields that the weapons of several rulebooks have."""

COUNTS = frozenset({"count", "quantity", "qty", "number", "copies"})
KINDS = frozenset({"type", "type name", "kind", "weapon type", "profile type"})
TIMES = frozenset({"attacks multiplier"})
DESCRIPTION = "description"
NOT_OF_WEAPONS = frozenset(
    (
        *("id", "uid", "weapon id", "entry id", "entry link id", "type id", "datasheet id", "faction id", "line", "label"),
        *("points", "pts", "cost", "costs", "hidden", "active", "page", "publication id", "source", "notes", "from", "group"),
        *("modifiers", "modifier groups", DESCRIPTION, "line in wargear", "is melee", "show abilities", "show infos"),
    )
)
"""What builders of lists write beside a weapon; it says nothing about its attacks."""

_NESTED = frozenset({"characteristics", "stats"})
_TEXTS = ("$text", "#text", "text", "value")


@remembered
def plain(name: str) -> str:
    """The name of a field as it is compared."""
    return " ".join(parted(even(name)).casefold().replace("_", " ").replace("-", " ").split())


def from_text(text: str) -> Mapping[str, Any] | None:
    """The object a text holds, if it holds one."""
    if not text.lstrip().startswith("{"):
        return None
    import json  # where it is used: weapons are seldom written so

    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def has_own_object(said: str) -> bool:
    """Whether a field of that name may hold others."""
    return said == "profiles" or said in _NESTED


def flattened(given: Mapping[str, Any]) -> Mapping[str, Any]:
    """A weapon whose characteristics stand in an object or a list of their own, with all of them beside its name."""
    found: Json = {}
    for key, value in given.items():
        if plain(str(key)) == "profiles" and isinstance(value, list) and len(value) == 1 and isinstance(value[0], Mapping):
            found = {**found, **flattened(value[0])}
        elif plain(str(key)) in _NESTED and isinstance(value, Mapping | list):
            found = {**found, **_characteristics(value)}
        else:
            found.setdefault(str(key), value)
    return found


def _characteristics(given: Mapping[str, Any] | list[Any]) -> Json:
    if isinstance(given, Mapping):
        return {str(name): value for name, value in given.items()}
    named = [one for one in given if isinstance(one, Mapping) and "name" in one]
    return {str(one["name"]): next((one[text] for text in _TEXTS if text in one), None) for one in named}
