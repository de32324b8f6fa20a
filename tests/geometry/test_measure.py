"""Distances, coherency, ground height and sectors, in both twins."""

from __future__ import annotations

from math import inf
from types import ModuleType

import pytest
from msgspec.structs import replace

from rolloff.geometry.field import NOWHERE, Ground, Piece, Scene
from rolloff.geometry.sectors import in_frame, sector
from rolloff.geometry.shapes import Base
from tests.geometry.sight_scenes import HULL, MAN, Model, at, crater, disc, placed, scene, twins, wall
from tests.onepage.desk import FACINGS

EDITION = "onepage-3.0"
both = pytest.mark.parametrize("twin", twins("measure"))


@both
@pytest.mark.clause(EDITION, "MEAS-2")
def test_distance_is_between_closest_points(twin: ModuleType) -> None:
    """Circles, a stadium end-on and side-on, a hull's side and a hull's corner are measured from rim to rim."""
    oval = Base.oval(1000, 3000, 1000)
    s = scene([Model(0, 0, 0), Model(1, 4, 3), Model(1, 10, 0, oval), Model(1, 10, 5, oval, 900), Model(2, 0, -8, HULL)])
    assert twin.gap(s, 0, 1) == 4000
    assert twin.gap(s, 0, 2) == 8000
    assert twin.gap(s, 2, 3) == pytest.approx(5000 - 1000 - 1000)
    assert twin.gap(s, 0, 4) == 6000
    corner = scene([Model(0, 0, 0), Model(1, 5.5, 5.5, HULL)])
    assert twin.gap(corner, 0, 1) == 4500


@both
def test_overlap_is_negative(twin: ModuleType) -> None:
    """Bases that overlap have a negative gap, hulls that merely touch a gap of nothing."""
    s = scene([Model(0, 0, 0), Model(1, 0.75, 0), Model(2, 3, 0, HULL), Model(3, 8, 0, HULL), Model(4, 9, 1, HULL)])
    assert twin.gap(s, 0, 1) == -250
    assert twin.gap(s, 2, 3) == 0
    assert twin.gap(s, 3, 4) == -2000


@both
@pytest.mark.clause(EDITION, "MEAS-7")
def test_nothing_is_measured_to_a_model_off_the_table(twin: ModuleType) -> None:
    """A model in reserve or aboard has no position: its distance is infinite and it is nearest to nobody."""
    field = scene([Model(0, 0, 0), Model(1, 5, 0), Model(1, 2, 0)]).field
    s = placed(field, [at(0, 0), at(5, 0), (NOWHERE, 0)], [0, 0, 0], [0, 1, 1])
    assert twin.gap(s, 0, 2) == inf
    assert twin.nearest(s, 0, 1) == (4000, 0, 1)
    assert twin.nearest(s, 0, 7) == (inf, -1, -1)
    assert twin.slots_of(s, 1) == (1,)
    assert twin.reach(s, 0, 7) == {0: inf}
    assert twin.unit_gaps(replace(s, sides=bytes(3)), 0) == [inf, 4000, inf]


@both
@pytest.mark.clause(EDITION, "MEAS-3")
def test_unit_distance_is_that_of_the_closest_models(twin: ModuleType) -> None:
    """Unit to unit is the gap of their closest models, whichever they are; each model's own reach is known too."""
    s = scene([Model(0, 0, 0), Model(0, 0, 3), Model(1, 9, 3), Model(1, 7, 3), Model(1, 8, 9)])
    assert twin.nearest(s, 0, 1) == (6000, 1, 3)
    assert twin.nearest(s, 1, 0) == (6000, 3, 1)
    assert twin.reach(s, 1, 0) == {2: 8000, 3: 6000, 4: pytest.approx(9000)}
    assert twin.touching(s, 1, 0, 6000) == (3,)
    assert twin.touching(s, 1, 0, 5999.9) == ()
    sides = replace(s, sides=bytes(2))
    assert twin.unit_gaps(sides, 0) == [inf, 6000]
    assert twin.unit_gaps(sides, 1) == [6000, inf]


