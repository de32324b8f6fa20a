"""The Shooting phase (SHOOT): who may shoot, targets weapon by weapon, reactions to them, and the attacks."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import chain

from msgspec import Struct
from msgspec.structs import replace

from rolloff.editions.commentary.ability import SHOOTING
from rolloff.editions.commentary.aftermath import CASUALTIES, left_of
from rolloff.editions.commentary.aiming import Weapons, able_at, able_at_each, case_at, in_reach
from rolloff.editions.commentary.assigning import assigned
from rolloff.editions.commentary.at_ease import reaches_of
from rolloff.editions.commentary.attack import attack_of
from rolloff.editions.commentary.attack_case import ADVANCED, DECK, END_ATTACKS, FELL_BACK, OVERWATCH, Case
from rolloff.editions.commentary.choosing import able_uses, checked_uses, may_shoot, why_none
from rolloff.editions.commentary.conditions import SPLIT
from rolloff.editions.commentary.lookups import BIG, UnitIndex, index_of
from rolloff.editions.commentary.moving import off_table
from rolloff.editions.commentary.resolving import attacks_by, declare
from rolloff.editions.commentary.shooters import deck_of, eligible, has_target
from rolloff.errors import BadInput, IllegalCommand
from rolloff.rules.attack import AttackForm
from rolloff.rules.citing import cites
from rolloff.rules.effects import Boundary, cross, lasting
from rolloff.rules.play import Play
from rolloff.rules.turns import on_table
from rolloff.rules.windows import Moment, listened, window
from rolloff.table.event import Done, ModelMarked, Removed, Wounded
from rolloff.table.request import PASS, Request
from rolloff.table.state import TABLE

AIMED, SPOILED = "DP-25", "DP-28"
"""The decision points of targets: when they are selected, and when one is no longer eligible."""
SELECTED, CHOSEN, SHOT = "selected-to-shoot", "targets-chosen", "has-shot"


class FireOrder(Struct, frozen=True):
    """One unit's shooting: out of phase or not, at one target only, hitting on natural 6s alone, with some weapons only."""

    unit: int
    only: int = -1
    oop: bool = False
    snap: bool = False
    weapons: Weapons | None = None


def enemies(play: Play, unit: int) -> Sequence[int]:
    """The enemy units on the battlefield; whoever is embarked can be selected for nothing (EMB-2)."""
    return on_table(play, 1 - play.game.sides[unit])


def why_not(play: Play, unit: int) -> IllegalCommand | None:
    """Why a unit may not be selected to shoot; None if it may, or if it only lacks a target."""
    held, name = play.state.units[unit], play.game.names[unit]
    if held.where != TABLE:
        return IllegalCommand("not-there", off_table(held, "SHOOT-1"), f"{name} is not on the battlefield", name)
    if held.done:
        return IllegalCommand("done", "SHOOT-1", f"{name} was selected to shoot before in this phase", name)
    if eligible(play, unit):
        return None
    if held.mark(FELL_BACK) is not None or held.mark(ADVANCED) is not None:
        return IllegalCommand("not-eligible", "SHOOT-1", f"{name} Advanced or Fell Back this turn", name)
    return IllegalCommand("locked", "LIC-1", f"{name} is Locked in Combat", name)


def why_no_part(play: Play, unit: int) -> IllegalCommand | None:
    """Why a unit has nothing to shoot at in its part of the phase: why it may not, or what keeps it from the nearest enemy."""
    barred = why_not(play, unit)
    if barred is not None or has_target(play, unit):
        return barred
    gaps = play.gaps_from(unit)
    near = sorted(enemies(play, unit), key=lambda enemy: (gaps[enemy], enemy))
    return why_no_target(play, FireOrder(unit), near[0]) if near else None


def why_no_target(play: Play, order: FireOrder, enemy: int) -> IllegalCommand | None:
    """Why no weapon of a unit may be fired at an enemy; None if one may."""
    try:
        case = Case(play.game, play.state, form_for(order, enemy, None))
        may_shoot(case)
        return None if able_uses(case) else why_none(case)
    except IllegalCommand as error:
        return error
    except BadInput as error:
        return IllegalCommand(error.code, error.clause or "SHOOT-2", error.message, play.game.names[enemy])


def form_for(order: FireOrder, target: int, weapons: Weapons | None) -> AttackForm:
    """The attack form of some weapons at one target."""
    return AttackForm(order.unit, target, SHOOTING, weapons=weapons)


def targets_of(play: Play, order: FireOrder) -> dict[int, Weapons]:
    """SHOOT-2: the enemy units some weapon may be fired at, each with the weapons that may."""
    foes = enemies(play, order.unit) if order.only < 0 else (order.only,)
    found = able_at_each(play, order.unit, foes if reaches_of(play.game) is not None else in_reach(play, order.unit, foes))
    if order.weapons is None:
        return found
    return {enemy: weapons for enemy, uses in found.items() if (weapons := _among(uses, order.weapons))}


