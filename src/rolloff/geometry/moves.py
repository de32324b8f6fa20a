"""What a move is asked, answered and told: orders, wishes, verdicts, and the zones units are placed in.

Plain values. An edition fills an `Order` or a `Zone`; a player, a network or an opponent answers with a
`Wish`; the judge answers with a `Verdict`. Lengths are thou, facings tenths of a degree.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping, Sequence
from enum import IntEnum
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from rolloff.geometry.field import DANGEROUS, DIFFICULT, IMPASSABLE
from rolloff.geometry.shapes import Base

FREE: Final = -1
"""Gap code: the unit may be passed over and even stood upon."""

CLEAR: Final = -2
"""Gap code: the unit may be neared but not touched."""

TOUCH: Final = 0
"""Gap code: the unit may be touched but not overlapped."""

_OVER: Final = 1 << 28

NEVER: Final = 0
"""Coherency is not asked for."""
KEEP: Final = 1
"""A unit that was coherent must end coherent."""
ALWAYS: Final = 2
"""The unit must end coherent, however it began."""
NEARER: Final = 3
"""Each stray model must end nearer to its closest fellow than it began."""

ANY: Final = 0
"""Models may end at any distance from the targets."""
NO_FURTHER: Final = 1
"""Models in contact with no target end no further from the targets than they began."""
STRICTLY_NEARER: Final = 2
"""Models in contact with no target end nearer to one of the targets than they began."""

UNSAID: Final = -(2**31)
"""The height of an end about which its player says nothing."""

Pose = tuple[int, int, int]
Rectangle = tuple[int, int, int, int]


def over(gap: int) -> int:
    """The gap code of a strict distance: more than `gap`, without leeway."""
    return _OVER + gap


def gaps(count: int, default: int, special: Mapping[int, int] | None = None) -> bytes:
    """A buffer of least-gap codes, one for each unit number: `default`, but for the `special` ones."""
    codes = [default] * count
    for unit, code in (special or {}).items():
        codes[unit] = code
    return struct.pack(f"<{count}i", *codes)


class Leeway(Struct, frozen=True):
    """How much is forgiven, in thou, always toward legal.

    `move` for lengths, `gap` for least gaps and links, `contact` for what counts as touching, `overlap` for
    bases on one another or on barred ground, `edge` for table and zone borders, `axis` for a hull's straight
    course, `touch` for how deep a base may lie in a terrain piece without touching it.
    """

    move: int = 10
    gap: int = 10
    contact: int = 10
    overlap: int = 10
    edge: int = 10
    axis: int = 10
    touch: int = 0


class Coherency(Struct, frozen=True, cache_hash=True):
    """When a unit holds together.

    Each model needs `need` fellows within `link`, and all (or the `leader` slot alone) within `spread` (-1:
    no limit); `connected` asks for one group. `rise` is the vertical reach of a link (-1: measured in plan).
    """

    link: int
    spread: int = -1
    connected: bool = False
    need: int = 1
    rise: int = -1
    leader: int = -1


class Hull(Struct, frozen=True):
    """How a vehicle may go: straight along its axis, with few pivots about its centre.

    `reverse` and `sideways` multiply the cost of such a part (0: not allowed); at most `pivots` turns of at
    most `pivot` tenths of a degree each.
    """

    reverse: int = 2
    sideways: int = 0
    pivots: int = 1
    pivot: int = 900


class Permit(Struct, frozen=True):
    """What some models of a unit may do on their way that others of it may not.

    `way` and `barred` are theirs, as in an `Order`; `over` are models of other units they pass over whatever `way` says.
    """

    slots: tuple[int, ...]
    way: bytes
    barred: bytes
    over: tuple[int, ...] = ()


class Order(Struct, frozen=True):
    """What a unit may do with one move.

    `way` and `end` hold a least-gap code for each unit number: along the whole way, and where the move ends.
    A model that starts closer than that to a unit may not come closer on its way; with `tolerant` it may also
    end too close, if no closer than it began. `barred` may hold a byte for each terrain piece: 1 bars it to
    this unit like impassable ground, 2 opens it, 3 lets it pass but not end there.
    With `arranged` only the leader follows a path and the others
    are set down. `leaving` is the slot of the hull at whose outline the off-table `slots` begin. The `still` slots
    neither move nor turn. `further` names slots that may go further than the allowance, and by how much. `permits` say
    which models may pass what `way` and `barred` forbid: these hold for all, and searches keep to them. `kept_back` is what
    the allowance leaves out of how far the unit may go, for who knows what else that costs.
    """

    unit: int
    allowance: int
    way: bytes
    end: bytes
    coherency: Coherency
    cohere: int = KEEP
    targets: tuple[int, ...] = ()
    contact: bool = False
    closing: int = ANY
    impassable: int = IMPASSABLE
    through_impassable: bool = False
    barred: bytes = b""
    difficult: int = DIFFICULT
    difficult_cap: int = -1
    dangerous: int = DANGEROUS
    hull: Hull | None = None
    rim: int = 64
    rim_by_leg: bool = False
    arranged: bool = False
    tolerant: bool = False
    leaving: int = -1
    slots: tuple[int, ...] = ()
    off_limits: Rectangle | None = None
    reach: int = -1
    leeway: Leeway = Leeway()
    still: tuple[int, ...] = ()
    further: tuple[tuple[int, int], ...] = ()
    permits: tuple[Permit, ...] = ()
    kept_back: int = 0

    def whole(self) -> Order:
        """The same order with nothing kept back of how far the unit may go."""
        return replace(self, allowance=self.allowance + self.kept_back, kept_back=0) if self.kept_back else self

    def allowed(self, slot: int) -> int:
        """How far one model may go."""
        return self.allowance + dict(self.further).get(slot, 0)

    def permit(self, slot: int) -> Permit | None:
        """What one model may do that others may not."""
        return next((permit for permit in self.permits if slot in permit.slots), None) if self.permits else None

    def of_model(self, slot: int) -> Order:
        """The same order by what one model may do."""
        permit = self.permit(slot)
        if permit is None:
            return replace(self, permits=()) if self.permits else self
        return replace(self, way=permit.way, barred=permit.barred, permits=(permit,) if permit.over else ())

    def for_all(self, way: bytes | None = None, barred: bytes | None = None) -> Order:
        """The same order with one way, or the same pieces barred, for every model."""
        way_of, barred_of = self.way if way is None else way, self.barred if barred is None else barred
        if not self.permits:
            return replace(self, way=way_of, barred=barred_of)
        rows = [(p.slots, p.way if way is None else way, p.barred if barred is None else barred, p.over) for p in self.permits]
        return replace(self, way=way_of, barred=barred_of, permits=tuple([Permit(*row) for row in rows]))


class Hub(Struct, frozen=True):
    """What bases must stand within `distance` of: a base, a hull or a point that stands or stood there, at a height `z`."""

    x: int
    y: int
    facing: int
    base: Base
    distance: int
    wholly: bool = False
    z: int = 0


class Zone(Struct, frozen=True, cache_hash=True):
    """Where models may be set down.

    `keep` holds a least-gap code for each unit number. Each base lies wholly in one rectangle of `inside`
    (none: anywhere on the table).
    """

    keep: bytes
    coherency: Coherency
    cohere: int = ALWAYS
    inside: tuple[Rectangle, ...] = ()
    hub: Hub | None = None
    impassable: int = IMPASSABLE
    barred: bytes = b""
    off_limits: Rectangle | None = None
    leeway: Leeway = Leeway()


class Stay(Struct, frozen=True, tag="stay"):
    """The unit does not move."""


STAY: Final = Stay()
"""The one way of nobody moving: the same object each time, so that what is known about it is found again."""


class Shift(Struct, frozen=True, tag="shift"):
    """Every model of the unit moves by the same vector."""

    dx: int
    dy: int


class March(Struct, frozen=True, tag="march"):
    """A path for each model: `counts` a byte a model, ascending by slot; `points` '<3i' x, y, facing a pose.

    A leg goes straight to x, y with the facing had before, then turns to the new one (-1: does not turn). `levels` may hold
    the height at which each model ends, '<i' a model, `UNSAID` where it is that of the ground; `heights` that of each pose,
    '<i' a pose, where a player says it of more than the end.
    """

    counts: bytes
    points: bytes
    levels: bytes = b""
    heights: bytes = b""

    @classmethod
    def of(cls, slots: Iterable[int], paths: Mapping[int, Sequence[tuple[int, ...]]]) -> March:
        """Pack paths of (x, y) or (x, y, facing) by slot; slots without a path stay."""
        ways = [paths.get(slot, ()) for slot in slots]
        numbers: list[int] = []
        for way in ways:
            for pose in way:
                numbers += pose
                if len(pose) == 2:
                    numbers.append(-1)
        return cls(bytes(map(len, ways)), struct.pack(f"<{len(numbers)}i", *numbers))

    def paths(self, slots: Iterable[int]) -> dict[int, list[Pose]]:
        """Unpack into poses by slot."""
        poses = iter(list(struct.iter_unpack("<3i", self.points)))
        found: dict[int, list[Pose]] = {}
        for slot, count in zip(slots, self.counts, strict=True):
            found[slot] = [next(poses) for _ in range(count)]
        return found

    def heights_by(self, slots: Iterable[int]) -> dict[int, list[int]]:
        """The heights said of the poses of each slot, `UNSAID` where nothing is."""
        said = struct.unpack(f"<{len(self.heights) // 4}i", self.heights) or (UNSAID,) * sum(self.counts)
        found, first = dict[int, list[int]](), 0
        for slot, count in zip(slots, self.counts, strict=True):
            found[slot] = list(said[first : first + count])
            first += count
        return found


Wish = Stay | Shift | March
WISHES: Final = (Stay, Shift, March)
"""The same for `isinstance`, which is slow to look into a union."""


class Code(IntEnum):
    """What a verdict says; everything but LEGAL is a refusal."""

    LEGAL = 0
    TOO_LONG = 1
    OFF_TABLE = 2
    GAP_UNIT = 3
    OVERLAP = 4
    IMPASSABLE = 5
    INCOHERENT = 6
    NO_CONTACT = 7
    FURTHER = 8
    PIVOT = 9
    SIDEWAYS = 10
    OFF_LIMITS = 11
    NO_SUCH_MODEL = 12
    OUTSIDE_ZONE = 13
    TOO_FAR = 14
    BAD_START = 15
    CAPPED = 16
    """Too long for the ground it touched, though not for the mover: the judge says TOO_LONG, and `what` is the cap."""
    STUCK = 17
    """A model that can neither move nor turn would."""
    BARRED = 18
    """Ground that is closed to this mover, though not impassable by itself: the judge says IMPASSABLE."""
    PASSED_BY = 19
    """A unit too near on the way, though not at its end: the judge says GAP_UNIT."""
    ON_FRIEND = 20
    """A unit of the mover's own side in the way of where it would end: the judge says GAP_UNIT."""
    THROUGH_FRIEND = 21
    """The same on the way alone."""
    ON_TARGET = 22
    """A unit that the move is made against in the way of where it would end: the judge says GAP_UNIT."""


class Verdict(Struct, frozen=True, gc=False):
    """What the judge found: a code with its evidence, and the facts that play goes on with.

    `what` is the unit (GAP_UNIT, NO_CONTACT), the slot (OVERLAP) or the terrain piece (IMPASSABLE) in the
    way. `dangerous` pairs slots with dangerous pieces their way touched. `ends` ('<2i') and `facings` ('<h')
    are the poses of the unit's slots, ascending, after the move; `levels` ('<i') their heights, if not the ground's.
    """

    code: int
    slot: int
    what: int
    longest: int
    difficult: bool
    dangerous: tuple[tuple[int, int], ...]
    was_coherent: bool
    coherent: bool
    ends: bytes
    facings: bytes
    levels: bytes = b""

    @property
    def legal(self) -> bool:
        """Whether the move or placing stands."""
        return self.code == 0


def strict_over(code: int) -> int | None:
    """The distance of an `over` code, or None for any other."""
    return code - _OVER if code >= _OVER else None
