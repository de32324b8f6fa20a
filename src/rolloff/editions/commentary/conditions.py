"""Abilities under a condition (TCOND): what an attack has because of its target, its weapon or how its unit shoots.

Each is tested once, when the target is selected, before the first die.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache

from rolloff.editions.commentary import places
from rolloff.editions.commentary.ability import MELEE, SHOOTING
from rolloff.editions.commentary.attack_case import Case
from rolloff.editions.commentary.choosing import Use
from rolloff.editions.commentary.ground import RUIN
from rolloff.editions.commentary.lookups import read_ability
from rolloff.geometry.measure import wholly_within
from rolloff.lengths import INCH
from rolloff.rules.citing import cites
from rolloff.table.profile import Rule
from rolloff.table.state import TABLE

SPLIT = "split-fire"
"""The mark of a unit, and of each model, that shoots at several targets."""


@cites("TCOND-1", "OC-2", "REROLL-6")
def near_markers(case: Case, use: Use) -> bool:
    """AB-R3: the target was within range of an objective marker when it was selected."""
    case = case.when_selected(use.slot, use.index)
    targets = frozenset(case.target.slots)
    return any(not targets.isdisjoint(near) for near in places.near_markers(case.game, case.state).values())


@cites("SINGLE-2")
def single_target(case: Case, use: Use) -> bool:
    """SINGLE-2: all attacks of all firing models of the unit target one unit."""
    return case.form.kind == SHOOTING and not case.mark(SPLIT)


@cites("SINGLE-1")
def single_target_of_model(case: Case, use: Use) -> bool:
    """SINGLE-1: all attacks of the model's firing weapons target one unit, whatever the others of its unit do."""
    return case.form.kind == SHOOTING and case.state.model_mark(use.slot, SPLIT) is None


@cites("OTHER-1")
def ganging_up(case: Case, use: Use) -> bool:
    """DET-T: in melee, at a unit that another unit of the army is within Engagement Range of too."""
    if case.form.kind != MELEE or not case.placed:
        return False
    case = case.when_selected(use.slot, use.index)
    own = case.game.units_of[case.game.side_of(case.attacker.unit)]
    others = [k for k in own if k != case.attacker.unit and case.state.units[k].where == TABLE]
    enemies = places.enemies_engaged(case.game, case.state, case.target)
    return any(k in enemies for k in others)


PLUNGE = 6 * INCH


@cites("TER-10")
def plunging(case: Case, use: Use) -> bool:
    """TER-10: a ranged attack from wholly within a ruin, 6" or more up, at a unit all of whose models are on the ground."""
    if case.form.kind != SHOOTING or not case.placed or not any(case.state.z):
        return False
    scene, ground = case.game.scene(case.state), case.game.field.ground.places
    high = places.at_least(memoryview(case.state.z).cast("i")[use.slot], PLUNGE)
    within = [k for k, place in enumerate(ground) if place.kinds & RUIN and wholly_within(scene, use.slot, k)]
    return high and bool(within) and all(places.at_ground(case.state, slot) for slot in case.target.slots)


CONDITIONS: Mapping[str, Callable[[Case, Use], bool]] = {
    "Near Markers": near_markers,
    "Single Target": single_target,
    "Single Target Model": single_target_of_model,
    "Ganging Up": ganging_up,
}


WEAPON = "Weapon"
"""The ability that gives another to some weapons of its bearer."""


@lru_cache(maxsize=1024)
def conditional(rules: tuple[Rule, ...]) -> bool:
    """Whether any of some abilities stands under a condition."""
    return any(rule.name == WEAPON or rule.name in CONDITIONS for rule in rules)


def expanded(case: Case, use: Use, rules: tuple[Rule, ...]) -> tuple[Rule, ...]:
    """The abilities of an attack, those under a condition replaced by what they give if it holds."""
    if not conditional(rules):
        return rules
    found: list[Rule] = []
    for rule in rules:
        if rule.name == WEAPON:
            whose, _, ability = str(rule.rating).partition(":")
            if whose == use.weapon.name or (whose == "ranged" and not use.weapon.melee):
                found.append(read_ability(ability.strip()))
        elif rule.name in CONDITIONS:
            if CONDITIONS[rule.name](case, use):
                found.append(read_ability(str(rule.rating)))
        else:
            found.append(rule)
    return tuple(found)


STRONG = "Against Strong Attacks"


@cites("AGAINST-3")
def against_strong(strength: int | None, toughness: int) -> bool:
    """AGAINST-3: whether the Strength of an attack exceeds the target's Toughness at its start, both as modified.

    A Strength that is yet to be rolled is no number, and exceeds none.
    """
    return strength is not None and strength > toughness
