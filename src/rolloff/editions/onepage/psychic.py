"""Psykers (RULE-PSYKER): power dice, when powers may be tried, the test, what they do, and the backlash."""

from __future__ import annotations

from collections.abc import Iterable

from rolloff.editions.onepage.attack import POWER, Group, attack_event, automatic_wounds
from rolloff.editions.onepage.casualties import hurt
from rolloff.editions.onepage.lore import Lore, has
from rolloff.editions.onepage.morale import check_heavy_loss, morale_roll, pin, strength
from rolloff.editions.onepage.powers import Effect, Power, known_to
from rolloff.editions.onepage.strike import AUTOMATIC
from rolloff.editions.onepage.vehicles import UNSURE, damage_roll
from rolloff.geometry.measure import reach
from rolloff.lengths import INCH
from rolloff.oracle.stage import check, number
from rolloff.rules.citing import cites
from rolloff.rules.play import Play
from rolloff.table.event import Marked, Patch, SideMarked, Wounded
from rolloff.table.profile import read_rule, read_throw
from rolloff.table.state import GONE, MERGED, TABLE

POOL, TRIED = "power-dice", "tried:"
NO_POWER = "none"


def psykers(play: Play, unit: int) -> list[int]:
    """The living Psykers of a unit."""
    lore: Lore = play.game.lore
    return lore.having("Psyker", play.state.units[unit].living)


@cites("RULE-PSYKER-1", off=lambda play, side: None)
def roll_power_dice(play: Play, side: int) -> None:
    """RULE-PSYKER-1: a player with a living Psyker, wherever it is, gets D6 power dice; old ones are lost."""
    state = play.state
    fresh: list[Patch] = [
        SideMarked(side, name, None) for name, _ in state.sides[side] if name == POOL or name.startswith(TRIED)
    ]
    units = [unit for unit in play.game.units_of[side] if state.units[unit].where not in (GONE, MERGED)]
    if not any(psykers(play, unit) for unit in units):
        if fresh:
            play.emit("power-dice", ("RULE-PSYKER-1",), *fresh, side=side, dice=0)
        return
    play.thrower = -1
    pool = play.dice.ask(number("power-dice", clauses=("RULE-PSYKER-1",)))
    play.emit("power-dice", ("RULE-PSYKER-1",), *fresh, SideMarked(side, POOL, pool), side=side, dice=pool)


def pool_of(play: Play, side: int) -> int:
    """RULE-PSYKER-2: the dice all own Psykers share."""
    return int(play.state.side_mark(side, POOL) or 0)


def known(play: Play, slot: int) -> list[Power]:
    """RULE-PSYKER-9: the powers on the Psyker's card."""
    lore: Lore = play.game.lore
    card = play.game.cards[lore.fighters[slot].card]
    powers = play.game.edition.book.powers
    return [powers[name] for name in known_to(card)]


@cites("RULE-PSYKER-3", "RULE-PSYKER-4", "RULE-PSYKER-6")
def choices(play: Play, unit: int) -> dict[str, tuple[int, Power, tuple[int, ...]]]:
    """What may be tried now: Psyker and power, not yet tried this round, with a target in range; no sight is needed."""
    side = play.game.side_of(unit)
    if not pool_of(play, side) or play.state.units[unit].where != TABLE:
        return {}
    found = {}
    for slot in psykers(play, unit):
        for power in known(play, slot):
            if tried(play, side, power):
                continue
            targets = targets_for(play, slot, unit, power)
            if targets:
                found[f"{power.name} by {play.game.models[slot].id}"] = (slot, power, targets)
    return found


def tried(play: Play, side: int, power: Power) -> bool:
    """Whether a player has tried a power this round."""
    return play.state.side_mark(side, TRIED + power.name) is not None


def targets_for(play: Play, slot: int, unit: int, power: Power) -> tuple[int, ...]:
    """Units of the right side within the power's range of the Psyker."""
    side = play.game.side_of(unit)
    if power.target == "self":
        return (unit,)
    candidates = play.game.units_of[side if power.target == "friend" else 1 - side]
    return tuple(
        k
        for k in candidates
        if play.state.units[k].where == TABLE and _useful(play, power, k) and _near(play, slot, unit, power, k)
    )


def _near(play: Play, slot: int, unit: int, power: Power, target: int) -> bool:
    if target == unit:
        return True
    furthest: int = power.range * INCH + play.game.edition.book.within
    return play.gaps_from(unit)[target] <= furthest and reach(play.scene, unit, target)[slot] <= furthest


def _useful(play: Play, power: Power, target: int) -> bool:
    """A power that only heals needs somebody to heal."""
    if all(effect.heal for effect in power.effects):
        return any(play.state.wounds_on(slot) for slot in play.state.units[target].living)
    return True


def power_window(play: Play, unit: int) -> None:
    """RULE-PSYKER-3: before the move, or after it and before the first shot or strike, as many powers as the pool allows."""
    while play.state.units[unit].living:
        found = choices(play, unit)
        if not found:
            return
        side = play.game.side_of(unit)
        options = (NO_POWER, *found)
        answer = str(
            play.choose(side, "choose-option", "RULE-PSYKER-3", options, NO_POWER, unit, "DP-17", found, purpose="power")
        )
        if answer == NO_POWER:
            return
        manifest(play, unit, *found[answer])


