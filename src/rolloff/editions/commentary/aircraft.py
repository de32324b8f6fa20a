"""Aircraft (AIR, MIN): straight ahead at least 20", then a turn on the spot; over the edge means back into Reserves."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

from rolloff.editions.commentary import places
from rolloff.editions.commentary.formations import REPOSITIONED, WAITS
from rolloff.editions.commentary.lookups import UnitIndex
from rolloff.editions.commentary.moving import MOVED, NORMAL, REFUSALS, TURN
from rolloff.editions.commentary.roster import AIRCRAFT
from rolloff.errors import IllegalCommand
from rolloff.geometry.measure import slots_of
from rolloff.geometry.moves import UNSAID, March, Pose, Shift, Stay
from rolloff.geometry.plain.convex import extent
from rolloff.geometry.trig import turned
from rolloff.lengths import INCH
from rolloff.rules.answers import ByWay, Placement
from rolloff.rules.citing import cites
from rolloff.rules.effects import lasting
from rolloff.rules.movement import ENDED, STARTS, alive
from rolloff.rules.moves import Setting, judge_place
from rolloff.rules.play import Play
from rolloff.rules.windows import Moment, window
from rolloff.table.event import Marked, Placed, Went
from rolloff.table.request import Request
from rolloff.table.state import RESERVE

LEAST = 20
LEAVES = "leave"
TURNS = tuple(range(-900, 901, 450))


def is_aircraft(play: Play, unit: int) -> bool:
    """Whether a unit is AIRCRAFT and does not hover."""
    lookups: UnitIndex = play.game.lookups
    if unit not in lookups.may_fly:
        return False
    held = play.state.units[unit]
    return "AIRCRAFT" in lookups.words(held.living) and held.mark("hovers") is None


class Flight(NamedTuple):
    """Where the straight leg of a model ends, how long it is, and what its owner said: the turn after it, the height there."""

    x: int
    y: int
    far: int
    turn: int | None = None
    z: int = UNSAID


Flights = dict[int, Flight]
"""Those of all models of a unit, by slot."""


@cites("AIR-2", "AIR-3", "MIN-1")
def fly(play: Play, unit: int) -> None:
    """AIR-2, AIR-3: at least 20" straight ahead and a turn of up to 90 degrees; else it leaves the table."""
    window(play, Moment(NORMAL + STARTS, unit))
    if not alive(play, unit):
        return
    flights = _legs(play, unit)
    there = None if flights is None else _set_down(play, unit, flights)
    if flights is None or there is None:
        gone = Went(unit, RESERVE), Marked(unit, WAITS, AIRCRAFT), Marked(unit, REPOSITIONED, 1)
        play.emit("reserved", ("AIR-3",), *gone, unit=unit, how=AIRCRAFT)
        return
    starts = {slot: play.state.at(slot) for slot in flights}
    patch = Placed(there.slots, there.xy, there.levels or bytes(4 * len(flights)), there.facings)
    marks, longest = lasting(play.game, unit, MOVED, TURN), max(flight.far for flight in flights.values())
    play.emit("moved", ("AIR-2", "MIN-1"), patch, marks, unit=unit, action=NORMAL, longest=longest)
    for slot, flight in flights.items():
        window(play, Moment("flown", unit, (), False, (("from", starts[slot]), ("to", flight[:2]))))
    if not alive(play, unit):
        return
    _turn(play, unit, {slot: flights[slot].turn for slot in slots_of(play.scene, unit)})
    window(play, Moment(NORMAL + ENDED, unit))


