"""Sight by samples between whole units: the compiled kernels and the plain twin, on tables with walls, ruins and woods."""

from __future__ import annotations

import random
import struct

import pytest

from rolloff.geometry import kernels
from rolloff.geometry.backdrop import HIDING, Backdrop
from rolloff.geometry.field import Field, Ground, Piece, Scene
from rolloff.geometry.plain import sampled as plain_sampled
from rolloff.geometry.plain import spans as plain_spans
from rolloff.geometry.plain.sampled import Shots
from rolloff.geometry.samples import ENDLESS, prisms_of
from rolloff.geometry.shapes import Base

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


@pytest.mark.skipif(not kernels.COMPILED, reason="there is only the plain twin")
@pytest.mark.parametrize("seed", range(10))
def test_the_twins_of_sampled_sight_agree(seed: int) -> None:
    """Who sees anybody of a unit, who sees all of a model, and what covers whom are the same by both twins."""
    from rolloff.geometry.compiled import sampled as compiled_sampled

    rng = random.Random(seed)
    moment, drop = scene(rng)
    own, their = tuple(range(6)), tuple(range(12, 18))

    def lifts() -> list[bytes]:
        return [bytes(rng.random() < 0.2 for _ in range(drop.screens)) for _ in range(6)]

    out_of, into = lifts(), lifts()
    rows = [bytes((HIDING if rng.random() < 0.9 else 0) for _ in range(drop.features)) for _ in range(6)]
    for opaque in (True, False):
        asked = drop, moment, opaque, own, out_of, their, into
        assert compiled_sampled.seen(*asked) == plain_sampled.seen(*asked)
        one = drop, moment, opaque, own[0], out_of[0], their[0], into[0]
        assert compiled_sampled.whole(*one) == plain_sampled.whole(*one)
    given = drop, moment, own, out_of, their, into, rows
    assert compiled_sampled.cover(*given) == plain_sampled.cover(*given)


@pytest.mark.skipif(not kernels.COMPILED, reason="there is only the plain twin")
@pytest.mark.parametrize("seed", range(10))
def test_the_twins_agree_on_what_may_be_fired(seed: int) -> None:
    """Which weapons have a unit near enough and in sight is the same by both twins, and for each as distance and sight say."""
    from rolloff.geometry.compiled import sampled as compiled_sampled

    rng = random.Random(seed)
    moment, drop = scene(rng)
    own, their = tuple(range(6)), tuple(range(12, 18))
    out_of, into = ([bytes(rng.random() < 0.2 for _ in range(drop.screens)) for _ in range(6)] for _ in "ab")
    bearers = tuple(rng.randrange(6) for _ in range(15))
    shots = Shots(bearers, tuple(rng.randint(0, 25_000) for _ in bearers), bytes(rng.random() < 0.3 for _ in bearers))
    bodies = plain_spans.Bodies(moment.field, struct.pack("<24i", *(rng.choice((1500, 4000, -1501)) for _ in range(24))))
    for opaque in (True, False):
        asked = drop, moment, opaque, bodies, own, out_of, their, into, shots
        found = compiled_sampled.in_aim(*asked)
        assert found == plain_sampled.in_aim(*asked)
        near = plain_spans.spans(moment, bodies, own, their, plain_sampled.NOT_CLOSE).nearest
        seen = plain_sampled.seen(drop, moment, opaque, own, out_of, their, into)
        rows = zip(bearers, shots.reach, shots.unseen, strict=True)
        assert list(found) == [near[at] <= reach and (unseen or seen[at]) for at, reach, unseen in rows]


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
    lifted = [bytes(drop.screens)] * 6
    for k, other in zip(own, their, strict=True):
        asked = drop, moment, True, (k,), lifted[:1], (other,), lifted[:1]
        assert compiled_sampled.seen(*asked) == plain_sampled.seen(*asked)
        one = drop, moment, True, k, lifted[0], other, lifted[0]
        assert compiled_sampled.whole(*one) == plain_sampled.whole(*one)
