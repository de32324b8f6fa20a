"""What the editions of the family have in common, as values; the page of each edition says how it differs."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from msgspec.structs import replace

from rolloff.editions.onepage import deploy
from rolloff.editions.onepage.advice import advise
from rolloff.editions.onepage.asks import ASKS
from rolloff.editions.onepage.attack_sequence import Sequence, form_of
from rolloff.editions.onepage.book import INCH, Book, FamilyEdition
from rolloff.editions.onepage.danger import GROUND
from rolloff.editions.onepage.events import KINDS
from rolloff.editions.onepage.kinds import kinds_of, refusals_for
from rolloff.editions.onepage.lookups import UnitIndex, tough
from rolloff.editions.onepage.missions import OBJECTIVES, check_setup, markers, score
from rolloff.editions.onepage.moving import adapt, coherency_of, same, went_by
from rolloff.editions.onepage.pricing import unit_price
from rolloff.editions.onepage.psychic import POWERS
from rolloff.editions.onepage.rounds import EFFECTS
from rolloff.editions.onepage.shooting import FIRE
from rolloff.editions.onepage.soundness import MODEL_MARKS, UNIT_MARKS, check_state
from rolloff.editions.onepage.specials import listed
from rolloff.editions.onepage.talk import TALK
from rolloff.editions.onepage.terms import ACTIONS, DEEDS, ENGINE, OUTCOMES
from rolloff.editions.onepage.transport import LOSSES, TRANSPORTS
from rolloff.editions.onepage.turns import turns_of
from rolloff.editions.onepage.visibility import SIGHT
from rolloff.editions.onepage.weapons import NOTATION
from rolloff.editions.onepage.words import WORDS
from rolloff.rules.army_law import ArmyLaw, check_card
from rolloff.rules.hooks import Special, Spread
from rolloff.rules.movement import Movement
from rolloff.rules.specials.fast import Fast
from rolloff.rules.specials.flying import Flying
from rolloff.rules.specials.furious import Furious
from rolloff.rules.specials.linked import Linked
from rolloff.rules.specials.marker import Marker
from rolloff.rules.specials.piercing import Piercing
from rolloff.rules.specials.rending import Rending
from rolloff.rules.specials.strider import Strider
from rolloff.rules.specials.unwieldy import Unwieldy
from rolloff.rules.terms import SituationDefaults
from rolloff.table.profile import Base, Model, Rule
from rolloff.table.state import Clock

SPECIALS: Mapping[str, Special] = {
    "Armored": Marker("RULE-ARMORED-1", spread=Spread.HALF),
    "Deep Strike": Marker("RULE-DEEPSTRIKE-1", spread=Spread.ALL),
    "Fast": Fast(3 * INCH, 6 * INCH, "RULE-FAST-1"),
    "Fear": Marker("RULE-FEAR-1", spread=Spread.ANY),
    "Fearless": Marker("RULE-FEARLESS-1", spread=Spread.ANY),
    "Flying": Flying("RULE-FLYING-1", "RULE-FLYING-2"),
    "Furious": Furious(1, "RULE-FURIOUS-1"),
    "Hero": Marker("TYPE-HERO-1"),
    "Indirect": Marker("RULE-INDIRECT-1", on_weapon=True, on_unit=False),
    "Limited": Marker("RULE-LIMITED-1", on_weapon=True, on_unit=False),
    "Linked": Linked("RULE-LINKED-1"),  # RULE-LINKED-2, DICE-7, DICE-8
    "Piercing": Piercing("RULE-PIERCING-1"),
    "Psyker": Marker("RULE-PSYKER-1", rated=True),
    "Rending": Rending("regeneration", "RULE-RENDING-1"),
    "Scout": Marker("RULE-SCOUT-1", spread=Spread.ALL),
    "Single": Marker("WPN-6", "CAS-5", on_weapon=True, on_unit=False),
    "Strider": Strider("RULE-STRIDER-1"),
    "Tough": Marker("RULE-TOUGH-1", rated=True),
    "Transport": Marker("RULE-TRANSPORT-1", rated=True),
}
"""Rules that every edition has."""

LATER_SPECIALS: Mapping[str, Special] = {
    "Impact": Marker("RULE-IMPACT-1", by_dice=True),
    "Regeneration": Marker("RULE-REGEN-1", spread=Spread.HALF),
    "Stealth": Marker("RULE-STEALTH-1", spread=Spread.HALF),
    "Unwieldy": Unwieldy("RULE-UNWIELDY-1"),  # RULE-UNWIELDY-2, DICE-8
}
"""Rules of the third edition and of Apocalypse."""

LATER_INNATE = {"vehicle": (Rule("Armored"), Rule("Impact", "D6"))}  # TYPE-VEH-2

LATER_INSTEAD = {
    "Strikes Last": "Unwieldy on the weapon",
    "Strikes First": "nothing; in this edition the assaulter strikes first",
    "Hatred": "Linked on the weapons",
    "Relentless": "nothing; every unit that holds fires all its weapons",
    "Monster": "infantry with Tough, Armored and Fear",
    "Walker": "infantry with Tough and Armored",
    "Special": "nothing; the edition has no such units",
    "Vehicle": 'the type "vehicle"',
    "Infantry": 'the type "infantry"',
}
"""RULE-GEN-1: what comes nearest to the rules of the second edition."""

SWITCHES: Mapping[str, bool] = {
    "models_block_los": True,
    "coherency_connected": False,
    "score_joined_separately": False,
    "unarrived_counts_destroyed": False,
    "end_on_wipeout": True,
    "allow_short_edges": True,
    "auto_optional_rerolls": True,
    "auto_piercing": True,
    "one_faction": False,
}

USUAL: Mapping[str, Model] = {
    "infantry": Model("usual"),  # BASE-1, BASE-2
    "vehicle": Model("usual", base=Base("rect", (3 * INCH, 5 * INCH)), height=2500),  # BASE-1, BASE-2
}

TURNS = turns_of(rounds=4)  # TURN-1

STEPS = {
    "roll-off": deploy.begin,
    "declare": deploy.declare,
    **deploy.DEPLOYMENT.steps(),
    **TURNS.steps(),
}


def movement_of(book: Book) -> Movement:
    """How units of an edition move."""
    words, moves = refusals_for(book), kinds_of(book)
    return Movement(coherency_of, words, book.leeway, adapt, moves, went_by, same=same, ground=GROUND)


def page(
    law: ArmyLaw,
    book: Book,
    *,
    name: str,
    version: str,
    least_pieces: int = 10,
    switches: Mapping[str, bool] | None = None,
    models: Mapping[str, Model] | None = None,
    model_marks: tuple[str, ...] = MODEL_MARKS,
    **differences: Any,
) -> FamilyEdition:
    """The edition of a law and a book: everything else is the family's, but for the fields named as differences."""
    law = replace(law, specials={**law.specials, **listed(law.edition)})
    family = FamilyEdition(
        id=law.edition,
        name=name,
        version=version,
        opening=Clock("roll-off"),
        steps=STEPS,
        turns=TURNS,
        effects=EFFECTS,
        kinds=KINDS,
        sight=SIGHT,
        larger=frozenset({"Hero"}),  # BASE-2
        specials=law.specials,
        hooks=frozenset({"alter", "defend", "extra_attacks", "lends", "pace", "passage", "pierces"}),
        check_card=partial(check_card, law),
        check_state=check_state,
        check_setup=partial(check_setup, law, least_pieces),  # TABLE-2
        prepare=UnitIndex,
        score=score,
        markers=markers,
        objectives=OBJECTIVES,
        transports=TRANSPORTS,
        book=book,
        movement=movement_of(book),
        asks=ASKS,
        advice=advise,
        losses=LOSSES,
        fire=FIRE,
        powers=POWERS,
        sequence=Sequence(),
        form_of=form_of,
        talk=TALK,
        switches={**SWITCHES, **(switches or {})},
        defender_rolls=frozenset({"ignore", "block", "regeneration"}),
        rounds=book.rounds,
        points=750,
        actions=ACTIONS,
        outcomes=OUTCOMES,
        deeds=DEEDS,
        situation=SituationDefaults("activate", {**USUAL, **(models or {})}, UNIT_MARKS, model_marks),
        engine=ENGINE,
        wounds=tough,
        price=unit_price,
        asks_single=False,  # GEN-8
        words=WORDS,
        notation=replace(NOTATION, instead=law.instead),
    )
    return replace(family, **differences)
