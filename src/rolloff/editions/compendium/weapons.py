"""Weapons as their owners write them (CF-PROF-4): objects ``{"name", "range", "A", "skill", "S", "AP", "D", "rules"}``.

Melee weapons use the wielder's A and may leave it out; ``S`` is a number, ``User``, ``User+1``, ``Userx2``, ``D`` or ``X``.
``hits`` says how many models a Template or a Blast covers with each shot, since markers are not placed here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from rolloff.editions.compendium.names import READER, collapsed
from rolloff.errors import BadInput
from rolloff.identity_cache import IdentityCache
from rolloff.lengths import INCH, LengthError, inches
from rolloff.rules.citing import cites
from rolloff.rules.notation import Notation
from rolloff.rules.weapon_objects import DAMAGES, PIERCINGS, SKILLS, STRENGTHS
from rolloff.table.profile import DiceRoll, Rule, Stat, Weapon, carries, read_roll

FIELDS = ("name", "range", "A", "skill", "S", "AP", "D", "rules", "hits", "mount")
MELEE_REACH = "melee"
TEMPLATES = {"template": ("Template", 8 * INCH), "hellstorm": ("Hellstorm", 16 * INCH), "bomb": ("Bombs", 0)}
NONE = ("", "-", "\u2013", "\u2014", None)
DESTROYER_S, NO_S, USER = "D", "X", "User"
LEGACY = {1: -5, 2: -4, 3: -3, 4: -2, 5: -1, 6: 0}
"""The older scale of AP, which has no signs (CF-AP-2)."""
_USER = re.compile(r"^user(?:(?P<sign>[+x\u00d7*])(?P<n>\d{1,2}))?$", re.IGNORECASE)


def _bad(where: str, message: str, allowed: str) -> BadInput:
    return BadInput("bad-weapon", f"{where}: {message}", where=where, allowed=allowed)


def _shown(given: object) -> str:
    return repr(given)[:80]


def whole(given: object, where: str, low: int, high: int) -> int:
    """A whole number within bounds, signs of every kind understood; else `BadInput`."""
    if type(given) is int and low <= given <= high:
        return given
    text: object = given
    if isinstance(given, str):
        cleaned = given.strip().replace("\u2212", "-").replace("\u2013", "-").removeprefix("+")
        text = int(cleaned) if re.fullmatch(r"-?\d{1,4}", cleaned) else given
    if isinstance(text, bool) or not isinstance(text, int) or not low <= text <= high:
        allowed = f"a whole number from {low} to {high}"
        raise BadInput("bad-number", f"{where}: {_shown(given)} is out of bounds", where=where, allowed=allowed)
    return text


def read_weapon(given: object, where: str) -> Weapon:
    """A weapon; `BadInput` says which field does not fit and what would."""
    if not isinstance(given, Mapping):
        raise _bad(where, f"{_shown(given)} is no weapon", "an object with " + ", ".join(FIELDS))
    for name in given:
        if name not in FIELDS:
            raise _bad(f"{where}.{name}", f"a weapon has no field {name!r}", ", ".join(FIELDS))
    for name in ("name", "range"):
        if name not in given:
            raise _bad(f"{where}.{name}", f"the weapon lacks {name!r}", ", ".join(FIELDS))
    rules = _rules(given.get("rules", ()), where)
    reach, more = _reach(given["range"], f"{where}.range")
    rules = _innate((*rules, *(READER.rule(name, where) for name in more)), given.get("S"), where)
    weapon = Weapon(
        name=_name(given["name"], where),
        reach=reach,
        attacks=_attacks(given.get("A"), reach, f"{where}.A"),
        rules=_placed(rules, where),
        stats=_stats(given, rules, reach, where),
        mount=str(given.get("mount", ""))[:64],
    )
    if rules == tuple([READER.printed(rule, where) for rule in rules]):
        _checked.put(weapon, weapon)
    return weapon


_checked: IdentityCache[Weapon, Weapon] = IdentityCache(1024)
"""Weapons put in shape lately, by themselves."""


def checked(weapon: Weapon, where: str) -> Weapon:
    """A weapon that came in the form every edition reads, put in this edition's shape; one in shape stays as it is."""
    return _checked.get(weapon) or _checked.put(weapon, _shaped(weapon, where))


