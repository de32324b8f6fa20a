"""Sight by samples between whole units: the compiled kernels and the plain twin, on tables with walls, ruins and woods."""

from __future__ import annotations

import random
import struct

import pytest

from rolloff.geometry import kernels, stances
from rolloff.geometry.backdrop import HIDING, Backdrop
from rolloff.geometry.field import Field, Ground, Piece, Scene
from rolloff.geometry.plain import sampled as plain_sampled
from rolloff.geometry.plain import spans as plain_spans
from rolloff.geometry.plain import stances as plain_stances
from rolloff.geometry.plain.sampled import Shots
from rolloff.geometry.reaches import Reaches
from rolloff.geometry.samples import ENDLESS, prisms_of
from rolloff.geometry.shapes import Base
from rolloff.geometry.stance_table import FOOTINGS, StanceTable

BASES = (Base.circle(1260, 1500), Base.oval(3000, 1600, 2000), Base.rect(4700, 3100, 3000), Base.circle(3500, 4000))
SOLID, RUIN, WOODS = 1, 2, 4
TABLE = (30_000, 22_000)


def ground(rng: random.Random) -> Ground:
    """A table with walls, blocks, ruins and woods, some of them turned."""
    pieces = []
    for k in range(9):
        x, y = rng.randint(3000, 26_000), rng.randint(3000, 18_000)
        w, h, lean = rng.choice((300, 2000, 5000)), rng.choice((300, 3000, 6000)), rng.randint(0, 900)
        outline = ((x, y), (x + w, y + lean), (x + w - lean, y + lean + h), (x - lean, y + h))
        kinds = (SOLID, SOLID, RUIN, WOODS)[k % 4]
        if k == 8:
            pieces.append(Piece(f"p{k}", None, (x, y, 1500), 0, 2500, True, SOLID))
        else:
            pieces.append(Piece(f"p{k}", outline, None, 0, rng.choice((1000, 2500, 6000)), kinds == SOLID, kinds))
    return Ground.of(TABLE, pieces)


