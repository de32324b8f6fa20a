"""Charge and Fight phases (CHG, FGT): who may, charges, strikes at one or more targets, one model that fights alone."""

from __future__ import annotations

from rolloff.editions.commentary import places
from rolloff.editions.commentary.aircraft import is_aircraft
from rolloff.editions.commentary.attack import attack_of
from rolloff.editions.commentary.attack_case import ADVANCED, CHARGED, END_ATTACKS, FELL_BACK, Case
from rolloff.editions.commentary.barricades import enemies_across
from rolloff.editions.commentary.charge_ways import into_engagement, possible
from rolloff.editions.commentary.closing_in import (
    CONSOLIDATE,
    PILE_IN,
    all_fly,
    alone,
    could_touch,
    may_charge,
    must_touch_at,
    on_the_ground,
    piles_in,
)
from rolloff.editions.commentary.fight import ALWAYS_FIRST, FIGHTS_FIRST, fights_first
from rolloff.editions.commentary.lookups import GRANT, host_of, index_of, led_units
from rolloff.editions.commentary.moving import ENGAGEMENT, NO_CHARGE, TURN, got_out_by, no_distance, off_table, rooted
from rolloff.editions.commentary.resolving import attacks_by, declare
from rolloff.editions.commentary.shooting import finished
from rolloff.editions.commentary.striking import choose_strikes
from rolloff.editions.commentary.to_markers import to_marker
from rolloff.errors import IllegalCommand
from rolloff.geometry.contacts import missed_contact
from rolloff.geometry.measure import slots_of
from rolloff.geometry.moves import FREE, STRICTLY_NEARER, TOUCH, Code, Order, Verdict
from rolloff.geometry.paths import settled
from rolloff.geometry.spans import gaps_between
from rolloff.lengths import INCH
from rolloff.oracle.stage import Keep, number
from rolloff.rules.charges import Charge, ChargeOrder, charge, targets_of
from rolloff.rules.citing import cites
from rolloff.rules.dice_words import LOWEST, discarding, is_double
from rolloff.rules.effects import Boundary, cross, lasting
from rolloff.rules.movement import MoveKind, alive, left_of, rolled
from rolloff.rules.play import Play
from rolloff.rules.rows import named_next
from rolloff.rules.turns import on_table
from rolloff.rules.windows import Moment, window
from rolloff.table.event import Done, Marked
from rolloff.table.profile import DiceRoll
from rolloff.table.state import TABLE

NEAR, NO_BONUS, WAS_CHARGED = "near", "no-charge-bonus", "was-charged"
LATE = "fights-later"
FOUGHT, SELECTED, CHOSEN = "fought", "selected-to-fight", "melee-targets-chosen"
REACH = 12 * INCH  # CHG-2

# -- charges ---------------------------------------------------------------------------------------


@cites("CHG-1")
def note_near(play: Play) -> None:
    """CHG-1: who is within 12" of an enemy at the start of the phase; whoever comes near later in it is not."""
    side = play.state.clock.active
    if marked(play, NEAR) and any(play.state.units[k].mark(NEAR) is not None for k in on_table(play, side)):
        return
    near = places.with_enemies_within(play.game, play.state, on_table(play, side), REACH)
    if near:
        play.emit("near", ("CHG-1",), *[lasting(play.game, unit, NEAR, "end-phase") for unit in near])


UNABLE = frozenset({ADVANCED, FELL_BACK, NO_CHARGE})
"""The marks with which no unit declares a charge."""


def distances(play: Play, unit: int) -> list[float]:
    """How far a unit is from each unit, heights included (GEO-3)."""
    return places.gaps_from(play.game, play.state, unit)


@cites("CHG-1")
def may_declare(play: Play, unit: int) -> bool:
    """CHG-1: neither Advanced nor Fell Back, not within Engagement Range, no AIRCRAFT, and able to move."""
    held = play.state.units[unit]
    if held.marks and not UNABLE.isdisjoint(dict(held.marks)):
        return False
    if is_aircraft(play, unit):
        return False
    if not places.nobody_engaged(play.game, play.state) and places.is_engaged(
        play.game, play.state, host_of(play.game, play.state, unit)
    ):
        return False
    return not rooted(play.game, play.state, unit) and bool(index_of(play.game).words(held.living))


