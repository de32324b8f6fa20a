"""Where models may stand (TER-6, TER-8, TER-12): the ground, hills, structures and floors; and placements with heights."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from itertools import combinations
from math import hypot

from msgspec.structs import replace

from rolloff.buffers import spliced
from rolloff.editions.commentary import places
from rolloff.editions.commentary.ground import FLOOR, HILL, MARKER, SEALED, by_height, eased_for, fills, hangs
from rolloff.editions.commentary.lookups import index_of
from rolloff.editions.commentary.storeys import bodies_meet, storey, without, z_of
from rolloff.errors import IllegalCommand
from rolloff.geometry.field import Place, Scene
from rolloff.geometry.measure import INSIDE, WHOLLY, footings, gap
from rolloff.geometry.moves import NEVER, UNSAID, Code, Coherency, Verdict
from rolloff.geometry.place import gap_to_hub, lawful_place, standing
from rolloff.lengths import INCH
from rolloff.rules.answers import Placement
from rolloff.rules.citing import cites
from rolloff.rules.game import Game
from rolloff.rules.moves import Setting
from rolloff.rules.play import Play


def ends_at(play: Play, scene: Scene, said: Mapping[int, int]) -> list[int]:
    """The heights models end at: as their player says, or the surface that is there; refused where none holds a base."""
    return [_ends_at(play, slot, said[slot], tops) for slot, tops in surfaces_of(play, scene, tuple(said)).items()]


def _ends_at(play: Play, slot: int, said: int, tops: list[int]) -> int:
    """The height one model ends at, of those at which something holds its base."""
    name = play.game.models[slot].id
    if said == UNSAID:
        level = z_of(play, slot)
        said = level if level in tops else min(tops, default=0)
    near = [top for top in tops if abs(top - said) <= places.CONTACT]
    if not near:
        tops = [0, *[place.height for place in play.game.field.ground.places if place.kinds & (HILL | SEALED)]]
        clause = "TER-6" if any(abs(top - said) <= places.CONTACT for top in tops) else "TER-8"
        raise IllegalCommand("no-surface", clause, f'nothing at {said / INCH:g}" holds the whole base of {name}', name)
    return near[0]


def surfaces_of(play: Play, scene: Scene, slots: tuple[int, ...]) -> dict[int, list[int]]:
    """The heights at which each of some models may stand where it is."""
    ground, pieces = play.game.field.ground.places, standable(play.game)
    rows = footings(scene, slots, pieces, (0.0,) * len(pieces), places.CONTACT)
    beneath = [[(ground[k], mark) for k, mark in zip(pieces, row, strict=True) if mark] if any(row) else [] for row in rows]
    return {slot: surfaces(play, slot, found) for slot, found in zip(slots, beneath, strict=True)}


def surfaces_at(play: Play, scene: Scene, slot: int) -> list[int]:
    """The same for one model."""
    return surfaces_of(play, scene, (slot,))[slot]


def standable(game: Game) -> tuple[int, ...]:
    """The terrain pieces that models may stand on."""
    kept = index_of(game).flown
    found = kept.get("standable")
    if not isinstance(found, tuple):
        ground = enumerate(game.field.ground.places)
        found = kept["standable"] = tuple([k for k, place in ground if place.kinds & (HILL | SEALED | FLOOR)])
    return found


@cites("TER-12")
def surfaces(play: Play, slot: int, beneath: list[tuple[Place, int]]) -> list[int]:
    """TER-12: the heights at which a model may stand: the ground, tops of hills and structures, and floors."""
    solid = [(place, mark) for place, mark in beneath if place.kinds & (HILL | SEALED) and mark & INSIDE]
    found = [place.height for place, mark in solid if on_top(mark)]
    if all(hangs(place) for place, _ in solid):
        found.append(0)
    if beneath and may_stand_above(play, slot):
        found += [place.height for place, mark in beneath if place.kinds & FLOOR and mark & WHOLLY]
    return sorted(found)


@cites("TER-6")
def on_top(mark: int) -> bool:
    """TER-6: models may end on top of hills and sealed structures if the base does not overhang."""
    return bool(mark & WHOLLY)


@cites("TER-8")
def may_stand_above(play: Play, slot: int) -> bool:
    """TER-8: only INFANTRY, BEASTS and FLY end above the ground floor of a ruin."""
    lookups = index_of(play.game)
    return bool({"INFANTRY", "BEASTS", "FLY"} & set(lookups.fighters[slot].keywords))


@cites("OBJ-2")
def on_markers(play: Play, scene: Scene, levels: Mapping[int, int]) -> tuple[int, int] | None:
    """OBJ-2: a model whose base overlaps a marker at the marker's height, which is the ground (MIS-9), and the marker."""
    markers = tuple([k for k, place in enumerate(play.game.field.ground.places) if place.kinds & MARKER])
    slots = tuple([slot for slot, level in levels.items() if level <= places.GROUND])
    rows = footings(scene, slots, markers, (0.0,) * len(markers), places.CONTACT)
    met = (
        (slot, k) for slot, row in zip(slots, rows, strict=True) for k, mark in zip(markers, row, strict=True) if mark & INSIDE
    )
    return next(met, None)


