"""Exact sight: the contract's vectors, brute force, arcs, outlines and cover, in both twins."""

from __future__ import annotations

import random
import struct
from itertools import permutations
from math import atan2, degrees, hypot
from types import ModuleType

import numpy as np
import pytest

from rolloff.geometry.field import COVER, NOWHERE, Piece, Scene
from rolloff.geometry.plain import measure as plain_measure
from rolloff.geometry.sight import ALL, HULLS, NONE, Eye, Mode, Sight
from tests.geometry.brute import Core, band_is_clear, clear_between, clear_gap, sampled, sampled_outlines, ways_out
from tests.geometry.by_the_book import blockers, body, everything, footprint, spot
from tests.geometry.sight_scenes import (
    BIKE,
    CLASSES,
    HULL,
    Model,
    at,
    crater,
    disc,
    moved,
    placed,
    scene,
    scenes_of,
    twins,
    wall,
)

EDITION = "onepage-3.0"
MODE = Mode()
both = pytest.mark.parametrize("twin", twins("sight"))


def clause(*ids: str) -> pytest.MarkDecorator:
    """Clauses of the edition these tests are read from."""
    return pytest.mark.clause(EDITION, *ids)


def shifted(sight: Sight) -> tuple[float, ...]:
    """The clear line of a drawn table in inches from its middle."""
    assert sight.line is not None
    x0, y0, x1, y1 = sight.line
    return tuple(round(c / 1000, 3) for c in (x0 - 30_000, y0 - 24_000, x1 - 30_000, y1 - 24_000))


@both
@clause("LOS-1", "LOS-3", "TERR-COVER-3")
def test_three_targets_and_a_wall(twin: ModuleType) -> None:
    """TV-D4: the wall hides red alone; green, in a crater, is seen and in cover."""
    s = scene([Model(0, 0, 0), Model(1, 12, 8), Model(2, 0, 12), Model(3, 12, 0)], [wall(5, -2, 6, 2), crater(0, 12, 2)])
    seen = [twin.sees(s, MODE, 0, k) for k in (1, 2, 3)]
    assert [sight.visible for sight in seen] == [True, True, False]
    assert seen[2] == Sight(False, None, (0,), ())
    assert shifted(seen[1]) == (0, 0.5, 0, 11.5)
    assert twin.covered(s, MODE, (0,), 2) == {2: 1}


@both
@clause("SHOOT-3", "LOS-9")
def test_each_model_sees_for_itself(twin: ModuleType) -> None:
    """TV-D5: of three shooters the wall leaves sight to the first two only."""
    s = scene(
        [Model(0, 0, 0), Model(0, 0, -2), Model(0, 0, 4), Model(1, 10, 0), Model(1, 10, -2)],
        [wall(3, 0.8, 4, 6)],
    )
    seen = twin.watch(s, MODE, 0, 1)
    assert {slot: other >= 0 for slot, other in seen.items()} == {0: True, 1: True, 2: False}
    assert twin.watch(s, MODE, 0, 1, (2, 0)).keys() == {2, 0}


@both
@clause("LOS-3", "LOS-8")
@pytest.mark.parametrize(("half_gap", "visible"), [(0.02, True), (0.005, True), (0.004, False), (0, False)])
def test_gaps_need_the_margin_and_no_more(twin: ModuleType, half_gap: float, visible: bool) -> None:
    """TV-R71: through a slit of 0.04" one sees, and of exactly 0.01"; not through 0.008" or where walls touch."""
    s = scene([Model(0, 0, 0), Model(1, 10, 0)], [wall(4, half_gap, 6, 5), wall(4, -5, 6, -half_gap)])
    sight = twin.sees(s, MODE, 0, 1)
    assert sight.visible == visible
    assert visible or sight.pieces == (0, 1)


