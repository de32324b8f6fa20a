"""The compendium: the value that is the rulebook. Attacks can be resolved and computed; whole games not yet."""

from __future__ import annotations

from rolloff.editions.compendium.abilities import SPECIALS
from rolloff.editions.compendium.attack_sequence import Sequence
from rolloff.editions.compendium.cards import check_card
from rolloff.editions.compendium.events import KINDS
from rolloff.editions.compendium.lookups import UnitIndex, check_state, wounds
from rolloff.editions.compendium.morale import FALLS_BACK, NONE, PASSED, SWEPT
from rolloff.editions.compendium.places import FORTIFIED, HARD, SOFT
from rolloff.editions.compendium.weapons import NOTATION, read_weapon
from rolloff.geometry.field import COVER, DANGEROUS, DIFFICULT, IMPASSABLE
from rolloff.geometry.sight import HULLS, Mode
from rolloff.lengths import INCH
from rolloff.rules.edition import Edition
from rolloff.rules.game import Game
from rolloff.rules.play import OVER
from rolloff.rules.terms import Outcome, Outcomes, SituationDefaults
from rolloff.table.profile import Base, Model
from rolloff.table.state import Clock, State

# Terrain by type and by trait (CF-TERR-1, CF-MOVE-9).
TERRAIN = {
    "open": 0,
    "hill": 0,
    "cover": COVER | SOFT,
    "soft": COVER | SOFT,
    "hard": COVER | HARD,
    "fortified": COVER | FORTIFIED,
    "difficult": DIFFICULT,
    "dangerous": DANGEROUS,
    "impassable": IMPASSABLE,
    "wood": COVER | SOFT | DIFFICULT,
    "crater": COVER | SOFT | DIFFICULT,
    "rubble": COVER | SOFT | DIFFICULT,
    "wreck": COVER | SOFT | DIFFICULT,
    "ruin": COVER | HARD | DIFFICULT,
    "barricade": COVER | HARD | DIFFICULT,
    "wall": COVER | HARD | DIFFICULT,
    "building": COVER | FORTIFIED,
    "mire": DIFFICULT | DANGEROUS,
    "minefield": DIFFICULT | DANGEROUS,
    "rocks": IMPASSABLE,
    "deep water": IMPASSABLE,
}


def _disc(*names: str, across: int, height: int = INCH) -> dict[str, Model]:
    return {name: Model("usual", base=Base("circle", (across,)), height=height) for name in names}


def _hull(*names: str, length: int, width: int) -> dict[str, Model]:
    return {name: Model("usual", base=Base("rect", (width, length)), height=2500) for name in names}


# Footprints where a profile prints none (CF-PROF-7); of several types the first in this list says it.
USUAL = {
    **_hull("super-heavy walker", length=4 * INCH, width=4 * INCH),
    **_hull("super-heavy", "super-heavy flyer", length=8 * INCH, width=5 * INCH),
    **_hull("walker", length=2500, width=2500),
    **_hull("chariot", length=4 * INCH, width=2500),
    **_hull("flyer", length=6 * INCH, width=5 * INCH),
    **_hull("skimmer", length=4 * INCH, width=3 * INCH),
    **_hull("vehicle", length=5 * INCH, width=3500),
    **_disc("monster", "flying monster", across=3 * INCH, height=3 * INCH),
    **_disc("swarms", "cavalry", "bike", "jetbike", "artillery", across=1600),
    **_disc("infantry", "beasts", "character", "independent character", across=INCH),
}

MARKS = (
    "moved", "cover", "luminagen", "jinking", "smoke", "gone-to-ground", "falling-back", "snap-shots", "disordered",
    "was-charged", "charge-penalty", "locked", "ran", "cruising", "flat-out",
)  # fmt: skip
MODEL_MARKS = ("concussed", "immobile", "shaken", "stunned")


def no_score(game: Game, state: State) -> tuple[int, int]:
    """Nobody has points before there are games."""
    return 0, 0


OUTCOMES = Outcomes(
    (
        Outcome(NONE),
        Outcome(PASSED, event="morale-passed"),
        Outcome(FALLS_BACK, marks=True, breaks=True),  # CF-ASLT-9
        Outcome(SWEPT, marks=True, breaks=True),  # CF-ASLT-10
    )
)

EDITION = Edition(
    id="compendium",
    name="Compendium",
    version="1.0",
    opening=Clock(OVER),
    steps={},
    kinds=KINDS,
    sight=Mode(models=HULLS, heights=False),
    terrain=TERRAIN,
    specials=SPECIALS,
    read_weapon=read_weapon,
    check_card=check_card,
    check_state=check_state,
    prepare=UnitIndex,
    score=no_score,
    sequence=Sequence(),
    table_size=(60 * INCH, 44 * INCH),
    defender_rolls=frozenset({"save", "feel no pain", "look out"}),
    rounds=5,
    points=1000,
    outcomes=OUTCOMES,
    wounds=wounds,
    situation=SituationDefaults("", USUAL, MARKS, MODEL_MARKS, "CF-SHOOT-5"),
    can=frozenset({"attack", "odds"}),
    notation=NOTATION,
)
