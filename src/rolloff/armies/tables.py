"""Tables: the terrain kit, fixed layouts, and the generator that lays a point-symmetric table from a seed.

A piece of several parts (a ruin: a floor and two walls) gives its id to its first part; the ids of the others go on
after a dot, so that it can be counted once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from math import isqrt
from typing import Final, Literal

from msgspec import Struct

from rolloff.armies.forms import Number, decode, fit
from rolloff.errors import BadInput
from rolloff.geometry.trig import turned
from rolloff.lengths import INCH, LengthError, degrees, inches
from rolloff.oracle.dice import Stream
from rolloff.rules.citing import cites
from rolloff.table.setup import Point, Table, Terrain

GAP: Final = 3 * INCH
"""What the generator leaves between two pieces, so that a hull fits through."""
MARGIN: Final = INCH // 2
MIDDLE: Final = 12 * INCH
"""How far from the middle of the table the solid pieces of the centre may lie."""
LEAST: Final = 5
"""The fewest pieces on one half of a generated table."""
TRIES: Final = 40
CROWDED: Final = 20
"""After so many attempts a table is taken with fewer pieces."""
ATTEMPTS: Final = 40
NEAR: Final = 10 * INCH
WORKS_GAP: Final = 2 * INCH


class PartForm(Struct, forbid_unknown_fields=True):
    """One part of a piece of the kit: an outline or a radius about the middle, in inches."""

    types: list[str]
    id: str = ""
    outline: list[tuple[Number, Number]] = []
    radius: Number = 0
    height: Number = 0
    elevation: Number = 0
    solid: bool = False


class KitForm(Struct, forbid_unknown_fields=True):
    """A kind of terrain piece; ``weight`` says how often the generator picks it."""

    name: str
    parts: list[PartForm]
    weight: int = 1


class LaidForm(Struct, forbid_unknown_fields=True):
    """A piece of the kit on a table: where its middle is and how far it is turned."""

    kit: str
    at: tuple[Number, Number]
    turn: Number = 0


class SolidForm(Struct, forbid_unknown_fields=True):
    """A solid part of a piece: a wall, a floor that can be stood on, or a block, from one height to another."""

    kind: Literal["wall", "floor", "block"]
    polygon: list[tuple[Number, Number]]
    z: tuple[Number, Number]


class PieceForm(Struct, forbid_unknown_fields=True):
    """A piece of its owner's own: a polygon, or a disc [x, y, radius]; with solid parts, if it is not one whole."""

    id: str
    types: list[str] = []
    polygon: list[tuple[Number, Number]] | None = None
    disc: tuple[Number, Number, Number] | None = None
    height: Number = 0
    elevation: Number = 0
    solid: bool = False
    name: str = ""
    solids: list[SolidForm] = []


class LayoutForm(Struct, forbid_unknown_fields=True):
    """A table: pieces of the kit, pieces of its own, and whether each has a twin half a turn about the middle.

    ``points`` are the sizes of game it is laid out for; without them it is for all.
    """

    name: str
    editions: list[str] = []
    points: list[int] = []
    size: tuple[Number, Number] = (72, 48)
    symmetric: bool = False
    pieces: list[LaidForm] = []
    terrain: list[PieceForm] = []
    about: str = ""


class Part(Struct, frozen=True):
    """A part of a piece of the kit, in thou."""

    id: str
    outline: tuple[Point, ...]
    radius: int
    types: tuple[str, ...]
    height: int
    elevation: int
    solid: bool


class Kind(Struct, frozen=True):
    """A kind of piece: its parts, and the circle all of it lies in."""

    id: str
    name: str
    parts: tuple[Part, ...]
    weight: int
    reach: int

    @property
    def types(self) -> frozenset[str]:
        """Every terrain type of its parts."""
        return frozenset(name for part in self.parts for name in part.types)

    @property
    def solid(self) -> bool:
        """Whether some part of it blocks sight."""
        return any(part.solid for part in self.parts)


Kit = Mapping[str, Kind]


def _thou(value: Number, where: str) -> int:
    try:
        return inches(value)
    except LengthError as error:
        raise BadInput("bad-table", f"{where}: {error}", where=where) from None


def _spot(pair: tuple[Number, Number], where: str) -> Point:
    return _thou(pair[0], where), _thou(pair[1], where)


def _turn(value: Number, where: str) -> int:
    try:
        return degrees(value)
    except LengthError as error:
        raise BadInput("bad-table", f"{where}: {error}", where=where) from None