def able_to_charge(play: Play, side: int) -> list[int]:
    """The units of a side that may be selected to charge."""
    if not marked(play, NEAR):
        return []
    units, close = play.state.units, places.perhaps_within(play.game, play.state, REACH)
    near = [k for k in on_table(play, side) if k in close and not units[k].done and NEAR in dict(units[k].marks)]
    if not near:
        return []
    odd = places.measured_apart(play.game, play.state)
    return [k for k in near if may_declare(play, k) and _may_charge_any(play, k, close[k], odd)]


def _may_charge_any(play: Play, unit: int, close: list[tuple[int, float]], odd: frozenset[int]) -> bool:
    """Whether a unit may charge one of those that may be near enough; where one of both is ``odd`` it is measured."""
    standing, plain, unsure = play.game.standing(play.state)[1 - play.game.sides[unit]], unit not in odd, False
    for enemy, gap in close:
        if not plain or enemy in odd:
            unsure = True
        elif gap <= CHARGE.reach and enemy in standing and may_charge(play, unit, enemy):
            return True
    return unsure and bool(chargeable(play, unit))


def why_not(play: Play, unit: int) -> IllegalCommand | None:
    """Why a unit may not declare a charge; None if it may."""
    held, name = play.state.units[unit], play.game.names[unit]
    if held.where != TABLE:
        return IllegalCommand("not-there", off_table(held, "CHG-1"), f"{name} is not on the battlefield", name)
    if held.mark(NO_CHARGE) is not None:
        return IllegalCommand("no-charge", got_out_by(held), f"{name} may not declare a charge this turn", name)
    if held.done or held.mark(NEAR) is None or not may_declare(play, unit):
        return IllegalCommand("not-eligible", "CHG-1", f"{name} is not eligible to declare a charge", name)
    if chargeable(play, unit):
        return None
    if any(is_aircraft(play, k) for k in on_table(play, 1 - play.game.sides[unit])) and not all_fly(play, unit):
        return IllegalCommand(
            "no-target", "AIR-5", f'no target within 12" of {name} but AIRCRAFT, which it cannot charge', name
        )
    return IllegalCommand("no-target", "CHG-2", f'no target within 12" of {name}', name)


def why_no_fight(play: Play, unit: int) -> IllegalCommand | None:
    """Why a unit may not be selected to fight; None if it may."""
    held, name = play.state.units[unit], play.game.names[unit]
    if held.where != TABLE:
        return IllegalCommand("not-there", off_table(held, "FGT-1"), f"{name} is not on the battlefield", name)
    if held.done or not alive(play, unit) or not may_fight(play, unit):
        return IllegalCommand("not-eligible", "FGT-1", f"{name} is not eligible to fight", name)
    return None


def why_not_now(play: Play, unit: int) -> IllegalCommand | None:
    """Why a unit has no part of its own in the Fight phase now: it may not fight, or another one fights next (CSTR-2)."""
    following, names = named_next(play), play.game.names
    if following is None or following == unit:
        return why_no_fight(play, unit)
    return why_no_fight(play, unit) or IllegalCommand("not-next", "CSTR-2", f"{names[following]} fights next", names[unit])


def chargeable(play: Play, unit: int) -> list[int]:
    """CHG-2: the enemy units a unit may declare a charge at."""
    return targets_of(play, CHARGE, unit)


def charge_unit(play: Play, unit: int) -> None:
    """CHG-1: a unit selected to charge."""
    play.emit("activated", ("CHG-1",), Done(unit, True), unit=unit, action="charge")
    charge(play, CHARGE, ChargeOrder(unit))


CHARGED_BY = ("CHARGE-5", "CHARGE-6")


@cites("CHG-4")
def must_touch(play: Play, order: Order, verdict: Verdict) -> None:
    """CHG-4: whoever could end in base contact with an enemy, and the charge still be one, does so."""
    enemies = tuple(slot for k in order.targets for slot in play.state.units[k].living)
    slots = slots_of(play.scene, order.unit)
    if not on_the_ground(play, verdict):
        must_touch_at(play, order, verdict, dict.fromkeys(slots, enemies), "CHG-4")
        return
    after = settled(play.scene, order.unit, verdict)
    for slot, gaps in zip(slots, gaps_between(after, slots, enemies), strict=True):
        if all(gap > places.CONTACT for gap in gaps):
            missed = missed_contact(play.scene, order, verdict, slot, enemies)
            if missed is not None:
                raise could_touch(play, slot, missed, "CHG-4")


