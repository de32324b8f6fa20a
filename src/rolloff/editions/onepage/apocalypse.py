"""Apocalypse 3.3, the family's rules for large games, as a value. Attacks can be resolved and reckoned; whole games not yet."""

from __future__ import annotations

from rolloff.editions.onepage.armouries import TABLES_APOCALYPSE, read_apocalypse
from rolloff.editions.onepage.asks import ASKS
from rolloff.editions.onepage.book import INCH, Book
from rolloff.editions.onepage.events import KINDS
from rolloff.editions.onepage.form import SNIPER, Sequence
from rolloff.editions.onepage.laws import check_card_apocalypse
from rolloff.editions.onepage.leading import LEADER
from rolloff.editions.onepage.lore import Lore
from rolloff.editions.onepage.powers import powers
from rolloff.editions.onepage.rounds import EFFECTS
from rolloff.editions.onepage.sights import SIGHT, TERRAIN, no_score
from rolloff.editions.onepage.soundness import UNIT_MARKS, check_state
from rolloff.editions.onepage.transport import LOSSES
from rolloff.editions.onepage.turns import turns_of
from rolloff.editions.onepage.words import WORDS
from rolloff.rules.citing import cited
from rolloff.rules.edition import Edition
from rolloff.rules.hooks import Special, Spread
from rolloff.rules.play import OVER
from rolloff.rules.specials.fast import Fast
from rolloff.rules.specials.flying import Flying
from rolloff.rules.specials.furious import Furious
from rolloff.rules.specials.linked import Linked
from rolloff.rules.specials.marker import Marker
from rolloff.rules.specials.piercing import Piercing
from rolloff.rules.specials.poison import Poison
from rolloff.rules.specials.rending import Rending
from rolloff.rules.specials.sniper import Sniper
from rolloff.rules.specials.strider import Strider
from rolloff.rules.specials.unwieldy import Unwieldy
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
    "Hero": Marker("TYPE-HERO-1"),
    "Impact": Marker("RULE-IMPACT-1", rated=True),
    "Indirect": Marker("RULE-INDIRECT-1", on_weapon=True, on_unit=False),
    "Limited": Marker("RULE-LIMITED-1", on_weapon=True, on_unit=False),
    "Linked": cited(Linked("RULE-LINKED-1"), "RULE-LINKED-2", "DICE-7", off=Marker(on_weapon=True)),
    "Piercing": Piercing("RULE-PIERCING-1"),
    "Poison": Poison("RULE-POISON-1"),
    "Psyker": Marker("RULE-PSYKER-1", rated=True),
    "Regeneration": Marker("RULE-REGEN-1", spread=Spread.HALF),
    "Rending": Rending("regeneration", "RULE-RENDING-1"),
    "Scout": Marker("RULE-SCOUT-1", spread=Spread.ALL),
    "Single": Marker("WPN-6", "CAS-5", on_weapon=True, on_unit=False),
    "Sniper": Sniper(2, "RULE-SNIPER-1"),
    "Stealth": Marker("RULE-STEALTH-1", spread=Spread.HALF),
    "Strider": Strider("RULE-STRIDER-1"),
    "Tough": Marker("RULE-TOUGH-1", rated=True),
    "Transport": Marker("RULE-TRANSPORT-1", rated=True),
    "Unwieldy": cited(Unwieldy("RULE-UNWIELDY-1"), "RULE-UNWIELDY-2", "DICE-8", off=Marker(on_weapon=True)),
}

SWITCHES = {
    "models_block_los": True,
    "coherency_connected": False,
    "morale_retest_below_half": False,
    "auto_optional_rerolls": True,
    "auto_piercing": True,
}

USUAL = {
    "infantry": Model("usual"),  # BASE-1, BASE-2
    "vehicle": Model("usual", base=Base("rect", (3 * INCH, 5 * INCH)), height=2500),  # BASE-1, BASE-2
}

BOOK = Book(
    default_melee=TABLES_APOCALYPSE["Light CCW"],  # WPN-3
    innate={"vehicle": (Rule("Armored"), Rule("Impact", "D6"))},  # TYPE-VEH-2
    piercing_fixed=True,  # RULE-PIERCING-1, RULE-PIERCING-5
    leads=True,  # SHOOT-4, SHOOT-5
    everyone_strikes=True,  # MELEE-9
    wreck_pins=True,  # RULE-TRANSPORT-8
    arrival_gap=6 * INCH,  # RULE-DEEPSTRIKE-4
    powers=powers("apocalypse-3.3"),
)

EDITION = Edition(
    id="apocalypse-3.3",
    name="One Page, Apocalypse",
    version="3.3",
    opening=Clock(OVER),
    steps={},
    turns=turns_of(4),
    effects=EFFECTS,
    kinds=KINDS,
    sight=SIGHT,
    terrain=TERRAIN,
    specials=SPECIALS,
    read_weapon=read_apocalypse,
    check_card=check_card_apocalypse,
    check_state=check_state,
    prepare=Lore,
    score=no_score,
    book=BOOK,
    asks={name: ASKS[name] for name in ("cover", "parse", "merge")},
    losses=LOSSES,
    sequence=Sequence(SNIPER),
    switches=SWITCHES,
    defender_rolls=frozenset({"ignore", "block", "regeneration"}),
    rounds=4,
    points=3000,
    defaults={"models": USUAL, "marks": UNIT_MARKS, "model-marks": (LEADER,), "asked-clause": "SHOOT-1"},
    can=frozenset({"attack", "odds"}),
    words=WORDS,
)