def manifest(play: Play, unit: int, slot: int, power: Power, targets: tuple[int, ...]) -> None:
    """RULE-PSYKER-5: choose a target and a number of dice, then test."""
    side = play.game.side_of(unit)
    names = tuple(play.game.names[k] for k in targets)
    answer = play.choose(side, "choose-target", "RULE-PSYKER-8", names, names[0], unit, "DP-17", power, purpose=power.name)
    target = play.game.numbers[str(answer)]
    pool = pool_of(play, side)
    dice = int(
        play.choose(side, "number", "RULE-PSYKER-5", tuple(range(1, pool + 1)), pool, unit, "DP-17", power, purpose=power.name)
    )
    spent: list[Patch] = [SideMarked(side, POOL, pool - dice), SideMarked(side, TRIED + power.name, 1)]
    clauses = ("RULE-PSYKER-2", "RULE-PSYKER-5", "RULE-PSYKER-6")
    play.emit("cast", clauses, *spent, unit=unit, model=slot, target=target, power=power.name, dice=dice)
    play.thrower = unit
    faces = play.dice.faces(dice, "power", "RULE-PSYKER-5")
    if succeeds(play, slot, power, faces):
        play.emit("manifested", ("RULE-PSYKER-5", "RULE-PSYKER-8"), unit=unit, target=target, power=power.name)
        for effect in power.effects:
            take_effect(play, unit, target, power, effect)
    else:
        play.emit("fizzled", ("RULE-PSYKER-5",), unit=unit, power=power.name)
    backlash(play, unit, slot, faces)


@cites("RULE-PSYKER-5", off=lambda play, slot, power, faces: True)
def succeeds(play: Play, slot: int, power: Power, faces: Iterable[int]) -> bool:
    """RULE-PSYKER-5: the sum of the dice plus the Psyker's level reaches the power's number."""
    lore: Lore = play.game.lore
    level = lore.fighters[slot].rules["Psyker"].rating
    return sum(faces) + int(level or 0) >= power.number


def take_effect(play: Play, unit: int, target: int, power: Power, effect: Effect) -> None:
    """RULE-PSYKER-8: powers are data; this is the closed set of what they can do."""
    if effect.grant_rule:
        prefix = "grant-weapons:" if effect.to == "weapons" else "grant:"
        until = lasts(play, target, power)
        play.emit(
            "granted",
            ("RULE-PSYKER-8",),
            Marked(target, prefix + effect.grant_rule, until),
            unit=target,
            rule=effect.grant_rule,
        )
    elif effect.hits:
        throw = read_throw(effect.hits)
        rules = tuple(sorted(read_rule(name) for name in effect.rules))
        group = Group(
            rules, throw.plus if throw.fixed else 0, () if throw.fixed else (throw,), enters=AUTOMATIC, name=power.name
        )
        attack_event(play, unit, target, [group], POWER, "RULE-PSYKER-8")
    elif effect.wounds:
        throw = read_throw(effect.wounds)
        automatic_wounds(
            play, unit, target, throw.plus if throw.fixed else 0, () if throw.fixed else (throw,), POWER, "RULE-PSYKER-8"
        )
    elif effect.heal:
        heal(play, unit, target, effect)
    elif effect.morale_test:
        dread(play, target)


def lasts(play: Play, target: int, power: Power) -> str:
    """How long a grant lasts; a unit's own activation under way is not its next one."""
    if power.duration == "target_next_activation":
        return "following-activation" if play.acting == target else "next-activation"
    return {"end_of_round": "end-of-round", "this_activation": "this-activation"}[power.duration]


def heal(play: Play, unit: int, target: int, effect: Effect) -> None:
    """Restore wounds on one model."""
    wounded = [slot for slot in play.state.units[target].living if play.state.wounds_on(slot)]
    if not wounded:
        return
    models = play.game.models
    options = tuple(models[slot].id for slot in wounded)
    answer = play.choose(
        play.game.side_of(unit), "choose-model", "RULE-PSYKER-8", options, options[0], target, "DP-17", purpose="heal"
    )
    slot = play.game.slots[str(answer)]
    throw = read_throw(effect.heal)
    count = (
        throw.plus
        if throw.fixed
        else play.dice.ask(number("heal", throw.count, throw.sides, throw.plus, clauses=("RULE-PSYKER-8",)))
    )
    left = max(0, play.state.wounds_on(slot) - count)
    play.emit("healed", ("RULE-PSYKER-8",), Wounded(slot, left), unit=target, model=slot, count=count)


def dread(play: Play, target: int) -> None:
    """A morale test as for heavy loss."""
    if morale_roll(play, target):
        play.emit("morale-passed", ("RULE-PSYKER-8", "MORALE-7"), unit=target)
    else:
        pin(play, target, "RULE-PSYKER-8", "MORALE-8")


@cites("RULE-PSYKER-7", off=lambda play, unit, slot, faces: None)
def backlash(play: Play, unit: int, slot: int, faces: Iterable[int]) -> None:
    """RULE-PSYKER-7: two or more sixes wound the Psyker itself, D3 times, past ignore roll and block.

    That is an event like others: a hull that lives rolls on the table of damage (VDMG-2), and heavy loss is tested.
    """
    if sum(1 for face in faces if face == 6) < 2 or slot not in play.state.units[unit].living:
        return
    before = strength(play, unit)
    wounds = play.dice.ask(number("backlash", 1, 3, clauses=("RULE-PSYKER-7",)))
    if has(play.game, play.state, unit, "Regeneration"):
        shrug = check("regeneration", play.game.edition.book.regeneration, "RULE-REGEN-1", "RULE-PSYKER-7")
        wounds = sum(1 for _ in range(wounds) if not play.dice.ask(shrug))
    toll = hurt(play, "backlash", ("RULE-PSYKER-7",), unit, slot, wounds, wounds=wounds)
    damage_roll(play, unit, toll, UNSURE)
    check_heavy_loss(play, unit, before)