@cites("SHOOT-3")
def unspent(weapons: Weapons, spent: frozenset[tuple[int, int]]) -> Weapons:
    """SHOOT-3: all attacks of one weapon go at one target; others may have other targets."""
    return tuple([pair for pair in weapons if pair not in spent]) if spent else weapons


def weapons_at(play: Play, order: FireOrder, enemy: int) -> Weapons:
    """The weapons of a unit that may be fired at an enemy."""
    uses = able_at(play, order.unit, enemy)
    return uses if order.weapons is None else _among(uses, order.weapons)


def _among(uses: Weapons, weapons: Weapons) -> Weapons:
    """Those of some weapons that are among others."""
    return tuple([pair for pair in uses if pair in weapons])


# one unit shoots


def shoot_unit(play: Play, unit: int) -> None:
    """SHOOT-1: a unit selected in its own Shooting phase."""
    play.emit("activated", ("SHOOT-1",), Done(unit, True), unit=unit, action="shoot")
    shoot(play, FireOrder(unit))


def shoot(play: Play, order: FireOrder) -> bool:
    """A unit shoots: selected, targets for every weapon, reactions, attacks, what follows. False if nothing was fired."""
    unit = order.unit
    window(play, Moment(SELECTED, unit, (), order.oop))  # WHEN-1
    if not order.oop and order.weapons is None:
        man_the_deck(play, unit)
    plan = choose_targets(play, order)
    if not plan:
        cross(play, Boundary(END_ATTACKS, play.game.sides[unit], unit), "attacks-resolved", "RESOLVE-2")
        return False
    selected, first = play.state, plan
    window(play, Moment(CHOSEN, unit, tuple(plan), order.oop))  # JUST-2
    if play.state is not selected:
        plan = respoiled(play, order, plan)
    declared = []
    if len(plan) > 1:
        marks = [ModelMarked(slot, SPLIT, END_ATTACKS) for slot in splitting(plan)]
        play.emit("split-fire", ("SHOOT-3",), lasting(play.game, unit, SPLIT, END_ATTACKS), *marks, unit=unit)
    if order.snap:
        play.emit("overwatch", ("CSTR-5",), lasting(play.game, unit, OVERWATCH, END_ATTACKS), unit=unit)
    for target, weapons in plan.items():
        form = form_for(order, target, weapons)
        case = case_at(play, form, weapons)
        if play.state is not selected:
            case.selected_in(selected, frozenset(weapons).difference(first.get(target, ())))
        attack = attack_of(case, asked=True, rolled=play.logged)
        declare(play, form, attack)
        declared.append((form, attack))
    since = len(play.events)
    attacks_by(play, unit, declared)
    cross(play, Boundary(END_ATTACKS, play.game.sides[unit], unit), "attacks-resolved", "RESOLVE-2")
    finished(play, unit, tuple(plan))
    if listened(play, SHOT):
        facts = (("hurt", hurt_since(play, unit, since)), ("shot", has_shot(plan)))
        window(play, Moment(SHOT, unit, tuple(plan), order.oop, facts))  # SHOOTAGAIN-5
    return True


def splitting(plan: dict[int, Weapons]) -> list[int]:
    """The models whose weapons are fired at more than one target."""
    targets: dict[int, set[int]] = {}
    for target, weapons in plan.items():
        for slot, _ in weapons:
            targets.setdefault(slot, set()).add(target)
    return sorted(slot for slot, found in targets.items() if len(found) > 1)


@cites("SHOT-1")
def has_shot(plan: dict[int, Weapons]) -> Weapons:
    """SHOT-1: the weapons that have shot when all attacks are resolved; those that declared none are left out of account."""
    return tuple(chain.from_iterable(plan.values()))


# the firing deck


