"""The moves of a melee (MELEE): the assault, pile-in, consolidating and standing apart again; between them the `fight`."""

from __future__ import annotations

import struct
from functools import partial

from msgspec.structs import replace

from rolloff.editions.onepage.danger import dangerous_ground
from rolloff.editions.onepage.fight import Fight, about_to_assault, resolve
from rolloff.editions.onepage.leading import unit_range, within
from rolloff.editions.onepage.lore import is_vehicle
from rolloff.editions.onepage.moving import (
    ASSAULT,
    ASSAULT_REFUSALS,
    CONSOLIDATE_REFUSALS,
    MOVE_REFUSALS,
    PILE_IN_REFUSALS,
    allowance,
    coherency_of,
    immobile,
    in_its_words,
    is_coherent,
    order_for,
    passage_of,
    refusals_for,
    settle,
    stuck,
)
from rolloff.editions.onepage.outlines import clear_of_outline, engage_outline, led_into_contact, outline_order
from rolloff.errors import IllegalCommand
from rolloff.geometry.measure import slots_of, touching
from rolloff.geometry.moves import ALWAYS, ANY, FREE, KEEP, NEVER, NO_FURTHER, TOUCH, March, Order, Stay, Verdict, Wish, gaps
from rolloff.geometry.paths import contact_of, engage, judge, laggard, pile_in, separate
from rolloff.rules.citing import cites
from rolloff.rules.fire import enemies
from rolloff.rules.moves import ask_move, judge_move, placed
from rolloff.rules.play import Play
from rolloff.rules.powers import power_window
from rolloff.table.state import TABLE


@cites("MELEE-2", "MELEE-1")
def assault_targets(play: Play, unit: int) -> dict[int, tuple[Order, March]]:
    """MELEE-2: enemies some model can reach by a legal way, each with a whole assault move that passes the judge."""
    allowed = allowance(play.game, play.state, unit, ASSAULT)
    cohere = KEEP if is_coherent(play, unit) else ALWAYS  # COH-5, COH-6
    found = {}
    gaps, furthest = play.gaps_from(unit), allowed + play.game.edition.book.within
    leads = play.game.edition.book.leads
    for enemy in enemies(play, unit):
        outlined = leads and stands_for(play, enemy)
        if (unit_range(play, unit, enemy) if outlined else gaps[enemy]) > furthest:
            continue
        order = order_for(play, unit, allowed, target=enemy, cohere=cohere, action=ASSAULT)
        if outlined:
            order = outline_order(order)
            way = engage_outline(play, order, enemy)
        else:
            way = engage(play.scene, order)
        if way is not None:
            found[enemy] = (order, way)
    return found


def stands_for(play: Play, unit: int) -> bool:
    """TERR-FOOT-1: whether the outline of a piece stands for a unit."""
    return bool(play.game.edition.book.leads and within(play, unit))


def assault(play: Play, unit: int, targets: dict[int, tuple[Order, March]]) -> None:
    """ACT-4: choose one target, move into contact and fight."""
    names = tuple(play.game.names[enemy] for enemy in targets)
    owner = play.game.side_of(unit)
    why = partial(beyond_reach, play, unit)
    answer = play.choose(owner, "choose-target", "MELEE-1", names, names[0], unit, "DP-26", why=why)
    target = play.game.numbers[str(answer)]
    order, way = targets[target]
    melee = about_to_assault(play, unit, target)
    refusals = refusals_for(play.game, order, ASSAULT_REFUSALS)
    leads = play.game.edition.book.leads
    clause, led = ("MELEE-5", partial(led_into_contact, play, order, target)) if leads else ("MELEE-3", None)
    verdict = ask_move(play, owner, order, way, clause, refusals, "DP-27", led, action=ASSAULT, target=target)
    settle(play, unit, verdict, ASSAULT, "ACT-4", clause)
    dangerous_ground(play, unit, verdict)  # MELEE-6, TERR-DANG-5
    if play.state.units[unit].living:
        power_window(play, unit)
    fight(play, melee)


def beyond_reach(play: Play, unit: int, name: object) -> IllegalCommand | None:
    """MELEE-2: an enemy on the table that is not offered has no model of the assaulter with a legal way to it."""
    target = play.game.numbers.get(name) if isinstance(name, str) else None
    if target is None or target not in enemies(play, unit):
        return None
    return IllegalCommand("out-of-reach", "MELEE-2", f"no legal assault move reaches {name}", name)