@both
@pytest.mark.clause(EDITION, "COH-1", "COH-2", "COH-8")
def test_coherency(twin: ModuleType) -> None:
    """TV-R49: two models 1.5" apart hold together at 2" but not at 1"; 12" to every other is asked as well."""
    pair = scene([Model(0, 0, 0), Model(0, 2.5, 0)])
    assert twin.coherent(pair, (0, 1), 1000, 12_000) == (False, (0, 1))
    assert twin.coherent(pair, (0, 1), 2000, 12_000) == (True, ())
    assert twin.coherent(pair, (0,), 1000, 12_000) == (True, ())
    row = scene([Model(0, 2.9 * k, 0) for k in range(6)])
    assert twin.coherent(row, range(6), 2000, 12_000) == (False, (0, 5))
    assert twin.coherent(row, range(5), 2000, 12_000) == (True, ())
    assert twin.coherent(row, range(6), 2000, 12_000, hub=2) == (True, ())


@both
@pytest.mark.clause(EDITION, "MEAS-5")
def test_coherency_is_judged_with_the_tolerance(twin: ModuleType) -> None:
    """A gap of 2.01" is within 2", one of 2.011" is not."""
    assert twin.coherent(scene([Model(0, 0, 0), Model(0, 3.01, 0)]), (0, 1), 2000, 12_000).ok
    assert not twin.coherent(scene([Model(0, 0, 0), Model(0, 3.011, 0)]), (0, 1), 2000, 12_000).ok


@both
@pytest.mark.clause(EDITION, "COH-3")
def test_pairs_hold_together_unless_one_chain_is_asked_for(twin: ModuleType) -> None:
    """Two separate pairs are coherent as written; asked for one chain, the pair that is not the largest strays."""
    s = scene([Model(0, x, 0) for x in (0, 1.5, 6, 7.5, 9)])
    assert twin.coherent(s, range(5), 1000, 12_000).ok
    assert twin.coherent(s, range(5), 1000, 12_000, connected=True) == (False, (0, 1))
    assert twin.coherent(s, range(5), 1000, 12_000, need=2) == (False, (0, 1, 2, 4))


@both
def test_the_ground_is_the_highest_piece_underfoot(twin: ModuleType) -> None:
    """A model stands on the highest elevation among the pieces that contain its centre, edge included."""
    s = scene(
        [Model(0, 0, 0), Model(0, 2, 0), Model(0, 3, 0), Model(0, 9, 9)],
        [disc(0, 0, 2, elevation=2), disc(0, 0, 1, elevation=1), disc(3, 0, 0.5, elevation=-1)],
    )
    ground = s.field.ground
    assert [twin.ground_z(ground, *at(x, 0)) for x in (0, 2, 2.001, 3)] == [2000, 2000, 0, -1000]
    assert twin.grounds(s.field, s.xy) == b"".join(z.to_bytes(4, "little", signed=True) for z in (2000, 2000, -1000, 0))
    assert twin.pieces_at(ground, *at(0.5, 0)) == (0, 1)


@both
def test_footprints_are_measured_too(twin: ModuleType) -> None:
    """TV-R77: a base at 8" is 4.5" from a forest of radius 3"; points and other footprints are measured alike."""
    s = scene([Model(0, -2.5, 0), Model(1, 8, 0)], [crater(0, 0, 3), wall(5, -1, 6, 1)])
    ground = s.field.ground
    assert twin.base_gap(s, 1, 0) == 4500
    assert twin.base_gap(s, 0, 0) < 0
    assert twin.base_gap(s, 1, 1) == 1500
    assert twin.point_gap(ground, 0, *at(4, 3)) == 2000
    assert twin.point_gap(ground, 0, *at(1, 1)) == 0
    assert twin.piece_gap(ground, 0, 1) == 2000


@both
def test_who_is_near_each_of_several_pieces(twin: ModuleType) -> None:
    """The models near each piece are those that are near it by itself, in order; who is off the table is near none."""
    models = [Model(0, -2.5, 0), Model(1, 8, 0), Model(1, 4, 0), Model(0, 30, 30)]
    s = scene(models, [crater(0, 0, 3), wall(5, -1, 6, 1), crater(20, 20, 2)])
    for distance in (100.0, 1600.0, 5000.0):
        single = [twin.near_piece(s, piece, distance) for piece in (2, 0, 1)]
        assert twin.near_pieces(s, [2, 0, 1], distance) == single
    assert twin.near_pieces(s, [0, 1, 2], 1600.0) == [[0, 2], [1, 2], []]
    assert twin.near_pieces(s, [], 1600.0) == []


