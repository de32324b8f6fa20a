"""Moving (MOVE, COH, ER, FLY): the kinds of move, and what keywords change about them."""

from __future__ import annotations

import struct
from functools import lru_cache
from itertools import chain
from typing import Final

from msgspec.structs import replace

from rolloff.editions.commentary import places
from rolloff.editions.commentary.climbing import judged
from rolloff.editions.commentary.footing import placed_high
from rolloff.editions.commentary.ground import barred_by, ends_on, hanging
from rolloff.editions.commentary.hulls import clear_zones, hulls_near, set_clear_of_hulls
from rolloff.editions.commentary.lookups import BIG, GRANT, Gait, Host, host_of, index_of
from rolloff.editions.commentary.storeys import drop_of, z_of
from rolloff.editions.commentary.unit_values import auras_for, effects_on, persisting
from rolloff.editions.commentary.values import MOVE, Effect, Op, evaluate, replaced
from rolloff.errors import IllegalCommand
from rolloff.geometry.measure import slots_of
from rolloff.geometry.moves import (
    FREE,
    KEEP,
    TOUCH,
    Code,
    Coherency,
    Leeway,
    Order,
    Permit,
    Verdict,
    over,
)
from rolloff.lengths import INCH
from rolloff.rules.citing import cites
from rolloff.rules.effects import lasting
from rolloff.rules.game import Game
from rolloff.rules.movement import MoveKind, Movement, rolled
from rolloff.rules.play import Play
from rolloff.table.event import Marked
from rolloff.table.profile import DiceRoll, Rule
from rolloff.table.state import TABLE, Marks, State, Unit

ENGAGEMENT: Final = over(INCH + places.EPSILON)
"""ER-2: more than an inch away."""
PASSING: Final = ENGAGEMENT  # ER-3
"""ER-3: nor does a Normal move or Advance pass nearer."""
LEEWAY: Final = Leeway(
    move=places.EPSILON, gap=places.EPSILON, contact=places.CONTACT, overlap=places.CONTACT, edge=places.EPSILON
)
NORMAL, ADVANCE, FALL_BACK, STATIONARY = "normal", "advance", "fall-back", "stationary"
MOVED, ADVANCED, FELL_BACK = "moved", "advanced", "fell-back"
NO_CHARGE: Final = "no-charge"
"""TRANS-6, TRANS-8: it does not declare a charge this turn; of who got out of a wreck the value of the mark says so."""
WRECKED: Final = "TRANS-8"
"""What the mark of who got out of a wreck says."""
ROLLED: Final = "rolled:"
"""How the mark begins that says what a unit rolled for its Move: ``rolled:2D6=7`` (DICE-5)."""
TURN: Final = "end-turn"
REFUSALS: Final = {
    Code.TOO_LONG: ("MOVE-5", "{who} would go further than it may"),
    Code.OFF_TABLE: ("GEO-4", "{who} would leave the battlefield"),
    Code.GAP_UNIT: ("ER-2", "{who} would come within Engagement Range of {what}"),
    Code.PASSED_BY: ("ER-3", "{who} would pass within Engagement Range of {what}"),
    Code.ON_FRIEND: ("GEO-4", "{who} would end on {what}"),
    Code.ON_TARGET: ("GEO-4", "{who} would end on {what}"),
    Code.THROUGH_FRIEND: ("MOVE-2", "{who} would cross {what}"),
    Code.OVERLAP: ("GEO-4", "{who} would end on {what}"),
    Code.IMPASSABLE: ("MOVE-9", "{who} can neither pass nor end on {what}"),
    Code.INCOHERENT: ("COH-3", "the unit would not end coherent ({who} is astray)"),
    Code.NO_CONTACT: ("CHG-3", "the unit would not end within Engagement Range of {what}"),
    Code.FURTHER: ("CHG-4", "{who} would not end closer to a target"),
    Code.PIVOT: ("AIR-2", "{who} would turn further or more often than it may"),
    Code.SIDEWAYS: ("AIR-2", "{who} flies straight ahead"),
    Code.OFF_LIMITS: ("MIS-5", "{who} may not go there"),
    Code.NO_SUCH_MODEL: ("MOVE-2", "the move does not fit the models of the unit"),
    Code.OUTSIDE_ZONE: ("MIS-5", "{who} would stand outside the zone"),
    Code.TOO_FAR: ("TRANS-4", "{who} would be too far away"),
    Code.BAD_START: ("TRANS-4", "{who} cannot begin there"),
    Code.STUCK: ("UNIT-2", "{who} cannot move"),
}


