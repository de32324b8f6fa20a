"""One activation (TURN-4, ACT): choose a unit and an action, then move, powers, shooting or melee, and what ends with it."""

from __future__ import annotations

import struct
from functools import partial

from msgspec.structs import replace

from rolloff.editions.onepage.book import book_of
from rolloff.editions.onepage.danger import GROUND
from rolloff.editions.onepage.fight import about_to_assault
from rolloff.editions.onepage.kinds import BOARD, LEAVE, STORM, TURN
from rolloff.editions.onepage.lookups import index_of, is_vehicle
from rolloff.editions.onepage.melee import assault, assault_targets, fight, whom_to_assault
from rolloff.editions.onepage.morale import PINNED, pinned
from rolloff.editions.onepage.moving import (
    ASSAULT,
    HOLD,
    IDLE,
    PIVOT,
    RUN,
    WALK,
    allowance,
    drawing_in,
    immobile,
    in_its_state,
    is_coherent,
    regroup_order,
    unit_rules,
)
from rolloff.editions.onepage.outlines import led_aboard
from rolloff.editions.onepage.rounds import expire, note_finished
from rolloff.editions.onepage.shooting import shoot
from rolloff.editions.onepage.transport import board, may_storm_out, transports_for
from rolloff.editions.onepage.vehicles import end_shaken
from rolloff.geometry.measure import nearest
from rolloff.geometry.moves import March, Order, Wish
from rolloff.geometry.paths import disembark, engage
from rolloff.rules.citing import cites
from rolloff.rules.effects import Boundary
from rolloff.rules.fire import enemies
from rolloff.rules.game import Game
from rolloff.rules.hooks import noted
from rolloff.rules.movement import MoveKind, Plan, kind_of, make, order_for, way_of
from rolloff.rules.moves import heights
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
    if index_of(play.game).remembering:
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
    if together or regroup_order(play, unit, WALK, allowed):
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
            assault(play, unit, targets)
    else:
        go(play, unit, action)


def hold(play: Play, unit: int) -> None:
    """ACT-1: no move; a vehicle may turn (TYPE-VEH-4); then shooting."""
    if is_vehicle(play.game, unit) and not immobile(play.state, unit):
        pivot(play, unit)
    shoot(play, unit, walked=False)
    if has_facings(play.game, unit) and play.state.units[unit].living and not immobile(play.state, unit):
        make(play, unit, kind_of(play, TURN))


@cites("ACT-10")
def has_facings(game: Game, unit: int) -> bool:
    """ACT-10: whether the facing of a unit that is no vehicle matters, so that it may turn as it likes after it held."""
    return not is_vehicle(game, unit) and game.cards[unit].type in book_of(game).damage_types


@cites("TYPE-VEH-4")
def pivot(play: Play, unit: int) -> None:
    """TYPE-VEH-4: a vehicle that holds may turn by up to 180 degrees before it shoots."""
    make(play, unit, kind_of(play, PIVOT))


def go(play: Play, unit: int, action: str) -> None:
    """ACT-2, ACT-3: move, board, or go on to powers and (after a walk) shooting."""
    allowed = allowance(play.game, play.state, unit, action)
    boarding = choose_transport(play, unit, action, allowed)
    if boarding is not None:
        kind, way_in, transport = boarding
        make(play, unit, kind, plan=way_in)
        if play.state.units[unit].living:
            board(play, unit, transport)
        return
    plan: Plan | None = None
    if not is_coherent(play, unit):  # COH-6
        plan = regroup_order(play, unit, action, allowed) or drawing_in(play, unit, action, allowed)
    make(play, unit, kind_of(play, in_its_state(play, unit, action)), plan=plan)
    after_move(play, unit, action)


def after_move(play: Play, unit: int, action: str) -> None:
    """ACT-9: powers again, then shooting after a walk; none after a run (ACT-3)."""
    if not play.state.units[unit].living:
        return
    power_window(play, unit)
    if action == WALK and play.state.units[unit].living:
        shoot(play, unit, walked=True)


@cites("RULE-TRANSPORT-3")
def choose_transport(play: Play, unit: int, action: str, allowed: int) -> tuple[MoveKind, Plan, int] | None:
    """RULE-TRANSPORT-3: board a transport the unit can reach coherent with this move; asked before the way is chosen."""
    ways: dict[str, tuple[MoveKind, Plan, int]] = {}
    kind = kind_of(play, in_its_state(play, unit, f"{action}-{BOARD}"))  # COH-5, COH-6
    for transport in transports_for(play, unit):
        if play.state.units[transport].where != TABLE:
            continue
        if play.gaps_from(unit)[transport] > allowed + book_of(play.game).within:
            continue
        order = order_for(play, unit, kind, allowed, (transport,))
        way = engage(play.scene, order)
        if way is not None:
            also = partial(led_aboard, transport=transport) if book_of(play.game).leads else None
            ways[play.game.names[transport]] = (replace(kind, also=also), (order, way), transport)
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
    spots = [play.state.at(slot) for enemy in enemies(play, unit) for slot in play.state.units[enemy].living]
    return min(spots, key=lambda spot: (spot[0] - x) ** 2 + (spot[1] - y) ** 2, default=(x, y))


def leaving_order(play: Play, unit: int, target: int = -1) -> Order:
    """RULE-TRANSPORT-5: each model starts at the hull's outline and moves its Walk distance."""
    transport, targets = play.state.units[unit].where, (target,) if target >= 0 else ()
    order = order_for(play, unit, kind_of(play, STORM if targets else LEAVE), leaving_reach(play, unit), targets)
    carrier = play.state.units[transport].living[0]
    slots = tuple(sorted(play.state.units[unit].living))
    return replace(order, way=_free_of(order.way, transport), leaving=carrier, slots=slots)


@cites("RULE-TRANSPORT-5", "RULE-FURIOUS-2")
def leaving_reach(play: Play, unit: int) -> int:
    """RULE-TRANSPORT-5, RULE-FURIOUS-2: passengers leave by their Walk distance, in an assault too: 6 inches, 9 if Fast."""
    return allowance(play.game, play.state, unit, WALK)


def _free_of(way: bytes, transport: int) -> bytes:
    """The gap is waived toward the transport while its passengers get out of it."""
    codes = bytearray(way)
    codes[4 * transport : 4 * transport + 4] = struct.pack("<i", 0)
    return bytes(codes)


def step_out(play: Play, unit: int, order: Order, way: Wish, action: str, *clauses: str) -> None:
    """Put the passengers on the table where their way ends."""
    transport = play.state.units[unit].where
    verdict = way_of(play, unit, kind_of(play, STORM if action == ASSAULT else LEAVE), order, way)
    assert verdict is not None, "a way was found before"
    patches: list[Patch] = [
        Went(unit, TABLE),
        Placed(order.slots, verdict.ends, heights(play.game, verdict.ends), verdict.facings),
    ]
    play.emit("disembarked", ("RULE-TRANSPORT-5", *clauses), *patches, unit=unit, transport=transport, longest=verdict.longest)
    GROUND.cross(play, unit, verdict)


def storm_targets(play: Play, unit: int) -> Targets:
    """RULE-FURIOUS-2: enemies the passengers can reach from the hull with a short assault."""
    found: Targets = {}
    carrier = play.state.units[unit].where
    widest = max(_width(play, slot) for slot in play.state.units[unit].living)
    for enemy in enemies(play, unit):
        order = leaving_order(play, unit, enemy)
        near = nearest(play.scene, carrier, enemy)
        if near.gap > order.allowance + widest + book_of(play.game).within:
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
    target = whom_to_assault(play, unit, targets)
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
