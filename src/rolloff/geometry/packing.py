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
    leeway, kept = _shared.get(coherency) or _NONE
    if leeway is not order.leeway:
        leeway, kept = _shared.put(coherency, (order.leeway, _KEPT(*_kept(order))))
    row = _FRONT(*_allowed(order), *course, *_followed(order), *bounds) + kept
    return row + struct.pack(f"<{1 + len(targets)}i", len(targets), *targets) if targets else row + _NOBODY


_FRONT, _KEPT, _NOBODY = struct.Struct("<25i").pack, struct.Struct("<13i").pack, struct.pack("<i", 0)
_NOTHING = (0, 0, 0, 0, 0)
_allowed = attrgetter(
    "unit", "allowance", "cohere", "contact", "closing",
    "impassable", "through_impassable", "difficult", "difficult_cap", "dangerous",
)  # fmt: skip
_followed = attrgetter("rim", "rim_by_leg", "arranged", "tolerant", "reach")
_kept = attrgetter(
    *[f"coherency.{name}" for name in ("link", "spread", "connected", "need", "rise", "leader")],
    *[f"leeway.{name}" for name in ("move", "gap", "contact", "overlap", "edge", "axis", "touch")],
)
"""What `packed_terms` reads of an order, in the order of the `Terms`: as getters, which read all at once."""
_NONE = None, b""
_shared: IdentityCache[Coherency, tuple[Leeway, bytes]] = IdentityCache()
"""The coherency lately asked of units and the leeway beside it, packed: most orders share both."""


_packed: IdentityCache[Order, tuple[Any, ...]] = IdentityCache()
"""Orders packed lately: many kernels are asked about one order."""


def order_args(order: Order) -> tuple[Any, ...]:
    """What every kernel that follows an order takes second."""
    known = _packed.seek(id(order))
    if known is not None:
        return known[1]
    row = packed_terms(order), order.way, order.end, len(order.way) // 4, order.barred, len(order.barred)
    return _packed.put(order, row)


def kernel_args(scene: Scene, order: Order) -> tuple[Any, ...]:
    """What every kernel that follows an order takes first: the scene, then the order."""
    field, known = scene.field, _packed.seek(id(order))
    rest = order_args(order) if known is None else known[1]
    return field.ground.handle, field.n, field.shape, scene.xy, scene.z, scene.facing, scene.owner, *rest
