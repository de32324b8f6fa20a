"""From single weapons to groups (CF-SHOOT-5, CF-DICE-13): like attacks are rolled together."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from rolloff.editions.compendium.abilities import BOOK
from rolloff.editions.compendium.ability import Bearing
from rolloff.editions.compendium.lookups import UnitIndex
from rolloff.editions.compendium.matchup import Strike
from rolloff.editions.compendium.places import Places
from rolloff.editions.compendium.resolve import Group
from rolloff.editions.compendium.rolls import NEVER
from rolloff.editions.compendium.sequence import rolls_of
from rolloff.editions.compendium.traits import BEARERS, LEECH, aimed_at, reaching
from rolloff.oracle.stage import Stage, number
from rolloff.rules.citing import cites
from rolloff.table.profile import DiceRoll

MASTERED = "mastered:"


def count_of(dice_roll: DiceRoll) -> int | Stage[int]:
    """A number of attacks, or the roll that gives it."""
    if dice_roll.fixed:
        return dice_roll.plus
    return number("attacks", dice_roll.count, dice_roll.sides, dice_roll.plus, clauses=("CF-DICE-12",))


def single(places: Places, slot: int, index: int, strike: Strike, dice_roll: DiceRoll, name: str, step: int = 0) -> Group:
    """One weapon as a group of its own, marked by the rules it carries; an index of -1 is no weapon."""
    lookups: UnitIndex = places.lookups
    fighter, at = lookups.fighters[slot], places.attackers.index(slot)
    used = places.play.state.model_mark(slot, f"{MASTERED}{index}") is not None
    bearing = Bearing(at=at, wounds=fighter.profile.wounds, used=used)
    like = (fighter.weapons[index] if index >= 0 else None, strike.skill, strike.strength, strike.near)
    group = Group(strike, count_of(dice_roll), 1, (at,), name, step, arms=((slot, index),), like=like)
    for rule in strike.rules:
        group = lookups.specials[rule.name].grouped(rule, group, bearing)
    return group


def may_be_precise(strike: Strike) -> bool:
    """Whether a To Hit die of a match-up can let the attacker allocate its wounds."""
    roll = rolls_of(strike, BOOK)[0]
    return not roll.automatic and roll.precise_from < NEVER


@cites("SR-PRECISION-SHOTS-1")
def aiming(strike: Strike, places: tuple[int, ...], among: int) -> Strike:
    """A match-up whose precise wounds go to some of so many models alone (SR-PRECISION-SHOTS-1)."""
    if len(places) == among or not may_be_precise(strike):
        return strike
    return replace(strike, marks=(*strike.marks, aimed_at(places)))


def allocating(group: Group, order: tuple[int, ...]) -> Group:
    """A group whose wounds are allocated in an order of its own."""
    marked = [_marked(part, order) for part in group.parts]
    return replace(marked[0], fellows=tuple(marked[1:]))


def _marked(part: Group, order: tuple[int, ...]) -> Group:
    mark = reaching(order)
    fire = part.deflagrates and replace(part.deflagrates, marks=(*part.deflagrates.marks, mark))
    return replace(part, strike=replace(part.strike, marks=(*part.strike.marks, mark)), deflagrates=fire)


@cites("CF-SHOOT-5")
def gathered(groups: Iterable[Group]) -> tuple[Group, ...]:
    """CF-SHOOT-5: attacks of one unit with the same weapon profile and skill form a group, in the order they were named.

    Where something tells such weapons apart (shots, range, whose they are) they are parts of the group, in the order of their
    dice.
    """
    pools: dict[object, list[tuple[Group, list[Group]]]] = {}
    for group in groups:
        runs, plain = pools.setdefault((group.like, group.name, group.step), []), _plain(group)
        if runs and not group.mastered and runs[-1][0] == plain:
            runs[-1][1].append(group)
        else:
            runs.append((plain, [group]))
    return tuple([_pool([_one(run) for _, run in runs]) for runs in pools.values()])


def _one(run: list[Group]) -> Group:
    """Groups rolled on the same table, as one."""
    if len(run) == 1:
        return run[0]
    bearers = tuple([at for group in run for at in group.bearers])
    arms = tuple([arm for group in run for arm in group.arms])
    return replace(run[0], bearers=bearers, arms=arms, weapons=sum([group.weapons for group in run]))


def _plain(group: Group) -> Group:
    """What of a group must be the same for another to be rolled on the same table."""
    return replace(group, bearers=(), arms=(), weapons=1)


def _pool(runs: list[Group]) -> Group:
    if len(runs) == 1:
        return runs[0]
    head, *rest = (replace(one, strike=replace(one.strike, pooled=True)) for one in runs)
    return replace(head, fellows=tuple(rest))


def nameless(groups: Iterable[Group]) -> tuple[Group, ...]:
    """The same groups where nobody asks whose the weapons are, so that more of them are alike."""
    parts = [_without_name(part) for group in groups for part in group.parts]
    return gathered(parts) if len(parts) > 1 else tuple(parts)


def _without_name(part: Group) -> Group:
    if not part.strike.pooled and not part.strike.marks:
        return part
    return replace(part, strike=replace(part.strike, pooled=False, marks=_unnamed(part.strike.marks)))


def _unnamed(marks: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(mark for mark in marks if mark.partition(":")[0] not in (BEARERS, LEECH))
