"""One Page, third edition: how it differs from the family."""

from __future__ import annotations

from msgspec.structs import replace

from rolloff.editions.onepage.armouries import read_30
from rolloff.editions.onepage.army_rules import FAMILY_LAW, INFANTRY
from rolloff.editions.onepage.book import Book
from rolloff.editions.onepage.family import LATER_INNATE, LATER_INSTEAD, LATER_SPECIALS, SPECIALS, page
from rolloff.editions.onepage.powers import powers
from rolloff.editions.onepage.vehicles import damage_by_sum
from rolloff.editions.onepage.weapons import DEFAULT_MELEE
from rolloff.rules.specials.poison import Poison
from rolloff.rules.specials.precise import Precise

LAW = replace(
    FAMILY_LAW,
    edition="onepage-3.0",
    specials={
        **SPECIALS,
        **LATER_SPECIALS,
        "Poison": Poison(INFANTRY, "RULE-POISON-1"),
        "Precise": Precise(2, "RULE-PRECISE-1"),
    },
    instead={**LATER_INSTEAD, "Scope": "Precise on the weapon", "Sniper": "Precise on the weapon"},
)

BOOK = Book(
    default_melee=DEFAULT_MELEE,  # WPN-3
    innate=LATER_INNATE,  # TYPE-VEH-2
    damage=damage_by_sum,  # VDMG-4
    powers=powers("onepage-3.0"),
)

EDITION = page(
    LAW,
    BOOK,
    name="One Page, third edition",
    version="3.0",
    read_weapon=read_30,
    switches={"morale_retest_below_half": False, "rout_by_models": False},
)
