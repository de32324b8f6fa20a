"""Distances in plan and in height in plain Python: the twin of `csrc/spans.c`, step for step."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from math import inf, sqrt
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from rolloff.geometry.field import Field, Scene
from rolloff.geometry.place import standing
from rolloff.geometry.plain.measure import crosses, gap, stand, stand_gap
from rolloff.lengths import NOWHERE

NEAR, TOUCHES = 1, 2


class Bodies(Struct, frozen=True):
    """What heights are measured by: the field on whose bases models stand that hang over their own (else the scene's), and
    '<i' by slot how tall each body is, less than zero (-1 - height) for a model that stands on its body.
    """

    over: Field
    heights: bytes


class Limits(NamedTuple):
    """How far models may be apart in plan and in height and be near each other; from which gap on they do not touch."""

    flat: float
    rise: float
    touch: float


class Spans(Struct, frozen=True):
    """Of each of some models: how far the nearest of the others is, and whether one of them is near or touches it."""

    nearest: list[float]
    marks: bytes


def spans(scene: Scene, bodies: Bodies, ours: Sequence[int], theirs: Sequence[int], limits: Limits) -> Spans:
    """How far some models are from others; infinitely where one of them is not on the table."""
    n, z = scene.field.n, scene.z
    heights, levels = struct.unpack(f"<{n}i", bodies.heights), struct.unpack(f"<{n}i", z)
    hulls = replace(scene, field=bodies.over) if bodies.over is not scene.field else None
    others = [slot for slot in theirs if _here(scene, slot)]
    nearest, marks = [], []
    for slot in ours:
        best, mark = inf, 0
        for other in others if _here(scene, slot) else ():
            plan = stand_gap(stand(scene, slot), stand(scene, other))
            if hulls is not None:
                plan = min(plan, stand_gap(stand(hulls, slot), stand(hulls, other)))
            up = abs(levels[slot] - levels[other])
            low = heights[slot if levels[slot] <= levels[other] else other]
            below = -1 - low if low < 0 else low
            if plan <= limits.touch and up <= below:
                mark |= TOUCHES
            if heights[slot] < 0 or heights[other] < 0:
                up = max(up - below, 0)
            plan = max(plan, 0.0)
            if plan <= limits.flat and up <= limits.rise:
                mark |= NEAR
            best = min(best, plan * plan + float(up) * float(up))
        nearest.append(sqrt(best))
        marks.append(mark)
    return Spans(nearest, bytes(marks))


def _here(scene: Scene, slot: int) -> bool:
    return bool(struct.unpack_from("<i", scene.xy, 8 * slot)[0] != NOWHERE)


def gaps_between(scene: Scene, ours: Sequence[int], theirs: Sequence[int]) -> list[list[float]]:
    """The distance in plan of each of some models from each of others, row by row; infinite off the table."""
    return [[gap(scene, slot, other) for other in theirs] for slot in ours]


def closest(scene: Scene, ours: Sequence[int], theirs: Sequence[int], slack: int) -> list[list[int]]:
    """Who of others is closest in plan to each of some models: those no further than that, in whole thou, and ``slack``."""
    found = []
    for gaps in gaps_between(scene, ours, theirs):
        best = max(min(gaps, default=inf), 0.0)
        found.append([other for other, far in zip(theirs, gaps, strict=True) if best < inf and far <= int(best) + slack])
    return found


def not_nearer(scene: Scene, ends: bytes, facings: bytes, ours: Sequence[int], theirs: Sequence[int], slack: int) -> list[int]:
    """Those of some models that end elsewhere, and not nearer by more than ``slack`` to anybody who was closest to them."""
    found = []
    for k, slot in enumerate(ours):
        end = ends[8 * k : 8 * k + 8]
        if end == scene.xy[8 * slot : 8 * slot + 8] or not _here(scene, slot):
            continue
        near = closest(scene, (slot,), theirs, slack)[0]
        starts, there = gaps_between(scene, (slot,), near)[0], standing(scene, (slot,), end, facings[2 * k : 2 * k + 2])
        after = gaps_between(there, (slot,), near)[0]
        if not any(far < start - slack for far, start in zip(after, starts, strict=True)):
            found.append(slot)
    return found


def first_across(
    scene: Scene, pieces: Sequence[int], ours: Sequence[int], theirs: Sequence[int], limit: float, rise: int
) -> int:
    """The first of some terrain pieces that lies between one of some models and one of others, -1 without one.

    Only those count who are no further apart than a limit in plan, and no more than ``rise`` in height.
    """
    levels = struct.unpack(f"<{scene.field.n}i", scene.z)
    for one in ours:
        for other in theirs:
            if gap(scene, one, other) > limit or abs(levels[one] - levels[other]) > rise:
                continue
            (ax, ay), (bx, by) = (struct.unpack_from("<2i", scene.xy, 8 * slot) for slot in (one, other))
            for piece in pieces:
                if crosses(scene.field.ground, piece, ax, ay, bx, by):
                    return piece
    return -1
