"""The Movement phase (MOVE, TRANS, RSV): a unit's part in it, boarding and leaving, and who arrives."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rolloff.editions.commentary import places
from rolloff.editions.commentary.aircraft import fly, is_aircraft
from rolloff.editions.commentary.allocating import mortal_wounds
from rolloff.editions.commentary.command import AWAY_IN_COMMAND, LAST_ROUND, shake, shock
from rolloff.editions.commentary.deploying import AWAY, clear_of_enemies, further_than, inward, zone
from rolloff.editions.commentary.destruction import lose_all
from rolloff.editions.commentary.falling_back import can_fall_back, fall_back
from rolloff.editions.commentary.formations import MUST_ARRIVE, REPOSITIONED, WAITS
from rolloff.editions.commentary.lookups import host_of, index_of
from rolloff.editions.commentary.missions import zone_of
from rolloff.editions.commentary.moving import (
    ADVANCE,
    ADVANCED,
    FALL_BACK,
    FELL_BACK,
    KINDS,
    MOVED,
    NO_CHARGE,
    NORMAL,
    REFUSALS,
    STATIONARY,
    TURN,
    WRECKED,
    got_out_by,
    has_move,
    move_of,
    off_table,
    roll_move,
)
from rolloff.editions.commentary.roster import AIRCRAFT, DEEP_STRIKE, STRATEGIC, room_of, takes
from rolloff.editions.commentary.unit_values import is_below_half
from rolloff.errors import IllegalCommand
from rolloff.geometry.moves import TOUCH, Code, Rectangle, Zone, gaps
from rolloff.lengths import INCH
from rolloff.oracle.stage import Stage, check
from rolloff.rules.citing import cites
from rolloff.rules.deployment import SetUp, gap_codes
from rolloff.rules.effects import lasting
from rolloff.rules.game import Game
from rolloff.rules.losses import Fallen, Hull
from rolloff.rules.movement import alive, left_of, make
from rolloff.rules.play import Play
from rolloff.rules.reserves import Arrival, Reserves, able, arrive, may_come, waiting
from rolloff.rules.transports import Transports, board, escape, fits, leave, passengers
from rolloff.rules.turns import ended_now, on_table
from rolloff.rules.windows import Moment, window
from rolloff.table.event import Done, Marked, Went
from rolloff.table.state import RESERVE, TABLE, State

EMBARK, DISEMBARK, STAY_IN, DISEMBARKED = "embark", "disembark", "stay", "disembarked"
ARRIVED, BOARDED = "arrived", "boarded"
SELECTED = "selected-to-move"
"""STAT-1: it was selected to move in this turn and could not."""
EDGE = 6 * INCH

# -- Move Units ------------------------------------------------------------------------------------


def movable(play: Play, side: int) -> list[int]:
    """MOVE-1: the units on the battlefield, and those aboard that may get out (TRANS-4)."""
    units, here = play.state.units, on_table(play, side)
    found = [unit for unit in here if not units[unit].done and (not units[unit].marks or not just_arrived(play, unit))]
    aboard = play.game.inside(play.state)[side]
    return found + [unit for unit in aboard if _may_leave(play, unit)] if aboard else found


@cites("RSV-5")
def just_arrived(play: Play, unit: int) -> bool:
    """RSV-5: a unit that arrived moves no further in that phase."""
    return play.state.units[unit].mark(ARRIVED) is not None


@cites("TRANS-4", "TRANS-7")
def _may_leave(play: Play, unit: int) -> bool:
    """TRANS-4, TRANS-7: who began the phase embarked, in a TRANSPORT on the table that neither Advanced nor Fell Back."""
    held = play.state.units[unit]
    if held.where < 0 or held.done or not held.living or held.mark(BOARDED) is not None:
        return False
    hull = play.state.units[held.where]
    return hull.where == TABLE and hull.mark(ADVANCED) is None and hull.mark(FELL_BACK) is None


@cites("MOVE-1")
def actions(play: Play, unit: int) -> tuple[str, ...]:
    """MOVE-1: what a unit may do in Move Units."""
    game, state = play.game, play.state
    held = state.units[unit]
    if held.marks and just_arrived(play, unit):
        return ()
    if held.where >= 0:
        return (DISEMBARK, STAY_IN)
    if is_aircraft(play, unit):
        return (NORMAL,)  # AIR-2
    if not has_move(game, state, unit):
        return (STATIONARY,)
    if held.marks and held.mark(DISEMBARKED) is not None:
        return (NORMAL, ADVANCE)  # TRANS-5
    host = host_of(game, state, unit)
    enemies = () if places.by_itself(game, state, host) else places.enemies_engaged(game, state, host)
    if not enemies:
        return (STATIONARY, NORMAL, ADVANCE)
    away = (FALL_BACK,) if can_fall_back(play, unit) else ()
    return (STATIONARY, *away) if held_fast(play, enemies) else (STATIONARY, NORMAL, ADVANCE, *away)


@cites("MVER-1")
def held_fast(play: Play, enemies: Sequence[int]) -> bool:
    """MVER-1: within Engagement Range of enemies a unit makes no move but a Fall Back."""
    return on_foot(play, enemies)


@cites("AIR-4")
def on_foot(play: Play, enemies: Sequence[int]) -> bool:
    """AIR-4: whether some of the enemies in whose Engagement Range a unit is are no AIRCRAFT."""
    return not all(is_aircraft(play, k) for k in enemies)


def why_not(play: Play, unit: int) -> IllegalCommand | None:
    """Why a unit may not be selected to move; None if it may."""
    name, where = play.game.names[unit], play.state.units[unit].where
    if where < 0 and where != TABLE:
        code = "in-reserves" if where == RESERVE else "not-there"
        return IllegalCommand(code, "MOVE-1", f"{name} is not on the battlefield", name)
    if just_arrived(play, unit):
        return IllegalCommand("arrived", "RSV-5", f"{name} arrived in this phase and moves no further", name)
    if play.state.units[unit].mark(STATIONARY) is not None:
        return _stood_still(play, unit)
    if play.state.units[unit].mark(NO_CHARGE) is not None:
        clause = got_out_by(play.state.units[unit])
        return IllegalCommand("got-out", clause, f"{name} counts as having made a Normal move and moves no further", name)
    if play.state.units[unit].done:
        return IllegalCommand("done", "MOVE-1", f"{name} was selected to move before in this phase", name)
    if unit not in movable(play, play.game.sides[unit]):
        if play.state.units[unit].mark(BOARDED) is not None:
            return IllegalCommand("boarded", "TRANS-4", f"{name} did not begin this phase embarked", name)
        return IllegalCommand("stays-in", "TRANS-7", f"{name} may not disembark now", name)
    return None


def why_not_out(play: Play, unit: int) -> IllegalCommand | None:
    """Why a unit may not disembark; None if it may."""
    name = play.game.names[unit]
    if play.state.units[unit].where < 0:
        return IllegalCommand("not-aboard", "TRANS-4", f"{name} is in no TRANSPORT", name)
    return why_not(play, unit)


@cites("MOVE-4")
def _stood_still(play: Play, unit: int) -> IllegalCommand:
    """MOVE-4: why a unit that Remained Stationary moves no more in this phase."""
    name = play.game.names[unit]
    return IllegalCommand("stationary", "MOVE-4", f"{name} Remained Stationary and moves no model in this phase", name)


@cites("MOVE-4")
def stands_still() -> bool:
    """MOVE-4: a unit that Remains Stationary moves no model for the rest of the phase."""
    return True


def move_unit(play: Play, unit: int) -> None:
    """MOVE-1: a unit selected in Move Units."""
    if index_of(play.game).random_moves:
        _selected(play, unit)
    options = actions(play, unit)
    action = _chosen(play, unit, options)
    if action == STAY_IN:
        play.emit("activated", ("MOVE-1",), Done(unit, True), unit=unit, action=action)
    elif action == DISEMBARK:
        disembark(play, unit)
    elif action == STATIONARY:
        play.emit("activated", ("MOVE-4",), Done(unit, stands_still()), unit=unit, action=action)
    else:
        play.emit("activated", ("MOVE-1",), Done(unit, True), unit=unit, action=action)
        if is_aircraft(play, unit):
            fly(play, unit)
        elif action == FALL_BACK:
            fall_back(play, unit)
        else:
            make(play, unit, KINDS[action])
        for part in left_of(play, unit):
            if went(play, part):
                embark(play, part)


def _chosen(play: Play, unit: int, options: tuple[str, ...]) -> str:
    """DP-14: how a unit moves, by default not at all; DP-18: whether one that is aboard gets out, by default not."""
    owner, clause = play.game.sides[unit], limited_by(play, unit, options)
    if STAY_IN not in options:
        return str(play.choose(owner, "choose-action", clause, options, options[0], unit, "DP-14"))
    return str(play.choose(owner, "choose-action", clause, options, STAY_IN, unit, "DP-18", purpose=DISEMBARK))


def _selected(play: Play, unit: int) -> None:
    """DICE-5: a unit on the battlefield is selected to move, before it is said how; AIRCRAFT go by no Move (AIR-2)."""
    if play.state.units[unit].where == TABLE and not is_aircraft(play, unit):
        roll_move(play, unit)


def limited_by(play: Play, unit: int, options: tuple[str, ...]) -> str:
    """The clause that says which moves a unit has."""
    if len(options) > 2:
        return "MOVE-1"  # nothing limits it
    if play.state.units[unit].where >= 0:
        return "EMB-1"
    if is_aircraft(play, unit):
        return "AIR-2"
    if len(options) == 1 and move_of(play.game, play.state, unit) < 0:
        return "UNIT-2"
    return "MOVE-1" if play.state.units[unit].mark(DISEMBARKED) is None else "TRANS-5"


@cites("STAT-1")
def went(play: Play, unit: int) -> bool:
    """STAT-1: whether a unit selected to move did so; one that cannot after all neither moved nor Remained Stationary."""
    if play.state.units[unit].mark(MOVED) is not None:
        return True
    play.emit("kept-from-moving", ("MOVE-7", "STAT-1"), lasting(play.game, unit, SELECTED, TURN), unit=unit)
    return False


@cites("MIN-1", "AIR-2")
def fly_those_left(play: Play) -> None:
    """MIN-1, AIR-2: AIRCRAFT that were not selected to move must, and do so when their owner has enough of moving."""
    if not index_of(play.game).may_fly:
        return
    for unit in movable(play, play.state.clock.active):
        held = play.state.units[unit]
        if held.living and held.mark(MOVED) is None and is_aircraft(play, unit):
            move_unit(play, unit)
            ended_now(play)


_GONE = frozenset({MOVED, DISEMBARKED, SELECTED})


@cites("STAT-1")
def note_stationary(play: Play) -> None:
    """STAT-1: whoever was on the battlefield and not selected to move Remained Stationary, until the end of the turn."""
    _note_all_but(play, _GONE)


_GONE_BEFORE = _GONE | {ADVANCED, FELL_BACK, ARRIVED, BOARDED, STATIONARY}


def note_who_stood(play: Play) -> None:
    """STAT-1 for a situation after Move Units: whoever by its marks neither moved nor was set up in this turn."""
    _note_all_but(play, _GONE_BEFORE)


def _note_all_but(play: Play, marked: frozenset[str]) -> None:
    """Note of the active player's units without these marks that they Remained Stationary."""
    units, here = play.state.units, on_table(play, play.state.clock.active)
    still = [unit for unit in here if not units[unit].marks or marked.isdisjoint(dict(units[unit].marks))]
    if still:
        play.emit("stood-still", ("STAT-1",), *[lasting(play.game, unit, STATIONARY, TURN) for unit in still])