@cites("ABIL-5")
def man_the_deck(play: Play, unit: int) -> None:
    """ABIL-5, DP-24: up to X embarked models and one ranged weapon of each, which the TRANSPORT is equipped with meanwhile."""
    most, arms = deck_of(play, unit)
    lookups: UnitIndex = play.game.lookups
    if not arms:
        return
    by_id = {(play.game.models[slot].id, index): (slot, index) for slot, index in arms}
    rows = tuple((name, index, lookups.fighters[by_id[name, index][0]].weapons[index].name) for name, index in by_id)
    pistols = [pair for pair, (slot, index) in by_id.items() if lookups.fighters[slot].weapons[index].has("Pistol")]
    first = {
        name: (name, index) for name, index in (*pistols[::-1], *(pair for pair in reversed(by_id) if pair not in pistols))
    }
    default = tuple(pair for pair in by_id if first[pair[0]] == pair)[:most]
    facts = (("target", unit), ("weapons", rows), ("most", 1), ("deck", most))
    request = Request(play.game.sides[unit], "assign-weapons", "ABIL-5", None, default, unit, "DP-24", arms, facts)

    def judged(given: object) -> Weapons:
        if not isinstance(given, tuple) or any(pair not in by_id for pair in given):
            raise IllegalCommand("not-offered", "ABIL-5", "these are not weapons of embarked models")
        chosen = tuple(by_id[pair] for pair in dict.fromkeys(given))
        if len(chosen) > most or len({slot for slot, _ in chosen}) < len(chosen):
            raise IllegalCommand("too-many", "ABIL-5", f"up to {most} models fire from the deck, one weapon each", most)
        return chosen

    marks = [lasting(play.game, unit, f"{DECK}{slot}:{index}", END_ATTACKS) for slot, index in play.ask(request, judged)]
    if marks:
        play.emit("firing-deck", ("ABIL-5",), *marks, unit=unit)


# shooting again


@cites("SHOOTAGAIN-1")
def may_again(play: Play, unit: int, weapons: Weapons) -> bool:
    """SHOOTAGAIN-1: a unit shoots again only if it is eligible to shoot now, whether it was selected before or not."""
    return eligible(play, unit) and bool(weapons) and bool(targets_of(play, FireOrder(unit, weapons=weapons)))


@cites("SHOOTAGAIN-2")
def unit_again(moment: Moment) -> Weapons:
    """SHOOTAGAIN-2: each model of a unit that shoots again and has shot may fire the weapons it has shot once more."""
    slots = dict.fromkeys(slot for slot, _ in shot_in(moment))
    return tuple(pair for slot in slots for pair in model_again(moment, slot))


@cites("SHOOTAGAIN-3")
def model_again(moment: Moment, slot: int) -> Weapons:
    """SHOOTAGAIN-3: a model that shoots again may fire each weapon it has shot once more."""
    return tuple(pair for pair in shot_in(moment) if pair[0] == slot)


@cites("SHOOTAGAIN-4")
def weapon_again(moment: Moment) -> Weapons:
    """SHOOTAGAIN-4: the weapons of which one may be shot once more although it has shot already."""
    return shot_in(moment)


def shot_in(moment: Moment) -> Weapons:
    """SHOT-1: the weapons a moment says have shot."""
    found = dict(moment.facts)["shot"]
    assert isinstance(found, tuple)
    return tuple((int(str(pair[0])), int(str(pair[1]))) for pair in found if isinstance(pair, tuple))


def hurt_since(play: Play, unit: int, since: int) -> tuple[int, ...]:
    """The units that lost a wound to a unit's ranged attacks since some event, not to an end that those brought about."""
    losses = [event for event in play.events[since:] if event.kind == CASUALTIES and event.fact("cause") == SHOOTING]
    hurt = [event for event in losses if event.fact("by") == unit and any(isinstance(one, _HARM) for one in event.patches)]
    found = dict.fromkeys([int(str(event.fact("unit"))) for event in hurt])
    return tuple(chain.from_iterable([left_of(play, target) for target in found]))


_HARM = Wounded, Removed


def finished(play: Play, unit: int, targets: tuple[int, ...]) -> None:
    """Effects that last until an enemy unit has resolved its attacks end on its targets."""
    for target in targets:
        cross(play, Boundary(END_ATTACKS, play.game.sides[target], target), "attacks-resolved", "RESOLVE-2")


def choose_targets(play: Play, order: FireOrder, point: str = AIMED) -> dict[int, Weapons]:
    """SHOOT-2, SHOOT-3: target by target, the weapons fired at it, until the player stops or none is left.

    DP-25: by default the nearest that a weapon may be fired at which was not offered another; DP-28: none once it is spoiled.
    """
    owner = play.game.sides[order.unit]
    spent: frozenset[tuple[int, int]] = frozenset()
    plan: dict[int, Weapons] = {}

    def why(given: object) -> IllegalCommand | None:
        enemy = play.game.numbers.get(str(given), -1)
        return why_no_target(play, order, enemy) if enemy >= 0 else None

    state, aims = play.state, targets_of(play, order)
    while True:
        if state is not play.state:
            state, aims = play.state, targets_of(play, order)
        found = _left(play, aims, plan, spent) if plan else aims
        if not found:
            return plan
        names = tuple([play.game.names[k] for k in _from_nearest(play, order.unit, found)])
        new = {} if point == SPOILED else left_out(aims, plan, found) if plan else found
        default = next((name for name in names if play.game.numbers[name] in new), PASS)
        options = names if order.only >= 0 and default != PASS else (*names, PASS)
        clause = "ELIG-1" if point == SPOILED else "SHOOT-2"
        answer = play.choose(owner, "choose-target", clause, options, default, order.unit, point, found, why)
        if answer == PASS:
            return plan
        target = play.game.numbers[str(answer)]
        weapons = ask_weapons(play, order, target, found[target], new.get(target, found[target]), others=len(found) > 1)
        plan[target] = weapons
        if len(found) == 1 and state is play.state:
            return plan
        spent |= set(weapons) | set(_profiles_of(play, weapons))


