"""Exact sight in plan, in plain Python: who sees whom, and what stands between. Twin of `csrc/sight.c`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import inf, sqrt

from rolloff.geometry.field import COVER, Scene
from rolloff.geometry.plain.ends import End, Obstacle, aside, end_of, obstacles, stands_up
from rolloff.geometry.plain.look import Finding, Side, look
from rolloff.geometry.plain.measure import (
    base_gap,
    crosses,
    pieces_at,
    point_to_edge,
    slots_of,
    stand,
    stand_gap,
)
from rolloff.geometry.plain.shadows import EVERYWHERE, TOUCH, Shade, astray, frame_along
from rolloff.geometry.plain.sweep import search
from rolloff.geometry.views import Eye, Mode, Sight

TIE = 1e-6
"""Thou: gaps closer than this are the same."""

TRIES = 4
"""How often a proof for many pairs at once is mended before they are looked at one by one."""


def _side(end: End) -> Side:
    """An end as a look takes it."""
    return Side(end.x, end.y, end.members, end.arc)


def _contact(mode: Mode, a: End, b: End) -> float:
    """The gap up to which two ends see each other whatever is around: bases in contact, but no barrels."""
    return float(mode.contact) if a.arc is None and b.arc is None else 0.0


def _look(mode: Mode, a: End, b: End, found: Iterable[Obstacle]) -> Finding:
    """A look between two ends past the obstacles that block this pair."""
    blockers = [(o.tag, o.cores) for o in found if not aside(a, b, o) and stands_up(a, b, o, mode)]
    return look(_side(a), _side(b), blockers, mode.margin, _contact(mode, a, b))


def sees(scene: Scene, mode: Mode, a: int | Eye, b: int | Eye) -> Sight:
    """Whether one model, barrel or outline sees another, with evidence."""
    first, second = end_of(scene, mode, a), end_of(scene, mode, b)
    if first is None or second is None:
        return Sight(False)
    line, tags = _look(mode, first, second, obstacles(scene, mode, first.unit, second.unit))
    if line is not None:
        return Sight(True, line)
    pieces = tuple(sorted(tag for tag in tags if tag >= 0))
    return Sight(False, None, pieces, tuple(sorted(-1 - tag for tag in tags if tag < 0)))


def _between_all(mode: Mode, viewers: Sequence[End], targets: Sequence[End], o: Obstacle) -> bool:
    """Whether an obstacle blocks every pair of viewers and targets whose lines it can meet."""
    return all(aside(a, b, o) or stands_up(a, b, o, mode) for a in viewers for b in targets)


def _all_hidden(mode: Mode, viewers: Sequence[End], targets: Sequence[End], found: Iterable[Obstacle]) -> bool:
    """Whether what stands between all viewers and all targets hides every target from every viewer.

    A sweep between the hulls of both groups, past what lies wholly between them. It is taken for granted that
    such an obstacle blocks every pair; of those the proof rests on, that is checked afterwards.
    """
    x, y = _way(viewers, targets)
    if x == 0.0 and y == 0.0:
        return False
    frame = frame_along(viewers[0].x, viewers[0].y, (x, y))
    first = tuple(frame.box(a.members[0]) for a in viewers)
    second = tuple(frame.box(b.members[0]) for b in targets)
    right, left = max(box.right for box in first), min(box.left for box in second)
    if right + mode.contact * frame.scale >= left:
        return False
    ends = (first, second)
    shades: list[Shade] = []
    trusted = list(found)
    for k, o in enumerate(trusted):
        boxes = [frame.box(core) for core in o.cores]
        if all(right <= box.left and box.right <= left for box in boxes):
            shades.extend(Shade(k, box.corners, box.r, EVERYWHERE) for box in boxes if not astray(ends, box))
    width = (mode.margin - TOUCH) * frame.scale
    for _ in range(TRIES):
        used: set[int] = set()
        if search(ends, shades, 0.0, -inf, inf, width, used) is not None:
            return False
        bases = {shades[k].tag for k in used}
        wrong = {k for k in bases if not _between_all(mode, viewers, targets, trusted[k])}
        if not wrong:
            return True
        shades = [shade for shade in shades if shade.tag not in wrong]
    return False


def _way(viewers: Sequence[End], targets: Sequence[End]) -> tuple[float, float]:
    """The direction from the middle of one group to the middle of another, in whole numbers."""
    x = y = 0.0
    for b in targets:
        x, y = x + (b.x - viewers[0].x), y + (b.y - viewers[0].y)
    u = v = 0.0
    for a in viewers:
        u, v = u + (a.x - viewers[0].x), v + (a.y - viewers[0].y)
    return x * len(viewers) - u * len(targets), y * len(viewers) - v * len(targets)


def _seen_by(mode: Mode, a: End, targets: Sequence[End], found: Sequence[Obstacle]) -> int:
    """The place in a list of the first target that a viewer sees, or -1."""
    for k, b in enumerate(targets):
        if _look(mode, a, b, found).line is not None:
            return k
        # One refusal is a hint: perhaps one proof refuses all the others at once.
        if k == 0 and len(targets) > 1 and _all_hidden(mode, (a,), targets[1:], found):
            return -1
    return -1


def _circle(ends: Sequence[End]) -> tuple[float, float, float]:
    """A circle around some ends."""
    x = (min(e.x for e in ends) + max(e.x for e in ends)) / 2.0
    y = (min(e.y for e in ends) + max(e.y for e in ends)) / 2.0
    far = 0.0
    for e in ends:
        dx, dy = e.x - x, e.y - y
        d = sqrt(dx * dx + dy * dy) + e.far
        if d > far:
            far = d
    return x, y, far


def _nearby(viewers: Sequence[End], targets: Sequence[End], found: Iterable[Obstacle]) -> list[Obstacle]:
    """The obstacles near enough to meet a line between two groups."""
    ax, ay, a_far = _circle(viewers)
    bx, by, b_far = _circle(targets)
    far = a_far if a_far > b_far else b_far
    return [o for o in found if point_to_edge(o.x, o.y, ax, ay, bx, by) < (o.far + far) * (o.far + far)]


def watch(scene: Scene, mode: Mode, unit_a: int, unit_b: int, viewers: Sequence[int] | None = None) -> dict[int, int]:
    """For each model of a unit (or each of `viewers`) a model of the other unit that it sees, or -1."""
    slots = slots_of(scene, unit_a) if viewers is None else viewers
    seen = dict.fromkeys(slots, -1)
    standing = [end for k in slots if (end := end_of(scene, mode, k)) is not None]
    targets = [end for k in slots_of(scene, unit_b) if (end := end_of(scene, mode, k)) is not None]
    if not standing or not targets:
        return seen
    found = _nearby(standing, targets, obstacles(scene, mode, unit_a, unit_b))
    tried = False
    for place, end in enumerate(standing):
        k = _seen_by(mode, end, targets, found)
        if k >= 0:
            seen[end.slot] = targets[k].slot
            # The next viewer stands close by: let it try the same target first.
            targets.insert(0, targets.pop(k))
        elif not tried and place + 1 < len(standing):
            tried = True
            if _all_hidden(mode, standing[place + 1 :], targets, found):
                break
    return seen


def aims(scene: Scene, mode: Mode, eye: int | Eye, unit_b: int) -> int:
    """The first model of a unit that one eye sees, or -1."""
    end = end_of(scene, mode, eye)
    targets = [b for k in slots_of(scene, unit_b) if (b := end_of(scene, mode, k)) is not None]
    if end is None or not targets:
        return -1
    found = _nearby([end], targets, obstacles(scene, mode, end.unit, unit_b))
    for b in targets:
        if _look(mode, end, b, found).line is not None:
            return b.slot
    return -1


def _cover_from(scene: Scene, mode: Mode, a: End, b: End, kinds: int, near: int, tol: int) -> int:
    """The first piece that a target is behind, seen from one firing model, or -1."""
    for k, place in enumerate(scene.field.ground.places):
        if not place.kinds & kinds:
            if not place.solid or k in mode.clear:
                continue
            piece = Obstacle(k, 0.0, 0.0, 0.0, place.cores, float(place.height * mode.eye[1]))
            if not stands_up(a, b, piece, mode):
                continue
        if crosses(scene.field.ground, k, int(a.x), int(a.y), int(b.x), int(b.y)) and (
            base_gap(scene, b.slot, k) <= near + tol or base_gap(scene, a.slot, k) > near
        ):
            return k
    return -1


def covered(
    scene: Scene,
    mode: Mode,
    firing: Sequence[int],
    unit_b: int,
    *,
    kinds: int = COVER,
    near: int = 1000,
    tol: int = 10,
) -> dict[int, int]:
    """For each model of a unit a piece that it is within or behind, or -1.

    Within: its centre lies in a piece of one of the `kinds`. Behind: the line from the nearest firing model
    runs through such a piece, or through a solid piece that blocks for the two; and the target is within
    `near` of it or the firing model is further away. Of several firing models as near, one that leaves the
    target uncovered counts.
    """
    shooters = [a for k in firing if (a := end_of(scene, mode, k)) is not None]
    answer = {}
    for slot in slots_of(scene, unit_b):
        b = end_of(scene, mode, slot)
        if b is None:
            continue
        at = pieces_at(scene.field.ground, int(b.x), int(b.y))
        found = next((k for k in at if scene.field.ground.places[k].kinds & kinds), -1)
        if found < 0 and shooters:
            here = stand(scene, slot)
            gaps = [stand_gap(stand(scene, a.slot), here) for a in shooters]
            least = min(gaps)
            for a, d in zip(shooters, gaps, strict=True):
                if d <= least + TIE:
                    found = _cover_from(scene, mode, a, b, kinds, near, tol)
                    if found < 0:
                        break
        answer[slot] = found
    return answer
