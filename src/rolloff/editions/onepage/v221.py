"""One Page 2.21: the value that is the rulebook. Attacks can be resolved and reckoned; whole games not yet."""

from __future__ import annotations

from rolloff.editions.onepage.armouries import TABLES_221, read_221
from rolloff.editions.onepage.asks import ASKS
from rolloff.editions.onepage.book import INCH, STRIKES_FIRST, STRIKES_LAST, Book
from rolloff.editions.onepage.events import KINDS
from rolloff.editions.onepage.form import Sequence
from rolloff.editions.onepage.laws import check_card_221
from rolloff.editions.onepage.lore import Lore
from rolloff.editions.onepage.powers import powers
from rolloff.editions.onepage.rounds import EFFECTS
from rolloff.editions.onepage.sights import SIGHT, TERRAIN, no_score
from rolloff.editions.onepage.soundness import MODEL_MARKS, UNIT_MARKS, check_state
from rolloff.editions.onepage.transport import LOSSES
from rolloff.editions.onepage.turns import turns_of
from rolloff.editions.onepage.vehicles import damage_by_facing
from rolloff.editions.onepage.words import WORDS
from rolloff.geometry.moves import Coherency
from rolloff.lengths import millimetres
from rolloff.rules.citing import cited
from rolloff.rules.edition import Edition
from rolloff.rules.hooks import Special, Spread
from rolloff.rules.play import OVER
from rolloff.rules.specials.fast import Fast
from rolloff.rules.specials.flying import Flying
from rolloff.rules.specials.furious import Furious
from rolloff.rules.specials.hatred import Hatred
from rolloff.rules.specials.linked import Linked
from rolloff.rules.specials.marker import Marker
from rolloff.rules.specials.piercing import Piercing
from rolloff.rules.specials.precise import Precise
from rolloff.rules.specials.rending import Rending
from rolloff.rules.specials.strider import Strider
from rolloff.table.profile import Base, Model, Rule
from rolloff.table.state import Clock

SPECIALS: dict[str, Special] = {
    "Armored": Marker("RULE-ARMORED-1", spread=Spread.HALF),
    "Deep Strike": Marker("RULE-DEEPSTRIKE-1", spread=Spread.ALL),
    "Fast": Fast(3 * INCH, 6 * INCH, "RULE-FAST-1"),
    "Fear": Marker("RULE-FEAR-1", spread=Spread.ANY),
    "Fearless": Marker("RULE-FEARLESS-1", spread=Spread.ANY),
    "Flying": Flying("RULE-FLYING-1", "RULE-FLYING-2"),
    "Furious": Furious(1, "RULE-FURIOUS-1"),
    "Hatred": cited(Hatred("RULE-HATRED-1"), "DICE-7", off=Marker()),
    "Hero": Marker("TYPE-HERO-1"),
    "Impact": Marker("TYPE-VEH-2", rated=True),
    "Indirect": Marker("RULE-INDIRECT-1", on_weapon=True, on_unit=False),
    "Limited": Marker("RULE-LIMITED-1", on_weapon=True, on_unit=False),
    "Linked": cited(Linked("RULE-LINKED-1"), "RULE-LINKED-2", "DICE-7", "DICE-8", off=Marker(on_weapon=True)),
    "Piercing": Piercing("RULE-PIERCING-1"),
    "Poison": Piercing("RULE-POISON-1", against=("infantry", "monster")),
    "Psyker": Marker("RULE-PSYKER-1", rated=True),
    "Relentless": Marker("RULE-RELENTLESS-1"),
    "Rending": Rending("regeneration", "RULE-RENDING-1"),
    "Scope": Precise(2, "RULE-SCOPE-1"),
    "Scout": Marker("RULE-SCOUT-1", spread=Spread.ALL),
    "Single": Marker("WPN-6", "CAS-5", on_weapon=True, on_unit=False),
    "Strider": Strider("RULE-STRIDER-1"),
    STRIKES_FIRST: Marker("RULE-STRIKES-1", on_weapon=True),
    STRIKES_LAST: Marker("RULE-STRIKES-1", on_weapon=True),
    "Tough": Marker("RULE-TOUGH-1", rated=True),
    "Transport": Marker("RULE-TRANSPORT-1", rated=True),
}

SWITCHES = {"models_block_los": True, "coherency_connected": False, "auto_optional_rerolls": True, "auto_piercing": True}

_BIG = Model("usual", base=Base("circle", (millimetres(60),)), height=2500)
USUAL = {
    "infantry": Model("usual"),  # BASE-1, BASE-2
    "monster": _BIG,  # BASE-1, BASE-2
    "walker": _BIG,  # BASE-1, BASE-2
    "vehicle": Model("usual", base=Base("rect", (3 * INCH, 5 * INCH)), height=2500),  # BASE-1, BASE-2
}

BOOK = Book(
    default_melee=TABLES_221["Fists/Claws"],  # WPN-3
    innate={
        "monster": (Rule("Armored"), Rule("Fear"), Rule("Relentless")),  # TYPE-MON-1
        "walker": (Rule("Armored"), Rule("Relentless")),  # TYPE-WALK-1
        "vehicle": (Rule("Armored"), Rule("Relentless"), Rule("Impact", "D6")),  # TYPE-VEH-2
    },
    damage=damage_by_facing,
    damage_types=("vehicle", "walker"),  # VDMG-1, TYPE-WALK-1
    damage_goes_on=True,  # VDMG-8
    coherency=Coherency(1 * INCH, 12 * INCH),  # COH-1, COH-2
    cover_armors=True,  # TERR-COVER-2
    dangerous_hits=True,  # TERR-DANG-2
    all_weapons_on_hold=False,  # SHOOT-6
    assault_attacks=1,  # MELEE-12
    melee_steps=True,  # MELEE-16, MELEE-17
    hampers=STRIKES_LAST,
    half_at_once=True,  # MORALE-2
    half_of_models=True,  # MORALE-4, MORALE-10
    powers=powers("onepage-2.21"),
)

EDITION = Edition(
    id="onepage-2.21",
    name="One Page, second edition",
    version="2.21",
    opening=Clock(OVER),
    steps={},
    turns=turns_of(4),
    effects=EFFECTS,
    kinds=KINDS,
    sight=SIGHT,
    terrain=TERRAIN,
    specials=SPECIALS,
    read_weapon=read_221,
    check_card=check_card_221,
    check_state=check_state,
    prepare=Lore,
    score=no_score,
    book=BOOK,
    asks={name: ASKS[name] for name in ("distance", "sight", "cover", "coherent", "facing", "parse", "merge")},
    losses=LOSSES,
    sequence=Sequence(),
    switches=SWITCHES,
    defender_rolls=frozenset({"ignore", "block"}),
    rounds=4,
    points=750,
    defaults={"models": USUAL, "marks": UNIT_MARKS, "model-marks": MODEL_MARKS, "asked-clause": "SHOOT-1"},
    can=frozenset({"attack", "odds"}),
    words=WORDS,
)