@both
@clause("LOS-3", "LOS-5")
def test_a_third_model_just_hides(twin: ModuleType) -> None:
    """TV-R72: an equal base midway leaves only touching lines; moved by 0.1" it leaves a gap."""
    assert twin.sees(scene([Model(0, 0, 0), Model(1, 20, 0), Model(2, 10, 0)]), MODE, 0, 1) == Sight(False, None, (), (2,))
    assert twin.sees(scene([Model(0, 0, 0), Model(1, 20, 0), Model(2, 10, 0.1)]), MODE, 0, 1).visible


@both
@clause("LOS-5")
def test_own_and_target_units_do_not_block(twin: ModuleType) -> None:
    """Fellows of either model are looked through, others are not; the mode may look through all or some of them."""
    for unit, visible in ((0, True), (1, True), (2, False)):
        s = scene([Model(0, 0, 0), Model(1, 20, 0), Model(unit, 10, 0)])
        assert twin.sees(s, MODE, 0, 1).visible == visible
        assert twin.sees(s, MODE._replace(models=NONE), 0, 1).visible
        assert twin.sees(s, MODE._replace(models=HULLS), 0, 1).visible
        assert twin.sees(s, MODE._replace(ignored=(2,)), 0, 1).visible
    fellow = scene([Model(0, 0, 0), Model(1, 20, 0), Model(1, 10, 0)])
    assert not twin.sees(fellow, MODE._replace(target_exempt=False), 0, 1).visible
    hull = scene([Model(0, 0, 0), Model(1, 20, 0), Model(2, 10, 0, HULL)])
    assert not twin.sees(hull, MODE._replace(models=HULLS), 0, 1).visible


@both
@clause("LOS-6")
def test_high_ground_looks_over_models(twin: ModuleType) -> None:
    """TV-R73: from 3" up one looks over a model at 17" (line at 1.125 or more) but not at 18" (down to 0.975)."""
    ledge = disc(0, 0, 2, elevation=3)
    for x, visible in ((17, True), (18, False)):
        s = scene([Model(0, 0, 0), Model(1, 20, 0), Model(2, x, 0)], [ledge])
        assert twin.sees(s, MODE, 0, 1).visible == visible
        assert twin.sees(s, MODE, 1, 0).visible == visible
        assert not twin.sees(s, MODE._replace(heights=False), 0, 1).visible


@both
@clause("LOS-6")
def test_a_top_level_with_the_line_does_not_block(twin: ModuleType) -> None:
    """An obstacle as high as the line from eye to eye is looked over, a thou more hides; behind a centre none blocks."""
    pair = [Model(0, 0, 0), Model(1, 10, 0)]
    assert twin.sees(scene(pair, [wall(4, -5, 6, 5, height=0.75)]), MODE, 0, 1).visible
    assert not twin.sees(scene(pair, [wall(4, -5, 6, 5, height=0.751)]), MODE, 0, 1).visible
    assert twin.sees(scene(pair, [wall(-3, -5, 0, 5)]), MODE._replace(stand_exempt=False), 0, 1).visible


@both
@clause("LOS-7")
def test_a_hill_underfoot_does_not_block(twin: ModuleType) -> None:
    """TV-R74: from the hill one sees; from beside it, base overlapping, one does not, nor from inside a mode without it."""
    hill = disc(0, 0, 3, elevation=2, height=2, solid=True)
    assert twin.sees(scene([Model(0, 0, 0), Model(1, 10, 0)], [hill]), MODE, 0, 1).visible
    beside = scene([Model(0, -3.2, 0), Model(1, 10, 0)], [hill])
    assert twin.sees(beside, MODE, 0, 1) == Sight(False, None, (0,), ())
    assert twin.sees(beside, MODE, 1, 0) == Sight(False, None, (0,), ())
    edge = scene([Model(0, -3, 0), Model(1, 10, 0)], [hill])
    assert twin.sees(edge, MODE, 0, 1).visible
    assert not twin.sees(edge, MODE._replace(stand_exempt=False, heights=False), 0, 1).visible
    assert twin.sees(beside, MODE._replace(clear=(0,)), 0, 1).visible