def charged(play: Play, unit: int, targets: tuple[int, ...], bonus: bool) -> None:
    """CHARGE-5, CHARGE-6: it has charged, with the Charge bonus or without, and they have been charged."""
    marks: list[Marked] = [lasting(play.game, unit, CHARGED, TURN)]
    marks += [lasting(play.game, k, WAS_CHARGED, TURN) for k in targets]  # CHARGE-6
    if not bonus:
        marks.append(lasting(play.game, unit, NO_BONUS, TURN))
    play.emit("charged", ("CHG-5", *CHARGED_BY) if bonus else CHARGED_BY, *marks, unit=unit, targets=targets)


CHARGE_MOVE = MoveKind(
    "charge",
    "CHG-3",
    no_distance,
    TOUCH,
    ENGAGEMENT,
    FREE,
    ENGAGEMENT,
    targets=TOUCH,
    contact=True,
    reach=INCH + places.EPSILON,
    closing=STRICTLY_NEARER,
    propose=into_engagement,
    best=must_touch,
    may_fail=True,
    point="DP-42",
    refusals={
        Code.TOO_LONG: ("CHG-4", "{who} would go further than the Charge roll"),
        Code.GAP_UNIT: ("CHG-3", "{who} would come within Engagement Range of {what}, which is no target"),
        Code.PASSED_BY: ("CHG-3", "{who} would pass through {what} or within Engagement Range of it"),
    },
)


SURGING = number("charge", 3, keep=Keep.DIGITS, clauses=("CHG-2",))
"""STR-T1: the dice of a surging charge, each read for itself."""


@cites("CHARGE-2")
def charge_roll(play: Play, unit: int, dice_roll: DiceRoll) -> int:
    """CHARGE-2: the Charge roll in thou; by STR-T1 3D6 less the lowest, and a double among those left piles in further."""
    if play.state.units[unit].mark("surging") is None:
        return rolled(play, unit, dice_roll, "charge", "CHG-2")
    play.rolled_by = unit
    all_faces = tuple(map(int, str(play.dice.ask(SURGING))))
    faces = discarding(play, all_faces, (LOWEST,))  # after any re-roll
    if is_double(remaining(all_faces, faces)):
        mark = lasting(play.game, unit, f"{GRANT}Pile-in(+1)", TURN)
        play.emit("granted", ("DISCARD-1",), mark, unit=unit)
    return sum(faces) * INCH


@cites("DISCARD-2")
def remaining(all_faces: tuple[int, ...], left: tuple[int, ...]) -> tuple[int, ...]:
    """DISCARD-2: doubles and triples are looked for only in the dice that remain."""
    return left


CHARGE = Charge(
    CHARGE_MOVE,
    REACH + places.EPSILON,
    20,
    DiceRoll(2, 6),
    may_charge,
    charged,
    "CHG-2",
    "CHG-3",
    roll=charge_roll,
    point="DP-41",
    gaps=distances,
    possible=possible,
)

# -- fights ----------------------------------------------------------------------------------------


@cites("FGT-1")
def may_fight(play: Play, unit: int) -> bool:
    """FGT-1: within Engagement Range of an enemy, or it made a Charge move this turn."""
    game, state = play.game, play.state
    held = state.units[unit]
    if held.marks and held.mark(CHARGED) is not None:
        return True
    host = host_of(game, state, unit)
    if places.by_itself(game, state, host):
        return bool(held.marks) and held.mark(places.ENGAGED) is not None
    return places.is_engaged(game, state, host) or bool(enemies_across(game, state, host))


def nobody_fights(play: Play) -> bool:
    """Whether no unit may fight, as no enemies are close to each other and no mark lets one."""
    return not places.close_to(play.game, play.state) and not marked(play, CHARGED, places.ENGAGED)


def fighters(play: Play, side: int) -> list[int]:
    """The units of a side that may be selected to fight."""
    units, close, told = play.state.units, places.close_to(play.game, play.state), marked(play, CHARGED, places.ENGAGED)
    if not close and not told:
        return []  # as `nobody_fights` says
    led = led_units(play.game, play.state)
    asked = [k for k in on_table(play, side) if k in close or k in led or (told and units[k].marks)]
    return [k for k in asked if not units[k].done and may_fight(play, k)]