def scene(rng: random.Random) -> tuple[Scene, Backdrop]:
    """Two dozen models in four units anywhere on such a table, a few of them off it, and what stands in their sight."""
    table = ground(rng)
    bases = [BASES[0] if k % 3 else rng.choice(BASES) for k in range(24)]
    field = Field(table, bases)
    spots = [c for _ in bases for c in (rng.randint(0, TABLE[0]), rng.randint(0, TABLE[1]))]
    xy = struct.pack("<48i", *spots)
    z = struct.pack("<24i", *(rng.choice((0, 0, 0, 3000)) for _ in bases))
    facing = struct.pack("<24h", *(rng.randrange(3600) for _ in bases))
    owner = struct.pack("<24h", *(k // 6 for k in range(24)))
    solids = [prism for p in table.places if p.kinds & SOLID for prism in prisms_of(p, 0.0, float(p.height))]
    screens = [(p.kinds == WOODS, prisms_of(p, -ENDLESS, ENDLESS)) for p in table.places if p.kinds & (RUIN | WOODS)]
    features = [(list(range(len(solids))), []), *(((), [k]) for k in range(len(screens)))]
    return Scene(field, xy, z, facing, owner, bytes((0, 0, 1, 1))), Backdrop(field, solids, screens, features)


def row_by_row(rng: random.Random, drop: Backdrop) -> bytes:
    """What the places of two dozen models say: some lift screens, and most features give them cover where they hide them."""

    def row() -> bytes:
        lifts = bytes(rng.random() < 0.2 for _ in range(2 * drop.screens))
        return lifts + bytes((HIDING if rng.random() < 0.9 else 0) for _ in range(drop.features))

    return b"".join([row() for _ in range(24)])


def heights(rng: random.Random, moment: Scene) -> plain_spans.Bodies:
    """How tall the models of a scene are, some of them standing on their bodies."""
    return plain_spans.Bodies(moment.field, struct.pack("<24i", *(rng.choice((1500, 4000, -1501)) for _ in range(24))))


@pytest.mark.skipif(not kernels.COMPILED, reason="there is only the plain twin")
@pytest.mark.parametrize("seed", range(10))
def test_the_twins_of_sampled_sight_agree(seed: int) -> None:
    """Who sees anybody of a unit, who sees all of a model, and what covers whom are the same by both twins."""
    from rolloff.geometry.compiled import sampled as compiled_sampled

    rng = random.Random(seed)
    moment, drop = scene(rng)
    own, their, rows = tuple(range(6)), tuple(range(12, 18)), row_by_row(rng, drop)
    for opaque in (True, False):
        asked = drop, moment, opaque, rows, own, their
        assert compiled_sampled.seen(*asked) == plain_sampled.seen(*asked)
        one = drop, moment, opaque, rows, own[0], their[0]
        assert compiled_sampled.whole(*one) == plain_sampled.whole(*one)
    given = drop, moment, rows, own, their
    assert compiled_sampled.cover(*given) == plain_sampled.cover(*given)


@pytest.mark.skipif(not kernels.COMPILED, reason="there is only the plain twin")
@pytest.mark.parametrize("seed", range(10))
def test_the_twins_agree_on_what_may_be_fired(seed: int) -> None:
    """Which weapons have a model near enough and in sight is the same by both twins, and as distance and sight of each say."""
    from rolloff.geometry.compiled import sampled as compiled_sampled

    rng = random.Random(seed)
    moment, drop = scene(rng)
    own, groups, rows = tuple(range(6)), [tuple(range(12, 18)), (18, 19), (20, 23, 21)], row_by_row(rng, drop)
    bearers = tuple(rng.randrange(6) for _ in range(15))
    shots = Shots(bearers, tuple(rng.randint(0, 25_000) for _ in bearers), bytes(rng.random() < 0.3 for _ in bearers))
    bodies = heights(rng, moment)
    for opaque in (True, False):
        found = compiled_sampled.in_aim(drop, moment, opaque, bodies, rows, own, groups, shots)
        assert found == plain_sampled.in_aim(drop, moment, opaque, bodies, rows, own, groups, shots)
        for marks, their in zip(found, groups, strict=True):
            assert [marks] == compiled_sampled.in_aim(drop, moment, opaque, bodies, rows, own, [their], shots)
            near = [plain_spans.spans(moment, bodies, own, (one,), plain_sampled.NOT_CLOSE).nearest for one in their]
            seen = [plain_sampled.seen(drop, moment, opaque, rows, own, (one,)) for one in their]
            each = list(zip(near, seen, strict=True))
            asked = zip(bearers, shots.reach, shots.unseen, strict=True)
            may = [any(far[at] <= reach and (unseen or sees[at]) for far, sees in each) for at, reach, unseen in asked]
            assert list(marks) == may


@pytest.mark.skipif(not kernels.COMPILED, reason="there is only the plain twin")
@pytest.mark.parametrize("seed", range(20))
def test_the_twins_agree_on_who_has_anybody_in_aim(seed: int) -> None:
    """Which units have a weapon for anybody of others is the same by both twins, and as it is asked weapon by weapon."""
    from rolloff.geometry.compiled import sampled as compiled_sampled

    rng = random.Random(seed)
    moment, drop = scene(rng)
    shooters, groups, rows = [(0, 1, 2), (3,), (6, 8, 9), (5, 4)], [(12, 13), (14, 16, 17), (18, 23)], row_by_row(rng, drop)
    reaches = Reaches(*[[rng.choice((-1, 2000, 6000, 25_000)) * scale for _ in range(48)] for scale in (1, 0.2)])
    bodies, kinds = heights(rng, moment), [0, 1, 0, 1]
    for opaque in (True, False):
        asked = drop, moment, opaque, bodies, rows, reaches, shooters, kinds, groups, seed % 4
        found = compiled_sampled.aiming(*asked)
        assert found == plain_sampled.aiming(*asked)
        for marked, own, kind in zip(found, shooters, kinds, strict=True):
            far = [row[24 * kind + slot] for row in (reaches.seen, reaches.unseen) for slot in own]
            shots = Shots(tuple(range(len(own))) * 2, tuple(far), bytes(len(own)) + b"\x01" * len(own))
            marks = plain_sampled.in_aim(drop, moment, opaque, bodies, rows, own, groups, shots)
            sure, rest = marks[: seed % 4], marks[seed % 4 :]
            assert marked == (2 if any(map(any, sure)) else any(map(any, rest)))


@pytest.mark.parametrize("seed", range(10))
def test_what_places_say_is_the_same_whoever_is_asked(seed: int) -> None:
    """Both twins read the table alike, and who has not moved is told what he was told before."""
    rng = random.Random(seed)
    moment, _ = scene(rng)
    pieces, limits = list(range(9)), [3000.0 if k % 2 else -1.0 for k in range(9)]
    about = [rng.randrange(9) for _ in range(14)]
    says = bytes(rng.randrange(3) for _ in range(2 * FOOTINGS * len(about)))
    table = StanceTable(pieces, limits, 1.0, about, says, bytes(rng.randrange(2) for _ in range(24)))
    whole = plain_stances.stances(table, moment, None)
    xy, facing = bytearray(moment.xy), bytearray(moment.facing)
    xy[8 * 3 : 8 * 7], facing[2 * 9 : 2 * 10] = xy[8 * 7 : 8 * 11], struct.pack("<h", 1234)
    later = Scene(moment.field, bytes(xy), moment.z, bytes(facing), moment.owner, moment.sides)
    anew = plain_stances.stances(table, later, None)
    assert plain_stances.stances(table, later, whole) == anew
    assert stances.stances(table, moment, None) == whole
    assert stances.stances(table, later, whole) == stances.stances(table, later, None) == anew


@pytest.mark.skipif(not kernels.COMPILED, reason="there is only the plain twin")
@pytest.mark.parametrize("seed", range(20))
def test_the_twins_agree_on_who_stands_straight_above_whom(seed: int) -> None:
    """Sight straight up and down, where there is no direction in plan, is the same by both twins."""
    from rolloff.geometry.compiled import sampled as compiled_sampled

    rng = random.Random(seed)
    moment, drop = scene(rng)
    own, their = tuple(range(6)), tuple(range(12, 18))
    xy = bytearray(moment.xy)
    xy[8 * 12 : 8 * 18] = xy[: 8 * 6]
    z = struct.pack("<24i", *(rng.choice((0, 500)) if k < 12 else rng.choice((2600, 6000)) for k in range(24)))
    moment = Scene(moment.field, bytes(xy), z, moment.facing, moment.owner, moment.sides)
    rows = bytes(24 * drop.wide)
    for k, other in zip(own, their, strict=True):
        asked = drop, moment, True, rows, (k,), (other,)
        assert compiled_sampled.seen(*asked) == plain_sampled.seen(*asked)
        one = drop, moment, True, rows, k, other
        assert compiled_sampled.whole(*one) == plain_sampled.whole(*one)
