"""Aircraft (AIR, MIN): straight ahead at least 20", then a turn on the spot; over the edge means back into Reserves."""

from __future__ import annotations

import struct

from rolloff.editions.commentary.formations import REPOSITIONED, WAITS
from rolloff.editions.commentary.lookups import index_of
from rolloff.editions.commentary.moving import MOVED, NORMAL, TURN
from rolloff.editions.commentary.roster import AIRCRAFT
from rolloff.geometry.place import lawful_place
from rolloff.geometry.trig import turned
from rolloff.lengths import INCH
from rolloff.rules.citing import cites
from rolloff.rules.effects import lasting
from rolloff.rules.movement import ENDED, STARTS, alive
from rolloff.rules.play import Play
from rolloff.rules.windows import Moment, window
from rolloff.table.event import Marked, Placed, Went
from rolloff.table.state import RESERVE

LEAST = 20
LEAVES = "leave"
TURNS = tuple(range(-900, 901, 450))


def is_aircraft(play: Play, unit: int) -> bool:
    """Whether a unit is AIRCRAFT and does not hover."""
    lookups = index_of(play.game)
    held = play.state.units[unit]
    return "AIRCRAFT" in lookups.words(held.living) and held.mark("hovers") is None


@cites("AIR-2", "AIR-3", "MIN-1")
def fly(play: Play, unit: int) -> None:
    """AIR-2, AIR-3: at least 20" straight ahead and a turn of up to 90 degrees; else it leaves the table."""
    window(play, Moment(NORMAL + STARTS, unit))
    if not alive(play, unit):
        return
    legs = lawful_legs(play, unit)
    owner = play.game.side_of(unit)
    options = (*(str(leg) for leg in legs), LEAVES)
    answer = play.choose(owner, "number", "AIR-2", options, options[0], unit, "DP-15", purpose="fly")
    if answer == LEAVES:
        play.emit(
            "reserved",
            ("AIR-3",),
            Went(unit, RESERVE),
            Marked(unit, WAITS, AIRCRAFT),
            Marked(unit, REPOSITIONED, 1),
            unit=unit,
            how=AIRCRAFT,
        )
        return
    slot = play.state.units[unit].living[0]
    start = play.state.at(slot)
    x, y = _ahead(play, unit, int(str(answer)))
    turns = tuple(str(turn // 10) for turn in TURNS)
    turn = int(str(play.choose(owner, "number", "AIR-2", turns, "0", unit, "DP-15", purpose="turn"))) * 10
    facing = (play.state.facing_of(slot) + turn) % 3600
    patch = Placed((slot,), struct.pack("<2i", x, y), bytes(4), struct.pack("<h", facing))
    marks = lasting(play.game, unit, MOVED, TURN)
    longest = int(str(answer)) * INCH
    play.emit("moved", ("AIR-2", "MIN-1"), patch, marks, unit=unit, action=NORMAL, longest=longest)
    window(play, Moment("flown", unit, (), False, (("from", start), ("to", (x, y)))))
    window(play, Moment(NORMAL + ENDED, unit))


def _ahead(play: Play, unit: int, inches: int) -> tuple[int, int]:
    slot = play.state.units[unit].living[0]
    x, y = play.state.at(slot)
    dx, dy = turned(inches * INCH, 0, play.state.facing_of(slot))
    return x + dx, y + dy


def lawful_legs(play: Play, unit: int) -> list[int]:
    """MIN-1: the whole inches straight ahead, 20 or more, after which the base stands on the table and on nobody."""
    from rolloff.editions.commentary.deploying import clear_of_enemies, zone  # placing asks where units may stand

    slot = play.state.units[unit].living[0]
    where = zone(play, unit, clear_of_enemies(play, unit))
    width, height = play.game.field.width, play.game.field.height
    found = []
    for inches in range(LEAST, (width + height) // INCH):
        x, y = _ahead(play, unit, inches)
        if not (0 <= x <= width and 0 <= y <= height):
            break
        if lawful_place(play.scene, (slot,), where, struct.pack("<2i", x, y)).legal:
            found.append(inches)
    return found