# -- transports ------------------------------------------------------------------------------------


@cites("TRANS-3")
def hulls_for(play: Play, unit: int) -> list[int]:
    """TRANS-3: TRANSPORTS with room within 3" of every model of a unit, unless it disembarked in the same phase."""
    hulls, units = index_of(play.game).hulls, play.state.units
    if not hulls or units[unit].mark(DISEMBARKED) is not None or not alive(play, unit):
        return []
    sides = play.game.sides
    mine = sorted([k for k in hulls if sides[k] == sides[unit] and units[k].where == TABLE and k != unit])
    if not mine:
        return mine
    least, most = places.least_gaps(play.game, play.state, unit), 3 * INCH + places.CONTACT
    near = [k for k in mine if least[k] <= most]
    return [k for k in near if fits(play.game, play.state, unit, k) and _all_near(play, unit, k)]


def embark(play: Play, unit: int) -> None:
    """DP-17: after its move a unit may embark."""
    hulls = hulls_for(play, unit)
    if hulls:
        _into_one(play, unit, ("none", *(play.game.names[k] for k in hulls)))


def _into_one(play: Play, unit: int, options: tuple[str, ...]) -> None:
    """A unit gets into one of some TRANSPORTS, or into none of them."""
    owner = play.game.sides[unit]
    answer = play.choose(owner, "choose-option", "TRANS-3", options, options[0], unit, "DP-17", purpose="embark")
    if answer != "none":
        hull = play.game.numbers[str(answer)]
        play.emit("boards", ("TRANS-3",), lasting(play.game, unit, BOARDED, "end-phase"), unit=unit)
        board(play, unit, hull, "TRANS-3", "EMB-1")


