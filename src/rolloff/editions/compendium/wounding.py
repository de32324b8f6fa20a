"""To Wound and armour rolls as tables, and the wounds that leave them (CF-WOUND, CF-VEH-1)."""

from __future__ import annotations

from msgspec import Struct

from rolloff.editions.compendium.matchup import AbilityRegistry, Strike, better_ap
from rolloff.editions.compendium.rolls import Result, WoundRoll, kept_table
from rolloff.editions.compendium.traits import (
    AREA,
    DESTROYER,
    DISTORTED,
    GLANCE,
    HAYWIRE,
    INSTANT,
    MORTAL,
    NO_COVER,
    ON_MODEL,
    PENETRATE,
    PRECISE,
    REALIGNED,
    SCREENED,
    lasting,
    of_strength,
)
from rolloff.oracle.flow import WOUNDS, Harm, Nodes, Wave, Wound
from rolloff.oracle.stage import AGAIN, Stage, number
from rolloff.rules.citing import cites
from rolloff.table.profile import DiceRoll

WOUND, ARMOUR = "wound", "armour"
PRECISELY = ":precise"
ASSUMED, ASSUMED_DISTORTED = 20, 15  # SR-DESTROYER-4, SR-DISTORT-SCYTHE-2
DAMAGE = "damage"
SAVING = (NO_COVER, REALIGNED, SCREENED)
"""Words that matter to the save alone."""


@cites("CF-WOUND-1")
def wound_need(strength: int, toughness: int) -> int | None:
    """CF-WOUND-1: S against T; None is impossible."""
    if strength >= toughness + 2:
        return 2
    if strength <= toughness - 4:
        return None
    return {1: 3, 0: 4, -1: 5}.get(strength - toughness, 6)


def wound_roll(strike: Strike, book: AbilityRegistry) -> WoundRoll:
    """The To Wound roll, or the armour roll (CF-VEH-1), as the rules of the attack leave it."""
    strength = strike.strength
    if strike.enemy.vehicle:
        roll = WoundRoll(None if strength is None else strike.enemy.armour - strength, "CF-VEH-1")
        roll.label = ARMOUR
        _edit_armour(roll, strike, book)
    else:
        need = None if strength is None else wound_need(strength, strike.enemy.toughness)
        roll = WoundRoll(need, "CF-WOUND-1")
        roll.fails = frozenset({1})  # CF-WOUND-1
        _edit(roll, strike, book)
    _fix(roll)
    return roll


def _edit(roll: WoundRoll, strike: Strike, book: AbilityRegistry) -> None:
    for rule, special in book.of(strike):
        special.wounds(rule, roll, strike)


@cites("CF-VEH-2")
def _edit_armour(roll: WoundRoll, strike: Strike, book: AbilityRegistry) -> None:
    """CF-VEH-2: every re-roll of, modifier to and trigger on a To Wound roll applies to the armour roll."""
    _edit(roll, strike, book)


@cites("CF-WOUND-2")
def _fix(roll: WoundRoll) -> None:
    """CF-WOUND-2: a fixed number replaces the table's outright; of several the attacker takes the lowest (DP-24)."""
    found = roll.fixed_need()
    if found is not None:
        roll.set_need(found[0], "CF-WOUND-2", *found[1], what="fixed number")


@cites("CF-DICE-1", "CF-DICE-12")
def damage_of(dice_roll: DiceRoll) -> int | Stage[int]:
    """Damage as a number, or the roll that gives it."""
    if dice_roll.fixed:
        return dice_roll.plus
    return number(DAMAGE, dice_roll.count, dice_roll.sides, dice_roll.plus, clauses=("CF-DICE-12",))


class WoundValues(Struct, frozen=True):
    """What the wounds of a match-up are, whatever roll brings them."""

    traits: tuple[str, ...]
    damage: DiceRoll
    ap: int
    strength: int | None
    area: bool
    pooled: bool
    vehicle: bool
    keep_instant: bool


def wound_values(strike: Strike, book: AbilityRegistry) -> WoundValues:
    """What of a settled match-up its wounds depend on; a Strength leaves no mark on a vehicle."""
    vehicle = strike.enemy.vehicle
    return WoundValues(
        book.traits(strike),
        strike.damage,
        strike.ap,
        None if vehicle else strike.strength,
        strike.area,
        strike.pooled,
        vehicle,
        strike.keep_instant,
    )


def _words(values: WoundValues) -> tuple[str, ...]:
    """The words every ordinary wound of the attack carries past its save."""
    found = tuple([word for word in values.traits if word not in SAVING])
    if values.area:
        found += (AREA,)
    if values.strength is not None:
        found += (of_strength(values.strength),)
    return found


def _to_save(traits: tuple[str, ...]) -> tuple[str, ...]:
    return tuple([word for word in traits if word in SAVING])


def _ordinary(values: WoundValues, *more: str, ap: int = 0) -> Wound:
    harm = Harm(damage_of(values.damage), (*_words(values), *more))
    return Wound(harm, better_ap(values.ap, ap), _to_save(values.traits))


def certain(values: WoundValues, precise: bool) -> Nodes:
    """An automatic wound: nothing that reads a To Wound die applies; a glancing hit on a vehicle (CF-VEH-10)."""
    words = (GLANCE,) if values.vehicle else (PRECISE,) if precise else ()
    return (WOUNDS, _ordinary(values, *words))


