"""Who is near in height (ER-1, GEO-4, HV-1): whom a move at some heights meets, and how far models are where it ends."""

from __future__ import annotations

import struct

from msgspec.structs import replace

from rolloff.editions.commentary import places
from rolloff.editions.commentary.ground import CLIMBED, FLOOR, HILL, LOW, SEALED
from rolloff.editions.commentary.lookups import index_of
from rolloff.geometry.field import Scene
from rolloff.geometry.measure import gap
from rolloff.geometry.moves import NEVER, TOUCH, March, Order, Verdict, Wish, over, strict_over
from rolloff.geometry.paths import judge, settled, slots_of
from rolloff.geometry.spans import NEAR, TOUCHES, Spans, spans
from rolloff.lengths import INCH, NOWHERE
from rolloff.rules.game import Game
from rolloff.rules.moves import heights
from rolloff.rules.play import Play

Band = tuple[int, int]
"""The lowest and the highest that somebody is on his way."""


def z_of(play: Play, slot: int) -> int:
    """How high a model stands."""
    return int(memoryview(play.state.z).cast("i")[slot])


def tall(height: int) -> int:
    """MOVE-9: terrain up to 2" tall is ignored for movement."""
    return height if height > LOW else 0


def tall_places(game: Game, kinds: int) -> tuple[int, ...]:
    """The terrain pieces of some kinds that are not ignored for movement."""
    kept, key = index_of(game).flown, f"tall places {kinds}"
    found = kept.get(key)
    if not isinstance(found, tuple):
        places_there = enumerate(game.field.ground.places)
        found = kept[key] = tuple([k for k, place in places_there if place.kinds & kinds and tall(place.height)])
    return found


def solid_places(game: Game) -> tuple[int, ...]:
    """The solid terrain pieces that are not ignored for movement: what a walker climbs, and other parts that are solid."""
    kept = index_of(game).flown
    found = kept.get("solid places")
    if not isinstance(found, tuple):
        pieces = enumerate(zip(game.field.ground.places, game.table.terrain, strict=True))
        found = kept["solid places"] = tuple(
            [k for k, (place, piece) in pieces if (piece.solid or place.kinds & CLIMBED) and tall(place.height)]
        )
    return found


def drop_of(play: Play, unit: int) -> int:
    """How far a unit that stands on terrain has to climb down, which its proposals leave for that."""
    if places.level(play.state.z):
        return 0
    return max([tall(z_of(play, slot)) for slot in play.state.units[unit].living], default=0)


def own_storey(play: Play, order: Order) -> Scene:
    """The scene as a unit meets it that stays at the heights where it stands."""
    if places.level(play.state.z):
        return play.scene
    own = [z_of(play, slot) for slot in play.state.units[order.unit].living]
    return storey(play, play.scene, order.unit, order.end, (min(own), max(own)))


def storey(play: Play, scene: Scene, unit: int, keep: bytes, band: Band) -> Scene:
    """The scene without models too far above or below the heights at which a unit goes or stands to be in its way.

    Of whom ``keep`` says that their Engagement Range is kept clear of, that is further than it reaches up or down (ER-1); of
    others further than bodies fill (GEO-4). Whom it names a greater distance for stays: that is measured in plan (GEO-6).
    """
    if places.level(play.state.z) and not any(band):
        return scene
    kept, key = places.measured(play.game, play.state).storeys, (unit, keep, band, scene.xy)
    found = kept.get(key)
    if found is None:
        codes = struct.unpack(f"<{len(keep) // 4}i", keep)
        owners = struct.unpack(f"<{scene.field.n}h", scene.owner)
        others = [slot for slot in places.on_table(scene.xy) if owners[slot] != unit]
        codes += (TOUCH, TOUCH) if play.bystanders and len(codes) == len(scene.sides) else ()
        gone = [slot for slot in others if _passes(play, unit, slot, band, strict_over(codes[owners[slot]]))]
        found = kept[key] = without(scene, gone) if gone else scene
    return found


def _passes(play: Play, unit: int, slot: int, band: Band, away: int | None) -> bool:
    """Whether a model is too far above or below some heights to meet a unit there that has to stay so far away from it."""
    game, (low, high), z = play.game, band, z_of(play, slot)
    if low <= z <= high or (away is not None and away > INCH + places.EPSILON):
        return False
    own, up = play.state.units[unit].living or _all_of(play, unit), z - high if z > high else low - z
    if away is None:
        return up >= (max(game.models[one].height for one in own) if z > high else game.models[slot].height)
    return up > max(body_below(game, one, slot) for one in own) + places.RISE + places.EPSILON


def _all_of(play: Play, unit: int) -> tuple[int, ...]:
    """The models of a unit of which nobody lives, and somebody comes back."""
    return tuple([slot for slot in range(play.scene.field.n) if play.state.owner_of(slot) == unit])


def toward_targets(order: Order) -> bytes:
    """Gap codes for a search: its targets are there as far up and down as Engagement Range reaches."""
    codes = list(struct.unpack(f"<{len(order.end) // 4}i", order.end))
    for k in order.targets:
        codes[k] = over(INCH + places.EPSILON)
    return struct.pack(f"<{len(codes)}i", *codes)


