"""Orders and scenes as the compiled kernels read them: one row of integers, and the scene's buffers."""

from __future__ import annotations

import struct
from typing import Any

from rolloff.geometry.field import Scene
from rolloff.geometry.moves import Order
from rolloff.identity_cache import IdentityCache


def scene_args(scene: Scene) -> tuple[Any, ...]:
    """What every kernel takes first."""
    field = scene.field
    return field.ground.handle, field.n, field.shape, scene.xy, scene.z, scene.facing, scene.owner


def packed_terms(order: Order) -> bytes:
    """An order as the `Terms` of `csrc/paths.c`, its targets behind it."""
    hull, rule, slack, limits = order.hull, order.coherency, order.leeway, order.off_limits
    course = (1, hull.reverse, hull.sideways, hull.pivots, hull.pivot) if hull else (0, 0, 0, 0, 0)
    return struct.pack(
        f"<{39 + len(order.targets)}i",
        order.unit, order.allowance, order.cohere, order.contact, order.closing,
        order.impassable, order.through_impassable, order.difficult, order.difficult_cap, order.dangerous,
        *course,
        order.rim, order.rim_by_leg, order.arranged, order.tolerant, order.reach,
        limits is not None, *(limits or (0, 0, 0, 0)),
        rule.link, rule.spread, rule.connected, rule.need, rule.rise, rule.leader,
        slack.move, slack.gap, slack.contact, slack.overlap, slack.edge, slack.axis, slack.touch,
        len(order.targets), *order.targets,
    )  # fmt: skip


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
