"""One activation (TURN-4, ACT): choose a unit and an action, then move, powers, shooting or melee, and what ends with it."""

from __future__ import annotations

import struct
from functools import partial

from msgspec.structs import replace

from rolloff.editions.onepage.danger import dangerous_ground
from rolloff.editions.onepage.fight import about_to_assault
from rolloff.editions.onepage.lore import is_vehicle
from rolloff.editions.onepage.melee import assault, assault_targets, beyond_reach, fight
from rolloff.editions.onepage.morale import PINNED, pinned
from rolloff.editions.onepage.moving import (
    ASSAULT,
    ASSAULT_REFUSALS,
    HOLD,
    IDLE,
    MOVE_REFUSALS,
    RUN,
    STAY,
    WALK,
    allowance,
    drawing_in,
    immobile,
    in_its_words,
    is_coherent,
    make_move,
    mending,
    order_for,
    settle,
    unit_rules,
)
from rolloff.editions.onepage.outlines import led_aboard
from rolloff.editions.onepage.rounds import expire, note_finished
from rolloff.editions.onepage.shooting import shoot
from rolloff.editions.onepage.transport import board, may_storm_out, transports_for
from rolloff.editions.onepage.vehicles import end_shaken
from rolloff.geometry.measure import nearest
from rolloff.geometry.moves import ALWAYS, KEEP, NO_FURTHER, Hull, March, Order, Wish
from rolloff.geometry.paths import disembark, engage
from rolloff.rules.citing import cites
from rolloff.rules.effects import Boundary
from rolloff.rules.fire import enemies
from rolloff.rules.game import Game
from rolloff.rules.hooks import noted
from rolloff.rules.moves import ask_move, heights
from rolloff.rules.play import Play
from rolloff.rules.powers import power_window
from rolloff.table.event import Done, Marked, Patch, Placed, Went
from rolloff.table.state import TABLE

NOT_ABOARD = "none"
STAY_ABOARD = "stay"
Targets = dict[int, tuple[Order, March]]


def activate(play: Play, unit: int) -> None:
    """TURN-4: the active player activates one own unit that has not acted this round and takes one action with it."""
    side = play.state.clock.active
    play.acting = unit
    act(play, unit)
    finish(play, unit)
    note_finished(play, side)


def act(play: Play, unit: int) -> None:
    """ACT-5: exactly one action."""
    if pinned(play.state, unit):  # PIN-3, PIN-8
        announce(play, unit, IDLE, "ACT-6", "PIN-3")
    elif play.state.units[unit].where != TABLE:
        act_aboard(play, unit)
    else:
        act_on_table(play, unit)


def announce(play: Play, unit: int, action: str, *clauses: str) -> None:
    """TURN-8: the unit acts, once this round."""
    memory: list[Patch] = []
    if play.game.lore.remembering:
        rules = (play.game.edition.specials[name] for name in unit_rules(play.game, play.state, unit))
        memory = noted(play.state, unit, action, rules)
    play.emit("activated", ("TURN-4", "ACT-5", *clauses), Done(unit, True), *memory, unit=unit, action=action)


@cites("ACT-7", "ACT-6", "VDMG-7")
def actions_of(play: Play, unit: int, together: bool, targets: Targets) -> tuple[str, ...]:
    """ACT-7: Hold unless coherency forbids it, Walk and Run unless Immobile, Assault with a valid target."""
    if immobile(play.state, unit):
        return (HOLD,)
    options = [HOLD] if together else []
    allowed = allowance(play.game, play.state, unit, WALK)
    if together or mending(play, unit, allowed):
        options.append(WALK)
    options.append(RUN)
    if targets:
        options.append(ASSAULT)
    return tuple(options)


def act_on_table(play: Play, unit: int) -> None:
    """ACT-1 to ACT-4, in the order of ACT-9."""
    still = immobile(play.state, unit)
    together = still or is_coherent(play, unit)
    targets = {} if still else assault_targets(play, unit)
    options = actions_of(play, unit, together, targets)
    default = HOLD if HOLD in options else options[-1]
    owner = play.game.side_of(unit)
    action = str(play.choose(owner, "choose-action", "ACT-7", options, default, unit, "DP-14", targets))
    announce(play, unit, action, {HOLD: "ACT-1", WALK: "ACT-2", RUN: "ACT-3", ASSAULT: "ACT-4"}[action])
    before = play.state.xy, play.state.units[unit].marks
    power_window(play, unit)  # ACT-9
    if not play.state.units[unit].living:
        return
    if action == HOLD:
        hold(play, unit)
    elif action == ASSAULT:
        if (play.state.xy, play.state.units[unit].marks) != before:  # a power moved, removed or hastened somebody
            targets = assault_targets(play, unit)
        if targets:  # ACT-8: an assault whose last target a power has felled is spent
            charge(play, unit, targets)
    else:
        go(play, unit, action)