def body_below(game: Game, one: int, other: int) -> int:
    """HV-1: what bodies take off the height between two models, if one has no base: by as much as the taller could."""
    if not places.is_hull(game, one) and not places.is_hull(game, other):
        return 0
    return max(game.models[one].height, game.models[other].height)


def without(scene: Scene, slots: list[int]) -> Scene:
    """The scene without some models."""
    places_left = bytearray(scene.xy)
    for slot in slots:
        places_left[8 * slot : 8 * slot + 8] = struct.pack("<2i", NOWHERE, 0)
    return replace(scene, xy=bytes(places_left))


# -- the verdict -----------------------------------------------------------------------------------


def judge_bands(play: Play, order: Order, wish: Wish, bands: dict[int, Band]) -> Verdict:
    """The verdict on a way of which each model goes between two heights: those between the same ones are judged together.

    ``bands`` may name nobody: then all go on the ground.
    """
    groups: dict[Band, list[int]] = {}
    for slot, band in bands.items():
        groups.setdefault(band, []).append(slot)
    if len(groups) < 2:
        return judge(storey(play, play.scene, order.unit, order.end, next(iter(groups), (0, 0))), order, wish)
    parts = [_judge_some(play, order, wish, some, band) for band, some in groups.items()]
    refused = next((verdict for verdict in parts if not verdict.legal), None)
    if refused is not None:
        return refused
    ends, facings = dict[int, bytes](), dict[int, bytes]()
    for some, part in zip(groups.values(), parts, strict=True):
        ends |= {slot: part.ends[8 * k : 8 * k + 8] for k, slot in enumerate(some)}
        facings |= {slot: part.facings[2 * k : 2 * k + 2] for k, slot in enumerate(some)}
    return replace(
        parts[0],
        longest=max(part.longest for part in parts),
        ends=b"".join(ends[slot] for slot in bands),
        facings=b"".join(facings[slot] for slot in bands),
    )


def _judge_some(play: Play, order: Order, wish: Wish, some: list[int], band: Band) -> Verdict:
    """The verdict on the part of a way that some models go, at their heights; whether their unit coheres is seen to apart."""
    rest = [slot for slot in slots_of(play.scene, order.unit) if slot not in some]
    scene = without(storey(play, play.scene, order.unit, order.end, band), rest)
    if isinstance(wish, March):
        wish = March.of(some, wish.paths(slots_of(play.scene, order.unit)))
    return judge(scene, replace(order, cohere=NEVER), wish)


# -- where a move ends -----------------------------------------------------------------------------


def ended(play: Play, unit: int, verdict: Verdict) -> Scene:
    """The scene once a unit stands where a verdict says, at the heights it says or on the ground."""
    after = settled(play.scene, unit, verdict)
    levels = verdict.levels or heights(play.game, verdict.ends)
    if places.level(after.z) and not any(levels):
        return after
    z = bytearray(after.z)
    for k, slot in enumerate(slots_of(play.scene, unit)):
        z[4 * slot : 4 * slot + 4] = levels[4 * k : 4 * k + 4]
    return replace(after, z=bytes(z))


def apart_in(game: Game, scene: Scene, ours: tuple[int, ...], theirs: tuple[int, ...]) -> Spans:
    """How far some models are from others in a scene, and who of them is in Engagement Range or base contact."""
    return spans(scene, places.bodies_of(game), ours, theirs, places.LIMITS)


def engaged_in(game: Game, scene: Scene, ours: tuple[int, ...], theirs: tuple[int, ...]) -> bool:
    """ER-1: whether some models are in Engagement Range of others in a scene."""
    return any(mark & NEAR for mark in apart_in(game, scene, ours, theirs).marks)


def bodies_meet(game: Game, scene: Scene, one: int, other: int) -> bool:
    """GEO-4: whether two models are in each other's body: bases overlap in plan, and heights as well."""
    levels = memoryview(scene.z).cast("i")
    low, high = sorted((one, other), key=lambda slot: levels[slot])
    return levels[high] - levels[low] < game.models[low].height and gap(scene, one, other) < -places.CONTACT


def touch_in(game: Game, scene: Scene, slot: int, theirs: tuple[int, ...]) -> bool:
    """B2B-1: whether a model is in base contact with one of others in a scene."""
    return bool(apart_in(game, scene, (slot,), theirs).marks[0] & TOUCHES)


def heights_of(play: Play, units: tuple[int, ...]) -> dict[int, list[int]]:
    """The models of some units by how high they stand."""
    found: dict[int, list[int]] = {}
    for unit in units:
        for slot in play.state.units[unit].living:
            found.setdefault(z_of(play, slot), []).append(slot)
    return found


def standing_heights(game: Game) -> tuple[int, ...]:
    """The heights at which a table lets models stand, the ground first."""
    found = index_of(game).flown.get("standing heights")
    if not isinstance(found, tuple):
        tops = {place.height for place in game.field.ground.places if place.kinds & (FLOOR | HILL | SEALED)}
        found = index_of(game).flown["standing heights"] = tuple(sorted({0, *tops}))
    return found
