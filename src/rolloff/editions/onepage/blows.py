"""What one side of a melee strikes with (MELEE-9 to MELEE-12): who may strike, Impact, weapons, and what hampers them."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from rolloff.editions.onepage.attack import MELEE, Group, alone, pooled, strike_of
from rolloff.editions.onepage.book import UNWIELDY, book_of
from rolloff.editions.onepage.leading import led_uphill
from rolloff.editions.onepage.lookups import index_of, quality
from rolloff.editions.onepage.matchup import AUTOMATIC
from rolloff.editions.onepage.morale import pinned
from rolloff.editions.onepage.moving import flying
from rolloff.editions.onepage.shooting import USED, above, expected_wounds, spent, weapon_rules
from rolloff.editions.onepage.timing import IMPACT, ORDINARY, Schedule, Steps
from rolloff.editions.onepage.vehicles import shaken
from rolloff.geometry.measure import touching
from rolloff.rules.citing import cites
from rolloff.rules.play import Play
from rolloff.table.event import ModelMarked, Patch
from rolloff.table.profile import Rule, Weapon, read_roll

Weapons = tuple[tuple[int, int], ...] | None
"""Weapons named by model and number; None for all."""


@cites("ELEV-3")
def goes_uphill(play: Play, unit: int, target: int) -> bool:
    """ELEV-3: assaulting a higher enemy hampers; levels before the move count, of passengers that of their transport."""
    higher = led_uphill if book_of(play.game).leads else _higher_enemy
    where = play.state.units[unit].where
    return higher(play, unit if where < 0 else where, target) and minds_slopes(play, unit)


def _higher_enemy(play: Play, unit: int, target: int) -> bool:
    return above(play, target, unit)


@cites("ELEV-5")
def minds_slopes(play: Play, unit: int) -> bool:
    """ELEV-5: a unit that flies ignores what elevation would put on it."""
    return not flying(play.game, play.state, unit)


@cites("PIN-2", "RULE-UNWIELDY-1")
def hampering(play: Play, unit: int, afraid: bool, uphill: bool) -> tuple[str, ...]:
    """PIN-2, RULE-FEAR-1, ELEV-3: what makes all melee attacks of a unit Unwieldy, as clauses; nothing where it is late."""
    if book_of(play.game).hampers != UNWIELDY:
        return ()
    reasons: list[str] = []
    if pinned(play.state, unit):
        reasons.append("PIN-2")
    if afraid:
        reasons.append("RULE-FEAR-1")
    if uphill:
        reasons.append("ELEV-3")
    return ("RULE-UNWIELDY-1", *reasons) if reasons else ()


@cites("MELEE-9", "MELEE-28")
def strikers(play: Play, unit: int, other: int) -> tuple[int, ...]:
    """MELEE-9: models in contact with the enemy unit or within 2 inches of one of its models."""
    book = book_of(play.game)
    if book.everyone_strikes:
        return play.state.units[unit].living
    return touching(play.scene, unit, other, book.melee_reach + book.within)


def attackers(play: Play, unit: int, who: tuple[int, ...], assaulting: bool) -> tuple[int, ...]:
    """Whoever strikes or runs the enemy down."""
    return tuple(dict.fromkeys((*who, *running_down(play, unit, assaulting))))


def reasons_for(play: Play, unit: int, who: Iterable[int], assaulting: bool, used: Iterable[Patch]) -> tuple[str, ...]:
    """The rules that brought attacks of their own to these strikes."""
    lookups = index_of(play.game)
    names = {name for slot in who for name in lookups.fighters[slot].rules}
    limited = ("RULE-LIMITED-1",) if any(used) else ()
    impact = lookups.specials["Impact"].clauses if running_down(play, unit, assaulting) else ()
    furious = ("RULE-FURIOUS-1",) if any(lookups.specials[name].extra_attacks(assaulting) for name in names) else ()
    return (*limited, *impact, *furious)


@cites("RULE-IMPACT-1", "TYPE-VEH-2")
def running_down(play: Play, unit: int, assaulting: bool) -> tuple[int, ...]:
    """RULE-IMPACT-1: each living model with Impact deals automatic hits when its unit assaults, in reach to strike or not."""
    lookups = index_of(play.game)
    return tuple(lookups.having("Impact", play.state.units[unit].living)) if assaulting else ()


@cites("MELEE-10", "RES-3", "MELEE-19")
def melee_groups(
    play: Play,
    unit: int,
    other: int,
    who: Iterable[int],
    assaulting: bool,
    hampered: tuple[str, ...],
    only: Weapons = None,
    schedule: Schedule | None = None,
    step: int | None = None,
) -> tuple[list[Group], list[Patch]]:
    """RES-3: Impact first, then like weapons pooled in the order of the unit's equipment.

    ``only`` names weapons; a ``schedule`` says in which step of the melee each strikes, and ``step`` asks for those of one.
    """
    lookups = index_of(play.game)
    skill = quality(play.game, unit)
    impact = Group((), weapons=0, enters=AUTOMATIC, name="Impact", quality=skill)
    impacts: dict[tuple[object, ...], Group] = {}
    rows: dict[tuple[object, ...], Group] = {}
    used: list[Patch] = []
    times, bonuses = (dict(schedule.steps), dict(schedule.bonus)) if schedule else ({}, None)
    for slot in running_down(play, unit, assaulting):
        when = times.get((slot, IMPACT), ORDINARY)
        if step in (None, when):
            pooled(impacts, (when,), replace(impact, step=when), read_roll(lookups.fighters[slot].rules["Impact"].rating))
    for slot in who:
        now = [index for index in held(play, slot, only) if step in (None, times.get((slot, index), ORDINARY))]
        weapons = usable(play, unit, slot, now, used)
        extra, rattled = extra_attacks(play, slot, assaulting), shaken(play.state, slot)
        bonus = -1
        if extra:
            bonus = (
                bonuses.get(slot, -1)
                if bonuses is not None
                else weapon_of_bonus(play, unit, other, slot, weapons, assaulting, hampered)
            )
        for index, weapon in weapons:
            rules, when = strike_rules(play, unit, slot, weapon, assaulting), times.get((slot, index), ORDINARY)
            key = (rules, (slot, index) if alone(weapon) else (), when, rattled)
            start = Group(rules, weapons=0, hampered=hampered, shaken=rattled, name=weapon.name, quality=skill, step=when)
            pooled(rows, key, start, weapon.attacks, extra if index == bonus else 0)
    return [*impacts.values(), *rows.values()], used


def held(play: Play, slot: int, only: Weapons = None) -> list[int]:
    """MELEE-10: the melee weapons of a model that are not used up, by number; of those named, if any were."""
    fighter = index_of(play.game).fighters[slot]
    return [
        index
        for index in fighter.melee
        if (only is None or (slot, index) in only) and not spent(play.state, slot, fighter.weapons[index], index)
    ]


def schedule_of(
    play: Play, unit: int, other: int, who: Iterable[int], assaulting: bool, steps: Steps, only: Weapons
) -> Schedule:
    """What a unit strikes with in a melee of steps, settled when it begins."""
    bonus = []
    for slot in who:
        if extra_attacks(play, slot, assaulting):
            weapons = [(index, index_of(play.game).fighters[slot].weapons[index]) for index in held(play, slot, only)]
            bonus.append((slot, weapon_of_bonus(play, unit, other, slot, weapons, assaulting, ())))
    return Schedule(tuple(sorted(steps.items())), tuple(bonus))


@cites("MELEE-12", "GEN-4")
def extra_attacks(play: Play, slot: int, assaulting: bool) -> int:
    """MELEE-12, RULE-FURIOUS-1: the dice a striking model adds to one of its weapons; they add up."""
    lookups = index_of(play.game)
    charge: int = book_of(play.game).assault_attacks if assaulting else 0
    return charge + sum(lookups.specials[name].extra_attacks(assaulting) for name in lookups.fighters[slot].rules)


def strike_rules(play: Play, unit: int, slot: int, weapon: Weapon, assaulting: bool) -> tuple[Rule, ...]:
    """WPN-9: the rules of a weapon's strikes, and those its bearer lends them."""
    rules, own = weapon_rules(play, unit, weapon), index_of(play.game).fighters[slot].lent
    if not own:
        return rules
    return tuple(sorted({*rules, *(rule for rule in own if index_of(play.game).specials[rule.name].lends(assaulting))}))


