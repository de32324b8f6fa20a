"""One Page, third edition: the value that is the rulebook."""

from __future__ import annotations

from rolloff.editions.onepage import deploy
from rolloff.editions.onepage.advice import advise
from rolloff.editions.onepage.armylaw import check_card
from rolloff.editions.onepage.asks import ASKS
from rolloff.editions.onepage.book import INCH, Book
from rolloff.editions.onepage.events import KINDS
from rolloff.editions.onepage.form import Sequence, form_of
from rolloff.editions.onepage.lore import Lore
from rolloff.editions.onepage.missions import check_setup, markers, score
from rolloff.editions.onepage.powers import powers
from rolloff.editions.onepage.rounds import EFFECTS
from rolloff.editions.onepage.sights import SIGHT, TERRAIN
from rolloff.editions.onepage.soundness import MODEL_MARKS, UNIT_MARKS, check_state
from rolloff.editions.onepage.talk import TALK
from rolloff.editions.onepage.transport import LOSSES
from rolloff.editions.onepage.turns import turns_of
from rolloff.editions.onepage.vehicles import damage_by_sum
from rolloff.editions.onepage.weapons import DEFAULT_MELEE, read_weapon
from rolloff.editions.onepage.words import WORDS
from rolloff.rules.citing import cited
from rolloff.rules.edition import Edition
from rolloff.rules.hooks import Special, Spread
from rolloff.rules.specials.fast import Fast
from rolloff.rules.specials.flying import Flying
from rolloff.rules.specials.furious import Furious
from rolloff.rules.specials.linked import Linked
from rolloff.rules.specials.marker import Marker
from rolloff.rules.specials.piercing import Piercing
from rolloff.rules.specials.poison import Poison
from rolloff.rules.specials.precise import Precise
from rolloff.rules.specials.rending import Rending
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
    "Precise": Precise(2, "RULE-PRECISE-1"),
    "Psyker": Marker("RULE-PSYKER-1", rated=True),
    "Regeneration": Marker("RULE-REGEN-1", spread=Spread.HALF),
    "Rending": Rending("regeneration", "RULE-RENDING-1"),
    "Scout": Marker("RULE-SCOUT-1", spread=Spread.ALL),
    "Single": Marker("WPN-6", "CAS-5", on_weapon=True, on_unit=False),
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
    "rout_by_models": False,
    "score_joined_separately": False,
    "unarrived_counts_destroyed": False,
    "end_on_wipeout": True,
    "allow_short_edges": True,
    "auto_optional_rerolls": True,
    "auto_piercing": True,
    "one_faction": False,
}

USUAL = {
    "infantry": Model("usual"),  # BASE-1, BASE-2
    "vehicle": Model("usual", base=Base("rect", (3 * INCH, 5 * INCH)), height=2500),  # BASE-1, BASE-2
}

TURNS = turns_of(rounds=4)  # TURN-1

EDITION = Edition(
    id="onepage-3.0",
    name="One Page, third edition",
    version="3.0",
    opening=Clock("roll-off"),
    steps={
        "roll-off": deploy.begin,
        "declare": deploy.declare,
        "deploy": deploy.deploy,
        "scout": deploy.scout,
        **TURNS.steps(),
    },
    turns=TURNS,
    effects=EFFECTS,
    kinds=KINDS,
    sight=SIGHT,
    terrain=TERRAIN,
    specials=SPECIALS,
    read_weapon=read_weapon,
    check_card=check_card,
    check_state=check_state,
    check_setup=check_setup,
    prepare=Lore,
    score=score,
    markers=markers,
    book=Book(
        default_melee=DEFAULT_MELEE,
        innate={"vehicle": (Rule("Armored"), Rule("Impact", "D6"))},  # TYPE-VEH-2
        damage=damage_by_sum,
        powers=powers("onepage-3.0"),
    ),
    asks=ASKS,
    advice=advise,
    losses=LOSSES,
    sequence=Sequence(),
    form_of=form_of,
    talk=TALK,
    switches=SWITCHES,
    defender_rolls=frozenset({"ignore", "block", "regeneration"}),
    rounds=4,
    points=750,
    actions=("hold", "walk", "run", "assault", "idle", "stay"),
    defaults={"activate-phase": "activate", "models": USUAL, "marks": UNIT_MARKS, "model-marks": MODEL_MARKS},
    words=WORDS,
)