def _kind(id: str, form: KitForm) -> Kind:
    parts = tuple(
        Part(
            part.id,
            tuple(_spot(pair, id) for pair in part.outline),
            _thou(part.radius, id),
            tuple(part.types),
            _thou(part.height, id),
            _thou(part.elevation, id),
            part.solid,
        )
        for part in form.parts
    )
    far = [isqrt(x * x + y * y) + 1 for part in parts for x, y in part.outline]
    return Kind(id, form.name, parts, form.weight, max([*far, *(part.radius for part in parts)]))


@cache
def read_kit(raw: bytes) -> Kit:
    """The kit from the bytes of its file."""
    rows = fit(decode(raw, "kit"), dict[str, KitForm], "kit")
    return {id: _kind(id, form) for id, form in rows.items()}


def lay(kind: Kind, id: str, x: int, y: int, turn: int) -> list[Terrain]:
    """A piece of the kit set down with its middle at a point, turned by tenths of a degree."""
    found = []
    for part in kind.parts:
        corners = [turned(along, across, turn) for along, across in part.outline]
        found.append(
            Terrain(
                id=f"{id}.{part.id}" if part.id else id,
                types=part.types,  # TABLE-4
                polygon=tuple((x + dx, y + dy) for dx, dy in corners) or None,
                disc=None if corners else (x, y, part.radius),
                height=part.height,
                elevation=part.elevation,
                solid=part.solid,
                name=kind.name,
            )
        )
    return found


def twin(piece: Terrain, size: Point, mark: str = "'") -> Terrain:
    """The same piece half a turn about the middle of the table."""
    width, height = size
    head, dot, tail = piece.id.partition(".")
    return Terrain(
        id=f"{head}{mark}{dot}{tail}",
        types=piece.types,
        polygon=None if piece.polygon is None else tuple((width - x, height - y) for x, y in piece.polygon),
        disc=None if piece.disc is None else (width - piece.disc[0], height - piece.disc[1], piece.disc[2]),
        height=piece.height,
        elevation=piece.elevation,
        solid=piece.solid,
        name=piece.name,
        bottom=piece.bottom,
    )


def _own(form: PieceForm) -> list[Terrain]:
    """A piece with its solid parts; one that is a single block is solid itself, from where that begins to its top."""
    where = f"terrain {form.id}"
    disc = None
    if form.disc is not None:
        disc = (*_spot(form.disc[:2], where), _thou(form.disc[2], where))
    block = next((part for part in form.solids if part.kind == "block" and part.polygon == form.polygon), None)
    whole = Terrain(
        id=form.id,
        types=tuple(form.types),
        polygon=None if form.polygon is None else tuple(_spot(pair, where) for pair in form.polygon),
        disc=disc,
        height=_thou(form.height if block is None else block.z[1], where),
        elevation=_thou(form.elevation, where),
        solid=form.solid or block is not None,
        name=form.name,
        bottom=0 if block is None else _thou(block.z[0], where),
    )
    parts = [part for part in form.solids if part is not block]
    return [whole, *(_solid(form, part, number, where) for number, part in enumerate(parts, 1))]


def _solid(form: PieceForm, part: SolidForm, number: int, where: str) -> Terrain:
    """A wall, a floor or a block that is a part of a piece."""
    return Terrain(
        id=f"{form.id}.{part.kind}-{number}",
        types=(part.kind,),
        polygon=tuple(_spot(pair, where) for pair in part.polygon),
        height=_thou(part.z[1], where),
        solid=True,
        name=part.kind.capitalize(),
        bottom=_thou(part.z[0], where),
    )


def read_table(raw: bytes, kit: Kit, where: str) -> Table:
    """A table from the bytes of its file; `BadInput` names what does not fit."""
    form = fit(decode(raw, where), LayoutForm, where)
    size = _spot(form.size, where)
    pieces: list[Terrain] = []
    for number, laid in enumerate(form.pieces, 1):
        if laid.kit not in kit:
            raise BadInput("unknown-piece", f"{where}: the kit has no {laid.kit!r}", where=where, allowed=", ".join(kit))
        x, y = _spot(laid.at, where)
        pieces += lay(kit[laid.kit], f"{laid.kit}-{number}", x, y, _turn(laid.turn, where))
    pieces += [part for piece in form.terrain for part in _own(piece)]
    if form.symmetric:
        pieces += [twin(piece, size) for piece in pieces]
    return Table(size, tuple(pieces), form.name)