def usable(play: Play, unit: int, slot: int, indices: Iterable[int], used: list[Patch]) -> list[tuple[int, Weapon]]:
    """MELEE-10, RULE-LIMITED-1: all these weapons of a model; a Limited one only if its owner wants it used now."""
    fighter = index_of(play.game).fighters[slot]
    found = []
    for index in indices:
        weapon = fighter.weapons[index]
        if weapon.has("Limited"):
            owner, model = play.game.side_of(unit), play.game.models[slot].id
            if not play.choose(
                owner, "yes-no", "RULE-LIMITED-1", (True, False), True, unit, "DP-29", item=weapon.name, of=model
            ):
                continue
            used.append(ModelMarked(slot, f"{USED}{index}", 1))
        found.append((index, weapon))
    return found


@cites("RULE-FURIOUS-1", "MELEE-12")
def weapon_of_bonus(
    play: Play,
    unit: int,
    other: int,
    slot: int,
    weapons: list[tuple[int, Weapon]],
    assaulting: bool,
    hampered: tuple[str, ...],
) -> int:
    """RULE-FURIOUS-1: the extra die belongs to one weapon, the owner's pick; unasked the one with the most expected wounds."""
    if len(weapons) < 2:
        return weapons[0][0] if weapons else -1

    def worth(weapon: Weapon) -> float:
        rules = strike_rules(play, unit, slot, weapon, assaulting)
        group = Group(rules, hampered=hampered, quality=quality(play.game, unit))
        one = read_roll(1)
        return expected_wounds(play, strike_of(play.game, play.state, group, other, MELEE), one)

    if len({weapon.rules for _, weapon in weapons}) == 1:
        return weapons[0][0]
    best = max(weapons, key=lambda pair: worth(pair[1]))[0]
    options = tuple(index for index, _ in weapons)
    labels = tuple(weapon.name for _, weapon in weapons)
    owner = play.game.side_of(unit)
    return int(play.choose(owner, "number", "RULE-FURIOUS-1", options, best, unit, "DP-29", purpose="bonus", labels=labels))