def _from_nearest(play: Play, unit: int, enemies: Collection[int]) -> Collection[int]:
    """Some enemies of a unit, the nearest first."""
    if len(enemies) == 1:
        return enemies
    gaps = play.gaps_from(unit)
    return [k for _, k in sorted([(gaps[k], k) for k in enemies])]


@cites("SHOOT-2")
def left_out(aims: dict[int, Weapons], plan: dict[int, Weapons], found: dict[int, Weapons]) -> dict[int, Weapons]:
    """SHOOT-2: of the weapons that may be fired at further targets those that could not be at the ones named before."""
    offered = {pair for target in plan for pair in aims.get(target, ())}
    fresh = {target: tuple([pair for pair in weapons if pair not in offered]) for target, weapons in found.items()}
    return {target: weapons for target, weapons in fresh.items() if weapons}


def _left(
    play: Play, aims: dict[int, Weapons], plan: dict[int, Weapons], spent: frozenset[tuple[int, int]]
) -> dict[int, Weapons]:
    """The targets that have no weapons yet, each with those that may still be fired at it."""
    left = {k: unspent(pairs, spent) for k, pairs in aims.items() if k not in plan}
    fighters = index_of(play.game).fighters
    sorts = {slot: fighters[slot].weapons[index].has("Pistol") for slot, index in spent}
    return {k: able for k, pairs in left.items() if (able := compatible(play, pairs, sorts))}


def _profiles_of(play: Play, weapons: Weapons) -> list[tuple[int, int]]:
    """UNIT-3: every profile of the weapons that were named: they are used once."""
    lookups: UnitIndex = play.game.lookups
    found = []
    for slot, index in weapons:
        wholes = lookups.fighters[slot].wholes
        found += [(slot, k) for k, whole in enumerate(wholes) if whole == wholes[index]]
    return found


def compatible(play: Play, weapons: Weapons, sorts: Mapping[int, bool]) -> Weapons:
    """WPN-5: who fires a Pistol fires no other weapon, and the reverse, unless it is a MONSTER or VEHICLE.

    ``sorts`` says of each model that fires already whether that is a Pistol.
    """
    fighters = index_of(play.game).fighters
    if sorts.keys().isdisjoint([slot for slot, _ in weapons]):
        return weapons
    kept = []
    for slot, index in weapons:
        fighter = fighters[slot]
        if not BIG.isdisjoint(fighter.keywords) or slot not in sorts or sorts[slot] == fighter.weapons[index].has("Pistol"):
            kept.append((slot, index))
    return tuple(kept)


ASKED = "SHOOT-3", "DP-24"
"""The clause and the decision point of the weapons that are fired at a target."""


def ask_weapons(play: Play, order: FireOrder, target: int, weapons: Weapons, usual: Weapons, others: bool) -> Weapons:
    """DP-24, DP-25: which weapons fire at the target; by default all that are meant for it, of those that ``usual``ly would."""
    unit, form = order.unit, form_for(order, target, weapons)
    if len(weapons) == 1:
        return weapons if not play.oracle.strict else assigned(play, form, weapons, *ASKED, others, alone=True).weapons or ()

    def default(now: Play) -> Weapons:
        return meant_for(now, unit, target, usual)

    return assigned(play, form, default, *ASKED, others).weapons or ()


def meant_for(play: Play, unit: int, target: int, free: Weapons) -> Weapons:
    """DP-24: of the weapons a unit may still fire at a target those that it does by default."""
    able = able_at(play, unit, target)
    return checked_uses(case_at(play, form_for(FireOrder(unit), target, None)), able, free)


@cites("ELIG-1")
def respoiled(play: Play, order: FireOrder, plan: dict[int, Weapons]) -> dict[int, Weapons]:
    """ELIG-1: weapons whose target a reaction spoiled may be given another; without one their attacks are lost."""
    kept: dict[int, Weapons] = {}
    freed: list[tuple[int, int]] = []
    for target, weapons in plan.items():
        alive = play.state.units[target].living
        able = weapons_at(play, order, target) if alive else ()
        good = tuple(pair for pair in weapons if pair in able)
        if good:
            kept[target] = good
        freed += [pair for pair in weapons if pair not in good]
    if not freed:
        return kept
    again = choose_targets(play, replace(order, weapons=tuple(freed)), SPOILED)
    return {**kept, **{k: (*kept.get(k, ()), *pairs) for k, pairs in again.items()}}