class Laid(Struct, frozen=True):
    """A piece as the generator sees it: a circle."""

    kind: Kind
    x: int
    y: int
    turn: int


def _room(laid: Sequence[Laid], kind: Kind, x: int, y: int, size: Point) -> bool:
    """Whether a piece and its twin are on the table and keep the gap to all others, to their twins, and to each other."""
    width, height = size
    edge = kind.reach + MARGIN
    if not (edge <= x <= width - edge and edge <= y <= height - edge):
        return False
    mirror = (width - x, height - y)
    if (2 * x - width) ** 2 + (2 * y - height) ** 2 < (2 * kind.reach + GAP) ** 2:
        return False
    for other in laid:
        far = (kind.reach + other.kind.reach + GAP) ** 2
        for ox, oy in ((x, y), mirror):
            if (ox - other.x) ** 2 + (oy - other.y) ** 2 < far:
                return False
    return True


def _somewhere(stream: Stream, kind: Kind, size: Point, middle: bool) -> tuple[int, int]:
    """A spot on the near half, or near the middle of the table, with the whole piece on the table."""
    width, height = size
    edge = kind.reach + MARGIN
    if middle:
        left, low = max(edge, width // 2 - MIDDLE), max(edge, height // 2 - NEAR)
        return stream.between(left, max(left, width - left)), stream.between(low, max(low, height // 2))
    return stream.between(edge, max(edge, width - edge)), stream.between(edge, max(edge, height // 2))


def _try(stream: Stream, laid: list[Laid], kind: Kind, size: Point, middle: bool = False) -> bool:
    for _ in range(TRIES):
        x, y = _somewhere(stream, kind, size, middle)
        if _room(laid, kind, x, y, size):
            laid.append(Laid(kind, x, y, stream.below(3600)))
            return True
    return False


def _deck(stream: Stream, kit: Kit) -> list[Kind]:
    """The kinds in a random order, each as many times as its weight."""
    deck = [kind for kind in kit.values() for _ in range(kind.weight)]
    for k in range(len(deck) - 1, 0, -1):
        j = stream.below(k + 1)
        deck[k], deck[j] = deck[j], deck[k]
    return deck


@cites("TABLE-3", "TABLE-2")
def generate(stream: Stream, kit: Kit, size: Point, name: str) -> Table:
    """TABLE-3: a fair table: what lies on one half lies on the other, turned about the middle.

    At least two solid pieces lie near the middle, and pieces keep their distance from one another. On a table too small for
    so many there are fewer, or none.
    """
    laid: list[Laid] = []
    for attempt in range(ATTEMPTS):
        deck = _deck(stream, kit)
        half = LEAST + stream.below(3)
        laid = []
        first = next(kind for kind in deck if kind.solid)
        deck.remove(first)
        if not _try(stream, laid, first, size, middle=True):
            continue
        while deck and len(laid) < half:
            _try(stream, laid, deck.pop(), size)
        if len(laid) >= LEAST or attempt >= CROWDED:
            break
    pieces = [
        part for number, one in enumerate(laid, 1) for part in lay(one.kind, f"{one.kind.id}-{number}", one.x, one.y, one.turn)
    ]
    return Table(size, (*pieces, *(twin(piece, size) for piece in pieces)), name)


def _box(piece: Terrain) -> tuple[int, int, int, int]:
    if piece.disc is not None:
        x, y, r = piece.disc
        return x - r, y - r, x + r, y + r
    xs, ys = zip(*(piece.polygon or ((0, 0),)), strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def _apart(one: Terrain, other: Terrain) -> bool:
    """Whether the boxes about two pieces keep a gap."""
    left, low, right, high = _box(one)
    x0, y0, x1, y1 = _box(other)
    return right + WORKS_GAP <= x0 or x1 + WORKS_GAP <= left or high + WORKS_GAP <= y0 or y1 + WORKS_GAP <= low


def fortified(table: Table, kit: Kit) -> Table:
    """The table with barricades along both long edges, wherever nothing else stands near."""
    pieces = list(table.terrain)
    for number, x in enumerate(range(9 * INCH, table.size[0] - 8 * INCH, 9 * INCH), 1):
        for piece in lay(kit["barricade"], f"works-{number}", x, 10 * INCH, 0):
            if all(_apart(piece, other) for other in table.terrain):
                pieces += [piece, twin(piece, table.size)]
    return Table(table.size, tuple(pieces), table.name)


def count(table: Table) -> int:
    """How many pieces a table has, those of several parts counted once."""
    return len({piece.id.partition(".")[0] for piece in table.terrain})
