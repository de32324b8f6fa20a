"""Orders and scenes as the compiled kernels read them: one row of integers, and the scene's buffers."""

from __future__ import annotations

import struct
from operator import attrgetter
from typing import Any

from rolloff.geometry.field import Scene
from rolloff.geometry.moves import Coherency, Leeway, Order
from rolloff.identity_cache import IdentityCache


def scene_args(scene: Scene) -> tuple[Any, ...]:
    """What every kernel takes first."""
    field = scene.field
    return field.ground.handle, field.n, field.shape, scene.xy, scene.z, scene.facing, scene.owner


def packed_terms(order: Order) -> bytes:
    """An order as the `Terms` of `csrc/paths.c`, its targets behind it."""
    hull, limits, targets, coherency = order.hull, order.off_limits, order.targets, order.coherency
    course = (1, hull.reverse, hull.sideways, hull.pivots, hull.pivot) if hull else _NOTHING
    bounds = (1, *limits) if limits is not None else _NOTHING
    known = _shared.seek(id(coherency))
    leeway, kept = _NONE if known is None else known[1]
    if leeway is not order.leeway:
        leeway, kept = _shared.put(coherency, (order.leeway, _KEPT(*_kept(order))))
    front = _FRONT(
        order.unit, order.allowance, order.cohere, order.contact, order.closing,
        order.impassable, order.through_impassable, order.difficult, order.difficult_cap, order.dangerous,
        *course, order.rim, order.rim_by_leg, order.arranged, order.tolerant, order.reach, *bounds,
    )  # fmt: skip
    return front + kept + (struct.pack(f"<{1 + len(targets)}i", len(targets), *targets) if targets else _NOBODY)


_FRONT, _KEPT, _NOBODY = struct.Struct("<25i").pack, struct.Struct("<13i").pack, struct.pack("<i", 0)
_NOTHING = (0, 0, 0, 0, 0)
_kept = attrgetter(
    *[f"coherency.{name}" for name in ("link", "spread", "connected", "need", "rise", "leader")],
    *[f"leeway.{name}" for name in ("move", "gap", "contact", "overlap", "edge", "axis", "touch")],
)
"""What `packed_terms` reads of an order that most share, in the order of the `Terms`."""
_NONE = None, b""
_shared: IdentityCache[Coherency, tuple[Leeway, bytes]] = IdentityCache()
"""The coherency lately asked of units and the leeway beside it, packed: most orders share both."""


_packed: IdentityCache[Order, tuple[Any, ...]] = IdentityCache()
"""Orders packed lately: many kernels are asked about one order."""


def order_args(order: Order) -> tuple[Any, ...]:
    """What every kernel that follows an order takes second."""
    known = _packed.seek(id(order))
    return _packed_now(order) if known is None else known[1]


def _packed_now(order: Order) -> tuple[Any, ...]:
    """The same, packed and kept."""
    way, barred = order.way, order.barred
    return _packed.put(order, (packed_terms(order), way, order.end, len(way) // 4, barred, len(barred)))


def kernel_args(scene: Scene, order: Order) -> tuple[Any, ...]:
    """What every kernel that follows an order takes first: the scene, then the order."""
    field, known = scene.field, _packed.seek(id(order))
    rest = _packed_now(order) if known is None else known[1]
    return field.ground.handle, field.n, field.shape, scene.xy, scene.z, scene.facing, scene.owner, *rest