def board_unit(play: Play, unit: int) -> None:
    """TRANS-3: a unit embarks after the move it has made, or makes now; refused where no TRANSPORT would take it."""
    barred = _why_not_board(play, unit)
    if barred is not None:
        raise barred
    went_before = _has_moved(play, unit)
    play.emit("activated", ("TRANS-3",), Done(unit, True), unit=unit, action=EMBARK)
    if not went_before:
        roll_move(play, unit)
        make(play, unit, KINDS[NORMAL])
    for part in left_of(play, unit):
        hulls = hulls_for(play, part)
        if not hulls:
            raise _no_transport(play, part)
        _into_one(play, part, tuple(play.game.names[k] for k in hulls))


def why_not_in(play: Play, unit: int) -> IllegalCommand | None:
    """TRANS-3: why a unit may not embark where it stands; None if it may."""
    return _why_not_board(play, unit) or (None if hulls_for(play, unit) else _no_transport(play, unit))


def _has_moved(play: Play, unit: int) -> bool:
    return any(play.state.units[unit].mark(name) is not None for name in (MOVED, ADVANCED, FELL_BACK))


def _why_not_board(play: Play, unit: int) -> IllegalCommand | None:
    """TRANS-3: why a unit ends no move after which it could embark: it arrived, stood still, or may make no Normal move."""
    held, name = play.state.units[unit], play.game.names[unit]
    if held.where != TABLE:
        return IllegalCommand("not-there", off_table(held, "TRANS-3"), f"{name} is not on the battlefield", name)
    if just_arrived(play, unit):
        return IllegalCommand("arrived", "RSV-5", f"{name} arrived in this phase and moves no further", name)
    if held.mark(STATIONARY) is not None:
        return _stood_still(play, unit)
    if _has_moved(play, unit) or NORMAL in actions(play, unit):
        return None
    clause = "MVER-1" if has_move(play.game, play.state, unit) else "UNIT-2"
    return IllegalCommand("not-offered", clause, f"{name} makes no Normal move now", name)


