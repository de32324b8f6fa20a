"""Melee (MELEE): the assault move, pile-in, fear, strikes and strikes back, who won, and standing apart again."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable
from functools import partial

from msgspec.structs import replace

from rolloff.editions.onepage.attack import MELEE, Group, alone, attack_event, pooled, strike_of
from rolloff.editions.onepage.book import UNWIELDY
from rolloff.editions.onepage.danger import dangerous_ground
from rolloff.editions.onepage.leading import led_uphill
from rolloff.editions.onepage.lore import Lore, has, is_vehicle, quality
from rolloff.editions.onepage.morale import lost_melee, morale_roll, pinned
from rolloff.editions.onepage.moving import (
    ASSAULT,
    ASSAULT_REFUSALS,
    CONSOLIDATE_REFUSALS,
    MOVE_REFUSALS,
    PILE_IN_REFUSALS,
    allowance,
    coherency_of,
    flying,
    immobile,
    is_coherent,
    order_for,
    passage_of,
    refusals_for,
    settle,
    stuck,
)
from rolloff.editions.onepage.psychic import power_window
from rolloff.editions.onepage.shooting import USED, above, enemies, expected_wounds, spent, weapon_rules
from rolloff.editions.onepage.sniping import named
from rolloff.editions.onepage.strike import AUTOMATIC
from rolloff.editions.onepage.vehicles import attack_facing, shaken
from rolloff.errors import IllegalCommand
from rolloff.geometry.measure import slots_of, touching
from rolloff.geometry.moves import ALWAYS, ANY, FREE, KEEP, NEVER, NO_FURTHER, TOUCH, March, Order, Stay, Verdict, Wish, gaps
from rolloff.geometry.paths import contact_of, engage, judge, laggard, pile_in, separate
from rolloff.rules.citing import cites
from rolloff.rules.moves import ask_move, judge_move, placed
from rolloff.rules.play import Play
from rolloff.table.event import ModelMarked, Patch
from rolloff.table.profile import Rule, Weapon, read_throw
from rolloff.table.state import TABLE


@cites("MELEE-2", "MELEE-1")
def assault_targets(play: Play, unit: int) -> dict[int, tuple[Order, March]]:
    """MELEE-2: enemies some model can reach by a legal way, each with a whole assault move that passes the judge."""
    allowed = allowance(play.game, play.state, unit, ASSAULT)
    cohere = KEEP if is_coherent(play, unit) else ALWAYS  # COH-5, COH-6
    found = {}
    gaps, furthest = play.gaps_from(unit), allowed + play.game.edition.book.within
    for enemy in enemies(play, unit):
        if gaps[enemy] > furthest:
            continue
        order = order_for(play, unit, allowed, target=enemy, cohere=cohere)
        way = engage(play.scene, order)
        if way is not None:
            found[enemy] = (order, way)
    return found


def assault(play: Play, unit: int, targets: dict[int, tuple[Order, March]]) -> None:
    """ACT-4: choose one target, move into contact and fight."""
    names = tuple(play.game.names[enemy] for enemy in targets)
    owner = play.game.side_of(unit)
    why = partial(beyond_reach, play, unit)
    answer = play.choose(owner, "choose-target", "MELEE-1", names, names[0], unit, "DP-26", why=why)
    target = play.game.numbers[str(answer)]
    order, way = targets[target]
    uphill = goes_uphill(play, unit, target)
    refusals = refusals_for(order, ASSAULT_REFUSALS)
    verdict = ask_move(play, owner, order, way, "MELEE-3", refusals, "DP-27", action=ASSAULT, target=target)
    settle(play, unit, verdict, ASSAULT, "ACT-4", "MELEE-3")
    dangerous_ground(play, unit, verdict)  # MELEE-6, TERR-DANG-5
    if play.state.units[unit].living:
        power_window(play, unit)
    fight(play, unit, target, uphill)


def beyond_reach(play: Play, unit: int, name: object) -> IllegalCommand | None:
    """MELEE-2: an enemy on the table that is not offered has no model of the assaulter with a legal way to it."""
    target = play.game.numbers.get(name) if isinstance(name, str) else None
    if target is None or target not in enemies(play, unit):
        return None
    return IllegalCommand("out-of-reach", "MELEE-2", f"no legal assault move reaches {name}", name)


@cites("ELEV-3", off=lambda play, unit, target: False)
def goes_uphill(play: Play, unit: int, target: int) -> bool:
    """ELEV-3: assaulting a higher enemy hampers; levels before the move count, of passengers that of their transport."""
    higher = led_uphill if play.game.edition.book.leads else _higher_foe
    where = play.state.units[unit].where
    return higher(play, unit if where < 0 else where, target) and minds_slopes(play, unit)


def _higher_foe(play: Play, unit: int, target: int) -> bool:
    return above(play, target, unit)


@cites("ELEV-5", off=lambda play, unit: True)
def minds_slopes(play: Play, unit: int) -> bool:
    """ELEV-5: a unit that flies ignores what elevation would put on it."""
    return not flying(play.game, play.state, unit)


@cites("MELEE-14", "MELEE-15", off=lambda assaulter, defender: ((assaulter, defender),))
def in_turn(assaulter: int, defender: int) -> tuple[tuple[int, int], ...]:
    """MELEE-14, MELEE-15: the assaulter strikes; then the defender strikes back, in whatever state it is."""
    return (assaulter, defender), (defender, assaulter)


def fight(play: Play, assaulter: int, defender: int, uphill: bool) -> None:
    """MELEE-18: the assaulter's strikes with their casualties, then the survivors strike back, then the result."""
    if not play.state.units[assaulter].living or not play.state.units[defender].living:
        return
    pile(play, defender, assaulter)
    afraid = {unit: fears(play, unit, other) for unit, other in ((assaulter, defender), (defender, assaulter))}
    hampered = {assaulter: hampering(play, assaulter, afraid, uphill), defender: hampering(play, defender, afraid, False)}
    caused = {assaulter: 0, defender: 0}
    for striker, struck in in_turn(assaulter, defender):  # MELEE-18
        if play.state.units[striker].living and play.state.units[struck].living:
            caused[striker] = strikes(play, striker, struck, striker == assaulter, hampered[striker])
    result(play, assaulter, defender, caused)
    part(play, assaulter, defender)