@cites("CF-DMG-4")
def _mortals(values: WoundValues, damage: int | Stage[int], precise: bool) -> Harm:
    """CF-DMG-4: mortal wounds on a unit wait for the group's normal wounds; on one model they come in their turn."""
    words = (MORTAL, *lasting(values.traits))
    if precise:
        return Harm(damage, (*words, PRECISE, ON_MODEL), Wave.IN_TURN)
    wave = Wave.AFTER_UNIT if values.pooled else Wave.AFTER_GROUP
    return Harm(damage, words, wave, spills=True)


def wound_stage(roll: WoundRoll, values: WoundValues, precise: bool) -> Stage[Nodes]:
    """What each natural face of the To Wound or armour die does; match-ups whose rolls and wounds are alike share a table."""
    return kept_table((roll.key(), values, precise), lambda: _new_stage(roll, values, precise))


def _new_stage(roll: WoundRoll, values: WoundValues, precise: bool) -> Stage[Nodes]:
    known: dict[tuple[bool, ...], Result] = {}

    def result(face: int, passed: bool) -> Result:
        # faces of which all this is equally true do the same
        like = (passed, is_six(face), face >= roll.devastating_from, values.vehicle and _penetrates(roll, face))
        if like not in known:
            known[like] = worked_out(face, passed)
        return known[like]

    def worked_out(face: int, passed: bool) -> Result:
        nodes: Nodes = ()
        why: tuple[str, ...] = ()
        six = is_six(face)
        if _devastates(roll, values, face, passed):  # SR-DEVASTATING-WOUND-3
            nodes = (WOUNDS, _mortals(values, damage_of(values.damage), precise))  # SR-DEVASTATING-WOUND-2
            why = roll.devastating_by
        elif passed:
            nodes, why = _struck(roll, values, face, precise)
        if six and roll.mortal:
            nodes, why = (*nodes, _mortals(values, 1, False)), why + roll.mortal
        if six and passed and roll.extra:  # a 6 that only devastates has not succeeded
            nodes, why = nodes + certain(values, precise), why + roll.extra
        return nodes, why

    stage = roll.table(result)
    return _relabelled(stage) if precise else stage


def _devastates(roll: WoundRoll, values: WoundValues, face: int, passed: bool) -> bool:
    """Whether a face becomes mortal wounds; who would rather keep Instant Death on a 6 may decline (IX-4)."""
    declined = passed and bool(roll.instant) and values.keep_instant and is_six(face)
    return face >= roll.devastating_from and not declined


@cites("CF-DICE-2", "CF-DICE-4")
def is_six(face: int) -> bool:
    """CF-DICE-4: every trigger reads the natural die, after any re-roll and before modifiers (CF-DICE-2)."""
    return face == 6


def _struck(roll: WoundRoll, values: WoundValues, face: int, precise: bool) -> Result:
    """An ordinary success: a wound, or a glancing or penetrating hit."""
    why: tuple[str, ...] = ()
    words: list[str] = [PRECISE] if precise else []
    ap = 0
    if is_six(face) and roll.ap_on_six:
        ap, why = roll.ap_on_six, roll.ap_by
    if values.vehicle:
        words = [PENETRATE if _penetrates(roll, face) else GLANCE]
    elif is_six(face) and roll.instant:
        words.append(INSTANT)
        why += roll.instant
    return (WOUNDS, _ordinary(values, *words, ap=ap)), why


def _penetrates(roll: WoundRoll, face: int) -> bool:
    """CF-VEH-1: a total equal to the Armour Value glances, a higher one penetrates."""
    return not roll.only_glances and roll.need is not None and face + roll.modifier > roll.need  # CF-VEH-1


def _relabelled(stage: Stage[Nodes]) -> Stage[Nodes]:
    """The same table under the label of precise hits, its re-roll too."""
    head, again, _ = stage.label.partition(AGAIN)
    read = [_relabelled(entry) if isinstance(entry, Stage) else entry for entry in stage.read]
    return Stage(
        head + PRECISELY + again, read, why=stage.why, good=stage.good, need=stage.need, dice=stage.dice, keep=stage.keep
    )


def taken(strike: Strike, book: AbilityRegistry) -> Wound | Harm | None:
    """A hit whose table die is rolled when it has found its model: Destroyer weapons, Haywire against vehicles."""
    words = book.traits(strike)
    if strike.destroyer:
        assumed = ASSUMED_DISTORTED if DISTORTED in words else ASSUMED
        kept = tuple(word for word in words if word not in (*SAVING, HAYWIRE))
        kept += (AREA,) if strike.area else ()
        harm = Harm(damage_of(strike.damage), (*kept, DESTROYER, of_strength(assumed)))
        return Wound(harm, strike.ap, _to_save(words))
    if HAYWIRE in words:
        return Harm(1, (HAYWIRE, MORTAL, *lasting(words)))
    return None


def precise_taken(found: Wound | Harm) -> Wound | Harm:
    """The same hit where the attacker allocates it."""
    if isinstance(found, Harm):
        return found
    harm = found.harm
    return Wound(Harm(harm.damage, (*harm.traits, PRECISE)), found.ap, found.traits)