def hold(play: Play, unit: int) -> None:
    """ACT-1: no move; a vehicle may turn (TYPE-VEH-4); then shooting."""
    if is_vehicle(play.game, unit) and not immobile(play.state, unit):
        pivot(play, unit)
    shoot(play, unit, walked=False)
    if has_facings(play.game, unit) and play.state.units[unit].living and not immobile(play.state, unit):
        turn(play, unit, "ACT-10")


@cites("ACT-10")
def has_facings(game: Game, unit: int) -> bool:
    """ACT-10: whether the facing of a unit that is no vehicle matters, so that it may turn as it likes after it held."""
    return not is_vehicle(game, unit) and game.cards[unit].type in game.edition.book.damage_types


@cites("TYPE-VEH-4")
def pivot(play: Play, unit: int) -> None:
    """TYPE-VEH-4: a vehicle that holds may turn by up to 180 degrees before it shoots."""
    turn(play, unit, "TYPE-VEH-4")


def turn(play: Play, unit: int, clause: str) -> None:
    """Ask which way the models of a unit that stays face, and turn them."""
    order, slots = order_for(play, unit, 0), tuple(sorted(play.state.units[unit].living))
    order = _with_hull(order, Hull(reverse=0, sideways=0, pivots=1, pivot=1800))
    owner = play.game.side_of(unit)
    verdict = ask_move(play, owner, order, STAY, clause, in_its_words(play.game, MOVE_REFUSALS), "DP-33", action="pivot")
    if any(verdict.facings[2 * k : 2 * k + 2] != play.state.facing[2 * slot : 2 * slot + 2] for k, slot in enumerate(slots)):
        settle(play, unit, verdict, "pivot", clause)


def _with_hull(order: Order, hull: Hull) -> Order:
    return replace(order, hull=hull)


def charge(play: Play, unit: int, targets: Targets) -> None:
    """ACT-4: the assault, with a second window for powers between the move and the first strike (RULE-PSYKER-3)."""
    assault(play, unit, targets)


def go(play: Play, unit: int, action: str) -> None:
    """ACT-2, ACT-3: move, board, or go on to powers and (after a walk) shooting."""
    allowed = allowance(play.game, play.state, unit, action)
    transport = choose_transport(play, unit, allowed)
    if transport is not None:
        order, way, number = transport
        led = partial(led_aboard, play, order, number) if play.game.edition.book.leads else None
        verdict = make_move(play, unit, order, way, action, led)
        dangerous_ground(play, unit, verdict)
        if play.state.units[unit].living:
            board(play, unit, number)
        return
    order, way = ordinary_order(play, unit, allowed, action)
    verdict = make_move(play, unit, order, way, action)
    dangerous_ground(play, unit, verdict)
    after_move(play, unit, action)


def ordinary_order(play: Play, unit: int, allowed: int, action: str) -> tuple[Order, Wish]:
    """The order of a walk or run; a unit out of coherency must mend it (COH-6)."""
    if is_coherent(play, unit):
        return order_for(play, unit, allowed, cohere=KEEP, action=action), STAY
    return mending(play, unit, allowed) or drawing_in(play, unit, allowed)


def after_move(play: Play, unit: int, action: str) -> None:
    """ACT-9: powers again, then shooting after a walk; none after a run (ACT-3)."""
    if not play.state.units[unit].living:
        return
    power_window(play, unit)
    if action == WALK and play.state.units[unit].living:
        shoot(play, unit, walked=True)


@cites("RULE-TRANSPORT-3")
def choose_transport(play: Play, unit: int, allowed: int) -> tuple[Order, Wish, int] | None:
    """RULE-TRANSPORT-3: board a transport the unit can reach coherent with this move; asked before the way is chosen."""
    ways: dict[str, tuple[Order, Wish, int]] = {}
    cohere = KEEP if is_coherent(play, unit) else ALWAYS  # COH-5, COH-6
    for transport in transports_for(play, unit):
        if play.state.units[transport].where != TABLE:
            continue
        if play.gaps_from(unit)[transport] > allowed + play.game.edition.book.within:
            continue
        order = order_for(play, unit, allowed, board=transport, cohere=cohere)  # only Infantry boards
        way = engage(play.scene, order)
        if way is not None:
            ways[play.game.names[transport]] = (order, way, transport)
    if not ways:
        return None
    owner = play.game.side_of(unit)
    options = (NOT_ABOARD, *ways)
    answer = play.choose(owner, "choose-option", "RULE-TRANSPORT-3", options, NOT_ABOARD, unit, "DP-16", purpose="board")
    return ways.get(str(answer))


def act_aboard(play: Play, unit: int) -> None:
    """RULE-TRANSPORT-5: stay, walk out, or storm out (RULE-FURIOUS-2)."""
    out = leaving_order(play, unit)
    way = disembark(play.scene, out, *_toward_enemy(play, unit))
    storms = storm_targets(play, unit) if may_storm_out(play, unit) else {}
    options = (STAY_ABOARD, *((WALK,) if way else ()), *((ASSAULT,) if storms else ()))
    owner = play.game.side_of(unit)
    action = str(play.choose(owner, "choose-action", "RULE-TRANSPORT-5", options, STAY_ABOARD, unit, "DP-14", storms))
    announce(play, unit, HOLD if action == STAY_ABOARD else action, "RULE-TRANSPORT-5")
    if action == WALK and way:
        step_out(play, unit, out, way, WALK)
        after_move(play, unit, WALK)
    elif action == ASSAULT:
        storm_out(play, unit, storms)