@cites("MELEE-7", off=lambda play, unit, other: None)
def pile(play: Play, unit: int, other: int) -> None:
    """MELEE-7: models of the target not in contact move up to 3 inches into it, or as near as they can."""
    if is_vehicle(play.game, unit) or immobile(play.state, unit):
        return
    order = melee_order(play, unit, play.game.edition.book.pile_in, other)
    way = pile_in(play.scene, order)
    if isinstance(way, Stay):
        return
    owner, whole = play.game.side_of(unit), partial(must_close_up, play, order, way)
    verdict = ask_move(play, owner, order, way, "MELEE-7", PILE_IN_REFUSALS, "DP-28", whole, action="pile-in")
    play.emit("piled-in", ("MELEE-7",), placed(play, unit, verdict), unit=unit, longest=verdict.longest)


def must_close_up(play: Play, order: Order, way: Wish, verdict: Verdict) -> None:
    """MELEE-7: piling in is compulsory where ``way`` shows that somebody can, and whoever is in contact stands."""
    slots, ends = slots_of(play.scene, order.unit), struct.iter_unpack("<2i", verdict.ends)
    gone = [slot for slot, end in zip(slots, ends, strict=True) if end != play.state.at(slot)]
    if not gone:
        raise IllegalCommand("must-pile-in", "MELEE-7", "whoever is not in contact piles in", None)
    standing = touching(play.scene, order.unit, order.targets[0], int(contact_of(order)))
    for slot in gone:
        if slot in standing:
            name = play.game.models[slot].id
            raise IllegalCommand("in-contact", "MELEE-7", f"{name} is in contact already and stands", name)
    if needlessly_apart(play, order, way, verdict):
        raise IllegalCommand("incoherent", "COH-7", "the unit can pile in and keep coherent", None)
    if verdict.ends != judge(play.scene, order, way).ends and (late := laggard(play.scene, order, verdict)):
        name = play.game.models[late[0]].id
        raise IllegalCommand("must-pile-in", "MELEE-7", f"{name} can come closer to the enemy", name)