@both
@clause("LOS-7", "TERR-COVER-5")
def test_two_on_one_hill(twin: ModuleType) -> None:
    """TV-R75: two models on one hill see each other and it gives no cover; from beside it, it does."""
    hill = disc(0, 0, 3, elevation=2, height=2, solid=True)
    s = scene([Model(0, -2, 0), Model(1, 2, 0)], [hill])
    assert twin.sees(s, MODE, 0, 1).visible
    assert twin.covered(s, MODE, (0,), 1) == {1: -1}
    assert twin.covered(scene([Model(0, -6, 0), Model(1, 6, 0)], [hill]), MODE, (0,), 1) == {1: 0}


@both
@clause("LOS-8")
def test_flush_walls_and_grazed_edges(twin: ModuleType) -> None:
    """Looking along a wall's edge is allowed; two walls that meet, or a wall flush with a hull's front, leave no gap."""
    assert twin.sees(scene([Model(0, 0, 0), Model(1, 10, 0)], [wall(3, 0, 7, 5)]), MODE, 0, 1).visible
    joined = [wall(4, 0, 6, 5), wall(4, -5, 6, 0)]
    assert not twin.sees(scene([Model(0, 0, 0), Model(1, 10, 0)], joined), MODE, 0, 1).visible
    flush = [wall(2.5, -1.5, 3, 1.5)]
    assert not twin.sees(scene([Model(0, 0, 0, HULL), Model(1, 10, 0)], flush), MODE, 0, 1).visible
    assert twin.sees(scene([Model(0, 0, 0, HULL), Model(1, 10, 0)], [wall(2.5, -1.5, 3, 1.4)]), MODE, 0, 1).visible


@both
@clause("LOS-3")
def test_bases_in_contact_see_each_other(twin: ModuleType) -> None:
    """Whatever stands around them, bases with a gap of 0.01" see each other; at 0.011" a wall between them hides."""
    thin = Piece("thin", outline=(at(0.501, -5), at(0.51, -5), at(0.51, 5), at(0.501, 5)), height=5000, solid=True)
    assert shifted(twin.sees(scene([Model(0, 0, 0), Model(1, 1.01, 0)], [thin]), MODE, 0, 1)) == (0.5, 0, 0.51, 0)
    assert shifted(twin.sees(scene([Model(1, 1, 0), Model(0, 0, 0)], [thin]), MODE, 0, 1)) == (0.5, 0, 0.5, 0)
    hulls = scene([Model(0, 0, 0, HULL), Model(1, 5.005, 2, HULL), Model(2, 2.6, 3)])
    assert shifted(twin.sees(hulls, MODE, 0, 1))[::2] == (2.5, 2.505)
    assert not twin.sees(scene([Model(0, 0, 0), Model(1, 1.011, 0)], [thin]), MODE, 0, 1).visible


@both
@clause("LOS-12")
def test_who_is_off_the_table_neither_sees_nor_blocks(twin: ModuleType) -> None:
    """A model aboard or removed sees nothing, is not seen, and hides nobody."""
    field = scene([Model(0, 0, 0), Model(1, 20, 0), Model(2, 10, 0)]).field
    gone = placed(field, [at(0, 0), at(20, 0), (NOWHERE, 0)], [0, 0, 0], [0, 1, 2])
    assert twin.sees(gone, MODE, 0, 1).visible
    assert twin.sees(gone, MODE, 0, 2) == Sight(False)
    assert twin.sees(gone, MODE, 2, 1) == Sight(False)
    assert twin.watch(gone, MODE, 2, 1, (2,)) == {2: -1}
    assert twin.watch(gone, MODE, 0, 2) == {0: -1}
    assert twin.aims(gone, MODE, 2, 1) == twin.aims(gone, MODE, 0, 2) == -1