def _no_transport(play: Play, unit: int) -> IllegalCommand:
    """Why no TRANSPORT takes a unit: it just got out of one (TRANS-3), none is near, or none has room for it (TRANS-1)."""
    name, state = play.game.names[unit], play.state
    mine = [k for k in on_table(play, play.game.sides[unit]) if k != unit and room_of(play.game, state, k)]
    near = [play.game.names[k] for k in mine if _all_near(play, unit, k)]
    if state.units[unit].mark(DISEMBARKED) is not None:
        return IllegalCommand("no-transport", "TRANS-3", f"{name} disembarked in this phase", name)
    if near:
        return IllegalCommand("no-room", "TRANS-1", f"{near[0]} has no room for {name}", name)
    return IllegalCommand("no-transport", "TRANS-3", f'{name} does not end within 3" of a TRANSPORT of its side', name)


def _all_near(play: Play, unit: int, hull: int) -> bool:
    """Whether every model of a unit on the table is within 3" of a hull."""
    units = play.state.units
    far = places.apart(play.game, play.state, units[unit].living, units[hull].living).nearest
    return all(places.within(gap, 3 * INCH) for gap in far.values())


def disembark(play: Play, unit: int) -> None:
    """TRANS-4 to TRANS-6: out of the TRANSPORT; after it moved the unit moves no further and does not charge."""
    hull = play.state.units[unit].where
    moved = play.state.units[hull].mark(MOVED) is not None
    if not leave(play, unit, hull):
        play.emit("activated", ("TRANS-4",), Done(unit, True), unit=unit, action=STAY_IN)
        return
    marks: list[Marked] = [lasting(play.game, unit, DISEMBARKED, TURN)]
    if moved:
        marks += [lasting(play.game, unit, MOVED, TURN), lasting(play.game, unit, NO_CHARGE, TURN)]
    clause = "TRANS-6" if moved else "TRANS-5"
    play.emit("activated", (clause,), Done(unit, moved), *marks, unit=unit, action=DISEMBARK)
    window(play, Moment("disembarked", unit, (hull,)))
    window(play, Moment("set-up", unit, (), False, (("how", DISEMBARK),)))