LINKED: Final = Coherency(2 * INCH, connected=True, need=1, rise=5 * INCH)
LINKED_TWICE: Final = Coherency(2 * INCH, connected=True, need=2, rise=5 * INCH)


def got_out_by(held: Unit) -> str:
    """The clause by which a unit that got out of a TRANSPORT moves no further and declares no charge: TRANS-6 or TRANS-8."""
    return WRECKED if held.mark(NO_CHARGE) == WRECKED else "TRANS-6"


@cites("EMB-1")
def off_table(held: Unit, clause: str) -> str:
    """EMB-1: why a unit that is not on the battlefield does nothing: it is embarked, or the clause of what it would do."""
    return "EMB-1" if held.where >= 0 else clause


@cites("COH-1", "COH-2")
def coherency_for(models: int) -> Coherency:
    """COH-1, COH-2: one group, each model within 2" and 5" up or down of another, or of two where there are seven or more."""
    return LINKED_TWICE if models >= 7 else LINKED


def coherency_of(game: Game, state: State, unit: int) -> Coherency:
    """The coherency a unit has to keep."""
    return coherency_for(len(state.units[unit].living))


def move_of(game: Game, state: State, unit: int) -> int:
    """MOVE-5: how far every model of a unit may go that can move at all, in thou; -1: none can (UNIT-2)."""
    return _moves(game, state, unit, host_of(game, state, unit))[0]


def has_move(game: Game, state: State, unit: int) -> bool:
    """UNIT-2: whether a unit can move at all; a Move that is a number stays one, whatever changes it (MODCH-7)."""
    return index_of(game).mobile(host_of(game, state, unit).slots) or move_of(game, state, unit) >= 0


@cites("UNIT-2")
def rooted(game: Game, state: State, unit: int) -> tuple[int, ...]:
    """UNIT-2, MOVE-2: the models of a unit that cannot move; others of it may."""
    if index_of(game).mobile(host_of(game, state, unit).slots):
        return ()
    return tuple([slot for slot, far in moves_of(game, state, unit).items() if far < 0])


def moves_of(game: Game, state: State, unit: int) -> dict[int, int]:
    """The Move of each model of a unit in thou, not its fellows'; -1 where it has none (UNIT-2)."""
    lookups, host = index_of(game), host_of(game, state, unit)
    far = _moves(game, state, unit, host)[1]
    by_kind = {id(lookups.fighters[slot]): move for slot, move in far.items()}
    return {slot: far[slot] if slot in far else by_kind[id(lookups.fighters[slot])] for slot in host.slots}


def _moves(game: Game, state: State, unit: int, host: Host) -> tuple[int, dict[int, int]]:
    """The least Move of those who can move, and that of each kind of model; kept by what changes it, but for single models."""
    lookups = index_of(game)
    if state.models and lookups.singled(state):
        far = _kinds_move(game, state, unit, host)
        return _least(far), far
    held = state.units[unit].marks
    led = held if host.unit == unit else persisting(state, host.unit)
    if held:
        held = _telling(held)
    if led:
        led = _telling(led)
    auras = auras_for(game, state, host, MOVE) if lookups.auras_of[game.sides[host.unit]] else ()
    key: object = (host, held, led, auras) if held or led or auras else host
    found = lookups.moves.get(key)
    if found is None:
        far = _kinds_move(game, state, unit, host)
        found = lookups.moves[key] = _least(far), far
    return found


def _least(far: dict[int, int]) -> int:
    """The least of some Moves that are any; -1 without one."""
    return min([move for move in far.values() if move >= 0], default=-1)


@lru_cache(maxsize=1024)
def _telling(marks: Marks) -> Marks:
    """Those of a unit's marks that say how far it goes: abilities it has for a while, what it rolled, and that it hovers."""
    return tuple([mark for mark in marks if mark[0] == "hovers" or mark[0].startswith((GRANT, ROLLED))])


PRINTED: Final[tuple[str, tuple[Rule, ...]]] = (MOVE, ())
"""What changes the Move of a model that has no abilities but those of its datasheet, as `effects_on` keeps it."""


