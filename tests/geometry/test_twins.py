"""The compiled kernels and the plain twin give the same answers, bit for bit, on every class of scenes.

Counts, per class: 8 scenes; 45 pairs of models for sight with its evidence, 8 barrels with arcs, up to 8 outlines, 20
pairs of units for watching and cover; all 900 pairs of models and 360 of a model and a piece for distances.
"""

from __future__ import annotations

import os
import random
import struct
import subprocess
import sys
from itertools import pairwise, permutations
from math import inf

import pytest
from msgspec.structs import replace

from rolloff.geometry import kernels
from rolloff.geometry.field import NOWHERE, Field, Scene
from rolloff.geometry.plain import measure as plain_measure
from rolloff.geometry.plain import sight as plain_sight
from rolloff.geometry.shapes import Base
from rolloff.geometry.sight import HULLS, NONE, Eye, Mode
from rolloff.geometry.spans import Bodies, Limits
from tests.geometry.sight_scenes import CLASSES, scenes_of, twins

SCENES = 8
MODES = (
    Mode(),
    Mode(models=NONE, heights=False),
    Mode(models=HULLS, stand_exempt=False, target_exempt=False, ignored=(1, 3), clear=(0, 4)),
    Mode(margin=100, contact=200, eye=(1, 2)),
)

needs_both = pytest.mark.skipif(not kernels.COMPILED, reason="there is only the plain twin to compare")


def each_scene(kind: str) -> list[tuple[Scene, random.Random]]:
    """The scenes of a class, each with its own luck."""
    return [(s, random.Random(f"{kind} {k}")) for k, s in enumerate(scenes_of(kind, SCENES))]


def standing(s: Scene) -> list[int]:
    """The slots on the table."""
    return [k for k in range(s.field.n) if struct.unpack_from("<i", s.xy, 8 * k)[0] != NOWHERE]


@needs_both
@pytest.mark.parametrize("kind", CLASSES)
def test_measuring(kind: str) -> None:
    """Gaps, nearest models, reach, coherency, ground, heights and footprints are the same in both twins."""
    _, compiled = twins("measure")
    for s, luck in each_scene(kind):
        n, pieces = s.field.n, range(len(s.field.ground.places))
        for a in range(n):
            assert [plain_measure.gap(s, a, b) for b in range(n)] == [compiled.gap(s, a, b) for b in range(n)]
            assert [plain_measure.base_gap(s, a, p) for p in pieces] == [compiled.base_gap(s, a, p) for p in pieces]
            within = [plain_measure.wholly_within(s, a, p) for p in pieces]
            assert within == [compiled.wholly_within(s, a, p) for p in pieces]
        assert plain_measure.grounds(s.field, s.xy) == compiled.grounds(s.field, s.xy)
        assert plain_measure.heights_at(s.field.ground, s.xy) == compiled.heights_at(s.field.ground, s.xy)
        some = luck.sample(range(n), min(n, 9))
        there = [k for k in some if k in standing(s)][:4]
        for a, b in permutations(there, 2):
            assert plain_measure.contacts_around(s, a, b, 24) == compiled.contacts_around(s, a, b, 24)
            for around in (s, a, (b,), (0,), 4000.0, 24), (s, a, there, (500, 1000, 0), luck.randint(0, 30_000), 24):
                assert plain_measure.spots_around(*around) == compiled.spots_around(*around)
        assert plain_measure.gaps_among(s, some) == compiled.gaps_among(s, some)
        asked = (
            some,
            list(pieces),
            [luck.choice([-inf, 3000.0, 9000.0]) for _ in pieces],
            1.0,
        )
        assert plain_measure.footings(s, *asked) == compiled.footings(s, *asked)
        groups = [plain_measure.slots_of(s, unit) for unit in range(len(s.sides))]
        asked_for = (s, groups, [luck.randint(1, 2) for _ in groups], luck.choice([500, 2000, 6000]), 60_000, 1)
        assert plain_measure.scattered(*asked_for) == compiled.scattered(*asked_for)
        for a in [k for k in some if k in standing(s)][:4]:
            spots = [(luck.randrange(s.field.width), luck.randrange(s.field.height)) for _ in range(4)]
            legs = [(*start, *end, luck.randint(1, 40)) for start, end in pairwise(spots)]
            climb = (s, a, legs, list(pieces), list(pieces)[1::2], 10.0, luck.choice([0, 3000]))
            assert plain_measure.climbed(*climb) == compiled.climbed(*climb)
        two = replace(s, sides=bytes([k % 2 for k in range(len(s.sides))]))
        for limit in (0.0, *[gap for gap in plain_measure.unit_gaps(s, 0) if gap < inf]):
            assert plain_measure.close_units(two, limit) == compiled.close_units(two, limit)
        for a, b in permutations(range(5), 2):
            assert plain_measure.nearest(s, a, b) == compiled.nearest(s, a, b)
            gaps = compiled.unit_gaps(s, a)
            assert plain_measure.unit_gaps(s, a) == gaps
            assert b >= len(gaps) or gaps[b] == compiled.nearest(s, a, b).gap
            assert plain_measure.reach(s, a, b) == compiled.reach(s, a, b)
            assert plain_measure.touching(s, a, b, 2000) == compiled.touching(s, a, b, 2000)
            slots = plain_measure.slots_of(s, a)
            assert slots == compiled.slots_of(s, a)
            chain, need, hub = luck.random() < 0.5, luck.choice([1, 2]), luck.choice([-1, *slots])
            plain = plain_measure.coherent(s, slots, 2000, 12_000, connected=chain, need=need, hub=hub)
            assert plain == compiled.coherent(s, slots, 2000, 12_000, connected=chain, need=need, hub=hub)


