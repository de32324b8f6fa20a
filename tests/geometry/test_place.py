"""Setting units down: the judge of placings, and the muster that finds room."""

from __future__ import annotations

import random
import struct

import pytest
from msgspec.structs import replace

from rolloff.geometry.field import IMPASSABLE, NOWHERE, Piece, Scene
from rolloff.geometry.moves import NEVER, Code, Coherency, Hub, Zone, gaps, over
from rolloff.geometry.paths import slots_of, target_gaps
from rolloff.geometry.place import drift, lawful_place, muster, standing
from rolloff.geometry.shapes import Base
from tests.geometry.battles import battle, off, terrain
from tests.geometry.path_scenes import HEAVY, INFANTRY, LOOSE, TANK, Model, assault, scene_of
from tests.geometry.twin import twin

__all__ = ["twin"]
EDITION = "onepage-3.0"
STRIP = (0, 0, 72_000, 12_000)
FAR_STRIP = (0, 36_000, 72_000, 48_000)
pytestmark = pytest.mark.usefixtures("twin")


def packed(*spots: tuple[int, int]) -> bytes:
    """Places as a buffer."""
    return struct.pack(f"<{2 * len(spots)}i", *(c for spot in spots for c in spot))


def waiting(count: int, base: Base = INFANTRY, *others: Model, pieces: tuple[Piece, ...] = ()) -> tuple[Scene, list[int]]:
    """A unit beside the table, and others on it."""
    return scene_of([*(Model(0, NOWHERE, 0, 0, base) for _ in range(count)), *others], pieces), list(range(count))


def strip(**changes: object) -> Zone:
    """A deployment zone along the near edge."""
    return replace(Zone(gaps(8, 1000), LOOSE, inside=(STRIP,)), **changes)


@pytest.mark.clause(EDITION, "DEPLOY-3")
def test_every_base_lies_wholly_in_the_strip() -> None:
    """A rim on the border of the strip is inside; the centre inside is not enough."""
    scene, slots = waiting(1)
    assert lawful_place(scene, slots, strip(), packed((20_000, 12_000 - 630))).legal
    assert lawful_place(scene, slots, strip(), packed((20_000, 11_900))).code == Code.OUTSIDE_ZONE
    assert lawful_place(scene, slots, strip(), packed((600, 6000))).code == Code.OFF_TABLE


@pytest.mark.clause(EDITION, "DEPLOY-5")
def test_a_placed_unit_is_coherent_clear_and_an_inch_from_others() -> None:
    """Each condition is refused by its own code, with its evidence."""
    rock = Piece("rock", disc=(40_000, 6000, 1000), kinds=IMPASSABLE)
    scene, slots = waiting(2, INFANTRY, Model(2, 30_000, 6000), pieces=(rock,))
    zone = strip()
    assert lawful_place(scene, slots, zone, packed((10_000, 6000), (12_000, 6000))).legal
    assert lawful_place(scene, slots, zone, packed((10_000, 6000), (14_000, 6000))).code == Code.INCOHERENT
    assert lawful_place(scene, slots, zone, packed((10_000, 6000), (11_000, 6000))).code == Code.OVERLAP
    near = lawful_place(scene, slots, zone, packed((26_000, 6000), (28_000, 6000)))
    assert (near.code, near.slot, near.what) == (Code.GAP_UNIT, 1, 2)
    stuck = lawful_place(scene, slots, zone, packed((36_500, 6000), (38_500, 6000)))
    assert (stuck.code, stuck.slot, stuck.what) == (Code.IMPASSABLE, 1, 0)
    assert lawful_place(scene, slots, zone, packed((1, 1))).code == Code.NO_SUCH_MODEL


@pytest.mark.clause(EDITION, "RULE-DEEPSTRIKE-4")
def test_arrivals_are_strictly_over_twelve_inches_from_enemies() -> None:
    """Twelve inches exactly is too near, a thousandth more is not."""
    scene, slots = waiting(1, INFANTRY, Model(1, 30_000, 20_000))
    zone = Zone(gaps(8, 1000, {1: over(12_000)}), LOOSE)
    assert lawful_place(scene, slots, zone, packed((43_260, 20_000))).code == Code.GAP_UNIT
    assert lawful_place(scene, slots, zone, packed((43_261, 20_000))).legal


