"""Lengths, the integer sines, bases and outlines: whole numbers that both twins start from."""

from __future__ import annotations

import random
from fractions import Fraction
from math import cos, radians, sin

import pytest

from rolloff.geometry.field import Field, Ground, Piece
from rolloff.geometry.shapes import (
    Base,
    Point,
    ShapeError,
    convex_parts,
    core,
    cross,
    doubled_area,
    hull,
    in_convex,
    tidy,
)
from rolloff.geometry.trig import COS, SCALE, SIN, turned
from rolloff.lengths import LengthError, degrees, half, inches, millimetres, to_degrees, to_inches
from tests.geometry.sight_scenes import blob


@pytest.mark.parametrize(
    ("given", "thou"),
    [(1, 1000), (0.1, 100), ("12", 12_000), (0.0005, 1), (-0.0005, -1), (1.0004, 1000), (2.675, 2675), ("1e2", 100_000)],
)
def test_inches_are_rounded_to_the_nearest_thou(given: float | str, thou: int) -> None:
    """Inches, however written, become the nearest thou, halves away from zero."""
    assert inches(given) == thou


@pytest.mark.parametrize("given", [float("nan"), float("inf"), "Infinity", 1000.0001, -1001, "two", "", True])
def test_what_is_no_length_is_refused(given: float | str) -> None:
    """NaN, infinity, words, truth values and more than 1000 inches are no lengths."""
    with pytest.raises(LengthError):
        inches(given)


def test_thou_read_back_as_themselves() -> None:
    """Inches made from thou give the same thou again, over the whole range."""
    for thou in [*range(-3000, 3000), 999_999, -1_000_000]:
        assert inches(to_inches(thou)) == thou


@pytest.mark.clause("onepage-3.0", "MEAS-7")
def test_an_inch_is_25_4_millimetres() -> None:
    """Millimetres become thou at 25.4 to the inch: 32 mm is 1.26 inches."""
    assert millimetres("25.4") == 1000
    assert millimetres(32) == 1260
    assert millimetres(25) == 984
    with pytest.raises(LengthError):
        millimetres(25_401)


def test_degrees_wrap_into_one_turn() -> None:
    """Degrees become tenths between 0 and 3599, whatever turn they were given in."""
    assert [degrees(d) for d in (0, 90, 359.96, -0.1, 720.5, "45.04")] == [0, 900, 0, 3599, 5, 450]
    assert to_degrees(225) == 22.5
    with pytest.raises(LengthError):
        degrees(float("nan"))


def test_half_a_length_rounds_up() -> None:
    """The radius of a base of odd diameter is rounded up, so a base is never smaller than it says."""
    assert (half(1000), half(1575)) == (500, 788)


