"""Templates: who is under a disc, a teardrop, a line, against a plain search over the shape; directions and shifts."""

from __future__ import annotations

import struct
from math import atan2, cos, degrees, hypot, pi, sin

import pytest

from rolloff.geometry.field import Field, Ground, Scene
from rolloff.geometry.shapes import Base
from rolloff.geometry.templates import Area, direction, on_base, shifted, under
from rolloff.oracle.dice import Stream, seed_bytes

BASES = (Base.circle(1000, 1000), Base.oval(1500, 3500, 1000), Base.oval(3500, 1500, 1000), Base.rect(3000, 5000, 2000))
STEPS = 400


def scene_of(*stands: tuple[Base, int, int, int]) -> Scene:
    """Some bases on a table: base, x, y, facing."""
    field = Field(Ground.of((48_000, 48_000)), [base for base, _, _, _ in stands])
    xy = b"".join(struct.pack("<2i", x, y) for _, x, y, _ in stands)
    facing = struct.pack(f"<{len(stands)}h", *(turn for _, _, _, turn in stands))
    owner = struct.pack(f"<{len(stands)}h", *range(len(stands)))
    return Scene(field, xy, bytes(4 * len(stands)), facing, owner, bytes(len(stands)))


def core_gap(base: Base, x: int, y: int, facing: int, px: float, py: float) -> float:
    """The distance of a point from a base, in floats and with the platform's trigonometry: less than nothing inside."""
    turn = -facing / 10 * pi / 180
    dx, dy = px - x, py - y
    along, across = dx * cos(turn) - dy * sin(turn), dx * sin(turn) + dy * cos(turn)
    out = hypot(max(abs(along) - base.hl, 0.0), max(abs(across) - base.hw, 0.0))
    deep = min(base.hl - abs(along), base.hw - abs(across)) if out == 0.0 else 0.0
    return out - max(deep, 0.0) - base.r


def by_search(area: Area, base: Base, x: int, y: int, facing: int) -> float:
    """How far a base is from a template, by walking a disc along it in small steps."""
    (ax, ay, ra), (bx, by, rb) = area
    found = []
    for k in range(STEPS + 1):
        t = k / STEPS
        gap = core_gap(base, x, y, facing, ax + (bx - ax) * t, ay + (by - ay) * t)
        found.append(gap - (ra + (rb - ra) * t))
    return min(found)


def shapes(stream: Stream) -> list[Area]:
    """One template of each shape, somewhere."""
    x, y, turn = stream.between(8_000, 40_000), stream.between(8_000, 40_000), stream.below(3600)
    end = shifted(x, y, stream.below(3600), stream.between(0, 12_000))
    return [
        Area.disc(x, y, stream.between(500, 5_000)),
        Area.teardrop(x, y, turn, (250, 250), (6_750, 1_250)),
        Area.teardrop(x, y, turn, (500, 500), (13_500, 2_500)),
        Area.line((x, y), end, stream.between(0, 2_000)),
    ]


@pytest.mark.parametrize("seed", range(40))
def test_bases_under_a_template_are_those_a_search_finds(seed: int) -> None:
    """Random bases of every kind around random templates: under it where a walk along the shape finds them, else not."""
    stream, report = Stream(seed_bytes(seed, "templates")), 0
    for area in shapes(stream):
        (ax, ay, _), (bx, by, _) = area
        for base in BASES:
            x = stream.between(min(ax, bx) - 6_000, max(ax, bx) + 6_000)
            y = stream.between(min(ay, by) - 6_000, max(ay, by) + 6_000)
            facing = stream.below(3600)
            gap = by_search(area, base, x, y, facing)
            step = hypot(bx - ax, by - ay) / STEPS + 2
            if gap <= 0 or gap > step:  # in between the walk is too coarse to say
                assert under(scene_of((base, x, y, facing)), area) == ((0,) if gap <= 0 else ()), (area, base, x, y, facing)
                report += 1
    assert report >= 10


def test_a_touch_counts_and_a_hair_more_does_not() -> None:
    """A base that just touches a disc is under it; a thou further off it is not, nor is one off the table."""
    circle = Base.circle(1000, 1000)
    scene = scene_of((circle, 12_000, 10_000, 0), (circle, 12_001, 10_000, 0), (circle, -(2**31), 0, 0))
    assert under(scene, Area.disc(10_000, 10_000, 1_500)) == (0,)
    assert under(scene, Area.disc(10_000, 10_000, 1_500), among=(1,)) == ()
    assert Area.disc(10_000, 10_000, 1_500).covers(11_500, 10_000)
    assert not Area.disc(10_000, 10_000, 1_500).covers(11_501, 10_000)


def test_a_hull_over_the_whole_template_is_under_it() -> None:
    """A template wholly inside a base, or across the middle of one, meets it though no edge is near."""
    scene = scene_of((Base.rect(20_000, 20_000, 1000), 20_000, 20_000, 300))
    assert under(scene, Area.disc(20_000, 20_000, 100)) == (0,)
    assert under(scene, Area.line((0, 20_000), (40_000, 20_000))) == (0,)


def test_the_hole_of_a_marker_lies_on_a_base() -> None:
    """A hole is over a base only if all of it is: by the rim of a round base, a stadium and a hull."""
    scene = scene_of((BASES[0], 10_000, 10_000, 0), (BASES[1], 20_000, 20_000, 900), (BASES[3], 30_000, 30_000, 0))
    assert on_base(scene, 0, 10_250, 10_000, 250) and not on_base(scene, 0, 10_251, 10_000, 250)
    assert on_base(scene, 1, 20_000, 21_500, 250) and not on_base(scene, 1, 20_000, 21_501, 250)
    assert on_base(scene, 2, 32_250, 30_000, 250) and not on_base(scene, 2, 32_251, 30_000, 250)
    assert not on_base(scene, 2, 33_000, 30_000)


@pytest.mark.parametrize("seed", range(5))
def test_a_direction_is_the_nearest_tenth(seed: int) -> None:
    """The direction of any vector is within a twentieth of a degree of the platform's own arc tangent."""
    stream = Stream(seed_bytes(seed, "direction"))
    for _ in range(200):
        dx, dy = stream.between(-30_000, 30_000), stream.between(-30_000, 30_000)
        if (dx, dy) != (0, 0):
            off = (direction(dx, dy) / 10 - degrees(atan2(dy, dx)) + 180) % 360 - 180
            assert abs(off) <= 0.05 + 1e-6, (dx, dy)
    assert [direction(*way) for way in ((1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (0, 0))] == [0, 900, 1800, 2700, 450, 0]


def test_a_shift_follows_the_table_of_rotations() -> None:
    """East is 0, counter-clockwise, whole turns come round."""
    assert shifted(1000, 1000, 900, 500) == (1000, 1500)
    assert shifted(1000, 1000, 3600 + 1800, 500) == (500, 1000)