@cites("COH-7", off=lambda play, order, way, verdict: False)
def needlessly_apart(play: Play, order: Order, way: Wish, verdict: Verdict) -> bool:
    """COH-7: coherency is kept where that is possible, as it is by ``way``; else a broken unit is tolerated."""
    return not verdict.coherent and judge(play.scene, order, way).coherent


def melee_order(play: Play, unit: int, allowed: int, other: int) -> Order:
    """A short move inside a melee: toward the other unit only, terrain tests aside."""
    game, book = play.game, play.game.edition.book
    count = len(game.sides)
    end = gaps(count, book.unit_gap, {other: TOUCH})
    passage = passage_of(game, play.state, unit)
    return Order(
        unit,
        allowed,
        gaps(count, FREE, {}) if passage.through_units else end,
        end,
        coherency_of(game),
        cohere=NEVER,  # COH-7
        targets=(other,),
        closing=NO_FURTHER,
        through_impassable=passage.through_impassable,
        difficult_cap=-1,
        dangerous=0,
        leeway=book.leeway,
        still=stuck(play.state, unit),
    )


@cites("RULE-FEAR-1", "RULE-FEAR-2", "MELEE-8", off=lambda play, unit, other: False)
def fears(play: Play, unit: int, other: int) -> bool:
    """RULE-FEAR-1: a unit without Fear that fights one with it tests; failed, it is hampered for this melee."""
    game, state = play.game, play.state
    if not has(game, state, other, "Fear") or has(game, state, unit, "Fear"):
        return False
    passed = morale_roll(play, unit)
    play.emit("fear-tested", ("MELEE-8", "RULE-FEAR-1", "MORALE-13"), unit=unit, passed=passed)
    return not passed


@cites("PIN-2", "RULE-UNWIELDY-1")
def hampering(play: Play, unit: int, afraid: dict[int, bool], uphill: bool) -> tuple[str, ...]:
    """PIN-2, RULE-FEAR-1, ELEV-3: what makes all melee attacks of a unit Unwieldy, as clauses; nothing where it is late."""
    if play.game.edition.book.hampers != UNWIELDY:
        return ()
    reasons: list[str] = []
    if pinned(play.state, unit):
        reasons.append("PIN-2")  # PIN-6
    if afraid[unit]:
        reasons.append("RULE-FEAR-1")
    if uphill:
        reasons.append("ELEV-3")
    return ("RULE-UNWIELDY-1", *reasons) if reasons else ()


@cites("MELEE-9", "MELEE-28", off=lambda play, unit, other: ())
def strikers(play: Play, unit: int, other: int) -> tuple[int, ...]:
    """MELEE-9: models in contact with the enemy unit or within 2 inches of one of its models."""
    book = play.game.edition.book
    if book.everyone_strikes:
        return play.state.units[unit].living
    return touching(play.scene, unit, other, book.melee_reach + book.within)


def strikes(play: Play, unit: int, other: int, assaulting: bool, hampered: tuple[str, ...]) -> int:
    """One side's strikes: automatic hits first (MELEE-19), then every melee weapon of everyone in reach."""
    who = strikers(play, unit, other)
    groups, used = melee_groups(play, unit, other, who, assaulting, hampered)
    groups = named(play, unit, other, groups)
    if not groups:
        return 0
    clause = "MELEE-9" if assaulting else "MELEE-14"
    play.emit(
        "struck", (clause, "MELEE-10", *_why(play, unit, who, assaulting, used)), *used, unit=unit, target=other, models=who
    )
    facing = attack_facing(play, other, attackers(play, unit, who, assaulting))
    return attack_event(play, unit, other, groups, MELEE, "MELEE-13", facing=facing).caused


def attackers(play: Play, unit: int, who: tuple[int, ...], assaulting: bool) -> tuple[int, ...]:
    """Whoever strikes or runs the enemy down."""
    return tuple(dict.fromkeys((*who, *running_down(play, unit, assaulting))))