def _shaped(weapon: Weapon, where: str) -> Weapon:
    written = tuple(READER.printed(rule, f"{where}.rules") for rule in weapon.rules)
    rules = _placed(_innate(written, weapon.stat("S"), where), where)
    stats = _stats(dict(weapon.stats), rules, weapon.reach, where)
    return Weapon(weapon.name, weapon.reach, weapon.attacks, rules, stats, weapon.mount, weapon.barrel)


def _innate(rules: tuple[Rule, ...], strength: object, where: str) -> tuple[Rule, ...]:
    """The rules of a weapon, once each; one of Strength D is a Destroyer weapon (SR-DESTROYER-1)."""
    if isinstance(strength, str) and strength.strip().upper() == DESTROYER_S:
        rules = (*rules, READER.rule("Destroyer", where))
    return collapsed(rules)


def _name(given: object, where: str) -> str:
    if not isinstance(given, str) or not 0 < len(given) <= 64:
        raise _bad(f"{where}.name", f"{_shown(given)} is no name", "1 to 64 characters")
    return given


def _rules(given: object, where: str) -> tuple[Rule, ...]:
    if not isinstance(given, list | tuple):
        raise _bad(f"{where}.rules", "the rules of a weapon are a list", '["Rending", "Rapid Fire 1"]')
    return tuple([READER.rule(text, f"{where}.rules[{k}]") for k, text in enumerate(given)])


@cites("CF-PROF-6")
def _placed(rules: tuple[Rule, ...], where: str) -> tuple[Rule, ...]:
    """CF-PROF-6: a rule of models or units means nothing on a weapon."""
    for rule in rules:
        if not READER.specials[rule.name].stands_on_weapons():
            allowed = ", ".join(sorted(name for name, one in READER.specials.items() if one.stands_on_weapons()))
            raise BadInput(
                "not-on-weapons", f"{where}.rules: {rule} stands on no weapon", where=f"{where}.rules", allowed=allowed
            )
    return rules


def _reach(given: object, where: str) -> tuple[int | None, tuple[str, ...]]:
    """The reach in thou, None for close combat, and the rule a range in words stands for."""
    allowed = 'inches, more than 0 and at most 1000, "melee" or "template"'
    text = given.strip().rstrip('"').casefold() if isinstance(given, str) else given
    if text == MELEE_REACH:
        return None, ("Melee",)
    if isinstance(text, str) and text in TEMPLATES:
        rule, reach = TEMPLATES[text]
        return reach, (rule,)
    if isinstance(text, str) and text.isdecimal():
        text = int(text)
    try:
        found = inches(text) if isinstance(text, int | float) and not isinstance(text, bool) else 0
    except LengthError:
        found = 0
    if found <= 0:
        raise _bad(where, f"{_shown(given)} is no range", allowed)
    return found, ()


def _attacks(given: object, reach: int | None, where: str) -> DiceRoll:
    """CF-PROF-4: shots of a ranged weapon, 1 unless printed; close combat goes by the wielder's A."""
    if given in NONE or reach is None:  # CF-PROF-4
        return DiceRoll(plus=1)
    roll = read_roll(given, where)
    if roll.mean < 1:
        raise _bad(where, f"{_shown(given)} is too small", "at least 1, or D3, D6+1 and the like")
    return roll


def _strength(given: object, rules: tuple[Rule, ...], reach: int | None, where: str) -> int | str:
    """A number, something made of the user's, Destroyer, or none."""
    allowed = "1 to 10, User, User+1, Userx2, D or X"
    if given in NONE:
        if carries(rules, "Poisoned"):
            return 1  # SR-POISONED-3
        if reach is None:
            return USER
        if given is not None:
            return NO_S
        raise _bad(where, "the weapon has no Strength", allowed)
    if isinstance(given, str):
        text = given.replace(" ", "")
        if text.upper() in (DESTROYER_S, NO_S):
            return text.upper()
        if reach is None and text[:1] and text[0] in "+xX\u00d7*":  # more than the user's own, or a multiple of it
            text = USER + text
        match = _USER.match(text)
        if match:
            sign = {"+": "+", None: ""}.get(match["sign"], "x")
            return f"{USER}{sign}{match['n'] or ''}"
    try:
        return whole(given, where, 1, 10)
    except BadInput:
        raise _bad(where, f"{_shown(given)} is no Strength", allowed) from None