@both
@clause("ARC-1", "ARC-2", "ARC-3", "LOS-10")
def test_arcs(twin: ModuleType) -> None:
    """TV-D28, TV-R76: a turret fires all round, a front mount only where some of the target lies within 22.5 degrees."""
    side = scene([Model(0, 0, 0, HULL), Model(1, 0, 20)])
    mounts = {"turret": (0, 1800), "front": (0, 225), "rear": (1800, 225), "left": (900, 900), "right": (2700, 900)}
    fires = {name: twin.aims(side, MODE, Eye.mounted(side, 0, 0, 0, *mount), 1) for name, mount in mounts.items()}
    assert fires == {"turret": 1, "front": -1, "rear": -1, "left": 1, "right": -1}
    for y, target in ((4.5, 1), (5, -1)):
        s = scene([Model(0, 0, 0, HULL), Model(1, 10, y)])
        assert twin.aims(s, MODE, Eye.mounted(s, 0, 0, 0, 0, 225), 1) == target
        assert twin.sees(s, MODE, 1, Eye.mounted(s, 0, 0, 0, 0, 225)).visible == (target == 1)


@both
@clause("ARC-3")
def test_the_part_in_the_arc_must_be_the_part_seen(twin: ModuleType) -> None:
    """A wall that hides what lies in the arc hides the target, though the rest of it is in plain view."""
    s = scene([Model(0, 0, 0, HULL), Model(1, 10, 4.5)], [wall(8, 2, 8.5, 3.9)])
    assert twin.sees(s, MODE, Eye(0, at(0, 0)), 1).visible
    assert twin.sees(s, MODE, Eye.mounted(s, 0, 0, 0, 0, 225), 1) == Sight(False, None, (0,), ())


@both
@clause("ARC-4", "LOS-7")
def test_a_barrel_is_where_its_mount_is(twin: ModuleType) -> None:
    """The barrel turns with the hull, a piece that contains it does not block, and the own hull never does."""
    s = scene([Model(0, 0, 0, HULL, 900), Model(1, 0, 12)], [wall(-1, 1.5, 1, 3, height=5)])
    eye = Eye.mounted(s, 0, 2000, 500, 0, 225)
    assert eye == Eye(0, at(-0.5, 2), (675, 1125))
    assert twin.aims(s, MODE, eye, 1) == 1
    assert twin.aims(s, MODE, Eye.mounted(s, 0, 0, 0, 0, 225), 1) == -1


@both
def test_an_outline_may_stand_for_a_base(twin: ModuleType) -> None:
    """TV-R77 and on: lines start anywhere on a forest's outline, so a wall before the leader alone hides nobody."""
    forest = crater(0, 0, 3)
    s = scene([Model(0, -2.5, 0), Model(1, 8, 0), Model(2, 8, 9)], [forest, wall(4, -1, 5, 1), wall(4, 4, 5, 20)])
    assert not twin.sees(s, MODE, 0, 1).visible
    assert twin.sees(s, MODE, Eye(0, pieces=(0,)), 1).visible
    assert twin.sees(s, MODE, 1, Eye(0, pieces=(0,))).visible
    touching = scene([Model(0, -2.5, 0), Model(1, 3.5, 0)], [forest, wall(2.8, -1, 3.2, 1)])
    assert twin.sees(touching, MODE, Eye(0, pieces=(0,)), 1).visible


@both
def test_an_outline_of_several_pieces_is_one_shape(twin: ModuleType) -> None:
    """Through a slit on the seam of two pieces one sees their union, though neither fills the slit alone."""
    pieces = [wall(-4, 0, 0, 3, height=0), wall(-4, -3, 0, 0, height=0), wall(4, 0.005, 6, 9), wall(4, -9, 6, -0.005)]
    pieces[:2] = [piece._replace(solid=False) for piece in pieces[:2]]
    s = scene([Model(0, -2, 0), Model(1, 20, 0)], pieces)
    assert twin.sees(s, MODE, Eye(0, pieces=(0, 1)), 1).visible
    assert not twin.sees(s, MODE, Eye(0, pieces=(0,)), 1).visible