def _kinds_move(game: Game, state: State, unit: int, host: Host) -> dict[int, int]:
    """The Move of one model of each kind a unit has, by its slot; of every model where some have abilities of their own."""
    lookups = index_of(game)
    found: dict[int, int] = {}
    hovers = hovering(state, unit) if state.units[unit].marks else ()
    more = host.guests or lookups.items or lookups.auras_of[game.sides[unit]] or state.models or persisting(state, host.unit)
    for slot in lookups.kinds(state, host.slots):
        fighter = lookups.fighters[slot]
        effects = None if more else fighter.effects.get(PRINTED)
        if effects is None:
            effects = effects_on(game, state, host, slot, MOVE)
        value = evaluate(MOVE, fighter.profile.move, effects + hovers)
        if type(value) is str and fighter.move_dice is not None:
            far = rolled_move(state, host.unit, fighter.move_dice)
            value = evaluate(MOVE, bounds(fighter.move_dice)[1] if far is None else far, effects + hovers)
        found[slot] = value * INCH if isinstance(value, int) else -1
    return found


# -- a random Move ---------------------------------------------------------------------------------


def bounds(dice: DiceRoll) -> tuple[int, int]:
    """The least and the most some dice can show."""
    return dice.count + dice.plus, dice.count * dice.sides + dice.plus


def rolled_move(state: State, unit: int, dice: DiceRoll) -> int | None:
    """What a unit rolled with such dice for its Move, in inches; None before it was selected to move."""
    begin, (least, most) = f"{ROLLED}{dice}=", bounds(dice)
    said = [name.removeprefix(begin) for name, _ in state.units[unit].marks if name.startswith(begin)]
    return next((int(text) for text in said if text.isdecimal() and least <= int(text) <= most), None)


def move_dice(game: Game, state: State, host: Host) -> tuple[DiceRoll, ...]:
    """The dice of the random Moves in a unit, each once; not where a number has taken their place (MOD-2)."""
    lookups, found = index_of(game), list[DiceRoll]()
    for slot in lookups.kinds(state, host.slots) if lookups.random_moves else ():
        dice = lookups.fighters[slot].move_dice
        effects = effects_on(game, state, host, slot, MOVE) + hovering(state, host.unit)
        if dice is not None and isinstance(replaced(str(dice), effects), str):
            found.append(dice)
    return tuple(dict.fromkeys(found))


