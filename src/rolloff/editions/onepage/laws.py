"""What an army of the third edition's relatives may be made of: one law for each (ARMY, TYPE-GEN-1, RULE-GEN-1)."""

from __future__ import annotations

from functools import partial
from typing import Final

from rolloff.editions.onepage.armylaw import DIE, INFANTRY, NUMBER, PLAIN, VEHICLE, Law, check
from rolloff.editions.onepage.book import STRIKES_FIRST, STRIKES_LAST
from rolloff.editions.onepage.weapons import SINGLE

MONSTER: Final = "monster"
WALKER: Final = "walker"

_TYPES: Final = {name.capitalize(): f'the type "{name}"' for name in (INFANTRY, MONSTER, WALKER, VEHICLE)}

LAW_221: Final = Law(
    edition="onepage-2.21",
    types=(INFANTRY, MONSTER, WALKER, VEHICLE),  # TYPE-GEN-1
    on_units={
        **dict.fromkeys(("Armored", "Deep Strike", "Fast", "Fear", "Fearless", "Flying", "Furious", "Hatred", "Hero"), PLAIN),
        **dict.fromkeys(("Relentless", "Scout", "Strider", STRIKES_FIRST, STRIKES_LAST), PLAIN),
        **dict.fromkeys(("Psyker", "Tough", "Transport"), NUMBER),
    },
    on_weapons=dict.fromkeys(
        ("Indirect", "Limited", "Linked", "Piercing", "Poison", "Rending", "Scope", STRIKES_FIRST, STRIKES_LAST, SINGLE),
        PLAIN,
    ),
    instead={
        "Precise": "Scope on the weapon",
        "Sniper": "Scope on the weapon",
        "Unwieldy": "Strikes Last on the weapon",
        "Impact": 'the type "vehicle", which deals D6 automatic hits',
        "Regeneration": "nothing; in this edition no wound is ignored",
        "Stealth": "nothing; in this edition only terrain gives cover",
        **_TYPES,
    },
    largest=1500,
    max_heroes=1,
)

LAW_APOCALYPSE: Final = Law(
    edition="apocalypse-3.3",
    types=(INFANTRY, VEHICLE),  # TYPE-GEN-1
    on_units={
        **dict.fromkeys(("Armored", "Deep Strike", "Fast", "Fear", "Fearless", "Flying", "Furious", "Hero"), PLAIN),
        **dict.fromkeys(("Regeneration", "Scout", "Stealth", "Strider"), PLAIN),
        **dict.fromkeys(("Psyker", "Tough", "Transport"), NUMBER),
        "Impact": DIE,
    },
    on_weapons=dict.fromkeys(
        ("Indirect", "Limited", "Linked", "Piercing", "Poison", "Rending", "Sniper", "Unwieldy", SINGLE),
        PLAIN,
    ),
    instead={
        "Scope": "Sniper on the weapon",
        "Precise": "Sniper on the weapon",
        STRIKES_LAST: "Unwieldy on the weapon",
        STRIKES_FIRST: "nothing; in this edition the assaulter strikes first",
        "Hatred": "Linked on the weapons",
        "Relentless": "nothing; every unit that holds fires all its weapons",
        **_TYPES,
        "Monster": "infantry with Tough, Armored and Fear",
        "Walker": "infantry with Tough and Armored",
    },
    largest=3000,
    max_heroes=4,
)

check_card_221 = partial(check, LAW_221)
check_card_apocalypse = partial(check, LAW_APOCALYPSE)