@both
@clause("TERR-COVER-4")
def test_behind_cover(twin: ModuleType) -> None:
    """Behind counts within 1" of the piece or with the firer further than 1" away; not over one's own sandbags."""
    bags = Piece("bags", outline=(at(4.5, -2), at(5, -2), at(5, 2), at(4.5, 2)), height=750, kinds=COVER)
    for shooter, target, piece in ((0, 6, 0), (0, 9, 0), (3.5, 9, -1), (2, 9, 0), (3.5, 6.5, 0), (3.5, 6.6, -1)):
        s = scene([Model(0, shooter, 0), Model(1, target, 0)], [bags])
        assert twin.covered(s, MODE, (0,), 1) == {1: piece}
    beside = scene([Model(0, 0, 0), Model(1, 9, 4.5)], [bags])
    assert twin.covered(beside, MODE, (0,), 1) == {1: -1}


@both
@clause("TERR-COVER-4")
def test_the_nearest_firer_decides(twin: ModuleType) -> None:
    """Cover is judged from the nearest firing model; of two as near, the one that leaves the target uncovered."""
    bags = Piece("bags", outline=(at(4.5, -2), at(5, -2), at(5, 2), at(4.5, 2)), height=750, kinds=COVER)
    s = scene([Model(0, 0, 0), Model(0, 12, 1), Model(0, 13, 0), Model(1, 6.5, 0)], [bags])
    assert twin.covered(s, MODE, (0,), 1) == {3: 0}
    assert twin.covered(s, MODE, (0, 1), 1) == {3: -1}
    assert twin.covered(s, MODE, (0, 2), 1) == {3: -1}
    assert twin.covered(s, MODE, (), 1) == {3: -1}


@both
@clause("TERR-COVER-5")
def test_a_building_gives_cover_if_it_could_hide(twin: ModuleType) -> None:
    """A solid piece between the two counts as cover when it is high enough and nobody stands on it; models never do."""
    pair = [Model(0, 0, 0), Model(1, 12, 0)]
    for height, piece in ((5, 0), (0.75, -1)):
        s = scene(pair, [wall(5, -0.1, 6, 3, height=height)])
        assert twin.sees(s, MODE, 0, 1).visible
        assert twin.covered(s, MODE, (0,), 1) == {1: piece}
    assert twin.covered(scene([*pair, Model(2, 6, 0)]), MODE, (0,), 1) == {1: -1}


@both
def test_hidden_needs_every_blocker_named(twin: ModuleType) -> None:
    """What hides is named completely: taking away any one of the pieces named lets the pair see."""
    walls = [wall(4, 0, 5, 5), wall(6, -5, 7, 0.1), wall(20, 8, 21, 9)]
    s = scene([Model(0, 0, 0), Model(1, 10, 0)], walls)
    assert twin.sees(s, MODE, 0, 1) == Sight(False, None, (0, 1), ())
    for piece in (0, 1):
        assert twin.sees(s, MODE._replace(clear=(piece,)), 0, 1).visible


def pairs_of(s: Scene, luck: random.Random, count: int) -> list[tuple[int, int]]:
    """Some pairs of models on the table, of different units."""
    units = [struct.unpack_from("<h", s.owner, 2 * k)[0] for k in range(s.field.n)]
    here = [k for k in range(s.field.n) if spot(s, k)[0] != NOWHERE]
    return luck.sample([(a, b) for a, b in permutations(here, 2) if units[a] != units[b]], count)


def overlaps(core: Core, others: list[Core]) -> bool:
    """Whether a curved shape reaches into another: such a rim is drawn with straight edges."""
    return any(clear_gap(core, other) < 0 and (core[1] > 0 or other[1] > 0) for other in others)