@both
def test_wholly_within(twin: ModuleType) -> None:
    """A base is wholly within a footprint when none of it sticks out, touching the edge allowed, notches minded."""
    notched = Piece("n", outline=(at(5, -3), at(11, -3), at(11, 3), at(8, 0), at(5, 3)))
    s = scene(
        [Model(0, 2.5, 0), Model(0, 2.6, 0), Model(0, 5.5, -1), Model(0, 8, 0.2), Model(0, 8, -1), Model(0, 8, -1.5, HULL)],
        [crater(0, 0, 3), notched],
    )
    assert [twin.wholly_within(s, k, 0) for k in range(3)] == [True, False, False]
    assert [twin.wholly_within(s, k, 1) for k in range(2, 6)] == [True, False, True, True]


@both
@pytest.mark.clause(EDITION, "TERR-COVER-4")
def test_a_segment_crosses_a_footprint_through_its_interior(twin: ModuleType) -> None:
    """Touching a corner, an edge or a rim is no crossing; the seam between two parts of one footprint is inside."""
    square = Piece("s", outline=((0, 0), (1000, 0), (1000, 1000), (0, 1000)))
    arrow = Piece("a", outline=((0, 0), (1000, -1000), (500, 0), (1000, 1000)))
    ground = Ground.of((9000, 9000), [square, arrow, Piece("d", disc=(0, 0, 500))])
    assert twin.crosses(ground, 0, -500, 500, 2000, 500)
    assert not twin.crosses(ground, 0, -500, 0, 2000, 0)
    assert not twin.crosses(ground, 0, -500, 500, 500, -500)
    assert not twin.crosses(ground, 0, 1000, -5, 1000, 2000)
    assert twin.crosses(ground, 0, 200, 200, 300, 300)
    assert twin.crosses(ground, 1, -500, 0, 400, 0)
    assert not twin.crosses(ground, 1, 500, 0, 900, 0)
    assert not twin.crosses(ground, 2, -900, 500, 900, 500)
    assert twin.crosses(ground, 2, -900, 499, 900, 499)


@pytest.mark.clause(EDITION, "VDMG-10")
@pytest.mark.parametrize(
    ("x", "y", "side"),
    FACINGS,
)
def test_sides_of_a_vehicle(x: int, y: int, side: str) -> None:
    """TV-R27: below 45 degrees is the front, above 135 the rear, the borders belong to the side; for every facing."""
    for facing in range(0, 3600, 450):
        dx, dy = x, y
        for _ in range(facing // 900):
            dx, dy = -dy, dx
        if facing % 900 == 0:
            front, rear = sector(dx, dy, facing, 450) < 0, sector(dx, dy, facing, 1350) > 0
            assert ("front" if front else "rear" if rear else "side") == side


@pytest.mark.clause(EDITION, "MEAS-5")
def test_angles_on_a_border_have_a_tolerance() -> None:
    """A direction 0.0005 degree off a border is on it, one 0.01 degree off is not."""
    assert sector(1_000_000, 1_000_009, 0, 450) == 0
    assert sector(1_000_000, 1_000_350, 0, 450) == 1
    assert sector(1_000_000, 999_650, 0, 450) == -1
    assert sector(0, 0, 0, 0) == -1
    assert sector(-5, 0, 0, 1800) == -1
    assert sector(-5, 0, 0, 0) == 1


def test_offsets_in_a_models_frame() -> None:
    """An offset is told as along the facing and across to the left."""
    assert in_frame(0, 10, 900) == (10, 0)
    assert in_frame(0, 10, 0) == (0, 10)
    along, across = in_frame(10, 10, 450)
    assert along == pytest.approx(200**0.5)
    assert across == pytest.approx(0)


@both
@pytest.mark.clause(EDITION, "MEAS-6")
def test_height_does_not_lengthen_a_distance(twin: ModuleType) -> None:
    """A model on a tower is as far away as one at its foot."""
    flat = scene([Model(0, 0, 0), Model(1, 6, 0)])
    tower: Scene = scene([Model(0, 0, 0), Model(1, 6, 0, MAN)], [disc(6, 0, 2, elevation=9, height=9)])
    assert twin.gap(tower, 0, 1) == twin.gap(flat, 0, 1) == 5000
