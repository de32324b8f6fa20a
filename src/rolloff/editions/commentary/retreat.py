"""Falling back (MOVE-7, MOVE-8): a way out of Engagement Range, and who crosses an enemy on it."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from itertools import product
from math import dist

from msgspec.structs import replace

from rolloff.editions.commentary import places
from rolloff.editions.commentary.ascents import lifted, storey_at
from rolloff.editions.commentary.climbing import ends_of, judged
from rolloff.editions.commentary.fellows import with_big_fellows
from rolloff.editions.commentary.footing import standable
from rolloff.editions.commentary.hulls import hulls_near
from rolloff.editions.commentary.moving import engaged_of, left_behind
from rolloff.editions.commentary.passing import Waypoint, passed, stretches_of, ways_of
from rolloff.editions.commentary.storeys import own_storey, z_of
from rolloff.errors import IllegalCommand
from rolloff.geometry.field import Scene
from rolloff.geometry.measure import slots_of
from rolloff.geometry.moves import FREE, NEVER, STAY, TOUCH, Code, March, Order, Shift, Wish
from rolloff.geometry.paths import judge, regroup, slide
from rolloff.geometry.shifting import shifts_with
from rolloff.geometry.trig import turned
from rolloff.rules.citing import cites
from rolloff.rules.play import Play

HEADINGS = 16
_HEADED = tuple(turned(1000, 0, 225 * k) for k in range(HEADINGS))
"""A step that way, for each of the headings."""
FINE, FINE_PARTS = 50, 12
"""How finely a way out is looked for where none of those is free: headings in tenths of a degree, and parts of the Move."""


def way_out(play: Play, order: Order) -> Wish | None:
    """A lawful move that ends clear of all enemies, straight away from the nearest one if that works; None without one.

    A unit goes as one; if it cannot, its models go by ways of their own.
    """
    x, y = play.state.at(play.state.units[order.unit].living[0])
    away = _away(play, order.unit, x, y)
    scene = own_storey(play, order)
    for heading in () if order.still else _fan(away):
        steps = [Shift(*turned(order.allowance * part // 4, 0, heading)) for part in (4, 3, 2, 1)]
        for wish in shifts_with(scene, order, steps, Code.LEGAL):
            if gets_away(play, order, wish):
                return wish
        slid = slide(scene, order, *turned(order.allowance, 0, heading))
        if gets_away(play, order, slid):
            return slid
    mixed = bool(order.still or order.further or order.permits)
    found: Wish | None = _apart(play, order, away) if mixed else None
    if found is None and not order.still:
        found = _finely(play, order, scene) if places.level(play.state.z) else _at_heights(play, order, away)
    return found if found is not None or mixed else _apart(play, order, away)


@cites("MOVE-7")
def _finely(play: Play, order: Order, scene: Scene) -> Shift | None:
    """MOVE-7: a way out between many enemies: whatever heading and length leads clear of them; None where none does."""
    lengths = [order.allowance * part // FINE_PARTS for part in range(FINE_PARTS, 0, -1)]
    steps = [Shift(*turned(far, 0, heading)) for far in lengths for heading in range(0, 3600, FINE)]
    return next((wish for wish in shifts_with(scene, order, steps, Code.LEGAL) if gets_away(play, order, wish)), None)


@cites("MOVE-7")
def _at_heights(play: Play, order: Order, away: int) -> Wish | None:
    """MOVE-7: a way out of a unit above the ground, with all of its Move: along a height where it stands, or down from it."""
    heights = dict.fromkeys((*[z_of(play, slot) for slot in slots_of(play.scene, order.unit)], 0))
    for at in [storey for storey in (storey_at(play, order, z) for z in heights) if storey is not None]:
        loose, far = replace(at.order, cohere=NEVER), at.order.allowance
        for step in [Shift(*turned(far * part // 4, 0, heading)) for part in (4, 3, 2, 1) for heading in _fan(away)]:
            wish = lifted(play, order.unit, step, at.z) if judge(at.scene, loose, step).legal else STAY
            if wish is not STAY and gets_away(play, order, wish):
                return wish
    slots, whole = slots_of(play.scene, order.unit), order.whole()
    for part, heading in product((4, 3, 2, 1), _fan(away)):  # everybody at his own height
        march = _march(play, slots, dict.fromkeys(slots, turned(whole.allowance * part // 4, 0, heading)))
        levels = struct.pack(f"<{len(slots)}i", *[z_of(play, slot) for slot in slots])
        if gets_away(play, order, replace(march, levels=levels)):
            return replace(march, levels=levels)
    return None


def _fan(away: int) -> list[int]:
    """All headings, the one away from the enemy first and then to its sides."""
    return [(away + (k + 1) // 2 * (225 if k % 2 else -225)) % 3600 for k in range(HEADINGS)]


@cites("MOVE-7", "MOVE-2")
def _apart(play: Play, order: Order, away: int) -> March | None:
    """MOVE-7, MOVE-2: models that each go as far as they may, or those alone who must; None where no such way is found.

    Who cannot move and stands within Engagement Range holds the whole unit (UNIT-2).
    """
    slots = slots_of(play.scene, order.unit)
    held = engaged_of(play, order.unit, slots)
    if not held.isdisjoint(order.still):
        return None
    free = [slot for slot in slots if slot not in order.still]
    bound = [slot for slot in free if slot in held]
    parties = [free, bound] if len(bound) < len(free) else [free]
    alike = not (order.still or order.further or order.permits)  # who all went the same way already
    for heading in _fan(away):
        for movers in parties[1:] if alike else parties:
            for part in (4, 3, 2, 1):
                steps = {slot: turned(order.allowed(slot) * part // 4, 0, heading) for slot in movers}
                march = _march(play, slots, steps)
                if gets_away(play, order, march):
                    return march
    singly = (_one_by_one(play, order, slots, movers, away) for movers in reversed(parties) if len(slots) > 1)
    return next((march for march in singly if march is not None), None)


Step = tuple[int, int]


def _march(play: Play, slots: Sequence[int], steps: Mapping[int, Step]) -> March:
    """Some models of a unit each straight by a step of its own."""
    starts = {slot: play.state.at(slot) for slot in steps}
    return March.of(slots, {slot: [(starts[slot][0] + dx, starts[slot][1] + dy)] for slot, (dx, dy) in steps.items()})


def _one_by_one(play: Play, order: Order, slots: Sequence[int], bound: Sequence[int], away: int) -> March | None:
    """Some models, all who must get away among them, one after the other, each near those before it; None if some cannot."""
    steps: dict[int, Step] = {}
    for slot in bound:
        rest = [other for other in bound if other not in steps and other != slot]
        trials = [turned(order.allowed(slot) * part // 4, 0, heading) for heading in _fan(away) for part in (1, 2, 3, 4)]
        found = next((step for step in trials if _stands(play, order, slots, {**steps, slot: step}, rest)), None)
        if found is None:
            return None
        steps[slot] = found
    march = _march(play, slots, steps)
    return march if steps and gets_away(play, order, march) else None


def _stands(play: Play, order: Order, slots: Sequence[int], steps: Mapping[int, Step], rest: Sequence[int]) -> bool:
    """Whether models may end like this, however coherent, and the last of them near somebody who goes no further."""
    loose = replace(order, cohere=NEVER)
    verdict = judge(own_storey(play, order), loose, _march(play, slots, steps))
    if not verdict.legal:
        return False
    ends = dict(zip(slots, struct.iter_unpack("<2i", verdict.ends), strict=True))
    last, bases = list(steps)[-1], play.game.field.bases
    others = [slot for slot in slots if slot != last and slot not in rest]
    reach = order.coherency.link + order.leeway.gap
    return not others or any(dist(ends[last], ends[slot]) <= reach + bases[last].r + bases[slot].r for slot in others)


def gathered_out(play: Play, order: Order) -> Wish | None:
    """A way out for those who are left of a unit: as one, or each by itself to where they are a unit again."""
    found = way_out(play, order)
    if found is None:
        found = regroup(own_storey(play, order), order)
    return found if found is not None and gets_away(play, order, found) else None


def gets_away(play: Play, order: Order, wish: Wish) -> bool:
    """Whether a unit that goes this way ends coherent and clear of its enemies."""
    apart = isinstance(wish, March) and (bool(wish.levels) or order.unit in with_big_fellows(play.game))
    careful = apart or (places.overhung(play.game) and hulls_near(play, order))
    try:
        verdict = judged(play, order, wish) if careful else judge(own_storey(play, order), order, wish)
    except IllegalCommand:  # nothing there to stand on
        return False
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
    said = way.heights_by(before) if way.heights else {}
    heights = [z for slot in after for z in said.get(slot, ())]
    return replace(March.of(after, way.paths(before)), levels=levels, heights=struct.pack(f"<{len(heights)}i", *heights))


def crossers(play: Play, order: Order, way: object) -> list[int]:
    """MOVE-8: the models of a unit that cross an enemy model on their way, at the heights they have there (MOVE-11)."""
    if not isinstance(way, Shift | March):
        return []
    slots, side = slots_of(play.scene, order.unit), play.game.side_of(order.unit)
    codes = [FREE if held == side else TOUCH for held in play.game.sides] + [FREE] * (
        len(order.way) // 4 - len(play.game.sides)
    )
    strict = replace(order, way=struct.pack(f"<{len(codes)}i", *codes), cohere=NEVER, permits=())
    ways = dict(zip(slots, ways_of(play, slots, way), strict=True))
    found = [slot for slot, points in ways.items() if len(points) > 1 and _crosses(play, strict, slots, slot, points)]
    if not found or not standable(play.game):
        return found
    levels = dict(zip(slots, ends_of(play, slots, way), strict=True))
    return [slot for slot in found if passed(play, strict, slot, list(stretches_of(play, slot, ways[slot], levels[slot])))]


def _crosses(play: Play, order: Order, slots: Sequence[int], slot: int, points: Sequence[Waypoint]) -> bool:
    """Whether a model crosses an enemy on its way, seen from above."""
    verdict = judge(play.scene, order, March.of(slots, {slot: [point[:2] for point in points[1:]]}))
    return verdict.code == Code.GAP_UNIT and verdict.what >= 0 and play.game.sides[verdict.what] != play.game.sides[order.unit]