@both
@clause("LOS-3", "LOS-4", "LOS-5", "LOS-6", "LOS-7", "LOS-8")
@pytest.mark.parametrize("kind", CLASSES)
def test_against_brute_force(twin: ModuleType, kind: str) -> None:
    """Every class of scenes: no refusal where some of 64 x 64 sample lines is clear, and every clear band is clear."""
    luck = random.Random(kind)
    for s in scenes_of(kind, 3):
        for a, b in pairs_of(s, luck, 4):
            first, second = body(s, a), body(s, b)
            if clear_gap(first, second) <= 10:
                assert twin.sees(s, MODE, a, b).visible
                continue
            between = [core for cores in blockers(s, a, b).values() for core in cores]
            sight = twin.sees(s, MODE, a, b)
            if sight.line is None:
                # A rim drawn straight is off by a quarter thou at most, so such a gap may just be missed.
                assert not sampled(first, second, between, 10.5, 64)
            else:
                slack = 0.25 if overlaps(first, between) or overlaps(second, between) else 1e-3
                assert band_is_clear(first, second, between, sight.line, slack=slack)


FLAT = Mode(heights=False, stand_exempt=False)


@both
@clause("ARC-3", "LOS-10")
@pytest.mark.parametrize("kind", ["circles", "hulls", "mixed", "half-inch"])
def test_arcs_against_brute_force(twin: ModuleType, kind: str) -> None:
    """Barrels with arcs: no refusal where one of 3,001 directions in the arc is clear, every line shown is in the arc."""
    luck = random.Random(kind)
    for s in scenes_of(kind, 2):
        for a, b in pairs_of(s, luck, 6):
            half = luck.choice([225, 450, 900, 1350])
            eye = Eye.mounted(s, a, luck.randint(-900, 900), luck.randint(-400, 400), luck.randrange(3600), half)
            assert eye.barrel is not None and eye.arc is not None
            target, between = body(s, b), everything(s, a, b)
            barrel: Core = ([(float(eye.barrel[0]), float(eye.barrel[1]))], 5.0)
            if clear_gap(barrel, target) <= 1:
                continue
            sight = twin.sees(s, FLAT, eye, b)
            if sight.line is None:
                ways = np.linspace(eye.arc[0] / 10, eye.arc[0] / 10 + half / 5, 3001)
                # Half a thou wider, as a rim drawn straight may be that much off.
                assert not ways_out(barrel[0][0], target, between, ways, 10.5)
                continue
            x0, y0, x1, y1 = sight.line
            off = (degrees(atan2(y1 - y0, x1 - x0)) - eye.arc[0] / 10 + 0.01) % 360
            assert off <= half / 5 + 0.02
            assert band_is_clear(barrel, target, between, sight.line, slack=0.25)


@both
@pytest.mark.parametrize("kind", ["circles", "mixed", "half-inch"])
def test_outlines_against_brute_force(twin: ModuleType, kind: str) -> None:
    """Units within pieces: no refusal where a band between rim points is clear, and every band shown is clear."""
    luck = random.Random(kind)
    for s in scenes_of(kind, 3):
        ground = s.field.ground
        for a, b in pairs_of(s, luck, 8):
            pieces = plain_measure.pieces_at(ground, *spot(s, a))
            if not pieces:
                continue
            starts = [core for k in pieces for core in footprint(ground.places[k])]
            ends = [body(s, b)]
            between = everything(s, a, b, pieces)
            sight = twin.sees(s, FLAT, Eye(a, pieces=pieces), b)
            if min(clear_gap(core, ends[0]) for core in starts) <= 10:
                assert sight.visible
            elif sight.line is None:
                assert not sampled_outlines(starts, ends, between, 10.5, 32)
            else:
                x0, y0, x1, y1 = sight.line
                long = hypot(x1 - x0, y1 - y0)
                nx, ny = (y0 - y1) / long, (x1 - x0) / long
                rows = [[x0 + nx * k, y0 + ny * k, x1 - x0, y1 - y0] for k in np.linspace(-4.75, 4.75, 21)]
                assert clear_between(starts, ends, between, np.array(rows)).all()


@both
@clause("LOS-2", "LOS-3")
@pytest.mark.parametrize("kind", CLASSES)
def test_sight_is_mutual(twin: ModuleType, kind: str) -> None:
    """INV-34: for every class of scenes both directions give the same answer and the same evidence, turned round."""
    luck = random.Random(kind)
    for s in scenes_of(kind, 3):
        for a, b in pairs_of(s, luck, 20):
            there, back = twin.sees(s, MODE, a, b), twin.sees(s, MODE, b, a)
            line = back.line and (*back.line[2:], *back.line[:2])
            assert there == back._replace(line=line)