def _toward_enemy(play: Play, unit: int) -> tuple[int, int]:
    carrier = play.state.units[play.state.units[unit].where].living[0]
    x, y = play.state.at(carrier)
    foes = [play.state.at(slot) for enemy in enemies(play, unit) for slot in play.state.units[enemy].living]
    return min(foes, key=lambda spot: (spot[0] - x) ** 2 + (spot[1] - y) ** 2, default=(x, y))


def leaving_order(play: Play, unit: int, target: int = -1) -> Order:
    """RULE-TRANSPORT-5: each model starts at the hull's outline and moves its Walk distance."""
    transport = play.state.units[unit].where
    order = order_for(play, unit, allowance(play.game, play.state, unit, WALK), target=target)
    game = play.game
    freed = _free_of(order.way, transport)
    carrier = play.state.units[transport].living[0]
    return replace(
        order,
        way=freed,
        leaving=carrier,
        slots=tuple(sorted(play.state.units[unit].living)),
        closing=0 if target < 0 else order.closing & ~NO_FURTHER,
        coherency=order.coherency,
        hull=None if not is_vehicle(game, unit) else order.hull,
    )


def _free_of(way: bytes, transport: int) -> bytes:
    """The gap is waived toward the transport while its passengers get out of it."""
    codes = bytearray(way)
    codes[4 * transport : 4 * transport + 4] = struct.pack("<i", 0)
    return bytes(codes)


def step_out(play: Play, unit: int, order: Order, way: Wish, action: str, *clauses: str) -> None:
    """Put the passengers on the table where their way ends."""
    owner = play.game.side_of(unit)
    transport = play.state.units[unit].where
    refusals = in_its_words(play.game, ASSAULT_REFUSALS if action == ASSAULT else MOVE_REFUSALS)
    verdict = ask_move(play, owner, order, way, "RULE-TRANSPORT-5", refusals, "DP-15", action=action)
    patches: list[Patch] = [
        Went(unit, TABLE),
        Placed(order.slots, verdict.ends, heights(play.game, verdict.ends), verdict.facings),
    ]
    play.emit("disembarked", ("RULE-TRANSPORT-5", *clauses), *patches, unit=unit, transport=transport, longest=verdict.longest)
    dangerous_ground(play, unit, verdict)


def storm_targets(play: Play, unit: int) -> Targets:
    """RULE-FURIOUS-2: enemies the passengers can reach from the hull with a short assault."""
    found: Targets = {}
    carrier = play.state.units[unit].where
    widest = max(_width(play, slot) for slot in play.state.units[unit].living)
    for enemy in enemies(play, unit):
        order = leaving_order(play, unit, enemy)
        near = nearest(play.scene, carrier, enemy)
        if near.gap > order.allowance + widest + play.game.edition.book.within:
            continue
        way = disembark(play.scene, order, *play.state.at(near.b))
        if way is not None:
            found[enemy] = (order, way)
    return found


def _width(play: Play, slot: int) -> int:
    """How far a model's base reaches across, at the most: it starts beside the hull."""
    base = play.game.field.bases[slot]
    return 2 * (base.hl + base.hw + base.r)


def storm_out(play: Play, unit: int, targets: Targets) -> None:
    """RULE-FURIOUS-2: out of the transport and into melee."""
    names = tuple(play.game.names[enemy] for enemy in targets)
    owner, why = play.game.side_of(unit), partial(beyond_reach, play, unit)
    answer = play.choose(owner, "choose-target", "MELEE-1", names, names[0], unit, "DP-26", why=why)
    target = play.game.numbers[str(answer)]
    order, way = targets[target]
    melee = about_to_assault(play, unit, target)
    step_out(play, unit, order, way, ASSAULT, "RULE-FURIOUS-2")
    if play.state.units[unit].living:
        power_window(play, unit)  # RULE-PSYKER-3: after the move, before the first strike
    if play.state.units[unit].living:
        fight(play, melee)


@cites("PIN-3", "VDMG-6")
def finish(play: Play, unit: int) -> None:
    """ACT-9: what ends with the activation: Pinned if it idled (PIN-3), Shaken, and what was granted until now."""
    held = play.state.units[unit]
    if not held.living:
        return
    if held.mark(PINNED) is not None and play.events and _idled(play, unit):
        play.emit("unpinned", ("PIN-3",), Marked(unit, PINNED, None), unit=unit)
    end_shaken(play, unit)
    expire(play, Boundary("end-activation", play.game.side_of(unit), unit))


@cites("PIN-4", "PIN-5")
def _idled(play: Play, unit: int) -> bool:
    return any(event.kind == "activated" and event.fact("action") == IDLE for event in play.events)
