"""The numbers and choices in which the editions of the family differ: one value for each edition."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import TYPE_CHECKING

from msgspec import field

from rolloff.editions.onepage.powers import Power
from rolloff.geometry.moves import Coherency, Leeway
from rolloff.oracle.stage import Stage
from rolloff.rules.component import Component
from rolloff.rules.edition import Edition
from rolloff.table.profile import Rule, Weapon

if TYPE_CHECKING:
    from rolloff.rules.game import Game

INCH = 1000
UNWIELDY, STRIKES_FIRST, STRIKES_LAST = "Unwieldy", "Strikes First", "Strikes Last"


class Book(Component, frozen=True):
    """One edition's figures; lengths in thou. The clause of each stands beside it."""

    default_melee: Weapon  # WPN-3
    innate: Mapping[str, tuple[Rule, ...]]  # TYPE-VEH-2
    damage: Callable[[int, str], Stage[str]] | None = None  # VDMG-1
    damage_types: tuple[str, ...] = ("vehicle",)  # VDMG-1
    damage_goes_on: bool = False  # VDMG-8
    walk: int = 6 * INCH  # ACT-2, MOVE-1
    run: int = 12 * INCH  # ACT-3, MOVE-1
    assault: int = 12 * INCH  # ACT-4, MOVE-1
    vehicle_walk: int = 12 * INCH  # TYPE-VEH-3
    vehicle_run: int = 18 * INCH  # TYPE-VEH-3
    vehicle_assault: int = 18 * INCH  # TYPE-VEH-3
    unit_gap: int = 1 * INCH  # MOVE-3, MOVE-5
    coherency: Coherency = Coherency(2 * INCH, 12 * INCH)  # COH-1, COH-2
    leeway: Leeway = Leeway()  # MEAS-5
    within: int = 10  # MEAS-5: leeway of "within n"
    deploy_depth: int = 12 * INCH  # DEPLOY-3
    whole_army: bool = False  # DEPLOY-4
    difficult_cap: int = 6 * INCH  # TERR-DIFF-1; -1: the unit's own Walk distance
    all_weapons_on_hold: bool = True  # SHOOT-6
    leads: bool = False  # UNIT-6: MOVE-12, SHOOT-4, SHOOT-5, TERR-FOOT
    sideways: bool = False  # TYPE-VEH-6
    either_consolidates: bool = False  # MELEE-25
    melee_reach: int = 2 * INCH  # MELEE-9
    everyone_strikes: bool = False  # MELEE-9
    assault_attacks: int = 0  # MELEE-12
    melee_steps: bool = False  # MELEE-16, MELEE-17
    hampers: str = UNWIELDY  # PIN-2
    pile_in: int = 3 * INCH  # MELEE-7
    consolidate: int = 3 * INCH  # MELEE-25
    step_back: int = 1 * INCH  # MELEE-26
    armored: int = 4  # RULE-ARMORED-1
    cover: int = 5  # TERR-COVER-2
    cover_armors: bool = False  # TERR-COVER-2
    piercing_fixed: bool = False  # RULE-PIERCING-1
    dangerous_hits: bool = False  # TERR-DANG-2
    regeneration: int = 5  # RULE-REGEN-1
    half_at_once: bool = False  # MORALE-2
    half_of_models: bool = False  # MORALE-4, MORALE-10
    elevated: int = 1 * INCH  # ELEV-2
    cover_near: int = 1 * INCH  # TERR-COVER-4
    arrival: int = 4  # RULE-DEEPSTRIKE-2
    sure_at_last: bool = True  # RULE-DEEPSTRIKE-3
    arrival_gap: int = 12 * INCH  # RULE-DEEPSTRIKE-4
    arrival_shift: int = 12 * INCH  # RULE-DEEPSTRIKE-5
    shift_on: int = 2  # RULE-DEEPSTRIKE-5
    scout_gap: int = 12 * INCH  # RULE-SCOUT-1
    wreck_range: int = 6 * INCH  # RULE-TRANSPORT-8
    wreck_pins: bool = False  # RULE-TRANSPORT-8
    rounds: int = 4  # TURN-1
    powers: Mapping[str, Power] = field(default_factory=dict)  # RULE-PSYKER-8
    power_scores: tuple[int, ...] = (1, 2, 3, 4, 5, 6)  # RULE-PSYKER-5
    power_levels: bool = True  # RULE-PSYKER-5


class FamilyEdition(Edition, frozen=True, kw_only=True):
    """An edition of the family: what every edition is, and its book."""

    book: Book

    @property
    def figures(self) -> Book:
        """Its book."""
        return self.book


book_of: Callable[[Game], Book] = attrgetter("edition.book")
"""The figures of a game's edition. As a getter, since they are asked for everywhere."""