def _turn(play: Play, unit: int, said: dict[int, int | None]) -> None:
    """AIR-2: after the straight leg, and what comes just after that, the turn on the spot that its owner says."""
    if None in said.values():
        options, owner = tuple(str(turn // 10) for turn in TURNS), play.game.side_of(unit)
        answer = play.choose(owner, "number", "AIR-2", options, "0", unit, "DP-15", purpose="turn")
        said = dict.fromkeys(said, int(str(answer)) * 10)
    if any(said.values()):
        xy = b"".join([struct.pack("<2i", *play.state.at(slot)) for slot in said])
        z = b"".join([play.state.z[4 * slot : 4 * slot + 4] for slot in said])
        turns = [(play.state.facing_of(slot) + (turn or 0)) % 3600 for slot, turn in said.items()]
        play.emit("turned", ("AIR-2",), Placed(tuple(said), xy, z, struct.pack(f"<{len(turns)}h", *turns)), unit=unit)


def _legs(play: Play, unit: int) -> Flights | None:
    """The straight legs their owner names, by whole inches or by the ways themselves; None: they leave the table (AIR-3)."""
    options = (*(str(leg) for leg in lawful_legs(play, unit)), LEAVES)
    if len(options) == 1 and not play.oracle.strict:
        return None
    play.alone = len(options) == 1

    def judged(answer: object) -> Flights | None:
        if isinstance(answer, March | Shift | Stay):
            return _ways(play, unit, answer)
        if answer not in options:
            raise IllegalCommand("not-offered", "AIR-2", f"{answer!r} is not among what is offered", str(answer))
        return None if answer == LEAVES else _ahead(play, unit, int(str(answer)) * INCH)

    owner = play.game.side_of(unit)
    request = Request(owner, "number", "AIR-2", options, options[0], unit, "DP-15", ByWay(), (("purpose", "fly"),))
    found = play.ask(request, judged)
    play.alone = False
    return found


def _ways(play: Play, unit: int, wish: March | Shift | Stay) -> Flights | None:
    """AIR-2, AIR-3, MIN-1: ways as they are written, which end on the table, on nobody and coherent."""
    slots = slots_of(play.scene, unit)
    paths = wish.paths(slots) if isinstance(wish, March) else {}
    if isinstance(wish, Shift):
        starts = {slot: play.state.at(slot) for slot in slots}
        paths = {slot: [(x + wish.dx, y + wish.dy, -1)] for slot, (x, y) in starts.items()}
    flights = {slot: _way(play, slot, paths.get(slot, [])) for slot in slots}
    if isinstance(wish, March) and wish.levels:
        said = zip(slots, memoryview(wish.levels).cast("i"), strict=True)
        flights |= {slot: flights[slot]._replace(z=z) for slot, z in said}
    return flights if _set_down(play, unit, flights) else None


def _way(play: Play, slot: int, poses: Sequence[Pose]) -> Flight:
    """AIR-2, MIN-1: the way of a model as it is written: straight ahead, 20" at least, then one turn of up to 90 degrees."""
    (x, y), facing, who = play.state.at(slot), play.state.facing_of(slot), play.game.models[slot].id
    legs = [turned(px - x, py - y, -facing % 3600) for px, py, _ in poses]
    end = poses[-1] if poses else (x, y, -1)
    early = [turn for *_, turn in poses[:-1] if turn not in (-1, facing)]
    if early or any(abs(across) > places.CONTACT or ahead < 0 for ahead, across in legs):
        raise IllegalCommand("sideways", "AIR-2", f"{who} flies straight ahead", who)
    far = legs[-1][0] if legs else 0
    if not places.at_least(far, LEAST * INCH):
        raise IllegalCommand("too-short", "MIN-1", f'{who} flies at least {LEAST}"', who)
    turn = 0 if end[2] < 0 else (end[2] - facing + 1800) % 3600 - 1800
    if abs(turn) > 900:
        raise IllegalCommand("pivot", "AIR-2", f"{who} would turn by more than 90 degrees", who)
    return Flight(end[0], end[1], far, turn)


def _ahead(play: Play, unit: int, far: int) -> Flights:
    """Where all models of a unit are that fly so far."""
    found: Flights = {}
    for slot in slots_of(play.scene, unit):
        (x, y), (dx, dy) = play.state.at(slot), turned(far, 0, play.state.facing_of(slot))
        found[slot] = Flight(x + dx, y + dy, far)
    return found


def _set_down(play: Play, unit: int, flights: Flights) -> Placement | None:
    """Models at the end of their flights, on the ground or what they may stand on; None where one is off the table (AIR-3).

    Refused where they may not stand: on somebody, within Engagement Range, or apart.
    """
    from rolloff.editions.commentary.deploying import clear_of_enemies, zone  # placing asks where units may stand

    if not _whole_on(play, flights):
        return None
    slots, where = tuple(flights), zone(play, unit, clear_of_enemies(play, unit))
    xy = b"".join([struct.pack("<2i", *flight[:2]) for flight in flights.values()])
    facings = b"".join([play.scene.facing[2 * slot : 2 * slot + 2] for slot in slots])
    high = [flight.z for flight in flights.values()]
    levels = struct.pack(f"<{len(high)}i", *high) if any(z != UNSAID for z in high) else b""
    return judge_place(play, Setting(slots, where), REFUSALS, Placement(slots, xy, facings, levels))


def _whole_on(play: Play, flights: Flights) -> bool:
    """Whether all models end their flights on the table."""
    return all(_on_the_table(play, slot, flight) for slot, flight in flights.items())


@cites("AIR-3", "GEO-4")
def _on_the_table(play: Play, slot: int, flight: Flight) -> bool:
    """AIR-3, GEO-4: whether no part of a base has crossed an edge at the end of a flight."""
    field, base = play.game.field, play.game.field.bases[slot]
    wide, high = extent(base.hl, base.hw, base.r, play.state.facing_of(slot))
    least, most = -places.EPSILON, places.EPSILON
    across = least <= flight.x - wide and flight.x + wide <= field.width + most
    return across and least <= flight.y - high and flight.y + high <= field.height + most


def lawful_legs(play: Play, unit: int) -> list[int]:
    """MIN-1: the whole inches straight ahead, 20 or more, after which all bases stand on the table and on nobody."""
    found, inches = [], LEAST
    while _whole_on(play, flights := _ahead(play, unit, inches * INCH)):
        with suppress(IllegalCommand):
            _set_down(play, unit, flights)
            found.append(inches)
        inches += 1
    return found
