"""The compendium: the value that is the rulebook. Attacks can be resolved and reckoned; whole games not yet."""

from __future__ import annotations

from rolloff.editions.compendium.abilities import SPECIALS
from rolloff.editions.compendium.cards import check_card, check_state
from rolloff.editions.compendium.events import KINDS
from rolloff.editions.compendium.form import Sequence
from rolloff.editions.compendium.lore import Lore
from rolloff.editions.compendium.places import FORTIFIED, HARD, SOFT
from rolloff.editions.compendium.weapons import read_weapon
from rolloff.geometry.field import COVER, DANGEROUS, DIFFICULT, IMPASSABLE
from rolloff.geometry.sight import HULLS, Mode
from rolloff.lengths import INCH
from rolloff.rules.edition import Edition
from rolloff.rules.game import Game
from rolloff.rules.play import OVER
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

# Footprints where a profile prints none (CF-PROF-7): discs by diameter, hulls by width and length.
USUAL = {
    "infantry": Model("usual", base=Base("circle", (INCH,))),
    "monster": Model("usual", base=Base("circle", (3 * INCH,)), height=3 * INCH),
    "vehicle": Model("usual", base=Base("rect", (3500, 5 * INCH)), height=2500),
}

MARKS = (
    "moved", "cover", "luminagen", "jinking", "smoke", "gone-to-ground", "falling-back", "snap-shots", "disordered",
    "was-charged", "charge-penalty",
)  # fmt: skip
MODEL_MARKS = ("concussed", "immobile", "shaken", "stunned")


def no_score(game: Game, state: State) -> tuple[int, int]:
    """Nobody has points before there are games."""
    return 0, 0


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
    prepare=Lore,
    score=no_score,
    book=None,
    sequence=Sequence(),
    table_size=(60 * INCH, 44 * INCH),
    defender_rolls=frozenset({"save", "feel no pain", "look out"}),
    rounds=5,
    points=1000,
    defaults={"models": USUAL, "marks": MARKS, "model-marks": MODEL_MARKS, "asked-clause": "CF-SHOOT-5"},
    can=frozenset({"attack", "odds"}),
)
