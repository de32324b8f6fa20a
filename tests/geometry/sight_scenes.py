"""Scenes for the tests of measuring and sight: tables drawn by hand in inches, and random ones of several classes."""

from __future__ import annotations

import random
import struct
from collections.abc import Callable, Iterator, Sequence
from math import cos, pi, sin
from types import ModuleType

from rolloff.geometry import kernels
from rolloff.geometry.field import COVER, NOWHERE, Field, Ground, Piece, Scene
from rolloff.geometry.plain import measure as plain_measure
from rolloff.geometry.plain import sight as plain_sight
from rolloff.geometry.plain import spans as plain_spans
from rolloff.geometry.shapes import Base, Point, ShapeError
from rolloff.lengths import inches

MAN = Base.circle(1000, 1000)
BIKE = Base.oval(984, 2756, 1500)
HULL = Base.rect(3000, 5000, 2500)

# Contract vectors have the viewer at the origin, which is a corner of the table: they are moved to its middle.
MIDDLE = (30, 24)


def twins(name: str) -> list[ModuleType]:
    """The plain module of a name and, where the kernels were built, the compiled one."""
    plain = {"measure": plain_measure, "sight": plain_sight, "spans": plain_spans}[name]
    if not kernels.COMPILED:
        return [plain]
    from rolloff.geometry.compiled import measure as compiled_measure
    from rolloff.geometry.compiled import sight as compiled_sight
    from rolloff.geometry.compiled import spans as compiled_spans

    return [plain, {"measure": compiled_measure, "sight": compiled_sight, "spans": compiled_spans}[name]]


def at(x: float, y: float) -> Point:
    """A point of a drawn table in thou."""
    return inches(x + MIDDLE[0]), inches(y + MIDDLE[1])


def wall(x0: float, y0: float, x1: float, y1: float, height: float = 5) -> Piece:
    """A solid upright rectangle."""
    corners = (at(x0, y0), at(x1, y0), at(x1, y1), at(x0, y1))
    return Piece(f"wall {x0} {y0}", outline=corners, height=inches(height), solid=True)


def disc(
    x: float, y: float, r: float, *, height: float = 0, elevation: float = 0, solid: bool = False, kinds: int = 0
) -> Piece:
    """A round piece."""
    return Piece(
        f"disc {x} {y}",
        disc=(*at(x, y), inches(r)),
        height=inches(height),
        elevation=inches(elevation),
        solid=solid,
        kinds=kinds,
    )


def crater(x: float, y: float, r: float) -> Piece:
    """A round piece that gives cover and nothing else."""
    return disc(x, y, r, kinds=COVER)


class Model:
    """One model to set on a drawn table."""

    def __init__(self, unit: int, x: float, y: float, base: Base = MAN, facing: int = 0) -> None:
        """A model of a unit at a place in inches."""
        self.unit, self.spot, self.base, self.facing = unit, at(x, y), base, facing


def scene(models: Sequence[Model], pieces: Sequence[Piece] = (), size: Point = (72_000, 48_000)) -> Scene:
    """The scene of some models on a table; slots follow the order given."""
    field = Field(Ground.of(size, pieces), [m.base for m in models])
    return placed(field, [m.spot for m in models], [m.facing for m in models], [m.unit for m in models])


def placed(field: Field, spots: Sequence[Point], facings: Sequence[int], units: Sequence[int]) -> Scene:
    """A scene from plain lists."""
    n = field.n
    xy = struct.pack(f"<{2 * n}i", *(c for spot in spots for c in spot))
    z = plain_measure.grounds(field, xy)
    return Scene(field, xy, z, struct.pack(f"<{n}h", *facings), struct.pack(f"<{n}h", *units), bytes(n + 1))


def blob(luck: random.Random, x: int, y: int, size: int) -> tuple[Point, ...]:
    """A random outline around a point, concave more often than not."""
    while True:
        count = luck.randint(3, 9)
        ways = [(2 * pi * k / count, size * luck.uniform(0.2, 1.0)) for k in range(count)]
        outline = tuple((round(x + far * cos(way)), round(y + far * sin(way))) for way, far in ways)
        try:
            Ground.of((1000, 1000), [Piece("try", outline=outline)])
        except ShapeError:
            continue
        return outline


def _piece(luck: random.Random, k: int, size: int, grid: bool) -> Piece:
    """A random piece somewhere on a table."""
    x, y = luck.randint(0, size), luck.randint(0, size)
    if grid:
        x, y = x // 500 * 500, y // 500 * 500
    outline: tuple[Point, ...] | None = None
    round_one: tuple[int, int, int] | None = None
    shape = luck.randrange(3)
    if shape == 0:
        round_one = (x, y, luck.choice([500, 1500, 2000, 3000]))
    elif shape == 1 or grid:
        w, h = luck.randint(1, 10) * 500, luck.randint(1, 10) * 500
        outline = ((x, y), (x + w, y), (x + w, y + h), (x, y + h))
    else:
        outline = blob(luck, x, y, 4000)
    return Piece(
        str(k),
        outline,
        round_one,
        elevation=luck.choice([0, 0, 0, 2000]),
        height=luck.choice([0, 750, 1000, 2000, 5000]),
        solid=luck.random() < 0.7,
        kinds=luck.choice([0, COVER]),
    )


