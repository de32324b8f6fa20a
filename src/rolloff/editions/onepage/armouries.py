"""The printed weapons of the third edition's relatives, and for each edition a reader of its own notation."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

from rolloff.editions.onepage.weapons import (
    OTHER_NAMES,
    PIERCING,
    PLAIN_MELEE,
    RANGED,
    STRENGTHS,
    TYPES,
    read_line,
    read_weapon,
)
from rolloff.table.profile import DiceRoll, Rule, Weapon

# Attacks by name (WPN-T1): fixed weapons without rules.
MELEE_221: Final[Mapping[str, int]] = {
    "Fists/Claws": 1,  # WPN-3
    "Hand Weapon": 2,
    "Power Weapon": 3,
    "Power Fist": 4,
    "Walker Fist": 5,
}
# Range in inches and attacks, by name (WPN-T2).
RANGED_221: Final[Mapping[str, tuple[int, str]]] = {
    "Pistol": (12, "1"),
    "Shotgun": (12, "3"),
    "Plasma Pistol": (12, "3"),
    "Flamer": (12, "6"),
    "Fusion Gun": (12, "6x"),
    "Carbine": (18, "1"),
    "Assault Rifle": (24, "1"),
    "Minigun": (24, "3"),
    "Plasmagun": (24, "3"),
    "Grenade Launcher": (24, "6"),
    "Heavy Fusion Gun": (24, "6x"),
    "Rifle": (30, "1"),
    "Machinegun": (36, "3"),
    "Multi-Laser": (36, "3"),
    "Plasma Cannon": (36, "6"),
    "Autocannon": (48, "3"),
    "Mortar": (48, "6"),
    "Missile Launcher": (48, "6"),
    "Laser Cannon": (48, "6x"),
    "Battle Cannon": (48, "9"),
}
OTHER_NAMES_221: Final = {**OTHER_NAMES, "Dreadnought Fist": "Walker Fist", "Fists": "Fists/Claws", "Claws": "Fists/Claws"}
SUFFIXES_221: Final = "x"
"""The suffix p is not used in this edition."""

# What a type of melee weapon brings (WPN-T4).
TYPES_APOCALYPSE: Final[Mapping[str, tuple[str, ...]]] = {**TYPES, "Powerfist": (PIERCING, "Rending")}


def _shot(name: str, reach: int, attacks: str) -> Weapon:
    return read_line(f'{name} ({reach}", A{attacks})', name)


def _found(tables: Mapping[str, Weapon], others: Mapping[str, str]) -> Mapping[str, Weapon]:
    """The weapons of tables by their names in small letters, other names included."""
    named = {name.lower(): weapon for name, weapon in tables.items()}
    return named | {other.lower(): tables[name] for other, name in others.items()}


TABLES_221: Final[Mapping[str, Weapon]] = {
    **{name: _shot(name, *row) for name, row in RANGED_221.items()},
    **{name: Weapon(name, None, DiceRoll(plus=attacks)) for name, attacks in MELEE_221.items()},
}
TABLES_APOCALYPSE: Final[Mapping[str, Weapon]] = {
    **{name: _shot(name, *row) for name, row in RANGED.items()},
    **{
        f"{strength} {kind}": Weapon(f"{strength} {kind}", None, DiceRoll(plus=attacks), tuple(Rule(rule) for rule in rules))
        for strength, attacks in STRENGTHS.items()
        for kind, rules in TYPES_APOCALYPSE.items()
    },
}
_CLAWS = {f"{strength} CCW/Claws": f"{strength} CCW" for strength in STRENGTHS}

_WORDS_221, _WORDS_LATER = (
    _found(TABLES_221, OTHER_NAMES_221),
    _found(TABLES_APOCALYPSE, {**OTHER_NAMES, **PLAIN_MELEE, **_CLAWS}),
)

read_221 = partial(read_weapon, tables=_WORDS_221, letters=SUFFIXES_221, elsewhere=_WORDS_LATER)
"""A weapon as 2.21 writes it."""
read_30 = partial(read_weapon, elsewhere=_WORDS_221)
"""A weapon as the third edition writes it."""
read_apocalypse = partial(read_weapon, tables=_WORDS_LATER, elsewhere=_WORDS_221)
"""A weapon as the rules for large games write it."""
