"""Vehicles under fire (VDMG) and their firing arcs (ARC)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from rolloff.editions.onepage.book import book_of
from rolloff.editions.onepage.casualties import Casualties, hurt
from rolloff.editions.onepage.lookups import has, is_vehicle
from rolloff.geometry.measure import sector
from rolloff.geometry.sight import Eye
from rolloff.oracle.stage import Keep, Stage, check, table
from rolloff.rules.citing import cites
from rolloff.rules.game import Game
from rolloff.rules.play import Play
from rolloff.table.event import ModelMarked, Wounded
from rolloff.table.profile import Weapon
from rolloff.table.state import State

FRONT, SIDE, REAR = "front", "side", "rear"
UNSURE = SIDE
SHAKEN, IMMOBILE = "shaken", "immobile"
GLANCED = "glanced"
_FACING_BONUS = {FRONT: 0, SIDE: 1, REAR: 2}
_FACING_DICE = {FRONT: (2, Keep.LOWEST), SIDE: (1, Keep.SUM), REAR: (2, Keep.HIGHEST)}
_QUARTER = 450

# ARC-2: where a mount looks, relative to the hull, and half its width, in tenths of a degree.
MOUNTS = {"turret": (0, 1800), "front": (0, 225), "rear": (1800, 225), "left": (900, 900), "right": (2700, 900)}


@cites("VDMG-10")
def facing_from(state: State, target: int, x: int, y: int) -> str:
    """VDMG-10: below 45 degrees off the forward axis front, above 135 rear, else side."""
    tx, ty = state.at(target)
    ahead = state.facing_of(target)
    if sector(x - tx, y - ty, ahead, _QUARTER) < 0:
        return FRONT
    if sector(x - tx, y - ty, (ahead + 1800) % 3600, _QUARTER) < 0:
        return REAR
    return SIDE


@cites("VDMG-11")
def facing_of_attack(state: State, target: int, attackers: Sequence[int]) -> str:
    """VDMG-11: the facing more than half of the attackers see; none: side."""
    seen = [facing_from(state, target, *state.at(slot)) for slot in attackers]
    for facing in (FRONT, REAR):
        if 2 * seen.count(facing) > len(seen):
            return facing
    return SIDE


def attack_facing(play: Play, target: int, attackers: Sequence[int]) -> str:
    """The facing an attack on a vehicle comes from; for anything else it does not matter."""
    living = play.state.units[target].living
    if not has_table(play.game, target) or not living or not attackers:
        return UNSURE
    return facing_of_attack(play.state, living[0], attackers)


@cites("VDMG-1")
def has_table(game: Game, unit: int) -> bool:
    """VDMG-1: whether a unit that was wounded rolls on the table of damage."""
    book = book_of(game)
    return book.damage is not None and game.cards[unit].type in book.damage_types


@cites("VDMG-2", "VDMG-12")
def damage_roll(play: Play, unit: int, toll: Casualties, facing: str) -> int:
    """VDMG-2: a vehicle that was wounded and lives rolls once on the table; the extra wounds it caused."""
    if toll.wounded < 0 or not has_table(play.game, unit):
        return 0
    play.rolled_by, table = unit, book_of(play.game).damage
    assert table is not None
    return _damaged(play, unit, toll.wounded, table(toll.lost, facing))


def _damaged(play: Play, unit: int, slot: int, stage: Stage[str]) -> int:
    """What the table does to a model; the extra wounds it caused."""
    result = play.dice.ask(stage)
    if result == GLANCED:
        play.emit("glanced", ("VDMG-5",), unit=unit, model=slot)
        return 0
    if result == SHAKEN:
        play.emit("shaken", ("VDMG-6",), ModelMarked(slot, SHAKEN, _shaken_until(play, unit)), unit=unit, model=slot)
        return 0
    if play.state.model_mark(slot, IMMOBILE) is None:
        play.emit("immobile", ("VDMG-7",), ModelMarked(slot, IMMOBILE, 1), unit=unit, model=slot)
        return 0
    extra = _extra_wound(play, unit, slot)
    if extra and goes_on(play.game) and slot in play.state.units[unit].living:
        return extra + _damaged(play, unit, slot, stage)
    return extra


@cites("VDMG-8")
def goes_on(game: Game) -> bool:
    """VDMG-8: whether the extra wound is rolled for again, until another result or the end of the model."""
    found: bool = book_of(game).damage_goes_on
    return found


@lru_cache(maxsize=256)
@cites("VDMG-4")
def damage_by_sum(wounds: int, facing: str) -> Stage[str]:
    """VDMG-4: D6 + wounds taken + facing; 2-5 glanced, 6-7 Shaken, 8 or more Immobile."""
    plus = wounds + _FACING_BONUS[facing]
    results = [GLANCED if face + plus <= 5 else SHAKEN if face + plus <= 7 else IMMOBILE for face in range(1, 7)]
    return table("damage", results, "VDMG-4")


@lru_cache(maxsize=256)
@cites("VDMG-3")
def damage_by_facing(wounds: int, facing: str) -> Stage[str]:
    """VDMG-3: front the lower of two dice, rear the higher, else one; 1-2 glanced, 3-4 Shaken, 5-6 Immobile."""
    dice, keep = _FACING_DICE[facing]
    return table("damage", [GLANCED, GLANCED, SHAKEN, SHAKEN, IMMOBILE, IMMOBILE], "VDMG-3", dice=dice, keep=keep)


def _shaken_until(play: Play, unit: int) -> str:
    """VDMG-6: to the end of the activation it takes next; one under way does not count."""
    return "following" if play.acting == unit else "next"


@cites("VDMG-8")
def _extra_wound(play: Play, unit: int, slot: int) -> int:
    """VDMG-8: Immobile again is one wound more, past Armored and block; Regeneration may stop it; no further roll."""
    if has(play.game, play.state, unit, "Regeneration"):
        stage = check("regeneration", book_of(play.game).regeneration, "RULE-REGEN-1", "VDMG-8")
        if play.dice.ask(stage):
            play.emit("regenerated", ("VDMG-8", "RULE-REGEN-1"), unit=unit, model=slot)
            return 0
    hurt(play, "wounded-more", ("VDMG-8",), unit, slot, 1)
    return 1


def shaken(state: State, slot: int) -> bool:
    """Whether a model is Shaken; its fellows are not for that."""
    return bool(state.models) and state.model_mark(slot, SHAKEN) is not None


@cites("VDMG-6", "VDMG-9")
def end_shaken(play: Play, unit: int) -> None:
    """VDMG-6: Shaken ends with the activation after the one it came in."""
    if not play.state.models:
        return
    held = [(slot, play.state.model_mark(slot, SHAKEN)) for slot in play.state.units[unit].living]
    over = [ModelMarked(slot, SHAKEN, None) for slot, value in held if value not in (None, "following")]
    fresh = [ModelMarked(slot, SHAKEN, "next") for slot, value in held if value == "following"]
    if over:
        play.emit("recovered", ("VDMG-6",), *over, unit=unit)
    if fresh:
        play.emit("still-shaken", ("VDMG-6",), *fresh, unit=unit)


def broken(play: Play, unit: int) -> list[int]:
    """The vehicles of a unit that a repair would help: Immobile or Shaken, or wounded where nothing else can be lost."""
    game, state = play.game, play.state
    living = state.units[unit].living if is_vehicle(game, unit) else ()
    if gives_back_a_wound(game, unit):
        return [slot for slot in living if state.wounds_on(slot)]
    return [slot for slot in living if state.models and (shaken(state, slot) or state.model_mark(slot, IMMOBILE) is not None)]


@cites("TYPE-VEH-10")
def gives_back_a_wound(game: Game, unit: int) -> bool:
    """TYPE-VEH-10: where no vehicle is ever Immobile or Shaken, what would free it of that gives back a wound."""
    return not has_table(game, unit)


def repair(play: Play, unit: int, clause: str) -> None:
    """Free a vehicle of Immobile and Shaken, or give back one lost wound instead (TYPE-VEH-10)."""
    for slot in broken(play, unit)[:1]:
        if gives_back_a_wound(play.game, unit):
            left = play.state.wounds_on(slot) - 1
            play.emit("repaired", (clause, "TYPE-VEH-10"), Wounded(slot, left), unit=unit, model=slot)
        else:
            held = [mark for mark in (IMMOBILE, SHAKEN) if play.state.model_mark(slot, mark) is not None]
            play.emit("repaired", (clause,), *(ModelMarked(slot, mark, None) for mark in held), unit=unit, model=slot)


@cites("ARC-1", "ARC-2", "ARC-3", "ARC-4", "LOS-10")
def eye_of(play: Play, slot: int, weapon: Weapon) -> Eye:
    """ARC-1 to ARC-4: a vehicle's weapon looks from its barrel into its arc."""
    centre, half = MOUNTS[weapon.mount or "turret"]
    along, across = weapon.barrel
    return Eye.mounted(play.scene, slot, along, across, centre, half)


def has_arcs(game: Game, unit: int) -> bool:
    """ARC-5, ARC-6: only vehicles have arcs, and none where the leader sees for all."""
    return is_vehicle(game, unit) and not book_of(game).leads