def fight(play: Play, melee: Fight) -> None:
    """MELEE-18: the assaulter's strikes with their casualties, then the survivors strike back, then the result."""
    assaulter, defender = melee.assaulter, melee.defender
    if not play.state.units[assaulter].living or not play.state.units[defender].living:
        return
    pile(play, defender, assaulter)
    play.run(resolve, melee)
    part(play, assaulter, defender)


@cites("MELEE-7")
def pile(play: Play, unit: int, other: int) -> None:
    """MELEE-7: models of the target not in contact move up to 3 inches into it, or as near as they can."""
    if is_vehicle(play.game, unit) or immobile(play.state, unit) or stands_for(play, unit):
        return
    clause = "MELEE-5" if play.game.edition.book.leads else "MELEE-7"
    order = melee_order(play, unit, play.game.edition.book.pile_in, other)
    way = pile_in(play.scene, order)
    if isinstance(way, Stay):
        return
    owner, whole = play.game.side_of(unit), partial(must_close_up, play, order, way)
    verdict = ask_move(
        play, owner, order, way, clause, in_its_words(play.game, PILE_IN_REFUSALS), "DP-28", whole, action="pile-in"
    )
    play.emit("piled-in", (clause,), placed(play, unit, verdict), unit=unit, longest=verdict.longest)


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


@cites("COH-7")
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
        coherency_of(game, play.state, unit),
        cohere=NEVER,  # COH-7
        targets=(other,),
        closing=NO_FURTHER,
        through_impassable=passage.through_impassable,
        difficult_cap=-1,
        dangerous=0,
        leeway=book.leeway,
        still=stuck(play.state, unit),
    )


def part(play: Play, assaulter: int, defender: int) -> None:
    """MELEE-24 to MELEE-27: the assaulter consolidates if the defender is gone, else it steps back."""
    ours, theirs = play.state.units[assaulter], play.state.units[defender]
    if not ours.living and theirs.living and theirs.where == TABLE and play.game.edition.book.either_consolidates:
        consolidate(play, defender)
    if not ours.living or ours.where != TABLE or immobile(play.state, assaulter):
        return
    if not theirs.living:
        consolidate(play, assaulter)
    else:
        step_back(play, assaulter, defender)


@cites("MELEE-24", "MELEE-25")
def consolidate(play: Play, unit: int) -> None:
    """MELEE-25: up to 3 inches by the rules of a walk; it may stay."""
    order = order_for(play, unit, play.game.edition.book.consolidate, cohere=KEEP)
    if order.hull:  # a vehicle goes forward or back only
        order = replace(order, hull=replace(order.hull, pivots=0, reverse=2, sideways=0))
    owner = play.game.side_of(unit)
    verdict = ask_move(
        play, owner, order, Stay(), "MELEE-25", in_its_words(play.game, CONSOLIDATE_REFUSALS), "DP-30", action="consolidate"
    )
    if verdict.longest or (order.arranged and verdict.ends != ends_now(play, unit)):
        settle(play, unit, verdict, "consolidate", "MELEE-24", "MELEE-25")
        dangerous_ground(play, unit, verdict)


def ends_now(play: Play, unit: int) -> bytes:
    """Where the models of a unit stand, as a verdict tells it."""
    return b"".join(play.state.xy[8 * slot : 8 * slot + 8] for slot in slots_of(play.scene, unit))


@cites("MELEE-26", "MELEE-27", "TYPE-VEH-11")
def step_back(play: Play, unit: int, other: int) -> None:
    """MELEE-26: directly away, an inch at most, until clear of the defender, then of other enemies where the inch allows.

    What is blocked goes as far as it can, and a gap below an inch is tolerated (MOVE-5).
    """
    order = _back_order(play, unit, other)
    way = clear_of_outline(play, order, other) if stands_for(play, other) else separate(play.scene, order)
    if isinstance(way, Stay):
        return
    verdict = judge_move(play, order, MOVE_REFUSALS, way)
    play.emit("stepped-back", ("MELEE-26",), placed(play, unit, verdict), unit=unit, longest=verdict.longest)


def _back_order(play: Play, unit: int, other: int) -> Order:
    return replace(melee_order(play, unit, play.game.edition.book.step_back, other), closing=ANY, tolerant=True)
