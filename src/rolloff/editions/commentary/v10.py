"""The commentary edition as a value. It resolves attacks and their odds; whole games are not played by it yet."""

from __future__ import annotations

from msgspec.structs import replace

from rolloff.editions.commentary.abilities import READER, SPECIALS
from rolloff.editions.commentary.aftermath import PASSED, SHOCKED, UNTOUCHED
from rolloff.editions.commentary.cards import check_card
from rolloff.editions.commentary.choosing import MARKS
from rolloff.editions.commentary.events import KINDS
from rolloff.editions.commentary.form import Sequence
from rolloff.editions.commentary.lore import Lore, check_state
from rolloff.editions.commentary.weapons import NOTATION
from rolloff.geometry.field import COVER
from rolloff.geometry.sight import Mode
from rolloff.rules.edition import Edition
from rolloff.rules.game import Game
from rolloff.rules.play import OVER
from rolloff.rules.terms import Outcome, Outcomes, SituationDefaults
from rolloff.table.state import Clock, State

SWITCHES = {
    "devastating_wounds_spill": True,
    "dw_uses_allocation_damage_modifiers": True,
    "save_cap_net": True,
    "precision_overkill_wasted": True,
}


def score(game: Game, state: State) -> tuple[int, int]:
    """Nobody scores outside a game."""
    return 0, 0


OUTCOMES = Outcomes(
    (
        Outcome(UNTOUCHED),
        Outcome(PASSED, event="morale-passed"),
        Outcome(SHOCKED, event="battle-shocked", marks=True),
    )  # BSHOCK-6
)

EDITION = Edition(
    id="commentary-10",
    name="Commentary, tenth edition",
    version="1.0",
    opening=Clock(OVER),
    steps={},
    kinds=KINDS,
    sight=Mode(target_exempt=False),
    terrain={
        "open": 0,
        "crater": COVER,
        "barricade": COVER,
        "debris": COVER,
        "hill": COVER,
        "woods": COVER,
        "ruin": COVER,
    },
    specials=SPECIALS,
    hooks=frozenset({"alter"}),
    read_weapon=READER.weapon,
    check_card=check_card,
    check_state=check_state,
    prepare=Lore,
    score=score,
    book=None,
    sequence=Sequence(),
    switches=SWITCHES,
    table_size=(60_000, 44_000),
    rounds=5,
    points=1000,
    outcomes=OUTCOMES,
    situation=SituationDefaults(marks=MARKS, clause="ATK-1"),
    can=frozenset({"attack", "odds"}),
    notation=replace(NOTATION, reads=READER.rule),
)