def test_the_sines_are_right_to_the_last_bit() -> None:
    """Every entry of the integer table is the nearest whole number to the true value."""
    for k in range(3600):
        assert abs(COS[k] - cos(radians(k / 10)) * SCALE) < 0.5001
        assert abs(SIN[k] - sin(radians(k / 10)) * SCALE) < 0.5001
    assert (SIN[300], COS[600], SIN[1800], COS[900]) == (SCALE // 2, SCALE // 2, 0, 0)


def test_turning_keeps_opposites_opposite() -> None:
    """An offset and its opposite stay opposite after rounding, for every facing."""
    for facing in range(3600):
        dx, dy = turned(2503, -1501, facing)
        assert turned(-2503, 1501, facing) == (-dx, -dy)


@pytest.mark.clause("onepage-3.0", "BASE-2")
def test_bases_are_cores_grown_by_a_radius() -> None:
    """A circle is a grown point, an oval a grown segment, a hull a bare rectangle."""
    assert Base.circle(1000, 900) == (0, 0, 500, 900)
    assert Base.oval(1000, 3000, 900) == (1000, 0, 500, 900)
    assert Base.oval(3000, 1000, 900) == (0, 1000, 500, 900)
    assert Base.rect(3000, 5000, 900) == (2500, 1500, 0, 900)


def test_a_turned_core_runs_counter_clockwise() -> None:
    """The corners of a hull go round to the left at every facing, and have its size to within rounding."""
    for facing in range(0, 3600, 7):
        corners = core(100, 200, facing, 2500, 1500)
        assert abs(doubled_area(corners) - 2 * 5000 * 3000) < 40_000
        assert all(cross(corners[k - 2], corners[k - 1], corners[k]) > 0 for k in range(4))
    assert core(5, 6, 450, 0, 0) == ((5, 6),)
    assert core(0, 0, 900, 1000, 0) == ((0, -1000), (0, 1000))
    assert core(0, 0, 900, 0, 1000) == ((1000, 0), (-1000, 0))


def test_tidy_outlines() -> None:
    """An outline comes out counter-clockwise, without repeated corners or corners on a straight edge."""
    assert tidy([(0, 0), (0, 10), (5, 10), (5, 10), (10, 10), (10, 0)]) == ((10, 0), (10, 10), (0, 10), (0, 0))


@pytest.mark.parametrize(
    "outline",
    [
        [(0, 0), (1, 1)],
        [(0, 0), (5, 0), (10, 0)],
        [(0, 0), (10, 10), (10, 0), (0, 10)],
        [(0, 0), (10, 0), (10, 10), (5, 0), (0, 10)],
        [],
    ],
)
def test_what_is_no_outline_is_refused(outline: list[Point]) -> None:
    """Too few corners, no area, or an outline that crosses or touches itself is refused."""
    with pytest.raises(ShapeError):
        tidy(outline)


def test_convex_parts_make_up_the_whole() -> None:
    """500 random outlines: parts are convex, their areas add up, and a point is in one exactly if it is in the outline."""
    luck = random.Random(1)
    for _ in range(500):
        outline = tidy(blob(luck, 0, 0, 4000))
        parts = convex_parts(outline)
        assert sum(map(doubled_area, parts)) == doubled_area(outline)
        for part in parts:
            assert all(cross(part[k - 2], part[k - 1], part[k]) > 0 for k in range(len(part)))
        for _ in range(10):
            x, y = luck.randint(-4000, 4000), luck.randint(-4000, 4000)
            assert any(in_convex(part, x, y) for part in parts) == _in_outline(outline, x, y)


def _in_outline(outline: tuple[Point, ...], x: int, y: int) -> bool:
    """Inside by counting edges crossed to the right, or on an edge."""
    inside = False
    for (ax, ay), (bx, by) in zip(outline, (*outline[1:], outline[0]), strict=True):
        if cross((ax, ay), (bx, by), (x, y)) == 0 and min(ax, bx) <= x <= max(ax, bx) and min(ay, by) <= y <= max(ay, by):
            return True
        if (ay > y) != (by > y) and x < ax + Fraction((y - ay) * (bx - ax), by - ay):
            inside = not inside
    return inside


def test_hulls() -> None:
    """The hull of points keeps the outermost ones only, counter-clockwise."""
    assert hull([(0, 0), (10, 0), (5, 5), (10, 10), (0, 10), (5, 0)]) == ((0, 0), (10, 0), (10, 10), (0, 10))
    assert hull([(3, 3), (3, 3)]) == ((3, 3),)


@pytest.mark.parametrize(
    "piece",
    [
        Piece("none"),
        Piece("both", outline=((0, 0), (9, 0), (0, 9)), disc=(0, 0, 5)),
        Piece("flat", disc=(0, 0, 0)),
        Piece("far", disc=(0, 0, 1_000_001)),
    ],
)
def test_what_is_no_piece_is_refused(piece: Piece) -> None:
    """A piece has an outline or a disc, with an area, within a thousand inches."""
    with pytest.raises(ShapeError):
        Ground.of((72_000, 48_000), [piece])


def test_a_ground_knows_its_pieces() -> None:
    """Pieces are found by id and contain their edge."""
    ground = Ground.of((72_000, 48_000), [Piece("a", disc=(0, 0, 500)), Piece("b", outline=((0, 0), (9, 0), (0, 9)))])
    assert ground.number("b") == 1
    assert ground.places[0].contains(300, 400)
    assert not ground.places[0].contains(301, 400)
    assert ground.places[1].contains(0, 9)
    with pytest.raises(KeyError):
        ground.number("c")


def test_too_much_for_a_table_is_refused() -> None:
    """More than 200 pieces, more than 1,000 models, a table or a base without size are refused."""
    piece = Piece("a", disc=(0, 0, 500))
    with pytest.raises(ShapeError):
        Ground.of((72_000, 48_000), [piece] * 201)
    with pytest.raises(ShapeError):
        Ground.of((0, 48_000), [])
    ground = Ground.of((72_000, 48_000), [piece] * 200)
    with pytest.raises(ShapeError):
        Field(ground, [Base.circle(1000, 1000)] * 1001)
    with pytest.raises(ShapeError):
        Field(ground, [Base(0, 0, 0, 1000)])