def near_hull(play: Play, unit: int) -> Zone:
    """TRANS-4: outside Engagement Range of all enemies."""
    return zone(play, unit, clear_of_enemies(play, unit))


@cites("DISEMB-1")
def too_large(game: Game, state: State, unit: int, distance: int) -> int | None:
    """DISEMB-1: a unit with a model wider each way than 3" is set up with its bases within 1" of the TRANSPORT.

    So is one with a model wider than the 6" of an emergency (TRANS-9).
    """
    bases = [game.field.bases[slot] for slot in state.units[unit].living]
    wide = [2 * (base.r + min(base.hl, base.hw)) for base in bases]
    return INCH if any(width > distance for width in wide) else None


TRANSPORTS = Transports(
    room_of, takes, near_hull, 3 * INCH, "TRANS-3", "TRANS-4", REFUSALS, point="DP-18", beside=too_large, nearer="DISEMB-1"
)
FURTHER_OUT = 6 * INCH
WRECK = check("wreck", 2, "TRANS-8")
WRECK_EMERGENCY = check("wreck", 4, "TRANS-9")


@cites("TRANS-9")
def emergency(used: int) -> Stage[bool]:
    """TRANS-9: the die of each passenger: it hurts on a 1, and on 1 to 3 for those who found room only within 6"."""
    return WRECK_EMERGENCY if used == FURTHER_OUT else WRECK


@cites("TRANS-10")
def wrecked(play: Play, fallen: Fallen) -> None:
    """TRANS-8, TRANS-9: passengers of a destroyed TRANSPORT get out, suffer for each 1 (or 1 to 3), and are Battle-shocked."""
    rolling = play.rolled_by
    while inside := passengers(play.state, fallen.unit):
        _escaped(play, inside[0], fallen.hulls[-1])  # TRANS-8
    play.rolled_by = rolling


