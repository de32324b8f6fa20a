"""One Page, second edition: how it differs from the family."""

from __future__ import annotations

from msgspec.structs import replace

from rolloff.editions.onepage.armouries import TABLES_221, read_221
from rolloff.editions.onepage.army_rules import FAMILY_LAW, INFANTRY, VEHICLE
from rolloff.editions.onepage.book import INCH, STRIKES_FIRST, STRIKES_LAST, Book
from rolloff.editions.onepage.family import SPECIALS, page
from rolloff.editions.onepage.powers import powers
from rolloff.editions.onepage.psychic import POWERS, by_levels
from rolloff.editions.onepage.shooting import SPLIT_FIRE
from rolloff.editions.onepage.vehicles import damage_by_facing
from rolloff.geometry.moves import Coherency
from rolloff.lengths import millimetres
from rolloff.rules.army_law import Cap
from rolloff.rules.specials.hatred import Hatred
from rolloff.rules.specials.marker import Marker
from rolloff.rules.specials.piercing import Piercing
from rolloff.rules.specials.precise import Precise
from rolloff.table.profile import Base, Card, Model, Rule

MONSTER, WALKER = "monster", "walker"


def is_special(card: Card) -> bool:
    """ARMY-4: whether a unit is Special."""
    return card.type in (MONSTER, WALKER, VEHICLE)


LAW = replace(
    FAMILY_LAW,
    edition="onepage-2.21",
    types=(INFANTRY, MONSTER, WALKER, VEHICLE),  # TYPE-GEN-1
    specials={
        **SPECIALS,
        "Hatred": Hatred("RULE-HATRED-1"),  # DICE-7
        "Impact": Marker("TYPE-VEH-2", by_dice=True, on_unit=False),
        "Poison": Piercing("RULE-POISON-1", against=(INFANTRY, MONSTER)),
        "Relentless": Marker("RULE-RELENTLESS-1"),
        "Scope": Precise(2, "RULE-SCOPE-1"),
        STRIKES_FIRST: Marker("RULE-STRIKES-1", on_weapon=True),
        STRIKES_LAST: Marker("RULE-STRIKES-1", on_weapon=True),
    },
    instead={
        "Precise": "Scope on the weapon",
        "Sniper": "Scope on the weapon",
        "Unwieldy": "Strikes Last on the weapon",
        "Impact": 'the type "vehicle", which deals D6 automatic hits',
        "Regeneration": "nothing; in this edition no wound is ignored",
        "Stealth": "nothing; in this edition only terrain gives cover",
        **{name.capitalize(): f'the type "{name}"' for name in (INFANTRY, MONSTER, WALKER, VEHICLE)},
    },
    largest=1500,  # ARMY-1
    caps=(*FAMILY_LAW.caps, Cap("too-many-special", "Special units", 2, is_special, "ARMY-4")),
)

BOOK = Book(
    default_melee=TABLES_221["Fists/Claws"],  # WPN-3
    innate={
        MONSTER: (Rule("Armored"), Rule("Fear"), Rule("Relentless")),  # TYPE-MON-1
        WALKER: (Rule("Armored"), Rule("Relentless")),  # TYPE-WALK-1
        VEHICLE: (Rule("Armored"), Rule("Relentless"), Rule("Impact", "D6")),  # TYPE-VEH-2
    },
    damage=damage_by_facing,  # VDMG-3
    damage_types=(VEHICLE, WALKER),  # VDMG-1, TYPE-WALK-1
    damage_goes_on=True,  # VDMG-8
    coherency=Coherency(1 * INCH, 12 * INCH),  # COH-1, COH-2
    whole_army=True,  # DEPLOY-4
    difficult_cap=-1,  # TERR-DIFF-1
    dangerous_hits=True,  # TERR-DANG-2
    cover_armors=True,  # TERR-COVER-2
    all_weapons_on_hold=False,  # SHOOT-6
    assault_attacks=1,  # MELEE-12
    melee_steps=True,  # MELEE-16, MELEE-17
    hampers=STRIKES_LAST,  # PIN-2
    half_at_once=True,  # MORALE-2
    half_of_models=True,  # MORALE-4, MORALE-10
    sure_at_last=False,  # RULE-DEEPSTRIKE-3
    powers=powers("onepage-2.21"),
    power_scores=(0, 0, 0, 1, 1, 1),  # RULE-PSYKER-5
    power_levels=False,  # RULE-PSYKER-5
)

_BIG = Model("usual", base=Base("circle", (millimetres(60),)), height=2500)  # BASE-1, BASE-2

EDITION = page(
    LAW,
    BOOK,
    name="One Page, second edition",
    version="2.21",
    read_weapon=read_221,
    fire=SPLIT_FIRE,  # SHOOT-7
    powers=replace(POWERS, pool=by_levels),  # RULE-PSYKER-1
    models={MONSTER: _BIG, WALKER: _BIG},
)