def marked(play: Play, *names: str) -> bool:
    """Whether any unit has one of some marks."""
    return not play.game.words(play.state).isdisjoint(names)


def any_first(play: Play) -> bool:
    """Whether anybody could have Fights First: without its marks, and on no datasheet of the game, nobody has."""
    return ALWAYS_FIRST in index_of(play.game).printed or marked(play, CHARGED, FIGHTS_FIRST)


def is_first(play: Play, unit: int) -> bool:
    """Whether a unit has Fights First now, by its charge of this turn or otherwise."""
    held = play.state.units[unit]
    marks = dict(held.marks)
    return fights_first(play.game, held, CHARGED in marks and NO_BONUS not in marks)


EARLY = frozenset({CHARGED, FIGHTS_FIRST})
"""The marks by which a unit may have Fights First."""


def with_first(play: Play, side: int) -> list[int]:
    """The units of a side that have Fights First now; only those are asked who have a mark or a datasheet for it."""
    units, always = play.state.units, play.game.lookups.holders(play.state, side, ALWAYS_FIRST)
    if marked(play, *EARLY):
        could = [k for k in on_table(play, side) if k in always or not EARLY.isdisjoint(dict(units[k].marks))]
    elif always:
        could = [k for k in on_table(play, side) if k in always]
    else:
        return []
    return [k for k in could if is_first(play, k)]


def note_late(play: Play) -> None:
    """FGT-3: who has Fights First and is not eligible when the phase begins fights later than the others with it."""
    if not any_first(play):
        return
    late = [k for side in (0, 1) for k in with_first(play, side) if not may_fight(play, k)]
    if late:
        play.emit("fights-later", ("FGT-3",), *(lasting(play.game, k, LATE, "end-phase") for k in late))


@cites("FGT-3")
def first_fighters(play: Play, side: int) -> list[int]:
    """FGT-3: the units of a side that fight in the Fights First step."""
    if not any_first(play) or nobody_fights(play):
        return []
    units = play.state.units
    early = [k for k in with_first(play, side) if units[k].mark(LATE) is None]
    return [k for k in early if not units[k].done and may_fight(play, k)]


@cites("FGT-4")
def fight_unit(play: Play, unit: int) -> None:
    """FGT-4, FIGHT-1: a unit piles in, makes its melee attacks and consolidates."""
    play.emit("activated", ("FGT-4",), unit=unit, action="fight")
    window(play, Moment(SELECTED, unit))
    if alive(play, unit):
        piles_in(play, unit, PILE_IN)  # PILEIN-1
    if alive(play, unit):
        strike(play, unit)
    for part in left_of(play, unit):
        consolidate(play, part)
    window(play, Moment(FOUGHT, unit))


@cites("FGT-8")
def consolidate(play: Play, unit: int) -> None:
    """FGT-8: whether it had a target to attack or not, a unit that fights may consolidate."""
    if not piles_in(play, unit, CONSOLIDATE):
        to_marker(play, unit)


def fight_alone(play: Play, unit: int, slot: int, consolidates: bool = True) -> None:
    """INDIV-1 to INDIV-3: one model of a unit fights: it piles in, makes its melee attacks and consolidates."""
    piles_in(play, unit, alone(PILE_IN, slot))  # INDIV-1
    if alive(play, unit):
        strike(play, unit, (slot,))  # INDIV-2
    if consolidates and slot in play.state.units[unit].living and not piles_in(play, unit, alone(CONSOLIDATE, slot)):  # INDIV-3
        to_marker(play, unit, slot)


def strike(play: Play, unit: int, only: tuple[int, ...] | None = None) -> None:
    """FGT-6, FGT-7: targets are declared first, then all melee attacks are resolved."""
    plan = choose_strikes(play, unit, only)
    if not plan:
        return
    selected = play.state
    window(play, Moment(CHOSEN, unit, tuple(plan)))
    declared = []
    for target, form in plan.items():
        if not alive(play, target):
            continue
        case = Case(play.game, play.state, form).selected_in(selected)
        try:
            attack = attack_of(case, asked=True)
        except IllegalCommand:
            continue
        declare(play, form, attack)
        declared.append((form, attack))  # FGT-7
    attacks_by(play, unit, declared)
    cross(play, Boundary(END_ATTACKS, play.game.sides[unit], unit), "attacks-resolved", "RESOLVE-2")
    finished(play, unit, tuple(plan))