@needs_both
@pytest.mark.parametrize("kind", CLASSES)
def test_measuring_again(kind: str) -> None:
    """Gaps and close enemies are the same when they are asked for again after some have moved, turned or fallen."""
    _, compiled = twins("measure")
    for s, luck in each_scene(kind):
        now = replace(s, sides=bytes([k % 2 for k in range(len(s.sides))]))
        for step in range(8):
            xy, facing, here = bytearray(now.xy), bytearray(now.facing), standing(now)
            for slot in luck.sample(here, min(len(here), luck.choice([0, 1, 1, 3]))):
                spot = (NOWHERE, 0) if step == 5 else (luck.randrange(s.field.width), luck.randrange(s.field.height))
                xy[8 * slot : 8 * slot + 8] = struct.pack("<2i", *spot)
                facing[2 * slot : 2 * slot + 2] = struct.pack("<h", luck.randrange(3600))
            now = replace(now, xy=bytes(xy), facing=bytes(facing))
            for limit in (0.0, 2001.0, 9001.0):
                assert plain_measure.close_units(now, limit) == compiled.close_units(now, limit)
            for unit in luck.sample(range(len(now.sides)), min(len(now.sides), 3)):
                assert plain_measure.unit_gaps(now, unit) == compiled.unit_gaps(now, unit)


@needs_both
@pytest.mark.parametrize("kind", CLASSES)
def test_many_pairs_at_once(kind: str) -> None:
    """Distances of many pairs in plan and in height, with hulls over bases and models that stand on their bodies."""
    plain, compiled = twins("spans")
    for s, luck in each_scene(kind):
        n = s.field.n
        ours, theirs = (tuple(luck.sample(range(n), min(n, 9))) for _ in "ab")
        assert plain.gaps_between(s, ours, theirs) == compiled.gaps_between(s, ours, theirs)
        assert plain.gaps_between(s, ours, theirs) == [[plain_measure.gap(s, a, b) for b in theirs] for a in ours]
        assert plain.closest(s, ours, theirs, 1) == compiled.closest(s, ours, theirs, 1)
        assert plain.closest(s, ours, theirs, 2000) == compiled.closest(s, ours, theirs, 2000)
        there = [struct.unpack_from("<2i", s.xy, 8 * slot) for slot in ours]
        ends = [(x, y) if luck.random() < 0.3 else (x + luck.randint(-900, 900), y + luck.randint(-900, 900)) for x, y in there]
        went = struct.pack(f"<{2 * len(ours)}i", *(max(c, NOWHERE) for end in ends for c in end))
        turns = struct.pack(f"<{len(ours)}h", *(luck.randrange(3600) for _ in ours))
        raised = replace(s, z=struct.pack(f"<{n}i", *(luck.choice([0, 0, 900]) for _ in range(n))))
        pieces = tuple(luck.sample(range(len(s.field.ground.places)), min(3, len(s.field.ground.places))))
        for limit in (1000, 9000):
            asked = raised, pieces, ours, theirs, limit, 800
            assert plain.first_across(*asked) == compiled.first_across(*asked)
        others = tuple(slot for slot in theirs if slot not in ours)
        assert plain.not_nearer(s, went, turns, ours, others, 1) == compiled.not_nearer(s, went, turns, ours, others, 1)
        tall = [luck.choice([900, 2000, -1 - 1500]) for _ in range(n)]
        lifted = replace(s, z=struct.pack(f"<{n}i", *(luck.choice([0, 0, 1500, 4000]) for _ in range(n))))
        wide = Field(s.field.ground, [Base.rect(3000, 5000, 2000) if luck.random() < 0.2 else base for base in s.field.bases])
        for over in (s.field, wide):
            bodies, limits = Bodies(over, struct.pack(f"<{n}i", *tall)), Limits(8000, 1501, 10)
            assert plain.spans(lifted, bodies, ours, theirs, limits) == compiled.spans(lifted, bodies, ours, theirs, limits)


