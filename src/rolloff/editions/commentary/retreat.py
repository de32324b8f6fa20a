"""Falling back (MOVE-7, MOVE-8): a way out of Engagement Range, and who crosses an enemy on it."""

from __future__ import annotations

import struct
from collections.abc import Sequence

from msgspec.structs import replace

from rolloff.editions.commentary.moving import left_behind
from rolloff.editions.commentary.storeys import own_storey
from rolloff.geometry.measure import slots_of
from rolloff.geometry.moves import TOUCH, Code, March, Order, Shift, Wish
from rolloff.geometry.paths import judge, regroup, slide
from rolloff.geometry.shifting import shifts_with
from rolloff.geometry.trig import turned
from rolloff.rules.play import Play

HEADINGS = 16
_HEADED = tuple(turned(1000, 0, 225 * k) for k in range(HEADINGS))
"""A step that way, for each of the headings."""


def way_out(play: Play, order: Order) -> Wish | None:
    """A lawful move that ends clear of all enemies, straight away from the nearest one if that works; None without one."""
    x, y = play.state.at(play.state.units[order.unit].living[0])
    away = _away(play, order.unit, x, y)
    scene = own_storey(play, order)
    for k in range(HEADINGS):
        heading = (away + (k + 1) // 2 * (225 if k % 2 else -225)) % 3600
        steps = [Shift(*turned(order.allowance * part // 4, 0, heading)) for part in (4, 3, 2, 1)]
        for wish in shifts_with(scene, order, steps, Code.LEGAL):
            if gets_away(play, order, wish):
                return wish
        slid = slide(scene, order, *turned(order.allowance, 0, heading))
        if gets_away(play, order, slid):
            return slid
    return None


def gathered_out(play: Play, order: Order) -> Wish | None:
    """A way out for those who are left of a unit: as one, or each by itself to where they are a unit again."""
    found = way_out(play, order)
    if found is None:
        found = regroup(own_storey(play, order), order)
    return found if found is not None and gets_away(play, order, found) else None


def gets_away(play: Play, order: Order, wish: Wish) -> bool:
    """Whether a unit that goes this way ends coherent and clear of its enemies."""
    verdict = judge(own_storey(play, order), order, wish)
    return verdict.legal and verdict.coherent and not left_behind(play, order, verdict)


def _away(play: Play, unit: int, x: int, y: int) -> int:
    """The heading away from the enemy, to the nearest of sixteen, in tenths of a degree."""
    side, gaps = play.game.side_of(unit), play.gaps_from(unit)
    enemies = [k for k in play.game.units_of[1 - side] if play.state.units[k].living and gaps[k] < float("inf")]
    if not enemies:
        return 0
    fx, fy = play.state.at(play.state.units[min(enemies, key=lambda k: gaps[k])].living[0])
    dots = [hx * (x - fx) + hy * (y - fy) for hx, hy in _HEADED]
    return 225 * dots.index(max(dots))


def of_survivors(way: Wish, before: Sequence[int], after: Sequence[int]) -> Wish:
    """What is left of a unit's way when some of its models are gone."""
    if not isinstance(way, March):
        return way
    levels = b"".join(way.levels[4 * before.index(slot) :][:4] for slot in after)
    return replace(March.of(after, way.paths(before)), levels=levels)


def crossers(play: Play, order: Order, way: object) -> list[int]:
    """MOVE-8: the models of a unit that cross an enemy model on their way."""
    slots = slots_of(play.scene, order.unit)
    side = play.game.side_of(order.unit)
    codes = list(struct.unpack(f"<{len(order.way) // 4}i", order.way))
    for k, held in enumerate(play.game.sides):
        if held != side:
            codes[k] = TOUCH
    strict = replace(order, way=struct.pack(f"<{len(codes)}i", *codes), cohere=0)
    if isinstance(way, Shift):
        paths = {slot: [(play.state.at(slot)[0] + way.dx, play.state.at(slot)[1] + way.dy)] for slot in slots}
    elif isinstance(way, March):
        paths = {slot: [(x, y) for x, y, _ in poses] for slot, poses in way.paths(slots).items() if poses}
    else:
        return []
    found, scene = [], own_storey(play, replace(strict, end=strict.way))
    for slot, path in paths.items():
        verdict = judge(scene, strict, March.of(slots, {slot: path}))
        if verdict.code == Code.GAP_UNIT and verdict.what >= 0 and play.game.sides[verdict.what] != side:
            found.append(slot)
    return found