def _escaped(play: Play, unit: int, hull: Hull) -> None:
    """TRANS-8: passengers get out; whoever reacts to that does so before the dice for those who are left."""
    used = escape(play, unit, hull, (3 * INCH, FURTHER_OUT), "TRANS-8", point="DP-19", further="TRANS-9")
    if play.state.units[unit].living:
        _seen_getting_out(play, unit)
    for part in left_of(play, unit):
        _shaken_out(play, part, emergency(used))


@cites("SETUP-1", "JUST-1")
def _seen_getting_out(play: Play, unit: int) -> None:
    """SETUP-1, JUST-1: getting out of a wreck is being set up, to which players may react just after it."""
    window(play, Moment("set-up", unit, (), False, (("how", WRECK.label),)))


def _shaken_out(play: Play, unit: int, stage: Stage[bool]) -> None:
    """TRANS-8: a die for each model that got out, and what else its unit suffers."""
    play.rolled_by = unit
    wounds = sum(not play.dice.ask(stage) for _ in play.state.units[unit].living)
    marks = [lasting(play.game, unit, name, TURN) for name in (DISEMBARKED, MOVED)]
    play.emit("escaped", ("TRANS-8",), *marks, Marked(unit, NO_CHARGE, WRECKED), unit=unit)
    shake(play, unit, "TRANS-8")
    if wounds:
        mortal_wounds(play, unit, wounds, "wreck", -1, "TRANS-8")


# -- Reinforcements --------------------------------------------------------------------------------


def strategic(play: Play, unit: int) -> SetUp | None:
    """RSV-3, RSV-4: from round two, wholly within 6" of an edge, more than 9" from enemies; in round two not in their zone."""
    waits = play.state.units[unit].mark(WAITS)
    if waits not in (None, STRATEGIC, AIRCRAFT) or not late_enough(play):
        return None
    if waits is None and strikes_deep(play, unit):
        return None  # nobody said Strategic Reserves, so it waits by its own rule
    side = play.game.sides[unit]
    off = zone_of(play.game, play.state, 1 - side) if play.state.clock.round == 2 else None
    return _arrival(play, unit, off, "RSV-3", _strips)


def _strips(play: Play, unit: int) -> tuple[Rectangle, ...]:
    """RSV-3: the ground along the four edges of the battlefield where a unit may arrive."""
    width, height, deep = play.game.field.width, play.game.field.height, edge_of(play, unit)
    return (0, 0, width, deep), (0, height - deep, width, height), (0, 0, deep, height), (width - deep, 0, width, height)


def _anywhere(play: Play, unit: int) -> tuple[Rectangle, ...]:
    """ABIL-2: on no ground in particular."""
    return ()


@cites("RSV-3")
def edge_of(play: Play, unit: int) -> int:
    """RSV-3: how far from an edge a unit stands: 6", or as far as its broadest model reaches that touches the edge."""
    bases = [play.game.field.bases[slot] for slot in play.state.units[unit].living]
    broad = max([2 * (base.r + min(base.hl, base.hw)) for base in bases])
    return EDGE if broad <= EDGE else broad + places.CONTACT


@cites("RSV-4")
def late_enough(play: Play) -> bool:
    """RSV-4: no Strategic Reserves in the first battle round."""
    return play.state.clock.round >= 2


@cites("ABIL-2", "DS-1")
def deep_strike(play: Play, unit: int) -> SetUp | None:
    """ABIL-2, DS-1: anywhere more than 9" from all enemies; a Deep Strike unit may so from Strategic Reserves (AIR-1)."""
    if not strikes_deep(play, unit):
        return None
    if play.state.units[unit].mark(WAITS) in (STRATEGIC, AIRCRAFT) and not late_enough(play):
        return None
    return _arrival(play, unit, None, "ABIL-2", _anywhere)