def _bases(luck: random.Random, count: int, choice: Sequence[Base]) -> list[Base]:
    return [luck.choice(choice) for _ in range(count)]


def random_scene(seed: str, choice: Sequence[Base] = (MAN, BIKE, HULL), *, grid: bool = False, size: int = 30_000) -> Scene:
    """Thirty models of five units and twelve pieces anywhere, even in each other; on half-inch points with `grid`."""
    luck = random.Random(seed)
    field = Field(Ground.of((size, size), [_piece(luck, k, size, grid) for k in range(12)]), _bases(luck, 30, choice))
    spots = []
    for _ in range(30):
        x, y = luck.randint(0, size), luck.randint(0, size)
        spots.append((NOWHERE, 0) if luck.random() < 0.05 else (x // 500 * 500, y // 500 * 500) if grid else (x, y))
    facings = [luck.choice([0, 900, luck.randrange(3600)]) for _ in range(30)]
    return placed(field, spots, facings, [luck.randrange(5) for _ in range(30)])


def touching_scene(seed: str) -> Scene:
    """Models shoulder to shoulder in rows, hulls flush with walls, everything a hair apart or not at all."""
    luck = random.Random(seed)
    pieces, bases, spots, units = [], [], [], []
    for k in range(4):
        x, y = 4000 + 6000 * k, luck.choice([9000, 9500, 10_000])
        outline = ((x, y), (x + 2000, y), (x + 2000, y + 4000), (x, y + 4000))
        pieces.append(Piece(str(k), outline=outline, height=5000, solid=True))
        bases.append(HULL)
        spots.append((x + 4500 + luck.choice([0, 0, 1, 10]), y + 2000))
        units.append(k)
    for k in range(26):
        bases.append(MAN)
        spots.append((1000 * (k % 13) + 500, 3000 + k // 13 * (1000 + luck.choice([-5, 0, 0, 5, 12]))))
        units.append(luck.randrange(5))
    return placed(Field(Ground.of((30_000, 30_000), pieces), bases), spots, [0] * 30, units)


def slit_scene(seed: str) -> Scene:
    """Two viewers and two targets on either side of walls that leave slits of about the margin."""
    luck = random.Random(seed)
    pieces: list[Piece] = []
    y = 2000
    while y < 28_000:
        top = y + luck.randint(400, 3000)
        x, lean = luck.randint(14_000, 16_000), luck.randint(-300, 300)
        outline = ((x, y), (x + 900, y + lean), (x + 900, top + lean), (x, top))
        pieces.append(Piece(str(len(pieces)), outline=outline, height=5000, solid=True))
        y = top + luck.choice([6, 8, 9, 10, 11, 12, 20])
    spots = [(luck.choice([3000, 27_000]), luck.randint(8000, 22_000)) for _ in range(30)]
    units = [0 if x < 15_000 else 1 for x, _ in spots]
    return placed(Field(Ground.of((30_000, 30_000), pieces), _bases(luck, 30, (MAN, BIKE))), spots, [450] * 30, units)


def corner_scene(seed: str) -> Scene:
    """Everything crowded into one corner of the table."""
    return random_scene(seed, size=9000)


CLASSES: dict[str, Callable[[str], Scene]] = {
    "circles": lambda seed: random_scene(seed, (MAN,)),
    "ovals": lambda seed: random_scene(seed, (BIKE,)),
    "hulls": lambda seed: random_scene(seed, (HULL,)),
    "mixed": random_scene,
    "half-inch": lambda seed: random_scene(seed, grid=True),
    "touching": touching_scene,
    "slits": slit_scene,
    "corner": corner_scene,
}


def scenes_of(kind: str, count: int) -> Iterator[Scene]:
    """Some scenes of a class."""
    return (CLASSES[kind](f"{kind} {k}") for k in range(count))


def moved(s: Scene, spot: Callable[[int, int], Point], facing: Callable[[int], int]) -> Scene:
    """The same scene with every point and every facing put elsewhere."""
    pieces = [
        Piece(
            p.id,
            tuple(spot(x, y) for x, y in p.outline) or None,
            p.disc and (*spot(*p.disc[:2]), p.disc[2]),
            p.elevation,
            p.height,
            p.solid,
            p.kinds,
        )
        for p in s.field.ground.places
    ]
    n = s.field.n
    field = Field(Ground.of((s.field.width, s.field.height), pieces), s.field.bases)
    flat = struct.unpack(f"<{2 * n}i", s.xy)
    spots = [(NOWHERE, 0) if x == NOWHERE else spot(x, y) for x, y in zip(flat[::2], flat[1::2], strict=True)]
    facings = [facing(f) % 3600 for f in struct.unpack(f"<{n}h", s.facing)]
    return placed(field, spots, facings, struct.unpack(f"<{n}h", s.owner))