def _why(play: Play, unit: int, who: Iterable[int], assaulting: bool, used: list[Patch]) -> tuple[str, ...]:
    """The rules that brought attacks of their own to these strikes."""
    lore: Lore = play.game.lore
    names = {name for slot in who for name in lore.fighters[slot].rules}
    limited = ("RULE-LIMITED-1",) if used else ()
    impact = lore.specials["Impact"].clauses if running_down(play, unit, assaulting) else ()
    furious = ("RULE-FURIOUS-1",) if any(lore.specials[name].extra_attacks(assaulting) for name in names) else ()
    return (*limited, *impact, *furious)


@cites("RULE-IMPACT-1", "TYPE-VEH-2", off=lambda play, unit, assaulting: ())
def running_down(play: Play, unit: int, assaulting: bool) -> tuple[int, ...]:
    """RULE-IMPACT-1: each living model with Impact deals automatic hits when its unit assaults, in reach to strike or not."""
    lore: Lore = play.game.lore
    return tuple(lore.having("Impact", play.state.units[unit].living)) if assaulting else ()


@cites("MELEE-10", "RES-3", "MELEE-19")
def melee_groups(
    play: Play,
    unit: int,
    other: int,
    who: Iterable[int],
    assaulting: bool,
    hampered: tuple[str, ...],
    only: tuple[tuple[int, int], ...] | None = None,
    when: Callable[[int, int], int] | None = None,
) -> tuple[list[Group], list[Patch]]:
    """RES-3: Impact first, then like weapons pooled in the order of the unit's equipment.

    ``when`` says in which step of the melee a weapon of a model strikes; its number -1 stands for Impact.
    """
    lore: Lore = play.game.lore
    skill = quality(play.game, unit)
    impact = Group((), weapons=0, enters=AUTOMATIC, name="Impact", quality=skill)
    impacts: dict[tuple[object, ...], Group] = {}
    rows: dict[tuple[object, ...], Group] = {}
    used: list[Patch] = []
    for slot in running_down(play, unit, assaulting):
        step = when(slot, -1) if when else 0
        pooled(impacts, (step,), replace(impact, step=step), read_throw(lore.fighters[slot].rules["Impact"].rating))
    for slot in who:
        weapons = [pair for pair in usable(play, unit, slot, used) if only is None or (slot, pair[0]) in only]
        extra, rattled = extra_attacks(play, slot, assaulting), shaken(play.state, slot)
        bonus = _bonus_weapon(play, unit, other, slot, weapons, assaulting, hampered) if extra else -1
        for index, weapon in weapons:
            rules = strike_rules(play, unit, slot, weapon, assaulting)
            step = when(slot, index) if when else 0
            key = (rules, (slot, index) if alone(weapon) else (), step, rattled)
            start = Group(rules, weapons=0, hampered=hampered, shaken=rattled, name=weapon.name, quality=skill, step=step)
            pooled(rows, key, start, weapon.attacks, extra if index == bonus else 0)
    return [*impacts.values(), *rows.values()], used


@cites("MELEE-12", "GEN-4", off=lambda play, slot, assaulting: 0)
def extra_attacks(play: Play, slot: int, assaulting: bool) -> int:
    """MELEE-12, RULE-FURIOUS-1: the dice a striking model adds to one of its weapons; they add up."""
    lore: Lore = play.game.lore
    charge: int = play.game.edition.book.assault_attacks if assaulting else 0
    return charge + sum(lore.specials[name].extra_attacks(assaulting) for name in lore.fighters[slot].rules)


def strike_rules(play: Play, unit: int, slot: int, weapon: Weapon, assaulting: bool) -> tuple[Rule, ...]:
    """WPN-9: the rules of a weapon's strikes, and those its bearer lends them."""
    rules, own = weapon_rules(play, unit, weapon), play.game.lore.fighters[slot].lent
    if not own:
        return rules
    return tuple(sorted({*rules, *(rule for rule in own if play.game.lore.specials[rule.name].lends(assaulting))}))