def _stats(given: Mapping[str, Any], rules: tuple[Rule, ...], reach: int | None, where: str) -> tuple[tuple[str, Stat], ...]:
    """CF-PROF-4: Strength, AP (0 or negative, CF-AP-1), Damage; a skill of its own and models under a marker if given."""
    strength = _strength(given.get("S"), rules, reach, f"{where}.S")
    ap = whole(0 if given.get("AP") in NONE else given.get("AP"), f"{where}.AP", -9, 0)
    damage = read_roll(1 if given.get("D") in NONE else given.get("D"), f"{where}.D")
    if damage.mean < 1:
        raise _bad(f"{where}.D", f"{_shown(given.get('D'))} is too small", "at least 1, or D3, D6+1 and the like")
    found: list[tuple[str, Stat]] = [("S", strength), ("AP", ap), ("D", str(damage))]
    if given.get("skill") not in NONE:
        found.append(("skill", whole(given["skill"], f"{where}.skill", 1, 10)))
    if given.get("hits") not in NONE:
        found.append(("hits", whole(given["hits"], f"{where}.hits", 1, 1000)))
    return tuple(found)


def strength_of(weapon: Weapon, user: int) -> tuple[int | None, bool]:
    """The Strength of a weapon in somebody's hands, and whether it is made of the user's; None is D or X."""
    printed = weapon.stat("S")
    if isinstance(printed, int):
        return printed, False
    text = str(printed)
    if text in (DESTROYER_S, NO_S):
        return None, False
    sign, number = text[len(USER) : len(USER) + 1], text[len(USER) + 1 :]
    if sign == "x":
        return user * int(number), True  # CF-DICE-8
    return user + (int(number) if number else 0), True


@cites("CF-AP-2")
def legacy(ap: int) -> int:
    """CF-AP-2: an AP without a sign is of the older scale."""
    return LEGACY.get(ap, ap)


NOTATION = Notation(
    fields={
        **dict.fromkeys((*SKILLS, "ct"), "skill"),
        **STRENGTHS,
        **PIERCINGS,
        **DAMAGES,
        "type": "rules",
        "hits": "hits",
        "mount": "mount",
    },
    stats={
        "bs": "CT",
        "ballistic skill": "CT",
        "ct": "CT",
        "ws": "WS",
        "weapon skill": "WS",
        "sv": "Sv",
        "save": "Sv",
        "armour save": "Sv",
        "sav": "Sv",
        "ld": "Ld",
        "leadership": "Ld",
        "inv": "Inv",
        "insv": "Inv",
        "invulnerable": "Inv",
        "invulnerable save": "Inv",
        "cover": "Cover",
        "s": "S",
        "strength": "S",
        "t": "T",
        "toughness": "T",
        "w": "W",
        "wounds": "W",
        "i": "I",
        "initiative": "I",
        "a": "A",
        "attacks": "A",
        "m": "M",
        "hp": "HP",
        "hull points": "HP",
        "av": "AV",
        "armour": "AV",
    },
    parts={
        **dict.fromkeys(("front", "front armour", "front av", "fa", "f"), ("AV", 0)),
        **dict.fromkeys(("side", "side armour", "side av", "sa"), ("AV", 1)),
        **dict.fromkeys(("rear", "rear armour", "rear av", "ra", "r"), ("AV", 2)),
    },
    columns=("A", "S", "AP", "D"),
    optional=("A", "D"),
    own_lines=False,
    numbers=("A", "D"),
    shots=("assault", "heavy", "pistol", "ordnance"),
    unsigned_ap=legacy,
    ap_clause="CF-AP-2",
    reads=READER.rule,
)