def strikes_deep(play: Play, unit: int) -> bool:
    """ABIL-2: every model of it has Deep Strike."""
    lookups = index_of(play.game)
    return lookups.every(play.state.units[unit].living, "Deep Strike")


def _arrival(
    play: Play, unit: int, off: Rectangle | None, clause: str, inside: Callable[[Play, int], tuple[Rectangle, ...]]
) -> SetUp:
    """Where a unit arrives by a clause; kept all game by all that it depends on (`inside` only on who lives)."""
    box, keep = zone_of(play.game, play.state, play.game.sides[unit]), reinforcement_gaps(play, unit)
    kept = index_of(play.game).arrivals
    key = play.state.units[unit].living, clause, off, box, keep
    found: SetUp | None = kept.get(key)
    if found is None:
        where = zone(play, unit, keep, inside(play, unit), off)
        x, y = (box[0] + box[2]) // 2, (box[1] + box[3]) // 2
        found = SetUp(where, x, y, clause, inward(play, box), "DP-20", "arrived", refusals=MISPLACED[clause])
        kept[key] = found
    return found


TOO_NEAR = '{who} would be set up too near to {what}: more than 9" away, or further where it says so'
MISPLACED = {
    clause: {
        Code.OUTSIDE_ZONE: (clause, '{who} would not be wholly within 6" of an edge of the battlefield'),
        Code.GAP_UNIT: (clause, TOO_NEAR),
        Code.OFF_LIMITS: (clause, "{who} would be set up in the enemy deployment zone in the second battle round"),
    }
    for clause in ("RSV-3", "ABIL-2")
}
"""The words of refusals by the clause of each way to arrive."""


def why_not_now(play: Play, unit: int) -> IllegalCommand | None:
    """Why a unit does not arrive in this step; None if it may."""
    name = play.game.names[unit]
    if play.state.units[unit].where != RESERVE:
        return IllegalCommand("not-in-reserves", "MOVE-10", f"{name} is not in Reserves", name)
    if not late_enough(play) and deep_strike(play, unit) is None:
        return IllegalCommand("too-early", "RSV-4", f"{name} does not arrive in the first battle round", name)
    if unit not in may_arrive(play, play.game.sides[unit]):
        return IllegalCommand("no-room", "SETUP-3", f"{name} finds no room, or arrived before", name)
    return None


DENIES = "Denies Reinforcements"


@cites("PRIO-3")
def reinforcement_gaps(play: Play, unit: int) -> bytes:
    """PRIO-3: more than 9" from every enemy, and further from those that deny Reinforcements."""
    lookups = index_of(play.game)
    side = play.game.sides[unit]
    if DENIES not in lookups.abilities[1 - side]:
        known = play.game.gap_codes.get((DENIES, side))
        if known is None:
            known = play.game.gap_codes[DENIES, side] = gap_codes(play.game, unit, TOUCH, further_than(AWAY))
        return known
    further: dict[int, int] = {}
    for k in dict.fromkeys([play.state.owner_of(slot) for slot in _deniers(play.game, 1 - side)]):
        for slot in lookups.having(play.state.units[k].living, DENIES):
            far = lookups.fighters[slot].rating(DENIES)
            further[k] = further_than(max(AWAY, int(far or 0) * INCH))
    key = DENIES, side, tuple(further.items())
    found = play.game.gap_codes.get(key)
    if found is None:
        near = {k: TOUCH if held == side else further_than(AWAY) for k, held in enumerate(play.game.sides)}
        found = play.game.gap_codes[key] = gaps(len(near), TOUCH, {**near, **further})
    return found