def usable(play: Play, unit: int, slot: int, used: list[Patch]) -> list[tuple[int, Weapon]]:
    """MELEE-10, RULE-LIMITED-1: all melee weapons of a model; a Limited one only if its owner wants it used now."""
    lore: Lore = play.game.lore
    fighter = lore.fighters[slot]
    found = []
    for index in fighter.melee:
        weapon = fighter.weapons[index]
        if spent(play.state, slot, weapon, index):
            continue
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
def _bonus_weapon(
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
        one = read_throw(1)
        return expected_wounds(play, strike_of(play.game, play.state, group, other, MELEE), one)

    if len({weapon.rules for _, weapon in weapons}) == 1:
        return weapons[0][0]
    best = max(weapons, key=lambda pair: worth(pair[1]))[0]
    options = tuple(index for index, _ in weapons)
    labels = tuple(weapon.name for _, weapon in weapons)
    owner = play.game.side_of(unit)
    return int(play.choose(owner, "number", "RULE-FURIOUS-1", options, best, unit, "DP-29", purpose="bonus", labels=labels))


@cites("MELEE-20", "MELEE-21", "MELEE-22", "MELEE-23")
def result(play: Play, assaulter: int, defender: int, caused: dict[int, int]) -> None:
    """MELEE-20: more wounds caused wins; the loser, if it lives, tests. Equal is a tie (MELEE-21)."""
    ours, theirs = caused[assaulter], caused[defender]
    if ours == theirs:
        play.emit("melee-tied", ("MELEE-21",), unit=assaulter, target=defender, wounds=ours)
        return
    winner, loser = (assaulter, defender) if ours > theirs else (defender, assaulter)
    play.emit(
        "melee-won", ("MELEE-20", "MELEE-22"), unit=winner, target=loser, wounds=max(ours, theirs), against=min(ours, theirs)
    )
    if play.state.units[loser].living:
        lost_melee(play, loser)


def part(play: Play, assaulter: int, defender: int) -> None:
    """MELEE-24 to MELEE-27: the assaulter consolidates if the defender is gone, else it steps back."""
    ours, theirs = play.state.units[assaulter], play.state.units[defender]
    if not ours.living or ours.where != TABLE or immobile(play.state, assaulter):
        return
    if not theirs.living:
        consolidate(play, assaulter)
    else:
        step_back(play, assaulter, defender)


@cites("MELEE-24", "MELEE-25", off=lambda play, unit: None)
def consolidate(play: Play, unit: int) -> None:
    """MELEE-25: up to 3 inches by the rules of a walk; it may stay."""
    order = order_for(play, unit, play.game.edition.book.consolidate, cohere=KEEP)
    if order.hull:  # a vehicle goes forward or back only
        order = replace(order, hull=replace(order.hull, pivots=0))
    owner = play.game.side_of(unit)
    verdict = ask_move(play, owner, order, Stay(), "MELEE-25", CONSOLIDATE_REFUSALS, "DP-30", action="consolidate")
    if verdict.longest:
        settle(play, unit, verdict, "consolidate", "MELEE-24", "MELEE-25")
        dangerous_ground(play, unit, verdict)


@cites("MELEE-26", "MELEE-27", "TYPE-VEH-11", off=lambda play, unit, other: None)
def step_back(play: Play, unit: int, other: int) -> None:
    """MELEE-26: directly away, an inch at most, until clear of the defender, then of other enemies where the inch allows.

    What is blocked goes as far as it can, and a gap below an inch is tolerated (MOVE-5).
    """
    order = _back_order(play, unit, other)
    way = separate(play.scene, order)
    if isinstance(way, Stay):
        return
    verdict = judge_move(play, order, MOVE_REFUSALS, way)
    play.emit("stepped-back", ("MELEE-26",), placed(play, unit, verdict), unit=unit, longest=verdict.longest)


def _back_order(play: Play, unit: int, other: int) -> Order:
    return replace(melee_order(play, unit, play.game.edition.book.step_back, other), closing=ANY, tolerant=True)