@cites("DICE-5")
def roll_move(play: Play, unit: int) -> None:
    """DICE-5: a random Move is rolled once for the whole unit when it is selected to move, and stands for that move."""
    dice = move_dice(play.game, play.state, host_of(play.game, play.state, unit))
    if not dice:
        return
    before = [Marked(unit, name, None) for name, _ in play.state.units[unit].marks if name.startswith(ROLLED)]
    rolls = [(roll, rolled(play, unit, roll, "move", "DICE-5") // INCH) for roll in dice]
    marks = [lasting(play.game, unit, f"{ROLLED}{roll}={far}", "end-phase") for roll, far in rolls]
    play.emit("move-rolled", ("DICE-5",), *before, *marks, unit=unit)


@cites("MOVE-5")
def faster(play: Play, unit: int) -> tuple[tuple[int, int], ...]:
    """MOVE-5: each model goes as far as its own Move: by how much those may go further whose Move is above the least."""
    game, state = play.game, play.state
    if len(index_of(game).kinds(state, state.units[unit].living)) == 1:
        return ()
    least, far = _moves(game, state, unit, host_of(game, state, unit))
    if max(far.values(), default=least) == least:
        return ()
    moves = moves_of(game, state, unit)
    return tuple((slot, far - least) for slot, far in moves.items() if far > least)


@cites("ABIL-11")
def hovering(state: State, unit: int) -> tuple[Effect, ...]:
    """ABIL-11: for a unit that hovers M becomes 20"."""
    return (Effect(MOVE, Op.SET, 20, ("ABIL-11",)),) if state.units[unit].mark("hovers") is not None else ()


def full_move(play: Play, unit: int) -> int:
    """MOVE-5: up to M inches."""
    return max(0, move_of(play.game, play.state, unit))


def no_distance(play: Play, unit: int) -> int:
    """What is rolled for, or given as an argument, alone."""
    return 0


def did(name: str) -> tuple[tuple[str, str], ...]:
    """The mark of what a unit did this turn."""
    return ((name, TURN),)


@cites("COH-3")
def must_cohere(play: Play, order: Order, verdict: Verdict) -> None:
    """COH-3: whoever moves ends coherent; a unit that cannot stays where it is."""
    if verdict.longest and not verdict.coherent:
        raise IllegalCommand("incoherent", "COH-3", "the unit would not end coherent", None)


def left_behind(play: Play, order: Order, verdict: Verdict) -> bool:
    """MOVE-7: whether a model that does not move stands within Engagement Range of an enemy, AIRCRAFT aside (AIR-4)."""
    state = play.state
    ends = zip(slots_of(play.scene, order.unit), struct.iter_unpack("<2i", verdict.ends), strict=True)
    still = tuple([slot for slot, end in ends if end == state.at(slot)])
    if still and verdict.levels:  # who went straight up or down is judged where he ends
        levels = dict(zip(slots_of(play.scene, order.unit), memoryview(verdict.levels).cast("i"), strict=True))
        still = tuple([slot for slot in still if levels[slot] == memoryview(state.z).cast("i")[slot]])
    return bool(still and engaged_of(play, order.unit, still))


def engaged_of(play: Play, unit: int, slots: tuple[int, ...]) -> frozenset[int]:
    """Those of some models of a unit that stand within Engagement Range of an enemy, AIRCRAFT aside (AIR-4)."""
    game, state = play.game, play.state
    planes = {k for k in index_of(game).aircraft if state.units[k].mark("hovers") is None}
    others = [k for k in game.standing(state)[1 - game.sides[unit]] if k not in planes]
    enemies = tuple([slot for k in others for slot in state.units[k].living])
    return places.engaged(game, state, slots, enemies) if enemies else frozenset()


@cites("MOVE-7")
def must_get_away(play: Play, order: Order, verdict: Verdict) -> None:
    """MOVE-7: a Fall Back ends within Engagement Range of nobody."""
    must_cohere(play, order, verdict)
    if left_behind(play, order, verdict):
        name = play.game.names[order.unit]
        raise IllegalCommand("still-engaged", "MOVE-7", f"{name} would end within Engagement Range", name)


def too_far(clause: str) -> dict[Code, tuple[str, str]]:
    """The words for going further than a kind of move allows."""
    return {Code.TOO_LONG: (clause, REFUSALS[Code.TOO_LONG][1])}


KINDS: Final = {
    NORMAL: MoveKind(
        NORMAL,
        "MOVE-5",
        full_move,
        TOUCH,
        ENGAGEMENT,
        FREE,
        PASSING,
        marks=did(MOVED),
        cohere=KEEP,
        also=must_cohere,
        point="DP-15",
        further=faster,
    ),
    ADVANCE: MoveKind(
        ADVANCE,
        "MOVE-6",
        full_move,
        TOUCH,
        ENGAGEMENT,
        FREE,
        PASSING,
        dice=DiceRoll(1, 6),  # MOVE-6
        refusals=too_far("MOVE-6"),
        marks=(*did(MOVED), *did(ADVANCED)),  # MOVE-6
        cohere=KEEP,
        also=must_cohere,
        point="DP-15",
        further=faster,
    ),
    FALL_BACK: MoveKind(
        FALL_BACK,
        "MOVE-7",
        full_move,
        TOUCH,
        ENGAGEMENT,
        FREE,
        FREE,
        refusals=too_far("MOVE-7"),
        marks=(*did(MOVED), *did(FELL_BACK)),
        cohere=KEEP,
        also=must_get_away,
        point="DP-15",
        further=faster,
    ),
}


def adapt(play: Play, kind: MoveKind, order: Order) -> Order:
    """What keywords and terrain change about a plain order: walls, markers, flying, and big models in each other's way.

    Where models differ, the order is that of a model which may nothing, and says which of them may more.
    """
    game, state, unit = play.game, play.state, order.unit
    gaits, airborne = index_of(game).gaits(state.units[unit].living), kind.name in FLOWN
    gait = gaits[0][0] if len(gaits) == 1 else _least_able([gait for gait, _ in gaits])
    way, crossed = _way_by(play, unit, order.way, gait, airborne)
    flat = places.level(state.z)
    high = not flat and bool(hanging(game)) and any(z_of(play, slot) for slot in state.units[unit].living)
    barred = barred_by(game, gait.slips, airborne and gait.flies, high)
    permits: tuple[Permit, ...] = ()
    still = rooted(game, state, unit) if gait.rooted and len(gaits) > 1 else order.still
    if crossed or len(gaits) > 1:
        rows = [(slots, *_way_by(play, unit, order.way, own, airborne), own) for own, slots in gaits]
        bars = {own: barred_by(game, own.slips, airborne and own.flies, high) for own, _ in gaits}
        found = [Permit(slots, its, bars[own], them) for slots, its, them, own in rows]
        permits = tuple([permit for permit in found if (permit.way, permit.barred, permit.over) != (way, barred, ())])
    flying = airborne and (gait.flies or (len(gaits) > 1 and any(own.flies for own, _ in gaits)))
    end = landed(order.end) if flying else order.end
    back = 0 if flat else min(drop_of(play, unit), order.allowance)
    far = order.allowance - back
    return replace(order, allowance=far, kept_back=back, way=way, end=end, barred=barred, permits=permits, still=still)


def _least_able(gaits: list[Gait]) -> Gait:
    """How a unit goes of which nobody does what another may not."""
    flies, slips = [bool(gaits) and all(gait[k] for gait in gaits) for k in (0, 1)]
    return Gait(flies, slips, any(gait.big for gait in gaits), any(gait.rooted for gait in gaits))


def _way_by(play: Play, unit: int, way: bytes, gait: Gait, airborne: bool) -> tuple[bytes, tuple[int, ...]]:
    """How near to each unit models of a gait may pass, and single models of others that they may cross for all that."""
    crossed: tuple[int, ...] = ()
    if airborne and gait.flies:
        way = over_models(way)
    elif gait.big:
        way, crossed = around_big(play, unit, way)
    return (over_aircraft(play, unit, way) if index_of(play.game).aircraft else way), crossed


FLOWN: Final = frozenset({NORMAL, ADVANCE, FALL_BACK, "charge", "scout"})  # FLY-4
"""The moves in which models with FLY fly (FLY-2, FLY-4)."""


FREELY: Final = struct.pack("<i", FREE)


@cites("FLY-2", "FLY-3", "MOM-1")
def over_models(way: bytes) -> bytes:
    """FLY-2, FLY-3, MOM-1: those who fly cross any model, and pass within Engagement Range."""
    return FREELY * (len(way) // 4)


@cites("MOM-2")
@cites("MOM-3")
def landed(end: bytes) -> bytes:
    """MOM-2, MOM-3: who crosses models ends on none, and within Engagement Range of none but the targets of its charge."""
    return end


@cites("AIR-4")
def over_aircraft(play: Play, unit: int, way: bytes) -> bytes:
    """AIR-4: any model moves over AIRCRAFT and through their Engagement Range."""
    units = play.state.units
    there = [
        k for k in index_of(play.game).aircraft if k != unit and units[k].where == TABLE and units[k].mark("hovers") is None
    ]
    return _recoded(way, there, FREE) if there else way


@cites("MOVE-2")
def around_big(play: Play, unit: int, way: bytes) -> tuple[bytes, tuple[int, ...]]:
    """MOVE-2: a MONSTER or VEHICLE does not cross a friendly MONSTER or VEHICLE; but who is with one and is none (KEYW-4)."""
    lookups, units = index_of(play.game), play.state.units
    friends = play.game.standing(play.state)[play.game.sides[unit]]
    big = [k for k in friends if k != unit and not BIG.isdisjoint(lookups.words(units[k].living))]
    big = [k for k in big if way[4 * k : 4 * k + 4] == FREELY]
    if not big:
        return way, ()
    small = [slots for k in big for gait, slots in lookups.gaits(units[k].living) if not gait.big]
    return _recoded(way, big, TOUCH), tuple(chain.from_iterable(small))


def _recoded(way: bytes, units: list[int], code: int) -> bytes:
    """Gap codes with those of some units changed."""
    codes, packed = bytearray(way), struct.pack("<i", code)
    for k in units:
        codes[4 * k : 4 * k + 4] = packed
    return bytes(codes)


MOVEMENT: Final = Movement(
    coherency_of,
    REFUSALS,
    LEEWAY,
    adapt,
    judge=judged,
    place=placed_high,
    clear=set_clear_of_hulls,
    wary=hulls_near,
    rooms=clear_zones,
    ends_on=ends_on,
)
