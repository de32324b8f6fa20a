"""The field of a game, compiled once: terrain ground, the bases of all models; and the scene of one moment.

Buffers are little-endian and indexed by roster slot, so kernels and numpy read them without copying.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import sqrt
from typing import Any, Final, NamedTuple

from msgspec import Struct

from rolloff.geometry import kernels
from rolloff.geometry.shapes import Base, Point, Polygon, ShapeError, convex_parts, in_convex, tidy
from rolloff.lengths import INCH, LIMIT, NOWHERE

COVER: Final = 1
DIFFICULT: Final = 2
DANGEROUS: Final = 4
IMPASSABLE: Final = 8
ELEVATION: Final = 16

MOST_PIECES: Final = 200
MOST_MODELS: Final = 1000

__all__ = [
    "COVER",
    "DANGEROUS",
    "DIFFICULT",
    "ELEVATION",
    "IMPASSABLE",
    "MOST_MODELS",
    "MOST_PIECES",
    "NOWHERE",
    "Field",
    "Ground",
    "Piece",
    "Scene",
]


Core = tuple[tuple[tuple[float, float], ...], float]
"""Convex corners, counter-clockwise, and the radius they are grown by."""


class Piece(NamedTuple):
    """A terrain piece as it is given: an outline or a disc (x, y, r), in thou; it reaches from ``bottom`` to ``height``."""

    id: str
    outline: tuple[Point, ...] | None = None
    disc: tuple[int, int, int] | None = None
    elevation: int = 0
    height: int = 0
    solid: bool = False
    kinds: int = 0
    bottom: int = 0


class Place:
    """A terrain piece compiled: tidy outline, convex parts, bounding box. A disc has no corners, no parts."""

    __slots__ = (
        "bottom",
        "box",
        "circle",
        "cores",
        "disc",
        "elevation",
        "height",
        "id",
        "kinds",
        "outline",
        "parts",
        "solid",
    )

    def __init__(self, piece: Piece) -> None:
        """Compile one piece.

        Raises:
            ShapeError: the piece has no outline or two, or one that crosses itself or has no area.
        """
        if (piece.outline is None) == (piece.disc is None):
            raise ShapeError(f"piece {piece.id!r} needs an outline or a disc, and not both")
        self.id: Final = piece.id
        self.elevation: Final = piece.elevation
        self.height: Final = piece.height
        self.bottom: Final = piece.bottom
        self.solid: Final = piece.solid
        self.kinds: Final = piece.kinds
        self.disc: Final = piece.disc
        if piece.disc is not None:
            x, y, r = piece.disc
            if r <= 0:
                raise ShapeError(f"piece {piece.id!r} has a radius of {r}")
            self.outline: Polygon = ()
            self.parts: tuple[Polygon, ...] = ()
            self.box = (x - r, y - r, x + r, y + r)
        else:
            self.outline = tidy(piece.outline or ())
            self.parts = convex_parts(self.outline)
            xs, ys = zip(*self.outline, strict=True)
            self.box = (min(xs), min(ys), max(xs), max(ys))
        if max(map(abs, self.box)) > LIMIT * INCH:
            raise ShapeError(f"piece {piece.id!r} lies more than {LIMIT} inches away")
        self.cores: Final = self._as_cores()
        self.circle: Final = self._around()

    def _as_cores(self) -> tuple[Core, ...]:
        """The footprint as convex cores in doubles, each with a radius: what the plain twin computes with."""
        if self.disc is not None:
            x, y, r = self.disc
            return ((((float(x), float(y)),), float(r)),)
        return tuple((tuple((float(x), float(y)) for x, y in part), 0.0) for part in self.parts)

    def _around(self) -> tuple[float, float, float]:
        """A circle around the footprint: the middle of its box, and how far it reaches from there."""
        x, y = (self.box[0] + self.box[2]) / 2.0, (self.box[1] + self.box[3]) / 2.0
        ways = [(cx - x, cy - y, r) for corners, r in self.cores for cx, cy in corners]
        return x, y, max(sqrt(dx * dx + dy * dy) + r for dx, dy, r in ways)

    def contains(self, x: int, y: int) -> bool:
        """Whether a point lies in the footprint, edge included."""
        left, bottom, right, top = self.box
        if not (left <= x <= right and bottom <= y <= top):
            return False
        if self.disc is not None:
            dx, dy, r = x - self.disc[0], y - self.disc[1], self.disc[2]
            return dx * dx + dy * dy <= r * r
        return any(in_convex(part, x, y) for part in self.parts)


class Ground:
    """The terrain of a table, compiled once; `handle` is its resident C structure (None when plain)."""

    __slots__ = ("_counts", "_keep", "flat", "handle", "height", "places", "width")

    def __init__(self, size: tuple[int, int], places: tuple[Place, ...]) -> None:
        """Make the ground of a table of `size` (along x, along y) in thou from compiled pieces."""
        self.width, self.height = size
        self.places: Final = places
        self.flat: Final = not any(place.elevation for place in places)
        self._counts: dict[int, int] = {}
        self._keep: list[Any] = []
        self.handle: Any = self._resident() if kernels.COMPILED else None

    @classmethod
    def of(cls, size: tuple[int, int], pieces: Sequence[Piece] = ()) -> Ground:
        """Compile pieces.

        Raises:
            ShapeError: a table without area, more than 200 pieces, or a piece that is no shape.
        """
        width, height = size
        if not (0 < width <= LIMIT * INCH and 0 < height <= LIMIT * INCH):
            raise ShapeError(f"a table of {width} by {height} thou cannot be played on")
        if len(pieces) > MOST_PIECES:
            raise ShapeError(f"{len(pieces)} terrain pieces are more than {MOST_PIECES}")
        return cls(size, tuple(Place(p) for p in pieces))

    def count(self, kinds: int) -> int:
        """How many pieces are of one of some kinds."""
        found = self._counts.get(kinds)
        if found is None:
            found = self._counts[kinds] = sum(1 for place in self.places if place.kinds & kinds)
        return found

    def number(self, id: str) -> int:
        """The number of a piece by its id.

        Raises:
            KeyError: there is none.
        """
        for k, place in enumerate(self.places):
            if place.id == id:
                return k
        raise KeyError(id)

    def _new(self, kind: str, rows: list[Any]) -> Any:
        """A C array that lives as long as this ground."""
        array = kernels.ffi.new(kind, rows)
        self._keep.append(array)
        return array

    def _resident(self) -> Any:
        """The C structure that the compiled kernels read."""
        points: list[int] = []
        parts: list[tuple[int, ...]] = []
        pieces: list[tuple[float, ...]] = []

        def stored(polygon: Polygon) -> int:
            first = len(points) // 2
            points.extend(c for p in polygon for c in p)
            return first

        for place in self.places:
            first_part = len(parts)
            for part in place.parts:
                xs, ys = zip(*part, strict=True)
                parts.append((stored(part), len(part), min(xs), min(ys), max(xs), max(ys)))
            x, y, r = place.disc or (0, 0, 0)
            # A disc keeps its centre where an outline keeps its corners.
            outline = (stored(place.outline or ((x, y),)), len(place.outline))
            lie = (place.elevation, place.height, int(place.solid), place.kinds)
            pieces.append((first_part, len(place.parts), *outline, x, y, r, *place.box, *lie, *place.circle))
        row = (
            self.width,
            self.height,
            len(pieces),
            len(parts) + len(pieces),
            sum(part[1] for part in parts),
            sum(place.elevation > 0 for place in self.places),
            self._new("Piece[]", pieces),
            self._new("Part[]", parts),
            self._new("int32_t[]", points),
            self._new("double[]", points),
        )
        return kernels.ffi.new("Ground *", row)


@lru_cache(maxsize=1024)
def _packed(base: Base) -> bytes:
    """A base as kernels read it; ShapeError if it has no size."""
    if min(base) < 0 or (base.r == 0 and 0 in (base.hl, base.hw)):
        raise ShapeError(f"{base} has no size")
    return struct.pack("<4i", *base)


class Field:
    """What stays the same all game: the ground and every roster slot's base (`shape`, '<4i' a slot).

    ``long`` are the slots whose bases are not round; none reaches further from its middle than ``widest``.
    """

    __slots__ = ("bases", "ground", "long", "n", "shape", "widest")

    def __init__(self, ground: Ground, bases: Iterable[Base]) -> None:
        """Join a ground and the bases of all roster slots.

        Raises:
            ShapeError: more than 1,000 models, or a base without a size.
        """
        self.ground: Final = ground
        self.bases: Final = tuple(bases)
        self.n: Final = len(self.bases)
        if self.n > MOST_MODELS:
            raise ShapeError(f"{self.n} models are more than {MOST_MODELS}")
        self.shape: Final = b"".join([_packed(base) for base in self.bases])
        self.long: Final = frozenset([slot for slot, base in enumerate(self.bases) if base.hl or base.hw])
        self.widest: Final = (
            max([base.hl + base.hw + base.r for base in {*self.bases}], default=0) + 4
        )  # more than any rounding

    @property
    def width(self) -> int:
        """The table's length along x in thou."""
        return self.ground.width

    @property
    def height(self) -> int:
        """The table's length along y in thou."""
        return self.ground.height


class Scene(Struct, frozen=True):
    """The buffers of one moment. A slot whose x is NOWHERE is not on the table.

    `xy` '<2i', `z` '<i' (the ground it stands on), `facing` '<h' in tenths, `owner` '<h' unit number, each by
    roster slot; `sides` one byte (0 or 1) by unit number.
    """

    field: Field
    xy: bytes
    z: bytes
    facing: bytes
    owner: bytes
    sides: bytes