def _deniers(game: Game, side: int) -> tuple[int, ...]:
    """The models of an army that deny Reinforcements, there or not: found once a game."""
    lookups = index_of(game)
    found = lookups.flown.get((DENIES, side))
    if not isinstance(found, tuple):
        own = [slot for slot, card in enumerate(game.card_of) if card.side == side]
        found = lookups.flown[DENIES, side] = lookups.having(tuple(own), DENIES)
    return found


def arrived(play: Play, unit: int, how: str, *clauses: str) -> None:
    """RESV-2, RSV-5, ARRIVE-1: it has arrived, counts as having made a Normal move, and moves no further in this phase.

    ``clauses``: those by which it counts so, where it came otherwise than from Reserves.
    """
    marks = [Marked(unit, WAITS, None), Marked(unit, MUST_ARRIVE, None), Marked(unit, REPOSITIONED, None)]
    marks += [lasting(play.game, unit, MOVED, TURN)]  # RESV-2
    marks += [lasting(play.game, unit, ARRIVED, TURN)]  # ARRIVE-1
    tests = missed_its_test(play, unit)
    if play.state.units[unit].mark(AWAY_IN_COMMAND) is not None:
        marks.append(Marked(unit, AWAY_IN_COMMAND, None))
    play.emit("reinforced", clauses or ARRIVED_BY, Done(unit, True), *marks, unit=unit, how=how)
    if tests:
        shock(play, unit, "REPOS-4")


ARRIVED_BY = ("RESV-2", "ARRIVE-1")


@cites("REPOS-4")
def missed_its_test(play: Play, unit: int) -> bool:
    """REPOS-4: Below Half-strength, and off the battlefield in its owner's Command phase after it had stood there."""
    if play.state.units[unit].mark(AWAY_IN_COMMAND) is None:
        return False
    return is_below_half(play.game, play.state, host_of(play.game, play.state, unit))


RESERVES = Reserves((Arrival(STRATEGIC, strategic), Arrival(DEEP_STRIKE, deep_strike)), REFUSALS, arrived, "MOVE-10", "DP-20")


def may_arrive(play: Play, side: int) -> list[int]:
    """MOVE-10: the units that may arrive in this Reinforcements step."""
    return able(play, RESERVES, side)


def arrive_unit(play: Play, unit: int) -> None:
    """MOVE-10: a unit arrives."""
    play.emit("activated", ("MOVE-10",), Done(unit, True), unit=unit, action="arrive")
    arrive(play, RESERVES, unit)


def overdue(play: Play) -> bool:
    """STR-T3: who was removed into Strategic Reserves and must arrive in this step does, if there is a legal place.

    Whether there was somebody.
    """
    if MUST_ARRIVE not in play.game.words(play.state):
        return False
    must = [k for k in waiting(play, play.state.clock.active) if play.state.units[k].mark(MUST_ARRIVE) is not None]
    due = [unit for unit in must if may_come(play, RESERVES, unit)]
    for unit in due:
        arrive_unit(play, unit)
    return bool(due)


@cites("RESV-3")
def never_arrived(play: Play) -> None:
    """RESV-3: at the end of the battle units not set up, and whoever is aboard them, count as destroyed."""
    if play.state.clock.round < LAST_ROUND:
        return
    for side in (0, 1):
        for unit in play.game.units_of[side]:
            for lost in (unit, *passengers(play.state, unit)) if is_reserve(play, unit) else ():
                lose_all(play, lost, "RESV-3", "DEST-4")


@cites("RESV-1")
def is_reserve(play: Play, unit: int) -> bool:
    """RESV-1: whether a unit waits off the battlefield, and not in a TRANSPORT that stands on it."""
    return play.state.units[unit].where == RESERVE and bool(play.state.units[unit].living)


def to_reserves(play: Play, unit: int, mode: str, *clauses: str) -> None:
    """A unit goes (back) into Reserves."""
    play.emit("reserved", clauses, Went(unit, RESERVE), Marked(unit, WAITS, mode), unit=unit, how=mode)
