"""The moves of a melee (MELEE): the assault, pile-in, consolidating and standing apart again; between them the `fight`."""

from __future__ import annotations

import struct
from collections.abc import Iterable
from functools import partial

from msgspec.structs import replace

from rolloff.editions.onepage.book import book_of
from rolloff.editions.onepage.fight import Fight, about_to_assault, resolve
from rolloff.editions.onepage.leading import unit_range, within
from rolloff.editions.onepage.lookups import is_vehicle
from rolloff.editions.onepage.moving import ASSAULT, CONSOLIDATE, PILE_IN, STEP_BACK, allowance, immobile, in_its_state
from rolloff.editions.onepage.outlines import clear_of_outline, engage_outline, led_into_contact, outline_order
from rolloff.errors import IllegalCommand
from rolloff.geometry.measure import slots_of, touching
from rolloff.geometry.moves import STAY, March, Order, Stay, Verdict, Wish
from rolloff.geometry.paths import contact_of, engage, judge, laggard
from rolloff.rules.charges import choose_target
from rolloff.rules.citing import cites
from rolloff.rules.fire import enemies
from rolloff.rules.movement import close_up, kind_of, make, order_for, step_clear
from rolloff.rules.play import Play
from rolloff.rules.powers import power_window
from rolloff.table.state import TABLE


@cites("MELEE-2", "MELEE-1")
def assault_targets(play: Play, unit: int) -> dict[int, tuple[Order, March]]:
    """MELEE-2: enemies some model can reach by a legal way, each with a whole assault move that passes the judge."""
    allowed = allowance(play.game, play.state, unit, ASSAULT)
    kind = kind_of(play, in_its_state(play, unit, ASSAULT))
    found = {}
    gaps, furthest = play.gaps_from(unit), allowed + book_of(play.game).within
    leads = book_of(play.game).leads
    for enemy in enemies(play, unit):
        outlined = leads and stands_for(play, enemy)
        if (unit_range(play, unit, enemy) if outlined else gaps[enemy]) > furthest:
            continue
        order = order_for(play, unit, kind, allowed, (enemy,))
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
    return bool(book_of(play.game).leads and within(play, unit))


def assault(play: Play, unit: int, targets: dict[int, tuple[Order, March]]) -> None:
    """ACT-4: choose one target, move into contact and fight."""
    target = whom_to_assault(play, unit, targets)
    melee = about_to_assault(play, unit, target)
    kind = kind_of(play, in_its_state(play, unit, ASSAULT))
    if book_of(play.game).leads:
        kind = replace(kind, also=partial(led_into_contact, target=target))
    make(play, unit, kind, targets=(target,), plan=targets[target])  # MELEE-6, TERR-DANG-5
    if play.state.units[unit].living:
        power_window(play, unit)
    fight(play, melee)


def whom_to_assault(play: Play, unit: int, targets: Iterable[int]) -> int:
    """MELEE-1: one of the enemies a legal assault move reaches."""
    target = choose_target(play, unit, targets, "MELEE-1", "DP-26", partial(beyond_reach, play, unit))
    assert target is not None, "an assault has a target"
    return target


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
    kind = kind_of(play, PILE_IN)
    order = order_for(play, unit, kind, book_of(play.game).pile_in, (other,))
    way = close_up(play, order)
    if way is not None:
        make(play, unit, replace(kind, also=partial(must_close_up, way=way)), plan=(order, way))


def must_close_up(play: Play, order: Order, verdict: Verdict, way: Wish) -> None:
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


def part(play: Play, assaulter: int, defender: int) -> None:
    """MELEE-24 to MELEE-27: the assaulter consolidates if the defender is gone, else it steps back."""
    ours, theirs = play.state.units[assaulter], play.state.units[defender]
    if not ours.living and theirs.living and theirs.where == TABLE and book_of(play.game).either_consolidates:
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
    make(play, unit, kind_of(play, CONSOLIDATE))


@cites("MELEE-26", "MELEE-27", "TYPE-VEH-11")
def step_back(play: Play, unit: int, other: int) -> None:
    """MELEE-26: directly away, an inch at most, until clear of the defender, then of other enemies where the inch allows.

    What is blocked goes as far as it can, and a gap below an inch is tolerated (MOVE-5).
    """
    kind = kind_of(play, STEP_BACK)
    order = order_for(play, unit, kind, book_of(play.game).step_back, (other,))
    way: Wish | None = clear_of_outline(play, order, other) if stands_for(play, other) else STAY
    if isinstance(way, Stay):  # clear of the ground it occupies, if it does: its bases may stand outside
        way = step_clear(play, order)
    if way is not None:
        make(play, unit, kind, plan=(order, way))
