"""Aircraft (AIR, MIN): straight ahead at least 20", then a turn on the spot; over the edge means back into Reserves."""

from __future__ import annotations

import struct
from typing import NamedTuple

from rolloff.editions.commentary import places
from rolloff.editions.commentary.formations import REPOSITIONED, WAITS
from rolloff.editions.commentary.hulls import set_clear_of_hulls
from rolloff.editions.commentary.lookups import UnitIndex
from rolloff.editions.commentary.moving import MOVED, NORMAL, REFUSALS, TURN
from rolloff.editions.commentary.roster import AIRCRAFT
from rolloff.errors import IllegalCommand
from rolloff.geometry.moves import Code, March, Shift, Stay, Verdict
from rolloff.geometry.place import lawful_place
from rolloff.geometry.trig import turned
from rolloff.lengths import INCH
from rolloff.rules.answers import ByWay, Placement
from rolloff.rules.citing import cites
from rolloff.rules.effects import lasting
from rolloff.rules.movement import ENDED, STARTS, alive
from rolloff.rules.moves import refuse
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
    """Where a straight leg ends, how long it is, and the turn after it in tenths of a degree, if its owner said one."""

    x: int
    y: int
    far: int
    turn: int | None = None


@cites("AIR-2", "AIR-3", "MIN-1")
def fly(play: Play, unit: int) -> None:
    """AIR-2, AIR-3: at least 20" straight ahead and a turn of up to 90 degrees; else it leaves the table."""
    window(play, Moment(NORMAL + STARTS, unit))
    if not alive(play, unit):
        return
    flight = _leg(play, unit)
    if flight is None:
        gone = Went(unit, RESERVE), Marked(unit, WAITS, AIRCRAFT), Marked(unit, REPOSITIONED, 1)
        play.emit("reserved", ("AIR-3",), *gone, unit=unit, how=AIRCRAFT)
        return
    slot = play.state.units[unit].living[0]
    start, facing, end = play.state.at(slot), play.state.facing_of(slot), (flight.x, flight.y)
    patch = Placed((slot,), struct.pack("<2i", *end), bytes(4), struct.pack("<h", facing))
    marks = lasting(play.game, unit, MOVED, TURN)
    play.emit("moved", ("AIR-2", "MIN-1"), patch, marks, unit=unit, action=NORMAL, longest=flight.far)
    window(play, Moment("flown", unit, (), False, (("from", start), ("to", end))))
    if not alive(play, unit):
        return
    _turn(play, unit, slot, flight.turn)
    window(play, Moment(NORMAL + ENDED, unit))


def _turn(play: Play, unit: int, slot: int, turn: int | None) -> None:
    """AIR-2: after the straight leg, and what comes just after that, the turn on the spot that its owner says."""
    if turn is None:
        turns, owner = tuple(str(turn // 10) for turn in TURNS), play.game.side_of(unit)
        turn = int(str(play.choose(owner, "number", "AIR-2", turns, "0", unit, "DP-15", purpose="turn"))) * 10
    if turn:
        xy, facing = struct.pack("<2i", *play.state.at(slot)), (play.state.facing_of(slot) + turn) % 3600
        play.emit("turned", ("AIR-2",), Placed((slot,), xy, bytes(4), struct.pack("<h", facing)), unit=unit)


def _leg(play: Play, unit: int) -> Flight | None:
    """The straight leg its owner names, by whole inches or by the way itself; None: it leaves the table (AIR-3)."""
    options = (*(str(leg) for leg in lawful_legs(play, unit)), LEAVES)
    if len(options) == 1 and not play.oracle.strict:
        return None
    play.alone = len(options) == 1

    def judged(answer: object) -> Flight | None:
        if isinstance(answer, March | Shift | Stay):
            return _way(play, unit, answer)
        if answer not in options:
            raise IllegalCommand("not-offered", "AIR-2", f"{answer!r} is not among what is offered", str(answer))
        far = LEAST if answer == LEAVES else int(str(answer))
        return None if answer == LEAVES else Flight(*_ahead(play, unit, far * INCH), far * INCH)

    owner = play.game.side_of(unit)
    request = Request(owner, "number", "AIR-2", options, options[0], unit, "DP-15", ByWay(), (("purpose", "fly"),))
    found = play.ask(request, judged)
    play.alone = False
    return found


def _way(play: Play, unit: int, wish: March | Shift | Stay) -> Flight | None:
    """AIR-2, AIR-3, MIN-1: a way as it is written: straight ahead, 20" at least, then one turn of up to 90 degrees."""
    slot = play.state.units[unit].living[0]
    (x, y), facing, who = play.state.at(slot), play.state.facing_of(slot), play.game.models[slot].id
    poses = wish.paths((slot,))[slot] if isinstance(wish, March) else []
    ends = [(x + wish.dx, y + wish.dy, -1)] if isinstance(wish, Shift) else poses
    legs = [turned(px - x, py - y, -facing % 3600) for px, py, _ in ends]
    end = ends[-1] if ends else (x, y, -1)
    early = [turn for *_, turn in ends[:-1] if turn not in (-1, facing)]
    if early or any(abs(across) > places.CONTACT or ahead < 0 for ahead, across in legs):
        raise IllegalCommand("sideways", "AIR-2", f"{who} flies straight ahead", who)
    far = legs[-1][0] if legs else 0
    if not places.at_least(far, LEAST * INCH):
        raise IllegalCommand("too-short", "MIN-1", f'{who} flies at least {LEAST}"', who)
    turn = 0 if end[2] < 0 else (end[2] - facing + 1800) % 3600 - 1800
    if abs(turn) > 900:
        raise IllegalCommand("pivot", "AIR-2", f"{who} would turn by more than 90 degrees", who)
    verdict = _placed_at(play, unit, end[0], end[1])
    if verdict.code == Code.OFF_TABLE:
        return None
    if verdict.code:
        raise refuse(play.game, verdict, REFUSALS)
    return Flight(end[0], end[1], far, turn)


def _ahead(play: Play, unit: int, far: int) -> tuple[int, int]:
    slot = play.state.units[unit].living[0]
    x, y = play.state.at(slot)
    dx, dy = turned(far, 0, play.state.facing_of(slot))
    return x + dx, y + dy


def _placed_at(play: Play, unit: int, x: int, y: int) -> Verdict:
    """Whether its base may stand there: on the table, on nobody, and outside Engagement Range."""
    from rolloff.editions.commentary.deploying import clear_of_enemies, zone  # placing asks where units may stand

    where, slots, end = (
        zone(play, unit, clear_of_enemies(play, unit)),
        play.state.units[unit].living[:1],
        struct.pack("<2i", x, y),
    )
    verdict = lawful_place(play.scene, slots, where, end)
    there = Placement(slots, end, struct.pack("<h", play.state.facing_of(slots[0])))
    return (set_clear_of_hulls(play, where, there, play.scene) or verdict) if verdict.legal else verdict


def lawful_legs(play: Play, unit: int) -> list[int]:
    """MIN-1: the whole inches straight ahead, 20 or more, after which the base stands on the table and on nobody."""
    width, height = play.game.field.width, play.game.field.height
    found = []
    for inches in range(LEAST, (width + height) // INCH):
        x, y = _ahead(play, unit, inches * INCH)
        if not (0 <= x <= width and 0 <= y <= height):
            break
        if _placed_at(play, unit, x, y).legal:
            found.append(inches)
    return found
