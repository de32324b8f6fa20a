"""The commentary edition as a value: whole-army turns in five phases, attacks, and their odds."""

from __future__ import annotations

from msgspec.structs import replace

from rolloff.editions.commentary.abilities import READER, SPECIALS
from rolloff.editions.commentary.advice import advise
from rolloff.editions.commentary.aftermath import PASSED, SHOCKED, UNTOUCHED, part_at_once
from rolloff.editions.commentary.asks import ASKS
from rolloff.editions.commentary.attack_sequence import DEFENDING, Sequence
from rolloff.editions.commentary.cards import check_card
from rolloff.editions.commentary.command import OBJECTIVES, concede
from rolloff.editions.commentary.destruction import note_losses
from rolloff.editions.commentary.doings import REPLACED
from rolloff.editions.commentary.events import KINDS
from rolloff.editions.commentary.gifts import GIFTS
from rolloff.editions.commentary.ground import MARKER_RADIUS, TERRAIN, TOPS
from rolloff.editions.commentary.law import SIZES, check_setup
from rolloff.editions.commentary.lookups import UnitIndex, wounds
from rolloff.editions.commentary.missions import furnish, score
from rolloff.editions.commentary.moving import MOVEMENT
from rolloff.editions.commentary.ploys import brought, reactions
from rolloff.editions.commentary.previews import form_of
from rolloff.editions.commentary.recovery import RETURNS, note_spot
from rolloff.editions.commentary.squads import may_lead
from rolloff.editions.commentary.stratagems import CORE, EVERY_ROLL
from rolloff.editions.commentary.travelling import TRANSPORTS, wrecked
from rolloff.editions.commentary.turn import EFFECTS, MARKS, MOMENTS, PARTS, STEPS, SYNONYMS, TURNS
from rolloff.editions.commentary.weapons import NOTATION
from rolloff.editions.commentary.whereabouts import check_moment
from rolloff.editions.commentary.words import WORDS
from rolloff.geometry.sight import Mode
from rolloff.rules.edition import Edition
from rolloff.rules.losses import Losses
from rolloff.rules.objectives import markers
from rolloff.rules.terms import Action, Bars, EngineClauses, Outcome, Outcomes, Role, SituationDefaults
from rolloff.table.state import Clock

SWITCHES = {
    "devastating_wounds_spill": True,
    "dw_uses_allocation_damage_modifiers": True,
    "save_cap_net": True,
    "precision_overkill_wasted": True,
    EVERY_ROLL: False,
}


NO_TARGETS = "TER-11"  # TER-11
"""The clause by which terrain features cannot be attacked."""

FOOTPRINTS: tuple[tuple[str, str, float], ...] = (
    ("TITANIC", "110x170 mm oval", 8),
    ("AIRCRAFT", "60 mm", 3),
    ("FORTIFICATION", "100x150 mm", 4),
    ("WALKER", "90 mm", 4),
    ("VEHICLE", "80x120 mm", 3),
    ("MONSTER", "100 mm", 4),
    ("MOUNTED", "42x75 mm oval", 2),
    ("SWARM", "40 mm", 1),
    ("BEASTS", "35x60 mm oval", 1.5),
    ("CHARACTER", "40 mm", 1.7),
    ("INFANTRY", "32 mm", 1.5),
)
"""GEO-2: what a model stands on whose datasheet does not say, by the first keyword that fits: width by length, and height."""


OUTCOMES = Outcomes(
    (
        Outcome(UNTOUCHED),
        Outcome(PASSED, event="shock-passed"),
        Outcome(SHOCKED, event="battle-shocked", marks=True),
    )  # BSHOCK-6
)

ACTIONS = (
    Action("stationary", Role.HOLD),
    Action("normal", Role.STEADY),
    Action("advance", Role.RUSH),
    Action("fall-back", Role.RUSH),
    Action("arrive", Role.STEADY),
    Action("disembark", Role.STEADY),
    Action("embark", Role.REST),
    Action("stay", Role.REST),
    Action("shoot", Role.HOLD, counted=False),
    Action("charge", Role.CLOSE, counted=False),
    Action("fight", Role.CLOSE, counted=False),
    Action("scout", Role.STEADY),
    Action("battle-shock", Role.REST, counted=False),
)

EDITION = Edition(
    id="commentary-10",
    name="Commentary, tenth edition",
    version="1.0",
    opening=Clock("sides"),
    steps=STEPS,
    kinds=KINDS,
    sight=Mode(target_exempt=False),
    terrain=TERRAIN,
    specials=SPECIALS,
    hooks=frozenset({"alter"}),
    read_weapon=READER.weapon,
    check_card=check_card,
    check_state=check_moment,
    check_setup=check_setup,
    prepare=UnitIndex,
    score=score,
    engine=EngineClauses(
        profiles="UNIT-1",
        upgrades="WARG-2",
        for_all="WARG-1",
        for_each="WARG-2",
        size="ARMY-1",
        faction="ARMY-2",
        enhancements="ARMY-4",
    ),
    sequence=Sequence(),
    form_of=form_of,
    switches=SWITCHES,
    table_size=(60_000, 44_000),
    rounds=5,
    points=1000,
    sizes=SIZES,
    outcomes=OUTCOMES,
    wounds=wounds,
    actions=ACTIONS,
    deeds={"shot": "shoot", "struck": "fight", "charged": "charge"},
    situation=SituationDefaults(
        phase="shoot",
        marks=MARKS,
        synonyms=SYNONYMS,
        clause="ATK-1",
        purse="cp",
        score="vp",
        marker=("objective", MARKER_RADIUS),
        wider=EVERY_ROLL,
        returning=(RETURNS, REPLACED),
        tops=TOPS,
        leads=may_lead,
        bars=Bars(cost="CSTR-13", limits={"end-phase": "CSTR-13"}, marks={SHOCKED: "STRAT-3"}),
    ),
    notation=replace(NOTATION, reads=READER.rule),
    footprints=FOOTPRINTS,  # GEO-2
    reactions=(*CORE, *reactions(), *GIFTS),
    brought=brought,
    defender_rolls=DEFENDING,
    losses=Losses((wrecked, note_spot, note_losses), (note_spot, note_losses, part_at_once)),
    turns=TURNS,
    effects=EFFECTS,
    moments=MOMENTS,
    movement=MOVEMENT,
    objectives=OBJECTIVES,
    transports=TRANSPORTS,
    furnish=furnish,
    scenery=NO_TARGETS,
    asks=ASKS,
    advice=advise,
    words=WORDS,
    parts=PARTS,
    talk={"concede": concede},
    markers=markers,
)