@pytest.mark.clause(EDITION, "RULE-TRANSPORT-8")
def test_survivors_stand_within_six_inches_of_a_wreck() -> None:
    """The nearest part of a base counts, or all of it where that is asked."""
    scene, slots = waiting(1)
    hub = Hub(30_000, 20_000, 0, TANK, 6000)
    zone = Zone(gaps(8, 1000), LOOSE, hub=hub)
    assert lawful_place(scene, slots, zone, packed((32_500 + 6000 + 630, 20_000))).legal
    assert lawful_place(scene, slots, zone, packed((32_500 + 6020 + 630, 20_000))).code == Code.TOO_FAR
    wholly = replace(zone, hub=replace(hub, wholly=True))
    assert lawful_place(scene, slots, wholly, packed((32_500 + 6000 + 630, 20_000))).code == Code.TOO_FAR
    assert lawful_place(scene, slots, wholly, packed((32_500 + 6000 - 630, 20_000))).legal


def test_a_facing_matters_for_hulls() -> None:
    """A tank fits lengthways into a strip in which it does not fit across."""
    scene, slots = waiting(1, TANK)
    zone = strip(inside=((0, 10_000, 72_000, 13_500),))
    place = packed((20_000, 11_700))
    assert lawful_place(scene, slots, zone, place, struct.pack("<h", 0)).legal
    assert lawful_place(scene, slots, zone, place, struct.pack("<h", 900)).code == Code.OUTSIDE_ZONE


def test_returning_models_join_those_on_the_table() -> None:
    """A model set down beside its fellows is coherent with them, away from them it is not."""
    scene = scene_of([Model(0, 20_000, 6000), Model(0, NOWHERE, 0)])
    assert lawful_place(scene, [1], strip(), packed((22_000, 6000))).legal
    assert lawful_place(scene, [1], strip(), packed((26_000, 6000))).code == Code.INCOHERENT
    assert lawful_place(scene, [1], strip(), packed((20_500, 6000))).code == Code.OVERLAP
    assert muster(scene, [1], strip(), 60_000, 6000) is not None


def test_a_muster_stands_at_its_point_if_there_is_room() -> None:
    """In the open a unit's middle is within an inch of the point asked for."""
    scene, slots = waiting(10)
    xy = muster(scene, slots, strip(), 30_000, 6000)
    assert xy is not None
    places = list(struct.iter_unpack("<2i", xy))
    assert abs(sum(x for x, _ in places) / 10 - 30_000) < 1000
    assert abs(sum(y for _, y in places) / 10 - 6000) < 1000
    assert lawful_place(scene, slots, strip(), xy).legal


def test_a_point_outside_the_zone_is_brought_inside() -> None:
    """Asked for the far side of the table, the unit stands at the front of its own strip."""
    scene, slots = waiting(5)
    xy = muster(scene, slots, strip(), 30_000, 40_000)
    assert xy is not None
    assert max(y for _, y in struct.iter_unpack("<2i", xy)) > 9000


def test_no_room_is_no_muster() -> None:
    """A zone smaller than the unit, or barred all over, has no place for it."""
    scene, slots = waiting(10, HEAVY)
    assert muster(scene, slots, strip(inside=((0, 0, 4000, 4000),)), 2000, 2000) is None
    barred, slots = waiting(
        3, INFANTRY, pieces=(Piece("lake", outline=((0, 0), (72_000, 0), (72_000, 13_000), (0, 13_000)), kinds=IMPASSABLE),)
    )
    assert muster(barred, slots, strip(), 2000, 2000) is None


def test_odd_room_is_found() -> None:
    """Where no block fits, a unit takes the form of the room there is."""
    walls = tuple(
        Piece(f"w{k}", outline=((x, 0), (x + 900, 0), (x + 900, top), (x, top)), kinds=IMPASSABLE)
        for k, (x, top) in enumerate(((2400, 10_000), (5800, 12_000), (9200, 10_000)))
    )
    scene, slots = waiting(7, INFANTRY, pieces=walls)
    zone = strip(inside=((0, 0, 5800, 12_000),), coherency=Coherency(2000, 12_000))
    xy = muster(scene, slots, zone, 1000, 1000)
    assert xy is not None
    assert lawful_place(scene, slots, zone, xy).legal


def _wall(left: int, bottom: int, right: int, top: int) -> Piece:
    """A piece nobody may stand on."""
    return Piece(f"w{left}-{bottom}", outline=((left, bottom), (right, bottom), (right, top), (left, top)), kinds=IMPASSABLE)