@both
@pytest.mark.parametrize("kind", CLASSES)
def test_where_a_table_lies_makes_no_difference(twin: ModuleType, kind: str) -> None:
    """INV-35: shifted, turned by a quarter or mirrored, every class of scenes gives the same answers."""
    luck = random.Random(kind)
    for s in scenes_of(kind, 2):
        others = [
            moved(s, lambda x, y: (x + 777, y - 1313), lambda facing: facing),
            moved(s, lambda x, y: (30_000 - y, x), lambda facing: facing + 900),
            moved(s, lambda x, y: (30_000 - x, y), lambda facing: 1800 - facing),
        ]
        for a, b in pairs_of(s, luck, 15):
            visible = twin.sees(s, MODE, a, b).visible
            assert [twin.sees(other, MODE, a, b).visible for other in others] == [visible] * 3


@both
@pytest.mark.parametrize("kind", CLASSES)
def test_blockers_named_are_enough(twin: ModuleType, kind: str) -> None:
    """For every class of scenes the pieces and models named hide the pair by themselves, all others looked through."""
    luck = random.Random(kind)
    for s in scenes_of(kind, 2):
        for a, b in pairs_of(s, luck, 12):
            sight = twin.sees(s, MODE, a, b)
            if sight.visible:
                continue
            clear = tuple(k for k in range(len(s.field.ground.places)) if k not in sight.pieces)
            assert twin.sees(s, MODE._replace(clear=clear), a, b).pieces == sight.pieces
            if not sight.slots:
                assert not twin.sees(s, MODE._replace(clear=clear, models=NONE), a, b).visible


@both
@pytest.mark.parametrize("kind", CLASSES)
def test_watching_is_seeing_one_by_one(twin: ModuleType, kind: str) -> None:
    """For every class of scenes a unit's look finds a target exactly where some pair of models sees."""
    for s in scenes_of(kind, 1):
        for mode in (MODE, Mode(models=ALL, heights=False, target_exempt=False)):
            for a, b in permutations(range(3), 2):
                seen = twin.watch(s, mode, a, b)
                targets = [k for k in range(s.field.n) if struct.unpack_from("<h", s.owner, 2 * k)[0] == b]
                for slot, target in seen.items():
                    if target >= 0:
                        assert twin.sees(s, mode, slot, target).visible
                    else:
                        assert not any(twin.sees(s, mode, slot, k).visible for k in targets)


@both
def test_a_curtain_of_discs(twin: ModuleType) -> None:
    """A row of 60 posts that touch hides; with one post moved by 0.02" the slit is found and shown."""
    row = [disc(5, -3 + 0.1 * k, 0.05, height=5, solid=True) for k in range(60)]
    pair = [Model(0, 0, 0), Model(1, 10, 0)]
    assert not twin.sees(scene(pair, row), MODE, 0, 1).visible
    row[30:] = [disc(5, -3 + 0.1 * k + 0.02, 0.05, height=5, solid=True) for k in range(30, 60)]
    sight = twin.sees(scene(pair, row), MODE, 0, 1)
    assert sight.line is not None
    x0, y0, x1, y1 = shifted(sight)
    at_the_row = y0 + (y1 - y0) * (5 - x0) / (x1 - x0)
    assert at_the_row == pytest.approx(-0.04, abs=0.01)


@both
@clause("BASE-2")
def test_bases_are_long_and_wide(twin: ModuleType) -> None:
    """A bike seen end-on is hidden behind a model; seen from the side it sticks out."""
    for facing, visible in ((0, False), (900, True)):
        s = scene([Model(0, 0, 0), Model(1, 20, 0, BIKE, facing), Model(2, 10, 0)])
        assert twin.sees(s, MODE, 0, 1).visible == visible
