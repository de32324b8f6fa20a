"""Models that are added to a unit, or come back to it: set up beside those that were there, or lost where there is no room."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from math import dist
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from rolloff.buffers import spliced
from rolloff.errors import IllegalCommand
from rolloff.geometry.joining import Rings, place_in_rings
from rolloff.geometry.measure import gap
from rolloff.geometry.moves import Coherency, Zone
from rolloff.geometry.place import standing
from rolloff.geometry.trig import turned
from rolloff.lengths import INCH
from rolloff.rules.answers import AMONG, Placement
from rolloff.rules.moves import Refusals, Setting, heights, judge_place
from rolloff.table.event import Patch, Placed
from rolloff.table.request import Request

if TYPE_CHECKING:
    from rolloff.geometry.field import Scene
    from rolloff.rules.play import Play

LOOSE = Coherency(1000 * INCH)
"""No model needs another near it: who stands beside whom is judged apart."""
TURN, FINE_TURN = 225, 75
"""By how much the spots of a ring lie further around, in tenths of a degree: around models, and around a spot."""
UPSTAIRS = tuple(range(INCH, 4 * INCH, INCH // 4))
"""How far from the middle of models above the ground places beside them are looked for."""
LEEWAY = INCH // 10
"""How much further than the nearest place found still counts as being as near as can be."""


class Adding(Struct, frozen=True):
    """How models are added: where they may stand, beside whom, with how many neighbours among those, within which distance.

    ``beside`` nobody: they stand in the zone as near as can be to the spot ``near`` at a height, by the clause ``closest``; it
    may be at one of some other ``heights``. ``rise``: how far above or below a neighbour may be, if it matters.
    ``among``: everybody of whom the owner may add up to as many as are proposed.
    """

    zone: Zone
    beside: tuple[int, ...]
    need: int
    link: int
    clause: str
    near: tuple[int, int] = (0, 0)
    point: str = ""
    closest: str = ""
    among: tuple[int, ...] = ()
    height: int = 0
    heights: tuple[int, ...] = ()
    rise: int = -1


def neighbours(scene: Scene, law: Adding, slot: int) -> int:
    """How many of those who were there a model stands beside."""
    z = memoryview(scene.z).cast("i")
    near = [other for other in law.beside if law.rise < 0 or abs(z[slot] - z[other]) <= law.rise + 1]
    return sum(gap(scene, slot, other) <= law.link + 1 for other in near)


def places_for(play: Play, slots: Sequence[int], law: Adding) -> dict[int, tuple[int, int]]:
    """Spots for as many of some models as there is room for, one after the other: free ground, and enough neighbours."""
    scene, found = play.scene, dict[int, tuple[int, int]]()
    zone, rings = replace(law.zone, coherency=LOOSE), _rings(play, law)
    for slot in slots:
        spot = place_in_rings(scene, slot, zone, rings)
        if spot is not None:
            found[slot] = spot
            scene = standing(scene, (slot,), struct.pack("<2i", *spot))
    return found


def places_missing(play: Play, slots: Sequence[int], law: Adding) -> list[int]:
    """Those of some models for whom there is no room."""
    found = places_for(play, slots, law)
    return [slot for slot in slots if slot not in found]


def _rings(play: Play, law: Adding) -> Rings:
    """Rings around those who were there, or around a spot, the nearest first."""
    if not law.beside:
        return Rings(struct.pack("<2i", *law.near), 0, 24 * INCH, LEEWAY, FINE_TURN)
    xy, need = play.state.xy, min(law.need, len(law.beside))
    middles = b"".join([xy[8 * slot : 8 * slot + 8] for slot in law.beside])
    return Rings(middles, INCH // 2, 5 * INCH, INCH // 4, TURN, law.beside, need, law.link + 1)


def ask_places(play: Play, unit: int, slots: Sequence[int], law: Adding, refusals: Refusals) -> list[Patch] | None:
    """Where the owner sets some models up, as patches; those without room are left out. None if none finds any."""
    found = places_for(play, slots, law)
    upstairs = _upstairs(play, law, refusals, slots) if law.rise >= 0 and law.beside else None
    if not found and upstairs is None:
        return None
    fitting = tuple(sorted(found))
    xy = b"".join(struct.pack("<2i", *found[slot]) for slot in fitting)
    turns = b"".join(struct.pack("<h", play.state.facing_of(slot)) for slot in fitting)
    default = upstairs or Placement(fitting, xy, turns)
    if law.heights:
        default = _at_heights(play, law, refusals, default)
    facts = ((AMONG, tuple(play.game.models[slot].id for slot in law.among)),) if law.among else ()
    request = Request(play.game.side_of(unit), "place", law.clause, None, default, unit, law.point, law, facts)
    given = play.ask(request, lambda answer: _judged(play, law, refusals, default, answer))
    return [Placed(given.slots, given.xy, given.levels or heights(play.game, given.xy), given.facings)]


def _at_heights(play: Play, law: Adding, refusals: Refusals, found: Placement) -> Placement:
    """The nearest lawful place of one model: what was found on the ground, or that or the very spot at another height."""
    best, slot = found, found.slots[0]
    for xy in (struct.pack("<2i", *law.near), found.xy):
        for z in law.heights:
            other = replace(found, xy=xy, levels=struct.pack("<i", z))
            if _away(play, other, slot, law) < _away(play, best, slot, law) and _stands(play, law, refusals, other):
                best = other
    return best


def _upstairs(play: Play, law: Adding, refusals: Refusals, slots: Sequence[int]) -> Placement | None:
    """Places for all of some models at the heights of those who were there, where these stand above the ground."""
    z, found = memoryview(play.state.z).cast("i"), list[tuple[int, int, int]]()
    if not any(z[slot] for slot in law.beside):
        return None
    around = sorted(law.beside, key=lambda slot: -z[slot])
    spots = [(x, y, z[slot]) for far in UPSTAIRS for slot in around for x, y in _ring(*play.state.at(slot), far)]
    for count in range(1, len(slots) + 1):
        spot = next((one for one in spots if _fits(play, law, refusals, slots[:count], [*found, one])), None)
        if spot is None:
            return None
        found.append(spot)
    return _set(play, slots, found)


def _ring(x: int, y: int, far: int) -> list[tuple[int, int]]:
    """Spots so far from another."""
    steps = [turned(far, 0, TURN * k) for k in range(3600 // TURN)]
    return [(x + dx, y + dy) for dx, dy in steps]


def _set(play: Play, slots: Sequence[int], spots: Sequence[tuple[int, int, int]]) -> Placement:
    """Some models at spots and heights, facing as they do."""
    rows = sorted(zip(slots, spots, strict=True))
    xy, levels = b"".join([struct.pack("<2i", x, y) for _, (x, y, _) in rows]), [z for _, (_, _, z) in rows]
    turns = b"".join([struct.pack("<h", play.state.facing_of(slot)) for slot, _ in rows])
    return Placement(tuple([slot for slot, _ in rows]), xy, turns, struct.pack(f"<{len(levels)}i", *levels))


def _fits(play: Play, law: Adding, refusals: Refusals, slots: Sequence[int], spots: Sequence[tuple[int, int, int]]) -> bool:
    """Whether models may be set down so, with enough neighbours."""
    placement = _set(play, slots, spots)
    try:
        _judged(play, law, refusals, placement, placement)
    except IllegalCommand:
        return False
    return True


def _stands(play: Play, law: Adding, refusals: Refusals, placement: Placement) -> bool:
    """Whether models may be set down so, whoever they stand beside."""
    try:
        judge_place(play, Setting(placement.slots, replace(law.zone, coherency=LOOSE), 0), refusals, placement)
    except IllegalCommand:
        return False
    return True


def _proposed(law: Adding, best: Placement, slots: tuple[int, ...]) -> bool:
    """Whether these are the models that are to be placed, or a choice their owner may make instead."""
    return slots == best.slots or ({*slots} <= {*law.among} and 0 < len(slots) <= len(best.slots))


def _judged(play: Play, law: Adding, refusals: Refusals, best: Placement, answer: object) -> Placement:
    if not isinstance(answer, Placement) or not _proposed(law, best, answer.slots):
        raise IllegalCommand("not-a-place", law.clause, "every model must be placed", None)
    setting = Setting(answer.slots, replace(law.zone, coherency=LOOSE), 0)
    law = law if answer.levels else replace(law, rise=-1)  # who says no heights is taken to stand where his unit does
    answer = judge_place(play, setting, refusals, answer)
    scene = standing(play.scene, setting.slots, answer.xy, answer.facings)
    scene = replace(scene, z=spliced(scene.z, 4, setting.slots, answer.levels or heights(play.game, answer.xy)))
    for slot in setting.slots:
        if neighbours(scene, law, slot) < min(law.need, len(law.beside)):
            name = play.game.models[slot].id
            raise IllegalCommand("not-beside", law.clause, f"{name} would not stand beside models that were there", name)
        if law.closest and _away(play, answer, slot, law) > _away(play, best, slot, law) + LEEWAY:
            name = play.game.models[slot].id
            raise IllegalCommand("not-closest", law.closest, f"{name} would not stand as close as it can", name)
    return answer


def _away(play: Play, placement: Placement, slot: int, law: Adding) -> float:
    """How far from the spot it should be near a model would stand, heights included."""
    x, y, *_ = placement.spots()[slot]
    levels = memoryview(placement.levels or heights(play.game, placement.xy)).cast("i")
    return dist((x, y, levels[placement.slots.index(slot)]), (*law.near, law.height))
