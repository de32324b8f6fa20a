"""Apocalypse 3.3, the family's rules for large games: how it differs from the family."""

from __future__ import annotations

from msgspec.structs import replace

from rolloff.editions.onepage.armouries import TABLES_APOCALYPSE, read_apocalypse
from rolloff.editions.onepage.army_rules import FAMILY_LAW, INFANTRY, heroes
from rolloff.editions.onepage.attack_sequence import SNIPER, Sequence
from rolloff.editions.onepage.book import INCH, Book
from rolloff.editions.onepage.family import LATER_INNATE, LATER_INSTEAD, LATER_SPECIALS, SPECIALS, page
from rolloff.editions.onepage.leading import LEADER, succeed
from rolloff.editions.onepage.powers import powers
from rolloff.editions.onepage.psychic import POWERS, for_everybody
from rolloff.editions.onepage.shooting import LED_FIRE
from rolloff.editions.onepage.transport import LOSSES
from rolloff.rules.specials.poison import Poison
from rolloff.rules.specials.sniper import Sniper

LAW = replace(
    FAMILY_LAW,
    edition="apocalypse-3.3",
    specials={
        **SPECIALS,
        **LATER_SPECIALS,
        "Poison": Poison(INFANTRY, "RULE-POISON-1"),
        "Sniper": Sniper(2, "RULE-SNIPER-1"),
    },
    instead={**LATER_INSTEAD, "Scope": "Sniper on the weapon", "Precise": "Sniper on the weapon"},
    largest=3000,  # ARMY-1
    caps=(heroes(4),),
)

BOOK = Book(
    default_melee=TABLES_APOCALYPSE["Light CCW"],  # WPN-3
    innate=LATER_INNATE,  # TYPE-VEH-2
    piercing_fixed=True,  # RULE-PIERCING-1, RULE-PIERCING-5
    leads=True,  # UNIT-6: MOVE-12, SHOOT-4, SHOOT-5, TERR-FOOT
    sideways=True,  # TYPE-VEH-6
    either_consolidates=True,  # MELEE-25
    everyone_strikes=True,  # MELEE-9
    wreck_pins=True,  # RULE-TRANSPORT-8
    arrival_gap=6 * INCH,  # RULE-DEEPSTRIKE-4
    powers=powers("apocalypse-3.3"),
)

EDITION = page(
    LAW,
    BOOK,
    name="One Page, Apocalypse",
    version="3.3",
    least_pieces=5,
    read_weapon=read_apocalypse,
    fire=LED_FIRE,  # SHOOT-4, SHOOT-5
    powers=replace(POWERS, pool=for_everybody),  # RULE-PSYKER-1
    sequence=Sequence(SNIPER),
    points=3000,
    switches={"morale_retest_below_half": False, "apoc_melee_half_test": False},
    model_marks=(LEADER,),
    losses=replace(LOSSES, models=(succeed,)),  # UNIT-6
)