@needs_both
@pytest.mark.parametrize("kind", CLASSES)
def test_points_and_segments(kind: str) -> None:
    """Pieces underfoot, distances to footprints and crossings are the same in both twins."""
    _, compiled = twins("measure")
    for s, luck in each_scene(kind):
        ground = s.field.ground
        for _ in range(60):
            x0, y0, x1, y1 = (luck.randint(0, 60) * 500 for _ in range(4))
            assert plain_measure.pieces_at(ground, x0, y0) == compiled.pieces_at(ground, x0, y0)
            assert plain_measure.ground_z(ground, x0, y0) == compiled.ground_z(ground, x0, y0)
            for piece in range(len(ground.places)):
                assert plain_measure.point_gap(ground, piece, x0, y0) == compiled.point_gap(ground, piece, x0, y0)
                way = (ground, piece, x0, y0, x1, y1)
                assert plain_measure.crosses(*way) == compiled.crosses(*way)


@needs_both
@pytest.mark.parametrize("kind", CLASSES)
def test_seeing(kind: str) -> None:
    """Answers and evidence of sight between models are the same in both twins, in four modes."""
    _, compiled = twins("sight")
    for s, luck in each_scene(kind):
        mode = luck.choice(MODES)
        for a, b in luck.sample(list(permutations(range(s.field.n), 2)), 45):
            assert plain_sight.sees(s, mode, a, b) == compiled.sees(s, mode, a, b)


@needs_both
@pytest.mark.parametrize("kind", CLASSES)
def test_eyes(kind: str) -> None:
    """Barrels with arcs and outlines of pieces see the same in both twins."""
    _, compiled = twins("sight")
    for s, luck in each_scene(kind):
        mode = luck.choice(MODES)
        here = standing(s)
        for a in luck.sample(here, 8):
            mount = (luck.choice([0, 450, 900, 1800, 2700]), luck.choice([0, 225, 450, 900, 1350, 1800]))
            barrel = Eye.mounted(s, a, luck.randint(-2000, 2000), luck.randint(-1000, 1000), *mount)
            underfoot = plain_measure.pieces_at(s.field.ground, *struct.unpack_from("<2i", s.xy, 8 * a))
            for eye in (barrel, Eye(a, pieces=underfoot)):
                other = luck.choice(here)
                assert plain_sight.sees(s, mode, eye, other) == compiled.sees(s, mode, eye, other)
                assert plain_sight.sees(s, mode, other, eye) == compiled.sees(s, mode, other, eye)
                unit = luck.randrange(5)
                assert plain_sight.aims(s, mode, eye, unit) == compiled.aims(s, mode, eye, unit)


@needs_both
@pytest.mark.parametrize("kind", CLASSES)
def test_watching_and_cover(kind: str) -> None:
    """A unit's look at a unit and its cover are the same in both twins."""
    _, compiled = twins("sight")
    for s, luck in each_scene(kind):
        mode = luck.choice(MODES)
        for a, b in permutations(range(5), 2):
            assert plain_sight.watch(s, mode, a, b) == compiled.watch(s, mode, a, b)
            firing = plain_measure.slots_of(s, a)
            assert plain_sight.covered(s, mode, firing, b) == compiled.covered(s, mode, firing, b)


def test_the_environment_chooses_the_twin() -> None:
    """ROLLOFF_KERNELS=off forces the plain twin."""
    script = "from rolloff.geometry import kernels, sight; print(kernels.NAME, sight.sees.__module__)"
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "ROLLOFF_KERNELS": "off"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["plain", "rolloff.geometry.plain.sight"]