@pytest.mark.clause("commentary-10", "SETUP-3")
@pytest.mark.parametrize("at", range(1000, 1600, 110))
def test_a_hole_little_wider_than_a_base_is_room(at: int) -> None:
    """Wherever it lies it is found: places are tried at every fourth of an inch before there is said to be none."""
    end = at + 1260 + 260
    walls = (_wall(0, 0, at, 6000), _wall(end, 0, 6000, 6000), _wall(0, 0, 6000, at), _wall(0, end, 6000, 6000))
    scene, slots = waiting(1, INFANTRY, pieces=walls)
    zone = strip(inside=((0, 0, 6000, 6000),))
    xy = muster(scene, slots, zone, 2000, 2000)
    assert xy is not None and lawful_place(scene, slots, zone, xy).legal


@pytest.mark.clause("commentary-10", "SETUP-3")
def test_rows_are_packed_between_what_stands_in_their_way() -> None:
    """A unit that fills a strip to the last base finds its places though walls come at no multiple of its bases."""
    walls = tuple([_wall(x, 0, x + 300, 1300) for x in (2800, 7100)])
    scene, slots = waiting(10, INFANTRY, pieces=walls)
    zone = strip(inside=((0, 0, 14_000, 1300),), coherency=Coherency(2000))
    xy = muster(scene, slots, zone, 7000, 500)
    assert xy is not None and lawful_place(scene, slots, zone, xy).legal


@pytest.mark.parametrize("seed", range(3))
def test_twenty_units_a_side_deploy(seed: int, twin: str) -> None:
    """Twenty units of ten a side, each at a point of luck, all find room among twelve pieces of terrain."""
    luck = random.Random(seed)
    count = 40 if twin == "compiled" else 20
    pieces = terrain(luck)
    scene = scene_of([Model(u, NOWHERE, 0) for u in range(count) for _ in range(10)], pieces, bytes(count))
    for unit in range(count):
        area = (STRIP, FAR_STRIP)[unit % 2 if twin == "compiled" else 0]
        slots = list(range(10 * unit, 10 * unit + 10))
        zone = Zone(gaps(count, 1000), LOOSE, inside=(area,))
        xy = muster(scene, slots, zone, luck.randint(0, 72_000), luck.randint(area[1], area[3]))
        assert xy is not None
        scene = standing(scene, slots, xy)


def test_musters_in_every_zone_are_lawful() -> None:
    """On twelve battlefields scouts, deep strikers and survivors of wrecks stand where they may."""
    found = 0
    for seed in range(12):
        scene, luck = battle(seed, seed % 2 > 0), random.Random(seed)
        slots = list(slots_of(scene, 0))
        scene = standing(scene, slots, off(slots))
        strict = gaps(12, 1000, {k: over(6000) for k in range(1, 12, 2)})
        wreck = Hub(luck.randint(5000, 65_000), luck.randint(5000, 43_000), luck.randrange(3600), TANK, 6000)
        for zone in (Zone(strict, LOOSE), Zone(gaps(12, 1000), LOOSE, hub=wreck), strip(keep=gaps(12, 1000))):
            xy = muster(scene, slots, zone, luck.randint(0, 72_000), luck.randint(0, 48_000))
            if xy is not None:
                found += 1
                assert lawful_place(scene, slots, zone, xy).legal
    assert found >= 30


@pytest.mark.clause(EDITION, "RULE-DEEPSTRIKE-5")
def test_a_formation_is_shifted_as_far_as_it_may_stand() -> None:
    """A shift toward an enemy stops while the strict gap still holds; one into the open goes all the way."""
    scene, slots = waiting(2, INFANTRY, Model(1, 30_000, 20_000))
    zone = Zone(gaps(8, 1000, {1: over(12_000)}), LOOSE)
    here = packed((50_000, 20_000), (52_000, 20_000))
    assert drift(scene, slots, zone, here, 12_000, 0) == packed((62_000, 20_000), (64_000, 20_000))
    nearer = drift(scene, slots, zone, here, -12_000, 0)
    assert lawful_place(scene, slots, zone, nearer).legal
    gap = target_gaps(standing(scene, slots, nearer), assault(0, 1))[0]
    assert 12_000 < gap < 12_200
    nowhere = Zone(gaps(8, over(60_000)), LOOSE, cohere=NEVER)
    assert drift(scene, slots, nowhere, here, 1000, 0) == here