@cites("TER-8", "MOVE-11")
def inside_solid(play: Play, scene: Scene, levels: Mapping[int, int]) -> tuple[int, int] | None:
    """TER-8, MOVE-11: who would end inside a piece that others stand above or beneath, at its height; and the piece."""
    ground, pieces = play.game.field.ground.places, by_height(play.game)
    if not pieces:
        return None
    slots = tuple(levels)
    rows = footings(scene, slots, pieces, (0.0,) * len(pieces), places.CONTACT)
    pairs = [
        (slot, k) for slot, row in zip(slots, rows, strict=True) for k, mark in zip(pieces, row, strict=True) if mark & INSIDE
    ]
    return next(((slot, k) for slot, k in pairs if fills(ground[k], levels[slot])), None)


def hold_together(scene: Scene, slots: Sequence[int], levels: Sequence[int], law: Coherency, leeway: int) -> bool:
    """COH-1, COH-2 with heights: one group in which each model has enough fellows near in plan and in height."""

    def linked(i: int, k: int) -> bool:
        return gap(scene, slots[i], slots[k]) <= law.link + leeway and abs(levels[i] - levels[k]) <= places.RISE + leeway

    count = len(slots)
    near = [[k for k in range(count) if k != i and linked(i, k)] for i in range(count)]
    seen, todo = {0}, [0]
    while todo and count > 1:
        fresh = [k for k in near[todo.pop()] if k not in seen]
        seen |= set(fresh)
        todo += fresh
    return count < 2 or (len(seen) == count and all(len(row) >= law.need for row in near))


def placed_high(play: Play, setting: Setting, answer: Placement, scene: Scene) -> tuple[Verdict, Placement]:
    """A placement with heights: on surfaces that hold every base, whatever stands far above or below."""
    count, zone = len(answer.slots), setting.zone
    there = standing(scene, answer.slots, answer.xy, answer.facings)
    if answer.levels:
        said = struct.unpack(f"<{count}i", answer.levels)
    else:
        verdict = lawful_place(_met(play, setting, scene, 0), answer.slots, zone, answer.xy, answer.facings)
        if verdict.code != Code.IMPASSABLE:
            return _near_hub(play, setting, there, (0,) * count, verdict), answer
        said = (UNSAID,) * count
    high = dict(zip(answer.slots, [0 if z == UNSAID else z for z in said], strict=True))
    verdict = _placed_at(play, setting, answer, scene, high)
    if not verdict.legal:
        return verdict, answer
    levels = tuple(ends_at(play, there, dict(zip(answer.slots, said, strict=True))))
    if zone.coherency.connected and not hold_together(there, answer.slots, levels, zone.coherency, zone.leeway.gap):
        return replace(verdict, code=int(Code.INCOHERENT), slot=answer.slots[0]), answer
    return _near_hub(play, setting, there, levels, verdict), replace(answer, levels=struct.pack(f"<{count}i", *levels))


def _placed_at(play: Play, setting: Setting, answer: Placement, scene: Scene, levels: Mapping[int, int]) -> Verdict:
    """GEO-4: the verdict on models set down at heights, those at each among those near in height, then all with each other."""
    slots, heights = answer.slots, sorted(set(levels.values()))
    open_to = replace(setting.zone, barred=eased_for(play.game, markers=False))
    open_to = (
        open_to if len(heights) < 2 else replace(open_to, coherency=replace(open_to.coherency, connected=False), cohere=NEVER)
    )
    there = standing(scene, slots, answer.xy, answer.facings)
    for level in heights:
        some = tuple([slot for slot in slots if levels[slot] == level])
        met = without(_met(play, setting, scene, level), [slot for slot in slots if levels[slot] != level])
        places_of = [(there.xy[8 * slot : 8 * slot + 8], there.facing[2 * slot : 2 * slot + 2]) for slot in some]
        verdict = lawful_place(met, some, open_to, *(b"".join(column) for column in zip(*places_of, strict=True)))
        if not verdict.legal:
            return verdict
    verdict = replace(verdict, ends=answer.xy, facings=answer.facings)
    on = on_markers(play, there, levels) or inside_solid(play, there, levels)
    if on is not None:
        return replace(verdict, code=int(Code.IMPASSABLE), slot=on[0], what=on[1])
    stood = replace(there, z=spliced(there.z, 4, slots, struct.pack(f"<{len(slots)}i", *[levels[slot] for slot in slots])))
    for one, other in combinations(slots, 2):
        if levels[one] != levels[other] and bodies_meet(play.game, stood, one, other):
            return replace(verdict, code=int(Code.OVERLAP), slot=one, what=other)
    return verdict


def _met(play: Play, setting: Setting, scene: Scene, level: int) -> Scene:
    """The scene as models meet it that are set down at some height."""
    unit = play.state.owner_of(setting.slots[0])
    return storey(play, scene, unit, setting.zone.keep, (level, level))


@cites("WITHIN-3")
def _near_hub(play: Play, setting: Setting, there: Scene, levels: Sequence[int], verdict: Verdict) -> Verdict:
    """WITHIN-3: wholly within a distance of a hull, heights included: between the plane of a base and the hull's body."""
    hub = setting.zone.hub
    if hub is None or not verdict.legal:
        return verdict
    for slot, level in zip(setting.slots, levels, strict=True):
        up = max(level - hub.z - hub.base.height, hub.z - level, 0)
        if up and hypot(max(gap_to_hub(there, slot, hub), 0.0), up) > hub.distance + places.EPSILON:
            return replace(verdict, code=int(Code.TOO_FAR), slot=slot)
    return verdict
